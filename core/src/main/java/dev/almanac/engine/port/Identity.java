package dev.almanac.engine.port;

/**
 * Identity of this process start, and of the node that goes on in it after too many failures (rule N14): the same id with
 * a number, so that a standby of the process lasts ({@code PauseScope.Node} reads it). Thread-safe.
 */
public final class Identity {
    private final String first;
    private volatile int changes;

    public Identity(String first) {
        this.first = first;
    }

    /** The present one. */
    String id() {
        int changed = changes;
        return changed == 0 ? first : first + "." + changed;
    }

    /** From now on it is another one. The kernel's. */
    public void change() {
        changes++;
    }
}
