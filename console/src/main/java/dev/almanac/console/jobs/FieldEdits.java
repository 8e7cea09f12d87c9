package dev.almanac.console.jobs;

import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.time.CronDialect;
import java.time.Instant;
import java.util.Set;

/** Takes single fields of a job over from another. */
final class FieldEdits {
    private FieldEdits() {}

    /** @param named the fields to take over, by the names in which they are given */
    static void apply(JobSpecificationBuilder job, JobSpecification from, Set<String> named) {
        for (JobField field : JobField.values()) {
            if (named.contains(field.given())) {
                who(field, job, from);
                when(field, job, from);
                how(field, job, from);
            }
        }
    }

    private static void who(JobField field, JobSpecificationBuilder job, JobSpecification from) {
        switch (field) {
            case REQUESTOR -> job.jobRequestor(from.jobRequestor());
            case APPLICATION -> job.applicationTag(from.applicationTag());
            case TAGS -> job.tags(from.tags());
            case TYPE, TYPE_VERSION, BODY -> job.triggerCommand(from.triggerCommand());
            case ID -> job.triggerIdentifier(from.triggerIdentifier());
            case FAILURE_TYPE, FAILURE_VERSION, FAILURE_BODY -> job.failureCommand(from.failureCommand());
            case FAILURE_ID -> job.failureIdentifier(from.failureIdentifier());
            case ENTITY, CLIENT_REQUEST, UNIT_OF_WORK -> job.processingContext(from.processingContext());
            default -> {}
        }
    }

    private static void when(JobField field, JobSpecificationBuilder job, JobSpecification from) {
        switch (field) {
            case CRON, EVERY, EVERY_AFTER_END, RRULE -> recurrence(field, job, from);
            case SPREAD -> job.spread(from.spread());
            case DIALECT -> job.cronDialect(from.cronDialect());
            case AT -> at(job, from);
            case ZONE -> job.zoneId(from.zoneId());
            case CLOCK_CHANGES -> job.daylightSavingPolicy(from.daylightSavingPolicy());
            case CALENDARS -> job.calendars(from.calendars());
            case IGNORE_DEFAULT_CALENDAR -> job.ignoreDefaultCalendar(from.ignoreDefaultCalendar());
            case CALENDAR_POLICY -> job.calendarPolicy(from.calendarPolicy());
            case START -> job.startAt(from.startAt());
            case END -> job.endAt(from.endAt());
            case MAX_FIRES -> job.maxFires(from.maxFires());
            default -> {}
        }
    }

    /** A cron expression is of the dialect that the job has, if that is one of cron. */
    private static void recurrence(JobField field, JobSpecificationBuilder job, JobSpecification from) {
        CronDialect present = job.build().cronDialect();
        boolean kept = field == JobField.CRON && present.isCron();
        job.schedulingSpecification(from.schedulingSpecification()).singleSchedule((Instant) null);
        job.cronDialect(kept ? present : from.cronDialect());
    }

    private static void at(JobSpecificationBuilder job, JobSpecification from) {
        job.schedulingSpecification(null).cronDialect(null);
        if (from.singleScheduleLocal() == null) {
            job.singleSchedule(from.singleSchedule());
        } else {
            job.singleSchedule(from.singleScheduleLocal());
        }
    }

    private static void how(JobField field, JobSpecificationBuilder job, JobSpecification from) {
        switch (field) {
            case THRESHOLD -> job.lateExecutionThreshold(from.lateExecutionThreshold());
            case MISSED_FIRE_GRACE -> job.missedFireGrace(from.missedFireGrace());
            case MISSED -> job.missedFirePolicy(from.missedFirePolicy());
            case RETRY -> job.retryPolicy(from.retryPolicy());
            case CRASH -> job.crashPolicy(from.crashPolicy());
            case TIMEOUT -> job.executionTimeout(from.executionTimeout());
            case PRIORITY -> job.priority(from.priority());
            case GROUP -> job.exclusiveGroup(from.exclusiveGroup());
            case ON_SUCCESS -> job.onSuccess(from.onSuccess().toArray(JobSpecification[]::new));
            case ON_FAILURE -> job.onFailure(from.onFailure().toArray(JobSpecification[]::new));
            case PAUSE_AFTER_FAILURES -> job.pauseAfterFailures(from.pauseAfterFailures());
            case HISTORY -> job.history(from.history());
            default -> {}
        }
    }
}
