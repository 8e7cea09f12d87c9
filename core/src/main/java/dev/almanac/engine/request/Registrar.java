package dev.almanac.engine.request;

import dev.almanac.engine.port.JobIds;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.DecisionContext;
import dev.almanac.engine.rules.Overwritten;
import dev.almanac.engine.rules.Pins;
import dev.almanac.engine.rules.RequestDecider;
import dev.almanac.engine.rules.SpecificationCheck;
import dev.almanac.engine.rules.Transitions;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.Actor;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CancelResult;
import dev.almanac.model.FieldChange;
import dev.almanac.model.FindScope;
import dev.almanac.model.IfExists;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExistsException;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobSelection.SeenJob;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Pause;
import dev.almanac.model.Problem;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.model.StaleJobException;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobRegister;
import dev.almanac.store.Lease;
import dev.almanac.store.NewJob;
import dev.almanac.store.Phase;
import dev.almanac.store.StoredJob;
import dev.almanac.text.Printable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Schedules, changes and cancels jobs (rules M3 to M5, P7). Each change is a compare-and-set on what was read: if
 * another change came first, it reads and decides again. Thread-safe.
 */
public final class Registrar {
    private static final Logger LOG = LoggerFactory.getLogger(Registrar.class);

    /** After so many refused tries the cause must be another one. */
    static final int MOST_TRIES = 100;

    /** A change of a live job. */
    private interface Change {
        Optional<JobChange> decide(StoredJob found, SpecificationCheck.Accepted accepted, DecisionContext context);
    }

    private final Node node;
    private final JobRegister jobs;
    private final Admission check;
    private final Consumer<StoredJob> stored;
    private final Actor actor;
    private final boolean personal;
    private final @Nullable String trace;

    /**
     * @param jobs reads and writes jobs: the store, or a transaction of the caller
     * @param stored is notified of each job that was stored or changed, since it may be due soon
     * @param actor who requests the changes
     */
    public Registrar(Node node, JobRegister jobs, Admission check, Consumer<StoredJob> stored, Actor actor) {
        this(node, jobs, check, stored, actor, false, null);
    }

    /**
     * @param personal whether the actor is a person, whose changes of contents are remembered (rule S11)
     * @param trace the span of the request, which may go on on other threads (rule S9)
     */
    private Registrar(
            Node node,
            JobRegister jobs,
            Admission check,
            Consumer<StoredJob> stored,
            Actor actor,
            boolean personal,
            @Nullable String trace) {
        this.node = node;
        this.jobs = jobs;
        this.check = check;
        this.stored = stored;
        this.actor = actor;
        this.personal = personal;
        this.trace = trace;
    }

    /** The same with another actor, who is a person unless it is the service, and for a request of this thread. */
    public Registrar as(Actor asking) {
        return new Registrar(node, jobs, check, stored, asking, !check.isService(asking), check.trace());
    }

    /** The same with another actor, for what code declares or requests: that is no change of a person, also if one has started it. */
    public Registrar ofCode(Actor asking) {
        return new Registrar(node, jobs, check, stored, asking, false, check.trace());
    }

    Actor actor() {
        return actor;
    }

    DecisionContext context() {
        return node.context().by(actor, personal).in(trace);
    }

    /** The same changes within a transaction of the caller; events are sent and interrupts announced after the commit. */
    public SessionWrites in(JobRegister transaction) {
        List<SchedulerEvent> events = new ArrayList<>();
        List<StoredJob> changed = new ArrayList<>();
        Registrar inside =
                new Registrar(node.reportingTo(events::add), transaction, check, changed::add, actor, personal, trace);
        return new SessionWrites(inside, () -> {
            events.forEach(node.events()::emit);
            changed.forEach(stored);
            Cancellation.notifyHolders(changed, node);
            events.clear();
            changed.clear();
        });
    }

    /** Creates the job, or handles the live one of its key as {@code ifExists} says. */
    public StoredJob schedule(JobSpecification given, IfExists ifExists) {
        return Objects.requireNonNull(ifExists, "ifExists") == IfExists.ONCE
                ? once(given)
                : schedule(given, ifExists, job -> refuseOthers(job, given, ifExists));
    }

