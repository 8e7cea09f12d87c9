package dev.almanac.time;

import java.util.ArrayList;
import java.util.List;

/** One field of an expression: its values and its canonical text. */
final class FieldValues {
    private static final int SUNDAY_TOO = 7;

    final CronField field;
    private final CronDialect dialect;
    private final long[] bits = new long[4];
    private final List<String> items = new ArrayList<>(4);
    private boolean allNumbers = true;
    /** The field begins with a star: Vixie cron then takes it as unrestricted. */
    boolean star;
    /** There is a {@code *}, {@code -} or {@code /}. */
    boolean marked;
    /** There is an {@code L} among the days of the month. */
    boolean last;

    FieldValues(CronField field, CronDialect dialect) {
        this.field = field;
        this.dialect = dialect;
    }

    /** Values are counted from 0; only years, which start at 1970, are not their own index. */
    private int index(int value) {
        return field == CronField.YEAR ? value - Civil.FIRST_YEAR : value;
    }

    void add(int value) {
        int index = index(value);
        bits[index >> 6] |= 1L << index;
    }

    /** From low to high in steps; a range that wraps around goes over the end of the field to its beginning. */
    void addRange(int low, int high, int step) {
        int min = field.min(dialect);
        int width = field.max - min + 1;
        int end = high < low ? high + width : high;
        for (int value = low; value <= end; value += step) {
            add(value > field.max ? value - width : value);
        }
    }

    void write(String item, boolean number) {
        allNumbers &= number;
        if (!items.contains(item)) {
            items.add(item);
        }
    }

    /** The values as bits; the days of the week with Sunday at 0. */
    long values() {
        if (field != CronField.DAY_OF_WEEK) {
            return bits[0];
        }
        return !dialect.countsFromMonday() ? bits[0] >> 1 : (bits[0] | bits[0] >> SUNDAY_TOO) & 0x7f;
    }

    long[] years() {
        return bits.clone();
    }

    /** Single values in their order, anything else as it was written. */
    String canonical() {
        return allNumbers && items.size() > 1 ? numbersInOrder() : String.join(",", items);
    }

    private String numbersInOrder() {
        StringBuilder out = new StringBuilder();
        for (int value = field.min(dialect); value <= field.max; value++) {
            int index = index(value);
            boolean again = field == CronField.DAY_OF_WEEK && dialect.countsFromMonday() && value == SUNDAY_TOO;
            boolean there = (bits[index >> 6] >> index & 1) != 0 || isSundayAsSeven(value);
            if (there && !again) {
                out.append(out.length() == 0 ? "" : ",").append(field.written(value, dialect));
            }
        }
        return out.toString();
    }

    private boolean isSundayAsSeven(int value) {
        return field == CronField.DAY_OF_WEEK
                && dialect.countsFromMonday()
                && value == 0
                && (bits[0] >> SUNDAY_TOO & 1) != 0;
    }
}
