package dev.almanac.behaviour;

import static dev.almanac.behaviour.MinuteCalendar.excluding;
import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.DaylightSavingPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A change of a schedule loses no fire and no retry (rules S1, S2). Every run and every standstill is short, so that a server takes part. */
class ChangedFiresTest extends LifecycleFixture {
    private static final String MINUTELY = "0 * * * * ?";
    private static final String AT_FIVE = "5 * * * * ?";

    /** By which door a schedule is changed. */
    enum Door {
        SCHEDULE((scheduler, job) -> scheduler.scheduleJob(job.build())),
        UPDATE((scheduler, job) -> scheduler.updateJob(job.build())),
        RECONCILE((scheduler, job) -> scheduler.reconcile("app", List.of(job.build()), false));

        private final BiConsumer<Scheduler, JobSpecificationBuilder> change;

        Door(BiConsumer<Scheduler, JobSpecificationBuilder> change) {
            this.change = change;
        }
    }

    private static JobSpecificationBuilder minutely() {
        return job("j").applicationTag("app").schedulingSpecification(MINUTELY);
    }

    /** So many minutes and seconds after START. */
    private static Instant at(String time) {
        String[] parts = time.split(":");
        return START.plus(Duration.ofMinutes(Long.parseLong(parts[0])).plusSeconds(Long.parseLong(parts[1])));
    }

    private Scheduler user() {
        return world.client(builder -> builder);
    }

    /** The job is stored at START; all nodes are down from 30 s later until the given time. */
    private Scheduler down(JobSpecificationBuilder job, String until) {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(job.build());
        pass(30_000);
        kill(a);
        passTo(until);
        assertThat(world.calls).isEmpty();
        return user();
    }

    private void passTo(String time) {
        world.pass(Duration.between(world.time.wall(), at(time)));
    }

    private List<MissedFires> missed() {
        return rows("j").stream()
                .filter(row -> row.missed() != null)
                .map(JobExecutionStatus::missed)
                .toList();
    }

    /** Nothing has run twice, and nothing that has run is on record as missed. */
    private void assertOnce() {
        assertThat(world.calls)
                .extracting(call -> call.fire() + " " + call.attempt())
                .doesNotHaveDuplicates();
        assertThat(world.calls)
                .allSatisfy(call -> assertThat(missed())
                        .noneMatch(missed -> !call.fire().isBefore(missed.first())
                                && !call.fire().isAfter(missed.last())));
        assertThat(document("j").lastStatus().id()).isEqualTo(newest("j").id());
    }

    private static MissedFirePolicy policy(MissedFirePolicy.Kind kind) {
        return switch (kind) {
            case SKIP -> MissedFirePolicy.SKIP;
            case RUN_LATEST -> MissedFirePolicy.RUN_LATEST;
            case RUN_ALL -> MissedFirePolicy.runAll(100);
        };
    }

