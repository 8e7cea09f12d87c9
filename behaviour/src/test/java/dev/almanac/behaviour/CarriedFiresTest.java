package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.FirstFire;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A fire that a change of the schedule has carried, and what comes in its way (rules S2, S3, S4, C5). */
class CarriedFiresTest extends LifecycleFixture {
    private static JobSpecificationBuilder minutely() {
        return job("j").schedulingSpecification("0 * * * * ?");
    }

    /** So many minutes and seconds after START. */
    private static Instant at(String time) {
        String[] parts = time.split(":");
        return START.plus(Duration.ofMinutes(Long.parseLong(parts[0])).plusSeconds(Long.parseLong(parts[1])));
    }

    private Scheduler user() {
        return world.client(builder -> builder.calendarReader(MinuteCalendar::read));
    }

    private void passTo(String time) {
        world.pass(Duration.between(world.time.wall(), at(time)));
    }

    /** The job is stored at START; all nodes are down from 30 s later until the given time. */
    private Scheduler down(JobSpecificationBuilder job, String until) {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(job.build());
        pass(30_000);
        kill(a);
        passTo(until);
        return user();
    }

    private List<MissedFires> missed() {
        return rows("j").stream()
                .filter(row -> row.missed() != null)
                .map(JobExecutionStatus::missed)
                .toList();
    }

