package dev.almanac.web.page;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.Explanation;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.store.DamagedJobException;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoredJob;
import dev.almanac.time.FirePreview;
import dev.almanac.web.draw.RunStrip;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.read.StoreReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job.
 *
 * @param key of the job
 * @param explanation why it has not run, or when it will
 * @param tone of the explanation
 * @param chip its state
 * @param calendars that it names, in its order
 * @param facts every field that says something, in the order of the specification
 * @param moments fields that are moments
 * @param commands to be unfolded; empty if they are not shown
 * @param hidden whether commands are kept from this viewer
 * @param strip its runs; absent if no row tells of one
 * @param fires the next ones, with their reasons
 * @param rows newest first
 * @param nodes of the last hour, for their labels
 * @param orders what this viewer may ask of it; empty if nothing
 */
record JobPage(
        String key,
        Explanation explanation,
        String tone,
        Chip chip,
        List<String> calendars,
        List<Fact> facts,
        List<Moment> moments,
        List<Command> commands,
        boolean hidden,
        @Nullable RunStrip strip,
        Fires fires,
        List<JobExecutionStatus> rows,
        List<NodeReport> nodes,
        List<JobActions> orders) {
    static final int MOST_ROWS = 200;
    private static final int FIRES = 20;
    private static final int NOT_FOUND = 404;

    /** A field in words. */
    record Fact(String name, String value) {}

    /** A field that is a moment. */
    record Moment(String name, Instant at) {}

    /** The next fires, or why none can be told. */
    record Fires(List<FirePreview> next, @Nullable String none) {}

    /** A command as it is stored. */
    record Command(String name, String type, int version, String identifier, JsonTree body) {}

    static JobPage of(StoreReader storeReader, Setup setup, PageRequest call) {
        String key = call.required("key");
        StoredJob job = seen(storeReader, call, key);
        List<JobExecutionStatus> rows =
                storeReader.rows(job, call.viewer().sees().all(), MOST_ROWS);
        Chip chip = Chip.of(job, storeReader.pauses(), call.clock().now());
        Explanation explanation = storeReader.scheduler().explainJob(key);
        boolean payloads = isShown(setup, call, job);
        return new JobPage(
                key,
                explanation,
                tone(explanation.reasons().get(0).kind(), chip),
                chip,
                job.specification().calendars(),
                JobFacts.of(job, payloads),
                JobFacts.moments(job),
                payloads ? commands(job.specification()) : List.of(),
                !payloads,
                RunStrip.of(rows, call.clock(), id -> NodeLine.label(storeReader.nodes(), id)),
                fires(storeReader, job, call.clock().now()),
                rows,
                storeReader.nodes(),
                orders(setup, call, job));
    }

    private static boolean isShown(Setup setup, PageRequest call, StoredJob job) {
        return setup.payloads()
                && call.viewer().payloads().include(job.specification().applicationTag());
    }

    /** The actions for the job; a finished job can only be run again. */
    private static List<JobActions> orders(Setup setup, PageRequest call, StoredJob job) {
        if (!setup.changes()
                || !call.viewer().changes().include(job.specification().applicationTag())) {
            return List.of();
        }
        boolean failed = job.lastStatus().executionStatus() == ExecutionStatus.FAILED;
        return job.isLive() ? JobActions.OF_ONE : failed ? List.of(JobActions.RERUN) : List.of();
    }

    private static StoredJob seen(StoreReader storeReader, PageRequest call, String key) {
        try {
            return storeReader
                    .find(key)
                    .filter(job -> JobVisibility.isSeen(call, job))
                    .orElseThrow(() -> new Refusal(NOT_FOUND, "There is no job of this key that you may see."));
        } catch (DamagedJobException e) {
            call.requireAll();
            throw new Refusal(NOT_FOUND, "The document of this job cannot be read: " + e.getMessage());
        }
    }

    private static Fires fires(StoreReader storeReader, StoredJob job, Instant now) {
        if (!job.isLive()) {
            return new Fires(List.of(), "It has finished.");
        }
        try {
            List<FirePreview> next = storeReader.scheduler().previewFireTimes(job.key(), now, FIRES);
            return new Fires(next, next.isEmpty() ? "No further fire is planned." : null);
        } catch (JobNotFoundException | IllegalArgumentException | InvalidJobException e) {
            return new Fires(List.of(), e.getMessage());
        }
    }

    private static List<Command> commands(JobSpecification specification) {
        List<Command> commands = new ArrayList<>();
        add(commands, "Command", specification.triggerCommand(), specification.triggerIdentifier());
        add(commands, "On failure", specification.failureCommand(), specification.failureIdentifier());
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
                    JsonTree.of(encoded)));
        }
    }

    private static String tone(Explanation.Kind kind, Chip chip) {
        return switch (kind) {
            case FINISHED -> chip.tone();
            case LEASED, RUN_NOW -> "info";
            case FUTURE, SHIFTED, CLOCK_CHANGE -> "good";
            case PAUSED -> "hold";
            case BLOCKED, DAMAGED, NO_NODE, UNPLANNABLE, UNKNOWN_CALENDAR, UNKNOWN_KEY, NO_DUE_TIME, FAILED -> "bad";
            default -> "warn";
        };
    }

    /** The label of the node of this id. */
    String node(@Nullable String id) {
        return id == null ? "" : NodeLine.label(nodes, id);
    }

    String reason(FirePreview fire) {
        String calendar = fire.calendar() >= 0 && fire.calendar() < calendars.size()
                ? "calendar " + calendars.get(fire.calendar())
                : "a calendar";
        return switch (fire.reason()) {
            case REGULAR -> "as planned";
            case MOVED_BY_GAP -> "moved: the clock skips " + fire.wantedTime();
            case LOST_IN_GAP -> "lost: the clock skips " + fire.wantedTime();
            case SECOND_PASS_DROPPED -> "dropped: the clock shows this time twice";
            case SHIFTED_BY_CALENDAR -> "moved: " + calendar + " excludes " + fire.wantedTime();
            case EXCLUDED -> "does not fire: excluded by " + calendar;
            case OUT_OF_BOUNDS -> "out of its bounds";
        };
    }
}
