package dev.almanac.console.jobs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that describe a job. All are texts, so that everything that is wrong with them can be told at once. */
final class ScheduleOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--key", paramLabel = "KEY", description = "unique among live jobs")
    private @Nullable String key;

    @Option(names = "--requestor", paramLabel = "ID", description = "who asks for the job")
    private @Nullable String requestor;

    @Option(names = "--application", paramLabel = "TAG", description = "the application that owns the job")
    private @Nullable String application;

    @Option(names = "--tag", paramLabel = "TAG", description = "a word for queries and pauses; may be repeated")
    private @Nullable List<String> tags;

    @Option(names = "--cron", paramLabel = "EXPRESSION", description = "when it fires, such as '0 30 2 * * ?'")
    private @Nullable String cron;

    @Option(names = "--dialect", paramLabel = "DIALECT", description = "QUARTZ (default) or UNIX; of --cron")
    private @Nullable String dialect;

    @Option(
            names = "--every",
            paramLabel = "STEP",
            description = "fixed rate: 90m or PT90M of elapsed time, or P1D, P2W, P1M, P1Y by the calendar")
    private @Nullable String every;

    @Option(names = "--every-after-end", paramLabel = "TIME", description = "fixed delay after the end of each run")
    private @Nullable String everyAfterEnd;

    @Option(
            names = "--rrule",
            paramLabel = "RULE",
            description = "RFC 5545: 'DTSTART:20260131T090000 RRULE:FREQ=MONTHLY;BYDAY=-1FR', in local time")
    private @Nullable String rrule;

    @Option(
            names = "--spread",
            paramLabel = "TIME",
            description = "each fire comes later by the same part of this, which the key decides")
    private @Nullable String spread;

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "the one moment at which it fires: with offset, as wall time of the zone, or 15m from now")
    private @Nullable String at;

    @Option(names = "--type", paramLabel = "TYPE", description = "registered name of the command's type")
    private @Nullable String type;

    @Option(names = "--type-version", paramLabel = "N", description = "version of the body's layout (default: 1)")
    private @Nullable String typeVersion;

    @Option(names = "--body", paramLabel = "JSON", description = "the command's fields as a JSON object (default: {})")
    private @Nullable String body;

    @Option(names = "--id", paramLabel = "TEXT", description = "the id that is handed to the helper (default: the key)")
    private @Nullable String id;

    @Option(names = "--failure-type", paramLabel = "TYPE", description = "command for when a fire has failed for good")
    private @Nullable String failureType;

    @Option(names = "--failure-type-version", paramLabel = "N", description = "version of its body (default: 1)")
    private @Nullable String failureVersion;

    @Option(names = "--failure-body", paramLabel = "JSON", description = "its fields as a JSON object (default: {})")
    private @Nullable String failureBody;

    @Option(names = "--failure-id", paramLabel = "TEXT", description = "the id that is handed over with it")
    private @Nullable String failureId;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            description = "zone of cron and wall times (default: this machine's)")
    private @Nullable String zone;

    @Option(names = "--clock-changes", paramLabel = "POLICY", description = "RUN_ONCE (default), SKIP or WALL_ONCE")
    private @Nullable String clockChanges;

    @Option(names = "--calendar", paramLabel = "NAME", description = "an exclusion calendar; may be repeated")
    private @Nullable List<String> calendars;

    @Option(names = "--ignore-default-calendar", description = "the default calendar does not apply")
    private boolean ignoreDefaultCalendar;

    @Option(
            names = "--calendar-policy",
            paramLabel = "POLICY",
            description = "DROP (default), NEXT_INCLUDED, FOLLOWING, PRECEDING, MODIFIED_FOLLOWING, MODIFIED_PRECEDING")
    private @Nullable String calendarPolicy;

    @Option(names = "--threshold", paramLabel = "TIME", description = "a later start is late, such as 30s or PT30S")
    private @Nullable String threshold;

    @Option(names = "--missed", paramLabel = "POLICY", description = "SKIP, RUN_LATEST (default) or RUN_ALL(n)")
    private @Nullable String missed;

    @Option(
            names = "--missed-fire-grace",
            paramLabel = "TIME",
            description = "a fire that has passed by no more is on time for --missed (default: 0)")
    private @Nullable String missedFireGrace;

    @Option(names = "--retry", paramLabel = "POLICY", description = "such as R5/PT5M or PT10M,PT17M,PT20M")
    private @Nullable String retry;

    @Option(names = "--crash", paramLabel = "POLICY", description = "RERUN (default) or FAIL")
    private @Nullable String crash;

    @Option(names = "--timeout", paramLabel = "TIME", description = "a longer run is interrupted")
    private @Nullable String timeout;

    @Option(names = "--priority", paramLabel = "N", description = "0 (most urgent) to 7 (default: 4)")
    private @Nullable String priority;

    @Option(names = "--group", paramLabel = "NAME", description = "one job of a group runs at a time")
    private @Nullable String group;

    @Option(names = "--start", paramLabel = "TIME", description = "no fire before this moment")
    private @Nullable String start;

    @Option(names = "--end", paramLabel = "TIME", description = "no fire after this moment")
    private @Nullable String end;

    @Option(names = "--max-fires", paramLabel = "N", description = "ends after so many fires")
    private @Nullable String maxFires;

    @Option(
            names = "--pause-after-failures",
            paramLabel = "N",
            description = "paused after so many fires in a row that failed for good")
    private @Nullable String pauseAfterFailures;

    @Option(names = "--history", paramLabel = "WHICH", description = "rows that are kept: ALL (default) or TROUBLE")
    private @Nullable String history;

    @Option(names = "--entity", paramLabel = "TEXT", description = "processing context: the entity")
    private @Nullable String entity;

    @Option(names = "--client-request", paramLabel = "TEXT", description = "processing context: the client's request")
    private @Nullable String clientRequest;

    @Option(names = "--unit-of-work", paramLabel = "TEXT", description = "processing context: the unit of work")
    private @Nullable String unitOfWork;

    @Option(
            names = "--on-success",
            paramLabel = "JSON",
            description = "a job that follows each good run, with the names of a file; may be repeated")
    private @Nullable List<String> onSuccess;

    @Option(
            names = "--on-failure",
            paramLabel = "JSON",
            description = "a job that follows when a fire has failed for good; may be repeated")
    private @Nullable List<String> onFailure;

    /** What was given, by the names that {@link JobReader} reads. */
    Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        for (JobField field : JobField.values()) {
            OptionSpec option = spec.findOption(field.option());
            Object value = option == null ? null : option.getValue();
            if (value != null && !Boolean.FALSE.equals(value)) {
                values.put(field.given(), value);
            }
        }
        return values;
    }
}
