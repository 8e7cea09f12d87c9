package dev.almanac.console.jobs;

import dev.almanac.console.terminal.Json;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Times;
import dev.almanac.model.Actor;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.History;
import dev.almanac.model.Job;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Pause;
import dev.almanac.model.Progress;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.model.StandingPause;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A job for people, value by value. */
final class JobLines {
    /** Fields with labels of their own, or that are left out in some cases. */
    private static final Set<String> TOLD = Set.of(
            "jobSpecificationKey",
            "jobRequestor",
            "schedulingSpecification",
            "cronDialect",
            "singleSchedule",
            "singleScheduleLocal",
            "triggerCommand",
            "triggerIdentifier",
            "failureCommand",
            "failureIdentifier",
            "calendars",
            "calendarPolicy",
            "zoneId",
            "daylightSavingPolicy",
            "lateExecutionThreshold",
            "missedFirePolicy",
            "retryPolicy",
            "crashPolicy",
            "executionTimeout",
            "priority",
            "pauseAfterFailures",
            "exclusiveGroup",
            "startAt",
            "endAt",
            "maxFires",
            "history",
            "retention",
            "tags",
            "applicationTag",
            "processingContext",
            "now",
            "onSuccess",
            "onFailure");

    private final Output out;
    private final ZoneId zone;
    private final @Nullable String node;

    private JobLines(Output out, ZoneId zone, @Nullable String node) {
        this.out = out;
        this.zone = zone;
        this.node = node;
    }

    /** @param node what people call the node that runs it; absent if none does */
    static void print(Output out, Job job, List<StandingPause> pauses, @Nullable ZoneId zone, @Nullable String node) {
        new JobLines(out, zone == null ? zoneOf(job) : zone, node).print(job, pauses);
    }

    /** The zone in which the job is planned. */
    static ZoneId zoneOf(Job job) {
        return Objects.requireNonNullElse(job.specification().zoneId(), ZoneOffset.UTC);
    }

    /** The state of a job in one word. */
    static String state(Job job, List<StandingPause> pauses) {
        if (job.specification().deleteTime() != null) {
            return job.lastStatus().executionStatus().name();
        }
        if (job.blocked() != null) {
            return "blocked";
        }
        if (job.runningOn() != null) {
            return "running";
        }
        return job.pause() != null || heldBy(job, pauses) != null
                ? "paused"
                : job.lastStatus().executionStatus().name();
    }

    /** The pause of a kind of jobs that applies to this one. */
    static @Nullable String heldBy(Job job, List<StandingPause> pauses) {
        return pauses.stream()
                .filter(pause -> pause.holds(
                        job.specification(), JobAnswer.type(job.specification().triggerCommand())))
                .map(pause -> pause.scope().toString())
                .findFirst()
                .orElse(null);
    }

    private void print(Job job, List<StandingPause> pauses) {
        JobSpecification specification = job.specification();
        out.head(specification.jobSpecificationKey());
        out.value("state", state(job, pauses));
        out.value("blocked", job.blocked());
        out.value("held by", specification.deleteTime() == null ? heldBy(job, pauses) : null);
        pause(job.pause());
        running(job);
        out.value("next fire", specification.deleteTime() == null ? moment(job.nextFireTime()) : null);
        out.value(
                "finished",
                specification.deleteTime() == null
                        ? null
                        : "is removed after " + Times.both(specification.deleteTime(), zone));
        identity(specification);
        schedule(specification);
        rules(specification);
        rest(specification);
        last(job.lastStatus());
        out.value("version", specification.version() + ", of " + moment(specification.latestUpdate()));
    }

    private void pause(@Nullable Pause pause) {
        if (pause != null) {
            out.value(
                    "paused by",
                    pause.author() + ": " + pause.reason()
                            + (pause.until() == null ? "" : ", until " + moment(pause.until())));
        }
    }

    private void running(Job job) {
        if (job.runningOn() != null) {
            out.value("running on", node + ", lease until " + moment(job.leaseUntil()));
        }
        Progress said = job.progress();
        out.value("progress", said == null ? null : said.text() + ", at " + moment(said.at()));
        out.value("state left", job.state().isEmpty() ? null : Json.text(job.state()));
    }

