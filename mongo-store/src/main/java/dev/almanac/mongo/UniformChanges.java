package dev.almanac.mongo;

import com.mongodb.client.model.DeleteManyModel;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.DeleteOptions;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import dev.almanac.store.JobChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * Changes of jobs that differ in nothing but the id of the job, as one guarded update or deletion (see the package's
 * description).
 *
 * @param revision that was read
 * @param until see {@link Changes#leaseTaken}
 * @param update what is set and unset; absent = the documents are deleted
 */
record UniformChanges(
        long revision, @Nullable Instant until, @Nullable Edit update) {
    /** Avoids the choice of a query plan, which takes a tenth of such an update. */
    static final UpdateOptions BY_ID = new UpdateOptions().hintString("_id_");

    private static final DeleteOptions DELETE_BY_ID = new DeleteOptions().hintString("_id_");

    /** One update for all that are alike. */
    static List<WriteModel<Document>> updates(List<JobChange> changes) {
        Map<UniformChanges, List<Object>> alike = new LinkedHashMap<>();
        for (JobChange change : changes) {
            alike.computeIfAbsent(of(change), first -> new ArrayList<>()).add(id(change));
        }
        List<WriteModel<Document>> updates = new ArrayList<>(alike.size());
        alike.forEach((those, ids) -> updates.add(those.update(ids)));
        return updates;
    }

    static WriteModel<Document> update(JobChange change) {
        return of(change).update(List.of(id(change)));
    }

    private static UniformChanges of(JobChange change) {
        return new UniformChanges(
                change.before().revision().number(),
                Changes.leaseTaken(change),
                change.removes() ? null : Changes.update(change));
    }

    private static Object id(JobChange change) {
        return Ids.toBson(change.before().id());
    }

    private WriteModel<Document> update(List<Object> ids) {
        boolean one = ids.size() == 1;
        Written guard = Changes.guard(ids, revision, until);
        if (update == null) {
            return one ? new DeleteOneModel<>(guard, DELETE_BY_ID) : new DeleteManyModel<>(guard, DELETE_BY_ID);
        }
        return one ? new UpdateOneModel<>(guard, update, BY_ID) : new UpdateManyModel<>(guard, update, BY_ID);
    }
}