    @Test
    @DisplayName("S2, S4: a change of the schedule gives a fire that was due before it no new deadline")
    void carriedTooLate() {
        Scheduler user = down(minutely().missedFirePolicy(MissedFirePolicy.SKIP), "3:50");
        user.scheduleJob(job("j").schedulingSpecification("30 * * * * ?")
                .missedFirePolicy(MissedFirePolicy.SKIP)
                .startDeadline(Duration.ofSeconds(45))
                .build());
        assertThat(newest("j").detail()).contains("has passed").doesNotContain("runs first");
        world.node("b");
        passTo("5:00");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("4:30"));
        assertThat(missed())
                .containsExactly(
                        new MissedFires(at("1:00"), at("2:00"), 2, false),
                        new MissedFires(at("3:00"), at("3:00"), 1, false, MissedFires.Reason.TOO_LATE));
    }

    @Test
    @DisplayName("S4: the carried fire of a job that became a one-off starts within its deadline or is missed")
    void oneOffDeadline() {
        Scheduler user = down(minutely(), "3:30");
        user.scheduleJob(job("j").singleSchedule(at("8:10"))
                .startDeadline(Duration.ofMinutes(1))
                .build());
        passTo("6:00");
        world.node("b");
        passTo("8:11");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("8:10"));
        assertThat(missed())
                .containsExactly(
                        new MissedFires(at("1:00"), at("2:00"), 2, false),
                        new MissedFires(at("3:00"), at("3:00"), 1, false, MissedFires.Reason.TOO_LATE));
        assertFinished("j");
    }

    @Test
    @DisplayName("S4: a one-off that has passed beside its carried fire starts within its deadline or fails")
    void oneOffDeadlineOver() {
        Scheduler user = down(minutely(), "3:30");
        user.scheduleJob(job("j").singleSchedule(at("4:10"))
                .startDeadline(Duration.ofMinutes(1))
                .build());
        passTo("6:00");
        world.node("b");
        passTo("6:10");
        assertThat(world.calls).isEmpty();
        assertThat(missed()).hasSize(2);
        assertFinished("j");
        assertThat(newest("j").outcome()).isEqualTo(Outcome.EXPIRED);
    }

    @Test
    @DisplayName(
            "S4: a one-off at the instant of its carried fire fails once, with its failure command, if that is too late")
    void oneOffDeadlineOverAtOnce() {
        Scheduler user = down(minutely(), "1:20");
        user.pause(PauseScope.job("j"), Pause.because("a look at it").until(at("10:00")));
        user.scheduleJob(job("j").singleSchedule(at("1:00"))
                .startDeadline(Duration.ofMinutes(5))
                .failureCommand(new World.Note("sorry"))
                .failureIdentifier("sorry")
                .build());
        world.node("b");
        passTo("9:58");
        // bounded: a claim that is decided again and again takes steps and no time
        assertThatThrownBy(() -> world.lanes.runUntilIdle(10_000)).hasMessageStartingWith("not idle");
        assertThat(world.time.wall()).isAfter(at("11:00"));
        assertFinished("j");
        assertThat(rows("j"))
                .extracting(JobExecutionStatus::outcome)
                .containsOnlyOnce(Outcome.EXPIRED)
                .endsWith(Outcome.EXPIRED, Outcome.FAILURE_DELIVERED)
                .doesNotContain(Outcome.MISSED, Outcome.SUCCEEDED);
        assertThat(world.calls).hasSize(1);
    }

    @Test
    @DisplayName("S2: a fixed delay counts from the end of the carried run, and plans no fire before that")
    void afterEndWaits() {
        Scheduler user = down(minutely(), "3:30");
        user.scheduleJob(job("j").everyAfterEnd(Duration.ofSeconds(40)).build());
        passTo("6:00");
        world.node("b");
        passTo("6:01");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("3:00"));
        assertThat(missed()).containsExactly(new MissedFires(at("1:00"), at("2:00"), 2, false));
    }

    @Test
    @DisplayName("S15: the first fire of a fixed delay that waits for a node is run, and nothing in its place")
    void afterEndNow() {
        Scheduler user = user();
        user.scheduleJob(job("j").everyAfterEnd(Duration.ofSeconds(40))
                .firstFire(FirstFire.NOW)
                .build());
        passTo("3:00");
        world.node("b");
        passTo("3:01");
        assertThat(world.calls).extracting(Call::fire).containsExactly(at("0:00"));
        assertThat(missed()).isEmpty();
    }

    /** At 4:10 its fire of 1:00 is still running, for ten seconds; later ones end at once. */
    private Machine inLongFire(JobSpecificationBuilder job) {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(job.build());
        world.work = call -> slow(Duration.ofSeconds(200));
        passTo("4:10");
        world.work = call -> good();
        return a;
    }

    private long missedFires() {
        return missed().stream().mapToLong(MissedFires::count).sum();
    }

    private List<Instant> fires() {
        return world.calls.stream().map(Call::fire).toList();
    }

    @Test
    @DisplayName(
            "S2: a run by hand is not the last fire of maxFires: of those that pass during it the newest is carried")
    void byHandBeforeLast() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(minutely().maxFires(1).build());
        passTo("0:10");
        world.work = call -> slow(Duration.ofSeconds(200));
        a.scheduler().runNow("j");
        passTo("3:20");
        world.work = call -> good();
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("45 * * * * ?")
                        .maxFires(1)
                        .build());
        passTo("6:00");
        assertThat(fires()).hasSize(2).endsWith(at("3:00"));
        assertThat(missedFires()).as("1:00 and 2:00").isEqualTo(2);
        assertFinished("j");
    }

    @Test
    @DisplayName(
            "S2: a change that allows more fires than the one in progress carries the newest that has passed during it")
    void moreThanTheLast() {
        Machine a = inLongFire(minutely().maxFires(1));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("30 * * * * ?").build());
        passTo("6:00");
        assertThat(fires()).containsExactly(at("1:00"), at("4:00"), at("4:30"), at("5:30"));
        assertThat(missed()).containsExactly(new MissedFires(at("2:00"), at("3:00"), 2, false));
    }

    @Test
    @DisplayName(
            "S2: a change that makes the fire in progress the last records those that have passed during it as missed")
    void fewerThanPassed() {
        Machine a = inLongFire(minutely());
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("30 * * * * ?")
                        .maxFires(1)
                        .build());
        passTo("6:00");
        assertThat(fires()).containsExactly(at("1:00"));
        assertThat(missedFires()).as("2:00 to 4:00").isEqualTo(3);
        assertFinished("j");
    }

    @Test
    @DisplayName(
            "S2: a change behind a noted cancel does not promise the fire that has passed; who schedules again does")
    void behindCancel() {
        Machine a = inLongFire(minutely());
        a.scheduler().cancelJob("j");
        a.scheduler().updateJob(job("j").schedulingSpecification("30 * * * * ?").build());
        assertThat(newest("j").detail()).contains("has passed, and is cancelled with the job");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("45 * * * * ?").build());
        assertThat(newest("j").detail()).contains("has passed, and runs after the one in progress");
        passTo("6:00");
        assertThat(fires()).startsWith(at("1:00"), at("4:00"), at("4:45"));
    }

    @Test
    @DisplayName("S2: a lower maxFires that leaves all that the policy runs of the passed fires drops none of these")
    void leavesWhatThePolicyRuns() {
        Scheduler user =
                down(minutely().missedFirePolicy(MissedFirePolicy.runAll(2)).maxFires(9), "6:30");
        user.scheduleJob(minutely()
                .missedFirePolicy(MissedFirePolicy.runAll(2))
                .maxFires(3)
                .build());
        world.node("b");
        passTo("8:30");
        assertThat(fires()).containsExactly(at("5:00"), at("6:00"), at("7:00"));
        assertFinished("j");
    }

    @Test
    @DisplayName("S2: a change of maxFires alone that ends the job before a carried fire records that as missed")
    void endsBeforeCarried() {
        Machine a = inLongFire(minutely());
        JobSpecificationBuilder changed = job("j").schedulingSpecification("30 * * * * ?");
        a.scheduler().scheduleJob(changed.build());
        passTo("4:12");
        a.scheduler().scheduleJob(changed.maxFires(1).build());
        passTo("6:00");
        assertThat(fires()).containsExactly(at("1:00"));
        assertThat(missedFires()).as("2:00 to 4:00").isEqualTo(3);
        assertFinished("j");
    }

    /** What the account says of each minute, such as {@code 3 RAN}. */
    private List<String> accounts() {
        return user().fires("j", START).orElseThrow().accounts().stream()
                .flatMap(account -> LongStream.range(0, account.count())
                        .mapToObj(n ->
                                Duration.between(START, account.fireTime()).toMinutes() + n + " " + account.kind()))
                .toList();
    }

    @Test
    @DisplayName(
            "S2, S22: a change of maxFires alone that makes the fire in progress the last records those that have passed during it as missed")
    void lastByMaxFires() {
        Machine a = inLongFire(minutely().maxFires(10));
        a.scheduler().scheduleJob(minutely().maxFires(1).build());
        passTo("4:18");
        assertThat(fires()).containsExactly(at("1:00"));
        assertThat(accounts()).containsExactly("1 WAITING", "2 MISSED", "3 MISSED", "4 MISSED");
        passTo("6:00");
        assertThat(fires()).containsExactly(at("1:00"));
        assertThat(missed()).containsExactly(new MissedFires(at("2:00"), at("4:00"), 3, false));
        assertFinished("j");
        assertThat(accounts()).containsExactly("1 RAN", "2 MISSED", "3 MISSED", "4 MISSED");
    }

    @Test
    @DisplayName("S2, S15: a change of maxFires alone brings no fire at once, and misses none that has not passed")
    void lastByMaxFiresOfNow() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofSeconds(100));
        JobSpecificationBuilder job = minutely().firstFire(FirstFire.NOW);
        a.scheduler().scheduleJob(job.build());
        passTo("1:10");
        a.scheduler().scheduleJob(job.maxFires(1).build());
        passTo("4:00");
        assertThat(fires()).containsExactly(at("0:00"));
        assertThat(missed()).containsExactly(new MissedFires(at("1:00"), at("1:00"), 1, false));
        assertFinished("j");
    }

    @Test
    @DisplayName("S2: a change of maxFires that is taken back during the run leaves what was missed, and the next fire")
    void lastByMaxFiresTakenBack() {
        Machine a = inLongFire(minutely().maxFires(10));
        a.scheduler().scheduleJob(minutely().maxFires(1).build());
        passTo("4:12");
        a.scheduler().scheduleJob(minutely().maxFires(2).build());
        passTo("7:00");
        assertThat(fires()).containsExactly(at("1:00"), at("5:00"));
        assertThat(missed()).containsExactly(new MissedFires(at("2:00"), at("4:00"), 3, false));
        assertFinished("j");
    }

    @ParameterizedTest
    @CsvSource({"RUN_ALL, 1", "RUN_ALL, 2", "RUN_ALL, 4", "GRACE, 1", "GRACE, 2", "RUN_LATEST, 1", "RUN_LATEST, 2"})
    @DisplayName(
            "S2, S22: a lower maxFires than fires have passed lets as many run, and each other is on record as missed")
    void fewerThanWait(String policy, int most) {
        JobSpecificationBuilder job = switch (policy) {
            case "RUN_ALL" -> minutely().missedFirePolicy(MissedFirePolicy.RUN_ALL);
            case "GRACE" -> minutely().missedFireGrace(Duration.ofMinutes(10));
            default -> minutely();
        };
        Scheduler user = down(job.maxFires(10), "4:50");
        user.scheduleJob(job.maxFires(most).build());
        world.node("b");
        passTo("7:00");
        assertThat(fires()).hasSize(most).contains(at("4:00"));
        assertFinished("j");
        long last = Duration.between(START, fires().get(most - 1)).toMinutes();
        assertThat(accounts())
                .containsExactlyElementsOf(LongStream.rangeClosed(1, last)
                        .mapToObj(minute -> minute + (fires().contains(at(minute + ":00")) ? " RAN" : " MISSED"))
                        .toList());
    }

    @Test
    @DisplayName(
            "S2: a lower maxFires during a run leaves the newest of those that have passed, and records the others")
    void fewerThanWaitDuringRun() {
        Machine a =
                inLongFire(minutely().missedFirePolicy(MissedFirePolicy.RUN_ALL).maxFires(10));
        a.scheduler()
                .scheduleJob(minutely()
                        .missedFirePolicy(MissedFirePolicy.RUN_ALL)
                        .maxFires(2)
                        .build());
        passTo("6:00");
        assertThat(fires()).containsExactly(at("1:00"), at("4:00"));
        assertThat(missed()).containsExactly(new MissedFires(at("2:00"), at("3:00"), 2, false));
        assertFinished("j");
        assertThat(accounts()).containsExactly("1 RAN", "2 MISSED", "3 MISSED", "4 RAN");
    }

    @Test
    @DisplayName(
            "S15: the fire at once of a change that is made during a run by hand comes after it, and counts for maxFires")
    void nowDuringRunByHand() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0 * * * ?")
                        .maxFires(1)
                        .build());
        passTo("0:10");
        world.work = call -> slow(Duration.ofSeconds(20));
        a.scheduler().runNow("j");
        passTo("0:15");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 30 * * * ?")
                        .firstFire(FirstFire.NOW)
                        .maxFires(1)
                        .build());
        world.work = call -> good();
        passTo("40:00");
        assertThat(fires()).hasSize(2).endsWith(at("0:15"));
        assertThat(missed()).isEmpty();
        assertFinished("j");
    }
}
