package dev.almanac.behaviour;

import dev.almanac.Health;
import dev.almanac.JobWriter;
import dev.almanac.Scheduler;
import dev.almanac.behaviour.SimulationLedger.NotNow;
import dev.almanac.behaviour.SimulationLedger.Note;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.ActionReport;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CancelResult;
import dev.almanac.model.FindScope;
import dev.almanac.model.Finding;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.model.StaleJobException;
import dev.almanac.runtime.Lane;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import dev.almanac.testkit.time.ManualLanes;
import dev.almanac.testkit.time.ManualTime;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The processes and the server of an exploration: the server, the ledger and the judges are those of {@link Simulation}, and
 * nothing is drawn. What may be disturbed is a {@link Point}: each call of the store, each call of users' code, and each
 * reading of the clock by the thread that decides.
 */
public final class ExploredWorld implements AutoCloseable {
    /** When every scenario begins. */
    public static final Instant START = Simulation.START;
    /** When its recurrences end. */
    public static final Instant END = START.plusSeconds(Simulation.LAST_FIRE);
    /** Who asks for what users want; the nodes follow. */
    public static final int CLIENT = 0;

    /** The point at which the kernel of a node reads its clock, in the middle of a step. */
    public static final String KERNEL = "kernel";

    private static final String NOT_PLANNED = "planning a fire has failed";

    /** How reasons of the health begin if what is called there throws or hangs. The kernel plans, too (rule N15). */
    private static final Map<String, List<String>> FAILURES = Map.of(
            "calendar",
            List.of(NOT_PLANNED, "planning jobs again has failed"),
            "listener",
            List.of("listener "),
            KERNEL,
            List.of(NOT_PLANNED, "a step of the kernel has failed"));

    private static final Set<String> NO_POINTS = Set.of("cluster", "commandCodec", "toString", "hashCode", "equals");
    private static final Duration STEP = Duration.ofSeconds(5);
    /** All of this time the nodes are well: longer than from one report of a node to the next. */
    private static final Duration SETTLED = Duration.ofSeconds(12);

    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final Duration STANDSTILL = Duration.ofSeconds(30);
    private static final Duration NEXT_PROCESS = Duration.ofSeconds(1);
    /** From an acknowledged pause to the last start (rule X10). */
    private static final Duration HOLDS = Duration.ofSeconds(1);

    private static final Duration WINDOW = Duration.ofSeconds(20);

    private final ManualTime time = new ManualTime(START);
    private final ManualLanes lanes = new ManualLanes(time);
    private final Lane wire = lanes.node().open("wire", 1);
    private final Lane outside = lanes.node().open("outside", 1);
    private final @Nullable Mutants mutant;
    private final Disturber disturber;
    private final SimulationFaults faults;
    private final SimulationServer server;
    private final SimulationLedger ledger;
    private final SimulationFollowUps followUps;
    private final SimulationJudge judge;
    private final List<Process> processes = new ArrayList<>();
    private final Process client;
    private final Lane requests;
    private final Map<String, JobSpecification> specifications = new LinkedHashMap<>();
    /** Claims whose end a node was told is stored, by document and number. */
    private final Set<String> ended = new HashSet<>();

    /** Of what the script asks for. */
    private final List<String> refusals = new ArrayList<>();

    private int points;
    private int pending;
    private boolean throwing;
    /** Jobs whose claim a user has taken away, so that its run may go on beside the next one. */
    private final Set<String> released = new HashSet<>();

    private boolean settled;

    /**
     * A place in a run of a scenario: the same number is the same place, up to the first fault.
     *
     * @param number of all points, from 1
     * @param node whose call it is
     * @param call the method of the store, or the users' code that is called
     */
    public record Point(int number, int node, String call) {}

    /** The call as it is. */
    @FunctionalInterface
    public interface Call {
        @Nullable
        Object proceed() throws Throwable;
    }

    /** Is asked at each point, and calls what is called there, or does not. */
    @FunctionalInterface
    public interface Disturber {
        @Nullable
        Object at(ExploredWorld world, Point point, Object[] arguments, Call call) throws Throwable;
    }

