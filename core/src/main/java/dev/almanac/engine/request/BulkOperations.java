package dev.almanac.engine.request;

import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.FirePlanner;
import dev.almanac.engine.rules.PausedFires;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.ActionReport;
import dev.almanac.model.Actor;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.ReconcileOptions;
import dev.almanac.model.ReconcileResult;
import dev.almanac.model.StandingPause;
import dev.almanac.model.StoredFields;
import dev.almanac.store.JobList;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.text.Printable;
import dev.almanac.time.FirePreview;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Users' requests for many jobs or many fires at once. Thread-safe. */
public final class BulkOperations {
    /** Each node reads them all with each look. */
    private static final int MOST_PAUSES = 1_000;

    private static final int LONGEST_SCOPE = 300;

    /** How many jobs are looked at to find one that a pause names. */
    private static final int MOST_SEEN = 100_000;

    private final Node node;
    private final Admission check;
    private final Registrar registrar;
    private final Runnable changed;

    /** @param changed makes this node read pauses and calendars again */
    public BulkOperations(Node node, Admission check, Registrar registrar, Runnable changed) {
        this.node = node;
        this.check = check;
        this.registrar = registrar;
        this.changed = changed;
    }

    /** The same with another actor. */
    public BulkOperations as(Actor asking) {
        return new BulkOperations(node, check, registrar.as(asking), changed);
    }

    /** @see Actions#apply */
    public ActionReport apply(JobAction action, JobSelection selection, boolean dryRun) {
        return new Actions(node, registrar).apply(action, selection, dryRun);
    }

    /**
     * Pauses all jobs of a kind, at once or from the beginning that the pause has. A kind that nothing has is paused, too,
     * and said (rule S14).
     *
     * @throws IllegalArgumentException if its end has passed, there are too many pauses, this one names what nothing can
     *     have, or several live nodes have its label
     */
    public void pause(PauseScope scope, Pause pause) {
        for (int i = 0; i < Registrar.MOST_TRIES; i++) {
            // mostly there is none; the document of a damaged one may stand in another place than its scope
            if (pause(scope, pause, null)) {
                return;
            }
            Instant present = stored().filter(other -> other.replaces(scope, pause.from()))
                    .map(StandingPause::since)
                    .findFirst()
                    .orElse(null);
            if (present != null && pause(scope, pause, present)) {
                return;
            }
        }
        throw new IllegalStateException("'" + Printable.value(scope.toString())
                + "' was not paused: others changed its pause " + Registrar.MOST_TRIES + " times meanwhile");
    }

    /**
     * As {@link #pause(PauseScope, Pause)}, in the place of the pause that was asked for then, or of none.
     *
     * @return false if another pause is in that place, or none; nothing was changed
     */
    public boolean pause(PauseScope scope, Pause pause, @Nullable Instant replaced) {
        Instant now = node.clock().now();
        if (!node.store().cluster().pause(checked(scope, pause, now), replaced)) {
            return false;
        }
        report(scope, pause.from(), true, warning(scope));
        return true;
    }

    /** @see dev.almanac.Scheduler#checkPause */
    public void check(PauseScope scope, Pause pause) {
        checked(scope, pause, node.clock().now());
    }

    /** The pause as it is to be stored; a single job has none of this kind. */
    private StandingPause checked(PauseScope scope, Pause pause, Instant now) {
        StandingPause wanted = new StandingPause(scope, pause, now);
        if (pause.hasEnded(now)) {
            throw new IllegalArgumentException("'" + Printable.value(scope.toString()) + "' was not paused: until "
                    + pause.until() + " has passed");
        }
        refuseBeyondLimits(scope, pause, now);
        refuseAmbiguous(scope, now);
        return wanted;
    }

    private void report(PauseScope scope, @Nullable Instant from, boolean paused, @Nullable String warning) {
        String what = scope + (from == null ? "" : " from " + from);
        node.events().emit(new SchedulerEvent.JobsPaused(what, paused, registrar.actor(), warning));
        changed.run();
    }

