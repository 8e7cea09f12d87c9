package dev.almanac.behaviour.explore;

import dev.almanac.behaviour.explore.Exploration.Step;
import dev.almanac.behaviour.explore.Exploration.Violation;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Explores scenarios and prints a table: {@code ./build explore}. */
final class Explore {
    private static final String LINE = "%-28s %7s %7s %7s %8s %11s";
    /** Of violations that are alike, so many are told, and the first with its table. */
    private static final int ALIKE = 3;

    private Explore() {}

    /**
     * @param arguments names of scenarios; none = all; {@code --pairs N} = each Nth of the pairs, too; {@code --with NAME} =
     *     only with that disturbance, or those, with commas between
     */
    public static void main(String[] arguments) {
        List<String> names = new ArrayList<>(List.of(arguments));
        int pairs = names.indexOf("--pairs");
        int each = pairs < 0 ? 0 : Integer.parseInt(names.remove(pairs + 1));
        names.remove("--pairs");
        int with = names.indexOf("--with");
        List<String> only =
                with < 0 ? List.of() : List.of(names.remove(with + 1).split(","));
        names.remove("--with");
        System.out.println(String.format(LINE, "scenario", "points", "singles", "pairs", "seconds", "violations"));
        int found = 0;
        for (Scenario scenario : Scenario.values()) {
            if (names.isEmpty() || names.contains(scenario.name())) {
                found += explore(scenario, each, only, System.out);
            }
        }
        if (found > 0) {
            throw new IllegalStateException(found + " violations");
        }
    }

    private static int explore(Scenario scenario, int each, List<String> only, PrintStream out) {
        long begin = System.nanoTime();
        Exploration exploration = new Exploration(scenario, null);
        List<List<Step>> singles = exploration.steps().stream()
                .filter(step ->
                        only.isEmpty() || only.contains(step.disturbance().name()))
                .map(List::of)
                .toList();
        List<List<Step>> pairs = each == 0
                ? List.of()
                : exploration
                        .pairs(each)
                        .filter(pair -> only.isEmpty()
                                || pair.stream()
                                        .anyMatch(step ->
                                                only.contains(step.disturbance().name())))
                        .toList();
        List<Violation> violations =
                Stream.of(List.of(List.<Step>of()), singles, pairs).flatMap(List::stream).toList().parallelStream()
                        .map(exploration::violation)
                        .flatMap(Optional::stream)
                        .toList();
        out.println(String.format(
                LINE,
                scenario,
                exploration.points().size(),
                singles.size(),
                pairs.size(),
                (System.nanoTime() - begin) / 100_000_000 / 10.0,
                violations.size()));
        Map<String, Integer> alike = new HashMap<>();
        for (Violation violation : violations) {
            String kind = violation.complaints().get(0).replaceAll("[0-9a-f]{4,}|[0-9]", "");
            int before = alike.merge(kind, 1, Integer::sum) - 1;
            if (before == 0) {
                out.println(violation);
            } else if (before < ALIKE) {
                out.println(scenario + ", " + violation.steps() + ": " + violation.complaints());
            }
        }
        return violations.size();
    }
}
