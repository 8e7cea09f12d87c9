package dev.almanac.model;

import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The planned fires of a job within a span, each with exactly one account (rule S22).
 *
 * @param jobSpecificationKey the key of the job
 * @param from the first instant of the span: the one that was asked for, or the first that can be told of
 * @param until the last instant of the span
 * @param accounts in the order of their times
 * @param computed whether each planned fire of the span is in it; else some could not be computed here, as of a calendar
 *     that this service does not know, and only those are in it of which a row is left: none of them can be unaccounted for
 * @param limit why it does not tell of everything that was asked for; absent if it does
 */
public record FireReport(
        String jobSpecificationKey,
        Instant from,
        Instant until,
        List<FireAccount> accounts,
        boolean computed,
        @Nullable String limit) {
    /** The most accounts that a report has; what follows is asked for from the last one on. */
    public static final int MOST = 10_000;

    /** Copies the list. */
    public FireReport {
        Objects.requireNonNull(jobSpecificationKey, "jobSpecificationKey");
        accounts = List.copyOf(accounts);
    }

    /** How many fires have which account; without those that none has. */
    public Map<FireAccount.Kind, Long> counts() {
        Map<FireAccount.Kind, Long> counts = new EnumMap<>(FireAccount.Kind.class);
        accounts.forEach(account -> counts.merge(account.kind(), account.count(), Long::sum));
        return counts;
    }

    /** How many fires have this account. */
    public long count(FireAccount.Kind kind) {
        return counts().getOrDefault(kind, 0L);
    }
}
