package dev.almanac.mongo;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoDatabase;
import dev.almanac.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.Document;

/**
 * Objects that others have added beside the collections of a store: an index that expires documents, a validator, a
 * view in place of a collection or over one. Each in words, with what to do; nothing if this user may not list
 * collections.
 */
final class ForeignObjects {
    private static final List<String> COLLECTIONS = List.of(
            StoreCollections.JOBS,
            StoreCollections.ROWS,
            StoreCollections.NODES,
            StoreCollections.MINUTES,
            StoreCollections.CONTROL,
            StoreCollections.CALENDARS,
            StoreCollections.CALENDAR_VERSIONS);

    /** The views of docs/mongo-views.js. */
    private static final List<String> VIEWS =
            List.of("almanac_running", "almanac_late", "almanac_failed", "almanac_next");

    private final MongoDatabase database;
    private final String prefix;
    private final List<String> inPlace = new ArrayList<>();
    private final List<String> harmful = new ArrayList<>();
    private final List<String> views = new ArrayList<>();

    private ForeignObjects(MongoDatabase database, String prefix) {
        this.database = database;
        this.prefix = prefix;
    }

    static ForeignObjects in(MongoDatabase database, String prefix) {
        ForeignObjects found = new ForeignObjects(database, prefix);
        try {
            database.listCollections().forEach(found::look);
        } catch (MongoCommandException e) {
            if (e.getErrorCode() != WriteErrors.UNAUTHORIZED) {
                throw e;
            }
        }
        return found;
    }

    /** Views in place of collections, with which no node can work. */
    List<String> inPlace() {
        return inPlace;
    }

    /** Objects that can remove documents, or keep the scheduler from writing them. */
    List<String> harmful() {
        return harmful;
    }

    /** All objects, including views over the collections, which are harmless but show stored data. */
    List<String> all() {
        return Stream.of(inPlace, harmful, views).flatMap(List::stream).toList();
    }

    /** The words for a view that has the name of a collection. */
    static String inPlaceOf(String name) {
        return name + " is a view, not a collection; what is written to it is refused; remove it: db.getCollection('"
                + name + "').drop()";
    }

    private void look(Document collection) {
        String name = collection.getString("name");
        Document options = collection.get("options", new Document());
        if ("view".equals(collection.getString("type"))) {
            view(name, options.getString("viewOn"));
        } else if (isOurs(name)) {
            if (options.containsKey("validator")) {
                harmful.add(
                        "collection " + name + " has a validator, which can refuse what the scheduler writes; remove"
                                + " it: db.runCommand({collMod: '" + name + "', validator: {}})");
            }
            expiries(name);
        }
    }

    private void view(String name, String over) {
        String shown = Printable.value(name);
        if (isOurs(name)) {
            inPlace.add(inPlaceOf(shown));
        } else if (isOurs(over) && VIEWS.stream().noneMatch(view -> name.equals(prefix + view))) {
            views.add("view " + shown + " over " + over
                    + " does not belong to Almanac; its readers see the stored data;"
                    + " if it is not needed: db.getCollection('" + shown + "').drop()");
        }
    }

    private boolean isOurs(String name) {
        return COLLECTIONS.stream().anyMatch(own -> (prefix + own).equals(name));
    }

    private void expiries(String collection) {
        for (Document index : database.getCollection(collection).listIndexes()) {
            Set<String> keys = index.get("key", new Document()).keySet();
            String name = Printable.value(index.getString("name"));
            boolean own = name.equals("almanac_expiry") && keys.equals(Set.of("deleteTime"));
            if (index.containsKey("expireAfterSeconds") && !own) {
                harmful.add("index " + collection + "." + name + " on " + Printable.value(keys)
                        + " removes documents and does not belong to Almanac; drop it: db.getCollection('" + collection
                        + "').dropIndex('" + name + "')");
            }
        }
    }
}
