package dev.almanac.helper;

/** A helper overrides neither {@code execute} method; nothing was run. */
final class NoExecuteException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final transient SchedulingHelper helper;

    NoExecuteException(SchedulingHelper helper) {
        super(helper.getClass().getName() + " has no execute(id, command): override it, or"
                + " execute(id, command, execution), and call that one");
        this.helper = helper;
    }

    boolean isOf(SchedulingHelper other) {
        return helper == other;
    }
}
