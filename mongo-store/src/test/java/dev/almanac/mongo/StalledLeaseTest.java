package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.store.HeldLease;
import dev.almanac.store.JobChange;
import dev.almanac.store.Renewal;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A caller's open transaction on a leased job")
class StalledLeaseTest extends StoreFixture {
    private static final Duration SHORT = Duration.ofMillis(400);
    /** For what is to succeed, however slow the machine is. */
    private static final Duration PATIENT = Duration.ofMinutes(5);

    private Renewal renewal(List<StoredJob> some, boolean secondClient, Duration limit) {
        Map<String, Long> tokens = new HashMap<>();
        some.forEach(job -> tokens.put(job.id(), 5L));
        Instant until = now.plusSeconds(40);
        return new Renewal(tokens, until, until.plusSeconds(2), Map.of(), limit, secondClient);
    }

    private Date until(String key) {
        return stored(key).get("lease", Document.class).getDate("until");
    }

    @Test
    @DisplayName(
            "X3: a renewal of all ends at its limit; by itself each is renewed but the one that the transaction holds")
    void renewal() {
        List<StoredJob> held = claim(insertMany(5), 5);
        Date longer = Date.from(now.plusSeconds(40));
        try (MongoClient second = MongoClients.create(server.uri());
                ClientSession session = client.startSession()) {
            MongoJobStore both = store.withSecondClient(second);
            session.startTransaction();
            jobs().updateOne(
                            session, new Document("jobSpecificationKey", "k2"), Document.parse("{$set: {touched: 1}}"));
            assertThatThrownBy(() -> both.renew(renewal(held, false, SHORT))).isInstanceOf(StoreException.class);
            for (StoredJob job : held) {
                if (job.key().equals("k2")) {
                    assertThatThrownBy(() -> both.renew(renewal(List.of(job), true, SHORT)))
                            .isInstanceOf(StoreException.class);
                } else {
                    assertThat(both.renew(renewal(List.of(job), true, PATIENT)))
                            .extracting(HeldLease::id)
                            .containsExactly(job.id());
                    assertThat(until(job.key())).isEqualTo(longer);
                }
            }
            assertThat(until("k2")).isNotEqualTo(longer);
            session.abortTransaction();
            assertThat(both.renew(renewal(held, false, PATIENT))).hasSize(5);
            assertThat(until("k2")).isEqualTo(longer);
        }
    }

    @Test
    @DisplayName(
            "X3: completions that share a write are given up soon; by itself each is written but the one that is held")
    void completions() {
        List<StoredJob> held = claim(insertMany(3), 5);
        List<JobChange> ends = held.stream().map(this::ending).toList();
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            jobs().updateOne(
                            session, new Document("jobSpecificationKey", "k1"), Document.parse("{$set: {touched: 1}}"));
            assertThatThrownBy(() -> store.write(ends)).isInstanceOf(StoreException.class);
            store.write(List.of(ends.get(0)));
            store.write(List.of(ends.get(2)));
            assertThat(stored("k0")).doesNotContainKey("lease");
            assertThat(stored("k2")).doesNotContainKey("lease");
            assertThat(stored("k1")).containsKey("lease");
            session.abortTransaction();
        }
        store.write(List.of(ends.get(1)));
        assertThat(stored("k1")).doesNotContainKey("lease");
    }
}
