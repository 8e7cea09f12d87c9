package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Health;
import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.calendars.Calendars;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.Finding;
import dev.almanac.model.FirstFire;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.LocalTime;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rule S16: an update checks only what it changes, so that it can be made where the calendars of a job are not known. */
class UnknownCalendarUpdateTest extends LifecycleFixture {
    private static final JobSpecificationBuilder HOURLY =
            job("j").schedulingSpecification("0 0 * * * ?").calendar("office");

    /** A process that knows no calendars, such as a command line. */
    private Scheduler stranger() {
        return world.client(builder -> builder);
    }

    /** Knows the calendar, which excludes what lies before 08:10. */
    private Machine service(String name) {
        return world.node(
                name,
                world.store,
                Duration.ZERO,
                builder -> builder.calendar("office", Calendars.daily(LocalTime.of(8, 0), LocalTime.of(8, 10))));
    }

    @Test
    @DisplayName("S16: what does not touch the plan is changed, and the plan stays")
    void priority() {
        service("a").scheduler().scheduleJob(HOURLY.build());
        StoredJob before = document("j");
        stranger().updateJob(HOURLY.build().toBuilder().priority(2).build());
        assertThat(document("j").specification().priority()).isEqualTo(2);
        assertThat(document("j").plan()).isEqualTo(before.plan());
        assertThat(document("j").due()).isEqualTo(before.due());
    }

    @Test
    @DisplayName("L90 S16: a changed schedule is planned at once by a node that knows the calendars, and runs by it")
    void cron() {
        Machine a = service("a");
        a.scheduler().scheduleJob(HOURLY.build());
        stranger()
                .updateJob(HOURLY.build().toBuilder()
                        .schedulingSpecification("0 0/5 * * * ?")
                        .build());
        assertThat(newest("j").detail()).contains("a node that knows its calendars plans its next fire");
        pass(3_000);
        assertThat(document("j").lease()).isNull();
        assertThat(document("j").plan().nextFireTime()).isEqualTo(START.plusSeconds(900));
        assertThat(newest("j").outcome()).isEqualTo(Outcome.REPLANNED);
        assertThat(world.calls).isEmpty();
        pass(900_000);
        assertThat(world.calls).extracting(Call::fire).containsExactly(START.plusSeconds(900));
        assertThat(a.scheduler().checkInvariants().findings()).isEmpty();
    }

    @Test
    @DisplayName("S16, S2: a fire that has passed is carried; a node without the calendars leaves the job to others")
    void passed() {
        Machine a = service("a");
        a.scheduler().scheduleJob(HOURLY.build());
        a.lanes().close();
        pass(3_700_000);
        stranger()
                .updateJob(HOURLY.build().toBuilder()
                        .schedulingSpecification("0 0 0 1 1 ?")
                        .build());
        Machine b = world.node("b");
        pass(600_000);
        assertThat(world.calls).isEmpty();
        assertThat(document("j").due())
                .as("still to be planned, since it was updated")
                .isBefore(world.time.wall().minusSeconds(590));
        assertThat(b.scheduler().checkInvariants().findings())
                .extracting(Finding::kind)
                .contains(Finding.Kind.OVERDUE);
        assertThat(b.scheduler().health().state()).isEqualTo(Health.State.DEGRADED);
        assertThat(document("j").sequences().claimSeq())
                .as("it is left alone for a while after each claim")
                .isLessThan(30);
        service("c");
        pass(60_000);
        assertThat(world.calls).extracting(Call::fire).containsExactly(START.plusSeconds(3_600));
    }

    @Test
    @DisplayName(
            "S16, S2: a fire that is carried by a change that waits for its plan is no missed one of a second change")
    void changedTwice() {
        Machine a = service("a");
        JobSpecification once = HOURLY.build().toBuilder().maxFires(1).build();
        a.scheduler().scheduleJob(once);
        a.scheduler().pause(PauseScope.job("j"), new Pause("audit", "ops", null));
        pass(3_700_000);
        for (String cron : List.of("0 0 0 1 1 ?", "0 0 0 2 1 ?")) {
            stranger().updateJob(once.toBuilder().schedulingSpecification(cron).build());
        }
        a.scheduler().resume(PauseScope.job("j"));
        pass(60_000);
        assertThat(world.calls).extracting(Call::fire).containsExactly(START.plusSeconds(3_600));
        assertThat(rows("j")).noneMatch(row -> row.outcome() == Outcome.MISSED);
        assertFinished("j");
    }

