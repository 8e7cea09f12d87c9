package dev.almanac;

import java.util.List;

/**
 * How a node is.
 *
 * @param state the verdict
 * @param reasons why it is not UP; empty if it is
 */
public record Health(State state, List<String> reasons) {
    /** The verdict. */
    public enum State {
        /** All is well. */
        UP,
        /** It works, but an operator should look. */
        DEGRADED,
        /** It runs nothing. */
        DOWN
    }
}