    /**
     * As {@link #schedule(JobSpecification, IfExists)}, in the place of the live job that a user has seen.
     *
     * @param document its id; absent = none was live
     * @param version of its contents
     * @throws StaleJobException if it has another version, and is not as asked, perhaps by an earlier try of this request
     */
    public StoredJob schedule(JobSpecification given, @Nullable String document, long version) {
        if (document == null) {
            return schedule(given, IfExists.FAIL);
        }
        String key = given.jobSpecificationKey();
        return tried(key, () -> {
            StoredJob found = live(key, new SeenJob(document));
            refuseOthers(found, given, IfExists.REPLACE);
            return replace(found, given, version);
        });
    }

    /**
     * Creates the job unless a document of its key is there that has not expired (rule S12). The life is read before the
     * document: a job that is created and ends in between has that life, whose unique index refuses this one.
     */
    private StoredJob once(JobSpecification given) {
        String key = given.jobSpecificationKey();
        return tried(key, () -> {
            int life = key == null ? 0 : nextLife(key);
            Optional<StoredJob> used = key == null ? Optional.empty() : jobs.find(key, FindScope.INCLUDING_FINISHED);
            return used.isPresent()
                    ? used
                    : inserted(created(
                            check.accept(given, node.clock().now(), null).once(), life));
        });
    }

    /** @throws JobExistsException if the live job is that of another requestor, and is not to be taken over (rule S11) */
    private void refuseOthers(StoredJob found, JobSpecification given, IfExists ifExists) {
        String requestor = check.requestor(given);
        if (ifExists != IfExists.TAKE_OVER
                && !Objects.equals(requestor, found.specification().jobRequestor())) {
            throw new JobExistsException(found.key(), found.specification().jobRequestor(), requestor);
        }
    }

    /** @param guard throws if the live job of the key may not be replaced */
    private StoredJob schedule(JobSpecification given, IfExists ifExists, Consumer<StoredJob> guard) {
        SpecificationCheck.Accepted accepted;
        try {
            accepted = check.accept(given, node.clock().now(), null);
        } catch (InvalidJobException refused) {
            return scheduleStored(given, ifExists, guard, refused);
        }
        return schedule(given, ifExists, guard, accepted);
    }

    /**
     * The live job, if the specification that was refused as a new job equals it, such as a one-off whose moment has
     * passed.
     */
    private StoredJob scheduleStored(
            JobSpecification given, IfExists ifExists, Consumer<StoredJob> guard, InvalidJobException refused) {
        return tried(given.jobSpecificationKey(), () -> {
            StoredJob found = live(given).orElseThrow(() -> refused);
            replacing(found, given);
            return replace(found, given, ifExists, guard);
        });
    }

    /** All problems for which {@link #schedule} would refuse the job. Writes nothing. */
    public List<Problem> check(JobSpecification given) {
        StoredJob found = live(given).orElse(null);
        if (found == null) {
            return problems(() -> check.accept(given, node.clock().now(), null));
        }
        List<Problem> problems = new ArrayList<>();
        String owner = found.specification().jobRequestor();
        String requestor = check.requestor(given);
        if (!Objects.equals(owner, requestor)) {
            problems.add(new Problem(
                    "jobRequestor",
                    requestor,
                    "S11",
                    "does not own the live job of this key, which is one of '" + owner
                            + "'; use another key, or IfExists.TAKE_OVER"));
        }
        problems.addAll(problems(() -> {
            if (!isRepeated(found, given)) {
                JobSpecification declared = declared(found, given);
                List<Problem> ended = problems(() -> RequestDecider.checkMaxFires(found, declared));
                problems.addAll(ended);
                check.accept(declared, node.clock().now(), found.specification());
            }
        }));
        return problems;
    }

    private static List<Problem> problems(Runnable attempt) {
        try {
            attempt.run();
            return List.of();
        } catch (InvalidJobException refused) {
            return refused.problems();
        }
    }

    /** How the live job of the key would differ if {@link #schedule} replaced it; nothing if none is live. Writes nothing. */
    public List<FieldChange> changes(JobSpecification given) {
        return live(given)
                .filter(found -> !isRepeated(found, given))
                .map(found -> replacing(found, given).specification().changesSince(found.specification()))
                .orElse(List.of());
    }

    private SpecificationCheck.Accepted replacing(StoredJob found, JobSpecification given) {
        JobSpecification declared = declared(found, given);
        RequestDecider.checkMaxFires(found, declared);
        return check.accept(declared, node.clock().now(), found.specification());
    }

