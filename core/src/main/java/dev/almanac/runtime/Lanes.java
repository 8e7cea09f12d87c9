package dev.almanac.runtime;

/**
 * Where the engine's steps run. A real engine has a few threads; a test runs every step of every node on one thread
 * in virtual time, in a repeatable order. Thread-safe.
 */
public interface Lanes extends AutoCloseable {
    /**
     * Opens a lane.
     *
     * @param name for thread names
     * @param width how many steps of the lane may run at a time, 1 or more
     */
    Lane open(String name, int width);

    /** Ends all lanes; steps that have not begun are dropped, running ones are interrupted. */
    @Override
    void close();
}
