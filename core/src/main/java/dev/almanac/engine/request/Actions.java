package dev.almanac.engine.request;

import dev.almanac.engine.port.JobPages;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.Pins;
import dev.almanac.model.ActionReport;
import dev.almanac.model.ActionReport.Item;
import dev.almanac.model.ActionReport.Result;
import dev.almanac.model.FieldChange;
import dev.almanac.model.FindScope;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSelection.SeenJob;
import dev.almanac.model.Pause;
import dev.almanac.model.Problem;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobList;
import dev.almanac.store.Lease;
import dev.almanac.store.NewestFailures;
import dev.almanac.store.Phase;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.store.WriteRefusedException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Applies an action to the jobs of a selection, page by page; each job on its own, a few at a time. Thread-safe. */
final class Actions {
    private static final int MOST_FAILURES = 1_000;

    private final Node node;
    private final Registrar registrar;
    private final Reruns reruns;
    private final Acknowledgements acknowledgements;

    Actions(Node node, Registrar registrar) {
        this.node = node;
        this.registrar = registrar;
        this.acknowledgements = new Acknowledgements(node, registrar);
        this.reruns = new Reruns(node, registrar, acknowledgements);
    }

    ActionReport apply(JobAction action, JobSelection selection, boolean dryRun) {
        if (selection instanceof JobSelection.Keys keys) {
            List<Item> items = each(
                    keys.keys(), key -> key, key -> one(action, key, keys.seen().get(key), dryRun));
            return new ActionReport(items, dryRun, null);
        }
        return selection instanceof JobSelection.Matching matching
                ? matching(action, matching, dryRun)
                : failed(action, (JobSelection.Failed) selection, dryRun);
    }

    private ActionReport matching(JobAction action, JobSelection.Matching selection, boolean dryRun) {
        JobList page = node.store()
                .list(
                        selection.query(),
                        node.clock().now(),
                        node.store().cluster().control().pauses());
        List<Item> items = new ArrayList<>();
        page.damaged().forEach(damaged -> items.add(new Item(damaged.key(), Result.REFUSED, damaged.reason())));
        List<StoredJob> meant = page.jobs().stream()
                .filter(job -> selection.only() == null || selection.only().contains(job.id()))
                .toList();
        items.addAll(each(meant, StoredJob::key, job -> one(action, job.key(), meant(action, job), dryRun)));
        String last = page.lastKey();
        JobSelection next = last == null
                ? null
                : new JobSelection.Matching(selection.query().after(last), selection.only());
        return new ActionReport(items, dryRun, next);
    }

    /** The document that a query has found; failures are those of all jobs of a key, whose newest run counts. */
    private static @Nullable SeenJob meant(JobAction action, StoredJob found) {
        return action instanceof JobAction.Rerun || action instanceof JobAction.Acknowledge
                ? null
                : new SeenJob(found.id());
    }

    private <T> List<Item> each(List<T> jobs, Function<T, String> key, Function<T, Item> work) {
        return each(jobs, key, work, false);
    }

    /** @param begun whether something was done before for the same report */
    private <T> List<Item> each(List<T> jobs, Function<T, String> key, Function<T, Item> work, boolean begun) {
        return node.pipeline()
                .eachUntilOutage(
                        jobs,
                        key,
                        work,
                        (job, unknown) -> new Item(
                                key.apply(job),
                                Result.REFUSED,
                                unknown == null
                                        ? BulkItem.NOT_BEGUN
                                        : "its outcome is not known: " + unknown.getMessage(),
                                true),
                        Actions::isDone,
                        begun);
    }

    private static boolean isDone(Item item) {
        return item.result() != Result.REFUSED;
    }

    /** The action for jobs with failures; a job that has failed several times is taken once, for its newest failure. */
    private ActionReport failed(JobAction action, JobSelection.Failed selection, boolean dryRun) {
        Instant before = selection.before();
        RowQuery query =
                RowQuery.ofFailures(selection.from(), before == null ? selection.until() : before, MOST_FAILURES);
        List<JobExecutionStatus> page = node.store().rows(query);
        List<JobExecutionStatus> rows = query.whole(page);
        Map<String, JobExecutionStatus> newest = new LinkedHashMap<>();
        rows.forEach(row -> newest.putIfAbsent(row.jobSpecificationId(), row));
        if (before != null) {
            newest.values().removeIf(row -> isOfEarlierPage(row, selection.until()));
        }
        List<Item> items = new ArrayList<>();
        JobPages.parts(newest.keySet())
                .forEach(ids -> items.addAll(part(
                        action, newest, ids, selection, dryRun, items.stream().anyMatch(Actions::isDone))));
        JobSelection next = query.isLast(page)
                ? null
                : new JobSelection.Failed(
                        selection.from(),
                        selection.until(),
                        selection.commandType(),
                        rows.get(rows.size() - 1).updatedTime());
        return new ActionReport(items, dryRun, next);
    }

