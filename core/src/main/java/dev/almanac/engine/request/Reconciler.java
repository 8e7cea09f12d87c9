package dev.almanac.engine.request;

import dev.almanac.engine.port.JobPages;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.BatchSplit;
import dev.almanac.engine.rules.FirePlanner;
import dev.almanac.engine.rules.PlainValues;
import dev.almanac.engine.rules.Releases;
import dev.almanac.engine.rules.RequestDecider;
import dev.almanac.engine.rules.SpecificationCheck;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.FindScope;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MassCancelException;
import dev.almanac.model.Problem;
import dev.almanac.model.ReconcileOptions;
import dev.almanac.model.ReconcileResult;
import dev.almanac.store.DamagedJobException;
import dev.almanac.store.DeclaredJobs;
import dev.almanac.store.PersonalChange;
import dev.almanac.store.StoredJob;
import dev.almanac.text.Fingerprint;
import dev.almanac.text.Printable;
import dev.almanac.time.PlannedFire;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the stored jobs of one application those that it declares (rule R13). Several nodes may do the same at once: a
 * job is created once, since its key is unique, and equal contents change nothing. Thread-safe.
 */
final class Reconciler {
    private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);
    private static final int PAGE = 500;
    private static final String FIRES = " fires ";
    private static final String BEGINS = " from ";

    /** Of the hash of a schedule; stored lists have it. */
    private static final int SCHEDULE_BYTES = 12;

    /** Behind a schedule to which the default calendar does not apply. */
    private static final String WITHOUT_DEFAULT = " without the default calendar";

    /** In place of the schedule of a job that was cancelled since it was not declared: it is created again while it can fire. */
    private static final String CANCELED = "canceled";

    /** A remembered schedule; without a count it is unbounded. */
    private static final Pattern KNOWN =
            Pattern.compile("(\\S+)(?:" + FIRES + "(\\d{1,10}))?(?:" + BEGINS + "(\\S+))?");

    /** Of the list of an application's jobs that end by themselves, which is one document. */
    private static final long LARGEST_LIST = 2 << 20;

    private final Node node;
    private final Admission check;
    private final Registrar registrar;

    Reconciler(Node node, Admission check, Registrar registrar) {
        this.node = node;
        this.check = check;
        this.registrar = registrar;
    }

    private enum Step {
        CREATE,
        UPDATE,
        NONE
    }

    /**
     * A declared job.
     *
     * @param initialDelay from its creation to its {@code startAt}; absent = it has none, or a beginning of its own
     */
    private record Declared(JobSpecification job, @Nullable Duration initialDelay) {
        String key() {
            return job.jobSpecificationKey();
        }

        /** As it is created now. */
        JobSpecification created(Instant now) {
            return initialDelay == null
                    ? job
                    : job.toBuilder().startAt(now.plus(initialDelay)).build();
        }

        /**
         * As it replaces a stored job: one of now has the moment at which it was stored, unless that lies ahead, and one with
         * an initial delay begins when the stored one does, if its schedule stays.
         *
         * @param kept leaves pinned fields as they are stored
         */
        JobSpecification replacing(StoredJob stored, Instant now, UnaryOperator<JobSpecification> kept) {
            JobSpecification before = stored.specification();
            if (initialDelay != null) {
                JobSpecification begun =
                        job.toBuilder().startAt(before.startAt().orElse(null)).build();
                return FirePlanner.hasSameText(kept.apply(begun), before) ? begun : created(now);
            }
            Instant moment = before.singleSchedule().orElse(null);
            boolean wasNow = job.isNow()
                    && Registrar.wasNow(before)
                    && Cancellation.isOf(stored, job.applicationTag().orElse(null));
            return wasNow ? job.toBuilder().singleSchedule(moment).build() : job;
        }
    }

    /**
     * @throws InvalidJobException with the problems of all declared jobs; nothing was written
     * @throws MassCancelException if it would cancel most jobs, and may not; nothing was written
     */
    ReconcileResult reconcile(String applicationTag, Collection<JobSpecification> declared, ReconcileOptions options) {
        List<Problem> problems = new ArrayList<>();
        Map<String, Declared> wanted = wanted(applicationTag, declared, options.initialDelays(), problems);
        Map<String, String> schedules = schedules(applicationTag, wanted);
        for (int tries = 0; tries < Registrar.MOST_TRIES; tries++) {
            DeclaredJobs last = node.store().cluster().declared(applicationTag);
            if (isOutdated(applicationTag, last.release(), options.release())) {
                refuse(applicationTag, problems);
                List<String> none = List.of();
                return new ReconcileResult(none, none, none, none, none, options.dryRun(), false, last.release());
            }
            Optional<ReconcileResult> done = reconcile(applicationTag, wanted, problems, schedules, last, options);
            if (done.isPresent()) {
                return done.get();
            }
        }
        throw new IllegalStateException("application " + applicationTag + " was declared by others again and again");
    }

    /**
     * Empty if another release has begun to declare since the last one was read; nothing was changed.
     *
     * @param known what is wrong with the declaration by itself
     */
    private Optional<ReconcileResult> reconcile(
            String applicationTag,
            Map<String, Declared> wanted,
            List<Problem> known,
            Map<String, String> schedules,
            DeclaredJobs last,
            ReconcileOptions options) {
        boolean dryRun = options.dryRun();
        Map<String, Integer> lives = lives(wanted.keySet());
        Map<String, StoredJob> stored = stored(applicationTag);
        Map<String, Step> steps =
                steps(applicationTag, wanted, known, stored, last.schedules(), options.leaveDamaged());
        List<String> live = stored.values().stream()
                .filter(job -> !job.requests().cancelRequested())
                .map(StoredJob::key)
                .toList();
        List<String> undeclared =
                live.stream().filter(key -> !wanted.containsKey(key)).toList();
        List<String> gone = options.keepUndeclared() ? List.of() : undeclared;
        List<String> kept = options.keepUndeclared() ? undeclared : List.of();
        boolean mass = MassCancelException.isMass(gone.size(), live.size());
        if (mass && !dryRun && !options.allowMassCancel()) {
            throw new MassCancelException(applicationTag, gone, live.size());
        }
        List<String> canceled = dryRun ? gone : new ArrayList<>();
        if (!dryRun) {
            DeclaredJobs begun = announced(applicationTag, last, options.release());
            if (begun == null) {
                return Optional.empty();
            }
            carryOut(steps, wanted, lives, last.schedules());
            writeLeftOutRows(stored.values().stream()
                    .filter(job -> steps.get(job.key()) == Step.NONE)
                    .toList());
            List<Boolean> done =
                    node.pipeline().each(gone, key -> key, key -> registrar.cancelOwn(key, applicationTag));
            IntStream.range(0, gone.size()).filter(done::get).forEach(i -> canceled.add(gone.get(i)));
            UnaryOperator<Map<String, String>> all =
                    former -> withFormer(schedules, former, wanted.keySet(), Set.copyOf(canceled));
            remember(applicationTag, begun, all, options.release());
        }
        return Optional.of(new ReconcileResult(
                with(steps, Step.CREATE),
                with(steps, Step.UPDATE),
                with(steps, Step.NONE),
                canceled,
                kept,
                dryRun,
                mass,
                null));
    }

    /** Whether a higher release has declared before: in a rollout, nodes of the older one change nothing (rule S26). */
    private static boolean isOutdated(String tag, @Nullable String newest, @Nullable String release) {
        boolean outdated = isHigher(newest, release);
        if (outdated) {
            LOG.warn(
                    "release {} of application '{}' declares nothing, since the higher release {} has declared, whose jobs"
                            + " stay as they are; to go back, declare under a name that is higher than {}, or under one"
                            + " without order, such as rollback-7",
                    Printable.value(release),
                    Printable.value(tag),
                    Printable.value(newest),
                    Printable.value(newest));
        }
        return outdated;
    }

    private static boolean isHigher(@Nullable String newest, @Nullable String release) {
        return newest != null && release != null && Releases.compare(release, newest) < 0;
    }

    /**
     * Stores a new release before its changes, so that nodes of an older one that start meanwhile make none. Absent if
     * another one was stored since, whose jobs the list may have.
     */
    private @Nullable DeclaredJobs announced(String tag, DeclaredJobs last, @Nullable String release) {
        if (release == null) {
            return last;
        }
        if (release.equals(last.release())) {
            DeclaredJobs now = node.store().cluster().declared(tag);
            return isHigher(now.release(), release) ? null : last;
        }
        DeclaredJobs next = last.next(release, last.schedules());
        return node.store().cluster().declare(tag, next) ? next : null;
    }

    /** @param lives those that the keys had before their jobs were read */
    private void carryOut(
            Map<String, Step> steps,
            Map<String, Declared> wanted,
            Map<String, Integer> lives,
            Map<String, String> remembered) {
        List<String> differing = steps.keySet().stream()
                .filter(key -> steps.get(key) != Step.NONE)
                .toList();
        List<Step> done = node.pipeline()
                .each(
                        differing,
                        key -> key,
                        key -> carryOut(steps.get(key), wanted.get(key), lives.get(key), remembered.get(key)));
        IntStream.range(0, done.size()).forEach(i -> steps.put(differing.get(i), done.get(i)));
    }

    /**
     * A job is created as the life that follows the one that was read before it was looked for, and an update creates none: one
     * that another node has created since, and that may have ended, is looked at again.
     *
     * @return what was done in the end
     */
    private Step carryOut(Step first, Declared job, @Nullable Integer before, @Nullable String known) {
        String key = job.key();
        Step step = first;
        Integer life = before;
        for (int tries = 0; tries < Registrar.MOST_TRIES; tries++) {
            boolean done = switch (step) {
                case CREATE -> isCreated(job, life == null ? 0 : life + 1);
                case UPDATE -> isUpdated(job, known);
                case NONE -> true;
            };
            if (done) {
                return step;
            }
            life = node.store().lastLife(key).orElse(null);
            step = step(job, null, node.store().newest(List.of(key)).get(key), known);
        }
        throw Registrar.tooManyTries(key);
    }

    private boolean isCreated(Declared job, int life) {
        SpecificationCheck.Accepted accepted;
        try {
            Instant now = node.clock().now();
            accepted = check.accept(job.created(now), now, null);
        } catch (InvalidJobException late) {
            // as for a one-off that lies too long ago by now, and that another node may have created
            return false;
        }
        return registrar.createOwn(accepted, life);
    }

    /**
     * Decided, and planned, once more: the step was found by a list, before the first change, and what is written is decided on
     * the document that its revision guards.
     */
    private boolean isUpdated(Declared job, @Nullable String known) {
        return node.store()
                .find(job.key(), FindScope.LIVE)
                .filter(live -> step(job, live, null, known) == Step.UPDATE)
                .map(live -> registrar.replaceOwn(
                        live, replacing(job, live, node.clock().now())))
                .orElse(false);
    }

    private JobSpecification replacing(Declared job, StoredJob stored, Instant now) {
        return job.replacing(stored, now, given -> registrar.kept(stored, given));
    }

    /** Rows are written from documents that a majority has, which a list does not promise. */
    private void writeLeftOutRows(List<StoredJob> unchanged) {
        List<String> ids = unchanged.stream()
                .filter(job -> job.revision().isOfUser())
                .map(StoredJob::id)
                .toList();
        BatchSplit.parts(ids, PAGE)
                .forEach(part -> registrar.writeLeftOutRows(node.store().load(part)));
    }

    private static List<String> with(Map<String, Step> steps, Step step) {
        return steps.entrySet().stream()
                .filter(entry -> entry.getValue() == step)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** @param problems receives what is wrong with tags and keys */
    private static Map<String, Declared> wanted(
            String tag,
            Collection<JobSpecification> declared,
            Map<String, Duration> initialDelays,
            List<Problem> problems) {
        Map<String, Declared> wanted = new TreeMap<>();
        for (JobSpecification job : declared) {
            String key = String.valueOf(job.jobSpecificationKey());
            String own = job.applicationTag().orElse(null);
            if (own != null && !own.equals(tag)) {
                problems.add(new Problem(key + ": applicationTag", own, "R13", "is not '" + tag + "'; leave it out"));
            }
            JobSpecification tagged =
                    job.toBuilder().applicationTag(tag).version(0).build();
            boolean twice = wanted.put(key, new Declared(tagged, initialDelays.get(key))) != null;
            // the check of each job refuses those without a key
            if (twice && job.jobSpecificationKey() != null) {
                problems.add(new Problem(key + ": jobSpecificationKey", key, "R13", "is declared twice"));
            }
        }
        return wanted;
    }

    private static void refuse(String tag, List<Problem> problems) {
        if (!problems.isEmpty()) {
            throw new InvalidJobException("of application " + tag, problems);
        }
    }

    private Map<String, Integer> lives(Collection<String> keys) {
        Map<String, Integer> lives = new HashMap<>();
        BatchSplit.parts(List.copyOf(keys), PAGE)
                .forEach(part -> lives.putAll(node.store().lastLives(part)));
        return lives;
    }

    private Map<String, StoredJob> stored(String tag) {
        Map<String, StoredJob> stored = new TreeMap<>();
        JobPages.jobs(node.store(), JobQuery.ofApplication(tag).limit(PAGE)).forEach(job -> stored.put(job.key(), job));
        return stored;
    }

    /**
     * The steps for the declared jobs; all jobs are checked before the first step.
     *
     * @param known what is wrong with the declaration by itself, said together with what is wrong with its jobs
     */
    private Map<String, Step> steps(
            String tag,
            Map<String, Declared> wanted,
            List<Problem> known,
            Map<String, StoredJob> stored,
            Map<String, String> remembered,
            boolean leaveDamaged) {
        Map<String, Step> steps = new TreeMap<>();
        Set<String> damaged = new HashSet<>();
        Map<String, StoredJob> others = others(wanted.keySet(), stored.keySet(), leaveDamaged ? damaged : null);
        List<Problem> problems = new ArrayList<>(known);
        wanted.forEach((key, job) -> {
            if (damaged.contains(key)) {
                steps.put(key, Step.NONE);
                return;
            }
            try {
                steps.put(key, step(job, stored.get(key), others.get(key), remembered.get(key)));
            } catch (InvalidJobException e) {
                e.problems()
                        .forEach(p ->
                                problems.add(new Problem(key + ": " + p.field(), p.value(), p.rule(), p.advice())));
            }
        });
        refuse(tag, problems);
        return steps;
    }

    /**
     * What the keys have that no live job of the application has: finished jobs, and those of others.
     *
     * @param damaged receives the keys of documents that cannot be read; absent = these are refused
     */
    private Map<String, StoredJob> others(
            Collection<String> wanted, Collection<String> stored, @Nullable Set<String> damaged) {
        List<String> keys = wanted.stream().filter(key -> !stored.contains(key)).toList();
        Map<String, StoredJob> others = new HashMap<>();
        for (List<String> part : BatchSplit.parts(keys, PAGE)) {
            List<String> left = new ArrayList<>(part);
            for (boolean read = false; !read; ) {
                try {
                    others.putAll(node.store().newest(left));
                    read = true;
                } catch (DamagedJobException e) {
                    if (damaged == null || !left.remove(e.job().key())) {
                        throw e;
                    }
                    damaged.add(e.job().key());
                    LOG.warn("a declared job is left as it is stored: {}", Printable.value(e.getMessage()));
                }
            }
        }
        return others;
    }

    /**
     * @param stored the live job that the application has
     * @param other what else has the key
     * @param known the schedule that the application has declared for it before
     */
    private Step step(
            Declared declared, @Nullable StoredJob stored, @Nullable StoredJob other, @Nullable String known) {
        Instant now = node.clock().now();
        JobSpecification job = declared.job();
        if (stored != null) {
            JobSpecification replacing = replacing(declared, stored, now);
            JobSpecification kept = registrar.declared(stored, replacing);
            if (kept != replacing) {
                LOG.info(
                        "job '{}' is declared, but for what is pinned: {}",
                        Printable.value(stored.key()),
                        Printable.value(String.valueOf(
                                PersonalChange.pins(stored.requests().personal(), now))));
            }
            if (isKnown(job, known, now) && isOver(kept, stored, now)) {
                LOG.info(
                        "job '{}' is declared for a moment that has passed, and is left as it is",
                        Printable.value(stored.key()));
                return Step.NONE;
            }
            if (RequestDecider.lowersMaxFires(stored, kept)) {
                LOG.warn(
                        "job '{}' is declared with maxFires {}, and {} fires have ended: it is left as it is; cancel it, or"
                                + " allow more",
                        Printable.value(stored.key()),
                        FirePlanner.most(kept),
                        stored.plan().firesEnded());
                return Step.NONE;
            }
            var accepted = check.accept(kept, now, stored.specification());
            var change = RequestDecider.replace(stored, accepted, node.context());
            return change.isPresent() ? Step.UPDATE : Step.NONE;
        }
        if (other != null && other.isLive()) {
            Registrar.refuseForeign(other, job.applicationTag().orElse(null));
            // another node has just created it, or the list was read before it was known here
            return step(declared, other, null, known);
        }
        boolean declaredBefore = endsByItself(job) && isKnown(job, known, now);
        if (other == null ? declaredBefore : isSpent(declared, other, declaredBefore, now)) {
            return Step.NONE;
        }
        try {
            check.accept(declared.created(now), now, null);
            return Step.CREATE;
        } catch (InvalidJobException e) {
            if (other == null && known != null && isGone(job, now)) {
                LOG.warn(
                        "job '{}' was declared before, and is declared for a moment that has passed: it is not created",
                        Printable.value(job.jobSpecificationKey()));
                return Step.NONE;
            }
            throw e;
        }
    }

    /**
     * Whether it is a one-off of the past, which keeps no service from starting that goes back to an earlier release.
     *
     * @throws InvalidJobException with its other problems
     */
    private boolean isGone(JobSpecification job, Instant now) {
        if (job.isRecurring()) {
            return false;
        }
        JobSpecification ofNow = job.toBuilder()
                .singleSchedule(now)
                .calendars(List.of())
                .startAt(null)
                .endAt(null)
                .build();
        ZoneId zone = Objects.requireNonNull(
                check.accept(ofNow, now, null).specification().zoneId());
        Instant moment = moment(job, zone);
        return moment != null && isPast(moment, now);
    }

    /**
     * Whether a declared job has come to its end, so that it is not created again at each start of the service: its own
     * one, or by a cancel if it could not fire any more. One with {@code maxFires} has not if it may fire more often now;
     * the pin of a person has ended with the finished job.
     *
     * @param declaredBefore whether it is declared as before: the finished job may have had another schedule in the end, by
     *     a change of a person
     */
    private boolean isSpent(Declared job, StoredJob finished, boolean declaredBefore, Instant now) {
        boolean canceled = finished.lastStatus().executionStatus() == ExecutionStatus.CANCELED;
        Integer most = FirePlanner.most(finished.specification());
        boolean mayFire = most != null && isMore(FirePlanner.most(job.job()), most);
        if (!canceled && declaredBefore) {
            return true;
        }
        var accepted = check.accept(replacing(job, finished, now), now, finished.specification());
        boolean past = isPast(accepted, now);
        boolean over = canceled
                ? past && Cancellation.isOf(finished, job.job().applicationTag().orElse(null))
                : past || !mayFire;
        return over && accepted.specification().hasSameSchedule(finished.specification());
    }

    /**
     * Whether a job is declared for a moment that has passed, which only its stored schedule may have. If it was declared for
     * it before, what lives is its rerun, or was moved by a person.
     */
    private boolean isOver(JobSpecification declared, StoredJob stored, Instant now) {
        Instant moment = moment(declared, zone(declared, stored));
        return moment != null
                && isPast(moment, now)
                && !stored.specification().singleSchedule().equals(Optional.of(moment));
    }

    /** When a one-off is declared to fire. */
    private static @Nullable Instant moment(JobSpecification declared, ZoneId zone) {
        return declared.singleSchedule()
                .or(() -> declared.singleScheduleLocal()
                        .map(local -> FirePlanner.resolve(local, zone, declared.daylightSavingPolicy())))
                .map(given -> given.truncatedTo(ChronoUnit.MILLIS))
                .orElse(null);
    }

    private static ZoneId zone(JobSpecification declared, StoredJob stored) {
        return Objects.requireNonNullElse(
                declared.zoneId(),
                Objects.requireNonNullElse(stored.specification().zoneId(), ZoneOffset.UTC));
    }

    /** Whether no fire is left, or that of a one-off lies too long ago to be accepted as new. */
    private boolean isPast(SpecificationCheck.Accepted accepted, Instant now) {
        PlannedFire first = accepted.firstFire();
        return first == null || isPast(first.fireTime(), now);
    }

    private boolean isPast(Instant moment, Instant now) {
        return moment.isBefore(now.minus(node.settings().pastAcceptanceWindow()));
    }

    /** The schedules of the jobs that end by themselves, by key. */
    private static Map<String, String> schedules(String tag, Map<String, Declared> wanted) {
        Map<String, String> schedules = new TreeMap<>();
        wanted.forEach((key, declared) -> {
            if (endsByItself(declared.job())) {
                schedules.put(key, schedule(declared.job()));
            }
        });
        long bytes = size(schedules.entrySet());
        if (bytes > LARGEST_LIST) {
            String advice = "the list of the jobs that end by themselves has " + bytes + " bytes, more than "
                    + LARGEST_LIST + "; declare recurring jobs, and schedule the others, or use several applications";
            refuse(tag, List.of(new Problem("jobs", String.valueOf(schedules.size()), "R13", advice)));
        }
        return schedules;
    }

    private static long size(Collection<Map.Entry<String, String>> schedules) {
        return PlainValues.size(schedules.stream()
                .map(job -> Map.of("key", job.getKey(), "schedule", job.getValue()))
                .toList());
    }

    /**
     * What is declared, and after it what was declared before, up to the size of a list: a release may leave a job out that the next
     * one declares again.
     *
     * @param wanted the keys of all declared jobs, also of those without an end
     * @param canceled the keys of those that were cancelled now
     */
    private static Map<String, String> withFormer(
            Map<String, String> declared, Map<String, String> former, Set<String> wanted, Set<String> canceled) {
        Map<String, String> all = new LinkedHashMap<>(declared);
        long bytes = size(declared.entrySet());
        for (Map.Entry<String, String> job : former.entrySet()) {
            if (wanted.contains(job.getKey())) {
                continue;
            }
            bytes += size(List.of(job));
            if (bytes > LARGEST_LIST) {
                break;
            }
            all.put(job.getKey(), canceled.contains(job.getKey()) ? CANCELED : job.getValue());
        }
        return all;
    }

    /**
     * Remembers jobs that end by themselves, so that they are not created again after their documents have expired. If
     * others have declared meanwhile, their release stays, and their list, too, if it is of a higher one.
     *
     * @param begun what was declared when the changes began
     * @param all makes the list of the one before
     */
    private void remember(
            String tag, DeclaredJobs begun, UnaryOperator<Map<String, String>> all, @Nullable String release) {
        DeclaredJobs last = begun;
        for (int tries = 0; tries < Registrar.MOST_TRIES; tries++) {
            Map<String, String> list = all.apply(last.schedules());
            // their order counts, too
            boolean same = List.copyOf(list.entrySet())
                    .equals(List.copyOf(last.schedules().entrySet()));
            if (same || node.store().cluster().declare(tag, last.next(last.release(), list))) {
                return;
            }
            last = node.store().cluster().declared(tag);
            if (isHigher(last.release(), release)) {
                LOG.warn(
                        "release {} of application '{}' has declared while the older release {} did, which may have changed"
                                + " its jobs: let it declare again",
                        Printable.value(last.release()),
                        Printable.value(tag),
                        Printable.value(release));
                return;
            }
        }
        throw new IllegalStateException("application " + tag + " was declared by others again and again");
    }

    static boolean endsByItself(JobSpecification job) {
        return !job.isRecurring() || job.maxFires().isPresent() || job.endAt().isPresent();
    }

    /** The schedule and, each by itself, how often it fires and its beginning, which counts only as long as it lies ahead (rule S15). */
    private static String schedule(JobSpecification job) {
        Integer most = FirePlanner.most(job);
        Instant start = job.startAt().orElse(null);
        return hash(job) + (most == null ? "" : FIRES + most) + (start == null ? "" : BEGINS + start);
    }

    /** Of what is declared: the default calendar is filled in later, so the flag that keeps it away counts. */
    private static String hash(JobSpecification job) {
        String schedule = job.toBuilder().startAt(null).build().scheduleText();
        boolean free = job.ignoreDefaultCalendar()
                && job.isRecurring()
                && job.calendars().isEmpty();
        return Fingerprint.of(free ? schedule + WITHOUT_DEFAULT : schedule, SCHEDULE_BYTES);
    }

    private static boolean isKnown(JobSpecification job, @Nullable String known, Instant now) {
        Matcher before = KNOWN.matcher(Objects.requireNonNullElse(known, ""));
        if (!before.matches() || !before.group(1).equals(hash(job))) {
            return false;
        }
        String most = before.group(2);
        String start =
                job.startAt().filter(now::isBefore).map(Instant::toString).orElse(null);
        return (start == null || start.equals(before.group(3)))
                && (most == null || !isMore(FirePlanner.most(job), Long.parseLong(most)));
    }

    /** @param most absent = without an end */
    private static boolean isMore(@Nullable Integer most, long before) {
        return most == null || most > before;
    }
}
