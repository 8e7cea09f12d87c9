package dev.almanac.web.page;

import dev.almanac.Scheduler;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.store.FirePlan;
import dev.almanac.store.StoredJob;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.time.FirePreview;
import dev.almanac.web.text.ScheduleWords;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The schedule of a job, and what an edit would make of it.
 *
 * @param after absent if the edit leaves it as it is, or cannot be made
 */
record ScheduleChange(Side before, @Nullable Side after) {
    private static final int FIRES = 5;
    /** A calendar may exclude most of the planned times. */
    private static final int ROWS = 500;

    /**
     * A schedule.
     *
     * @param words when the job fires
     * @param zone of these words
     * @param fires the next five; fewer if no more are planned, or known here
     * @param unknown why they are not known here; absent if they are
     */
    record Side(
            String words,
            String zone,
            List<Instant> fires,
            @Nullable String unknown) {
        private static Side of(StoredJob stored, Map<String, ExclusionCalendar> calendars, Instant now) {
            JobSpecification job = stored.specification();
            String words = ScheduleWords.of(job);
            String zone = job.zoneId().getId();
            try {
                List<Instant> fires = Scheduler.previewFireTimes(stored, calendars, now, now, ROWS).stream()
                        .map(FirePreview::fireTime)
                        .filter(Objects::nonNull)
                        .limit(FIRES)
                        .toList();
                return new Side(words, zone, fires, null);
            } catch (IllegalArgumentException unknownCalendar) {
                return new Side(words, zone, List.of(), unknownCalendar.getMessage());
            }
        }
    }

    static ScheduleChange of(
            StoredJob job,
            Consumer<JobSpecificationBuilder> edit,
            Map<String, ExclusionCalendar> calendars,
            Instant now) {
        Side before = Side.of(job, calendars, now);
        try {
            JobSpecificationBuilder edited = job.specification().toBuilder();
            edit.accept(edited);
            Side after = Side.of(edited(job, edited.build()), calendars, now);
            return new ScheduleChange(before, after.equals(before) ? null : after);
        } catch (IllegalArgumentException | InvalidJobException refused) {
            return new ScheduleChange(before, null);
        }
    }

    /** Another schedule plans anew; what has ended, or is running, counts for {@code maxFires} all the same. */
    private static StoredJob edited(StoredJob job, JobSpecification given) {
        FirePlan plan = given.hasSameSchedule(job.specification())
                ? job.plan()
                : FirePlan.first(null, null, null)
                        .firesEnded(job.plan().firesEnded() + (job.lease() == null ? 0 : 1), null);
        return job.with(edit -> edit.specification(given).plan(plan));
    }
}
