package dev.almanac.model;

import dev.almanac.text.Printable;

/** An edit of a group named a version that is not the stored one; nothing was written. Read the group again and decide again. */
public final class StaleGroupException extends RuntimeException {
    /** Both versions, so that the caller sees how far behind it was; 0 = not stored. */
    public StaleGroupException(String group, long expectedVersion, long storedVersion) {
        super("group '" + Printable.value(group) + "' was not changed: the edit expects " + shown(expectedVersion)
                + ", stored is " + shown(storedVersion) + "; read the group again and decide again");
    }

    private static String shown(long version) {
        return version == 0 ? "none" : "version " + version;
    }
}
