package dev.almanac.mongo;

import com.mongodb.client.model.UpdateManyModel;
import dev.almanac.store.JobChange;
import dev.almanac.store.Stamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** The stamps of changes as updates, one for each moment (rule M6). */
final class Stamps {
    private static final Document BY_AUTHOR = new Document("author", new Document("$exists", true));

    private Stamps() {}

    static List<UpdateManyModel<Document>> of(List<JobChange> changes) {
        Map<Instant, List<Object>> ended = new HashMap<>();
        Map<Instant, List<Object>> requests = new HashMap<>();
        Map<Instant, List<Object>> superseded = new HashMap<>();
        for (JobChange change : changes) {
            Stamp stamp = change.stamp();
            String row = stamp == null ? null : stamp.rowId();
            if (stamp != null && row != null) {
                add(superseded, stamp.deleteTime(), row);
            } else if (stamp != null) {
                Object job = Ids.toBson(change.before().id());
                add(ended, stamp.deleteTime(), job);
                add(requests, stamp.requestsUntil(), job);
            }
        }
        List<UpdateManyModel<Document>> updates = new ArrayList<>();
        // before the others: those find no row of these any more without a deleteTime
        requests.forEach((time, jobs) -> updates.add(stamp("jobSpecificationId", jobs, time, BY_AUTHOR)));
        ended.forEach((time, jobs) -> updates.add(stamp("jobSpecificationId", jobs, time, new Document())));
        superseded.forEach((time, rows) -> updates.add(stamp("_id", rows, time, new Document())));
        return updates;
    }

    private static void add(Map<Instant, List<Object>> to, @Nullable Instant time, Object id) {
        if (time != null) {
            to.computeIfAbsent(time, t -> new ArrayList<>()).add(id);
        }
    }

    private static UpdateManyModel<Document> stamp(
            String field, List<Object> values, Instant deleteTime, Document which) {
        Document filter = new Document(field, values.size() == 1 ? values.get(0) : new Document("$in", values))
                .append("deleteTime", new Document("$exists", false));
        filter.putAll(which);
        return new UpdateManyModel<>(filter, new Document("$set", new Document("deleteTime", Date.from(deleteTime))));
    }
}
