package dev.almanac.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.almanac.testkit.server.MongoServer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class NodeFaultTest {
    /** A lease is renewed once a third of it is over, and is trusted until its margin; half a second is for the renewal. */
    private static final Duration OUTLASTED = FaultNode.settings()
            .leaseLength()
            .multipliedBy(2)
            .dividedBy(3)
            .minus(FaultNode.settings().margin())
            .minusMillis(500);

    private static final Duration LONG_RUN = Duration.ofMillis(2_500);

    private static final Duration SHORT_OF_THREADS = Duration.ofSeconds(5);

    private Cluster cluster;
    private int further;

    @BeforeEach
    void start() {
        cluster = new Cluster(MongoServer.shared());
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void load(int nodes, long millis) {
        start(nodes);
        plan(millis);
    }

    private void start(int nodes) {
        for (int i = 1; i <= nodes; i++) {
            cluster.node("node-" + i);
        }
        cluster.scheduler.findJobById("opens the store");
        cluster.awaitNodes(nodes);
    }

    private void plan(long millis) {
        Instant begin = Instant.now().plusSeconds(2).truncatedTo(ChronoUnit.SECONDS);
        for (int i = 0; i < 6; i++) {
            cluster.recurring("tick-" + i, begin, 6, i % 2 == 0 ? 300 : 0);
        }
        for (int i = 0; i < 60; i++) {
            boolean isLong = i % 4 == 0;
            cluster.once((isLong ? "long-" : "once-") + i, begin.plusMillis(i * 50L), isLong ? millis : 0);
        }
    }

    private long startsOn(String node) {
        return cluster.evidence.lines().stream()
                .filter(line -> line.node().equals(node) && line.event().equals("start"))
                .count();
    }

    /**
     * Whether the node has begun one of the jobs that take long, and is not about to end it; such a run ends behind the
     * lease. A run whose end is near may have asked for its lease already when the signal comes.
     */
    private boolean isInLongRun(String node) {
        long lately = System.currentTimeMillis() - LONG_RUN.dividedBy(2).toMillis();
        return cluster.evidence.lines().stream()
                .anyMatch(line -> line.event().equals("start")
                        && line.node().equals(node)
                        && line.job().startsWith("long-")
                        && line.at() > lately);
    }

    /** Waits until the condition holds. Each look adds a job: the other nodes may have taken all that there were. */
    private void awaitWithJobs(String kind, long millis, BooleanSupplier so) {
        await().atMost(Cluster.PATIENCE).pollInterval(Duration.ofMillis(250)).until(() -> {
            boolean holds = so.getAsBoolean();
            if (!holds) {
                cluster.once(kind + "-further-" + further++, Instant.now(), millis);
            }
            return holds;
        });
    }

    @Test
    @DisplayName("P5: kill -9 of one of three nodes during runs loses no fire and runs none twice without a reason")
    void kill() {
        load(3, 2_000);
        awaitWithJobs("once", 0, () -> startsOn("node-1") >= 8);
        cluster.kill9("node-1");
        cluster.awaitEnd();
    }

    @Test
    @DisplayName("P5: kill -9 of both of two nodes, one after the other; a third takes everything over")
    void killAll() {
        load(2, 1_500);
        awaitWithJobs("once", 0, () -> startsOn("node-1") >= 5);
        cluster.kill9("node-1");
        cluster.kill9("node-2");
        cluster.node("node-3");
        cluster.awaitEnd();
    }

    @Test
    @DisplayName("N14: a node that has no memory for some seconds loses no fire, and goes on by itself")
    void memory() {
        load(1, 2_000);
        awaitWithJobs("once", 0, () -> startsOn("node-1") >= 8);
        cluster.useUpMemory("node-1");
        await().atMost(Cluster.PATIENCE).until(() -> cluster.said("node-1").contains(FaultNode.FREE_AGAIN));
        cluster.once("after-that", Instant.now().plusSeconds(1), 0);
        cluster.awaitEnd();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    @DisplayName(
            "N14: a process in which no thread can be created for some seconds loses no fire, and goes on by itself")
    void threads() {
        start(1);
        await().atMost(Cluster.PATIENCE).until(() -> cluster.said("node-1").contains("ready"));
        // no run has needed a thread before
        cluster.refuseThreads("node-1");
        plan(2_000);
        awaitRefusedThread();
        long refused = System.nanoTime();
        await().atMost(Cluster.PATIENCE).until(() -> since(refused).compareTo(SHORT_OF_THREADS) > 0);
        cluster.allowThreads("node-1");
        cluster.once("after-that", Instant.now().plusSeconds(1), 0);
        cluster.awaitEnd();
    }

    /**
     * What the process gives back, such as the stack of a compiler that has nothing to do, is room for a thread. So each look
     * takes that away, and adds more jobs of one instant than such room has threads.
     */
    private void awaitRefusedThread() {
        await().atMost(Cluster.PATIENCE).pollInterval(Duration.ofSeconds(2)).until(() -> {
            boolean isRefused = cluster.said("node-1").contains("Failed to start thread");
            if (!isRefused) {
                cluster.refuseThreads("node-1");
                Instant together = Instant.now().plusSeconds(1);
                for (int i = 0; i < 20; i++) {
                    cluster.once("once-further-" + further++, together, 0);
                }
            }
            return isRefused;
        });
    }

    @Test
    @DisplayName("P3: SIGSTOP longer than the lease: others take over, and the zombie's end is refused")
    void longStop() {
        load(2, LONG_RUN.toMillis());
        stopInLongRun();
        Instant over = Instant.now().plus(FaultNode.settings().leaseLength()).plusSeconds(3);
        await().atMost(Cluster.PATIENCE).until(() -> Instant.now().isAfter(over));
        cluster.signal("node-1", "CONT");
        cluster.awaitEnd();
        // all jobs may have ended on the other node before the zombie comes to its end
        await("the zombie's fencing check")
                .atMost(Cluster.PATIENCE)
                .until(() -> cluster.evidence.lines().stream()
                        .anyMatch(line ->
                                line.event().equals("refused") && line.node().equals("node-1")));
    }

    /** The signal may come when the run that was seen has just ended: then for another one. */
    private void stopInLongRun() {
        for (int tries = 0; tries < 20; tries++) {
            awaitWithJobs("long", LONG_RUN.toMillis(), () -> isInLongRun("node-1"));
            cluster.signal("node-1", "STOP");
            if (isInLongRun("node-1")) {
                return;
            }
            cluster.signal("node-1", "CONT");
        }
        throw new AssertionError("each run of node-1 had ended when it was stopped");
    }

    @Test
    @DisplayName("P3: SIGSTOP shorter than the trust window: the node goes on, nothing runs twice")
    void shortStop() {
        for (int tries = 0; !isStoppedShortly(); tries++) {
            assertThat(tries).as("stops that were too long").isLessThan(20);
            cluster.close();
            start();
        }
        cluster.awaitEnd();
        assertThat(cluster.evidence.starts().values())
                .allSatisfy(starts -> assertThat(starts).hasSize(1));
    }

    /** A machine that is slow to go on makes a stop longer: whether every lease that was renewed in time has outlasted it. */
    private boolean isStoppedShortly() {
        load(2, 1_000);
        awaitWithJobs("once", 0, () -> startsOn("node-1") >= 8);
        long stopped = System.nanoTime();
        cluster.signal("node-1", "STOP");
        await().atMost(Cluster.PATIENCE).until(() -> since(stopped).compareTo(Duration.ofMillis(1_500)) > 0);
        cluster.signal("node-1", "CONT");
        return since(stopped).compareTo(OUTLASTED) < 0;
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    @Test
    @DisplayName("R8, R14: all nodes are replaced one by one while jobs fire; no fire is lost, none runs twice")
    void rollingReplacement() {
        cluster.node("node-1");
        cluster.node("node-2");
        cluster.scheduler.findJobById("opens the store");
        cluster.awaitNodes(2);
        Instant begin = Instant.now().plusSeconds(2).truncatedTo(ChronoUnit.SECONDS);
        for (int i = 0; i < 6; i++) {
            cluster.recurring("tick-" + i, begin, 16, i % 2 == 0 ? 400 : 0);
        }
        for (int i = 0; i < 100; i++) {
            cluster.once("once-" + i, begin.plusMillis(i * 150L), i % 4 == 0 ? 700 : 0);
            cluster.grouped("group-" + i % 4 + "-" + i, "g-" + i % 4, begin.plusMillis(i * 150L), 30);
        }
        for (int i = 1; i <= 4; i++) {
            String next = "node-" + (i + 2);
            cluster.node(next);
            cluster.awaitNodes(i + 2);
            cluster.leave("node-" + i);
        }
        for (int i = 1; i <= 4; i++) {
            cluster.awaitExit("node-" + i);
        }
        // however long the starts of the nodes have taken, this is left for the new ones
        cluster.once("last", Instant.now(), 0);
        cluster.awaitEnd();
        assertThat(startsOn("node-5") + startsOn("node-6")).isPositive();
    }
}
