package dev.almanac.engine.kernel;

import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.Reachability;
import dev.almanac.engine.rules.FollowDecider;
import dev.almanac.store.StoredJob;
import dev.almanac.store.WriteRefusedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;

/**
 * Stores the follow-ups of runs whose verdicts are durable, then completes the jobs. What cannot be done within the
 * trust window is left to the next claim.
 */
public final class FollowDuty {
    private static final Duration CLOCK_PAUSE = Duration.ofMillis(200);

    private final Node node;
    private final CompletionDuty completions;
    private final Reachability reachability;
    private final Kernel kernel;
    private final Way way;

    /**
     * How follow-ups are stored.
     *
     * @param inserts stores the follow-ups of a job, also those that may have been stored before, and returns why some
     *     were refused
     * @param threads run inserts, which wait for calendars as long as a lease, at most
     */
    public record Way(BiFunction<StoredJob, Boolean, List<String>> inserts, Executor threads) {}

    FollowDuty(Node node, Kernel kernel, CompletionDuty completions, Way way, Reachability reachability) {
        this.node = node;
        this.kernel = kernel;
        this.completions = completions;
        this.way = way;
        this.reachability = reachability;
    }

    /** The verdict is durable. */
    void follow(HeldJob held) {
        start(held, new Tries());
    }

    private void start(HeldJob held, Tries tries) {
        if (held.checkWindow()) {
            kernel.call(
                    way.threads(),
                    () -> inserted(held, tries),
                    refusals -> answered(held, tries, refusals),
                    e -> tryAgainOrGiveUp(held, tries, e));
        } else {
            completions.lost(held, "its trust window was over before its follow-ups were stored");
        }
    }

    /** Why some were refused; absent = the server's time is not known, and nothing was stored. */
    private Optional<List<String>> inserted(HeldJob held, Tries tries) {
        if (!node.clock().isTrusted() && !node.clock().confirm(node.store())) {
            return Optional.empty();
        }
        List<String> refusals = way.inserts().apply(held.job(), tries.isRepeated());
        reachability.answered(Reachability.FOLLOW_UPS);
        return Optional.of(refusals);
    }

    private void answered(HeldJob held, Tries tries, Optional<List<String>> refusals) {
        if (refusals.isPresent()) {
            moveOn(held, refusals.get());
        } else {
            tryLater(held, tries, CLOCK_PAUSE);
        }
    }

    private void tryAgainOrGiveUp(HeldJob held, Tries tries, Throwable e) {
        Duration least = Tries.least(e, Reachability.FOLLOW_UPS, reachability);
        tries.count(e);
        if (!tries.areOver(e)) {
            tryLater(held, tries, least);
        } else if (e instanceof WriteRefusedException || isLast(held.job())) {
            moveOn(held, List.of("not all of its follow-ups could be stored: " + e));
        } else {
            node.events().failures().add("storing follow-ups", e);
            completions.giveUp(held, "its follow-ups cannot be stored here: " + e);
        }
    }

    /** Whether so many claims have tried to store its follow-ups that no node seems able to. */
    private boolean isLast(StoredJob job) {
        return job.sequences().failedAfterVerdict() >= node.settings().abandonedLimit();
    }

    /** The follow-ups are stored or refused; completes the job as its verdict says. */
    private void moveOn(HeldJob held, List<String> refusals) {
        PendingWrite.Decide decide =
                (job, moment, decider) -> new FollowDecider(decider).followed(job, refusals, moment);
        completions.submit(new PendingWrite(
                        held, decide, change -> completions.finished(held, change), null, PendingWrite.Refusal.BLOCK)
                .planning());
    }

    private void tryLater(HeldJob held, Tries tries, Duration pause) {
        kernel.after(tries.next(pause), () -> start(held, tries));
    }
}
