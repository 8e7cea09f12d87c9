package dev.almanac.time;

import dev.almanac.text.ShortDuration;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Period;
import java.util.regex.Pattern;

/**
 * The texts of the dialects that count steps: {@code PT90M}, and {@code 90m} or {@code 1d}, are elapsed time; {@code P1M}
 * and the like are dates.
 */
final class Steps {
    private static final Pattern ELAPSED =
            Pattern.compile("PT(?=[0-9])([0-9]{1,9}H)?([0-9]{1,9}M)?([0-9]{1,9}(\\.[0-9]{1,3})?S)?");
    private static final Pattern DATES =
            Pattern.compile("P(?=[0-9])(([0-9]{1,6}Y)?([0-9]{1,6}M)?|([0-9]{1,6}W)?([0-9]{1,6}D)?)");
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(36_600);
    private static final int MOST_MONTHS = 1200;

    private Steps() {}

    static boolean isElapsed(String text) {
        return text.startsWith("PT") || ShortDuration.read(text) != null;
    }

    static Duration elapsed(String text) {
        Duration brief = ShortDuration.read(text);
        if (brief == null && !ELAPSED.matcher(text).matches()) {
            throw refused(text, "is no step of hours, minutes and seconds such as PT90M or 90m");
        }
        try {
            Duration step = brief == null ? Duration.parse(text) : brief;
            if (step.compareTo(SHORTEST) >= 0 && step.compareTo(LONGEST) <= 0) {
                return step;
            }
        } catch (DateTimeException | ArithmeticException e) {
            // reported below
        }
        throw refused(text, "is not within PT1S and 100 years");
    }

    static Period dates(String text) {
        if (!DATES.matcher(text).matches()) {
            throw refused(
                    text,
                    text.indexOf('T') > 0
                            ? "mixes dates with hours, minutes or seconds; write PT36H, or P1D"
                            : "is no step; write 90m or PT90M, P1D, P2W, P1M or P1Y");
        }
        Period step = Period.parse(text);
        boolean within = step.toTotalMonths() <= MOST_MONTHS && step.getDays() <= LONGEST.toDays();
        if (step.isZero() || !within) {
            throw refused(text, "is not within P1D and 100 years");
        }
        return step;
    }

    static InvalidCronException refused(String text, String reason) {
        return new InvalidCronException("step", 1, reason, text, null);
    }
}