    private @Nullable String warning(PauseScope scope) {
        try {
            return isKnown(scope) ? null : "nothing has that name now; was it misspelt?";
        } catch (StoreException unknown) {
            // the pause stands, whether or not this could be read
            return null;
        }
    }

    /**
     * Whether a job or a node is there that the scope names; also if too many would have to be looked at, or a live node tells
     * no types, as while it drains.
     */
    public boolean isKnown(PauseScope scope) {
        if (scope instanceof PauseScope.Tag tag) {
            return isFound(new JobQuery(null, tag.tag(), null, null, null, null, null, null, null, 1));
        } else if (scope instanceof PauseScope.CommandType type) {
            Instant now = node.clock().now();
            return nodes().anyMatch(known -> known.types().contains(type.type())
                            || known.isLive(now) && known.types().isEmpty())
                    || isFound(new JobQuery(null, null, null, null, null, type.type(), null, null, null, 1));
        } else if (scope instanceof PauseScope.Node named) {
            return nodes().anyMatch(known -> named.is(known.id(), known.label()));
        } else if (scope instanceof PauseScope.Job job) {
            return node.store().find(job.key(), FindScope.LIVE).isPresent();
        }
        return true;
    }

    private boolean isFound(JobQuery query) {
        JobList found = node.store().list(query.window(MOST_SEEN));
        return !found.jobs().isEmpty() || !found.damaged().isEmpty() || found.lastKey() != null;
    }

    private Stream<NodeReport> nodes() {
        return node.store().cluster().nodes(Instant.EPOCH).stream();
    }

    /** A label is for people: in containers of one kind all nodes may have the same. */
    private void refuseAmbiguous(PauseScope scope, Instant now) {
        if (scope instanceof PauseScope.Node named) {
            List<NodeReport> meant = nodes().filter(known -> named.is(known.id(), known.label()))
                    .filter(known -> known.isLive(now))
                    .toList();
            if (meant.size() > 1 && meant.stream().noneMatch(known -> known.id().equals(named.name()))) {
                throw new IllegalArgumentException("'" + Printable.value(named.name())
                        + "' was not paused: " + meant.size() + " live nodes have that label; name one by its id: "
                        + String.join(", ", meant.stream().map(NodeReport::id).toList()));
            }
        }
    }

    private void refuseBeyondLimits(PauseScope scope, Pause wanted, Instant now) {
        String name = scope.toString();
        if (name.length() > LONGEST_SCOPE) {
            throw new IllegalArgumentException("'" + Printable.value(name)
                    + "' was not paused: no tag, type or node has a name of " + name.length() + " characters");
        }
        // the write of this one removes those that ended longer ago
        List<StandingPause> there = stored().filter(other -> !other.pause().hasEnded(now.minus(StandingPause.KEPT)))
                .toList();
        if (there.size() >= MOST_PAUSES && there.stream().noneMatch(other -> other.replaces(scope, wanted.from()))) {
            throw new IllegalArgumentException("'" + name + "' was not paused: there are " + there.size()
                    + " pauses of tags, types and nodes, with those that ended by themselves within a day, and no more than "
                    + MOST_PAUSES + " are kept; resume some, or pause single jobs");
        }
    }

    /** Resumes the jobs of a kind; false if they were not paused. What is planned for later stays. */
    public boolean resume(PauseScope scope) {
        Instant now = node.clock().now();
        return resume(scope, null, pause -> pause.isInForce(now));
    }

    /** Withdraws a pause that was planned; false if there is none of that scope and beginning. */
    public boolean resume(PauseScope scope, Instant planned) {
        Instant from = planned.truncatedTo(ChronoUnit.MILLIS);
        return resume(scope, from, pause -> pause.replaces(scope, from));
    }

