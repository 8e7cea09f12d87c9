package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StoredFields;
import dev.almanac.store.JobStore;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.time.FirePreview;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Fixed rates, fixed delays, spread and grace. */
class StepsTest extends LifecycleFixture {
    private static final Duration TEN = Duration.ofMinutes(10);

    private List<Instant> fires(String key) {
        return world.callsOf(key).stream().map(Call::fire).toList();
    }

    private static Instant at(long minutes) {
        return START.plus(Duration.ofMinutes(minutes));
    }

    @Test
    @DisplayName("16: EVERY counts from the moment it was stored, and an equal job stored later moves nothing")
    void fixedRate() {
        Machine a = world.node("a");
        JobSpecification every = job("j").every(Duration.ofMinutes(9)).build();
        a.scheduler().scheduleJob(every);
        pass(6 * 60_000);
        assertThat(a.scheduler().scheduleJob(every).specification().version()).isEqualTo(1);
        assertThat(StoredFields.anchorOf(document("j").specification())).isEqualTo(START);
        pass(13 * 60_000);
        assertThat(fires("j")).containsExactly(at(9), at(18));
        JobSpecification urgent = every.toBuilder().priority(1).build();
        a.scheduler().updateJob(urgent);
        assertThat(document("j").plan().nextFireTime()).isEqualTo(at(27));
        a.scheduler().updateJob(urgent.toBuilder().every(Duration.ofMinutes(1)).build());
        assertThat(StoredFields.anchorOf(document("j").specification())).isEqualTo(at(19));
        assertThat(document("j").plan().nextFireTime()).isEqualTo(at(20));
    }

    @Test
    @DisplayName("16: months are counted from startAt, which is the first fire")
    void months() {
        Machine a = world.node("a");
        JobSpecification monthly = job("j").every(Period.ofMonths(1))
                .startAt(Instant.parse("2099-03-31T10:00:00Z"))
                .build();
        assertThat(a.scheduler().previewFireTimes(monthly, 3))
                .extracting(FirePreview::fireTime)
                .containsExactly(
                        Instant.parse("2099-03-31T10:00:00Z"),
                        Instant.parse("2099-04-30T10:00:00Z"),
                        Instant.parse("2099-05-31T10:00:00Z"));
        a.scheduler().scheduleJob(monthly);
        assertThat(a.scheduler().previewFireTimes("j", Instant.parse("2099-04-30T10:00:00Z"), 1))
                .extracting(FirePreview::fireTime)
                .containsExactly(Instant.parse("2099-05-31T10:00:00Z"));
    }

