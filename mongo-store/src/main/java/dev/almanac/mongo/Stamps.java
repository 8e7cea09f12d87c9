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
import java.util.Objects;
import org.bson.Document;

/** The stamps of changes as updates, one for each moment (rule M6). */
final class Stamps {
    private Stamps() {}

    static List<UpdateManyModel<Document>> of(List<JobChange> changes) {
        Map<Instant, List<Object>> ended = new HashMap<>();
        Map<Instant, List<Object>> superseded = new HashMap<>();
        for (JobChange change : changes) {
            Stamp stamp = change.stamp();
            if (stamp != null) {
                boolean all = stamp.rowId() == null;
                (all ? ended : superseded)
                        .computeIfAbsent(stamp.deleteTime(), t -> new ArrayList<>())
                        .add(all ? Ids.toBson(change.before().id()) : Objects.requireNonNull(stamp.rowId()));
            }
        }
        List<UpdateManyModel<Document>> updates = new ArrayList<>();
        ended.forEach((time, jobs) -> updates.add(stamp("jobSpecificationId", jobs, time)));
        superseded.forEach((time, rows) -> updates.add(stamp("_id", rows, time)));
        return updates;
    }

    private static UpdateManyModel<Document> stamp(String field, List<Object> values, Instant deleteTime) {
        return new UpdateManyModel<>(
                new Document(field, values.size() == 1 ? values.get(0) : new Document("$in", values))
                        .append("deleteTime", new Document("$exists", false)),
                new Document("$set", new Document("deleteTime", Date.from(deleteTime))));
    }
}
