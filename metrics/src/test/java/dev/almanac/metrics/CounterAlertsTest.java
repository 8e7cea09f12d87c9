package dev.almanac.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The rules of docs/alerts.yml that ask for a counter, evaluated over what Prometheus reads of a node. */
class CounterAlertsTest {
    private static final int WINDOW = 10;
    private static final Pattern COUNTER = Pattern.compile("almanac_[a-z_]+_total");
    private static final Pattern RULE = Pattern.compile("sum by \\([a-z, ]+\\) \\((.*)\\) > 0");

    /**
     * What each part of a rule finds in the reading of one minute. C stands for the counter; a rule with another part fails
     * the test.
     */
    private static final Map<String, BiPredicate<Readings, Integer>> PARTS = Map.of(
            "(increase(C[10m]) > 0)", Readings::increased,
            "(C unless C offset 10m) > 0", (node, minute) -> node.counted(minute) && node.unread(minute - WINDOW),
            "(C and ignoring (type) almanac_uptime_seconds < 600) > 0",
                    (node, minute) -> node.counted(minute) && node.uptime.get(minute) < 600);

    /** One counter of one node, and the node's uptime, read once a minute: not a number where nothing was read. */
    private static final class Readings {
        private final boolean fromZero;
        private final List<Double> counter = new ArrayList<>();
        private final List<Double> uptime = new ArrayList<>();
        private final Set<Integer> events = new TreeSet<>();

        /** @param fromZero whether the counter is there before it has counted, as those without the tag {@code type} are */
        Readings(boolean fromZero) {
            this.fromZero = fromZero;
        }

        /** A process that counts in these minutes of its life; what it counts in minute 0 comes before the first reading. */
        Readings life(int minutes, Integer... counts) {
            int start = counter.size();
            for (int minute = 0; minute < minutes; minute++) {
                int now = minute;
                long count = Arrays.stream(counts).filter(at -> at <= now).count();
                counter.add(count == 0 && !fromZero ? Double.NaN : count);
                uptime.add(60.0 * minute + 5);
            }
            Arrays.stream(counts).forEach(at -> events.add(start + at));
            return this;
        }

        /** Nothing answers. */
        Readings gap(int minutes) {
            for (int minute = 0; minute < minutes; minute++) {
                counter.add(Double.NaN);
                uptime.add(Double.NaN);
            }
            return this;
        }

        boolean unread(int minute) {
            return minute < 0 || counter.get(minute).isNaN();
        }

        boolean counted(int minute) {
            return counter.get(minute) > 0;
        }

        /** As Prometheus does: a smaller value is that of a counter that began again. */
        boolean increased(int minute) {
            List<Double> read = counter.subList(Math.max(0, minute - WINDOW + 1), minute + 1).stream()
                    .filter(value -> !value.isNaN())
                    .toList();
            double increase = 0;
            for (int i = 1; i < read.size(); i++) {
                double before = read.get(i - 1);
                increase += read.get(i) < before ? read.get(i) : read.get(i) - before;
            }
            return increase > 0;
        }

        boolean eventWithin(int minute) {
            return events.stream().anyMatch(event -> minute - WINDOW < event && event <= minute);
        }
    }

    private static boolean fires(String rule, Readings node, int minute) {
        assertThat(COUNTER.matcher(rule).results().map(MatchResult::group).distinct())
                .as("one counter, in each part of %s", rule)
                .hasSize(1);
        Matcher parts = RULE.matcher(COUNTER.matcher(rule).replaceAll("C"));
        assertThat(parts.matches()).as(rule).isTrue();
        boolean fires = false;
        for (String part : parts.group(1).split(" or ")) {
            assertThat(PARTS).as(rule).containsKey(part);
            fires |= PARTS.get(part).test(node, minute);
        }
        return fires;
    }

    private static void check(String situation, Readings node) throws IOException {
        List<String> rules = MetricsPageTest.rules().values().stream()
                .filter(rule -> rule.contains("_total"))
                .toList();
        assertThat(rules).hasSizeGreaterThan(4);
        for (String rule : rules) {
            Set<Integer> fired = new TreeSet<>();
            for (int minute = 0; minute < node.counter.size(); minute++) {
                if (fires(rule, node, minute)) {
                    fired.add(minute);
                }
            }
            assertThat(fired).as("%s: %s", situation, rule).containsAll(node.events);
            assertThat(fired).as("%s: %s", situation, rule).allMatch(node::eventWithin);
        }
    }

    @Test
    @DisplayName(
            "O4: a rule of a counter fires at each event, also of a node that has restarted, and ends in ten minutes")
    void restarts() throws IOException {
        for (boolean fromZero : List.of(true, false)) {
            check("a long life", new Readings(fromZero).life(90, 30, 60, 61));
            check("counted before the first reading", new Readings(fromZero).life(60, 0));
            check(
                    "as many as yesterday",
                    new Readings(fromZero).life(60, 5).gap(3).life(60, 3));
            check("at once as many", new Readings(fromZero).life(60, 5).gap(1).life(60, 0));
            check(
                    "one in each life",
                    new Readings(fromZero).life(30, 0).life(30, 0).life(30, 0));
            check("fewer than yesterday", new Readings(fromZero).life(60, 5, 9).life(60, 2));
            check(
                    "late in the second life",
                    new Readings(fromZero).life(60, 5).gap(1).life(60, 40));
            check(
                    "nothing in the second life",
                    new Readings(fromZero).life(60, 5).gap(1).life(60));
            check("nothing at all", new Readings(fromZero).life(60).gap(1).life(60));
        }
    }

    @Test
    @DisplayName(
            "O4: the rules find the uptime of a counter by its labels: its tags are those of each counter but type")
    void labels() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        MetricsPageTest.fill(registry, Tags.of("scheduler", "orders"));
        Set<Tag> uptime =
                Set.copyOf(registry.get("almanac.uptime").gauge().getId().getTags());
        assertThat(uptime).containsExactly(Tag.of("scheduler", "orders"));
        assertThat(registry.getMeters())
                .map(Meter::getId)
                .filteredOn(id -> id.getType() == Meter.Type.COUNTER)
                .filteredOn(id -> !id.getName().equals("almanac.runs"))
                .hasSizeGreaterThan(10)
                .allSatisfy(id -> assertThat(id.getTags().stream()
                                .filter(tag -> !tag.getKey().equals("type"))
                                .collect(Collectors.toSet()))
                        .isEqualTo(uptime));
    }
}
