package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.ActionReport.Result;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The span of a request is kept with what it asks for (rule S9), over memory and a real server. */
class TraceParentsTest extends LifecycleFixture {
    private static final String ONE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final String TWO = "00-1bf7651916cd43dd8448eb211c80319c-c7ad6b7169203331-00";
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** The span of this thread. */
    private final AtomicReference<@Nullable String> span = new AtomicReference<>();

    private final List<String> seen = new ArrayList<>();
    private Machine node;

    @BeforeEach
    void start() {
        world.begun = run ->
                seen.add(run.jobSpecificationKey() + " " + run.traceParent().orElse("none"));
        node = world.node(
                "a", world.store, Duration.ZERO, builder -> builder.traceParent(() -> Optional.ofNullable(span.get())));
    }

    /** The scheduler, as code in that span uses it. */
    private Scheduler in(@Nullable String current) {
        span.set(current);
        return node.scheduler();
    }

    private Optional<String> stored(String key) {
        return document(key).specification().traceParent();
    }

    /** Fires 10 and 12 minutes after the start. */
    private static JobSpecificationBuilder ofTheHour(String key) {
        return job(key).schedulingSpecification("0 10,12 * * * ?");
    }

    @Test
    @DisplayName("S9: a job keeps the span in which it was scheduled, for each of its runs, retries included")
    void scheduled() {
        world.work = call -> call.attempt() == 1 ? bad() : good();
        in(ONE).scheduleJob(ofTheHour("j").retryPolicy("R1/PT5S").maxFires(2).build());
        in(TWO);
        world.pass(Duration.ofMinutes(13));
        assertThat(seen).containsExactly("j " + ONE, "j " + ONE, "j " + ONE, "j " + ONE);
        assertThat(document("j").specification().traceId()).contains("0af7651916cd43dd8448eb211c80319c");
    }

    @Test
    @DisplayName("S9: a request outside of a span, and a node that tells none, store none")
    void outside() {
        in(null).scheduleJob(job("outside").singleSchedule(START).build());
        world.node("b")
                .scheduler()
                .scheduleJob(job("silent").singleSchedule(START).build());
        world.pass(MINUTE);
        assertThat(seen).containsExactlyInAnyOrder("outside none", "silent none");
        assertThat(stored("outside")).isEmpty();
        assertThat(stored("silent")).isEmpty();
    }

    @Test
    @DisplayName(
            "S9 S1: the same job from another span is no change; a change keeps its span, one outside of a span does not")
    void again() {
        in(ONE).scheduleJob(ofTheHour("j").build());
        in(TWO).scheduleJob(ofTheHour("j").build());
        assertThat(stored("j")).contains(ONE);
        assertThat(document("j").specification().version()).isEqualTo(1);
        in(TWO).scheduleJob(ofTheHour("j").priority(2).build());
        assertThat(stored("j")).contains(TWO);
        assertThat(document("j").plan().nextFireTime()).isEqualTo(START.plus(Duration.ofMinutes(10)));
        in(null).scheduleJob(ofTheHour("j").priority(3).build());
        assertThat(stored("j")).contains(TWO);
    }

    @Test
    @DisplayName("S9 R13: reconcile and scheduleJobs keep the span of their caller; a redeployment changes nothing")
    void declared() {
        JobSpecification declared = ofTheHour("declared").build();
        in(ONE).reconcile("app", List.of(declared), false);
        assertThat(in(TWO).reconcile("app", List.of(declared), false).unchanged())
                .containsExactly("declared");
        assertThat(stored("declared")).contains(ONE);
        in(TWO).scheduleJobs(List.of(ofTheHour("m").build(), ofTheHour("n").build()));
        assertThat(stored("m")).contains(TWO);
        assertThat(stored("n")).contains(TWO);
    }

    @Test
    @DisplayName("S9: a run now has the span of its request, or none; the planned fires keep that of the job")
    void manual() {
        in(ONE).scheduleJob(ofTheHour("j").build());
        in(TWO).runNow("j");
        world.pass(MINUTE);
        in(null).runNow("j");
        world.pass(Duration.ofMinutes(10));
        assertThat(seen).containsExactly("j " + TWO, "j none", "j " + ONE);
    }

    @Test
    @DisplayName("S9: a rerun has the span of its request, not that of the run that it repeats")
    void rerun() {
        world.work = call -> seen.size() == 1 ? bad() : good();
        in(ONE).scheduleJob(job("once").now().build());
        world.pass(MINUTE);
        assertThat(in(TWO).apply(JobAction.rerun(), JobSelection.keys("once")).count(Result.DONE))
                .isOne();
        world.pass(MINUTE);
        assertThat(seen).containsExactly("once " + ONE, "once " + TWO);
    }

    @Test
    @DisplayName("S9: a run that is asked for during a manual run has the span of its own request")
    void manualTwice() {
        world.work = call -> slow(Duration.ofSeconds(20));
        in(null).scheduleJob(ofTheHour("j").build());
        in(ONE).runNow("j");
        world.pass(Duration.ofSeconds(10));
        in(TWO).runNow("j");
        world.pass(MINUTE);
        assertThat(seen).containsExactly("j " + ONE, "j " + TWO);
    }

    @Test
    @DisplayName("S9: a follow-up has the span of the run that it follows, also of a manual one")
    void followUps() {
        JobSpecification next = JobSpecification.now("{key} {claim}", new World.Note("next"));
        in(ONE).scheduleJob(ofTheHour("j").onSuccess(next).build());
        in(TWO).runNow("j");
        in(null);
        world.pass(Duration.ofMinutes(11));
        assertThat(seen).containsExactly("j " + TWO, "j 1 " + TWO, "j " + ONE, "j 2 " + ONE);
    }

    @Test
    @DisplayName("S9: contents that are taken from a stored job do not take its span along")
    void copied() {
        JobSpecification stored = in(ONE).scheduleJob(ofTheHour("j").build()).specification();
        in(null).scheduleJob(
                        stored.toBuilder().jobSpecificationKey("k").version(0).build());
        assertThat(stored("k")).isEmpty();
    }

    @Test
    @DisplayName("S9: a supplier that throws, or answers with no traceparent, costs the span and not the request")
    void contained() {
        Machine broken = world.node(
                "b",
                world.store,
                Duration.ZERO,
                builder -> builder.traceParent(() -> {
                    throw new IllegalStateException("no tracer");
                }));
        broken.scheduler().scheduleJob(ofTheHour("j").build());
        for (String text : List.of("", "x".repeat(100_000), ONE + "-1", ONE.replace('a', 'A'))) {
            in(text).scheduleJob(ofTheHour("text " + text.length()).build());
            assertThat(stored("text " + text.length())).isEmpty();
        }
        assertThat(stored("j")).isEmpty();
        assertThat(broken.scheduler().health().reasons()).anyMatch(reason -> reason.contains("the trace of a request"));
        assertThat(node.scheduler().health().reasons()).anyMatch(reason -> reason.contains("the trace of a request"));
    }
}
