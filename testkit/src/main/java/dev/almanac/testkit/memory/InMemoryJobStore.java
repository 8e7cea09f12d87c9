package dev.almanac.testkit.memory;

import dev.almanac.helper.CommandCodec;
import dev.almanac.model.Actor;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobQuery;
import dev.almanac.model.Progress;
import dev.almanac.model.StandingPause;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.ClaimPartition;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import dev.almanac.store.HeldLease;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobList;
import dev.almanac.store.JobStore;
import dev.almanac.store.Lease;
import dev.almanac.store.NewJob;
import dev.almanac.store.Renewal;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreInspection;
import dev.almanac.store.StoreReport;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Jobs and rows in memory, for tests and demonstrations: the contract of {@link JobStore} without a database. Nothing
 * survives the process. Thread-safe.
 */
public final class InMemoryJobStore implements JobStore, StoreInspection {
    private static final int PARTITIONS = 16;
    private static final Comparator<StoredJob> BY_DUE = Comparator.comparing(
                    (StoredJob job) -> Objects.requireNonNull(job.due()))
            .thenComparing(StoredJob::id);

    private final TimeSource time;
    private final CommandCodec codec;
    private final Map<String, StoredJob> jobs = new HashMap<>();
    private final Map<String, String> liveByKey = new HashMap<>();
    private final NavigableSet<StoredJob> dueJobs = new TreeSet<>(BY_DUE);
    private final InMemoryRows rows = new InMemoryRows();
    private final InMemoryLives lives = new InMemoryLives();
    private final InMemorySlots slots = new InMemorySlots();
    private final InMemoryWatches watches = new InMemoryWatches();

    private final ClusterStore cluster =
            new InMemoryClusterStore(this::liveJobs, this::openFailures, this::purge, watches);

    /**
     * A store that keeps commands as they are: two are equal if their classes say so, and one that is changed later is changed
     * in the store, too.
     *
     * @param time the clock of the store, in the role of the server's
     */
    public InMemoryJobStore(TimeSource time) {
        this(time, new ReferenceCodec());
    }

    /**
     * A store that keeps the bodies of commands as a codec makes them, such as the one of the store in production.
     *
     * @param time the clock of the store, in the role of the server's
     */
    public InMemoryJobStore(TimeSource time, CommandCodec codec) {
        this.time = time;
        this.codec = codec;
    }

    private synchronized long liveJobs() {
        return liveByKey.size();
    }

    private synchronized long openFailures() {
        return jobs.values().stream()
                .filter(job -> job.plan().failuresInARow() > 0)
                .count();
    }

    @Override
    public CommandCodec commandCodec() {
        return codec;
    }

    @Override
    public StoreReport open() {
        return new StoreReport("memory", PARTITIONS, false, List.of());
    }

    @Override
    public Instant serverTime() {
        return time.wall().truncatedTo(ChronoUnit.MILLIS);
    }

    @Override
    public synchronized List<Boolean> insert(List<NewJob> newJobs) {
        List<Boolean> stored = new ArrayList<>(newJobs.size());
        for (NewJob item : newJobs) {
            StoredJob job = item.job();
            String holder = liveByKey.get(job.key());
            StoredJob ofItsId = jobs.get(job.id());
            boolean ours = ofItsId != null && ofItsId.key().equals(job.key());
            boolean fresh = ofItsId == null && holder == null && lives.isFree(job.key(), item.life());
            if (fresh) {
                lives.add(job, item.life());
                put(job);
                watches.report(job, serverTime());
            }
            boolean ok = ours || fresh;
            if (ok && item.row() != null) {
                rows.add(item.row());
            }
            stored.add(ok);
        }
        return stored;
    }

    @Override
    public synchronized Map<String, Integer> lastLives(Collection<String> keys) {
        Map<String, Integer> last = new HashMap<>();
        keys.forEach(key -> lives.last(key).ifPresent(life -> last.put(key, life)));
        return last;
    }

    @Override
    public synchronized Optional<StoredJob> find(String key, FindScope scope) {
        String live = liveByKey.get(Objects.requireNonNull(key, "key"));
        if (live != null) {
            return Optional.of(jobs.get(live));
        }
        if (scope == FindScope.LIVE) {
            return Optional.empty();
        }
        return jobs.values().stream()
                .filter(job -> job.key().equals(key))
                .max(Comparator.comparing((StoredJob job) ->
                                job.specification().latestUpdate().orElse(Instant.EPOCH))
                        .thenComparing(job -> job.lastStatus().updatedTime()));
    }

    @Override
    public synchronized Map<String, StoredJob> newest(Collection<String> keys) {
        Map<String, StoredJob> newest = new HashMap<>();
        keys.forEach(key -> find(key, FindScope.INCLUDING_FINISHED).ifPresent(job -> newest.put(key, job)));
        return newest;
    }

