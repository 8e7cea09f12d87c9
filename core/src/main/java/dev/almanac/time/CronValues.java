package dev.almanac.time;

import java.util.BitSet;

/**
 * What one field names.
 *
 * @param set plain values; for the years counted from 1970
 * @param special what is named by rule instead
 * @param n number that goes with the rule: the day, the offset, or the day of the week
 * @param k which of the month for {@link Special#NTH}
 */
record CronValues(BitSet set, Special special, int n, int k) {
    enum Special {
        /** Nothing but plain values. */
        NONE,
        /** {@code ?}: the other day field decides. */
        OTHER_FIELD,
        /** {@code L} or {@code L-n}, or {@code L} beside plain values: the last day of the month less n. */
        LAST,
        /** {@code LW}. */
        LAST_WEEKDAY,
        /** {@code nW}. */
        NEAREST_WEEKDAY,
        /** {@code nL}: the last such day of the week. */
        LAST_OF_WEEK,
        /** {@code n#k}. */
        NTH
    }

    static CronValues plain(BitSet set) {
        return new CronValues(set, Special.NONE, 0, 0);
    }

    static CronValues special(Special special, int n, int k) {
        return new CronValues(new BitSet(), special, n, k);
    }

    long bits() {
        long[] words = set.toLongArray();
        return words.length == 0 ? 0 : words[0];
    }
}