    @Test
    @DisplayName("16: a fixed delay counts from the row that ended the last attempt; manual runs do not move it")
    void fixedDelay() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofMinutes(3));
        a.scheduler().scheduleJob(job("j").everyAfterEnd(TEN).build());
        assertThat(a.scheduler().previewFireTimes("j", START, 5))
                .extracting(FirePreview::fireTime)
                .containsExactly(at(10));
        pass(14 * 60_000);
        Instant end = newest("j").updatedTime();
        assertThat(end).isBetween(at(13), at(13).plusSeconds(1));
        assertThat(StoredFields.anchorOf(document("j").specification())).isEqualTo(end);
        assertThat(document("j").plan().nextFireTime()).isEqualTo(end.plus(TEN));
        a.scheduler().runNow("j");
        pass(4 * 60_000);
        assertThat(world.callsOf("j")).hasSize(2);
        assertThat(document("j").plan().nextFireTime()).isEqualTo(end.plus(TEN));
        pass(6 * 60_000);
        assertThat(fires("j")).hasSize(3).endsWith(end.plus(TEN));
    }

    @Test
    @DisplayName("16: a fixed delay counts from the end of the run, also if the server's clock was set back during it")
    void fixedDelayAfterClock() {
        Duration[] back = {Duration.ZERO};
        JobStore view = StoreHook.over(
                world.store,
                (method, arguments, call) ->
                        method.equals("serverTime") ? ((Instant) call.proceed()).minus(back[0]) : call.proceed());
        Machine a = world.node("a", view, Duration.ZERO, builder -> builder);
        world.work = call -> slow(Duration.ofMinutes(30));
        a.scheduler().scheduleJob(job("j").everyAfterEnd(TEN).build());
        pass(60 * 60_000);
        assertThat(fires("j")).hasSize(2);
        back[0] = Duration.ofMinutes(50);
        pass(35 * 60_000);
        assertThat(fires("j")).hasSize(3);
    }

    @Test
    @DisplayName("16: retries come first; the delay counts from the end of the last, and a change counts from itself")
    void fixedDelayAfterRetries() {
        Machine a = world.node("a");
        world.work = call -> bad();
        a.scheduler()
                .scheduleJob(job("j").everyAfterEnd(TEN).retryPolicy("R1/PT1M").build());
        pass(12 * 60_000);
        JobExecutionStatus last = newest("j");
        assertThat(last.outcome()).isEqualTo(Outcome.RETRIES_EXHAUSTED);
        assertThat(document("j").plan().nextFireTime())
                .isEqualTo(last.updatedTime().plus(TEN))
                .isAfterOrEqualTo(at(21));
        a.scheduler().updateJob(job("j").everyAfterEnd(Duration.ofMinutes(5)).build());
        assertThat(document("j").plan().nextFireTime()).isBetween(at(17), at(17).plusSeconds(1));
    }

    @Test
    @DisplayName("16: a delay into an excluded time waits for the first included instant, whatever the policy")
    void excludedDelay() {
        Machine a = world.node(
                "a", world.store, Duration.ZERO, builder -> builder.calendar("lunch", between(at(1), at(5))));
        a.scheduler()
                .scheduleJob(job("j").everyAfterEnd(Duration.ofMinutes(2))
                        .calendar("lunch")
                        .build());
        pass(6 * 60_000);
        assertThat(fires("j")).containsExactly(at(5));
    }

    @Test
    @DisplayName("16: what a delay, an elapsed step or one moment has no use for is refused")
    void refused() {
        Machine a =
                world.node("a", world.store, Duration.ZERO, builder -> builder.calendar("c", between(START, at(1))));
        List<JobSpecification> wrong = List.of(
                job("j").everyAfterEnd(TEN)
                        .missedFirePolicy(MissedFirePolicy.RUN_ALL)
                        .build(),
                job("j").everyAfterEnd(TEN).spread(TEN).build(),
                job("j").singleSchedule(at(5)).spread(TEN).build(),
                job("j").every(TEN).spread(Duration.ofDays(2)).build(),
                job("j").every(TEN).missedFireGrace(TEN.negated()).build(),
                job("j").every(Duration.ofMillis(1)).build(),
                job("j").every(TEN)
                        .calendar("c")
                        .calendarPolicy(CalendarPolicy.FOLLOWING)
                        .build(),
                job("j").rrule("FREQ=DAILY").build());
        for (JobSpecification job : wrong) {
            assertThatThrownBy(() -> a.scheduler().scheduleJob(job))
                    .as(job.toString())
                    .isInstanceOf(InvalidJobException.class);
        }
        a.scheduler().scheduleJob(job("delay").everyAfterEnd(TEN).build());
        pass(60_000);
        assertThatThrownBy(() -> a.scheduler().backfill("delay", START, START.plusSeconds(30)))
                .hasMessageContaining("fixed delay");
    }

    @Test
    @DisplayName("16: each job of a spread has its own part of it, the same at every fire and on every node")
    void spread() {
        Machine a = world.node("a");
        world.node("b");
        Set<Duration> parts = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            a.scheduler()
                    .scheduleJob(job("j" + i)
                            .schedulingSpecification("0 0/2 * * * ?")
                            .spread(Duration.ofMinutes(1))
                            .build());
        }
        pass(6 * 60_000);
        for (int i = 0; i < 20; i++) {
            List<Instant> fires = fires("j" + i);
            Duration part = Duration.between(
                    at(2),
                    fires.stream()
                            .filter(fire -> !fire.isBefore(at(2)))
                            .findFirst()
                            .orElseThrow());
            assertThat(part).isBetween(Duration.ZERO, Duration.ofMinutes(1).minusMillis(1));
            assertThat(fires).contains(at(2).plus(part), at(4).plus(part));
            parts.add(part);
        }
        assertThat(parts).hasSizeGreaterThan(15);
    }

    @Test
    @DisplayName("R4: fires that have passed by no more than the grace are on time, and run one by one")
    void grace() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(job("plain").every(Duration.ofMinutes(1)).build());
        a.scheduler()
                .scheduleJob(job("graced")
                        .every(Duration.ofMinutes(1))
                        .missedFireGrace(Duration.ofMinutes(5))
                        .build());
        pass(90_000);
        for (String key : List.of("plain", "graced")) {
            a.scheduler().pause(PauseScope.job(key), new Pause("tests", "tests", null));
        }
        pass(4 * 60_000);
        a.scheduler().resume(PauseScope.job("plain"));
        a.scheduler().resume(PauseScope.job("graced"));
        pass(10_000);
        assertThat(fires("plain")).containsExactly(at(1), at(5));
        assertThat(fires("graced")).containsExactly(at(1), at(2), at(3), at(4), at(5));
        assertThat(rows("graced")).noneMatch(row -> row.outcome() == Outcome.MISSED);
    }

    @Test
    @DisplayName("C5: a bounded recurrence whose calendars leave no fire before its end is over, and not blocked")
    void endsWithItsCalendar() {
        Machine a = world.node(
                "a", world.store, Duration.ZERO, builder -> builder.calendar("late", between(at(15), at(1_000))));
        a.scheduler()
                .scheduleJob(job("j").every(TEN).endAt(at(100)).calendar("late").build());
        pass(11 * 60_000);
        assertThat(fires("j")).containsExactly(at(10));
        assertFinished("j");
        assertThat(document("j").blocked()).isNull();
    }

    private static ExclusionCalendar between(Instant from, Instant to) {
        return new ExclusionCalendar() {
            @Override
            public boolean isIncluded(Instant instant, ZoneId zone) {
                return instant.isBefore(from) || !instant.isBefore(to);
            }

            @Override
            public Optional<Instant> nextIncluded(Instant at, ZoneId zone) {
                return Optional.of(isIncluded(at, zone) ? at : to);
            }
        };
    }

    @Test
    @DisplayName("16: a fixed delay whose startAt lies ahead when its run ends goes on at startAt")
    void postponedDelay() {
        Machine a = world.node("a");
        world.work = call -> slow(Duration.ofMinutes(3));
        JobSpecification job = job("j").everyAfterEnd(TEN).build();
        a.scheduler().scheduleJob(job);
        pass(11 * 60_000);
        a.scheduler().updateJob(job.toBuilder().startAt(at(60)).build());
        pass(3 * 60_000);
        assertThat(document("j").plan().nextFireTime()).isEqualTo(at(60));
        assertThat(newest("j").nextFireTime()).isEqualTo(at(60));
        pass(50 * 60_000);
        assertThat(fires("j")).containsExactly(at(10), at(60));
        assertThat(document("j").plan().nextFireTime()).isBetween(at(73), at(73).plusSeconds(1));
    }

    @Test
    @DisplayName("16, S15: a fixed delay that fires at once goes on at startAt, if the delay is over before")
    void firstNowThenStart() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("j").everyAfterEnd(Duration.ofMinutes(1))
                        .now()
                        .startAt(at(10))
                        .build());
        pass(10 * 60_000 + 1_000);
        assertThat(fires("j")).containsExactly(START, at(10));
    }
}
