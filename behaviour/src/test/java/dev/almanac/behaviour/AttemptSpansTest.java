package dev.almanac.behaviour;

import static dev.almanac.behaviour.Spans.events;
import static dev.almanac.behaviour.Spans.links;
import static dev.almanac.behaviour.Spans.moment;
import static dev.almanac.behaviour.Spans.text;
import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.helper.PostponeException;
import dev.almanac.helper.RunInterceptor;
import dev.almanac.helper.SkipException;
import dev.almanac.model.CancelMode;
import dev.almanac.model.History;
import dev.almanac.model.JobSpecificationBuilder;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A span of each attempt, as an exporter of OpenTelemetry gets it (rule S9), over memory and a real server. */
class AttemptSpansTest extends LifecycleFixture {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Instant LATER = START.plus(Duration.ofDays(2));

    private Spans spans;
    private Scheduler client;
    private Machine a;

    @BeforeEach
    void start() {
        spans = new Spans(world.time);
        client = world.client(spans::installed);
    }

    private Machine node(String name) {
        return world.node(name, world.store, Duration.ZERO, spans::installed);
    }

    /** Until shortly before {@link #LATER}, while no node runs: one would ask a real server each second. */
    private void waitTwoDays() {
        world.pass(Duration.ofDays(2).minusSeconds(5));
    }

    /** A process that runs no jobs schedules the job inside a span, which is returned. */
    private SpanContext schedule(JobSpecificationBuilder job) {
        return spans.in("request", () -> client.scheduleJob(job.build()));
    }

    private SpanData only() {
        assertThat(spans.attempts()).hasSize(1);
        return spans.attempts().get(0);
    }

    private static SpanContext current() {
        return Span.current().getSpanContext();
    }

    private static Long number(SpanData span, String attribute) {
        return span.getAttributes().get(AttributeKey.longKey(attribute));
    }

