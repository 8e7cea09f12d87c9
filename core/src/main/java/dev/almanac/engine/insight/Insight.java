package dev.almanac.engine.insight;

import dev.almanac.engine.kernel.Pauses;
import dev.almanac.engine.port.JobPages;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.Partitions;
import dev.almanac.engine.port.Stage;
import dev.almanac.engine.rules.BackfillOrder;
import dev.almanac.engine.upkeep.InvariantCheck;
import dev.almanac.helper.CommandRegistry;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.Explanation;
import dev.almanac.model.FindScope;
import dev.almanac.model.FireReport;
import dev.almanac.model.InvariantReport;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.OpenFailures;
import dev.almanac.model.OpenRun;
import dev.almanac.model.Pause;
import dev.almanac.model.StandingPause;
import dev.almanac.model.StuckRun;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.DamagedJobException;
import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import dev.almanac.store.Needs;
import dev.almanac.store.NewestFailures;
import dev.almanac.store.NodeReport;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredGroup;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the state of the node, of jobs and of the store; pure functions judge it. Thread-safe. */
public final class Insight {
    /** Of one reading of failures, and of those that are open. */
    private static final int MOST_FAILURES = 1_000;

    /** Of failures that are read on for those that are open. */
    private static final int MOST_PAGES = 100;

    /** How many status rows are read to explain a job. */
    private static final int ROWS_READ = 20;
    /** How many running jobs, and how many due ones, are read to explain a job that waits for a slot. */
    private static final int AHEAD_READ = 1_000;

    private final Node node;
    private final CommandRegistry registry;
    private final Consumer<Collection<JobSpecification>> learn;
    private final Supplier<NodeSnapshot> snapshot;
    private final Function<String, Optional<String>> leavesAlone;
    private final Supplier<List<NodeReport>> nodes;
    private final IntSupplier partitions;

    /**
     * @param learn reads the calendars of these jobs again, if they can change
     * @param snapshot the state of the node at that moment
     * @param leavesAlone why this node leaves the job of an id to others for a while; empty if it does not
     * @param nodes the live nodes; may ask the store
     * @param partitions how many the store has, which must be open
     */
    public Insight(
            Node node,
            CommandRegistry registry,
            Consumer<Collection<JobSpecification>> learn,
            Supplier<NodeSnapshot> snapshot,
            Function<String, Optional<String>> leavesAlone,
            Supplier<List<NodeReport>> nodes,
            IntSupplier partitions) {
        this.node = node;
        this.registry = registry;
        this.learn = learn;
        this.snapshot = snapshot;
        this.leavesAlone = leavesAlone;
        this.nodes = nodes;
        this.partitions = partitions;
    }

    /** Why a job has not run, or when it will. Needs a few reads of the store, which must be open. */
    public Explanation explain(String key) {
        Instant now = node.clock().now();
        try {
            return node.store()
                    .find(key, FindScope.INCLUDING_FINISHED)
                    .map(job -> new Explainer(node.planner(), node.settings()).explain(known(job, now)))
                    .orElseGet(() -> Explainer.unknown(key, now));
        } catch (DamagedJobException e) {
            return Explainer.damaged(e.job(), now);
        }
    }

    /** The open failures of a span, as {@link dev.almanac.Scheduler#openFailures} tells. The store must be open. */
    public OpenFailures openFailures(@Nullable Instant from, @Nullable Instant until) {
        NewestFailures newestFailures = new NewestFailures(node.store()::rows, until, null);
        List<JobExecutionStatus> open = new ArrayList<>();
        RowQuery query = RowQuery.ofFailures(from, until, MOST_FAILURES);
        for (int pages = 1; ; pages++) {
            List<JobExecutionStatus> page = node.store().rows(query);
            List<JobExecutionStatus> rows = query.whole(page);
            open.addAll(openAmong(rows, newestFailures));
            if (open.size() > MOST_FAILURES) {
                List<JobExecutionStatus> newest = query.whole(open.subList(0, MOST_FAILURES));
                return new OpenFailures(newest, oldest(newest));
            }
            if (query.isLast(page) || pages == MOST_PAGES) {
                return new OpenFailures(open, query.isLast(page) ? null : oldest(rows));
            }
            query = RowQuery.ofFailures(from, oldest(rows), MOST_FAILURES);
        }
    }

    private static Instant oldest(List<JobExecutionStatus> rows) {
        return rows.get(rows.size() - 1).updatedTime();
    }

