package dev.almanac.mongo;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.DeclaredJobs;
import dev.almanac.store.JobWatch;
import dev.almanac.store.MinuteReport;
import dev.almanac.store.NodeReport;
import dev.almanac.store.RateUse;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Node reports, pauses of kinds of jobs, stored calendars: small collections that are read whole. */
final class MongoClusterStore implements ClusterStore {
    private static final String DECLARED = "declared:";
    private static final String TURN = "turn ";
    private static final int BAD_VALUE = 2;
    private static final int TYPE_MISMATCH = 14;
    private static final FindOneAndUpdateOptions UPSERT_AFTER =
            new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER);
    private static final ReplaceOptions UPSERT = new ReplaceOptions().upsert(true);

    private final StoreCollections collections;

    MongoClusterStore(StoreCollections collections) {
        this.collections = collections;
    }

    @Override
    public List<NodeReport> report(NodeReport node, Instant liveSince) {
        return MongoCalls.write("reporting this node", () -> NodeDocument.report(collections.nodes(), node, liveSince));
    }

    @Override
    public List<NodeReport> nodes(Instant seenSince) {
        return MongoCalls.read("reading the nodes", () -> NodeDocument.nodes(collections.nodes(), seenSince));
    }

    /** Counted by the index of live keys alone; no document is read. */
    @Override
    public long liveJobs(int limit) {
        return MongoCalls.read(
                "counting jobs",
                () -> collections.jobs().countDocuments(Filters.gte("activeKey", ""), new CountOptions().limit(limit)));
    }

    /** Counted by its index alone: the field is there as long as it is more than 0. */
    @Override
    public long openFailures(int limit) {
        Bson open = Filters.gt(SpecificationDocument.FAILURES, 0);
        return MongoCalls.read(
                "counting open failures",
                () -> Indexes.ask(
                        Indexes.OPEN_FAILURES,
                        true,
                        hint -> collections
                                .jobs()
                                .countDocuments(
                                        open, new CountOptions().limit(limit).hintString(hint))));
    }

    @Override
    public JobWatch watch(Set<String> types) {
        return MongoCalls.read("opening a change stream", () -> NewJobStream.open(collections.majorityJobs(), types));
    }

    @Override
    public long purge(Instant now, int limit) {
        return MongoCalls.write("removing what has expired", () -> {
            long removed = 0;
            for (MongoCollection<Document> some : List.of(
                    collections.jobs(),
                    collections.rows(),
                    collections.nodes(),
                    collections.minutes(),
                    collections.calendarVersions())) {
                removed += purge(some, now, limit - (int) removed);
            }
            return removed;
        });
    }

    private static long purge(MongoCollection<Document> collection, Instant now, int limit) {
        if (limit <= 0) {
            return 0;
        }
        Bson over = Filters.lte("deleteTime", Date.from(now));
        List<Object> ids = collection
                .find(over)
                .projection(Projections.include("_id"))
                .limit(limit)
                .map(document -> document.get("_id"))
                .into(new ArrayList<>());
        return ids.isEmpty()
                ? 0
                : collection
                        .deleteMany(Filters.and(Filters.in("_id", ids), over))
                        .getDeletedCount();
    }

    @Override
    public ClusterControl control() {
        return MongoCalls.read(
                "reading pauses, groups and calendar edits",
                () -> ControlDocuments.read(collections
                        .control()
                        .find(Filters.not(Filters.exists("jobs")))
                        .sort(Sorts.ascending("_id"))));
    }

    /** If another node has the turn its document is not matched, and a second one of its id is refused. */
    @Override
    public @Nullable String takeTurn(String name, String node, Instant now, Instant until, @Nullable String place) {
        Bson own = Filters.and(
                Filters.eq("_id", TURN + name), Filters.or(Filters.eq("node", node), ControlDocuments.turnOver(now)));
        List<Bson> set = new ArrayList<>(List.of(Updates.set("node", node), Updates.set("until", Date.from(until))));
        if (place != null) {
            set.add(Updates.set("place", place));
        }
        return MongoCalls.write("taking turns", () -> {
            try {
                Document turn = collections.control().findOneAndUpdate(own, Updates.combine(set), UPSERT_AFTER);
                return turn.get("place") instanceof String reached ? reached : "";
            } catch (MongoCommandException e) {
                if (WriteErrors.isDuplicate(e)) {
                    return null;
                }
                throw e;
            }
        });
    }

    @Override
    public boolean pause(StandingPause pause, @Nullable Instant replaced) {
        String id = ControlDocuments.pauseId(pause.scope(), pause.pause().from());
        Document document = new Document("_id", id)
                .append(ControlDocuments.PAUSE_OF, pause.scope().toString());
        Fields.put(document, "reason", pause.pause().reason());
        Fields.put(document, "author", pause.pause().author());
        Fields.put(document, "since", pause.since());
        Fields.put(document, "from", pause.pause().from());
        Fields.put(document, "until", pause.pause().until());
        return MongoCalls.write("storing a pause", () -> {
            boolean stored = replaced == null
                    ? WriteErrors.isNew(collections.control(), document)
                    : isReplaced(id, replaced, document) || isMoved(pause, replaced, document);
            collections
                    .control()
                    .deleteMany(ControlDocuments.endedBefore(pause.since().minus(StandingPause.KEPT)));
            return stored;
        });
    }

    private boolean isReplaced(String id, Instant since, Document pause) {
        return collections
                        .control()
                        .replaceOne(ControlDocuments.pauseOf(id, since), pause)
                        .getMatchedCount()
                > 0;
    }

    /** Stored in its own place before the one that it replaces is removed from another, so that a pause always holds. */
    private boolean isMoved(StandingPause pause, Instant replaced, Document document) {
        List<Document> misplaced = misplaced(pause.scope(), pause.pause().from(), replaced);
        if (misplaced.isEmpty() || !WriteErrors.isNew(collections.control(), document)) {
            return false;
        }
        remove(misplaced);
        return true;
    }

    private List<Document> misplaced(PauseScope scope, @Nullable Instant from, @Nullable Instant since) {
        return ControlDocuments.misplaced(collections.control().find(), scope, from, since);
    }

    private long remove(List<Document> pauses) {
        return pauses.stream()
                .map(pause -> Filters.and(Filters.eq("_id", pause.get("_id")), Filters.eq("since", pause.get("since"))))
                .mapToLong(pause -> collections.control().deleteOne(pause).getDeletedCount())
                .sum();
    }

    @Override
    public boolean resume(PauseScope scope, @Nullable Instant from, @Nullable Instant since) {
        String id = ControlDocuments.pauseId(scope, from);
        return MongoCalls.write("removing a pause", () -> {
            // read first: a failure of it removes nothing
            List<Document> misplaced = misplaced(scope, from, since);
            long removed = collections
                    .control()
                    .deleteOne(since == null ? Filters.eq("_id", id) : ControlDocuments.pauseOf(id, since))
                    .getDeletedCount();
            return removed + remove(misplaced) > 0;
        });
    }

    @Override
    public List<StoredCalendar> calendars() {
        return MongoCalls.read("reading calendars", () -> CalendarDocument.all(collections.calendars()));
    }

    @Override
    public boolean putCalendar(StoredCalendar calendar) {
        return MongoCalls.write("storing a calendar", () -> {
            boolean stored = CalendarDocument.put(collections.calendars(), collections.calendarVersions(), calendar);
            countEdit();
            return stored;
        });
    }

    @Override
    public List<StoredCalendar> calendarVersions(Collection<String> names) {
        return MongoCalls.read(
                "reading versions of calendars",
                () -> CalendarDocument.versions(collections.calendarVersions(), names));
    }

    /**
     * Counts an edit even if this call has stored nothing, since an earlier call may have stored it without counting.
     * So nodes may read calendars more often than needed, but never too seldom.
     */
    private void countEdit() {
        count(ControlDocuments.CALENDARS, "edits");
    }

    private void count(String document, String what) {
        try {
            collections
                    .control()
                    .updateOne(Filters.eq("_id", document), Updates.inc(what, 1L), new UpdateOptions().upsert(true));
        } catch (MongoWriteException e) {
            if (e.getCode() != TYPE_MISMATCH && e.getCode() != BAD_VALUE) {
                throw e;
            }
            // damaged by hand: it is no number, or the greatest
            collections.control().updateOne(Filters.eq("_id", document), Updates.set(what, 1L));
        }
    }

    @Override
    public void requestInterrupt() {
        MongoCalls.write("ordering an interrupt", () -> {
            count(ControlDocuments.INTERRUPTS, "orders");
            return true;
        });
    }

    @Override
    public boolean putGroup(StoredGroup group) {
        return MongoCalls.write("storing a group", () -> {
            GroupDocument.forget(collections.control(), group.latestUpdate().minus(StoredGroup.REMEMBERED));
            return GroupDocument.put(collections.control(), group);
        });
    }

    @Override
    public boolean countClaims(StoredGroup seen, RateUse next) {
        return MongoCalls.write(
                "counting claims of a group", () -> GroupDocument.count(collections.control(), seen, next));
    }

    /** Keys may hold what a field name may not, so they are values of a list. */
    @Override
    public DeclaredJobs declared(String applicationTag) {
        return MongoCalls.read("reading what an application declares", () -> {
            Document found = JobReads.one(
                    collections.control(),
                    Filters.eq("_id", DECLARED + applicationTag),
                    "this application has declared nothing before");
            Map<String, String> schedules = new LinkedHashMap<>();
            if (found != null && found.get("jobs") instanceof List<?> jobs) {
                for (Object job : jobs) {
                    if (job instanceof Document one && one.get("key") instanceof String key) {
                        schedules.put(key, String.valueOf(one.get("schedule")));
                    }
                }
            }
            return found == null
                    ? DeclaredJobs.NONE
                    : new DeclaredJobs(
                            Fields.versionOrZero(found),
                            found.get("release") instanceof String release ? release : null,
                            schedules);
        });
    }

    /** A document without a version, as a person may have left it, counts as none. */
    @Override
    public boolean declare(String applicationTag, DeclaredJobs next) {
        List<Document> jobs = new ArrayList<>();
        next.schedules().forEach((key, schedule) -> jobs.add(new Document("key", key).append("schedule", schedule)));
        String id = DECLARED + applicationTag;
        Document document =
                new Document("_id", id).append("version", next.version()).append("jobs", jobs);
        if (next.release() != null) {
            document.append("release", next.release());
        }
        MongoCollection<Document> control = collections.control();
        return MongoCalls.write(
                "storing what an application declares",
                () -> next.version() == 1 && WriteErrors.isNew(control, document)
                        || WriteErrors.isReplaced(control, document, next.version() - 1));
    }

    @Override
    public void addMinute(MinuteReport minute) {
        MongoCalls.write("storing what was run in a minute", () -> {
            MinuteDocument.add(collections.minutes(), minute);
            return true;
        });
    }

    @Override
    public List<MinuteReport> minutes(Instant since) {
        return MongoCalls.read("reading what was run", () -> MinuteDocument.since(collections.minutes(), since));
    }

    @Override
    public long missed(Instant since) {
        return MongoCalls.read("counting missed fires", () -> MinuteDocument.missed(collections.minutes(), since));
    }

    @Override
    public void checkedZoneRules(String version) {
        MongoCalls.write(
                "storing the version of zone rules",
                () -> collections
                        .control()
                        .replaceOne(
                                Filters.eq("_id", ControlDocuments.ZONE_RULES),
                                new Document("_id", ControlDocuments.ZONE_RULES).append("checked", version),
                                UPSERT));
    }
}
