package dev.almanac.web.page;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.Explanation;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.store.DamagedJobException;
import dev.almanac.store.StoredJob;
import dev.almanac.time.FirePreview;
import dev.almanac.web.draw.FireStrip;
import dev.almanac.web.draw.RunStrip;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.read.StoreReader;
import dev.almanac.web.text.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A job.
 *
 * @param key of the job
 * @param reference the name of the job in forms
 * @param purpose what it does and when, in words
 * @param explanation why it has not run, or when it will
 * @param tone of the explanation
 * @param chip its state
 * @param calendars names of its calendars, in its order
 * @param facts every field with a value, in the order of the specification
 * @param moments fields that are moments
 * @param commands to be unfolded; empty if they are not shown
 * @param hidden whether commands are hidden from this viewer
 * @param current the run in progress; absent if there is none
 * @param strip its runs; absent if no row is about a run, and none is in progress
 * @param durations of its good runs; absent if none is on record
 * @param fires the next ones, with their reasons
 * @param rows the newest ones, newest first
 * @param history a page of the rows
 * @param nodes names the nodes
 * @param followed what it followed, and what follows it
 * @param actions the actions that this viewer may request; empty if none
 * @param planned the beginning of its own pause that is planned; absent if none is
 * @param claim the token of its lease; absent if it has none
 */
