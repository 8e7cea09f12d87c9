package dev.almanac.model;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/**
 * The error of a run, bounded in size.
 *
 * @param type class name of the exception
 * @param message its message, at most 1 000 characters
 * @param stack its stack, at most 4 000 characters
 */
public record ErrorSummary(
        String type, @Nullable String message, @Nullable String stack) {
    private static final int LONGEST_MESSAGE = 1_000;
    private static final int LONGEST_STACK = 4_000;

    /** Cuts message and stack to their limits. */
    public ErrorSummary {
        message = cut(message, LONGEST_MESSAGE);
        stack = cut(stack, LONGEST_STACK);
    }

    /** The summary of an exception; if the exception's own methods fail, only its type. */
    public static ErrorSummary of(Throwable error) {
        try {
            StringWriter text = new StringWriter();
            error.printStackTrace(new PrintWriter(text));
            return new ErrorSummary(error.getClass().getName(), error.getMessage(), text.toString());
        } catch (RuntimeException | Error broken) {
            String reason = broken.getClass().getName();
            return new ErrorSummary(error.getClass().getName(), "its message cannot be read: " + reason, null);
        }
    }

    private static @Nullable String cut(@Nullable String text, int longest) {
        return text == null || text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
    }
}
