package dev.almanac.console.jobs;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What can be said of a job: as an option of {@code jobs schedule}, in a file, and as it is stored. */
enum JobField {
    KEY("key", "jobSpecificationKey", "M1"),
    REQUESTOR("requestor", "jobRequestor", "M1"),
    APPLICATION("application", "applicationTag", "M1"),
    TAGS("tags", "tags", "M1"),
    CRON("cron", "schedulingSpecification", "M2"),
    DIALECT("dialect", "cronDialect", "T3"),
    EVERY("every", "schedulingSpecification", "M2"),
    EVERY_AFTER_END("every-after-end", "schedulingSpecification", "M2"),
    RRULE("rrule", "schedulingSpecification", "M2"),
    SPREAD("spread", "spread", "M2"),
    AT("at", "singleSchedule", "M1"),
    TYPE("type", "triggerCommand", "M2"),
    TYPE_VERSION("type-version", "triggerCommand.version", "M2"),
    BODY("body", "triggerCommand.body", "M2"),
    ID("id", "triggerIdentifier", "M1"),
    FAILURE_TYPE("failure-type", "failureCommand", "M1"),
    FAILURE_VERSION("failure-type-version", "failureCommand.version", "M2"),
    FAILURE_BODY("failure-body", "failureCommand.body", "M2"),
    FAILURE_ID("failure-id", "failureIdentifier", "M1"),
    ZONE("zone", "zoneId", "M2"),
    CLOCK_CHANGES("clock-changes", "daylightSavingPolicy", "M2"),
    CALENDARS("calendars", "calendars", "M2"),
    IGNORE_DEFAULT_CALENDAR("ignore-default-calendar", "ignoreDefaultCalendar", "M2"),
    CALENDAR_POLICY("calendar-policy", "calendarPolicy", "C4"),
    THRESHOLD("threshold", "lateExecutionThreshold", "M2"),
    MISSED("missed", "missedFirePolicy", "R4"),
    MISSED_FIRE_GRACE("missed-fire-grace", "missedFireGrace", "R4"),
    RETRY("retry", "retryPolicy", "R5"),
    CRASH("crash", "crashPolicy", "R7"),
    TIMEOUT("timeout", "executionTimeout", "M2"),
    PRIORITY("priority", "priority", "M2"),
    GROUP("group", "exclusiveGroup", "M1"),
    START("start", "startAt", "M2"),
    END("end", "endAt", "M2"),
    MAX_FIRES("max-fires", "maxFires", "M2"),
    PAUSE_AFTER_FAILURES("pause-after-failures", "pauseAfterFailures", "M2"),
    HISTORY("history", "history", "M6"),
    ENTITY("entity", "processingContext.processingEntity", "M1"),
    CLIENT_REQUEST("client-request", "processingContext.clientRequestId", "M1"),
    UNIT_OF_WORK("unit-of-work", "processingContext.unitOfWorkId", "M1"),
    ON_SUCCESS("on-success", "onSuccess", "16"),
    ON_FAILURE("on-failure", "onFailure", "16");

    private final String given;
    private final String stored;
    private final String rule;

    JobField(String given, String stored, String rule) {
        this.given = given;
        this.stored = stored;
        this.rule = rule;
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
