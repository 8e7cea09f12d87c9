package dev.almanac.behaviour;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.SimulationLedger.Note;
import dev.almanac.behaviour.SimulationLedger.Run;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.FindScope;
import dev.almanac.model.History;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Outcome;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.JobStore;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.time.ManualTime;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The stored calendars of a simulation. One closes some of the fires of jobs and is edited again and again: every fire that
 * ran was open, and every open fire ran, under a version that a node could know when it decided; one that waits for an open
 * instant ran once, however often that was moved; and when all is at rest, what stands is planned by the last version. The other one is put and deleted while a job is stored that names it: both
 * never succeed (rule C5).
 */
final class SimulationCalendars {
    /** Of jobs that run. */
    static final String DAYS = "days";
    /** Of a job that comes and goes. */
    private static final String SIDE = "side";
    /** A job that is not due for long. */
    private static final String STANDING = "standing";

    /** A job whose fires wait for the first open instant. */
    private static final String WAITING = "waiting";

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration PAST_THE_MINUTE = Duration.ofSeconds(5);
    private static final String STRANGER = "stranger";
    private static final String CLOSED = "closed";
    private static final int SLOT = 15;
    private static final int SLOTS = 7;
    private static final Instant LATER = Simulation.START.plus(Duration.ofDays(1));
    /** A claim, or the end of a run, is decided by a reading that is not older, and a start comes not later after that. */
    private static final Duration READ = Duration.ofMillis(2_500);
    /** By which an estimate of the server's time may be wrong. */
    private static final Duration CLOCK_ERROR = Duration.ofMillis(1_750);

    private final ManualTime time;
    private final SplittableRandom random;
    private final JobStore truth;
    private final SimulationLedger ledger;
    private final SimulationServer server;
    private final List<Version> versions = new ArrayList<>();
    /** Fires whose run was begun once, by document: what comes then is no question of calendars. */
    private final Set<String> begun = new HashSet<>();
    /** The fire that has run in the place of each nominal one of the job that waits. */
    private final Map<Instant, Instant> waited = new HashMap<>();
    /** Documents of which a user was told that they are stored. */
    private final Set<String> saved = new HashSet<>();
    /** Versions of which a user was told that the calendar is deleted by them. */
    private final Set<Long> deleted = new HashSet<>();

    /** What was closed from a moment on. */
    private record Version(Instant from, Set<Integer> closed) {
        boolean closes(Instant fire) {
            return closed.contains(slot(fire));
        }
    }

    private record Closed(Set<Integer> slots) implements ExclusionCalendar {
        @Override
        public boolean isIncluded(Instant instant, ZoneId jobZone) {
            return !slots.contains(slot(instant));
        }

