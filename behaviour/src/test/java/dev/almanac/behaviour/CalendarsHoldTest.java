package dev.almanac.behaviour;

import static dev.almanac.behaviour.MinuteCalendar.excluding;
import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Outcome;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredCalendar;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.ManualLanes;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule C5: every fire that runs is open, and every open fire runs, by a calendar as fresh as claims need it. */
class CalendarsHoldTest {
    private static final Instant FIRST = START.plusSeconds(60);
    private static final Instant SECOND = START.plusSeconds(120);

    private final World world = new World(0, InMemoryJobStore::new);

    private static JobSpecification minutely() {
        return job("j").schedulingSpecification("0 * * * * ?")
                .calendar("bank")
                .missedFirePolicy(MissedFirePolicy.RUN_ALL)
                .build();
    }

    /** An editor that dies right after its write. */
    private void edited(String minutes) {
        StoredCalendar stored = world.store.cluster().calendars().get(0);
        assertThat(world.store
                        .cluster()
                        .putCalendar(new StoredCalendar(
                                "bank", stored.version() + 1, excluding(minutes), world.time.wall(), "tests", false)))
                .isTrue();
    }

    private void edit(long version, String minutes) {
        world.store
                .cluster()
                .putCalendar(new StoredCalendar("bank", version, excluding(minutes), START, "tests", false));
    }

