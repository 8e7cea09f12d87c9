package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.Explanation;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobState;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.testkit.time.ManualLanes;
import dev.almanac.time.FirePreview;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule S18: pauses that begin later. */
class PlannedPausesTest extends LifecycleFixture {
    private static final Pause MOVE = new Pause("the database moves", "ann", null);
    private static final Duration SHORTLY = Duration.ofMillis(200);

    private static JobSpecification each(Duration every) {
        return job("j").tags("t")
                .every(every)
                .startAt(START.plus(every))
                .missedFirePolicy(MissedFirePolicy.RUN_LATEST)
                .build();
    }

    private List<Instant> starts() {
        return world.callsOf("j").stream().map(World.Call::started).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tag:t", "type:note", "everything", "job:j"})
    @DisplayName("L80 S18: what is due before the beginning runs, nothing from there to the end, then the newest fire")
    void heldFromTo(String kind) {
        world.node("a");
        client().scheduleJob(each(Duration.ofSeconds(10)));
        client().pause(PauseScope.parse(kind), MOVE.from(START.plusSeconds(30)).until(START.plusSeconds(65)));
        pass(29_999);
        assertThat(starts()).hasSize(2);
        pass(34_900);
        assertThat(starts()).as("30, 40, 50 and 60 s").hasSize(2);
        pass(5_500);
        assertThat(starts()).hasSize(4);
        assertThat(starts().get(2))
                .isBetween(START.plusSeconds(65), START.plusSeconds(65).plus(SHORTLY));
        assertThat(starts().get(3))
                .isBetween(START.plusSeconds(70), START.plusSeconds(70).plus(SHORTLY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tag:t", "job:j"})
    @DisplayName("S18: a fire of the millisecond before the beginning runs, one of the beginning does not")
    void toTheMillisecond(String kind) {
        world.node("a");
        Instant begin = START.plusSeconds(30);
        client().scheduleJob(
                        job("j").tags("t").singleSchedule(begin.minusMillis(1)).build());
        client().pause(PauseScope.parse(kind), MOVE.from(begin).until(begin.plusSeconds(10)));
        client().scheduleJob(job("other").tags("t").singleSchedule(begin).build());
        client().pause(PauseScope.job("other"), MOVE.from(begin).until(begin.plusSeconds(10)));
        pass(39_990);
        assertThat(starts()).containsExactly(begin.minusMillis(1));
        assertThat(world.callsOf("other")).isEmpty();
        pass(1_000);
        assertThat(starts()).hasSize(1);
        assertThat(world.callsOf("other"))
                .singleElement()
                .satisfies(call -> assertThat(call.started())
                        .isBetween(begin.plusSeconds(10), begin.plusSeconds(10).plus(SHORTLY)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tag:t", "type:note", "everything", "job:j"})
    @DisplayName("S18: a fire that came late, for want of a node, does not run in the pause that has begun meanwhile")
    void overdue(String kind) {
        client().scheduleJob(
                        job("j").tags("t").singleSchedule(START.plusSeconds(5)).build());
        client().pause(PauseScope.parse(kind), MOVE.from(START.plusSeconds(10)).until(START.plusSeconds(60)));
        pass(20_000);
        world.node("a");
        pass(39_000);
        assertThat(starts()).isEmpty();
        assertThat(document("j").lease()).isNull();
        pass(999);
        assertThat(starts()).isEmpty();
        pass(1_000);
        assertThat(starts()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tag:t", "type:note", "everything", "job:j"})
    @DisplayName("S18: a run that is in progress when the pause begins goes on; its retry waits for the end")
    void running(String kind) {
        world.node("a");
        world.work = call -> bad();
        client().scheduleJob(job("j").tags("t")
                .singleSchedule(START.plusSeconds(9))
                .retryPolicy(RetryPolicy.fixed(1, Duration.ofSeconds(3)))
                .build());
        client().pause(PauseScope.parse(kind), MOVE.from(START.plusSeconds(10)).until(START.plusSeconds(60)));
        pass(59_900);
        assertThat(starts()).hasSize(1);
        pass(1_000);
        assertThat(starts()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tag:t", "job:j"})
    @DisplayName("S18: listed and shown; the state changes with its beginning and its end")
    void shown(String kind) {
        Scheduler client = client();
        client.scheduleJob(
                job("j").tags("t").singleSchedule(START.plusSeconds(500)).build());
        client.pause(PauseScope.parse(kind), MOVE.from(START.plusSeconds(30)).until(START.plusSeconds(60)));
        assertThat(state()).isEqualTo(JobState.SCHEDULED);
        if (kind.equals("job:j")) {
            assertThat(client.findJobById("j").orElseThrow().pause()).isNotNull();
        } else {
            assertThat(client.plannedPauses()).extracting(StandingPause::begins).containsExactly(START.plusSeconds(30));
            assertThat(client.pauses()).isEmpty();
        }
        pass(30_000);
        assertThat(state()).isEqualTo(JobState.PAUSED);
        pass(30_000);
        assertThat(state()).isEqualTo(JobState.SCHEDULED);
        assertThat(client.pauses()).isEmpty();
        assertThat(client.plannedPauses()).isEmpty();
        assertThat(client.findJobById("j").orElseThrow().pause()).isNull();
    }

    @Test
    @DisplayName(
            "S18, S21: a pause of a kind that has ended by itself is none: a resume of it answers so, in each of its forms")
    void resumedAfterItsEnd() {
        Scheduler client = client();
        client.pause(PauseScope.tag("t"), MOVE.until(START.plusSeconds(60)));
        client.pause(PauseScope.tag("t"), MOVE.from(START.plusSeconds(70)).until(START.plusSeconds(80)));
        StandingPause shown = client.pauses().get(0);
        pass(90_000);
        assertThat(client.resume(shown)).isFalse();
        assertThat(client.resume(PauseScope.tag("t"), START.plusSeconds(70))).isFalse();
        assertThat(client.resume(PauseScope.tag("t"))).isFalse();
        client.pause(PauseScope.tag("t"), MOVE);
        assertThat(client.resume(PauseScope.tag("t"))).isTrue();
    }

    private JobState state() {
        return client().findJobById("j").orElseThrow().jobState();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tag:t", "job:j"})
    @DisplayName("S18: explain names the pause that the next fire falls into")
    void explained(String kind) {
        client().scheduleJob(
                        job("j").tags("t").singleSchedule(START.plusSeconds(45)).build());
        client().pause(PauseScope.parse(kind), MOVE.from(START.plusSeconds(30)).until(START.plusSeconds(60)));
        assertThat(client().explainJob("j").reasons())
                .filteredOn(reason -> reason.kind() == Explanation.Kind.PAUSED)
                .singleElement()
                .satisfies(reason -> assertThat(reason.text())
                        .contains(
                                "from " + START.plusSeconds(30), "until " + START.plusSeconds(60), "falls into that"));
        client().scheduleJob(job("early")
                .tags("t")
                .singleSchedule(START.plusSeconds(29))
                .build());
        assertThat(client().explainJob("early").reasons())
                .noneMatch(reason -> reason.kind() == Explanation.Kind.PAUSED);
    }

    @Test
    @DisplayName("S18: a run now before a planned pause is explained by what it waits for, not by that pause")
    void runNowExplained() {
        client().scheduleJob(
                        job("j").tags("t").singleSchedule(START.plusSeconds(45)).build());
        client().pause(PauseScope.tag("t"), MOVE.from(START.plusSeconds(30)));
        client().runNow("j");
        assertThat(client().explainJob("j").reasons())
                .anyMatch(reason -> reason.kind() == Explanation.Kind.RUN_NOW)
                .noneMatch(reason -> reason.kind() == Explanation.Kind.PAUSED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tag:t", "job:j"})
    @DisplayName("S18: the preview marks the fires of the pause; the newest of them runs at its end")
    void preview(String kind) {
        client().scheduleJob(each(Duration.ofSeconds(10)));
        client().pause(PauseScope.parse(kind), MOVE.from(START.plusSeconds(20)).until(START.plusSeconds(45)));
        assertThat(client().previewFireTimes("j", START, 5))
                .extracting(FirePreview::fireTime, FirePreview::reason)
                .containsExactly(
                        tuple(START.plusSeconds(10), FirePreview.Reason.REGULAR),
                        tuple(null, FirePreview.Reason.PAUSED),
                        tuple(null, FirePreview.Reason.PAUSED),
                        tuple(START.plusSeconds(40), FirePreview.Reason.PAUSED),
                        tuple(START.plusSeconds(50), FirePreview.Reason.REGULAR));
        assertThat(client().previewFireTimes("j", START, 3)).hasSize(3).last().satisfies(row -> {
            assertThat(row.reason()).isEqualTo(FirePreview.Reason.PAUSED);
            assertThat(row.fireTime()).as("the one at 40 s runs for it").isNull();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"tag:t", "type:note", "everything", "job:j"})
    @DisplayName(
            "S18, S4: the preview of a one-off shows it held by a pause, and how that ends, and runs nothing else for it")
    void previewOfOneOff(String kind) {
        Instant fire = START.plusSeconds(30);
        PauseScope scope = PauseScope.parse(kind);
        client().scheduleJob(job("j").tags("t").singleSchedule(fire).build());
        assertPreview(fire, FirePreview.Reason.REGULAR);
        client().pause(scope, MOVE.from(START.plusSeconds(20)).until(fire));
        assertPreview(fire, FirePreview.Reason.REGULAR);
        client().pause(scope, MOVE.from(START.plusSeconds(20)).until(START.plusSeconds(90)));
        assertPreview(fire, FirePreview.Reason.PAUSED);
        client().pause(scope, MOVE.until(START.plusSeconds(90)));
        assertPreview(fire, FirePreview.Reason.PAUSED);
        client().scheduleJob(job("j").tags("t")
                .singleSchedule(fire)
                .startDeadline(Duration.ofSeconds(59))
                .build());
        assertPreview(null, FirePreview.Reason.TOO_LATE);
        client().scheduleJob(job("j").tags("t")
                .singleSchedule(fire)
                .endAt(START.plusSeconds(89))
                .build());
        assertPreview(null, FirePreview.Reason.OUT_OF_BOUNDS);
        client().scheduleJob(job("j").tags("t")
                .singleSchedule(fire)
                .endAt(START.plusSeconds(90))
                .build());
        assertPreview(fire, FirePreview.Reason.PAUSED);
        client().resume(scope);
        client().pause(scope, MOVE.from(START.plusSeconds(20)));
        assertPreview(null, FirePreview.Reason.PAUSED);
    }

    private void assertPreview(@Nullable Instant fire, FirePreview.Reason reason) {
        assertThat(client().previewFireTimes("j", START, 3))
                .extracting(FirePreview::fireTime, FirePreview::reason)
                .containsExactly(tuple(fire, reason));
    }

    @Test
    @DisplayName("S18: a planned pause is beside the one in force; a resume ends that and leaves the planned one")
    void besideTheOneInForce() {
        Scheduler client = client();
        Instant begin = START.plusSeconds(100);
        client.pause(PauseScope.tag("t"), new Pause("now", "bob", null));
        client.pause(PauseScope.tag("t"), MOVE.from(begin));
        assertThat(client.pauses()).hasSize(1);
        assertThat(client.resume(PauseScope.tag("t"))).isTrue();
        assertThat(client.pauses()).isEmpty();
        assertThat(client.plannedPauses())
                .singleElement()
                .extracting(StandingPause::begins)
                .isEqualTo(begin);
        assertThat(client.resume(PauseScope.tag("t"))).as("none is in force").isFalse();
        assertThat(client.plannedPauses()).hasSize(1);
        assertThat(client.resume(PauseScope.tag("t"), begin.plusMillis(1))).isFalse();
        assertThat(client.resume(PauseScope.tag("t"), begin)).isTrue();
        assertThat(client.plannedPauses()).isEmpty();
    }

    @Test
    @DisplayName("S18: a resume ends a planned pause that has begun, and both if two have")
    void begun() {
        Scheduler client = client();
        client.pause(PauseScope.tag("t"), new Pause("now", "bob", null));
        client.pause(PauseScope.tag("t"), MOVE.from(START.plusSeconds(10)));
        pass(10_000);
        assertThat(client.pauses()).hasSize(2);
        assertThat(client.resume(PauseScope.tag("t"))).isTrue();
        assertThat(client.pauses()).isEmpty();
        assertThat(client.plannedPauses()).isEmpty();
    }

    @Test
    @DisplayName("S18: the pause of a job is withdrawn by its beginning; a resume leaves it, and resets no failures")
    void ofAJob() {
        Scheduler client = client();
        Instant begin = START.plusSeconds(100);
        client.scheduleJob(each(Duration.ofSeconds(1_000)));
        client.pause(PauseScope.job("j"), MOVE.from(begin).until(begin.plusSeconds(5)));
        assertThat(client.resume(PauseScope.job("j"))).isFalse();
        assertThat(document("j").requests().pause()).isNotNull();
        assertThat(client.resume(PauseScope.job("j"), begin.plusSeconds(1))).isFalse();
        assertThat(client.resume(PauseScope.job("j"), begin)).isTrue();
        assertThat(document("j").requests().pause()).isNull();
        assertThat(newest("j").detail()).contains("planned pause is withdrawn");
    }

    @Test
    @DisplayName(
            "S18: a planned pause does not end the one that a job has; one that begins at once replaces a planned one")
    void oneOfAJob() {
        Scheduler client = client();
        client.scheduleJob(each(Duration.ofSeconds(1_000)));
        client.pause(PauseScope.job("j"), new Pause("audit", "bob", null));
        assertThatThrownBy(() -> client.pause(PauseScope.job("j"), MOVE.from(START.plusSeconds(100))))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("bob: audit");
        assertThat(document("j").requests().pause()).isEqualTo(new Pause("audit", "bob", null));
        client.resume(PauseScope.job("j"));
        client.pause(PauseScope.job("j"), MOVE.from(START.plusSeconds(100)));
        client.pause(PauseScope.job("j"), new Pause("audit", "bob", null));
        assertThat(newest("j").detail())
                .isEqualTo("paused by bob: audit; it replaces the pause from " + START.plusSeconds(100)
                        + ": the database moves");
    }

    @Test
    @DisplayName("S18: a planned pause without an end that holds the next fire is no job without a due time")
    void withoutEnd() {
        world.node("a");
        client().scheduleJob(each(Duration.ofSeconds(60)));
        client().pause(PauseScope.job("j"), MOVE.from(START.plusSeconds(30)));
        pass(1_000);
        assertThat(document("j").due()).isNull();
        assertThat(client().checkInvariants().findings()).isEmpty();
        assertThat(client().explainJob("j").reasons())
                .anyMatch(reason -> reason.kind() == Explanation.Kind.PAUSED)
                .noneMatch(reason -> reason.kind() == Explanation.Kind.NO_DUE_TIME);
        client().resume(PauseScope.job("j"), START.plusSeconds(30));
        pass(59_500);
        assertThat(starts()).hasSize(1);
    }

    @Test
    @DisplayName("S18: a job that keeps failing is paused although a pause is planned, or an earlier one has ended")
    void failing() {
        world.node("a");
        world.work = call -> bad();
        JobSpecification failing =
                each(Duration.ofSeconds(10)).toBuilder().pauseAfterFailures(2).build();
        client().scheduleJob(failing);
        client().pause(PauseScope.job("j"), MOVE.from(START.plusSeconds(1)).until(START.plusSeconds(2)));
        pass(25_000);
        assertThat(document("j").requests().pause())
                .as("a pause that has ended holds nothing")
                .extracting(Pause::author)
                .isEqualTo("pauseAfterFailures");
        client().resume(PauseScope.job("j"));
        client().pause(PauseScope.job("j"), MOVE.from(START.plusSeconds(500)));
        pass(30_000);
        assertThat(document("j").requests().pause()).extracting(Pause::author).isEqualTo("pauseAfterFailures");
        String replaced = "; it replaces the pause from " + START.plusSeconds(500);
        assertThat(newest("j").detail()).containsOnlyOnce(replaced);
        assertThat(document("j").requests().pause().reason())
                .as("who resumes the job sees which pause is not planned any more")
                .contains(replaced);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.PAUSED);
    }

    @Test
    @DisplayName(
            "L95 S18: a job that keeps failing stays paused although a pause with an end is in force; one without is kept")
    void failingInPause() {
        world.node("a");
        world.work = call -> slow(Duration.ofSeconds(5)).thenCompose(nothing -> bad());
        client().scheduleJob(each(Duration.ofSeconds(10)).toBuilder()
                .pauseAfterFailures(1)
                .build());
        pass(12_000);
        Instant end = START.plusSeconds(60);
        client().as("ann", "audit")
                .pause(PauseScope.job("j"), Pause.because("audit").until(end));
        pass(100_000);
        assertThat(starts()).as("it has reached its limit of failures").hasSize(1);
        assertThat(document("j").requests().pause()).isNotNull().satisfies(pause -> {
            assertThat(pause.author()).isEqualTo("pauseAfterFailures");
            assertThat(pause.until()).isNull();
        });
        assertThat(newest("j").outcome()).isEqualTo(Outcome.PAUSED);
        assertThat(newest("j").detail()).contains("; it replaces the pause by ann until " + end + ": audit");
        client().resume(PauseScope.job("j"));
        pass(2_000);
        assertThat(starts()).hasSize(2);
        client().as("bob", "a look").pause(PauseScope.job("j"), Pause.because("a look"));
        pass(100_000);
        assertThat(starts()).hasSize(2);
        assertThat(document("j").requests().pause()).extracting(Pause::author).isEqualTo("bob");
        assertThat(newest("j").outcome()).isEqualTo(Outcome.RETRIES_EXHAUSTED);
    }

    @Test
    @DisplayName("S18: a standby of a node begins and ends as planned")
    void standby() {
        Machine a = world.node("a");
        client().scheduleJob(each(Duration.ofSeconds(10)));
        client().pause(
                        PauseScope.node(a.scheduler().node().id()),
                        MOVE.from(START.plusSeconds(15)).until(START.plusSeconds(35)));
        pass(34_900);
        assertThat(starts()).hasSize(1);
        pass(1_000);
        assertThat(starts()).hasSize(2);
    }

    @Test
    @DisplayName(
            "S18: a run that waits for a thread of the executor does not start if its job's pause has begun meanwhile")
    void queued() {
        ManualLanes.Node threads = world.lanes.node();
        world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.executor(run -> threads.open("pool", 1).after(Duration.ofSeconds(5), run)));
        client().scheduleJob(job("j").singleSchedule(START.plusSeconds(10)).build());
        client().pause(PauseScope.job("j"), MOVE.from(START.plusSeconds(12)).until(START.plusSeconds(60)));
        pass(59_900);
        assertThat(starts()).isEmpty();
        pass(10_000);
        assertThat(starts()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tag:t", "job:j"})
    @DisplayName(
            "S18: a beginning with parts of a millisecond is cut: the pause is withdrawn, and ended, by what is shown")
    void partsOfAMillisecond(String kind) {
        Scheduler client = client();
        Instant begin = START.plusSeconds(10).plusNanos(123_456_789);
        client.scheduleJob(each(Duration.ofSeconds(1_000)));
        client.pause(PauseScope.parse(kind), MOVE.from(begin));
        assertThat(client.resume(PauseScope.parse(kind), begin)).isTrue();
        client.pause(PauseScope.parse(kind), MOVE.from(begin));
        Instant shown = kind.equals("job:j")
                ? client.findJobById("j").orElseThrow().pause().from()
                : client.plannedPauses().get(0).pause().from();
        assertThat(client.resume(PauseScope.parse(kind), shown)).isTrue();
        client.pause(PauseScope.parse(kind), MOVE.from(begin));
        pass(11_000);
        assertThat(client.resume(PauseScope.parse(kind))).isTrue();
        assertThat(client.pauses()).isEmpty();
        assertThat(client.findJobById("j").orElseThrow().pause()).isNull();
    }

    @Test
    @DisplayName("S18: an end that is not after the beginning is refused, as is a beginning after the year 9999")
    void refused() {
        assertThatThrownBy(() -> MOVE.from(START).until(START)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MOVE.from(Instant.MAX)).isInstanceOf(IllegalArgumentException.class);
    }
}
