package dev.almanac.mongo;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoDatabase;
import dev.almanac.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bson.Document;

/**
 * Objects that others have added beside the collections of a store, or made in their place: an index that expires
 * documents or is unique, a validator, a collection with a collation or a bound, a view in place of a collection or over
 * one. Each in words, with what to do; nothing if this user may not list collections.
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
    private final List<String> unusable = new ArrayList<>();
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

    /** What is in place of collections, and with which no node can work. */
    List<String> unusable() {
        return unusable;
    }

    /** Objects that can remove documents, or keep the scheduler from writing them. */
    List<String> harmful() {
        return harmful;
    }

    /** All objects, including views over the collections, which are harmless but show stored data. */
    List<String> all() {
        return Stream.of(unusable, harmful, views).flatMap(List::stream).toList();
    }

    /** The words for a view that has the name of a collection. */
    static String inPlaceOf(String name) {
        return name + " is a view, not a collection; what is written to it is refused; remove it: db.getCollection('"
                + name + "').drop()";
    }

    private static String copyOf(String name) {
        return "; while no node runs, copy what it holds: db.getCollection('" + name + "').aggregate([{$out: '" + name
                + "_copy'}]), db.getCollection('" + name + "_copy').renameCollection('" + name + "', true)";
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
            if (options.containsKey("collation")) {
                unusable.add("collection " + name + " has a collation, by which names that differ can be equal"
                        + copyOf(name));
            }
            if (options.containsKey("capped")) {
                unusable.add(
                        "collection " + name + " is capped, so that it drops what it has no room for" + copyOf(name));
            }
            indexes(name);
        }
    }

    private void view(String name, String over) {
        String shown = Printable.value(name);
        if (isOurs(name)) {
            unusable.add(inPlaceOf(shown));
        } else if (isOurs(over) && VIEWS.stream().noneMatch(view -> name.equals(prefix + view))) {
            views.add("view " + shown + " over " + over
                    + " does not belong to Almanac; its readers see the stored data;"
                    + " if it is not needed: db.getCollection('" + shown + "').drop()");
        }
    }

    private boolean isOurs(String name) {
        return COLLECTIONS.stream().anyMatch(own -> (prefix + own).equals(name));
    }

    private void indexes(String collection) {
        for (Document index : database.getCollection(collection).listIndexes()) {
            if (Indexes.isOwn(collection.substring(prefix.length()), index)) {
                continue;
            }
            if (index.containsKey("expireAfterSeconds")) {
                index(collection, index, "removes documents and does not belong to Almanac");
            }
            if (index.containsKey("unique")) {
                index(
                        collection,
                        index,
                        "is unique and does not belong to Almanac, so that it can refuse what the scheduler writes");
            }
        }
    }

    private void index(String collection, Document index, String harm) {
        String name = Printable.value(index.getString("name"));
        harmful.add("index " + collection + "." + name + " on "
                + Printable.value(index.get("key", new Document()).keySet()) + " " + harm
                + "; drop it: db.getCollection('" + collection + "').dropIndex('" + name + "')");
    }
}
