package dev.almanac.calendars;

import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import net.fortuna.ical4j.model.Month;
import net.fortuna.ical4j.model.Recur;
import net.fortuna.ical4j.model.WeekDay;
import net.fortuna.ical4j.transform.recurrence.Frequency;
import org.jspecify.annotations.Nullable;

/**
 * Passes the parts of a yearly rule to the library one by one. The library would also read the text; but then it measures
 * days and months by the calendar system of the default locale, and refuses 31 December where months have 30 days.
 */
final class YearlyParts {
    private YearlyParts() {}

    /**
     * @param parts in upper case, each of the right form
     * @param until the day that UNTIL names; absent = the rule has no such part
     * @throws IllegalArgumentException if the library refuses a part
     */
    static Recur<LocalDate> recur(Map<String, String> parts, @Nullable LocalDate until) {
        Recur.Builder<LocalDate> recur = new Recur.Builder<LocalDate>()
                .rscale(Recur.RScale.GREGORIAN)
                .frequency(Frequency.YEARLY)
                .interval(one(parts, "INTERVAL", Integer::valueOf))
                .count(one(parts, "COUNT", Integer::valueOf))
                .weekStartDay(one(parts, "WKST", WeekDay::new))
                .monthList(list(parts, "BYMONTH", Month::parse))
                .monthDayList(list(parts, "BYMONTHDAY", Integer::valueOf))
                .yearDayList(list(parts, "BYYEARDAY", Integer::valueOf))
                .dayList(list(parts, "BYDAY", WeekDay::new))
                .setPosList(list(parts, "BYSETPOS", Integer::valueOf));
        return (until == null ? recur : recur.until(until)).build();
    }

    private static <T> @Nullable T one(Map<String, String> parts, String name, Function<String, T> read) {
        String text = parts.get(name);
        return text == null ? null : read.apply(text);
    }

    private static <T> List<T> list(Map<String, String> parts, String name, Function<String, T> read) {
        String text = parts.get(name);
        return text == null
                ? List.of()
                : Arrays.stream(text.split(",")).map(read).toList();
    }
}
