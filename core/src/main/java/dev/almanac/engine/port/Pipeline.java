package dev.almanac.engine.port;

import dev.almanac.runtime.Lanes;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Processes many items, a few at a time, since each of them waits for the store. The calling thread takes part; if no
 * other thread is free, it processes all of them. Thread-safe.
 */
public final class Pipeline {
    /** How many items are under way at a time; it leaves most of a client's connections to the node itself. */
    private static final int MOST_AT_A_TIME = 4;

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final Lanes lanes;
    private final Executor threads;

    /** @param lanes the source of the other threads */
    public Pipeline(Lanes lanes) {
        this.lanes = lanes;
        this.threads = lanes.threads("change");
    }

    /**
     * Returns when all items are done, also if the calling thread is interrupted, which ends only the wait of this
     * thread.
     *
     * @param key items of equal keys are processed one after the other, in their order
     * @return the results, in the order of the items
     * @throws RuntimeException the first that {@code work} threw: what was begun has ended then, and nothing more is
     *     begun
     */
    public <T, R> List<R> each(List<T> items, Function<T, ?> key, Function<T, R> work) {
        Map<Object, List<Integer>> places = new LinkedHashMap<>();
        for (int i = 0; i < items.size(); i++) {
            places.computeIfAbsent(key.apply(items.get(i)), some -> new ArrayList<>())
                    .add(i);
        }
        Round<T, R> round = new Round<>(items, work, new ArrayDeque<>(places.values()));
        askForHelp(Math.min(MOST_AT_A_TIME, places.size()) - 1, round::workOff);
        round.workOff();
        return items.isEmpty() ? List.of() : round.results(this);
    }

    /**
     * As {@link #each}, but an outage of the store leaves out only what is not begun: what was done until then is reported,
     * since it would be done once more if all of it was asked for again.
     *
     * @param left the result of an item whose outcome the failure leaves unknown, or, if it is absent, that was not begun
     * @param isDone whether the item of a result was done
     * @param begun whether something was done before for the same report
     * @throws StoreException the first that {@code work} threw, if nothing is known to be done
     */
    public <T, R> List<R> eachUntilOutage(
            List<T> items,
            Function<T, ?> key,
            Function<T, R> work,
            BiFunction<T, @Nullable StoreException, R> left,
            Predicate<R> isDone,
            boolean begun) {
        AtomicReference<@Nullable StoreException> outage = new AtomicReference<>();
        List<R> results = each(items, key, item -> {
            if (outage.get() != null) {
                return left.apply(item, null);
            }
            try {
                return work.apply(item);
            } catch (StoreException e) {
                outage.compareAndSet(null, e);
                return left.apply(item, e);
            }
        });
        StoreException first = outage.get();
        if (first != null && !begun && results.stream().noneMatch(isDone)) {
            throw first;
        }
        return results;
    }

    /** Others are begun by then, so a thread that cannot be had ends nothing. */
    private void askForHelp(int most, Runnable work) {
        try {
            for (int i = 0; i < most; i++) {
                threads.execute(work);
            }
        } catch (RuntimeException | Error noThread) {
            // the calling thread processes what is left
        }
    }

    private void await(CompletableFuture<Void> end) {
        boolean ended = false;
        while (!ended) {
            ended = lanes.awaitUninterrupted(end, LOOK_AGAIN);
        }
    }

    /** One call: the items that are not begun yet, and the results of the others. */
    private static final class Round<T, R> {
        private final List<T> items;
        private final Function<T, R> work;
        private final Deque<List<Integer>> waiting;
        private final Map<Integer, R> results = new ConcurrentHashMap<>();
        private final CompletableFuture<Void> end = new CompletableFuture<>();
        private int busy;
        private @Nullable RuntimeException failure;

        Round(List<T> items, Function<T, R> work, Deque<List<Integer>> waiting) {
            this.items = items;
            this.work = work;
            this.waiting = waiting;
        }

        /** Processes items until none is left to be begun. */
        void workOff() {
            for (List<Integer> places = next(); !places.isEmpty(); places = next()) {
                RuntimeException thrown = null;
                try {
                    places.forEach(place -> results.put(place, work.apply(items.get(place))));
                } catch (RuntimeException e) {
                    thrown = e;
                } catch (Error e) {
                    ended(new IllegalStateException("a change has failed: " + e, e));
                    throw e;
                }
                ended(thrown);
            }
        }

        private synchronized List<Integer> next() {
            List<Integer> places = waiting.poll();
            if (places == null) {
                return List.of();
            }
            busy++;
            return places;
        }

        private synchronized void ended(@Nullable RuntimeException thrown) {
            busy--;
            if (thrown != null) {
                waiting.clear();
                failure = failure == null ? thrown : failure;
            }
            if (busy == 0 && waiting.isEmpty()) {
                end.complete(null);
            }
        }

        List<R> results(Pipeline pipeline) {
            pipeline.await(end);
            synchronized (this) {
                if (failure != null) {
                    throw failure;
                }
            }
            return IntStream.range(0, items.size())
                    .mapToObj(place -> Objects.requireNonNull(results.get(place)))
                    .toList();
        }
    }
}
