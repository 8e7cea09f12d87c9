package dev.almanac.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The differences between a declared set of jobs and the stored one, and what was done. Keys are in order.
 *
 * @param created declared and not stored
 * @param updated stored with other contents
 * @param unchanged stored as declared; also one-offs that have already run
 * @param canceled stored and not declared any more
 * @param kept also stored and not declared any more; {@link ReconcileOptions#keepUndeclared} leaves them as they are
 * @param dryRun whether nothing was done
 * @param massCancel whether all live jobs of the application, or more than half of ten or more, are among the cancelled
 *     ones: without {@link ReconcileOptions#allowMassCancel} that is refused
 * @param outdatedBy the higher release that has declared before this one ({@link ReconcileOptions#release}): nothing was compared
 *     and nothing was done, the lists are empty, and the stored jobs are those of that release; absent = there is none
 */
public record ReconcileResult(
        List<String> created,
        List<String> updated,
        List<String> unchanged,
        List<String> canceled,
        List<String> kept,
        boolean dryRun,
        boolean massCancel,
        @Nullable String outdatedBy) {
    /** Whether the stored set was as declared; false if a higher release has declared it. */
    public boolean isEmpty() {
        return outdatedBy == null && created.isEmpty() && updated.isEmpty() && canceled.isEmpty();
    }
}
