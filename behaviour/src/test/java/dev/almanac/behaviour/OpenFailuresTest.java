package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.ActionReport;
import dev.almanac.model.ActionReport.Result;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.FindScope;
import dev.almanac.model.Job;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSelection;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.store.StoreOverview;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Failures are open until a good run or an acknowledgement (rule S19). */
class OpenFailuresTest extends LifecycleFixture {
    private static final String EVERY_MINUTE = "0 * * * * ?";

    private final Set<String> broken = new HashSet<>();

    private Machine failing(String... keys) {
        broken.addAll(List.of(keys));
        world.work = call -> broken.contains(call.job()) ? bad() : good();
        return world.node("a");
    }

    /** The job pay has failed, and another one of its key is to run well after 90 seconds. */
    private Machine failedAndScheduledAgain() {
        Machine a = failing("pay");
        a.scheduler()
                .scheduleJob(job("pay").singleSchedule(START.plusSeconds(1)).build());
        pass(2_000);
        broken.clear();
        a.scheduler()
                .scheduleJob(job("pay").singleSchedule(START.plusSeconds(90)).build());
        return a;
    }

    private static void everyMinute(Machine node, String key) {
        node.scheduler()
                .scheduleJob(job(key).schedulingSpecification(EVERY_MINUTE).build());
    }

    private static List<String> open(Machine node) {
        List<String> keys = node.scheduler().openFailures(null, null).rows().stream()
                .map(JobExecutionStatus::jobSpecificationKey)
                .toList();
        assertThat(node.scheduler().countOpenFailures()).isEqualTo(keys.size());
        return keys;
    }

    private static ActionReport acknowledge(Machine node, String... keys) {
        return node.scheduler().as("ann", "CR-17").apply(JobAction.acknowledge(), JobSelection.keys(keys));
    }

    private static void assertItem(ActionReport report, Result result, String detail) {
        assertThat(report.items()).singleElement().satisfies(item -> {
            assertThat(item.result()).isEqualTo(result);
            assertThat(item.detail()).isEqualTo(detail);
        });
    }

    @Test
    @DisplayName("S19: a failure is open until a later good run of the same job; the list names each job once")
    void goodRun() {
        Machine a = failing("bad", "worse");
        List.of("bad", "worse", "good").forEach(key -> everyMinute(a, key));
        pass(121_000);
        assertThat(open(a)).containsExactlyInAnyOrder("bad", "worse");
        broken.remove("bad");
        pass(60_000);
        assertThat(open(a)).containsExactly("worse");
        assertThat(a.scheduler().failures(null, null))
                .as("all fires that failed, open or not")
                .hasSize(5);
    }

    @Test
    @DisplayName(
            "L79 S19: an acknowledgement closes the failures of its job alone, says who and why, and changes no fire")
    void acknowledged() {
        Machine a = failing("bad", "worse");
        List.of("bad", "worse").forEach(key -> everyMinute(a, key));
        pass(121_000);
        var plan = document("bad").plan().nextFireTime();
        assertItem(acknowledge(a, "bad"), Result.DONE, "its 2 failures are acknowledged");
        assertThat(open(a)).containsExactly("worse");
        JobExecutionStatus row = newest("bad");
        assertThat(row.outcome()).isEqualTo(Outcome.ACKNOWLEDGED);
        assertThat(row.executionStatus()).isEqualTo(ExecutionStatus.SCHEDULED);
        assertThat(row.author()).isEqualTo("ann");
        assertThat(row.reason()).isEqualTo("CR-17");
        assertThat(document("bad").plan().nextFireTime()).isEqualTo(plan);
        assertThat(a.scheduler().failures(null, null)).hasSize(4);
        assertThat(acknowledge(a, "bad").items())
                .singleElement()
                .extracting(ActionReport.Item::result)
                .isEqualTo(Result.UNCHANGED);
        pass(60_000);
        assertThat(open(a)).as("the next fire has failed, too").containsExactlyInAnyOrder("bad", "worse");
        assertThat(world.calls).filteredOn(call -> call.job().equals("bad")).hasSize(3);
    }

