package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.behaviour.World.Machine;
import dev.almanac.helper.Execution;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.FindScope;
import dev.almanac.model.History;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.LogLine;
import dev.almanac.model.Outcome;
import dev.almanac.model.Progress;
import dev.almanac.store.JobStore;
import dev.almanac.store.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a run leaves for the next one, and what it says while it goes on (rule A3). */
class BetweenRunsTest extends LifecycleFixture {
    private static final String EVERY_MINUTE = "0 * * * * ?";

    private final List<Map<String, Object>> handed = new ArrayList<>();
    private final List<Execution> runs = new ArrayList<>();

    /** Each run notes what it was handed, and counts on. */
    private void count() {
        world.begun = run -> {
            runs.add(run);
            handed.add(run.state());
            run.setState(Map.of("runs", (int) run.state().getOrDefault("runs", 0) + 1));
        };
    }

    private static Map<String, Object> after(int runs) {
        return Map.of("runs", runs);
    }

    private CompletionStage<Void> shortly(CompletionStage<Void> end) {
        return slow(Duration.ofSeconds(1)).thenCompose(nothing -> end);
    }

    @Test
    @DisplayName("the state of a run is handed to the next one, whichever node has it, and shown with the job")
    void nextRun() {
        count();
        Machine a = world.node("a");
        a.scheduler().scheduleJob(job("j").schedulingSpecification(EVERY_MINUTE).build());
        pass(61_000);
        kill(a);
        Machine b = world.node("b");
        pass(60_000);
        assertThat(handed).containsExactly(Map.of(), after(1));
        assertThat(document("j").state()).isEqualTo(after(2));
        assertThat(b.scheduler().findJobById("j").orElseThrow().state()).isEqualTo(after(2));
        assertThat(rows("j"))
                .filteredOn(row -> row.outcome() == Outcome.SUCCEEDED)
                .extracting(JobExecutionStatus::state)
                .containsExactly(after(1), after(2));
    }

