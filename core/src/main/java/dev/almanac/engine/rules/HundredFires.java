package dev.almanac.engine.rules;

import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.DaylightSavingPolicy;
import dev.almanac.time.PlannedFire;
import dev.almanac.time.Recurrence;
import dev.almanac.time.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;

/**
 * The longest time that a hundred fires in a row of a schedule take (rule S22): so long its rows are kept, so that each fire of
 * that time can be accounted for. Neither zone nor calendars count, and neither does the present time: rows that were written
 * earlier were kept for as long. Pure functions.
 */
final class HundredFires {
    static final Duration LEAST = Duration.ofDays(1);
    static final Duration MOST = Duration.ofDays(35);

    private static final int FIRES = 100;
    /** A moment like any other; a schedule that begins later is measured from its first fire. */
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    /** A year has each quiet time of a schedule, but for those of leap years. */
    private static final int BEGINNINGS = 366 * 24;

    private static final int MOST_HOURS = (int) MOST.toHours();

    private final Recurrence fires;
    private final Instant first;
    /** Of each hour, at most a hundred; a negative one is not counted yet. */
    private final long[] counts = new long[BEGINNINGS + MOST_HOURS];

    private HundredFires(Recurrence fires, Instant first) {
        this.fires = fires;
        this.first = first.truncatedTo(ChronoUnit.HOURS);
        Arrays.fill(counts, -1);
    }

    /** @param schedule that names times; the answer is rounded up to hours */
    static Duration of(Schedule schedule) {
        Recurrence fires = new Recurrence(
                schedule, ZoneOffset.UTC, DaylightSavingPolicy.RUN_ONCE, List.of(), CalendarPolicy.DROP, null, null);
        return fires.next(START)
                .map(PlannedFire::fireTime)
                .map(first -> Duration.ofHours(new HundredFires(fires, first).longest()))
                .orElse(MOST);
    }

    /** @param schedule one of equal steps, with the epoch as its anchor */
    static Duration ofSteps(Schedule schedule) {
        Instant next = schedule.next(Instant.EPOCH, ZoneOffset.UTC, DaylightSavingPolicy.RUN_ONCE)
                .orElse(Instant.EPOCH.plus(MOST));
        Duration all = Duration.between(Instant.EPOCH, next).multipliedBy(FIRES);
        return all.compareTo(LEAST) < 0 ? LEAST : all.compareTo(MOST) > 0 ? MOST : all;
    }

    /**
     * In hours. From a fire of any hour the next 99 must lie in the hours that follow, or all that are left. If they lie at the
     * end of that time, all beginnings before them are served, too, so that few hours of a dense schedule are counted.
     */
    private int longest() {
        int last = last();
        int longest = (int) LEAST.toHours();
        int hour = 0;
        while (hour < BEGINNINGS && hour + longest <= last && longest < MOST_HOURS) {
            int begin = hour + longest;
            long found = 0;
            while (found < FIRES - 1 && begin > hour + 1) {
                begin--;
                found += count(begin);
            }
            while (found < FIRES - 1 && longest < MOST_HOURS && hour + longest <= last && count(hour) > 0) {
                found += count(hour + longest);
                longest++;
            }
            hour = begin;
        }
        return longest;
    }

    private long count(int hour) {
        if (counts[hour] < 0) {
            counts[hour] = fires.count(hour(hour).minusNanos(1), hour(hour + 1).minusNanos(1), FIRES);
        }
        return counts[hour];
    }

    /** The hour of the last fire, if there is none after those that are looked at. */
    private int last() {
        Instant end = hour(counts.length).minusNanos(1);
        return fires.next(end).isPresent()
                ? Integer.MAX_VALUE
                : fires.previous(end)
                        .map(fire ->
                                (int) Duration.between(first, fire.fireTime()).toHours())
                        .orElse(0);
    }

    private Instant hour(int number) {
        return first.plus(Duration.ofHours(number));
    }
}
