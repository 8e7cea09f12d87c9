package dev.almanac.time;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads both grammars (rules T1 to T3). Bounded by the length limit; every refusal names field, column and reason. */
final class CronParser {
    private static final int LONGEST = 1_000;
    private static final List<CronField> QUARTZ = List.of(
            CronField.SECOND,
            CronField.MINUTE,
            CronField.HOUR,
            CronField.DAY_OF_MONTH,
            CronField.MONTH,
            CronField.DAY_OF_WEEK,
            CronField.YEAR);
    private static final List<CronField> UNIX = List.of(
            CronField.MINUTE, CronField.HOUR, CronField.DAY_OF_MONTH, CronField.MONTH, CronField.UNIX_DAY_OF_WEEK);
    private static final Map<String, String> MACROS = Map.of(
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *",
            "@monthly", "0 0 1 * *",
            "@weekly", "0 0 * * 0",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@hourly", "0 * * * *");

    private final String expression;
    private final CronDialect dialect;

    private CronParser(String expression, CronDialect dialect) {
        this.expression = expression;
        this.dialect = dialect;
    }

    static CronFields parse(String expression, CronDialect dialect) {
        if (expression.length() > LONGEST) {
            throw new InvalidCronException(
                    expression, "expression", LONGEST + 1, "is longer than " + LONGEST + " characters");
        }
        if (dialect == CronDialect.UNIX && MACROS.containsKey(expression.strip())) {
            return new CronParser(MACROS.get(expression.strip()), dialect).fields();
        }
        return new CronParser(expression, dialect).fields();
    }

    private CronFields fields() {
        List<CronToken> tokens = tokens();
        if (!tokens.isEmpty() && tokens.get(0).text().startsWith("@")) {
            throw refused("expression", tokens.get(0).column(), macroReason());
        }
        List<CronField> grammar = dialect == CronDialect.QUARTZ ? QUARTZ : UNIX;
        int least = dialect == CronDialect.QUARTZ ? 6 : 5;
        if (tokens.size() < least || tokens.size() > grammar.size()) {
            throw refused(
                    "expression", Math.max(1, Math.min(expression.length(), LONGEST)), countReason(tokens.size()));
        }
        if (dialect == CronDialect.QUARTZ) {
            checkDayFields(tokens.get(3), tokens.get(5));
        }
        List<CronValues> values = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i++) {
            values.add(new CronFieldParser(expression, grammar.get(i), dialect, tokens.get(i)).parse());
        }
        return CronFields.of(dialect, tokens, values);
    }

    private String macroReason() {
        return dialect == CronDialect.QUARTZ
                ? "a macro is no Quartz expression; write six or seven fields"
                : "unknown macro; known are @yearly @annually @monthly @weekly @daily @midnight @hourly";
    }

    private String countReason(int count) {
        return dialect == CronDialect.QUARTZ
                ? "has " + count + " fields; the QUARTZ dialect has six or seven: second minute hour day-of-month month"
                        + " day-of-week [year]"
                : "has " + count + " fields; the UNIX dialect has five: minute hour day-of-month month day-of-week";
    }

    private void checkDayFields(CronToken dayOfMonth, CronToken dayOfWeek) {
        boolean noMonthDay = dayOfMonth.text().equals("?");
        boolean noWeekDay = dayOfWeek.text().equals("?");
        if (noMonthDay && noWeekDay) {
            throw refused(
                    "day-of-week", dayOfWeek.column(), "both day fields are '?', so no day is named; write '* ?'");
        }
        if (!noMonthDay && !noWeekDay) {
            boolean stars = dayOfMonth.text().equals("*") && dayOfWeek.text().equals("*");
            throw refused(
                    "day-of-week",
                    dayOfWeek.column(),
                    stars
                            ? "both day fields are '*'; write '?' for one of them, such as '* * ?' for every day"
                            : "exactly one of the two day fields must be '?'; write '?' for the one that does not matter");
        }
    }

    private List<CronToken> tokens() {
        List<CronToken> tokens = new ArrayList<>();
        int i = 0;
        while (i < expression.length()) {
            if (isBlank(expression.charAt(i))) {
                i++;
                continue;
            }
            int start = i;
            while (i < expression.length() && !isBlank(expression.charAt(i))) {
                i++;
            }
            tokens.add(new CronToken(expression.substring(start, i).toUpperCase(Locale.ROOT), start + 1));
        }
        return tokens;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    private InvalidCronException refused(String field, int column, String reason) {
        return new InvalidCronException(expression, field, column, reason);
    }
}