    private Optional<StoredJob> live(JobSpecification given) {
        String key = given.jobSpecificationKey();
        return key == null ? Optional.empty() : jobs.find(key, FindScope.LIVE);
    }

    /** Checks a one-off whose moment may be past; writes nothing. */
    SpecificationCheck.Accepted acceptPast(JobSpecification given) {
        return check.accept(given, node.clock().now(), given);
    }

    /** As {@link #schedule}, for the result of {@link #acceptPast}. */
    StoredJob schedulePast(SpecificationCheck.Accepted accepted, IfExists ifExists) {
        return schedule(accepted.specification(), ifExists, job -> {}, accepted);
    }

    private StoredJob schedule(
            JobSpecification given,
            IfExists ifExists,
            Consumer<StoredJob> guard,
            SpecificationCheck.Accepted accepted) {
        String key = Objects.requireNonNull(accepted.specification().jobSpecificationKey());
        String id = JobIds.next(node.clock().now(), node.random());
        int life = 0;
        for (int i = 0; i < MOST_TRIES; i++) {
            NewJob created = RequestDecider.create(id, accepted, node.clock().begin(), context())
                    .inLife(life);
            if (insert(created)) {
                return created.job();
            }
            int next = nextLife(key);
            if (next != life) {
                // of a key that was used before; if it is live, this is refused, too
                life = next;
                if (insert(created.inLife(life))) {
                    return created.job();
                }
            }
            Optional<StoredJob> found = jobs.find(key, FindScope.LIVE);
            if (found.isPresent()) {
                Optional<StoredJob> done = replace(found.get(), given, ifExists, guard);
                if (done.isPresent()) {
                    return done.get();
                }
            }
        }
        throw tooManyTries(given.jobSpecificationKey());
    }

    /** Stores new jobs by parts and replaces live ones one by one. Each item has a result of its own. */
    public List<BulkItem> scheduleAll(List<JobSpecification> given) {
        return new BulkScheduling(node, jobs, this::created, this::reportCreated, this::scheduleUsed).of(given);
    }

    /** A job whose key is probably live; with the result that a call for a new one has. */
    private StoredJob scheduleUsed(JobSpecification given) {
        return live(given)
                .flatMap(job ->
                        replace(job, given, IfExists.REPLACE, live -> refuseOthers(live, given, IfExists.REPLACE)))
                .orElseGet(() -> schedule(given, IfExists.REPLACE));
    }

    /** The first life of its key; if there was one before, it is stored as the next. */
    private NewJob created(JobSpecification given) {
        return created(check.accept(given, node.clock().now(), null), 0);
    }

    private NewJob created(SpecificationCheck.Accepted accepted, int life) {
        String id = JobIds.next(node.clock().now(), node.random());
        return RequestDecider.create(id, accepted, node.clock().begin(), context())
                .inLife(life);
    }

    private int nextLife(String key) {
        return jobs.lastLife(key).map(last -> last + 1).orElse(0);
    }

    private Optional<StoredJob> inserted(NewJob created) {
        return insert(created) ? Optional.of(created.job()) : Optional.empty();
    }

    /** Stores a job as it is; false if a live job has its key, or its life is stored already. */
    boolean insert(NewJob created) {
        boolean stored = jobs.insert(List.of(created)).get(0);
        if (stored) {
            reportCreated(created.job());
        }
        return stored;
    }

    private void reportCreated(StoredJob job) {
        keepCalendars(job, null);
        node.events()
                .emit(new SchedulerEvent.JobScheduled(job.key(), job.command().type(), actor));
        stored.accept(job);
    }

    /** Creates a job as that life of its key, and no other. */
    boolean createOwn(SpecificationCheck.Accepted accepted, int life) {
        return insert(created(accepted, life));
    }

    /**
     * Replaces a job of an application, but not one of another application that has taken the key meanwhile; false if others
     * have changed it.
     *
     * @throws InvalidJobException if the application does not own the live job of the key
     */
    boolean replaceOwn(StoredJob found, JobSpecification given) {
        refuseForeign(found, given.applicationTag().orElse(null));
        return scheduleAgain(found, declared(found, given), 0).isPresent();
    }

