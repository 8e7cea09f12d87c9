package dev.almanac.bench;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.bson.Document;
import org.bson.types.ObjectId;

/**
 * What the same server gives to the same batches without a scheduler: claim by updateMany (M), read by id (R), status
 * rows (I), finish by unordered updateOne (F). J_max = 1 / (1/M + 1/R + 1/I + 1/F).
 */
final class RawLimits {
    private RawLimits() {}

    static double measure(Options options, BenchNodes nodes, Map<String, Object> line) throws Exception {
        int n = options.number("n", 20_000);
        int batch = options.number("batch", 500);
        int flight = options.number("flight", 4);
        nodes.reset();
        MongoCollection<Document> jobs = nodes.client()
                .getDatabase(BenchNodes.DATABASE)
                .getCollection("raw")
                .withWriteConcern(WriteConcern.MAJORITY);
        MongoCollection<Document> rows = nodes.client()
                .getDatabase(BenchNodes.DATABASE)
                .getCollection("rawRows")
                .withWriteConcern(WriteConcern.MAJORITY);
        jobs.createIndex(new Document("p", 1).append("type", 1).append("due", 1));
        jobs.createIndex(new Document("activeKey", 1));
        rows.createIndex(new Document("jobSpecificationId", 1).append("updatedTime", -1));
        List<List<Document>> batches = documents(n, batch);
        for (List<Document> documents : batches) {
            jobs.insertMany(documents, new InsertManyOptions().ordered(false));
        }
        double claim = rate(
                n,
                flight,
                batches,
                part -> jobs.updateMany(
                        Filters.and(Filters.in("_id", ids(part)), Filters.lte("due", new Date())),
                        Updates.combine(
                                Updates.set(
                                        "lease",
                                        new Document("owner", "x")
                                                .append("token", 1L)
                                                .append("until", new Date())),
                                Updates.set("due", new Date(System.currentTimeMillis() + 22_000)),
                                Updates.inc("claimSeq", 1L))));
        double read = rate(
                n,
                flight,
                batches,
                part -> jobs.find(Filters.in("_id", ids(part)))
                        .batchSize(batch + 1)
                        .into(new ArrayList<>()));
        double row = rate(
                n,
                flight,
                batches,
                part -> rows.insertMany(
                        part.stream().map(RawLimits::row).toList(), new InsertManyOptions().ordered(false)));
        double finish = rate(
                n,
                flight,
                batches,
                part -> jobs.bulkWrite(
                        part.stream().map(RawLimits::finish).toList(), new BulkWriteOptions().ordered(false)));
        double limit = 1 / (1 / claim + 1 / read + 1 / row + 1 / finish);
        line.put("claim_per_s", Options.round(claim));
        line.put("read_per_s", Options.round(read));
        line.put("row_per_s", Options.round(row));
        line.put("finish_per_s", Options.round(finish));
        line.put("j_max", Options.round(limit));
        return limit;
    }

    private static List<List<Document>> documents(int n, int batch) {
        List<List<Document>> batches = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            if (i % batch == 0) {
                batches.add(new ArrayList<>());
            }
            batches.get(batches.size() - 1)
                    .add(new Document("_id", new ObjectId())
                            .append("jobSpecificationKey", "job-" + i)
                            .append("activeKey", "job-" + i)
                            .append("jobRequestor", "bench")
                            .append(
                                    "triggerCommand",
                                    new Document("type", "work")
                                            .append("version", 1)
                                            .append("body", new Document("number", i)))
                            .append("p", i % 16)
                            .append("type", "work")
                            .append("due", new Date())
                            .append("claimSeq", 0L)
                            .append("version", 1L));
        }
        return batches;
    }

    private static List<Object> ids(List<Document> part) {
        return part.stream().map(document -> document.get("_id")).toList();
    }

    private static Document row(Document job) {
        return new Document("_id", job.getObjectId("_id").toHexString() + ":0:1:ended1")
                .append("jobSpecificationId", job.get("_id"))
                .append("jobSpecificationKey", job.get("jobSpecificationKey"))
                .append("executionStatus", "TRIGGERED")
                .append("outcome", "SUCCEEDED")
                .append("updatedTime", new Date())
                .append("fireTime", new Date());
    }

    private static UpdateOneModel<Document> finish(Document job) {
        return new UpdateOneModel<>(
                Filters.and(
                        Filters.eq("_id", job.get("_id")), Filters.eq("version", 1L), Filters.eq("lease.token", 1L)),
                new Document("$set", new Document("deleteTime", new Date()).append("doneSeq", 1L))
                        .append(
                                "$unset",
                                new Document("lease", "").append("due", "").append("activeKey", "")));
    }

    private static double rate(int n, int flight, List<List<Document>> batches, Consumer<List<Document>> call)
            throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(flight);
        long start = System.nanoTime();
        List<Future<?>> all = new ArrayList<>();
        batches.forEach(part -> all.add(pool.submit(() -> call.accept(part))));
        for (Future<?> one : all) {
            one.get();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        pool.shutdown();
        return n / seconds;
    }
}
