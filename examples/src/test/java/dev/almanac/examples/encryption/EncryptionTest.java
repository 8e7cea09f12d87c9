package dev.almanac.examples.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.almanac.Scheduler;
import dev.almanac.examples.encryption.EncryptedPayments.Payment;
import dev.almanac.model.Job;
import dev.almanac.model.JobSpecification;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.testkit.server.MongoServer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Section 9: bodies of commands may be encrypted")
class EncryptionTest {
    private static final Payment PAYMENT = new Payment("BE68539007547034", "1250.00");

    private final MongoServer server = MongoServer.shared();
    private final MongoClient client = MongoClients.create(server.uri());
    private final String name = server.freshDatabase();
    private final MongoDatabase database = client.getDatabase(name);

    @AfterEach
    void drop() {
        database.drop();
        client.close();
    }

    private static byte[] bytes(int each) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) each);
        return bytes;
    }

    private static SecretKey key(int each) {
        return new SecretKeySpec(bytes(each), "AES");
    }

    private static SealedCommandCodec codec(String current, Map<String, SecretKey> keys) {
        return new SealedCommandCodec(new KeyRing(current, keys));
    }

    private List<String> everything() {
        List<String> all = new ArrayList<>();
        for (String collection : database.listCollectionNames()) {
            database.getCollection(collection, BsonDocument.class)
                    .find()
                    .map(BsonDocument::toJson)
                    .into(all);
        }
        return all;
    }

    @Test
    @DisplayName("the example runs its payment, and no document has ever held account, amount or key")
    void example() {
        String key = Base64.getEncoder().encodeToString(bytes(7));
        EncryptedPayments.main(new String[] {server.uri(), name, key});
        Document job = database.getCollection("jobSpecification").find().first();
        assertThat(job.getEmbedded(List.of("lastStatus", "outcome"), String.class))
                .isEqualTo("SUCCEEDED");
        assertThat(job.get("triggerCommand", Document.class).get("body", Document.class))
                .containsEntry("keyId", "2026-11")
                .containsOnlyKeys("keyId", "nonce", "sealed");
        assertThat(job.getString("jobSpecificationKey")).isEqualTo("payment-4711");
        List<String> all = everything();
        assertThat(all).hasSizeGreaterThan(2);
        for (String plain : List.of("BE68539007547034", "1250.00", "account", key)) {
            String encoded = Base64.getEncoder().encodeToString(plain.getBytes(StandardCharsets.UTF_8));
            assertThat(all).noneMatch(text -> text.contains(plain) || text.contains(encoded));
        }
    }

    private Scheduler scheduler(SealedCommandCodec codec) {
        return Scheduler.builder()
                .store(MongoJobStore.create(client, MongoStoreSettings.ofDatabase(name), codec))
                .command("payment", 1, Payment.class)
                .build();
    }

    private static JobSpecification job(Payment payment) {
        return JobSpecification.builder()
                .jobSpecificationKey("k")
                .jobRequestor("treasury")
                .triggerCommand(payment)
                .triggerIdentifier("i")
                .singleSchedule(Instant.parse("2100-01-01T00:00:00Z"))
                .build();
    }

    @Test
    @DisplayName("M3: scheduling an equal command again is no change; another amount is one, and another nonce")
    void equal() {
        try (Scheduler scheduler = scheduler(codec("a", Map.of("a", key(1))))) {
            Job first = scheduler.scheduleJob(job(PAYMENT));
            Document before = database.getCollection("jobSpecification").find().first();
            Job again = scheduler.scheduleJob(job(new Payment("BE68539007547034", "1250.00")));
            assertThat(again.specification().version())
                    .isEqualTo(first.specification().version());
            Job other = scheduler.scheduleJob(job(new Payment("BE68539007547034", "1250.01")));
            assertThat(other.specification().version())
                    .isGreaterThan(first.specification().version());
            Document after = database.getCollection("jobSpecification").find().first();
            List<String> nonce = List.of("triggerCommand", "body", "nonce");
            assertThat(after.getEmbedded(nonce, String.class)).isNotEqualTo(before.getEmbedded(nonce, String.class));
        }
    }

    @Test
    @DisplayName("after a change of keys, old bodies are opened with the old key and new ones sealed with the new")
    void rotation() {
        Map<String, Object> old = codec("a", Map.of("a", key(1))).encode(PAYMENT);
        SealedCommandCodec both = codec("b", Map.of("a", key(1), "b", key(2)));
        assertThat(both.decode(old, Payment.class)).isEqualTo(PAYMENT);
        assertThat(both.encode(PAYMENT)).containsEntry("keyId", "b").isNotEqualTo(old);
        assertThatThrownBy(() -> codec("b", Map.of("b", key(2))).decode(old, Payment.class))
                .as("another node may have the key")
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("key 'a'");
    }

    @Test
    @DisplayName("a body that was changed, or is under another key's id, is refused by a message without its contents")
    void changed() {
        SealedCommandCodec codec = codec("a", Map.of("a", key(1), "b", key(1)));
        Map<String, Object> body = codec.encode(PAYMENT);
        byte[] sealed = Base64.getDecoder().decode((String) body.get("sealed"));
        sealed[0] ^= 1;
        for (Map<String, Object> bad : List.of(
                with(body, "sealed", Base64.getEncoder().encodeToString(sealed)),
                with(body, "keyId", "b"),
                with(body, "nonce", Base64.getEncoder().encodeToString(new byte[12])),
                Map.<String, Object>of("account", "BE68539007547034"))) {
            assertThatThrownBy(() -> codec.decode(bad, Payment.class))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("BE68539007547034");
        }
    }

    private static Map<String, Object> with(Map<String, Object> body, String field, Object value) {
        Map<String, Object> other = new LinkedHashMap<>(body);
        other.put(field, value);
        return other;
    }

    @Test
    @DisplayName("a ring without its current key, or with a key of another kind, is refused; its text shows no key")
    void ring() {
        assertThatThrownBy(() -> new KeyRing("c", Map.of("a", key(1)))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new KeyRing("a", Map.of("a", new SecretKeySpec(bytes(1), "HmacSHA256"))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(new KeyRing("a", Map.of("a", key(1)))).hasToString("KeyRing[a of [a]]");
    }
}