    @Test
    @DisplayName("S19: a job is open at its newest failure: no span before that has it, and no closed one")
    void spans() {
        Machine a = failing("again", "worse");
        List.of("again", "worse").forEach(key -> everyMinute(a, key));
        pass(61_000);
        Instant first = START.plusSeconds(90);
        broken.remove("again");
        pass(60_000);
        broken.add("again");
        pass(60_000);
        assertThat(open(a)).containsExactlyInAnyOrder("again", "worse");
        assertThat(a.scheduler().failures(null, first)).hasSize(2);
        assertThat(a.scheduler().openFailures(null, first).rows()).isEmpty();
        assertThat(a.scheduler().openFailures(first, null).rows()).hasSize(2);
        broken.clear();
        broken.add("worse");
        Instant second = START.plusSeconds(190);
        pass(60_000);
        assertThat(a.scheduler().openFailures(null, second).rows()).isEmpty();
    }

    @Test
    @DisplayName("S19: an acknowledgement of failures of a span closes none that came after it")
    void ofASpan() {
        Machine a = failing("bad", "worse");
        everyMinute(a, "bad");
        pass(61_000);
        var end = START.plusSeconds(90);
        pass(60_000);
        assertThat(document("bad").plan().failuresInARow()).isEqualTo(2);
        assertItem(
                a.scheduler().apply(JobAction.acknowledge(), new JobSelection.Failed(START, end, null)),
                Result.REFUSED,
                "has failed again since");
        assertThat(document("bad").plan().failuresInARow()).isEqualTo(2);
        assertThat(a.scheduler()
                        .apply(JobAction.acknowledge(), new JobSelection.Failed(START, null, null))
                        .items())
                .singleElement()
                .extracting(ActionReport.Item::result)
                .isEqualTo(Result.DONE);
        assertThat(open(a)).isEmpty();
    }

    @Test
    @DisplayName("S19: an acknowledgement of the failures that a user has seen closes no later one")
    void seenOnly() {
        Machine a = failing("bad");
        everyMinute(a, "bad");
        pass(61_000);
        JobAction.SeenFailures seen = seen("bad");
        pass(60_000);
        assertItem(
                a.scheduler().apply(JobAction.acknowledge(Map.of("bad", seen)), JobSelection.keys("bad")),
                Result.REFUSED,
                "has failed again meanwhile");
        assertThat(open(a)).containsExactly("bad");
        assertThat(a.scheduler()
                        .apply(JobAction.acknowledge(Map.of("bad", seen("bad"))), JobSelection.keys("bad"))
                        .count(Result.DONE))
                .isEqualTo(1);
        assertThat(open(a)).isEmpty();
    }

    private JobAction.SeenFailures seen(String key) {
        StoredJob job = document(key);
        return new JobAction.SeenFailures(
                job.plan().failuresInARow(), job.lastStatus().updatedTime());
    }

    @Test
    @DisplayName("S19: as many failures as a user has seen, but behind a good run, are others, and stay open")
    void asManyOthers() {
        Machine a = failing("bad");
        everyMinute(a, "bad");
        pass(61_000);
        JobAction.SeenFailures seen = seen("bad");
        broken.remove("bad");
        pass(60_000);
        broken.add("bad");
        pass(60_000);
        assertThat(seen("bad").count()).isEqualTo(seen.count());
        assertItem(
                a.scheduler().apply(JobAction.acknowledge(Map.of("bad", seen)), JobSelection.keys("bad")),
                Result.REFUSED,
                "has failed again meanwhile");
        assertThat(open(a)).containsExactly("bad");
    }

    private static ActionReport resume(
            Machine node, @Nullable Instant planned, JobAction.SeenFailures failures, @Nullable Pause pause) {
        JobAction.SeenPause seen = new JobAction.SeenPause(pause, failures);
        return node.scheduler().apply(new JobAction.Resume(planned, Map.of("bad", seen)), JobSelection.keys("bad"));
    }

