package dev.almanac.web.page;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.read.RowScan;
import dev.almanac.web.read.StoreReader;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A page of the rows of a job.
 *
 * @param rows newest first
 * @param outcome only rows with this one; absent = all
 * @param newest whether no newer page exists
 * @param next address of the page with older rows; absent if there is none
 * @param examined how many rows were examined if the page ends before it is full; else 0
 */
record JobHistory(
        List<JobExecutionStatus> rows,
        @Nullable Outcome outcome,
        boolean newest,
        @Nullable String next,
        int examined) {
    static final int SIZE = 50;
    private static final int MOST_BATCHES = 4;
    static final List<Outcome> OUTCOMES = List.of(Outcome.values());

    /**
     * The page that the address names.
     *
     * @param stored the newest rows
     * @param shown a row as this viewer may see it
     */
    static JobHistory of(
            StoreReader storeReader,
            PageRequest call,
            StoredJob job,
            List<JobExecutionStatus> stored,
            UnaryOperator<JobExecutionStatus> shown) {
        Outcome outcome = outcome(call.parameter("outcome"));
        Instant before = Moments.back(call, "before");
        RowQuery all =
                call.viewer().sees().all() ? RowQuery.ofKey(job.key(), SIZE) : RowQuery.ofDocument(job.id(), SIZE);
        RowScan scan = RowScan.of(
                all.before(before),
                stored,
                JobPage.MOST_ROWS,
                storeReader::rows,
                outcome == null ? null : row -> row.outcome() == outcome,
                null,
                MOST_BATCHES);
        return new JobHistory(
                scan.rows().stream().map(shown).toList(),
                outcome,
                before == null,
                scan.next() == null
                        ? null
                        : address(job.key(), outcome, call.parameter("sort")) + "&before=" + scan.next()
                                + "#rows-title",
                scan.examined());
    }

    private static String address(String key, @Nullable Outcome outcome, @Nullable String sort) {
        return "/job?key=" + Frame.encoded(key) + (outcome == null ? "" : "&outcome=" + outcome)
                + (sort == null ? "" : "&sort=" + Frame.encoded(sort));
    }

    private static @Nullable Outcome outcome(@Nullable String typed) {
        if (typed == null) {
            return null;
        }
        try {
            return Outcome.valueOf(typed.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw Refusal.ofValue("outcome", typed, "is no outcome; choose one from the list.");
        }
    }
}
