package dev.almanac.behaviour;

import dev.almanac.store.ClusterStore;
import dev.almanac.store.JobList;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoredCalendar;
import java.util.List;

/** What {@link Mutants} do to stored calendars, on the side of a node. */
final class MutantCalendars {
    private MutantCalendars() {}

    /** An edit whose planning is not owed: if it is torn, nobody finishes it. */
    static JobStore withoutDebt(JobStore store) {
        return SimulationCalendars.withCluster(
                store,
                cluster -> StoreHook.over(
                        ClusterStore.class,
                        cluster,
                        (method, arguments, call) -> method.equals("putCalendar")
                                ? cluster.putCalendar(((StoredCalendar) arguments[0])
                                        .withPlanned(((StoredCalendar) arguments[0]).version()))
                                : call.proceed()));
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
