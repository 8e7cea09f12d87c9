package dev.almanac.console.jobs;

import dev.almanac.console.terminal.Json;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Times;
import dev.almanac.model.Actor;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.Job;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobState;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Pause;
import dev.almanac.model.Progress;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.model.StandingPause;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A job for people, value by value. */
final class JobLines {
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

    /** The pause of a kind of jobs that applies to this one. */
    static @Nullable String heldBy(Job job, List<StandingPause> pauses) {
        return pauses.stream()
                .filter(pause -> pause.holds(job.specification(), job.commandType()))
                .map(pause -> pause.scope().toString())
                .findFirst()
                .orElse(null);
    }

    private void print(Job job, List<StandingPause> pauses) {
        JobSpecification specification = job.specification();
        out.head(specification.jobSpecificationKey());
        out.value("state", job.jobState());
        out.value("blocked", job.blocked());
        out.value("held by", specification.deleteTime() == null ? heldBy(job, pauses) : null);
        pause(job.pause());
        lease(job);
        out.value("next fire", specification.deleteTime() == null ? moment(job.nextFireTime()) : null);
        out.value(
                "finished",
                specification.deleteTime() == null
                        ? null
                        : "is removed after " + Times.both(specification.deleteTime(), zone));
        specification.shownFields().stream()
                .filter(field -> !field.name().equals("jobSpecificationKey"))
                .forEach(field -> out.value(field.label(), text(field.value())));
        out.value("counted from", moment(specification.anchor()));
        out.value("calendars by default", specification.calendarsByDefault() ? "yes" : null);
        out.value("follow-up of", specification.followUpOf());
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

    private void lease(Job job) {
        if (job.runningOn() != null) {
            boolean over = job.jobState() == JobState.RECOVERING;
            out.value(
                    over ? "was held by" : "held by node",
                    node + (over ? ", whose lease ended at " : ", lease until ") + moment(job.leaseUntil()));
        }
        Progress said = job.progress();
        out.value("progress", said == null ? null : said.text() + ", at " + moment(said.at()));
        out.value("state left", job.state().isEmpty() ? null : Json.text(job.state()));
    }

    private Object text(Object value) {
        if (value instanceof SchedulingCommand command) {
            return Objects.requireNonNullElse(command(command), command);
        }
        if (value instanceof Set<?> words) {
            return joined(words.stream().sorted());
        }
        return value instanceof List<?> items
                ? joined(items.stream().map(item -> item instanceof JobSpecification job ? followUp(job) : item))
                : value instanceof Instant moment ? moment(moment) : value;
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
                        missed == null ? null : missed.counted() + " missed",
                        row.late() ? "late" : null,
                        row.manual() ? "requested by run-now" : null)
                .filter(Objects::nonNull)
                .map(Object::toString)
                .toList();
        return parts.isEmpty() ? null : String.join("; ", parts);
    }

    private static @Nullable String by(JobExecutionStatus row) {
        boolean isNamed =
                row.author() == null || row.detail() != null && row.detail().startsWith("paused by ");
        return isNamed ? null : "by " + Actor.named(row.author(), row.reason());
    }

    private static String simple(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }

    private String followUp(JobSpecification job) {
        return job.jobSpecificationKey() + " (" + (job.isNow() ? "at once" : schedule(job, zone)) + ", "
                + JobAnswer.type(job.triggerCommand()) + ")";
    }

    static @Nullable String command(@Nullable SchedulingCommand command) {
        return command instanceof EncodedCommand encoded
                ? encoded.type() + " version " + encoded.version() + " " + Json.text(encoded.body())
                : null;
    }

    private @Nullable String moment(@Nullable Instant moment) {
        return moment == null ? null : Times.both(moment, zone);
    }

    private static String joined(Stream<?> items) {
        return items.map(Object::toString).collect(Collectors.joining(", "));
    }
}
