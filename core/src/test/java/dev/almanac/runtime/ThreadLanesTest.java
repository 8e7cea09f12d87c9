package dev.almanac.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Delays beyond what can be counted in nanoseconds, and repetitions. */
class ThreadLanesTest {
    @Test
    @DisplayName("15: a delay of 320 years, as of a damaged timeout, is a long one; later steps come all the same")
    void longDelay() throws Exception {
        try (ThreadLanes lanes = new ThreadLanes("test")) {
            Lane lane = lanes.open("lane", 1);
            CompletableFuture<Void> early = new CompletableFuture<>();
            lane.after(Duration.ofDays(116_880), () -> early.complete(null));
            CompletableFuture<Void> next = new CompletableFuture<>();
            lane.after(Duration.ofMillis(1), () -> next.complete(null));
            next.get(3, TimeUnit.MINUTES);
            assertThat(early).isNotDone();
        }
    }

    @Test
    @DisplayName("X2: a repetition goes on, whatever its step throws")
    void repetition() throws Exception {
        try (ThreadLanes lanes = new ThreadLanes("test")) {
            AtomicInteger turns = new AtomicInteger();
            CompletableFuture<Void> third = new CompletableFuture<>();
            lanes.open("lane", 1).every(Duration.ofMillis(1), () -> {
                if (turns.incrementAndGet() < 3) {
                    throw new OutOfMemoryError("planned");
                }
                third.complete(null);
            });
            third.get(3, TimeUnit.MINUTES);
        }
    }

    @Test
    @DisplayName(
            "X2: a lane that lost its only thread and got no other goes on with the next repetition of another lane")
    void lostThread() throws Exception {
        try (ThreadLanes lanes = new ThreadLanes("test")) {
            ThreadLanes.ThreadLane lane = (ThreadLanes.ThreadLane) lanes.open("lane", 1);
            CompletableFuture<Thread> begun = new CompletableFuture<>();
            CompletableFuture<Void> mayEnd = new CompletableFuture<>();
            lane.run(() -> {
                begun.complete(Thread.currentThread());
                mayEnd.join();
            });
            Thread first = begun.get(3, TimeUnit.MINUTES);
            CompletableFuture<Void> waiting = new CompletableFuture<>();
            lane.pool().getQueue().add(new FailsInQueue(first));
            lane.run(() -> waiting.complete(null));
            ThreadFactory enough = lane.pool().getThreadFactory();
            CompletableFuture<Void> refused = new CompletableFuture<>();
            lane.pool().setThreadFactory(step -> refused.complete(null) ? null : enough.newThread(step));

            mayEnd.complete(null);
            first.join();
            refused.get(3, TimeUnit.MINUTES);
            assertThat(lane.pool().getPoolSize()).isZero();
            assertThat(waiting).isNotDone();
            ThreadLanes.ThreadLane idle = (ThreadLanes.ThreadLane) lanes.open("idle", 1);
            lanes.open("other", 1).every(Duration.ofMillis(1), () -> {});

            waiting.get(3, TimeUnit.MINUTES);
            assertThat(idle.pool().getPoolSize())
                    .as("what has nothing to do gets no thread")
                    .isZero();
        }
    }

    /** Due before all others; the thread that takes it from the queue runs out of memory there. */
    private static final class FailsInQueue extends FutureTask<Void> implements RunnableScheduledFuture<Void> {
        private final Thread victim;

        FailsInQueue(Thread victim) {
            super(() -> null);
            this.victim = victim;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            if (Thread.currentThread() == victim) {
                throw new OutOfMemoryError("planned");
            }
            return unit.convert(-1, TimeUnit.DAYS);
        }

        @Override
        public int compareTo(Delayed other) {
            return -1;
        }

        @Override
        public boolean isPeriodic() {
            return false;
        }
    }

    @Test
    @DisplayName("a setting of more than a hundred years is refused, with what is allowed")
    void longSetting() {
        SchedulerSettingsBuilder never = SchedulerSettings.builder().replanInterval(Duration.ofDays(365_000));
        assertThatThrownBy(never::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("settings out of range: replanInterval PT8760000H is more than 36525 days");
        assertThatCode(() -> SchedulerSettings.builder()
                        .replanInterval(Duration.ofDays(36_525))
                        .build())
                .doesNotThrowAnyException();
    }

    @Test
    @DisplayName("intervals that would be a loop are refused, all of them in one message")
    void shortSettings() {
        Duration tooShort = Duration.ofNanos(9_999_999);
        SchedulerSettingsBuilder loops = SchedulerSettings.builder()
                .skewAllowance(Duration.ZERO)
                .lead(Duration.ZERO)
                .pollInterval(tooShort)
                .heartbeatInterval(tooShort)
                .clockInterval(tooShort)
                .purgeInterval(tooShort)
                .replanInterval(tooShort)
                .leaseLength(Duration.ofMillis(999));
        assertThatThrownBy(loops::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("settings out of range: pollInterval PT0.009999999S is less than PT0.01S;"
                        + " leaseLength PT0.999S is less than PT1S; heartbeatInterval PT0.009999999S is less than PT0.01S;"
                        + " clockInterval PT0.009999999S is less than PT0.01S;"
                        + " purgeInterval PT0.009999999S is less than PT0.01S;"
                        + " replanInterval PT0.009999999S is less than PT0.01S");
    }

    @Test
    @DisplayName("a node that counts as gone between two of its reports is refused, with both values")
    void rareReports() {
        SchedulerSettingsBuilder rare = SchedulerSettings.builder().heartbeatInterval(Duration.ofSeconds(30));
        assertThatThrownBy(rare::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("settings out of range: nodeTimeout PT15S is too short:"
                        + " it must be at least twice heartbeatInterval, which is PT30S");
        assertThatThrownBy(rare.nodeTimeout(Duration.ofMillis(59_999))::build)
                .isInstanceOf(IllegalArgumentException.class);
        assertThatCode(rare.nodeTimeout(Duration.ofMinutes(1))::build).doesNotThrowAnyException();
    }
}
