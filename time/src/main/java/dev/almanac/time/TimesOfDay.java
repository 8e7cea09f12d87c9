package dev.almanac.time;

/**
 * The times of day that a schedule names, each a number of seconds from 0 to 86,399: all that some hours, minutes and
 * seconds make. Immutable, never empty.
 */
public final class TimesOfDay {
    private static final int NONE = -1;

    private final long seconds;
    private final long minutes;
    private final long hours;

    /**
     * The times that these parts make.
     *
     * @param seconds bits 0 to 59; at least one
     * @param minutes bits 0 to 59; at least one
     * @param hours bits 0 to 23; at least one
     */
    public TimesOfDay(long seconds, long minutes, long hours) {
        this.seconds = seconds;
        this.minutes = minutes;
        this.hours = hours;
    }

    /** The earliest. */
    public int first() {
        return at(lowest(hours), lowest(minutes), lowest(seconds));
    }

    /** The latest. */
    public int last() {
        return at(highest(hours), highest(minutes), highest(seconds));
    }

    /** Whether all the others are among these. */
    boolean covers(TimesOfDay others) {
        return (others.hours & ~hours) == 0 && (others.minutes & ~minutes) == 0 && (others.seconds & ~seconds) == 0;
    }

    /** How many there are. */
    public int count() {
        return Long.bitCount(hours) * Long.bitCount(minutes) * Long.bitCount(seconds);
    }

    /** How many lie before a second of the day, 0 to 86,400. */
    int countBefore(int time) {
        int ofMinute = Long.bitCount(seconds);
        int hour = time / 3600;
        int minute = time / 60 % 60;
        int count = below(hours, hour) * Long.bitCount(minutes) * ofMinute;
        if (has(hours, hour)) {
            count += below(minutes, minute) * ofMinute;
            count += has(minutes, minute) ? below(seconds, time % 60) : 0;
        }
        return count;
    }

    private static int below(long bits, int index) {
        return Long.bitCount(bits & (1L << index) - 1);
    }

    /** The time of an index, from 0 to {@link #count} - 1. */
    public int at(int index) {
        int ofHour = Long.bitCount(minutes) * Long.bitCount(seconds);
        int ofMinute = Long.bitCount(seconds);
        return at(bit(hours, index / ofHour), bit(minutes, index % ofHour / ofMinute), bit(seconds, index % ofMinute));
    }

    private static int bit(long bits, int index) {
        long left = bits;
        for (int i = 0; i < index; i++) {
            left &= left - 1;
        }
        return lowest(left);
    }

    /** Whether a time of day is one of them. */
    public boolean matches(int time) {
        return has(hours, time / 3600) && has(minutes, time / 60 % 60) && has(seconds, time % 60);
    }

    /** The first time that is not before the given one, or -1. */
    public int next(int from) {
        int hour = from / 3600;
        if (has(hours, hour)) {
            int minute = from / 60 % 60;
            long left = seconds & -1L << from % 60;
            if (has(minutes, minute) && left != 0) {
                return at(hour, minute, lowest(left));
            }
            long later = minutes & -2L << minute;
            if (later != 0) {
                return at(hour, lowest(later), lowest(seconds));
            }
        }
        long later = hours & -2L << hour;
        return later == 0 ? NONE : at(lowest(later), lowest(minutes), lowest(seconds));
    }

    /** The last time that is not after the given one, or -1. */
    public int previous(int from) {
        int hour = from / 3600;
        if (has(hours, hour)) {
            int minute = from / 60 % 60;
            long left = seconds & (2L << from % 60) - 1;
            if (has(minutes, minute) && left != 0) {
                return at(hour, minute, highest(left));
            }
            long earlier = minutes & (1L << minute) - 1;
            if (earlier != 0) {
                return at(hour, highest(earlier), highest(seconds));
            }
        }
        long earlier = hours & (1L << hour) - 1;
        return earlier == 0 ? NONE : at(highest(earlier), highest(minutes), highest(seconds));
    }

    /** The first time not before the given one that is not named, or -1 if all the rest of the day is. */
    int nextUnmatched(int from) {
        if (count() == Civil.DAY) {
            return NONE;
        }
        int time = from;
        while (time < Civil.DAY && matches(time)) {
            long missing = ~seconds & -1L << time % 60 & (1L << 60) - 1;
            if (missing != 0) {
                return time - time % 60 + lowest(missing);
            }
            time += 60 - time % 60;
        }
        return time < Civil.DAY ? time : NONE;
    }

    private static int at(int hour, int minute, int second) {
        return hour * 3600 + minute * 60 + second;
    }

    private static boolean has(long bits, int index) {
        return (bits >>> index & 1) != 0;
    }

    private static int lowest(long bits) {
        return Long.numberOfTrailingZeros(bits);
    }

    private static int highest(long bits) {
        return 63 - Long.numberOfLeadingZeros(bits);
    }
}
