package dev.almanac.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong with a specification.
 *
 * @param field the field as the document names it
 * @param value the value as it was given, shortened; absent if there was none
 * @param rule the rule that it breaks, such as {@code M2}
 * @param advice what was expected and what to do
 */
public record Problem(String field, @Nullable String value, String rule, String advice) {
    private static final int LONGEST_VALUE = 120;

    /** Shortens long values, so that messages stay readable and bounded. */
    public Problem {
        Objects.requireNonNull(field);
        if (value != null && value.length() > LONGEST_VALUE) {
            value = value.substring(0, LONGEST_VALUE) + "… (" + value.length() + " characters)";
        }
    }

    @Override
    public String toString() {
        String shown = value == null ? "" : " '" + value + "'";
        return field + shown + " " + advice + " (" + rule + ")";
    }
}
