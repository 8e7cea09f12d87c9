package dev.almanac.web.page;

import dev.almanac.Scheduler;
import dev.almanac.model.ActionReport.Item;
import dev.almanac.model.ActionReport.Result;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSelection.SeenJob;
import dev.almanac.model.Pause;
import dev.almanac.store.DamagedJobException;
import dev.almanac.store.StoredJob;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.web.page.ActPage.Line;
import dev.almanac.web.read.KnownCalendars;
import dev.almanac.web.read.StoreReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Previews and applies an action to the jobs that a form names, as far as the viewer may change them. */
final class ActionEffects {
    private static final String NOT_ALLOWED = "is no job that you may change";
    private static final String REPLACED = "was not changed: it has ended, and another job has this key now";
    private static final int ROWS = 200;
    /** Of so many jobs an edit shows the schedule. */
    private static final int MOST_SCHEDULES = 20;

    private final StoreReader storeReader;
    private final Setup setup;
    private final PageRequest call;
    private final JobActions action;

    ActionEffects(StoreReader storeReader, Setup setup, PageRequest call, JobActions action) {
        this.storeReader = storeReader;
        this.setup = setup;
        this.call = call;
        this.action = action;
    }

    /**
     * A job that the form names.
     *
     * @param job absent if it is not there, or this viewer may not see it
     * @param refused why it is left as it is; absent if it is not
     * @param changed what was changed of it since the preview; absent if nothing was
     */
    record Target(
            JobReference named,
            @Nullable StoredJob job,
            @Nullable String refused,
            @Nullable String changed) {
        Stream<StoredJob> changeable() {
            return refused == null ? Stream.ofNullable(job) : Stream.of();
        }

        /** Refused if it was changed. */
        Target unlessChanged() {
            return changed == null ? this : new Target(named, job, changed, changed);
        }
    }

    /** @param previewed whether the form shows versions of which the viewer has seen the effects */
    List<Target> targets(List<JobReference> named, boolean previewed) {
        Map<String, StoredJob> jobs = storeReader
                .load(named.stream().map(JobReference::id).toList())
                .stream()
                .filter(job -> JobVisibility.isSeen(call, job))
                .collect(Collectors.toMap(StoredJob::id, Function.identity()));
        return named.stream()
                .map(name -> target(name, jobs.get(name.id()), previewed))
                .toList();
    }

    private Target target(JobReference name, @Nullable StoredJob job, boolean previewed) {
        if (job == null
                || !call.viewer()
                        .changes()
                        .include(job.specification().applicationTag().orElse(null))) {
            return new Target(name, job, NOT_ALLOWED, null);
        }
        if (!job.isLive() && !isNewest(job)) {
            return new Target(name, job, REPLACED, null);
        }
        boolean same = !previewed || job.specification().version() == name.version();
        return new Target(
                name, job, null, same ? previewed ? replaced(name, job) : null : changes(job, name.version()));
    }

    /** The pause that has come since, perhaps in the place of the one that a resume is for; absent if none has. The version stays with that of a failure. */
    private @Nullable String replaced(JobReference name, StoredJob job) {
        Pause pause = job.requests().pause();
        return !action.isResume() || pause == null || name.hasSeen(pause)
                ? null
                : "changed since the preview: "
                        + (name.pause().isEmpty() ? "it was paused by " : "its pause was replaced by that of ")
                        + pause.author() + ": " + pause.reason();
    }

    /** Actions find jobs by their keys. */
    private boolean isNewest(StoredJob finished) {
        try {
            return storeReader
                    .find(finished.key())
                    .filter(job -> job.id().equals(finished.id()))
                    .isPresent();
        } catch (DamagedJobException another) {
            return false;
        }
    }

    /** What made the present version of the one that was seen, as far as its newest rows tell. */
    private String changes(StoredJob job, long seen) {
        long versions = Math.max(1, job.specification().version() - seen);
        boolean payloads = JobVisibility.hasPayloads(setup, call, job);
        List<JobExecutionStatus> rows = storeReader.rows(job, false, ROWS).stream()
                .map(row -> payloads ? row : Versions.withoutPayloads(row))
                .toList();
        List<String> made = new ArrayList<>(Versions.of(rows).stream()
                .limit(versions)
                .map(Versions.Change::text)
                .toList());
        Collections.reverse(made);
        return "changed since the preview" + (made.isEmpty() ? "" : " " + String.join("; ", made));
    }

    /** The effects by a dry run. */
    List<Line> preview(List<Target> targets) {
        List<Line> lines = apply(storeReader.scheduler().as(call.viewer().author(), null), targets, true);
        if (action != JobActions.UPDATE) {
            return lines;
        }
        Map<String, ExclusionCalendar> calendars =
                new KnownCalendars(storeReader, setup.reader(), setup.calendars()).readable();
        List<Line> timed = new ArrayList<>(lines);
        for (int i = 0; i < Math.min(MOST_SCHEDULES, lines.size()); i++) {
            StoredJob job = targets.get(i).changeable().findFirst().orElse(null);
            if (job != null) {
                timed.set(
                        i,
                        lines.get(i)
                                .with(ScheduleChange.of(
                                        job,
                                        JobActions.edit(call),
                                        calendars,
                                        call.clock().now())));
            }
        }
        return timed;
    }

    /** Applies the action; when all its parts have ended, the caller says that something {@linkplain StoreReader#changed changed}. */
    List<Line> act(List<Target> targets) {
        return apply(storeReader.changing().as(call.viewer().author(), call.reason()), targets, false);
    }

    private List<Line> apply(Scheduler scheduler, List<Target> targets, boolean dryRun) {
        Map<String, JobReference> seen = new HashMap<>();
        Map<String, Pause> pauses = new HashMap<>();
        for (Target target : targets) {
            target.changeable().forEach(job -> {
                seen.putIfAbsent(job.key(), dryRun ? JobReference.of(job) : target.named());
                Pause pause = job.requests().pause();
                if (pause != null) {
                    pauses.putIfAbsent(job.key(), pause);
                }
            });
        }
        Map<String, Item> items = new HashMap<>();
        if (!seen.isEmpty()) {
            // each may be changed since it was compared: it is compared again with each try to write
            Map<String, SeenJob> jobs = seen.entrySet().stream()
                    .collect(Collectors.toMap(
                            Map.Entry::getKey,
                            one -> new SeenJob(
                                    one.getValue().id(), one.getValue().version())));
            JobSelection shown = new JobSelection.Keys(List.copyOf(jobs.keySet()), jobs);
            scheduler
                    .apply(action.action(call, seen, pauses), shown, dryRun)
                    .items()
                    .forEach(item -> items.put(item.key(), item));
        }
        return targets.stream().map(target -> line(target, items)).toList();
    }

    private static Line line(Target target, Map<String, Item> items) {
        StoredJob job = target.job();
        String key = job == null ? null : job.key();
        Item item = key == null || target.refused() != null ? null : items.get(key);
        return item == null
                ? new Line(
                        key,
                        target.named().toString(),
                        Result.REFUSED,
                        Objects.requireNonNullElse(target.refused(), NOT_ALLOWED),
                        null,
                        null)
                : new Line(
                        key,
                        String.valueOf(JobReference.of(Objects.requireNonNull(job))),
                        item.result(),
                        item.detail(),
                        target.changed(),
                        null);
    }
}
