package dev.almanac.web.page;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.Lease;
import dev.almanac.store.StoredJob;
import dev.almanac.web.text.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The run of a job that is in progress.
 *
 * @param run what is known of it
 * @param node its label
 * @param begun when it began at the earliest: it was due, and the run before had ended
 * @param done how much of the bar is filled; absent if nothing is known of its end
 * @param total length of the bar
 * @param expected when it ends if it takes as long as half of the good ones; absent if there are none, or that has passed
 * @param words about its end, by the good runs on record
 */
record CurrentRun(
        NowPage.Run run,
        String node,
        @Nullable Instant begun,
        @Nullable Long done,
        long total,
        @Nullable Instant expected,
        String words) {

    /** Absent if no lease is in force. */
    static @Nullable CurrentRun of(
            StoredJob job, List<JobExecutionStatus> rows, @Nullable Durations durations, NodeNames nodes, Instant now) {
        Lease lease = job.lease();
        if (lease == null || !lease.until().isAfter(now)) {
            return null;
        }
        NowPage.Run run = NowPage.Run.of(job, lease, List.of(), now);
        Instant begun = begun(job, run, rows);
        Duration length = begun == null ? Duration.ZERO : Duration.between(begun, now);
        Instant expected = durations == null || begun == null ? null : durations.expected(begun);
        boolean counted = run.progress() != null && run.progress().total() > 0;
        Long done = counted
                ? Long.valueOf(Math.min(run.progress().done(), run.progress().total()))
                : durations == null ? null : Long.valueOf(Math.min(length.toMillis(), millis(durations)));
        return new CurrentRun(
                run,
                nodes.of(lease.owner()),
                begun,
                done,
                counted ? run.progress().total() : durations == null ? 1 : millis(durations),
                expected == null || expected.isBefore(now) ? null : expected,
                words(durations, length));
    }

    private static long millis(Durations durations) {
        return Math.max(1, durations.most().toMillis());
    }

    private static @Nullable Instant begun(StoredJob job, NowPage.Run run, List<JobExecutionStatus> rows) {
        Instant due = run.due();
        Instant before = rows.stream()
                .filter(row -> row.jobSpecificationId().equals(job.id())
                        && row.claimSeq() < job.sequences().claimSeq())
                .map(JobExecutionStatus::updatedTime)
                .findFirst()
                .orElse(null);
        return due == null || before != null && before.isAfter(due) ? before : due;
    }

    private static String words(@Nullable Durations durations, Duration length) {
        if (durations == null) {
            return "No good run is on record, so nothing is known of its end.";
        }
        String of = durations.runs() == 1 ? "its only good run on record" : "its " + durations.runs() + " good runs";
        if (length.compareTo(durations.most()) > 0) {
            return "It takes longer than 95 of 100 of " + of + " did: " + Clock.length(durations.most()) + ".";
        }
        return "By " + of + ": half took " + Clock.length(durations.half()) + " or less, 95 of 100 "
                + Clock.length(durations.most()) + " or less.";
    }
}