    @Test
    @DisplayName(
            "S18 S19: a resume of the pause that a user has seen ends no other pause, and closes no failure with it")
    void seenPause() {
        Machine a = failing("bad");
        everyMinute(a, "bad");
        pass(61_000);
        Pause bobs = new Pause("audit", "bob", null);
        Pause carols = new Pause("incident 42, do not run", "carol", null);
        a.scheduler().pause(PauseScope.job("bad"), carols);
        for (Pause other : Arrays.asList(bobs, null, new Pause("audit", "carol", null))) {
            assertThat(resume(a, null, seen("bad"), other).items())
                    .singleElement()
                    .satisfies(item -> {
                        assertThat(item.result()).isEqualTo(Result.REFUSED);
                        assertThat(item.detail()).contains("by carol: incident 42, do not run");
                    });
            assertThat(document("bad").requests().pause()).isEqualTo(carols);
            assertThat(open(a)).containsExactly("bad");
        }
        assertItem(
                resume(a, null, seen("bad"), carols),
                Result.DONE,
                "resumed: the pause by carol: incident 42, do not run; its open failure is closed");
        assertThat(document("bad").requests().pause()).isNull();
        assertThat(open(a)).isEmpty();
        assertItem(resume(a, null, seen("bad"), carols), Result.UNCHANGED, "is not paused");
    }

    @Test
    @DisplayName(
            "S19: a resume closes no failure that came since; the withdrawal of a planned pause closes none anyway")
    void resumedSince() {
        Machine a = failing("bad");
        everyMinute(a, "bad");
        pass(61_000);
        JobAction.SeenFailures seen = seen("bad");
        broken.remove("bad");
        pass(60_000);
        broken.add("bad");
        pass(60_000);
        Pause pause = new Pause("audit", "bob", null);
        Instant later = START.plusSeconds(36_000);
        a.scheduler().pause(PauseScope.job("bad"), pause.from(later));
        assertItem(
                resume(a, later, seen, pause.from(later)),
                Result.DONE,
                "its planned pause is withdrawn: the pause by bob: audit");
        a.scheduler().pause(PauseScope.job("bad"), pause);
        assertThat(resume(a, null, seen, pause).items())
                .singleElement()
                .extracting(ActionReport.Item::detail)
                .asString()
                .contains("has failed again meanwhile");
        assertThat(document("bad").requests().pause()).isEqualTo(pause);
        assertThat(open(a)).containsExactly("bad");
        assertThat(resume(a, null, seen("bad"), pause).count(Result.DONE)).isEqualTo(1);
        assertThat(open(a)).isEmpty();
    }

    @Test
    @DisplayName("S18 S19 S21: a pause that has ended is none: a resume changes nothing, and closes no failure")
    void endedPause() {
        Machine a = failing("bad");
        everyMinute(a, "bad");
        pass(61_000);
        a.scheduler().pause(PauseScope.job("bad"), new Pause("audit", "bob", START.plusSeconds(70)));
        pass(20_000);
        assertItem(
                a.scheduler().apply(JobAction.resume(), JobSelection.keys("bad")), Result.UNCHANGED, "is not paused");
        assertThat(open(a)).containsExactly("bad");
        assertThat(a.scheduler()
                        .apply(JobAction.pause(Pause.because("disk")), JobSelection.keys("bad"), true)
                        .items())
                .singleElement()
                .extracting(ActionReport.Item::detail)
                .isEqualTo("paused");
    }

    @Test
    @DisplayName("S19: a one-off that has failed stays failed when it is acknowledged, and is kept no shorter")
    void oneOff() {
        Machine a = failing("pay");
        a.scheduler()
                .scheduleJob(job("pay").singleSchedule(START.plusSeconds(1)).build());
        pass(2_000);
        assertThat(open(a)).containsExactly("pay");
        var kept = document("pay").specification().deleteTime();
        assertThat(acknowledge(a, "pay").count(Result.DONE)).isEqualTo(1);
        assertThat(open(a)).isEmpty();
        assertThat(newest("pay").executionStatus()).isEqualTo(ExecutionStatus.FAILED);
        assertThat(document("pay").specification().deleteTime()).isEqualTo(kept);
        assertFinished("pay");
        assertThat(a.scheduler().failures(null, null)).hasSize(1);
        assertThat(a.scheduler().findJobById("pay")).isEmpty();
        assertThat(a.scheduler().findJobById("pay", FindScope.INCLUDING_FINISHED))
                .isPresent();
    }

