package dev.almanac.mongo;

import com.mongodb.client.model.UpdateManyModel;
import dev.almanac.store.JobChange;
import dev.almanac.store.RowLimit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.Document;

/** Limits of stored rows as updates, two for all jobs of the same limit (rule N5). */
final class RowLimits {
    private static final Document ABSENT = new Document("$exists", false);

    private RowLimits() {}

    static List<UpdateManyModel<Document>> of(List<JobChange> changes) {
        Map<RowLimit, List<Object>> alike = new LinkedHashMap<>();
        for (JobChange change : changes) {
            RowLimit limit = change.limit();
            if (limit != null) {
                alike.computeIfAbsent(limit, first -> new ArrayList<>())
                        .add(Ids.toBson(change.before().id()));
            }
        }
        List<UpdateManyModel<Document>> updates = new ArrayList<>();
        alike.forEach((limit, jobs) -> {
            updates.add(update(rowsOf(jobs), limit.longest()));
            Document ordinary = rowsOf(jobs)
                    .append("author", ABSENT)
                    .append("executionStatus", new Document("$ne", "FAILED"))
                    .append("outcome", new Document("$ne", "ATTEMPT_FAILED"));
            updates.add(update(ordinary, limit.ordinary()));
        });
        return updates;
    }

    private static Document rowsOf(List<Object> jobs) {
        return new Document("jobSpecificationId", jobs.size() == 1 ? jobs.get(0) : new Document("$in", jobs));
    }

    private static UpdateManyModel<Document> update(Document rows, Instant end) {
        return new UpdateManyModel<>(rows, new Document("$min", new Document("deleteTime", Date.from(end))));
    }
}
