package dev.almanac.mongo;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.store.RowQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.Document;
import org.bson.conversions.Bson;

/** Status rows, newest first. */
final class RowLists {
    /** A key that is scheduled again and again has many documents; its history is that of the newest ones. */
    private static final int MOST_DOCUMENTS_OF_A_KEY = 1_000;

    private RowLists() {}

    /** That one job has no rows is answered by linearizable reads only. */
    static List<JobExecutionStatus> rows(StoreCollections collections, RowQuery query) {
        List<JobExecutionStatus> found = rows(collections.jobs(), collections.rows(), query);
        return !found.isEmpty() || query.failed() != null || query.before() != null
                ? found
                : JobReads.certainly(
                        "there are no further rows of this job",
                        () -> rows(JobReads.certain(collections.jobs()), JobReads.certain(collections.rows()), query),
                        () -> rows(collections.jobs(), collections.rows(), query));
    }

    private static List<JobExecutionStatus> rows(
            MongoCollection<Document> jobs, MongoCollection<Document> rows, RowQuery query) {
        Bson filter = filter(jobs, query);
        List<JobExecutionStatus> read = new ArrayList<>();
        int looked = 0;
        int wanted;
        List<Document> found;
        // a page that is not full is the last one, so others take the places of those that cannot be read
        do {
            wanted = query.limit() - read.size();
            found = rows.find(filter)
                    .sort(Sorts.descending("updatedTime"))
                    .skip(looked)
                    .limit(wanted)
                    .into(new ArrayList<>());
            read.addAll(DocumentReader.rows(found));
            looked += found.size();
        } while (found.size() == wanted && read.size() < query.limit());
        return read;
    }

    /** As the index has them; empty if some cannot be read, which would count as rows that are not there. */
    static Optional<List<JobExecutionStatus>> rows(MongoCollection<Document> rows, List<String> ids, int limit) {
        List<Document> found = rows.find(Filters.in(
                        "jobSpecificationId", ids.stream().map(Ids::toBson).toList()))
                .sort(Sorts.orderBy(Sorts.ascending("jobSpecificationId"), Sorts.descending("updatedTime")))
                .limit(limit)
                .into(new ArrayList<>());
        List<JobExecutionStatus> read = DocumentReader.rows(found);
        return read.size() == found.size() ? Optional.of(read) : Optional.empty();
    }

    private static Bson filter(MongoCollection<Document> jobs, RowQuery query) {
        RowQuery.Span failed = query.failed();
        if (failed != null) {
            return failures(failed);
        }
        String key = query.key();
        List<Bson> parts = new ArrayList<>();
        parts.add(Filters.in(
                "jobSpecificationId",
                key == null ? List.of(Ids.toBson(String.valueOf(query.jobSpecificationId()))) : documents(jobs, key)));
        JobLists.within(parts, "updatedTime", null, query.before());
        return Filters.and(parts);
    }

    /** The rows are indexed by document. */
    private static List<Object> documents(MongoCollection<Document> jobs, String key) {
        return jobs.find(Filters.eq("jobSpecificationKey", key))
                .sort(Sorts.descending("_id"))
                .limit(MOST_DOCUMENTS_OF_A_KEY)
                .projection(Projections.include("_id"))
                .map(document -> document.get("_id"))
                .into(new ArrayList<>());
    }

    /** Fires that failed for good. */
    static Bson failures(RowQuery.Span span) {
        List<Bson> parts = new ArrayList<>();
        parts.add(Filters.eq("executionStatus", ExecutionStatus.FAILED.name()));
        // what follows the end of a fire belongs to one that is listed already
        parts.add(Filters.nin(
                "outcome",
                Outcome.FAILURE_DELIVERED.name(),
                Outcome.FAILURE_UNDELIVERED.name(),
                Outcome.ACKNOWLEDGED.name(),
                Outcome.REPLANNED.name()));
        JobLists.within(parts, "updatedTime", span.from(), span.until());
        return Filters.and(parts);
    }
}