    @Test
    @DisplayName(
            "S19 A2: a rerun takes the open failure over until it has gone well; acknowledging makes no second one")
    void rerun() {
        Machine a = failing("pay");
        a.scheduler()
                .scheduleJob(job("pay").singleSchedule(START.plusSeconds(1)).build());
        pass(2_000);
        a.scheduler().apply(JobAction.rerun(), JobSelection.keys("pay"));
        assertThat(a.scheduler().countOpenFailures()).as("moved").isEqualTo(1);
        pass(2_000);
        assertThat(world.calls).hasSize(2);
        assertThat(open(a)).as("it has failed again").containsExactly("pay");
        broken.clear();
        a.scheduler().apply(JobAction.rerun(), JobSelection.keys("pay"));
        pass(2_000);
        assertThat(world.calls).hasSize(3);
        assertThat(open(a)).isEmpty();
    }

    @Test
    @DisplayName(
            "S19 A2: a good rerun of a recurring job closes its failure before the next fire; one that fails leaves it open")
    void extraRun() {
        Machine a = failing("daily");
        a.scheduler()
                .scheduleJob(job("daily").schedulingSpecification("0 1 8 * * ?").build());
        pass(61_000);
        assertThat(open(a)).containsExactly("daily");
        a.scheduler().apply(JobAction.runNow(), JobSelection.keys("daily"));
        pass(2_000);
        assertThat(open(a)).as("the run now has failed").containsExactly("daily");
        broken.clear();
        a.scheduler().apply(JobAction.rerun(), JobSelection.keys("daily"));
        pass(2_000);
        assertThat(world.calls).hasSize(3);
        assertThat(open(a)).isEmpty();
    }

    @Test
    @DisplayName("S19: the count of failures since midnight does not count acknowledgements")
    void counted() {
        Machine a = failing("pay");
        a.scheduler()
                .scheduleJob(job("pay").singleSchedule(START.plusSeconds(1)).build());
        pass(2_000);
        acknowledge(a, "pay");
        if (world.store instanceof StoreOverview overview) {
            assertThat(overview.failures(START, 100)).isEqualTo(1);
        }
    }

    @Test
    @DisplayName(
            "A2: a one-off whose failure command was delivered is run again once, by its key and by a selection of failures")
    void rerunAfterDelivery() {
        Machine a = failing("pay");
        a.scheduler()
                .scheduleJob(job("pay")
                        .singleSchedule(START.plusSeconds(1))
                        .failureCommand(new World.Note("sorry"))
                        .build());
        world.work = call -> broken.contains(call.job()) && world.calls.size() == 1
                ? bad()
                : slow(Duration.ofSeconds(3)).thenCompose(nothing -> good());
        pass(10_000);
        assertThat(newest("pay").outcome()).isEqualTo(Outcome.FAILURE_DELIVERED);
        assertThat(open(a)).containsExactly("pay");
        int before = world.calls.size();
        a.scheduler().apply(JobAction.rerun(), JobSelection.keys("pay"));
        pass(10_000);
        assertThat(world.calls).hasSize(before + 1);
        a.scheduler().apply(JobAction.rerunFailed(), new JobSelection.Failed(START, null, null));
        pass(10_000);
        assertThat(world.calls).hasSize(before + 1);
        assertThat(open(a)).isEmpty();
    }

    @Test
    @DisplayName(
            "S19: a fire that fails after its job was cancelled is open, too; one that goes well closes what was open")
    void canceledMeanwhile() {
        Machine a = failing("bad", "late");
        List.of("bad", "late").forEach(key -> everyMinute(a, key));
        pass(61_000);
        world.work = call ->
                slow(Duration.ofSeconds(20)).thenCompose(nothing -> call.job().equals("bad") ? bad() : good());
        pass(60_000);
        List.of("bad", "late").forEach(key -> a.scheduler().cancelJob(key));
        pass(30_000);
        List.of("bad", "late").forEach(this::assertFinished);
        assertThat(document("bad").plan().failuresInARow()).isEqualTo(2);
        assertThat(open(a)).containsExactly("bad");
    }

    @Test
    @DisplayName("S19: explain says how an acknowledged one-off has ended, not who has acknowledged it")
    void explained() {
        Machine a = failing("pay");
        a.scheduler()
                .scheduleJob(job("pay").singleSchedule(START.plusSeconds(1)).build());
        pass(2_000);
        String before = a.scheduler().explainJob("pay").headline();
        assertThat(before).contains("RETRIES_EXHAUSTED");
        acknowledge(a, "pay");
        assertThat(a.scheduler().explainJob("pay").headline()).isEqualTo(before);
        assertThat(a.scheduler().explainJob("pay").reasons())
                .noneMatch(reason -> reason.text().contains("ACKNOWLEDGED"));
    }

