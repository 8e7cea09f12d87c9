package dev.almanac.model;

import dev.almanac.text.Printable;
import java.util.List;

/**
 * A reconcile would have cancelled all jobs of its application, or more than half of ten or more, and was not told that this
 * is meant (rule S14). Nothing was written.
 */
public final class MassCancelException extends RuntimeException {
    private static final int LARGEST_NAMED = 3;

    private final transient List<String> keys;

    /**
     * @param applicationTag the application
     * @param keys of the jobs that would have been cancelled
     * @param live how many live jobs the application has
     */
    public MassCancelException(String applicationTag, List<String> keys, int live) {
        super("application '" + Printable.value(applicationTag) + "' was not reconciled: "
                + (keys.size() == live ? "all " + live : keys.size() + " of " + live)
                + " jobs that are stored are not declared, and would be cancelled, such as "
                + String.join(
                        ", ",
                        keys.stream().limit(LARGEST_NAMED).map(Printable::value).toList())
                + "; if that is meant, allow it (allowMassCancel)");
        this.keys = List.copyOf(keys);
    }

    /** Whether so many cancels need a permission of their own. */
    public static boolean isMass(int canceled, int live) {
        return canceled > 0 && (canceled == live || live >= 10 && 2 * canceled > live);
    }

    /** The keys of the jobs that would have been cancelled. */
    public List<String> keys() {
        return keys;
    }
}
