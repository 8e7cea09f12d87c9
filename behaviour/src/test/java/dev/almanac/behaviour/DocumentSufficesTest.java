package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.SchedulerBuilder;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.helper.Execution;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.JobState;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StoredFields;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreException;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rules N1, N3 and N8: the document says all that a decision needs, and its rows follow it. */
class DocumentSufficesTest extends LifecycleFixture {
    private static final String EVERY_TEN_MINUTES = "0 0/10 * * * ?";

    /** A calendar that opens every day until it is shut for good, and fails while it is broken. */
    private static final class Breakable implements ExclusionCalendar {
        private volatile boolean broken;
        private volatile Instant shut = Instant.MAX;

        @Override
        public boolean isIncluded(Instant instant, ZoneId zone) {
            return check(instant.isBefore(shut));
        }

        @Override
        public Optional<Instant> nextIncluded(Instant instant, ZoneId zone) {
            return check(Optional.of(instant).filter(shut::isAfter));
        }

        private <T> T check(T answer) {
            if (broken) {
                throw new IllegalStateException("the calendar's file is gone");
            }
            return answer;
        }
    }

    private static SchedulerBuilder with(SchedulerBuilder builder, Breakable calendar) {
        return builder.calendar("c", calendar);
    }

    /** A way to the store on which nothing can be read of any row, as if all of them were gone. */
    private JobStore withoutRows() {
        return StoreHook.over(
                JobStore.class,
                world.store,
                (method, arguments, call) -> method.equals("rows") ? List.of() : call.proceed());
    }

    /** A way on which chosen changes reach the documents, and their sender is gone before anything else. */
    private JobStore losingRows(Predicate<JobChange> chosen) {
        return StoreHook.over(JobStore.class, world.store, (method, arguments, call) -> {
            List<?> changes = method.equals("write") ? (List<?>) arguments[0] : List.of();
            if (changes.stream().map(JobChange.class::cast).noneMatch(chosen)) {
                return call.proceed();
            }
            world.store.write(changes.stream()
                    .map(JobChange.class::cast)
                    .map(change -> new JobChange(change.before(), change.after(), List.of(), change.by()))
                    .toList());
            throw new StoreException("the process is gone", new IllegalStateException("planned"));
        });
    }

    private static boolean endsRun(JobChange change) {
        return change.isByHolder()
                && change.after().lease() == null
                && !change.rows().isEmpty();
    }