    private List<JobExecutionStatus> openAmong(List<JobExecutionStatus> failures, NewestFailures newest) {
        Set<String> ids =
                failures.stream().map(JobExecutionStatus::jobSpecificationId).collect(Collectors.toSet());
        Map<String, Instant> written = JobPages.load(node.store(), ids)
                .filter(job -> job.plan().failuresInARow() > 0)
                .collect(Collectors.toMap(StoredJob::id, job -> job.lastStatus().updatedTime()));
        return failures.stream()
                .filter(row -> written.containsKey(row.jobSpecificationId())
                        && newest.isNewest(row, written.get(row.jobSpecificationId())))
                .toList();
    }

    /**
     * What became of each planned fire of the live job of a key, or of the one that finished last; empty if there is none. A
     * few reads of the store, which must be open.
     */
    public Optional<FireReport> fires(String key, Instant since) {
        return node.store().find(key, FindScope.INCLUDING_FINISHED).map(job -> new FireReader(node, since).report(job));
    }

    /**
     * What became of the planned fires of each of these jobs, which were read just now, in any order. Their rows are read for
     * several jobs at a time, as many as of one job at most; calendars once for all. The store must be open.
     */
    public void fires(Collection<StoredJob> jobs, Instant since, Consumer<FireReport> reader) {
        new FireReader(node, since).read(jobs, reader);
    }

    /**
     * Finds violations of the invariants in the stored state. Newest rows that a crash has left out are written again
     * (rule P7); nothing else is changed.
     *
     * @param tolerance how long a job may be due, and a lease over, before it is a finding
     */
    public InvariantReport check(Duration tolerance) {
        return new InvariantCheck(node, nodes.get(), tolerance, partitions.getAsInt()).run();
    }

    private ExplainerInput known(StoredJob job, Instant now) {
        learn.accept(List.of(job.specification()));
        List<JobExecutionStatus> rows = node.rows(job, RowQuery.ofDocument(job.id(), ROWS_READ));
        NodeSnapshot own = snapshot();
        ClusterControl control = node.store().cluster().control();
        ExplainerInput known = new ExplainerInput(
                job,
                rows,
                nodes.get(),
                holds(job, rows, control.pauses()),
                control.pauses(),
                ownRun(job, own.work()),
                own.stage() == Stage.STARTED
                        ? refusal(job, own.work())
                                .map(why -> new ExplainerInput.Refusal(node.id(), why))
                                .orElse(null)
                        : null,
                group(job, control),
                null,
                earlier(job),
                now);
        return isReady(known) ? known.with(ahead(known, control)) : known;
    }

    /** The fire of its backfill that it waits for. */
    private @Nullable StoredJob earlier(StoredJob job) {
        return job.isLive() && BackfillOrder.concerns(job)
                ? BackfillOrder.first(
                                job,
                                node.store().list(BackfillOrder.earlier(job)).jobs())
                        .orElse(null)
                : null;
    }

    /** Whether it is due, nothing holds it back, and a node can claim it. */
    private static boolean isReady(ExplainerInput known) {
        StoredJob job = known.job();
        Instant due = job.due();
        return job.isLive()
                && due != null
                && !due.isAfter(known.now())
                && !job.isHeldAt(known.now())
                && known.holds().stream().noneMatch(hold -> known.decides(hold) && hold.holdsAt(known.now()))
                && !known.supporting().isEmpty();
    }

    /** What the nodes that can claim it hold, and what they claim first: two bounded queries. */
    private ExplainerInput.Ahead ahead(ExplainerInput known, ClusterControl control) {
        List<NodeReport> nodes = known.supporting();
        String type = known.job().command().type();
        List<StoredJob> running =
                node.store().running(known.now(), AHEAD_READ, NodeReport.liveRuns(known.liveNodes(), known.now()));
        List<DueJob> due = due(known);
        int priority = known.job().specification().priority();
        Map<String, Long> held = running.stream()
                .flatMap(other -> other.specification().exclusiveGroup().stream())
                .collect(Collectors.groupingBy(group -> group, Collectors.counting()));
        Predicate<@Nullable String> closed = group ->
                group != null && GroupReasons.isClosed(control.group(group), held.getOrDefault(group, 0L), known.now());
        return new ExplainerInput.Ahead(
                ExplainerInput.Kind.of(
                        running.stream()
                                .filter(other -> nodes.stream()
                                        .anyMatch(it -> other.lease() != null
                                                && it.id().equals(other.lease().owner())
                                                && takesFrom(other.command().type(), type, it)))
                                .toList(),
                        other -> other.command().type(),
                        other -> other.specification().priority()),
                ExplainerInput.Kind.of(
                        due.stream()
                                .filter(other -> other.priority() < priority)
                                .filter(other -> nodes.stream()
                                        .anyMatch(it -> it.takes(other.type(), other.priority())
                                                && takesFrom(other.type(), type, it)
                                                && takesFrom(type, other.type(), it)))
                                .filter(other -> !closed.test(other.group()))
                                .toList(),
                        DueJob::type,
                        DueJob::priority),
                due.size() >= AHEAD_READ);
    }

