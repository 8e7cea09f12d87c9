package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import dev.almanac.store.Lease;
import dev.almanac.store.StoredJob;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManyClaimersTest extends StoreFixture {
    private static final int THREADS = 8;
    private static final int JOBS = 2_000;

    private final AtomicLong tokens = new AtomicLong();

    @ParameterizedTest(name = "retryWrites={0}")
    @ValueSource(booleans = {true, false})
    @DisplayName("P1: eight nodes look at the same head and claim in batches until nothing is due: each job once")
    void none(boolean retryWrites) throws Exception {
        insertMany(JOBS);
        MongoClientSettings one = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.uri()))
                .retryWrites(retryWrites)
                .build();
        ExecutorService nodes = Executors.newFixedThreadPool(THREADS);
        try (MongoClient shared = MongoClients.create(one)) {
            List<Future<List<String>>> claimed = new ArrayList<>();
            for (int node = 0; node < THREADS; node++) {
                Random random = new Random(node);
                claimed.add(nodes.submit(() -> claimAll(MongoJobStore.create(shared, settings), random)));
            }
            List<String> all = new ArrayList<>();
            for (Future<List<String>> some : claimed) {
                all.addAll(some.get());
            }
            assertThat(all).hasSize(JOBS).doesNotHaveDuplicates();
            assertThat(jobs().distinct("claimSeq", Long.class)).containsExactly(1L);
        } finally {
            nodes.shutdownNow();
        }
    }

    /** Batches and single claims, from the same head as everybody else. */
    private List<String> claimAll(MongoJobStore store, Random random) {
        List<String> mine = new ArrayList<>();
        while (true) {
            List<DueJob> due = store.due(new DueQuery(Set.of("note"), Set.of(), ALL_PARTITIONS, 0, 7, now, 200));
            if (due.isEmpty()) {
                return mine;
            }
            List<String> ids = new ArrayList<>(due.stream().map(DueJob::id).toList());
            Collections.shuffle(ids, random);
            List<String> some = ids.subList(0, Math.min(ids.size(), random.nextInt(4) == 0 ? 1 : 40));
            Lease lease = new Lease("n", tokens.incrementAndGet(), now.plusSeconds(20));
            store.claim(new ClaimRequest(some, now, lease, now.plusSeconds(22))).jobs().stream()
                    .map(StoredJob::id)
                    .forEach(mine::add);
        }
    }
}