    /** A node whose runs wait for a thread for five seconds. */
    private Machine withQueue() {
        ManualLanes.Node threads = world.lanes.node();
        return world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.calendarReader(MinuteCalendar::read)
                        .executor(run -> threads.open("pool", 1).after(Duration.ofSeconds(5), run)));
    }

    @Test
    @DisplayName("C5: a run that waits for a thread of the executor does not start if its fire was closed meanwhile")
    void closedInTheQueue() {
        Machine a = withQueue();
        a.scheduler().calendars().put("bank", excluding("59"));
        a.scheduler().scheduleJob(minutely());
        world.pass(Duration.ofSeconds(62));
        assertThat(world.calls).as("it waits").isEmpty();
        a.scheduler().calendars().put("bank", excluding("1"));
        world.pass(Duration.ofSeconds(70));
        assertThat(world.calls).extracting(Call::fire).containsExactly(SECOND);
        assertThat(world.calls).extracting(Call::started).containsExactly(SECOND.plusSeconds(5));
        assertThat(a.scheduler().history("j"))
                .filteredOn(row -> row.outcome() == Outcome.EXCLUDED)
                .extracting(JobExecutionStatus::fireTime)
                .containsExactly(FIRST);
    }

    @Test
    @DisplayName("C4, C5: a one-off that waits for a thread moves if its moment was closed meanwhile, and runs once")
    void oneOffInTheQueue() {
        Machine a = withQueue();
        a.scheduler().calendars().put("bank", excluding("59"));
        for (CalendarPolicy policy : List.of(CalendarPolicy.NEXT_INCLUDED, CalendarPolicy.DROP)) {
            a.scheduler()
                    .scheduleJob(job(policy.name())
                            .singleSchedule(FIRST)
                            .calendar("bank")
                            .calendarPolicy(policy)
                            .build());
        }
        world.pass(Duration.ofSeconds(62));
        assertThat(world.calls).as("they wait").isEmpty();
        a.scheduler().calendars().put("bank", excluding("1"));
        world.pass(Duration.ofSeconds(70));
        assertThat(world.calls).singleElement().satisfies(call -> {
            assertThat(call.job()).isEqualTo("NEXT_INCLUDED");
            assertThat(call.fire()).isEqualTo(SECOND);
            assertThat(call.started()).isEqualTo(SECOND.plusSeconds(5));
        });
        assertThat(World.outcomes(a, "DROP")).endsWith("SCHEDULED/BLOCKED");
    }

    /** One whose editor, and whose node, cannot plan it again: each of its pages is lost. */
    private Machine withoutPlanning(int claim, Fault slow) {
        JobStore network = StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("list") && ((JobQuery) arguments[0]).calendar() != null) {
                throw new StoreException("planned", new IllegalStateException());
            }
            return call.proceed();
        });
        ManualLanes.Node[] own = new ManualLanes.Node[1];
        FaultyStore waiting =
                new FaultyStore(network, world.lanes.node().open("wire", 1), duration -> own[0].takeTime(duration));
        waiting.fail(StoreCall.CLAIM, claim, slow);
        Machine machine = world.node("a", waiting, Duration.ZERO, builder -> {
            own[0] = world.lanes.node();
            return builder.calendarReader(MinuteCalendar::read).lanes(own[0]).executor(own[0]::execute);
        });
        return machine;
    }

    @Test
    @DisplayName("C5: a fire that was opened while its claim waited for an answer runs")
    void openedDuringTheClaim() {
        Machine a = withoutPlanning(1, Fault.slow(Duration.ZERO, Duration.ofSeconds(6)));
        edit(1, "59");
        a.scheduler().scheduleJob(minutely());
        world.pass(Duration.ofSeconds(30));
        edited("1");
        world.pass(Duration.ofSeconds(33));
        assertThat(world.calls).as("the claim waits for its answer").isEmpty();
        edited("59");
        world.pass(Duration.ofSeconds(20));
        assertThat(world.calls).extracting(Call::fire).containsExactly(FIRST);
    }

    @Test
    @DisplayName("C5: a fire that was opened runs before the next one, though the job was not planned again by then")
    void openedWithoutPlanning() {
        Machine a = withoutPlanning(100, Fault.LOSE_REQUEST);
        edit(1, "1");
        a.scheduler().scheduleJob(minutely());
        assertThat(a.scheduler().findJobById("j").orElseThrow().nextFireTime()).isEqualTo(SECOND);
        world.pass(Duration.ofSeconds(30));
        edited("59");
        world.pass(Duration.ofSeconds(80));
        assertThat(world.calls).as("it is planned for later").isEmpty();
        world.pass(Duration.ofSeconds(30));
        assertThat(world.calls).extracting(Call::fire).startsWith(FIRST, SECOND);
    }

    @Test
    @DisplayName("C5, N9: a fire that was closed moves by its policy, though the job was not planned again by then")
    void closedWithoutPlanning() {
        Machine a = withoutPlanning(100, Fault.LOSE_REQUEST);
        edit(1, "59");
        a.scheduler()
                .scheduleJob(minutely().toBuilder()
                        .calendarPolicy(CalendarPolicy.NEXT_INCLUDED)
                        .build());
        world.pass(Duration.ofSeconds(30));
        edited("1");
        world.pass(Duration.ofSeconds(80));
        assertThat(world.calls).as("minute 1 is closed").isEmpty();
        world.pass(Duration.ofSeconds(30));
        assertThat(world.calls).extracting(Call::fire).containsExactly(SECOND);
    }

    @Test
    @DisplayName(
            "C5, N9: a fire that was closed is not run if the edit leaves no other, though the job was not planned again")
    void closedForGood() {
        Machine a = withoutPlanning(100, Fault.LOSE_REQUEST);
        edit(1, "59");
        a.scheduler()
                .scheduleJob(minutely().toBuilder()
                        .calendarPolicy(CalendarPolicy.NEXT_INCLUDED)
                        .build());
        world.pass(Duration.ofSeconds(30));
        edited("0-59");
        world.pass(Duration.ofSeconds(60));
        assertThat(world.calls).isEmpty();
        assertThat(World.outcomes(a, "j")).endsWith("SCHEDULED/BLOCKED");
    }

    @SuppressWarnings("unchecked")
    private static List<JobChange> changes(Object argument) {
        return (List<JobChange>) argument;
    }

    @ParameterizedTest
    @CsvSource({"0, 8", "1, 14"})
    @DisplayName(
            "C5, N9: the plan of a node that has died, which arrives after an edit was planned, is made again within a pass, or by the next one if that finds no thread")
    void planOfADeadNode(int withoutThread, int minutes) {
        AtomicBoolean dies = new AtomicBoolean();
        ManualLanes.Node own = world.lanes.node();
        JobStore wire = StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("write") && dies.getAndSet(false)) {
                world.later(Duration.ofSeconds(14), () -> world.store.write(changes(arguments[0])));
                own.close();
                throw new StoreException("no answer", new IllegalStateException());
            }
            return call.proceed();
        });
        Machine a = world.node(
                "a",
                wire,
                Duration.ZERO,
                builder ->
                        builder.calendarReader(MinuteCalendar::read).lanes(own).executor(own::execute));
        ScarceThreads threads = ScarceThreads.ofLane(world.lanes.node(), "plan");
        Machine b = world.node(
                "b",
                world.store,
                Duration.ZERO,
                builder -> builder.lanes(threads).calendarReader(MinuteCalendar::read));
        edit(1, "2-30");
        CompletableFuture<Void> end = new CompletableFuture<>();
        world.work = call -> end;
        a.scheduler().scheduleJob(minutely());
        world.pass(Duration.ofSeconds(70));
        assertThat(world.calls).extracting(Call::node).containsExactly("a");
        dies.set(true);
        end.complete(null);
        world.pass(Duration.ofMillis(100));
        edited("40");
        world.pass(Duration.ofSeconds(15));
        assertThat(b.scheduler().findJobById("j").orElseThrow().nextFireTime())
                .as("the plan by the calendar before the edit has arrived")
                .isEqualTo(START.plus(Duration.ofMinutes(31)));
        threads.refuse(withoutThread);
        world.pass(Duration.ofMinutes(minutes));
        assertThat(world.calls).extracting(Call::fire).startsWith(FIRST, SECOND);
    }

    @Test
    @DisplayName("C5: a planning that took long does not leave a plan by a calendar that was edited meanwhile")
    void slowPlanning() {
        ManualLanes.Node own = world.lanes.node();
        FaultyStore slow = new FaultyStore(world.store, world.lanes.node().open("network", 1), own::takeTime);
        Machine a = world.node(
                "a",
                slow,
                Duration.ZERO,
                builder ->
                        builder.calendarReader(MinuteCalendar::read).lanes(own).executor(own::execute));
        Machine b =
                world.node("b", world.store, Duration.ZERO, builder -> builder.calendarReader(MinuteCalendar::read));
        b.scheduler().calendars().put("bank", excluding("59"));
        b.scheduler()
                .scheduleJob(minutely().toBuilder()
                        .startAt(START.plus(Duration.ofHours(1)))
                        .build());
        for (int i = 1; i < 10; i++) {
            slow.fail(StoreCall.WRITE, i, Fault.slow(Duration.ofSeconds(9), Duration.ZERO));
        }
        own.execute(() -> a.scheduler().calendars().put("bank", excluding("0")));
        world.pass(Duration.ofMillis(500));
        b.scheduler().calendars().put("bank", excluding("59"));
        world.pass(Duration.ofSeconds(40));
        assertThat(b.scheduler().findJobById("j").orElseThrow().nextFireTime())
                .isEqualTo(START.plus(Duration.ofHours(1)));
    }

    @Test
    @DisplayName("C5: a bounded job ends when an edit closes all that is left of it, and is not blocked")
    void nothingLeft() {
        Machine a =
                world.node("a", world.store, Duration.ZERO, builder -> builder.calendarReader(MinuteCalendar::read));
        a.scheduler().calendars().put("bank", excluding("59"));
        a.scheduler()
                .scheduleJob(
                        minutely().toBuilder().endAt(SECOND.plusSeconds(10)).build());
        world.pass(Duration.ofSeconds(70));
        assertThat(world.calls).extracting(Call::fire).containsExactly(FIRST);
        a.scheduler().calendars().put("bank", excluding("2"));
        world.pass(Duration.ofSeconds(60));
        assertThat(a.scheduler().findJobById("j")).isEmpty();
        assertThat(world.calls).hasSize(1);
        assertThat(a.scheduler().history("j"))
                .extracting(JobExecutionStatus::outcome)
                .doesNotContain(Outcome.BLOCKED, Outcome.REPLANNED)
                .contains(Outcome.EXCLUDED);
    }

    /** Fails between two moments. */
    private ExclusionCalendar failing(ExclusionCalendar calendar, Instant from, Instant to) {
        return new ExclusionCalendar() {
            @Override
            public boolean isIncluded(Instant instant, ZoneId jobZone) {
                return nextIncluded(instant, jobZone).filter(instant::equals).isPresent();
            }

            @Override
            public Optional<Instant> nextIncluded(Instant instant, ZoneId jobZone) {
                if (world.time.wall().isAfter(from) && world.time.wall().isBefore(to)) {
                    throw new IllegalStateException("closed");
                }
                return calendar.nextIncluded(instant, jobZone);
            }
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10})
    @DisplayName(
            "C5: a fire that was opened while the end of a run was written runs in time, though its editor found it leased, and a calendar failed just then")
    void openedDuringTheEnd(int failing) {
        ManualLanes.Node own = world.lanes.node();
        FaultyStore slow = new FaultyStore(world.store, world.lanes.node().open("network", 1), own::takeTime);
        Instant from = FIRST.plusSeconds(5);
        Machine a = world.node(
                "a",
                slow,
                Duration.ZERO,
                builder -> builder.calendarReader(
                                definition -> failing(MinuteCalendar.read(definition), from, from.plusSeconds(failing)))
                        .lanes(own)
                        .executor(own::execute));
        edit(1, "2-5");
        a.scheduler().scheduleJob(minutely());
        world.pass(Duration.ofSeconds(59));
        int before = slow.calls(StoreCall.WRITE);
        for (int i = 1; i < 4; i++) {
            slow.fail(StoreCall.WRITE, before + i, Fault.slow(Duration.ofSeconds(6), Duration.ZERO));
        }
        world.pass(Duration.ofSeconds(2));
        assertThat(world.calls).extracting(Call::fire).containsExactly(FIRST);
        edited("3-5");
        world.pass(Duration.ofSeconds(70));
        assertThat(world.calls).extracting(Call::fire).containsExactly(FIRST, SECOND);
        assertThat(world.calls).extracting(Call::started).containsExactly(FIRST, SECOND);
        assertThat(a.scheduler().findJobById("j").orElseThrow().nextFireTime())
                .as("what is closed stays so")
                .isEqualTo(START.plusSeconds(360));
    }

    /** A scheduler whose edits take five seconds to arrive. */
    private Scheduler slowEditor() {
        ClusterStore slow = StoreHook.over(ClusterStore.class, world.store.cluster(), (method, arguments, call) -> {
            if (method.startsWith("put")) {
                world.pass(Duration.ofSeconds(5));
            }
            return call.proceed();
        });
        JobStore way = StoreHook.over(
                world.store, (method, arguments, call) -> method.equals("cluster") ? slow : call.proceed());
        return world.client(builder -> builder.store(way).calendarReader(MinuteCalendar::read));
    }

    /** A node whose writes take long, and yet no longer than an edit allows for. */
    private Machine withSlowWrites() {
        ManualLanes.Node own = world.lanes.node();
        JobStore network = StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("write")) {
                own.takeTime(Duration.ofMillis(150));
            }
            return call.proceed();
        });
        return world.node(
                "a",
                network,
                Duration.ZERO,
                builder ->
                        builder.calendarReader(MinuteCalendar::read).lanes(own).executor(own::execute));
    }

    @Test
    @DisplayName(
            "C5: an edit that arrives while an end is written that was planned before it: what it opens runs in time")
    void editArrivesLate() {
        Scheduler a = withSlowWrites().scheduler();
        a.calendars().put("bank", excluding("2-30"));
        CompletableFuture<Void> end = new CompletableFuture<>();
        world.work = call -> end;
        a.scheduleJob(
                job("j").schedulingSpecification("0 * * * * ?").calendar("bank").build());
        world.pass(Duration.ofSeconds(70));
        // it sees the edit while the end of the run is written, which was planned before the edit
        SchedulerSettings eager = SchedulerSettings.builder()
                .heartbeatInterval(Duration.ofMillis(10))
                .build();
        world.node(
                "b",
                world.store,
                Duration.ZERO,
                builder -> builder.calendarReader(MinuteCalendar::read).settings(eager));
        Scheduler editor = slowEditor();
        world.later(Duration.ofMillis(4_950), () -> end.complete(null));
        editor.calendars().put("bank", excluding("40"));
        world.pass(Duration.ofSeconds(10));
        assertThat(a.findJobById("j").orElseThrow().nextFireTime()).isEqualTo(SECOND);
        world.pass(Duration.ofSeconds(40));
        assertThat(world.calls).extracting(Call::started).containsExactly(FIRST, SECOND);
    }

    /** A store that has stored an edit when its editor dies, and has not counted it. */
    private JobStore tornAt(AtomicBoolean edit) {
        AtomicLong uncounted = new AtomicLong();
        return StoreHook.over(world.store, (method, arguments, call) -> {
            Object part = call.proceed();
            return !method.equals("cluster")
                    ? part
                    : StoreHook.over(ClusterStore.class, (ClusterStore) part, (asked, given, inner) -> {
                        Object answer = inner.proceed();
                        if (asked.equals("putCalendar") && edit.getAndSet(false)) {
                            uncounted.incrementAndGet();
                            throw new StoreException("the edit was not counted");
                        }
                        return asked.equals("control") ? without((ClusterControl) answer, uncounted.get()) : answer;
                    });
        });
    }

    private static ClusterControl without(ClusterControl control, long uncounted) {
        return new ClusterControl(
                control.pauses(),
                control.calendarEdits() - uncounted,
                control.zoneRules(),
                control.interrupts(),
                control.groups());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName(
            "C5: nodes learn of an edit that was stored and not counted: when it is repeated, else within a minute")
    void uncounted(boolean repeated) {
        AtomicBoolean torn = new AtomicBoolean();
        JobStore store = tornAt(torn);
        world.node("a", store, Duration.ZERO, builder -> builder.calendarReader(MinuteCalendar::read));
        Scheduler client = world.client(builder -> builder.store(store).calendarReader(MinuteCalendar::read));
        client.calendars().put("bank", excluding("59"));
        client.scheduleJob(minutely());
        world.pass(Duration.ofSeconds(150));
        torn.set(true);
        assertThatThrownBy(() -> client.calendars().put("bank", excluding("4-40")))
                .isInstanceOf(StoreException.class);
        if (repeated) {
            client.calendars().put("bank", excluding("4-40"));
        }
        world.pass(Duration.ofSeconds(2_400));
        assertThat(world.callsOf("j"))
                .extracting(call -> Duration.between(START, call.fire()).toMinutes())
                .containsExactly(1L, 2L, 3L, 41L, 42L);
    }
}
