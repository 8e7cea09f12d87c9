package dev.almanac.engine.rules;

import dev.almanac.model.FirstFire;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Problem;
import dev.almanac.model.Retention;
import dev.almanac.model.SpecificationField;
import dev.almanac.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds what is wrong with the numbers and durations of a specification (rule M2). Pure functions. */
final class BoundsCheck {
    private static final Duration WIDEST_SPREAD = Duration.ofDays(1);

    private BoundsCheck() {}

    /** Spread, and policies that some kinds of schedules do not allow. */
    private static void steps(JobSpecification job, List<Problem> problems) {
        Duration spread = job.spread().orElse(null);
        if (spread != null && spread.compareTo(WIDEST_SPREAD) > 0) {
            problems.add(new Problem("spread", spread.toString(), "16", "is more than a day"));
        }
        if (spread != null && (!job.isRecurring() || FirePlanner.isDelayed(job))) {
            problems.add(new Problem(
                    "spread",
                    spread.toString(),
                    "16",
                    "is for recurrences by the clock; one moment, and a delay, have none"));
        }
        if (job.firstFire() == FirstFire.NOW && !job.isRecurring()) {
            problems.add(new Problem(
                    "firstFire",
                    "NOW",
                    "S15",
                    "is for recurrences; a job that fires once, at once, is one with now()"));
        }
        if (FirePlanner.isDelayed(job) && job.missedFirePolicy().kind() == MissedFirePolicy.Kind.RUN_ALL) {
            problems.add(new Problem(
                    "missedFirePolicy",
                    job.missedFirePolicy().toString(),
                    "16",
                    "a delay after the end has one fire at a time"));
        }
    }

    /** Numbers, durations, and the order of the bounds of a recurrence. */
    static void check(JobSpecification job, List<Problem> problems) {
        for (SpecificationField field : SpecificationField.all()) {
            if (field.in(job) instanceof Duration value) {
                duration(field.name(), value, problems);
            }
        }
        if (job.startDeadline().filter(Duration::isZero).isPresent()) {
            problems.add(new Problem(
                    "startDeadline", "PT0S", "S4", "must be more than zero, since no start comes before its time"));
        }
        steps(job, problems);
        retention(job.retention().orElse(null), problems);
        if (job.executionTimeout().filter(Duration::isZero).isPresent()) {
            problems.add(new Problem("executionTimeout", "PT0S", "M2", "must be more than zero, or absent"));
        }
        if (job.priority() < 0 || job.priority() > 7) {
            problems.add(new Problem("priority", "" + job.priority(), "M2", "is not within 0 (most urgent) to 7"));
        }
        counts(job, problems);
        Instant start = job.startAt().orElse(null);
        Instant end = job.endAt().orElse(null);
        if (start != null && end != null && end.isBefore(start)) {
            problems.add(new Problem("endAt", "" + end, "M2", "lies before startAt " + start));
        }
    }

    private static void counts(JobSpecification job, List<Problem> problems) {
        Integer fires = job.maxFires().orElse(null);
        if (fires != null && fires < 1) {
            problems.add(new Problem("maxFires", "" + fires, "M2", "must be 1 or more, or absent"));
        }
        Integer failures = job.pauseAfterFailures().orElse(null);
        if (failures != null && (failures < 1 || !job.isRecurring())) {
            String rule = "must be 1 or more, of a recurring job, or absent";
            problems.add(new Problem("pauseAfterFailures", "" + failures, "M2", rule));
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

    private static void duration(String field, Duration value, List<Problem> problems) {
        if (value.isNegative()) {
            problems.add(
                    new Problem(field, value.toString(), "M2", "is negative; write zero or more, or leave it out"));
        } else if (value.compareTo(RetryPolicy.LONGEST) > 0) {
            problems.add(new Problem(
                    field, value.toString(), "M2", "is longer than " + RetryPolicy.LONGEST + ", a hundred years"));
        }
    }
}
