package dev.almanac.console.jobs;

import dev.almanac.console.terminal.Times;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.FirstFire;
import dev.almanac.model.History;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.DaylightSavingPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import picocli.CommandLine.Model.OptionSpec;

/**
 * What can be set of a job, as an option of {@code jobs schedule} and in a file: its names, its help, and how it is read.
 * Fields that are read together with others have no function here; {@link JobReader} reads them.
 */
enum JobField {
    KEY(
            "key",
            "jobSpecificationKey",
            "M1",
            "KEY",
            "unique among live jobs",
            text(JobSpecificationBuilder::jobSpecificationKey)),
    REQUESTOR(
            "requestor",
            "jobRequestor",
            "M1",
            "ID",
            "the owner of the job",
            text(JobSpecificationBuilder::jobRequestor)),
    APPLICATION(
            "application",
            "applicationTag",
            "M1",
            "TAG",
            "the application that owns the job",
            text(JobSpecificationBuilder::applicationTag)),
    TAGS("tags", "tags", "M1", "TAG", "a word for queries and pauses; may be repeated"),
    CRON("cron", "schedulingSpecification", "M2", "EXPRESSION", "when it fires, such as '0 30 2 * * ?'"),
    DIALECT("dialect", "cronDialect", "T3", "DIALECT", "QUARTZ (default), UNIX or SPRING; of --cron"),
    EVERY(
            "every",
            "schedulingSpecification",
            "M2",
            "STEP",
            "fixed rate: 90m or PT90M of elapsed time, or P1D, P2W, P1M, P1Y by the calendar"),
    EVERY_AFTER_END(
            "every-after-end", "schedulingSpecification", "M2", "TIME", "fixed delay after the end of each run"),
    RRULE(
            "rrule",
            "schedulingSpecification",
            "M2",
            "RULE",
            "RFC 5545: 'DTSTART:20260131T090000 RRULE:FREQ=MONTHLY;BYDAY=-1FR', in local time"),
    FIRST(
            "first",
            "firstFire",
            "S15",
            "WHEN",
            "now: once when it is created or its schedule changes, then by the schedule; SCHEDULE (default)",
            value(FieldValues.word(FirstFire.class), JobSpecificationBuilder::firstFire)),
    SPREAD(
            "spread",
            "spread",
            "M2",
            "TIME",
            "each fire is delayed by a fraction of this, which depends on the key",
            value(Times::duration, JobSpecificationBuilder::spread)),
    AT(
            "at",
            "singleSchedule",
            "M1",
            "TIME",
            "the instant at which it fires: with offset, as wall time of the zone, or 15m from now"),
    TYPE("type", "triggerCommand", "M2", "TYPE", "registered name of the command's type"),
    TYPE_VERSION("type-version", "triggerCommand.version", "M2", "N", "version of the body's layout (default: 1)"),
    BODY("body", "triggerCommand.body", "M2", "JSON", "the command's fields as a JSON object (default: {})"),
    ID(
            "id",
            "triggerIdentifier",
            "M1",
            "TEXT",
            "the id that is passed to the helper (default: the key)",
            text(JobSpecificationBuilder::triggerIdentifier)),
    FAILURE_TYPE("failure-type", "failureCommand", "M1", "TYPE", "command for when a fire has failed for good"),
    FAILURE_VERSION("failure-type-version", "failureCommand.version", "M2", "N", "version of its body (default: 1)"),
    FAILURE_BODY("failure-body", "failureCommand.body", "M2", "JSON", "its fields as a JSON object (default: {})"),
    FAILURE_ID(
            "failure-id",
            "failureIdentifier",
            "M1",
            "TEXT",
            "the id that is passed with it",
            text(JobSpecificationBuilder::failureIdentifier)),
    ZONE(
            "zone",
            "zoneId",
            "M2",
            "ZONE",
            "zone of cron and wall times (default: this machine's)",
            text(JobSpecificationBuilder::zoneId)),
    CLOCK_CHANGES(
            "clock-changes",
            "daylightSavingPolicy",
            "M2",
            "POLICY",
            "RUN_ONCE (default), SKIP or WALL_ONCE",
            value(FieldValues.word(DaylightSavingPolicy.class), JobSpecificationBuilder::daylightSavingPolicy)),
    CALENDARS("calendars", "calendars", "M2", "NAME", "an exclusion calendar; may be repeated"),
    IGNORE_DEFAULT_CALENDAR(
            "ignore-default-calendar",
            "ignoreDefaultCalendar",
            "M2",
            "",
            "the default calendar does not apply",
            value(FieldValues::yes, JobSpecificationBuilder::ignoreDefaultCalendar)),
    CALENDAR_POLICY(
            "calendar-policy",
            "calendarPolicy",
            "C4",
            "POLICY",
            "DROP (default), NEXT_INCLUDED, FOLLOWING, PRECEDING, MODIFIED_FOLLOWING, MODIFIED_PRECEDING",
            value(FieldValues.word(CalendarPolicy.class), JobSpecificationBuilder::calendarPolicy)),
    THRESHOLD(
            "threshold",
            "lateExecutionThreshold",
            "M2",
            "TIME",
            "a later start is late, such as 30s or PT30S",
            value(Times::duration, JobSpecificationBuilder::lateExecutionThreshold)),
    MISSED(
            "missed",
            "missedFirePolicy",
            "R4",
            "POLICY",
            "SKIP, RUN_LATEST (default) or RUN_ALL(n)",
            value(FieldValues::missed, JobSpecificationBuilder::missedFirePolicy)),
    MISSED_FIRE_GRACE(
            "missed-fire-grace",
            "missedFireGrace",
            "R4",
            "TIME",
            "a fire that is late by no more than this is not missed (default: 0)",
            value(Times::duration, JobSpecificationBuilder::missedFireGrace)),
    START_DEADLINE(
            "start-deadline",
            "startDeadline",
            "S4",
            "TIME",
            "a fire starts no later than this after its time, or not at all (default: none; SKIP: 1m)",
            value(Times::duration, JobSpecificationBuilder::startDeadline)),
    RETRY(
            "retry",
            "retryPolicy",
            "R5",
            "POLICY",
            "such as R5/PT5M or PT10M,PT17M,PT20M",
            text(JobSpecificationBuilder::retryPolicy)),
    CRASH(
            "crash",
            "crashPolicy",
            "R7",
            "POLICY",
            "RERUN (default) or FAIL",
            value(FieldValues.word(CrashPolicy.class), JobSpecificationBuilder::crashPolicy)),
    TIMEOUT(
            "timeout",
            "executionTimeout",
            "M2",
            "TIME",
            "a longer run is interrupted",
            value(Times::duration, JobSpecificationBuilder::executionTimeout)),
    PRIORITY(
            "priority",
            "priority",
            "M2",
            "N",
            "0 (most urgent) to 7 (default: 4)",
            value(FieldValues::number, JobSpecificationBuilder::priority)),
    GROUP(
            "group",
            "exclusiveGroup",
            "M1",
            "NAME",
            "one job of a group runs at a time, or as many as groups put allows",
            text(JobSpecificationBuilder::exclusiveGroup)),
    START("start", "startAt", "M2", "TIME", "no fire before this moment"),
    END("end", "endAt", "M2", "TIME", "no fire after this moment"),
    MAX_FIRES(
            "max-fires",
            "maxFires",
            "M2",
            "N",
            "ends after so many fires",
            value(FieldValues::number, JobSpecificationBuilder::maxFires)),
    PAUSE_AFTER_FAILURES(
            "pause-after-failures",
            "pauseAfterFailures",
            "M2",
            "N",
            "paused after so many fires in a row that failed for good",
            value(FieldValues::number, JobSpecificationBuilder::pauseAfterFailures)),
    HISTORY(
            "history",
            "history",
            "M6",
            "WHICH",
            "rows that are kept: ALL (default) or TROUBLE",
            value(FieldValues.word(History.class), JobSpecificationBuilder::history)),
    ENTITY("entity", "processingContext.processingEntity", "M1", "TEXT", "processing context: the entity"),
    CLIENT_REQUEST(
            "client-request",
            "processingContext.clientRequestId",
            "M1",
            "TEXT",
            "processing context: the client's request"),
    UNIT_OF_WORK(
            "unit-of-work", "processingContext.unitOfWorkId", "M1", "TEXT", "processing context: the unit of work"),
    ON_SUCCESS(
            "on-success",
            "onSuccess",
            "16",
            "JSON",
            "a job that follows each successful run, with the names of a file; may be repeated"),
    ON_FAILURE(
            "on-failure",
            "onFailure",
            "16",
            "JSON",
            "a job that follows when a fire has failed for good; may be repeated");

