package dev.almanac.store;

import dev.almanac.model.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A renewal of leases.
 *
 * @param tokens the lease token by specification document
 * @param until their new end
 * @param visibleAgain the documents' new {@code due}: that end plus the margin
 * @param progress progress of runs that is not saved yet, by specification document; some of those of
 *     {@code tokens}
 * @param limit how long the call may take; absent = as long as any other
 * @param secondClient whether to use the second client of the store, if it has one, since the first one has failed
 */
public record Renewal(
        Map<String, Long> tokens,
        Instant until,
        Instant visibleAgain,
        Map<String, Progress> progress,
        @Nullable Duration limit,
        boolean secondClient) {
    /** A renewal over the first client, without a limit of its own. */
    public Renewal(Map<String, Long> tokens, Instant until, Instant visibleAgain) {
        this(tokens, until, visibleAgain, Map.of(), null, false);
    }
}
