package dev.almanac.engine.port;

/** Identity of this process start, and of the node that goes on in it after too many failures (rule N14). Thread-safe. */
public final class Identity {
    private volatile String id;

    public Identity(String id) {
        this.id = id;
    }

    /** The present one. */
    String id() {
        return id;
    }

    /** From now on it is another one. */
    public void change(String next) {
        id = next;
    }
}