record JobPage(
        String key,
        JobReference reference,
        String purpose,
        Explanation explanation,
        String tone,
        Chip chip,
        List<String> calendars,
        List<Fact> facts,
        List<Moment> moments,
        List<Command> commands,
        boolean hidden,
        @Nullable CurrentRun current,
        @Nullable RunStrip strip,
        @Nullable Durations durations,
        Fires fires,
        List<JobExecutionStatus> rows,
        JobHistory history,
        NodeNames nodes,
        Followed followed,
        List<JobActions> actions,
        @Nullable Instant planned,
        @Nullable String claim) {
    private static final Columns<JobExecutionStatus> ROWS_BY = new Columns<JobExecutionStatus>()
            .by("rows.written", JobExecutionStatus::updatedTime)
            .by("rows.outcome", row -> Chip.of(row).text())
            .by("rows.planned", JobExecutionStatus::fireTime)
            .by(
                    "rows.took",
                    row -> row.startedTime() == null ? null : Duration.between(row.startedTime(), row.updatedTime()))
            .by("rows.attempt", JobExecutionStatus::attempt)
            .by("rows.node", JobExecutionStatus::node);
    static final int MOST_ROWS = 200;
    private static final int FIRES = 20;
    private static final int NOT_FOUND = 404;

    /**
     * Follow-ups around it.
     *
     * @param parent key of the job whose run it followed; absent if none
     * @param next what is stored after a run of it
     */
    record Followed(@Nullable String parent, List<FollowUp> next) {
        boolean isAny() {
            return parent != null || !next.isEmpty();
        }
    }

    /**
     * What is stored after a run.
     *
     * @param when after which end
     * @param key as it is written, or as it was stored if that is known
     * @param address where it is found; absent if it cannot be there yet
     */
    record FollowUp(
            String when, String key, String type, @Nullable String address) {
        static List<FollowUp> of(StoredJob job) {
            List<FollowUp> all = new ArrayList<>();
            JobSpecification parent = job.specification();
            boolean failed = job.lastStatus().executionStatus() == ExecutionStatus.FAILED;
            parent.onSuccess().forEach(next -> all.add(of(job, next, "after a good run", !failed)));
            parent.onFailure().forEach(next -> all.add(of(job, next, "after a failure", failed)));
            return all;
        }

        private static FollowUp of(StoredJob job, JobSpecification next, String when, boolean taken) {
            String key = next.jobSpecificationKey().replace("{key}", job.key());
            boolean stored = !job.isLive()
                    && taken
                    && job.lastStatus().executionStatus() != ExecutionStatus.CANCELED
                    && !key.contains("{fireTime}")
                    && !key.contains("{claim}");
            String type = next.triggerCommand() instanceof EncodedCommand command ? command.type() : "";
            return new FollowUp(when, key, type, stored ? "/job?key=" + Frame.encoded(key) : null);
        }
    }

    /** A field in words. */
    record Fact(String name, String value) {}

    /** A field that is a moment. */
    record Moment(String name, Instant at) {}

    /**
     * The next fires, or the reason why there are none.
     *
     * @param strip absent if there are fewer than two
     */
    record Fires(
            List<FirePreview> next,
            @Nullable String none,
            @Nullable FireStrip strip) {
        /** Those that are not as the schedule says. */
        List<FirePreview> exceptions() {
            return next.stream()
                    .filter(fire -> fire.reason() != FirePreview.Reason.REGULAR)
                    .toList();
        }

        /** The first one that fires; absent if none does. */
        @Nullable
        Instant first() {
            return next.stream()
                    .map(FirePreview::fireTime)
                    .filter(Objects::nonNull)
                    .min(Instant::compareTo)
                    .orElse(null);
        }
    }

    /**
     * A command as it is stored.
     *
     * @param json its body as one text; absent if it is too large for a page
     */
    record Command(
            String name,
            String type,
            int version,
            String identifier,
            JsonTree body,
            @Nullable String json) {}

    static JobPage of(StoreReader storeReader, Setup setup, PageRequest call) {
        StoredJob job = seen(storeReader, call);
        boolean payloads = JobVisibility.hasPayloads(setup, call, job);
        boolean errors = JobVisibility.hasErrors(call, job);
        Instant now = call.clock().now();
        NodeNames nodes = new NodeNames(storeReader.nodes());
        Explanation whole = JobVisibility.explained(call, storeReader, job.key());
        List<JobExecutionStatus> stored =
                storeReader.rows(job, call.viewer().sees().all(), MOST_ROWS);
        List<JobExecutionStatus> rows = stored.stream()
                .map(row -> shown(row, JobVisibility.hasPayloads(setup, call, JobVisibility.ofIts(row, job)), true))
                .toList();
        Chip chip = Chip.of(job, storeReader.pauses(), now);
        Explanation explanation = JobVisibility.withoutErrors(call, storeReader, whole, job, () -> rows);
        Durations durations = Durations.of(rows);
        CurrentRun current = CurrentRun.of(job, rows, durations, nodes, now);
        RunStrip strip = RunStrip.of(rows, open(job, current), call.clock(), nodes::of);
        return new JobPage(
                job.key(),
                JobReference.of(job),
                JobPurpose.of(job, payloads, call.clock()),
                explanation,
                tone(explanation.reasons().get(0).kind(), chip),
                chip,
                job.specification().calendars(),
                JobFacts.of(job, payloads, errors, nodes, now),
                JobFacts.moments(job, now),
                payloads ? commands(job.specification()) : List.of(),
                !payloads,
                current,
                strip,
                durations,
                fires(storeReader, job, call.clock()),
                rows,
                JobHistory.of(storeReader, call, job, stored, row -> {
                    StoredJob its = JobVisibility.ofIts(row, job);
                    return shown(row, JobVisibility.hasPayloads(setup, call, its), JobVisibility.hasErrors(call, its));
                }),
                nodes,
                new Followed(job.specification().followUpOf().orElse(null), FollowUp.of(job)),
                actions(setup, call, job),
                planned(job, now),
                job.lease() == null ? null : String.valueOf(job.lease().token()));
    }

    /** A row as a viewer with these rights sees it. */
    static JobExecutionStatus shown(JobExecutionStatus row, boolean payloads, boolean errors) {
        JobExecutionStatus shown = payloads ? row : Versions.withoutPayloads(row);
        return errors ? shown : HiddenErrors.of(shown);
    }

    private static RunStrip.@Nullable Open open(StoredJob job, @Nullable CurrentRun current) {
        return current == null || current.begun() == null || job.lease() == null
                ? null
                : new RunStrip.Open(
                        current.begun(),
                        job.lease().owner(),
                        "in progress on " + current.node() + ", attempt "
                                + current.run().attempt());
    }

    /** The actions for the job; a finished job can only be run again. */
    private static List<JobActions> actions(Setup setup, PageRequest call, StoredJob job) {
        if (!setup.changes()
                || !call.viewer()
                        .changes()
                        .include(job.specification().applicationTag().orElse(null))) {
            return List.of();
        }
        boolean open = job.plan().failuresInARow() > 0;
        if (job.isLive()) {
            Pause pause = job.requests().pause();
            boolean paused = pause != null && pause.isInForce(call.clock().now());
            JobActions useless = paused ? JobActions.PAUSE : JobActions.RESUME;
            return JobActions.OF_ONE.stream()
                    .filter(action -> action != useless)
                    .filter(action -> action != JobActions.WITHDRAW
                            || planned(job, call.clock().now()) != null)
                    .filter(action -> action != JobActions.RELEASE || job.lease() != null)
                    .filter(action -> action != JobActions.ACKNOWLEDGE || open)
                    .toList();
        }
        return Stream.of(JobActions.RERUN, JobActions.ACKNOWLEDGE)
                .filter(action -> action == JobActions.ACKNOWLEDGE
                        ? open
                        : !job.specification().isRecurring())
                .toList();
    }

    private static @Nullable Instant planned(StoredJob job, Instant now) {
        Pause pause = job.requests().pause();
        return pause != null && pause.isPlanned(now) ? pause.from() : null;
    }

    /** The job that the address names. */
    static StoredJob seen(StoreReader storeReader, PageRequest call) {
        try {
            return storeReader
                    .find(call.required("key"))
                    .filter(job -> JobVisibility.isSeen(call, job))
                    .orElseThrow(JobPage::missing);
        } catch (DamagedJobException e) {
            // of which application it is cannot be read either: others are not told that it is there
            throw call.viewer().sees().all()
                    ? new Refusal(NOT_FOUND, "The document of this job cannot be read: " + e.getMessage())
                    : missing();
        }
    }

    private static Refusal missing() {
        return new Refusal(NOT_FOUND, "There is no job of this key that you may see.");
    }

    private static Fires fires(StoreReader storeReader, StoredJob job, Clock clock) {
        if (!job.isLive()) {
            return new Fires(List.of(), "It has finished.", null);
        }
        try {
            List<FirePreview> next = storeReader.scheduler().previewFireTimes(job.key(), clock.now(), FIRES);
            return new Fires(
                    next,
                    next.isEmpty() ? "No further fire is planned." : null,
                    FireStrip.of(
                            next,
                            clock,
                            fire -> reason(fire, job.specification().calendars())));
        } catch (JobNotFoundException | IllegalArgumentException | InvalidJobException e) {
            return new Fires(List.of(), e.getMessage(), null);
        }
    }

    private static List<Command> commands(JobSpecification specification) {
        List<Command> commands = new ArrayList<>();
        add(commands, "Command", specification.triggerCommand(), specification.triggerIdentifier());
        add(
                commands,
                "On failure",
                specification.failureCommand().orElse(null),
                specification.failureIdentifier().orElse(null));
        return commands;
    }

    private static void add(
            List<Command> commands, String name, @Nullable SchedulingCommand command, @Nullable String identifier) {
        if (command instanceof EncodedCommand encoded) {
            commands.add(new Command(
                    name,
                    encoded.type(),
                    encoded.version(),
                    Objects.requireNonNullElse(identifier, ""),
                    JsonTree.of(encoded),
                    JsonTree.text(encoded)));
        }
    }

    private static String tone(Explanation.Kind kind, Chip chip) {
        return switch (kind) {
            case FINISHED -> chip.tone();
            case LEASED, RUN_NOW -> "info";
            case FUTURE, SPREAD, AFTER_END, GRACE, SAVED_STATE, SHIFTED, CLOCK_CHANGE -> "good";
            case PAUSED -> "hold";
            case BLOCKED, DAMAGED, NO_NODE, UNPLANNABLE, UNKNOWN_CALENDAR, UNKNOWN_KEY, NO_DUE_TIME, FAILED -> "bad";
            default -> "warn";
        };
    }

    /** The rows of this page of the history, in which nodes have their labels. */
    List<JobExecutionStatus> rowsBy(@Nullable String sort) {
        return ROWS_BY.sorted(history.rows(), sort).stream()
                .map(row -> row.detail() == null
                        ? row
                        : row.toBuilder().detail(nodes.in(row.detail())).build())
                .toList();
    }

    /** What happens at this time, in words. */
    String reason(FirePreview fire) {
        return reason(fire, calendars);
    }

    private static String reason(FirePreview fire, List<String> calendars) {
        String calendar = fire.calendar() >= 0 && fire.calendar() < calendars.size()
                ? "calendar " + calendars.get(fire.calendar())
                : "a calendar";
        return switch (fire.reason()) {
            case REGULAR -> "as planned";
            case MOVED_BY_GAP -> "moved: the clock skips this time";
            case LOST_IN_GAP -> "lost: the clock skips " + fire.wantedTime();
            case SECOND_PASS_DROPPED -> "dropped: the clock shows this time twice";
            case SHIFTED_BY_CALENDAR -> "moved: " + calendar + " excludes " + fire.wantedTime();
            case EXCLUDED -> "does not fire: excluded by " + calendar;
            case OUT_OF_BOUNDS -> "out of its bounds";
            case TOO_LATE -> "does not fire: too late when its pause ends";
            case PAUSED ->
                fire.fireTime() == null ? "does not fire: a pause holds it back" : "starts when its pause ends";
        };
    }
}
