package dev.almanac.mongo;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoreRefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;

/**
 * Read-only views for people in the Mongo shell: {@code almanac_running}, {@code almanac_late}, {@code almanac_failed}
 * and {@code almanac_next}, each after the prefix of the collections. They store nothing and cost nothing until they
 * are queried; Almanac itself does not use them. Creating them needs the rights of the role {@code almanac_bootstrap}.
 * Thread-safe.
 */
public final class MongoViews {
    private static final int NAMESPACE_EXISTS = 48;

    private final MongoDatabase database;
    private final String prefix;

    private MongoViews(MongoDatabase database, String prefix) {
        this.database = database;
        this.prefix = prefix;
    }

    /** The views beside the collections of a store with these settings; the server is not contacted yet. */
    public static MongoViews of(MongoClient client, MongoStoreSettings settings) {
        MongoDatabase database = client.getDatabase(settings.database())
                .withTimeout(settings.timeoutMillis(client), TimeUnit.MILLISECONDS);
        return new MongoViews(database, settings.collectionPrefix());
    }

    /**
     * Creates the views that are missing, and makes those that are there what they are in this release. Idempotent.
     *
     * @return the names of all views, with the prefix
     * @throws StoreRefusedException if a collection, not a view, has the name of one
     * @throws StoreException if the server does not answer or does not allow it
     */
    public List<String> create() {
        List<String> names = new ArrayList<>();
        for (ViewDefinition view : ViewDefinition.ALL) {
            MongoCalls.call("creating the view " + prefix + view.name(), () -> create(view));
            names.add(prefix + view.name());
        }
        return names;
    }

    private String create(ViewDefinition view) {
        String name = prefix + view.name();
        List<Document> pipeline = view.pipeline(prefix);
        try {
            database.createView(name, prefix + view.source(), pipeline);
        } catch (MongoCommandException e) {
            if (e.getErrorCode() != NAMESPACE_EXISTS) {
                throw e;
            }
            refuseUnlessView(name);
            database.runCommand(new Document("collMod", name)
                    .append("viewOn", prefix + view.source())
                    .append("pipeline", pipeline));
        }
        return name;
    }

    /**
     * Drops the views that are there. Idempotent; collections are never dropped.
     *
     * @return the names of those that were there, with the prefix
     * @throws StoreRefusedException if a collection, not a view, has the name of one
     * @throws StoreException if the server does not answer or does not allow it
     */
    public List<String> drop() {
        List<String> dropped = new ArrayList<>();
        for (ViewDefinition view : ViewDefinition.ALL) {
            String name = prefix + view.name();
            boolean there = MongoCalls.call("dropping the view " + name, () -> drop(name));
            if (there) {
                dropped.add(name);
            }
        }
        return dropped;
    }

    private boolean drop(String name) {
        if (typeOf(name).isEmpty()) {
            return false;
        }
        refuseUnlessView(name);
        database.getCollection(name).drop();
        return true;
    }

    private void refuseUnlessView(String name) {
        String type = typeOf(name);
        if (!type.equals("view")) {
            throw new StoreRefusedException("ALM-010 " + name + " of database '" + database.getName() + "' is a " + type
                    + ", not a view; it was left alone: rename it, or use another prefix");
        }
    }

    private String typeOf(String name) {
        Document found =
                database.listCollections().filter(new Document("name", name)).first();
        return found == null ? "" : found.getString("type");
    }
}
