package dev.almanac.testkit.time;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BatonTest {
    private static final Duration LONGEST_STEP = Duration.ofMillis(1);

    private final CountDownLatch last = new CountDownLatch(1);

    private boolean loop() {
        try {
            last.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return true;
    }

    @Test
    @DisplayName("steps may take together as long as they like, on however slow a machine")
    void goesOn() {
        AtomicInteger asked = new AtomicInteger();
        Baton baton = new Baton(
                this::loop,
                () -> {
                    if (asked.incrementAndGet() == 5) {
                        last.countDown();
                    }
                    return asked.get();
                },
                LONGEST_STEP);
        assertThatCode(baton::send).doesNotThrowAnyException();
    }

    @Test
    @DisplayName("a step that does not end is an error")
    void standsStill() {
        Baton baton = new Baton(this::loop, () -> 1, LONGEST_STEP);
        assertThatThrownBy(baton::send)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has not ended");
        last.countDown();
    }
}