    /** Whether a run of that type takes a slot which a job of the type could have on the node. */
    private static boolean takesFrom(String run, String type, NodeReport node) {
        return run.equals(type) || !node.fullTypes().contains(type);
    }

    /**
     * The jobs of the types of these nodes that have been due for the longest, and the urgent ones: what lies far behind does
     * not come first (rule R9). Of any priority, which the index of due jobs does not hold.
     */
    private List<DueJob> due(ExplainerInput known) {
        Set<String> types = known.supporting().stream()
                .flatMap(other -> other.types().stream())
                .collect(Collectors.toSet());
        Pauses pauses = Pauses.at(known.pauses(), known.now());
        return node.store()
                .due(new DueQuery(
                        pauses.open(types),
                        pauses.tags(),
                        Partitions.all(partitions.getAsInt()),
                        0,
                        7,
                        known.now(),
                        AHEAD_READ));
    }

    /** The pauses that apply to the job: its own, and those of kinds of jobs. */
    private List<ExplainerInput.Hold> holds(StoredJob job, List<JobExecutionStatus> rows, List<StandingPause> pauses) {
        List<ExplainerInput.Hold> holds = new ArrayList<>();
        Pause pause = job.requests().pause();
        if (pause != null) {
            Instant since = pause.from() == null ? PastReasons.pausedAt(rows) : pause.from();
            holds.add(new ExplainerInput.Hold("", pause, since));
        }
        for (StandingPause standing : pauses) {
            if (standing.holds(job.specification(), job.command().type())) {
                holds.add(new ExplainerInput.Hold(" with " + standing.scope(), standing.pause(), standing.begins()));
            }
        }
        return holds;
    }

    private @Nullable OpenRun ownRun(StoredJob job, NodeSnapshot.Work work) {
        boolean own = job.lease() != null && job.lease().owner().equals(node.id());
        return Stream.concat(work.open().stream(), work.stuck().stream().map(StuckRun::run))
                .filter(run -> own && run.jobSpecificationKey().equals(job.key()))
                .reduce((older, newer) -> newer)
                .orElse(null);
    }

    private Optional<String> refusal(StoredJob job, NodeSnapshot.Work work) {
        EncodedCommand command = job.command();
        int priority = job.specification().priority();
        int min = node.settings().minPriority();
        int max = node.settings().maxPriority();
        if (!registry.names().contains(command.type())) {
            return Optional.of("this one has no command type '" + command.type() + "'");
        } else if (!registry.knows(command)) {
            return Optional.of("this one knows command type '" + command.type()
                    + "' in an older version than the stored one, " + command.version());
        } else if (work.outlived().contains(job.id())) {
            return Optional.of("the code of an earlier run of it goes on in this one, without a lease");
        } else if (!Needs.known().containsAll(Needs.of(job))) {
            return Optional.of("this one does not support " + Needs.of(job));
        }
        return priority >= min && priority <= max
                ? leavesAlone.apply(job.id())
                : Optional.of("its priority " + priority + " is not within this one's " + min + " to " + max);
    }

    /** The group of the job and its members that hold slots which it has (rule P9). */
    private ExplainerInput.@Nullable GroupState group(StoredJob job, ClusterControl control) {
        String group = job.specification().exclusiveGroup().orElse(null);
        if (group == null) {
            return null;
        }
        StoredGroup stored = control.group(group);
        List<StoredJob> others = JobPages.jobs(node.store(), JobQuery.ofRunningGroup(group))
                .filter(holder -> !holder.id().equals(job.id()) && stored.isHeldBy(holder))
                .toList();
        return new ExplainerInput.GroupState(stored, others);
    }

    /** The state of the node, without a call of the store. */
    public NodeSnapshot snapshot() {
        return snapshot.get();
    }
}
