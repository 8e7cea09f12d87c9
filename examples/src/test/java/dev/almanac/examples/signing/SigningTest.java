package dev.almanac.examples.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.almanac.Scheduler;
import dev.almanac.helper.Execution;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.mongo.JacksonCommandCodec;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.testkit.server.MongoServer;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import javax.crypto.spec.SecretKeySpec;
import org.awaitility.Awaitility;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SigningTest {
    record Transfer(String jobKey, String account, BigDecimal amount) implements SignedCommand {}

    record Refund(String jobKey, String account, BigDecimal amount) implements SignedCommand {}

    private static final Transfer TRANSFER = new Transfer("t-1", "BE68", new BigDecimal("12.50"));
    private static final Map<Class<?>, String> TYPES = Map.of(Transfer.class, "transfer 1", Refund.class, "refund 1");

    private static SignedCommandCodec codec(int secret, Map<Class<?>, String> types) {
        byte[] key = new byte[32];
        key[0] = (byte) secret;
        return new SignedCommandCodec(new JacksonCommandCodec(), new SecretKeySpec(key, "HmacSHA256"), types);
    }

    private static void assertRefused(
            SignedCommandCodec codec, Map<String, Object> body, Class<? extends SchedulingCommand> type) {
        assertThatThrownBy(() -> codec.decode(body, type))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not signed, or was changed");
    }

    private static Map<String, Object> with(Map<String, Object> body, String field, Object value) {
        Map<String, Object> other = new LinkedHashMap<>(body);
        other.put(field, value);
        return other;
    }

    @Test
    @DisplayName(
            "16.12: what was signed is read; a changed field, an added one, another type, version or secret is refused")
    void signature() {
        SignedCommandCodec codec = codec(1, TYPES);
        Map<String, Object> body = codec.encode(TRANSFER);
        assertThat(codec.decode(body, Transfer.class)).isEqualTo(TRANSFER);
        assertThat(codec.encode(TRANSFER))
                .as("M3: equal commands have equal bodies")
                .isEqualTo(body);
        assertRefused(codec, with(body, "amount", new BigDecimal("99.50")), Transfer.class);
        assertRefused(codec, with(body, "jobKey", "t-2"), Transfer.class);
        assertRefused(codec, with(body, "more", 1), Transfer.class);
        assertRefused(codec, with(body, "signature", "x"), Transfer.class);
        assertRefused(codec, with(body, "signature", 7), Transfer.class);
        assertRefused(codec, new JacksonCommandCodec().encode(TRANSFER), Transfer.class);
        assertRefused(codec, body, Refund.class);
        assertRefused(codec(1, Map.of(Transfer.class, "transfer 2")), body, Transfer.class);
        assertRefused(codec(2, TYPES), body, Transfer.class);
    }

    /** Keeps what it was asked to pay. */
    private record Payments(Queue<String> paid) implements SchedulingHelper {
        @Override
        public boolean supports(SchedulingCommand command) {
            return command instanceof Transfer;
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command, Execution execution) {
            SignedCommandCodec.requireOwn((Transfer) command, execution);
            paid.add(((Transfer) command).account());
            return CompletableFuture.completedFuture(null);
        }
    }

    private static JobSpecification job(String key, String account) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("treasury")
                .triggerCommand(new Transfer(key, account, BigDecimal.TEN))
                .triggerIdentifier(key)
                .singleSchedule(Instant.parse("2100-01-01T00:00:00Z"))
                .build();
    }

    @Test
    @DisplayName("16.12: a body that was forged, or moved from another job, pays nothing; the neighbour is paid")
    void forged() {
        MongoServer server = MongoServer.shared();
        String name = server.freshDatabase();
        Queue<String> paid = new ConcurrentLinkedQueue<>();
        try (MongoClient client = MongoClients.create(server.uri());
                Scheduler scheduler = Scheduler.builder()
                        .store(MongoJobStore.create(client, MongoStoreSettings.ofDatabase(name), codec(1, TYPES)))
                        .command("transfer", 1, Transfer.class)
                        .helper(new Payments(paid))
                        .build()) {
            scheduler.scheduleJobs(List.of(job("good", "mine"), job("changed", "mine"), job("moved", "mine")));
            MongoDatabase database = client.getDatabase(name);
            var jobs = database.getCollection("jobSpecification");
            jobs.updateOne(
                    new Document("activeKey", "changed"),
                    new Document("$set", new Document("triggerCommand.body.account", "thief")));
            Document other = jobs.find(new Document("activeKey", "good")).first();
            jobs.updateOne(
                    new Document("activeKey", "moved"),
                    new Document("$set", new Document("triggerCommand", other.get("triggerCommand"))));
            scheduler.start();
            List.of("good", "changed", "moved").forEach(scheduler::runNow);
            Awaitility.await()
                    .atMost(Duration.ofMinutes(3))
                    .until(() -> !paid.isEmpty()
                            && has(scheduler, "changed", row -> row.outcome() == Outcome.BLOCKED)
                            && has(scheduler, "moved", row -> row.error() != null));
            assertThat(paid).containsExactly("mine");
            assertThat(scheduler.history("moved").stream()
                            .filter(row -> row.error() != null)
                            .findFirst()
                            .orElseThrow()
                            .error()
                            .message())
                    .contains("made for another job");
            database.drop();
        }
    }

    private static boolean has(Scheduler scheduler, String key, Predicate<JobExecutionStatus> row) {
        return scheduler.history(key).stream().anyMatch(row);
    }
}
