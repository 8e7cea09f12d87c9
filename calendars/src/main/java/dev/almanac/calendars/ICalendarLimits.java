package dev.almanac.calendars;

/**
 * What an iCalendar file may cost (rule C6). Rules are bounded in frequency too: they may be yearly, not
 * more often; and in how many days those of a file may look at: 100 000, and 20 for each date of that limit.
 * Immutable.
 *
 * @param bytes largest file, 1 to 16 MiB (16 777 216)
 * @param events most VEVENTs, 1 to 100 000
 * @param dates most dates of all events together, 1 to 100 000: as many as a definition holds
 * @param years how far rules are followed from the first date of interest, 1 to 100
 */
public record ICalendarLimits(int bytes, int events, int dates, int years) {
    private static final int MEBIBYTE = 1 << 20;

    /** 1 MiB, 1 000 events, 10 000 dates, 20 years. */
    public static final ICalendarLimits DEFAULT = new ICalendarLimits(MEBIBYTE, 1_000, 10_000, 20);

    /** @throws IllegalArgumentException naming the limit that is out of its range */
    public ICalendarLimits {
        check("bytes", bytes, 16 * MEBIBYTE);
        check("events", events, 100_000);
        check("dates", dates, 100_000);
        check("years", years, 100);
    }

    private static void check(String name, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(name + " " + value + " is not within 1 to " + most);
        }
    }
}
