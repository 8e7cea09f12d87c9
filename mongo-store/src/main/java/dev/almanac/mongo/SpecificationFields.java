package dev.almanac.mongo;

import dev.almanac.model.CrashPolicy;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.FirstFire;
import dev.almanac.model.History;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.ProcessingContext;
import dev.almanac.model.Retention;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.model.StoredFields;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.CronDialect;
import dev.almanac.time.DaylightSavingPolicy;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneRulesException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** The part of a specification document that users wrote. Fields with default values are left out. */
final class SpecificationFields {
    /** The fields that the store adds to the contents. */
    static final List<Field<JobSpecification>> STORED = List.of(
            Field.of("version", JobSpecification::version),
            Field.of("followUpOf", job -> job.followUpOf().orElse(null)),
            Field.ofFlag("once", JobSpecification::once),
            Field.of("traceParent", job -> job.traceParent().orElse(null)),
            Field.of("latestUpdate", job -> job.latestUpdate().orElse(null)),
            Field.of("deleteTime", job -> job.deleteTime().orElse(null)));

    private SpecificationFields() {}

    static void write(Document to, JobSpecification job) {
        to.append("jobSpecificationKey", job.jobSpecificationKey());
        to.append("jobRequestor", job.jobRequestor());
        Fields.put(to, "schedulingSpecification", job.schedulingSpecification());
        Fields.put(to, "cronDialect", job.cronDialect() == CronDialect.QUARTZ ? null : job.cronDialect());
        Fields.put(to, "firstFire", unless(FirstFire.SCHEDULE, job.firstFire()));
        Fields.put(to, "spread", job.spread());
        Fields.put(to, "missedFireGrace", job.missedFireGrace());
        Fields.put(to, "startDeadline", job.startDeadline());
        Fields.put(to, "singleSchedule", job.singleSchedule());
        Fields.put(to, "singleScheduleLocal", job.singleScheduleLocal().map(LocalDateTime::toString));
        to.append("triggerCommand", command(job.triggerCommand()));
        to.append("triggerIdentifier", job.triggerIdentifier());
        Fields.put(to, "failureCommand", job.failureCommand().map(SpecificationFields::command));
        Fields.put(to, "failureIdentifier", job.failureIdentifier());
        Fields.put(to, "calendars", job.calendars().isEmpty() ? null : job.calendars());
        Fields.put(to, "calendarsByDefault", job.calendarsByDefault() ? true : null);
        Fields.put(to, "ignoreDefaultCalendar", job.ignoreDefaultCalendar() ? true : null);
        Fields.put(to, "calendarPolicy", unless(CalendarPolicy.DROP, job.calendarPolicy()));
        Fields.put(to, "zoneId", text(job.zoneId()));
        Fields.put(to, "daylightSavingPolicy", unless(DaylightSavingPolicy.RUN_ONCE, job.daylightSavingPolicy()));
        writePolicies(to, job);
        writeOwner(to, job);
        writeMore(to, job);
        STORED.forEach(field -> field.put(to, job));
    }

    private static void writeMore(Document to, JobSpecification job) {
        Fields.put(to, "now", job.isNow() ? true : null);
        Fields.put(to, "onSuccess", followUps(job.onSuccess()));
        Fields.put(to, "onFailure", followUps(job.onFailure()));
        List<String> calendars = StoredFields.followUpCalendars(job);
        Fields.put(to, "followUpCalendars", calendars.isEmpty() ? null : calendars);
    }

    private static @Nullable List<Document> followUps(List<JobSpecification> followUps) {
        return followUps.isEmpty()
                ? null
                : followUps.stream().map(SpecificationFields::followUp).toList();
    }

    /** The schedule that a change replaced. */
    static Document former(JobSpecification job) {
        Document document = new Document();
        write(document, job);
        Fields.put(document, "anchor", StoredFields.anchorOf(job));
        return document;
    }

    /** A follow-up as a document, without the fields that a store adds to jobs. */
    private static Document followUp(JobSpecification job) {
        Document document = new Document();
        write(document, job);
        STORED.forEach(field -> document.remove(field.name()));
        return document;
    }

