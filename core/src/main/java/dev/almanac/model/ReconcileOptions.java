package dev.almanac.model;

/**
 * How {@code Scheduler.reconcile} proceeds.
 *
 * @param dryRun whether nothing is written and the result says what would be done
 * @param allowMassCancel whether it may cancel all jobs of the application, or more than half of ten or more (rule S14)
 */
public record ReconcileOptions(boolean dryRun, boolean allowMassCancel) {
    /** It writes, and refuses to cancel most of the jobs. */
    public static final ReconcileOptions DEFAULT = new ReconcileOptions(false, false);

    /** With or without a dry run. */
    public ReconcileOptions dryRun(boolean only) {
        return new ReconcileOptions(only, allowMassCancel);
    }

    /** With or without the permission to cancel all jobs, or most of them. */
    public ReconcileOptions allowMassCancel(boolean allowed) {
        return new ReconcileOptions(dryRun, allowed);
    }
}