    private final String given;
    private final String stored;
    private final String rule;
    private final String label;
    private final String help;
    private final Setter setter;

    /** Sets a field to what is given for it. */
    @FunctionalInterface
    private interface Setter {
        void set(JobField field, FieldValues values, JobSpecificationBuilder job);
    }

    JobField(String given, String stored, String rule, String label, String help) {
        this(given, stored, rule, label, help, (field, values, job) -> {});
    }

    JobField(String given, String stored, String rule, String label, String help, Setter setter) {
        this.given = given;
        this.stored = stored;
        this.rule = rule;
        this.label = label;
        this.help = help;
        this.setter = setter;
    }

    private static Setter text(BiConsumer<JobSpecificationBuilder, String> set) {
        return value(text -> text, set);
    }

    /** @param read throws IllegalArgumentException with the allowed forms */
    private static <T> Setter value(Function<String, T> read, BiConsumer<JobSpecificationBuilder, T> set) {
        return (field, values, job) -> values.take(field, read, value -> set.accept(job, value));
    }

    /** Sets the field of the job, if it is given and can be read by itself. */
    void set(JobSpecificationBuilder job, FieldValues values) {
        setter.set(this, values, job);
    }

    /** The name in a file; with two dashes, the option. Lists are named in the plural in a file. */
    String given() {
        return given;
    }

    String option() {
        return switch (this) {
            case TAGS -> "--tag";
            case CALENDARS -> "--calendar";
            default -> "--" + given;
        };
    }

    /** The option of the command line; all but flags are texts, so that all problems can be reported together. */
    OptionSpec optionSpec() {
        OptionSpec.Builder option = OptionSpec.builder(option()).description(help);
        return switch (this) {
            case IGNORE_DEFAULT_CALENDAR -> option.type(boolean.class).build();
            case TAGS, CALENDARS, ON_SUCCESS, ON_FAILURE ->
                option.paramLabel(label)
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .build();
            default -> option.paramLabel(label).type(String.class).build();
        };
    }

    String stored() {
        return stored;
    }

    String rule() {
        return rule;
    }

    static Optional<JobField> ofStored(String stored) {
        return Arrays.stream(values())
                .filter(field -> field.stored.equals(stored))
                .findFirst();
    }

    static List<String> names() {
        return Arrays.stream(values()).map(JobField::given).toList();
    }
}
