package dev.almanac.mongo;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.ProcessingContext;
import dev.almanac.model.Retention;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.model.SpecificationField;
import dev.almanac.model.StoredFields;
import dev.almanac.retry.RetryPolicy;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneRulesException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
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

    /** The fields that are written though they have their default. */
    private static final Set<String> ALWAYS =
            Set.of("jobSpecificationKey", "jobRequestor", "triggerCommand", "triggerIdentifier", "zoneId", "priority");

    /** What a value of a type is read as, from the field of that name. */
    private static final Map<Class<?>, BiFunction<Document, String, ? extends @Nullable Object>> READERS =
            Map.ofEntries(
                    Map.entry(String.class, (from, name) -> Fields.optional(from, name, String.class)),
                    Map.entry(Instant.class, Fields::instant),
                    Map.entry(Duration.class, Fields::duration),
                    Map.entry(boolean.class, Fields::flag),
                    Map.entry(int.class, SpecificationFields::priority),
                    Map.entry(Integer.class, SpecificationFields::count),
                    Map.entry(Set.class, (from, name) -> Set.copyOf(texts(from, name))),
                    Map.entry(List.class, SpecificationFields::list),
                    Map.entry(ZoneId.class, parsed(ZoneId::of)),
                    Map.entry(LocalDateTime.class, parsed(LocalDateTime::parse)),
                    Map.entry(MissedFirePolicy.class, parsed(MissedFirePolicy::parse)),
                    Map.entry(RetryPolicy.class, parsed(RetryPolicy::parse)),
                    Map.entry(SchedulingCommand.class, part(SpecificationFields::readCommand)),
                    Map.entry(Retention.class, part(SpecificationFields::readRetention)),
                    Map.entry(ProcessingContext.class, part(SpecificationFields::readContext)));

    /** How a field of the contents is read, which is the same for each of many jobs. */
    private record Reader(
            SpecificationField field,
            String name,
            boolean always,
            BiFunction<Document, String, ? extends @Nullable Object> read) {
        static Reader of(SpecificationField field) {
            BiFunction<Document, String, ? extends @Nullable Object> read = field.standard() instanceof Enum<?> standard
                    ? (from, name) -> word(from, name, standard)
                    : Objects.requireNonNull(READERS.get(field.type()));
            return new Reader(field, field.name(), ALWAYS.contains(field.name()), read);
        }
    }

    private static final List<Reader> CONTENTS =
            SpecificationField.all().stream().map(Reader::of).toList();

    private SpecificationFields() {}

    static void write(Document to, JobSpecification job) {
        for (SpecificationField field : SpecificationField.all()) {
            Object value = field.in(job);
            if (value != null && (ALWAYS.contains(field.name()) || !value.equals(field.standard()))) {
                Fields.put(to, field.name(), encoded(value));
            }
        }
        Fields.put(to, "calendarsByDefault", job.calendarsByDefault() ? true : null);
        STORED.forEach(field -> field.put(to, job));
    }

    /** As far as {@link Fields#put} does not do it. */
    private static Object encoded(Object value) {
        if (value instanceof SchedulingCommand command) {
            return command(command);
        } else if (value instanceof JobSpecification job) {
            return followUp(job);
        } else if (value instanceof List<?> list) {
            return list.stream().map(SpecificationFields::encoded).toList();
        } else if (value instanceof Set<?> words) {
            return List.copyOf(new TreeSet<>(words));
        } else if (value instanceof Retention kept) {
            return new Document("good", kept.good().toString())
                    .append("failed", kept.failed().toString())
                    .append("canceled", kept.canceled().toString())
                    .append("superseded", kept.superseded().toString());
        } else if (value instanceof ProcessingContext context) {
            return new Document("processingEntity", context.processingEntity())
                    .append("clientRequestId", context.clientRequestId())
                    .append("unitOfWorkId", context.unitOfWorkId());
        }
        boolean plain = value instanceof Number || value instanceof Boolean || value instanceof Instant;
        return plain ? value : value.toString();
    }

    /** The schedule that a change replaced. */
    static Document former(JobSpecification job) {
        Document document = new Document();
        write(document, job);
        Fields.put(document, "anchor", StoredFields.anchorOf(job));
        return document;
    }

    /** A follow-up as a document, without the fields that a store adds to jobs. */
    static Document followUp(JobSpecification job) {
        Document document = new Document();
        write(document, job);
        STORED.forEach(field -> document.remove(field.name()));
        return document;
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
        StoredFields job = StoredFields.of(JobSpecification.builder().version(Fields.version(from)));
        for (Reader reader : CONTENTS) {
            if (from.get(reader.name()) != null) {
                job.set(reader.field(), reader.read().apply(from, reader.name()));
            } else if (reader.always()) {
                throw new DamagedDocumentException("field '" + reader.name() + "' is missing");
            }
        }
        if (from.get("schedulingSpecification") == null
                && from.get("singleSchedule") == null
                && !Fields.flag(from, "now")) {
            throw new DamagedDocumentException("neither 'schedulingSpecification' nor 'singleSchedule' is there");
        }
        return job.orDefaults(null, null)
                .calendarsByDefault(Fields.flag(from, "calendarsByDefault"))
                .anchor(Fields.instant(from, "anchor"))
                .followUpOf(Fields.optional(from, "followUpOf", String.class))
                .once(Fields.flag(from, "once"))
                .traceParent(Fields.optional(from, "traceParent", String.class))
                .latestUpdate(Fields.instant(from, "latestUpdate"))
                .deleteTime(Fields.instant(from, "deleteTime"))
                .build();
    }

    @SuppressWarnings("unchecked")
    private static <E extends Enum<E>> E word(Document from, String field, Object standard) {
        return Fields.oneOf(from, field, (E) standard);
    }

    private static <T> BiFunction<Document, String, @Nullable Object> parsed(Function<String, T> parse) {
        return (from, field) -> {
            String text = Fields.optional(from, field, String.class);
            return text == null ? null : parse.apply(text);
        };
    }

    private static <T> BiFunction<Document, String, @Nullable Object> part(Function<Document, T> read) {
        return (from, field) -> {
            Document part = Fields.optional(from, field, Document.class);
            return part == null ? null : read.apply(part);
        };
    }

    private static List<?> list(Document from, String field) {
        return field.startsWith("on") ? readFollowUps(from, field) : texts(from, field);
    }

    private static Retention readRetention(Document from) {
        return new Retention(
                orZero(from, "good"), orZero(from, "failed"), orZero(from, "canceled"), orZero(from, "superseded"));
    }

    private static ProcessingContext readContext(Document from) {
        return new ProcessingContext(
                Fields.required(from, "processingEntity", String.class),
                Fields.required(from, "clientRequestId", String.class),
                Fields.required(from, "unitOfWorkId", String.class));
    }

    static List<JobSpecification> readFollowUps(Document from, String field) {
        List<?> followUps = Fields.optional(from, field, List.class);
        return followUps == null
                ? List.of()
                : followUps.stream().map(SpecificationFields::readFollowUp).toList();
    }

    private static JobSpecification readFollowUp(@Nullable Object from) {
        if (from instanceof Document document) {
            Document whole = new Document(document).append("version", 1);
            return read(whole).toBuilder().version(0).build();
        }
        throw new DamagedDocumentException("a follow-up is " + from + ", no document");
    }

    private static @Nullable Integer count(Document from, String field) {
        return from.get(field) == null ? null : (Integer) (int) Fields.number(from, field);
    }

    private static int priority(Document from, String field) {
        long priority = Fields.counter(from, field, 0);
        if (priority > 7) {
            throw new DamagedDocumentException("field 'priority' is " + priority + ", more than 7");
        }
        return (int) priority;
    }

    private static Duration orZero(Document from, String field) {
        Duration duration = Fields.duration(from, field);
        return duration == null ? Duration.ZERO : duration;
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
