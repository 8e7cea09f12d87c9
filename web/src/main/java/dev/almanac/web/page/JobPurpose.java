package dev.almanac.web.page;

import dev.almanac.model.JobSpecification;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CronDialect;
import dev.almanac.web.text.Clock;
import dev.almanac.web.text.ScheduleWords;
import dev.almanac.web.text.VisibleText;
import java.time.Instant;

/** What a job does and when, in one sentence. */
final class JobPurpose {
    private static final int LONGEST = 100;

    private JobPurpose() {}

    /** @param payloads whether this viewer may see for whom it runs */
    static String of(StoredJob job, boolean payloads, Clock clock) {
        JobSpecification specification = job.specification();
        String what =
                job.command().type() + (payloads ? " for " + VisibleText.cut(job.commandIdentifier(), LONGEST) : "");
        Instant once = specification.singleSchedule().orElse(null);
        String when = once == null ? ScheduleWords.of(specification) : "once, at " + clock.at(once);
        boolean byWall = specification.isRecurring() && specification.cronDialect() != CronDialect.EVERY_AFTER_END;
        String zone = byWall && specification.zoneId() != null ? " (" + specification.zoneId() + ")" : "";
        return "Runs " + what + " " + when + zone + calendars(specification) + ".";
    }

    private static String calendars(JobSpecification job) {
        if (job.calendars().isEmpty()) {
            return "";
        }
        String by = String.join(" or ", job.calendars());
        return switch (job.calendarPolicy()) {
            case DROP -> ", not at times that " + by + " excludes";
            case NEXT_INCLUDED -> "; a time that " + by + " excludes moves to the next one that is included";
            case FOLLOWING -> "; a day that " + by + " excludes moves to the next business day";
            case PRECEDING -> "; a day that " + by + " excludes moves to the business day before";
            case MODIFIED_FOLLOWING ->
                "; a day that " + by + " excludes moves to the next business day, within its month";
            case MODIFIED_PRECEDING ->
                "; a day that " + by + " excludes moves to the business day before, within its month";
        };
    }
}
