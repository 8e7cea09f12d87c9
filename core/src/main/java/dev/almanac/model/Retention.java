package dev.almanac.model;

import java.time.Duration;
import java.util.Objects;

/**
 * How long a finished job and its status rows are kept (rule M8). Each duration is zero to a hundred years
 * ({@link dev.almanac.retry.RetryPolicy#LONGEST}); other values are refused where they are set.
 *
 * @param good after a successful end; 7 days by default
 * @param failed after a failure for good; also rows of failed fires of recurring jobs; 30 days by default
 * @param canceled after a cancel; 7 days by default
 * @param superseded other rows of a recurring job that a newer row has replaced; 1 day by default. From a day on they are
 *     kept at least as long as any hundred fires in a row of its schedule last, not counting what calendars exclude, 35 days
 *     at most
 */
public record Retention(Duration good, Duration failed, Duration canceled, Duration superseded) {
    /** 7, 30, 7 and 1 days. */
    public static final Retention DEFAULT =
            new Retention(Duration.ofDays(7), Duration.ofDays(30), Duration.ofDays(7), Duration.ofDays(1));

    /** All four are required. */
    public Retention {
        Objects.requireNonNull(good, "good");
        Objects.requireNonNull(failed, "failed");
        Objects.requireNonNull(canceled, "canceled");
        Objects.requireNonNull(superseded, "superseded");
    }

    /** The same with at least this retention for finished jobs. */
    public Retention atLeast(Duration least) {
        return new Retention(longer(good, least), longer(failed, least), longer(canceled, least), superseded);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
