package dev.almanac.engine.claim;

import dev.almanac.engine.node.Kernel;
import dev.almanac.engine.node.Node;
import dev.almanac.engine.node.Reachability;
import dev.almanac.engine.rules.GrowingPause;
import dev.almanac.runtime.Lane;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The calls of the store that looks and claims need (rules X2, X3). Each ends exactly once, even after an exception: by its
 * answer or by its failure; its time limit comes before that, or not at all. Only this class counts the calls under way.
 * The kernel's.
 */
public final class StoreCalls {
    static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final GrowingPause PAUSE = new GrowingPause(FIRST_PAUSE, FIRST_PAUSE.multipliedBy(32));

    private final Node node;
    private final Reachability reachability;
    private final Kernel kernel;
    private final Lane threads;
    private final Duration limit;
    private int underWay;
    /** By the name of the call: how often in a row it has failed otherwise than by no answer. */
    private final Map<String, Integer> failures = new HashMap<>();

    /** How a call ends: exactly one of {@link #answered} and {@link #failed} is called. */
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

    /** @param threads where the calls wait for their answers */
    public StoreCalls(Node node, Reachability reachability, Kernel kernel, Lane threads) {
        this.node = node;
        this.reachability = reachability;
        this.kernel = kernel;
        this.threads = threads;
        this.limit = node.settings().leaseLength().dividedBy(6);
    }

    /** How many calls are under way. */
    int underWay() {
        return underWay;
    }

    /** Passes a step to the kernel; any thread may call this. An exception of it is noted and ends nothing else. */
    void step(Runnable step) {
        kernel.run(() -> contained(step));
    }

    /** A step of the kernel after a while. */
    Lane.Alarm stepAfter(Duration delay, Runnable step) {
        return kernel.after(delay, () -> contained(step));
    }

    /** @param what names the call, for messages */
    <T> void ask(String what, Supplier<T> call, Outcome<T> outcome) {
        begin(what, call, outcome);
        underWay++;
    }

    /** As the other, but after a while; it counts as under way from now on. */
    <T> void ask(String what, Duration delay, Supplier<T> call, Outcome<T> outcome) {
        kernel.after(delay, () -> begin(what, call, outcome));
        underWay++;
    }

    private <T> void begin(String what, Supplier<T> call, Outcome<T> outcome) {
        boolean[] over = new boolean[1];
        Lane.Alarm slow = stepAfter(limit, () -> {
            if (!over[0]) {
                outcome.slow();
            }
        });
        Runnable ended = () -> {
            over[0] = true;
            slow.cancel();
        };
        kernel.call(
                threads::run,
                call,
                answer -> end(() -> {
                    ended.run();
                    outcome.answered(answer);
                    answered(what);
                }),
                e -> end(() -> {
                    ended.run();
                    outcome.failed(failed(what, e));
                }));
    }

    private void end(Runnable step) {
        underWay--;
        contained(step);
    }

    /** The store answers calls of that name: their next failure begins a new series of pauses. */
    void answered(String what) {
        failures.remove(what);
        reachability.answered(what);
    }

    private Duration failed(String what, Throwable e) {
        if (e instanceof StoreException unanswered) {
            return reachability.unanswered(what, unanswered);
        }
        node.events().failures().add(what, e);
        return PAUSE.after(failures.merge(what, 1, Integer::sum));
    }

    private void contained(Runnable step) {
        node.events().failures().contain("a step of the claims", step);
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
