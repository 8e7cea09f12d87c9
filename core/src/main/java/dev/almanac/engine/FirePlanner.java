package dev.almanac.engine;

import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFires;
import dev.almanac.store.FirePlan;
import dev.almanac.time.CronExpression;
import dev.almanac.time.DaylightSavingPolicy;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.time.FirePreview;
import dev.almanac.time.LocalMoments;
import dev.almanac.time.PlannedFire;
import dev.almanac.time.Recurrence;
import dev.almanac.time.ZoneRulesVersion;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Computes the fires of a specification. Pure: the same specification and calendars give the same fires. Parsed
 * expressions are kept, since jobs share few of them.
 */
final class FirePlanner {
    private static final int MOST_PARSED = 10_000;
    private static final int MOST_COUNTED = 10_000;

    private final Map<String, ExclusionCalendar> calendars;
    private final Map<String, CronExpression> parsed = new ConcurrentHashMap<>();

    FirePlanner(Map<String, ExclusionCalendar> calendars) {
        this.calendars = calendars;
    }

    /** The calendars of the specification that this node does not know. */
    List<String> unknownCalendars(JobSpecification job) {
        return job.calendars().stream()
                .filter(name -> !calendars.containsKey(name))
                .toList();
    }

    /** All calendars that this node knows. */
    Set<String> calendarNames() {
        return new TreeSet<>(calendars.keySet());
    }

    /** The instant of a wall time, by the sentence of SPEC 4.2. */
    Instant resolve(LocalDateTime local, ZoneId zone, DaylightSavingPolicy policy) {
        return LocalMoments.resolve(local, zone, policy);
    }

    /** The first fire after a moment; for a one-off its single moment, passed or not. */
    Optional<PlannedFire> first(JobSpecification job, Instant after) {
        Instant single = job.singleSchedule();
        return single != null ? Optional.of(new PlannedFire(single, null)) : next(job, after);
    }

    /** The next fire of a recurrence strictly after a moment; never one for a one-off. */
    Optional<PlannedFire> next(JobSpecification job, Instant after) {
        return job.isRecurring() ? recurrence(job).next(after) : Optional.empty();
    }

    /** The fires from {@code first} to {@code now}, both included; {@code first} is a planned fire that has passed. */
    MissedFires passed(JobSpecification job, Instant first, Instant now) {
        Recurrence recurrence = recurrence(job);
        Instant newest = recurrence
                .previous(now.plusMillis(1))
                .map(PlannedFire::fireTime)
                .filter(t -> t.isAfter(first))
                .orElse(first);
        long count = 1;
        Instant at = first;
        while (at.isBefore(newest) && count < MOST_COUNTED) {
            at = recurrence.next(at).map(PlannedFire::fireTime).orElse(newest);
            count++;
        }
        return new MissedFires(first, newest, count, at.isBefore(newest));
    }

    /** The fire that lies so many fires before {@code newest}. */
    PlannedFire before(JobSpecification job, Instant newest, long steps) {
        Recurrence recurrence = recurrence(job);
        PlannedFire at = new PlannedFire(newest, null);
        for (long i = 0; i < steps; i++) {
            at = recurrence.previous(at.fireTime()).orElse(at);
        }
        return at;
    }

    /** Whether the job's calendars, as they are now, include a fire that was planned earlier. */
    boolean isIncluded(JobSpecification job, Instant fireTime) {
        ZoneId zone = zone(job);
        return job.calendars().stream().allMatch(name -> calendar(name).isIncluded(fireTime, zone));
    }

    /** The job's calendars that exclude an instant; all that the job names must be known. */
    List<String> excluding(JobSpecification job, Instant at) {
        ZoneId zone = zone(job);
        return job.calendars().stream()
                .filter(name -> !calendar(name).isIncluded(at, zone))
                .toList();
    }

    /** The nominal fires of a recurrence after a moment, each with what becomes of it; at most so many. */
    List<FirePreview> preview(JobSpecification job, Instant after, int rows) {
        return recurrence(job).preview(after, rows);
    }

    /** The plan that holds a fire, or none. */
    FirePlan plan(JobSpecification job, FirePlan before, Optional<PlannedFire> fire) {
        return before.moveTo(
                fire.map(PlannedFire::fireTime).orElse(null),
                fire.map(PlannedFire::nominalFireTime).orElse(null),
                ZoneRulesVersion.of(zone(job)));
    }

    private Recurrence recurrence(JobSpecification job) {
        List<ExclusionCalendar> chain = new ArrayList<>();
        job.calendars().forEach(name -> chain.add(calendar(name)));
        return new Recurrence(
                cron(job),
                zone(job),
                job.daylightSavingPolicy(),
                chain,
                job.calendarPolicy(),
                job.startAt(),
                job.endAt());
    }

    private ExclusionCalendar calendar(String name) {
        ExclusionCalendar calendar = calendars.get(name);
        if (calendar == null) {
            throw new IllegalArgumentException("calendar '" + name + "' is not known to this node");
        }
        return calendar;
    }

    private CronExpression cron(JobSpecification job) {
        String text = Objects.requireNonNull(job.schedulingSpecification());
        if (parsed.size() > MOST_PARSED) {
            parsed.clear();
        }
        return parsed.computeIfAbsent(
                job.cronDialect() + " " + text, key -> CronExpression.parse(text, job.cronDialect()));
    }

    private static ZoneId zone(JobSpecification job) {
        return Objects.requireNonNull(job.zoneId(), "a stored job has a zone");
    }
}
