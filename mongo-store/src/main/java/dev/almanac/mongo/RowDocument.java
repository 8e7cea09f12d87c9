package dev.almanac.mongo;

import dev.almanac.model.ErrorSummary;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** A status row as a document, and as the copy that its job shows, all of it (rule N1). */
final class RowDocument {
    /** In {@code lastStatus}: the row has set the state that the document has. */
    static final String SETS_STATE = "setsState";

    /** Of a row that a job shows: what decides whether it is stored, and for how long. */
    static final List<String> FATE = List.of("id", "executionStatus", "outcome", "updatedTime", "deleteTime");

    private RowDocument() {}

    static Document of(JobExecutionStatus row) {
        Document document = new Document("_id", row.id());
        document.append("jobSpecificationId", Ids.toBson(row.jobSpecificationId()));
        document.append("jobSpecificationKey", row.jobSpecificationKey());
        content(document, row);
        Fields.put(document, "state", row.state() == null ? null : CommandBodies.document(row.state()));
        return document;
    }

    /** The newest row in the document of its job. A state that it has set is that of the document, and not there twice. */
    static Document lastStatus(JobExecutionStatus row) {
        Document document = new Document("id", Ids.shortRow(row.id(), row.jobSpecificationId()));
        content(document, row);
        Fields.put(document, SETS_STATE, row.state() == null ? null : true);
        return document;
    }

    /** Another row in the document of its job. */
    static @Nullable Document shown(@Nullable JobExecutionStatus row) {
        if (row == null) {
            return null;
        }
        Document document = new Document("id", Ids.shortRow(row.id(), row.jobSpecificationId()));
        content(document, row);
        Fields.put(document, "state", row.state() == null ? null : CommandBodies.document(row.state()));
        return document;
    }

    private static void content(Document document, JobExecutionStatus row) {
        Fields.put(document, "executionStatus", row.executionStatus());
        Fields.put(document, "outcome", row.outcome());
        Fields.put(document, "updatedTime", row.updatedTime());
        Fields.put(document, "fireTime", row.fireTime());
        Fields.put(document, "nominalFireTime", row.nominalFireTime());
        Fields.put(document, "startedTime", row.startedTime());
        Fields.put(document, "attempt", row.attempt() == 0 ? null : row.attempt());
        Fields.put(document, "late", row.late() ? true : null);
        Fields.put(document, "overThreshold", row.overThreshold());
        Fields.put(document, "manual", row.manual() ? true : null);
        Fields.put(document, "node", row.node());
        Fields.put(document, "error", error(row.error()));
        Fields.put(document, "missed", missed(row.missed()));
        Fields.put(document, "nextFireTime", row.nextFireTime());
        Fields.put(document, "detail", row.detail());
        Fields.put(document, "author", row.author());
        Fields.put(document, "reason", row.reason());
        Fields.put(document, "changes", row.changes().isEmpty() ? null : row.changes());
        Fields.put(document, "note", row.note());
        document.append("fireSeq", row.fireSeq()).append("claimSeq", row.claimSeq());
        Fields.put(document, "deleteTime", row.deleteTime());
    }

    private static @Nullable Document error(@Nullable ErrorSummary error) {
        if (error == null) {
            return null;
        }
        Document document = new Document("type", error.type());
        Fields.put(document, "message", error.message());
        Fields.put(document, "stack", error.stack());
        return document;
    }

    private static @Nullable Document missed(@Nullable MissedFires missed) {
        if (missed == null) {
            return null;
        }
        Document document = new Document("count", missed.count());
        Fields.put(document, "first", missed.first());
        Fields.put(document, "last", missed.last());
        Fields.put(document, "more", missed.more() ? true : null);
        Fields.put(document, "reason", missed.reason() == MissedFires.Reason.NEWER ? null : missed.reason());
        return document;
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
                .node(Fields.optional(document, "node", String.class))
                .error(readError(Fields.optional(document, "error", Document.class)))
                .missed(readMissed(Fields.optional(document, "missed", Document.class)))
                .nextFireTime(Fields.instant(document, "nextFireTime"))
                .detail(Fields.optional(document, "detail", String.class))
                .author(Fields.optional(document, "author", String.class))
                .reason(Fields.optional(document, "reason", String.class))
                .changes(SpecificationFields.texts(document, "changes"))
                .note(Fields.optional(document, "note", String.class))
                .state(readState(Fields.optional(document, "state", Document.class)))
                .deleteTime(Fields.instant(document, "deleteTime"))
                .build();
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
