package dev.almanac.time;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Turns text into a pattern, by the grammar of one dialect. Used once per text; the results are immutable. */
final class CronReader {
    private static final int LONGEST = 4096;
    private static final CronField[] FIELDS = CronField.values();
    /** Of UNIX; SPRING has a second before them. */
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
    private final boolean seconds;
    private final int fewest;
    private final int most;
    private final FieldText[] texts = new FieldText[7];
    private final FieldValues[] fields = new FieldValues[7];
    private final String[] canonical = new String[7];
    private int count;
    private int[] days = new int[0];

    private CronReader(String source, CronDialect dialect) {
        this.source = source;
        this.dialect = dialect;
        this.seconds = dialect.hasSeconds();
        this.fewest = seconds ? 6 : 5;
        this.most = dialect == CronDialect.QUARTZ ? 7 : fewest;
    }

    static CronReader read(String source, CronDialect dialect) {
        if (source.length() > LONGEST) {
            throw new InvalidCronException(
                    "expression", LONGEST + 1, "longer than " + LONGEST + " characters", source, null);
        }
        if (!dialect.isCron()) {
            throw whole(dialect + " is no dialect of cron", source, null);
        }
        try {
            return of(source, dialect);
        } catch (InvalidCronException refused) {
            throw refused.with(hint(source, dialect));
        }
    }

    private static CronReader of(String source, CronDialect dialect) {
        CronReader reader = new CronReader(macro(source, dialect), dialect);
        reader.split();
        reader.fields();
        return reader;
    }

    /** The other dialects in which the text is valid; the dialect is never guessed. */
    private static String hint(String source, CronDialect dialect) {
        String others = Stream.of(CronDialect.values())
                .filter(other -> other.isCron() && other != dialect && isValid(source, other))
                .map(Enum::name)
                .collect(Collectors.joining(" or "));
        return others.isEmpty() ? "" : "; it is valid in the dialect " + others + ": name the dialect";
    }

    private static boolean isValid(String source, CronDialect dialect) {
        try {
            of(source, dialect);
            return true;
        } catch (InvalidCronException invalid) {
            return false;
        }
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
        String lower = text.toLowerCase(Locale.ROOT);
        boolean spring = dialect == CronDialect.SPRING;
        String fields = MACROS.get(spring ? lower : text);
        if (fields == null) {
            throw whole("no macro that names times", text, MACROS.containsKey(lower) ? lower : null);
        }
        return spring ? "0 " + fields : fields;
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
        int first = seconds ? 0 : 1;
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
        if (count < fewest) {
            throw wrongCount(source.length());
        }
    }

    private InvalidCronException wrongCount(int position) {
        String wanted = switch (dialect) {
            case QUARTZ -> "QUARTZ has 6 or 7 fields: second minute hour day-of-month month day-of-week [year]";
            case SPRING -> "SPRING has 6 fields: second minute hour day-of-month month day-of-week";
            default -> "UNIX has 5 fields: minute hour day-of-month month day-of-week";
        };
        String found = count == 0 ? "empty" : position < source.length() ? "too many fields" : count + " fields";
        return new InvalidCronException("expression", position + 1, found + "; " + wanted, source, null);
    }

    private void fields() {
        DayFields both = new DayFields(text(CronField.DAY_OF_MONTH), text(CronField.DAY_OF_WEEK));
        for (CronField field : FIELDS) {
            FieldText text = texts[field.ordinal()];
            if (text == null) {
                continue;
            }
            if (field == CronField.DAY_OF_MONTH) {
                both.readMonth();
            } else if (field == CronField.DAY_OF_WEEK) {
                both.readWeek();
            } else {
                FieldValues values = FieldReader.read(text);
                fields[field.ordinal()] = values;
                canonical[field.ordinal()] = values.canonical();
            }
        }
        days = both.combine();
        canonical[CronField.DAY_OF_MONTH.ordinal()] = both.monthText();
        canonical[CronField.DAY_OF_WEEK.ordinal()] = both.weekText();
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
                new TimesOfDay(seconds ? bits(CronField.SECOND) : 1, bits(CronField.MINUTE), bits(CronField.HOUR));
        FieldValues years = fields[CronField.YEAR.ordinal()];
        return new LocalPattern(times, (int) bits(CronField.MONTH), days, years == null ? null : years.years());
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
