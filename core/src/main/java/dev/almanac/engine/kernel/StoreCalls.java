package dev.almanac.engine.kernel;

import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.Reachability;
import dev.almanac.engine.rules.GrowingPause;
import dev.almanac.runtime.Lane;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The calls of the store that looks and claims need (rules X2, X3). Each ends once, by its answer or by its
 * failure; its time limit comes before that, or not at all. Only this class counts the calls under way. The kernel's.
 */
public final class StoreCalls {
    static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final GrowingPause PAUSE = new GrowingPause(FIRST_PAUSE, FIRST_PAUSE.multipliedBy(32));

    private final Node node;
    private final Reachability reachability;
    private final Kernel kernel;
    private final Lane threads;
    private final Duration limit;
    private final Set<Call<?>> underWay = new HashSet<>();
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
        this.limit = LeaseDuty.limit(node);
    }

    /** How many calls are under way. */
    int underWay() {
        return underWay.size();
    }

    /** Passes a step to the kernel; any thread may call this. */
    void step(Runnable step) {
        kernel.run(step);
    }

    /** A step of the kernel after a while. */
    Lane.Alarm stepAfter(Duration delay, Runnable step) {
        return kernel.after(delay, step);
    }

    /** @param what names the call, for messages */
    <T> void ask(String what, Supplier<T> call, Outcome<T> outcome) {
        Call<T> next = new Call<>(what, call, outcome);
        underWay.add(next);
        next.begin();
    }

    /** As the other, but after a while; it counts as under way from now on. */
    <T> void ask(String what, Duration delay, Supplier<T> call, Outcome<T> outcome) {
        Call<T> next = new Call<>(what, call, outcome);
        underWay.add(next);
        kernel.after(delay, next::begin);
    }

    /** A call that outlasts a restart of the kernel; it is not counted, and not limited. */
    <T> void askLasting(String what, Supplier<T> call, Outcome<T> outcome) {
        kernel.callLasting(
                threads::run,
                call,
                answer -> {
                    outcome.answered(answer);
                    answered(what);
                },
                e -> outcome.failed(pause(what, e)));
    }

    /** A step of the kernel when the time limit of a call that begins now is over. */
    Lane.Alarm afterLimit(Runnable step) {
        return stepAfter(limit, step);
    }

    /** The kernel begins again: no call is under way that it waits for. */
    void beginAgain() {
        underWay.clear();
        failures.clear();
    }

    private final class Call<T> {
        private final String what;
        private final Supplier<T> call;
        private final Outcome<T> outcome;
        private Lane.Alarm slow = () -> {};

        Call(String what, Supplier<T> call, Outcome<T> outcome) {
            this.what = what;
            this.call = call;
            this.outcome = outcome;
        }

        void begin() {
            slow = afterLimit(this::limit);
            kernel.call(threads::run, call, this::answered, this::failed);
        }

        private void limit() {
            if (underWay.contains(this)) {
                outcome.slow();
            }
        }

        void answered(T answer) {
            end();
            outcome.answered(answer);
            StoreCalls.this.answered(what);
        }

        void failed(Throwable e) {
            end();
            outcome.failed(pause(what, e));
        }

        private void end() {
            underWay.remove(this);
            slow.cancel();
        }
    }

    /** The store answers calls of that name: their next failure begins a new series of pauses. */
    void answered(String what) {
        failures.remove(what);
        reachability.answered(what);
    }

    private Duration pause(String what, Throwable e) {
        if (e instanceof StoreException unanswered) {
            return reachability.unanswered(what, unanswered);
        }
        node.events().failures().add(what, e);
        return PAUSE.after(failures.merge(what, 1, Integer::sum));
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
