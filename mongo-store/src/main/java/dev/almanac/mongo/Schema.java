package dev.almanac.mongo;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Updates;
import dev.almanac.store.StoreRefusedException;
import dev.almanac.store.StoreReport;
import dev.almanac.text.Printable;
import dev.almanac.text.Redaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** Opens a store: what the server can do, which indexes there are, and what was fixed when the store was created. */
final class Schema {
    private static final int VERSION = 1;
    private static final int WIRE_VERSION_OF_6_0 = 17;
    /** Unauthorized, CannotCreateIndex, IndexOptionsConflict, IndexKeySpecsConflict, DuplicateKey. */
    private static final Set<Integer> REFUSALS = Set.of(13, 67, 85, 86, 11_000);

    private final MongoDatabase database;
    private final MongoStoreSettings settings;
    private final StoreCollections collections;
    private final String where;
    private final @Nullable Consumer<String> complaints;

    Schema(
            MongoDatabase database,
            MongoStoreSettings settings,
            StoreCollections collections,
            String where,
            @Nullable Consumer<String> complaints) {
        this.database = database;
        this.settings = settings;
        this.collections = collections;
        this.where = where;
        this.complaints = complaints;
    }

    StoreReport open() {
        List<String> warnings = new ArrayList<>();
        probe(warnings);
        requireKnown();
        ForeignObjects foreign = foreignObjects();
        if (!foreign.unusable().isEmpty()) {
            throw new StoreRefusedException("ALM-020 " + String.join("; ", foreign.unusable()));
        }
        String refusal = settings.createIndexes() ? create(settings.commitQuorum()) : "";
        List<String> problems = Indexes.problems(database, settings.collectionPrefix());
        if (!problems.isEmpty()) {
            complain(problems, refusal, warnings);
        }
        foreign.harmful().forEach(found -> warnings.add("ALM-020 " + found));
        int partitions = partitions();
        String place = partitions == settings.partitions()
                ? where
                : where + " (created with " + partitions + " partitions, which the setting does not change)";
        return new StoreReport(place, partitions, true, warnings);
    }

    /** Refuses a store because of its indexes; an existing store that was opened as tolerant gets a warning instead. */
    private void complain(List<String> problems, String refusal, List<String> warnings) {
        String complaint = "ALM-001 the indexes of database '" + settings.database() + "' are missing or differ: "
                + String.join("; ", problems) + refusal + "; run: almanac indexes create --uri <uri> --database "
                + settings.database()
                + (settings.collectionPrefix().isEmpty() ? "" : " --prefix " + settings.collectionPrefix());
        if (complaints == null || collections.jobs().listIndexes().first() == null) {
            throw new StoreRefusedException(complaint);
        }
        warnings.add(complaint);
        complaints.accept(complaint);
    }

    /** Missing and different indexes, in words. */
    List<String> indexProblems() {
        probe(new ArrayList<>());
        return Indexes.problems(database, settings.collectionPrefix());
    }

    /** Objects of others, in words. */
    List<String> foreign() {
        return foreignObjects().all();
    }

    private ForeignObjects foreignObjects() {
        return ForeignObjects.in(database, settings.collectionPrefix());
    }

    /**
     * Creates what is missing. What the server refuses, such as an index that differs from one that is there, or a
     * user who may create none, is left to the verification that follows.
     */
    private String create(@Nullable String commitQuorum) {
        try {
            Indexes.create(database, settings.collectionPrefix(), commitQuorum);
            return "";
        } catch (MongoCommandException e) {
            if (!REFUSALS.contains(e.getErrorCode())) {
                throw e;
            }
            return "; the server refused to create them: " + Redaction.withoutCredentials(e.getErrorMessage());
        }
    }

    /** Refuses a server that is too old, and adds what its set lacks. */
    private void probe(List<String> warnings) {
        Document hello = database.runCommand(new Document("hello", 1));
        if (Fields.number(hello, "maxWireVersion") < WIRE_VERSION_OF_6_0) {
            throw new StoreRefusedException("ALM-007 " + where + " is older than MongoDB 6.0; upgrade the server");
        }
        if (hello.getString("setName") == null && !"isdbgrid".equals(hello.getString("msg"))) {
            warnings.add("ALM-002 the server is no replica set; a crash may lose acknowledged writes");
        }
        if (!hello.getList("arbiters", String.class, List.of()).isEmpty()) {
            warnings.add(
                    "ALM-003 the replica set has arbiters; with one data-bearing member down, writes cannot reach a"
                            + " majority, and wait");
        }
    }

    /** 0 = the store was not created yet. */
    int partitionsIfStored() {
        Document known = stored();
        return known == null ? 0 : partitions(known);
    }

    /** Refuses a store of another version, or of an unknown number of partitions; it changes nothing. */
    private void requireKnown() {
        Document known = stored();
        if (known == null && hasJobs()) {
            // who stores a job has found the document, or created it
            known = stored();
            if (known == null) {
                throw unknownPartitions("has jobs, and does not say how many partitions they are in");
            }
        }
        if (known != null) {
            partitions(known);
        }
    }

    private boolean hasJobs() {
        return collections.jobs().find().projection(Projections.include("_id")).first() != null;
    }

    private int partitions(Document known) {
        Long version = Fields.whole(known.get("version"));
        if (version == null || version != VERSION) {
            throw new StoreRefusedException("ALM-004 database '" + settings.database() + "' has schema version "
                    + Printable.value(known.get("version")) + ", this release works with version " + VERSION
                    + "; use a release that knows it");
        }
        Long number = Fields.whole(known.get("partitions"));
        if (number == null || number < 1 || number > MongoStoreSettings.MOST_PARTITIONS) {
            throw unknownPartitions("says that it has " + Printable.value(known.get("partitions"))
                    + " partitions, not a whole number from 1 to " + MongoStoreSettings.MOST_PARTITIONS);
        }
        return number.intValue();
    }

    /** With another number than that of its creation, nodes would look for some jobs in vain. */
    private StoreRefusedException unknownPartitions(String what) {
        String of = "db.getCollection('" + settings.collectionPrefix();
        return new StoreRefusedException("database '" + settings.database() + "' " + what
                + "; set it to the number that it was created with, 16 unless a setting said another: " + of
                + StoreCollections.CONTROL + "').updateOne({_id: 'schema'}, {$set: {version: " + VERSION
                + ", partitions: 16}}, {upsert: true}); it is more than the highest p of a job: " + of
                + StoreCollections.JOBS + "').find({}, {p: 1}).sort({p: -1}).limit(1)");
    }

    private @Nullable Document stored() {
        return collections.control().find(Filters.eq("_id", "schema")).first();
    }

    private int partitions() {
        // a read-only user may not write, and does not need to, since an existing value does not change
        Document known = stored();
        return partitions(known == null ? fix() : known);
    }

    private Document fix() {
        return collections
                .control()
                .findOneAndUpdate(
                        Filters.eq("_id", "schema"),
                        Updates.combine(
                                Updates.setOnInsert("version", VERSION),
                                Updates.setOnInsert("partitions", settings.partitions())),
                        new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER));
    }
}