    @Test
    @DisplayName("A2 S19: a failed one-off that is acknowledged is still run again at most once")
    void acknowledgedRerun() {
        Machine a = failing("pay");
        a.scheduler()
                .scheduleJob(job("pay").singleSchedule(START.plusSeconds(1)).build());
        pass(2_000);
        broken.clear();
        JobSelection failed = new JobSelection.Failed(START, null, null);
        assertThat(a.scheduler().apply(JobAction.rerunFailed(), failed).count(Result.DONE))
                .isEqualTo(1);
        pass(2_000);
        acknowledge(a, "pay");
        a.scheduler().apply(JobAction.rerunFailed(), failed);
        a.scheduler().apply(JobAction.rerun(), JobSelection.keys("pay"));
        pass(2_000);
        assertThat(world.calls).hasSize(2);
        assertThat(open(a)).isEmpty();
    }

    @Test
    @DisplayName(
            "S19: by its key the failure of an earlier job is acknowledged, too, though another one has the key now")
    void earlierJob() {
        Machine a = failedAndScheduledAgain();
        assertThat(open(a)).containsExactly("pay");
        assertThat(acknowledge(a, "pay").count(Result.DONE)).isEqualTo(1);
        assertThat(open(a)).isEmpty();
        assertThat(document("pay").isLive()).isTrue();
        assertThat(document("pay").specification().version()).isEqualTo(1);
        pass(100_000);
        assertThat(world.calls).hasSize(2);
    }

    @Test
    @DisplayName(
            "S19, A2: an acknowledged job does not come before a later one of its key: none of its contents runs again")
    void earlierJobAfterTheLater() {
        Machine a = failedAndScheduledAgain();
        pass(100_000);
        assertThat(open(a)).containsExactly("pay");
        assertThat(acknowledge(a, "pay").count(Result.DONE)).isEqualTo(1);
        assertThat(open(a)).isEmpty();
        Job newest =
                a.scheduler().findJobById("pay", FindScope.INCLUDING_FINISHED).orElseThrow();
        assertThat(newest.specification().singleSchedule()).contains(START.plusSeconds(90));
        assertThat(a.scheduler()
                        .apply(JobAction.rerunFailed(), JobSelection.keys("pay"))
                        .count(Result.DONE))
                .isZero();
        pass(100_000);
        assertThat(world.calls).hasSize(2);
    }

    @Test
    @DisplayName(
            "S19: a failure may be acknowledged while the next run goes on; its end decides about the next one alone")
    void duringRun() {
        Machine a = failing("bad");
        everyMinute(a, "bad");
        pass(61_000);
        world.work = call -> slow(Duration.ofSeconds(20)).thenCompose(nothing -> bad());
        pass(60_000);
        assertThat(document("bad").lease()).isNotNull();
        assertThat(acknowledge(a, "bad").count(Result.DONE)).isEqualTo(1);
        assertThat(open(a)).isEmpty();
        pass(30_000);
        assertThat(open(a)).containsExactly("bad");
        assertThat(document("bad").plan().failuresInARow()).isEqualTo(1);
        assertThat(world.calls).hasSize(2);
    }

    @Test
    @DisplayName("S19: an open failure is in the list although thousands of failures of other jobs are newer")
    void behindOthers() {
        Machine a = failing("pay");
        a.scheduler()
                .scheduleJob(job("pay").singleSchedule(START.plusSeconds(1)).build());
        pass(2_000);
        world.store.writeRows(IntStream.range(0, 2_500)
                .mapToObj(i -> Specimens.row("noisy-id", "noisy", "r" + i, START.plusSeconds(10 + i / 2)).toBuilder()
                        .executionStatus(ExecutionStatus.FAILED)
                        .build())
                .toList());
        assertThat(a.scheduler().failures(null, null)).hasSize(1_000);
        assertThat(open(a)).containsExactly("pay");
        assertThat(a.scheduler().openFailures(START.plusSeconds(5), null).rows())
                .isEmpty();
    }
}
