package dev.almanac.engine.request;

import dev.almanac.engine.port.JobIds;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.RequestDecider;
import dev.almanac.engine.rules.SpecificationCheck;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.ActionReport.Item;
import dev.almanac.model.ActionReport.Result;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.FindScope;
import dev.almanac.model.History;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSelection.SeenJob;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.model.Retention;
import dev.almanac.store.JobChange;
import dev.almanac.store.NewJob;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Runs again what has failed for good, and finished one-offs, at most once per run (rule A2). A finished one-off becomes a new document
 * whose id is made from the failed run's row, so that it can be stored only once, and which is kept at least as long as
 * the failed one. A recurring job gets an extra run; the row of that request names the failed row, and is looked for
 * first.
 */
final class Reruns {
    /** Of one key or document, by a request. */
    static final int ROWS_READ = 1_000;

    private final Node node;
    private final Registrar registrar;
    private final Acknowledgements acknowledgements;

    Reruns(Node node, Registrar registrar, Acknowledgements acknowledgements) {
        this.node = node;
        this.registrar = registrar;
        this.acknowledgements = acknowledgements;
    }

    static String type(StoredJob job) {
        return ((EncodedCommand) job.specification().triggerCommand()).type();
    }

    /** Repeats the newest run of a job: one that has failed, or, if that is not asked for alone, that of a finished one-off. */
    Item rerun(StoredJob job, boolean failedOnly, boolean dryRun) {
        List<JobExecutionStatus> rows = node.rows(job, RowQuery.ofDocument(job.id(), ROWS_READ));
        return rows.stream()
                // the same row of a failed fire as a selection of failures has, since the id is made of it
                .filter(row ->
                        row.isFailedFire() || row.executionStatus() != ExecutionStatus.FAILED && row.attempt() > 0)
                .filter(row -> row.outcome() != Outcome.ATTEMPT_FAILED)
                .findFirst()
                .filter(row -> row.isFailedFire() && !hasGoneWellSince(job, row))
                .map(row -> rerun(job, row, dryRun))
                .orElseGet(() -> finished(job, rows, failedOnly, dryRun));
    }

    /** A one-off that has gone well, or was cancelled. What has gone well as a rerun is not repeated again and again. */
    private Item finished(StoredJob job, List<JobExecutionStatus> rows, boolean failedOnly, boolean dryRun) {
        if (failedOnly || job.isLive() || job.specification().isRecurring()) {
            return new Item(job.key(), Result.UNCHANGED, "its newest run has not failed for good");
        }
        boolean rerun = rows.stream().anyMatch(row -> row.rerunOf() != null);
        return rerun && job.lastStatus().executionStatus() != ExecutionStatus.CANCELED
                ? new Item(job.key(), Result.UNCHANGED, "was run again already, and has gone well; schedule it")
                : rerun(job, job.lastStatus(), dryRun);
    }

    /** Whether a later run has succeeded; with TROUBLE, good runs have no rows. */
    private static boolean hasGoneWellSince(StoredJob job, JobExecutionStatus failed) {
        Instant good = job.plan().previousGoodRun();
        return good != null && failed.fireTime() != null && good.isAfter(failed.fireTime());
    }

    /** @param failed a row of the run that has failed, or of the end of a one-off */
    Item rerun(StoredJob job, JobExecutionStatus failed, boolean dryRun) {
        String run = job.id() + ":" + failed.fireSeq();
        if (job.isLive()) {
            return job.specification().isRecurring()
                    ? extraRun(job, failed, run, dryRun)
                    : new Item(job.key(), Result.REFUSED, "is still live, and continues");
        }
        if (job.specification().isRecurring()) {
            return new Item(job.key(), Result.REFUSED, "was a recurring job, which has ended; schedule it again");
        }
        return newOneOff(job, failed, run, dryRun);
    }

    private Item extraRun(StoredJob job, JobExecutionStatus failed, String run, boolean dryRun) {
        if (isAsked(job, failed, run)) {
            return new Item(job.key(), Result.UNCHANGED, "was asked for already");
        }
        String text = "an extra run for the failed fire of " + failed.fireTime();
        JobChange request = RequestDecider.extraRun(job, text, run, registrar.context());
        if (!dryRun && !isWritten(request)) {
            // the job was changed since it was read, perhaps by the same request
            return extraRun(registrar.live(job.key(), new SeenJob(job.id())), failed, run, false);
        }
        return new Item(job.key(), Result.DONE, text);
    }

    private boolean isAsked(StoredJob job, JobExecutionStatus failed, String run) {
        // a request comes after the failure
        return RowQuery.ofDocument(job.id(), ROWS_READ)
                .finds(failed.updatedTime(), query -> node.rows(job, query), row -> run.equals(row.rerunOf()));
    }

    private Item newOneOff(StoredJob job, JobExecutionStatus failed, String run, boolean dryRun) {
        String id = JobIds.after(failed.updatedTime(), "rerun of " + run);
        if (!node.store().load(List.of(id)).isEmpty()) {
            if (!dryRun) {
                // the request that stored it may have ended before
                acknowledgements.write(job);
            }
            return new Item(job.key(), Result.UNCHANGED, "was asked for already");
        }
        boolean taken = node.store().find(job.key(), FindScope.LIVE).isPresent();
        // a dry run refuses what would be refused
        SpecificationCheck.Accepted again = registrar.acceptPast(of(job));
        if (taken || !dryRun && !store(id, job, again, run)) {
            return new Item(job.key(), Result.REFUSED, "a live job of this key exists by now");
        }
        String how = failed.executionStatus() == ExecutionStatus.FAILED ? "its failed fire" : "its fire";
        return new Item(job.key(), Result.DONE, "runs again now, for " + how + " of " + failed.fireTime());
    }

    /** Requests the extra run; false if the job was changed since it was read. */
    private boolean isWritten(JobChange request) {
        boolean asked = registrar.write(request).isPresent();
        if (asked) {
            node.events().emit(new SchedulerEvent.RunAsked(request.before().key(), registrar.actor()));
        }
        return asked;
    }

    /** Stores the new job; true if its id is stored, now or before, false if a live job has the key. */
    private boolean store(String id, StoredJob old, SpecificationCheck.Accepted accepted, String run) {
        NewJob created = RequestDecider.create(id, accepted, node.clock().begin(), registrar.context(), run);
        int open = old.plan().failuresInARow();
        StoredJob again =
                created.job().with(edit -> edit.plan(created.job().plan().failedInARow(open)));
        boolean stored = registrar.insert(new NewJob(again, created.row(), created.life()));
        if (stored) {
            // from now on the failure is open in the new document, until that has gone well (rule S19)
            acknowledgements.write(old);
        }
        return stored;
    }

    /** The same contents, now and without calendars, which do not apply to a request. It is kept for as long as the failed one, which could be run again otherwise. */
    private JobSpecification of(StoredJob job) {
        JobSpecification old = job.specification();
        Instant now = node.clock().now();
        Retention kept = old.retention().orElse(node.retention());
        Instant end = old.deleteTime().orElse(now);
        Duration least = Duration.between(now, end).isNegative() ? Duration.ZERO : Duration.between(now, end);
        return old.toBuilder()
                .singleSchedule(now)
                .calendars(List.of())
                .startAt(null)
                .endAt(null)
                .startDeadline(null)
                .retention(new Retention(
                        longer(kept.good(), least),
                        longer(kept.failed(), least),
                        longer(kept.canceled(), least),
                        kept.superseded()))
                // the document proves that the rerun was requested
                .history(History.ALL)
                .version(0)
                .build();
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