    /** @throws InvalidJobException if the application does not own the live job of the key */
    static void refuseForeign(StoredJob found, @Nullable String applicationTag) {
        if (!Cancellation.isOf(found, applicationTag)) {
            String owner = found.specification().applicationTag().orElse(null);
            String advice = (owner == null
                            ? "is missing in the live job of this key, which no application owns"
                            : "owns the live job of this key")
                    + "; use another key, or cancel that job if it is to be declared here";
            throw new InvalidJobException(found.key(), List.of(new Problem("applicationTag", owner, "R13", advice)));
        }
    }

    private Optional<StoredJob> replace(
            StoredJob found, JobSpecification given, IfExists ifExists, Consumer<StoredJob> guard) {
        if (ifExists == IfExists.KEEP && !found.requests().cancelRequested()) {
            return asItIs(found);
        }
        if (ifExists == IfExists.FAIL) {
            throw new JobExistsException(found.key(), found.specification().jobRequestor(), check.requestor(given));
        }
        guard.accept(found);
        return replace(found, given, 0);
    }

    /** @param version of the contents that are replaced; 0 = any */
    private Optional<StoredJob> replace(StoredJob found, JobSpecification given, long version) {
        if (isRepeated(found, given)) {
            return asItIs(found);
        }
        JobSpecification declared = declared(found, given);
        RequestDecider.checkMaxFires(found, declared);
        return scheduleAgain(found, declared, version);
    }

    /** The job is as asked, perhaps by an earlier try of the same request. */
    private Optional<StoredJob> asItIs(StoredJob found) {
        writeLeftOutRows(List.of(found));
        return Optional.of(found);
    }

    /**
     * Whether the same contents were asked for before, to run now: they run once, also if the reply to the first request was
     * lost. A request that follows a cancel, or the end of the run, is another one; one that finds it waiting for a retry
     * brings that forward.
     */
    private boolean isRepeated(StoredJob found, JobSpecification given) {
        Instant moment = found.specification().singleSchedule().orElse(null);
        if (!given.isNow()
                || moment == null
                || !wasNow(found.specification())
                || found.phase() != Phase.RUN
                || found.lease() == null && found.plan().isBegun()
                || found.requests().cancelRequested()) {
            return false;
        }
        JobSpecification then = declared(
                found, given.toBuilder().singleSchedule(moment).version(0).build());
        var same = check.accept(then, node.clock().now(), found.specification());
        return RequestDecider.replace(found, same, context()).isEmpty();
    }

    /** Whether the moment of a one-off is that at which it was asked for, or has passed since. */
    static boolean wasNow(JobSpecification stored) {
        Instant moment = stored.singleSchedule().orElse(null);
        return moment != null && stored.latestUpdate().filter(moment::isAfter).isEmpty();
    }

    private Optional<StoredJob> scheduleAgain(StoredJob found, JobSpecification declared, long version) {
        return change(found, declared.toBuilder().version(version).build(), RequestDecider::replace);
    }

    /** What a declaration leaves of itself beside what is pinned; a person, who asks for this job, declares nothing. */
    JobSpecification kept(StoredJob found, JobSpecification given) {
        return personal ? given : Pins.kept(found, given, node.clock().now());
    }

    /**
     * What a declaration makes of a live job: pinned fields stay as they are (rule S26), and all of it if the others cannot
     * be as declared without them.
     *
     * @throws InvalidJobException if the declaration is wrong in itself
     */
    JobSpecification declared(StoredJob found, JobSpecification given) {
        Instant now = node.clock().now();
        JobSpecification kept = kept(found, given);
        if (kept != given) {
            try {
                check.accept(kept, now, found.specification());
            } catch (InvalidJobException impossible) {
                check.accept(given, now, found.specification());
                LOG.warn(
                        "job '{}' is left as it is, since what was declared is impossible with what is pinned: {}",
                        Printable.value(found.key()),
                        Printable.value(String.valueOf(impossible.getMessage())));
                return found.specification();
            }
        }
        return kept;
    }

    /** Changes a live job. */
    public StoredJob update(JobSpecification given) {
        String key = given.jobSpecificationKey();
        return tried(key, () -> change(live(key, null), given, RequestDecider::update));
    }

    private static JobSpecification edited(StoredJob found, Consumer<JobSpecificationBuilder> edit) {
        JobSpecificationBuilder job = found.specification().toBuilder();
        edit.accept(job);
        return job.jobSpecificationKey(found.key())
                .version(found.specification().version())
                .build();
    }

