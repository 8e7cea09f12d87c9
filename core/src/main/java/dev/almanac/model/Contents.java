package dev.almanac.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The contents of a specification as values, by which two are compared. Pure functions. */
final class Contents {
    /** The names of {@link #all}, in its order. */
    static final List<String> FIELDS = List.of(
            "jobSpecificationKey",
            "jobRequestor",
            "schedulingSpecification",
            "cronDialect",
            "singleSchedule",
            "singleScheduleLocal",
            "now",
            "triggerCommand",
            "triggerIdentifier",
            "failureCommand",
            "failureIdentifier",
            "calendars",
            "ignoreDefaultCalendar",
            "calendarPolicy",
            "zoneId",
            "daylightSavingPolicy",
            "lateExecutionThreshold",
            "missedFirePolicy",
            "retryPolicy",
            "crashPolicy",
            "executionTimeout",
            "priority",
            "exclusiveGroup",
            "startAt",
            "endAt",
            "spread",
            "missedFireGrace",
            "maxFires",
            "history",
            "retention",
            "tags",
            "applicationTag",
            "processingContext",
            "onSuccess",
            "onFailure");

    private Contents() {}

    /** What says when a job fires. */
    static List<@Nullable Object> schedule(JobSpecificationBuilder job) {
        return Arrays.asList(
                job.schedulingSpecification,
                job.cronDialect,
                job.singleSchedule,
                job.singleScheduleLocal,
                job.calendars,
                job.ignoreDefaultCalendar,
                job.calendarPolicy,
                job.zoneId,
                job.daylightSavingPolicy,
                job.startAt,
                job.endAt,
                job.spread);
    }

    /** All that users have said. */
    static List<@Nullable Object> all(JobSpecificationBuilder job) {
        List<@Nullable Object> content = new ArrayList<>(FIELDS.size());
        content.addAll(Arrays.asList(
                job.jobSpecificationKey,
                job.jobRequestor,
                job.schedulingSpecification,
                job.cronDialect,
                job.singleSchedule,
                job.singleScheduleLocal,
                job.now,
                job.triggerCommand,
                job.triggerIdentifier,
                job.failureCommand,
                job.failureIdentifier,
                job.calendars,
                job.ignoreDefaultCalendar,
                job.calendarPolicy,
                job.zoneId,
                job.daylightSavingPolicy));
        content.addAll(policies(job));
        return content;
    }

    private static List<@Nullable Object> policies(JobSpecificationBuilder job) {
        return Arrays.asList(
                job.lateExecutionThreshold,
                job.missedFirePolicy,
                job.retryPolicy,
                job.crashPolicy,
                job.executionTimeout,
                job.priority,
                job.exclusiveGroup,
                job.startAt,
                job.endAt,
                job.spread,
                job.missedFireGrace,
                job.maxFires,
                job.history,
                job.retention,
                job.tags,
                job.applicationTag,
                job.processingContext,
                job.onSuccess,
                job.onFailure);
    }
}