    private static void writePolicies(Document to, JobSpecification job) {
        Fields.put(to, "lateExecutionThreshold", job.lateExecutionThreshold());
        Fields.put(to, "missedFirePolicy", text(unless(MissedFirePolicy.RUN_LATEST, job.missedFirePolicy())));
        Fields.put(to, "retryPolicy", text(unless(RetryPolicy.none(), job.retryPolicy())));
        Fields.put(to, "crashPolicy", unless(CrashPolicy.RERUN, job.crashPolicy()));
        Fields.put(to, "executionTimeout", job.executionTimeout());
        to.append("priority", job.priority());
        Fields.put(to, "exclusiveGroup", job.exclusiveGroup());
        Fields.put(to, "startAt", job.startAt());
        Fields.put(to, "endAt", job.endAt());
        Fields.put(to, "maxFires", job.maxFires());
        Fields.put(to, "pauseAfterFailures", job.pauseAfterFailures());
        Fields.put(to, "history", unless(History.ALL, job.history()));
        job.retention()
                .ifPresent(kept -> to.append(
                        "retention",
                        new Document("good", kept.good().toString())
                                .append("failed", kept.failed().toString())
                                .append("canceled", kept.canceled().toString())
                                .append("superseded", kept.superseded().toString())));
    }

    private static void writeOwner(Document to, JobSpecification job) {
        Fields.put(to, "tags", job.tags().isEmpty() ? null : List.copyOf(new TreeSet<>(job.tags())));
        Fields.put(to, "applicationTag", job.applicationTag());
        job.processingContext()
                .ifPresent(context -> to.append(
                        "processingContext",
                        new Document("processingEntity", context.processingEntity())
                                .append("clientRequestId", context.clientRequestId())
                                .append("unitOfWorkId", context.unitOfWorkId())));
    }

