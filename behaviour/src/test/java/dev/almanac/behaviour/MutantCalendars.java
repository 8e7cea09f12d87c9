package dev.almanac.behaviour;

import dev.almanac.store.ClusterStore;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobList;
import dev.almanac.store.JobStore;
import dev.almanac.store.NewJob;
import dev.almanac.store.PlanBasis;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredJob;
import java.util.List;
import java.util.Map;

/** What {@link Mutants} do to stored calendars, on the side of a node. */
final class MutantCalendars {
    private MutantCalendars() {}

    /** Plans that do not name the versions of the calendars they were made from: who knows newer ones does not see it. */
    static JobStore withoutVersions(JobStore store) {
        return StoreHook.over(store, (method, arguments, call) -> switch (method) {
            case "write" ->
                store.write(((List<?>) arguments[0])
                        .stream()
                                .map(JobChange.class::cast)
                                .map(MutantCalendars::unversioned)
                                .toList());
            case "insert" ->
                store.insert(((List<?>) arguments[0])
                        .stream()
                                .map(NewJob.class::cast)
                                .map(MutantCalendars::unversioned)
                                .toList());
            default -> call.proceed();
        });
    }

    private static JobChange unversioned(JobChange change) {
        return new JobChange(
                change.before(),
                unversioned(change.after()),
                change.rows(),
                change.limit(),
                change.by(),
                change.removes(),
                change.rowsFollow());
    }

    private static NewJob unversioned(NewJob made) {
        return new NewJob(unversioned(made.job()), made.row(), made.life());
    }

    private static StoredJob unversioned(StoredJob job) {
        PlanBasis basis = job.plan().basis();
        return basis == null ? job : job.with(edit -> edit.plan(job.plan().on(basis.by(Map.of()))));
    }

    /** A deletion that looks for jobs before it, and not after it. */
    static JobStore withoutSecondLook(JobStore store) {
        int[] deletions = {0};
        JobStore way = SimulationCalendars.withCluster(
                store,
                cluster -> StoreHook.over(ClusterStore.class, cluster, (method, arguments, call) -> {
                    Object answer = call.proceed();
                    boolean deletes = method.equals("putCalendar") && ((StoredCalendar) arguments[0]).deleted();
                    deletions[0] += deletes && Boolean.TRUE.equals(answer) ? 1 : 0;
                    return answer;
                }));
        return StoreHook.over(way, (method, arguments, call) -> {
            if (method.equals("list") && deletions[0] > 0) {
                deletions[0]--;
                return new JobList(List.of(), List.of(), null);
            }
            return call.proceed();
        });
    }
}
