package dev.almanac.model;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A field of the contents of a specification, of which {@link #all()} is the one table: comparison, document, answers and
 * command line go by it. Type and default are those of the builder's field of that name. Immutable and thread-safe.
 */
public final class SpecificationField {
    /** The name in the stored document, and the label for people. */
    private static final Map<String, SpecificationField> ALL = """
            jobSpecificationKey | key
            jobRequestor | requestor
            applicationTag | application
            tags | tags
            triggerCommand | command
            triggerIdentifier | id
            failureCommand | on failure
            failureIdentifier | failure id
            processingContext | context
            now | now
            schedulingSpecification | schedule
            cronDialect | dialect
            firstFire | first fire
            singleSchedule | fires once at
            singleScheduleLocal | local time
            zoneId | zone
            daylightSavingPolicy | clock changes
            calendars | calendars
            ignoreDefaultCalendar | ignore default calendar
            calendarPolicy | excluded fires
            startAt | not before
            endAt | not after
            maxFires | fires at most
            spread | spread
            lateExecutionThreshold | late after
            missedFirePolicy | missed fires
            missedFireGrace | missed fire grace
            startDeadline | starts at the latest after
            retryPolicy | retries
            crashPolicy | after a crash
            executionTimeout | time-out
            priority | priority
            exclusiveGroup | group
            pauseAfterFailures | pause after failures
            history | history
            retention | retention
            onSuccess | after success
            onFailure | after failure
            """.lines()
            .map(line -> line.split(" \\| "))
            .map(cells -> new SpecificationField(cells[0], cells[1]))
            .collect(Collectors.toMap(field -> field.name, field -> field, (one, other) -> one, LinkedHashMap::new));

    private static final JobSpecificationBuilder EMPTY = new JobSpecificationBuilder();

    private final String name;
    private final String label;
    private final Field field;

    private SpecificationField(String name, String label) {
        this.name = name;
        this.label = label;
        try {
            field = JobSpecificationBuilder.class.getDeclaredField(name);
        } catch (NoSuchFieldException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Each field that users set, in the order in which it is shown. */
    public static Collection<SpecificationField> all() {
        return ALL.values();
    }

    /** @throws IllegalArgumentException if no field has that name */
    public static SpecificationField of(String name) {
        SpecificationField field = ALL.get(name);
        if (field == null) {
            throw new IllegalArgumentException("'" + name + "' is no field of a job");
        }
        return field;
    }

    /** The name in the stored document, which is that of the accessor. */
    public String name() {
        return name;
    }

    /** For people, in lower case. */
    public String label() {
        return label;
    }

    /** The type of its values. */
    public Class<?> type() {
        return field.getType();
    }

    /** What a specification has that sets nothing else; absent = nothing. */
    public @Nullable Object standard() {
        return in(EMPTY);
    }

    /** What a specification has; absent = nothing. */
    public @Nullable Object in(JobSpecification job) {
        return in(job.values);
    }

    @Nullable
    Object in(JobSpecificationBuilder job) {
        try {
            return field.get(job);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    /** @param value of its type, or absent unless it is primitive */
    void set(JobSpecificationBuilder job, @Nullable Object value) {
        try {
            field.set(job, value);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
        job.prioritySet |= name.equals("priority");
        job.retriesSet |= name.equals("retryPolicy");
    }

    /** Whether this value of the job means something for it: it is not empty or off. */
    boolean isShown(JobSpecification job, Object value) {
        return switch (name) {
            case "cronDialect", "missedFirePolicy" -> job.isRecurring();
            case "firstFire", "history", "retryPolicy" -> !value.equals(standard());
            case "calendarPolicy" -> !job.calendars().isEmpty();
            default -> !value.equals(false) && !(value instanceof Collection<?> items && items.isEmpty());
        };
    }
}
