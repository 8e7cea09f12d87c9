package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.SchedulerBuilder;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent.JobReplanned;
import dev.almanac.model.FireAccount;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.runtime.Lane;
import dev.almanac.runtime.Lanes;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoreException;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule T6: cron and zone are the truth, a stored next fire is a cache, whatever a government decides in between. */
class ZoneRulesTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final ZoneId ZONE;
    private static final Government GOVERNMENT = new Government();

    static {
        ZoneRulesProvider.registerProvider(GOVERNMENT);
        ZONE = ZoneId.of("Test/Decree");
    }

    /** One version of the rules of the zone. */
    private record Decree(int number, ZoneRules rules) {}

    /** A zone whose offset is whatever was decreed last; each decree is a version of its rules. */
    private static final class Government extends ZoneRulesProvider {
        private volatile Decree decree = new Decree(0, ZoneRules.of(ZoneOffset.UTC));

        void decrees(ZoneOffset offset) {
            decree = new Decree(decree.number() + 1, ZoneRules.of(offset));
        }

        /** Does something as a JVM that has this version, whatever is decreed elsewhere. */
        void under(Decree version, Runnable work) {
            Decree elsewhere = decree;
            decree = version;
            try {
                work.run();
            } finally {
                decree = elsewhere;
            }
        }

        @Override
        protected Set<String> provideZoneIds() {
            return Set.of("Test/Decree");
        }

        @Override
        protected ZoneRules provideRules(String zoneId, boolean forCaching) {
            return forCaching ? null : decree.rules();
        }

        @Override
        protected NavigableMap<String, ZoneRules> provideVersions(String zoneId) {
            Decree now = decree;
            return new TreeMap<>(java.util.Map.of(String.format("z%04d", now.number()), now.rules()));
        }
    }

    /** The lanes of a node whose JVM has one version of the rules, whatever others have. */
    private static final class Governed extends LanesOver {
        private final Decree version;

        Governed(Lanes lanes, Decree version) {
            super(lanes);
            this.version = version;
        }

        private Runnable governed(Runnable step) {
            return () -> GOVERNMENT.under(version, step);
        }

        @Override
        public Executor threads(String name) {
            Executor threads = super.threads(name);
            return step -> threads.execute(governed(step));
        }

        @Override
        public Lane open(String name, int width) {
            return around(super.open(name, width), this::governed);
        }
    }

    private World world;

    @BeforeAll
    static void provided() {
        assertThat(ZONE.getRules()).isEqualTo(ZoneRules.of(ZoneOffset.UTC));
    }

    @BeforeEach
    void begin() {
        GOVERNMENT.decrees(ZoneOffset.UTC);
        world = new World(0, InMemoryJobStore::new);
    }

    @AfterEach
    void restore() {
        GOVERNMENT.decrees(ZoneOffset.UTC);
    }

    /** Days pass here: the nodes look about now and then only. */
    private Machine node(String name) {
        return node(name, world.store, builder -> builder);
    }

    private Machine node(String name, JobStore view, UnaryOperator<SchedulerBuilder> more) {
        SchedulerSettings calm = SchedulerSettings.builder()
                .pollInterval(Duration.ofMinutes(5))
                .lookAhead(Duration.ofMinutes(5))
                .heartbeatInterval(Duration.ofMinutes(5))
                .nodeTimeout(Duration.ofMinutes(20))
                .leaseLength(HOUR)
                .purgeInterval(HOUR)
                .build();
        return world.node(name, view, Duration.ZERO, builder -> more.apply(builder.settings(calm)));
    }

    /** A node that keeps the rules that are in force as it starts. */
    private Machine governed(String name, JobStore view) {
        Decree version = GOVERNMENT.decree;
        return node(name, view, builder -> builder.lanes(new Governed(world.lanes.node(), version)));
    }

    private Machine daily(String cron) {
        Machine a = node("a");
        schedule(a, "j", cron);
        return a;
    }

    private static void schedule(Machine by, String key, String cron) {
        by.scheduler()
                .scheduleJob(job(key).schedulingSpecification(cron)
                        .zoneId("Test/Decree")
                        .build());
    }

    private List<LocalDateTime> localFires() {
        return world.callsOf("j").stream()
                .map(Call::fire)
                .map(fire -> LocalDateTime.ofInstant(fire, ZONE))
                .toList();
    }

    @ParameterizedTest(name = "new offset {0}")
    @CsvSource({"+01:00", "-01:00", "+00:30"})
    @DisplayName("T6: a daily fire keeps its wall time; no day has two, none has none")
    void wallTime(String offset) {
        Machine a = daily("0 0 9 * * ?");
        world.pass(HOUR.multipliedBy(2));
        assertThat(world.calls).hasSize(1);
        GOVERNMENT.decrees(ZoneOffset.of(offset));
        Machine b = node("b");
        Instant next = b.scheduler().findJobById("j").orElseThrow().nextFireTime();
        assertThat(LocalDateTime.ofInstant(next, ZONE)).isEqualTo(LocalDateTime.parse("2099-03-03T09:00"));
        world.pass(Duration.ZERO);
        assertThat(b.events()).filteredOn(JobReplanned.class::isInstance).hasSize(1);
        assertThat(a.scheduler().history("j").get(0))
                .satisfies(row -> assertThat(row.outcome()).isEqualTo(Outcome.REPLANNED))
                .satisfies(row -> assertThat(row.detail()).contains("rules of its zone"));
        world.pass(DAY.multipliedBy(3));
        assertThat(localFires().subList(1, 4))
                .containsExactly(
                        LocalDateTime.parse("2099-03-03T09:00"),
                        LocalDateTime.parse("2099-03-04T09:00"),
                        LocalDateTime.parse("2099-03-05T09:00"));
    }

    @Test
    @DisplayName("T6: rules that change while a daily job runs give that day no second fire")
    void duringRun() {
        daily("0 0 9 * * ?");
        world.work = call -> world.after(Duration.ofMinutes(5));
        world.pass(HOUR.plusMinutes(1));
        GOVERNMENT.decrees(ZoneOffset.ofHours(-1));
        world.pass(DAY.multipliedBy(2).plusHours(2));
        assertThat(localFires())
                .containsExactly(
                        LocalDateTime.parse("2099-03-02T08:00"),
                        LocalDateTime.parse("2099-03-03T09:00"),
                        LocalDateTime.parse("2099-03-04T09:00"));
    }

    @ParameterizedTest(name = "new offset {0}")
    @CsvSource({"+01:00", "-01:00"})
    @DisplayName("T6: an interval job fires at the same instants as before, none left out and none twice")
    void interval(String offset) {
        daily("0 0/20 * * * ?");
        world.pass(Duration.ofMinutes(50));
        GOVERNMENT.decrees(ZoneOffset.of(offset));
        node("b");
        world.pass(HOUR.multipliedBy(2));
        assertThat(world.callsOf("j"))
                .extracting(Call::fire)
                .containsExactlyElementsOf(java.util.stream.IntStream.rangeClosed(1, 8)
                        .mapToObj(i -> START.plusSeconds(i * 1200L))
                        .toList());
    }

    @Test
    @DisplayName("T6: a one-off given as wall time follows the rules; one given as an instant stays")
    void oneOffs() {
        Machine a = node("a");
        LocalDateTime noon = LocalDateTime.parse("2099-03-02T12:00");
        a.scheduler()
                .scheduleJob(
                        job("local").singleSchedule(noon).zoneId("Test/Decree").build());
        a.scheduler()
                .scheduleJob(job("instant")
                        .singleSchedule(START.plus(HOUR.multipliedBy(4)))
                        .zoneId("Test/Decree")
                        .build());
        GOVERNMENT.decrees(ZoneOffset.ofHours(2));
        node("b");
        world.pass(DAY);
        assertThat(world.callsOf("local")).extracting(Call::fire).containsExactly(START.plus(HOUR.multipliedBy(2)));
        assertThat(world.callsOf("instant")).extracting(Call::fire).containsExactly(START.plus(HOUR.multipliedBy(4)));
    }

    @Test
    @DisplayName("T6: equal rules of a newer version move nothing and write nothing")
    void sameRules() {
        Machine a = daily("0 0 9 * * ?");
        GOVERNMENT.decrees(ZoneOffset.UTC);
        node("b");
        assertThat(a.scheduler().history("j")).hasSize(1);
        assertThat(a.scheduler().findJobById("j").orElseThrow().specification().version())
                .isEqualTo(1);
    }

    private static Instant nextOf(Machine machine, String key) {
        return machine.scheduler().findJobById(key).orElseThrow().nextFireTime();
    }

    @ParameterizedTest(name = "{0} reports without an answer")
    @ValueSource(ints = {0, 1})
    @DisplayName(
            "T6: what a node with older rules plans after the check of a newer one, until it stops, is planned again")
    void olderNodeGoesOn(int unanswered) {
        Machine a = governed("a", world.store);
        schedule(a, "j", "0 0 9 * * ?");
        world.work = call -> world.after(Duration.ofMinutes(30));
        world.pass(HOUR.plusMinutes(1));
        GOVERNMENT.decrees(ZoneOffset.ofHours(1));
        AtomicInteger lost = new AtomicInteger(unanswered);
        AtomicInteger passes = new AtomicInteger();
        Machine b = governed("b", StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("plannedByOthers")) {
                passes.incrementAndGet();
            }
            return method.equals("cluster") ? losingReports(lost) : call.proceed();
        }));
        world.pass(Duration.ofMinutes(34));
        assertThat(nextOf(b, "j")).as("planned by a, whose run has ended").isEqualTo(START.plus(DAY.plus(HOUR)));
        a.scheduler().close();
        world.pass(HOUR);
        assertThat(nextOf(b, "j")).isEqualTo(START.plus(DAY));
        int until = passes.get();
        world.pass(DAY);
        assertThat(world.callsOf("j")).extracting(Call::fire).containsExactly(START.plus(HOUR), START.plus(DAY));
        assertThat(world.callsOf("j").get(1).over()).isZero();
        assertThat(passes).as("nothing is left to be looked for").hasValue(until);
    }

    private ClusterStore losingReports(AtomicInteger lost) {
        return StoreHook.over(ClusterStore.class, world.store.cluster(), (method, arguments, call) -> {
            if (method.equals("report") && lost.getAndDecrement() > 0) {
                throw new StoreException("reporting a node: no answer");
            }
            return call.proceed();
        });
    }

    @Test
    @DisplayName("T6: what a node with older rules plans that comes and goes between two checks is planned again")
    void olderNodeBetweenChecks() {
        Decree older = GOVERNMENT.decree;
        GOVERNMENT.decrees(ZoneOffset.ofHours(1));
        Machine b = governed("b", world.store);
        world.pass(HOUR.plusMinutes(10));
        GOVERNMENT.under(older, () -> {
            Machine guest = governed("guest", world.store);
            schedule(guest, "j", "0 0 15 * * ?");
            guest.scheduler().close();
        });
        assertThat(nextOf(b, "j")).isEqualTo(START.plus(HOUR.multipliedBy(7)));
        world.pass(HOUR);
        assertThat(nextOf(b, "j")).isEqualTo(START.plus(HOUR.multipliedBy(6)));
        world.pass(DAY.minus(HOUR.multipliedBy(3)));
        assertThat(world.callsOf("j")).extracting(Call::fire).containsExactly(START.plus(HOUR.multipliedBy(6)));
    }

    @ParameterizedTest(name = "new offset {0}")
    @ValueSource(ints = {1, -1})
    @DisplayName(
            "T6: a node with older rules runs a fire that newer rules have planned at its time, and that day no other")
    void plannedByNewerRules(int hours) {
        Machine a = governed("a", world.store);
        GOVERNMENT.decrees(ZoneOffset.ofHours(hours));
        Machine b = world.node("b", world.store, Duration.ZERO, World::idle);
        schedule(b, "j", "0 0 12 * * ?");
        Instant planned = START.plus(HOUR.multipliedBy(4 - hours));
        assertThat(nextOf(b, "j")).isEqualTo(planned);
        world.pass(HOUR.multipliedBy(10));
        assertThat(world.callsOf("j"))
                .singleElement()
                .satisfies(call -> assertThat(call.node()).isEqualTo(a.name()))
                .satisfies(call -> assertThat(call.fire()).isEqualTo(planned))
                .satisfies(call -> assertThat(call.started()).isEqualTo(planned));
        assertThat(a.scheduler().history("j"))
                .as("newest first; b moves what a has planned for the next day")
                .extracting(JobExecutionStatus::outcome)
                .containsExactly(Outcome.REPLANNED, Outcome.SUCCEEDED, Outcome.NONE);
    }

    @Test
    @DisplayName(
            "T6, X1: a calendar that throws under new rules keeps its own job from its plan, and no node from claiming")
    void calendarThatThrows() {
        AtomicBoolean broken = new AtomicBoolean();
        HookedCalendar bank = new HookedCalendar(() -> {
            if (broken.get()) {
                throw new IllegalStateException("the table of holidays is not there");
            }
        });
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.calendar("bank", bank));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0 12 * * ?")
                        .zoneId("Test/Decree")
                        .calendar("bank")
                        .build());
        a.scheduler()
                .scheduleJob(job("plain")
                        .schedulingSpecification("0 0 12 * * ?")
                        .zoneId("Test/Decree")
                        .build());
        a.lanes().close();
        GOVERNMENT.decrees(ZoneOffset.ofHours(1));
        broken.set(true);
        Machine b = world.node("b", world.store, Duration.ZERO, builder -> builder.calendar("bank", bank));
        world.pass(HOUR.multipliedBy(3).plusMinutes(1));
        assertThat(world.callsOf("plain")).extracting(Call::fire).containsExactly(START.plus(HOUR.multipliedBy(3)));
        assertThat(b.scheduler().health().reasons())
                .singleElement()
                .asString()
                .startsWith("planning jobs again has failed");
        assertThat(b.scheduler().findJobById("j").orElseThrow().nextFireTime())
                .as("as it was planned")
                .isEqualTo(START.plus(HOUR.multipliedBy(4)));
        broken.set(false);
        world.pass(Duration.ofMinutes(10));
        assertThat(world.callsOf("j"))
                .as("it was tried again")
                .extracting(Call::fire)
                .containsExactly(START.plus(HOUR.multipliedBy(3)));
    }

    /** What a reader with rules of its own says of the fires that have not run. */
    private List<String> notRun(ZoneOffset reader, @Nullable Instant removed) {
        List<String> accounts = new ArrayList<>();
        Decree nodes = GOVERNMENT.decree;
        GOVERNMENT.decrees(reader);
        Decree own = GOVERNMENT.decree;
        JobStore view = StoreHook.over(world.store, (method, arguments, call) -> {
            Object answer = call.proceed();
            return method.equals("rows")
                    ? ((List<?>) answer)
                            .stream()
                                    .filter(row ->
                                            removed == null || !removed.equals(((JobExecutionStatus) row).fireTime()))
                                    .toList()
                    : answer;
        });
        GOVERNMENT.under(
                own,
                () -> world.client(builder -> builder.store(view)).fires("j", START).orElseThrow().accounts().stream()
                        .filter(account -> account.kind() != FireAccount.Kind.RAN)
                        .forEach(account -> accounts.add(account.kind() + " " + account.fireTime())));
        GOVERNMENT.decree = nodes;
        return accounts;
    }

    @ParameterizedTest(name = "of {0} by {1}")
    @CsvSource({
        "0 0 9 * * ?,+01:00",
        "0 0 9 * * ?,-01:00",
        "0 0 9 * * ?,+00:30",
        "0 0/30 9-17 * * ?,+01:00",
        "0 0/30 9-17 * * ?,-01:00"
    })
    @DisplayName(
            "T6, S22: a reader with other rules of the zone misses no fire that ran, or waits, where it was planned")
    void readByOtherRules(String cron, String offset) {
        daily(cron);
        for (int minutes : List.of(45, 60 * 24, 90, 60 * 24 * 3, 60 * 7)) {
            world.pass(Duration.ofMinutes(minutes));
            world.writeRows();
            assertThat(notRun(ZoneOffset.of(offset), null))
                    .as("at %s", world.time.wall())
                    .isEmpty();
        }
    }

    @ParameterizedTest(name = "read by {0}")
    @CsvSource({"Z,2099-03-04T09:00:00Z", "+01:00,2099-03-04T08:00:00Z"})
    @DisplayName("S22: a fire whose row was removed is unaccounted for, also by a reader with other rules of the zone")
    void removedRow(String offset, String expected) {
        daily("0 0 9 * * ?");
        world.pass(DAY.multipliedBy(5));
        world.writeRows();
        assertThat(notRun(ZoneOffset.of(offset), Instant.parse("2099-03-04T09:00:00Z")))
                .containsExactly("UNACCOUNTED " + expected);
    }
}
