package dev.almanac.time;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields of both dialects: their names in messages and their ranges. */
enum CronField {
    SECOND("second", 0, 59, null, 0),
    MINUTE("minute", 0, 59, null, 0),
    HOUR("hour", 0, 23, null, 0),
    DAY_OF_MONTH("day-of-month", 1, 31, null, 0),
    MONTH(
            "month",
            1,
            12,
            List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"),
            1),
    DAY_OF_WEEK("day-of-week", 1, 7, List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"), 1),
    UNIX_DAY_OF_WEEK("day-of-week", 0, 7, List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"), 0),
    YEAR("year", 1970, 2199, null, 0);

    final String label;
    final int min;
    final int max;
    final @Nullable List<String> names;
    final int firstName;

    CronField(String label, int min, int max, @Nullable List<String> names, int firstName) {
        this.label = label;
        this.min = min;
        this.max = max;
        this.names = names;
        this.firstName = firstName;
    }

    /** The largest step that makes sense: beyond it a step names nothing but its start. */
    int largestStep() {
        return this == YEAR ? max - min : max;
    }

    boolean isQuartzDay() {
        return this == DAY_OF_MONTH || this == DAY_OF_WEEK;
    }
}
