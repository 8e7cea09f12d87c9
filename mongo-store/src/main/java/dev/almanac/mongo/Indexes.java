package dev.almanac.mongo;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.almanac.store.DueJob;
import dev.almanac.store.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** The indexes of the store: created, or verified exactly. */
final class Indexes {
    /** By partition, type and due: the look for due jobs. */
    static final String DUE = "almanac_due";
    /** By due alone, of urgent jobs: asked when more is due than one look shows. */
    static final String URGENT = "almanac_urgent";
    /** Of rows of fires that failed for good: no other row has a key in it. */
    static final String FAILED_ROWS = "almanac_failed_rows";

    static final String OPEN_FAILURES = "almanac_open_failures";

    private static final Document DUE_EXISTS = new Document("due", new Document("$exists", true));

    /**
     * One index.
     *
     * @param collection without the prefix
     * @param options as {@code createIndexes} takes them, beside name and key
     */
    record Wanted(String collection, String name, Document key, Document options) {
        Document command() {
            Document index = new Document("key", key).append("name", name);
            index.putAll(options);
            return index;
        }
    }

    private static final List<Wanted> ALL = List.of(
            new Wanted(
                    StoreCollections.JOBS,
                    DUE,
                    new Document("p", 1).append("type", 1).append("due", 1),
                    new Document("partialFilterExpression", DUE_EXISTS)),
            new Wanted(
                    StoreCollections.JOBS,
                    URGENT,
                    new Document("due", 1).append("prio", 1),
                    new Document(
                            "partialFilterExpression",
                            new Document(DUE_EXISTS).append("prio", new Document("$lt", DueJob.FIRST_NOT_URGENT)))),
            new Wanted(
                    StoreCollections.JOBS,
                    "almanac_active_key",
                    new Document("activeKey", 1),
                    new Document("unique", true).append("sparse", true)),
            new Wanted(
                    StoreCollections.JOBS,
                    "almanac_running_group",
                    new Document("runningGroup", 1),
                    new Document("unique", true).append("sparse", true)),
            new Wanted(
                    StoreCollections.JOBS,
                    "almanac_key_life",
                    new Document("jobSpecificationKey", 1).append(SpecificationDocument.LIFE, 1),
                    new Document("unique", true)),
            new Wanted(
                    StoreCollections.JOBS,
                    OPEN_FAILURES,
                    new Document(SpecificationDocument.FAILURES, 1),
                    new Document("sparse", true)),
            new Wanted(StoreCollections.JOBS, "almanac_expiry", new Document("deleteTime", 1), expiry()),
            new Wanted(
                    StoreCollections.ROWS,
                    "almanac_rows_of_job",
                    new Document("jobSpecificationId", 1).append("updatedTime", -1),
                    new Document()),
            new Wanted(
                    StoreCollections.ROWS,
                    FAILED_ROWS,
                    new Document("updatedTime", -1),
                    new Document("partialFilterExpression", new Document("executionStatus", "FAILED"))),
            new Wanted(StoreCollections.ROWS, "almanac_expiry", new Document("deleteTime", 1), expiry()),
            new Wanted(StoreCollections.NODES, "almanac_expiry", new Document("deleteTime", 1), expiry()),
            new Wanted(StoreCollections.MINUTES, "almanac_expiry", new Document("deleteTime", 1), expiry()),
            new Wanted(StoreCollections.CALENDAR_VERSIONS, "almanac_expiry", new Document("deleteTime", 1), expiry()));

    /** The names of the unique ones, and that of the ids. */
    static final Set<String> UNIQUE = Stream.concat(
                    Stream.of("_id_"),
                    ALL.stream()
                            .filter(index -> index.options().containsKey("unique"))
                            .map(Wanted::name))
            .collect(Collectors.toUnmodifiableSet());

    /** The options by which an index may differ despite equal name and key. */
    private static final List<String> OPTIONS =
            List.of("unique", "sparse", "partialFilterExpression", "expireAfterSeconds", "collation", "hidden");

    private static final List<String> COLLECTIONS = List.of(
            StoreCollections.JOBS,
            StoreCollections.ROWS,
            StoreCollections.NODES,
            StoreCollections.MINUTES,
            StoreCollections.CALENDAR_VERSIONS);

    /** BadValue: the error of a hint that names no index. */
    private static final int BAD_HINT = 2;

    /** CommandNotSupportedOnView. */
    private static final int ON_A_VIEW = 166;

    private Indexes() {}