    /** A node whose run of the job ends well, and whose calendar is broken by then. */
    private Machine breakingAtTheEnd(Breakable calendar, JobSpecificationBuilder job) {
        world.work = call -> {
            calendar.broken = call.node().equals("a");
            return good();
        };
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> with(builder, calendar));
        a.scheduler().scheduleJob(job.calendar("c").build());
        return a;
    }

    private List<JobExecutionStatus> stored(String key) {
        return world.store.rows(RowQuery.ofKey(key, 1_000));
    }

    @Test
    @DisplayName(
            "L48 N8: an end whose node cannot plan what follows is an end: a node that can plan it does, and runs nothing")
    void unplannableEnd() {
        Breakable calendar = new Breakable();
        Machine a = breakingAtTheEnd(calendar, job("j").schedulingSpecification(EVERY_TEN_MINUTES));
        pass(610_000);
        assertThat(world.calls).hasSize(1);
        assertThat(document("j").sequences().isUnrecovered())
                .as("the end is on record")
                .isFalse();
        assertThat(newest("j").outcome()).isEqualTo(Outcome.SUCCEEDED);
        kill(a);
        world.node("b", withoutRows(), Duration.ZERO, builder -> with(builder, new Breakable()));
        pass(60_000);
        assertThat(world.calls).as("no second run").hasSize(1);
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(1_200));
        assertThat(document("j").blocked()).isNull();
        pass(600_000);
        assertThat(world.calls)
                .extracting(Call::fire)
                .containsExactly(START.plusSeconds(600), START.plusSeconds(1_200));
        assertThat(stored("j")).noneMatch(row -> row.outcome() == Outcome.ABANDONED);
    }

    /** A job whose first run ends after five seconds, while its calendar is broken, and turns out to have been the last. */
    private Machine endingUnplanned(CompletionStage<Void> end) {
        Breakable calendar = new Breakable();
        world.work = call -> {
            calendar.broken = true;
            return slow(Duration.ofSeconds(5)).thenCompose(nothing -> end);
        };
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> with(builder, calendar));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES)
                        .endAt(START.plusSeconds(1_500))
                        .calendar("c")
                        .build());
        pass(700_000);
        assertThat(document("j").isUnplanned()).isTrue();
        a.scheduler().runNow("j");
        calendar.shut = START.plusSeconds(700);
        calendar.broken = false;
        pass(1_400_000);
        assertFinished("j");
        assertThat(world.calls).hasSize(1);
        return a;
    }

    /** The only run of the job; what shows later that it was the last one is no second end of it. */
    private void assertRecordedOnce(Machine node, Outcome outcome) {
        Instant end = START.plusSeconds(605);
        assertThat(stored("j").stream().filter(row -> row.startedTime() != null || row.attempt() > 0))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.outcome()).isEqualTo(outcome);
                    assertThat(row.updatedTime()).isEqualTo(end);
                });
        assertThat(node.events().stream()
                        .filter(SchedulerEvent.RunRecorded.class::isInstance)
                        .map(event -> ((SchedulerEvent.RunRecorded) event).row().outcome()))
                .containsOnlyOnce(outcome);
        assertThat(node.scheduler().fires("j", START).orElseThrow().accounts())
                .singleElement()
                .satisfies(fire -> {
                    assertThat(fire.outcome()).isEqualTo(outcome);
                    assertThat(fire.at()).isEqualTo(end);
                });
        assertThat(newest("j").detail()).contains("no further fire follows").contains("the run now that was requested");
    }

    @Test
    @DisplayName(
            "L48 N8 S19: a failure that turns out later to be of the last fire is recorded, counted and listed once")
    void unplannableLastFailure() {
        Machine a = endingUnplanned(bad());
        assertRecordedOnce(a, Outcome.RETRIES_EXHAUSTED);
        assertThat(a.scheduler()
                        .findJobById("j", FindScope.INCLUDING_FINISHED)
                        .orElseThrow()
                        .jobState())
                .isEqualTo(JobState.FAILED);
        for (List<JobExecutionStatus> failed : List.of(
                a.scheduler().failures(null, null),
                a.scheduler().openFailures(null, null).rows())) {
            assertThat(failed).extracting(JobExecutionStatus::updatedTime).containsExactly(START.plusSeconds(605));
        }
        assertThat(a.scheduler().countOpenFailures()).isEqualTo(1);
        assertThat(a.scheduler().explainJob("j").headline())
                .contains("as FAILED")
                .contains("no further fire follows");
        a.scheduler().apply(JobAction.acknowledge(), JobSelection.keys("j"));
        assertThat(a.scheduler().openFailures(null, null).rows()).isEmpty();
        assertThat(a.scheduler().failures(null, null)).hasSize(1);
    }

    @Test
    @DisplayName(
            "L48 N8: a good run that turns out later to be the last one is recorded once, and its job has succeeded")
    void unplannableLastSuccess() {
        Machine a = endingUnplanned(good());
        assertRecordedOnce(a, Outcome.SUCCEEDED);
        assertThat(a.scheduler()
                        .findJobById("j", FindScope.INCLUDING_FINISHED)
                        .orElseThrow()
                        .jobState())
                .isEqualTo(JobState.SUCCEEDED);
        assertThat(a.scheduler().failures(null, null)).isEmpty();
        assertThat(a.scheduler().countOpenFailures()).isZero();
    }

    @Test
    @DisplayName("16 N8: a fixed delay that another node plans counts from the end as the first one recorded it")
    void unplannableDelay() {
        Breakable calendar = new Breakable();
        Machine a = breakingAtTheEnd(calendar, job("j").everyAfterEnd(Duration.ofMinutes(10)));
        pass(601_000);
        assertThat(world.calls).hasSize(1);
        JobExecutionStatus end = newest("j");
        assertThat(end.outcome()).isEqualTo(Outcome.SUCCEEDED);
        kill(a);
        pass(60_000);
        world.node("b", world.store, Duration.ZERO, builder -> with(builder, new Breakable()));
        pass(60_000);
        Instant next = end.updatedTime().plus(Duration.ofMinutes(10));
        assertThat(StoredFields.anchorOf(document("j").specification())).isEqualTo(end.updatedTime());
        assertThat(document("j").plan().nextFireTime()).isEqualTo(next);
        pass(600_000);
        assertThat(world.calls).extracting(Call::fire).hasSize(2).endsWith(next);
    }

    @Test
    @DisplayName("N8: a job whose end cannot be planned is cancelled at once, and never planned again")
    void unplannableAndCancelled() {
        Breakable calendar = new Breakable();
        Machine a = breakingAtTheEnd(calendar, job("j").schedulingSpecification(EVERY_TEN_MINUTES));
        pass(605_000);
        a.scheduler().cancelJob("j");
        pass(60_000);
        assertFinished("j");
        assertThat(newest("j").outcome()).isEqualTo(Outcome.CANCELED);
        calendar.broken = false;
        pass(1_200_000);
        assertThat(world.calls).hasSize(1);
    }

    @Test
    @DisplayName("N8: a pause and a resume keep that an end is still to be planned")
    void unplannableAndPaused() {
        Breakable calendar = new Breakable();
        Machine a = breakingAtTheEnd(calendar, job("j").schedulingSpecification(EVERY_TEN_MINUTES));
        pass(605_000);
        a.scheduler().pause(PauseScope.job("j"), new Pause("audit", "ops", null));
        calendar.broken = false;
        pass(120_000);
        assertThat(world.calls).hasSize(1);
        a.scheduler().resume(PauseScope.job("j"));
        pass(60_000);
        assertThat(world.calls).as("the fire that has ended does not run again").hasSize(1);
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(1_200));
        calendar.broken = false;
        pass(500_000);
        assertThat(world.calls)
                .extracting(Call::fire)
                .containsExactly(START.plusSeconds(600), START.plusSeconds(1_200));
    }

    @Test
    @DisplayName(
            "N3: a process dies between the document of an end and its row: the end stands, and the next change brings the row, whole")
    void diedBeforeRow() {
        world.begun = (Execution execution) -> execution.setState(Map.of("page", 7));
        world.work = call -> call.node().equals("a") ? bad() : good();
        Machine a = world.node("a", losingRows(DocumentSufficesTest::endsRun), Duration.ZERO, builder -> builder);
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES).build());
        world.writeRows();
        pass(600_500);
        a.lanes().close();
        assertThat(world.calls).hasSize(1);
        assertThat(stored("j")).as("its row is missing").hasSize(1);
        JobExecutionStatus shown = document("j").lastStatus();
        assertThat(shown.outcome()).isEqualTo(Outcome.RETRIES_EXHAUSTED);
        Machine b = world.node("b");
        assertThat(b.scheduler().history("j"))
                .as("history has what the document shows")
                .extracting(JobExecutionStatus::outcome)
                .containsExactly(Outcome.RETRIES_EXHAUSTED, Outcome.NONE);
        pass(300_000);
        assertThat(world.calls).as("the end stands").hasSize(1);
        pass(301_000);
        assertThat(world.calls)
                .extracting(Call::fire)
                .containsExactly(START.plusSeconds(600), START.plusSeconds(1_200));
        assertRows("j", "SCHEDULED/NONE", "FAILED/RETRIES_EXHAUSTED", "SCHEDULED/SUCCEEDED");
        JobExecutionStatus brought = rows("j").get(1);
        assertThat(brought).isEqualTo(shown);
        assertThat(brought.error().stack()).contains("IllegalStateException");
        assertThat(brought.state()).containsEntry("page", 7);
    }

    @Test
    @DisplayName("N1: a process dies between a document and its two rows: the next change brings both")
    void diedBeforeTwoRows() {
        world.work = call -> call.node().equals("a") ? endless() : good();
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES)
                        .crashPolicy(CrashPolicy.FAIL)
                        .build());
        pass(601_000);
        kill(a);
        Machine b = world.node("b", losingRows(DocumentSufficesTest::endsRun), Duration.ZERO, builder -> builder);
        pass(30_000);
        b.lanes().close();
        assertThat(stored("j")).hasSize(1);
        assertThat(document("j").lastStatus().outcome()).isEqualTo(Outcome.CRASHED);
        world.node("c");
        pass(600_000);
        assertThat(world.calls)
                .extracting(Call::fire)
                .containsExactly(START.plusSeconds(600), START.plusSeconds(1_200));
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/ABANDONED", "FAILED/CRASHED", "SCHEDULED/SUCCEEDED");
    }

    @Test
    @DisplayName("N3: what a user asks brings the row that the document shows before it hides it")
    void diedBeforeRequest() {
        Machine a = world.node("a", losingRows(DocumentSufficesTest::endsRun), Duration.ZERO, builder -> builder);
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TEN_MINUTES).build());
        world.writeRows();
        pass(600_500);
        a.lanes().close();
        Machine b = world.node("b");
        b.scheduler().cancelJob("j");
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/SUCCEEDED", "CANCELED/CANCELED");
        assertFinished("j");
    }

    @Test
    @DisplayName("L50 N8: claims that crash are counted in the document, rows or not")
    void crashesCounted() {
        world.work = call -> endless();
        for (int i = 1; i <= 3; i++) {
            Machine node = world.node("n" + i, withoutRows(), Duration.ZERO, DocumentSufficesTest::atMostThree);
            if (i == 1) {
                node.scheduler()
                        .scheduleJob(
                                job("j").singleSchedule(START.plusSeconds(1)).build());
            }
            pass(i == 1 ? 2_000 : 30_000);
            assertThat(world.calls).hasSize(i);
            node.lanes().close();
            if (i < 3) {
                // a claim that runs nothing, between two that crash
                Machine idle = world.node("p" + i, withoutRows(), Duration.ZERO, DocumentSufficesTest::atMostThree);
                idle.scheduler().pause(PauseScope.job("j"), new Pause("audit", "ops", null));
                pass(40_000);
                idle.scheduler().beginDrain(Duration.ofSeconds(1));
                pass(5_000);
                idle.lanes().close();
                world.client(builder -> builder).resume(PauseScope.job("j"));
            }
        }
        world.node("last", withoutRows(), Duration.ZERO, DocumentSufficesTest::atMostThree);
        pass(60_000);
        assertThat(world.calls).hasSize(3);
        assertThat(newest("j").executionStatus() + "/" + newest("j").outcome()).isEqualTo("FAILED/ABANDONED");
        assertFinished("j");
    }

    @Test
    @DisplayName("L50 N8: an end between two crashes sets the count back")
    void crashesAreInARow() {
        List<String> crashing = new ArrayList<>(List.of("n1", "n3"));
        world.work = call -> crashing.contains(call.node()) ? endless() : bad();
        Stream.of("n1", "n2", "n3", "n4").forEach(name -> {
            Machine node = world.node(
                    name,
                    world.store,
                    Duration.ZERO,
                    builder -> builder.settings(
                            SchedulerSettings.builder().abandonedLimit(2).build()));
            if (name.equals("n1")) {
                node.scheduler()
                        .scheduleJob(job("j").singleSchedule(START.plusSeconds(1))
                                .retryPolicy("R5/PT1M")
                                .build());
            }
            pass(name.equals("n1") ? 2_000 : 40_000);
            node.lanes().close();
            if (name.equals("n2")) {
                pass(60_000);
            }
        });
        assertThat(world.calls).extracting(Call::node).containsExactly("n1", "n2", "n3", "n4");
        assertThat(document("j").isLive()).isTrue();
    }

    private static SchedulerBuilder atMostThree(SchedulerBuilder builder) {
        return builder.settings(SchedulerSettings.builder().abandonedLimit(3).build());
    }
}