    @Test
    @DisplayName("S9: a run two days later is a trace of its own, with a link to the request, and says what it runs")
    void twoDaysLater() {
        SpanContext request = schedule(job("j").singleSchedule(LATER));
        waitTwoDays();
        node("a");
        world.pass(MINUTE);
        SpanData run = only();
        assertThat(run.getName()).isEqualTo("process note");
        assertThat(run.getKind()).isEqualTo(SpanKind.CONSUMER);
        assertThat(links(run)).containsExactly(request);
        assertThat(run.getParentSpanId()).isEqualTo(SpanId.getInvalid());
        assertThat(run.getTraceId()).isNotEqualTo(request.getTraceId());
        assertThat(moment(run.getStartEpochNanos())).isBetween(LATER, LATER.plusSeconds(1));
        assertThat(text(run, "messaging.system")).isEqualTo("almanac");
        assertThat(text(run, "messaging.operation.name")).isEqualTo("process");
        assertThat(text(run, "messaging.operation.type")).isEqualTo("process");
        assertThat(text(run, "messaging.destination.name")).isEqualTo("note");
        assertThat(text(run, "messaging.message.id")).isEqualTo("j");
        assertThat(text(run, "almanac.fire_time")).isEqualTo(LATER.toString());
        assertThat(number(run, "almanac.attempt")).isOne();
        assertThat(number(run, "almanac.fencing_number")).isOne();
        assertThat(text(run, "almanac.outcome")).isEqualTo("SUCCEEDED");
        assertThat(text(run, "almanac.over_threshold")).isNull();
        assertThat(run.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(run.getEvents()).isEmpty();
    }

    @Test
    @DisplayName("S9: a job that was scheduled outside of a span has spans without a link")
    void withoutRequest() {
        a = node("a");
        a.scheduler().scheduleJob(job("j").singleSchedule(START).build());
        world.pass(MINUTE);
        assertThat(only().getLinks()).isEmpty();
    }

    @Test
    @DisplayName(
            "S9: a failed attempt has its exception, its type and the moment of its retry, which has the same link")
    void retried() {
        a = node("a");
        world.work = call -> call.attempt() == 1
                ? CompletableFuture.failedFuture(new CompletionException(new IllegalStateException("bad")))
                : good();
        SpanContext request = schedule(job("j").singleSchedule(START).retryPolicy("R1/PT5M"));
        world.pass(Duration.ofMinutes(6));
        assertThat(spans.attempts())
                .hasSize(2)
                .allSatisfy(run -> assertThat(links(run)).containsExactly(request));
        SpanData first = spans.attempts().get(0);
        assertThat(first.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(first.getStatus().getDescription()).isEqualTo("bad");
        assertThat(text(first, "error.type")).isEqualTo("java.lang.IllegalStateException");
        assertThat(events(first)).containsExactly("almanac.retry", "exception");
        Instant next = Instant.parse(
                first.getEvents().get(0).getAttributes().get(AttributeKey.stringKey("almanac.next_attempt")));
        assertThat(first.getEvents().get(1).getAttributes().get(AttributeKey.stringKey("exception.type")))
                .isEqualTo("java.lang.IllegalStateException");
        SpanData second = spans.attempts().get(1);
        assertThat(moment(second.getStartEpochNanos())).isBetween(next, next.plusSeconds(1));
        assertThat(number(second, "almanac.attempt")).isEqualTo(2);
        assertThat(second.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(second.getEvents()).isEmpty();
    }

    @Test
    @DisplayName("S9: the last failure has no retry to tell of, nor has a manual run that fails")
    void failed() {
        a = node("a");
        world.work = call -> {
            throw new IllegalArgumentException("never");
        };
        schedule(job("j").singleSchedule(START));
        schedule(job("hourly").schedulingSpecification("0 0 * * * ?").retryPolicy("R1/PT5M"));
        a.scheduler().runNow("hourly");
        world.pass(MINUTE);
        assertThat(spans.attempts()).hasSize(2).allSatisfy(run -> {
            assertThat(run.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
            assertThat(text(run, "error.type")).isEqualTo("java.lang.IllegalArgumentException");
            assertThat(events(run)).containsExactly("exception");
        });
    }

    @Test
    @DisplayName("S9: what is skipped or postponed is no error; a postponed fire tells its next moment")
    void notNow() {
        a = node("a");
        world.work = call -> {
            if (call.job().equals("skipped")) {
                throw new SkipException("closed");
            }
            throw new PostponeException(START.plus(Duration.ofHours(1)), "busy");
        };
        schedule(job("skipped").singleSchedule(START));
        schedule(job("postponed").singleSchedule(START));
        world.pass(MINUTE);
        assertThat(spans.attempts()).hasSize(2).allSatisfy(run -> {
            assertThat(run.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
            assertThat(text(run, "almanac.outcome")).isEqualToIgnoringCase(text(run, "messaging.message.id"));
            assertThat(events(run))
                    .isEqualTo(
                            text(run, "messaging.message.id").equals("skipped")
                                    ? List.of()
                                    : List.of("almanac.postponed"));
        });
    }

    @Test
    @DisplayName(
            "S9: of two nodes the first is killed in the run: the span of the second has the link, and says what it recovers")
    void killed() {
        world.work = call -> call.fencing() == 1 ? endless() : good();
        SpanContext request = schedule(job("j").singleSchedule(LATER));
        waitTwoDays();
        a = node("a");
        Machine b = node("b");
        world.pass(Duration.ofSeconds(6));
        kill(world.calls.get(0).node().equals("a") ? a : b);
        world.pass(MINUTE);
        assertThat(world.calls).hasSize(2).extracting(World.Call::node).doesNotHaveDuplicates();
        SpanData second = only();
        assertThat(links(second)).containsExactly(request);
        assertThat(events(second)).containsExactly("almanac.recovering");
        assertThat(second.getEvents().get(0).getAttributes().get(AttributeKey.longKey("almanac.abandoned_claims")))
                .isOne();
        assertThat(number(second, "almanac.fencing_number")).isEqualTo(2);
        assertThat(second.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    }

    @Test
    @DisplayName(
            "S9: an attempt whose lease is lost ends as an error that says so; the one of the next node stands by itself")
    void lostLease() {
        a = node("a");
        world.work = call -> call.fencing() == 1 ? endless() : good();
        SpanContext request = schedule(job("j").singleSchedule(START));
        world.pass(Duration.ofSeconds(3));
        node("b");
        a.lanes().freeze();
        world.pass(MINUTE);
        a.lanes().thaw();
        world.pass(MINUTE);
        assertThat(spans.attempts())
                .hasSize(2)
                .allSatisfy(run -> assertThat(links(run)).containsExactly(request));
        SpanData recovered = spans.attempts().get(0);
        assertThat(events(recovered)).containsExactly("almanac.recovering");
        assertThat(recovered.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        SpanData lost = spans.attempts().get(1);
        assertThat(events(lost)).containsExactly("almanac.lease_lost");
        assertThat(lost.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(text(lost, "error.type")).isEqualTo("almanac.lease_lost");
        assertThat(text(lost, "almanac.outcome")).isNull();
    }

    @Test
    @DisplayName("S9: a run that ends with its node is abandoned; one that a user has interrupted is no error")
    void ended() {
        a = node("a");
        world.work = call -> endless();
        schedule(job("j").singleSchedule(START));
        schedule(job("k").singleSchedule(START));
        world.pass(Duration.ofSeconds(3));
        a.scheduler().cancelJob("k", CancelMode.INTERRUPT);
        world.pass(MINUTE);
        SpanData interrupted = only();
        assertThat(text(interrupted, "messaging.message.id")).isEqualTo("k");
        assertThat(interrupted.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        a.scheduler().beginDrain(Duration.ofSeconds(1));
        world.pass(MINUTE);
        assertThat(spans.attempts()).hasSize(2);
        SpanData abandoned = spans.attempts().get(1);
        assertThat(events(abandoned)).startsWith("almanac.abandoned");
        assertThat(abandoned.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    }

    @Test
    @DisplayName("S9: a timeout is an event at its moment; the span ends with the code of the run")
    void timedOut() {
        a = node("a");
        world.work = call -> endless();
        world.begun = run -> run.holdUntil(slow(Duration.ofSeconds(40)));
        schedule(job("j").singleSchedule(START).executionTimeout(Duration.ofSeconds(10)));
        world.pass(Duration.ofMinutes(2));
        SpanData run = only();
        assertThat(events(run)).startsWith("almanac.timed_out");
        assertThat(run.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(Duration.ofNanos(run.getEndEpochNanos() - run.getStartEpochNanos()))
                .isBetween(Duration.ofSeconds(40), Duration.ofSeconds(45));
    }

    @Test
    @DisplayName(
            "S9: what a helper does is inside of its span, also a job that it schedules; afterwards its thread is in none")
    void inside() {
        a = node("a");
        List<SpanContext> current = new ArrayList<>();
        world.begun = run -> {
            current.add(current());
            if (run.jobSpecificationKey().equals("parent")) {
                spans.in("query", () -> {});
                run.scheduler().scheduleJob(job("child").now().build());
            }
        };
        schedule(job("parent").singleSchedule(START).history(History.TROUBLE));
        world.pass(MINUTE);
        assertThat(spans.attempts()).hasSize(2);
        SpanData parent = spans.attempts().get(0);
        assertThat(text(parent, "messaging.message.id")).isEqualTo("parent");
        assertThat(current.get(0).getSpanId()).isEqualTo(parent.getSpanId());
        assertThat(spans.all())
                .filteredOn(span -> span.getName().equals("query"))
                .extracting(SpanData::getParentSpanId)
                .containsExactly(parent.getSpanId());
        assertThat(links(spans.attempts().get(1))).containsExactly(parent.getSpanContext());
        assertThat(current().isValid()).isFalse();
    }

    /** Notes the span that each interceptor and the helper are in, and what the outer interceptor does. */
    private Map<String, SpanContext> noted(RunInterceptor outer) {
        Map<String, SpanContext> current = new LinkedHashMap<>();
        world.begun = run -> current.put("helper", current());
        RunInterceptor inner = (run, command, next) -> {
            current.put("inner", current());
            next.run();
        };
        world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> spans.installed(builder.interceptor((run, command, next) -> {
                            current.put("outer", current());
                            spans.in("query", () -> {});
                            outer.around(run, command, next);
                        }))
                        .interceptor(inner));
        return current;
    }

    private void assertChild(String name, SpanData parent) {
        assertThat(spans.all())
                .filteredOn(span -> span.getName().equals(name))
                .extracting(SpanData::getParentSpanId)
                .containsExactly(parent.getSpanId());
    }

    @Test
    @DisplayName(
            "S8, S9: all interceptors are inside of the span, whether they are added before the traces or after them,"
                    + " and keep their order")
    void interceptors() {
        Map<String, SpanContext> current = noted((run, command, next) -> next.run());
        SpanContext request = schedule(job("j").singleSchedule(START));
        world.pass(MINUTE);
        SpanData run = only();
        assertThat(current.keySet()).containsExactly("outer", "inner", "helper");
        assertThat(current.values()).extracting(SpanContext::getSpanId).containsOnly(run.getSpanId());
        assertChild("query", run);
        assertThat(links(run)).containsExactly(request);
    }

    @Test
    @DisplayName("S8, S9: an interceptor that throws before the helper fails an attempt that has a span")
    void interceptorThrows() {
        Map<String, SpanContext> current = noted((run, command, next) -> {
            throw new IllegalStateException("no tenant");
        });
        schedule(job("j").singleSchedule(START));
        world.pass(MINUTE);
        SpanData run = only();
        assertThat(current.keySet()).as("the helper is not called").containsExactly("outer");
        assertThat(run.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(run.getStatus().getDescription()).isEqualTo("no tenant");
        assertThat(text(run, "error.type")).isEqualTo("java.lang.IllegalStateException");
        assertThat(events(run)).containsExactly("exception");
        assertChild("query", run);
    }

    @Test
    @DisplayName("S8, S9: an interceptor that skips the fire leaves a span that is no error")
    void interceptorSkips() {
        Map<String, SpanContext> current = noted((run, command, next) -> {
            throw new SkipException("closed");
        });
        schedule(job("j").singleSchedule(START));
        world.pass(MINUTE);
        SpanData run = only();
        assertThat(current.keySet()).as("the helper is not called").containsExactly("outer");
        assertThat(text(run, "almanac.outcome")).isEqualTo("SKIPPED");
        assertThat(run.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(events(run)).isEmpty();
    }

    @Test
    @DisplayName("S8, S9: what an interceptor throws after the helper changes nothing of the span")
    void interceptorThrowsAfterwards() {
        noted((run, command, next) -> {
            next.run();
            throw new IllegalStateException("afterwards");
        });
        schedule(job("j").singleSchedule(START));
        world.pass(MINUTE);
        SpanData run = only();
        assertThat(text(run, "almanac.outcome")).isEqualTo("SUCCEEDED");
        assertThat(run.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(events(run)).isEmpty();
    }

    @Test
    @DisplayName("S9: a late run says by how much it exceeds its threshold; a delivered failure command is a span, too")
    void lateAndFailureCommand() {
        a = node("a");
        world.work = call -> call.job().equals("bad") && call.fencing() == 1 ? bad() : good();
        schedule(job("late").singleSchedule(START.minusSeconds(5)).lateExecutionThreshold(Duration.ofSeconds(2)));
        SpanContext request = schedule(job("bad")
                .singleSchedule(START)
                .failureCommand(new World.Note("sorry"))
                .failureIdentifier("f"));
        world.pass(MINUTE);
        assertThat(spans.attempts())
                .extracting(run -> text(run, "messaging.message.id") + " " + text(run, "almanac.outcome"))
                .containsExactlyInAnyOrder("late SUCCEEDED", "bad RETRIES_EXHAUSTED", "bad FAILURE_DELIVERED");
        assertThat(spans.attempts())
                .filteredOn(run -> text(run, "messaging.message.id").equals("late"))
                .singleElement()
                .satisfies(run -> assertThat(Duration.parse(text(run, "almanac.over_threshold")))
                        .isBetween(Duration.ofSeconds(3), Duration.ofSeconds(4)));
        assertThat(spans.attempts())
                .filteredOn(run -> "FAILURE_DELIVERED".equals(text(run, "almanac.outcome")))
                .singleElement()
                .satisfies(run -> assertThat(links(run)).containsExactly(request));
    }
}
