package dev.almanac.mongo;

import com.mongodb.client.model.UpdateManyModel;
import dev.almanac.store.JobChange;
import dev.almanac.store.Stamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** Stamps as updates, one for all stamps with the same time and kind (rule M6). */
final class Stamps {
    private static final Document PRESENT = new Document("$exists", true);
    private static final Document ABSENT = new Document("$exists", false);

    /**
     * Equal stamps.
     *
     * @param field by which they name their rows
     * @param author whether those rows have an author; absent = it does not matter
     */
    private record Alike(
            String field,
            Instant deleteTime,
            Stamp.Kind kind,
            @Nullable Boolean author) {}

    private Stamps() {}

    static List<UpdateManyModel<Document>> of(List<JobChange> changes) {
        Map<Alike, List<Object>> alike = new LinkedHashMap<>();
        for (JobChange change : changes) {
            Stamp stamp = change.stamp();
            if (stamp != null) {
                add(alike, stamp, Ids.toBson(change.before().id()));
            }
        }
        return updates(alike);
    }

    /** Of stamps that name their row. */
    static List<UpdateManyModel<Document>> ofRows(List<Stamp> stamps) {
        Map<Alike, List<Object>> alike = new LinkedHashMap<>();
        stamps.forEach(stamp -> add(alike, stamp, Objects.requireNonNull(stamp.rowId())));
        return updates(alike);
    }

    private static void add(Map<Alike, List<Object>> alike, Stamp stamp, Object job) {
        Instant requests = stamp.requestsUntil();
        if (stamp.rowId() != null) {
            Alike rows = new Alike("_id", stamp.deleteTime(), stamp.kind(), null);
            add(alike, rows, stamp.rowId());
            return;
        }
        if (requests != null) {
            add(alike, new Alike("jobSpecificationId", requests, stamp.kind(), true), job);
        }
        Boolean author = requests == null ? null : Boolean.FALSE;
        add(alike, new Alike("jobSpecificationId", stamp.deleteTime(), stamp.kind(), author), job);
    }

    private static void add(Map<Alike, List<Object>> alike, Alike stamp, Object named) {
        alike.computeIfAbsent(stamp, first -> new ArrayList<>()).add(named);
    }

    private static List<UpdateManyModel<Document>> updates(Map<Alike, List<Object>> alike) {
        List<UpdateManyModel<Document>> updates = new ArrayList<>();
        alike.forEach((stamp, values) -> updates.add(update(stamp, values)));
        return updates;
    }

    private static UpdateManyModel<Document> update(Alike stamp, List<Object> values) {
        Document rows = new Document(stamp.field(), values.size() == 1 ? values.get(0) : new Document("$in", values));
        if (stamp.kind() == Stamp.Kind.FIRST) {
            rows.append("deleteTime", ABSENT);
        }
        if (stamp.author() != null) {
            rows.append("author", stamp.author() ? PRESENT : ABSENT);
        }
        String how = switch (stamp.kind()) {
            case FIRST -> "$set";
            case EARLIER -> "$min";
            case LATER -> "$max";
        };
        return new UpdateManyModel<>(
                rows, new Document(how, new Document("deleteTime", Date.from(stamp.deleteTime()))));
    }
}
