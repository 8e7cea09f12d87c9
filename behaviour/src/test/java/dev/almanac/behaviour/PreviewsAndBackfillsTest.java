package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.calendars.Calendars;
import dev.almanac.model.BulkResult;
import dev.almanac.model.FindScope;
import dev.almanac.model.FirstFire;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.time.FirePreview;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Previews and backfills at the edges of what may be asked: the same over memory and a real server. */
class PreviewsAndBackfillsTest extends OverStores {
    private static final JobSpecification RECURRING =
            job("r").schedulingSpecification("0 * * * * ?").build();
    private static final JobSpecification ONE_OFF =
            job("o").singleSchedule(START.plusSeconds(60)).build();

    @Test
    @DisplayName("preview: no row is given where none is asked for, one-off or not")
    void noRows() {
        Scheduler scheduler = world.node("a").scheduler();
        for (JobSpecification job : new JobSpecification[] {RECURRING, ONE_OFF}) {
            scheduler.scheduleJob(job);
            assertThat(scheduler.previewFireTimes(job, 0)).isEmpty();
            assertThat(scheduler.previewFireTimes(job.jobSpecificationKey(), START, 0))
                    .isEmpty();
            assertThat(scheduler.previewFireTimes(job, 1)).hasSize(1);
            assertThat(scheduler.previewFireTimes(job.jobSpecificationKey(), START, 1))
                    .hasSize(1);
        }
    }

    @Test
    @DisplayName("preview: fewer than no rows, or more than 10 000, are refused alike, one-off or not")
    void wrongRows() {
        Scheduler scheduler = world.node("a").scheduler();
        for (JobSpecification job : new JobSpecification[] {RECURRING, ONE_OFF}) {
            scheduler.scheduleJob(job);
            for (int rows : new int[] {-1, 10_001}) {
                assertThatThrownBy(() -> scheduler.previewFireTimes(job, rows))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("rows must be 0 to 10000, not " + rows);
                assertThatThrownBy(() -> scheduler.previewFireTimes(job.jobSpecificationKey(), START, rows))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("rows must be 0 to 10000, not " + rows);
            }
        }
    }

    @Test
    @DisplayName(
            "preview, S1: another step of a stored job is counted from now, as its change counts it; the same step goes on")
    void anotherStep() {
        Scheduler scheduler = world.node("a").scheduler();
        scheduler.scheduleJob(job("step").every(Duration.ofMinutes(10)).build());
        world.pass(Duration.ofMinutes(3));
        JobSpecification stored = scheduler.findJobById("step").orElseThrow().specification();
        assertThat(scheduler.previewFireTimes(stored, 1))
                .extracting(FirePreview::fireTime)
                .containsExactly(START.plusSeconds(600));
        JobSpecification changed =
                stored.toBuilder().every(Duration.ofMinutes(7)).build();
        List<FirePreview> before = scheduler.previewFireTimes(changed, 3);
        scheduler.updateJob(changed);
        assertThat(scheduler.previewFireTimes("step", START.plusSeconds(180), 3))
                .extracting(FirePreview::fireTime)
                .isEqualTo(before.stream().map(FirePreview::fireTime).toList());
    }

    /** Leaves out the first half second of an hour's second minute, and so moves what was to fire then. */
    private static final class HalfSecond implements ExclusionCalendar {
        private static final Instant FROM = START.plusSeconds(120);
        private static final Instant TO = FROM.plusMillis(500);

        @Override
        public boolean isIncluded(Instant instant, ZoneId jobZone) {
            return instant.isBefore(FROM) || !instant.isBefore(TO);
        }

