package dev.almanac.model;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The contents of a specification as values, by which two are compared. Pure functions. */
final class Contents {
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

    /** All that users have said, by the names of the fields, in their order. */
    static Map<String, @Nullable Object> all(JobSpecificationBuilder job) {
        Map<String, @Nullable Object> content = new LinkedHashMap<>();
        content.put("jobSpecificationKey", job.jobSpecificationKey);
        content.put("jobRequestor", job.jobRequestor);
        content.put("schedulingSpecification", job.schedulingSpecification);
        content.put("cronDialect", job.cronDialect);
        content.put("singleSchedule", job.singleSchedule);
        content.put("singleScheduleLocal", job.singleScheduleLocal);
        content.put("now", job.now);
        content.put("triggerCommand", job.triggerCommand);
        content.put("triggerIdentifier", job.triggerIdentifier);
        content.put("failureCommand", job.failureCommand);
        content.put("failureIdentifier", job.failureIdentifier);
        content.put("calendars", job.calendars);
        content.put("ignoreDefaultCalendar", job.ignoreDefaultCalendar);
        content.put("calendarPolicy", job.calendarPolicy);
        content.put("zoneId", job.zoneId);
        content.put("daylightSavingPolicy", job.daylightSavingPolicy);
        putPolicies(content, job);
        return content;
    }

    private static void putPolicies(Map<String, @Nullable Object> content, JobSpecificationBuilder job) {
        content.put("lateExecutionThreshold", job.lateExecutionThreshold);
        content.put("missedFirePolicy", job.missedFirePolicy);
        content.put("retryPolicy", job.retryPolicy);
        content.put("crashPolicy", job.crashPolicy);
        content.put("executionTimeout", job.executionTimeout);
        content.put("priority", job.priority);
        content.put("exclusiveGroup", job.exclusiveGroup);
        content.put("startAt", job.startAt);
        content.put("endAt", job.endAt);
        content.put("spread", job.spread);
        content.put("missedFireGrace", job.missedFireGrace);
        content.put("maxFires", job.maxFires);
        content.put("pauseAfterFailures", job.pauseAfterFailures);
        content.put("history", job.history);
        content.put("retention", job.retention);
        content.put("tags", job.tags);
        content.put("applicationTag", job.applicationTag);
        content.put("processingContext", job.processingContext);
        content.put("onSuccess", job.onSuccess);
        content.put("onFailure", job.onFailure);
    }
}
