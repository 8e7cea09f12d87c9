package dev.almanac.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.almanac.Scheduler;
import dev.almanac.model.CancelResult;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobSpecification;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.server.MongoMember;
import dev.almanac.testkit.server.MongoServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A new primary does not know at first what the majority has acknowledged. How long that takes is a matter of luck, so a
 * fail point keeps the secondaries from learning it, before the job is scheduled, until one of them has been elected and
 * is sent a linearizable read.
 */
@DisplayName("P11: after the primary was killed, nobody is told that an acknowledged job does not exist")
class AfterElectionTest {
    private static MongoServer set;

    private List<MongoMember> heldBack = List.of();
    private final MongoClient client = MongoClients.create(MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(set.uri()))
            .addCommandListener(new CommandListener() {
                @Override
                public void commandStarted(CommandStartedEvent event) {
                    BsonDocument concern = event.getCommand().getDocument("readConcern", new BsonDocument());
                    if (concern.getString("level", new BsonString(""))
                            .getValue()
                            .equals("linearizable")) {
                        letGo();
                    }
                }
            })
            .build());
    private final MongoJobStore store =
            MongoJobStore.create(client, MongoStoreSettings.ofDatabase(set.freshDatabase()));
    private final Scheduler scheduler = Scheduler.builder()
            .store(store)
            .command("timed", 1, TimedCommand.class, (command, run) -> {})
            .build();

    @BeforeAll
    static void start() {
        set = MongoServer.replicaSet(3);
    }

    @AfterAll
    static void stop() {
        set.close();
    }

    @AfterEach
    void close() {
        letGo();
        scheduler.close();
        client.close();
    }

    private synchronized void letGo() {
        heldBack.forEach(member -> holdBack(member, "off"));
        heldBack = List.of();
    }

    private static void holdBack(MongoMember member, String mode) {
        try (MongoClient direct = MongoClients.create("mongodb://" + member.host() + "/?directConnection=true")) {
            direct.getDatabase("admin")
                    .runCommand(new Document("configureFailPoint", "disableSnapshotting").append("mode", mode));
        }
    }

    /** The answer to a request that is sent at once to the primary that follows the killed one. */
    private <T> T afterElection(String key, Function<String, T> request) {
        scheduler.findJobById("opens the store");
        MongoMember primary = set.primary();
        List<MongoMember> others =
                set.members().stream().filter(member -> member != primary).toList();
        others.forEach(member -> holdBack(member, "alwaysOn"));
        heldBack = others;
        scheduler.scheduleJob(JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("test")
                .triggerCommand(new TimedCommand(0))
                .triggerIdentifier(key)
                .singleSchedule(Instant.now().plus(Duration.ofHours(1)))
                .build());
        primary.kill9();
        try {
            return answered(() -> request.apply(key));
        } finally {
            letGo();
            primary.restart();
            set.awaitPrimary();
        }
    }

    /**
     * Asked again while it is not known. A member that has no snapshot at all lets a majority read wait, so that no
     * linearizable one is sent: then it is not held back any longer.
     */
    private <T> T answered(Callable<T> request) {
        return await().atMost(Cluster.PATIENCE)
                .ignoreExceptionsInstanceOf(StoreException.class)
                .until(
                        () -> {
                            try {
                                return request.call();
                            } catch (StoreException notKnown) {
                                letGo();
                                throw notKnown;
                            }
                        },
                        answer -> true);
    }

    @Test
    @DisplayName("a request to cancel it cancels it")
    void cancel() {
        CancelResult result = afterElection("a", scheduler::cancelJob);
        assertThat(result).isEqualTo(CancelResult.CANCELED);
    }

    @Test
    @DisplayName("it is found")
    void find() {
        Optional<StoredJob> found = afterElection("b", key -> store.find(key, FindScope.LIVE));
        assertThat(found).isPresent();
    }
}
