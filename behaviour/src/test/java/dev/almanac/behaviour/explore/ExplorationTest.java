package dev.almanac.behaviour.explore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.ExploredWorld;
import dev.almanac.behaviour.ExploredWorld.Point;
import dev.almanac.behaviour.Mutants;
import dev.almanac.behaviour.explore.Exploration.Step;
import dev.almanac.behaviour.explore.Exploration.Violation;
import dev.almanac.model.FindScope;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Outcome;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ExplorationTest {
    /** One in so many is explored with each change, the others with all long tests. */
    private static final int PARTS = 4;

    /** One in so many steps is explored of requests and of scenarios that combine what others show by itself. */
    private static final int SAMPLE = 4;

    /** One in so many pairs is explored; a scenario has a third of a million. {@code ./build explore} can do all. */
    private static final int PAIRS = 401;

    private static final Set<Disturbance> REQUESTS = EnumSet.of(
            Disturbance.RUN_NOW_OTHERWISE, Disturbance.RESCHEDULE, Disturbance.PAUSE_UNTIL, Disturbance.RELEASE);

    @ParameterizedTest
    @MethodSource("ofEachChange")
    @DisplayName("P1 to P8: whatever goes wrong once, and wherever, every promise holds")
    void holds(Scenario scenario) {
        assertHolds(scenario);
    }

    @ParameterizedTest
    @MethodSource("others")
    @Tag("long")
    @DisplayName("P1 to P8: the same, in the other scenarios")
    void holdsLong(Scenario scenario) {
        assertHolds(scenario);
    }

    @ParameterizedTest(name = "each " + PAIRS + "st pair of {0}")
    @EnumSource(names = "ONE_OFF")
    @Tag("long")
    @DisplayName("P1 to P8: the same, of what goes wrong twice")
    void holdsInPairs(Scenario scenario) {
        Exploration exploration = new Exploration(scenario, null);
        List<List<Step>> pairs = exploration.pairs(PAIRS).toList();
        assertThat(pairs).hasSizeGreaterThan(500);
        assertThat(pairs.parallelStream()
                        .map(exploration::violation)
                        .flatMap(Optional::stream)
                        .toList())
                .isEmpty();
    }

    private static Stream<Scenario> ofEachChange() {
        return Stream.of(Scenario.values()).filter(scenario -> scenario.ordinal() % PARTS == 0);
    }

    private static Stream<Scenario> others() {
        return Stream.of(Scenario.values()).filter(scenario -> scenario.ordinal() % PARTS > 0);
    }

    private static void assertHolds(Scenario scenario) {
        Exploration exploration = new Exploration(scenario, null);
        assertThat(exploration.violation(List.of())).isEmpty();
        List<Step> steps = exploration.steps();
        assertThat(steps).hasSizeGreaterThan(100);
        assertThat(IntStream.range(0, steps.size())
                        .parallel()
                        .filter(i -> i % SAMPLE == 0 || isWhole(scenario, steps.get(i)))
                        .filter(i -> !isAskedForAgain(scenario, steps.get(i)))
                        .mapToObj(i -> exploration.violation(List.of(steps.get(i))))
                        .flatMap(Optional::stream)
                        .toList())
                .isEmpty();
    }

    /** A moment that has run, and that a user gives again to what was a recurrence meanwhile, runs again. */
    private static boolean isAskedForAgain(Scenario scenario, Step step) {
        return step.disturbance() == Disturbance.SCHEDULE_AGAIN
                && (scenario == Scenario.BECOMES_A_RECURRENCE || scenario == Scenario.BECOMES_A_RECURRENCE_IN_A_PAUSE);
    }

    private static boolean isWhole(Scenario scenario, Step step) {
        return scenario.compareTo(Scenario.FAILURE_COMMANDS_OF_A_RECURRENCE) < 0
                && !REQUESTS.contains(step.disturbance());
    }

    /**
     * Those that a single disturbance shows, or none. Others need two, see {@link #mutantIsCaughtByPair}; or what is no
     * disturbance here: an election, a lock of a transaction, a node of an older release, an answer that is
     * none of a store, a limit of a type, a pause of many jobs, a calendar that comes and goes.
     */
    @ParameterizedTest
    @CsvSource({
        "START_BEFORE_ACKNOWLEDGEMENT, ONE_OFF",
        "TRUST_FROM_ACKNOWLEDGEMENT, ONE_OFF",
        "RENEWAL_WITHOUT_TOKEN, ONE_OFF",
        "COMPLETION_WITHOUT_TOKEN, ONE_OFF",
        "STATE_WITHOUT_TOKEN, ONE_OFF",
        "WRITE_WITHOUT_VERSION, AT_MOST_ONCE",
        "ROW_BEFORE_DOCUMENT, ONE_OFF",
        "DEADLINES_BY_THE_WALL_CLOCK, ONE_OFF",
        "REMOVAL_WITHOUT_VERSION, TROUBLE_ONLY",
        "RELEASE_WITHOUT_TOKEN, DRAIN_BEFORE_THE_START",
        "PAUSE_UNSETS_DUE, PAUSE_UNDER_LEASE",
        "HIDES_ROWS_UNSEEN, RETRY_ON_TWO_NODES",
        "FOLLOW_UP_BEFORE_VERDICT, FOLLOW_UPS",
        "FOLLOW_UP_WITH_A_NEW_ID, FOLLOW_UPS",
        "POSTPONED_WITHOUT_TIME, POSTPONED",
        "FORMER_FIRES_DROPPED, CHANGED_SCHEDULE_UNDER_LEASE",
        "RUN_NOW_FORGOTTEN, RUN_BY_HAND_OF_A_RECURRENCE",
        "RETRY_FORGOTTEN, CHANGED_DURING_A_RETRY",
        "DELIVERY_FORGOTTEN, FAILURE_COMMANDS_OF_A_RECURRENCE",
        "PAUSE_ENDS_EARLY, PAUSE_WITH_AN_END",
        "CONTENTS_FORGOTTEN, RUN_BY_HAND_OF_A_RECURRENCE",
        "START_DEADLINE_FORGOTTEN, START_DEADLINE"
    })
    @DisplayName("P1 to P8: a protocol that leaves out one guard breaks a promise, and a table shows how")
    void mutantIsCaught(Mutants mutant, Scenario scenario) {
        Violation violation = new Exploration(scenario, mutant).first().orElseThrow();
        assertThat(violation.steps()).hasSizeLessThan(2);
        assertThat(violation.table())
                .contains("  found wrong: " + violation.complaints().get(0));
        for (Step step : violation.steps()) {
            assertThat(violation.table())
                    .anySatisfy(line -> assertThat(line)
                            .contains(step.point().call())
                            .contains(step.disturbance().name()));
        }
    }

    @ParameterizedTest
    @CsvSource("ABANDONED_WITHOUT_MARK, RECURRING, KILLED_BEFORE, write, PAUSE_UNTIL")
    @DisplayName("P1 to P8: a guard whose lack no single disturbance shows, and a pair does")
    void mutantIsCaughtByPair(Mutants mutant, Scenario scenario, Disturbance first, String call, Disturbance second) {
        Exploration exploration = new Exploration(scenario, mutant);
        Violation violation = exploration
                .pairs(step ->
                        step.disturbance() == first && step.point().call().equals(call))
                .filter(pair -> pair.get(1).disturbance() == second)
                .map(exploration::violation)
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow();
        assertThat(violation.complaints().get(0)).contains("that was started is told as missed");
        assertThat(exploration.violation(violation.steps().subList(0, 1))).isEmpty();
        assertThat(new Exploration(scenario, null).violation(violation.steps())).isEmpty();
    }

    @Test
    @DisplayName("a disturbance whose point is not reached, or is another one, is told")
    void notReached() {
        Exploration exploration = new Exploration(Scenario.ONE_OFF, null);
        Step step = exploration.steps().get(0);
        Point never =
                new Point(Integer.MAX_VALUE, step.point().node(), step.point().call());
        Point other = new Point(step.point().number(), step.point().node(), "another");
        assertThat(exploration.violation(List.of(step))).isEmpty();
        for (Point point : List.of(never, other)) {
            Step planted = new Step(point, step.disturbance());
            assertThat(exploration.violation(List.of(planted)).orElseThrow().complaints())
                    .containsExactly("not reached: " + planted);
            assertThat(exploration
                            .violation(List.of(step, planted))
                            .orElseThrow()
                            .complaints())
                    .containsExactly("not reached: " + planted);
        }
    }

    @Test
    @DisplayName("R4: what a run takes the time of is missed, and told in one row")
    void missed() {
        try (ExploredWorld world = new ExploredWorld(null, (any, point, arguments, call) -> call.proceed())) {
            Instant fire = ExploredWorld.START.plusSeconds(50);
            Scenario.MISSED_SKIP.begin(world);
            assertThat(world.play(Duration.ZERO)).isEmpty();
            StoredJob job =
                    world.truth().find("job", FindScope.INCLUDING_FINISHED).orElseThrow();
            assertThat(world.truth().rows(RowQuery.ofDocument(job.id(), 100)))
                    .filteredOn(row -> row.outcome() == Outcome.MISSED)
                    .singleElement()
                    .satisfies(row -> assertThat(Objects.requireNonNull(row.missed()))
                            .isEqualTo(new MissedFires(fire, fire, 1, false)));
        }
    }

    @Test
    @DisplayName("the same exploration gives the same points, steps and tables")
    void repeatable() {
        List<String> first = pictures();
        assertThat(first).isNotEmpty().isEqualTo(pictures());
    }

    private static List<String> pictures() {
        Exploration loud = new Exploration(Scenario.ONE_OFF, Mutants.COMPLETION_WITHOUT_TOKEN);
        return loud.steps().parallelStream()
                .map(step -> loud.violation(List.of(step)))
                .flatMap(Optional::stream)
                .map(Violation::toString)
                .toList();
    }
}
