package dev.almanac.calendars;

import dev.almanac.model.Problem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Problems as they are found. Keeps the first ones and counts the rest, so that bad input cannot cost memory. */
final class ProblemList {
    /** How many problems are listed. */
    static final int MOST = 50;

    private final String rule;
    private final List<Problem> problems = new ArrayList<>();
    private long unlisted;

    /** @param rule the rule of the house that is broken, such as {@code C2} */
    ProblemList(String rule) {
        this.rule = rule;
    }

    void add(String field, @Nullable String value, String advice) {
        add(new Problem(field, value == null ? null : ShortText.shown(value), rule, advice));
    }

    void addAll(InvalidCalendarException refusal) {
        refusal.problems().forEach(this::add);
    }

    /** Adds a refusal that counted its own problems already: all of it. */
    void addWhole(InvalidCalendarException refusal) {
        problems.addAll(refusal.problems());
    }

    private void add(Problem problem) {
        if (isFull()) {
            unlisted++;
        } else {
            problems.add(problem);
        }
    }

    boolean isEmpty() {
        return problems.isEmpty();
    }

    boolean isFull() {
        return problems.size() >= MOST;
    }

    /** @throws InvalidCalendarException if anything was added */
    void refuseIfAny() {
        if (problems.isEmpty()) {
            return;
        }
        List<Problem> all = new ArrayList<>(problems);
        if (unlisted > 0) {
            all.add(new Problem("further", null, rule, "problems: " + unlisted + "; only " + MOST + " are listed"));
        }
        throw new InvalidCalendarException(all);
    }
}