    @Override
    public synchronized List<StoredJob> load(Collection<String> ids) {
        return ids.stream().map(jobs::get).filter(Objects::nonNull).toList();
    }

    @Override
    public synchronized JobList list(JobQuery query, Instant now, Collection<StandingPause> pauses) {
        Predicate<StoredJob> holdsGroup = job -> slots.isIn(query.runningGroup(), job.id());
        return InMemoryLists.page(
                jobs.values(), query, job -> JobMatch.matches(query, job, now, pauses) && holdsGroup.test(job));
    }

    @Override
    public synchronized List<JobExecutionStatus> rows(RowQuery query) {
        return rows.find(query, jobs::containsKey);
    }

    @Override
    public synchronized List<DueJob> due(DueQuery query) {
        List<DueJob> found = new ArrayList<>();
        int urgent = 0;
        for (StoredJob job : dueJobs) {
            Instant due = Objects.requireNonNull(job.due());
            if (due.isAfter(query.until())) {
                break;
            }
            int partition = ClaimPartition.of(job.key(), PARTITIONS);
            if (JobMatch.isFor(query, job, partition)) {
                boolean besides = found.size() - urgent >= query.limit();
                boolean isUrgent = job.specification().priority() < DueJob.FIRST_NOT_URGENT;
                if (!besides || isUrgent && urgent < query.limit()) {
                    found.add(dueJob(job, due, partition));
                    urgent += besides ? 1 : 0;
                }
            }
        }
        return found;
    }

    @Override
    public synchronized Set<String> otherDueTypes(Set<String> types, Instant until) {
        return dueJobs.stream()
                .takeWhile(job -> !Objects.requireNonNull(job.due()).isAfter(until))
                .map(job -> job.command().type())
                .filter(type -> !types.contains(type))
                .collect(Collectors.toSet());
    }

    @Override
    public synchronized List<StoredJob> running(Instant now, Duration horizon, int limit) {
        Comparator<Instant> unplannedFirst = Comparator.nullsFirst(Comparator.naturalOrder());
        return dueJobs.stream()
                .filter(job -> job.lease() != null && job.lease().until().isAfter(now))
                .filter(job -> !Objects.requireNonNull(job.due()).isAfter(now.plus(horizon)))
                .sorted(Comparator.comparing(job -> job.plan().nextFireTime(), unplannedFirst))
                .limit(limit)
                .toList();
    }

    private DueJob dueJob(StoredJob job, Instant due, int partition) {
        return new DueJob(
                job.id(),
                due,
                job.specification().priority(),
                partition,
                job.command().type(),
                job.specification().exclusiveGroup().orElse(null),
                slots.of(job.id()));
    }

    @Override
    public synchronized ClaimResult claim(ClaimRequest request) {
        List<StoredJob> claimed = new ArrayList<>();
        for (String id : request.ids()) {
            StoredJob job = jobs.get(id);
            if (job != null && isFor(request, job)) {
                String slot = slot(request, id);
                if (request.entry() != null && slot == null) {
                    return ClaimResult.BUSY;
                }
                if (slot == null) {
                    slots.free(id);
                }
                StoredJob held = job.with(edit -> edit.lease(request.lease().in(slot))
                        .due(request.visibleAgain())
                        .progress(null)
                        .revision(job.revision().raised())
                        .sequences(job.sequences().claimed()));
                put(held);
                claimed.add(held);
            }
        }
        return new ClaimResult(claimed, List.of());
    }

    private boolean isFor(ClaimRequest request, StoredJob job) {
        ClaimRequest.Entry entry = request.entry();
        return job.isLive()
                && job.due() != null
                && !job.due().isAfter(request.horizon())
                && Objects.equals(
                        request.group(), job.specification().exclusiveGroup().orElse(null))
                && (entry == null || Objects.equals(entry.seenSlot(), slots.of(job.id())));
    }

    /** The slot that the job takes; absent = none is free. */
    private @Nullable String slot(ClaimRequest request, String id) {
        ClaimRequest.Entry entry = request.entry();
        return entry == null
                ? null
                : slots.take(id, entry.slots(), holder -> isHeld(jobs.get(holder), request), this::withoutSlot);
    }

    private static boolean isHeld(@Nullable StoredJob holder, ClaimRequest request) {
        return holder != null && holder.keepsSlotAt(request.horizon(), request.margin());
    }

    private void withoutSlot(String id) {
        StoredJob job = jobs.get(id);
        if (job != null && job.lease() != null) {
            put(job.with(edit -> edit.lease(null).revision(job.revision().raised())));
        }
    }

