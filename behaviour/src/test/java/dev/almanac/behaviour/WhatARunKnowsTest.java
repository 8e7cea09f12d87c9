package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.helper.Execution;
import dev.almanac.model.Actor;
import dev.almanac.model.IfExists;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Pause;
import dev.almanac.time.CalendarPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a run may know of itself, and ask for (rule S6), over memory and a real server. */
class WhatARunKnowsTest extends LifecycleFixture {
    /** One run, by what its execution has answered. */
    private record Seen(
            Instant fire,
            @Nullable Instant nominal,
            @Nullable Instant next,
            int attempt,
            int recovering,
            @Nullable MissedFires missed,
            @Nullable Actor manual,
            boolean backfill,
            @Nullable Duration late) {}

    private final List<Seen> seen = new ArrayList<>();

    @BeforeEach
    void look() {
        world.begun = run -> seen.add(of(run));
    }

    private static Seen of(Execution run) {
        assertThat(run.overThreshold().isPresent()).isEqualTo(run.late());
        return new Seen(
                run.fireTime(),
                run.nominalFireTime().orElse(null),
                run.nextFireTime().orElse(null),
                run.attempt(),
                run.recovering(),
                run.missedBefore().orElse(null),
                run.manual().orElse(null),
                run.backfill(),
                run.overThreshold().orElse(null));
    }

    private static Seen plain(Instant fire, @Nullable Instant next) {
        return new Seen(fire, null, next, 1, 0, null, null, false, null);
    }

    private static Instant minute(int minute) {
        return START.plus(Duration.ofMinutes(minute));
    }

