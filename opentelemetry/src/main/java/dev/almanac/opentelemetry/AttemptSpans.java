package dev.almanac.opentelemetry;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.event.SchedulerListener;
import dev.almanac.helper.Execution;
import dev.almanac.helper.RunInterceptor;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.store.StoreException;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The spans of the attempts of one node. A span begins on the thread of its run, before any other interceptor is called, and ends with the
 * event that tells what became of the run: what follows a failure is not known before. Thread-safe.
 */
final class AttemptSpans implements RunInterceptor, SchedulerListener {
    private static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");
    private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("almanac.outcome");
    private static final AttributeKey<String> NEXT = AttributeKey.stringKey("almanac.next_attempt");
    private static final AttributeKey<Long> ABANDONED = AttributeKey.longKey("almanac.abandoned_claims");
    private static final AttributeKey<String> REASON = AttributeKey.stringKey("almanac.reason");

    private static final Set<Outcome> FAILURES = Set.of(
            Outcome.ATTEMPT_FAILED,
            Outcome.RETRIES_EXHAUSTED,
            Outcome.NON_RETRYABLE,
            Outcome.FAILURE_UNDELIVERED,
            Outcome.ABANDONED,
            Outcome.CRASHED,
            Outcome.BLOCKED);

    /** Ends of a run whose rows do not say when it began. */
    private static final Set<Outcome> BARE_ENDS =
            Set.of(Outcome.CRASHED, Outcome.CANCELED, Outcome.INTERRUPTED, Outcome.BLOCKED);

    /** Far more than a node runs at a time: only lost events leave spans open. */
    private static final int MOST_OPEN = 10_000;

    private final Tracer tracer;
    private final Map<Claim, Attempt> open = new LinkedHashMap<>();

    /** Its number alone tells the claims of a job apart. */
    private record Claim(String key, long fencingNumber) {}

    AttemptSpans(Tracer tracer) {
        this.tracer = tracer;
    }

    @Override
    public void around(Execution run, SchedulingCommand command, Next next) throws Exception {
        Attempt attempt = new Attempt(begun(run));
        add(new Claim(run.jobSpecificationKey(), run.fencingNumber()), attempt);
        Scope scope = attempt.span.makeCurrent();
        try {
            next.run().whenComplete((done, error) -> attempt.thrown = error);
        } catch (Throwable e) {
            attempt.thrown = e;
            throw e;
        } finally {
            scope.close();
        }
    }

    private Span begun(Execution run) {
        SpanBuilder builder = tracer.spanBuilder("process " + run.commandType())
                .setSpanKind(SpanKind.CONSUMER)
                .setNoParent()
                .setAttribute("messaging.system", "almanac")
                .setAttribute("messaging.operation.name", "process")
                .setAttribute("messaging.operation.type", "process")
                .setAttribute("messaging.destination.name", run.commandType())
                .setAttribute("messaging.message.id", run.jobSpecificationKey())
                .setAttribute("almanac.fire_time", run.fireTime().toString())
                .setAttribute("almanac.attempt", run.attempt())
                .setAttribute("almanac.fencing_number", run.fencingNumber());
        run.overThreshold().ifPresent(excess -> builder.setAttribute("almanac.over_threshold", excess.toString()));
        run.traceParent().map(TraceParents::read).filter(SpanContext::isValid).ifPresent(builder::addLink);
        Span span = builder.startSpan();
        int abandoned = abandoned(run);
        if (abandoned > 0) {
            span.addEvent("almanac.recovering", Attributes.of(ABANDONED, (long) abandoned));
        }
        return span;
    }

    /** The run does not depend on the answer. */
    private static int abandoned(Execution run) {
        try {
            return run.recovering();
        } catch (StoreException unknown) {
            return 0;
        }
    }

    @Override
    public void on(SchedulerEvent event) {
        if (event instanceof SchedulerEvent.RunRecorded recorded) {
            recorded(recorded.key(), recorded.row());
        } else if (event instanceof SchedulerEvent.LeaseLost lost) {
            Attempt attempt = take(new Claim(lost.key(), lost.fencingNumber()));
            if (attempt != null) {
                attempt.lost("almanac.lease_lost", lost.reason());
            }
        } else if (event instanceof SchedulerEvent.NodeStopped) {
            takeAll().forEach(attempt -> attempt.lost("almanac.abandoned", "its node has stopped"));
        }
    }

    private void recorded(String key, JobExecutionStatus row) {
        Claim claim = new Claim(key, row.claimSeq());
        if (row.outcome() == Outcome.TIMED_OUT) {
            Attempt running = find(claim);
            if (running != null) {
                running.span.addEvent("almanac.timed_out");
            }
        } else if (row.startedTime() != null || BARE_ENDS.contains(row.outcome())) {
            Attempt attempt = take(claim);
            if (attempt != null) {
                attempt.ended(row);
            }
        }
    }

    private void add(Claim claim, Attempt attempt) {
        List<Attempt> left = new ArrayList<>();
        synchronized (open) {
            // of an earlier job of that key, whose end was not heard of
            Attempt before = open.put(claim, attempt);
            if (before != null) {
                left.add(before);
            }
            if (open.size() > MOST_OPEN) {
                left.add(Objects.requireNonNull(
                        open.remove(open.keySet().iterator().next())));
            }
        }
        left.forEach(old -> old.span.end());
    }

    private @Nullable Attempt find(Claim claim) {
        synchronized (open) {
            return open.get(claim);
        }
    }

    private @Nullable Attempt take(Claim claim) {
        synchronized (open) {
            return open.remove(claim);
        }
    }

    private List<Attempt> takeAll() {
        synchronized (open) {
            List<Attempt> all = List.copyOf(open.values());
            open.clear();
            return all;
        }
    }

    /** An attempt whose span is open. */
    private static final class Attempt {
        private final Span span;
        private volatile @Nullable Throwable thrown;

        Attempt(Span span) {
            this.span = span;
        }

        void ended(JobExecutionStatus row) {
            span.setAttribute(OUTCOME, row.outcome().name());
            follows(row);
            if (FAILURES.contains(row.outcome())) {
                ErrorSummary error = row.error();
                failed(
                        error == null ? row.outcome().name() : error.type(),
                        error == null ? row.detail() : error.message());
            }
            span.end();
        }

        /** A manual run is not repeated: what follows is the plan. */
        private void follows(JobExecutionStatus row) {
            Instant next = row.manual() ? null : row.nextFireTime();
            String event = switch (row.outcome()) {
                case ATTEMPT_FAILED -> "almanac.retry";
                case POSTPONED -> "almanac.postponed";
                case ABANDONED -> "almanac.abandoned";
                default -> null;
            };
            if (event != null && next != null) {
                span.addEvent(event, Attributes.of(NEXT, next.toString()));
            }
        }

        private void failed(String type, @Nullable String message) {
            Throwable cause = thrown instanceof CompletionException wrapped && wrapped.getCause() != null
                    ? wrapped.getCause()
                    : thrown;
            if (cause != null) {
                span.recordException(cause);
            }
            span.setAttribute(ERROR_TYPE, type);
            span.setStatus(StatusCode.ERROR, message == null ? "" : message);
        }

        void lost(String event, String reason) {
            span.addEvent(event, Attributes.of(REASON, reason));
            failed(event, reason);
            span.end();
        }
    }
}
