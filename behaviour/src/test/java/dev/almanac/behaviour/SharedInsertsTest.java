package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.PauseScope;
import dev.almanac.store.JobStore;
import dev.almanac.store.NewJob;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreException;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Jobs that are scheduled at the same time share an insert, and their rows follow: the same over every kind of store. */
class SharedInsertsTest extends OverStores {
    private static final String EVERY_TEN_MINUTES = "0 0/10 * * * ?";

    private final List<Integer> inserts = new ArrayList<>();

    private static JobSpecification later(String key) {
        return job(key).singleSchedule(START.plus(Duration.ofDays(1))).build();
    }

    /** The store, whose inserts tell how many jobs they hold, and may wait then. */
    private JobStore watched(Consumer<Integer> inserting) {
        return StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("insert")) {
                inserting.accept(((List<?>) arguments[0]).size());
            }
            return call.proceed();
        });
    }

    private static void waitForLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Machine behind(Fault fault) {
        FaultyStore network =
                new FaultyStore(world.store, world.lanes.node().open("network", 1)).fail(StoreCall.INSERT, 1, fault);
        return world.node("behind", network, Duration.ZERO, builder -> builder);
    }

    private List<JobExecutionStatus> storedRows(String key) {
        return world.store.rows(RowQuery.ofKey(key, 100));
    }

    @Test
    @DisplayName("P7: callers that come while inserts are under way share the next one; each waits for its own job")
    void shared() {
        CountDownLatch open = new CountDownLatch(1);
        AtomicInteger under = new AtomicInteger();
        JobStore slow = watched(size -> {
            synchronized (inserts) {
                inserts.add(size);
            }
            under.incrementAndGet();
            waitForLatch(open);
        });
        try (Scheduler client = client(slow);
                var callers = Callers.start()) {
            callers.call(() -> client.scheduleJob(later("a")));
            await().atMost(Duration.ofMinutes(5)).until(() -> under.get() == 1);
            callers.call(() -> client.scheduleJob(later("b")));
            await().atMost(Duration.ofMinutes(5)).until(() -> under.get() == 2);
            for (int i = 0; i < 20; i++) {
                String key = "more" + i;
                callers.call(() -> client.scheduleJob(later(key)));
            }
            await().atMost(Duration.ofMinutes(5)).until(() -> callers.waiting() == 22);
            assertThat(under.get()).as("two at a time").isEqualTo(2);
            open.countDown();
            callers.join();
            assertThat(inserts).hasSizeBetween(3, 4).startsWith(1, 1);
            assertThat(inserts.stream().mapToInt(i -> i).sum()).isEqualTo(22);
            assertThat(client.findJobById("more7")).isPresent();
            assertThat(client.history("more7")).hasSize(1);
        }
    }

    @Test
    @DisplayName("P7: a job that cannot be written fails alone; those that share its insert are stored")
    void unwritable() {
        CountDownLatch open = new CountDownLatch(1);
        AtomicInteger under = new AtomicInteger();
        JobStore picky = StoreHook.over(JobStore.class, world.store, (method, arguments, call) -> {
            if (method.equals("insert")) {
                if (under.incrementAndGet() <= 2) {
                    waitForLatch(open);
                }
                for (Object item : (List<?>) arguments[0]) {
                    if (((NewJob) item).job().key().equals("bad")) {
                        throw new IllegalArgumentException("cannot be encoded");
                    }
                }
            }
            return call.proceed();
        });
        AtomicInteger refused = new AtomicInteger();
        try (Scheduler client = client(picky);
                var callers = Callers.start()) {
            callers.call(() -> client.scheduleJob(later("a")));
            await().atMost(Duration.ofMinutes(5)).until(() -> under.get() == 1);
            callers.call(() -> client.scheduleJob(later("b")));
            await().atMost(Duration.ofMinutes(5)).until(() -> under.get() == 2);
            callers.call(() -> client.scheduleJob(later("c")));
            callers.call(() -> {
                assertThatThrownBy(() -> client.scheduleJob(later("bad"))).isInstanceOf(IllegalArgumentException.class);
                refused.incrementAndGet();
            });
            callers.call(() -> client.scheduleJob(later("d")));
            await().atMost(Duration.ofMinutes(5)).until(() -> callers.waiting() == 5);
            open.countDown();
            callers.join();
            assertThat(refused).hasValue(1);
            assertThat(client.findJobById("c")).isPresent();
            assertThat(client.findJobById("d")).isPresent();
            assertThat(client.findJobById("bad")).isEmpty();
        }
    }

    @Test
    @DisplayName("X2: if a shared insert and the reading after it fail with Errors, all its callers are answered")
    void insertAndReadingFail() {
        CountDownLatch open = new CountDownLatch(1);
        AtomicInteger under = new AtomicInteger();
        JobStore failing = StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("insert") && under.incrementAndGet() <= 2) {
                waitForLatch(open);
            } else if (method.equals("load") || method.equals("insert")) {
                throw new OutOfMemoryError("Java heap space");
            }
            return call.proceed();
        });
        Map<String, String> answers = new ConcurrentHashMap<>();
        try (Scheduler client = client(failing);
                var callers = Callers.start()) {
            List.of("a", "b").forEach(key -> {
                int before = under.get();
                callers.call(() -> answers.put(key, answer(client, key)));
                await().atMost(Duration.ofMinutes(5)).until(() -> under.get() > before);
            });
            List.of("c", "d", "e").forEach(key -> callers.call(() -> answers.put(key, answer(client, key))));
            await().atMost(Duration.ofMinutes(5)).until(() -> callers.waiting() == 5);
            open.countDown();
            await().atMost(Duration.ofMinutes(5)).until(() -> answers.size() == 5);
            assertThat(answers.values()).filteredOn("stored"::equals).hasSize(2);
            assertThat(answers.values())
                    .filteredOn(answer -> answer.contains("Java heap space"))
                    .hasSize(3);
        }
    }

    @Test
    @DisplayName("X2: a row for which there is no thread is written by its caller, and later ones on the lane again")
    void noThreadForRows() {
        ScarceThreads lanes = ScarceThreads.ofLane(world.lanes.node(), "rows");
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.lanes(lanes));
        lanes.refuse(1);
        a.scheduler().scheduleJob(later("j"));
        assertThat(storedRows("j")).hasSize(1);
        a.scheduler().scheduleJob(later("k"));
        assertThat(storedRows("k"))
                .as("callers do not write if there is a thread")
                .isEmpty();
        world.pass(Duration.ofSeconds(1));
        assertThat(storedRows("k")).hasSize(1);
    }

    @Test
    @DisplayName("X3: inserts that hang do not hold up the next one")
    void hanging() {
        CountDownLatch open = new CountDownLatch(1);
        AtomicInteger under = new AtomicInteger();
        JobStore hanging = watched(size -> {
            if (under.incrementAndGet() <= 2) {
                waitForLatch(open);
            }
        });
        try (Scheduler client = client(hanging);
                var callers = Callers.start()) {
            callers.call(() -> client.scheduleJob(later("a")));
            await().atMost(Duration.ofMinutes(5)).until(() -> under.get() == 1);
            callers.call(() -> client.scheduleJob(later("b")));
            await().atMost(Duration.ofMinutes(5)).until(() -> under.get() == 2);
            world.time.advance(Duration.ofSeconds(1));
            client.scheduleJob(later("c"));
            assertThat(client.findJobById("c")).isPresent();
            assertThat(client.findJobById("a")).as("it hangs still").isEmpty();
            open.countDown();
            callers.join();
            assertThat(client.findJobById("a")).isPresent();
        }
    }

    /** The store as it is behind a driver, which serves no thread that is interrupted. */
    private JobStore refusingInterrupted(JobStore way) {
        return StoreHook.over(way, (method, arguments, call) -> {
            if (Thread.currentThread().isInterrupted()) {
                throw new StoreException("interrupted", new IllegalStateException());
            }
            return call.proceed();
        });
    }

    private static void waitAsDriver(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted", e);
        }
    }

    @Test
    @DisplayName(
            "P7, 18.1: an interrupt of one caller ends the wait of that one; the others of its insert are answered")
    void interruptedCaller() {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch third = new CountDownLatch(1);
        AtomicInteger under = new AtomicInteger();
        AtomicReference<Thread> inserting = new AtomicReference<>();
        JobStore slow = watched(size -> {
            if (under.incrementAndGet() <= 2) {
                waitForLatch(first);
            } else {
                inserting.set(Thread.currentThread());
                waitAsDriver(third);
            }
        });
        Map<String, String> answers = new ConcurrentHashMap<>();
        try (Scheduler client = client(refusingInterrupted(slow));
                var callers = Callers.start()) {
            List.of("a", "b").forEach(key -> {
                int before = under.get();
                callers.call(() -> client.scheduleJob(later(key)));
                await().atMost(Duration.ofMinutes(5)).until(() -> under.get() > before);
            });
            List.of("c", "d", "e").forEach(key -> callers.call(() -> answers.put(key, answer(client, key))));
            await().atMost(Duration.ofMinutes(5)).until(() -> callers.waiting() == 5);
            first.countDown();
            await().atMost(Duration.ofMinutes(5)).until(() -> inserting.get() != null);
            Thread one = callers.interruptOne(inserting.get());
            await().atMost(Duration.ofMinutes(5)).until(() -> one.getState() == Thread.State.TERMINATED);
            third.countDown();
            callers.join();
            assertThat(answers.values()).filteredOn("stored"::equals).hasSize(2);
            assertThat(answers.values())
                    .filteredOn(answer -> answer.contains("not known"))
                    .hasSize(1);
            assertThat(client.listJobs(JobQuery.all()).jobs()).as("it was sent").hasSize(5);
        }
    }

    private static String answer(Scheduler client, String key) {
        try {
            client.scheduleJob(later(key));
            return "stored";
        } catch (StoreException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    @DisplayName("P7: an insert whose reply is lost is not repeated; a job that is there was stored")
    void replyLost() {
        Machine behind = behind(Fault.LOSE_REPLY);
        behind.scheduler().scheduleJob(later("j"));
        assertThat(behind.scheduler().history("j")).hasSize(1);
        assertThat(behind.scheduler().findJobById("j")).isPresent();
    }

    @Test
    @DisplayName("P7: an insert whose request is lost is not repeated; its caller is told that the outcome is unknown")
    void requestLost() {
        Machine behind = behind(Fault.LOSE_REQUEST);
        assertThatThrownBy(() -> behind.scheduler().scheduleJob(later("j"))).isInstanceOf(StoreException.class);
        world.pass(Duration.ofMinutes(1));
        assertThat(world.store.find("j", FindScope.INCLUDING_FINISHED)).isEmpty();
        assertThat(storedRows("j")).isEmpty();
    }

    @Test
    @DisplayName("M6: the row of a job that was cancelled before its row was written expires with the job")
    void canceledBefore() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(later("j"));
        a.scheduler().cancelJob("j");
        assertEndsWithJob(a);
    }

    @Test
    @DisplayName("M6: the row of a job that has run before its row was written expires with the job")
    void ranBefore() {
        JobStore busy = rowsFail(1);
        Machine a = world.node("a", busy, Duration.ZERO, builder -> builder);
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusMillis(10)).build());
        world.pass(Duration.ofMillis(90));
        assertThat(storedRows("j")).isEmpty();
        assertEndsWithJob(a);
    }

    private void assertEndsWithJob(Machine machine) {
        List<JobExecutionStatus> rows = machine.scheduler().history("j");
        assertThat(rows).hasSize(2);
        assertThat(rows).extracting(JobExecutionStatus::deleteTime).doesNotContainNull();
        assertThat(rows.get(1).deleteTime()).isBeforeOrEqualTo(rows.get(0).deleteTime());
        assertThat(machine.scheduler().checkInvariants().findings()).isEmpty();
    }

    /** A store to which rows cannot be written so many times. */
    private JobStore rowsFail(int times) {
        FaultyStore network = new FaultyStore(world.store, world.lanes.node().open("network", 1));
        for (int i = 1; i <= times; i++) {
            network.fail(StoreCall.WRITE_ROWS, i, Fault.LOSE_REQUEST);
        }
        return network;
    }

    @Test
    @DisplayName("M6: the row of a recurring job that was changed before its row was written expires; the newest stays")
    void changedBefore() {
        Machine a = world.node("a");
        JobSpecification spec =
                job("j").schedulingSpecification(EVERY_TEN_MINUTES).build();
        a.scheduler().scheduleJob(spec);
        a.scheduler().pause(PauseScope.job("j"), new dev.almanac.model.Pause("audit", "ops", null));
        List<JobExecutionStatus> rows = a.scheduler().history("j");
        assertThat(rows).hasSize(2);
    }

    @Test
    @DisplayName("P7: rows of jobs that are scheduled one after the other share a write, which callers do not wait for")
    void gathered() {
        FaultyStore network = new FaultyStore(world.store, world.lanes.node().open("network", 1));
        Machine a = world.node("a", network, Duration.ZERO, builder -> builder);
        for (String key : List.of("j", "k", "l")) {
            a.scheduler().scheduleJob(later(key));
            world.pass(Duration.ofMillis(5));
            assertThat(storedRows(key)).isEmpty();
        }
        world.pass(Duration.ofMillis(10));
        assertThat(network.calls(StoreCall.WRITE_ROWS)).isEqualTo(1);
        assertThat(List.of("j", "k", "l"))
                .allSatisfy(key -> assertThat(storedRows(key)).hasSize(1));
    }

    @Test
    @DisplayName("M6: rows that could not be written come with a pause, and drain and close write what is left")
    void writtenLater() {
        JobStore network = rowsFail(3);
        Machine a = world.node("a", network, Duration.ZERO, builder -> builder);
        a.scheduler().scheduleJob(later("j"));
        world.pass(Duration.ZERO);
        assertThat(storedRows("j")).isEmpty();
        world.pass(Duration.ofSeconds(5));
        assertThat(storedRows("j")).hasSize(1);
        a.scheduler().scheduleJob(later("k"));
        CompletableFuture<Void> drained = a.scheduler().beginDrain(Duration.ofSeconds(1));
        world.pass(Duration.ofSeconds(1));
        assertThat(drained).isCompleted();
        assertThat(storedRows("k")).hasSize(1);
        try (Scheduler client = client(world.store)) {
            client.scheduleJob(later("l"));
        }
        assertThat(storedRows("l")).hasSize(1);
    }

    /** Threads that call at the same time. */
    private static final class Callers implements AutoCloseable {
        private final List<Thread> threads = new ArrayList<>();
        private final List<Throwable> failures = new ArrayList<>();

        static Callers start() {
            return new Callers();
        }

        void call(Runnable call) {
            Thread thread = Executors.defaultThreadFactory().newThread(() -> {
                try {
                    call.run();
                } catch (RuntimeException | Error e) {
                    synchronized (failures) {
                        failures.add(e);
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }

        /** Interrupts that thread if it is one of the callers, or else the last caller. */
        Thread interruptOne(Thread wanted) {
            Thread one = threads.contains(wanted) ? wanted : threads.get(threads.size() - 1);
            one.interrupt();
            return one;
        }

        long waiting() {
            return threads.stream()
                    .filter(thread -> thread.getState() == Thread.State.WAITING
                            || thread.getState() == Thread.State.TIMED_WAITING)
                    .count();
        }

        void join() {
            for (Thread thread : threads) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            assertThat(failures).isEmpty();
        }

        @Override
        public void close() {
            threads.forEach(Thread::interrupt);
        }
    }
}