    /** Ends this pause; false if it is over, or another one is in its place. */
    public boolean resume(StandingPause shown) {
        Instant from = shown.pause().from();
        return resume(
                shown.scope(),
                from,
                pause -> pause.replaces(shown.scope(), from) && pause.since().equals(shown.since()));
    }

    /** Removes the pauses of a scope that are meant; one that has ended by itself is none, and stays as long as it is kept. */
    private boolean resume(PauseScope scope, @Nullable Instant from, Predicate<StandingPause> meant) {
        Instant now = node.clock().now();
        boolean found = false;
        for (StandingPause pause : pauses(meant)) {
            if (pause.scope().equals(scope) && !pause.pause().hasEnded(now)) {
                found |= node.store().cluster().resume(scope, pause.pause().from(), pause.since());
            }
        }
        if (found) {
            report(scope, from, false, null);
        }
        return found;
    }

    /** The pauses of kinds of jobs that are in force. */
    public List<StandingPause> pauses() {
        Instant now = node.clock().now();
        return pauses(pause -> pause.isInForce(now));
    }

    /** The pauses of kinds of jobs that begin later. */
    public List<StandingPause> plannedPauses() {
        Instant now = node.clock().now();
        return pauses(pause -> pause.pause().isPlanned(now));
    }

    private List<StandingPause> pauses(Predicate<StandingPause> which) {
        return stored().filter(which).toList();
    }

    private Stream<StandingPause> stored() {
        return node.store().cluster().control().pauses().stream();
    }

    /** @see Reconciler#reconcile */
    public ReconcileResult reconcile(
            String applicationTag, Collection<JobSpecification> declared, ReconcileOptions options) {
        Actor asking = naming("reconcile of application " + applicationTag);
        return new Reconciler(node, check, registrar.ofCode(asking)).reconcile(applicationTag, declared, options);
    }

    /** @see Backfill#backfill */
    public List<BulkItem> backfill(String key, Instant from, Instant to) {
        return new Backfill(node, check, registrar.as(naming("backfill of " + key))).backfill(key, from, to);
    }

    /** The actor for the rows of an operation: its reason names the operation. */
    private Actor naming(String operation) {
        Actor actor = registrar.actor();
        return actor.because(actor.reason() == null ? operation : operation + ": " + actor.reason());
    }

    /** The nominal fires of a specification from now on, each with the fire that it leads to; nothing is stored. */
    public List<FirePreview> preview(JobSpecification given, int rows) {
        FirePreview.checkRows(rows);
        Instant now = node.clock().now();
        JobSpecification counted = counted(given, now);
        JobSpecification accepted = check.accept(counted, now, counted).specification();
        return node.planner().previewNew(accepted, now, rows);
    }

    /** The contents of a stored job with other steps are counted as the change would count them. */
    private JobSpecification counted(JobSpecification given, Instant now) {
        return StoredFields.anchorOf(given) == null
                ? given
                : node.store()
                        .find(given.jobSpecificationKey(), FindScope.LIVE)
                        .map(live -> FirePlanner.counted(given, live.specification(), now))
                        .orElse(given);
    }

    /** The nominal fires of a live job after a moment, each with the fire that it leads to. */
    public List<FirePreview> preview(String key, Instant after, int rows) {
        FirePreview.checkRows(rows);
        StoredJob job = node.store().find(key, FindScope.LIVE).orElseThrow(() -> new JobNotFoundException(key));
        check.learn(job.specification());
        Instant now = node.clock().now();
        List<Pause> pauses = Stream.concat(
                        Stream.ofNullable(job.requests().pause()),
                        pauses(pause -> pause.holds(
                                        job.specification(), job.command().type()))
                                .stream()
                                .map(StandingPause::pause))
                .filter(pause -> !pause.hasEnded(now))
                .toList();
        FirePlanner planner = node.planner();
        List<FirePreview> fires = planner.preview(job, after, rows);
        List<FirePreview> seen = PausedFires.preview(job, fires, planner, pauses, now, node.settings());
        return planner.upToMaxFires(job, seen, now, after);
    }
}
