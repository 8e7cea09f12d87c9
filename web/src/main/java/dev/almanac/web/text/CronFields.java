package dev.almanac.web.text;

import static java.time.temporal.ChronoField.DAY_OF_MONTH;
import static java.time.temporal.ChronoField.DAY_OF_WEEK;
import static java.time.temporal.ChronoField.HOUR_OF_DAY;
import static java.time.temporal.ChronoField.MINUTE_OF_HOUR;
import static java.time.temporal.ChronoField.MONTH_OF_YEAR;
import static java.time.temporal.ChronoField.SECOND_OF_MINUTE;
import static java.time.temporal.ChronoField.YEAR;

import dev.almanac.time.CronDialect;
import dev.almanac.time.CronExpression;
import java.time.LocalDateTime;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The fields of a cron expression: their canonical texts, and the values that these name. */
final class CronFields {
    private static final List<ChronoField> FIELDS =
            List.of(SECOND_OF_MINUTE, MINUTE_OF_HOUR, HOUR_OF_DAY, DAY_OF_MONTH, MONTH_OF_YEAR, DAY_OF_WEEK, YEAR);
    private static final int FIRST_YEAR = 1970;
    private static final int LAST_YEAR = 2199;
    /** In a month of 31 days. */
    private static final LocalDateTime ANY = LocalDateTime.of(2000, 1, 1, 0, 0);

    final CronDialect dialect;
    private final List<String> texts;

    CronFields(CronExpression cron) {
        dialect = cron.dialect();
        texts = new ArrayList<>(List.of(cron.toString().split(" ")));
        if (dialect == CronDialect.UNIX) {
            texts.add(0, "0");
        }
        if (texts.size() < FIELDS.size()) {
            texts.add("*");
        }
    }

    String text(ChronoField field) {
        return texts.get(FIELDS.indexOf(field));
    }

    List<Integer> values(ChronoField field) {
        return values(field, text(field));
    }

    /** The values of a list, range or step, in their order, Monday first; an expression that has no other field tells them. */
    List<Integer> values(ChronoField field, String text) {
        List<String> alone = new ArrayList<>(Collections.nCopies(FIELDS.size(), "*"));
        alone.set(FIELDS.indexOf(field), text);
        boolean quartz = dialect == CronDialect.QUARTZ;
        if (quartz) {
            alone.set(FIELDS.indexOf(field == DAY_OF_WEEK ? DAY_OF_MONTH : DAY_OF_WEEK), "?");
        }
        List<String> own =
                alone.subList(dialect == CronDialect.UNIX ? 1 : 0, quartz ? FIELDS.size() : FIELDS.size() - 1);
        CronExpression cron = CronExpression.parse(String.join(" ", own), dialect);
        return all(field)
                .filter(value -> cron.matchesLocal(ANY.with(field, value)))
                .boxed()
                .toList();
    }

    private static IntStream all(ChronoField field) {
        return field == YEAR
                ? IntStream.rangeClosed(FIRST_YEAR, LAST_YEAR)
                : IntStream.rangeClosed(
                        (int) field.range().getMinimum(), (int) field.range().getMaximum());
    }

    boolean isAny(ChronoField field) {
        return values(field).size() == all(field).count();
    }

    /** Such as {@code 1, 5 and 7 to 9}. */
    static String runs(List<Integer> values, IntFunction<String> word) {
        List<String> runs = new ArrayList<>();
        for (int from = 0, to; from < values.size(); from = to) {
            to = from + 1;
            while (to < values.size() && values.get(to) == values.get(to - 1) + 1) {
                to++;
            }
            if (to - from > 2) {
                runs.add(word.apply(values.get(from)) + " to " + word.apply(values.get(to - 1)));
            } else {
                values.subList(from, to).forEach(value -> runs.add(word.apply(value)));
            }
        }
        return list(runs, " and ");
    }

    /** @param last what stands before the last one */
    static String list(List<String> words, String last) {
        int end = words.size() - 1;
        return end == 0 ? words.get(0) : String.join(", ", words.subList(0, end)) + last + words.get(end);
    }
}