        @Override
        public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone) {
            Instant at = from;
            for (int i = 0; i < SLOTS; i++) {
                if (isIncluded(at, jobZone)) {
                    return Optional.of(at);
                }
                at = Instant.ofEpochSecond((Math.floorDiv(at.getEpochSecond(), SLOT) + 1) * SLOT);
            }
            return Optional.empty();
        }
    }

    SimulationCalendars(ManualTime time, SplittableRandom random, SimulationServer server, SimulationLedger ledger) {
        this.time = time;
        this.random = random;
        this.server = server;
        this.truth = server.truth();
        this.ledger = ledger;
        ledger.onBegin(this::judgeStart);
    }

    static int slot(Instant instant) {
        return Math.floorMod(Math.floorDiv(instant.getEpochSecond(), SLOT), SLOTS);
    }

    /** What nodes make of a definition. */
    static ExclusionCalendar read(Map<String, Object> definition) {
        return new Closed(closed(definition));
    }

    private static Set<Integer> closed(Map<String, Object> definition) {
        Set<Integer> slots = new HashSet<>();
        ((List<?>) definition.get(CLOSED)).forEach(slot -> slots.add((Integer) slot));
        return slots;
    }

    /** Most recurring jobs ask the calendar that is edited. */
    static void add(JobSpecificationBuilder job, SplittableRandom random) {
        if (random.nextInt(5) > 0) {
            job.calendar(DAYS);
        }
    }

    private Map<String, Object> draw() {
        Set<Integer> slots = new TreeSet<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            slots.add(random.nextInt(SLOTS));
        }
        return Map.of(CLOSED, List.copyOf(slots));
    }

    /** Before anything else: the calendar, a job that is planned anew, and one that waits. */
    void store(Scheduler client) {
        client.calendars().put(DAYS, draw());
        client.scheduleJob(job(WAITING)
                .schedulingSpecification(PAST_THE_MINUTE.toSeconds() + " * * * * ?")
                .calendar(DAYS)
                .calendarPolicy(CalendarPolicy.NEXT_INCLUDED)
                .build());
        client.scheduleJob(job(STANDING)
                .schedulingSpecification("0/15 * * * * ?")
                .startAt(LATER)
                .calendar(DAYS)
                .build());
    }

    private static JobSpecificationBuilder job(String key) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("simulation")
                .triggerCommand(new Note(0, 0))
                .triggerIdentifier(key);
    }

    /** One of the things that users do to calendars, by requests that nobody waits for. */
    void disturb(Scheduler client, Consumer<Runnable> request) {
        switch (random.nextInt(8)) {
            case 0, 1, 2, 3 -> {
                Map<String, Object> definition = draw();
                request.accept(() -> client.calendars().put(DAYS, definition));
            }
            case 4 -> request.accept(() -> client.cancelJob(STRANGER));
            case 5 -> request.accept(() -> client.calendars().put(SIDE, Map.of(CLOSED, List.of(1))));
            case 6 -> request.accept(() -> save(client));
            default -> {
                request.accept(() -> save(client));
                request.accept(() -> delete(client));
            }
        }
    }

    private void save(Scheduler client) {
        client.scheduleJob(job(STRANGER)
                .schedulingSpecification("0/15 * * * * ?")
                .startAt(LATER)
                .calendar(SIDE)
                .build());
        truth.find(STRANGER, FindScope.LIVE).ifPresent(job -> saved.add(job.id()));
        judgeStranger();
    }

    private void delete(Scheduler client) {
        if (client.calendars().delete(SIDE)) {
            side().filter(StoredCalendar::deleted).ifPresent(calendar -> deleted.add(calendar.version()));
            judgeStranger();
        }
    }

    private Optional<StoredCalendar> side() {
        return truth.cluster().calendars().stream()
                .filter(calendar -> calendar.name().equals(SIDE))
                .findFirst();
    }

    private void judgeStranger() {
        boolean gone = side().filter(calendar -> calendar.deleted() && deleted.contains(calendar.version()))
                .isPresent();
        boolean there = truth.find(STRANGER, FindScope.LIVE)
                .filter(job -> saved.contains(job.id()))
                .isPresent();
        if (gone && there) {
            ledger.complain("a job was stored and the calendar was deleted that it names, and both succeeded");
        }
    }

    /** The way to the store on which edits are seen. */
    JobStore watching(JobStore door) {
        return withCluster(
                door,
                cluster -> StoreHook.over(ClusterStore.class, cluster, (method, arguments, call) -> {
                    Object answer = call.proceed();
                    if (method.equals("putCalendar") && Boolean.TRUE.equals(answer)) {
                        StoredCalendar put = (StoredCalendar) arguments[0];
                        if (put.name().equals(DAYS)) {
                            versions.add(new Version(time.wall(), closed(put.definition())));
                        }
                    }
                    return answer;
                }));
    }

    /** The store with another way to what the nodes share. */
    static JobStore withCluster(JobStore store, UnaryOperator<ClusterStore> way) {
        ClusterStore cluster = way.apply(store.cluster());
        return StoreHook.over(store, (method, arguments, call) -> method.equals("cluster") ? cluster : call.proceed());
    }

    private Stream<Version> inForce(Instant from, Instant to) {
        List<Version> some = new ArrayList<>();
        for (int i = 0; i < versions.size(); i++) {
            boolean over = i + 1 < versions.size() && versions.get(i + 1).from().isBefore(from);
            if (!over && !versions.get(i).from().isAfter(to)) {
                some.add(versions.get(i));
            }
        }
        return some.stream();
    }

    private boolean wasOpen(Instant fire, Instant from, Instant to) {
        return inForce(from, to).anyMatch(version -> !version.closes(fire));
    }

    private boolean wasClosed(Instant fire, Instant from, Instant to) {
        return inForce(from, to).anyMatch(version -> version.closes(fire));
    }

    /** What begins is open, as far as a node could know; a run that was cut short begins again whatever calendars say. */
    private void judgeStart(Run run) {
        if (run.job().equals(WAITING) && isPlanned(run)) {
            judgeWaited(run.fire());
            return;
        }
        boolean first = begun.add(run.id() + " " + run.fire());
        StoredJob job = truth.load(List.of(run.id())).stream().findFirst().orElse(null);
        if (!first || job == null || !isAsked(job) || !isPlanned(run)) {
            return;
        }
        Instant now = time.wall();
        if (!wasOpen(run.fire(), now.minus(READ), now) && !wasAbandoned(rows(job), run)) {
            ledger.complain(run.job() + " was started at " + now + " for " + run.fire() + ", which is closed since "
                    + versions.get(versions.size() - 1).from() + " or before");
        }
    }

    /** A fire that an edit has moved behind its run would be that one once more (rule C4). */
    private void judgeWaited(Instant fire) {
        Duration behind = Duration.between(Simulation.START.plus(PAST_THE_MINUTE), fire);
        Instant nominal = fire.minus(Duration.ofMillis(Math.floorMod(behind.toMillis(), MINUTE.toMillis())));
        Instant other = waited.putIfAbsent(nominal, fire);
        if (other != null && !other.equals(fire)) {
            ledger.complain(WAITING + " ran for " + other + " and for " + fire + ", both in the place of " + nominal);
        }
    }

    private static boolean isAsked(StoredJob job) {
        return job.specification().calendars().contains(DAYS);
    }

    private boolean isPlanned(Run run) {
        return !run.what().equals(SimulationUsers.SORRY) && !server.isByHand(run.id(), run.fire());
    }

    private static boolean wasAbandoned(List<JobExecutionStatus> rows, Run run) {
        return rows.stream()
                .anyMatch(row -> row.outcome() == Outcome.ABANDONED
                        && row.claimSeq() <= run.fencing()
                        && run.fire().equals(row.fireTime()));
    }

    /** With those that the document shows, and that may be about to come. */
    private List<JobExecutionStatus> rows(StoredJob job) {
        return Stream.concat(truth.rows(RowQuery.ofDocument(job.id(), 10_000)).stream(), job.shownRows().stream())
                .toList();
    }

    /**
     * Whether a fire that did not run, and is not on record as missed, was left out for a calendar.
     *
     * @param rows of the job
     */
    boolean leavesOut(StoredJob job, List<JobExecutionStatus> rows, Instant fire) {
        if (!isAsked(job)) {
            return false;
        }
        // a claim follows the row of the one before it, whose decision was not stored
        List<Instant> decided = rows.stream()
                .filter(row -> row.outcome() == Outcome.EXCLUDED && fire.equals(row.fireTime()))
                .map(JobExecutionStatus::updatedTime)
                .toList();
        if (!decided.isEmpty()) {
            return decided.stream()
                    .anyMatch(at -> wasClosed(fire, at.minus(READ).minus(CLOCK_ERROR), at.plus(CLOCK_ERROR)));
        }
        Instant passed = passed(job, rows, fire);
        return wasClosedAtReplan(rows, fire, passed)
                || wasClosed(
                        fire,
                        isExact(job, rows) && !isCutOff(job, rows, fire)
                                ? claimed(job, fire, passed).minus(READ).minus(CLOCK_ERROR)
                                : before(job, fire),
                        passed);
    }

    /** When the run that began then was claimed: from there on no edit moves the plan. */
    private Instant claimed(StoredJob job, Instant fire, Instant began) {
        return runs(job)
                .filter(run -> run.fire().isAfter(fire) && began.equals(run.begun()))
                .map(run -> server.claim(run.id(), run.fencing()))
                .filter(Objects::nonNull)
                .map(SimulationServer.Claim::at)
                .min(Instant::compareTo)
                .orElse(began);
    }

    /** Whether an edit of the calendar had the job planned past the fire, before a later fire began. */
    private boolean wasClosedAtReplan(List<JobExecutionStatus> rows, Instant fire, Instant passed) {
        return rows.stream()
                .filter(row -> row.outcome() == Outcome.REPLANNED
                        && row.nextFireTime() != null
                        && row.nextFireTime().isAfter(fire))
                .map(JobExecutionStatus::updatedTime)
                .filter(at -> at.isBefore(passed))
                .max(Instant::compareTo)
                .filter(at -> wasClosed(fire, at.minus(READ).minus(CLOCK_ERROR), at.plus(CLOCK_ERROR)))
                .isPresent();
    }

    /** Whether rows tell of each step of the plan, and nothing but calendars and runs has moved it. */
    private static boolean isExact(StoredJob job, List<JobExecutionStatus> rows) {
        return job.specification().history() == History.ALL
                && rows.stream()
                        .noneMatch(row -> row.outcome() == Outcome.ABANDONED || row.outcome() == Outcome.BLOCKED);
    }

    /** Whether a cancel ended the next fire before its claim: no calendar was asked for it since the plan was made. */
    private boolean isCutOff(StoredJob job, List<JobExecutionStatus> rows, Instant fire) {
        return runs(job).noneMatch(run -> run.fire().isAfter(fire))
                && rows.stream()
                        .anyMatch(row -> row.executionStatus() == ExecutionStatus.CANCELED
                                && row.fireTime() != null
                                && row.fireTime().isAfter(fire));
    }

    /** When the plan was decided that went past the fire: as a later fire began, or was left out or missed, or the job ended. */
    private Instant passed(StoredJob job, List<JobExecutionStatus> rows, Instant fire) {
        Stream<Instant> runs =
                runs(job).filter(run -> run.fire().isAfter(fire)).map(run -> Objects.requireNonNull(run.begun()));
        Stream<Instant> others = rows.stream()
                .filter(row -> row.outcome() == Outcome.EXCLUDED || row.outcome() == Outcome.MISSED)
                .filter(row -> row.fireTime() != null && row.fireTime().isAfter(fire)
                        || row.missed() != null && row.missed().first().isAfter(fire))
                .map(JobExecutionStatus::updatedTime);
        return Stream.concat(runs, others)
                .min(Instant::compareTo)
                .orElse(job.lastStatus().updatedTime().plus(CLOCK_ERROR));
    }

    private Instant before(StoredJob job, Instant fire) {
        return runs(job)
                .filter(run -> run.fire().isBefore(fire))
                .map(Run::begun)
                .max(Instant::compareTo)
                .orElse(Simulation.START)
                .minus(READ);
    }

    private Stream<Run> runs(StoredJob job) {
        return ledger.runs().stream().filter(run -> run.id().equals(job.id()) && isPlanned(run));
    }

    /** When all is at rest, what stands is planned by the last version. */
    void judge() {
        judgeStranger();
        StoredJob job = truth.find(STANDING, FindScope.LIVE).orElseThrow();
        Instant next = new Closed(versions.get(versions.size() - 1).closed())
                .nextIncluded(LATER, ZoneId.of("UTC"))
                .orElseThrow();
        if (!next.equals(job.plan().nextFireTime())) {
            ledger.complain(
                    STANDING + " is planned for " + job.plan().nextFireTime() + ", and by its calendar for " + next);
        }
    }
}
