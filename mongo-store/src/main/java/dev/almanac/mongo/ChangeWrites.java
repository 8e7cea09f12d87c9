package dev.almanac.mongo;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.WriteModel;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.DamagedJob;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobList;
import dev.almanac.store.NewJob;
import dev.almanac.store.StoredJob;
import dev.almanac.text.Redaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.Document;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Guarded changes and their rows (rules N1 to N6). */
final class ChangeWrites {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeWrites.class);
    private static final InsertManyOptions UNORDERED = new InsertManyOptions().ordered(false);
    private static final BulkWriteOptions ANY_ORDER = new BulkWriteOptions().ordered(false);
    private static final int MOST_AT_ONCE = 1_000;
    private static final int REFUSED = -1;

    private final StoreCollections collections;
    private final StoreCollections together;
    private final KnownRows known = new KnownRows();
    /** False once the server has refused a deletion because the user lacks the right. */
    private volatile boolean mayRemove = true;

    /** @param together the same, with a limit for what several changes share, and for what an end does not wait for */
    ChangeWrites(StoreCollections collections, StoreCollections together) {
        this.collections = collections;
        this.together = together;
    }

    List<Boolean> insert(List<NewJob> jobs, int partitions) {
        List<Boolean> stored = new ArrayList<>(jobs.size());
        for (int from = 0; from < jobs.size(); from += MOST_AT_ONCE) {
            insertSome(jobs.subList(from, Math.min(jobs.size(), from + MOST_AT_ONCE)), partitions, stored);
        }
        return stored;
    }

    private void insertSome(List<NewJob> jobs, int partitions, List<Boolean> stored) {
        List<Document> documents = jobs.stream()
                .map(item -> SpecificationDocument.of(item, partitions))
                .toList();
        Set<Integer> refused = MongoCalls.duplicates(
                of -> of.size() == documents.size() && ours(documents, of).isEmpty(),
                () -> collections.jobs().insertMany(documents, UNORDERED));
        Set<Integer> ours = ours(documents, refused);
        List<Boolean> some = IntStream.range(0, jobs.size())
                .mapToObj(i -> !refused.contains(i) || ours.contains(i))
                .toList();
        stored.addAll(some);
        insertFirst(IntStream.range(0, jobs.size())
                .filter(some::get)
                .mapToObj(i -> jobs.get(i).row())
                .filter(Objects::nonNull)
                .toList());
    }

    /** The first rows of jobs that are stored: to refuse such a row is not to refuse its job, whose document shows it (rule N2). */
    private void insertFirst(List<JobExecutionStatus> rows) {
        try {
            insertOwn(collections, rows);
        } catch (MongoException e) {
            if (!WriteErrors.isForGood(e)) {
                throw e;
            }
            LOG.warn("rows of new jobs are refused: {}", Redaction.withoutCredentials(e.getMessage()));
        }
    }

    /** Those of the refused documents that an earlier try has stored: a repetition has the id and the key. */
    private Set<Integer> ours(List<Document> documents, Set<Integer> refused) {
        List<Object> ids =
                refused.stream().map(i -> documents.get(i).get("_id")).toList();
        Map<Object, Object> keys = new HashMap<>();
        if (!ids.isEmpty()) {
            collections
                    .jobs()
                    .find(Filters.in("_id", ids))
                    .projection(Projections.include("jobSpecificationKey"))
                    .forEach(stored -> keys.put(stored.get("_id"), stored.get("jobSpecificationKey")));
        }
        return refused.stream()
                .filter(i -> documents
                        .get(i)
                        .get("jobSpecificationKey")
                        .equals(keys.get(documents.get(i).get("_id"))))
                .collect(Collectors.toSet());
    }

    void insertRows(List<JobExecutionStatus> rows) {
        insertOwn(collections, rows);
    }

    /** The rows of changes that were applied. */
    private void insertOwn(StoreCollections to, List<JobExecutionStatus> rows) {
        insertRows(to, rows);
        known.add(rows);
    }

    /**
     * Sees to it that rows are stored which documents show and will show no longer (rule N3). To ask for the ids of all costs
     * less than to insert one that is there. A collection that does not take all of them holds up no end of a run and no
     * user: they are owed, and it is learnt later of which of them it refuses for good.
     */
    void storeShown(List<JobExecutionStatus> shown, Consumer<List<JobExecutionStatus>> owed) {
        List<JobExecutionStatus> unknown = known.unknown(shown);
        if (unknown.isEmpty()) {
            return;
        }
        try {
            // what the next election may take back is not there
            Set<String> missing = Inspection.missing(
                    together.rows().withReadConcern(ReadConcern.MAJORITY),
                    unknown.stream().map(JobExecutionStatus::id).toList());
            insertRows(
                    together,
                    unknown.stream().filter(row -> missing.contains(row.id())).toList());
            known.add(unknown);
        } catch (MongoException e) {
            LOG.info(
                    "{} status rows cannot be stored before the change that hides them, and follow later: {}",
                    unknown.size(),
                    Redaction.withoutCredentials(e.getMessage()));
            owed.accept(unknown);
        }
    }

    private static void insertRows(StoreCollections to, List<JobExecutionStatus> rows) {
        if (!rows.isEmpty()) {
            Set<Integer> there = MongoCalls.duplicates(() -> to.newRows().insertMany(rows, UNORDERED));
            addLogs(to, there.stream().map(rows::get).toList());
        }
    }

    /** A row that was stored from its document, perhaps by another process, lacks the log, which its holder has (rule S7). */
    private static void addLogs(StoreCollections to, List<JobExecutionStatus> there) {
        List<WriteModel<Document>> updates = there.stream()
                .filter(row -> !row.log().isEmpty())
                .map(RowDocument::addingLog)
                .toList();
        if (!updates.isEmpty()) {
            to.rows().bulkWrite(updates, ANY_ORDER);
        }
    }

    List<Boolean> write(List<JobChange> changes, Consumer<List<JobExecutionStatus>> owed) {
        try {
            return writeAll(mayRemove ? changes : keeping(changes), owed);
        } catch (MongoCommandException e) {
            if (e.getErrorCode() != WriteErrors.UNAUTHORIZED || changes.stream().noneMatch(JobChange::removes)) {
                throw e;
            }
            LOG.warn(
                    "this user may not delete documents of {}: one-offs of history TROUBLE that succeed are"
                            + " finished instead, and expire; docs/security.md names the rights",
                    collections.jobs().getNamespace());
            mayRemove = false;
            return writeAll(keeping(changes), owed);
        }
    }

    private static List<JobChange> keeping(List<JobChange> changes) {
        return changes.stream().map(JobChange::keeping).toList();
    }

    private List<Boolean> writeAll(List<JobChange> changes, Consumer<List<JobExecutionStatus>> owed) {
        return changes.stream().allMatch(JobChange::isByHolder)
                ? writeTogether(changes, owed)
                : changes.stream()
                        .map(change -> writeTogether(List.of(change), owed).get(0))
                        .toList();
    }

    private List<Boolean> writeTogether(List<JobChange> changes, Consumer<List<JobExecutionStatus>> owed) {
        // changes that share a call have a limit, so that one that stalls can be identified (rule X3)
        StoreCollections to = changes.size() == 1 ? collections : together;
        storeShown(rows(changes, JobChange::rowsBefore), owed);
        boolean all = areAllApplied(to, changes);
        List<Boolean> applied =
                all || changes.size() == 1 ? java.util.Collections.nCopies(changes.size(), all) : findOut(changes);
        List<JobChange> done = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            if (applied.get(i)) {
                done.add(changes.get(i));
            }
        }
        insertOwn(to, rows(done, JobChange::rowsWithIt));
        limit(RowLimits.of(done));
        return applied;
    }

    private static List<JobExecutionStatus> rows(
            List<JobChange> changes, Function<JobChange, List<JobExecutionStatus>> some) {
        List<JobExecutionStatus> rows = new ArrayList<>();
        changes.forEach(change -> rows.addAll(some.apply(change)));
        return rows;
    }

    /**
     * Whether all changes were applied. A document that cannot be updated ends a shared update; for a single change the
     * refusal is thrown.
     */
    private boolean areAllApplied(StoreCollections to, List<JobChange> changes) {
        List<WriteModel<Document>> updates = UniformChanges.updates(changes);
        if (updates.size() < changes.size()) {
            int matched = matched(to, updates);
            if (matched != REFUSED) {
                return matched == changes.size();
            }
            updates = changes.stream().map(UniformChanges::update).toList();
        }
        return count(to.jobs().bulkWrite(updates, ANY_ORDER)) == changes.size();
    }

    /** How many documents matched; {@link #REFUSED} if one of them cannot be updated. */
    private static int matched(StoreCollections to, List<WriteModel<Document>> updates) {
        try {
            return count(to.jobs().bulkWrite(updates, ANY_ORDER));
        } catch (MongoBulkWriteException e) {
            if (e.getWriteConcernError() != null) {
                throw e;
            }
            LOG.warn(
                    "of {} updates some were refused: {}",
                    updates.size(),
                    Redaction.withoutCredentials(e.getMessage()));
            return REFUSED;
        }
    }

    /** How many documents were changed or deleted. */
    static int count(BulkWriteResult result) {
        return result.getMatchedCount() + result.getDeletedCount();
    }

    private List<Boolean> findOut(List<JobChange> changes) {
        List<Object> ids =
                changes.stream().map(change -> Ids.toBson(change.before().id())).toList();
        JobList read = new JobReads(collections).load(ids);
        Map<String, StoredJob> stored =
                read.jobs().stream().collect(Collectors.toMap(StoredJob::id, Function.identity()));
        Set<String> unreadable = read.damaged().stream().map(DamagedJob::id).collect(Collectors.toSet());
        return changes.stream()
                .map(change -> {
                    String id = change.before().id();
                    StoredJob job = stored.get(id);
                    return job == null ? change.removes() && !unreadable.contains(id) : change.isShownBy(job);
                })
                .toList();
    }

    /** The changes are applied; if this fails, some rows are kept longer. */
    private void limit(List<UpdateManyModel<Document>> updates) {
        try {
            if (!updates.isEmpty()) {
                collections.rows().bulkWrite(updates, ANY_ORDER);
            }
        } catch (MongoException e) {
            LOG.info(
                    "rows of jobs that end early are kept longer than they need be: {}",
                    Redaction.withoutCredentials(e.getMessage()));
        }
    }

    void keepRows(Collection<String> rowIds, Instant least, Instant until) {
        collections
                .rows()
                .updateMany(
                        Filters.and(Filters.in("_id", rowIds), Filters.lt("deleteTime", Date.from(least))),
                        new Document("$set", new Document("deleteTime", Date.from(until))));
    }
}
