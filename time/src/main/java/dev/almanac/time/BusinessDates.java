package dev.almanac.time;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The business days of a job for one wall time: the days on which its calendars include that wall time. Days count from
 * 1970-01-01.
 */
final class BusinessDates {
    static final int NONE = Integer.MIN_VALUE;
    /** Twenty years. */
    static final int HORIZON = 20 * 366;
    /**
     * Up to this many days are tested one by one, since the calendar might search far beyond them for its next included
     * instant.
     */
    private static final int FEW_DAYS = 40;

    private final ExclusionCalendar calendar;
    private final ZoneId zone;
    private final CalendarPolicy policy;
    private final int time;
    private final int nanos;

    /** @param time the wall time, in seconds of the day */
    BusinessDates(Recurrence recurrence, int time) {
        this(recurrence.calendar(), recurrence.zone(), recurrence.calendarPolicy(), LocalTime.ofSecondOfDay(time));
    }

    BusinessDates(ExclusionCalendar calendar, ZoneId zone, CalendarPolicy policy, LocalTime time) {
        this.calendar = calendar;
        this.zone = zone;
        this.policy = policy;
        this.time = time.toSecondOfDay();
        this.nanos = time.getNano();
    }

    /**
     * Where the policy moves a nominal day; {@link #NONE} if there is no business day in the month, in 20 years, or up to
     * the last day that is of interest.
     */
    int target(int day, int last) {
        return switch (policy) {
            case FOLLOWING -> following(day, last);
            case PRECEDING -> preceding(day, day - HORIZON);
            case MODIFIED_FOLLOWING -> {
                int later = following(day, Civil.monthStart(day) + 30);
                yield later != NONE && Civil.sameMonth(later, day) ? later : preceding(day, Civil.monthStart(day));
            }
            case MODIFIED_PRECEDING -> {
                int earlier = preceding(day, Civil.monthStart(day));
                int later = earlier == NONE ? following(day, Civil.monthStart(day) + 30) : earlier;
                yield later != NONE && Civil.sameMonth(later, day) ? later : NONE;
            }
            case DROP, NEXT_INCLUDED -> throw new IllegalStateException(policy + " moves no dates");
        };
    }

    /** The first business day that is not before the given one and not after {@code last}. */
    int following(int from, int last) {
        int end = Math.min(Math.min(last, from + HORIZON), Civil.END_DAY - 1);
        int day = from;
        while (day <= end) {
            if (isBusinessDay(day)) {
                return day;
            }
            Instant judged = judged(day);
            if (judged == null || end - day < FEW_DAYS) {
                day++;
                continue;
            }
            Optional<Instant> included = calendar.nextIncluded(judged, zone);
            if (included.isEmpty()) {
                return NONE;
            }
            day = Math.max(day + 1, dayOf(CalendarChain.notBefore(included.get(), judged, calendar)));
        }
        return NONE;
    }

    /** The last business day that is not after {@code from} and not before {@code first}. */
    int preceding(int from, int first) {
        for (int day = from; day >= Math.max(first, 0); day--) {
            if (isBusinessDay(day)) {
                return day;
            }
        }
        return NONE;
    }

    private boolean isBusinessDay(int day) {
        Instant judged = judged(day);
        return judged != null && calendar.isIncluded(judged, zone);
    }

    /** The instant by which a day is judged; absent if the zone skipped the day. */
    private @Nullable Instant judged(int day) {
        LocalDateTime local = local(day, time).withNano(nanos);
        ZoneOffsetTransition change = zone.getRules().getTransition(local);
        if (change == null) {
            return local.toInstant(zone.getRules().getOffset(local));
        }
        if (change.isOverlap()) {
            return local.toInstant(change.getOffsetBefore());
        }
        boolean longGap = change.getDuration().getSeconds() >= WallSearch.LONG_GAP;
        return longGap && change.getDateTimeAfter().toLocalDate().toEpochDay() != day ? null : change.getInstant();
    }

    int dayOf(Instant at) {
        long local = at.getEpochSecond() + zone.getRules().getOffset(at).getTotalSeconds();
        return (int) Math.max(-HORIZON, Math.min(Civil.END_DAY, Math.floorDiv(local, (long) Civil.DAY)));
    }

    static LocalDateTime local(int day, int time) {
        return LocalDateTime.ofEpochSecond((long) day * Civil.DAY + time, 0, ZoneOffset.UTC);
    }
}
