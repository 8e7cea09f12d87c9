package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.model.ActionReport;
import dev.almanac.model.BulkResult;
import dev.almanac.model.IfRefused;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.store.NewJob;
import dev.almanac.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Many jobs under keys that were used before, over memory and a real server (rule N6). */
class ReusedKeysTest extends OverStores {
    private static final int MANY = 600;

    private final Map<String, Integer> calls = new TreeMap<>();

    private static List<JobSpecification> jobs(int count, int priority) {
        return IntStream.range(0, count)
                .mapToObj(i -> job("j-" + i)
                        .singleSchedule(START.plusSeconds(86_400))
                        .priority(priority)
                        .build())
                .toList();
    }

    /** Counts its calls of the store. */
    private Scheduler counting() {
        return client(StoreHook.over(world.store, (method, arguments, call) -> {
            synchronized (calls) {
                calls.merge(method, 1, Integer::sum);
            }
            return call.proceed();
        }));
    }

    private void end(Scheduler scheduler) {
        assertThat(scheduler.apply(JobAction.cancel(), JobSelection.all()).count(ActionReport.Result.DONE))
                .isPositive();
        assertThat(live(scheduler)).isZero();
    }

    private static int live(Scheduler scheduler) {
        return scheduler.listJobs(JobQuery.all().limit(1_000)).jobs().size();
    }

    @Test
    @DisplayName(
            "N6: keys that were used before are scheduled again by parts, with three calls for each; live ones with one each")
    void parts() {
        Scheduler scheduler = counting();
        scheduler.scheduleJobs(jobs(MANY, 4));
        end(scheduler);
        calls.clear();
        List<JobSpecification> more = new ArrayList<>(jobs(MANY, 4));
        more.add(job("new").singleSchedule(START.plusSeconds(60)).build());
        assertThat(scheduler.scheduleJobs(more))
                .hasSize(MANY + 1)
                .extracting(BulkResult::key)
                .contains("new", "j-0");
        assertThat(live(scheduler)).isEqualTo(MANY + 1);
        assertThat(calls).containsEntry("insert", 4).containsEntry("lastLives", 2);
        assertThat(calls).as("none by itself").doesNotContainKeys("find", "lastLife", "write");
        calls.clear();
        scheduler.scheduleJobs(jobs(10, 4));
        assertThat(calls)
                .as("equal jobs are not changed")
                .containsEntry("find", 10)
                .doesNotContainKey("write");
        assertThat(scheduler.scheduleJobs(jobs(10, 1)))
                .allSatisfy(result ->
                        assertThat(result.job().specification().priority()).isEqualTo(1));
    }

    @Test
    @DisplayName(
            "N6: a part that arrives late, after its caller has asked again, meets its own lives and brings no job back")
    void late() {
        List<List<NewJob>> held = new ArrayList<>();
        Scheduler scheduler = client(StoreHook.over(world.store, (method, arguments, call) -> {
            boolean next = method.equals("insert")
                    && jobsOf(arguments).stream()
                            .anyMatch(item -> Integer.valueOf(1).equals(item.life()));
            if (next && held.isEmpty()) {
                held.add(jobsOf(arguments));
                throw new StoreException("no answer");
            }
            return call.proceed();
        }));
        scheduler.scheduleJobs(jobs(20, 4));
        end(scheduler);
        assertThat(scheduler.scheduleJobs(jobs(20, 4), IfRefused.REPORT))
                .allSatisfy(result -> assertThat(result.error()).isInstanceOf(StoreException.class));
        assertThat(held).hasSize(1);
        assertThat(held.get(0)).hasSize(20);
        assertThat(scheduler.scheduleJobs(jobs(20, 4))).hasSize(20);
        end(scheduler);
        assertThat(world.store.insert(held.get(0))).as("late").containsOnly(false);
        assertThat(live(scheduler)).isZero();
    }

    @SuppressWarnings("unchecked")
    private static List<NewJob> jobsOf(Object[] arguments) {
        return (List<NewJob>) arguments[0];
    }
}
