package dev.almanac.model;

import dev.almanac.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What the engine and the stores read and set in a specification; services have no use for it. Not thread-safe. */
public final class StoredFields {
    private static final String KEY = "jobSpecificationKey";

    private final JobSpecificationBuilder job;

    private StoredFields(JobSpecificationBuilder job) {
        this.job = job;
    }

    /** Those of a copy, for {@link #build}. */
    public static StoredFields of(JobSpecification job) {
        return of(job.toBuilder());
    }

    /** Those of this builder. */
    public static StoredFields of(JobSpecificationBuilder job) {
        return new StoredFields(job);
    }

    /** @throws IllegalArgumentException unless each is a field that a change of a job may set */
    static void checkNames(Collection<String> fields) {
        Map<String, @Nullable Object> known = new JobSpecificationBuilder().contents();
        for (String field : fields) {
            if (!known.containsKey(field) || field.equals(KEY)) {
                throw new IllegalArgumentException("'" + field + "' is no field of a job that can be changed");
            }
        }
    }

    /**
     * What a job had of its schedule, and whether its rows were kept, without what else it had.
     *
     * @param changed when another schedule replaced it
     */
    public static JobSpecification former(JobSpecification job, Instant changed) {
        EncodedCommand stored = (EncodedCommand) job.triggerCommand();
        return of(job.toBuilder()
                        .scheduleAlone()
                        .triggerCommand(new EncodedCommand(stored.type(), stored.version(), Map.of()))
                        .version(job.version()))
                .latestUpdate(changed)
                .build();
    }

    /**
     * In the place of a {@link #former} that this version cannot read, so that its row and its job can be read all the same.
     *
     * @param changed as there; absent if it cannot be read either
     */
    public static JobSpecification unreadable(@Nullable Instant changed) {
        return of(JobSpecification.builder()
                        .jobSpecificationKey("unreadable")
                        .triggerCommand(new EncodedCommand("unreadable", 1, Map.of()))
                        .zoneId(ZoneOffset.UTC))
                .latestUpdate(changed)
                .build();
    }

    /** Whether it stands for a schedule that cannot be read. */
    public static boolean isUnreadable(JobSpecification former) {
        return former.schedulingSpecification().isEmpty()
                && former.singleSchedule().isEmpty()
                && !former.isNow();
    }

    /** Takes these fields, by the names of {@link JobSpecification#changesSince}, from another one. */
    public StoredFields take(Collection<String> fields, JobSpecification from) {
        JobSpecificationBuilder other = from.toBuilder();
        fields.forEach(field -> job.take(field, other));
        return this;
    }

    /**
     * The time from which steps are counted: for EVERY the first fire ({@code startAt}, or when the schedule was stored);
     * for EVERY_AFTER_END the end of the previous run. Set when stored; not part of the contents.
     */
    public static @Nullable Instant anchorOf(JobSpecification job) {
        return job.values.anchor;
    }

    /**
     * By how much the spread of a job delays each of its fires, in whole milliseconds; zero if it has none. The fraction
     * depends on the key alone, so it is the same on every node and after each start. Zero without a key, as in a preview.
     */
    public static Duration spreadOf(JobSpecification job) {
        Duration spread = job.spread().orElse(Duration.ZERO);
        if (spread.toMillis() <= 0 || job.jobSpecificationKey() == null) {
            return Duration.ZERO;
        }
        // similar keys have similar hashes, so the hash is mixed into all bits
        long hash = job.jobSpecificationKey().hashCode() * 0x9E3779B97F4A7C15L;
        return Duration.ofMillis((hash >>> 1) % spread.toMillis());
    }

    /** Names of the calendars of its follow-ups, and of theirs; in order, each once. */
    public static List<String> followUpCalendars(JobSpecification job) {
        return calendarsOf(List.of(job.onSuccess(), job.onFailure()));
    }

    /** Names of the calendars of lists of follow-ups, and of theirs; in order, each once. */
    public static List<String> calendarsOf(List<List<JobSpecification>> followUps) {
        Set<String> names = new TreeSet<>();
        followUps.stream().flatMap(List::stream).forEach(followUp -> {
            names.addAll(followUp.calendars());
            names.addAll(followUpCalendars(followUp));
        });
        return List.copyOf(names);
    }

    /**
     * Sets a field of the contents, and no other: not those that a step of the builder sets or forgets with it.
     *
     * @throws IllegalArgumentException if the value is not of the field's type
     */
    public StoredFields set(SpecificationField field, Object value) {
        field.set(job, value);
        return this;
    }

    /** Sets what {@link #anchorOf} answers. */
    public StoredFields anchor(@Nullable Instant anchor) {
        job.anchor = anchor;
        return this;
    }

    /** Sets the field of that name; {@link JobSpecificationBuilder#calendars(List)} takes it back. */
    public StoredFields calendarsByDefault(boolean calendarsByDefault) {
        job.calendarsByDefault = calendarsByDefault;
        return this;
    }

    /** Sets the field of that name. */
    public StoredFields followUpOf(@Nullable String followUpOf) {
        job.followUpOf = followUpOf;
        return this;
    }

    /** Sets the field of that name. */
    public StoredFields once(boolean once) {
        job.once = once;
        return this;
    }

    /** Sets the field of that name. */
    public StoredFields traceParent(@Nullable String traceParent) {
        job.traceParent = traceParent;
        return this;
    }

    /** Sets the field of that name. */
    public StoredFields latestUpdate(@Nullable Instant latestUpdate) {
        job.latestUpdate = latestUpdate;
        return this;
    }

    /** Sets the field of that name. */
    public StoredFields deleteTime(@Nullable Instant deleteTime) {
        job.deleteTime = deleteTime;
        return this;
    }

    /** Sets the single moment and the wall time that it was resolved from. */
    public StoredFields singleSchedule(Instant resolved, @Nullable LocalDateTime local) {
        job.singleSchedule(resolved);
        job.singleScheduleLocal = local;
        return this;
    }

    /** Sets this priority and these retries, if present, where none were set; then both count as set. */
    public StoredFields orDefaults(@Nullable Integer priority, @Nullable RetryPolicy retries) {
        job.priority = job.prioritySet || priority == null ? job.priority : priority;
        job.retryPolicy = job.retriesSet || retries == null ? job.retryPolicy : retries;
        job.prioritySet = job.retriesSet = true;
        return this;
    }

    /** The specification with these fields, for which the builder is used up: nothing may be set in it afterwards. */
    public JobSpecification build() {
        return job.built();
    }
}
