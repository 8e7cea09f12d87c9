package dev.almanac.mongo;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.By;
import dev.almanac.store.Lease;
import dev.almanac.store.NewJob;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import dev.almanac.testkit.server.MongoServer;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A store of its own on the shared server, and the words that its tests are written in. */
abstract class StoreFixture {
    static final Set<Integer> ALL_PARTITIONS = IntStream.range(0, 16).boxed().collect(Collectors.toSet());

    final MongoServer server = MongoServer.shared();
    final MongoClient client = MongoClients.create(server.uri());
    final String database = server.freshDatabase();
    final MongoStoreSettings settings = MongoStoreSettings.ofDatabase(database);
    final MongoJobStore store = MongoJobStore.create(client, settings);
    Instant now;

    @BeforeEach
    void open() {
        store.open();
        now = store.serverTime();
    }

    @AfterEach
    void drop() {
        client.getDatabase(database).drop();
        client.close();
    }

    MongoCollection<Document> collection(String name) {
        return client.getDatabase(database).getCollection(name);
    }

    MongoCollection<Document> jobs() {
        return collection("jobSpecification");
    }

    MongoCollection<Document> rows() {
        return collection("jobExecutionStatus");
    }

    Document stored(String key) {
        return jobs().find(new Document("jobSpecificationKey", key)).first();
    }

    void edit(String key, Document update) {
        jobs().updateOne(new Document("jobSpecificationKey", key), update);
    }

    StoredJob insert(NewJob job) {
        store.insert(List.of(job));
        return job.job();
    }

    StoredJob insert(String key) {
        return insert(Specimens.minimal(key, now));
    }

    List<StoredJob> insertMany(int count) {
        List<NewJob> some = IntStream.range(0, count)
                .mapToObj(i -> Specimens.minimal("k" + i, now))
                .toList();
        store.insert(some);
        return some.stream().map(NewJob::job).toList();
    }

    ClaimRequest request(List<StoredJob> some, long token) {
        Instant until = now.plusSeconds(20);
        return new ClaimRequest(
                some.stream().map(StoredJob::id).toList(), now, new Lease("n", token, until), until.plusSeconds(2));
    }

    List<StoredJob> claim(List<StoredJob> some, long token) {
        return store.claim(request(some, token)).jobs();
    }

    List<DueJob> due(Set<String> types, int minPriority, int maxPriority, int limit) {
        return store.due(
                new DueQuery(types, Set.of(), ALL_PARTITIONS, minPriority, maxPriority, now.plusSeconds(5), limit));
    }

    /** The claim of a job ends with a word: a row, and the lease is gone. */
    JobChange ending(StoredJob held) {
        JobExecutionStatus row =
                Specimens.row(held.id(), held.key(), "c" + held.sequences().claimSeq(), now.plusSeconds(1));
        StoredJob after = held.with(edit ->
                edit.lease(null).sequences(held.sequences().done()).due(now).lastStatus(row));
        return new JobChange(held, after, List.of(row), By.HOLDER);
    }
}
