package dev.almanac.time;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A day field of Spring's dialect: a list of values and forms. A day must match both day fields. */
final class SpringDays {
    private final List<DayRule> rules = new ArrayList<>();
    private final String canonical;

    private SpringDays(FieldText field) {
        if (field.text().equals("?")) {
            rules.add(new DayRule());
            canonical = "*";
        } else if (isForm(field)) {
            canonical = field.items().stream().map(this::item).collect(Collectors.joining(","));
        } else {
            canonical = values(field);
        }
    }

    static SpringDays read(FieldText field) {
        return new SpringDays(field);
    }

    String canonical() {
        return canonical;
    }

    /** As {@link DayRule#table}: the days that any item of the list names. */
    int[] table() {
        int[] days = new int[DayRule.SORTS];
        for (DayRule rule : rules) {
            int[] more = rule.table();
            for (int sort = 0; sort < days.length; sort++) {
                days[sort] |= more[sort];
            }
        }
        return days;
    }

    /** The days that both fields name. */
    static int[] both(SpringDays month, SpringDays week) {
        int[] days = month.table();
        int[] others = week.table();
        for (int sort = 0; sort < days.length; sort++) {
            days[sort] &= others[sort];
        }
        return days;
    }

    private static boolean isMonth(FieldText text) {
        return text.field == CronField.DAY_OF_MONTH;
    }

    private static boolean isForm(FieldText text) {
        return text.text().chars().anyMatch(c -> isMonth(text) ? "LlWw".indexOf(c) >= 0 : "Ll#".indexOf(c) >= 0);
    }

    private String item(FieldText item) {
        if (!isForm(item)) {
            return values(item);
        }
        DayRule rule = new DayRule();
        String text = isMonth(item) ? month(item, rule) : week(item, rule);
        if (!item.isAtEnd()) {
            throw item.error(item.at(), "nothing may follow here", null);
        }
        rules.add(rule);
        return text;
    }

    private String values(FieldText text) {
        FieldValues values = FieldReader.read(text);
        DayRule rule = new DayRule();
        if (isMonth(text)) {
            rule.daysOfMonth = (int) values.values();
        } else {
            rule.daysOfWeek = (int) values.values();
        }
        rules.add(rule);
        return values.canonical();
    }

    /** {@code L}, {@code LW}, {@code L-n}, {@code nW}. */
    private static String month(FieldText item, DayRule rule) {
        rule.daysOfMonth = 0;
        int from = item.at();
        if (!item.take('L')) {
            int day = item.value();
            if (!item.take('W')) {
                throw item.error(item.at(), "only 'W' may follow a day here", null);
            }
            rule.weekdayNear = day;
            rule.sundayEndsMonth = true;
            return day + "W";
        }
        if (item.take('W')) {
            rule.lastWeekday = true;
            return "LW";
        }
        rule.beforeLast = 0;
        if (item.take('-')) {
            rule.beforeLast = item.digits(" after 'L-'");
            if (rule.beforeLast < 1 || rule.beforeLast > 30) {
                throw item.error(from, "beyond L-1 to L-30", null);
            }
            return "L-" + rule.beforeLast;
        }
        return "L";
    }

    /** {@code nL}, {@code n#k}; the day as a number or a name. */
    private static String week(FieldText item, DayRule rule) {
        if (item.peek() == 'L') {
            throw item.error(item.at(), "a day of the week is needed before 'L'", null);
        }
        int day = (FieldText.isLetter(item.peek()) ? item.shortName() : item.value()) % 7;
        rule.daysOfWeek = 1 << day;
        if (item.peek() != 'L' && item.peek() != '#') {
            throw item.error(item.at(), "only 'L' or '#' may follow a day here", null);
        }
        return CronField.DAY_OF_WEEK.written(day, item.dialect) + DayFields.occurrence(item, rule);
    }
}
