package dev.almanac.behaviour;

import static dev.almanac.behaviour.MinuteCalendar.excluding;
import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.ActionReport;
import dev.almanac.model.ActionReport.Result;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobAction.SeenFailures;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSelection.SeenJob;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a user has named is what is changed, also if another one takes its place while the change is on its way. */
class NamedTargetsTest extends OverStores {
    private static final List<JobAction> ACTIONS = List.of(
            JobAction.cancel(),
            JobAction.pause(Pause.because("audit")),
            JobAction.runNow(),
            JobAction.update(edit -> edit.priority(1)));

    private Scheduler behind(JobStore way) {
        return world.client(builder -> builder.store(way).calendarReader(MinuteCalendar::read));
    }

    /** A way on which something happens before the first write. */
    private JobStore before(Runnable meanwhile) {
        AtomicBoolean first = new AtomicBoolean(true);
        return StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("write") && first.getAndSet(false)) {
                meanwhile.run();
            }
            return call.proceed();
        });
    }

    private String id(String key) {
        return world.store.find(key, FindScope.LIVE).orElseThrow().id();
    }

    private void nextLife(Scheduler other) {
        other.cancelJob("j");
        stored(other);
    }

    private static void stored(Scheduler scheduler) {
        scheduler.scheduleJob(job("j").singleSchedule(START.plusSeconds(3_600)).build());
    }

    @Test
    @DisplayName("40: an action on a job that ends meanwhile leaves the next job of its key alone")
    void nextLifeOfKey() {
        Scheduler other = behind(world.store);
        for (JobAction action : ACTIONS) {
            stored(other);
            JobSelection named = new JobSelection.Keys(List.of("j"), Map.of("j", new SeenJob(id("j"))));
            Scheduler late = behind(before(() -> nextLife(other)));
            assertThat(late.apply(action, named).items())
                    .as(action.toString())
                    .singleElement()
                    .satisfies(item -> {
                        assertThat(item.result()).isEqualTo(Result.REFUSED);
                        assertThat(item.detail()).contains("another job has this key now");
                    });
            assertThat(other.findJobById("j").orElseThrow())
                    .as(action.toString())
                    .satisfies(job -> assertThat(job.specification().version()).isEqualTo(1))
                    .satisfies(job -> assertThat(job.pause()).isNull());
            other.cancelJob("j");
        }
    }

    @Test
    @DisplayName("40: an action on a job as it was seen leaves other contents of that job alone")
    void otherVersion() {
        Scheduler other = behind(world.store);
        for (JobAction action : ACTIONS) {
            stored(other);
            long version = other.findJobById("j").orElseThrow().specification().version();
            JobSelection seen = new JobSelection.Keys(List.of("j"), Map.of("j", new SeenJob(id("j"), version)));
            Scheduler late = behind(before(() -> other.updateJob(
                    job("j").singleSchedule(START.plusSeconds(7_200)).build())));
            assertThat(late.apply(action, seen).items())
                    .as(action.toString())
                    .singleElement()
                    .satisfies(item -> {
                        assertThat(item.result()).isEqualTo(Result.REFUSED);
                        assertThat(item.detail()).contains("expects version " + version);
                    });
            var after = other.findJobById("j").orElseThrow();
            assertThat(after.specification().version()).as(action.toString()).isEqualTo(version + 1);
            assertThat(after.pause()).isNull();
            JobSelection present = new JobSelection.Keys(List.of("j"), Map.of("j", new SeenJob(id("j"), version + 1)));
            assertThat(other.apply(action, present).items())
                    .as(action.toString())
                    .extracting(ActionReport.Item::result)
                    .containsExactly(Result.DONE);
            other.cancelJob("j");
        }
    }

    @Test
    @DisplayName("S19, A2: a failure that nobody has seen is not run again, which could close it")
    void rerunOfSeenFailure() {
        Machine a = world.node("a");
        world.work = call -> CompletableFuture.failedFuture(new IllegalStateException("no"));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?").build());
        world.pass(Duration.ofSeconds(70));
        StoredJob first = world.store.find("j", FindScope.LIVE).orElseThrow();
        SeenFailures seen = new SeenFailures(
                first.plan().failuresInARow(), first.lastStatus().updatedTime());
        world.pass(Duration.ofSeconds(60));
        JobSelection j = JobSelection.keys("j");
        assertThat(a.scheduler()
                        .apply(JobAction.rerunFailed(Map.of("j", seen)), j)
                        .items())
                .singleElement()
                .satisfies(item -> {
                    assertThat(item.result()).isEqualTo(Result.REFUSED);
                    assertThat(item.detail()).contains("has failed again");
                });
        assertThat(a.scheduler().apply(JobAction.rerunFailed(), j).items())
                .as("whatever has failed")
                .extracting(ActionReport.Item::result)
                .containsExactly(Result.DONE);
    }

    @Test
    @DisplayName("40: an action on what a query has found leaves a job alone that has taken the key of one of these")
    void nextLifeOfMatch() {
        Scheduler other = behind(world.store);
        stored(other);
        Scheduler late = behind(before(() -> nextLife(other)));
        assertThat(late.apply(JobAction.cancel(), JobSelection.matching(JobQuery.all()))
                        .items())
                .singleElement()
                .satisfies(item -> assertThat(item.result()).isEqualTo(Result.REFUSED));
        assertThat(other.findJobById("j")).isPresent();
    }

    @Test
    @DisplayName("S18: a pause of a kind is replaced or ended as it was seen, or not at all")
    void pauseOfKind() {
        Scheduler scheduler = behind(world.store);
        PauseScope scope = PauseScope.tag("t");
        assertThat(scheduler.pause(scope, Pause.because("first"), null)).isTrue();
        StandingPause first = scheduler.pauses().get(0);
        assertThat(scheduler.pause(scope, Pause.because("second"), null)).isFalse();
        world.time.advance(Duration.ofSeconds(1));
        assertThat(scheduler.pause(scope, Pause.because("second"), first.since()))
                .isTrue();
        assertThat(scheduler.resume(first)).isFalse();
        assertThat(scheduler.pauses())
                .extracting(pause -> pause.pause().reason())
                .containsExactly("second");
        scheduler.pause(scope, Pause.because("third"));
        assertThat(scheduler.resume(scheduler.pauses().get(0))).isTrue();
        assertThat(scheduler.pauses()).isEmpty();
    }

    @Test
    @DisplayName("C5: the version of a calendar that was seen is replaced, and no other")
    void versionOfCalendar() {
        Scheduler ann = behind(world.store);
        Scheduler bob = behind(world.store);
        long seen =
                ann.calendars().replace("bank", 0, excluding("2")).calendar().version();
        assertThatThrownBy(() -> bob.calendars().replace("bank", 0, excluding("3")))
                .as("one is stored by now")
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is version 1 now");
        assertThat(bob.calendars()
                        .replace("bank", seen, excluding("3"))
                        .calendar()
                        .version())
                .isEqualTo(seen + 1);
        assertThatThrownBy(() -> ann.calendars().replace("bank", seen, excluding("4")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is version 2 now");
        assertThat(ann.calendars()
                        .replace("bank", seen, excluding("3"))
                        .calendar()
                        .version())
                .as("it is as wanted")
                .isEqualTo(seen + 1);
        bob.calendars().delete("bank");
        assertThatThrownBy(() -> ann.calendars().replace("bank", seen + 1, excluding("4")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("was removed");
        assertThat(ann.calendars().list()).isEmpty();
        assertThat(Objects.requireNonNull(world.store.cluster().calendars().get(0))
                        .deleted())
                .isTrue();
    }
}