    /** Whether an earlier page had a later failure of the job; the pages are of stored rows alone. */
    private boolean isOfEarlierPage(JobExecutionStatus failed, @Nullable Instant until) {
        return NewestFailures.hasFailed(failed.jobSpecificationId(), failed.updatedTime(), until, node.store()::rows);
    }

    /** @param begun whether something was done before, of which an outage in this part must take nothing from the report */
    private List<Item> part(
            JobAction action,
            Map<String, JobExecutionStatus> rows,
            List<String> ids,
            JobSelection.Failed selection,
            boolean dryRun,
            boolean begun) {
        List<StoredJob> wanted;
        try {
            wanted = wanted(ids, selection);
        } catch (StoreException outage) {
            if (!begun) {
                throw outage;
            }
            return ids.stream()
                    .map(id -> rows.get(id).jobSpecificationKey())
                    .map(key -> new Item(
                            key,
                            Result.REFUSED,
                            "was not read, and nothing was done for it: " + outage.getMessage(),
                            true))
                    .toList();
        }
        return each(wanted, StoredJob::key, job -> failed(action, rows.get(job.id()), job, dryRun), begun);
    }

    /** Those of the jobs that are selected, in the order of their ids. */
    private List<StoredJob> wanted(List<String> ids, JobSelection.Failed selection) {
        Map<String, StoredJob> jobs = new HashMap<>();
        node.store().load(ids).forEach(job -> jobs.put(job.id(), job));
        return ids.stream()
                .map(jobs::get)
                .filter(Objects::nonNull)
                .filter(job -> selection.commandType() == null
                        || selection.commandType().equals(Reruns.type(job)))
                .toList();
    }

    private Item failed(JobAction action, JobExecutionStatus row, StoredJob job, boolean dryRun) {
        if (action instanceof JobAction.Acknowledge acknowledge) {
            return guarded(job.key(), () -> {
                return job.plan().failuresInARow() > 0 && acknowledgements.hasFailedSince(job, row.updatedTime())
                        ? new Item(job.key(), Result.REFUSED, "has failed again since")
                        : acknowledgements.ofOne(job, acknowledge.seen().get(job.key()), dryRun);
            });
        }
        return action instanceof JobAction.Rerun
                ? guarded(job.key(), () -> reruns.rerun(job, row, dryRun))
                : one(action, job.key(), new SeenJob(job.id()), dryRun);
    }

    /** @param seen the one that is meant; absent = the one that has the key */
    private Item one(JobAction action, String key, @Nullable SeenJob seen, boolean dryRun) {
        return guarded(key, () -> {
            if (action instanceof JobAction.Rerun rerun) {
                StoredJob job = registrar.meant(key, FindScope.INCLUDING_FINISHED, seen);
                return Acknowledgements.hasFailedSince(node, job, rerun.seen().get(key))
                        ? Acknowledgements.again(key)
                        : reruns.rerun(job, rerun.failedOnly(), dryRun);
            }
            if (action instanceof JobAction.Acknowledge acknowledge) {
                return acknowledgements.of(
                        registrar.meant(key, FindScope.INCLUDING_FINISHED, seen),
                        acknowledge.seen().get(key),
                        dryRun);
            }
            Optional<JobChange> change =
                    dryRun ? registrar.decide(action, registrar.live(key, seen)) : registrar.apply(action, key, seen);
            return change.map(done -> item(action, done)).orElseGet(() -> unchanged(action, key));
        });
    }

    /**
     * The result for one job. Its failure, or that its outcome is not known, does not stop the others, whether Almanac or
     * code of the service throws: an edit, a calendar, a codec. An outage of the store does stop them.
     */
    private static Item guarded(String key, Supplier<Item> work) {
        try {
            return work.get();
        } catch (WriteRefusedException | UnansweredChanges.UnknownOutcomeException e) {
            return refused(key, e);
        } catch (StoreException outage) {
            throw outage;
        } catch (RuntimeException | Error e) {
            return refused(key, e);
        }
    }

