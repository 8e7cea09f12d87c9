package dev.almanac.web.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.time.CronDialect;
import dev.almanac.time.CronExpression;
import dev.almanac.time.DaylightSavingPolicy;
import dev.almanac.time.InvalidCronException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Reads the words of random expressions as a person does, and compares them with what fires. */
class CronWordsTest {
    private static final int CRONS = 400;
    private static final Pattern WORDS =
            Pattern.compile("(.*?),?(?: (every day.*?|on .*?|from [A-Z].*?))?(?:, in ([0-9].*))?");
    private static final Pattern WITHIN = Pattern.compile("(.*), from ([0-9:]+) to ([0-9:]+)");
    private static final Pattern EACH_HOUR = Pattern.compile("(every .*hours?) at minute ([0-9]+)(?::([0-9]+))?");
    private static final Pattern DATE =
            Pattern.compile("on the (.*) of (.*?)(?: that is (a .*)|, and ((?:on|from) .*))?");

    @Test
    @DisplayName("20: a cron fires at each time that its words name, and at no other one")
    void wordsComeTrue() {
        Random random = new Random(20);
        int described = 0;
        for (int i = 0; i < CRONS; i++) {
            CronDialect dialect = CronDialect.values()[random.nextInt(3)];
            Optional<CronExpression> cron = cron(random, dialect);
            String words = cron.map(ScheduleWords::ofCron).orElse(null);
            if (words != null) {
                described++;
                compare(cron.orElseThrow(), words, random);
            }
        }
        assertThat(described).isGreaterThan(CRONS / 2);
    }

    private static Optional<CronExpression> cron(Random random, CronDialect dialect) {
        boolean ofWeek = random.nextBoolean();
        boolean quartz = dialect == CronDialect.QUARTZ;
        String text = (dialect == CronDialect.UNIX ? "" : field(random, 0, 59) + " ")
                + field(random, 0, 59) + " " + field(random, 0, 23)
                + " " + (quartz && ofWeek ? "?" : field(random, 1, 31)) + " " + field(random, 1, 12)
                + " " + (quartz && !ofWeek ? "?" : field(random, 1, 7))
                + (quartz && random.nextInt(4) == 0 ? " " + field(random, 2000, 2009) : "");
        try {
            return Optional.of(CronExpression.parse(text, dialect));
        } catch (InvalidCronException notOfTheDialect) {
            return Optional.empty();
        }
    }

    private static String field(Random random, int first, int last) {
        int low = random.nextInt(first, last + 1);
        int high = random.nextInt(low, last + 1);
        int step = random.nextInt(1, last - first + 1);
        return switch (random.nextInt(9)) {
            case 0 -> "*/" + step;
            case 1 -> low + "/" + step;
            case 2 -> low + "-" + high + "/" + step;
            case 3 -> low + "-" + high;
            case 4 -> low + "," + high;
            case 5 -> high + "-" + low;
            case 6 -> low + "";
            default -> "*";
        };
    }

    /** Around a fire each other value of each field. */
    private static void compare(CronExpression cron, String words, Random random) {
        Instant from = Instant.parse("2000-01-01T00:00:00Z").plusSeconds(random.nextInt(86_400 * 300));
        LocalDateTime fire = cron.next(from, ZoneOffset.UTC, DaylightSavingPolicy.RUN_ONCE)
                .or(() -> cron.previous(from, ZoneOffset.UTC, DaylightSavingPolicy.RUN_ONCE))
                .map(found -> LocalDateTime.ofInstant(found, ZoneOffset.UTC))
                .orElseThrow();
        Stream.of(
                        IntStream.range(0, 60).mapToObj(fire::withSecond),
                        IntStream.range(0, 60).mapToObj(fire::withMinute),
                        IntStream.range(0, 24).mapToObj(fire::withHour),
                        IntStream.range(-70, 70).mapToObj(fire::plusDays),
                        IntStream.range(-12, 12).mapToObj(fire::plusYears))
                .flatMap(times -> times)
                .forEach(time -> assertThat(named(words, time))
                        .as("%s: %s, at %s", cron, words, time)
                        .isEqualTo(cron.matchesLocal(time)));
    }

