package dev.almanac.mongo;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.FieldChange;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.LogLine;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Outcome;
import dev.almanac.model.StoredFields;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** A status row as a document, and as the copy that its job shows, all of it (rule N1). */
final class RowDocument {
    /** In {@code lastStatus}: the row has set the state that the document has. */
    static final String SETS_STATE = "setsState";

    /** Of a row that a job shows: what decides whether it is stored, and for how long. */
    static final List<String> FATE = List.of("id", "executionStatus", "outcome", "updatedTime", "deleteTime");

    private static final Field<JobExecutionStatus> ID =
            Field.of("id", row -> Ids.shortRow(row.id(), row.jobSpecificationId()));

    private static final List<Field<JobExecutionStatus>> CONTENT = List.of(
            Field.of("executionStatus", JobExecutionStatus::executionStatus),
            Field.of("outcome", JobExecutionStatus::outcome),
            Field.of("updatedTime", JobExecutionStatus::updatedTime),
            Field.of("fireTime", JobExecutionStatus::fireTime),
            Field.of("nominalFireTime", JobExecutionStatus::nominalFireTime),
            Field.of("startedTime", JobExecutionStatus::startedTime),
            Field.ofNumber("attempt", JobExecutionStatus::attempt),
            Field.ofFlag("late", JobExecutionStatus::late),
            Field.of("overThreshold", JobExecutionStatus::overThreshold),
            Field.ofFlag("manual", JobExecutionStatus::manual),
            Field.of("command", JobExecutionStatus::command, SpecificationFields::command),
            Field.of("node", JobExecutionStatus::node),
            Field.of("error", JobExecutionStatus::error, RowDocument::error),
            Field.of("missed", JobExecutionStatus::missed, RowDocument::missed),
            Field.of("nextFireTime", JobExecutionStatus::nextFireTime),
            Field.of("detail", JobExecutionStatus::detail),
            Field.of("author", JobExecutionStatus::author),
            Field.of("reason", JobExecutionStatus::reason),
            Field.ofList("changes", JobExecutionStatus::changes, RowDocument::change),
            Field.of("rerunOf", JobExecutionStatus::rerunOf),
            Field.of("former", JobExecutionStatus::former, SpecificationFields::former),
            Field.of("note", JobExecutionStatus::note),
            Field.of("fireSeq", JobExecutionStatus::fireSeq),
            Field.of("claimSeq", JobExecutionStatus::claimSeq),
            Field.of("deleteTime", JobExecutionStatus::deleteTime));

    /** Not in the document of the job, which would grow by it. */
    private static final Field<JobExecutionStatus> LOG =
            Field.ofList("log", JobExecutionStatus::log, RowDocument::line);

    private static final Field<JobExecutionStatus> STATE =
            Field.of("state", JobExecutionStatus::state, CommandBodies::document);

    /** A row as a document of its own. */
    static final List<Field<JobExecutionStatus>> ROW = Stream.of(
                    List.<Field<JobExecutionStatus>>of(
                            Field.of("_id", JobExecutionStatus::id),
                            Field.of("jobSpecificationId", row -> Ids.toBson(row.jobSpecificationId())),
                            Field.of("jobSpecificationKey", JobExecutionStatus::jobSpecificationKey)),
                    CONTENT,
                    List.of(LOG, STATE))
            .flatMap(List::stream)
            .toList();

    private static final List<Field<JobExecutionStatus>> LAST = Stream.of(
                    List.of(ID),
                    CONTENT,
                    List.of(Field.<JobExecutionStatus>ofFlag(SETS_STATE, row -> row.state() != null)))
            .flatMap(List::stream)
            .toList();

    private static final List<Field<JobExecutionStatus>> LAST_OF_JOB =
            LAST.stream().map(field -> field.inside("lastStatus")).toList();

    private RowDocument() {}

    /** The newest row in the document of its job. A state that it has set is that of the document, and not there twice. */
    static Document lastStatus(JobExecutionStatus row) {
        Document document = new Document();
        LAST.forEach(field -> field.put(document, row));
        return document;
    }

    /** What differs between two rows in the place of the newest one. */
    static void changes(JobExecutionStatus before, JobExecutionStatus after, Edit edit) {
        for (Field<JobExecutionStatus> field : LAST_OF_JOB) {
            field.change(before, after, edit);
        }
    }

    /** Another row in the document of its job. */
    static Document shown(JobExecutionStatus row) {
        Document document = new Document();
        ID.put(document, row);
        CONTENT.forEach(field -> field.put(document, row));
        STATE.put(document, row);
        return document;
    }

    /** Adds the log to a stored row that has none. */
    static WriteModel<Document> addingLog(JobExecutionStatus row) {
        Document log = new Document();
        LOG.put(log, row);
        return new UpdateOneModel<>(
                Filters.and(Filters.eq("_id", row.id()), Filters.exists("log", false)), new Document("$set", log));
    }

    private static Document line(LogLine line) {
        return new Document("at", line.at()).append("text", line.text());
    }

