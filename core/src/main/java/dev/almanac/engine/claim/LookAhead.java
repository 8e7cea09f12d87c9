package dev.almanac.engine.claim;

import dev.almanac.store.DueJob;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that this node knows to be due now or soon: all the schedule that it keeps in memory (rule R11). Not
 * thread-safe; {@link ClaimDuty} guards it.
 */
public final class LookAhead {
    /** Stands for the partition of a job that this node takes whatever its partition. */
    public static final int OWN = -1;

    private static final Comparator<DueJob> BY_DUE =
            Comparator.comparing(DueJob::due).thenComparing(DueJob::id);
    private static final Comparator<DueJob> BY_URGENCY =
            Comparator.comparingInt(DueJob::priority).thenComparing(BY_DUE);

    /** Of more, those that are due last are left to a later look. */
    private static final int MOST_KNOWN = 10_000;

    private final Duration lead;
    private final Duration halfLead;
    private final Duration stealAfter;
    private final NavigableSet<DueJob> jobs = new TreeSet<>(BY_DUE);
    private final Map<String, DueJob> byId = new HashMap<>();
    /** Being claimed, or claimed since the look that is under way began: what that look says of them is old. */
    private final Set<String> taken = new HashSet<>();

    private final Set<String> settled = new HashSet<>();
    private final Map<String, Instant> shunned = new HashMap<>();
    private final BusyGroups groups = new BusyGroups();
    private Set<Integer> preferred = Set.of();

    LookAhead(Duration lead, Duration stealAfter) {
        this.lead = lead;
        this.halfLead = lead.dividedBy(2);
        this.stealAfter = stealAfter;
    }

    void prefer(Set<Integer> partitions) {
        this.preferred = partitions;
    }

    /** How many jobs are being claimed, as far as a look that begins now may see them still. */
    int taken() {
        return taken.size() - settled.size();
    }

    /** A look at the store begins: what has been settled before it will be seen rightly. */
    void lookBegins() {
        taken.removeAll(settled);
        settled.clear();
    }

    /** What a look at these partitions has found, without jobs of busy groups, in place of what was known of them. */
    void replace(Set<Integer> partitions, Set<String> busy, List<DueJob> found) {
        jobs.removeIf(job -> partitions.contains(job.partition())
                && (job.group() == null || !busy.contains(job.group()))
                && byId.remove(job.id()) != null);
        found.forEach(this::add);
    }

    /** A job that this node knows of without a look, such as one that it has just stored. */
    void add(DueJob job) {
        if (taken.contains(job.id())) {
            return;
        }
        DueJob known = byId.get(job.id());
        boolean own = known != null && known.partition() == OWN;
        DueJob kept = own ? new DueJob(job.id(), job.due(), job.priority(), OWN, job.type(), job.group()) : job;
        if (known != null) {
            jobs.remove(known);
        }
        byId.put(job.id(), kept);
        jobs.add(kept);
        if (jobs.size() > MOST_KNOWN) {
            byId.remove(jobs.pollLast().id());
        }
    }

    /** What is to be known of a job that this node has not looked for. */
    static DueJob due(StoredJob job, Instant due, int partition) {
        return new DueJob(
                job.id(),
                due,
                job.specification().priority(),
                partition,
                job.command().type(),
                job.specification().exclusiveGroup());
    }

    /** How many jobs are known. */
    int known() {
        return jobs.size();
    }

    /** Nothing is known any more. */
    void forget() {
        jobs.clear();
        byId.clear();
    }

    /** Not to be tried again before that instant. */
    void shun(String id, Instant until) {
        shunned.put(id, until);
    }

    /** What this node knows of busy exclusive groups. */
    BusyGroups groups() {
        return groups;
    }

    /** A job whose group was busy was not claimed: it is as before. */
    void giveBack(DueJob job) {
        taken.remove(job.id());
        settled.remove(job.id());
        add(job);
    }

    /** The claim of a taken job is over, one way or the other. */
    void settle(String id) {
        settled.add(id);
    }

    /** When there will be something to take; absent = nothing is known. */
    @Nullable
    Instant nextTake() {
        Instant next = null;
        for (DueJob job : jobs) {
            Instant at = takeAt(job);
            next = next == null || at.isBefore(next) ? at : next;
            if (!job.due().minus(halfLead).isBefore(next)) {
                // none of those that follow can be taken earlier
                break;
            }
        }
        return next;
    }

    /**
     * Takes jobs to be claimed now: this node's own as soon as the lead allows, others' once they are late. Of the
     * own ones the claim waits until half the lead is left for the first, so that it takes many at once.
     *
     * @param rooms for how many more jobs of each type there is room
     */
    List<DueJob> take(Instant now, int limit, Rooms rooms, RandomGenerator random) {
        Instant first = nextTake();
        if (limit < 1 || first == null || first.isAfter(now)) {
            return List.of();
        }
        shunned.values().removeIf(until -> !until.isAfter(now));
        List<DueJob> own = new ArrayList<>();
        List<DueJob> others = new ArrayList<>();
        for (DueJob job : jobs.headSet(new DueJob("\uffff", now.plus(lead), 0, 0, "", null), true)) {
            boolean mine = isMine(job);
            if (!shunned.containsKey(job.id())
                    && !groups.isBusy(job.group(), now)
                    && (mine || !takeAt(job).isAfter(now))) {
                (mine ? own : others).add(job);
            }
        }
        if (others.size() > limit) {
            Collections.shuffle(others, new java.util.Random(random.nextLong()));
        }
        return takeBest(own, others, limit, rooms);
    }

    private List<DueJob> takeBest(List<DueJob> own, List<DueJob> others, int limit, Rooms rooms) {
        List<DueJob> best = new ArrayList<>();
        Set<String> taking = new HashSet<>();
        for (DueJob job : inOrder(own, others)) {
            boolean alone = job.group() == null || !taking.contains(job.group());
            if (best.size() < limit && alone && rooms.take(job.type())) {
                best.add(job);
                if (job.group() != null) {
                    taking.add(job.group());
                }
            }
        }
        for (DueJob job : best) {
            jobs.remove(job);
            byId.remove(job.id());
            taken.add(job.id());
        }
        return best;
    }

    /** Urgent ones of any partition before this node's own others (rule R9). */
    private static List<DueJob> inOrder(List<DueJob> own, List<DueJob> others) {
        own.sort(BY_URGENCY);
        if (others.isEmpty()) {
            return own;
        }
        List<DueJob> all = new ArrayList<>(own.size() + others.size());
        for (boolean urgent : new boolean[] {true, false}) {
            own.stream().filter(job -> job.isUrgent() == urgent).forEach(all::add);
            others.stream().filter(job -> job.isUrgent() == urgent).forEach(all::add);
        }
        return all;
    }

    private static Instant later(Instant one, @Nullable Instant other) {
        return other != null && other.isAfter(one) ? other : one;
    }

    private boolean isMine(DueJob job) {
        return job.partition() == OWN || preferred.contains(job.partition());
    }

    private Instant takeAt(DueJob job) {
        Instant regular = isMine(job) ? job.due().minus(halfLead) : job.due().plus(stealAfter);
        return later(later(regular, shunned.get(job.id())), groups.busyUntil(job.group()));
    }

    /** For how many more jobs there is room. */
    @FunctionalInterface
    interface Rooms {
        /** Takes room for one job of the type, if there is. */
        boolean take(String type);
    }
}
