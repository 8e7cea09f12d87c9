package dev.almanac.engine.kernel;

import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that are due now or soon, as last read: the only part of the schedule that it keeps in memory
 * (rule R11). A hint is newer than the result of a look that began before it. Not thread-safe; {@link ClaimDuty} guards
 * it.
 */
final class LookAhead {
    /** Marks a job that this node takes from any partition. */
    static final int OWN = -1;

    static final Comparator<DueJob> BY_DUE = Comparator.comparing(DueJob::due).thenComparing(DueJob::id);
    /** By how much the server's time, as this node estimates it, goes back without a clock that was set. */
    private static final Duration IMPRECISE = Duration.ofSeconds(1);
    /** If there are more, those that are due last are left to a later look. */
    private static final int MOST_KNOWN = 10_000;

    private final Duration lead;
    private final Duration halfLead;
    private final Duration stealAfter;
    private final Map<Kind, NavigableSet<DueJob>> kinds = new HashMap<>();
    private final Map<String, DueJob> byId = new HashMap<>();
    /** Jobs whose claim is under way, as they were known before. */
    private final Map<String, DueJob> claiming = new HashMap<>();
    /** Hints that came for them since; they are used when the claims are over. */
    private final Map<String, DueJob> hintedMeanwhile = new HashMap<>();
    /** Jobs that were claimed or hinted at since the present look began; its result for them is outdated. */
    private final Set<String> newerThanLook = new HashSet<>();

    private final BackOff backOff = new BackOff();
    private final BusyGroups groups = new BusyGroups();
    private Set<Integer> preferred = Set.of();
    private Instant latest = Instant.MIN;
    private Instant lookBegan = Instant.MIN;
    /** The beginning of the last look at other nodes' partitions. */
    private Instant seenOthers = Instant.MIN;
    /** Other nodes' partitions where the last claim here was not contested: those nodes run other types, or nothing. */
    private final Set<Integer> unserved = new HashSet<>();

    /** Jobs that have the same type and group: either all of them can be claimed, or none. */
    private record Kind(String type, @Nullable String group) {
        static Kind of(DueJob job) {
            return new Kind(job.type(), job.group());
        }
    }

    LookAhead(Duration lead, Duration stealAfter) {
        this.lead = lead;
        this.halfLead = lead.dividedBy(2);
        this.stealAfter = stealAfter;
    }

    void prefer(Set<Integer> partitions) {
        this.preferred = partitions;
    }

    /**
     * Each step begins with the server's time. If its clock was set back, as by a failover to a member that is behind, all
     * pauses until a moment by it are over: they would last longer by as much.
     */
    void at(Instant now) {
        if (now.plus(IMPRECISE).isBefore(latest)) {
            groups.forget();
            backOff.forget();
            seenOthers = Instant.MIN;
            latest = now;
        } else if (now.isAfter(latest)) {
            latest = now;
        }
    }

    /** Jobs that this node leaves alone for a while. */
    BackOff backOff() {
        return backOff;
    }

    /** The exclusive groups that were found busy. */
    BusyGroups groups() {
        return groups;
    }

    /** Exclusive groups that looks leave out: they are busy, or known jobs of theirs are tried first. */
    Set<String> groupsToLeaveOut(Instant now) {
        Set<String> names = groups.names(now);
        for (Kind kind : kinds.keySet()) {
            if (kind.group() != null && groups.knows(kind.group())) {
                names.add(kind.group());
            }
        }
        return names;
    }

    /** These jobs are being claimed. */
    void claiming(List<DueJob> jobs) {
        jobs.forEach(job -> claiming.put(job.id(), job));
    }

    /** How many jobs are being claimed; a look that begins now may still return them. */
    int claiming() {
        return claiming.size();
    }

    /** A look at the store begins; it sees everything that was hinted at or finished before. */
    void lookBegins(Instant now) {
        newerThanLook.clear();
        lookBegan = now;
    }

    /** The result of a claim shows whether other nodes serve the partitions that they prefer. */
    void answered(List<DueJob> jobs, ClaimCall.Result result) {
        for (DueJob job : jobs) {
            if (!isPreferred(job) && result == ClaimCall.Result.WON) {
                unserved.add(job.partition());
            } else if (!isPreferred(job) && result == ClaimCall.Result.COMPETED) {
                unserved.remove(job.partition());
                seenOthers = Instant.MIN;
            }
        }
    }