    /**
     * The answer to a question that names its index. The server refuses that name while the index is missing or being
     * built.
     *
     * @param anyway whether the question is asked then without an index, and may read every document: for people, who ask
     *     now and then; not for the looks of nodes, each of which would do so
     * @throws StoreException if the index is not there and it is not asked anyway
     */
    static <T> T ask(String index, boolean anyway, Function<@Nullable String, T> question) {
        try {
            return question.apply(index);
        } catch (MongoCommandException e) {
            if (e.getErrorCode() != BAD_HINT) {
                throw e;
            }
            if (!anyway) {
                throw new StoreException(
                        "nodes cannot look for due jobs: the index " + index
                                + " is missing or not built yet; run: almanac indexes create",
                        e);
            }
            return question.apply(null);
        }
    }

    private static Document expiry() {
        return new Document("sparse", true).append("expireAfterSeconds", 0);
    }

    /** Whether the store has an index of that name and key there, perhaps with other options. */
    static boolean isOwn(String collection, Document index) {
        return ALL.stream()
                .anyMatch(wanted -> wanted.collection().equals(collection)
                        && wanted.name().equals(index.getString("name"))
                        && wanted.key()
                                .keySet()
                                .equals(index.get("key", new Document()).keySet()));
    }

    /** Creates what is missing. One that differs in its expiry is changed in place. */
    static void create(MongoDatabase database, String prefix, @Nullable String commitQuorum) {
        for (String collection : COLLECTIONS) {
            List<Document> wanted = ALL.stream()
                    .filter(index -> index.collection().equals(collection))
                    .map(Wanted::command)
                    .toList();
            mendExpiry(database, prefix + collection);
            Document command = new Document("createIndexes", prefix + collection).append("indexes", wanted);
            if (commitQuorum != null) {
                command.append("commitQuorum", commitQuorum);
            }
            database.runCommand(command);
        }
    }

    private static void mendExpiry(MongoDatabase database, String collection) {
        Document present = byName(database.getCollection(collection)).get("almanac_expiry");
        boolean expires = present != null && present.containsKey("expireAfterSeconds");
        if (expires && !Integer.valueOf(0).equals(asInt(present.get("expireAfterSeconds")))) {
            database.runCommand(new Document("collMod", collection)
                    .append("index", new Document("name", "almanac_expiry").append("expireAfterSeconds", 0)));
        }
    }

    /** Missing and different indexes, in words; empty if all are as expected. */
    static List<String> problems(MongoDatabase database, String prefix) {
        List<String> problems = new ArrayList<>();
        for (String collection : COLLECTIONS) {
            try {
                problems(prefix, collection, byName(database.getCollection(prefix + collection)), problems);
            } catch (MongoCommandException e) {
                if (e.getErrorCode() != ON_A_VIEW) {
                    throw e;
                }
                problems.add(ForeignObjects.inPlaceOf(prefix + collection));
            }
        }
        return problems;
    }

    private static void problems(
            String prefix, String collection, Map<String, Document> indexes, List<String> problems) {
        for (Wanted wanted : ALL) {
            if (!wanted.collection().equals(collection)) {
                continue;
            }
            Document present = indexes.get(wanted.name());
            String where = prefix + collection + "." + wanted.name();
            if (present == null) {
                problems.add("index " + where + " " + wanted.key().toJson() + " is missing");
            } else if (!fits(wanted, present)) {
                problems.add("index " + where + " is " + present.toJson() + ", not "
                        + wanted.command().toJson() + "; drop it first: db.getCollection('" + prefix + collection
                        + "').dropIndex('" + wanted.name() + "')");
            }
        }
    }

    private static boolean fits(Wanted wanted, Document present) {
        Document key = present.get("key", Document.class);
        boolean sameKey = key != null
                && List.copyOf(key.keySet()).equals(List.copyOf(wanted.key().keySet()))
                && key.entrySet().stream()
                        .allMatch(e ->
                                asInt(e.getValue()).equals(asInt(wanted.key().get(e.getKey()))));
        return sameKey
                && OPTIONS.stream()
                        .allMatch(option -> sameOption(wanted.options().get(option), present.get(option)));
    }

    private static boolean sameOption(@Nullable Object wanted, @Nullable Object present) {
        if (wanted instanceof Number || present instanceof Number) {
            return wanted != null && present != null && asInt(wanted).equals(asInt(present));
        }
        return wanted == null ? present == null || Boolean.FALSE.equals(present) : wanted.equals(present);
    }

    private static Integer asInt(@Nullable Object value) {
        return value instanceof Number number ? (Integer) number.intValue() : Integer.valueOf(Integer.MIN_VALUE);
    }

    private static Map<String, Document> byName(MongoCollection<Document> collection) {
        Map<String, Document> byName = new HashMap<>();
        collection.listIndexes().forEach(index -> byName.put(index.getString("name"), index));
        return byName;
    }
}
