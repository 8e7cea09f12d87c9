package dev.almanac.engine.upkeep;

import dev.almanac.engine.port.JobPages;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.InvariantDecider;
import dev.almanac.engine.rules.Served;
import dev.almanac.model.Finding;
import dev.almanac.model.InvariantReport;
import dev.almanac.model.JobQuery;
import dev.almanac.model.StandingPause;
import dev.almanac.model.UnservedJobs;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.JobList;
import dev.almanac.store.NodeReport;
import dev.almanac.store.PersonalChange;
import dev.almanac.store.Phase;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoreInspection;
import dev.almanac.store.StoredJob;
import dev.almanac.store.WriteRefusedException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the stored state for {@link InvariantDecider}; changes nothing but rows that are missing.
 * At most 10 000 live jobs and 10 000 finished jobs are looked at. Used once, by one thread.
 */
public final class InvariantCheck {
    private static final int MOST_JOBS = 10_000;
    private static final int PAGE = 1_000;
    private static final int MOST_OF_A_KIND = 100;
    private static final Duration REMEMBERED = Duration.ofHours(1);

    private final Node node;
    private final List<NodeReport> nodes;
    private final Duration tolerance;
    private final RowRepairs repairs;
    private final int partitions;
    private final Map<String, Unserved> unserved = new TreeMap<>();
    private final Map<Finding.Kind, List<Finding>> findings = new LinkedHashMap<>();
    private final Map<Finding.Kind, Integer> further = new HashMap<>();
    private final Map<String, String> labels = new HashMap<>();
    private final List<String> notChecked = new ArrayList<>();
    private Served served = Served.by(List.of(), Instant.EPOCH, List.of());
    private int seen;
    /** Whether there are more live jobs than were examined. */
    private boolean isPart;

    /**
     * Live jobs that no live node takes: how many, how many of them owe a failure command, the earliest change of one, and those
     * that are due.
     */
    private record Unserved(long jobs, long owed, @Nullable Instant stored, UnservedJobs due) {
        Unserved plus(Unserved other) {
            return new Unserved(
                    jobs + other.jobs,
                    owed + other.owed,
                    stored == null || other.stored != null && other.stored.isBefore(stored) ? other.stored : stored,
                    due(due.jobs() + other.due.jobs(), other.due));
        }

        /** With those that are due in the whole store: both counts are of the same jobs, and neither need be of all. */
        Unserved atLeast(Unserved counted) {
            return new Unserved(
                    Math.max(jobs, counted.jobs),
                    owed,
                    stored,
                    due(Math.max(due.jobs(), counted.due.jobs()), counted.due));
        }

        private UnservedJobs due(long number, UnservedJobs other) {
            Duration oldest = due.oldest().compareTo(other.oldest()) >= 0 ? due.oldest() : other.oldest();
            return new UnservedJobs(
                    due.commandType(),
                    due.minPriority(),
                    due.maxPriority(),
                    number,
                    due.more() || other.more(),
                    oldest);
        }
    }

    /**
     * @param nodes the live nodes
     * @param partitions how many the store has
     */
    public InvariantCheck(Node node, List<NodeReport> nodes, Duration tolerance, int partitions) {
        this.node = node;
        this.nodes = nodes;
        this.tolerance = tolerance;
        this.repairs = new RowRepairs(node, tolerance);
        this.partitions = partitions;
    }

    public InvariantReport run() {
        node.calendars().readAll(node.store().cluster(), node.clock());
        InvariantDecider.nodes(nodes, node.settings().clockWarning()).forEach(this::add);
        reported().forEach(report -> labels.put(report.id(), report.label()));
        jobs();
        inspect();
        unserved();
        List<Finding> all = new ArrayList<>();
        findings.values().forEach(all::addAll);
        further.forEach((kind, count) -> all.add(new Finding(
                kind, null, "there are " + count + " more findings of kind " + kind, "see the others of this kind")));
        Map<Boolean, List<Finding>> pins =
                all.stream().collect(Collectors.partitioningBy(finding -> finding.kind() == Finding.Kind.PINNED));
        List<Finding> reminders =
                Stream.concat(reminders(), pins.get(true).stream()).toList();
        return new InvariantReport(pins.get(false), reminders, seen, notChecked);
    }

    private List<NodeReport> reported() {
        return node.store().cluster().nodes(node.clock().now().minus(REMEMBERED));
    }

    private Stream<Finding> reminders() {
        Instant now = node.clock().now();
        ClusterStore cluster = node.store().cluster();
        Stream<Finding> pauses = cluster.control().pauses().stream()
                .filter(pause -> pause.isInForce(now))
                .map(pause -> InvariantDecider.standing(pause, now));
        Stream<Finding> lost = reported().stream()
                .filter(other -> !other.stopped() && !other.isLive(now))
                .map(other -> InvariantDecider.lost(other, now));
        return Stream.concat(pauses, lost);
    }

    private void add(Finding finding) {
        List<Finding> ofKind = findings.computeIfAbsent(finding.kind(), kind -> new ArrayList<>());
        if (ofKind.size() < MOST_OF_A_KIND) {
            ofKind.add(finding);
        } else {
            further.merge(finding.kind(), 1, Integer::sum);
        }
    }

