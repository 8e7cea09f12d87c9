package dev.almanac.spring.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.Scheduler;
import dev.almanac.helper.RunInterceptor;
import dev.almanac.model.JobSpecification;
import dev.almanac.runtime.TimeSource;
import dev.almanac.spring.AlmanacAutoConfiguration;
import dev.almanac.spring.SchedulerCustomizer;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.server.MongoServer;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** A service that has a bean of OpenTelemetry, and the module for it. */
class TracedApplicationTest {
    private final MongoServer server = MongoServer.shared();
    private final String database = server.freshDatabase();
    private final ConfigurableApplicationContext context = new SpringApplicationBuilder(
                    ReminderApplication.class, Telemetry.class)
            .web(WebApplicationType.NONE)
            .properties(
                    "spring.main.banner-mode=off",
                    "spring.application.name=billing",
                    "spring.mongodb.uri=" + server.uri(),
                    "spring.mongodb.database=" + database)
            .run();

    /** Without an annotation, since the other tests of this package do not trace. */
    static class Telemetry {
        @Bean
        InMemorySpanExporter exporter() {
            return InMemorySpanExporter.create();
        }

        @Bean
        OpenTelemetry telemetry(InMemorySpanExporter exporter) {
            return OpenTelemetrySdk.builder()
                    .setTracerProvider(SdkTracerProvider.builder()
                            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                            .build())
                    .build();
        }
    }

    @AfterEach
    void stop() {
        context.close();
        try (MongoClient client = MongoClients.create(server.uri())) {
            client.getDatabase(database).drop();
        }
    }

    @Test
    @DisplayName("S9: without a further setting, a run is linked to the span in which its job was scheduled")
    void linked() throws Exception {
        Span request = context.getBean(OpenTelemetry.class)
                .getTracer("test")
                .spanBuilder("request")
                .startSpan();
        JobSpecification reminder = JobSpecification.now("eve", new ReminderApplication.Reminder("eve"));
        Context.current()
                .with(request)
                .wrap(() -> context.getBean(Scheduler.class).scheduleJob(reminder))
                .call();
        InMemorySpanExporter exporter = context.getBean(InMemorySpanExporter.class);
        await().atMost(Duration.ofMinutes(3))
                .untilAsserted(() -> assertThat(runs(exporter)).hasSize(1));
        assertThat(runs(exporter).get(0).getLinks())
                .extracting(link -> link.getSpanContext().getSpanId())
                .containsExactly(request.getSpanContext().getSpanId());
    }

    /** Sorted behind that of the scheduler, as one of another project may be. */
    @AutoConfiguration(after = AlmanacAutoConfiguration.class)
    static class LateTelemetry extends Telemetry {}

    @ImportAutoConfiguration({AlmanacAutoConfiguration.class, LateTelemetry.class})
    static class Notes {
        @Bean
        JobStore store() {
            return new InMemoryJobStore(TimeSource.system());
        }

        @Bean
        SchedulerCustomizer commands() {
            return builder -> builder.command("reminder", 1, ReminderApplication.Reminder.class, (reminder, run) -> {});
        }
    }

    @Test
    @DisplayName("S9: runs are traced, whichever auto-configuration makes the bean of OpenTelemetry")
    void late() {
        try (ConfigurableApplicationContext late = new SpringApplicationBuilder(Notes.class)
                .web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off", "spring.application.name=notes")
                .run()) {
            JobSpecification reminder = JobSpecification.now("eve", new ReminderApplication.Reminder("eve"));
            late.getBean(Scheduler.class).scheduleJob(reminder);
            await().atMost(Duration.ofMinutes(3))
                    .untilAsserted(() -> assertThat(runs(late.getBean(InMemorySpanExporter.class)))
                            .hasSize(1));
        }
    }

    /** A service whose interceptor lets no run begin. */
    static class Guarded extends Notes {
        final List<SpanContext> guarded = new CopyOnWriteArrayList<>();

        @Bean
        RunInterceptor guard() {
            return (run, command, next) -> {
                guarded.add(Span.current().getSpanContext());
                throw new IllegalStateException("no tenant");
            };
        }
    }

    @Test
    @DisplayName("S8, S9: the beans that intercept runs are inside of the span of the attempt, which fails as they do")
    void intercepted() {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Guarded.class)
                .web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off", "spring.application.name=notes")
                .run()) {
            JobSpecification reminder = JobSpecification.now("eve", new ReminderApplication.Reminder("eve"));
            context.getBean(Scheduler.class).scheduleJob(reminder);
            List<SpanContext> guarded = context.getBean(Guarded.class).guarded;
            await().atMost(Duration.ofMinutes(3))
                    .untilAsserted(() -> assertThat(guarded).hasSize(1));
            assertThat(guarded.get(0).isValid()).isTrue();
            InMemorySpanExporter exporter = context.getBean(InMemorySpanExporter.class);
            await().atMost(Duration.ofMinutes(3))
                    .untilAsserted(() -> assertThat(runs(exporter)).hasSize(1));
            SpanData run = runs(exporter).get(0);
            assertThat(run.getStatus()).isEqualTo(StatusData.create(StatusCode.ERROR, "no tenant"));
            assertThat(run.getSpanId()).isEqualTo(guarded.get(0).getSpanId());
        }
    }

    private static List<SpanData> runs(InMemorySpanExporter exporter) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals("process reminder"))
                .toList();
    }
}
