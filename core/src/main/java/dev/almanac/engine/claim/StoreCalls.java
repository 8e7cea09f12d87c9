package dev.almanac.engine.claim;

import dev.almanac.engine.node.Node;
import dev.almanac.engine.node.Reachability;
import dev.almanac.engine.rules.GrowingPause;
import dev.almanac.runtime.Lane;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Calls of the store beside the claim lane (rules X2, X3). Each call ends there exactly once, even after an exception: by
 * its answer, by its failure, or by its time limit. Only this class counts the calls under way. Thread-safe.
 */
public final class StoreCalls {
    static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final GrowingPause PAUSE = new GrowingPause(FIRST_PAUSE, FIRST_PAUSE.multipliedBy(32));

    private final Node node;
    private final Reachability reachability;
    private final Lane lane;
    private final Lane calls;
    private final Duration limit;
    private final AtomicInteger underWay = new AtomicInteger();
    /** By the name of the call: how often in a row it has failed otherwise than by no answer. */
    private final Map<String, Integer> failures = new ConcurrentHashMap<>();

    /** How a call ends, as steps of the claim lane: exactly one of {@link #answered} and {@link #failed} is called. */
    interface Outcome<T> {
        void answered(T answer);

        /** @param pause for how long not to ask for the same again */
        void failed(Duration pause);

        /**
         * There is no answer within the limit; {@link #answered} or {@link #failed} still follows, perhaps never.
         * After it, other calls may go on without the answer.
         */
        void slow();
    }

    /**
     * @param lane where outcomes are reported
     * @param calls where the calls wait for their answers
     */
    public StoreCalls(Node node, Reachability reachability, Lane lane, Lane calls) {
        this.node = node;
        this.reachability = reachability;
        this.lane = lane;
        this.calls = calls;
        this.limit = node.settings().leaseLength().dividedBy(6);
    }

    /** How many calls are under way. */
    int underWay() {
        return underWay.get();
    }

    /** Runs a step on the claim lane; an exception of it is logged and ends nothing else. */
    void step(Runnable step) {
        lane.run(() -> catching(step));
    }

    /** A step of the claim lane after a while. */
    Lane.Alarm stepAfter(Duration delay, Runnable step) {
        return lane.after(delay, () -> catching(step));
    }

    /** @param what names the call, for messages */
    <T> void ask(String what, Supplier<T> call, Outcome<T> outcome) {
        ask(what, Duration.ZERO, call, outcome);
    }

    /**
     * @param delay before the call
     * @throws Error if nothing can be planned; then no call is made, and none ends
     */
    <T> void ask(String what, Duration delay, Supplier<T> call, Outcome<T> outcome) {
        boolean[] over = new boolean[1];
        Lane.Alarm slow;
        try {
            slow = stepAfter(delay.plus(limit), () -> {
                if (!over[0]) {
                    outcome.slow();
                }
            });
        } catch (RuntimeException | Error e) {
            // without a time limit the call is not made, and fails on its own lane
            begin(delay, StoreCalls.<T>failing(e), asked -> end(what, asked, outcome, over));
            return;
        }
        begin(delay, call, asked -> {
            end(what, asked, outcome, over);
            slow.cancel();
        });
    }

    private <T> void begin(Duration delay, Supplier<T> call, Consumer<Supplier<T>> end) {
        underWay.incrementAndGet();
        AtomicBoolean begun = new AtomicBoolean();
        Consumer<Supplier<T>> once = asked -> {
            if (begun.compareAndSet(false, true)) {
                end.accept(asked);
            }
        };
        try {
            calls.after(delay, () -> once.accept(call));
        } catch (RuntimeException | Error e) {
            // without a thread; the lane may keep the call all the same, and make it before this step or not at all
            try {
                stepAfter(delay, () -> once.accept(failing(e)));
            } catch (RuntimeException | Error unplanned) {
                if (begun.compareAndSet(false, true)) {
                    underWay.decrementAndGet();
                    throw unplanned;
                }
            }
        }
    }

    private static <T> Supplier<T> failing(Throwable e) {
        return () -> {
            if (e instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e;
        };
    }

    /** If the step of the end cannot be planned, the time limit ends the call. */
    private <T> void end(String what, Supplier<T> asked, Outcome<T> outcome, boolean[] over) {
        Runnable end = asked(what, asked, outcome);
        underWay.decrementAndGet();
        step(() -> {
            over[0] = true;
            end.run();
        });
    }

    private <T> Runnable asked(String what, Supplier<T> call, Outcome<T> outcome) {
        try {
            T answer = call.get();
            // final from here: a claim whose answer was used is never asked about again
            return () -> answered(what, outcome, answer);
        } catch (Throwable e) {
            Duration pause = failed(what, e);
            return () -> outcome.failed(pause);
        }
    }

    private <T> void answered(String what, Outcome<T> outcome, T answer) {
        outcome.answered(answer);
        answered(what);
    }

    /** The store answers calls of that name: their next failure begins a new series of pauses. */
    void answered(String what) {
        if (!failures.isEmpty()) {
            failures.remove(what);
        }
        reachability.answered(what);
    }

    private Duration failed(String what, Throwable e) {
        if (e instanceof StoreException unanswered) {
            return reachability.unanswered(what, unanswered);
        }
        node.events().failures().add(what, e);
        return PAUSE.after(failures.merge(what, 1, Integer::sum));
    }

    private void catching(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            node.events().failures().add("a step of the claims", e);
        }
    }

    /** An outcome made of functions. */
    static <T> Outcome<T> end(Consumer<T> answered, Consumer<Duration> failed, Runnable slow) {
        return new Outcome<>() {
            @Override
            public void answered(T answer) {
                answered.accept(answer);
            }

            @Override
            public void failed(Duration pause) {
                failed.accept(pause);
            }

            @Override
            public void slow() {
                slow.run();
            }
        };
    }
}
