package dev.almanac.mongo;

import dev.almanac.model.Actor;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Pause;
import dev.almanac.model.Progress;
import dev.almanac.model.StoredFields;
import dev.almanac.store.Blocked;
import dev.almanac.store.ClaimPartition;
import dev.almanac.store.ExtraRun;
import dev.almanac.store.FirePlan;
import dev.almanac.store.Lease;
import dev.almanac.store.Needs;
import dev.almanac.store.NewJob;
import dev.almanac.store.PersonalChange;
import dev.almanac.store.Phase;
import dev.almanac.store.PlanBasis;
import dev.almanac.store.Requests;
import dev.almanac.store.Revision;
import dev.almanac.store.ScheduleChange;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** A specification document: what users wrote, and the state that the protocol keeps beside it. */
final class SpecificationDocument {
    /**
     * Which life of its key the document is (rule N6): a number, or for a job whose id says as much that id. Unique with
     * the key, and never changed.
     */
    static final String LIFE = "life";
    /** How many fires have failed in a row; absent if none has. */
    static final String FAILURES = "failuresInARow";

    /** The rows of the newest change before its last one. */
    static final String OLDER = "olderRows";

    private static final String LAST = "lastStatus";

    /** The parts of a document beside the specification, for whole documents and for changes. */
    private static final List<Part<?>> STATE = List.of(
            new Part<>(Function.identity(), looks()),
            new Part<>(StoredJob::plan, plan()),
            new Part<>(StoredJob::sequences, counters()),
            new Part<>(StoredJob::revision, revision()),
            new Part<>(StoredJob::requests, requests()),
            new Part<>(Function.identity(), others()));

    /** Fields of a job that are made from one value: if that is the same object, none of them is looked at. */
    private record Part<T>(Function<StoredJob, T> of, List<Field<T>> fields) {
        void put(Document to, StoredJob job) {
            T value = of.apply(job);
            fields.forEach(field -> field.put(to, value));
        }

        void change(StoredJob before, StoredJob after, Edit edit) {
            T old = of.apply(before);
            T now = of.apply(after);
            if (old != now) {
                for (Field<T> field : fields) {
                    field.change(old, now, edit);
                }
            }
        }
    }

    private SpecificationDocument() {}

    static Document of(NewJob item, int partitions) {
        StoredJob job = item.job();
        Object id = Ids.toBson(job.id());
        Document document = new Document("_id", id).append(LIFE, item.life() == null ? id : item.life());
        SpecificationFields.write(document, job.specification());
        state(document, job);
        document.append("p", ClaimPartition.of(job.key(), partitions));
        return document;
    }

    /** Everything that may change without a change of the specification. */
    private static void state(Document to, StoredJob job) {
        STATE.forEach(part -> part.put(to, job));
        to.append(LAST, RowDocument.lastStatus(job.lastStatus()));
    }

    /**
     * What differs between the states of a job before and after a change.
     *
     * @param inParts the newest row is changed field by field, not as a whole
     */
    static void changes(StoredJob before, StoredJob after, boolean inParts, Edit edit) {
        for (Part<?> part : STATE) {
            part.change(before, after, edit);
        }
        if (before.lastStatus().equals(after.lastStatus())) {
            return;
        }
        if (inParts) {
            RowDocument.changes(before.lastStatus(), after.lastStatus(), edit);
        } else {
            edit.set(LAST, RowDocument.lastStatus(after.lastStatus()));
        }
    }

    /** The fields that looks use. */
    private static List<Field<StoredJob>> looks() {
        return List.of(
                Field.of("type", job -> job.command().type()),
                Field.of("prio", job -> job.specification().priority()),
                Field.of("activeKey", job -> job.isLive() ? job.key() : null),
                Field.of("due", StoredJob::due));
    }

    private static List<Field<Sequences>> counters() {
        return List.of(
                Field.of("fireSeq", Sequences::fireSeq),
                Field.of("claimSeq", Sequences::claimSeq),
                Field.of("doneSeq", Sequences::doneSeq),
                Field.ofNumber("startedSeq", Sequences::startedSeq),
                Field.ofNumber("crashes", Sequences::crashes));
    }

    private static List<Field<Revision>> revision() {
        return List.of(
                Field.of(Changes.REVISION, Revision::number),
                Field.ofNumber("change", Revision::change),
                Field.ofNumber("endChange", Revision::endChange),
                Field.ofNumber("userChange", Revision::userChange));
    }

