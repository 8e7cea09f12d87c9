package dev.almanac.time;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All that decides when a recurring job fires. Its fires are a set of instants, the image of the nominal fires of the
 * schedule under the calendar policy: each nominal fire stays, moves or is left out, and two that arrive at one
 * instant are one fire. {@link #next} and {@link #previous} are the neighbours in that set, so they agree with each
 * other also where a policy moves fires back.
 *
 * <p>Every answer is bounded: with calendars the search ends 20 years ahead or back, or after {@value #MOST_EXCLUDED}
 * exclusions in a row (about a second of work), and answers empty. Immutable and safe for use by many threads.
 *
 * @param schedule names the nominal fires
 * @param zone the zone whose wall clock the schedule means
 * @param calendars exclude fires; the order has no effect
 * @param startAt the first instant that may be a fire; absent = no bound
 * @param endAt the last instant that may be a fire; absent = no bound
 */
public record Recurrence(
        Schedule schedule,
        ZoneId zone,
        DaylightSavingPolicy daylightSavingPolicy,
        List<ExclusionCalendar> calendars,
        CalendarPolicy calendarPolicy,
        @Nullable Instant startAt,
        @Nullable Instant endAt) {

    /**
     * After so many excluded fires in a row a search is given up: more than the minutes of a year, so that a season in
     * which a calendar takes out each fire by itself is passed.
     */
    public static final int MOST_EXCLUDED = 600_000;

    private static final int MOST_MOVED_TIMES = 24 * 60;

    /**
     * Checks that what is required is there; copies the list.
     *
     * @throws IllegalArgumentException if a convention is to move the dates of a schedule that names more than 1,440 times
     *     a day, since each time of day is moved by itself, or that counts elapsed time
     */
    public Recurrence {
        Objects.requireNonNull(schedule, "schedule");
        Objects.requireNonNull(zone, "zone");
        Objects.requireNonNull(daylightSavingPolicy, "daylightSavingPolicy");
        Objects.requireNonNull(calendarPolicy, "calendarPolicy");
        calendars = List.copyOf(calendars);
        if (calendarPolicy.movesDates() && !calendars.isEmpty() && !isDelay(schedule)) {
            checkMoved(schedule, schedule.times(zone), calendarPolicy);
        }
    }

    private static void checkMoved(Schedule schedule, @Nullable LocalTimes times, CalendarPolicy policy) {
        String moves = "calendarPolicy " + policy + " moves dates, and '" + schedule + "' ";
        if (times == null) {
            throw new IllegalArgumentException(moves
                    + "counts elapsed time; choose DROP or NEXT_INCLUDED, or a step of days, weeks, months or years");
        }
        int count = times.timesOfDay().count();
        if (count > MOST_MOVED_TIMES) {
            throw new IllegalArgumentException(
                    moves + "names " + count + " times a day; at most " + MOST_MOVED_TIMES + " can be moved");
        }
    }

    /** Of a fixed delay an excluded fire always waits for the first included instant: no regular fire follows it. */
    private static boolean isDelay(Schedule schedule) {
        return schedule.dialect() == CronDialect.EVERY_AFTER_END;
    }

    /** The policy for excluded fires. */
    CalendarPolicy effectivePolicy() {
        return isDelay(schedule) ? CalendarPolicy.NEXT_INCLUDED : calendarPolicy;
    }

    /** The first fire strictly after an instant; empty if there is none. */
    public Optional<PlannedFire> next(Instant after) {
        Instant from = startAt != null && startAt.isAfter(after) ? Moments.justBefore(startAt) : after;
        return Fires.of(this).next(from, endAt == null ? Instant.MAX : endAt);
    }

    /** The last fire strictly before an instant; empty if there is none. */
    public Optional<PlannedFire> previous(Instant before) {
        Instant until = endAt != null && endAt.isBefore(before) ? endAt : Moments.justBefore(before);
        return Fires.of(this).previous(until, startAt == null ? Instant.MIN : startAt);
    }

    /**
     * How many fires lie strictly after an instant and not after another; counting ends at {@code most}. Without calendars
     * the fires of wall times and of elapsed time are computed and not visited, so that a million takes microseconds; with
     * them a million takes seconds.
     *
     * @param most 0 or more
     */
    public long count(Instant after, Instant until, long most) {
        Instant from = startAt != null && startAt.isAfter(after) ? Moments.justBefore(startAt) : after;
        Instant to = endAt != null && endAt.isBefore(until) ? endAt : until;
        return Fires.of(this).count(from, to, most);
    }

    /**
     * The fires that {@link #next} gives from an instant on, each with the reason why it is where it is, and between
     * them the nominal times that a clock change, a calendar or the bounds leave out.
     *
     * @param rows how many to give at most, 0 to 10 000
     * @throws IllegalArgumentException if {@code rows} is not within that range
     */
    public List<FirePreview> preview(Instant after, int rows) {
        FirePreview.checkRows(rows);
        Instant from = startAt != null && startAt.isAfter(after) ? Moments.justBefore(startAt) : after;
        return new Previewer(this).preview(from, rows);
    }

    /** All calendars as one. */
    ExclusionCalendar calendar() {
        return ExclusionCalendar.allOf(calendars);
    }
}