    @Test
    @DisplayName(
            "S16, S2, S5: a passed fire that the first one of the new schedule replaces is missed once, in the change")
    void replacedByNow() {
        Machine a = service("a");
        a.scheduler().scheduleJob(HOURLY.build());
        a.scheduler().pause("j");
        pass(3_700_000);
        stranger()
                .updateJob(HOURLY.build().toBuilder()
                        .schedulingSpecification("0 0/20 * * * ?")
                        .firstFire(FirstFire.NOW)
                        .build());
        MissedFires nine = new MissedFires(START.plusSeconds(3_600), START.plusSeconds(3_600), 1, false);
        assertThat(missed()).as("in the change").containsExactly(nine);
        a.scheduler().resume("j");
        pass(1_300_000);
        assertThat(missed()).containsExactly(nine);
        assertThat(a.events()).noneMatch(SchedulerEvent.FiresMissed.class::isInstance);
        assertThat(world.calls)
                .extracting(Call::fire)
                .as("at once, and by the new schedule from then on")
                .containsExactly(START.plusSeconds(3_700), START.plusSeconds(4_800));
        assertThat(a.scheduler().checkInvariants().findings()).isEmpty();
    }

    private List<MissedFires> missed() {
        return rows("j").stream()
                .map(JobExecutionStatus::missed)
                .filter(Objects::nonNull)
                .toList();
    }

    @Test
    @DisplayName("S16: paused, the job is planned once it is resumed; a cancel ends it at once")
    void pausedAndCanceled() {
        Machine a = service("a");
        a.scheduler().scheduleJob(HOURLY.build());
        a.scheduler().pause("j");
        stranger()
                .updateJob(HOURLY.build().toBuilder()
                        .schedulingSpecification("0 0/5 * * * ?")
                        .build());
        pass(5_000);
        assertThat(document("j").due()).isNull();
        a.scheduler().resume("j");
        pass(5_000);
        assertThat(document("j").plan().nextFireTime()).isEqualTo(START.plusSeconds(900));
        stranger().updateJob(HOURLY.build());
        stranger().cancelJob("j");
        pass(5_000);
        assertThat(document("j").isLive()).isFalse();
    }

    @Test
    @DisplayName("S16: an unknown calendar that the job did not have is refused, and nothing is written")
    void added() {
        service("a").scheduler().scheduleJob(HOURLY.build());
        StoredJob before = document("j");
        assertThatThrownBy(() -> stranger()
                        .updateJob(HOURLY.build().toBuilder().calendar("typo").build()))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("typo");
        assertThatThrownBy(() -> stranger()
                        .scheduleJob(job("new")
                                .schedulingSpecification("0 0 * * * ?")
                                .calendar("office")
                                .build()))
                .isInstanceOf(InvalidJobException.class);
        assertThat(document("j")).isEqualTo(before);
    }

    @Test
    @DisplayName(
            "S16, C5: a job whose calendar was deleted at this moment is not changed, and not scheduled again as it is")
    void deleted() {
        Scheduler a = world.client(builder -> builder.calendarReader(MinuteCalendar::read));
        StoredCalendar bank =
                a.calendars().put("bank", MinuteCalendar.excluding("2")).calendar();
        JobSpecification daily = job("d").schedulingSpecification("0 0 12 * * ?")
                .calendar("bank")
                .build();
        a.scheduleJob(daily);
        // as if the deletion had looked for jobs before this one was stored
        world.store.cluster().putCalendar(bank.tombstone(world.time.wall(), "ann"));
        StoredJob before = document("d");
        for (Scheduler scheduler : List.of(a, stranger())) {
            assertThatThrownBy(() ->
                            scheduler.updateJob(daily.toBuilder().priority(2).build()))
                    .isInstanceOf(InvalidJobException.class)
                    .hasMessageContaining("'bank' was deleted");
            assertThatThrownBy(() -> scheduler.scheduleJob(daily)).isInstanceOf(InvalidJobException.class);
        }
        assertThat(document("d")).isEqualTo(before);
    }

    @Test
    @DisplayName("C5: a calendar that was deleted at this moment is taken back also if others change the job meanwhile")
    void takenBack() {
        Scheduler other = world.client(builder -> builder.calendarReader(MinuteCalendar::read));
        StoredCalendar bank =
                other.calendars().put("bank", MinuteCalendar.excluding("2")).calendar();
        JobSpecification daily =
                job("d").schedulingSpecification("0 0 12 * * ?").build();
        other.scheduleJob(daily);
        AtomicInteger writes = new AtomicInteger();
        JobStore way = StoreHook.over(world.store, (method, arguments, call) -> {
            int write = method.equals("write") ? writes.incrementAndGet() : 0;
            if (write == 1) {
                world.store.cluster().putCalendar(bank.tombstone(world.time.wall(), "ann"));
            } else if (write == 2) {
                other.pause("d");
            }
            return call.proceed();
        });
        Scheduler slow = world.client(builder -> builder.store(way).calendarReader(MinuteCalendar::read));
        assertThatThrownBy(
                        () -> slow.updateJob(daily.toBuilder().calendar("bank").build()))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("left as it was");
        assertThat(document("d").specification().calendars()).isEmpty();
        assertThat(document("d").requests().pause()).isNotNull();
    }
}