    private static <T> @Nullable T unless(T standard, T value) {
        return standard.equals(value) ? null : value;
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    static Document command(SchedulingCommand command) {
        EncodedCommand encoded = (EncodedCommand) command;
        return new Document("type", encoded.type())
                .append("version", encoded.version())
                .append("body", CommandBodies.document(encoded.body()));
    }

    static JobSpecification read(Document from) {
        try {
            return readPlainly(from);
        } catch (ZoneRulesException e) {
            // well-formed: newer rules of time zones may have it
            throw new UnknownValueException(String.valueOf(e.getMessage()));
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new DamagedDocumentException(String.valueOf(e.getMessage()));
        }
    }

    private static JobSpecification readPlainly(Document from) {
        JobSpecificationBuilder job = JobSpecification.builder()
                .jobSpecificationKey(Fields.required(from, "jobSpecificationKey", String.class))
                .jobRequestor(Fields.required(from, "jobRequestor", String.class))
                .schedulingSpecification(Fields.optional(from, "schedulingSpecification", String.class))
                .cronDialect(Fields.oneOf(from, "cronDialect", CronDialect.QUARTZ))
                .triggerCommand(readCommand(Fields.required(from, "triggerCommand", Document.class)))
                .triggerIdentifier(Fields.required(from, "triggerIdentifier", String.class))
                .failureIdentifier(Fields.optional(from, "failureIdentifier", String.class))
                .calendars(texts(from, "calendars"))
                .ignoreDefaultCalendar(Fields.flag(from, "ignoreDefaultCalendar"))
                .calendarPolicy(Fields.oneOf(from, "calendarPolicy", CalendarPolicy.DROP))
                .zoneId(ZoneId.of(Fields.required(from, "zoneId", String.class)))
                .daylightSavingPolicy(Fields.oneOf(from, "daylightSavingPolicy", DaylightSavingPolicy.RUN_ONCE));
        StoredFields.of(job).calendarsByDefault(Fields.flag(from, "calendarsByDefault"));
        readSingle(from, job);
        readSteps(from, job);
        Document failure = Fields.optional(from, "failureCommand", Document.class);
        job.failureCommand(failure == null ? null : readCommand(failure));
        readPolicies(from, job);
        readOwner(from, job);
        job.onSuccess(readFollowUps(from, "onSuccess")).onFailure(readFollowUps(from, "onFailure"));
        return StoredFields.of(job).build();
    }

    private static List<JobSpecification> readFollowUps(Document from, String field) {
        List<?> followUps = Fields.optional(from, field, List.class);
        return followUps == null
                ? List.of()
                : followUps.stream().map(SpecificationFields::readFollowUp).toList();
    }

    private static JobSpecification readFollowUp(@Nullable Object from) {
        if (from instanceof Document document) {
            Document whole = new Document(document).append("version", 1);
            return readPlainly(whole).toBuilder().version(0).build();
        }
        throw new DamagedDocumentException("a follow-up is " + from + ", no document");
    }

    private static void readSingle(Document from, JobSpecificationBuilder job) {
        Instant single = Fields.instant(from, "singleSchedule");
        String local = Fields.optional(from, "singleScheduleLocal", String.class);
        if (single != null) {
            StoredFields.of(job).singleSchedule(single, local == null ? null : LocalDateTime.parse(local));
        } else if (Fields.flag(from, "now")) {
            job.now();
        } else if (from.get("schedulingSpecification") == null) {
            throw new DamagedDocumentException("neither 'schedulingSpecification' nor 'singleSchedule' is there");
        }
    }

    private static void readSteps(Document from, JobSpecificationBuilder job) {
        StoredFields.of(job).anchor(Fields.instant(from, "anchor"));
        job.firstFire(Fields.oneOf(from, "firstFire", FirstFire.SCHEDULE))
                .spread(Fields.duration(from, "spread"))
                .missedFireGrace(Fields.duration(from, "missedFireGrace"))
                .startDeadline(Fields.duration(from, "startDeadline"));
    }

    private static void readPolicies(Document from, JobSpecificationBuilder job) {
        String missed = Fields.optional(from, "missedFirePolicy", String.class);
        String retry = Fields.optional(from, "retryPolicy", String.class);
        job.lateExecutionThreshold(Fields.duration(from, "lateExecutionThreshold"))
                .missedFirePolicy(missed == null ? MissedFirePolicy.RUN_LATEST : MissedFirePolicy.parse(missed))
                .retryPolicy(retry == null ? RetryPolicy.none() : RetryPolicy.parse(retry))
                .crashPolicy(Fields.oneOf(from, "crashPolicy", CrashPolicy.RERUN))
                .executionTimeout(Fields.duration(from, "executionTimeout"))
                .priority(priority(from))
                .exclusiveGroup(Fields.optional(from, "exclusiveGroup", String.class))
                .startAt(Fields.instant(from, "startAt"))
                .endAt(Fields.instant(from, "endAt"))
                .history(Fields.oneOf(from, "history", History.ALL))
                .maxFires(count(from, "maxFires"))
                .pauseAfterFailures(count(from, "pauseAfterFailures"));
        Document kept = Fields.optional(from, "retention", Document.class);
        if (kept != null) {
            job.retention(new Retention(
                    orZero(kept, "good"),
                    orZero(kept, "failed"),
                    orZero(kept, "canceled"),
                    orZero(kept, "superseded")));
        }
    }

    private static @Nullable Integer count(Document from, String field) {
        return from.get(field) == null ? null : (Integer) (int) Fields.number(from, field);
    }

    private static int priority(Document from) {
        long priority = Fields.counter(from, "priority", 0);
        if (priority > 7) {
            throw new DamagedDocumentException("field 'priority' is " + priority + ", more than 7");
        }
        return (int) priority;
    }

    private static Duration orZero(Document from, String field) {
        Duration duration = Fields.duration(from, field);
        return duration == null ? Duration.ZERO : duration;
    }

    private static void readOwner(Document from, JobSpecificationBuilder job) {
        List<String> tags = texts(from, "tags");
        job.tags(tags.isEmpty() ? Set.of() : Set.copyOf(tags))
                .applicationTag(Fields.optional(from, "applicationTag", String.class))
                .version(Fields.version(from));
        StoredFields.of(job)
                .followUpOf(Fields.optional(from, "followUpOf", String.class))
                .once(Fields.flag(from, "once"))
                .traceParent(Fields.optional(from, "traceParent", String.class))
                .latestUpdate(Fields.instant(from, "latestUpdate"))
                .deleteTime(Fields.instant(from, "deleteTime"));
        Document context = Fields.optional(from, "processingContext", Document.class);
        if (context != null) {
            job.processingContext(new ProcessingContext(
                    Fields.required(context, "processingEntity", String.class),
                    Fields.required(context, "clientRequestId", String.class),
                    Fields.required(context, "unitOfWorkId", String.class)));
        }
    }

    static List<String> texts(Document from, String field) {
        List<?> list = Fields.optional(from, field, List.class);
        return list == null
                ? List.of()
                : list.stream()
                        .map(Objects::requireNonNull)
                        .map(String::valueOf)
                        .toList();
    }

    static EncodedCommand readCommand(Document from) {
        return new EncodedCommand(
                Fields.required(from, "type", String.class),
                (int) Fields.counter(from, "version", 1),
                CommandBodies.plain(Fields.required(from, "body", Document.class)));
    }
}
