package dev.almanac.testkit.faults;

import dev.almanac.runtime.Lane;
import dev.almanac.store.StoreException;
import dev.almanac.store.WriteRefusedException;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Carries calls, with the faults of the plan. */
final class Network {
    private final FaultPlan plan;
    private final Lane wire;
    private final Consumer<Duration> waiting;
    private volatile BiConsumer<StoreCall, Fault> listener = (call, fault) -> {};

    /**
     * @param wire carries what is late
     * @param waiting lets the caller's time pass
     */
    Network(FaultPlan plan, Lane wire, Consumer<Duration> waiting) {
        this.plan = plan;
        this.wire = wire;
        this.waiting = waiting;
    }

    void reportTo(BiConsumer<StoreCall, Fault> listener) {
        this.listener = listener;
    }

    <T> T send(StoreCall call, Supplier<T> request) {
        return send(call, request, () -> {});
    }

    /** @param half what a torn request applies; the whole request completes it */
    <T> T send(StoreCall call, Supplier<T> request, Runnable half) {
        return sendHalf(
                call,
                request,
                () -> {
                    half.run();
                    return request;
                },
                half);
    }

    /**
     * As {@link #send(StoreCall, Supplier, Runnable)}, for a request of two operations.
     *
     * @param split applies the first one, and returns the second
     * @param torn what is applied if its sender goes down between them
     */
    <T> T sendHalf(StoreCall call, Supplier<T> request, Supplier<Supplier<T>> split, Runnable torn) {
        Fault fault = plan.next(call).orElse(null);
        if (fault == null) {
            return request.get();
        }
        listener.accept(call, fault);
        if (fault.kind() == Fault.Kind.SLOW) {
            return slowly(fault, request);
        }
        if (fault.kind() == Fault.Kind.SPLIT) {
            return slowly(fault, split.get());
        }
        if (fault.kind() == Fault.Kind.TWICE) {
            return twice(fault, request);
        }
        fail(fault, request, torn);
        throw new StoreException(call + ": " + fault.kind(), new IllegalStateException("a planned fault"));
    }

    /** A driver that has learnt of a refusal does not send the request again. */
    private <T> T twice(Fault fault, Supplier<T> request) {
        Lane.Alarm again = wire.after(fault.request(), () -> unheard(request));
        try {
            return request.get();
        } catch (WriteRefusedException refused) {
            again.cancel();
            throw refused;
        }
    }

    /** Carries a request whose caller gets no answer before it gives up. */
    private void fail(Fault fault, Supplier<?> request, Runnable torn) {
        if (fault.kind() == Fault.Kind.LATE) {
            wire.after(fault.reply().plus(fault.request()), () -> unheard(request));
        } else {
            await(fault.request());
        }
        if (fault.kind() == Fault.Kind.LOSE_REPLY) {
            request.get();
        } else if (fault.kind() == Fault.Kind.TORN) {
            torn.run();
        }
        await(fault.reply());
    }

    private <T> T slowly(Fault fault, Supplier<T> request) {
        await(fault.request());
        try {
            return request.get();
        } finally {
            await(fault.reply());
        }
    }

    private void await(Duration duration) {
        if (!duration.isZero()) {
            waiting.accept(duration);
        }
    }

    private static void unheard(Supplier<?> request) {
        try {
            request.get();
        } catch (StoreException failed) {
            // no caller waits for this answer
        }
    }
}