    private static Item refused(String key, Throwable why) {
        RuntimeException error =
                Objects.requireNonNull(BulkItem.refused(key, why).error());
        List<Problem> problems = error instanceof InvalidJobException invalid ? invalid.problems() : List.of();
        String detail = Objects.requireNonNullElse(error.getMessage(), error.toString());
        return new Item(key, Result.REFUSED, detail, false, problems);
    }

    private static Item unchanged(JobAction action, String key) {
        String text = action instanceof JobAction.Resume
                ? "is not paused"
                : action instanceof JobAction.Release release
                        ? release.claim() == null ? "is not claimed" : "the claim that was named is over"
                        : action instanceof JobAction.Unpin ? "has no pinned field" : "is in that state already";
        return new Item(key, Result.UNCHANGED, text);
    }

    /** What a change does, or would do. */
    private Item item(JobAction action, JobChange change) {
        String key = change.before().key();
        return action instanceof JobAction.Update
                ? updated(key, change)
                : new Item(key, Result.DONE, done(action, change));
    }

    private String done(JobAction action, JobChange change) {
        if (action instanceof JobAction.Cancel) {
            return canceled(change);
        } else if (action instanceof JobAction.PauseEach) {
            return paused(change);
        } else if (action instanceof JobAction.Resume) {
            return resumed(change);
        } else if (action instanceof JobAction.Release) {
            Lease claim = Objects.requireNonNull(change.before().lease());
            return "released: the claim of node " + claim.owner() + ", whose lease ends at " + claim.until();
        }
        return action instanceof JobAction.RunNow
                ? "one run in addition to its plan; " + start(change.after())
                : String.valueOf(change.after().lastStatus().detail());
    }

    private static Item updated(String key, JobChange change) {
        List<String> changes = change
                .after()
                .specification()
                .changesSince(change.before().specification())
                .stream()
                .map(FieldChange::toString)
                .toList();
        boolean pins = Pins.pinned(
                        change.before().requests().personal(),
                        change.after().requests().personal())
                != null;
        if (pins || !changes.isEmpty()) {
            // also what becomes of its fires, which the row of the change says behind the first semicolon
            String said = String.valueOf(change.after().lastStatus().detail());
            int rest = said.indexOf("; ");
            String text = String.join(", ", changes) + (rest < 0 ? "" : said.substring(rest));
            return new Item(key, Result.DONE, changes.isEmpty() ? text.substring(2) : text);
        }
        return change.after().blocked() == null
                ? new Item(key, Result.DONE, "is no longer blocked")
                : new Item(key, Result.UNCHANGED, "is still blocked");
    }

    private static String canceled(JobChange change) {
        StoredJob after = change.after();
        String result = Cancellation.result(change).name();
        if (!after.isLive()) {
            return result;
        }
        String first = after.lease() == null
                ? "the follow-ups of its last run are stored first"
                : after.requests().interruptRequested() ? "its run is interrupted" : "its run continues to its end";
        return result + ": " + first + "; no later fire follows";
    }

    private String paused(JobChange change) {
        StoredJob before = change.before();
        Pause old = before.requests().pause();
        Pause pause = Objects.requireNonNull(change.after().requests().pause());
        return (pause.from() == null ? "paused" : "to be paused from " + pause.from())
                + (old == null || old.hasEnded(node.clock().now())
                        ? ""
                        : ", instead of the pause by " + old.author() + ": " + old.reason())
                + (before.lease() == null ? "" : "; its run continues");
    }

    /** Names the pause, and says of the failures that are open whether they are closed with it. */
    private static String resumed(JobChange change) {
        Pause pause = Objects.requireNonNull(change.before().requests().pause());
        int open = change.before().plan().failuresInARow();
        boolean closes = open > change.after().plan().failuresInARow();
        String closed = open == 1 ? "; its open failure is closed" : "; its " + open + " open failures are closed";
        return change.after().lastStatus().detail() + ": the pause by " + pause.author() + ": " + pause.reason()
                + (closes ? closed : "");
    }

    /** When a run starts that was asked for. */
    private String start(StoredJob job) {
        Instant now = node.clock().now();
        boolean held = job.isPausedAt(now, node.store().cluster().control().pauses());
        if (job.blocked() != null && job.due() == null) {
            return "it starts when the job is no longer blocked";
        } else if (held) {
            return "it starts when the pause ends";
        }
        String dropped =
                Reconciler.endsByItself(job.specification()) ? "; it is dropped if no run follows that one" : "";
        if (job.lease() != null) {
            return "it starts when the current run has ended" + dropped;
        }
        return job.phase() == Phase.RUN
                ? "a node that knows the command starts it"
                : "it starts when what follows the last run is done" + dropped;
    }
}
