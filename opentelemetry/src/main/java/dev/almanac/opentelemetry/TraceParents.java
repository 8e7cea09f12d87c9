package dev.almanac.opentelemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Spans as texts of W3C Trace Context. */
final class TraceParents {
    private static final String FIELD = "traceparent";

    private TraceParents() {}

    /** The span of this thread; empty if it is in none. */
    static Optional<String> current() {
        SpanContext span = Span.current().getSpanContext();
        return span.isValid()
                ? Optional.of("00-" + span.getTraceId() + "-" + span.getSpanId() + "-"
                        + span.getTraceFlags().asHex())
                : Optional.empty();
    }

    /** The span of such a text; invalid if it is none. */
    static SpanContext read(String text) {
        Context read = W3CTraceContextPropagator.getInstance().extract(Context.root(), text, new Getter());
        return Span.fromContext(read).getSpanContext();
    }

    private static final class Getter implements TextMapGetter<String> {
        /** Releases of the API that a service may have ask for it. */
        @SuppressWarnings("deprecation")
        @Override
        public Iterable<String> keys(String carrier) {
            return List.of(FIELD);
        }

        @Override
        public @Nullable String get(@Nullable String carrier, String key) {
            return key.equals(FIELD) ? carrier : null;
        }
    }
}
