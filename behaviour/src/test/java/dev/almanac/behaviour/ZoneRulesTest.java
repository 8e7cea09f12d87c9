package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent.JobReplanned;
import dev.almanac.model.Outcome;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesProvider;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /** A zone whose offset is whatever was decreed last; each decree is a version of its rules. */
    private static final class Government extends ZoneRulesProvider {
        private volatile int decree;
        private volatile ZoneRules rules = ZoneRules.of(ZoneOffset.UTC);

        void decrees(ZoneOffset offset) {
            decree++;
            rules = ZoneRules.of(offset);
        }

        @Override
        protected Set<String> provideZoneIds() {
            return Set.of("Test/Decree");
        }

        @Override
        protected ZoneRules provideRules(String zoneId, boolean forCaching) {
            return forCaching ? null : rules;
        }

        @Override
        protected NavigableMap<String, ZoneRules> provideVersions(String zoneId) {
            return new TreeMap<>(java.util.Map.of(String.format("z%04d", decree), rules));
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
        SchedulerSettings calm = SchedulerSettings.builder()
                .pollInterval(Duration.ofMinutes(5))
                .lookAhead(Duration.ofMinutes(5))
                .heartbeatInterval(Duration.ofMinutes(5))
                .nodeTimeout(Duration.ofMinutes(20))
                .leaseLength(HOUR)
                .purgeInterval(HOUR)
                .build();
        return world.node(name, world.store, Duration.ZERO, builder -> builder.settings(calm));
    }

    private Machine daily(String cron) {
        Machine a = node("a");
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification(cron)
                        .zoneId("Test/Decree")
                        .build());
        return a;
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
}