    /**
     * Reverts the write of a job if one of its calendars was deleted meanwhile. The deletion of a calendar looks for
     * jobs afterwards, so that one of the two sees the other (rule C5).
     *
     * @param before the job as it was; absent = there was none
     * @throws InvalidJobException if a calendar is gone
     */
    private void keepCalendars(StoredJob job, @Nullable StoredJob before) {
        List<String> names = check.goneCalendars(job.specification(), before == null ? null : before.specification());
        if (!names.isEmpty()) {
            takeBack(job, before);
            throw new InvalidJobException(
                    job.key(),
                    List.of(new Problem(
                            "calendars",
                            String.valueOf(names),
                            "C5",
                            "was deleted at this moment; the job was left as it was")));
        }
        if (before != null) {
            // those of a new job were read just now
            node.calendars().reread(List.of(job.specification()), node.store().cluster(), node.clock());
        }
        planAgain(job);
    }

    /** Plans a job again whose calendars were edited between their reading and its write (rule N9). */
    private void planAgain(StoredJob job) {
        if (node.planner().isOlder(job)) {
            RequestDecider.replan(job, node.planner(), "its calendars were edited meanwhile", context())
                    .filter(change -> write(change).isPresent())
                    .flatMap(Transitions::blockEvent)
                    .ifPresent(node.events()::emit);
        }
    }

    private void takeBack(StoredJob job, @Nullable StoredJob before) {
        Optional<StoredJob> found = Optional.of(job);
        for (int i = 0; i < MOST_TRIES; i++) {
            Optional<StoredJob> done = before == null
                    ? write(RequestDecider.cancel(found.get(), false, context()))
                    : change(found.get(), takenBack(found.get(), job, before), RequestDecider::update);
            found = done.isPresent()
                    ? Optional.empty()
                    : jobs.find(job.key(), FindScope.LIVE)
                            .filter(live -> live.id().equals(job.id()))
                            // others have seen to that
                            .filter(live -> live.specification()
                                    .calendars()
                                    .equals(job.specification().calendars()));
            if (found.isEmpty()) {
                return;
            }
        }
    }

    /** The contents as they were; if others have changed them since, only the calendars. */
    private static JobSpecification takenBack(StoredJob now, StoredJob written, StoredJob before) {
        JobSpecification former = before.specification();
        return now.specification().equals(written.specification())
                ? former.toBuilder().version(0).build()
                : now.specification().toBuilder()
                        .calendars(former.calendars())
                        .version(0)
                        .build();
    }

    private Optional<StoredJob> change(StoredJob found, JobSpecification given, Change decision) {
        SpecificationCheck.Accepted accepted = check.accept(given, node.clock().now(), found.specification());
        Optional<JobChange> change = decision.decide(found, accepted, context());
        if (change.isEmpty()) {
            return asItIs(found);
        }
        return write(change.get()).map(after -> {
            reportUpdated(change.get());
            return after;
        });
    }

    /** What an action writes, which is neither {@code Rerun} nor {@code Acknowledge}; empty if there is nothing to change. Writes nothing. */
    Optional<JobChange> decide(JobAction action, StoredJob job) {
        if (action instanceof JobAction.Update update) {
            // the context after the check, which may read calendars
            var accepted = check.accept(edited(job, update.edit()), node.clock().now(), job.specification());
            return RequestDecider.update(job, accepted, update.pinning(), context());
        }
        DecisionContext context = context();
        if (action instanceof JobAction.Unpin) {
            return RequestDecider.unpin(job, context);
        }
        if (action instanceof JobAction.Cancel cancel) {
            return Optional.of(RequestDecider.cancel(job, cancel.mode() == CancelMode.INTERRUPT, context));
        } else if (action instanceof JobAction.PauseEach pause) {
            return Optional.of(RequestDecider.pause(job, pause.pause().by(actor), context));
        } else if (action instanceof JobAction.Resume resume) {
            Pause pause = job.requests().pause();
            boolean meant = pause != null
                    && !pause.hasEnded(context.now())
                    && (resume.planned() == null
                            ? !pause.isPlanned(context.now())
                            : resume.planned().equals(pause.from()));
            if (meant) {
                requireSeen(job, pause, resume.seen().get(job.key()), context.now());
            }
            return meant ? Optional.of(RequestDecider.pause(job, null, context)) : Optional.empty();
        } else if (action instanceof JobAction.Release release) {
            Lease lease = job.lease();
            boolean meant = release.claim() == null || lease != null && lease.token() == release.claim();
            return meant ? RequestDecider.release(job, context) : Optional.empty();
        }
        SchedulingCommand contents = ((JobAction.RunNow) action).contents();
        return Optional.of(
                RequestDecider.runNow(job, contents == null ? null : check.contents(job.key(), contents), context));
    }

