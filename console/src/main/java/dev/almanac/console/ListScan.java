package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.model.JobPage;
import dev.almanac.model.JobQuery;
import dev.almanac.text.Printable;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads jobs from key to key. Queries without an index, such as by tag, read all jobs, which takes seconds for a
 * million; so a page ends after a time limit, with the jobs found by then and the key to continue from.
 */
final class ListScan {
    /** The number of jobs that is read in about a tenth of a second. */
    private static final int WINDOW = 50_000;

    private static final Duration PATIENCE = Duration.ofMillis(100);

    private final Scheduler scheduler;
    private final Output out;
    private final boolean all;
    private final int window;
    private final Duration patience;
    private long looked;
    private long found;
    private boolean cutShort;
    private @Nullable String next;

    /** @param all whether to go on to the last job */
    ListScan(Scheduler scheduler, Output out, boolean all) {
        this(scheduler, out, all, WINDOW, PATIENCE);
    }

    /**
     * @param window how many jobs to look at before the clock is looked at
     * @param patience how long a page may look for jobs
     */
    ListScan(Scheduler scheduler, Output out, boolean all, int window, Duration patience) {
        this.scheduler = scheduler;
        this.out = out;
        this.all = all;
        this.window = window;
        this.patience = patience;
    }

    /** The key behind which further jobs may follow; absent = there are none. */
    @Nullable
    String next() {
        return next;
    }

    /** Whether there was nothing, to the last job. */
    boolean isEmpty() {
        return next == null && found == 0;
    }

    /** Reads one page, or all of them. */
    void go(JobQuery query, Consumer<JobPage> reader) {
        int limit = query.limit();
        long start = System.nanoTime();
        out.pages(query.window(window), part -> {
            JobPage page = scheduler.listJobs(part);
            reader.accept(page);
            count(page);
            if (next == null || !all && (found >= limit || System.nanoTime() - start >= patience.toNanos())) {
                return null;
            }
            out.progress(() -> "examined " + looked + " jobs, up to '" + next + "'; found " + found);
            return part.after(next).limit(all ? limit : (int) (limit - found));
        });
    }

    private void count(JobPage page) {
        int size = page.jobs().size() + page.damaged().size();
        found += size;
        next = page.lastKey();
        cutShort = page.windowOver();
        looked += cutShort ? window : size;
    }

    /** Prints how to continue, if there are more jobs. */
    void print() {
        String after = next == null ? "" : Printable.option("--after", next);
        if (cutShort) {
            out.line("examined " + looked + " jobs, " + (found == 0 ? "none" : found)
                    + " requested; for the next page add " + after + ", or --all");
        } else if (next != null) {
            out.line("more follow: add " + after + ", or --all");
        } else if (found == 0) {
            out.line("no jobs");
        }
    }
}
