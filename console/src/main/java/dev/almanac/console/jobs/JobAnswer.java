package dev.almanac.console.jobs;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.Job;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobPage;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.ProcessingContext;
import dev.almanac.model.Progress;
import dev.almanac.model.Retention;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.model.StandingPause;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Jobs and rows as JSON, with the names of the stored documents. */
final class JobAnswer {
    private JobAnswer() {}

    /** @param labels what people call the nodes, by id; those that it does not have are shown by id only */
    static Map<String, Object> of(Job job, List<StandingPause> pauses, Map<String, String> labels) {
        return fields(job.specification())
                .with("anchor", job.specification().anchor())
                .with("calendarsByDefault", job.specification().calendarsByDefault() ? true : null)
                .with("followUpOf", job.specification().followUpOf())
                .with("version", job.specification().version())
                .with("latestUpdate", job.specification().latestUpdate())
                .with("deleteTime", job.specification().deleteTime())
                .with("jobState", job.jobState())
                .with("nextFireTime", job.nextFireTime())
                .with("runningOn", job.runningOn())
                .with("runningOnLabel", job.runningOn() == null ? null : labels.get(job.runningOn()))
                .with("leaseUntil", job.leaseUntil())
                .with("pause", pause(job.pause()))
                .with("heldBy", JobLines.heldBy(job, pauses))
                .with("blocked", job.blocked())
                .with("progress", progress(job.progress()))
                .with("state", job.state().isEmpty() ? null : job.state())
                .with("lastStatus", row(job.lastStatus(), labels))
                .fields();
    }

    static Map<String, Object> damaged(JobPage.Damaged job) {
        return new JsonFields()
                .with("jobSpecificationKey", job.jobSpecificationKey())
                .with("reason", job.reason())
                .fields();
    }

    private static JsonFields fields(JobSpecification job) {
        JsonFields answer = new JsonFields();
        job.shownFields().forEach(field -> answer.with(field.name(), value(field.value())));
        return answer;
    }

    /** A value in JSON: objects where the document has some. */
    private static @Nullable Object value(Object value) {
        if (value instanceof SchedulingCommand command) {
            return command(command);
        }
        if (value instanceof ProcessingContext context) {
            return context(context);
        }
        if (value instanceof Retention retention) {
            return retention(retention);
        }
        if (value instanceof Set<?> words) {
            return words.stream().sorted().toList();
        }
        return value instanceof List<?> items
                ? items.stream()
                        .map(item -> item instanceof JobSpecification job
                                ? fields(job).fields()
                                : item)
                        .toList()
                : value;
    }

    static String type(SchedulingCommand command) {
        return command instanceof EncodedCommand encoded ? encoded.type() : "?";
    }

    /** Type, version and body as they are stored; the console has no classes of commands. */
    static @Nullable Map<String, Object> command(@Nullable SchedulingCommand command) {
        if (!(command instanceof EncodedCommand encoded)) {
            return null;
        }
        return new JsonFields()
                .with("type", encoded.type())
                .with("version", encoded.version())
                .with("body", encoded.body())
                .fields();
    }

    private static Map<String, Object> context(ProcessingContext context) {
        return new JsonFields()
                .with("processingEntity", context.processingEntity())
                .with("clientRequestId", context.clientRequestId())
                .with("unitOfWorkId", context.unitOfWorkId())
                .fields();
    }

    private static Map<String, Object> retention(Retention retention) {
        return new JsonFields()
                .with("good", retention.good())
                .with("failed", retention.failed())
                .with("canceled", retention.canceled())
                .with("superseded", retention.superseded())
                .fields();
    }

    static @Nullable Map<String, Object> pause(@Nullable Pause pause) {
        return pause == null
                ? null
                : new JsonFields()
                        .with("reason", pause.reason())
                        .with("author", pause.author())
                        .with("until", pause.until())
                        .fields();
    }

    static Map<String, Object> pause(PauseScope scope, Pause pause) {
        return new JsonFields()
                .with("scope", scope.toString())
                .with("reason", pause.reason())
                .with("author", pause.author())
                .with("until", pause.until())
                .fields();
    }

    static Map<String, Object> pause(StandingPause standing) {
        Map<String, Object> answer = pause(standing.scope(), standing.pause());
        answer.put("since", standing.since().toString());
        return answer;
    }

    static Map<String, Object> row(JobExecutionStatus row, Map<String, String> labels) {
        return run(row).with("node", row.node())
                .with("nodeLabel", row.node() == null ? null : labels.get(row.node()))
                .with("error", error(row.error()))
                .with("missed", missed(row.missed()))
                .with("nextFireTime", row.nextFireTime())
                .with("detail", row.detail())
                .with("author", row.author())
                .with("reason", row.reason())
                .with("changes", row.changes())
                .with("note", row.note())
                .with("state", row.state())
                .with("deleteTime", row.deleteTime())
                .fields();
    }

    private static JsonFields run(JobExecutionStatus row) {
        return new JsonFields()
                .with("executionStatus", row.executionStatus())
                .with("outcome", row.outcome())
                .with("updatedTime", row.updatedTime())
                .with("fireTime", row.fireTime())
                .with("nominalFireTime", row.nominalFireTime())
                .with("startedTime", row.startedTime())
                .with("attempt", row.attempt() == 0 ? null : row.attempt())
                .flag("late", row.late())
                .with("overThreshold", row.overThreshold())
                .flag("manual", row.manual());
    }

    private static @Nullable Map<String, Object> progress(@Nullable Progress said) {
        return said == null
                ? null
                : new JsonFields()
                        .with("done", said.done())
                        .with("total", said.total() == 0 ? null : said.total())
                        .with("message", said.message())
                        .with("at", said.at())
                        .fields();
    }

    private static @Nullable Map<String, Object> error(@Nullable ErrorSummary error) {
        return error == null
                ? null
                : new JsonFields()
                        .with("type", error.type())
                        .with("message", error.message())
                        .with("stack", error.stack())
                        .fields();
    }

    private static @Nullable Map<String, Object> missed(@Nullable MissedFires missed) {
        return missed == null
                ? null
                : new JsonFields()
                        .with("first", missed.first())
                        .with("last", missed.last())
                        .with("count", missed.count())
                        .flag("more", missed.more())
                        .with("reason", missed.reason())
                        .fields();
    }
}
