package dev.almanac.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The results of an action, or of its dry run, for the jobs of one page of a selection.
 *
 * @param items in the order of the selection
 * @param dryRun whether nothing was written
 * @param next the rest of the selection: apply the action to it to continue, now or later; absent = there is none
 */
public record ActionReport(
        List<Item> items, boolean dryRun, @Nullable JobSelection next) {
    /** Copies the items. */
    public ActionReport {
        items = List.copyOf(items);
    }

    /** The result for one job. */
    public enum Result {
        /** The action was carried out, or would be. */
        DONE,
        /** There is nothing to do: the job is in that state already. */
        UNCHANGED,
        /** It cannot be done. */
        REFUSED
    }

    /**
     * One job.
     *
     * @param key of the job
     * @param result the result
     * @param detail what was done, or why not, in words
     * @param leftOut whether it is refused for an outage of the store alone: it was not begun, or its outcome is not known
     * @param problems what is wrong with the job as it would be, if it is refused for that; {@code detail} lists them
     */
    public record Item(String key, Result result, String detail, boolean leftOut, List<Problem> problems) {
        /** Copies the problems. */
        public Item {
            problems = List.copyOf(problems);
        }

        /** Of a job without problems of its own. */
        public Item(String key, Result result, String detail, boolean leftOut) {
            this(key, result, detail, leftOut, List.of());
        }

        /** Of a job that no outage has left out. */
        public Item(String key, Result result, String detail) {
            this(key, result, detail, false);
        }
    }

    /** How many jobs have this result. */
    public long count(Result result) {
        return items.stream().filter(item -> item.result() == result).count();
    }

    /** This page and the next one as one report. */
    public ActionReport plus(ActionReport following) {
        List<Item> all = new ArrayList<>(items);
        all.addAll(following.items());
        return new ActionReport(all, dryRun, following.next());
    }
}