    private static List<Field<StoredJob>> others() {
        return List.of(
                Field.of("anchor", job -> StoredFields.anchorOf(job.specification())),
                Field.of("phase", job -> job.phase() == Phase.RUN ? null : job.phase()),
                Field.of("blocked", StoredJob::blocked, SpecificationDocument::blocked),
                Field.of("verdict", StoredJob::verdict, RowDocument::shown),
                Field.ofList("followUpCalendars", StoredJob::followUpCalendars, Function.identity()),
                Field.ofList("followUps", StoredJob::followUps, SpecificationFields::followUp),
                Field.ofList(OLDER, StoredJob::olderRows, RowDocument::shown),
                Field.of("lease", StoredJob::lease, SpecificationDocument::lease),
                Field.ofList("needs", Needs::of, Function.identity()),
                Field.of("state", job -> job.state().isEmpty() ? null : job.state(), CommandBodies::document));
    }

    private static Revision readRevision(Document from) {
        return new Revision(
                Fields.counter(from, Changes.REVISION, 0),
                Fields.number(from, "change"),
                Fields.number(from, "endChange"),
                Fields.number(from, "userChange"));
    }

    private static List<Field<FirePlan>> plan() {
        return List.of(
                Field.of("nextFireTime", FirePlan::nextFireTime),
                Field.of("nominalFireTime", FirePlan::nominalFireTime),
                Field.of("planned", FirePlan::basis, SpecificationDocument::basis),
                Field.ofNumber("attempts", FirePlan::attempts),
                Field.of("retryTime", FirePlan::retryTime),
                Field.of("overThreshold", FirePlan::overThreshold),
                Field.ofNumber("firesEnded", FirePlan::firesEnded),
                Field.of("previousGoodRun", FirePlan::previousGoodRun),
                Field.ofNumber("postponed", FirePlan::postponed),
                Field.ofNumber(FAILURES, FirePlan::failuresInARow),
                Field.ofFlag("rerun", FirePlan::rerun),
                Field.of("failure", FirePlan::failure, SpecificationDocument::failure),
                Field.of("carried", FirePlan::carried));
    }

    private static Document failure(ErrorSummary failure) {
        Document document = new Document("type", failure.type());
        Fields.put(document, "message", failure.message());
        return document;
    }

    private static Document basis(PlanBasis basis) {
        Document document = new Document("local", basis.local().toString());
        Fields.put(document, "zoneRules", basis.zoneRules());
        Fields.put(document, "after", basis.after());
        Fields.put(
                document,
                "afterLocal",
                basis.afterLocal() == null ? null : basis.afterLocal().toString());
        Fields.put(document, "afterNominal", basis.afterNominal());
        Fields.put(document, "since", basis.since());
        Fields.put(document, "calendars", plannedBy(basis.calendars()));
        return document;
    }

    private static List<Field<Requests>> requests() {
        return List.of(
                Field.ofFlag("cancelRequested", Requests::cancelRequested),
                Field.ofFlag("interruptRequested", Requests::interruptRequested),
                Field.of("runNowRequested", Requests::runNow),
                Field.of(
                        "runNowCommand",
                        requests -> requests.contentsOf(requests.runNow()),
                        SpecificationFields::command),
                Field.of("runNowTrace", requests -> requests.traceOf(requests.runNow())),
                Field.ofNumber(
                        "runNowAfter",
                        requests -> requests.extraRun() == null
                                ? 0
                                : requests.extraRun().after()),
                Field.of(
                        "runNowStarted",
                        requests -> requests.extraRun() == null
                                ? null
                                : requests.extraRun().started()),
                Field.of("scheduleChanged", Requests::scheduleChanged, SpecificationDocument::scheduleChange),
                Field.of("paused", Requests::pause, SpecificationDocument::pause),
                Field.ofList("personalChanges", Requests::personal, SpecificationDocument::personal));
    }

    private static Document scheduleChange(ScheduleChange change) {
        Document document = new Document();
        Fields.put(document, "at", change.at());
        Fields.put(document, "since", change.since().equals(change.at()) ? null : change.since());
        Fields.put(document, "carried", change.carried());
        Fields.put(document, "moves", change.moves() ? true : null);
        return document;
    }

    private static Document pause(Pause pause) {
        Document document = new Document("reason", pause.reason()).append("author", pause.author());
        Fields.put(document, "from", pause.from());
        Fields.put(document, "until", pause.until());
        return document;
    }

    static Document blocked(Blocked why) {
        return new Document("kind", why.kind().name()).append("reason", why.reason());
    }

    private static @Nullable Blocked readBlocked(@Nullable Document from) {
        return from == null
                ? null
                : new Blocked(
                        Fields.oneOf(from, "kind", Blocked.Kind.TO_REPAIR),
                        Fields.required(from, "reason", String.class));
    }

    private static Document personal(PersonalChange change) {
        Document document = new Document("author", change.by().author());
        Fields.put(document, "reason", change.by().reason());
        Fields.put(document, "at", change.at());
        Fields.put(document, "pinned", change.pinned() ? true : null);
        Fields.put(document, "until", change.until());
        return document.append("fields", change.fields());
    }