    private void jobs() {
        ClusterControl control = node.store().cluster().control();
        control.groups().values().forEach(group -> InvariantDecider.group(group).ifPresent(this::add));
        List<StandingPause> pauses = control.pauses();
        served = Served.by(nodes, node.clock().now(), pauses);
        JobQuery query = JobQuery.all().limit(PAGE);
        String last = null;
        do {
            JobList page = node.store().list(last == null ? query : query.after(last));
            page.damaged().forEach(damaged -> add(InvariantDecider.damaged(damaged)));
            page.jobs().forEach(job -> job(job, pauses));
            rows(page.jobs());
            seen += page.jobs().size() + page.damaged().size();
            last = page.lastKey();
        } while (last != null && seen < MOST_JOBS);
        if (last != null) {
            isPart = true;
            notChecked.add("live jobs after key '" + last + "': at most " + MOST_JOBS + " are examined");
        }
    }

    private void job(StoredJob job, List<StandingPause> pauses) {
        Instant now = node.clock().now();
        String type = job.command().type();
        StandingPause held = pauses.stream()
                .filter(pause -> pause.isInForce(now) && pause.holds(job.specification(), type))
                .findFirst()
                .orElse(null);
        boolean can = served.takes(type, job.specification().priority());
        if (!can) {
            unserved(job, held != null, now);
        }
        PersonalChange.pins(job.requests().personal(), now)
                .forEach(pin -> add(InvariantDecider.pinned(job.key(), pin, now)));
        InvariantDecider.job(job, held, can || nodes.isEmpty(), node.planner(), this::named, now, tolerance)
                .ifPresent(this::add);
    }

    private void unserved(StoredJob job, boolean held, Instant now) {
        Served.Part gap = served.gap(job.command().type(), job.specification().priority());
        Instant due = job.due();
        boolean waits = due != null && !due.isAfter(now) && !held;
        UnservedJobs jobs = new UnservedJobs(
                gap.type(),
                gap.min(),
                gap.max(),
                waits ? 1 : 0,
                false,
                waits ? Duration.between(due, now) : Duration.ZERO);
        unserved.merge(
                jobs.what(),
                new Unserved(
                        1,
                        job.phase() == Phase.FAILURE ? 1 : 0,
                        job.specification().latestUpdate().orElse(null),
                        jobs),
                Unserved::plus);
    }

    /** With those that are due beyond the jobs that were examined. */
    private void unserved() {
        Instant now = node.clock().now();
        ClusterControl control = node.store().cluster().control();
        try {
            new UnservedCount(node, partitions)
                    .count(nodes, control, now)
                    .forEach(jobs ->
                            unserved.merge(jobs.what(), new Unserved(jobs.jobs(), 0, null, jobs), Unserved::atLeast));
        } catch (StoreException e) {
            // as without the index by which they are found, which is a finding of its own
            notChecked.add("due jobs that no node takes, beyond those that were examined; they cannot be counted");
        }
        unserved.values()
                .forEach(jobs -> add(InvariantDecider.unserved(
                        jobs.due(), jobs.jobs(), isPart || jobs.due().more(), jobs.owed(), jobs.stored(), now)));
    }

    private String named(String id) {
        String label = labels.get(id);
        return "node " + id + (label == null ? "" : " (" + label + ")");
    }

    /**
     * Finds missing rows: those that are missing in two readings while the job has not changed, so that they are not
     * about to be written.
     */
    private void rows(List<StoredJob> jobs) {
        if (!(node.store() instanceof StoreInspection inspection) || jobs.isEmpty()) {
            return;
        }
        Map<String, StoredJob> byRow = jobs.stream()
                .filter(repairs::isRowDue)
                .collect(Collectors.toMap(job -> job.lastStatus().id(), Function.identity(), (one, other) -> one));
        List<String> suspects = inspection.missingRows(byRow.keySet()).stream()
                .map(row -> byRow.get(row).id())
                .toList();
        JobPages.load(node.store(), suspects)
                .filter(StoredJob::isLive)
                .filter(job -> byRow.containsKey(job.lastStatus().id()))
                .forEach(this::rowMissing);
    }

    private void rowMissing(StoredJob job) {
        add(InvariantDecider.rowMissing(
                job, reason(repairs.restore(List.of(job)), job.lastStatus().id())));
    }

    private static @Nullable String reason(Map<String, WriteRefusedException> refused, String row) {
        WriteRefusedException e = refused.get(row);
        return e == null ? null : e.getMessage();
    }

    private void inspect() {
        if (!(node.store() instanceof StoreInspection inspection)) {
            notChecked.add("indexes, status rows and finished jobs: the store offers no inspection");
            return;
        }
        StoreInspection.State state = inspection.inspect(MOST_JOBS);
        state.indexProblems().forEach(problem -> add(InvariantDecider.index(problem)));
        state.foreign().forEach(found -> add(InvariantDecider.foreign(found)));
        state.finishedWithDue().forEach(key -> add(InvariantDecider.finishedWithDue(key)));
        JobPages.load(node.store(), state.finishedWithoutRow())
                .filter(repairs::isRowDue)
                .forEach(this::rowMissing);
        if (state.more()) {
            notChecked.add("finished jobs beyond the first " + MOST_JOBS);
        }
    }
}
