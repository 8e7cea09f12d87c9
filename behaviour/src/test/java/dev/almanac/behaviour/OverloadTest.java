package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Health;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.Retention;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.NodeReport;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Ordinary users ask for more than the nodes can do: what is told of it. */
class OverloadTest {
    private static final Duration READINGS = Duration.ofSeconds(70);

    private final World world = new World(0, InMemoryJobStore::new);

    private Machine narrow(String name) {
        return world.node(
                name,
                world.store,
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().maxConcurrentRuns(1).build()));
    }

    private static List<JobSpecification> due(int count, String tag) {
        List<JobSpecification> jobs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            jobs.add(job(tag + i).tags(tag).singleSchedule(START.plusSeconds(1)).build());
        }
        return jobs;
    }

    @Test
    @DisplayName(
            "O5: a large backlog is reported with its age and whether it grows, on the node and to others, until it is gone")
    void backlog() {
        Machine node = narrow("a");
        world.work = call -> world.after(Duration.ofSeconds(1));
        node.scheduler().scheduleJobs(due(3_000, "many"));
        world.pass(Duration.ofSeconds(40));
        assertThat(node.scheduler().health().state())
                .as("one reading may be a burst")
                .isEqualTo(Health.State.UP);
        world.pass(Duration.ofSeconds(30));
        assertThat(node.scheduler().health().reasons())
                .singleElement()
                .asString()
                .matches(
                        "\\d{4} or more jobs of its command types have been due for 10 s or longer, the oldest for 59 s;"
                                + " the nodes fall behind: 30 s before, it was 29 s");
        assertThat(node.scheduler().health().state()).isEqualTo(Health.State.DEGRADED);
        assertThat(world.store.cluster().nodes(START))
                .extracting(NodeReport::reasons)
                .singleElement()
                .isEqualTo(node.scheduler().health().reasons());
        node.scheduler().pause(PauseScope.tag("many"), new Pause("for a while", "tests", null));
        world.pass(READINGS);
        assertThat(node.scheduler().health().state())
                .as("what is paused is no backlog")
                .isEqualTo(Health.State.UP);
        assertThat(world.store.cluster().nodes(START))
                .extracting(NodeReport::reasons)
                .containsExactly(List.of());
    }

    @Test
    @DisplayName("O5: members of a group that wait for each other are no backlog")
    void group() {
        Machine node = world.node("a");
        world.work = call -> world.after(Duration.ofHours(1));
        List<JobSpecification> members = new ArrayList<>();
        for (int i = 0; i < 1_100; i++) {
            members.add(job("member" + i)
                    .exclusiveGroup("g")
                    .singleSchedule(START.plusSeconds(1))
                    .build());
        }
        node.scheduler().scheduleJobs(members);
        world.pass(Duration.ofMinutes(10));
        assertThat(node.scheduler().health()).isEqualTo(new Health(Health.State.UP, List.of()));
    }

    @Test
    @DisplayName(
            "O5: a few jobs that no node claims are reported after five minutes, and the fires that were missed with them")
    void fewForLong() {
        Machine node = narrow("a");
        world.work =
                call -> call.job().equals("long") ? new CompletableFuture<>() : world.after(Duration.ofSeconds(50));
        for (String key : List.of("one", "two", "three", "four", "five", "six", "seven", "eight")) {
            node.scheduler()
                    .scheduleJob(job(key).schedulingSpecification("* * * * * ?").build());
        }
        world.pass(Duration.ofMinutes(4));
        assertThat(node.scheduler().health().state()).isEqualTo(Health.State.UP);
        world.pass(Duration.ofMinutes(3));
        assertThat(node.scheduler().health().reasons())
                .singleElement()
                .asString()
                .contains("jobs of its command types", "planned fires passed without a run");
    }

    @Test
    @DisplayName("R5: with a retry delay of zero other jobs run as ever, and each attempt is one")
    void noDelay() {
        Machine node = world.node("a");
        world.work = call -> call.job().startsWith("bad")
                ? CompletableFuture.failedFuture(new IllegalStateException("boom"))
                : CompletableFuture.completedFuture(null);
        for (int i = 0; i < 100; i++) {
            node.scheduler()
                    .scheduleJob(job("bad" + i)
                            .retryPolicy(RetryPolicy.fixed(50, Duration.ZERO))
                            .singleSchedule(START.plusSeconds(1))
                            .build());
        }
        node.scheduler()
                .scheduleJob(job("good").singleSchedule(START.plusSeconds(2)).build());
        world.pass(Duration.ofMinutes(1));
        assertThat(world.callsOf("good")).hasSize(1);
        assertThat(world.callsOf("bad7")).hasSize(51);
        assertThat(node.scheduler().node().runs()).isZero();
    }

    @Test
    @DisplayName(
            "M8, N4: with a retention of zero a finished job goes after two days, a recurring one keeps its newest row")
    void noRetention() {
        Machine node = world.node("a");
        Retention none = new Retention(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        node.scheduler()
                .scheduleJob(job("once")
                        .retention(none)
                        .singleSchedule(START.plusSeconds(1))
                        .build());
        node.scheduler()
                .scheduleJob(job("tick")
                        .retention(none)
                        .schedulingSpecification("0/5 * * * * ?")
                        .build());
        world.pass(Duration.ofMinutes(10));
        assertThat(world.callsOf("once")).hasSize(1);
        assertThat(world.callsOf("tick")).hasSizeBetween(119, 121);
        assertThat(node.scheduler().history("tick")).isNotEmpty().hasSizeLessThan(40);
        assertThat(node.scheduler().checkInvariants().findings()).isEmpty();
        node.lanes().close();
        world.pass(Duration.ofDays(2));
        Machine next = world.node("b");
        world.pass(Duration.ofMinutes(2));
        assertThat(next.scheduler().findJobById("once", FindScope.INCLUDING_FINISHED))
                .isEmpty();
    }
}
