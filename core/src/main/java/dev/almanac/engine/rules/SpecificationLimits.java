package dev.almanac.engine.rules;

import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Problem;
import dev.almanac.model.Retention;
import dev.almanac.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The ranges of a specification's moments, durations and numbers (rule M2). Pure functions. */
final class SpecificationLimits {
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

    /** While one of these is wrong, it cannot be told when the job would fire. */
    private static final Set<String> TIME_FIELDS =
            Set.of("schedulingSpecification", "singleSchedule", "zoneId", "calendars", "startAt", "endAt");

    private SpecificationLimits() {}

    /** Whether the fires can be computed, with these problems. */
    static boolean hasFires(List<Problem> problems) {
        return problems.stream().noneMatch(problem -> TIME_FIELDS.contains(problem.field()));
    }

    /** What a store can keep, and arithmetic does not leave. */
    static void moments(JobSpecification given, List<Problem> problems) {
        LocalDateTime local = given.singleScheduleLocal();
        within("singleSchedule", local == null ? given.singleSchedule() : local.toInstant(ZoneOffset.UTC), problems);
        within("startAt", given.startAt(), problems);
        within("endAt", given.endAt(), problems);
    }

    private static void within(String field, @Nullable Instant value, List<Problem> problems) {
        if (value != null && (value.isBefore(EARLIEST) || value.isAfter(LATEST))) {
            problems.add(new Problem(
                    field, value.toString(), "M2", "lies outside of the years 1 to 9999; leave a bound out for none"));
        }
    }

    /** As exact as it is stored, so that equal contents stay equal; a bound includes no fire that it excluded. */
    static void inMilliseconds(JobSpecification given, JobSpecificationBuilder job) {
        Instant single = given.singleSchedule();
        if (single != null) {
            job.singleSchedule(single.truncatedTo(ChronoUnit.MILLIS));
        }
        Instant start = given.startAt();
        if (start != null) {
            job.startAt(start.plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS));
        }
        Instant end = given.endAt();
        if (end != null) {
            job.endAt(end.truncatedTo(ChronoUnit.MILLIS));
        }
    }

    /** Numbers, durations, and the order of the bounds of a recurrence. */
    static void bounds(JobSpecification job, List<Problem> problems) {
        duration("lateExecutionThreshold", job.lateExecutionThreshold(), problems);
        duration("executionTimeout", job.executionTimeout(), problems);
        retention(job.retention(), problems);
        if (job.executionTimeout() != null && job.executionTimeout().isZero()) {
            problems.add(new Problem("executionTimeout", "PT0S", "M2", "must be more than zero, or absent"));
        }
        if (job.priority() < 0 || job.priority() > 7) {
            problems.add(new Problem("priority", "" + job.priority(), "M2", "is not within 0 (most urgent) to 7"));
        }
        Integer fires = job.maxFires();
        if (fires != null && fires < 1) {
            problems.add(new Problem("maxFires", "" + fires, "M2", "must be 1 or more, or absent"));
        }
        Instant start = job.startAt();
        Instant end = job.endAt();
        if (start != null && end != null && end.isBefore(start)) {
            problems.add(new Problem("endAt", "" + end, "M2", "lies before startAt " + start));
        }
    }

    private static void retention(@Nullable Retention retention, List<Problem> problems) {
        if (retention != null) {
            duration("retention.good", retention.good(), problems);
            duration("retention.failed", retention.failed(), problems);
            duration("retention.canceled", retention.canceled(), problems);
            duration("retention.superseded", retention.superseded(), problems);
        }
    }

    private static void duration(String field, @Nullable Duration value, List<Problem> problems) {
        if (value != null && value.isNegative()) {
            problems.add(
                    new Problem(field, value.toString(), "M2", "is negative; write zero or more, or leave it out"));
        } else if (value != null && value.compareTo(RetryPolicy.LONGEST) > 0) {
            problems.add(new Problem(
                    field, value.toString(), "M2", "is longer than " + RetryPolicy.LONGEST + ", a hundred years"));
        }
    }
}
