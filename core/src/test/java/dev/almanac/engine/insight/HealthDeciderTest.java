package dev.almanac.engine.insight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Health;
import dev.almanac.engine.port.ContainedFailure;
import dev.almanac.engine.port.SlowCalendar;
import dev.almanac.engine.port.SlowListener;
import dev.almanac.engine.port.Stage;
import dev.almanac.engine.port.StoreComplaint;
import dev.almanac.engine.upkeep.OverdueTrend;
import dev.almanac.model.OpenRun;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.model.StuckRun;
import dev.almanac.model.UnservedJobs;
import dev.almanac.store.NodeReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HealthDeciderTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Duration WARNING = Duration.ofMillis(500);
    /** As the supervisor has them. */
    private static final String BEGINS = "it claims nothing: a step of it has failed, and it tries to begin again";

    private static final String OTHER =
            "it claims nothing for a moment: a step of it failed 3 times within a minute, so";
    private static final String TIMELESS = "it claims and starts nothing: the server's time has not been measured for"
            + " 7 s, since a clock was set or the server answers too slowly";

    private static NodeSnapshot well() {
        return snapshot(
                Stage.STARTED, true, "", List.of(), Duration.ZERO, List.of(node("a", "2026a"), node("b", "2026a")));
    }

    private static NodeSnapshot snapshot(
            Stage stage,
            boolean rehydrated,
            String complaint,
            List<String> warnings,
            Duration offset,
            List<NodeReport> nodes) {
        return new NodeSnapshot(
                stage,
                Duration.ZERO,
                rehydrated,
                warnings,
                offset,
                Duration.ZERO,
                WARNING,
                64,
                List.of(),
                List.of(),
                "",
                work(complaint, nodes, Duration.ZERO, List.of(), OverdueTrend.NONE, 0));
    }

    private static NodeSnapshot.Work work(
            String complaint,
            List<NodeReport> nodes,
            Duration noSlotFor,
            List<StuckRun> stuck,
            OverdueTrend overdue,
            long missed) {
        return new NodeSnapshot.Work(
                "",
                new StoreComplaint(complaint, !complaint.isEmpty()),
                List.of(),
                nodes,
                noSlotFor,
                List.of(),
                stuck,
                Set.of(),
                noSlotFor.isZero() ? 0 : 64,
                Set.of(),
                overdue,
                List.of(),
                missed,
                List.of());
    }

    private static NodeSnapshot busy(Duration noSlotFor, List<StuckRun> stuck, List<ContainedFailure> failures) {
        return snapshot(failures, List.of(), work("", List.of(), noSlotFor, stuck, OverdueTrend.NONE, 0));
    }

    private static NodeSnapshot snapshot(
            List<ContainedFailure> failures, List<SlowListener> listeners, NodeSnapshot.Work work) {
        return new NodeSnapshot(
                Stage.STARTED,
                Duration.ZERO,
                true,
                List.of(),
                WARNING,
                Duration.ZERO,
                WARNING,
                64,
                failures,
                listeners,
                "",
                work);
    }

    private static NodeSnapshot timeless(Duration distrusted) {
        return started(Stage.STARTED, Duration.ZERO, true, distrusted, NodeSnapshot.Work.NONE);
    }

    private static NodeSnapshot started(
            Stage stage, Duration since, boolean rehydrated, Duration distrusted, NodeSnapshot.Work work) {
        return new NodeSnapshot(
                stage,
                since,
                rehydrated,
                List.of(),
                Duration.ZERO,
                distrusted,
                WARNING,
                64,
                List.of(),
                List.of(),
                "",
                work);
    }

    @Test
    @DisplayName(
            "S20: a node tells others that it claims nothing by the reasons of its health, and with their patience")
    void claimsNothing() {
        Duration patience = Duration.ofSeconds(12);
        assertThat(HealthDecider.claimsNothing(well())).isEmpty();
        assertThat(HealthDecider.claimsNothing(starting(patience)))
                .contains("it was started 12 s ago and is not rehydrated, and claims nothing until it is");
        assertThat(HealthDecider.claimsNothing(starting(Duration.ofSeconds(9))))
                .as("it is about to")
                .isEmpty();
        assertThat(HealthDecider.claimsNothing(timeless(Duration.ofSeconds(7)))).contains(TIMELESS);
        assertThat(HealthDecider.claimsNothing(backlogged())).contains("history is behind: 9 status rows wait");
        assertThat(HealthDecider.claimsNothing(timeless(Duration.ofSeconds(4)))).isEmpty();
        NodeSnapshot.Work doubt = new NodeSnapshot.Work(
                "",
                new StoreComplaint("the store has not answered for 9 ms while renewing", false),
                List.of(),
                List.of(),
                Duration.ofMinutes(2),
                List.of(),
                List.of(),
                Set.of(),
                64,
                Set.of(),
                OverdueTrend.NONE,
                List.of(),
                0,
                List.of());
        assertThat(HealthDecider.claimsNothing(started(Stage.STARTED, patience, true, Duration.ZERO, doubt)))
                .as("a call that got no answer, and slots that are taken, keep it from nothing else")
                .isEmpty();
    }

    @Test
    @DisplayName("O5: a backlog that grows although slots are free names the command types whose limits are reached")
    void limitOfType() {
        NodeSnapshot.Work work = new NodeSnapshot.Work(
                "",
                StoreComplaint.NONE,
                List.of(),
                List.of(),
                Duration.ZERO,
                List.of(),
                List.of(),
                Set.of(),
                2,
                Set.of("note"),
                overdue(1_000, 20, 1_500, 50),
                List.of(),
                0,
                List.of());
        assertThat(HealthDecider.reported(started(Stage.STARTED, Duration.ZERO, true, Duration.ZERO, work)))
                .singleElement()
                .asString()
                .contains(
                        "this grows although 62 of this node's 64 slots are free (the limits of its command types [note]"
                                + " are reached): 30 s before, it was 20 s");
    }

    private static NodeSnapshot starting(Duration since) {
        return started(Stage.STARTED, since, false, Duration.ZERO, NodeSnapshot.Work.NONE);
    }

    private static NodeSnapshot behind(OverdueTrend overdue, long missed) {
        return snapshot(List.of(), List.of(), work("", List.of(), Duration.ofSeconds(1), List.of(), overdue, missed));
    }

    private static NodeSnapshot heard(Duration inCall, long lost, Duration lostAgo) {
        SlowListener slow = new SlowListener("Audit", inCall, "events-1", 7, lost, lostAgo);
        return snapshot(List.of(), List.of(slow), NodeSnapshot.Work.NONE);
    }

    /** As of a node with nothing to do, but for these. */
    private static NodeSnapshot.Work work(
            String kernel,
            StoreComplaint store,
            List<StandingPause> pauses,
            List<UnservedJobs> unserved,
            List<SlowCalendar> calendars) {
        NodeSnapshot.Work none = NodeSnapshot.Work.NONE;
        return new NodeSnapshot.Work(
                kernel,
                store,
                pauses,
                none.liveNodes(),
                none.noSlotFor(),
                none.open(),
                none.stuck(),
                none.outlived(),
                none.runs(),
                none.fullTypes(),
                none.overdue(),
                unserved,
                none.missed(),
                calendars);
    }

    private static NodeSnapshot asked(SlowCalendar slow) {
        return snapshot(List.of(), List.of(), work("", StoreComplaint.NONE, List.of(), List.of(), List.of(slow)));
    }

    /** Two readings half a minute apart. */
    private static OverdueTrend overdue(int before, int oldestBefore, int jobs, int oldest) {
        return new OverdueTrend(
                jobs, Duration.ofSeconds(oldest), before, Duration.ofSeconds(oldestBefore), Duration.ofSeconds(30));
    }

    private static NodeReport node(String id, String zoneRules) {
        return new NodeReport(id, id, NOW, NOW, zoneRules, Duration.ZERO, Set.of("note"), 0);
    }

    private static StuckRun stuck(String key) {
        OpenRun run = new OpenRun(key, "note", NOW, NOW, NOW, null, null, OpenRun.Place.STAGE, null, "", null);
        return new StuckRun(run, NOW, "the run of job '" + key + "' is stuck");
    }

    static Stream<Arguments> verdicts() {
        List<NodeReport> alone = List.of(node("a", "2026a"));
        return Stream.of(
                Arguments.of(well(), Health.State.UP, ""),
                Arguments.of(
                        snapshot(Stage.NEW, false, "", List.of(), Duration.ZERO, List.of()),
                        Health.State.DOWN,
                        "not started"),
                Arguments.of(
                        snapshot(Stage.STARTED, false, "", List.of(), Duration.ZERO, alone),
                        Health.State.DOWN,
                        "not rehydrated"),
                Arguments.of(
                        snapshot(Stage.DRAINED, true, "", List.of(), Duration.ZERO, alone),
                        Health.State.DOWN,
                        "drained"),
                Arguments.of(
                        snapshot(Stage.CLOSED, true, "", List.of(), Duration.ZERO, alone),
                        Health.State.DOWN,
                        "drained"),
                Arguments.of(
                        snapshot(
                                Stage.STARTED,
                                true,
                                "the store has not answered for 3 ms",
                                List.of(),
                                Duration.ZERO,
                                alone),
                        Health.State.DOWN,
                        "the store has not answered for 3 ms"),
                Arguments.of(
                        snapshot(
                                List.of(),
                                List.of(),
                                new NodeSnapshot.Work(
                                        "",
                                        new StoreComplaint("the store has not answered for 4 ms", false),
                                        List.of(),
                                        alone,
                                        Duration.ZERO,
                                        List.of(),
                                        List.of(),
                                        Set.of(),
                                        0,
                                        Set.of(),
                                        OverdueTrend.NONE,
                                        List.of(),
                                        0,
                                        List.of())),
                        Health.State.DEGRADED,
                        "the store has not answered for 4 ms"),
                Arguments.of(
                        snapshot(Stage.STARTED, true, "", List.of("no replica set"), Duration.ZERO, alone),
                        Health.State.DEGRADED,
                        "the store warns: no replica set"),
                Arguments.of(
                        snapshot(
                                Stage.STARTED,
                                true,
                                "",
                                List.of(),
                                WARNING.plusMillis(1).negated(),
                                alone),
                        Health.State.DEGRADED,
                        "clock differs from this node's by PT-0.501S"),
                Arguments.of(snapshot(Stage.STARTED, true, "", List.of(), WARNING, alone), Health.State.UP, ""),
                Arguments.of(
                        snapshot(
                                Stage.STARTED,
                                true,
                                "",
                                List.of(),
                                Duration.ZERO,
                                List.of(node("a", "2026a"), node("b", "2025b"))),
                        Health.State.DEGRADED,
                        "[2025b, 2026a]"),
                Arguments.of(busy(Duration.ofSeconds(59), List.of(), List.of()), Health.State.UP, ""),
                Arguments.of(
                        busy(Duration.ofSeconds(60), List.of(), List.of()),
                        Health.State.DEGRADED,
                        "all 64 slots are taken and none has become free for 60 s"),
                Arguments.of(
                        busy(Duration.ZERO, List.of(stuck("s")), List.of()),
                        Health.State.DEGRADED,
                        "the run of job 's' is stuck"),
                Arguments.of(
                        busy(Duration.ZERO, List.of(), List.of(new ContainedFailure("x", 7, Duration.ofSeconds(9)))),
                        Health.State.DEGRADED,
                        "x has failed 7 times, last 9 s ago"),
                Arguments.of(
                        busy(Duration.ZERO, List.of(), List.of(new ContainedFailure("x", 7, Duration.ofMinutes(5)))),
                        Health.State.UP,
                        ""),
                Arguments.of(behind(overdue(0, 0, 2_000, 40), 9), Health.State.UP, ""),
                Arguments.of(behind(overdue(999, 299, 999, 299), 9), Health.State.UP, ""),
                Arguments.of(
                        behind(overdue(1_000, 20, 2_000, 50), 0),
                        Health.State.DEGRADED,
                        "2000 or more jobs of its command types have been due for 10 s or longer, the oldest for 50 s;"
                                + " the nodes fall behind: 30 s before, it was 20 s"),
                Arguments.of(
                        behind(overdue(2_000, 35, 1_000, 35), 98_000),
                        Health.State.DEGRADED,
                        "1000 jobs of its command types have been due for 10 s or longer, the oldest for 35 s;"
                                + " this does not grow; 98000 planned fires passed without a run"),
                Arguments.of(behind(overdue(3, 300, 2, 330), 0), Health.State.DEGRADED, "2 jobs of its command types"),
                Arguments.of(timeless(Duration.ofMillis(4_999)), Health.State.UP, ""),
                Arguments.of(
                        timeless(Duration.ofSeconds(5)),
                        Health.State.DOWN,
                        "the server's time has not been measured for 5 s"),
                Arguments.of(
                        asked(new SlowCalendar("j", List.of("bank"), Duration.ofSeconds(25), "calendars-1")),
                        Health.State.DEGRADED,
                        "the calendars [bank] of job 'j' have been in one call for 25 s, on thread 'calendars-1'"),
                Arguments.of(heard(Duration.ofMillis(9_999), 0, Duration.ZERO), Health.State.UP, ""),
                Arguments.of(
                        heard(Duration.ofSeconds(95), 0, Duration.ZERO),
                        Health.State.DEGRADED,
                        "listener Audit has been in one call for 95 s, on thread 'events-1'; 7 events wait for it"),
                Arguments.of(
                        heard(Duration.ZERO, 12, Duration.ofSeconds(3)),
                        Health.State.DEGRADED,
                        "listener Audit is too slow: 12 events were left out, the last 3 s ago"),
                Arguments.of(
                        unserved(),
                        Health.State.DEGRADED,
                        "9 due jobs of command type 'rare' are taken by no live node; the oldest has been due for 120 s"),
                Arguments.of(heard(Duration.ZERO, 12, Duration.ofMinutes(5)), Health.State.UP, ""));
    }

    @ParameterizedTest
    @MethodSource("verdicts")
    @DisplayName(
            "O5: UP without a reason, DEGRADED to be looked at, DOWN if nothing is run; each with its reason alone")
    void verdict(NodeSnapshot snapshot, Health.State state, String reason) {
        List<String> down = HealthDecider.down(snapshot);
        List<String> degraded = HealthDecider.degraded(snapshot);
        List<String> reasons = state == Health.State.DOWN ? down : degraded;
        assertThat(state == Health.State.DOWN ? degraded : down).isEmpty();
        if (reason.isEmpty()) {
            assertThat(reasons).isEmpty();
        } else {
            assertThat(reasons).singleElement().asString().contains(reason);
        }
    }

    private static NodeSnapshot stage(Stage stage, Duration since, boolean rehydrated) {
        return started(stage, since, rehydrated, Duration.ZERO, NodeSnapshot.Work.NONE);
    }

    private static NodeSnapshot working(String kernel, StoreComplaint store) {
        return started(
                Stage.STARTED,
                Duration.ofMinutes(9),
                true,
                Duration.ZERO,
                work(kernel, store, List.of(), List.of(), List.of()));
    }

    private static NodeSnapshot backlogged() {
        return new NodeSnapshot(
                Stage.STARTED,
                Duration.ofMinutes(9),
                true,
                List.of(),
                Duration.ZERO,
                Duration.ZERO,
                WARNING,
                64,
                List.of(),
                List.of(),
                "history is behind: 9 status rows wait",
                NodeSnapshot.Work.NONE);
    }

    private static NodeSnapshot unserved() {
        return held(List.of(), List.of(unserved(9)));
    }

    private static UnservedJobs unserved(long jobs) {
        return new UnservedJobs("rare", 0, 7, jobs, false, Duration.ofMinutes(2));
    }

    private static StandingPause pause(PauseScope scope) {
        return new StandingPause(scope, new Pause("audit", "ops", null), NOW);
    }

    private static NodeSnapshot held(List<StandingPause> pauses, List<UnservedJobs> unserved) {
        return snapshot(List.of(), List.of(), work("", StoreComplaint.NONE, pauses, unserved, List.of()));
    }

    static Stream<Arguments> reports() {
        return Stream.of(
                Arguments.of(stage(Stage.STARTED, Duration.ofSeconds(9), false), ""),
                Arguments.of(stage(Stage.STARTED, Duration.ofSeconds(10), true), ""),
                Arguments.of(
                        stage(Stage.STARTED, Duration.ofSeconds(10), false),
                        "it was started 10 s ago and is not rehydrated, and claims nothing until it is"),
                Arguments.of(stage(Stage.DRAINED, Duration.ofSeconds(59), false), ""),
                Arguments.of(stage(Stage.DRAINED, Duration.ofSeconds(59), true), ""),
                Arguments.of(
                        stage(Stage.DRAINED, Duration.ofSeconds(60), true),
                        "it has been draining for 60 s: it claims nothing, and ends its runs"),
                Arguments.of(timeless(Duration.ofSeconds(7)), TIMELESS),
                Arguments.of(working(BEGINS, StoreComplaint.NONE), BEGINS),
                Arguments.of(working(OTHER, StoreComplaint.NONE), OTHER),
                Arguments.of(backlogged(), backlogged().history()),
                Arguments.of(
                        working("", new StoreComplaint("the store has not answered for 5 ms", true)),
                        "the store has not answered for 5 ms"),
                Arguments.of(
                        working("", new StoreComplaint("the store has not answered for 4 ms", false)),
                        "the store has not answered for 4 ms"));
    }

    @ParameterizedTest
    @MethodSource("reports")
    @DisplayName("O5: others are told why a node claims nothing, but not while it only starts or stops")
    void reported(NodeSnapshot snapshot, String reason) {
        assertThat(HealthDecider.reported(snapshot)).isEqualTo(reason.isEmpty() ? List.of() : List.of(reason));
    }

    /** Of each kind one, and more than are named. */
    private static Stream<NodeSnapshot> counted() {
        return Stream.of(1, 7)
                .flatMap(count -> Stream.of(
                        busy(Duration.ZERO, Collections.nCopies(count, stuck("s")), List.of()),
                        busy(
                                Duration.ZERO,
                                List.of(),
                                Collections.nCopies(count, new ContainedFailure("x", count, Duration.ofSeconds(3)))),
                        held(
                                List.of(pause(PauseScope.node("n")), pause(PauseScope.tag("night"))),
                                Collections.nCopies(count, unserved(count)))));
    }

    /** The first column of the table, as regular expressions. */
    private static List<String> documented() throws IOException {
        Path page = Path.of(System.getProperty("almanac.root")).resolve("docs/alerts.md");
        String table = Files.readString(page).split("## Reasons of health", 2)[1];
        return table.lines()
                .filter(line -> line.startsWith("| "))
                .flatMap(line -> Pattern.compile("`([^`]+)`")
                        .matcher(line.split("\\|")[1])
                        .results()
                        .map(quoted -> quoted.group(1)))
                .map(words -> ("\\Q" + words + "\\E")
                        .replace("N ", "\\E\\d+(?: or more)?\\Q ")
                        .replace("…", "\\E.+\\Q"))
                .toList();
    }

    @Test
    @DisplayName("O5: the table of docs/alerts.md has each reason by the words with which it begins")
    void table() throws IOException {
        Stream<String> reasons = Stream.concat(
                        Stream.concat(verdicts(), reports()).map(row -> (NodeSnapshot) row.get()[0]), counted())
                .flatMap(snapshot -> Stream.of(
                                HealthDecider.down(snapshot),
                                HealthDecider.degraded(snapshot),
                                HealthDecider.reported(snapshot))
                        .flatMap(List::stream));
        List<String> rows = documented();
        assertThat(rows).hasSizeGreaterThan(15);
        assertThat(reasons.distinct())
                .hasSizeGreaterThan(15)
                .allSatisfy(reason -> assertThat(rows).anyMatch(row -> reason.matches("(?s)" + row + ".*")));
    }

    @Test
    @DisplayName("O5: however many runs are stuck, the reasons stay few and say how many more there are")
    void bounded() {
        NodeSnapshot snapshot = busy(Duration.ZERO, Collections.nCopies(70, stuck("s")), List.of());
        assertThat(HealthDecider.reported(snapshot))
                .hasSize(6)
                .last()
                .asString()
                .contains("65 more");
    }
}
