package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.helper.Execution;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.testkit.memory.InMemoryJobStore;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The traces of an invoice whose customer is reminded two days later, over a failure and a node that dies, as docs show them. */
class TracedExampleTest {
    private static final List<String> SHOWN =
            List.of("almanac.next_attempt", "almanac.abandoned_claims", "exception.type");

    /** What the job carries. */
    record Reminder(String invoice) implements SchedulingCommand {}

    private final World world = new World(0, InMemoryJobStore::new);
    private final Spans spans = new Spans(world.time);
    private final Map<String, Machine> machines = new HashMap<>();

    private void node(String name) {
        machines.put(
                name,
                world.node(
                        name,
                        world.store,
                        Duration.ZERO,
                        builder -> spans.installed(builder)
                                .command("reminder", 1, Reminder.class, (reminder, run) -> remind(name, run))));
    }

    private void remind(String node, Execution run) {
        if (run.attempt() == 1) {
            throw new UncheckedIOException(new IOException("no mail server"));
        }
        if (run.recovering() == 0) {
            // the process is gone
            machines.get(node).lanes().close();
        } else {
            spans.in("send mail", () -> {});
        }
    }

    private Stream<SpanData> sorted() {
        return spans.all().stream().sorted(Comparator.comparing(SpanData::getStartEpochNanos));
    }

    private String traces() {
        Map<String, String> names =
                spans.all().stream().collect(Collectors.toMap(SpanData::getSpanId, SpanData::getName));
        StringBuilder text = new StringBuilder();
        sorted().filter(span -> !span.getParentSpanContext().isValid()).forEach(root -> {
            text.append("trace");
            Spans.links(root).forEach(link -> text.append(" linked to ").append(names.get(link.getSpanId())));
            text.append('\n');
            span(root, "  ", text);
        });
        return text.toString();
    }

    private void span(SpanData span, String indent, StringBuilder text) {
        Long attempt = span.getAttributes().get(AttributeKey.longKey("almanac.attempt"));
        String error = Spans.text(span, "error.type");
        text.append(indent)
                .append(Spans.moment(span.getStartEpochNanos()).truncatedTo(ChronoUnit.SECONDS))
                .append(' ')
                .append(span.getName())
                .append(attempt == null ? "" : ", attempt " + attempt)
                .append(error == null ? "" : ", ERROR " + error)
                .append('\n');
        span.getEvents()
                .forEach(event -> text.append(indent)
                        .append("  event ")
                        .append(event.getName())
                        .append(shown(event.getAttributes()))
                        .append('\n'));
        sorted().filter(child -> child.getParentSpanId().equals(span.getSpanId()))
                .forEach(child -> span(child, indent + "  ", text));
    }

    private static String shown(Attributes of) {
        return of.asMap().entrySet().stream()
                .filter(attribute -> SHOWN.contains(attribute.getKey().getKey()))
                .map(attribute -> " " + attribute.getValue().toString().replaceAll("\\.\\d+Z$", "Z"))
                .collect(Collectors.joining());
    }

    @Test
    @DisplayName(
            "S9: from the request to the run two days later, over a crash: the traces are those that docs/metrics.md shows")
    void page() throws IOException {
        Scheduler client = world.client(builder -> spans.installed(builder).command("reminder", 1, Reminder.class));
        spans.in(
                "POST /invoices",
                () -> client.scheduleJob(JobSpecification.builder()
                        .jobSpecificationKey("reminder-17")
                        .jobRequestor("billing")
                        .singleSchedule(START.plus(Duration.ofDays(2)))
                        .triggerCommand(new Reminder("17"))
                        .retryPolicy("R1/PT10M")
                        .build()));
        world.pass(Duration.ofDays(2).minusSeconds(5));
        node("a");
        node("b");
        world.pass(Duration.ofHours(1));
        assertThat(traces()).contains("send mail");
        assertThat(Files.readString(Path.of(System.getProperty("almanac.root"), "docs", "metrics.md")))
                .contains("```text\n" + traces() + "```");
    }
}
