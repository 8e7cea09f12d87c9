package dev.almanac.model;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many jobs of a group may be claimed within any period of a given length, wherever the period begins.
 *
 * @param claims 1 to 10 000
 * @param period 1 second to 31 days
 */
public record Rate(int claims, Duration period) {
    private static final int MOST_CLAIMS = 10_000;
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(31);
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})/(.{1,40})");
    private static final Map<String, Duration> UNITS = Map.of(
            "s", SHORTEST,
            "min", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));

    /** @throws IllegalArgumentException if one of the two is out of range */
    public Rate {
        if (claims < 1 || claims > MOST_CLAIMS) {
            throw new IllegalArgumentException("a rate of " + claims + " is not within 1 to " + MOST_CLAIMS);
        }
        if (period.compareTo(SHORTEST) < 0 || period.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("the period " + period + " of a rate is not within PT1S to 31 days");
        }
    }

    /**
     * Reads {@code 10/s}, {@code 100/min}, {@code 1000/h}, {@code 5000/d}, or a number per ISO-8601 duration such as {@code
     * 5/PT10S}.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    public static Rate parse(String text) {
        Matcher parts = TEXT.matcher(text.strip());
        if (!parts.matches()) {
            throw new IllegalArgumentException("expected a number per time, such as 10/s, 100/min or 5/PT10S");
        }
        return new Rate(Integer.parseInt(parts.group(1)), period(parts.group(2).strip()));
    }

    private static Duration period(String text) {
        Duration unit = UNITS.get(text.toLowerCase(Locale.ROOT));
        try {
            return unit == null ? Duration.parse(text) : unit;
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no time: expected s, min, h, d, or an ISO-8601 duration such as PT10S");
        }
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        String unit = UNITS.entrySet().stream()
                .filter(known -> known.getValue().equals(period))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseGet(period::toString);
        return claims + "/" + unit;
    }
}
