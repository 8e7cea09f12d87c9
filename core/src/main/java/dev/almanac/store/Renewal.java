package dev.almanac.store;

import dev.almanac.model.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Leases to be lengthened.
 *
 * @param tokens the lease token by specification document
 * @param until their new end
 * @param visibleAgain the documents' new {@code due}: that end plus the margin
 * @param progress what runs have said of themselves since it was last saved, by specification document; some of those of
 *     {@code tokens}
 * @param limit how long the call may take; absent = as long as any other
 * @param secondWay whether to go another way than usual, if the store has one, since the usual one has failed
 */
public record Renewal(
        Map<String, Long> tokens,
        Instant until,
        Instant visibleAgain,
        Map<String, Progress> progress,
        @Nullable Duration limit,
        boolean secondWay) {
    /** The usual way, without a limit of its own. */
    public Renewal(Map<String, Long> tokens, Instant until, Instant visibleAgain) {
        this(tokens, until, visibleAgain, Map.of(), null, false);
    }
}