    /** One process. */
    private static final class Process implements TimeSource {
        private final ManualTime time;
        private final int number;
        private final ManualLanes.Node lanes;
        private final DecidingLanes shown;
        private @Nullable FaultyStore network;
        private @Nullable JobStore view;
        private @Nullable Scheduler scheduler;
        private Duration skew = Duration.ZERO;
        private boolean gone;
        private boolean drained;
        /** How reasons of its health may begin, since its code has failed so. */
        private final Set<String> failed = new HashSet<>();

        private Runnable read = () -> {};

        Process(ManualTime time, int number, ManualLanes.Node lanes) {
            this.time = time;
            this.number = number;
            this.lanes = lanes;
            this.shown = new DecidingLanes(lanes);
        }

        /** What is called there throws or hangs; that of a helper is no matter of health. */
        private void fails(String where) {
            failed.addAll(FAILURES.getOrDefault(where, List.of()));
        }

        @Override
        public Instant wall() {
            return time.wall().plus(skew);
        }

        @Override
        public long nanos() {
            if (shown.isDeciding()) {
                read.run();
            }
            return time.nanos();
        }

        @Override
        public ZoneId zone() {
            return ZoneOffset.UTC;
        }
    }

    /**
     * @param mutant absent = the engine as it is
     */
    public ExploredWorld(@Nullable Mutants mutant, Disturber disturber) {
        this.mutant = mutant;
        this.disturber = disturber;
        SimulationTrace trace = new SimulationTrace(time, false);
        this.faults = new SimulationFaults(time);
        this.server = new SimulationServer(time, mutant, new SplittableRandom(1), faults, trace);
        this.ledger = new SimulationLedger(time, server.truth(), trace);
        this.followUps = new SimulationFollowUps(server, ledger);
        this.judge = new SimulationJudge(server, ledger, faults, null);
        ledger.onBegin(judge::judgeBegin);
        ledger.onBegin(this::judgeBegin);
        this.client = process();
        this.requests = client.lanes.open("requests", 1);
    }

    @Override
    public void close() {
        lanes.close();
    }

    // what scenarios are made of

    /**
     * What jobs carry.
     *
     * @param millis how long a run takes
     * @param failures how many attempts of a fire fail
     */
    public static SchedulingCommand note(int millis, int failures) {
        return new Note(millis, failures);
    }

    /** The command of a run whose code goes on although it was asked to end. */
    public static SchedulingCommand stubborn(int millis) {
        return new Note(millis, 0, false, NotNow.NEVER);
    }

    /** The command of a run that is put off twice. */
    public static SchedulingCommand putOff() {
        return new Note(0, 0, true, NotNow.POSTPONE);
    }

    /** The command of a run that is skipped. */
    public static SchedulingCommand skipped() {
        return new Note(0, 0, true, NotNow.SKIP);
    }

