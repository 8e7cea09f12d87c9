package dev.almanac.model;

import dev.almanac.retry.RetryPolicy;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.CronDialect;
import dev.almanac.time.DaylightSavingPolicy;
import dev.almanac.time.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects the contents of a {@link JobSpecification}. Not thread-safe; every specification it builds is a copy. Null is
 * the same as leaving a field out: it has its default then.
 */
public final class JobSpecificationBuilder implements Cloneable {
    String jobSpecificationKey;
    String jobRequestor;

    @Nullable
    String schedulingSpecification;

    CronDialect cronDialect = CronDialect.QUARTZ;

    @Nullable
    Instant anchor;

    @Nullable
    Duration spread;

    @Nullable
    Duration missedFireGrace;

    @Nullable
    Duration startDeadline;

    @Nullable
    Instant singleSchedule;

    @Nullable
    LocalDateTime singleScheduleLocal;

    boolean now;
    FirstFire firstFire = FirstFire.SCHEDULE;

    SchedulingCommand triggerCommand;
    String triggerIdentifier;

    @Nullable
    SchedulingCommand failureCommand;

    @Nullable
    String failureIdentifier;

    List<String> calendars = List.of();
    boolean calendarsByDefault;
    boolean ignoreDefaultCalendar;
    CalendarPolicy calendarPolicy = CalendarPolicy.DROP;

    @Nullable
    ZoneId zoneId;

    DaylightSavingPolicy daylightSavingPolicy = DaylightSavingPolicy.RUN_ONCE;

    @Nullable
    Duration lateExecutionThreshold;

    MissedFirePolicy missedFirePolicy = MissedFirePolicy.RUN_LATEST;
    RetryPolicy retryPolicy = RetryPolicy.none();
    boolean retriesSet;
    CrashPolicy crashPolicy = CrashPolicy.RERUN;

    @Nullable
    Duration executionTimeout;

    int priority = 4;
    boolean prioritySet;

    @Nullable
    String exclusiveGroup;

    @Nullable
    Instant startAt;

    @Nullable
    Instant endAt;

    @Nullable
    Integer maxFires;

    @Nullable
    Integer pauseAfterFailures;

    History history = History.ALL;

    @Nullable
    Retention retention;

    Set<String> tags = Set.of();

    @Nullable
    String applicationTag;

    @Nullable
    ProcessingContext processingContext;

    List<JobSpecification> onSuccess = List.of();
    List<JobSpecification> onFailure = List.of();

    @Nullable
    String followUpOf;

    boolean once;

    @Nullable
    String traceParent;

    long version;

    @Nullable
    Instant latestUpdate;

    @Nullable
    Instant deleteTime;

    private List<Problem> problems = new ArrayList<>();

    JobSpecificationBuilder() {}