    private static Document change(FieldChange change) {
        Document document = new Document("field", change.field());
        Fields.put(document, "before", change.before());
        Fields.put(document, "after", change.after());
        return document;
    }

    private static Document error(ErrorSummary error) {
        Document document = new Document("type", error.type());
        Fields.put(document, "message", error.message());
        Fields.put(document, "stack", error.stack());
        return document;
    }

    private static Document missed(MissedFires missed) {
        Document document = new Document("count", missed.count());
        Fields.put(document, "first", missed.first());
        Fields.put(document, "last", missed.last());
        Fields.put(document, "more", missed.more() ? true : null);
        Fields.put(document, "reason", missed.reason() == MissedFires.Reason.NEWER ? null : missed.reason());
        return document;
    }

    private static @Nullable EncodedCommand readCommand(@Nullable Document command) {
        return command == null ? null : SpecificationFields.readCommand(command);
    }

    static JobExecutionStatus read(Document document) {
        return read(
                document,
                Fields.required(document, "_id", String.class),
                Ids.fromBson(Objects.requireNonNull(document.get("jobSpecificationId"))),
                Fields.required(document, "jobSpecificationKey", String.class));
    }

    static JobExecutionStatus read(Document document, String id, String jobId, String key) {
        return JobExecutionStatus.builder()
                .id(id)
                .jobSpecificationId(jobId)
                .jobSpecificationKey(key)
                .executionStatus(Fields.oneOf(document, "executionStatus", ExecutionStatus.SCHEDULED))
                .outcome(Fields.oneOf(document, "outcome", Outcome.NONE))
                .updatedTime(time(document, "updatedTime"))
                .fireSeq(Fields.number(document, "fireSeq"))
                .claimSeq(Fields.number(document, "claimSeq"))
                .fireTime(Fields.instant(document, "fireTime"))
                .nominalFireTime(Fields.instant(document, "nominalFireTime"))
                .startedTime(Fields.instant(document, "startedTime"))
                .attempt((int) Fields.number(document, "attempt"))
                .late(Fields.flag(document, "late"))
                .overThreshold(Fields.duration(document, "overThreshold"))
                .manual(Fields.flag(document, "manual"))
                .command(readCommand(Fields.optional(document, "command", Document.class)))
                .node(Fields.optional(document, "node", String.class))
                .error(readError(Fields.optional(document, "error", Document.class)))
                .missed(readMissed(Fields.optional(document, "missed", Document.class)))
                .nextFireTime(Fields.instant(document, "nextFireTime"))
                .detail(Fields.optional(document, "detail", String.class))
                .author(Fields.optional(document, "author", String.class))
                .reason(Fields.optional(document, "reason", String.class))
                .changes(readChanges(document))
                .rerunOf(Fields.optional(document, "rerunOf", String.class))
                .former(readFormer(Fields.optional(document, "former", Document.class)))
                .note(Fields.optional(document, "note", String.class))
                .log(readLog(document))
                .state(readState(Fields.optional(document, "state", Document.class)))
                .deleteTime(Fields.instant(document, "deleteTime"))
                .build();
    }

    private static @Nullable JobSpecification readFormer(@Nullable Document former) {
        if (former == null) {
            return null;
        }
        try {
            return SpecificationFields.read(former);
        } catch (DamagedDocumentException newer) {
            // of a job that was corrected since, perhaps: its present contents decide whether it can be run
            Object changed = former.get("latestUpdate");
            return StoredFields.unreadable(changed instanceof Date time ? time.toInstant() : null);
        }
    }

    private static List<FieldChange> readChanges(Document document) {
        return document.getList("changes", Document.class, List.of()).stream()
                .map(change -> new FieldChange(
                        Fields.required(change, "field", String.class),
                        Fields.optional(change, "before", String.class),
                        Fields.optional(change, "after", String.class)))
                .toList();
    }

    private static List<LogLine> readLog(Document document) {
        return Fields.list(
                document, "log", line -> new LogLine(time(line, "at"), Fields.required(line, "text", String.class)));
    }

    private static @Nullable Map<String, Object> readState(@Nullable Document document) {
        return document == null ? null : CommandBodies.plain(document);
    }

    private static Instant time(Document document, String field) {
        Instant instant = Fields.instant(document, field);
        if (instant == null) {
            throw new DamagedDocumentException("field '" + field + "' is missing");
        }
        return instant;
    }

    /** Also of the failure that is kept in the document of a job, without a stack. */
    static @Nullable ErrorSummary readError(@Nullable Document document) {
        return document == null
                ? null
                : new ErrorSummary(
                        Fields.required(document, "type", String.class),
                        Fields.optional(document, "message", String.class),
                        Fields.optional(document, "stack", String.class));
    }

    private static @Nullable MissedFires readMissed(@Nullable Document document) {
        return document == null
                ? null
                : new MissedFires(
                        time(document, "first"),
                        time(document, "last"),
                        Fields.number(document, "count"),
                        Fields.flag(document, "more"),
                        Fields.oneOf(document, "reason", MissedFires.Reason.NEWER));
    }
}
