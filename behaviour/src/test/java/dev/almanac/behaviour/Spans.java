package dev.almanac.behaviour;

import dev.almanac.SchedulerBuilder;
import dev.almanac.opentelemetry.AlmanacTelemetry;
import dev.almanac.testkit.time.ManualTime;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.common.Clock;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The SDK of a service, and what its exporter has got: spans that have ended, in the order of their ends. */
final class Spans {
    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final OpenTelemetrySdk sdk;

    Spans(ManualTime time) {
        sdk = OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder()
                        .setClock(new VirtualClock(time))
                        .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                        .build())
                .build();
    }

    SchedulerBuilder installed(SchedulerBuilder builder) {
        AlmanacTelemetry.create(sdk).install(builder);
        return builder;
    }

    Tracer tracer() {
        return sdk.getTracer("service");
    }

    /** Does it inside a span of this name. */
    SpanContext in(String name, Runnable request) {
        Span span = tracer().spanBuilder(name).startSpan();
        try {
            Context.current().with(span).wrap(request).run();
        } finally {
            span.end();
        }
        return span.getSpanContext();
    }

    List<SpanData> all() {
        return exporter.getFinishedSpanItems();
    }

    /** Those of attempts. */
    List<SpanData> attempts() {
        return all().stream()
                .filter(span -> span.getName().startsWith("process "))
                .toList();
    }

    static List<SpanContext> links(SpanData span) {
        return span.getLinks().stream()
                .map(link -> SpanContext.create(
                        link.getSpanContext().getTraceId(),
                        link.getSpanContext().getSpanId(),
                        link.getSpanContext().getTraceFlags(),
                        link.getSpanContext().getTraceState()))
                .toList();
    }

    static String text(SpanData span, String attribute) {
        return span.getAttributes().get(AttributeKey.stringKey(attribute));
    }

    static List<String> events(SpanData span) {
        return span.getEvents().stream().map(EventData::getName).toList();
    }

    static Instant moment(long epochNanos) {
        return Instant.EPOCH.plusNanos(epochNanos);
    }

    private record VirtualClock(ManualTime time) implements Clock {
        @Override
        public long now() {
            Instant now = time.exact();
            return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
        }

        @Override
        public long nanoTime() {
            return time.nanos();
        }
    }
}
