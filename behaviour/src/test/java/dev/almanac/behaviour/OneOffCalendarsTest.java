package dev.almanac.behaviour;

import static dev.almanac.behaviour.MinuteCalendar.excluding;
import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.SchedulerBuilder;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.calendars.Calendars;
import dev.almanac.model.Explanation;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredCalendar;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.time.FirePreview;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Calendars on one-offs (rule C4, chapter 16), and the edges L74 to L76 of contributing/lifecycle.md. */
class OneOffCalendarsTest extends LifecycleFixture {
    private static final Instant MOMENT = START.plusSeconds(120).plusMillis(5);
    /** The first instant after it that the minute 2 does not hold. */
    private static final Instant AFTER = START.plusSeconds(180);

    private Machine node(String name) {
        return world.node(name, world.store, Duration.ZERO, OneOffCalendarsTest::reading);
    }

    private static SchedulerBuilder reading(SchedulerBuilder builder) {
        return builder.calendarReader(OneOffCalendarsTest::read);
    }

    /** Excludes minutes of each hour, or a date. */
    private static ExclusionCalendar read(Map<String, Object> definition) {
        Object date = definition.get("date");
        return date == null
                ? MinuteCalendar.read(definition)
                : Calendars.holiday(List.of(LocalDate.parse(date.toString())));
    }

    private static Map<String, Object> withoutToday() {
        return Map.of("date", "2099-03-02");
    }

    private static final Map<String, Object> OPEN = excluding("59");

    private static JobSpecification once(CalendarPolicy policy) {
        return job("pay")
                .singleSchedule(MOMENT)
                .calendar("bank")
                .calendarPolicy(policy)
                .build();
    }

    private static JobSpecification once() {
        return once(CalendarPolicy.DROP);
    }

    private static void assertRefused(Machine node, JobSpecification given, String... texts) {
        assertThatThrownBy(() -> node.scheduler().scheduleJob(given))
                .isInstanceOfSatisfying(
                        InvalidJobException.class,
                        e -> assertThat(e.problems()).singleElement().satisfies(problem -> {
                            assertThat(problem.field()).isEqualTo("singleSchedule");
                            assertThat(problem.rule()).isEqualTo("C4");
                            assertThat(problem.advice()).contains(texts);
                        }));
    }

