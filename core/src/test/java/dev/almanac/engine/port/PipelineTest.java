package dev.almanac.engine.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.runtime.Lane;
import dev.almanac.runtime.Lanes;
import dev.almanac.runtime.ThreadLanes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PipelineTest {
    private final Lanes lanes = new ThreadLanes("pipeline-test");
    private final Pipeline pipeline = new Pipeline(lanes);
    private final List<Object> begun = Collections.synchronizedList(new ArrayList<>());

    /** Lanes whose threads never come to help. */
    private static final class Alone implements Lanes {
        @Override
        public Lane open(String name, int width) {
            throw new IllegalStateException(name);
        }

        @Override
        public Executor threads(String name) {
            return step -> {};
        }

        @Override
        public void close() {}
    }

    @AfterEach
    void close() {
        lanes.close();
    }

    private static List<Integer> numbers(int n) {
        return IntStream.range(0, n).boxed().toList();
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(5, TimeUnit.MINUTES);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            assertThat(latch.await(5, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("X3: four items at a time, never more; results in the order of the items")
    void fourAtATime() {
        CyclicBarrier four = new CyclicBarrier(4);
        AtomicInteger under = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Integer> doubled = pipeline.each(numbers(40), Function.identity(), number -> {
            most.accumulateAndGet(under.incrementAndGet(), Math::max);
            meet(four);
            under.decrementAndGet();
            return 2 * number;
        });
        assertThat(doubled)
                .containsExactlyElementsOf(
                        numbers(40).stream().map(number -> 2 * number).toList());
        assertThat(most).hasValue(4);
    }

    @Test
    @DisplayName("X3: items of equal keys are dealt with one after the other, while others go on")
    void equalKeys() {
        CountDownLatch other = new CountDownLatch(1);
        List<String> items = List.of("a1", "a2", "a3", "b");
        List<String> results = pipeline.each(items, item -> item.charAt(0), item -> {
            begun.add(item);
            if (item.equals("a1")) {
                waitFor(other);
                assertThat(begun).doesNotContain("a2", "a3");
            }
            if (item.equals("b")) {
                other.countDown();
            }
            return item;
        });
        assertThat(results).containsExactlyElementsOf(items);
        assertThat(begun).containsSubsequence("a1", "a2", "a3");
    }

    @Test
    @DisplayName("X3: the calling thread does all by itself where no other comes to help")
    void alone() {
        assertThat(new Pipeline(new Alone()).each(numbers(10), Function.identity(), number -> Thread.currentThread()))
                .hasSize(10)
                .containsOnly(Thread.currentThread());
        assertThat(pipeline.each(List.of(), Function.identity(), Function.identity()))
                .isEmpty();
    }

    @Test
    @DisplayName(
            "X1: threads that cannot be created leave the items to those there are, and the caller has all results")
    void noThread() {
        List<Thread> helpers = Collections.synchronizedList(new ArrayList<>());
        Lanes scarce = new Lanes() {
            @Override
            public Lane open(String name, int width) {
                return lanes.open(name, width);
            }

            @Override
            public Executor threads(String name) {
                return step -> {
                    if (!helpers.isEmpty()) {
                        throw new InternalError("unable to create native thread");
                    }
                    Thread helper = new Thread(step);
                    helpers.add(helper);
                    helper.start();
                };
            }

            @Override
            public void close() {}
        };
        assertThat(new Pipeline(scarce).each(numbers(20), Function.identity(), number -> 2 * number))
                .containsExactlyElementsOf(
                        numbers(20).stream().map(number -> 2 * number).toList());
        assertThat(helpers).hasSize(1);
    }

    @Test
    @DisplayName("X3: after a failure nothing more is begun")
    void failure() {
        assertThatThrownBy(() -> new Pipeline(new Alone()).each(numbers(10), Function.identity(), number -> {
                    begun.add(number);
                    if (number == 2) {
                        throw new IllegalArgumentException("two");
                    }
                    return number;
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("two");
        assertThat(begun).containsExactly(0, 1, 2);
    }

    @Test
    @DisplayName("X3: neither a failure nor an interrupt leaves behind what was begun")
    void waitsForWhatWasBegun() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        CyclicBarrier both = new CyclicBarrier(2);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            Thread own = Thread.currentThread();
            try {
                pipeline.each(numbers(2), Function.identity(), number -> {
                    meet(both);
                    if (Thread.currentThread() == own) {
                        throw new IllegalArgumentException("its own");
                    }
                    waitFor(open);
                    begun.add("end");
                    return number;
                });
            } catch (IllegalArgumentException e) {
                begun.add(e.getMessage());
                interrupted.complete(Thread.currentThread().isInterrupted());
            }
        });
        caller.start();
        while (caller.getState() != Thread.State.TIMED_WAITING || both.getNumberWaiting() > 0) {
            Thread.onSpinWait();
        }
        caller.interrupt();
        assertThat(interrupted).isNotDone();
        open.countDown();
        assertThat(interrupted.get(5, TimeUnit.MINUTES)).as("still interrupted").isTrue();
        assertThat(begun).containsExactly("end", "its own");
    }
}
