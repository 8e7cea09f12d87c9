package dev.almanac.time;

import dev.almanac.text.Printable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A text that is no schedule of its dialect: which field, where, why, and what was perhaps meant. */
public final class InvalidCronException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST_VALUE = 40;

    private final String field;
    private final int column;
    private final String reason;
    private final String value;
    private final @Nullable String suggestion;

    /**
     * For those who read texts of a dialect.
     *
     * @param field the part that is wrong
     * @param column where it is, from 1
     * @param value what was found; shown at most 40 characters long, on one line
     * @param suggestion what was perhaps meant, where that is plain
     */
    public InvalidCronException(String field, int column, String reason, String value, @Nullable String suggestion) {
        super(message(field, column, reason, readable(value), suggestion));
        this.field = field;
        this.column = column;
        this.reason = reason;
        this.value = readable(value);
        this.suggestion = suggestion;
    }

    /** The same refusal, with more words after its reason. */
    InvalidCronException with(String hint) {
        return hint.isEmpty() ? this : new InvalidCronException(field, column, reason + hint, value, suggestion);
    }

    private static String message(String field, int column, String reason, String value, @Nullable String suggestion) {
        return field + ", column " + column + ": " + reason + " (found '" + value + "')"
                + (suggestion == null ? "" : "; perhaps '" + suggestion + "' is meant");
    }

    /** Short and on one line, for any input. */
    static String readable(String text) {
        return Printable.cut(text, LONGEST_VALUE);
    }

    /** {@code second}, {@code minute}, {@code hour}, {@code day-of-month}, {@code month}, {@code day-of-week}, {@code year}, or {@code expression}. */
    public String field() {
        return field;
    }

    /** Where in the text the mistake is, counted from 1. */
    public int column() {
        return column;
    }

    /** Why it is refused, without field and column. */
    public String reason() {
        return reason;
    }

    /** The refused part of the text, at most 41 characters, on one line. */
    public String value() {
        return value;
    }

    /** What was perhaps meant, where that is plain: a replacement for {@link #value()}, or for the whole text. */
    public Optional<String> suggestion() {
        return Optional.ofNullable(suggestion);
    }
}
