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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    /** Those of them, and of users' code, that leave jobs as they were but for the time: history, leases, what is heard. */
    private static final Set<String> OF_NO_JOB = Set.of("writeRows", "keepRows", "renew", "listener");

    /** Those whose answers show what jobs are. */
    private static final Set<String> LOOKS = Set.of("due", "control", "find", "load", "rows", "missingRows", "newest");

    /** What comes out of a step of the engine. */
    private static final String ENDED_BY = "the run ended by ";

    private static final String NOT_REACHED = "not reached: ";

    private static final int DEPTH = 12;

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
            return scenario + ", " + steps + ": " + complaints
                    + table.stream().map(line -> "\n    " + line).collect(Collectors.joining());
        }
    }

    /**
     * Disturbs each step at its point. Runs of one scenario are the same up to the last disturbance, so each point is
     * reached.
     */
    private static final class Planted implements Disturber {
        private final List<Step> steps;
        private int done;

        Planted(List<Step> steps) {
            this.steps = steps;
        }

        @Override
        public @Nullable Object at(ExploredWorld world, Point point, Object[] arguments, Call call) throws Throwable {
            if (done == steps.size() || !point.equals(steps.get(done).point())) {
                return call.proceed();
            }
            return steps.get(done++).disturbance().at(world, point, call);
        }

        List<String> andNotReached(List<String> complaints) {
            return done == steps.size()
                    ? complaints
                    : Stream.concat(complaints.stream(), Stream.of(NOT_REACHED + steps.get(done)))
                            .toList();
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
        return points(List.of());
    }

    /** Those after the last of these disturbances. */
    private List<Point> points(List<Step> before) {
        List<Point> points = new ArrayList<>();
        Map<String, Seen> last = new HashMap<>();
        int[] changes = {0};
        int first = before.isEmpty() ? 0 : before.get(before.size() - 1).point().number();
        Disturber disturber = new Planted(before);
        run(
                (world, point, arguments, call) -> {
                    Object answer = null;
                    try {
                        answer = disturber.at(world, point, arguments, call);
                        return answer;
                    } finally {
                        boolean changing = CHANGES.contains(point.call()) || Disturbance.CODE.contains(point.call());
                        boolean jobs = changing && !OF_NO_JOB.contains(point.call());
                        Seen seen = new Seen(
                                changing ? -point.number() : changes[0],
                                LOOKS.contains(point.call()) ? Objects.toString(answer) : "");
                        if (!seen.equals(last.put(point.node() + point.call() + place(point), seen))
                                && point.number() > first) {
                            points.add(point);
                        }
                        changes[0] += jobs ? 1 : 0;
                    }
                },
                !before.isEmpty());
        return points;
    }

    /** Where in the engine the kernel reads its clock: each line that leads there is another place. */
    private static String place(Point point) {
        return !point.call().equals(ExploredWorld.KERNEL)
                ? ""
                : StackWalker.getInstance()
                        .walk(frames -> frames.filter(
                                        frame -> frame.getClassName().startsWith("dev.almanac.engine."))
                                .limit(DEPTH)
                                .map(frame -> frame.getClassName() + frame.getLineNumber())
                                .collect(Collectors.joining(" ")));
    }

    /** All single disturbances, in the order of their points. */
    List<Step> steps() {
        return steps(List.of());
    }

    private List<Step> steps(List<Step> before) {
        return points(before).stream()
                .flatMap(point -> Stream.of(Disturbance.values())
                        .filter(disturbance -> disturbance.isOf(point))
                        .map(disturbance -> new Step(point, disturbance)))
                .toList();
    }

    /** Each of the pairs with that number in it. */
    Stream<List<Step>> pairs(int each) {
        long[] count = {0};
        return pairs(any -> true).filter(pair -> count[0]++ % each == 0);
    }

    /** All pairs of such a step and one after it: they depend on what the first has changed. */
    Stream<List<Step>> pairs(Predicate<Step> firsts) {
        return steps().stream()
                .filter(firsts)
                .flatMap(first -> steps(List.of(first)).stream().map(second -> List.of(first, second)));
    }

    /** What is wrong after these disturbances, in the order of their points; empty if nothing. */
    Optional<Violation> violation(List<Step> steps) {
        Planted planted = new Planted(steps);
        if (planted.andNotReached(run(planted, !steps.isEmpty())).isEmpty()) {
            return Optional.empty();
        }
        Planted again = new Planted(steps);
        ExplorationTrace trace = new ExplorationTrace(steps, again);
        List<String> complaints = again.andNotReached(run(trace, !steps.isEmpty()));
        return Optional.of(new Violation(scenario, steps, complaints, trace.table(complaints)));
    }

    /**
     * The first violation, that without a disturbance before others. That a mutant breaks the engine is not yet a promise
     * that was seen broken.
     */
    Optional<Violation> first() {
        return Stream.concat(Stream.of(List.<Step>of()), steps().stream().map(List::of))
                .map(this::violation)
                .flatMap(Optional::stream)
                .filter(violation -> Stream.of(ENDED_BY, NOT_REACHED)
                        .noneMatch(violation.complaints().get(0)::startsWith))
                .findFirst();
    }

    private List<String> run(Disturber disturber, boolean disturbed) {
        try (ExploredWorld world = new ExploredWorld(mutant, disturber)) {
            scenario.begin(world);
            List<String> complaints = new ArrayList<>(world.play(LEAST));
            if (!disturbed) {
                // else a refusal may be what the disturbance makes
                complaints.addAll(world.refusals());
            }
            return complaints;
        } catch (RuntimeException | Error thrown) {
            return List.of(ENDED_BY + thrown);
        }
    }
}