    /** A job that carries such a note. */
    public static JobSpecificationBuilder job(String key, SchedulingCommand note) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("exploration")
                .triggerCommand(note)
                .triggerIdentifier(key);
    }

    /** With two follow-ups of its good ends, and one of its failures. */
    public static JobSpecificationBuilder followed(JobSpecificationBuilder job) {
        return SimulationFollowUps.addTo(job);
    }

    /** One more node. */
    public void node() {
        Process process = process();
        Lane service = process.lanes.open("service", 1);
        service.run(() -> start(process, service));
    }

    /** A user asks for that after a while, and asks again until there is an answer. */
    public void ask(Duration delay, Consumer<Scheduler> request) {
        pending++;
        requests.after(delay, () -> asked(request, true));
    }

    /** A user asks for that after a while, once. */
    public void askOnce(Duration delay, Consumer<Scheduler> request) {
        pending++;
        requests.after(delay, () -> asked(request, false));
    }

    /** A user does that to each of these jobs after a while, once; there is one at least. */
    public void applyOnce(Duration delay, JobAction action, JobSelection jobs) {
        askOnce(delay, user -> {
            ActionReport report = user.apply(action, jobs);
            if (report.count(ActionReport.Result.DONE)
                    < Math.max(1, report.items().size())) {
                throw new IllegalStateException(report.toString());
            }
        });
    }

    /** What users were refused that the script asks for; without a disturbance nothing. */
    public List<String> refusals() {
        return List.copyOf(refusals);
    }

    private void asked(Consumer<Scheduler> request, boolean again) {
        boolean over = true;
        try {
            request.accept(client.scheduler);
        } catch (StoreException unknown) {
            over = !again;
        } catch (JobNotFoundException | StaleJobException | InvalidJobException | IllegalStateException refused) {
            // an answer that promises nothing, and which a script does not expect
            refusals.add("refused: " + refused);
        }
        if (over) {
            pending--;
        } else {
            requests.after(Duration.ofSeconds(1), () -> asked(request, again));
        }
    }

    /** A user schedules a job at once. */
    public void schedule(JobSpecificationBuilder job) {
        schedule(Duration.ZERO, job);
    }

    /** A user schedules a job after a while. */
    public void schedule(Duration delay, JobSpecificationBuilder job) {
        JobSpecification specification = job.build();
        specifications.put(specification.jobSpecificationKey(), specification);
        ask(delay, user -> user.scheduleJob(specification));
    }

    /** A user cancels a job after a while; what runs after the answer is a violation. */
    public void cancel(Duration delay, String key, CancelMode mode) {
        ask(delay, user -> cancel(user, key, mode));
    }

    private void cancel(Scheduler user, String key, CancelMode mode) {
        Optional<StoredJob> before = server.truth().find(key, FindScope.LIVE);
        if (user.cancelJob(key, mode) == CancelResult.CANCELED) {
            before.ifPresent(job -> ledger.canceled(job.id()));
        }
    }

    /** Something happens in the world outside. */
    public void later(Duration delay, Runnable event) {
        pending++;
        outside.after(delay, () -> {
            pending--;
            event.run();
        });
    }

    /** A user changes jobs in a transaction, which is committed at once. */
    public void inTransaction(Duration delay, Consumer<JobWriter> changes) {
        ask(delay, user -> {
            JobWriter jobs = user.in(client.view);
            changes.accept(jobs);
            jobs.committed();
        });
    }

    /** The node is asked to drain. */
    public void drain(int node, Duration patience) {
        Process process = processes.get(node);
        if (!process.gone) {
            faults.begin(node);
            process.drained = true;
            process.lanes
                    .open("service", 1)
                    .run(() -> process.scheduler.beginDrain(patience).thenRun(() -> ledger.drained(node)));
        }
    }

    /** Whether calendars throw from now on, on every node. */
    public void calendarsThrow(boolean may) {
        throwing = may;
    }

    /** What a calendar closes, so that it closes that moment. */
    public static List<Integer> slots(Instant moment) {
        return List.of(SimulationCalendars.slot(moment));
    }

    /** The wall clock of the world. */
    public Instant now() {
        return time.wall();
    }

    /** The store behind everything. */
    public JobStore truth() {
        return server.truth();
    }

    // what faults are made of

    /** The call that comes next on the way of that node to the store goes so. */
    public void network(Point point, Fault fault) {
        FaultyStore network = processes.get(point.node()).network;
        StoreCall call = storeCall(point.call());
        network.fail(call, network.calls(call) + 1, fault);
    }

    /** What this point does, or was to do, is such that it may cost a lease or an answer. */
    public void excuse(int node, Duration length) {
        faults.lasting(node, length);
    }

    /** The users' code that is called there takes that time. */
    public void takeTime(Point point, Duration by) {
        Process process = processes.get(point.node());
        process.fails(point.call());
        process.lanes.takeTime(by);
    }

    /** The process is gone, in the middle of this step; another one starts. */
    public void kill(int node) {
        Process process = processes.get(node);
        process.gone = true;
        faults.begin(node);
        process.lanes.close();
        later(NEXT_PROCESS, this::node);
        process.lanes.takeTime(Duration.ZERO);
    }

    /** The process stands still, in the middle of this step, for longer than a lease; another one starts. */
    public void standStill(int node) {
        Process process = processes.get(node);
        faults.begin(node);
        process.lanes.freeze();
        later(NEXT_PROCESS, this::node);
        later(STANDSTILL, () -> {
            faults.end(node);
            process.lanes.thaw();
        });
        process.lanes.takeTime(Duration.ZERO);
    }

    /** The step of a kernel that is under way throws here. */
    public void fail() {
        throw new DecidingLanes.PlannedFault();
    }

    /** The wall clock of that node is set. */
    public void setClock(int node, Duration by) {
        Process process = processes.get(node);
        process.skew = process.skew.plus(by);
    }

    /** A user asks at this very moment, at another machine, without a fault. */
    public void askNow(Consumer<Scheduler> request) {
        try {
            request.accept(scheduler(server.door(CLIENT)));
        } catch (JobNotFoundException | StaleJobException | InvalidJobException | IllegalStateException refused) {
            // an answer that promises nothing
        }
    }

    /** A user gives the job another schedule, or a one-off another moment. */
    public void reschedule(Scheduler user, String key) {
        reschedule(user, key, "5/30");
    }

    /** @param seconds of a cron expression, for a recurrence */
    public void reschedule(Scheduler user, String key, String seconds) {
        user.findJobById(key).map(job -> job.specification()).ifPresent(job -> {
            JobSpecificationBuilder changed = job.isRecurring()
                    ? job.toBuilder()
                            .schedulingSpecification(seconds + " * * * * ?")
                            .cronDialect(null)
                    : job.toBuilder().singleSchedule(now().plusSeconds(12));
            user.updateJob(changed.build());
        });
    }

    /** A user has nothing started of any job between these moments. */
    public void blackout(Duration delay, Instant from, Instant until) {
        ask(delay, user -> {
            user.pause(
                    PauseScope.commandType("note"),
                    new Pause("script", "exploration", null).from(from).until(until));
            Instant since = from.isAfter(now()) ? from : now();
            ledger.onBegin(run -> {
                if (now().isAfter(since.plus(HOLDS)) && now().isBefore(until.minus(HOLDS))) {
                    ledger.complain(run.job() + " was started at " + now() + ", in the blackout since " + since);
                }
            });
        });
    }

    /** A user cancels at this very moment. */
    public void cancelNow(String key, CancelMode mode) {
        askNow(user -> cancel(user, key, mode));
    }

    /** A user states at this very moment that the code of the present claim of that job has ended. */
    public void releaseNow(String key) {
        askNow(user -> {
            if (user.apply(JobAction.release(), JobSelection.keys(key)).count(ActionReport.Result.DONE) > 0) {
                released.add(key);
            }
        });
    }

    /** The first job that users have scheduled, as they did. */
    public JobSpecification first() {
        return specifications.values().iterator().next();
    }

    // how it goes on

    /** Until nothing more happens; then it is judged. What was found wrong; empty if nothing. */
    public List<String> play(Duration least) {
        lanes.runUntil(START.plus(least));
        while (!isQuiet() && time.wall().isBefore(START.plus(LONGEST))) {
            lanes.advance(STEP);
        }
        settled = true;
        lanes.advance(SETTLED);
        judge();
        return ledger.complaints().stream()
                .filter(complaint -> released.stream().noneMatch(key -> isOfRelease(complaint, key)))
                .toList();
    }

    /** Whether it is what becomes of a run whose claim was taken away. */
    private static boolean isOfRelease(String complaint, String key) {
        boolean ofGroup = complaint.endsWith(" have valid runs at a time")
                && List.of(complaint.split("[\\[\\], ]+")).contains(key);
        return ofGroup
                || complaint.startsWith("two valid runs of " + key + " at a time")
                || complaint.startsWith(key + " was abandoned without a fault")
                || complaint.contains(" lost the lease of " + key + " without a fault");
    }

    private boolean isQuiet() {
        return pending == 0
                && live().isEmpty()
                && processes.stream()
                        .allMatch(one -> one == client
                                || one.gone
                                || one.scheduler.node().runs() == 0);
    }

    private List<String> live() {
        return server.truth().list(JobQuery.all()).jobs().stream()
                .map(StoredJob::key)
                .toList();
    }

    private void judge() {
        Scheduler doctor = scheduler(server.truth());
        doctor.checkInvariants(STEP).findings().stream()
                .filter(finding -> finding.kind() != Finding.Kind.ROW_MISSING || !mayLackRow(finding))
                .filter(finding -> finding.kind() != Finding.Kind.CLOCK_OFFSET || !isOfSetClock(finding))
                .forEach(finding -> ledger.complain("the doctor finds " + finding));
        // what follows, what is repeated and what is filled in, too
        Set<String> keys = new LinkedHashSet<>(specifications.keySet());
        server.written().forEach(job -> keys.add(job.key()));
        judge.judge(List.copyOf(keys));
        followUps.judge(List.copyOf(specifications.keySet()));
        live().stream()
                .filter(key -> !specifications.containsKey(key))
                .forEach(key -> ledger.complain(key + " is not over"));
        for (Process process : processes) {
            if (process != client && !process.gone) {
                judge(process);
            }
        }
    }

    /** The pass writes it within two minutes, or the doctor at once: its writer has met a fault (rule N4). */
    private boolean mayLackRow(Finding finding) {
        Stream<StoredJob> newest = server.truth().find(finding.subject(), FindScope.INCLUDING_FINISHED).stream();
        return Stream.concat(newest, server.written().stream())
                .filter(job -> finding.text().contains(", " + job.lastStatus().id() + " of "))
                .anyMatch(server::mayLackRow);
    }

    private boolean isOfSetClock(Finding finding) {
        return processes.stream()
                .anyMatch(process -> !process.skew.isZero()
                        && finding.text().contains("(" + SimulationNodes.label(process.number) + ")"));
    }

    private void judge(Process process) {
        if (process.scheduler.node().runs() > 0) {
            ledger.complain("node " + process.number + " holds a claim of a job that is over");
        }
        Health health = process.scheduler.health();
        boolean explained = process.drained
                || health.state() == Health.State.DEGRADED
                        && health.reasons().stream().allMatch(reason -> isExplained(process, reason));
        if (health.state() != Health.State.UP && !explained) {
            ledger.complain("node " + process.number + " is " + health);
        }
    }

    private static boolean isExplained(Process process, String reason) {
        return process.failed.stream().anyMatch(reason::startsWith)
                || !process.skew.isZero() && reason.startsWith("the server's clock differs from");
    }

    private void judgeBegin(SimulationLedger.Run run) {
        Instant now = time.wall();
        Instant since = server.pausedSince(run.id());
        if (since != null && now.isAfter(since.plus(HOLDS)) && !server.isByHand(run.id(), run.fire())) {
            ledger.complain(run.job() + " was started at " + now + ", and is paused since " + since);
        }
        ledger.runs().stream()
                .filter(other -> other != run
                        && !server.isByHand(run.id(), run.fire())
                        && other.id().equals(run.id())
                        && other.what().equals(run.what())
                        && other.fire().equals(run.fire())
                        && other.attempt() == run.attempt())
                .filter(other -> ended.contains(other.id() + " " + other.fencing()))
                .forEach(other -> ledger.complain(run.job() + " was started for " + run.fire() + " by claim "
                        + run.fencing() + ", after the end of claim " + other.fencing() + " was acknowledged"));
    }

    /** Ends that a node was told are stored; what was put off or released has not ended. */
    private void note(List<?> changes, List<?> applied) {
        for (int i = 0; i < changes.size(); i++) {
            JobChange change = (JobChange) changes.get(i);
            boolean word = change.rows().stream()
                    .anyMatch(row -> row.startedTime() != null
                            && SimulationServer.WORDS.contains(row.outcome())
                            && row.claimSeq() == change.before().sequences().claimSeq());
            if (change.isByHolder() && word && Boolean.TRUE.equals(applied.get(i))) {
                StoredJob before = change.before();
                ended.add(before.id() + " " + before.sequences().claimSeq());
            }
        }
    }

    private Process process() {
        int number = processes.size();
        Process process = new Process(time, number, lanes.node());
        processes.add(process);
        FaultyStore network = new FaultyStore(followUps.watching(server.door(number)), wire, process.lanes::takeTime);
        network.reportTo((call, fault) -> {
            // that one call is lost costs no claim and no row: it is made again at once, or its outcome is asked for
            if (!Set.of(Fault.LOSE_REQUEST, Fault.LOSE_REPLY).contains(fault)) {
                faults.call(number, call, fault);
            }
        });
        process.network = network;
        JobStore view = tapped(number, network);
        TimeSource clock = process;
        if (mutant == Mutants.TRUST_FROM_ACKNOWLEDGEMENT) {
            SimulationClock lagging = new SimulationClock(process);
            clock = lagging;
            view = lagging.over(view);
        } else if (mutant == Mutants.DEADLINES_BY_THE_WALL_CLOCK) {
            clock = SimulationClocks.byWall(process);
        } else if (mutant != null && mutant.isOfNode()) {
            view = mutant.over(view, server.truth(), time);
        }
        process.view = view;
        process.read = () -> enter(number, KERNEL);
        process.scheduler = Scheduler.builder()
                .store(view)
                .time(clock)
                .zone(ZoneOffset.UTC)
                .random(new SplittableRandom(number))
                .lanes(process.shown)
                .label(SimulationNodes.label(number))
                .executor(process.lanes::execute)
                .calendarReader(definition -> tapped(number, SimulationCalendars.read(definition)))
                .command("note", 1, Note.class)
                .helper(ledger.helper(number, process.lanes, where -> {
                    if (where.equals("helper")) {
                        enter(number, where);
                    }
                }))
                .listener(event -> hear(number, event))
                .build();
        return process;
    }

    /** Someone's at another machine, whose calls take no time and are no points. */
    private Scheduler scheduler(JobStore store) {
        return Scheduler.builder()
                .store(store)
                .time(time)
                .zone(ZoneOffset.UTC)
                .random(new SplittableRandom(points))
                .calendarReader(SimulationCalendars::read)
                .lanes(lanes.node())
                .command("note", 1, Note.class)
                .build();
    }

    private void start(Process process, Lane service) {
        if (process.drained) {
            return;
        }
        try {
            process.scheduler.start();
        } catch (StoreException lost) {
            service.after(Duration.ofSeconds(1), () -> start(process, service));
        } catch (IllegalStateException refused) {
            if (!process.drained) {
                throw refused;
            }
        }
    }

    /** Whether what it does is no point any more. */
    private boolean isOver(int number) {
        return settled || processes.get(number).gone;
    }

    private JobStore tapped(int number, JobStore store) {
        ClusterStore cluster = StoreHook.over(
                ClusterStore.class, store.cluster(), (method, arguments, call) -> tap(number, method, arguments, call));
        return StoreHook.over(
                store,
                (method, arguments, call) -> method.equals("cluster") ? cluster : tap(number, method, arguments, call));
    }

    private @Nullable Object tap(int number, String method, Object @Nullable [] arguments, StoreHook.Call call)
            throws Throwable {
        if (NO_POINTS.contains(method) || isOver(number)) {
            return call.proceed();
        }
        Object answer = disturber.at(
                this,
                new Point(++points, number, method),
                arguments == null ? new Object[0] : arguments,
                call::proceed);
        if (method.equals("write")) {
            note((List<?>) arguments[0], (List<?>) answer);
        }
        return answer;
    }

    /** Users' code is called on that node. */
    private void enter(int number, String where) {
        Process process = processes.get(number);
        if (throwing && where.equals("calendar")) {
            process.fails(where);
            throw new IllegalStateException("the calendar does not answer");
        }
        if (isOver(number)) {
            return;
        }
        try {
            disturber.at(this, new Point(++points, number, where), new Object[0], () -> null);
        } catch (RuntimeException | Error planned) {
            process.fails(where);
            throw planned;
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    private ExclusionCalendar tapped(int number, ExclusionCalendar calendar) {
        return new HookedCalendar(calendar, () -> enter(number, "calendar"));
    }

    private void hear(int number, SchedulerEvent event) {
        Instant now = time.wall();
        if (event instanceof SchedulerEvent.LeaseLost lost && !isExcused(number, lost, now)) {
            ledger.complain(
                    "node " + number + " lost the lease of " + lost.key() + " without a fault: " + lost.reason());
        }
        if (event instanceof SchedulerEvent.KernelRestarted restarted
                && !restarted.error().endsWith(DecidingLanes.PlannedFault.MESSAGE)) {
            ledger.complain("the kernel of node " + number + " has failed by itself: " + restarted.error());
        }
        enter(number, "listener");
    }

    private boolean isExcused(int number, SchedulerEvent.LeaseLost lost, Instant now) {
        return lost.running()
                ? faults.costsLease(number, now.minus(WINDOW), now)
                : faults.hit(number, now.minus(WINDOW.multipliedBy(2)), now);
    }

    private static StoreCall storeCall(String method) {
        return StoreCall.valueOf(method.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT));
    }
}
