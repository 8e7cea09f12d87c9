package dev.almanac.mongo;

import com.mongodb.client.model.DeleteManyModel;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.DeleteOptions;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import dev.almanac.store.JobChange;
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
 * @param guard without the id
 * @param update what is set and unset; absent = the documents are deleted
 */
record UniformChanges(Document guard, @Nullable Document update) {
    /** Avoids the choice of a query plan, which takes a tenth of such an update. */
    static final UpdateOptions BY_ID = new UpdateOptions().hint(new Document("_id", 1));

    private static final DeleteOptions DELETE_BY_ID = new DeleteOptions().hint(new Document("_id", 1));

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
        return new UniformChanges(Changes.guardWithoutId(change), change.removes() ? null : Changes.update(change));
    }

    private static Object id(JobChange change) {
        return Ids.toBson(change.before().id());
    }

    private WriteModel<Document> update(List<Object> ids) {
        boolean one = ids.size() == 1;
        Document filter = new Document("_id", one ? ids.get(0) : new Document("$in", ids));
        filter.putAll(guard);
        if (update == null) {
            return one ? new DeleteOneModel<>(filter, DELETE_BY_ID) : new DeleteManyModel<>(filter, DELETE_BY_ID);
        }
        return one ? new UpdateOneModel<>(filter, update, BY_ID) : new UpdateManyModel<>(filter, update, BY_ID);
    }
}