    private void overdue(Door door, MissedFirePolicy.Kind kind) {
        Scheduler user = down(minutely().missedFirePolicy(policy(kind)), "12:30");
        door.change.accept(user, minutely().missedFirePolicy(policy(kind)).schedulingSpecification(AT_FIVE));
        Machine b = world.node("b");
        passTo("12:31");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("12:00"));
        assertThat(missed()).containsExactly(new MissedFires(at("1:00"), at("11:00"), 11, false));
        assertOnce();
        passTo("14:10");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("12:00"), at("13:05"), at("14:05"));
        assertThat(missed()).hasSize(1);
        assertOnce();
        assertThat(b.scheduler().checkInvariants().findings()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(MissedFirePolicy.Kind.class)
    @DisplayName("L98 S2: fires that passed while all nodes were down survive a new schedule by scheduleJob")
    void scheduled(MissedFirePolicy.Kind kind) {
        overdue(Door.SCHEDULE, kind);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(MissedFirePolicy.Kind.class)
    @DisplayName("L98 S2: fires that passed while all nodes were down survive a new schedule by reconcile")
    void reconciled(MissedFirePolicy.Kind kind) {
        overdue(Door.RECONCILE, kind);
    }

    @Test
    @DisplayName("L98 S2: fires that passed while all nodes were down survive a new schedule by updateJob")
    void updated() {
        overdue(Door.UPDATE, MissedFirePolicy.Kind.RUN_LATEST);
    }

    @Test
    @DisplayName("S2: the change that carries a fire tells the listeners of those that it has missed")
    void event() {
        down(minutely(), "4:30");
        List<SchedulerEvent> events = new ArrayList<>();
        world.client(builder -> builder.listener(events::add))
                .updateJob(minutely().schedulingSpecification(AT_FIVE).build());
        pass(1_000);
        assertThat(events)
                .contains(new SchedulerEvent.FiresMissed("j", new MissedFires(at("1:00"), at("3:00"), 3, false)));
    }

    /** What is written of a job that nobody could run since the first 30 s. */
    private void unmoved(UnaryOperator<JobSpecificationBuilder> first, UnaryOperator<JobSpecificationBuilder> second) {
        Scheduler user = down(first.apply(minutely()), "4:30");
        long version = document("j").specification().version();
        int rows = rows("j").size();
        user.scheduleJob(second.apply(minutely()).build());
        user.reconcile("app", List.of(second.apply(minutely()).build()), false);
        assertThat(document("j").specification().version()).isEqualTo(version);
        assertThat(rows("j")).hasSize(rows);
        world.node("b");
        passTo("4:31");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("4:00"));
        assertThat(missed()).containsExactly(new MissedFires(at("1:00"), at("3:00"), 3, false));
        assertOnce();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"Etc/UTC", "Z", "GMT", "+00:00"})
    @DisplayName("S1: another name of UTC is no change, and moves no fire")
    void sameZone(String zone) {
        unmoved(job -> job.zoneId("UTC"), job -> job.zoneId(zone));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"00 * * * * ?", " 0  * * * * ? ", "0 * * ? * *"})
    @DisplayName("S1: another writing of a cron expression is no change, and moves no fire")
    void sameCron(String cron) {
        boolean other = cron.equals("0 * * ? * *");
        if (other) {
            // fires alike, but is another text: it is stored, and the overdue fires go on as planned
            Scheduler user = down(minutely(), "0:45");
            user.scheduleJob(minutely().schedulingSpecification(cron).build());
            assertThat(document("j").specification().version()).isEqualTo(2);
            assertThat(document("j").plan().nextFireTime()).isEqualTo(at("1:00"));
            world.node("b");
            passTo("1:01");
            assertThat(world.calls).extracting(Call::fire).containsExactly(at("1:00"));
            return;
        }
        unmoved(job -> job, job -> job.schedulingSpecification(cron));
    }

    private void moved(UnaryOperator<JobSpecificationBuilder> change) {
        Scheduler user = down(minutely(), "4:30");
        user.scheduleJob(change.apply(minutely()).build());
        world.node("b");
        passTo("4:31");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("4:00"));
        assertThat(missed()).containsExactly(new MissedFires(at("1:00"), at("3:00"), 3, false));
        assertOnce();
    }

    @Test
    @DisplayName("S2: another zone carries the overdue fire, even if its rules are the same today")
    void otherZone() {
        moved(job -> job.zoneId("Africa/Abidjan"));
    }

    @Test
    @DisplayName("S2: startAt carries the overdue fire")
    void startAt() {
        moved(job -> job.startAt(at("10:30")));
    }

    @Test
    @DisplayName("S2: endAt carries the overdue fire")
    void endAt() {
        moved(job -> job.endAt(at("10:30")));
    }

    @Test
    @DisplayName("S2: spread carries the overdue fire")
    void spread() {
        moved(job -> job.spread(Duration.ofSeconds(20)));
    }

    @Test
    @DisplayName("S2: daylightSavingPolicy carries the overdue fire")
    void daylightSavingPolicy() {
        moved(job -> job.daylightSavingPolicy(DaylightSavingPolicy.SKIP));
    }

    @Test
    @DisplayName("S2: calendarPolicy carries the overdue fire")
    void calendarPolicy() {
        moved(job -> job.calendarPolicy(CalendarPolicy.NEXT_INCLUDED));
    }

    @Test
    @DisplayName("S2: a change of anything else leaves the overdue fires to the missed fire policy")
    void otherContents() {
        Scheduler user = down(minutely(), "4:30");
        user.scheduleJob(minutely().priority(1).build());
        assertThat(missed()).isEmpty();
        world.node("b");
        passTo("4:31");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("4:00"));
        assertThat(missed()).containsExactly(new MissedFires(at("1:00"), at("3:00"), 3, false));
    }

    @Test
    @DisplayName("S2: a change without an overdue fire carries none")
    void nothingOverdue() {
        Scheduler user = down(minutely(), "0:45");
        user.scheduleJob(minutely().schedulingSpecification(AT_FIVE).build());
        world.node("b");
        passTo("1:06");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("1:05"));
        assertThat(missed()).isEmpty();
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/NONE", "SCHEDULED/SUCCEEDED");
    }

    @Test
    @DisplayName("L43 S2: the fires that pass during a run of five fires survive a change during that run")
    void duringARun() {
        Machine a = world.node("a");
        world.work = call -> call.fire().equals(at("1:00")) ? slow(Duration.ofMinutes(5)) : good();
        a.scheduler().scheduleJob(minutely().build());
        passTo("5:30");
        a.scheduler().scheduleJob(minutely().schedulingSpecification(AT_FIVE).build());
        assertThat(missed()).containsExactly(new MissedFires(at("2:00"), at("4:00"), 3, false));
        passTo("6:06");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("1:00"), at("5:00"), at("6:05"));
        assertThat(world.calls.get(1).started()).isEqualTo(at("6:00"));
        assertOnce();
    }

    @Test
    @DisplayName("S2: a second change during the run replaces the carried fire by a newer one, and has a row of it")
    void twiceDuringARun() {
        Machine a = world.node("a");
        world.work = call -> call.fire().equals(at("1:00")) ? slow(Duration.ofMinutes(5)) : good();
        a.scheduler().scheduleJob(minutely().build());
        passTo("3:30");
        a.scheduler().scheduleJob(minutely().schedulingSpecification(AT_FIVE).build());
        passTo("5:30");
        a.scheduler()
                .scheduleJob(minutely().schedulingSpecification("15 * * * * ?").build());
        passTo("6:16");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("1:00"), at("5:05"), at("6:15"));
        assertThat(missed())
                .containsExactly(
                        new MissedFires(at("2:00"), at("2:00"), 1, false),
                        new MissedFires(at("3:00"), at("4:05"), 2, false));
        assertOnce();
    }

    /** A run by hand lasts from 0:30 to 1:40; a first change at 0:40 takes the fire of 1:00, a second one is made at 1:30. */
    private void twiceDuringAManualRun(String first) {
        Machine a = world.node("a");
        world.work = call -> world.calls.size() == 1 ? slow(Duration.ofSeconds(70)) : good();
        a.scheduler().scheduleJob(minutely().build());
        passTo("0:30");
        a.scheduler().runNow("j");
        passTo("0:40");
        a.scheduler().scheduleJob(minutely().schedulingSpecification(first).build());
        passTo("1:30");
        a.scheduler()
                .scheduleJob(minutely().schedulingSpecification("15 * * * * ?").build());
        passTo("2:16");
    }

    @Test
    @DisplayName("S2: a fire that a first change has taken is not told as missed by a second one")
    void takenByTheFirstChange() {
        twiceDuringAManualRun(AT_FIVE);
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("0:30"), at("1:05"), at("2:15"));
        assertThat(missed()).isEmpty();
        assertOnce();
    }

    @Test
    @DisplayName("S2: a fire that a first change has taken is not carried by a second one, which carries none")
    void notCarriedByTheSecondChange() {
        twiceDuringAManualRun("0 30 * * * ?");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("0:30"), at("2:15"));
        assertThat(missed()).isEmpty();
        assertOnce();
    }

    /** The fire of 1:00 is claimed a little before its time; then it becomes one of another schedule, and that is changed at the given time. */
    private void changedBetweenClaimAndFire(String schedule, String second) {
        user().scheduleJob(minutely().build());
        world.pass(Duration.ofMillis(59_900));
        user().scheduleJob(minutely().schedulingSpecification(schedule).build());
        passTo(second);
        user().scheduleJob(minutely().schedulingSpecification("15 * * * * ?").build());
    }

    @Test
    @DisplayName(
            "S2: a fire that runs, and that the schedule of a first change has, too, is not told as missed by a second one")
    void inProgressAndOfTheFirstChange() {
        world.node("a");
        world.work = call -> call.fire().equals(at("1:00")) ? slow(Duration.ofMinutes(2)) : good();
        changedBetweenClaimAndFire("0/30 * * * * ?", "2:45");
        passTo("3:16");
        assertThat(missed()).containsExactly(new MissedFires(at("1:30"), at("2:00"), 2, false));
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("1:00"), at("2:30"), at("3:15"));
        assertOnce();
    }

    @Test
    @DisplayName(
            "S2: a fire that the schedule of a first change has, too, and that was not started, is told as missed once")
    void notStartedAndOfTheFirstChange() {
        Machine a = nodeWithSlowThreads("a");
        changedBetweenClaimAndFire("0/2 * * * * ?", "1:03");
        a.scheduler().close();
        world.node("b");
        passTo("2:16");
        assertThat(missed()).containsExactly(new MissedFires(at("1:00"), at("1:00"), 1, false));
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("1:02"), at("1:15"), at("2:15"));
        assertOnce();
    }

    @Test
    @DisplayName("S2: a second change while all nodes are down replaces the carried fire, too")
    void twiceWhileDown() {
        Scheduler user = down(minutely(), "3:30");
        user.scheduleJob(minutely().schedulingSpecification(AT_FIVE).build());
        passTo("5:30");
        user.scheduleJob(minutely().schedulingSpecification("15 * * * * ?").build());
        world.node("b");
        passTo("6:16");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("5:05"), at("6:15"));
        assertThat(missed())
                .containsExactly(
                        new MissedFires(at("1:00"), at("2:00"), 2, false),
                        new MissedFires(at("3:00"), at("4:05"), 2, false));
        assertOnce();
    }

    @Test
    @DisplayName("S2: a second change at which nothing else is overdue leaves the carried fire")
    void carriedAgain() {
        Scheduler user = down(minutely(), "3:30");
        user.scheduleJob(minutely().schedulingSpecification(AT_FIVE).build());
        passTo("3:45");
        user.scheduleJob(minutely().schedulingSpecification("15 * * * * ?").build());
        world.node("b");
        passTo("4:16");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("3:00"), at("4:15"));
        assertThat(missed()).hasSize(1);
        assertOnce();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(MissedFirePolicy.Kind.class)
    @DisplayName(
            "S2, R4: fires of the new schedule that pass before the carried one has run are judged together with it")
    void carriedTooLong(MissedFirePolicy.Kind kind) {
        Scheduler user = down(minutely().missedFirePolicy(policy(kind)), "3:30");
        user.scheduleJob(minutely()
                .missedFirePolicy(policy(kind))
                .schedulingSpecification(AT_FIVE)
                .build());
        passTo("6:06");
        world.node("b");
        passTo("6:07");
        if (kind == MissedFirePolicy.Kind.RUN_ALL) {
            assertThat(world.calls)
                    .extracting(Call::fire)
                    .containsExactly(at("3:00"), at("4:05"), at("5:05"), at("6:05"));
            assertThat(missed()).hasSize(1);
        } else {
            if (kind == MissedFirePolicy.Kind.RUN_LATEST) {
                assertThat(world.calls).extracting(Call::fire).containsExactly(at("6:05"));
            }
            assertThat(missed().get(1).first()).isEqualTo(at("3:00"));
        }
        assertOnce();
    }

    @Test
    @DisplayName("L03 S2: a retry is finished first, with the new contents; then the new schedule follows")
    void pendingRetry() {
        Machine a = world.node("a");
        world.work = call -> call.fire().equals(at("1:00")) ? bad() : good();
        a.scheduler().scheduleJob(minutely().retryPolicy("R1/PT10S").build());
        passTo("1:05");
        a.scheduler()
                .scheduleJob(minutely()
                        .retryPolicy("R1/PT10S")
                        .schedulingSpecification("20 * * * * ?")
                        .build());
        passTo("1:21");
        assertThat(world.calls)
                .extracting(call -> call.fire() + " " + call.attempt())
                .containsExactly(at("1:00") + " 1", at("1:00") + " 2", at("1:20") + " 1");
        assertRows(
                "j",
                "SCHEDULED/NONE",
                "SCHEDULED/ATTEMPT_FAILED",
                "SCHEDULED/NONE",
                "FAILED/RETRIES_EXHAUSTED",
                "SCHEDULED/SUCCEEDED");
    }

    @Test
    @DisplayName("L44 S2: an attempt that fails after the change of a recurrence is retried")
    void failsAfterTheChange() {
        Machine a = world.node("a");
        world.work = call -> call.attempt() == 1 ? slow(Duration.ofSeconds(90)).thenCompose(nothing -> bad()) : good();
        a.scheduler().scheduleJob(minutely().retryPolicy("R1/PT10S").build());
        passTo("2:20");
        a.scheduler()
                .scheduleJob(minutely()
                        .retryPolicy("R1/PT10S")
                        .schedulingSpecification("20 * * * * ?")
                        .build());
        passTo("2:41");
        assertThat(world.calls)
                .extracting(call -> call.fire() + " " + call.attempt())
                .containsExactly(at("1:00") + " 1", at("1:00") + " 2", at("2:00") + " 1");
        assertThat(missed()).isEmpty();
    }

    @Test
    @DisplayName("S2: a postponed fire is finished first, and then what passed before the change")
    void postponed() {
        Machine a = world.node("a");
        world.work = call -> world.calls.size() == 1
                ? java.util.concurrent.CompletableFuture.failedFuture(
                        new dev.almanac.helper.PostponeException(at("2:30"), "later"))
                : good();
        a.scheduler().scheduleJob(minutely().build());
        passTo("2:20");
        a.scheduler()
                .scheduleJob(minutely().schedulingSpecification("40 * * * * ?").build());
        passTo("2:41");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("1:00"), at("1:00"), at("2:00"), at("2:40"));
        assertThat(missed()).isEmpty();
    }

    @Test
    @DisplayName("S2: an abandoned run is run again first, and then what passed before the change")
    void abandoned() {
        Machine a = world.node("a");
        world.work = call -> call.node().equals("a") ? endless() : good();
        a.scheduler().scheduleJob(minutely().build());
        passTo("1:10");
        kill(a);
        passTo("3:30");
        user().scheduleJob(minutely().schedulingSpecification("40 * * * * ?").build());
        world.node("b");
        passTo("3:41");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("1:00"), at("1:00"), at("3:00"), at("3:40"));
        assertThat(missed()).containsExactly(new MissedFires(at("2:00"), at("2:00"), 1, false));
    }

    @Test
    @DisplayName("S2: a failure command that is owed is delivered first, and then what passed before the change")
    void owing() {
        Machine a = world.node("a");
        world.work =
                call -> world.calls.size() == 1 ? slow(Duration.ofSeconds(80)).thenCompose(x -> bad()) : good();
        a.scheduler()
                .scheduleJob(minutely()
                        .failureCommand(new World.Note("sorry"))
                        .failureIdentifier("sorry")
                        .build());
        passTo("2:10");
        a.scheduler()
                .scheduleJob(minutely()
                        .failureCommand(new World.Note("sorry"))
                        .failureIdentifier("sorry")
                        .schedulingSpecification("40 * * * * ?")
                        .build());
        passTo("2:41");
        assertThat(rows("j"))
                .extracting(JobExecutionStatus::outcome)
                .contains(Outcome.RETRIES_EXHAUSTED, Outcome.FAILURE_DELIVERED);
        assertThat(world.calls).extracting(Call::fire).contains(at("2:00"), at("2:40"));
        assertThat(missed()).isEmpty();
    }

    @Test
    @DisplayName("S1: a release that writes the same rate in turn as PT1M and PT60S moves no fire")
    void sameRate() {
        Machine a = world.node("a");
        var spec = job("j").applicationTag("app");
        for (int i = 0; i < 6; i++) {
            a.scheduler()
                    .reconcile(
                            "app",
                            List.of(spec.every(i % 2 == 0 ? "PT1M" : "PT60S").build()),
                            false);
            pass(40_000);
        }
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("1:00"), at("2:00"), at("3:00"), at("4:00"));
        assertThat(document("j").specification().version()).isEqualTo(1);
    }

    @Test
    @DisplayName("L02 S2: a one-off that is moved runs at its new moment only, and its row says from where to where")
    void oneOff() {
        Scheduler user = down(job("j").singleSchedule(at("1:00")), "3:30");
        user.scheduleJob(job("j").singleSchedule(at("4:00")).build());
        world.node("b");
        passTo("4:01");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("4:00"));
        assertThat(missed()).isEmpty();
        assertThat(rows("j").get(1).detail()).contains("its fire moves from " + at("1:00") + " to " + at("4:00"));
    }

    @Test
    @DisplayName("L98 S2: a one-off that becomes recurring runs at its passed moment, then by the schedule")
    void becomesRecurring() {
        Scheduler user = down(job("j").singleSchedule(at("1:00")), "3:30");
        user.scheduleJob(minutely().applicationTag(null).build());
        world.node("b");
        passTo("4:01");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("1:00"), at("4:00"));
        assertThat(missed()).isEmpty();
        assertOnce();
    }

    @Test
    @DisplayName("S2: a one-off whose moment lies ahead and that becomes recurring has one schedule, the new one")
    void becomesRecurringEarly() {
        Scheduler user = down(job("j").singleSchedule(at("4:30")), "3:30");
        user.scheduleJob(minutely().applicationTag(null).build());
        world.node("b");
        passTo("4:31");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("4:00"));
    }

    @Test
    @DisplayName("L98 S2: a recurrence that becomes a one-off runs its passed fire, then at its moment, and is over")
    void becomesOneOff() {
        Scheduler user = down(minutely(), "3:30");
        user.scheduleJob(
                job("j").applicationTag("app").singleSchedule(at("4:10")).build());
        world.node("b");
        passTo("6:00");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("3:00"), at("4:10"));
        assertThat(missed()).containsExactly(new MissedFires(at("1:00"), at("2:00"), 2, false));
        assertFinished("j");
    }

    @Test
    @DisplayName("S2: of a fixed delay at most the planned fire is carried; the next is counted from its end")
    void afterEnd() {
        Scheduler user = down(job("j").everyAfterEnd(Duration.ofMinutes(1)), "4:30");
        user.scheduleJob(job("j").everyAfterEnd(Duration.ofSeconds(40)).build());
        world.node("b");
        passTo("5:11");
        assertThat(world.calls).extracting(Call::fire).hasSize(2).startsWith(at("1:00"));
        assertThat(world.calls.get(1).fire())
                .as("40 s after the end of the carried run")
                .isBetween(at("5:10"), at("5:11"));
        assertThat(missed()).isEmpty();
    }

    @Test
    @DisplayName("S2, C5: a job whose calendars leave no fire behind the carried one is blocked, and not over")
    void closedBehindTheCarriedFire() {
        Machine a =
                world.node("a", world.store, Duration.ZERO, builder -> builder.calendarReader(MinuteCalendar::read));
        a.scheduler().calendars().put("bank", excluding("59"));
        a.scheduler().scheduleJob(minutely().calendar("bank").build());
        pass(30_000);
        kill(a);
        passTo("3:30");
        Scheduler user = world.client(builder -> builder.calendarReader(MinuteCalendar::read));
        user.scheduleJob(
                minutely().calendar("bank").schedulingSpecification(AT_FIVE).build());
        user.calendars().put("bank", excluding("0-59"));
        world.node("b", world.store, Duration.ZERO, builder -> builder.calendarReader(MinuteCalendar::read));
        passTo("3:50");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("3:00"));
        assertThat(document("j").blockedReason()).contains("no fire");
    }

    @Test
    @DisplayName("L98 S2: a paused job keeps its carried fire until it is resumed")
    void paused() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(minutely().build());
        a.scheduler().pause(PauseScope.job("j"), new Pause("holiday", "tests", null));
        passTo("3:30");
        a.scheduler().scheduleJob(minutely().schedulingSpecification(AT_FIVE).build());
        passTo("3:50");
        assertThat(world.calls).isEmpty();
        a.scheduler().resume(PauseScope.job("j"));
        passTo("4:06");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("3:00"), at("4:05"));
        assertThat(missed()).containsExactly(new MissedFires(at("1:00"), at("2:00"), 2, false));
        assertOnce();
    }

    @Test
    @DisplayName("L98 S2: a blocked job keeps its carried fire, and an update with it lets it run")
    void blocked() {
        Machine a = nodeOfNewRelease("a");
        a.scheduler().scheduleJob(minutely().triggerCommand(UNREADABLE).build());
        passTo("3:30");
        assertThat(document("j").blocked()).isNotNull();
        a.scheduler().scheduleJob(minutely().schedulingSpecification(AT_FIVE).build());
        passTo("3:31");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("3:00"));
        assertThat(missed()).containsExactly(new MissedFires(at("1:00"), at("2:00"), 2, false));
        assertOnce();
    }

    @Test
    @DisplayName("L99 S2: a fire whose claim was not started runs, or is missed in favour of a newer one")
    void duringAManualRun() {
        Machine a = world.node("a");
        world.work = call -> world.calls.size() == 1 ? slow(Duration.ofSeconds(130)) : good();
        a.scheduler().scheduleJob(minutely().build());
        passTo("0:30");
        a.scheduler().runNow("j");
        passTo("2:30");
        a.scheduler().scheduleJob(minutely().schedulingSpecification(AT_FIVE).build());
        passTo("3:00");
        assertThat(world.calls).hasSize(2).last().extracting(Call::fire).isEqualTo(at("2:00"));
        assertThat(missed()).containsExactly(new MissedFires(at("1:00"), at("1:00"), 1, false));
        passTo("3:06");
        assertThat(world.calls).last().extracting(Call::fire).isEqualTo(at("3:05"));
        assertThat(missed()).hasSize(1);
    }

    @Test
    @DisplayName("S2: an edit of a calendar, or a start of a node, moves no carried fire")
    void nothingMovesIt() {
        down(minutely(), "3:30");
        UnaryOperator<SchedulerBuilder> reading = builder -> builder.calendarReader(MinuteCalendar::read);
        Scheduler user = world.client(reading);
        user.calendars().put("bank", excluding("30"));
        user.scheduleJob(minutely()
                .calendar("bank")
                .schedulingSpecification("5/30 * * * * ?")
                .build());
        user.calendars().put("bank", excluding("0-4"));
        passTo("3:34");
        world.node("b", world.store, Duration.ZERO, reading);
        passTo("3:40");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("3:00"));
        passTo("5:36");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("3:00"), at("5:05"), at("5:35"));
        assertThat(missed()).containsExactly(new MissedFires(at("1:00"), at("2:00"), 2, false));
        assertOnce();
    }

    @Test
    @DisplayName(
            "S2: an edit of a calendar leaves alone a change that is noted, and the fire that had passed before it")
    void editBehindANotedChange() {
        UnaryOperator<SchedulerBuilder> reading = builder -> builder.calendarReader(MinuteCalendar::read);
        Machine a = world.node("a", world.store, Duration.ZERO, reading);
        world.work = call -> world.calls.size() == 1 ? endless() : good();
        Scheduler user = world.client(reading);
        user.calendars().put("bank", excluding("30"));
        user.scheduleJob(minutely().calendar("bank").build());
        passTo("0:30");
        user.runNow("j");
        passTo("1:10");
        user.scheduleJob(minutely()
                .calendar("bank")
                .schedulingSpecification("0 20 * * * ?")
                .build());
        user.pause(PauseScope.job("j"), new Pause("why", "who", null));
        kill(a);
        world.node("b", world.store, Duration.ZERO, reading);
        passTo("2:30");
        user.calendars().put("bank", excluding("31"));
        passTo("2:40");
        user.resume(PauseScope.job("j"));
        passTo("3:40");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("0:30"), at("0:30"), at("1:00"));
        passTo("20:01");
        assertThat(world.calls).last().extracting(Call::fire).isEqualTo(at("20:00"));
    }

    @Test
    @DisplayName("M3: maxFires bounds a recurrence: one that becomes a one-off after its last fire runs at its moment")
    void oneOffBehindMaxFires() {
        world.node("a");
        world.work = call -> call.fire().equals(at("1:00")) ? slow(Duration.ofSeconds(30)) : good();
        user().scheduleJob(minutely().maxFires(1).build());
        passTo("1:10");
        user().scheduleJob(job("j").applicationTag("app")
                .singleSchedule(at("3:00"))
                .maxFires(1)
                .build());
        passTo("3:01");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("1:00"), at("3:00"));
        assertThat(document("j").isLive()).isFalse();
    }

    @Test
    @DisplayName("S2: a carried fire counts for maxFires")
    void maxFires() {
        Scheduler user = down(minutely().maxFires(2), "3:30");
        user.scheduleJob(minutely().maxFires(2).schedulingSpecification(AT_FIVE).build());
        world.node("b");
        passTo("6:00");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("3:00"), at("4:05"));
        assertFinished("j");
    }

    @Test
    @DisplayName("S2: a carried fire that fails is retried, and the new schedule goes on from the change")
    void carriedFails() {
        Scheduler user = down(minutely(), "3:30");
        world.work = call -> call.attempt() == 1 && call.fire().equals(at("3:00")) ? bad() : good();
        user.scheduleJob(minutely()
                .retryPolicy("R1/PT1S")
                .schedulingSpecification("30/10 * * * * ?")
                .build());
        world.node("b");
        passTo("3:41");
        assertThat(world.calls)
                .extracting(call -> call.fire() + " " + call.attempt())
                .containsExactly(at("3:00") + " 1", at("3:00") + " 2", at("3:40") + " 1");
    }

    @Test
    @DisplayName("S15: a startAt that is not in the future is no bound and no part of the content")
    void pastStartAt() {
        Machine a = world.node("a");
        for (int i = 0; i < 5; i++) {
            a.scheduler()
                    .scheduleJob(
                            job("j").every("PT6M").startAt(world.time.wall()).build());
            pass(120_000);
        }
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("6:00"));
        assertThat(document("j").specification().version()).isEqualTo(1);
    }

    @Test
    @DisplayName("S15: a startAt that was in the future when it was stored, and is past now, makes no change either")
    void passedStartAt() {
        Machine a = world.node("a");
        var spec = job("j").every("PT6M").startAt(at("1:00"));
        a.scheduler().scheduleJob(spec.build());
        passTo("2:00");
        a.scheduler().scheduleJob(spec.build());
        a.scheduler().scheduleJob(job("j").every("PT6M").build());
        a.scheduler().scheduleJob(spec.startAt(at("1:30")).build());
        passTo("7:01");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("1:00"), at("7:00"));
        assertThat(document("j").specification().version()).isEqualTo(1);
    }

    @Test
    @DisplayName("S2: another city carries the overdue fire, even if its clocks show the same")
    void otherCity() {
        Scheduler user = down(minutely().zoneId(ZoneId.of("Europe/Brussels")), "4:30");
        user.updateJob(minutely().zoneId(ZoneId.of("Europe/Paris")).build());
        world.node("b");
        passTo("4:31");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("4:00"));
        assertThat(missed()).containsExactly(new MissedFires(at("1:00"), at("3:00"), 3, false));
    }
}
