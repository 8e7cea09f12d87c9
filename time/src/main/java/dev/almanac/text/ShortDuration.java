package dev.almanac.text;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A duration as people write it: a whole number with a unit, such as {@code 250ms}, {@code 30s}, {@code 15m}, {@code 2h} or {@code 1d}. */
public final class ShortDuration {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");
    private static final Map<String, ChronoUnit> UNITS = Map.of(
            "ms", ChronoUnit.MILLIS,
            "s", ChronoUnit.SECONDS,
            "m", ChronoUnit.MINUTES,
            "h", ChronoUnit.HOURS,
            "d", ChronoUnit.DAYS);

    private ShortDuration() {}

    /** Absent if the text has another form. */
    public static @Nullable Duration read(String text) {
        Matcher parts = FORM.matcher(text);
        return parts.matches() ? Duration.of(Long.parseLong(parts.group(1)), UNITS.get(parts.group(2))) : null;
    }
}
