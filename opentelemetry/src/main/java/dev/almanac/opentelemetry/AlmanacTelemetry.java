package dev.almanac.opentelemetry;

import dev.almanac.SchedulerBuilder;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import java.util.Objects;

/**
 * Traces from the request that schedules a job to its runs, over days, nodes and crashes (rule S9). A request that is made
 * inside a span stores it with the job; each attempt is a span of its own, of the kind CONSUMER, with a link to that span.
 *
 * <p>Each attempt begins a trace of its own. With the request as its parent, a trace would be open for days, or for years if the
 * job is recurring: no backend shows it whole, and the decision to sample the request would be one for every later run.
 *
 * <pre>{@code
 * SchedulerBuilder builder = Scheduler.builder().store(store);
 * AlmanacTelemetry.create(openTelemetry).install(builder);
 * }</pre>
 */
public final class AlmanacTelemetry {
    private final Tracer tracer;

    private AlmanacTelemetry(Tracer tracer) {
        this.tracer = tracer;
    }

    /** Spans of a tracer of this name: {@code dev.almanac}. */
    public static AlmanacTelemetry create(OpenTelemetry telemetry) {
        return new AlmanacTelemetry(
                Objects.requireNonNull(telemetry, "telemetry").getTracer("dev.almanac"));
    }

    /**
     * Adds an interceptor, a listener, and the supplier of {@link SchedulerBuilder#traceParent}, in place of one before. The
     * other interceptors are inside of the span of an attempt, but for those that are added later as outermost. May be called for several builders.
     */
    public void install(SchedulerBuilder builder) {
        AttemptSpans attempts = new AttemptSpans(tracer);
        builder.traceParent(TraceParents::current)
                .outermostInterceptor(attempts)
                .listener(attempts);
    }
}
