package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.FindScope;
import dev.almanac.model.Job;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobState;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a job is said to be doing, through find, list and explain alike (rule S21). */
class JobStatesTest {
    private final World world = new World(0, InMemoryJobStore::new);
    private final Scheduler outside = world.client(builder -> builder);

    private void one(String key) {
        outside.scheduleJob(job(key).singleSchedule(START.plusSeconds(10)).build());
    }

    /** By every door. */
    private void is(String key, JobState state) {
        Job found = outside.findJobById(key, FindScope.INCLUDING_FINISHED).orElseThrow();
        assertThat(found.jobState()).isEqualTo(state);
        assertThat(outside.explainJob(key).state()).isEqualTo(state);
        for (JobState asked : JobState.values()) {
            assertThat(outside.listJobs(JobQuery.all().state(asked)).jobs())
                    .extracting(job -> job.specification().jobSpecificationKey())
                    .as("in state %s", asked)
                    .isEqualTo(asked == state ? List.of(key) : List.of());
        }
    }

    @Test
    @DisplayName("S21: a job whose lease is over is RECOVERING, not running, until it is claimed again")
    void killed() {
        World.Machine a = world.node("a");
        world.work = call -> new CompletableFuture<>();
        one("k");
        is("k", JobState.SCHEDULED);
        world.pass(Duration.ofSeconds(11));
        is("k", JobState.CLAIMED);
        a.lanes().close();
        world.pass(Duration.ofSeconds(18));
        is("k", JobState.CLAIMED);
        world.pass(Duration.ofSeconds(3));
        is("k", JobState.RECOVERING);
        world.work = call -> CompletableFuture.completedFuture(null);
        world.node("b");
        world.pass(Duration.ofSeconds(5));
        is("k", JobState.SUCCEEDED);
    }

    @Test
    @DisplayName(
            "S21: RUNNING is said once the document shows the start: by progress, or by the mark of crash policy FAIL")
    void started() {
        world.node("a");
        world.begun = execution -> execution.progress(1, 9, "half");
        world.work = call -> new CompletableFuture<>();
        one("said");
        world.pass(Duration.ofSeconds(11));
        is("said", JobState.CLAIMED);
        world.pass(Duration.ofSeconds(10));
        is("said", JobState.RUNNING);
    }

    private @Nullable Instant next(String key) {
        return outside.findJobById(key, FindScope.INCLUDING_FINISHED)
                .orElseThrow()
                .nextFireTime();
    }

    @Test
    @DisplayName(
            "O2: a job that has ended has no next fire; one that is cancelled under its run only the one in progress")
    void nextFire() {
        world.node("a");
        one("done");
        one("canceled");
        for (String key : List.of("each", "asked")) {
            outside.scheduleJob(job(key).schedulingSpecification("0 * * * * ?").build());
        }
        assertThat(next("done")).isEqualTo(START.plusSeconds(10));
        assertThat(next("each")).isEqualTo(START.plusSeconds(60));
        outside.cancelJob("canceled");
        world.pass(Duration.ofSeconds(20));
        assertThat(outside.explainJob("done").state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(next("done")).isNull();
        assertThat(next("canceled")).isNull();
        world.work = call -> new CompletableFuture<>();
        outside.apply(JobAction.runNow(), JobSelection.keys("asked"), false);
        world.pass(Duration.ofSeconds(45));
        assertThat(next("each")).as("in progress").isEqualTo(START.plusSeconds(60));
        assertThat(next("asked")).as("beside the run by hand").isEqualTo(START.plusSeconds(60));
        outside.cancelJob("each");
        outside.cancelJob("asked");
        assertThat(next("each")).as("it goes on to its end").isEqualTo(START.plusSeconds(60));
        assertThat(next("asked")).as("the run by hand goes on to its end").isNull();
    }

    @Test
    @DisplayName("S21: the mark of crash policy FAIL is a start that is known")
    void marked() {
        world.node("a");
        world.work = call -> new CompletableFuture<>();
        outside.scheduleJob(job("once")
                .crashPolicy(CrashPolicy.FAIL)
                .singleSchedule(START.plusSeconds(10))
                .build());
        world.pass(Duration.ofSeconds(11));
        is("once", JobState.RUNNING);
    }

    @Test
    @DisplayName("S21: a pause that has ended is none, whether of the job or of its kind; one that goes on is PAUSED")
    void paused() {
        one("k");
        outside.pause(PauseScope.job("k"), new Pause("audit", "ops", START.plusSeconds(5)));
        is("k", JobState.PAUSED);
        assertThat(outside.findJobById("k").orElseThrow().pause()).isNotNull();
        world.pass(Duration.ofSeconds(5));
        is("k", JobState.SCHEDULED);
        assertThat(outside.findJobById("k").orElseThrow().pause())
                .as("it has ended")
                .isNull();
        outside.pause(PauseScope.commandType("note"), new Pause("audit", "ops", START.plusSeconds(7)));
        is("k", JobState.PAUSED);
        world.pass(Duration.ofSeconds(2));
        is("k", JobState.SCHEDULED);
    }

    @Test
    @DisplayName("S21: a failed attempt makes it RETRYING, the last one FAILED; a cancel CANCELED")
    void failed() {
        world.node("a");
        world.work = call -> CompletableFuture.failedFuture(new IllegalStateException("no"));
        outside.scheduleJob(job("k").singleSchedule(START.plusSeconds(10))
                .retryPolicy(RetryPolicy.parse("R1/PT1M"))
                .build());
        world.pass(Duration.ofSeconds(20));
        is("k", JobState.RETRYING);
        world.pass(Duration.ofMinutes(2));
        is("k", JobState.FAILED);
    }

    @Test
    @DisplayName("S21: an action takes the jobs of a state, and no others")
    void selected() {
        one("held");
        one("free");
        outside.pause(PauseScope.job("held"), Pause.because("audit"));
        outside.apply(
                JobAction.cancel(), new JobSelection.Matching(JobQuery.all().state(JobState.PAUSED)));
        assertThat(outside.findJobById("held")).isEmpty();
        assertThat(outside.findJobById("free")).isPresent();
        assertThat(outside.findJobById("held", FindScope.INCLUDING_FINISHED)
                        .orElseThrow()
                        .jobState())
                .isEqualTo(JobState.CANCELED);
    }
}
