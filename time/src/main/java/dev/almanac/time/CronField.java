package dev.almanac.time;

import java.util.List;

/** The fields of an expression, with the values each may have in a dialect. */
enum CronField {
    SECOND("second", 0, 59),
    MINUTE("minute", 0, 59),
    HOUR("hour", 0, 23),
    DAY_OF_MONTH("day-of-month", 1, 31),
    MONTH("month", 1, 12),
    DAY_OF_WEEK("day-of-week", 1, 7),
    YEAR("year", Civil.FIRST_YEAR, Civil.LAST_YEAR);

    private static final List<String> MONTHS =
            List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
    private static final List<String> WEEKDAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

    final String label;
    private final int min;
    final int max;

    CronField(String label, int min, int max) {
        this.label = label;
        this.min = min;
        this.max = max;
    }

    /** Quartz counts Sunday as 1, Vixie and Spring as 0 and as 7. */
    int min(CronDialect dialect) {
        return this == DAY_OF_WEEK && dialect.countsFromMonday() ? 0 : min;
    }

    /** The widest step: a wider one would never be taken. */
    int maxStep() {
        return this == YEAR ? max - min : max;
    }

    boolean isTime() {
        return this == SECOND || this == MINUTE || this == HOUR;
    }

    boolean hasNames() {
        return this == MONTH || this == DAY_OF_WEEK;
    }

    /** The value of a name in upper case, or -1. */
    int named(String name, CronDialect dialect) {
        int index = names().indexOf(name);
        boolean sundayLast = this == DAY_OF_WEEK && index == 0 && dialect == CronDialect.SPRING;
        return index < 0 ? -1 : sundayLast ? max : index + min(dialect);
    }

    /** The short name that a long one, in upper case, begins with, or the empty text. */
    String shortened(String name) {
        return names().stream().filter(name::startsWith).findFirst().orElse("");
    }

    /** How canonical text writes a value: days of the week by name, since the dialects number them differently. */
    String written(int value, CronDialect dialect) {
        return this == DAY_OF_WEEK ? WEEKDAYS.get((value - min(dialect)) % 7) : Integer.toString(value);
    }

    private List<String> names() {
        return this == MONTH ? MONTHS : this == DAY_OF_WEEK ? WEEKDAYS : List.of();
    }
}