    private static PersonalChange readPersonal(Document from) {
        return new PersonalChange(
                Actor.named(
                        Fields.required(from, "author", String.class), Fields.optional(from, "reason", String.class)),
                Fields.required(from, "at", Date.class).toInstant(),
                from.getList("fields", String.class),
                Fields.flag(from, "pinned"),
                Fields.instant(from, "until"));
    }

    private static Map<String, Object> readState(Document from) {
        Document state = Fields.optional(from, "state", Document.class);
        return state == null ? Map.of() : CommandBodies.plain(state);
    }

    /** Progress is written by renewals only, and removed with the lease. */
    static Document progress(Progress progress) {
        Document document = new Document("done", progress.done());
        Fields.put(document, "total", progress.total() == 0 ? null : progress.total());
        Fields.put(document, "message", progress.message().isEmpty() ? null : progress.message());
        Fields.put(document, "at", progress.at());
        return document;
    }

    private static @Nullable Progress readProgress(Document from) {
        Document said = Fields.optional(from, Changes.PROGRESS, Document.class);
        if (said == null || Fields.instant(said, "at") == null) {
            return null;
        }
        return new Progress(
                Math.max(0, Fields.number(said, "done")),
                Math.max(0, Fields.number(said, "total")),
                Objects.requireNonNullElse(Fields.optional(said, "message", String.class), ""),
                Objects.requireNonNull(Fields.instant(said, "at")));
    }

    /** The slot has a field of its own: the unique index needs it, and only a claim sets it. */
    static Document lease(Lease lease) {
        Document document = new Document("owner", lease.owner()).append("token", lease.token());
        Fields.put(document, "until", lease.until());
        return document;
    }

    /** @throws DamagedDocumentException if it cannot be read */
    static StoredJob read(Document from) {
        Object stored = from.get("_id");
        if (stored == null || !Ids.isReadable(stored)) {
            throw new DamagedDocumentException(Ids.UNREADABLE);
        }
        String id = Ids.fromBson(stored);
        String key = Fields.required(from, "jobSpecificationKey", String.class);
        checkKey(from, key);
        Document last = Fields.required(from, LAST, Document.class);
        return new StoredJob(
                id,
                SpecificationFields.read(from),
                Fields.instant(from, "due"),
                readLease(Fields.optional(from, "lease", Document.class), from.get(Changes.GROUP)),
                readSequences(from),
                readPlan(from),
                readRequests(from),
                Fields.oneOf(from, "phase", Phase.RUN),
                readBlocked(Fields.optional(from, "blocked", Document.class)),
                lastStatus(from, last, id, key),
                readOlder(from, id, key),
                readState(from),
                readProgress(from),
                verdict(Fields.optional(from, "verdict", Document.class), id, key),
                SpecificationFields.readFollowUps(from, "followUps"),
                readRevision(from));
    }

    /** The rows that the document shows, oldest first. */
    static List<JobExecutionStatus> shownRows(Document from, String id, String key) {
        Document last = Fields.required(from, LAST, Document.class);
        return Stream.concat(readOlder(from, id, key).stream(), Stream.of(lastStatus(from, last, id, key)))
                .toList();
    }

    private static JobExecutionStatus lastStatus(Document from, Document last, String id, String key) {
        JobExecutionStatus row = shown(last, id, key);
        return Fields.flag(last, RowDocument.SETS_STATE)
                ? row.toBuilder().state(readState(from)).build()
                : row;
    }

    private static JobExecutionStatus shown(Document row, String id, String key) {
        return RowDocument.read(row, Ids.longRow(Fields.required(row, "id", String.class), id), id, key);
    }

    private static @Nullable JobExecutionStatus verdict(@Nullable Document from, String id, String key) {
        return from == null ? null : shown(from, id, key);
    }

    private static List<JobExecutionStatus> readOlder(Document from, String id, String key) {
        return Fields.list(from, OLDER, row -> shown(row, id, key));
    }

    /** The key of a live job is guarded by the unique index on {@code activeKey}, so both must agree. */
    private static void checkKey(Document from, String key) {
        Object active = from.get("activeKey");
        if (from.get("deleteTime") == null && !key.equals(active)) {
            throw new DamagedDocumentException("field 'activeKey' is " + active + ", not the key of the live job");
        }
    }

