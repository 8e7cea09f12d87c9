package dev.almanac.mongo;

import com.mongodb.MongoCommandException;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobRegister;
import dev.almanac.store.NewJob;
import dev.almanac.store.StoredJob;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * Reads and writes jobs within a transaction of the caller. All writes take effect with its commit, so the order of
 * documents and rows does not matter. An error of the server aborts a transaction, so its causes are checked before a
 * write. A job or key that was written by another client since the transaction began is a conflict, which the server
 * reports. Exceptions of the driver pass through, since their labels show whether to try again.
 */
final class SessionJobs implements JobRegister {
    private static final String MAJORITY = "majority";

    private final ClientSession session;
    private final StoreCollections collections;
    private final MongoCollection<Document> outside;
    private final IntSupplier partitions;
    private final Supplier<Object> serversDefault;
    private final BiConsumer<List<JobExecutionStatus>, Consumer<List<JobExecutionStatus>>> shown;

    /**
     * @param collections without a timeout: a transaction has one, that of its session
     * @param outside the jobs as a majority has them, for reads outside the transaction, which end with the store's timeout
     * @param shown sees to it, outside the transaction, that rows are stored, or hands over those that cannot be now
     * @param serversDefault with how many members a transaction commits by default
     */
    SessionJobs(
            ClientSession session,
            StoreCollections collections,
            MongoCollection<Document> outside,
            IntSupplier partitions,
            Supplier<Object> serversDefault,
            BiConsumer<List<JobExecutionStatus>, Consumer<List<JobExecutionStatus>>> shown) {
        this.shown = shown;
        this.session = session;
        this.collections = collections;
        this.outside = outside;
        this.partitions = partitions;
        this.serversDefault = serversDefault;
    }

    @Override
    public List<Boolean> insert(List<NewJob> jobs) {
        return inTransaction(() -> {
            List<Boolean> stored = new ArrayList<>(jobs.size());
            jobs.forEach(job -> stored.add(insert(job)));
            return stored;
        });
    }

    private boolean insert(NewJob item) {
        Document document = SpecificationDocument.of(item, partitions.getAsInt());
        String key = item.job().key();
        Bson sameLife = Filters.and(
                Filters.eq("jobSpecificationKey", key),
                Filters.eq(SpecificationDocument.LIFE, document.get(SpecificationDocument.LIFE)));
        if (jobs(Filters.or(Filters.eq("activeKey", key), sameLife)).first() != null) {
            return false;
        }
        collections.jobs().insertOne(session, document);
        JobExecutionStatus row = item.row();
        if (row != null) {
            collections.newRows().insertOne(session, row);
        }
        return true;
    }

    @Override
    public Map<String, Integer> lastLives(Collection<String> keys) {
        return inTransaction(
                () -> DocumentReader.lastLives(pipeline -> collections.jobs().aggregate(session, pipeline), keys));
    }

    @Override
    public Optional<StoredJob> find(String key, FindScope scope) {
        Objects.requireNonNull(key, "key");
        return inTransaction(() -> DocumentReader.find(this::jobs, key, scope));
    }

    private FindIterable<Document> jobs(Bson filter) {
        return collections.jobs().find(session, filter);
    }

    @Override
    public List<Boolean> write(List<JobChange> changes) {
        return write(changes, owed -> {});
    }

    @Override
    public List<Boolean> write(List<JobChange> changes, Consumer<List<JobExecutionStatus>> owed) {
        return inTransaction(
                () -> changes.stream().map(change -> write(change, owed)).toList());
    }

    private boolean write(JobChange change, Consumer<List<JobExecutionStatus>> owed) {
        storeShown(change, owed);
        boolean applied =
                ChangeWrites.count(collections.jobs().bulkWrite(session, List.of(UniformChanges.update(change)))) == 1;
        if (applied) {
            // of the rows, its own alone: the limit is for others, which live longer then (rule N5)
            insertMissing(change.rows());
        }
        return applied;
    }

    /**
     * The rows that the document shows as others see it are stored first, outside the transaction: to ask or to insert
     * within it would wait for itself, or meet a conflict. Those that this transaction has made are its own (rule N3). They
     * are true whether it commits or not, and so are those that are owed.
     */
    private void storeShown(JobChange change, Consumer<List<JobExecutionStatus>> owed) {
        List<JobExecutionStatus> hidden = change.rowsBefore();
        if (hidden.isEmpty()) {
            return;
        }
        Document committed = outside.find(
                        Filters.eq("_id", Ids.toBson(change.before().id())))
                .first();
        if (committed == null) {
            return;
        }
        Set<String> ids =
                SpecificationDocument.shownRows(
                                committed, change.before().id(), change.before().key())
                        .stream()
                        .map(JobExecutionStatus::id)
                        .collect(Collectors.toSet());
        shown.accept(hidden.stream().filter(row -> ids.contains(row.id())).toList(), owed);
    }

    private void insertMissing(List<JobExecutionStatus> rows) {
        List<String> ids = rows.stream().map(JobExecutionStatus::id).toList();
        Set<String> there = collections
                .rows()
                .find(session, Filters.in("_id", ids))
                .projection(Projections.include("_id"))
                .map(row -> row.getString("_id"))
                .into(new ArrayList<>())
                .stream()
                .collect(Collectors.toSet());
        rows.stream()
                .filter(row -> !there.contains(row.id()))
                .forEach(row -> collections.newRows().insertOne(session, row));
    }

    private <T> T inTransaction(Supplier<T> call) {
        if (!session.hasActiveTransaction()) {
            throw new IllegalStateException(
                    "the session has no transaction that is open; begin one, or make the" + " writer within it");
        }
        requireMajority();
        return call.get();
    }

    /** Requires a majority write concern, so that results hold after the commit even if the primary fails (rule M4). */
    private void requireMajority() {
        WriteConcern concern = session.getTransactionOptions().getWriteConcern();
        Object own = concern == null ? null : concern.getWObject();
        Object members = own == null ? serversDefault.get() : own;
        if (!MAJORITY.equals(members)) {
            throw new IllegalStateException("the transaction would commit with w: " + members
                    + ", which a new primary may undo; begin it with TransactionOptions of WriteConcern.MAJORITY, or"
                    + " set w=majority in the client's connection string");
        }
    }

    /**
     * With how many members writes commit that name none. For a user without the right to ask it is majority, as it is
     * unless there are arbiters or the default was changed.
     */
    static Object defaultMembers(MongoDatabase admin) {
        try {
            Document known = admin.runCommand(new Document("getDefaultRWConcern", 1));
            return known.get("defaultWriteConcern", new Document()).get("w", (Object) MAJORITY);
        } catch (MongoCommandException e) {
            if (e.getErrorCode() == WriteErrors.UNAUTHORIZED) {
                return MAJORITY;
            }
            throw e;
        }
    }
}