    @Test
    @DisplayName(
            "S6: a plain run knows its fire and the one that follows, until none is left; it was asked for by nobody")
    void plain() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?")
                        .maxFires(2)
                        .build());
        a.scheduler().scheduleJob(job("once").singleSchedule(minute(5)).build());
        world.pass(Duration.ofMinutes(6));
        assertThat(seen).containsExactly(plain(minute(1), minute(2)), plain(minute(2), null), plain(minute(5), null));
    }

    @Test
    @DisplayName("S6: a fire that a calendar has moved keeps its nominal time; a fixed delay has no next fire yet")
    void nominal() {
        Machine a = world.node(
                "a", world.store, Duration.ZERO, builder -> builder.calendar("closed", closedUntil(minute(3))));
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(minute(1))
                        .calendar("closed")
                        .calendarPolicy(CalendarPolicy.NEXT_INCLUDED)
                        .build());
        world.pass(Duration.ofMinutes(4));
        a.scheduler().scheduleJob(job("d").everyAfterEnd(Duration.ofMinutes(1)).build());
        world.pass(Duration.ofSeconds(61));
        assertThat(seen).extracting(Seen::nominal).containsExactly(minute(1), null);
        assertThat(seen).extracting(Seen::next).containsExactly(null, null);
    }

    @Test
    @DisplayName("S6, S2: fires that a change of the schedule has found missed are told to the run of the carried one")
    void missedBeforeAChange() {
        Scheduler user = client();
        user.scheduleJob(job("j").schedulingSpecification("0 * * * * ?").build());
        world.pass(Duration.ofSeconds(210));
        user.scheduleJob(job("j").schedulingSpecification("5 * * * * ?").build());
        world.node("a");
        world.pass(Duration.ofSeconds(5));
        assertThat(seen).extracting(Seen::fire).containsExactly(minute(3));
        assertThat(seen).extracting(Seen::missed).containsExactly(new MissedFires(minute(1), minute(2), 2, false));
    }

    @ParameterizedTest
    @CsvSource({"368, 365, 4, 300", "390, 430, 5, 365"})
    @DisplayName(
            "S6, S2: fires that changes during a run have found missed are told to the run of the carried one, or of the one that replaces it, and to no later one")
    void missedBeforeChangesDuringARun(int lasts, int fire, int count, int last) {
        Machine a = world.node("a");
        world.work = call -> call.fire().equals(minute(1)) ? slow(Duration.ofSeconds(lasts)) : good();
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?").build());
        world.pass(Duration.ofSeconds(330));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("5 * * * * ?").build());
        world.pass(Duration.ofSeconds(90));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("10 * * * * ?").build());
        world.pass(Duration.ofSeconds(400));
        assertThat(seen).extracting(Seen::fire).startsWith(minute(1), START.plusSeconds(fire));
        assertThat(seen)
                .extracting(Seen::missed)
                .startsWith(null, new MissedFires(minute(2), START.plusSeconds(last), count, false));
        assertThat(seen.subList(2, seen.size())).extracting(Seen::missed).containsOnlyNulls();
    }

    @Test
    @DisplayName(
            "S6, S2: a fire that waits behind a run by hand is told with the others that a change during it has found")
    void missedBehindARunByHand() {
        Machine a = world.node("a");
        world.work = call -> world.calls.size() == 1 ? slow(Duration.ofSeconds(260)) : good();
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?").build());
        world.pass(Duration.ofSeconds(30));
        a.scheduler().runNow("j");
        world.pass(Duration.ofSeconds(220));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("10 * * * * ?").build());
        world.pass(Duration.ofSeconds(250));
        assertThat(seen.get(1))
                .extracting(Seen::fire, Seen::missed)
                .containsExactly(minute(4), new MissedFires(minute(1), minute(3), 3, false));
        assertThat(seen.subList(2, seen.size())).extracting(Seen::missed).containsOnlyNulls();
    }

    @Test
    @DisplayName("S6, S2: a retry behind a change of the schedule knows the fire that follows by that change")
    void nextBehindAChange() {
        Machine a = world.node("a");
        world.work = call -> call.attempt() == 1 && call.fire().equals(minute(1)) ? bad() : good();
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?")
                        .retryPolicy("R1/PT2M")
                        .build());
        world.pass(Duration.ofSeconds(150));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("5 * * * * ?")
                        .retryPolicy("R1/PT2M")
                        .build());
        assertThat(a.scheduler().explainJob("j").nextFireTimes())
                .startsWith(minute(1), minute(2), minute(3).plusSeconds(5));
        world.pass(Duration.ofSeconds(40));
        assertThat(seen.get(1)).extracting(Seen::fire, Seen::next).containsExactly(minute(1), minute(2));
    }

    @Test
    @DisplayName("S2, O2: explain names no fire that a change under a run by hand took away")
    void explainedBehindAChange() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofSeconds(50));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0 * * * ?").build());
        a.scheduler().runNow("j");
        world.pass(Duration.ofSeconds(10));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0/30 * * * ?").build());
        assertThat(a.scheduler().explainJob("j").nextFireTimes()).startsWith(minute(30), minute(60), minute(90));
    }

    @Test
    @DisplayName("S6: missed fires are told to the run that follows them, and to its retries, not to the next fire")
    void missed() {
        Machine a = world.node("a");
        world.work = call -> call.attempt() == 1 && call.fire().equals(minute(5)) ? bad() : good();
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?")
                        .retryPolicy("R1/PT5S")
                        .missedFirePolicy(MissedFirePolicy.RUN_LATEST)
                        .build());
        a.scheduler().pause("j");
        pass(310_000);
        a.scheduler().resume("j");
        pass(60_000);
        MissedFires four = new MissedFires(minute(1), minute(4), 4, false);
        assertThat(seen)
                .extracting(Seen::fire, Seen::attempt, Seen::missed)
                .containsExactly(tuple(minute(5), 1, four), tuple(minute(5), 2, four), tuple(minute(6), 1, null));
    }

    @Test
    @DisplayName(
            "S6: fires that several claims have found missed are counted together; a run in between ends the count")
    void missedTwice() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?")
                        .missedFirePolicy(MissedFirePolicy.SKIP)
                        .startDeadline(Duration.ofSeconds(10))
                        .build());
        for (int i = 0; i < 2; i++) {
            a.scheduler().pause("j");
            pass(150_000);
            a.scheduler().resume("j");
            pass(1_000);
        }
        pass(120_000);
        assertThat(seen).first().satisfies(run -> {
            assertThat(run.missed().first()).isEqualTo(minute(1));
            assertThat(run.missed().last()).isEqualTo(run.fire().minusSeconds(60));
            assertThat(run.missed().count())
                    .isEqualTo(Duration.between(START, run.fire()).toMinutes() - 1);
            assertThat(run.missed().reason()).isEqualTo(MissedFires.Reason.NEWER);
        });
        assertThat(seen).element(1).extracting(Seen::missed).isNull();
    }

    @Test
    @DisplayName(
            "S6: a run after claims that were abandoned knows how many, and so do its retries; the next fire has none")
    void recovering() {
        world.work = call -> endless();
        Machine b = world.node("b");
        b.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0/10 * * * ?")
                        .retryPolicy("R1/PT5S")
                        .build());
        pass(601_000);
        kill(b);
        Machine c = world.node("c");
        pass(60_000);
        kill(c);
        world.node("d");
        world.work = call -> call.attempt() == 1 && call.fire().equals(minute(10)) ? bad() : good();
        pass(600_000);
        assertThat(seen)
                .extracting(Seen::fire, Seen::attempt, Seen::recovering)
                .containsExactly(
                        tuple(minute(10), 1, 0),
                        tuple(minute(10), 1, 1),
                        tuple(minute(10), 1, 2),
                        tuple(minute(10), 2, 2),
                        tuple(minute(20), 1, 0));
    }

    @Test
    @DisplayName(
            "S6: a manual run knows who has asked for it, and why; it has missed nothing, and the planned fire follows")
    void manual() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0 * * * ?")
                        .lateExecutionThreshold(Duration.ZERO)
                        .build());
        pass(10_000);
        a.scheduler().as("ann", "CR-17").runNow("j");
        pass(10_000);
        a.scheduler().runNow("j");
        pass(10_000);
        assertThat(seen)
                .containsExactly(
                        new Seen(
                                START.plusSeconds(10),
                                null,
                                minute(60),
                                1,
                                0,
                                null,
                                new Actor("ann", "CR-17"),
                                false,
                                null),
                        new Seen(
                                START.plusSeconds(20),
                                null,
                                minute(60),
                                1,
                                0,
                                null,
                                new Actor(Actor.UNKNOWN, null),
                                false,
                                null));
    }

    @Test
    @DisplayName("S6: a run of a backfill knows it, one of the job itself does not; a late run knows by how much")
    void backfillAndLate() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0/5 * * * ?")
                        .lateExecutionThreshold(Duration.ofSeconds(1))
                        .build());
        a.scheduler().backfill("j", START.minus(Duration.ofMinutes(5)), START);
        pass(5_000);
        a.scheduler().pause("j");
        pass(305_000);
        a.scheduler().resume("j");
        pass(5_000);
        assertThat(seen).hasSize(2);
        assertThat(seen).extracting(Seen::backfill).containsExactly(true, false);
        assertThat(seen.get(0).late()).isNull();
        assertThat(seen.get(1).late()).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(11));
    }

    @Test
    @DisplayName("S6: what a run asks for has its job as author, also after the run; the service's own requests do not")
    void scheduler() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(job("old").singleSchedule(minute(60)).build());
        a.scheduler().scheduleJob(job("held").singleSchedule(minute(60)).build());
        world.begun = run -> {
            if (run.jobSpecificationKey().equals("parent")) {
                run.scheduler()
                        .scheduleJob(job("child").singleSchedule(minute(30)).build());
                run.scheduler().cancelJob("old");
                run.scheduler().pause("held");
                assertThat(run.scheduler().findJob("child")).isPresent();
            }
        };
        a.scheduler().scheduleJob(job("parent").singleSchedule(minute(1)).build());
        pass(120_000);
        assertThat(newest("child")).extracting(JobExecutionStatus::author).isEqualTo("job parent");
        assertThat(newest("old")).extracting(JobExecutionStatus::author).isEqualTo("job parent");
        assertThat(newest("held")).extracting(JobExecutionStatus::author).isEqualTo("job parent");
        assertThat(a.scheduler().findJob("held").orElseThrow().pause()).isEqualTo(new Pause("", "job parent", null));
        a.scheduler().scheduleJob(job("other").singleSchedule(minute(30)).build());
        assertThat(newest("other").author()).isNotEqualTo("job parent");
    }

    @Test
    @DisplayName(
            "S6, S11: what a run changes is no change of a person, so a declaration may replace it without a warning")
    void noPerson() {
        Machine a = world.node("a");
        world.begun = run -> run.scheduler()
                .updateJob(job("fees").singleSchedule(minute(60)).priority(1).build());
        a.scheduler().scheduleJob(job("fees").singleSchedule(minute(60)).build());
        a.scheduler().scheduleJob(job("parent").singleSchedule(minute(1)).build());
        pass(120_000);
        assertThat(document("fees").specification().priority()).isEqualTo(1);
        assertThat(document("fees").requests().personal()).isEmpty();
        a.scheduler()
                .as("ann", null)
                .updateJob(job("fees").singleSchedule(minute(60)).priority(2).build());
        assertThat(document("fees").requests().personal()).hasSize(1);
    }

    @Test
    @DisplayName("S6: a request of a run is refused as any other; a job of the longest key has an author, too")
    void refused() {
        Machine a = world.node("a");
        String longest = "k".repeat(256);
        List<Optional<Throwable>> thrown = new ArrayList<>();
        world.begun = run -> {
            assertThatThrownBy(() -> run.scheduler().runNow("none")).isInstanceOf(JobNotFoundException.class);
            run.scheduler().scheduleJob(job("child").singleSchedule(minute(30)).build(), IfExists.KEEP);
            thrown.add(Optional.empty());
        };
        a.scheduler()
                .scheduleJob(job(longest)
                        .triggerIdentifier("id")
                        .singleSchedule(minute(1))
                        .build());
        pass(120_000);
        assertThat(thrown).hasSize(1);
        assertThat(newest("child").author()).startsWith("job kkk").hasSize(256);
    }
}
