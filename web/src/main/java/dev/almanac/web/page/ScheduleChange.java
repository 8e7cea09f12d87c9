package dev.almanac.web.page;

import dev.almanac.Scheduler;
import dev.almanac.model.FirstFire;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.store.FirePlan;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CronDialect;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.time.FirePreview;
import dev.almanac.web.text.ScheduleWords;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
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
        /** @param atOnce the fire that the change itself asks for; absent if it asks for none */
        private static Side of(
                StoredJob stored, Map<String, ExclusionCalendar> calendars, Instant now, @Nullable Instant atOnce) {
            JobSpecification job = stored.specification();
            String words = ScheduleWords.of(job);
            String zone = job.zoneId().getId();
            try {
                Stream<Instant> planned = Scheduler.previewFireTimes(stored, calendars, now, now, ROWS).stream()
                        .map(FirePreview::fireTime)
                        .filter(Objects::nonNull)
                        // a fixed delay is counted from the end of the fire before
                        .filter(fire -> atOnce == null || job.cronDialect() != CronDialect.EVERY_AFTER_END);
                List<Instant> fires = Stream.concat(Stream.ofNullable(atOnce), planned)
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
        Side before = Side.of(job, calendars, now, null);
        try {
            JobSpecificationBuilder edited = job.specification().toBuilder();
            edit.accept(edited);
            StoredJob planned = edited(job, edited.build(), now);
            Side after =
                    Side.of(planned, calendars, now, now.equals(planned.plan().carried()) ? now : null);
            return new ScheduleChange(before, after.equals(before) ? null : after);
        } catch (IllegalArgumentException | InvalidJobException refused) {
            return new ScheduleChange(before, null);
        }
    }

    /** Another schedule plans anew; what has ended, or is running, counts for {@code maxFires} all the same. */
    private static StoredJob edited(StoredJob job, JobSpecification edited, Instant now) {
        JobSpecification given = Scheduler.asChanged(edited, job.specification(), now);
        if (given.hasSameSchedule(job.specification())) {
            return job.with(edit -> edit.specification(given));
        }
        long ended = job.plan().firesEnded() + (job.isInProgress() ? 1 : 0);
        boolean atOnce = given.isRecurring()
                && given.firstFire() == FirstFire.NOW
                && given.maxFires().orElse(Integer.MAX_VALUE) > ended;
        FirePlan plan = FirePlan.first(null, null, null).firesEnded(ended, null);
        return job.with(edit -> edit.specification(given).plan(atOnce ? plan.carry(now, null, now) : plan));
    }
}
