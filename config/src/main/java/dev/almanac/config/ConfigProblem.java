package dev.almanac.config;

import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong with a configuration.
 *
 * @param path the key from its root on, such as {@code almanac.poll-interval}; empty = the whole file
 * @param value as it was written, shortened; absent if there is none, if the key itself is wrong, or if it may hold a
 *     secret
 * @param place file and line, or another name of the source
 * @param expected what was expected and what to do
 */
public record ConfigProblem(String path, @Nullable String value, String place, String expected) {
    private static final int LONGEST_VALUE = 120;

    /** Shortens long values, so that messages stay readable and bounded; hides what looks like a connection string. */
    public ConfigProblem {
        if (value != null && (value.contains("//") || value.contains("@"))) {
            value = null;
        }
        if (value != null && value.length() > LONGEST_VALUE) {
            value = value.substring(0, LONGEST_VALUE) + "… (" + value.length() + " characters)";
        }
    }

    @Override
    public String toString() {
        String what = path.isEmpty() ? "" : path + (value == null ? "" : " = " + value) + ": ";
        return place + ": " + what + expected;
    }
}