    /** A copy of every field. */
    JobSpecificationBuilder copy() {
        try {
            JobSpecificationBuilder copy = (JobSpecificationBuilder) clone();
            copy.problems = new ArrayList<>(problems);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    List<Problem> problems() {
        return List.copyOf(problems);
    }

    /**
     * The fields that decide when a job fires, by value: however they are written, equal ones fire alike (rule S1). Whether the
     * default calendar applies is seen in the calendars.
     */
    List<@Nullable Object> schedule() {
        return Arrays.asList(
                schedulingSpecification == null ? null : Schedule.canonical(schedulingSpecification, cronDialect),
                cronDialect,
                singleSchedule,
                singleScheduleLocal,
                calendars,
                calendarPolicy,
                zone(),
                daylightSavingPolicy,
                startAt,
                endAt,
                spread);
    }

    /** The zone; all names of UTC, which no rules ever move, are one. No other two zones are (rule S1). */
    private @Nullable ZoneId zone() {
        return zoneId != null
                        && zoneId.getRules().isFixedOffset()
                        && zoneId.getRules().getOffset(Instant.EPOCH).equals(ZoneOffset.UTC)
                ? ZoneOffset.UTC
                : zoneId;
    }

    /** The {@link #contents()} by value: what {@code equals} compares. */
    Map<String, @Nullable Object> values() {
        Map<String, @Nullable Object> values = contents();
        if (schedulingSpecification != null) {
            values.put("schedulingSpecification", Schedule.canonical(schedulingSpecification, cronDialect));
        }
        values.put("zoneId", zone());
        return values;
    }

    /** The fields that users set, by name and in order: the contents by which two specifications are compared. */
    Map<String, @Nullable Object> contents() {
        Map<String, @Nullable Object> content = new LinkedHashMap<>();
        SpecificationField.all().forEach(field -> content.put(field.name(), field.in(this)));
        return content;
    }

    /** A builder with the schedule and the history of this one, the fields that every job has, and nothing else. */
    JobSpecificationBuilder scheduleAlone() {
        JobSpecificationBuilder alone = new JobSpecificationBuilder();
        alone.jobSpecificationKey = jobSpecificationKey;
        alone.jobRequestor = jobRequestor;
        alone.triggerIdentifier = triggerIdentifier;
        alone.schedulingSpecification = schedulingSpecification;
        alone.cronDialect = cronDialect;
        alone.anchor = anchor;
        alone.singleSchedule = singleSchedule;
        alone.singleScheduleLocal = singleScheduleLocal;
        alone.calendars = calendars;
        alone.ignoreDefaultCalendar = ignoreDefaultCalendar;
        alone.calendarPolicy = calendarPolicy;
        alone.zoneId = zoneId;
        alone.daylightSavingPolicy = daylightSavingPolicy;
        alone.startAt = startAt;
        alone.endAt = endAt;
        alone.spread = spread;
        alone.history = history;
        return alone;
    }

    /** Takes a field of the {@link #contents()} from another. */
    void take(String name, JobSpecificationBuilder from) {
        SpecificationField field = SpecificationField.of(name);
        field.set(this, field.in(from));
        calendarsByDefault = name.equals("calendars") ? from.calendarsByDefault : calendarsByDefault;
    }

    /** The name of the job, unique among live jobs; 1 to 256 characters, no control characters; required. */
    public JobSpecificationBuilder jobSpecificationKey(String jobSpecificationKey) {
        this.jobSpecificationKey = jobSpecificationKey;
        return this;
    }

    /** The owner of the job; 1 to 256 characters, no control characters; default the service's name. */
    public JobSpecificationBuilder jobRequestor(String jobRequestor) {
        this.jobRequestor = jobRequestor;
        return this;
    }

    /** When a recurring job fires, written in its dialect; default none. A job has exactly one schedule. */
    public JobSpecificationBuilder schedulingSpecification(@Nullable String schedulingSpecification) {
        this.schedulingSpecification = schedulingSpecification;
        return this;
    }

    /** The grammar of the schedule; default QUARTZ. */
    public JobSpecificationBuilder cronDialect(@Nullable CronDialect cronDialect) {
        this.cronDialect = Objects.requireNonNullElse(cronDialect, CronDialect.QUARTZ);
        return this;
    }

    /**
     * A fixed rate: {@code PT90M} or {@code 90m} (units ms, s, m, h, d) of elapsed time, or {@code P1D}, {@code P2W}, {@code P1M}, {@code P1Y} by the
     * calendar. Null removes the schedule.
     */
    public JobSpecificationBuilder every(@Nullable String step) {
        return scheduled(CronDialect.EVERY, step);
    }

    /** A fixed rate of elapsed time, at least a second. */
    public JobSpecificationBuilder every(Duration step) {
        return every(step.toString());
    }

    /** A fixed rate by the calendar, such as each month on the day of the first fire. */
    public JobSpecificationBuilder every(Period step) {
        return every(step.toString());
    }

    /** A fixed delay: the next run is due this long after the end of the previous one. Null removes the schedule. */
    public JobSpecificationBuilder everyAfterEnd(@Nullable Duration delay) {
        return scheduled(CronDialect.EVERY_AFTER_END, delay == null ? null : delay.toString());
    }

    /**
     * A rule of RFC 5545, such as {@code DTSTART:20260131T090000 RRULE:FREQ=MONTHLY}; needs the module
     * almanac-calendars. Null removes the schedule.
     */
    public JobSpecificationBuilder rrule(@Nullable String rule) {
        return scheduled(CronDialect.RRULE, rule);
    }

    private JobSpecificationBuilder scheduled(CronDialect dialect, @Nullable String text) {
        return schedulingSpecification(text).cronDialect(text == null ? null : dialect);
    }

    /** Each fire is delayed by a fraction of this; 0 to one day, for recurrences by the clock; default none. */
    public JobSpecificationBuilder spread(@Nullable Duration spread) {
        this.spread = spread;
        return this;
    }

    /** A fire that is late by no more than this is not a missed fire; 0 to 100 years; default none. */
    public JobSpecificationBuilder missedFireGrace(@Nullable Duration missedFireGrace) {
        this.missedFireGrace = missedFireGrace;
        return this;
    }

    /**
     * A fire starts no later than this after its time, or not at all; more than 0, up to 100 years; default none, but for
     * recurrences with SKIP the larger of {@code missedFireGrace} and the setting {@code defaultStartDeadline}.
     */
    public JobSpecificationBuilder startDeadline(@Nullable Duration startDeadline) {
        this.startDeadline = startDeadline;
        return this;
    }

    /** When the job fires once, cut to milliseconds; up to pastAcceptanceWindow in the past; default none. */
    public JobSpecificationBuilder singleSchedule(@Nullable Instant singleSchedule) {
        this.now = false;
        this.singleSchedule = singleSchedule;
        this.singleScheduleLocal = null;
        return this;
    }

    /**
     * The job fires at the moment at which it is stored, by the server's clock; it is never refused as past. One with a
     * schedule, given before or after this, goes on with that: {@link FirstFire#NOW}. Without one it fires once.
     */
    public JobSpecificationBuilder now() {
        this.singleSchedule = null;
        this.singleScheduleLocal = null;
        this.now = true;
        return this;
    }

    /** When a recurrence fires for the first time; default SCHEDULE. */
    public JobSpecificationBuilder firstFire(@Nullable FirstFire firstFire) {
        this.firstFire = Objects.requireNonNullElse(firstFire, FirstFire.SCHEDULE);
        return this;
    }

    /** What is passed to the helper at each fire; of a registered type, its body up to 1 MiB; required. */
    public JobSpecificationBuilder triggerCommand(SchedulingCommand triggerCommand) {
        this.triggerCommand = triggerCommand;
        return this;
    }

    /** The id that is passed with the command; 1 to 256 characters; default the key. */
    public JobSpecificationBuilder triggerIdentifier(String triggerIdentifier) {
        this.triggerIdentifier = triggerIdentifier;
        return this;
    }

    /** Passed to its helper when a fire has failed for good; default none. */
    public JobSpecificationBuilder failureCommand(@Nullable SchedulingCommand failureCommand) {
        this.failureCommand = failureCommand;
        return this;
    }

    /** The id that is passed with the failure command; 1 to 256 characters; default the key, with a failure command. */
    public JobSpecificationBuilder failureIdentifier(@Nullable String failureIdentifier) {
        this.failureIdentifier = failureIdentifier;
        return this;
    }

    /** Names of the exclusion calendars, which must all include a fire; at most 100, known; default none. */
    public JobSpecificationBuilder calendars(@Nullable List<String> calendars) {
        this.calendars = calendars == null ? List.of() : List.copyOf(calendars);
        this.calendarsByDefault = false;
        return this;
    }

    /** As {@link #calendars(List)}: in place of those given before. */
    public JobSpecificationBuilder calendars(String... names) {
        return calendars(List.of(names));
    }

    /** Whether the default calendar of the application does not apply; default false. */
    public JobSpecificationBuilder ignoreDefaultCalendar(boolean ignoreDefaultCalendar) {
        this.ignoreDefaultCalendar = ignoreDefaultCalendar;
        return this;
    }

    /** What happens to a fire that a calendar excludes; default DROP. */
    public JobSpecificationBuilder calendarPolicy(@Nullable CalendarPolicy calendarPolicy) {
        this.calendarPolicy = Objects.requireNonNullElse(calendarPolicy, CalendarPolicy.DROP);
        return this;
    }

    /** The zone of cron and wall times, which is stored with the job; default the scheduler's. */
    public JobSpecificationBuilder zoneId(@Nullable ZoneId zoneId) {
        forget("zoneId");
        this.zoneId = zoneId;
        return this;
    }

    /** What a clock change does to a fire; default RUN_ONCE. */
    public JobSpecificationBuilder daylightSavingPolicy(@Nullable DaylightSavingPolicy daylightSavingPolicy) {
        this.daylightSavingPolicy = Objects.requireNonNullElse(daylightSavingPolicy, DaylightSavingPolicy.RUN_ONCE);
        return this;
    }

    /** A run that starts later than this is late; 0 (any delay) to 100 years; default none, never late. */
    public JobSpecificationBuilder lateExecutionThreshold(@Nullable Duration lateExecutionThreshold) {
        this.lateExecutionThreshold = lateExecutionThreshold;
        return this;
    }

    /** What happens to fires that passed while the job could not run; default RUN_LATEST. */
    public JobSpecificationBuilder missedFirePolicy(@Nullable MissedFirePolicy missedFirePolicy) {
        this.missedFirePolicy = Objects.requireNonNullElse(missedFirePolicy, MissedFirePolicy.RUN_LATEST);
        return this;
    }

    /** When a failed run is tried again; up to 1 000 retries, delays up to 100 years; default none, or that of its type. */
    public JobSpecificationBuilder retryPolicy(@Nullable RetryPolicy retryPolicy) {
        forget("retryPolicy");
        this.retryPolicy = Objects.requireNonNullElse(retryPolicy, RetryPolicy.none());
        this.retriesSet = retryPolicy != null;
        return this;
    }

    /** Whether a run that its node abandoned runs again; default RERUN. */
    public JobSpecificationBuilder crashPolicy(@Nullable CrashPolicy crashPolicy) {
        this.crashPolicy = Objects.requireNonNullElse(crashPolicy, CrashPolicy.RERUN);
        return this;
    }

    /** A longer run is interrupted and has failed; more than 0, up to 100 years; default none. */
    public JobSpecificationBuilder executionTimeout(@Nullable Duration executionTimeout) {
        this.executionTimeout = executionTimeout;
        return this;
    }

    /** Which due job is claimed first; 0 (most urgent) to 7; default 4, or that of its type. */
    public JobSpecificationBuilder priority(int priority) {
        this.priority = priority;
        this.prioritySet = true;
        return this;
    }

    /** Jobs of a group run one at a time, or as many as it allows; 1 to 256 characters; default none. */
    public JobSpecificationBuilder exclusiveGroup(@Nullable String exclusiveGroup) {
        this.exclusiveGroup = exclusiveGroup;
        return this;
    }

    /** No fire of a recurrence lies before this, but one by {@link FirstFire#NOW}; years 1 to 9999; default none. */
    public JobSpecificationBuilder startAt(@Nullable Instant startAt) {
        this.startAt = startAt;
        return this;
    }

    /** No fire lies after this; years 1 to 9999, not before startAt; default none. */
    public JobSpecificationBuilder endAt(@Nullable Instant endAt) {
        this.endAt = endAt;
        return this;
    }

    /** The job ends after so many fires; 1 or more; default none. */
    public JobSpecificationBuilder maxFires(@Nullable Integer maxFires) {
        this.maxFires = maxFires;
        return this;
    }

    /** A recurring job is paused after so many failed fires in a row; 1 or more; default none. */
    public JobSpecificationBuilder pauseAfterFailures(@Nullable Integer fires) {
        this.pauseAfterFailures = fires;
        return this;
    }

    /** Which status rows are written; default ALL. */
    public JobSpecificationBuilder history(@Nullable History history) {
        this.history = Objects.requireNonNullElse(history, History.ALL);
        return this;
    }

    /** How long the finished job and its rows are kept; 0 to 100 years each; default the scheduler's. */
    public JobSpecificationBuilder retention(@Nullable Retention retention) {
        this.retention = retention;
        return this;
    }

    /** Words for queries and pauses; at most 100, each of 1 to 256 characters; default none. */
    public JobSpecificationBuilder tags(@Nullable Set<String> tags) {
        this.tags = tags == null ? Set.of() : Set.copyOf(tags);
        return this;
    }

    /** As {@link #tags(Set)}: in place of those given before; one that is named twice counts once. */
    public JobSpecificationBuilder tags(String... words) {
        return tags(new HashSet<>(List.of(words)));
    }

    /** The application that owns the job, for reconcile and rights; 1 to 256 characters; default none. */
    public JobSpecificationBuilder applicationTag(@Nullable String applicationTag) {
        this.applicationTag = applicationTag;
        return this;
    }

    /** Business context, passed with each run; three texts of 1 to 256 characters; default none. */
    public JobSpecificationBuilder processingContext(@Nullable ProcessingContext processingContext) {
        this.processingContext = processingContext;
        return this;
    }

    /** Adds jobs that are stored after each successful run to those that were given before; default none. */
    public JobSpecificationBuilder onSuccess(JobSpecification... followUps) {
        return onSuccess(with(onSuccess, followUps));
    }

    /** The jobs that are stored after each successful run, in place of those given before; default none. */
    public JobSpecificationBuilder onSuccess(@Nullable List<JobSpecification> followUps) {
        this.onSuccess = followUps == null ? List.of() : List.copyOf(followUps);
        return this;
    }

    /** Adds jobs that are stored when a fire has failed for good to those that were given before; default none. */
    public JobSpecificationBuilder onFailure(JobSpecification... followUps) {
        return onFailure(with(onFailure, followUps));
    }

    /** The jobs that are stored when a fire has failed for good, in place of those given before; default none. */
    public JobSpecificationBuilder onFailure(@Nullable List<JobSpecification> followUps) {
        this.onFailure = followUps == null ? List.of() : List.copyOf(followUps);
        return this;
    }

    private static List<JobSpecification> with(List<JobSpecification> before, JobSpecification... more) {
        List<JobSpecification> all = new ArrayList<>(before);
        all.addAll(List.of(more));
        return all;
    }

    /** The version that an update expects to replace; 0 or more; default 0 = any. */
    public JobSpecificationBuilder version(long version) {
        this.version = version;
        return this;
    }

    /** A single moment as wall time in the job's zone; it becomes an instant when the job is scheduled. */
    public JobSpecificationBuilder singleSchedule(LocalDateTime local) {
        this.now = false;
        this.singleScheduleLocal = local;
        this.singleSchedule = null;
        return this;
    }

    /** Adds exclusion calendars by name to those that were given before. */
    public JobSpecificationBuilder calendar(String... names) {
        List<String> more = new ArrayList<>(calendars);
        more.addAll(List.of(names));
        return calendars(more);
    }

    /** Adds tags to those that were given before; one that is there already changes nothing. */
    public JobSpecificationBuilder tag(String... more) {
        Set<String> all = new HashSet<>(tags);
        all.addAll(List.of(more));
        return tags(all);
    }

    /** The retry policy as text, such as {@code R5/PT5M}; a text that does not parse is reported with all problems. */
    public JobSpecificationBuilder retryPolicy(@Nullable String text) {
        try {
            return retryPolicy(text == null ? null : RetryPolicy.parse(text));
        } catch (IllegalArgumentException e) {
            forget("retryPolicy");
            problems.add(new Problem("retryPolicy", text, "R5", String.valueOf(e.getMessage())));
        }
        return this;
    }

    /** The zone as text, such as {@code Europe/Brussels}; an unknown zone is reported with all problems. */
    public JobSpecificationBuilder zoneId(@Nullable String id) {
        try {
            return zoneId(id == null ? null : ZoneId.of(id));
        } catch (java.time.DateTimeException e) {
            forget("zoneId");
            problems.add(new Problem(
                    "zoneId",
                    id,
                    "M2",
                    "is not known to this JVM; write a region id such as"
                            + " Europe/Brussels, UTC, or an offset such as +02:00"));
        }
        return this;
    }

    /** Setting a field again removes the problems of its earlier value. */
    private void forget(String field) {
        problems.removeIf(problem -> problem.field().equals(field));
    }

    /**
     * The specification with the current contents. Checks nothing: scheduling checks it and reports all problems at
     * once.
     */
    public JobSpecification build() {
        return copy().built();
    }

    /** The same without a copy: nothing may be set in this builder afterwards. */
    JobSpecification built() {
        if (now && schedulingSpecification != null) {
            now = false;
            firstFire = FirstFire.NOW;
        }
        return new JobSpecification(this);
    }
}
