package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.FieldChange;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Pause;
import dev.almanac.model.StoredFields;
import dev.almanac.store.Blocked;
import dev.almanac.store.ExtraRun;
import dev.almanac.store.FirePlan;
import dev.almanac.store.JobChange;
import dev.almanac.store.Lease;
import dev.almanac.store.NewJob;
import dev.almanac.store.PersonalChange;
import dev.almanac.store.PlanBasis;
import dev.almanac.store.Requests;
import dev.almanac.store.Revision;
import dev.almanac.store.ScheduleChange;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What is added to the state of a job is written into its document, into changes, and read again: each component of each
 * record, found by reflection, is changed by itself.
 */
class StateRoundTripTest {
    private static final Instant DUE = Instant.parse("2100-01-01T00:00:00Z");

    private static final Set<Class<?>> RECORDS = Set.of(
            StoredJob.class,
            Sequences.class,
            FirePlan.class,
            FirePlan.Fire.class,
            FirePlan.Tries.class,
            FirePlan.Totals.class,
            PlanBasis.class,
            Requests.class,
            ScheduleChange.class,
            Pause.class,
            ExtraRun.class,
            EncodedCommand.class,
            Lease.class,
            Blocked.class,
            JobExecutionStatus.class,
            MissedFires.class,
            ErrorSummary.class);

    /** What the state does not contain: it is written by itself, or known from the rest of the document. */
    private static final Set<String> ELSEWHERE = Set.of(
            "id",
            // NewFieldTest of the command line
            "specification",
            // a claim writes the slot, a renewal the progress
            "lease.slot",
            "progress",
            // the state stands beside the copy of the newest row
            "lastStatus.state",
            // only rows have logs and stacks
            "lastStatus.log",
            "verdict.log",
            "plan.tries.failure.stack",
            // the document's own
            "lastStatus.id",
            "lastStatus.jobSpecificationId",
            "lastStatus.jobSpecificationKey",
            "verdict.id",
            "verdict.jobSpecificationId",
            "verdict.jobSpecificationKey");

    private record Variant(String path, Object value) {}

    private static final StoredJob JOB = job();

    /** A job in which no component is absent. */
    private static StoredJob job() {
        StoredJob full = Specimens.full("job", DUE).job();
        JobExecutionStatus row = full.lastStatus().toBuilder()
                .error(new ErrorSummary("E", "message", "at x"))
                .deleteTime(DUE)
                .build();
        JobExecutionStatus verdict = row.toBuilder().state(Map.of("cursor", 4L)).build();
        return full.with(edit -> edit.lease(new Lease("node", 5, DUE))
                .lastStatus(row)
                .olderRows(List.of(verdict))
                .sequences(full.sequences().recovered())
                .verdict(verdict)
                .followUps(List.of(followUp("mail"), followUp("letter"))));
    }

    private static JobSpecification followUp(String key) {
        return StoredFields.of(Specimens.specification(key).version(0).singleSchedule(DUE))
                .latestUpdate(null)
                .build();
    }

