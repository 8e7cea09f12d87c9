package dev.almanac.examples.guice;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.almanac.Scheduler;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.event.SchedulerListener;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.ManualLanes;
import dev.almanac.testkit.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

class RunLogTest {
    private static final Instant START = Instant.parse("2099-03-02T08:00:00Z");
    private static final Map<String, String> SERVICE = Map.of("job", "of the service", "request", "4711");

    private record Line(String logger, String message, Map<String, String> context) {}

    private final List<Line> lines = new ArrayList<>();
    private final ManualTime time = new ManualTime(START);
    private final ManualLanes lanes = new ManualLanes(time);
    private final Logger root = (Logger) LoggerFactory.getLogger("dev.almanac");
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            lines.add(new Line(
                    event.getLoggerName(), event.getFormattedMessage(), Map.copyOf(event.getMDCPropertyMap())));
        }
    };

    @BeforeEach
    void listen() {
        root.setLevel(Level.INFO);
        appender.setContext(root.getLoggerContext());
        appender.start();
        root.addAppender(appender);
    }

    @AfterEach
    void leave() {
        root.detachAppender(appender);
        root.setLevel(null);
        MDC.clear();
    }

    /** Logs, and fails; {@code later} decides whether at once or by its stage. */
    private static final class Talker implements SchedulingHelper {
        private static final org.slf4j.Logger LOG = LoggerFactory.getLogger("dev.almanac.talker");
        private final List<CompletableFuture<Void>> stages = new ArrayList<>();

        @Override
        public boolean supports(SchedulingCommand command) {
            return true;
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command) {
            LOG.info("at work");
            CompletableFuture<Void> stage = new CompletableFuture<>();
            stages.add(stage);
            return stage;
        }
    }

    private Scheduler node(Talker talker, SchedulerListener listener) {
        ManualLanes.Node own = lanes.node();
        return Scheduler.builder()
                .store(new InMemoryJobStore(time))
                .time(time)
                .zone(ZoneOffset.UTC)
                .random(new SplittableRandom(1))
                .lanes(own)
                .executor(call -> own.execute(() -> {
                    MDC.setContextMap(SERVICE);
                    call.run();
                    assertThat(MDC.getCopyOfContextMap())
                            .as("what was there comes back")
                            .isEqualTo(SERVICE);
                    MDC.clear();
                }))
                .command("reminder", 1, PaymentReminder.class)
                .helper(talker)
                .listener(listener)
                .build()
                .start();
    }

    private static JobSpecification job() {
        return JobSpecification.builder()
                .jobSpecificationKey("reminder-7")
                .jobRequestor("tests")
                .triggerCommand(new PaymentReminder("Ann", "7"))
                .triggerIdentifier("7")
                .retryPolicy(RetryPolicy.parse("R1/PT1S"))
                .singleSchedule(START.plusSeconds(10))
                .build();
    }

    private static Map<String, String> run(int attempt) {
        return Map.of("job", "reminder-7", "fireTime", "2099-03-02T08:00:10Z", "attempt", String.valueOf(attempt));
    }

    @Test
    @DisplayName("O4: while a helper is called the MDC has job, fire time and attempt, and nothing of it stays")
    void helper() {
        Talker talker = new Talker();
        Scheduler scheduler = node(talker, event -> {});
        scheduler.scheduleJob(job());
        lanes.advance(Duration.ofSeconds(11));
        talker.stages.get(0).completeExceptionally(new IllegalStateException("no"));
        lanes.advance(Duration.ofSeconds(5));
        assertThat(lines).extracting(Line::message).containsExactly("at work", "at work");
        for (int attempt = 1; attempt <= 2; attempt++) {
            assertThat(lines.get(attempt - 1).context())
                    .containsAllEntriesOf(run(attempt))
                    .containsEntry("request", "4711");
        }
        assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
    }

    @Test
    @DisplayName("O4: what the engine logs of a run has job, fire time and attempt, on whichever thread the run ends")
    void engine() {
        Talker talker = new Talker();
        Scheduler scheduler = node(talker, event -> {
            if (event instanceof SchedulerEvent.RunStarted || event instanceof SchedulerEvent.RunEnded) {
                throw new IllegalStateException("a listener that fails");
            }
        });
        scheduler.scheduleJob(job());
        lanes.advance(Duration.ofSeconds(11));
        talker.stages.get(0).complete(null);
        lanes.advance(Duration.ZERO);
        List<Line> engine = lines.stream()
                .filter(line -> line.logger().startsWith("dev.almanac.engine"))
                .toList();
        assertThat(engine)
                .hasSize(2)
                .allSatisfy(line -> assertThat(line.context()).containsAllEntriesOf(run(1)));
        assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
    }
}
