package dev.almanac.model;

import dev.almanac.text.Printable;
import org.jspecify.annotations.Nullable;

/**
 * One problem of a specification.
 *
 * @param field the field as the document names it
 * @param value the value as it was given, its control characters escaped, at most 200 characters of it; absent if there
 *     was none
 * @param rule the code of the rule that it breaks, such as {@code M2}; contributing/rules.md lists them
 * @param advice what was expected and what to do
 */
public record Problem(String field, @Nullable String value, String rule, String advice) {
    /** The longest advice; it may quote a value and list the allowed ones. */
    private static final int LONGEST_ADVICE = 1_000;

    /** Of a field, which may stand behind a key of 256 characters. */
    private static final int LONGEST_FIELD = 400;

    /** Shortens and escapes value and advice, so that messages stay on one line, readable and bounded. */
    public Problem {
        value = value == null ? null : Printable.value(value);
        field = Printable.cut(field, LONGEST_FIELD);
        advice = Printable.cut(advice, LONGEST_ADVICE);
    }

    @Override
    public String toString() {
        String shown = value == null ? "" : " '" + value + "'";
        return field + shown + " " + advice;
    }
}