    @Test
    @DisplayName(
            "C4: a one-off on an excluded day fires where its policy moves it; row, preview and explanation say so")
    void moved() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", excluding("2"));
        a.scheduler().scheduleJob(once(CalendarPolicy.NEXT_INCLUDED));
        assertThat(a.scheduler().previewFireTimes("pay", START, 5))
                .singleElement()
                .satisfies(fire -> {
                    assertThat(fire.reason()).isEqualTo(FirePreview.Reason.SHIFTED_BY_CALENDAR);
                    assertThat(fire.fireTime()).isEqualTo(AFTER);
                });
        assertThat(a.scheduler()
                        .previewFireTimes(
                                once().toBuilder().zoneId(ZoneOffset.UTC).build(), 5))
                .extracting(FirePreview::reason)
                .containsExactly(FirePreview.Reason.EXCLUDED);
        Explanation explained = a.scheduler().explainJob("pay");
        assertThat(explained.has(Explanation.Kind.SHIFTED)).isTrue();
        assertThat(explained.reasons())
                .anySatisfy(reason -> assertThat(reason.text())
                        .contains("moved from " + MOMENT + " to " + AFTER + " by calendar 'bank', NEXT_INCLUDED"));
        world.pass(Duration.ofSeconds(179));
        assertThat(world.calls).as("not on the excluded day").isEmpty();
        world.pass(Duration.ofSeconds(2));
        assertThat(world.calls).extracting(Call::fire).containsExactly(AFTER);
        assertThat(newest("pay"))
                .extracting(JobExecutionStatus::fireTime, JobExecutionStatus::nominalFireTime)
                .containsExactly(AFTER, MOMENT);
        assertFinished("pay");
    }

    @Test
    @DisplayName("C4: DROP on an excluded moment and PRECEDING into the past are refused; nothing is stored")
    void refused() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", withoutToday());
        assertRefused(a, once(), "[bank]", "DROP", "NEXT_INCLUDED");
        assertRefused(a, once(CalendarPolicy.PRECEDING), "PRECEDING", "before now");
        assertRefused(a, once().toBuilder().singleSchedule((Instant) null).now().build(), "[bank]");
        assertThat(a.scheduler().listJobs(JobQuery.all()).jobs()).isEmpty();
        a.scheduler().calendars().put("bank", excluding("2"));
        assertRefused(a, once(), "DROP");
        a.scheduler().scheduleJob(once(CalendarPolicy.NEXT_INCLUDED));
        world.pass(Duration.ofSeconds(181));
        assertThat(world.calls).extracting(Call::fire).containsExactly(AFTER);
    }

    @Test
    @DisplayName("L74 C5: an edited calendar moves a waiting one-off from its single moment, and back; others stay")
    void edited() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", OPEN);
        a.scheduler().scheduleJob(once(CalendarPolicy.NEXT_INCLUDED));
        a.scheduler().scheduleJob(job("other").singleSchedule(MOMENT).build());
        assertThat(a.scheduler().calendars().put("bank", excluding("2")).jobs().moved())
                .isEqualTo(1);
        assertThat(document("pay").plan().nextFireTime()).isEqualTo(AFTER);
        a.scheduler().calendars().put("bank", excluding("2-3"));
        assertThat(document("pay").plan().nextFireTime()).isEqualTo(AFTER.plusSeconds(60));
        assertThat(document("pay").plan().nominalFireTime()).isEqualTo(MOMENT);
        assertThat(a.scheduler().calendars().put("bank", OPEN).jobs().moved()).isEqualTo(1);
        assertThat(document("pay").plan().nominalFireTime()).isNull();
        assertRows("pay", "SCHEDULED/NONE", "SCHEDULED/REPLANNED", "SCHEDULED/REPLANNED", "SCHEDULED/REPLANNED");
        assertRows("other", "SCHEDULED/NONE");
        world.pass(Duration.ofSeconds(300));
        assertThat(world.callsOf("pay")).extracting(Call::fire).containsExactly(MOMENT);
        assertThat(world.callsOf("other")).hasSize(1);
    }

    @Test
    @DisplayName("L75 C5: an edit that leaves a one-off no moment blocks it visibly, until an edit gives it one")
    void blocked() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", OPEN);
        a.scheduler().scheduleJob(once());
        assertThat(a.scheduler().calendars().put("bank", excluding("2")).jobs().blocked())
                .isEqualTo(1);
        assertRows("pay", "SCHEDULED/NONE", "SCHEDULED/REPLANNED");
        assertThat(document("pay").isLive()).isTrue();
        assertThat(document("pay").due()).isNull();
        assertThat(document("pay").blockedReason()).contains("its calendars leave it no fire", "DROP");
        assertThat(a.scheduler().explainJob("pay").headline()).contains("is blocked", "edit one of its calendars");
        a.scheduler()
                .updateJob(document("pay").specification().toBuilder()
                        .tags("touched")
                        .build());
        assertThat(document("pay").blocked())
                .as("not by an update of something else")
                .isNotNull();
        world.pass(Duration.ofSeconds(200));
        assertThat(world.calls).isEmpty();
        a.scheduler().calendars().put("bank", OPEN);
        world.pass(Duration.ofSeconds(1));
        assertThat(world.calls)
                .as("late, as any one-off runs")
                .extracting(Call::fire)
                .containsExactly(MOMENT);
        assertFinished("pay");
    }

    @Test
    @DisplayName("L75 C5: a blocked one-off runs at the moment that an update gives it")
    void redated() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", OPEN);
        a.scheduler().scheduleJob(once());
        a.scheduler().calendars().put("bank", excluding("2"));
        a.scheduler().updateJob(once().toBuilder().singleSchedule(AFTER).build());
        assertThat(document("pay").blocked()).isNull();
        world.pass(Duration.ofSeconds(200));
        assertThat(world.calls).extracting(Call::fire).containsExactly(AFTER);
    }

    @Test
    @DisplayName("C5: an edit that moves a one-off into the past by PRECEDING lets it run at once, and once")
    void intoThePast() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", OPEN);
        a.scheduler().scheduleJob(once(CalendarPolicy.PRECEDING));
        world.pass(Duration.ofSeconds(30));
        a.scheduler().calendars().put("bank", withoutToday());
        world.pass(Duration.ofSeconds(1));
        assertThat(world.calls).extracting(Call::fire).containsExactly(MOMENT.minus(Duration.ofDays(1)));
        world.pass(Duration.ofSeconds(120));
        assertThat(world.calls).hasSize(1);
        assertFinished("pay");
    }

    /** An editor that died right after its write, just before the fire. */
    private void editBehind(Machine node, Map<String, Object> definition) {
        StoredCalendar stored = node.scheduler().calendars().list().get(0);
        assertThat(world.store
                        .cluster()
                        .putCalendar(new StoredCalendar(
                                "bank", stored.version() + 1, definition, world.time.wall(), "ops", false)))
                .isTrue();
    }

    @Test
    @DisplayName("L76 C4: a claim that meets an edit that no job was planned by yet blocks the one-off, or moves it")
    void claimMeetsEdit() {
        AtomicBoolean listless = new AtomicBoolean();
        Machine a = world.node(
                "a",
                StoreHook.over(world.store, (method, arguments, call) -> {
                    if (listless.get() && method.equals("list")) {
                        throw new StoreException("the connection is gone", new IllegalStateException());
                    }
                    return call.proceed();
                }),
                Duration.ZERO,
                OneOffCalendarsTest::reading);
        a.scheduler().calendars().put("bank", OPEN);
        a.scheduler().scheduleJob(once());
        a.scheduler()
                .scheduleJob(once(CalendarPolicy.NEXT_INCLUDED).toBuilder()
                        .jobSpecificationKey("moved")
                        .build());
        world.pass(Duration.between(START, MOMENT).minusMillis(1_200));
        listless.set(true);
        editBehind(a, excluding("2"));
        world.pass(Duration.ofSeconds(5));
        assertThat(world.calls).isEmpty();
        assertRows("pay", "SCHEDULED/NONE", "SCHEDULED/BLOCKED");
        assertRows("moved", "SCHEDULED/NONE", "SCHEDULED/REPLANNED");
        listless.set(false);
        assertThat(document("pay").blockedReason()).contains("its calendars leave it no fire");
        assertThat(document("pay").lease()).isNull();
        assertThat(document("moved").plan().nextFireTime()).isEqualTo(AFTER);
        a.scheduler().calendars().put("bank", OPEN);
        world.pass(Duration.ofSeconds(5));
        assertThat(world.calls).extracting(Call::fire).containsExactlyInAnyOrder(MOMENT, MOMENT);
    }

    @Test
    @DisplayName("A2: a failed one-off that is asked to run again runs at once, whatever its calendars say")
    void rerun() {
        Machine a = node("a");
        world.work = call -> bad();
        a.scheduler().calendars().put("bank", excluding("3-10"));
        a.scheduler().scheduleJob(once());
        world.pass(Duration.ofSeconds(190));
        world.work = call -> good();
        a.scheduler().apply(JobAction.rerun(), JobSelection.keys("pay"));
        world.pass(Duration.ofSeconds(1));
        assertThat(world.calls).hasSize(2);
        assertThat(newest("pay").outcome()).isEqualTo(Outcome.SUCCEEDED);
    }

    @Test
    @DisplayName(
            "16: the calendars of a follow-up count when it is stored: one that they exclude is refused, with a row")
    void followUps() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", excluding("2-3"));
        JobSpecification now = job("now {key}").now().calendar("bank").build();
        JobSpecification later = now.toBuilder()
                .jobSpecificationKey("later")
                .calendarPolicy(CalendarPolicy.NEXT_INCLUDED)
                .build();
        JobSpecification fixed = job("fixed")
                .singleSchedule(AFTER)
                .calendar("bank")
                .calendarPolicy(CalendarPolicy.NEXT_INCLUDED)
                .build();
        a.scheduler()
                .scheduleJob(job("parent")
                        .singleSchedule(MOMENT)
                        .onSuccess(now, later, fixed)
                        .build());
        world.pass(Duration.ofSeconds(125));
        assertThat(rows("parent"))
                .filteredOn(row -> row.outcome() == Outcome.FOLLOW_UP_REFUSED)
                .singleElement()
                .satisfies(row -> assertThat(row.detail()).contains("now parent", "[bank]"));
        assertThat(document("later").plan().nextFireTime()).isEqualTo(AFTER.plusSeconds(60));
        assertThat(document("fixed").plan().nextFireTime()).isEqualTo(AFTER.plusSeconds(60));
        assertThat(a.scheduler().findJobById("now parent")).isEmpty();
    }

    @Test
    @DisplayName("P7, C5: a running one-off whose new moment is excluded by the time it ends is blocked, not finished")
    void editedWhileRunning() {
        Machine a = node("a");
        world.work = call -> slow(Duration.ofSeconds(60));
        a.scheduler().calendars().put("bank", OPEN);
        a.scheduler()
                .scheduleJob(job("pay").singleSchedule(START.plusSeconds(5)).build());
        world.pass(Duration.ofSeconds(10));
        a.scheduler().updateJob(once());
        a.scheduler().calendars().put("bank", excluding("2"));
        world.pass(Duration.ofSeconds(60));
        assertThat(document("pay").isLive()).isTrue();
        assertThat(document("pay").blockedReason()).contains("its calendars leave it no fire");
        assertThat(world.calls).hasSize(1);
        a.scheduler().calendars().put("bank", OPEN);
        world.pass(Duration.ofSeconds(180));
        assertThat(world.calls).extracting(Call::fire).containsExactly(START.plusSeconds(5), MOMENT);
    }
}