    private void identity(JobSpecification job) {
        out.value("requestor", job.jobRequestor());
        out.value("application", job.applicationTag());
        out.value("tags", words(job.tags().stream().sorted()));
        out.value("command", command(job.triggerCommand()));
        out.value("id", job.triggerIdentifier());
        out.value("on failure", command(job.failureCommand()));
        out.value("failure id", job.failureIdentifier());
        out.value("context", job.processingContext());
        out.value("after success", followUps(job.onSuccess()));
        out.value("after failure", followUps(job.onFailure()));
        out.value("follow-up of", job.followUpOf());
    }

    private void schedule(JobSpecification job) {
        out.value("schedule", schedule(job, zone));
        out.value("local time", job.singleScheduleLocal());
        out.value("zone", job.zoneId() + ", clock changes: " + job.daylightSavingPolicy());
        out.value(
                "calendars",
                job.calendars().isEmpty() ? null : words(job.calendars().stream()) + ", " + job.calendarPolicy());
        out.value("not before", moment(job.startAt()));
        out.value("not after", moment(job.endAt()));
        out.value("fires at most", job.maxFires());
        out.value("counted from", moment(job.anchor()));
    }

    private void rules(JobSpecification job) {
        out.value("late after", job.lateExecutionThreshold());
        out.value("missed fires", job.isRecurring() ? job.missedFirePolicy() : null);
        out.value("retries", JobAnswer.retry(job.retryPolicy()));
        out.value("after a crash", job.crashPolicy());
        out.value("time-out", job.executionTimeout());
        out.value("priority", job.priority());
        out.value("group", job.exclusiveGroup());
        out.value("paused after", job.pauseAfterFailures() == null ? null : job.pauseAfterFailures() + " failed fires");
        out.value("history", job.history() == History.ALL ? null : job.history());
        out.value("retention", job.retention());
    }

    /** Fields without a label of their own. */
    private void rest(JobSpecification job) {
        job.fields().forEach((name, value) -> {
            if (!TOLD.contains(name) && !Boolean.FALSE.equals(value)) {
                out.value(words(name) + " ", value instanceof Instant moment ? moment(moment) : value);
            }
        });
    }

    /** The name of a field in words. */
    private static String words(String name) {
        return name.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
    }

    private void last(JobExecutionStatus row) {
        String about = about(row);
        out.value(
                "last row",
                row.executionStatus() + " " + row.outcome() + " at " + moment(row.updatedTime())
                        + (about == null ? "" : ": " + about));
    }

    /** The schedule of a job as a short text. */
    static String schedule(JobSpecification job, ZoneId zone) {
        return job.isRecurring()
                ? job.schedulingSpecification() + " " + job.cronDialect()
                : "once" + (job.singleSchedule() == null ? "" : ", " + Times.both(job.singleSchedule(), zone));
    }

    /** The details of a row. */
    static @Nullable String about(JobExecutionStatus row) {
        ErrorSummary error = row.error();
        MissedFires missed = row.missed();
        List<String> parts = Stream.of(
                        row.detail(),
                        row.note() == null ? null : "said: " + row.note(),
                        row.changes().isEmpty() ? null : String.join(", ", row.changes()),
                        by(row),
                        error == null
                                ? null
                                : simple(error.type()) + (error.message() == null ? "" : ": " + error.message()),
                        missed == null ? null : (missed.more() ? "more than " : "") + missed.count() + " missed",
                        row.late() ? "late" : null,
                        row.manual() ? "requested by run-now" : null)
                .filter(Objects::nonNull)
                .map(Object::toString)
                .toList();
        return parts.isEmpty() ? null : String.join("; ", parts);
    }

    private static @Nullable String by(JobExecutionStatus row) {
        boolean told =
                row.author() == null || row.detail() != null && row.detail().startsWith("paused by ");
        return told ? null : "by " + Actor.named(row.author(), row.reason());
    }

    private static String simple(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }

    private @Nullable String followUps(List<JobSpecification> followUps) {
        return words(followUps.stream()
                .map(job -> job.jobSpecificationKey() + " (" + (job.isNow() ? "at once" : schedule(job, zone)) + ", "
                        + JobAnswer.type(job.triggerCommand()) + ")"));
    }

    static @Nullable String command(@Nullable SchedulingCommand command) {
        return command instanceof EncodedCommand encoded
                ? encoded.type() + " version " + encoded.version() + " " + Json.text(encoded.body())
                : null;
    }

    private @Nullable String moment(@Nullable Instant moment) {
        return moment == null ? null : Times.both(moment, zone);
    }

    private static @Nullable String words(Stream<String> words) {
        String text = words.collect(Collectors.joining(", "));
        return text.isEmpty() ? null : text;
    }
}
