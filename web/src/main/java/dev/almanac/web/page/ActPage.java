package dev.almanac.web.page;

import dev.almanac.model.ActionReport.Result;
import dev.almanac.model.JobSpecification;
import dev.almanac.store.StoredJob;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.page.ActionEffects.Target;
import dev.almanac.web.read.StoreReader;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An action: first what it would do, then what it did.
 *
 * @param action which
 * @param lines for each job
 * @param done whether it was done
 * @param fields what the form is filled with, by name
 * @param until when the pause ends; absent if it has no end, or no job is paused
 * @param present the values of today of what it edits
 * @param back address that it came from
 * @param problem what is missing before it can be done
 * @param operation the id under which it can be done
 * @param filter whose jobs it is for, by name; empty = it is for the jobs of the lines
 * @param count how many jobs it is for
 * @param digest which jobs of the filter it is for; empty if it is for the jobs of the lines
 * @param seen the server's time at which these were about to be read; empty if it is for the jobs of the lines
 */
record ActPage(
        JobActions action,
        List<Line> lines,
        boolean done,
        Map<String, String> fields,
        @Nullable Instant until,
        Present present,
        String back,
        @Nullable String problem,
        String operation,
        Map<String, String> filter,
        int count,
        String digest,
        String seen) {
    /** How many jobs a form may name. */
    static final int MOST = 100;

    /** Of how many jobs of a filter the effects are shown. */
    private static final int SHOWN = 20;

    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    /** The values on which the effects depend. */
    private static final List<String> CHANGES = List.of("cron", "zoneId", "priority");

    private static final String UNSEEN = "These are not the values of the last preview. Nothing was changed; check what"
            + " they would do, then confirm again.";

    /**
     * The effect on one job.
     *
     * @param key of the job; absent if the viewer may not see it, or it is not there
     * @param reference as the form names it
     * @param changed what was changed since the preview; absent if nothing was
     * @param schedule what an edit would make of its schedule; absent if this is no preview of one
     */
    record Line(
            @Nullable String key,
            String reference,
            Result result,
            String detail,
            @Nullable String changed,
            @Nullable ScheduleChange schedule) {
        Line with(ScheduleChange change) {
            return new Line(key, reference, result, detail, changed, change);
        }

        String name() {
            return Objects.requireNonNullElse(key, "A job of this form");
        }
    }

    /**
     * The values of today that all jobs of a form have in common.
     *
     * @param values by the name of the field
     * @param schedule how the schedule is written: a dialect, or once; empty if the jobs differ, or it is not known
     */
    record Present(Map<String, String> values, String schedule) {
        private static final Present UNKNOWN = new Present(Map.of(), "");
        private static final String ONCE = "once";

        private static Present of(List<Target> targets) {
            List<JobSpecification> jobs = targets.stream()
                    .flatMap(Target::changeable)
                    .map(StoredJob::specification)
                    .toList();
            String schedule =
                    shared(jobs, job -> job.isRecurring() ? job.cronDialect().name() : ONCE);
            Map<String, String> values = new LinkedHashMap<>();
            values.put("cron", shared(jobs, job -> job.schedulingSpecification().orElse("")));
            values.put("zoneId", shared(jobs, job -> job.zoneId().getId()));
            values.put("priority", shared(jobs, job -> String.valueOf(job.priority())));
            values.values().removeIf(String::isEmpty);
            return new Present(values, schedule);
        }

        private static String shared(List<JobSpecification> jobs, Function<JobSpecification, String> value) {
            Set<String> all = jobs.stream().map(value).collect(Collectors.toSet());
            return all.size() == 1 ? all.iterator().next() : "";
        }

        boolean isOnce() {
            return schedule.equals(ONCE);
        }
    }

    /** The preview of an action, or its result if the form is the confirmation of a preview. */
    static ActPage of(StoreReader storeReader, Setup setup, PageRequest call, Operations operations) {
        requireChanges(setup, call);
        String author = call.viewer().author();
        String operation = call.parameter("operation");
        boolean confirmed = "yes".equals(call.parameter("confirmed"));
        ActPage before =
                confirmed ? operations.result(operation, author, ActPage.class).orElse(null) : null;
        if (before != null) {
            return before;
        }
        List<JobReference> named =
                call.parameters("job").stream().map(JobReference::read).toList();
        if (named.size() > MOST) {
            throw Refusal.badRequest("At most " + MOST + " jobs at once.");
        }
        JobActions action = action(call);
        ActionEffects effects = new ActionEffects(storeReader, setup, call, action);
        List<Target> targets = effects.targets(named, confirmed);
        Present present = action == JobActions.UPDATE ? Present.of(targets) : Present.UNKNOWN;
        String problem = problem(targets, confirmed, call);
        if (problem == null && confirmed && !operations.isKnown(operation, author)) {
            problem = Operations.UNKNOWN;
        }
        if (!confirmed || problem != null) {
            return ofNamed(
                    action, effects.preview(targets), false, present, problem, operations.fresh(author), call, targets);
        }
        String id = String.valueOf(operation);
        return operations.once(id, author, ActPage.class, () -> {
            List<Line> lines;
            try {
                lines = effects.act(targets);
            } finally {
                storeReader.changed();
            }
            return ofNamed(action, lines, true, present, null, id, call, targets);
        });
    }

    private static ActPage ofNamed(
            JobActions action,
            List<Line> lines,
            boolean done,
            Present present,
            @Nullable String problem,
            String operation,
            PageRequest call,
            List<Target> targets) {
        return new ActPage(
                action,
                lines,
                done,
                fields(action, call, present),
                until(action, call, lines),
                present,
                call.back(),
                problem,
                operation,
                Map.of(),
                targets.size(),
                "",
                "");
    }

    private static @Nullable Instant until(JobActions action, PageRequest call, List<Line> lines) {
        return lines.stream().allMatch(line -> line.result() == Result.REFUSED) ? null : action.until(call);
    }

    /**
     * The preview of an action on all jobs of a filter.
     *
     * @param problem why a confirmation was not accepted; absent if none was sent
     */
    static ActPage ofFilter(
            StoreReader storeReader, Setup setup, PageRequest call, Operations operations, @Nullable String problem) {
        JobActions action = action(call);
        PageRequest filtered = call.with(call.required("filter"));
        Instant seen = storeReader.serverTime();
        Matches matches = Matches.of(storeReader, filtered, seen, Matches.PATIENCE);
        String uncounted = uncounted(matches);
        ActionEffects effects = new ActionEffects(storeReader, setup, call, action);
        List<Target> first =
                effects.targets(matches.jobs().stream().limit(SHOWN).toList(), false);
        List<Line> lines = effects.preview(first);
        return new ActPage(
                action,
                lines,
                false,
                fields(action, call, Present.UNKNOWN),
                until(action, call, lines),
                Present.UNKNOWN,
                call.back(),
                uncounted == null ? problem : uncounted,
                operations.fresh(call.viewer().author()),
                Matches.filter(filtered),
                uncounted == null ? matches.count() : 0,
                matches.digest(action),
                seen.toString());
    }

    /** Why it is not known how many jobs match; absent if it is. */
    private static @Nullable String uncounted(Matches matches) {
        if (matches.more()) {
            return "More than " + NowPage.grouped(Matches.MOST) + " jobs match; choose fewer by further filters.";
        }
        return matches.late()
                ? "The jobs that match were not counted within " + Matches.PATIENCE.toSeconds()
                        + " s; choose fewer by further filters."
                : null;
    }

    /** What is missing in the confirmation of an action on all jobs of a filter; absent if nothing is. */
    static @Nullable String unconfirmed(PageRequest call, Operations operations) {
        try {
            call.reason();
        } catch (IllegalArgumentException wrong) {
            return wrong.getMessage();
        }
        if (!isSeen(call)) {
            return UNSEEN;
        }
        return operations.isKnown(call.parameter("operation"), call.viewer().author()) ? null : Operations.UNKNOWN;
    }

    static void requireChanges(Setup setup, PageRequest call) {
        if (!setup.changes() || call.viewer().changes().isEmpty()) {
            throw new Refusal(FORBIDDEN, "This console only shows; you may change nothing here.");
        }
    }

    /** The action that the form is for, whose values are valid. */
    static JobActions action(PageRequest call) {
        JobActions action = JobActions.read(call.required("do"));
        if (action == null) {
            throw Refusal.badRequest("There is no such action.");
        }
        check(action, call);
        return action;
    }

    /** The result of an action that was carried out, this or a {@link FilterAction}. */
    static Object done(PageRequest call, Operations operations) {
        return operations
                .result(call.required("done"), call.viewer().author(), Object.class)
                .orElseThrow(() -> new Refusal(
                        NOT_FOUND,
                        "What this action did is not stored by this process any more, or never was. The pages of its"
                                + " jobs show every change."));
    }

    private static void check(JobActions action, PageRequest call) {
        try {
            action.action(call, Map.of(), Map.of());
        } catch (IllegalArgumentException wrong) {
            throw Refusal.badRequest(String.valueOf(wrong.getMessage()));
        }
    }

    private static @Nullable String problem(List<Target> targets, boolean confirmed, PageRequest call) {
        if (targets.isEmpty()) {
            return "No job is selected.";
        }
        if (confirmed || call.parameter("reason") != null) {
            try {
                call.reason();
            } catch (IllegalArgumentException wrong) {
                return wrong.getMessage();
            }
        }
        if (confirmed && !isSeen(call)) {
            return UNSEEN;
        }
        long changed =
                targets.stream().filter(target -> target.changed() != null).count();
        return changed == 0
                ? null
                : changed + " of " + targets.size() + (targets.size() == 1 ? " job was" : " jobs were")
                        + " changed since the preview. Nothing was done; check the effects again, then confirm.";
    }

    /** Whether the form was sent with the values of the preview that it was shown with. */
    private static boolean isSeen(PageRequest call) {
        return CHANGES.stream().allMatch(name -> Objects.equals(call.parameter(name), call.parameter("shown." + name)));
    }

    /**
     * What was typed, the end of a pause as a moment; what was not has the values of today, also if those have changed since
     * the form was filled.
     */
    private static Map<String, String> fields(JobActions action, PageRequest call, Present present) {
        Map<String, String> fields = new LinkedHashMap<>(present.values());
        String until = action == JobActions.PAUSE ? Moments.fixed(call, "until") : null;
        if (until != null) {
            fields.put("until", until);
        }
        for (String name : List.of("planned", "claim", "cron", "zoneId", "priority", "reason")) {
            String value = JobActions.edited(call, name);
            if (value != null) {
                fields.put(name, value);
            }
        }
        return fields;
    }

    long changing() {
        return lines.stream().filter(line -> line.result() == Result.DONE).count();
    }

    Chip chip(Line line) {
        return switch (line.result()) {
            case DONE -> done ? new Chip("done", "good") : new Chip("will change", "info");
            case UNCHANGED -> new Chip("unchanged", "quiet");
            case REFUSED -> new Chip("refused", "warn");
        };
    }

    String title() {
        return action.label()
                + (count == 1 && lines.size() == 1
                        ? " " + lines.get(0).name()
                        : " " + NowPage.grouped(count) + (count == 1 ? " job" : " jobs"));
    }
}
