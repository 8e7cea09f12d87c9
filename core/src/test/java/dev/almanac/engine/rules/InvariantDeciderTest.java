package dev.almanac.engine.rules;

import static dev.almanac.engine.rules.Jobs.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.Finding;
import dev.almanac.model.Finding.Kind;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.model.UnservedJobs;
import dev.almanac.store.Blocked;
import dev.almanac.store.DamagedJob;
import dev.almanac.store.Lease;
import dev.almanac.store.NodeReport;
import dev.almanac.store.Requests;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class InvariantDeciderTest {
    private static final Duration TOLERANCE = Duration.ofMinutes(1);
    private static final UnaryOperator<String> NAMED = node -> "node " + node + " (till 1)";
    private static final StandingPause HELD =
            new StandingPause(PauseScope.everything(), new Pause("why", "who", null), NOW);
    private static final Instant OLD = NOW.minus(TOLERANCE);
    private static final Instant YOUNG = OLD.plusMillis(1);

    private static final FirePlanner NO_CALENDARS = States.planner(Map.of());

    private static StoredJob due(Instant due) {
        return Jobs.oneOff("k", due);
    }

    private static StoredJob banking(Instant due) {
        return Jobs.of(
                Jobs.specification("k").singleSchedule(due).calendars("bank").build(), due);
    }

    private static StoredJob leased(Instant due) {
        return due(due).with(edit -> edit.lease(new Lease("n1", 1, due.minusSeconds(2))));
    }

    private static StoredJob paused(StoredJob job, Instant until) {
        return job.with(edit -> edit.requests(Requests.NONE.withPause(new Pause("why", "who", until))));
    }

    private static StoredJob without(StoredJob job) {
        return job.with(edit -> edit.due(null));
    }

    static Stream<Arguments> jobs() {
        return Stream.of(
                Arguments.of("due for long", due(OLD), false, true, Kind.OVERDUE),
                Arguments.of("due, within the tolerance", due(YOUNG), false, true, null),
                Arguments.of("due for long, but held with its kind", due(OLD), true, true, null),
                Arguments.of("due for long, but nobody can run it", due(OLD), false, false, null),
                Arguments.of("due for long although paused", paused(due(OLD), null), false, true, null),
                Arguments.of("due for long, its pause is over", paused(due(OLD), NOW), false, true, Kind.OVERDUE),
                Arguments.of("in the future", due(NOW.plusSeconds(9)), false, true, null),
                Arguments.of("leased", leased(NOW.plusSeconds(9)), false, true, null),
                Arguments.of("lease over, within the tolerance", leased(YOUNG), false, true, null),
                Arguments.of("lease over for long", leased(OLD), false, true, Kind.LEASE_NOT_RECOVERED),
                Arguments.of("lease over for long, nobody can run it", leased(OLD), false, false, null),
                Arguments.of("no due time", without(due(NOW)), false, true, Kind.NO_DUE_TIME),
                Arguments.of("no due time, held with its kind", without(due(NOW)), true, true, Kind.NO_DUE_TIME),
                Arguments.of("no due time, paused", paused(without(due(NOW)), null), false, true, null),
                Arguments.of("no due time, pause over", paused(without(due(NOW)), NOW), false, true, Kind.NO_DUE_TIME),
                Arguments.of(
                        "no due time, blocked",
                        without(due(NOW)).with(edit -> edit.blocked(Blocked.toRepair("damage"))),
                        false,
                        true,
                        Kind.BLOCKED),
                Arguments.of("no due time under a lease", without(leased(NOW)), false, true, Kind.NO_DUE_TIME));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("jobs")
    @DisplayName("O3: a job by itself")
    void job(String name, StoredJob job, boolean held, boolean runnable, Kind expected) {
        assertThat(InvariantDecider.job(job, held ? HELD : null, runnable, NO_CALENDARS, NAMED, NOW, TOLERANCE)
                        .map(Finding::kind))
                .isEqualTo(java.util.Optional.ofNullable(expected));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("jobs")
    @DisplayName("17.3: each finding about a job names the command that mends it, or that tells more")
    void command(String name, StoredJob job, boolean held, boolean runnable, Kind expected) {
        assertThat(
                        InvariantDecider.job(job, held ? HELD : null, runnable, NO_CALENDARS, NAMED, NOW, TOLERANCE)
                                .stream())
                .allSatisfy(finding -> assertThat(finding.advice()).contains("almanac "));
    }

    @Test
    @DisplayName("17.3: a job that is overdue since its calendar is unknown is found with the name of the calendar")
    void unknownCalendar() {
        Finding finding = InvariantDecider.job(banking(OLD), null, true, NO_CALENDARS, NAMED, NOW, TOLERANCE)
                .orElseThrow();
        assertThat(finding.kind()).isEqualTo(Kind.OVERDUE);
        assertThat(finding.text()).contains("no calendar 'bank' is stored");
        assertThat(finding.advice()).contains("almanac jobs explain 'k'", "almanac calendars put 'bank'");
        assertThat(InvariantDecider.job(banking(NOW), null, true, NO_CALENDARS, NAMED, NOW, TOLERANCE))
                .as("it is not late yet: a service may know the calendar")
                .isEmpty();
    }

    @Test
    @DisplayName("O3, T6: clocks and zone rules of the nodes")
    void nodes() {
        Duration warning = Duration.ofMillis(500);
        NodeReport good = Jobs.node("a", "note");
        NodeReport skewed =
                new NodeReport("b", "host-b", NOW, NOW, "2030a", Duration.ofMillis(-501), Set.of("note"), 0);
        NodeReport old = new NodeReport("c", "host-c", NOW, NOW, "2029c", warning, Set.of("note"), 0);
        assertThat(InvariantDecider.nodes(List.of(good, good), warning)).isEmpty();
        assertThat(InvariantDecider.nodes(List.of(good, skewed, old), warning))
                .extracting(Finding::kind)
                .containsExactly(Kind.CLOCK_OFFSET, Kind.MIXED_ZONE_RULES);
        assertThat(InvariantDecider.nodes(List.of(good, skewed), warning).get(0).text())
                .contains("node b (host-b)", "PT-0.501S");
    }

    @Test
    @DisplayName(
            "17.3: what makes a job due that has no due time depends on its lease, under which a run now is only noted")
    void withoutDueTime() {
        assertThat(InvariantDecider.job(without(leased(NOW)), null, true, NO_CALENDARS, NAMED, NOW, TOLERANCE)
                        .orElseThrow()
                        .advice())
                .contains("almanac jobs release 'k'")
                .doesNotContain("run-now");
        assertThat(InvariantDecider.job(without(due(NOW)), null, true, NO_CALENDARS, NAMED, NOW, TOLERANCE)
                        .orElseThrow()
                        .advice())
                .contains("almanac jobs run-now 'k'", "almanac jobs cancel 'k'")
                .doesNotContain("release");
    }

    @Test
    @DisplayName("17.3: findings name the holder of a lease with its label")
    void labels() {
        assertThat(Stream.of(leased(OLD), without(leased(NOW)))
                        .map(job -> InvariantDecider.job(job, null, true, NO_CALENDARS, NAMED, NOW, TOLERANCE)
                                .orElseThrow()))
                .allSatisfy(finding -> assertThat(finding.text()).contains("lease of node n1 (till 1)"));
    }

    @Test
    @DisplayName("O6: every kind has an id of its own, and a finding reads: id, what is so, what to do")
    void ids() {
        assertThat(Arrays.stream(Kind.values()).map(Kind::id))
                .doesNotHaveDuplicates()
                .allMatch(id -> id.matches("ALM-\\d{3}"));
        assertThat(InvariantDecider.finishedWithDue("the \"k\""))
                .hasToString("ALM-035 job 'the \"k\"' has finished and has a due time; finished jobs are not claimed;"
                        + " unset 'due' in the Mongo shell: db.jobSpecification.updateMany({jobSpecificationKey:"
                        + " \"the \\\"k\\\"\", activeKey: null}, {$unset: {due: \"\"}})");
    }

    @Test
    @DisplayName("R8, S20: jobs that nobody takes are reported with type or priorities, number and age")
    void unserved() {
        Instant stored = NOW.minus(Duration.ofHours(30));
        UnservedJobs none = new UnservedJobs("rare", 0, 7, 0, false, Duration.ZERO);
        Finding finding = InvariantDecider.unserved(none, 7, false, 0, stored, NOW);
        assertThat(finding.subject()).isEqualTo("rare");
        assertThat(finding.text())
                .startsWith("7 live jobs of command type 'rare' are taken by no live node")
                .endsWith(", 1 d ago");
        UnservedJobs low = new UnservedJobs("rare", 4, 7, 2, false, Duration.ofMinutes(90));
        assertThat(InvariantDecider.unserved(low, 3, false, 0, stored, NOW).text())
                .startsWith("3 live jobs of command type 'rare' with priority 4 to 7 are taken by no live node")
                .endsWith("; 2 of them are due, the oldest for 1 h");
        assertThat(finding.advice()).endsWith("almanac jobs cancel --where-type 'rare'");
        assertThat(InvariantDecider.unserved(none, 1, true, 0, stored, NOW).text())
                .startsWith("1 or more live jobs of command type 'rare' are taken by no live node; one was stored at ");
        assertThat(InvariantDecider.unserved(low, 3, false, 0, stored, NOW).advice())
                .as("the others of the type are served")
                .doesNotContain("almanac jobs cancel");
    }

    @Test
    @DisplayName("commands that are advised can be copied, whatever a key holds")
    void advisedCommands() {
        DamagedJob job = new DamagedJob("id", "a'; rm -rf x; '", "no due time");
        assertThat(InvariantDecider.damaged(job).advice())
                .endsWith("almanac jobs remove 'a'" + "\\'" + "'; rm -rf x; '" + "\\'" + "'' --damaged");
        DamagedJob dashes = new DamagedJob("id", "--all", "no due time");
        assertThat(InvariantDecider.damaged(dashes).advice()).endsWith("almanac jobs remove --damaged -- '--all'");
        assertThat(PauseScope.job("--all").resumeCommand()).isEqualTo("almanac jobs resume -- '--all'");
        assertThat(PauseScope.tag("-t").resumeCommand()).isEqualTo("almanac jobs resume --tag='-t'");
        assertThat(PauseScope.node("-n").resumeCommand()).isEqualTo("almanac nodes resume -- '-n'");
        assertThat(PauseScope.job("a-b").resumeCommand()).isEqualTo("almanac jobs resume a-b");
    }
}
