package dev.almanac.model;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How {@code Scheduler.reconcile} proceeds.
 *
 * @param dryRun whether nothing is written and the result says what would be done
 * @param allowMassCancel whether it may cancel all jobs of the application, or more than half of ten or more (rule S14)
 * @param keepUndeclared whether jobs of the application that are not declared any more are left as they are
 * @param release the release of the service that declares, such as {@code 2.10.1} or {@code 417}: if a higher one has
 *     declared before, nothing is changed (rule S26); absent = none is compared
 * @param initialDelays by key, for declared jobs without a beginning of their own: how long after its creation, by the
 *     store's time, a job begins; a stored one whose schedule is the same keeps the beginning that it has
 * @param leaveDamaged whether a declared job whose document cannot be read is left as it is, with a warning, instead of a
 *     {@code DamagedJobException}
 */
public record ReconcileOptions(
        boolean dryRun,
        boolean allowMassCancel,
        boolean keepUndeclared,
        @Nullable String release,
        Map<String, Duration> initialDelays,
        boolean leaveDamaged) {
    /** It writes, cancels what is not declared, and refuses to cancel most of the jobs. */
    public static final ReconcileOptions DEFAULT = new ReconcileOptions(false, false, false, null, Map.of(), false);

    /** Copies the delays. */
    public ReconcileOptions {
        initialDelays = Map.copyOf(initialDelays);
    }

    /** With or without a dry run. */
    public ReconcileOptions dryRun(boolean only) {
        return new ReconcileOptions(only, allowMassCancel, keepUndeclared, release, initialDelays, leaveDamaged);
    }

    /** With or without the permission to cancel all jobs, or most of them. */
    public ReconcileOptions allowMassCancel(boolean allowed) {
        return new ReconcileOptions(dryRun, allowed, keepUndeclared, release, initialDelays, leaveDamaged);
    }

    /** Whether jobs that are not declared any more are kept. */
    public ReconcileOptions keepUndeclared(boolean kept) {
        return new ReconcileOptions(dryRun, allowMassCancel, kept, release, initialDelays, leaveDamaged);
    }

    /**
     * As a release of the service: numbers are compared as numbers, {@code 1.9} is lower than {@code 1.10}, words as stages,
     * {@code 2.0-RC1} is lower than {@code 2.0}, which equals {@code 2.0.Final} and {@code 2.0-SNAPSHOT}. Names that differ in
     * other words, such as those of commits, have no order, and each may declare.
     *
     * @param name of the release; null = none
     */
    public ReconcileOptions release(@Nullable String name) {
        return new ReconcileOptions(dryRun, allowMassCancel, keepUndeclared, name, initialDelays, leaveDamaged);
    }

    /** With delays until the beginning of jobs that are created, by key. */
    public ReconcileOptions initialDelays(Map<String, Duration> byKey) {
        return new ReconcileOptions(dryRun, allowMassCancel, keepUndeclared, release, byKey, leaveDamaged);
    }

    /** Whether declared jobs whose documents cannot be read are left as they are. */
    public ReconcileOptions leaveDamaged(boolean left) {
        return new ReconcileOptions(dryRun, allowMassCancel, keepUndeclared, release, initialDelays, left);
    }
}
