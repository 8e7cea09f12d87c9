package dev.almanac.console;

import dev.almanac.model.Actor;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.Job;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobState;
import dev.almanac.model.LogLine;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.Pin;
import dev.almanac.model.Progress;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.model.StandingPause;
import dev.almanac.model.StoredFields;
import dev.almanac.web.json.Answers;
import dev.almanac.web.json.Json;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How jobs and their rows are shown to people, value by value.
 *
 * @param now by the server's clock
 */
record JobAnswer(Output out, ZoneId zone, Instant now) {
    /** The fields that declarations leave alone; absent if there are none. */
    private static @Nullable String pinned(Job job) {
        return job.pins().isEmpty()
                ? null
                : "pinned: " + joined(job.pins().stream().flatMap(pin -> pin.fields().stream()));
    }

    /** What a line about the job does not have room for; absent if there is nothing. */
    static @Nullable String notes(Job job) {
        String type = type(job.specification().triggerCommand());
        String owed = job.commandType().equals(type) ? null : "failure command of a job of type " + type;
        String notes = Stream.of(owed, pinned(job)).filter(Objects::nonNull).collect(Collectors.joining("; "));
        return notes.isEmpty() ? null : notes;
    }

    /** The zone in which the job is planned. */
    static ZoneId zoneOf(Job job) {
        return Objects.requireNonNullElse(job.specification().zoneId(), ZoneOffset.UTC);
    }

    /** The end of a sentence: when the job fires next. */
    static String next(Job job, ZoneId zone) {
        return job.nextFireTime() == null
                ? "; there is no next fire"
                : "; next fire " + Times.both(job.nextFireTime(), zone);
    }

    private static String type(SchedulingCommand command) {
        return command instanceof EncodedCommand encoded ? encoded.type() : "?";
    }

    /**
     * Prints everything about a job.
     *
     * @param labels as of {@link Answers#job}
     */
    void print(Job job, List<StandingPause> pauses, Map<String, String> labels) {
        JobSpecification specification = job.specification();
        Instant end = specification.deleteTime().orElse(null);
        out.head(specification.jobSpecificationKey());
        out.value("state", job.jobState());
        out.value("blocked", job.blocked());
        out.value("held by", Answers.heldBy(job, pauses));
        pause(job.pause());
        for (Pin pin : job.pins()) {
            String until = pin.until() == null ? "" : ", until " + moment(pin.until());
            out.value("pinned", joined(pin.fields().stream()) + " by " + pin.by() + " at " + moment(pin.at()) + until);
        }
        lease(job, labels);
        out.value("next fire", moment(job.nextFireTime()));
        out.value("finished", end == null ? null : "is removed after " + moment(end));
        specification.shownFields().forEach((field, value) -> {
            if (!field.name().equals("jobSpecificationKey")) {
                out.value(field.label(), text(value));
            }
        });
        out.value("counted from", moment(StoredFields.anchorOf(specification)));
        out.value("calendars by default", specification.calendarsByDefault() ? "yes" : null);
        out.value("follow-up of", specification.followUpOf().orElse(null));
        out.value("once per key", specification.once() ? "yes" : null);
        out.value("trace", specification.traceId().orElse(null));
        JobExecutionStatus row = job.lastStatus();
        String about = about(row) == null ? "" : ": " + about(row);
        out.value("last row", row.executionStatus() + " " + row.outcome() + " at " + moment(row.updatedTime()) + about);
        String changed = moment(specification.latestUpdate().orElse(null));
        out.value("version", specification.version() + ", of " + changed);
    }

    private void pause(@Nullable Pause pause) {
        if (pause != null) {
            out.value(
                    pause.isPlanned(now) ? "to be paused by" : "paused by",
                    pause.author() + ": " + pause.reason()
                            + (pause.from() == null ? "" : ", from " + moment(pause.from()))
                            + (pause.until() == null ? "" : ", until " + moment(pause.until())));
        }
    }

    private void lease(Job job, Map<String, String> labels) {
        if (job.runningOn() != null) {
            String label = labels.get(job.runningOn());
            boolean over = job.jobState() == JobState.RECOVERING;
            out.value(
                    over ? "was held by" : "held by node",
                    "node " + job.runningOn() + (label == null ? "" : " (" + label + ")")
                            + (over ? ", whose lease ended at " : ", lease until ") + moment(job.leaseUntil()));
        }
        Progress said = job.progress();
        out.value("progress", said == null ? null : said.text() + ", at " + moment(said.at()));
        out.value("state left", job.state().isEmpty() ? null : Json.text(job.state()));
    }

    private Object text(Object value) {
        if (value instanceof EncodedCommand command) {
            return command.type() + " version " + command.version() + " " + Json.text(command.body());
        } else if (value instanceof Set<?> words) {
            return joined(words.stream().sorted());
        } else if (value instanceof List<?> items) {
            return joined(items.stream().map(item -> item instanceof JobSpecification job ? followUp(job) : item));
        }
        return value instanceof Instant moment ? Times.both(moment, zone) : value;
    }

    private String followUp(JobSpecification job) {
        String once = job.isNow() ? "at once" : "once";
        String when = job.schedulingSpecification()
                .map(text -> text + " " + job.cronDialect())
                .or(() -> job.singleSchedule().map(at -> "once, " + moment(at)))
                .orElse(once);
        return job.jobSpecificationKey() + " (" + when + ", " + type(job.triggerCommand()) + ")";
    }

    /** The details of a row. */
    static @Nullable String about(JobExecutionStatus row) {
        ErrorSummary error = row.error();
        MissedFires missed = row.missed();
        // the detail of a pause names its author
        boolean isNamed = row.author() == null || row.outcome() == Outcome.PAUSED;
        String about = Stream.of(
                        row.detail(),
                        row.note() == null ? null : "said: " + row.note(),
                        row.log().isEmpty() ? null : "log lines: " + row.log().size(),
                        row.changes().isEmpty() ? null : joined(row.changes().stream()),
                        row.rerunOf() == null ? null : "rerun of " + row.rerunOf(),
                        isNamed ? null : "by " + Actor.named(row.author(), row.reason()),
                        error == null
                                ? null
                                : error.type().substring(error.type().lastIndexOf('.') + 1)
                                        + (error.message() == null ? "" : ": " + error.message()),
                        missed == null ? null : missed.counted() + " missed",
                        row.late() ? "late" : null,
                        row.manual() ? "requested by run-now" : null)
                .filter(Objects::nonNull)
                .collect(Collectors.joining("; "));
        return about.isEmpty() ? null : about;
    }

    /** What a run has logged, for people. */
    static List<String> lines(List<LogLine> log, ZoneId zone) {
        return log.stream()
                .map(line -> Times.second(line.at(), zone) + " " + line.text())
                .toList();
    }

    private @Nullable String moment(@Nullable Instant moment) {
        return moment == null ? null : Times.both(moment, zone);
    }

    private static String joined(Stream<?> items) {
        return items.map(Object::toString).collect(Collectors.joining(", "));
    }
}
