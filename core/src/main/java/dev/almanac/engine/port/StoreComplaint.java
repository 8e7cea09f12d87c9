package dev.almanac.engine.port;

/**
 * What the store does not answer.
 *
 * @param reason empty if it answers
 * @param isDown whether it is so much that this node can run nothing; else some calls are answered that contradict it, so
 *     that the cause may be a single document
 */
public record StoreComplaint(String reason, boolean isDown) {
    /** The store answers. */
    public static final StoreComplaint NONE = new StoreComplaint("", false);
}
