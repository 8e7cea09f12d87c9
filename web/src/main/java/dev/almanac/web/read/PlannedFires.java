package dev.almanac.web.read;

import dev.almanac.Scheduler;
import dev.almanac.model.JobSpecification;
import dev.almanac.store.DueCounts;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CronDialect;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.time.FirePreview;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The fires to come within a span: the next one of each job, as it is stored, and those that follow it of the recurring
 * jobs that are due first.
 *
 * @param slices those with fires, in no particular order
 * @param oneOf 1 if the next fires of all jobs were counted; otherwise those of one partition of so many were
 * @param more whether counting the next fires ended at its limit
 * @param rest whether there are further jobs, of which only the next fire is among these
 * @param unknown of how many jobs only the next fire is among these, since a calendar is not known here, or fails
 */
public record PlannedFires(List<Slice> slices, int oneOf, boolean more, boolean rest, int unknown) {
    static final int MOST_JOBS = 200;

    /** One each five minutes for a day; of a job that fires more often, the others are looked for slice by slice. */
    private static final int MOST_ROWS = 300;

    private static final int LOOK = 3;

    /** Nothing, such as of a day that is over. */
    static final PlannedFires NONE = new PlannedFires(List.of(), 1, false, false, 0);

    /** Copies the list. */
    public PlannedFires {
        slices = List.copyOf(slices);
    }

    /**
     * One command type within one slice.
     *
     * @param start where the slice begins
     * @param next how many jobs have their next fire in it
     * @param further how many fires in it follow the next one of their job
     * @param more whether there are more further ones
     */
    public record Slice(String type, Instant start, long next, long further, boolean more) {}

    /**
     * @param next the next fires of jobs from the present slice on, by slice
     * @param first the jobs that are due first
     * @param from where the first slice begins
     */
    static PlannedFires of(
            DueCounts next,
            List<StoredJob> first,
            Map<String, ExclusionCalendar> calendars,
            Instant now,
            Instant from,
            Instant until,
            Duration slice) {
        List<Slice> slices = new ArrayList<>();
        next.slices().stream()
                .filter(due -> !due.start().isBefore(from) && due.start().isBefore(until))
                .map(due -> new Slice(due.type(), due.start(), due.jobs(), 0, false))
                .forEach(slices::add);
        int unknown = 0;
        for (StoredJob job : first.subList(0, Math.min(first.size(), MOST_JOBS))) {
            try {
                slices.addAll(further(job, calendars, now, begin(job, now, from), from, until, slice));
            } catch (IllegalArgumentException notKnownHere) {
                unknown++;
            }
        }
        // a store reads fewer of large jobs; those of before the present slice are not among the next ones
        Instant present = present(now, from, slice);
        long read = first.stream()
                .filter(job -> job.due() != null && !job.due().isBefore(present))
                .count();
        boolean rest = first.size() > MOST_JOBS || read < next.jobs();
        return new PlannedFires(slices, next.oneOf(), next.more(), rest, unknown);
    }

    /** Where the slice of now begins, which is before all others if they are those of another day. */
    static Instant present(Instant now, Instant from, Duration slice) {
        return from.plus(
                slice.multipliedBy(Math.floorDiv(Duration.between(from, now).toMillis(), slice.toMillis())));
    }

    /** The moment after which fires follow the one that is counted as the next. */
    private static Instant begin(StoredJob job, Instant now, Instant from) {
        return Stream.of(
                        now,
                        from.minusMillis(1),
                        job.lease() == null ? job.plan().nextFireTime() : now)
                .filter(Objects::nonNull)
                .max(Instant::compareTo)
                .orElse(now);
    }

    private static List<Slice> further(
            StoredJob job,
            Map<String, ExclusionCalendar> calendars,
            Instant now,
            Instant after,
            Instant from,
            Instant until,
            Duration slice) {
        JobSpecification specification = job.specification();
        if (!specification.isRecurring() || specification.cronDialect() == CronDialect.EVERY_AFTER_END) {
            return List.of();
        }
        List<FirePreview> rows = Scheduler.previewFireTimes(job, calendars, now, after, MOST_ROWS);
        Map<Long, Long> counts = new HashMap<>();
        rows.stream()
                .map(FirePreview::fireTime)
                .filter(Objects::nonNull)
                .filter(fire -> fire.isBefore(until))
                .forEach(fire -> counts.merge(Duration.between(from, fire).dividedBy(slice), 1L, Long::sum));
        boolean cut = rows.size() == MOST_ROWS;
        long last = cut
                ? Duration.between(from, rows.get(MOST_ROWS - 1).nominalTime()).dividedBy(slice)
                : Long.MAX_VALUE;
        for (long number = last + 1;
                cut && from.plus(slice.multipliedBy(number)).isBefore(until);
                number++) {
            Instant start = from.plus(slice.multipliedBy(number));
            boolean fires = Scheduler.previewFireTimes(job, calendars, now, start.minusMillis(1), LOOK).stream()
                    .map(FirePreview::fireTime)
                    .anyMatch(fire -> fire != null && fire.isBefore(start.plus(slice)));
            if (fires) {
                counts.put(number, 1L);
            }
        }
        String type = job.command().type();
        return counts.entrySet().stream()
                .map(count -> new Slice(
                        type,
                        from.plus(slice.multipliedBy(count.getKey())),
                        0,
                        count.getValue(),
                        count.getKey() >= last))
                .toList();
    }
}
