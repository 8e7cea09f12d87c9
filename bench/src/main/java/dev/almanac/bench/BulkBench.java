package dev.almanac.bench;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.InsertManyOptions;
import dev.almanac.Scheduler;
import dev.almanac.model.JobSpecification;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.RawBsonDocument;

/** {@code scheduleJobs} in pairs with the driver's insertMany of the same documents and rows, indexes included. */
final class BulkBench {
    private static final int WARM_UP = 4;

    private BulkBench() {}

    static void measure(Options options, BenchNodes nodes, Map<String, Object> line) {
        int n = options.number("n", 10_000);
        int pairs = options.number("pairs", 8);
        nodes.reset();
        try (Scheduler scheduler = nodes.node(64, (number, execution) -> {})) {
            List<Double> calls = new ArrayList<>();
            List<Double> withRows = new ArrayList<>();
            List<Double> inserts = new ArrayList<>();
            for (int pair = -WARM_UP; pair < pairs; pair++) {
                List<Long> ours = scheduled(scheduler, n);
                long theirs = inserted(nodes);
                if (pair >= 0) {
                    calls.add(perSecond(n, ours.get(0)));
                    withRows.add(perSecond(n, ours.get(1)));
                    inserts.add(perSecond(n, theirs));
                }
            }
            line.put("per_s_until_it_returns", calls);
            line.put("per_s_rows_included", withRows);
            line.put("per_s_insert_many", inserts);
            line.put("ratio", ratios(calls, inserts));
            line.put("ratio_rows_included", ratios(withRows, inserts));
        }
    }

    /** Nanoseconds until the call returned, and until the rows were written. */
    private static List<Long> scheduled(Scheduler scheduler, int n) {
        Instant far = Instant.now().plusSeconds(365L * 86_400);
        List<JobSpecification> all = IntStream.range(0, n)
                .mapToObj(i -> BenchNodes.job(i).singleSchedule(far).build())
                .toList();
        long start = System.nanoTime();
        scheduler.scheduleJobs(all);
        long returned = System.nanoTime();
        scheduler.history(""); // their rows are written
        return List.of(returned - start, System.nanoTime() - start);
    }

    /** Takes out what the scheduler has stored, inserts it again, and takes it out for good. */
    private static long inserted(BenchNodes nodes) {
        List<MongoCollection<RawBsonDocument>> collections = List.of(jobs(nodes), rows(nodes));
        Function<MongoCollection<RawBsonDocument>, List<RawBsonDocument>> all =
                collection -> collection.find().into(new ArrayList<>());
        List<List<RawBsonDocument>> documents = collections.stream().map(all).toList();
        clear(collections);
        long start = System.nanoTime();
        for (int i = 0; i < collections.size(); i++) {
            collections.get(i).insertMany(documents.get(i), new InsertManyOptions().ordered(false));
        }
        long took = System.nanoTime() - start;
        clear(collections);
        return took;
    }

    private static void clear(List<MongoCollection<RawBsonDocument>> collections) {
        collections.forEach(collection -> collection.deleteMany(new Document()));
    }

    private static MongoCollection<RawBsonDocument> jobs(BenchNodes nodes) {
        return collection(nodes, "jobSpecification");
    }

    private static MongoCollection<RawBsonDocument> rows(BenchNodes nodes) {
        return collection(nodes, "jobExecutionStatus");
    }

    private static MongoCollection<RawBsonDocument> collection(BenchNodes nodes, String name) {
        return nodes.client()
                .getDatabase(BenchNodes.DATABASE)
                .getCollection(name, RawBsonDocument.class)
                .withWriteConcern(WriteConcern.MAJORITY);
    }

    private static double perSecond(int n, long nanos) {
        return Options.round(n * 1e9 / nanos);
    }

    private static List<Double> ratios(List<Double> ours, List<Double> theirs) {
        return IntStream.range(0, ours.size())
                .mapToObj(i -> Math.round(ours.get(i) / theirs.get(i) * 100) / 100.0)
                .toList();
    }
}