    /**
     * Replaces what was known of the jobs that the look asked for by its result. Jobs that are left alone take no place of
     * others: a look after the end of that shows them again.
     */
    void replace(DueQuery asked, List<DueJob> found) {
        for (DueJob known : List.copyOf(byId.values())) {
            if (isFor(asked, known) && !newerThanLook.contains(known.id())) {
                remove(known);
            }
        }
        for (DueJob job : found) {
            if (!newerThanLook.contains(job.id())
                    && !claiming.containsKey(job.id())
                    && !backOff.isOn(job.id(), lookBegan)) {
                put(job);
            }
        }
        if (!preferred.containsAll(asked.partitions())) {
            seenOthers = lookBegan;
        }
    }

    private static boolean isFor(DueQuery asked, DueJob job) {
        return asked.partitions().contains(job.partition())
                && asked.types().contains(job.type())
                && (job.group() == null || !asked.exceptGroups().contains(job.group()));
    }

    /** Adds a job that is known without a look, such as one that was just stored or has just been run. */
    void add(DueJob job) {
        DueJob taken = claiming.get(job.id());
        if (taken == null) {
            newerThanLook.add(job.id());
            put(job);
        } else if (!taken.due().equals(job.due())) {
            hintedMeanwhile.put(job.id(), job);
        }
    }

    private void put(DueJob job) {
        DueJob known = byId.get(job.id());
        boolean own = known != null && known.partition() == OWN;
        DueJob kept = own ? job.in(OWN) : job;
        if (known != null) {
            remove(known);
        }
        byId.put(job.id(), kept);
        kinds.computeIfAbsent(Kind.of(kept), kind -> new TreeSet<>(BY_DUE)).add(kept);
        if (byId.size() > MOST_KNOWN) {
            kinds.values().stream().map(NavigableSet::last).max(BY_DUE).ifPresent(this::remove);
        }
    }

    private void remove(DueJob job) {
        NavigableSet<DueJob> alike = kinds.get(Kind.of(job));
        if (byId.remove(job.id()) != null && alike != null) {
            alike.remove(job);
            if (alike.isEmpty()) {
                kinds.remove(Kind.of(job));
            }
        }
    }

    /** The entry of a job that was not found by a look. */
    static DueJob due(StoredJob job, Instant due, int partition) {
        return new DueJob(
                job.id(),
                due,
                job.specification().priority(),
                partition,
                job.command().type(),
                job.specification().exclusiveGroup().orElse(null));
    }

    /** How many jobs are known. */
    int known() {
        return byId.size();
    }

    /** Removes all jobs. */
    void forget() {
        kinds.clear();
        byId.clear();
        hintedMeanwhile.clear();
    }

    /** A claim is over; if its job has a group, the result shows whether the group is busy. */
    void groupAnswered(ClaimCall call, ClaimCall.Result result, Slots slots, ControlView view, Instant now) {
        String group = call.group();
        if (group == null) {
            return;
        }
        int size = view.group(group).slots();
        if (result == ClaimCall.Result.GROUP_BUSY) {
            groups.found(group, call.rateUntil(), now);
        } else if (result == ClaimCall.Result.WON
                && slots.holds(call.jobs().get(0).id())) {
            groups.taken(group, size, now);
        } else {
            if (size == 1 && result == ClaimCall.Result.COMPETED) {
                forget(group);
            }
            groups.free(group);
        }
    }

    /** Removes the jobs of a group, since another node has claimed one of them. */
    private void forget(String group) {
        List.copyOf(byId.values()).stream()
                .filter(job -> group.equals(job.group()))
                .forEach(this::remove);
    }

    /** Puts back a job that was not claimed because its group was busy. */
    void putBack(DueJob job) {
        claimEnded(job.id());
        if (!byId.containsKey(job.id())) {
            put(job);
        }
    }

    /** The claim of a job that was taken is over, with any result. */
    void claimEnded(String id) {
        claiming.remove(id);
        newerThanLook.add(id);
        DueJob hint = hintedMeanwhile.remove(id);
        if (hint != null) {
            put(hint);
        }
    }

