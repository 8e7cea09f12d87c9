package dev.almanac.calendars;

import java.time.LocalDateTime;

/**
 * A stretch of wall time. Immutable.
 *
 * @param start the first moment in it
 * @param end the first moment behind it
 */
public record DateTimeRange(LocalDateTime start, LocalDateTime end) {
    /** @throws InvalidCalendarException if the end is not after the start */
    public DateTimeRange {
        if (!end.isAfter(start)) {
            throw new InvalidCalendarException(
                    "exclude-ranges", start + "/" + end, "is empty: its end must be after its start");
        }
    }
}
