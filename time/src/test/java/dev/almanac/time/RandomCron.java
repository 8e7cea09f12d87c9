package dev.almanac.time;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Writes a random expression and knows, by plain sets and java.time alone, which local times it names. Shares nothing
 * with the reader and the evaluator under test.
 */
final class RandomCron {
    private static final String[] MONTHS = {
        "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"
    };
    private static final String[] WEEKDAYS = {"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"};

    final CronDialect dialect;
    final String text;
    private final Set<Integer> seconds;
    private final Set<Integer> minutes;
    private final Set<Integer> hours;
    private final Set<Integer> months = new TreeSet<>();
    private final Set<Integer> years = new TreeSet<>();
    private final Random random;
    private final boolean quartz;
    private final int likelyHour;
    private boolean marked;
    private boolean timeMarked;
    private Predicate<LocalDate> day = date -> true;

    RandomCron(Random random, CronDialect dialect, int likelyHour) {
        this.random = random;
        this.dialect = dialect;
        this.likelyHour = likelyHour;
        this.quartz = dialect == CronDialect.QUARTZ;
        List<String> fields = new ArrayList<>();
        seconds = new TreeSet<>(Set.of(0));
        minutes = new TreeSet<>();
        hours = new TreeSet<>();
        marked = false;
        if (quartz) {
            seconds.clear();
            fields.add(chance(60) ? one(seconds, random.nextInt(60)) : list(seconds, 0, 59, null));
        }
        fields.add(chance(40) ? one(minutes, random.nextInt(60)) : list(minutes, 0, 59, null));
        fields.add(hour());
        timeMarked = marked;
        addDays(fields);
        text = String.join(chance(90) ? " " : " \t ", fields);
    }

    private String hour() {
        if (likelyHour >= 0 && chance(85)) {
            return chance(70)
                    ? one(hours, likelyHour)
                    : one(hours, likelyHour) + "," + one(hours, (likelyHour + 1) % 24);
        }
        return list(hours, 0, 23, null);
    }

    private void addDays(List<String> fields) {
        boolean everyDay = chance(40);
        if (quartz) {
            addQuartzDays(fields, everyDay);
        } else {
            addUnixDays(fields, everyDay);
        }
    }

    private void addQuartzDays(List<String> fields, boolean everyDay) {
        String month = everyDay || chance(40) ? all(months) : list(months, 1, 12, MONTHS);
        if (everyDay) {
            fields.addAll(List.of("*", month, "?"));
        } else if (chance(50)) {
            fields.addAll(List.of(dayOfMonth(), month, "?"));
        } else {
            fields.addAll(List.of("?", month, dayOfWeek()));
        }
        if (chance(20)) {
            fields.add(chance(50) ? one(years, 1985 + random.nextInt(115)) : list(years, 1970, 2199, null));
        }
    }

    private void addUnixDays(List<String> fields, boolean everyDay) {
        Set<Integer> days = new TreeSet<>();
        Set<Integer> weekdays = new TreeSet<>();
        String dom = everyDay || chance(30) ? "*" : list(days, 1, 31, null);
        String month = everyDay || chance(40) ? all(months) : list(months, 1, 12, MONTHS);
        String dow = everyDay || chance(30) ? "*" : list(weekdays, 0, 7, WEEKDAYS);
        fields.addAll(List.of(dom, month, dow));
        Predicate<LocalDate> byMonth = date -> dom.equals("*") || days.contains(date.getDayOfMonth());
        Predicate<LocalDate> byWeek = date -> dow.equals("*")
                || weekdays.contains(date.getDayOfWeek().getValue())
                || weekdays.contains(date.getDayOfWeek().getValue() % 7);
        day = dom.startsWith("*") || dow.startsWith("*") ? byMonth.and(byWeek) : byMonth.or(byWeek);
    }

    private static String all(Set<Integer> months) {
        for (int month = 1; month <= 12; month++) {
            months.add(month);
        }
        return "*";
    }

    private String dayOfMonth() {
        int number = 1 + random.nextInt(31);
        int before = random.nextInt(31);
        switch (random.nextInt(7)) {
            case 0:
                day = date -> date.getDayOfMonth() + before == date.lengthOfMonth();
                return "L-" + before;
            case 1:
                day = date -> date.equals(weekdayNear(YearMonth.from(date), date.lengthOfMonth()));
                return anyCase("LW");
            case 2:
                day = date -> number <= date.lengthOfMonth() && date.equals(weekdayNear(YearMonth.from(date), number));
                return anyCase(number + "W");
            case 4:
                day = date -> before < date.lengthOfMonth()
                        && date.equals(weekdayNear(YearMonth.from(date), date.lengthOfMonth() - before));
                return anyCase("L-" + before + "W");
            case 3:
                day = date -> date.getDayOfMonth() == date.lengthOfMonth() || date.getDayOfMonth() == number;
                return chance(50) ? "L," + number : number + ",L";
            default:
                Set<Integer> days = new TreeSet<>();
                String list = list(days, 1, 31, null);
                day = date -> days.contains(date.getDayOfMonth());
                return list;
        }
    }