    private static Sequences readSequences(Document from) {
        long claimSeq = Fields.counter(from, "claimSeq", 0);
        long doneSeq = Fields.counter(from, "doneSeq", 0);
        if (claimSeq == Long.MAX_VALUE) {
            throw new DamagedDocumentException("field 'claimSeq' is at its end, so that no claim can be counted");
        }
        if (doneSeq > claimSeq) {
            // row ids contain claimSeq: if it were lower, ids of existing rows would be used again
            throw new DamagedDocumentException(
                    "field 'doneSeq' is " + doneSeq + ", more than 'claimSeq', which is " + claimSeq);
        }
        return new Sequences(
                Fields.counter(from, "fireSeq", 0),
                claimSeq,
                doneSeq,
                Fields.number(from, "startedSeq"),
                Fields.number(from, "crashes"));
    }

    private static @Nullable Lease readLease(@Nullable Document from, @Nullable Object slot) {
        if (from == null) {
            return null;
        }
        Instant until = Fields.instant(from, "until");
        if (until == null) {
            throw new DamagedDocumentException("field 'lease.until' is missing");
        }
        return new Lease(
                Fields.required(from, "owner", String.class),
                Fields.required(from, "token", Long.class),
                until,
                slot instanceof String name ? name : null);
    }

    private static FirePlan readPlan(Document from) {
        return new FirePlan(
                new FirePlan.Fire(
                        Fields.instant(from, "nextFireTime"),
                        Fields.instant(from, "nominalFireTime"),
                        readBasis(Fields.optional(from, "planned", Document.class)),
                        Fields.instant(from, "carried")),
                new FirePlan.Tries(
                        (int) Fields.number(from, "attempts"),
                        Fields.instant(from, "retryTime"),
                        Fields.duration(from, "overThreshold"),
                        (int) Fields.number(from, "postponed"),
                        Fields.flag(from, "rerun"),
                        RowDocument.readError(Fields.optional(from, "failure", Document.class))),
                new FirePlan.Totals(Fields.number(from, "firesEnded"), Fields.instant(from, "previousGoodRun"), (int)
                        Fields.number(from, FAILURES)));
    }

    /** Names may hold what a field name may not, so they are values of a list. */
    private static @Nullable List<Document> plannedBy(Map<String, Long> versions) {
        return versions.isEmpty()
                ? null
                : versions.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(of -> new Document("name", of.getKey()).append("version", of.getValue()))
                        .toList();
    }

    /** The versions of the calendars that a plan was made from. */
    static Map<String, Long> readPlannedBy(@Nullable Document planned) {
        return planned == null
                ? Map.of()
                : planned.getList("calendars", Document.class, List.of()).stream()
                        .collect(Collectors.toMap(
                                of -> Fields.required(of, "name", String.class),
                                of -> Fields.number(of, "version"),
                                Math::min));
    }

    private static @Nullable PlanBasis readBasis(@Nullable Document from) {
        if (from == null) {
            return null;
        }
        String afterLocal = Fields.optional(from, "afterLocal", String.class);
        return new PlanBasis(
                Fields.required(from, "zoneRules", String.class),
                LocalDateTime.parse(Fields.required(from, "local", String.class)),
                Fields.required(from, "after", Date.class).toInstant(),
                afterLocal == null ? null : LocalDateTime.parse(afterLocal),
                Fields.instant(from, "afterNominal"),
                Fields.instant(from, "since"),
                readPlannedBy(from));
    }

    private static Requests readRequests(Document from) {
        Document paused = Fields.optional(from, "paused", Document.class);
        Pause pause = paused == null
                ? null
                : new Pause(
                        Objects.requireNonNullElse(Fields.optional(paused, "reason", String.class), ""),
                        Objects.requireNonNullElse(Fields.optional(paused, "author", String.class), ""),
                        Fields.instant(paused, "from"),
                        Fields.instant(paused, "until"));
        return new Requests(
                Fields.flag(from, "cancelRequested"),
                Fields.flag(from, "interruptRequested"),
                pause,
                readExtraRun(from),
                readChange(Fields.optional(from, "scheduleChanged", Document.class)),
                Fields.list(from, "personalChanges", SpecificationDocument::readPersonal));
    }

    private static @Nullable ExtraRun readExtraRun(Document from) {
        Instant at = Fields.instant(from, "runNowRequested");
        Document command = Fields.optional(from, "runNowCommand", Document.class);
        return at == null
                ? null
                : new ExtraRun(
                        at,
                        command == null ? null : SpecificationFields.readCommand(command),
                        Fields.optional(from, "runNowTrace", String.class),
                        Fields.number(from, "runNowAfter"),
                        Fields.instant(from, "runNowStarted"));
    }

    private static @Nullable ScheduleChange readChange(@Nullable Document from) {
        if (from == null) {
            return null;
        }
        Instant at = Fields.required(from, "at", Date.class).toInstant();
        Instant since = Fields.instant(from, "since");
        return new ScheduleChange(
                at, since == null ? at : since, Fields.instant(from, "carried"), Fields.flag(from, "moves"));
    }
}