    @Test
    @DisplayName("a failed attempt leaves its state to its retry, and one that failed for good to the next fire")
    void retries() {
        count();
        world.work = call -> bad();
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_MINUTE)
                        .retryPolicy("R1/PT5S")
                        .build());
        pass(121_000);
        assertThat(handed).containsExactly(Map.of(), after(1), after(2));
        assertThat(rows("j").get(1).outcome()).isEqualTo(Outcome.ATTEMPT_FAILED);
        assertThat(rows("j").get(1).state()).isEqualTo(after(1));
    }

    @Test
    @DisplayName("a run whose node dies leaves nothing; it runs again with the state that it was handed")
    void died() {
        count();
        world.work = call -> call.node().equals("a") ? endless() : good();
        Machine a = world.node("a");
        a.scheduler().scheduleJob(job("j").schedulingSpecification(EVERY_MINUTE).build());
        pass(61_000);
        kill(a);
        world.node("b");
        pass(40_000);
        assertThat(handed).containsExactly(Map.of(), Map.of());
        assertThat(document("j").state()).isEqualTo(after(1));
    }

    @Test
    @DisplayName("a user's change during a run, or after it, keeps the state; a backfill has none and leaves none")
    void changes() {
        count();
        world.work = call -> shortly(good());
        Machine a = world.node("a");
        a.scheduler().scheduleJob(job("j").schedulingSpecification(EVERY_MINUTE).build());
        pass(60_500);
        a.scheduler()
                .updateJob(job("j").schedulingSpecification(EVERY_MINUTE)
                        .priority(1)
                        .build());
        pass(2_000);
        a.scheduler()
                .updateJob(job("j").schedulingSpecification(EVERY_MINUTE)
                        .priority(2)
                        .build());
        assertThat(document("j").state()).isEqualTo(after(1));
        a.scheduler().backfill("j", START.minusSeconds(60), START.plusSeconds(1));
        pass(10_000);
        assertThat(handed).as("two fires of the past").containsExactly(Map.of(), Map.of(), Map.of());
        assertThat(document("j").state()).isEqualTo(after(1));
        a.scheduler().runNow("j");
        pass(3_000);
        assertThat(handed.get(3)).isEqualTo(after(1));
        assertThat(document("j").state()).isEqualTo(after(2));
    }

    @Test
    @DisplayName("a state that cannot be saved is refused as it is set, and the one before stays; after the end, too")
    void refused() {
        world.begun = run -> {
            runs.add(run);
            run.setState(Map.of("good", 1));
            assertThatThrownBy(() -> run.setState(Map.of("t", "x".repeat(16 * 1024))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("more than 16384");
            assertThatThrownBy(() -> run.setState(Map.of("t", START)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'state.t' is the java.time.Instant");
            assertThat(run.state()).isEqualTo(Map.of("good", 1));
        };
        Machine a = world.node("a");
        a.scheduler().scheduleJob(job("j").schedulingSpecification(EVERY_MINUTE).build());
        pass(61_000);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(document("j").state()).isEqualTo(Map.of("good", 1));
        assertThatThrownBy(() -> runs.get(0).setState(Map.of())).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @DisplayName(
            "A3: progress is in the document after the next renewal, gone with the run, and its message is the row's note")
    void progress() {
        CompletableFuture<Void> end = new CompletableFuture<>();
        world.begun = runs::add;
        world.work = call -> end;
        Machine a = world.node("a");
        Machine other = world.node("other");
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        pass(2_000);
        runs.get(0).progress(30, 100, "reading");
        pass(8_000);
        Progress told = document("j").progress();
        assertThat(told).isEqualTo(new Progress(30, 100, "reading", START.plusSeconds(2)));
        assertThat(other.scheduler().findJobById("j").orElseThrow().progress()).isEqualTo(told);
        String owner = document("j").lease().owner();
        for (Machine node : List.of(a, other)) {
            boolean own = node.scheduler().node().id().equals(owner);
            assertThat(node.scheduler().explainJob("j").reasons().get(0).text())
                    .contains(
                            own
                                    ? "; it reports: 30 of 100: reading"
                                    : "at 2099-03-02T08:00:02Z it reported: 30 of 100: reading");
        }
        runs.get(0).progress("nearly done");
        end.complete(null);
        pass(100);
        assertThat(newest("j").note()).isEqualTo("nearly done");
        assertThat(a.scheduler()
                        .findJobById("j", FindScope.INCLUDING_FINISHED)
                        .orElseThrow()
                        .progress())
                .isNull();
    }

    @Test
    @DisplayName("S7: the newest 50 lines of each attempt are in the row of its end, and not in the document")
    void log() {
        world.begun = run -> {
            runs.add(run);
            for (int line = 1; line <= 60; line++) {
                run.log("line " + line + " of attempt " + run.attempt());
            }
            run.log("x".repeat(600));
        };
        world.work = call -> runs.size() == 1 ? bad() : good();
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_MINUTE)
                        .retryPolicy("R1/PT5S")
                        .build());
        pass(70_000);
        List<JobExecutionStatus> attempts =
                rows("j").stream().filter(row -> row.attempt() > 0).toList();
        assertThat(attempts)
                .extracting(JobExecutionStatus::outcome)
                .containsExactly(Outcome.ATTEMPT_FAILED, Outcome.SUCCEEDED);
        for (JobExecutionStatus row : attempts) {
            assertThat(row.log()).hasSize(50);
            assertThat(row.log().get(0).text()).isEqualTo("line 12 of attempt " + row.attempt());
            assertThat(row.log().get(0).at()).isEqualTo(row.startedTime());
            assertThat(row.log().get(49).text()).hasSize(500).endsWith("x…");
        }
        assertThat(rows("j").get(0).log()).as("the row of the creation").isEmpty();
        assertThat(document("j").lastStatus().log()).isEmpty();
    }

    @Test
    @DisplayName("S7: lines of an attempt are kept, also if the next one ends before the row of the first was written")
    void logOfQuickRetry() {
        world.begun = run -> {
            runs.add(run);
            run.log("attempt " + run.attempt());
        };
        world.work = call -> runs.size() < 3 ? bad() : good();
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(1))
                        .retryPolicy("R3/PT0S")
                        .build());
        pass(10_000);
        assertThat(rows("j"))
                .filteredOn(row -> row.attempt() > 0)
                .hasSize(3)
                .allSatisfy(row ->
                        assertThat(row.log()).extracting(LogLine::text).containsExactly("attempt " + row.attempt()));
    }

    @Test
    @DisplayName("S7: a run that has timed out shows what it has logged until then; a line after the end is dropped")
    void logOfTimeout() {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        world.begun = run -> {
            runs.add(run);
            run.log("asking the bank");
            run.holdUntil(answer);
        };
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(1))
                        .executionTimeout(Duration.ofSeconds(5))
                        .build());
        pass(10_000);
        assertThat(rows("j"))
                .filteredOn(row -> row.outcome() == Outcome.TIMED_OUT)
                .singleElement()
                .satisfies(
                        row -> assertThat(row.log()).extracting(LogLine::text).containsExactly("asking the bank"));
        runs.get(0).log("still asking");
        answer.complete(null);
        pass(1_000);
        assertThat(newest("j").executionStatus()).isEqualTo(ExecutionStatus.FAILED);
        assertThat(newest("j").log()).extracting(LogLine::text).containsExactly("asking the bank", "still asking");
        int written = rows("j").size();
        runs.get(0).log("too late");
        pass(1_000);
        assertThat(rows("j")).hasSize(written);
        assertThat(rows("j"))
                .flatExtracting(JobExecutionStatus::log)
                .extracting(LogLine::text)
                .doesNotContain("too late");
    }

    @Test
    @DisplayName("S7: with TROUBLE a failure keeps its lines, and a success none")
    void logOfTrouble() {
        world.begun = run -> run.log("asked " + run.attempt());
        world.work = call -> call.job().equals("bad") ? bad() : good();
        Machine a = world.node("a");
        for (String key : List.of("good", "bad")) {
            a.scheduler()
                    .scheduleJob(job(key).schedulingSpecification(EVERY_MINUTE)
                            .history(History.TROUBLE)
                            .build());
        }
        pass(61_000);
        assertThat(rows("good")).isEmpty();
        assertThat(newest("bad").log()).extracting(LogLine::text).containsExactly("asked 1");
    }

    @Test
    @DisplayName(
            "A3: progress costs no call of its own, is not saved more often than every 2 s, and rides along with others")
    void progressIsFree() {
        List<Renewal> renewals = new ArrayList<>();
        world.begun = runs::add;
        world.work = call -> endless();
        Machine a = world.node("a", watching(renewals), Duration.ZERO, builder -> builder);
        for (int i = 0; i < 8; i++) {
            a.scheduler()
                    .scheduleJob(job("j" + i)
                            .singleSchedule(START.plusSeconds(i + 1))
                            .build());
        }
        pass(9_000);
        renewals.clear();
        for (int tick = 0; tick < 600; tick++) {
            int done = tick;
            runs.forEach(run -> run.progress(done, 600, "reading"));
            pass(100);
        }
        long silent = 60_000L / 7_000 * 8 + 8;
        assertThat(renewals).as("not more than without").hasSizeLessThanOrEqualTo((int) silent);
        for (int i = 0; i < 8; i++) {
            String id = document("j" + i).id();
            List<Progress> saved = renewals.stream()
                    .map(renewal -> renewal.progress().get(id))
                    .filter(java.util.Objects::nonNull)
                    .toList();
            assertThat(saved).hasSizeBetween(8, 30);
            for (int k = 1; k < saved.size(); k++) {
                assertThat(Duration.between(saved.get(k - 1).at(), saved.get(k).at()))
                        .isGreaterThanOrEqualTo(Duration.ofMillis(1_900));
            }
            assertThat(document("j" + i).progress().done()).isGreaterThan(500);
        }
    }

    private JobStore watching(List<Renewal> renewals) {
        return StoreHook.over(JobStore.class, world.store, (method, arguments, call) -> {
            if (method.equals("renew")) {
                renewals.add((Renewal) arguments[0]);
            }
            return call.proceed();
        });
    }
}
