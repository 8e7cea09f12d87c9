package dev.almanac.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.testkit.contract.Specimens;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class MetricsPageTest {
    private static final Path ROOT = Path.of(System.getProperty("almanac.root"));
    private static final Pattern SERIES = Pattern.compile("almanac_[a-z_]+");
    /** What stands between {@code expr:} and the next key. */
    private static final Pattern EXPRESSION = Pattern.compile("(?s) expr: (?:>-)?(.*?)\\n {8}(?:for|labels):");

    /** Every meter there is: the ones registered at once, and those of a run that failed. */
    private static void fill(MeterRegistry registry) {
        fill(registry, Tags.empty());
    }

    /** As {@link #fill(MeterRegistry)}, of a scheduler with these tags. */
    static void fill(MeterRegistry registry, Tags tags) {
        SchedulerMetrics metrics = new SchedulerMetrics(registry, tags, question -> {});
        MetricsFixture fixture = new MetricsFixture();
        Scheduler scheduler = fixture.node(fixture.lanes.node(), metrics);
        metrics.watch(scheduler);
        metrics.on(new SchedulerEvent.RunEnded("k", "note", Instant.EPOCH, 1, Duration.ofMillis(1), false));
        metrics.on(new SchedulerEvent.RunStarted("k", "note", Instant.EPOCH, 1, Duration.ofMillis(1), false));
        JobExecutionStatus row = Specimens.row("j", "k", "v1", Instant.EPOCH);
        metrics.on(new SchedulerEvent.RunRecorded(
                "k",
                "note",
                row.toBuilder()
                        .outcome(Outcome.ATTEMPT_FAILED)
                        .nextFireTime(Instant.EPOCH)
                        .build()));
        metrics.on(new SchedulerEvent.RunRecorded(
                "k",
                "note",
                row.toBuilder()
                        .executionStatus(ExecutionStatus.FAILED)
                        .outcome(Outcome.RETRIES_EXHAUSTED)
                        .build()));
    }

    private static String row(Meter meter) {
        Meter.Id id = meter.getId();
        String kind = id.getType().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        String unit = id.getBaseUnit() == null ? "" : id.getBaseUnit();
        String tags = id.getTags().stream()
                .map(Tag::getKey)
                .map(key -> '`' + key + '`')
                .collect(Collectors.joining(", "));
        return "| `" + id.getName() + "` | " + kind + " | " + unit + " | " + tags + " | " + id.getDescription() + " |";
    }

    @Test
    @DisplayName("O4: the table of docs/metrics.md is what is registered, meter by meter, both ways")
    void table() throws IOException {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        fill(registry);
        Set<String> rows = registry.getMeters().stream()
                .filter(meter -> meter.getId().syntheticAssociation() == null)
                .map(MetricsPageTest::row)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(Files.readAllLines(ROOT.resolve("docs/metrics.md")).stream()
                        .filter(line -> line.startsWith("| `almanac.")))
                .containsExactlyElementsOf(rows);
    }

    @Test
    @DisplayName("docs/metrics.md names every outcome that a claim can have")
    void outcomes() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/metrics.md"));
        assertThat(Outcome.values())
                .filteredOn(outcome -> outcome != Outcome.NONE && outcome != Outcome.ACKNOWLEDGED)
                .allMatch(outcome -> page.contains("`" + outcome + "`"));
    }

    private static List<String> queries(JsonNode node) {
        List<String> queries = new ArrayList<>();
        if (node.has("expr")) {
            queries.add(node.get("expr").asString());
        }
        node.forEach(child -> queries.addAll(queries(child)));
        return queries;
    }

    private static Set<String> series(String text) {
        Set<String> series = new TreeSet<>();
        Matcher matcher = SERIES.matcher(text);
        while (matcher.find()) {
            series.add(matcher.group());
        }
        return series;
    }

    /** The names of the series that Prometheus gets of every meter. */
    private static Set<String> known() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        fill(registry);
        return registry.scrape()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("[{ ]")[0])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    @DisplayName("the queries of the Grafana dashboard name only series that Prometheus gets, and every meter")
    void dashboard() throws IOException {
        Set<String> known = known();
        JsonNode dashboard =
                JsonMapper.shared().readTree(Files.readString(ROOT.resolve("metrics/src/main/grafana/almanac.json")));
        List<String> queries = queries(dashboard);
        assertThat(queries).hasSizeGreaterThan(10);
        assertThat(known).containsAll(series(String.join("\n", queries)));
        assertThat(series("rate(almanac_no_such_total[5m])")).isNotEmpty().noneMatch(known::contains);
        String all = String.join("\n", queries);
        assertThat(known.stream().map(name -> name.replaceAll("_(count|sum|max|bucket)$", "")))
                .as("every meter is on the dashboard")
                .allMatch(all::contains);
    }

    /** The expressions of docs/alerts.yml by the names of their alerts. */
    static Map<String, String> rules() throws IOException {
        Map<String, String> rules = new TreeMap<>();
        for (String rule : Files.readString(ROOT.resolve("docs/alerts.yml")).split("- alert: ")) {
            Matcher expression = EXPRESSION.matcher(rule);
            if (expression.find()) {
                rules.put(
                        rule.lines().findFirst().orElseThrow().strip(),
                        expression.group(1).replaceAll("\\s+", " ").strip());
            }
        }
        return rules;
    }

    @Test
    @DisplayName("the rules of docs/alerts.yml name only series that Prometheus gets; docs/alerts.md has each of them")
    void alerts() throws IOException {
        Map<String, String> rules = rules();
        assertThat(rules).hasSizeGreaterThan(10);
        assertThat(rules.values().stream().flatMap(rule -> series(rule).stream()))
                .hasSizeGreaterThan(10)
                .allMatch(known()::contains);
        assertThat(Files.readAllLines(ROOT.resolve("docs/alerts.md")).stream()
                        .filter(line -> line.startsWith("| `Almanac"))
                        .map(line -> line.substring(3, line.indexOf('`', 3))))
                .containsExactlyInAnyOrderElementsOf(rules.keySet());
    }
}