    /** @throws InvalidJobException if a resume is for another pause than this one, or the job has failed since */
    private void requireSeen(StoredJob job, Pause present, JobAction.@Nullable SeenPause seen, Instant now) {
        if (seen == null) {
            return;
        }
        if (!present.equals(seen.pause())) {
            String advice = (seen.pause() == null ? "has come since" : "is another one than was shown") + ", by "
                    + present.author() + ": " + present.reason();
            throw new InvalidJobException(job.key(), List.of(new Problem("pause", null, "S18", advice)));
        }
        // the withdrawal of a planned pause closes no failure
        if (!present.isPlanned(now) && Acknowledgements.hasFailedSince(node, job, seen.failures())) {
            throw new InvalidJobException(job.key(), List.of(new Problem("job", null, "S19", Acknowledgements.AGAIN)));
        }
    }

    /** As {@link #apply(JobAction, String, SeenJob)}, on the job that has the key. */
    public Optional<JobChange> apply(JobAction action, String key) {
        return apply(action, key, null);
    }

    /**
     * Carries out an action on a live job, which is neither {@code Rerun} nor {@code Acknowledge}.
     *
     * @param seen the one that is meant; absent = the one that has the key
     * @return what was written; empty if there was nothing to change
     * @throws JobNotFoundException if it is not live; another job may have its key
     * @throws StaleJobException if it has another version than was seen
     */
    Optional<JobChange> apply(JobAction asked, String key, @Nullable SeenJob seen) {
        if (asked instanceof JobAction.Cancel cancel) {
            return Optional.of(cancellation()
                    .of(key, cancel.mode(), job -> isMeant(job, seen))
                    .orElseThrow(() -> missing(key, seen)));
        }
        JobAction action = asked;
        for (int i = 0; i < MOST_TRIES; i++) {
            StoredJob found = live(key, seen);
            action = ofFirst(action, found);
            Optional<JobChange> change = decide(action, found);
            if (change.isEmpty()) {
                asItIs(found);
                return change;
            }
            if (write(change.get()).isPresent()) {
                report(asked, change.get());
                return change;
            }
        }
        throw tooManyTries(key);
    }

    /** A release that names no claim is for the one that was found first: if that is over, another one is not meant. */
    private static JobAction ofFirst(JobAction action, StoredJob found) {
        Lease lease = found.lease();
        return lease != null && action.equals(JobAction.release()) ? JobAction.release(lease.token()) : action;
    }

    private void report(JobAction action, JobChange written) {
        String key = written.after().key();
        if (action instanceof JobAction.Update || action instanceof JobAction.Unpin) {
            reportUpdated(written);
        } else if (action instanceof JobAction.Release) {
            node.events().emit(new SchedulerEvent.JobReleased(key, actor));
        } else if (action instanceof JobAction.RunNow) {
            node.events().emit(new SchedulerEvent.RunAsked(key, actor));
        } else {
            node.events().emit(new SchedulerEvent.JobPaused(key, action instanceof JobAction.PauseEach, actor));
        }
    }

    private void reportUpdated(JobChange written) {
        keepCalendars(written.after(), written.before());
        written.rows().stream()
                .filter(row -> row.missed() != null)
                .filter(row -> !row.id().equals(written.before().lastStatus().id()))
                .forEach(row -> node.events()
                        .emit(new SchedulerEvent.FiresMissed(written.after().key(), row.missed())));
        node.events()
                .emit(new SchedulerEvent.JobUpdated(
                        written.after().key(),
                        written.after().specification().version(),
                        written.after().lastStatus().changes(),
                        actor,
                        Overwritten.warning(written.before(), written.after().specification(), context())));
    }

    /** Requests one run now; absent contents = those of the job. */
    public StoredJob runNow(String key, @Nullable SchedulingCommand contents) {
        return apply(new JobAction.RunNow(contents), key).orElseThrow().after();
    }

