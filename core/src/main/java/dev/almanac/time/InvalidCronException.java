package dev.almanac.time;

/** A cron expression was refused. Names the field, the column and the reason (rule T3). */
public final class InvalidCronException extends IllegalArgumentException {
    private static final int LONGEST_SHOWN = 80;

    private final String field;
    private final int column;
    private final String reason;

    InvalidCronException(String expression, String field, int column, String reason) {
        super(field + ", column " + column + ": " + reason + " in '" + shown(expression) + "'");
        this.field = field;
        this.column = column;
        this.reason = reason;
    }

    private static String shown(String expression) {
        return expression.length() <= LONGEST_SHOWN ? expression : expression.substring(0, LONGEST_SHOWN) + "…";
    }

    /** The field, such as {@code day-of-month}, or {@code expression} if no single field is at fault. */
    public String field() {
        return field;
    }

    /** Where in the expression, counted from 1. */
    public int column() {
        return column;
    }

    /** What is wrong and, where obvious, what was meant. */
    public String reason() {
        return reason;
    }
}
