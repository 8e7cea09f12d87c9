package dev.almanac.time;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns text into a pattern, by the grammar of one dialect. Used once per text; the results are immutable. */
final class CronReader {
    private static final int LONGEST = 4096;
    private static final CronField[] FIELDS = CronField.values();
    private static final Map<String, String> MACROS = Map.of(
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *",
            "@monthly", "0 0 1 * *",
            "@weekly", "0 0 * * 0",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@hourly", "0 * * * *");

    private final String source;
    private final CronDialect dialect;
    private final boolean quartz;
    private final FieldText[] texts = new FieldText[7];
    private final FieldValues[] fields = new FieldValues[7];
    private final String[] canonical = new String[7];
    private int count;
    private DayRule rule = new DayRule();

    private CronReader(String source, CronDialect dialect) {
        this.source = source;
        this.dialect = dialect;
        this.quartz = dialect == CronDialect.QUARTZ;
    }

    static CronReader read(String source, CronDialect dialect) {
        if (source.length() > LONGEST) {
            throw new InvalidCronException(
                    "expression", LONGEST + 1, "longer than " + LONGEST + " characters", source, null);
        }
        if (!dialect.isCron()) {
            throw whole(dialect + " is no dialect of cron", source, null);
        }
        CronReader reader = new CronReader(macro(source, dialect), dialect);
        reader.readAll();
        return reader;
    }

    private void readAll() {
        split();
        fields();
    }

    private static String macro(String source, CronDialect dialect) {
        String text = stripped(source);
        if (!text.startsWith("@")) {
            return source;
        }
        if (text.startsWith("@every")) {
            String step = text.substring("@every".length()).strip();
            throw whole(
                    "no macro of cron; a fixed rate is the dialect EVERY, such as 5m or PT5M",
                    text,
                    Steps.isElapsed(step) ? step : null);
        }
        if (dialect == CronDialect.QUARTZ) {
            throw whole("a macro such as @daily is no QUARTZ expression", text, null);
        }
        String fields = MACROS.get(text);
        if (fields == null) {
            String lower = text.toLowerCase(Locale.ROOT);
            throw whole("no macro that names times", text, MACROS.containsKey(lower) ? lower : null);
        }
        return fields;
    }

    private static String stripped(String source) {
        int from = 0;
        int to = source.length();
        while (from < to && isBlank(source.charAt(from))) {
            from++;
        }
        while (to > from && isBlank(source.charAt(to - 1))) {
            to--;
        }
        return source.substring(from, to);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    private static InvalidCronException whole(String reason, String text, @Nullable String suggestion) {
        return new InvalidCronException("expression", 1, reason, text, suggestion);
    }

    private void split() {
        int first = quartz ? 0 : 1;
        int most = quartz ? 7 : 5;
        int at = 0;
        while (at < source.length()) {
            int from = at;
            while (at < source.length() && !isBlank(source.charAt(at))) {
                at++;
            }
            if (at > from) {
                if (count == most) {
                    throw wrongCount(from);
                }
                CronField field = FIELDS[first + count];
                texts[first + count++] = new FieldText(field, dialect, source, from, at);
            }
            at++;
        }
        if (count < (quartz ? 6 : 5)) {
            throw wrongCount(source.length());
        }
    }

    private InvalidCronException wrongCount(int position) {
        String wanted = quartz
                ? "QUARTZ has 6 or 7 fields: second minute hour day-of-month month day-of-week [year]"
                : "UNIX has 5 fields: minute hour day-of-month month day-of-week";
        String found = count == 0 ? "empty" : position < source.length() ? "too many fields" : count + " fields";
        boolean other = quartz == (count == 5 && position == source.length());
        String hint = other ? hint() : "";
        return new InvalidCronException("expression", position + 1, found + "; " + wanted + hint, source, null);
    }

    /** A hint if the text is valid in the other dialect; the dialect is never guessed. */
    private String hint() {
        CronDialect other = quartz ? CronDialect.UNIX : CronDialect.QUARTZ;
        try {
            new CronReader(source, other).readAll();
            return "; this is a " + other + " expression: name the dialect " + other;
        } catch (InvalidCronException neither) {
            return "";
        }
    }

    private void fields() {
        DayFields days = new DayFields(text(CronField.DAY_OF_MONTH), text(CronField.DAY_OF_WEEK));
        for (CronField field : FIELDS) {
            FieldText text = texts[field.ordinal()];
            if (text == null) {
                continue;
            }
            if (field == CronField.DAY_OF_MONTH) {
                days.readMonth();
            } else if (field == CronField.DAY_OF_WEEK) {
                days.readWeek();
            } else {
                FieldValues values = FieldReader.read(text);
                fields[field.ordinal()] = values;
                canonical[field.ordinal()] = values.canonical();
            }
        }
        days.combine();
        canonical[CronField.DAY_OF_MONTH.ordinal()] = days.monthText();
        canonical[CronField.DAY_OF_WEEK.ordinal()] = days.weekText();
        rule = days.rule();
    }

    private FieldText text(CronField field) {
        return texts[field.ordinal()];
    }

    /** Whether second, minute and hour name single times only, without a {@code *}, {@code -} or {@code /}. */
    boolean isFixed() {
        for (CronField field : FIELDS) {
            FieldValues values = fields[field.ordinal()];
            if (field.isTime() && values != null && values.marked) {
                return false;
            }
        }
        return true;
    }

    LocalPattern pattern() {
        TimesOfDay times =
                new TimesOfDay(quartz ? bits(CronField.SECOND) : 1, bits(CronField.MINUTE), bits(CronField.HOUR));
        FieldValues years = fields[CronField.YEAR.ordinal()];
        return new LocalPattern(times, (int) bits(CronField.MONTH), rule.table(), years == null ? null : years.years());
    }

    private long bits(CronField field) {
        return fields[field.ordinal()].values();
    }

    String canonical() {
        StringBuilder out = new StringBuilder(source.length());
        for (String field : canonical) {
            if (field != null) {
                out.append(out.length() == 0 ? "" : " ").append(field);
            }
        }
        return out.toString();
    }
}