    public CancelResult cancel(String key, CancelMode mode) {
        return cancellation()
                .of(key, Objects.requireNonNull(mode, "mode"), job -> true)
                .map(Cancellation::result)
                .orElse(CancelResult.NOT_FOUND);
    }

    /** Cancels a job if it belongs to this application and no cancel is noted yet. */
    boolean cancelOwn(String key, String applicationTag) {
        Predicate<StoredJob> own = job -> !job.requests().cancelRequested() && Cancellation.isOf(job, applicationTag);
        return cancellation().of(key, CancelMode.LET_RUN, own).isPresent();
    }

    private Cancellation cancellation() {
        return new Cancellation(this, jobs, node);
    }

    /** Of jobs that are as asked, perhaps by an earlier try of the same request whose row is missing. */
    void writeLeftOutRows(Collection<StoredJob> shown) {
        if (jobs instanceof SharedInserts store) {
            store.writeLeftOutRows(shown);
        }
    }

    /**
     * Writes what was decided; empty if it is to be decided again, since others have changed the job.
     *
     * @throws dev.almanac.store.StoreException if it is not known whether it was applied, and deciding again could apply it twice
     */
    Optional<StoredJob> write(JobChange decided) {
        JobChange change = decided.as(node.random().nextLong());
        if (!isApplied(change)) {
            return Optional.empty();
        }
        if (!change.after().isLive()) {
            node.clock().ended(change.after().lastStatus().updatedTime());
        }
        stored.accept(change.after());
        return Optional.of(change.after());
    }

    private boolean isApplied(JobChange change) {
        try {
            return jobs.write(List.of(change), node.history()::add).get(0);
        } catch (UnansweredChanges.UnknownOutcomeException unknown) {
            boolean asksForRun = change.after().requests().runNow() != null
                    && !change.after()
                            .requests()
                            .runNow()
                            .equals(change.before().requests().runNow());
            if (asksForRun) {
                throw unknown;
            }
            return false;
        }
    }

    /** As {@link #meant}, of live jobs. */
    StoredJob live(String key, @Nullable SeenJob seen) {
        return meant(key, FindScope.LIVE, seen);
    }

    /**
     * The job of a key.
     *
     * @param seen the one that is meant; absent = the one that has the key
     * @throws JobNotFoundException if there is none, or another job has the key
     * @throws StaleJobException if it has another version than was seen
     */
    StoredJob meant(String key, FindScope scope, @Nullable SeenJob seen) {
        StoredJob found = jobs.find(key, scope).orElseThrow(() -> new JobNotFoundException(key));
        if (!isMeant(found, seen)) {
            throw another(found, Objects.requireNonNull(seen));
        }
        return found;
    }

    private static boolean isMeant(StoredJob job, @Nullable SeenJob seen) {
        return seen == null
                || seen.document().equals(job.id())
                        && (seen.version() == null
                                || seen.version() == job.specification().version());
    }

    /** Why the job of the key is not the one that was seen. */
    private static RuntimeException another(StoredJob found, SeenJob seen) {
        Long version = seen.document().equals(found.id()) ? seen.version() : null;
        return version == null
                ? JobNotFoundException.replaced(found.key())
                : new StaleJobException(
                        found.key(), version, found.specification().version());
    }

    private RuntimeException missing(String key, @Nullable SeenJob seen) {
        return Optional.ofNullable(seen)
                .flatMap(meant -> jobs.find(key, FindScope.LIVE).map(found -> another(found, meant)))
                .orElseGet(() -> new JobNotFoundException(key));
    }

    /** Tries again as long as others are faster. */
    private static StoredJob tried(String key, Supplier<Optional<StoredJob>> change) {
        for (int i = 0; i < MOST_TRIES; i++) {
            Optional<StoredJob> done = change.get();
            if (done.isPresent()) {
                return done.get();
            }
        }
        throw tooManyTries(key);
    }

    static ContendedException tooManyTries(String key) {
        return new ContendedException("job '" + key + "' was changed by others " + MOST_TRIES
                + " times while this change was tried; nothing was written");
    }

    /** Others were faster each time. */
    static final class ContendedException extends IllegalStateException {
        private ContendedException(String message) {
            super(message);
        }
    }
}
