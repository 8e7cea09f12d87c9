package dev.almanac.behaviour;

import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.DueJob;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.Phase;
import dev.almanac.store.StoredJob;
import java.util.List;

/**
 * A node of another release, which does not know follow-ups. As the MongoDB store does with a need that it does not know
 * (rule X6), its looks and claims leave out jobs that have some, and it writes nothing as the holder of such a job.
 */
final class SimulationReleases {
    private final JobStore truth;
    private final SimulationLedger ledger;
    private final boolean asking;

    private SimulationReleases(JobStore truth, SimulationLedger ledger, boolean asking) {
        this.truth = truth;
        this.ledger = ledger;
        this.asking = asking;
    }

    /**
     * Where the requests of such a node arrive.
     *
     * @param asking whether looks and claims ask for needs, as they should
     */
    static JobStore older(JobStore door, JobStore truth, SimulationLedger ledger, boolean asking) {
        SimulationReleases release = new SimulationReleases(truth, ledger, asking);
        return StoreHook.over(door, (method, arguments, call) -> switch (method) {
            case "due" ->
                ((List<?>) call.proceed())
                        .stream()
                                .map(DueJob.class::cast)
                                .filter(job -> release.isFor(job.id()))
                                .toList();
            case "claim" -> release.claim(door, (ClaimRequest) arguments[0]);
            case "write" -> {
                ((List<?>) arguments[0]).forEach(release::judge);
                yield call.proceed();
            }
            default -> call.proceed();
        });
    }

    private boolean isFor(String id) {
        return !asking || truth.load(List.of(id)).stream().noneMatch(SimulationReleases::isNewer);
    }

    private static boolean isNewer(StoredJob job) {
        return job.phase() == Phase.FOLLOW
                || !job.specification().onSuccess().isEmpty()
                || !job.specification().onFailure().isEmpty();
    }

    private ClaimResult claim(JobStore door, ClaimRequest request) {
        List<String> ids = request.ids().stream().filter(this::isFor).toList();
        if (ids.isEmpty()) {
            return new ClaimResult(List.of(), List.of());
        }
        ClaimResult result = door.claim(
                new ClaimRequest(ids, request.horizon(), request.lease(), request.visibleAgain(), request.entry()));
        result.jobs().stream()
                .filter(SimulationReleases::isNewer)
                .forEach(job -> ledger.complain(job.key() + " was claimed by a node that does not know what it needs"));
        return result;
    }

    private void judge(Object any) {
        JobChange change = (JobChange) any;
        // an edit of a calendar is planned by any node, and for all jobs
        if (change.isByHolder() && isNewer(change.before())) {
            ledger.complain(change.before().key() + " was changed by a node that does not know what it needs");
        }
    }
}
