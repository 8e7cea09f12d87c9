package dev.almanac.faults;

import dev.almanac.testkit.server.MongoMember;
import dev.almanac.testkit.server.MongoServer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ServerFaultTest {
    private static MongoServer set;

    @BeforeAll
    static void start() {
        set = MongoServer.replicaSet(3);
    }

    @AfterAll
    static void stop() {
        set.close();
    }

    private static void load(Cluster cluster) {
        cluster.node("node-1");
        cluster.node("node-2");
        cluster.scheduler.findJobById("opens the store");
        cluster.awaitNodes(2);
        Instant begin = Instant.now().plusSeconds(3).truncatedTo(ChronoUnit.SECONDS);
        for (int i = 0; i < 4; i++) {
            cluster.recurring("tick-" + i, begin, 6, 0);
        }
        for (int i = 0; i < 80; i++) {
            cluster.once("once-" + i, begin.plusMillis(i * 60L), i % 5 == 0 ? 500 : 0);
        }
    }

    private static void awaitStarts(Cluster cluster, int count) {
        Awaitility.await()
                .atMost(Cluster.PATIENCE)
                .until(() -> cluster.evidence.starts().size() >= count);
    }

    @Test
    @DisplayName("P1: kill -9 of the primary under load loses no fire and runs none twice without a reason")
    void killPrimary() {
        try (Cluster cluster = new Cluster(set)) {
            load(cluster);
            awaitStarts(cluster, 15);
            cluster.serverDisturbed();
            MongoMember primary = set.primary();
            primary.kill9();
            cluster.awaitEnd();
            primary.restart();
            set.awaitPrimary();
        }
    }

    @Test
    @DisplayName("P1: a stepdown of the primary under load loses no fire and runs none twice without a reason")
    void stepDown() {
        try (Cluster cluster = new Cluster(set)) {
            load(cluster);
            awaitStarts(cluster, 15);
            cluster.serverDisturbed();
            set.stepDown();
            cluster.awaitEnd();
        }
    }
}