    @Override
    public synchronized List<HeldLease> renew(Renewal renewal) {
        List<HeldLease> held = new ArrayList<>();
        renewal.tokens().forEach((id, token) -> {
            StoredJob job = jobs.get(id);
            Lease lease = job == null ? null : job.lease();
            if (job != null && lease != null && lease.token() == token) {
                Progress said = renewal.progress().getOrDefault(id, job.progress());
                put(renewed(job, lease, renewal).with(edit -> edit.progress(said)));
                held.add(new HeldLease(
                        id, token, job.specification().version(), job.requests().interruptRequested()));
            }
        });
        return held;
    }

    @Override
    public synchronized List<Boolean> write(List<JobChange> changes) {
        List<Boolean> applied = new ArrayList<>(changes.size());
        for (JobChange change : changes) {
            boolean done = write(change);
            if (done && !change.isByHolder()) {
                watches.report(change.after(), serverTime());
            }
            applied.add(done);
        }
        return applied;
    }

    private boolean write(JobChange change) {
        change.rowsBefore().forEach(rows::add);
        StoredJob stored = jobs.get(change.before().id());
        if (stored == null || isOutdated(stored, change)) {
            return false;
        }
        if (change.removes()) {
            remove(stored);
        } else {
            put(changed(stored, change));
        }
        if (change.after().lease() == null && change.before().lease() != null) {
            slots.free(change.before().id());
        }
        change.rowsWithIt().forEach(rows::add);
        if (change.limit() != null) {
            rows.limit(change.after().id(), change.limit());
        }
        return true;
    }

    private static StoredJob renewed(StoredJob job, Lease lease, Renewal renewal) {
        Instant due = job.due();
        return job.with(edit -> edit.lease(lease.until(later(lease.until(), renewal.until())))
                .due(due == null ? renewal.visibleAgain() : later(due, renewal.visibleAgain())));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /** Only what differs is written: a renewal may have moved the others since the document was read. */
    private static StoredJob changed(StoredJob stored, JobChange change) {
        StoredJob before = change.before();
        StoredJob after = change.after();
        boolean sameLease = Objects.equals(before.lease(), after.lease());
        boolean sameDue = sameLease && Objects.equals(before.due(), after.due());
        return after.with(edit -> edit.lease(sameLease ? stored.lease() : after.lease())
                .due(sameDue ? stored.due() : after.due())
                .progress(after.lease() == null ? null : stored.progress()));
    }

    private static boolean isOutdated(StoredJob stored, JobChange change) {
        StoredJob before = change.before();
        return stored.revision().number() != before.revision().number()
                || change.takesLease() && !Objects.equals(stored.lease(), before.lease());
    }

    @Override
    public ClusterStore cluster() {
        return cluster;
    }

    @Override
    public synchronized void writeRows(List<JobExecutionStatus> added) {
        added.forEach(rows::add);
    }

    @Override
    public synchronized void keepRows(Collection<String> rowIds, Instant least, Instant until) {
        rows.keep(rowIds, least, until);
    }

    private synchronized long purge(Instant now, int limit) {
        List<StoredJob> ended = jobs.values().stream()
                .filter(job -> isOver(job.specification().deleteTime().orElse(null), now))
                .limit(limit)
                .toList();
        ended.forEach(job -> {
            jobs.remove(job.id());
            lives.remove(job);
        });
        return ended.size() + rows.purge(now, limit - ended.size());
    }

    static boolean isOver(@Nullable Instant deleteTime, Instant now) {
        return deleteTime != null && !deleteTime.isAfter(now);
    }

    /** Nothing is damaged in memory. */
    @Override
    public Removal removeDamaged(String jobSpecificationKey, Instant deleteTime, Actor by) {
        return Removal.NOT_FOUND;
    }

    @Override
    public synchronized State inspect(int limit) {
        return InMemoryInspection.inspect(jobs, rows.byJob(), limit);
    }

    @Override
    public synchronized Page<ShownRow> newestRows(@Nullable String after, int limit) {
        return InMemoryInspection.newestRows(jobs, after, limit);
    }

    @Override
    public synchronized Set<String> missingRows(Collection<String> rowIds) {
        return InMemoryInspection.missing(rows.byJob(), rowIds);
    }

    private void remove(StoredJob job) {
        jobs.remove(job.id());
        lives.remove(job);
        dueJobs.remove(job);
        liveByKey.remove(job.key(), job.id());
    }

    private void put(StoredJob job) {
        StoredJob before = jobs.put(job.id(), job);
        if (before != null && before.due() != null) {
            dueJobs.remove(before);
        }
        if (job.isLive()) {
            if (job.due() != null) {
                dueJobs.add(job);
            }
            liveByKey.put(job.key(), job.id());
        } else {
            liveByKey.remove(job.key(), job.id());
        }
    }
}
