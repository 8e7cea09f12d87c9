package dev.almanac.web.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.almanac.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CachedAnswerTest {
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger asked = new AtomicInteger();

    @Test
    @DisplayName("console: pages that wait for the same answer learn together that it cannot be read")
    void together() throws InterruptedException {
        CountDownLatch fail = new CountDownLatch(1);
        CachedAnswer<String> answer = new CachedAnswer<>(Duration.ofSeconds(2), nanos::get, () -> {
            asked.incrementAndGet();
            try {
                fail.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new StoreException("down");
        });
        List<Thread> threads = new ArrayList<>();
        List<FutureTask<String>> pages = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            FutureTask<String> page = new FutureTask<>(answer::get);
            pages.add(page);
            threads.add(new Thread(page));
        }
        threads.forEach(Thread::start);
        await().atMost(Duration.ofMinutes(5))
                .until(() -> threads.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING));
        fail.countDown();
        for (FutureTask<String> page : pages) {
            assertThatThrownBy(page::get).hasRootCauseInstanceOf(StoreException.class);
        }
        assertThat(asked).hasValue(1);
        assertThatThrownBy(answer::get).isInstanceOf(StoreException.class);
        assertThat(asked).as("a failure is not cached").hasValue(2);
    }

    @Test
    @DisplayName("console: an answer is cached for its time, and not over a change that was made while it was read")
    void cached() {
        List<CachedAnswer<Integer>> self = new ArrayList<>();
        CachedAnswer<Integer> answer = new CachedAnswer<>(Duration.ofNanos(10), nanos::get, () -> {
            int count = asked.incrementAndGet();
            if (count == 2) {
                self.get(0).forget();
            }
            return count;
        });
        self.add(answer);
        assertThat(List.of(answer.get(), answer.get())).containsExactly(1, 1);
        nanos.addAndGet(10);
        assertThat(answer.get()).isEqualTo(2);
        assertThat(answer.get()).as("changed while the second was read").isEqualTo(3);
        answer.forget();
        assertThat(answer.get()).isEqualTo(4);
    }
}