    private static LocalDate weekdayNear(YearMonth month, int number) {
        LocalDate wanted = month.atDay(number);
        List<LocalDate> nearest = wanted.getDayOfWeek() == DayOfWeek.SATURDAY
                ? List.of(wanted.minusDays(1), wanted.plusDays(2))
                : wanted.getDayOfWeek() == DayOfWeek.SUNDAY
                        ? List.of(wanted.plusDays(1), wanted.minusDays(2))
                        : List.of(wanted);
        return nearest.stream()
                .filter(date -> YearMonth.from(date).equals(month))
                .findFirst()
                .orElseThrow();
    }

    private String dayOfWeek() {
        int number = 1 + random.nextInt(7);
        DayOfWeek weekday = DayOfWeek.of(number == 1 ? 7 : number - 1);
        String name = chance(50) ? Integer.toString(number) : anyCase(WEEKDAYS[number - 1]);
        switch (random.nextInt(5)) {
            case 0:
                day = date -> date.equals(date.with(TemporalAdjusters.lastInMonth(weekday)));
                return name + anyCase("L");
            case 1:
                int nth = 1 + random.nextInt(5);
                day = date -> date.getDayOfWeek() == weekday && (date.getDayOfMonth() + 6) / 7 == nth;
                return name + "#" + nth;
            case 2:
                day = date -> date.getDayOfWeek() == DayOfWeek.SATURDAY;
                return anyCase("L");
            default:
                Set<Integer> days = new TreeSet<>();
                String list = list(days, 1, 7, WEEKDAYS);
                day = date -> days.contains(date.getDayOfWeek().getValue() % 7 + 1);
                return list;
        }
    }

    private String one(Set<Integer> values, int value) {
        values.add(value);
        return (chance(20) ? "0" : "") + value;
    }

    private String list(Set<Integer> values, int min, int max, String[] names) {
        int items = 1 + random.nextInt(3);
        List<String> result = new ArrayList<>();
        for (int i = 0; i < items; i++) {
            result.add(item(values, min, max, names));
        }
        return result.stream().collect(Collectors.joining(","));
    }

    private String item(Set<Integer> values, int min, int max, String[] names) {
        int low = min + random.nextInt(max - min + 1);
        int high = min + random.nextInt(max - min + 1);
        int step = 1 + random.nextInt(Math.min(max, max - min));
        switch (random.nextInt(names == null ? 6 : 5)) {
            case 0:
                if (max < 1970 && (quartz || low <= high)) {
                    return range(values, min, max, low, high, 1, names);
                }
                return range(values, min, max, Math.min(low, high), Math.max(low, high), 1, null);
            case 1:
                return range(values, min, max, Math.min(low, high), Math.max(low, high), step, null) + "/" + step;
            case 2:
                range(values, min, max, min, max, step, null);
                return chance(20) ? everything(values, min, max) : "*/" + step;
            case 3:
                if (quartz) {
                    range(values, min, max, low, max, step, null);
                    return low + "/" + step;
                }
                return one(values, low);
            default:
                values.add(low);
                boolean named = names != null && low - min < names.length && chance(50);
                return named ? anyCase(names[low - min]) : Integer.toString(low);
        }
    }

    private String everything(Set<Integer> values, int min, int max) {
        range(values, min, max, min, max, 1, null);
        return "*";
    }

    /** Writes out the range as a list, then takes each so many-th. */
    private String range(Set<Integer> values, int min, int max, int low, int high, int step, String[] names) {
        marked = true;
        List<Integer> inOrder = new ArrayList<>();
        for (int value = low; value != high; value = value == max ? min : value + 1) {
            inOrder.add(value);
        }
        inOrder.add(high);
        for (int i = 0; i < inOrder.size(); i += step) {
            values.add(inOrder.get(i));
        }
        boolean named = names != null && Math.max(low, high) - min < names.length && chance(60);
        return named ? anyCase(names[low - min] + "-" + names[high - min]) : low + "-" + high;
    }

    private String anyCase(String name) {
        return chance(70) ? name : name.toLowerCase(Locale.ROOT);
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    boolean isFixed() {
        return !timeMarked;
    }

    boolean matchesDate(LocalDate date) {
        return months.contains(date.getMonthValue())
                && (years.isEmpty() || years.contains(date.getYear()))
                && day.test(date);
    }

    boolean matchesTime(int secondOfDay) {
        return hours.contains(secondOfDay / 3600)
                && minutes.contains(secondOfDay / 60 % 60)
                && seconds.contains(secondOfDay % 60);
    }

    /** The times of day in order. */
    List<Integer> times() {
        List<Integer> times = new ArrayList<>();
        for (int hour : hours) {
            for (int minute : minutes) {
                for (int second : seconds) {
                    times.add(hour * 3600 + minute * 60 + second);
                }
            }
        }
        return times;
    }

    @Override
    public String toString() {
        return dialect + " '" + text + "'";
    }
}
