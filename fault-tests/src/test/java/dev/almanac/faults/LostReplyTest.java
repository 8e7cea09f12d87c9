package dev.almanac.faults;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.almanac.Scheduler;
import dev.almanac.testkit.server.MongoServer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every command that the protocol sends, every Nth call of it: the connection breaks before it is applied, or the
 * answer is a write-concern error after it was.
 */
class LostReplyTest {
    private static final int CALLS = 4;
    private static MongoServer server;

    @BeforeAll
    static void start() {
        server = MongoServer.replicaSet(1);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static Stream<Arguments> faults() {
        return Stream.of("update", "insert", "find", "findAndModify")
                .flatMap(command -> IntStream.range(0, CALLS)
                        .boxed()
                        .flatMap(skip -> Stream.of("before", "after", "refused")
                                .filter(when -> !(command.equals("find") && !when.equals("before")))
                                .flatMap(when -> Stream.of(true, false)
                                        .map(retry -> Arguments.of(command, skip, when, retry)))));
    }

    @ParameterizedTest(name = "{0}, call {1}, {2} it applied, retryWrites {3}")
    @MethodSource("faults")
    @DisplayName("P2, P4: whatever reply is lost, no fire is lost and none runs twice")
    void lost(String command, int skip, String when, boolean retry) {
        try (Cluster cluster = new Cluster(server);
                MongoClient client =
                        MongoClients.create(server.uri() + "&retryWrites=" + retry + "&retryReads=" + retry)) {
            cluster.clerk.findJobById("opens the store");
            Instant begin = Instant.now().plusMillis(600);
            for (int i = 0; i < 6; i++) {
                cluster.once("once-" + i, begin.plusMillis(i * 40L), i % 3 == 0 ? 100 : 0);
            }
            cluster.recurring("tick", begin.plusSeconds(1).truncatedTo(ChronoUnit.SECONDS), 2, 0);
            Scheduler node = FaultNode.scheduler(client, cluster.database(), "node", cluster.evidence);
            try {
                node.start();
            } catch (RuntimeException unreachableAtStart) {
                node.close();
                node = FaultNode.scheduler(client, cluster.database(), "node", cluster.evidence);
                node.start();
            }
            try {
                cluster.awaitEnd(Duration.ofSeconds(40));
            } finally {
                server.failPoint("off", new Document());
                node.close();
            }
        }
    }

    /** A client whose Nth call of the command meets the fault. */
    private static MongoClientSettings settings(String command, int skip, String when, boolean retry) {
        AtomicInteger calls = new AtomicInteger();
        return MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.uri()))
                .applicationName("faulty")
                .retryWrites(retry)
                .retryReads(retry)
                .addCommandListener(new CommandListener() {
                    @Override
                    public void commandStarted(CommandStartedEvent event) {
                        if (event.getCommandName().equals(command) && calls.getAndIncrement() == skip) {
                            server.failPoint(new Document("times", 1), fault(command, when));
                        }
                    }
                })
                .build();
    }

    private static Document fault(String command, String when) {
        Document data = new Document("failCommands", List.of(command)).append("appName", "faulty");
        return switch (when) {
            case "before" -> data.append("closeConnection", true);
            case "after" ->
                data.append("writeConcernError", new Document("code", 91).append("errmsg", "the primary shuts down"));
            default -> data.append("errorCode", 10_107);
        };
    }
}
