package dev.almanac.behaviour.explore;

import dev.almanac.behaviour.ExploredWorld;
import dev.almanac.behaviour.ExploredWorld.Call;
import dev.almanac.behaviour.ExploredWorld.Disturber;
import dev.almanac.behaviour.ExploredWorld.Point;
import dev.almanac.behaviour.Mutants;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The runs of one scenario: one without a disturbance, which counts the points, and then one for each disturbance at each
 * point. A call that finds what the one before it has found, with nothing changed since, is no point of its own: what is
 * disturbed there would come upon the same state, a moment later.
 */
final class Exploration {
    /** The calls that change what jobs are. */
    static final Set<String> CHANGES = Set.of(
            "insert",
            "write",
            "writeRows",
            "claim",
            "renew",
            "keepRows",
            "putCalendar",
            "pause",
            "resume",
            "putGroup",
            "countClaims",
            "declare",
            "requestInterrupt");

    /** Those whose answers show what jobs are. */
    private static final Set<String> LOOKS = Set.of("due", "control", "find", "load", "rows", "missingRows", "newest");

    private static final Duration LEAST = Duration.ofSeconds(45);

    private final Scenario scenario;
    private final @Nullable Mutants mutant;

    /** A disturbance at a point. */
    record Step(Point point, Disturbance disturbance) {
        @Override
        public String toString() {
            return disturbance + " at point " + point.number() + ", " + point.call() + " of "
                    + ExplorationTrace.name(point.node());
        }
    }

    /** What was found wrong, and after what: none, or the only disturbance. */
    record Violation(Scenario scenario, List<Step> steps, List<String> complaints, List<String> table) {
        @Override
        public String toString() {
            return scenario + ", " + steps + ": " + complaints + table.stream()
                    .map(line -> "\n    " + line)
                    .collect(Collectors.joining());
        }
    }

    private record Seen(int changes, String answer) {}

    /** @param mutant absent = the engine as it is */
    Exploration(Scenario scenario, @Nullable Mutants mutant) {
        this.scenario = scenario;
        this.mutant = mutant;
    }

    /** The points at which something new can be disturbed, in order. */
    List<Point> points() {
        List<Point> points = new ArrayList<>();
        Map<String, Seen> last = new HashMap<>();
        int[] changes = {0};
        run((world, point, arguments, call) -> {
            Object answer = call.proceed();
            boolean changing = CHANGES.contains(point.call()) || Disturbance.CODE.contains(point.call());
            Seen seen = new Seen(
                    changing ? -point.number() : changes[0],
                    LOOKS.contains(point.call()) ? Objects.toString(answer) : "");
            if (!seen.equals(last.put(point.node() + point.call(), seen))) {
                points.add(point);
            }
            changes[0] += changing ? 1 : 0;
            return answer;
        });
        return points;
    }

    /** All single disturbances, in the order of their points. */
    List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        for (Point point : points()) {
            for (Disturbance disturbance : Disturbance.values()) {
                if (disturbance.isOf(point)) {
                    steps.add(new Step(point, disturbance));
                }
            }
        }
        return steps;
    }

    /** What is wrong after these disturbances, in the order of their points; empty if nothing. */
    Optional<Violation> violation(List<Step> steps) {
        if (unexplained(steps, run(disturbing(steps))).isEmpty()) {
            return Optional.empty();
        }
        ExplorationTrace trace = new ExplorationTrace(steps, disturbing(steps));
        List<String> complaints = unexplained(steps, run(trace));
        return Optional.of(new Violation(scenario, steps, complaints, trace.table(complaints)));
    }

    /** The first violation, that without a disturbance before others. */
    Optional<Violation> first() {
        Optional<Violation> alone = violation(List.of());
        return alone.isPresent()
                ? alone
                : steps().stream()
                        .map(step -> violation(List.of(step)))
                        .flatMap(Optional::stream)
                        .findFirst();
    }

    private static List<String> unexplained(List<Step> steps, List<String> complaints) {
        return complaints.stream()
                .filter(anomaly ->
                        steps.stream().noneMatch(step -> step.disturbance().explains(anomaly)))
                .toList();
    }

    private static Disturber disturbing(List<Step> steps) {
        return new Disturber() {
            private int done;

            @Override
            public @Nullable Object at(ExploredWorld world, Point point, Object[] arguments, Call call)
                    throws Throwable {
                if (done == steps.size() || point.number() != steps.get(done).point().number()) {
                    return call.proceed();
                }
                Step step = steps.get(done++);
                if (done == 1 && !point.equals(step.point())) {
                    throw new IllegalStateException("the run is not the same: " + point + ", not " + step);
                }
                return step.disturbance().isOf(point)
                        ? step.disturbance().at(world, point, call)
                        : call.proceed();
            }
        };
    }

    private List<String> run(Disturber disturber) {
        try (ExploredWorld world = new ExploredWorld(mutant, disturber, scenario.nodes())) {
            scenario.begin(world);
            return world.play(LEAST);
        }
    }
}
