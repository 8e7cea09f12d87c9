package dev.almanac.behaviour.explore;

import dev.almanac.behaviour.ExploredWorld;
import dev.almanac.behaviour.ExploredWorld.Call;
import dev.almanac.behaviour.ExploredWorld.Disturber;
import dev.almanac.behaviour.ExploredWorld.Point;
import dev.almanac.behaviour.explore.Exploration.Step;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.JobChange;
import dev.almanac.store.NewJob;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One run as a table: what changed jobs, what users' code was called, and what was disturbed. */
final class ExplorationTrace implements Disturber {
    private static final String LINE = "%8s  %-7s %-14s %-21s %s";

    private static final String NO_END = "does not come back";

    private final List<Step> steps;
    private final Disturber disturber;
    private final List<String> lines = new ArrayList<>();

    ExplorationTrace(List<Step> steps, Disturber disturber) {
        this.steps = steps;
        this.disturber = disturber;
    }

    static String name(int node) {
        return node == ExploredWorld.CLIENT ? "user" : "node-" + node;
    }

    @Override
    public @Nullable Object at(ExploredWorld world, Point point, Object[] arguments, Call call) throws Throwable {
        String fault = steps.stream()
                .filter(step -> step.point().number() == point.number())
                .map(step -> step.disturbance().name())
                .findFirst()
                .orElse("");
        boolean shown = !fault.isEmpty()
                || Exploration.CHANGES.contains(point.call())
                || point.call().equals("helper")
                || point.call().equals("calendar");
        String time = "+" + Duration.between(ExploredWorld.START, world.now()).toMillis() / 1_000.0 + " s";
        int line = lines.size();
        if (shown) {
            lines.add(String.format(LINE, time, name(point.node()), point.call(), fault, NO_END));
        }
        Object answer;
        try {
            answer = disturber.at(world, point, arguments, call);
        } catch (StoreException | IllegalStateException | AssertionError thrown) {
            end(shown, line, "fails: " + thrown.getMessage());
            throw thrown;
        }
        end(shown, line, seen(point, arguments, answer));
        return answer;
    }

    private void end(boolean shown, int line, String seen) {
        if (shown) {
            lines.set(line, lines.get(line).replace(NO_END, seen));
        }
    }

    private static String seen(Point point, Object[] arguments, @Nullable Object answer) {
        if (answer instanceof ClaimResult claimed) {
            return claimed.jobs().stream()
                    .map(job ->
                            job.key() + " is claimed, claim " + job.sequences().claimSeq())
                    .toList()
                    .toString();
        } else if (point.call().equals("write")) {
            List<String> changes = new ArrayList<>();
            for (int i = 0; i < ((List<?>) arguments[0]).size(); i++) {
                JobChange change = (JobChange) ((List<?>) arguments[0]).get(i);
                changes.add(change.before().key() + " " + change.by() + " "
                        + change.after().lastStatus().executionStatus() + "/"
                        + change.after().lastStatus().outcome() + " due "
                        + change.after().due()
                        + (Boolean.TRUE.equals(((List<?>) Objects.requireNonNull(answer)).get(i))
                                ? ""
                                : ", not applied"));
            }
            return changes.toString();
        } else if (point.call().equals("insert")) {
            return ((List<?>) arguments[0])
                            .stream().map(job -> ((NewJob) job).job().key()).toList() + " " + answer;
        }
        return answer instanceof List<?> list ? list.size() + " in the answer" : "";
    }

    /** The lines, with what was found wrong at the end. */
    List<String> table(List<String> complaints) {
        List<String> table = new ArrayList<>();
        table.add(String.format(LINE, "time", "who", "call", "disturbance", "what was seen"));
        table.addAll(lines);
        complaints.forEach(complaint -> table.add("  found wrong: " + complaint));
        return table;
    }
}
