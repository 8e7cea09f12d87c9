package dev.almanac.model;

import dev.almanac.retry.RetryPolicy;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.CronDialect;
import dev.almanac.time.DaylightSavingPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is to be run, and when: a schedule or one exact instant, a command, calendars, a zone, a lateness
 * threshold. Immutable and thread-safe. The accessors carry the names of the stored document's fields.
 *
 * <p>Building never fails: a specification may be incomplete or wrong until {@code Scheduler.scheduleJob} checks it
 * and reports all problems at once ({@link InvalidJobException}). After that, what is no {@code Optional} is present.
 *
 * <p>Two specifications are equal when their contents are; the stored fields {@link #version()},
 * {@link #calendarsByDefault()}, {@link #followUpOf()}, {@link #once()}, {@link #latestUpdate()} and {@link #deleteTime()} do not count.
 */
public final class JobSpecification {
    private static final int LONGEST_SHOWN = 200;

    final JobSpecificationBuilder values;

    JobSpecification(JobSpecificationBuilder values) {
        this.values = values;
    }

    /** Starts an empty specification. */
    public static JobSpecificationBuilder builder() {
        return new JobSpecificationBuilder();
    }

    /**
     * A job that fires once. It has what is required and no more: its requestor is the service's name, its identifier
     * the key; {@link #toBuilder()} says more.
     *
     * @param key unique id of the job among live jobs: 1 to 256 characters, no control characters
     * @param at when it fires, cut to whole milliseconds; up to {@code pastAcceptanceWindow} in the past runs at once
     * @param command what is handed to the helper
     */
    public static JobSpecification oneOff(String key, Instant at, SchedulingCommand command) {
        return builder()
                .jobSpecificationKey(key)
                .singleSchedule(at)
                .triggerCommand(command)
                .build();
    }

    /**
     * A job that fires once, at a wall time. It has what is required and no more: its requestor is the service's name, its
     * identifier the key; {@link #toBuilder()} says more.
     *
     * @param key unique id of the job among live jobs: 1 to 256 characters, no control characters
     * @param at when it fires, cut to whole milliseconds
     * @param zone of that time
     * @param command what is handed to the helper
     */
    public static JobSpecification oneOff(String key, LocalDateTime at, ZoneId zone, SchedulingCommand command) {
        return builder()
                .jobSpecificationKey(key)
                .singleSchedule(at)
                .zoneId(zone)
                .triggerCommand(command)
                .build();
    }

    /**
     * A job that fires by a cron expression. It has what is required and no more: its requestor is the service's name,
     * its identifier the key; {@link #toBuilder()} says more.
     *
     * @param key unique id of the job among live jobs: 1 to 256 characters, no control characters
     * @param cron in the dialect QUARTZ, 6 or 7 fields with seconds first, such as {@code 0 30 3 * * ?}
     * @param zone in which the expression is read
     * @param command what is handed to the helper at each fire
     */
    public static JobSpecification recurring(String key, String cron, ZoneId zone, SchedulingCommand command) {
        return builder()
                .jobSpecificationKey(key)
                .schedulingSpecification(cron)
                .zoneId(zone)
                .triggerCommand(command)
                .build();
    }

    /**
     * A job that fires at a fixed rate of elapsed time, for the first time one step after it is stored; {@code
     * toBuilder().now()} begins at once. It has what is required and no
     * more: its requestor is the service's name, its identifier the key; {@link #toBuilder()} says more.
     *
     * @param key unique id of the job among live jobs: 1 to 256 characters, no control characters
     * @param step from one fire to the next, at least a second, however long the runs take
     * @param command what is handed to the helper at each fire
     */
    public static JobSpecification every(String key, Duration step, SchedulingCommand command) {
        return builder()
                .jobSpecificationKey(key)
                .every(step)
                .triggerCommand(command)
                .build();
    }

    /**
     * A job that fires once, at the moment at which it is stored, by the server's clock. It has what is required and no
     * more: its requestor is the service's name, its identifier the key; {@link #toBuilder()} says more.
     *
     * @param key unique id of the job among live jobs: 1 to 256 characters, no control characters
     * @param command what is handed to the helper
     */
    public static JobSpecification now(String key, SchedulingCommand command) {
        return builder().jobSpecificationKey(key).now().triggerCommand(command).build();
    }

    /** Whether it fires at the moment at which it is stored; a stored job has that moment as its single schedule. */
    public boolean isNow() {
        return values.now;
    }

    /** A builder with a copy of these contents. */
    public JobSpecificationBuilder toBuilder() {
        return values.copy();
    }

    /** What the builder could not understand, such as a retry text that does not parse; empty for a stored job. */
    public List<Problem> problems() {
        return values.problems();
    }

    /** Whether the job fires more than once. */
    public boolean isRecurring() {
        return values.schedulingSpecification != null;
    }

    /**
     * Whether this and the other fire at the same times: cron, dialect, zone, calendars, policies and bounds, however they
     * are written. {@code PT1H} is {@code PT60M}, {@code 0 0 2 * * ?} is {@code 0 0 02 * * ?}, and {@code UTC} is {@code Z}.
     */
    public boolean hasSameSchedule(JobSpecification other) {
        return values.schedule().equals(other.values.schedule());
    }

    /** What {@link #hasSameSchedule} compares, as text: equal schedules have equal texts. */
    public String scheduleText() {
        return values.schedule().toString();
    }

    /** Unique id of the job among live jobs: 1 to 256 characters, no control characters. */
    public String jobSpecificationKey() {
        return values.jobSpecificationKey;
    }

    /** Id of the job's owner, 1 to 256 characters; one requestor may have many jobs. By default the service's name. */
    public String jobRequestor() {
        return values.jobRequestor;
    }

    /** When a recurring job fires, written in {@link #cronDialect()}; exactly one of this and a single schedule is present. */
    public Optional<String> schedulingSpecification() {
        return Optional.ofNullable(values.schedulingSpecification);
    }

    /** Grammar of {@link #schedulingSpecification()}; QUARTZ by default. */
    public CronDialect cronDialect() {
        return values.cronDialect;
    }

    /** When a recurrence fires for the first time; SCHEDULE by default. */
    public FirstFire firstFire() {
        return values.firstFire;
    }

    /** Each fire of a recurrence is delayed by a fraction of this, which depends on the key; 0 to one day; absent = no delay. */
    public Optional<Duration> spread() {
        return Optional.ofNullable(values.spread);
    }

    /** A fire that has passed by no more than this is on time for {@link #missedFirePolicy()}; up to 100 years; absent = none. */
    public Optional<Duration> missedFireGrace() {
        return Optional.ofNullable(values.missedFireGrace);
    }

    /**
     * The first start of a planned fire comes no later than this after its time, or not at all; more than 0, up to 100
     * years; absent = the default: none, but for recurrences with SKIP.
     */
    public Optional<Duration> startDeadline() {
        return Optional.ofNullable(values.startDeadline);
    }

    /** The one exact moment at which the job fires, in whole milliseconds. */
    public Optional<Instant> singleSchedule() {
        return Optional.ofNullable(values.singleSchedule);
    }

    /** The single moment as the caller wrote it when it was given as wall time in the job's zone. */
    public Optional<LocalDateTime> singleScheduleLocal() {
        return Optional.ofNullable(values.singleScheduleLocal);
    }

    /** The command that is passed to the scheduling helper at each fire. */
    public SchedulingCommand triggerCommand() {
        return values.triggerCommand;
    }

    /** The id string passed to the helper with {@link #triggerCommand()}, 1 to 256 characters. By default the key. */
    public String triggerIdentifier() {
        return values.triggerIdentifier;
    }

    /** The command that is passed to the helper that supports it when a fire has failed for good. */
    public Optional<SchedulingCommand> failureCommand() {
        return Optional.ofNullable(values.failureCommand);
    }

    /** The id string passed together with {@link #failureCommand()}; both or neither are present. */
    public Optional<String> failureIdentifier() {
        return Optional.ofNullable(values.failureIdentifier);
    }

    /**
     * Names of the exclusion calendars, at most 100; an instant must be included by all of them; none by default. Those of a one-off apply to its
     * single moment: if they exclude it, {@link #calendarPolicy()} decides when it fires instead.
     */
    public List<String> calendars() {
        return values.calendars;
    }

    /**
     * Whether {@link #calendars()} is the default calendar of the application that stored the job, which named none. Set
     * when stored; not part of the contents. An application without a default calendar leaves such calendars alone.
     */
    public boolean calendarsByDefault() {
        return values.calendarsByDefault;
    }

    /** Whether the default calendar of the application does not apply to this job. */
    public boolean ignoreDefaultCalendar() {
        return values.ignoreDefaultCalendar;
    }

    /** What happens to a fire that a calendar excludes; DROP by default. */
    public CalendarPolicy calendarPolicy() {
        return values.calendarPolicy;
    }

    /** The zone in which cron and local times are read. By default the scheduler's. */
    public ZoneId zoneId() {
        return values.zoneId;
    }

    /** What a clock change does to a fire; RUN_ONCE by default. */
    public DaylightSavingPolicy daylightSavingPolicy() {
        return values.daylightSavingPolicy;
    }

    /** A start later than this after the planned instant is late; zero = any delay, at most 100 years; absent = never. */
    public Optional<Duration> lateExecutionThreshold() {
        return Optional.ofNullable(values.lateExecutionThreshold);
    }

    /** What happens to fires that passed while the job could not run; RUN_LATEST by default. */
    public MissedFirePolicy missedFirePolicy() {
        return values.missedFirePolicy;
    }

    /** When a failed run is tried again; never by default; the command type may have another default. */
    public RetryPolicy retryPolicy() {
        return values.retryPolicy;
    }

    /** Whether a run that its node abandoned is run again; RERUN by default. */
    public CrashPolicy crashPolicy() {
        return values.crashPolicy;
    }

    /** A run is interrupted and counted as failed after this time, up to 100 years; absent = never. */
    public Optional<Duration> executionTimeout() {
        return Optional.ofNullable(values.executionTimeout);
    }

    /** 0 (most urgent) to 7; 4 by default; the command type may have another default. */
    public int priority() {
        return values.priority;
    }

    /** Jobs of a group run one at a time in the whole cluster, or as many as its limits allow; absent = no group. */
    public Optional<String> exclusiveGroup() {
        return Optional.ofNullable(values.exclusiveGroup);
    }

    /** No fire of a recurrence lies before this instant; absent = no bound. */
    public Optional<Instant> startAt() {
        return Optional.ofNullable(values.startAt);
    }

    /** No fire lies after this instant; absent = no bound. */
    public Optional<Instant> endAt() {
        return Optional.ofNullable(values.endAt);
    }

    /** The recurrence ends after this many fires, 1 or more; absent = never. */
    public Optional<Integer> maxFires() {
        return Optional.ofNullable(values.maxFires);
    }

    /** After how many fires in a row that failed for good the job is paused, 1 or more; absent = never. */
    public Optional<Integer> pauseAfterFailures() {
        return Optional.ofNullable(values.pauseAfterFailures);
    }

    /** Which status rows are written; ALL by default. */
    public History history() {
        return values.history;
    }

    /** How long the finished job and its rows are kept; absent = the settings of the scheduler. */
    public Optional<Retention> retention() {
        return Optional.ofNullable(values.retention);
    }

    /** Free words for queries and for pausing: at most 100, each of 1 to 256 characters; empty by default. */
    public Set<String> tags() {
        return values.tags;
    }

    /** The application that owns the job; reconcile never touches another application's jobs; absent = none. */
    public Optional<String> applicationTag() {
        return Optional.ofNullable(values.applicationTag);
    }

    /** Business context passed to the helper with each run; absent = none. */
    public Optional<ProcessingContext> processingContext() {
        return Optional.ofNullable(values.processingContext);
    }

    /**
     * The jobs that are stored after each successful run, at most 100 with their own follow-ups and {@code onFailure},
     * to a depth of 5. In their keys and identifiers {@code {key}} is this job's key, {@code {fireTime}} the planned
     * fire and {@code {claim}} the number of the claim that ended. One with {@code now()} fires when it is stored. Its
     * default zone and requestor are those of this job.
     */
    public List<JobSpecification> onSuccess() {
        return values.onSuccess;
    }

    /** The jobs that are stored when a fire has failed for good, once per fire, and not on a cancel; as {@link #onSuccess()}. */
    public List<JobSpecification> onFailure() {
        return values.onFailure;
    }

    /** The key of the job whose run this one followed; absent = it was scheduled by itself. Set when stored. */
    public Optional<String> followUpOf() {
        return Optional.ofNullable(values.followUpOf);
    }

    /** Whether it was scheduled with {@link IfExists#ONCE}, so that its document stays when it has ended. Set when stored. */
    public boolean once() {
        return values.once;
    }

    /**
     * The span in which it was stored or changed last, as a {@code traceparent} of W3C Trace Context; absent = in none that is
     * known (rule S9). Set when stored; not part of the contents.
     */
    public Optional<String> traceParent() {
        return Optional.ofNullable(values.traceParent);
    }

    /** The id of the trace of {@link #traceParent()}, for people who look for it. */
    public Optional<String> traceId() {
        return traceParent()
                .map(text -> text.split("-"))
                .filter(parts -> parts.length > 1)
                .map(parts -> parts[1]);
    }

    /** Rises by one with each accepted change; 0 = not stored yet, and in an update = do not compare. */
    public long version() {
        return values.version;
    }

    /** When the last change before its end was accepted, by the server's clock; absent = not stored yet. */
    public Optional<Instant> latestUpdate() {
        return Optional.ofNullable(values.latestUpdate);
    }

    /** Present = the job is finished or cancelled; the moment at which it is removed. */
    public Optional<Instant> deleteTime() {
        return Optional.ofNullable(values.deleteTime);
    }

    /**
     * How these contents differ from older ones, in the order of the fields.
     *
     * @return each difference; commands and follow-ups without their values
     */
    public List<FieldChange> changesSince(JobSpecification older) {
        Map<String, @Nullable Object> before = older.values.contents();
        Map<String, @Nullable Object> valuesBefore = older.values.values();
        Map<String, @Nullable Object> valuesAfter = values.values();
        List<FieldChange> changes = new ArrayList<>();
        values.contents().forEach((field, after) -> {
            if (!Objects.equals(valuesBefore.get(field), valuesAfter.get(field))) {
                boolean large = field.endsWith("Command") || field.startsWith("on");
                changes.add(
                        large
                                ? FieldChange.hidden(field)
                                : new FieldChange(field, shown(before.get(field)), shown(after)));
            }
        });
        return changes;
    }

    /**
     * The fields that mean something for this job with their values, in order: without what is absent, empty or off, and
     * what stores set.
     */
    public Map<SpecificationField, Object> shownFields() {
        Map<SpecificationField, Object> shown = new LinkedHashMap<>();
        for (SpecificationField field : SpecificationField.all()) {
            Object value = field.in(this);
            if (value != null && field.isShown(this, value)) {
                shown.put(field, value);
            }
        }
        return shown;
    }

    private static String shown(@Nullable Object value) {
        String text = value == null ? "none" : value.toString();
        return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "...";
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JobSpecification that && values.values().equals(that.values.values());
    }

    @Override
    public int hashCode() {
        return values.values().hashCode();
    }

    @Override
    public String toString() {
        return "JobSpecification[" + values.jobSpecificationKey + " v" + values.version + " "
                + (isRecurring() ? values.schedulingSpecification : values.singleSchedule) + "]";
    }
}
