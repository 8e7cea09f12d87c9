package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Health;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.behaviour.World.Note;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.Actor;
import dev.almanac.model.FieldChange;
import dev.almanac.model.FindScope;
import dev.almanac.model.Job;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.store.NewJob;
import dev.almanac.store.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who changed what, and why (rule A1): kept on the rows of requests, over memory and a real server. */
class ActorsTest extends OverStores {
    private static final Duration MONTH = Duration.ofDays(30);

    private static JobSpecificationBuilder minutely(String key) {
        return job(key).schedulingSpecification("0 * * * * ?")
                .zoneId(ZoneId.of("Europe/Brussels"))
                .missedFirePolicy(MissedFirePolicy.SKIP);
    }

    private JobExecutionStatus newest(Machine machine, String key) {
        return machine.scheduler().history(key).get(0);
    }

    @Test
    @DisplayName(
            "A1: the row of a cancel keeps author and reason for 30 days, and explain shows them; a run's row has neither")
    void cancel() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(
                        job("invoice").singleSchedule(START.plusSeconds(60)).build());
        a.scheduler().as("ann", "CR-17").cancelJob("invoice");
        JobExecutionStatus row = newest(a, "invoice");
        assertThat(row.author()).isEqualTo("ann");
        assertThat(row.reason()).isEqualTo("CR-17");
        assertThat(row.deleteTime()).isAfterOrEqualTo(START.plus(MONTH));
        assertThat(a.scheduler()
                        .findJobById("invoice", FindScope.INCLUDING_FINISHED)
                        .orElseThrow()
                        .lastStatus())
                .as("the document could write the row again")
                .isEqualTo(row);
        assertThat(a.scheduler().explainJob("invoice").headline())
                .contains("cancelled at")
                .contains("by ann (CR-17)");
        a.scheduler()
                .scheduleJob(job("ran").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(3));
        assertThat(newest(a, "ran").author()).isNull();
    }

    @Test
    @DisplayName(
            "A1: a pause that names its author and reason is theirs, of one job and of many, in the row and the event")
    void authorOfPause() {
        Machine a = world.node("a");
        Pause pause = new Pause("audit", "ann", null);
        for (String key : List.of("one", "many")) {
            a.scheduler()
                    .scheduleJob(job(key).singleSchedule(START.plusSeconds(60)).build());
        }
        a.scheduler().pause(PauseScope.job("one"), pause);
        a.scheduler().apply(JobAction.pause(pause), JobSelection.keys("many"));
        world.pass(Duration.ofSeconds(1));
        for (String key : List.of("one", "many")) {
            assertThat(newest(a, key))
                    .as(key)
                    .returns("ann", JobExecutionStatus::author)
                    .returns("audit", JobExecutionStatus::reason);
            assertThat(a.events()).as(key).contains(new SchedulerEvent.JobPaused(key, true, new Actor("ann", "audit")));
        }
        a.scheduler().as("bob", null).apply(JobAction.pause(Pause.because("")), JobSelection.keys("many"));
        assertThat(newest(a, "many"))
                .returns("bob", JobExecutionStatus::author)
                .returns(null, JobExecutionStatus::reason);
    }

    @Test
    @DisplayName("A1: rows of requests on a recurring job live 30 days, whatever runs after them; rows of runs do not")
    void notSuperseded() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(minutely("tick").build());
        world.pass(Duration.ofMinutes(2));
        a.scheduler().as("ann", "CR-17").updateJob(minutely("tick").priority(2).build());
        world.pass(Duration.ofMinutes(3));
        List<JobExecutionStatus> rows = a.scheduler().history("tick");
        JobExecutionStatus update = rows.stream()
                .filter(row -> "ann".equals(row.author()))
                .findFirst()
                .orElseThrow();
        assertThat(update.deleteTime()).isAfterOrEqualTo(update.updatedTime().plus(MONTH));
        Instant week = START.plus(Duration.ofDays(7));
        assertThat(rows.stream().filter(row -> row.outcome() == Outcome.SUCCEEDED))
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.deleteTime()).isBefore(week));
    }

    @Test
    @DisplayName("A1: a request on a job that ends later is kept 30 days, although the job is kept for a shorter time")
    void keptBeyondTheEnd() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("once").singleSchedule(START.plusSeconds(60)).build());
        a.scheduler().as("ann", null).runNow("once");
        a.scheduler()
                .as("bob", "typo")
                .updateJob(job("once")
                        .singleSchedule(START.plusSeconds(60))
                        .priority(1)
                        .build());
        world.pass(Duration.ofMinutes(2));
        Job ended =
                a.scheduler().findJobById("once", FindScope.INCLUDING_FINISHED).orElseThrow();
        assertThat(ended.specification().deleteTime().orElseThrow()).isBefore(START.plus(MONTH));
        assertThat(a.scheduler().history("once"))
                .filteredOn(row -> row.author() != null && !NewJob.isCreation(row))
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(row -> assertThat(row.deleteTime()).isAfter(START.plus(MONTH)));
        assertThat(newest(a, "once").deleteTime())
                .isEqualTo(ended.specification().deleteTime().orElseThrow());
    }

    @Test
    @DisplayName("A1: an update's row says what changed, field by field; of a command only that it has changed")
    void changes() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(minutely("tick").build());
        a.scheduler()
                .as("ann", "CR-17")
                .updateJob(minutely("tick")
                        .zoneId(ZoneId.of("Europe/Paris"))
                        .priority(2)
                        .triggerCommand(new Note("secret"))
                        .build());
        assertThat(newest(a, "tick").changes())
                .extracting(FieldChange::toString)
                .containsExactly(
                        "triggerCommand: changed", "zoneId: Europe/Brussels -> Europe/Paris", "priority: 4 -> 2");
    }

    @Test
    @DisplayName("A1: without a name a request is made by the service; a pause has its requester as author")
    void service() {
        Machine named = world.node("b", world.store, Duration.ZERO, builder -> builder.serviceName("billing"));
        named.scheduler().scheduleJob(minutely("bill").build());
        assertThat(newest(named, "bill").author()).isEqualTo("billing");
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.label("till 1"));
        a.scheduler().scheduleJob(minutely("tick").build());
        assertThat(newest(a, "tick").author())
                .as("the label of a node is no part of a job")
                .isEqualTo("unknown");
        a.scheduler().as("ann", "audit").pause(PauseScope.job("tick"), Pause.because(""));
        Pause pause = a.scheduler().findJobById("tick").orElseThrow().pause();
        assertThat(pause).isEqualTo(new Pause("audit", "ann", null));
        a.scheduler().pause(PauseScope.tag("night"), new Pause("stock", "bob", null));
        assertThat(a.scheduler().pauses())
                .singleElement()
                .satisfies(standing -> assertThat(standing.pause().author()).isEqualTo("bob"));
        assertThatThrownBy(() -> a.scheduler().as(" ", null)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("A1: what a reconcile or a backfill does is done in its name, and in that of its author")
    void operations() {
        Machine a = world.node("a");
        a.scheduler()
                .as("deploy", "v7")
                .reconcile("shop", List.of(minutely("tick").build()), false);
        assertThat(newest(a, "tick").author()).isEqualTo("deploy");
        assertThat(newest(a, "tick").reason()).isEqualTo("reconcile of application shop: v7");
        world.pass(Duration.ofMinutes(10));
        a.scheduler().as("ann", null).backfill("tick", START, START.plusSeconds(60));
        assertThat(newest(a, "tick@" + START))
                .extracting(JobExecutionStatus::author, JobExecutionStatus::reason)
                .containsExactly("ann", "backfill of tick");
    }

    @Test
    @DisplayName(
            "O5: a node is DEGRADED while everything or a type is paused, and says by whom; a tag is its own business")
    void degraded() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(minutely("tick").build());
        a.scheduler().as("ann", "audit").pause(PauseScope.tag("night"), Pause.because(""));
        world.pass(Duration.ofMinutes(2));
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.UP);
        a.scheduler().as("ann", "audit").pause(PauseScope.everything(), Pause.because(""));
        world.pass(Duration.ofMinutes(2));
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.DEGRADED);
        assertThat(a.scheduler().health().reasons()).singleElement().asString().contains("everything", "ann: audit");
        a.scheduler().resume(PauseScope.everything());
        world.pass(Duration.ofMinutes(2));
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.UP);
    }

    @Test
    @DisplayName("R14: a node that leaves in order says so: the others do not take it for live or dead")
    void leaves() {
        Machine a = world.node("a");
        Machine b = world.node("b");
        world.pass(Duration.ofSeconds(10));
        b.scheduler().beginDrain(Duration.ofSeconds(1));
        world.pass(Duration.ofSeconds(6));
        assertThat(world.store
                        .cluster()
                        .report(
                                new NodeReport(
                                        a.scheduler().node().id(),
                                        "a",
                                        START,
                                        world.time.wall(),
                                        "x",
                                        Duration.ZERO,
                                        java.util.Set.of(),
                                        0),
                                START))
                .extracting(NodeReport::id)
                .containsExactly(a.scheduler().node().id());
    }
}