    /** The record with each of its components, and theirs, changed by itself. */
    private static Stream<Variant> variants(String path, Object record) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        return IntStream.range(0, components.length).boxed().flatMap(i -> {
            String name = (path.isEmpty() ? "" : path + ".") + components[i].getName();
            if (ELSEWHERE.contains(name)) {
                return Stream.empty();
            }
            Object value = value(record, components[i]);
            assertThat(value).as("the example of " + name).isNotNull();
            Stream<Variant> changed = RECORDS.contains(value.getClass())
                    ? variants(name, value)
                    : Stream.of(new Variant(name, other(name, value)));
            return changed.map(part -> new Variant(part.path, copy(record, i, part.value)));
        });
    }

    private static Object value(Object record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Object copy(Object record, int changed, Object value) {
        RecordComponent[] components = record.getClass().getRecordComponents();
        try {
            return record.getClass()
                    .getDeclaredConstructor(Arrays.stream(components)
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new))
                    .newInstance(IntStream.range(0, components.length)
                            .mapToObj(i -> i == changed ? value : value(record, components[i]))
                            .toArray());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Object other(String name, Object value) {
        if (value instanceof Enum<?> word) {
            List<?> words = List.of(word.getDeclaringClass().getEnumConstants());
            return words.get((words.indexOf(word) + 1) % words.size());
        }
        return Stream.of(
                        value instanceof String text ? text + " changed" : null,
                        value instanceof Boolean flag ? !flag : null,
                        value instanceof Integer number ? number - 1 : null,
                        value instanceof Long number ? number - 1 : null,
                        value instanceof Instant time ? time.minusMillis(1) : null,
                        value instanceof Duration time ? time.plusMillis(1) : null,
                        value instanceof LocalDateTime time ? time.plusSeconds(1) : null,
                        value instanceof List<?> list ? other(list) : null,
                        value instanceof Map ? Map.of("changed", 1L) : null,
                        value instanceof JobSpecification former
                                ? former.toBuilder().priority(7).build()
                                : null,
                        value instanceof Revision shown ? new Revision(shown.number() + 1, 5, 6, 7) : null)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new AssertionError(
                        "say here how another value of " + name + " looks, which is a " + value.getClass()));
    }

    private static List<?> other(List<?> list) {
        return list.get(0) instanceof PersonalChange
                        || list.get(0) instanceof JobExecutionStatus
                        || list.get(0) instanceof JobSpecification
                ? list.subList(1, list.size())
                : List.of(FieldChange.hidden("changed"));
    }

    private static Stream<Variant> jobs() {
        return variants("", JOB);
    }

    @Test
    @DisplayName("13.2: each component of a job's state is written into its document, and read from it")
    void document() {
        assertThat(SpecificationDocument.read(SpecificationDocument.of(new NewJob(JOB, null), 16)))
                .isEqualTo(JOB);
        assertThat(jobs()).hasSizeGreaterThan(60).allSatisfy(variant -> {
            StoredJob changed = (StoredJob) variant.value;
            assertThat(changed).isNotEqualTo(JOB);
            assertThat(SpecificationDocument.read(SpecificationDocument.of(new NewJob(changed, null), 16)))
                    .isEqualTo(changed);
        });
    }

    @Test
    @DisplayName("X6: a replaced schedule of a newer version makes neither its row nor its job unreadable")
    void unreadableFormer() {
        Document document = SpecificationDocument.of(new NewJob(JOB, null), 16);
        document.get("lastStatus", Document.class).get("former", Document.class).put("zoneId", "Mars/Olympus");
        JobSpecification former =
                SpecificationDocument.read(document).lastStatus().former();
        assertThat(StoredFields.isUnreadable(Objects.requireNonNull(former))).isTrue();
        assertThat(former.latestUpdate())
                .isEqualTo(Objects.requireNonNull(JOB.lastStatus().former()).latestUpdate());
    }

    /** What the server makes of a document and an update. */
    private static Document applied(Document document, Document update) {
        update.get("$set", new Document()).forEach((path, value) -> {
            int dot = path.indexOf('.');
            if (dot < 0) {
                document.put(path, value);
            } else {
                document.get(path.substring(0, dot), Document.class).put(path.substring(dot + 1), value);
            }
        });
        update.get("$unset", new Document()).keySet().forEach(path -> {
            int dot = path.indexOf('.');
            if (dot < 0) {
                document.remove(path);
            } else {
                document.get(path.substring(0, dot), Document.class).remove(path.substring(dot + 1));
            }
        });
        return document;
    }

    @Test
    @DisplayName("13.2: a change of one component of a job's state is sent, and makes the document of the changed job")
    void change() {
        assertThat(jobs()).allSatisfy(variant -> {
            StoredJob changed = (StoredJob) variant.value;
            for (JobChange change : List.of(
                    new JobChange(JOB, changed, List.of(), JobChange.By.REQUEST),
                    new JobChange(JOB, changed, List.of(), JobChange.By.HOLDER))) {
                assertThat(applied(
                                SpecificationDocument.of(new NewJob(JOB, null), 16),
                                UniformChangesTest.sent(Changes.update(change))))
                        .as(variant.path + " by " + change.by())
                        .isEqualTo(SpecificationDocument.of(new NewJob(change.after(), null), 16));
                JobChange back = new JobChange(changed, JOB, List.of(), change.by());
                assertThat(applied(
                                SpecificationDocument.of(new NewJob(changed, null), 16),
                                UniformChangesTest.sent(Changes.update(back))))
                        .as(variant.path + " back by " + change.by())
                        .isEqualTo(SpecificationDocument.of(new NewJob(back.after(), null), 16));
            }
        });
    }
}
