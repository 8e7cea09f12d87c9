package dev.almanac.engine.run;

import dev.almanac.engine.node.Node;
import dev.almanac.engine.node.Reachability;
import dev.almanac.engine.rules.FollowDecider;
import dev.almanac.runtime.Lane;
import dev.almanac.store.StoredJob;
import dev.almanac.store.WriteRefusedException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
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
    private final Way way;

    /**
     * How follow-ups are stored.
     *
     * @param inserts stores the follow-ups of a job, also those that may have been stored before, and returns why some
     *     were refused
     * @param timer delays writes that are tried again
     * @param threads run inserts and calendar code, which may hang
     */
    public record Way(BiFunction<StoredJob, Boolean, List<String>> inserts, Lane timer, Executor threads) {}

    FollowDuty(Node node, CompletionDuty completions, Way way, Reachability reachability) {
        this.node = node;
        this.completions = completions;
        this.way = way;
        this.reachability = reachability;
    }

    /** The verdict is durable. */
    void follow(HeldJob held) {
        start(held, new Tries());
    }

    /** A thread that cannot be had is a failure like any other: its caller may be a timer, which would do nothing more. */
    private void start(HeldJob held, Tries tries) {
        try {
            way.threads().execute(() -> insert(held, tries));
        } catch (RuntimeException | Error e) {
            failed(held, tries, e);
        }
    }

    private void insert(HeldJob held, Tries tries) {
        if (!held.isTrusted()) {
            completions.lost(held, "its trust window was over before its follow-ups were stored");
            return;
        }
        try {
            if (!node.clock().isTrusted() && !node.clock().confirm(node.store())) {
                tryLater(held, tries, CLOCK_PAUSE);
                return;
            }
            List<String> refusals = way.inserts().apply(held.job(), tries.isRepeated());
            reachability.answered(Reachability.FOLLOW_UPS);
            moveOn(held, refusals);
        } catch (RuntimeException e) {
            failed(held, tries, e);
        } catch (Error e) {
            failed(held, tries, e);
            throw e;
        }
    }

    /** If nothing can follow here, nothing works on the claim any more, and its lease is left to expire. */
    private void failed(HeldJob held, Tries tries, Throwable e) {
        try {
            tryAgainOrGiveUp(held, tries, e);
        } catch (RuntimeException | Error second) {
            completions.lost(held, "its follow-ups can be neither stored nor tried again here: " + second);
        }
    }

    private void tryAgainOrGiveUp(HeldJob held, Tries tries, Throwable e) {
        Duration least = Tries.least(e, Reachability.FOLLOW_UPS, reachability);
        tries.count(e);
        if (!tries.areOver(e)) {
            tryLater(held, tries, least);
        } else if (e instanceof WriteRefusedException || isLast(held.job())) {
            moveOn(held, List.of("its follow-ups could not be stored: " + e));
        } else {
            node.events().failures().add("storing follow-ups", e);
            completions.leaveToOthers(held, "its follow-ups cannot be stored here: " + e);
        }
    }

    /** Whether so many claims have tried to store its follow-ups that no node seems able to. */
    private boolean isLast(StoredJob job) {
        long verdict = Objects.requireNonNull(job.verdict()).claimSeq();
        return job.sequences().claimSeq() - verdict >= node.settings().abandonedLimit();
    }

    /** The follow-ups are stored or refused; completes the job as its verdict says. */
    private void moveOn(HeldJob held, List<String> refusals) {
        PendingWrite.Decide decide =
                (job, moment) -> new FollowDecider(completions.decider()).followed(job, refusals, moment);
        completions.submit(new PendingWrite(
                held, decide, change -> completions.finished(held, change), null, PendingWrite.Refusal.BLOCK));
    }

    private void tryLater(HeldJob held, Tries tries, Duration pause) {
        way.timer().after(tries.next(pause), () -> start(held, tries));
    }
}