    /**
     * When there will be something to take; absent = nothing is known.
     *
     * @param hasRoom whether there is room for a job of the type
     */
    @Nullable
    Instant nextTake(Predicate<String> hasRoom) {
        Instant next = null;
        for (Map.Entry<Kind, NavigableSet<DueJob>> alike : kinds.entrySet()) {
            if (hasRoom.test(alike.getKey().type())) {
                next = earlier(next, nextTake(alike.getValue()));
            }
        }
        return next;
    }

    private @Nullable Instant nextTake(NavigableSet<DueJob> alike) {
        Instant next = null;
        for (DueJob job : alike) {
            next = earlier(next, takeAt(job));
            if (next != null && !job.due().minus(halfLead).isBefore(next)) {
                // the jobs are ordered by time, so none of the next ones can be taken earlier
                break;
            }
        }
        return next;
    }

    /**
     * Takes jobs to be claimed now: this node's own as soon as the lead allows, others' once a look shows that they are
     * late. Of the own ones the claim waits until half the lead is left for the first, so that it takes many at once.
     *
     * @param ownFirst whether others' jobs wait, unless they are urgent or neglected, since a look is about to show more
     *     of this node's own
     * @param room takes room for one job of a type, if there is
     * @param hasRoom whether there is room for a job of the type
     */
    List<DueJob> take(
            Instant now,
            int limit,
            boolean ownFirst,
            Predicate<String> hasRoom,
            Predicate<String> room,
            RandomGenerator random) {
        Instant first = nextTake(hasRoom);
        if (limit < 1 || first == null || first.isAfter(now)) {
            return List.of();
        }
        List<DueJob> own = new ArrayList<>();
        List<DueJob> others = new ArrayList<>();
        kinds.forEach((kind, alike) -> {
            if (hasRoom.test(kind.type()) && !groups.isBusy(kind.group(), now)) {
                candidates(alike, now, own, others);
            }
        });
        return takeBest(ClaimOrder.of(own, others, ownFirst, now, random), limit, room);
    }

    private void candidates(NavigableSet<DueJob> alike, Instant now, List<DueJob> own, List<DueJob> others) {
        for (DueJob job : alike.headSet(new DueJob("\uffff", now.plus(lead), 0, 0, "", null), true)) {
            boolean isOwn = isPreferred(job);
            Instant at = isOwn ? now : takeAt(job);
            if (!backOff.isOn(job.id(), now) && at != null && !at.isAfter(now)) {
                (isOwn ? own : others).add(job);
            }
        }
    }

    private List<DueJob> takeBest(List<DueJob> inOrder, int limit, Predicate<String> room) {
        List<DueJob> best = new ArrayList<>();
        Set<String> taking = new HashSet<>();
        for (DueJob job : inOrder) {
            boolean alone = job.group() == null || !taking.contains(job.group());
            if (best.size() < limit && alone && room.test(job.type())) {
                best.add(job);
                if (job.group() != null) {
                    taking.add(job.group());
                }
            }
        }
        for (DueJob job : best) {
            remove(job);
            claiming.put(job.id(), job);
        }
        return best;
    }

    private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        return one == null || other != null && other.isBefore(one) ? other : one;
    }

    private static Instant later(Instant one, @Nullable Instant other) {
        return other != null && other.isAfter(one) ? other : one;
    }

    private boolean isPreferred(DueJob job) {
        return job.partition() == OWN || preferred.contains(job.partition());
    }

    /**
     * When the job may be taken; absent = after another look shows it. Other nodes claim jobs of their partitions
     * before they are due, so knowledge from before then is outdated, and a claim by it would cost a round trip per job
     * and node.
     */
    private @Nullable Instant takeAt(DueJob job) {
        boolean isOwn = isPreferred(job);
        if (!isOwn && job.due().isAfter(seenOthers) && !unserved.contains(job.partition())) {
            return null;
        }
        Instant regular = isOwn ? job.due().minus(halfLead) : job.due().plus(stealAfter);
        return later(later(regular, backOff.until(job.id())), groups.busyUntil(job.group()));
    }
}