        @Override
        public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone) {
            return Optional.of(isIncluded(from, jobZone) ? from : TO);
        }
    }

    @Test
    @DisplayName(
            "preview, C5: by calendars of the caller, the fires are those of a node that has them; another calendar moves the fires of the preview, and not those of the job")
    void otherCalendars() {
        Scheduler scheduler = world.node(
                        "a", world.store, Duration.ZERO, builder -> builder.calendar("late", new HalfSecond()))
                .scheduler();
        JobSpecification spread = RECURRING.toBuilder()
                .jobSpecificationKey("s")
                .spread(Duration.ofMinutes(1))
                .build();
        JobSpecification once =
                ONE_OFF.toBuilder().singleSchedule(START.plusSeconds(120)).build();
        for (JobSpecification given : List.of(RECURRING, spread, once)) {
            String key = given.jobSpecificationKey();
            scheduler.scheduleJob(given.toBuilder()
                    .calendar("late")
                    .calendarPolicy(CalendarPolicy.NEXT_INCLUDED)
                    .build());
            StoredJob job = world.store.find(key, FindScope.LIVE).orElseThrow();
            JobSpecification stored = job.specification();
            List<FirePreview> byNode = scheduler.previewFireTimes(key, START, 4);
            assertThat(Scheduler.previewFireTimes(stored, Map.of("late", new HalfSecond()), START, 4))
                    .isEqualTo(byNode)
                    .isNotEmpty();
            assertThat(Scheduler.previewFireTimes(stored, Map.of("late", Calendars.weekends()), START, 4))
                    .extracting(FirePreview::fireTime)
                    .hasSameSizeAs(byNode)
                    .isNotEqualTo(byNode.stream().map(FirePreview::fireTime).toList());
            assertThat(world.store.find(key, FindScope.LIVE)).contains(job);
            assertThatThrownBy(() -> Scheduler.previewFireTimes(stored, Map.of(), START, 4))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("calendar 'late' is not known");
            assertThatThrownBy(() -> Scheduler.previewFireTimes(stored, Map.of("late", new HalfSecond()), START, -1))
                    .hasMessage("rows must be 0 to 10000, not -1");
        }
    }

    @Test
    @DisplayName("backfill: if the key of one of the fires would be longer than M1 allows, none is written")
    void longKeys() {
        Scheduler scheduler = world.node(
                        "a", world.store, Duration.ZERO, builder -> builder.calendar("late", new HalfSecond()))
                .scheduler();
        // KEY@2099-03-02T08:01:00Z has 256 characters, KEY@2099-03-02T08:02:00.500Z has four more
        String key = "k".repeat(235);
        scheduler.scheduleJob(RECURRING.toBuilder()
                .jobSpecificationKey(key)
                .calendar("late")
                .calendarPolicy(CalendarPolicy.NEXT_INCLUDED)
                .build());
        world.pass(Duration.ofSeconds(150));
        assertThatThrownBy(() -> scheduler.backfill(key, START.plusSeconds(60), START.plusSeconds(121)))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("… (260 characters)' was refused, nothing was written")
                .hasMessageContaining("longer than 256 characters");
        assertThat(scheduler.history(key + "@2099-03-02T08:01:00Z")).isEmpty();
        assertThat(scheduler.backfill(key, START.plusSeconds(60), START.plusSeconds(61)))
                .singleElement()
                .satisfies(fire -> assertThat(fire.job()).isNotNull());
    }

    @Test
    @DisplayName(
            "backfill: a job that has as many tags as M2 allows has no room for one more: it is refused, nothing is written")
    void manyTags() {
        Scheduler scheduler = world.node("a").scheduler();
        Set<String> tags = IntStream.range(0, 100).mapToObj(i -> "tag-" + i).collect(Collectors.toSet());
        scheduler.scheduleJob(RECURRING.toBuilder().tags(tags).build());
        world.pass(Duration.ofSeconds(150));
        assertThatThrownBy(() -> scheduler.backfill("r", START.plusSeconds(60), START.plusSeconds(121)))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("at most 100");
        assertThat(scheduler.history("r@2099-03-02T08:01:00Z")).isEmpty();
    }

    @Test
    @DisplayName(
            "backfill: a job that pauses after a failure is backfilled; a one-off that fails pauses neither itself nor the job")
    void pausingJob() {
        Scheduler scheduler = world.node("a").scheduler();
        scheduler.scheduleJob(RECURRING.toBuilder().pauseAfterFailures(1).build());
        world.work = call -> CompletableFuture.failedFuture(new IllegalStateException("closed"));
        assertThat(scheduler.backfill("r", START.minusSeconds(120), START.minusSeconds(1)))
                .hasSize(2)
                .allSatisfy(fire -> assertThat(fire.error()).isNull());
        world.pass(Duration.ofSeconds(20));
        assertThat(world.calls)
                .extracting(World.Call::fire)
                .containsExactly(START.minusSeconds(120), START.minusSeconds(60));
        StoredJob job = world.store.find("r", FindScope.LIVE).orElseThrow();
        assertThat(job.requests().pause()).isNull();
        assertThat(job.specification().pauseAfterFailures()).contains(1);
        assertThat(job.plan().nextFireTime()).isEqualTo(START.plusSeconds(60));
    }

    /** A scheduler that is never started, and so reads calendars only when it needs them. */
    private Scheduler client() {
        return world.client(builder -> builder.calendarReader(MinuteCalendar::read));
    }

    @Test
    @DisplayName(
            "backfill, C5: its fires are open by the calendars as they are now, also for a scheduler without a node")
    void calendarsAsTheyAre() {
        Scheduler owner = client();
        owner.calendars().put("bank", MinuteCalendar.excluding("59"));
        owner.scheduleJob(RECURRING.toBuilder().calendar("bank").build());
        Scheduler other = client();
        assertThat(other.previewFireTimes("r", START, 1))
                .as("it has read the calendar")
                .hasSize(1);
        world.pass(Duration.ofMinutes(30));
        owner.calendars().put("bank", MinuteCalendar.excluding("2-4"));
        world.pass(Duration.ofMinutes(30));
        for (Scheduler scheduler : List.of(other, client())) {
            assertThat(scheduler.backfill("r", START.plusSeconds(60), START.plusSeconds(360)))
                    .extracting(BulkResult::key)
                    .containsExactly("r@2099-03-02T08:01:00Z", "r@2099-03-02T08:05:00Z");
        }
    }

    @Test
    @DisplayName(
            "backfill: the tag that a user gives to jobs of his own keeps none of them waiting, whatever their keys")
    void tagOfAUser() {
        Scheduler scheduler = world.node("a").scheduler();
        world.work = call -> call.job().equals("pay@first")
                ? CompletableFuture.failedFuture(new IllegalStateException("bad"))
                : CompletableFuture.completedFuture(null);
        for (String key : List.of("pay@first", "pay@second", "plain", "pay@2099-03-02T07:00:00Z")) {
            scheduler.scheduleJob(job(key).tags("backfill")
                    .singleSchedule(START.plusSeconds(key.equals("pay@first") ? 10 : 20))
                    .retryPolicy("R3/PT1H")
                    .build());
        }
        world.pass(Duration.ofSeconds(30));
        for (String key : List.of("pay@first", "pay@second", "plain", "pay@2099-03-02T07:00:00Z")) {
            assertThat(world.callsOf(key)).as(key).hasSize(1);
        }
    }

    @Test
    @DisplayName("preview: after the last fire that maxFires leaves there is none, of a specification and of a job")
    void maxFires() {
        Scheduler scheduler = world.node("a").scheduler();
        JobSpecification three = RECURRING.toBuilder().maxFires(3).build();
        assertThat(scheduler.previewFireTimes(three, 10)).hasSize(3);
        scheduler.scheduleJob(three);
        assertThat(scheduler.previewFireTimes("r", START, 10)).hasSize(3);
        world.pass(Duration.ofSeconds(70));
        StoredJob stored = world.store.find("r", FindScope.LIVE).orElseThrow();
        assertThat(stored.plan().firesEnded()).isEqualTo(1);
        assertThat(scheduler.previewFireTimes("r", world.time.wall(), 10))
                .extracting(FirePreview::fireTime)
                .containsExactly(START.plusSeconds(120), START.plusSeconds(180));
        assertThat(scheduler.previewFireTimes("r", START.plusSeconds(120), 10))
                .as("the fire of 120 s comes before")
                .extracting(FirePreview::fireTime)
                .containsExactly(START.plusSeconds(180));
        assertThat(Scheduler.previewFireTimes(stored.specification(), Map.of(), START, 10))
                .as("without what has run")
                .hasSize(3);
        assertThat(Scheduler.previewFireTimes(stored, Map.of(), world.time.wall(), START.plusSeconds(120), 10))
                .hasSize(1);
    }

    @Test
    @DisplayName(
            "preview, P7: no fire follows a cancel that is noted; one that is withdrawn by a new schedule has them again")
    void canceledUnderItsRun() {
        world.work = call -> new CompletableFuture<>();
        Scheduler scheduler = world.node("a").scheduler();
        scheduler.scheduleJob(RECURRING);
        world.pass(Duration.ofSeconds(70));
        assertThat(scheduler.previewFireTimes("r", world.time.wall(), 3)).hasSize(3);
        scheduler.cancelJob("r");
        StoredJob noted = world.store.find("r", FindScope.LIVE).orElseThrow();
        assertThat(noted.requests().cancelRequested()).isTrue();
        assertThat(scheduler.previewFireTimes("r", world.time.wall(), 3)).isEmpty();
        assertThat(Scheduler.previewFireTimes(noted, Map.of(), world.time.wall(), world.time.wall(), 3))
                .isEmpty();
        scheduler.scheduleJob(RECURRING);
        assertThat(scheduler.previewFireTimes("r", world.time.wall(), 3)).hasSize(3);
    }

    @Test
    @DisplayName("preview, S18: what a pause holds back counts for maxFires as the one fire that runs for it")
    void maxFiresInAPause() {
        Scheduler scheduler = world.node("a").scheduler();
        scheduler.scheduleJob(RECURRING.toBuilder().maxFires(2).build());
        scheduler.pause(PauseScope.job("r"), new Pause("audit", "ann", START.plusSeconds(190)));
        assertThat(scheduler.previewFireTimes("r", START, 10))
                .extracting(FirePreview::fireTime)
                .containsExactly(null, null, START.plusSeconds(180), START.plusSeconds(240));
    }

    @Test
    @DisplayName(
            "preview, S4: whether a held fire runs is known from the next fire, however many before that are excluded")
    void heldBeforeExcludedOnes() {
        ExclusionCalendar office = Calendars.daily(LocalTime.of(8, 2), LocalTime.of(8, 3, 30));
        Scheduler scheduler = world.node("a", world.store, Duration.ZERO, builder -> builder.calendar("office", office))
                .scheduler();
        scheduler.scheduleJob(RECURRING.toBuilder()
                .calendar("office")
                .missedFirePolicy(MissedFirePolicy.RUN_LATEST)
                .build());
        scheduler.pause(PauseScope.job("r"), new Pause("audit", "ann", START.plusSeconds(250)));
        assertThat(scheduler.previewFireTimes("r", START, 1)).singleElement().satisfies(row -> {
            assertThat(row.reason()).isEqualTo(FirePreview.Reason.PAUSED);
            assertThat(row.fireTime()).as("the one at 240 s runs for it").isNull();
        });
    }

    @Test
    @DisplayName("preview, S15: a specification that fires at once shows that fire first, and it counts for maxFires")
    void firstFireNow() {
        Scheduler scheduler = world.node("a").scheduler();
        world.pass(Duration.ofSeconds(10));
        JobSpecification now = RECURRING.toBuilder().firstFire(FirstFire.NOW).build();
        List<Instant> expected = List.of(START.plusSeconds(10), START.plusSeconds(60), START.plusSeconds(120));
        assertThat(scheduler.previewFireTimes(now, 3))
                .extracting(FirePreview::fireTime)
                .containsExactlyElementsOf(expected);
        assertThat(scheduler.previewFireTimes(now.toBuilder().maxFires(2).build(), 3))
                .extracting(FirePreview::fireTime)
                .containsExactlyElementsOf(expected.subList(0, 2));
        assertThat(scheduler.previewFireTimes(now, 0)).isEmpty();
    }
}
