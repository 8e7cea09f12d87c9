package dev.almanac.engine.rules;

import dev.almanac.model.JobSpecification;
import dev.almanac.time.CronDialect;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** From when the steps of a schedule are counted. Pure functions. */
final class Anchors {
    private Anchors() {}

    /** With the moment from which its steps are counted: the stored one as long as they stay the same. */
    static JobSpecification anchored(JobSpecification job, Instant now, @Nullable JobSpecification stored) {
        CronDialect dialect = job.cronDialect();
        if (!job.isRecurring() || dialect != CronDialect.EVERY && dialect != CronDialect.EVERY_AFTER_END) {
            return job.toBuilder().anchor(null).build();
        }
        boolean kept = stored != null && stored.anchor() != null && hasSameSteps(job, stored);
        return job.toBuilder().anchor(kept ? stored.anchor() : anchor(job, now)).build();
    }

    private static boolean hasSameSteps(JobSpecification job, JobSpecification stored) {
        return FirePlanner.isDelayed(job)
                ? job.hasSameSchedule(stored)
                : Objects.equals(job.schedulingSpecification(), stored.schedulingSpecification())
                        && job.cronDialect() == stored.cronDialect()
                        && Objects.equals(job.startAt(), stored.startAt());
    }

    /** The first fire of a fixed rate; for a fixed delay, so that none lies before {@code startAt}. */
    private static Instant anchor(JobSpecification job, Instant now) {
        Instant start = job.startAt();
        if (!FirePlanner.isDelayed(job)) {
            return start == null ? now.truncatedTo(ChronoUnit.SECONDS) : start;
        }
        try {
            Instant first =
                    start == null ? now : start.minus(Duration.parse(String.valueOf(job.schedulingSpecification())));
            return first.isAfter(now) ? first : now.truncatedTo(ChronoUnit.MILLIS);
        } catch (DateTimeException notRead) {
            return now;
        }
    }
}
