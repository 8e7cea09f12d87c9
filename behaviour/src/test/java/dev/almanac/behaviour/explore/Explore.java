package dev.almanac.behaviour.explore;

import dev.almanac.behaviour.explore.Exploration.Step;
import dev.almanac.behaviour.explore.Exploration.Violation;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Explores scenarios and prints a table: {@code ./build explore}. */
final class Explore {
    private static final String LINE = "%-22s %7s %7s %8s %11s";

    private Explore() {}

    /** @param arguments names of scenarios; none = all; {@code --pairs N} = each Nth of the pairs too */
    public static void main(String[] arguments) {
        List<String> names = new ArrayList<>(List.of(arguments));
        int pairs = names.indexOf("--pairs");
        int each = pairs < 0 ? 0 : Integer.parseInt(names.remove(pairs + 1));
        names.remove("--pairs");
        PrintStream out = System.out;
        out.println(String.format(LINE, "scenario", "points", "runs", "seconds", "violations"));
        for (Scenario scenario : Scenario.values()) {
            if (names.isEmpty() || names.contains(scenario.name())) {
                explore(scenario, each, out);
            }
        }
    }

    private static void explore(Scenario scenario, int each, PrintStream out) {
        long begin = System.nanoTime();
        Exploration exploration = new Exploration(scenario, null);
        List<Violation> violations = new ArrayList<>();
        exploration.violation(List.of()).ifPresent(violations::add);
        List<Step> steps = exploration.steps();
        steps.parallelStream()
                .map(step -> exploration.violation(List.of(step)))
                .flatMap(Optional::stream)
                .forEachOrdered(violations::add);
        out.println(String.format(
                LINE,
                scenario,
                exploration.points().size(),
                steps.size(),
                (System.nanoTime() - begin) / 100_000_000 / 10.0,
                violations.size()));
        Map<String, Integer> alike = new HashMap<>();
        for (Violation violation : violations) {
            String kind = violation.complaints().get(0).replaceAll("[0-9a-f]{4,}|[0-9]", "");
            if (alike.merge(kind, 1, Integer::sum) == 1) {
                out.println(violation);
            } else if (alike.get(kind) < 4) {
                out.println(scenario + ", " + violation.steps() + ": as before: " + violation.complaints());
            }
        }
    }
}
