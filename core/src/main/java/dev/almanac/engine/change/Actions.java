package dev.almanac.engine.change;

import dev.almanac.engine.node.JobPages;
import dev.almanac.engine.node.Node;
import dev.almanac.model.ActionReport;
import dev.almanac.model.ActionReport.Item;
import dev.almanac.model.ActionReport.Result;
import dev.almanac.model.CancelMode;
import dev.almanac.model.FindScope;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobSelection;
import dev.almanac.model.StaleJobException;
import dev.almanac.store.DamagedJobException;
import dev.almanac.store.JobList;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** Applies an action to the jobs of a selection, page by page; each job on its own, a few at a time. Thread-safe. */
final class Actions {
    private static final int MOST_FAILURES = 1_000;

    private final Node node;
    private final Registrar registrar;
    private final Reruns reruns;

    Actions(Node node, Registrar registrar) {
        this.node = node;
        this.registrar = registrar;
        this.reruns = new Reruns(node, registrar);
    }

    ActionReport apply(JobAction action, JobSelection selection, boolean dryRun) {
        if (selection instanceof JobSelection.Keys keys) {
            return new ActionReport(each(action, keys.keys(), dryRun), dryRun, null);
        }
        return selection instanceof JobSelection.Matching matching
                ? matching(action, matching, dryRun)
                : failed(action, (JobSelection.Failed) selection, dryRun);
    }

    private ActionReport matching(JobAction action, JobSelection.Matching selection, boolean dryRun) {
        JobList page = node.store().list(selection.query());
        List<Item> items = new ArrayList<>();
        page.damaged().forEach(damaged -> items.add(new Item(damaged.key(), Result.REFUSED, damaged.reason())));
        items.addAll(each(action, page.jobs().stream().map(StoredJob::key).toList(), dryRun));
        String last = page.lastKey();
        JobSelection next = last == null
                ? null
                : new JobSelection.Matching(selection.query().after(last));
        return new ActionReport(items, dryRun, next);
    }

    private List<Item> each(JobAction action, List<String> keys, boolean dryRun) {
        return node.pipeline().each(keys, key -> key, key -> one(action, key, dryRun));
    }

    /** The action for jobs with failures; a job that has failed several times is taken once, for its newest failure. */
    private ActionReport failed(JobAction action, JobSelection.Failed selection, boolean dryRun) {
        List<JobExecutionStatus> rows =
                node.store().rows(RowQuery.ofFailures(selection.from(), selection.until(), MOST_FAILURES));
        Map<String, JobExecutionStatus> newest = new LinkedHashMap<>();
        rows.forEach(row -> newest.putIfAbsent(row.jobSpecificationId(), row));
        List<Item> items = JobPages.parts(newest.keySet())
                .map(ids -> wanted(ids, selection))
                .flatMap(jobs -> node
                        .pipeline()
                        .each(jobs, StoredJob::key, job -> failed(action, newest.get(job.id()), job, dryRun))
                        .stream())
                .toList();
        Instant oldest = rows.size() < MOST_FAILURES
                ? null
                : rows.get(rows.size() - 1).updatedTime().plusMillis(1);
        JobSelection next = oldest == null || oldest.equals(selection.until())
                ? null
                : new JobSelection.Failed(selection.from(), oldest, selection.commandType());
        return new ActionReport(items, dryRun, next);
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
        return action instanceof JobAction.Rerun
                ? guarded(job.key(), () -> reruns.rerun(job, row, dryRun))
                : one(action, job.key(), dryRun);
    }

    private Item one(JobAction action, String key, boolean dryRun) {
        return guarded(key, () -> {
            if (action instanceof JobAction.Rerun) {
                return reruns.rerun(key, dryRun);
            }
            return dryRun ? wouldBe(action, key) : done(action, key);
        });
    }

    /** The result for one job; its failure does not stop the others, but an outage of the store ends the page. */
    private static Item guarded(String key, Supplier<Item> work) {
        try {
            return work.get();
        } catch (JobNotFoundException | StaleJobException | InvalidJobException | DamagedJobException e) {
            return new Item(key, Result.REFUSED, String.valueOf(e.getMessage()));
        }
    }

    private Item done(JobAction action, String key) {
        if (action instanceof JobAction.Cancel cancel) {
            String result = registrar.cancel(key, cancel.mode()).name();
            return new Item(key, result.equals("NOT_FOUND") ? Result.REFUSED : Result.DONE, result);
        }
        if (action instanceof JobAction.PauseEach pause) {
            registrar.pause(key, pause.pause().by(registrar.actor()));
            return new Item(key, Result.DONE, "paused");
        }
        if (action instanceof JobAction.Resume) {
            boolean held = registrar.resume(key);
            return new Item(key, held ? Result.DONE : Result.UNCHANGED, held ? "resumed" : "was not paused");
        }
        if (action instanceof JobAction.Update update) {
            return updated(key, registrar.update(key, update.edit()));
        }
        if (action instanceof JobAction.Release) {
            boolean released = registrar.release(key);
            return new Item(key, released ? Result.DONE : Result.UNCHANGED, released ? "released" : "is not claimed");
        }
        registrar.runNow(key);
        return new Item(key, Result.DONE, "a run now was requested");
    }

    private static Item updated(String key, List<String> changes) {
        return changes.isEmpty()
                ? new Item(key, Result.UNCHANGED, "is in that state already")
                : new Item(key, Result.DONE, String.join(", ", changes));
    }

    private Item wouldBe(JobAction action, String key) {
        StoredJob job = node.store().find(key, FindScope.LIVE).orElseThrow(() -> new JobNotFoundException(key));
        if (action instanceof JobAction.Update update) {
            return updated(key, registrar.changes(job, update.edit()));
        }
        boolean paused = job.requests().pause() != null;
        if (action instanceof JobAction.Resume) {
            return new Item(key, paused ? Result.DONE : Result.UNCHANGED, paused ? "is paused" : "is not paused");
        }
        if (action instanceof JobAction.Release && job.lease() == null) {
            return new Item(key, Result.UNCHANGED, "is not claimed");
        }
        boolean interrupted = action instanceof JobAction.Cancel cancel && cancel.mode() == CancelMode.INTERRUPT;
        return new Item(
                key,
                Result.DONE,
                job.lease() == null ? "does not run now" : interrupted ? "runs, is interrupted" : "runs now");
    }
}