    private static boolean named(String words, LocalDateTime time) {
        Matcher parts = WORDS.matcher(words);
        assertThat(parts.matches()).as(words).isTrue();
        return time(parts.group(1), time.toLocalTime())
                && (parts.group(2) == null || day(parts.group(2), time.toLocalDate()))
                && (parts.group(3) == null || has(parts.group(3), Integer::parseInt, time.getYear()));
    }

    private static boolean time(String words, LocalTime time) {
        Matcher within = WITHIN.matcher(words);
        if (within.matches()) {
            LocalTime first = LocalTime.parse(within.group(2));
            LocalTime last = LocalTime.parse(within.group(3));
            boolean inOrder = first.isBefore(last);
            boolean late = !time.isBefore(first);
            boolean early = !time.withSecond(0).isAfter(last);
            return (inOrder ? late && early : late || early) && time(within.group(1), time);
        }
        if (words.matches("at [0-9].*")) {
            return Stream.of(words.substring(3).split(", "))
                    .map(LocalTime::parse)
                    .anyMatch(time::equals);
        }
        Matcher hours = EACH_HOUR.matcher(words);
        if (hours.matches()) {
            int second = hours.group(3) == null ? 0 : Integer.parseInt(hours.group(3));
            return field(hours.group(1), time)
                    && time.getMinute() == Integer.parseInt(hours.group(2))
                    && time.getSecond() == second;
        }
        boolean onTheMinute = words.contains("second") || time.getSecond() == 0;
        boolean onTheHour = words.contains("minute") || words.contains("second") || time.getMinute() == 0;
        return onTheMinute
                && onTheHour
                && Stream.of(words.replaceFirst("^at ", "").split(" of ")).allMatch(part -> field(part, time));
    }

    /** Such as {@code every second}, {@code every 5 minutes} and {@code hours 1 and 2}. */
    private static boolean field(String words, LocalTime time) {
        boolean hours = words.contains("hour");
        int value = words.contains("second") ? time.getSecond() : hours ? time.getHour() : time.getMinute();
        if (words.startsWith("every ")) {
            int step = Integer.parseInt("0" + words.replaceAll("[^0-9]", ""));
            // a step that goes on over the end of the hour or day is none of a cron
            return step == 0 || (hours ? 24 : 60) % step == 0 && value % step == 0;
        }
        return has(words.replaceFirst("^[a-z]+ ", ""), Integer::parseInt, value);
    }

    private static boolean day(String words, LocalDate day) {
        if (words.startsWith("every day")) {
            return words.equals("every day") || ofMonth(words.substring("every day of ".length()), day);
        }
        Matcher date = DATE.matcher(words);
        if (!date.matches()) {
            return weekday(words, day);
        }
        boolean ofDate =
                has(date.group(1), number -> Integer.parseInt(number.replaceAll("[a-z]", "")), day.getDayOfMonth())
                        && ofMonth(date.group(2), day);
        return date.group(4) != null
                ? ofDate || weekday(date.group(4), day)
                : ofDate && (date.group(3) == null || ofWeek(date.group(3).replaceAll("\\ba ", ""), day));
    }

    private static boolean ofMonth(String words, LocalDate day) {
        return words.equals("every month")
                || has(
                        words,
                        name -> Month.valueOf(name.toUpperCase(Locale.ROOT)).getValue(),
                        day.getMonthValue());
    }

    private static boolean weekday(String words, LocalDate day) {
        String[] parts = words.split(" in ");
        return ofWeek(parts[0].replaceAll("^(on|from) |every ", ""), day)
                && (parts.length == 1 || ofMonth(parts[1], day));
    }

    private static boolean ofWeek(String words, LocalDate day) {
        return has(
                words,
                name -> DayOfWeek.valueOf(name.toUpperCase(Locale.ROOT)).getValue(),
                day.getDayOfWeek().getValue());
    }

    /** A range may go around the end. */
    private static boolean has(String list, ToIntFunction<String> number, int value) {
        return Stream.of(list.split(", | and | or ")).anyMatch(part -> {
            String[] ends = part.split(" to ");
            int first = number.applyAsInt(ends[0]);
            int last = number.applyAsInt(ends[ends.length - 1]);
            return first <= last ? first <= value && value <= last : value >= first || value <= last;
        });
    }
}
