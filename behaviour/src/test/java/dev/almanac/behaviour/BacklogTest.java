package dev.almanac.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.Backlog;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.Explanation;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.Rate;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.DueQuery;
import dev.almanac.store.JobStore;
import dev.almanac.store.RateUse;
import dev.almanac.store.StoredGroup;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BacklogTest {
    private final World world = new World(0, InMemoryJobStore::new);

    @Test
    @DisplayName("O4: live jobs are counted; overdue are those that are due, not paused, and held by no node")
    void backlog() {
        world.work = call -> new CompletableFuture<>();
        World.Machine busy = world.node(
                "busy",
                world.store,
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().maxConcurrentRuns(1).build()));
        for (String key : List.of("a", "b", "c")) {
            busy.scheduler()
                    .scheduleJob(World.job(key)
                            .tags(key)
                            .singleSchedule(World.START.plusSeconds(10))
                            .build());
        }
        busy.scheduler()
                .scheduleJob(World.job("d")
                        .singleSchedule(World.START.plusSeconds(3_600))
                        .build());
        assertThat(busy.scheduler().backlog()).isEqualTo(new Backlog(0, Duration.ZERO));
        world.pass(Duration.ofSeconds(15));
        assertThat(busy.scheduler().node().runs())
                .isEqualTo(busy.scheduler().node().slots())
                .isEqualTo(1);
        assertThat(busy.scheduler().backlog()).isEqualTo(new Backlog(2, Duration.ofSeconds(5)));
        String waiting = world.calls.get(0).job().equals("a") ? "b" : "a";
        busy.scheduler().pause(PauseScope.tag(waiting), new Pause("for a while", "tests", null));
        assertThat(busy.scheduler().backlog().overdueJobs()).isEqualTo(1);
        assertThat(busy.scheduler().countLiveJobs()).isEqualTo(4);
        busy.scheduler().cancelJob("d");
        assertThat(busy.scheduler().countLiveJobs()).isEqualTo(3);
    }

    /** A command that no helper supports: jobs of it are released, and stay due. */
    record Other(String text) implements SchedulingCommand {}

    private World.Machine withOther() {
        return world.node("a", world.store, Duration.ZERO, builder -> builder.command("other", 1, Other.class));
    }

    private static JobSpecification unsupported(String key, @Nullable String group) {
        return World.job(key)
                .triggerCommand(new Other(key))
                .exclusiveGroup(group)
                .singleSchedule(World.START.plusSeconds(2))
                .build();
    }

    private static JobSpecification member(int number) {
        return World.job("g" + number)
                .exclusiveGroup("ledger")
                .singleSchedule(World.START.plusSeconds(1))
                .build();
    }

    @Test
    @DisplayName("O5: overdue jobs are reported also behind more jobs of one group than are counted, which are not")
    void behindAGroup() {
        World.Machine a = withOther();
        List<JobSpecification> jobs = new ArrayList<>(
                IntStream.range(0, 2_200).mapToObj(BacklogTest::member).toList());
        IntStream.range(0, 30).forEach(i -> jobs.add(unsupported("x" + i, null)));
        a.scheduler().scheduleJobs(jobs);
        world.work = call -> world.after(Duration.ofSeconds(10));
        world.pass(Duration.ofMinutes(8));
        assertThat(a.scheduler().health().reasons())
                .hasSize(2)
                .anyMatch(reason -> reason.startsWith("30 jobs of its command types have been due"))
                .anyMatch(reason -> reason.startsWith("finding a helper for commands of type other has failed"));
    }

    @Test
    @DisplayName(
            "O5, X6: a due job with needs that no live node supports is overdue, and health says so after 5 minutes")
    void unsupported() {
        JobStore older = StoreHook.over(
                world.store,
                (method, arguments, call) ->
                        method.equals("due") && !((DueQuery) arguments[0]).anyNeeds() ? List.of() : call.proceed());
        World.Machine a = world.node("a", older, Duration.ZERO, builder -> builder);
        a.scheduler()
                .scheduleJob(World.job("newer")
                        .singleSchedule(World.START.plusSeconds(2))
                        .build());
        world.pass(Duration.ofMinutes(7));
        assertThat(world.calls).isEmpty();
        assertThat(a.scheduler().backlog().overdueJobs()).isEqualTo(1);
        assertThat(a.scheduler().health().reasons())
                .singleElement()
                .asString()
                .startsWith("1 jobs of its command types have been due");
    }

    @Test
    @DisplayName("O5: overdue jobs of groups in which nothing happens are reported")
    void freeGroups() {
        World.Machine a = withOther();
        for (int i = 0; i < 30; i++) {
            a.scheduler().scheduleJob(unsupported("x" + i, "customer-" + i));
        }
        world.pass(Duration.ofMinutes(8));
        assertThat(a.scheduler().health().reasons())
                .hasSize(2)
                .anyMatch(reason -> reason.startsWith("30 jobs of its command types have been due"))
                .anyMatch(reason -> reason.startsWith("finding a helper for commands of type other has failed"));
    }

    @ParameterizedTest(name = "a run takes {0}, one each {1}, {2} at a time")
    @CsvSource({"PT1H, , 1", "PT0S, 1/h, 1", "PT1H, , 5", "PT1H, 1/h, 5"})
    @DisplayName("O5: jobs that wait for members in all slots of their group, or for its rate, are not reported")
    void waitingGroups(Duration run, @Nullable String rate, int size) {
        World.Machine a = withOther();
        if (rate != null || size > 1) {
            a.scheduler().groups().put("ledger", new GroupLimits(size, rate == null ? null : Rate.parse(rate)));
        }
        world.work = call -> world.after(run);
        a.scheduler()
                .scheduleJobs(
                        IntStream.range(0, 20).mapToObj(BacklogTest::member).toList());
        world.pass(Duration.ofMinutes(30));
        assertThat(world.calls).hasSize(rate == null ? size : 1);
        assertThat(a.scheduler().health().reasons()).isEmpty();
        assertThat(a.scheduler().backlog().overdueJobs())
                .as("an alert counts as health does")
                .isZero();
        assertThat(a.scheduler().backlog().oldestOverdue()).isZero();
    }

    private static void isReported(World.Machine machine) {
        assertThat(machine.scheduler().health().reasons())
                .anyMatch(reason -> reason.startsWith("1 jobs of its command types have been due"));
        assertThat(machine.scheduler().backlog().overdueJobs()).isEqualTo(1);
    }

    @Test
    @DisplayName("O5: a job that no node can run is reported while members of its group run beside free slots")
    void freeSlots() {
        World.Machine a = withOther();
        a.scheduler().groups().put("ledger", new GroupLimits(5, null));
        world.work = call -> world.after(Duration.ofSeconds(40));
        for (String second : List.of("0", "30")) {
            a.scheduler()
                    .scheduleJob(World.job("at-" + second)
                            .exclusiveGroup("ledger")
                            .schedulingSpecification(second + " * * * * ?")
                            .build());
        }
        a.scheduler().scheduleJob(unsupported("x", "ledger"));
        world.pass(Duration.ofMinutes(8));
        isReported(a);
        assertThat(world.callsOf("at-0")).hasSize(8);
        assertThat(world.callsOf("at-30")).hasSize(8);
    }

    @Test
    @DisplayName("O2, O5: members in slots that a smaller group does not have keep nobody waiting")
    void smallerGroup() {
        World.Machine a = withOther();
        a.scheduler().groups().put("ledger", new GroupLimits(5, null));
        Map<String, CompletableFuture<Void>> runs = new HashMap<>();
        world.work = call -> runs.computeIfAbsent(call.job(), key -> new CompletableFuture<>());
        a.scheduler()
                .scheduleJobs(
                        IntStream.range(0, 5).mapToObj(BacklogTest::member).toList());
        world.pass(Duration.ofSeconds(5));
        assertThat(runs).hasSize(5);
        a.scheduler().groups().put("ledger", new GroupLimits(2, null));
        a.scheduler()
                .scheduleJob(unsupported("x", "ledger").toBuilder()
                        .singleSchedule(World.START.plusSeconds(7))
                        .build());
        world.pass(Duration.ofMinutes(8));
        assertThat(a.scheduler().health().reasons()).isEmpty();
        assertThat(a.scheduler().explainJob("x").headline()).contains("2 of 2 are held");
        String first = world.store.list(JobQuery.ofRunningGroup("ledger")).jobs().stream()
                .filter(job ->
                        job.lease() != null && "ledger".equals(job.lease().slot()))
                .map(StoredJob::key)
                .findFirst()
                .orElseThrow();
        Objects.requireNonNull(runs.get(first)).complete(null);
        world.pass(Duration.ofMinutes(8));
        isReported(a);
        assertThat(a.scheduler().explainJob("x").reasons())
                .extracting(Explanation.Reason::kind)
                .doesNotContain(Explanation.Kind.WAITING_FOR_GROUP);
    }

    @Test
    @DisplayName("O5: jobs of a group whose document is damaged are reported, though a member runs")
    void damagedGroup() {
        boolean[] damaged = {false};
        ClusterStore cluster = StoreHook.over(ClusterStore.class, world.store.cluster(), (method, arguments, call) -> {
            Object answer = call.proceed();
            return damaged[0] && answer instanceof ClusterControl control ? withDamage(control) : answer;
        });
        JobStore store = StoreHook.over(
                world.store, (method, arguments, call) -> method.equals("cluster") ? cluster : call.proceed());
        World.Machine a = world.node("a", store, Duration.ZERO, builder -> builder);
        world.work = call -> world.after(Duration.ofHours(1));
        a.scheduler().scheduleJobs(List.of(member(0), member(1)));
        world.pass(Duration.ofSeconds(5));
        damaged[0] = true;
        world.pass(Duration.ofMinutes(8));
        assertThat(world.calls).hasSize(1);
        isReported(a);
    }

    private static ClusterControl withDamage(ClusterControl control) {
        StoredGroup damaged = new StoredGroup(
                "ledger", 1, GroupLimits.ONE, World.START, "ops", RateUse.NONE, false, "its size is a text");
        return new ClusterControl(
                control.pauses(),
                control.calendarEdits(),
                control.zoneRules(),
                control.interrupts(),
                Map.of("ledger", damaged));
    }

    @Test
    @DisplayName("O4: rows of claims that run nothing are reported as well, once, when they are durable")
    void settledRows() {
        World.Machine first = world.node("first");
        World.Machine second = world.node("second");
        first.scheduler()
                .scheduleJob(World.job("once")
                        .crashPolicy(CrashPolicy.FAIL)
                        .singleSchedule(World.START.plusSeconds(10))
                        .build());
        world.work = call -> new CompletableFuture<>();
        world.pass(Duration.ofSeconds(11));
        World.Machine holder = world.calls.get(0).node().equals("first") ? first : second;
        World.Machine other = holder == first ? second : first;
        holder.lanes().close();
        world.pass(Duration.ofMinutes(2));
        List<JobExecutionStatus> told = other.events().stream()
                .filter(SchedulerEvent.RunRecorded.class::isInstance)
                .map(event -> ((SchedulerEvent.RunRecorded) event).row())
                .toList();
        assertThat(told)
                .extracting(JobExecutionStatus::outcome)
                .contains(Outcome.CRASHED)
                .doesNotHaveDuplicates();
        assertThat(told)
                .filteredOn(row -> row.executionStatus() == ExecutionStatus.FAILED)
                .hasSize(1);
    }
}
