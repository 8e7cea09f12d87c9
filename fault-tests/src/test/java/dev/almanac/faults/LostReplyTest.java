package dev.almanac.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.Scheduler;
import dev.almanac.faults.Wire.Fault;
import dev.almanac.faults.Wire.Kind;
import dev.almanac.model.BulkResult;
import dev.almanac.model.IfRefused;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.store.StoreException;
import dev.almanac.testkit.server.MongoServer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every command that a node sends, and several calls of each, meets every fault that a network or a server can have. */
@Execution(ExecutionMode.CONCURRENT)
class LostReplyTest {
    private static final Fault NONE = new Fault("", 0, Kind.CUT_BEFORE);
    /** What a node writes, and of how many calls the reply is lost: as many as a run makes in any case, and some. */
    private static final Map<String, Integer> WRITES = Map.of(
            "update jobSpecification", 4,
            "delete jobSpecification", 2,
            "findAndModify jobSpecification", 2,
            "insert jobExecutionStatus", 4,
            "update node", 2);

    private static final List<String> READS =
            List.of("find jobSpecification", "find node", "find control", "find calendar", "hello");
    /** What {@code start} sends once; if it throws there, the operator starts it again. */
    private static final Set<String> ONCE_AT_START = Set.of(
            "createIndexes jobSpecification",
            "createIndexes jobExecutionStatus",
            "createIndexes node",
            "createIndexes minute",
            "createIndexes calendarVersion",
            "listCollections",
            "listIndexes minute",
            "listIndexes calendarVersion",
            "listIndexes control",
            "listIndexes jobSpecification",
            "listIndexes jobExecutionStatus",
            "listIndexes node",
            "insert control",
            "update control",
            "findAndModify control");

    /** Of more jobs, until the fault is met: each takes some seconds, as long as its fires are apart. */
    private static final int MOST_ROUNDS = 30;

    private static MongoServer server;

    @BeforeAll
    static void start() {
        server = MongoServer.replicaSet(1);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** The first call of each command meets each fault; a write without retries, a read with them. */
    static Stream<Arguments> faults() {
        return all().filter(faulty -> ((Fault) faulty.get()[0]).call() == 0)
                .filter(faulty -> isWrite(faulty) != (Boolean) faulty.get()[1]);
    }

    /** Further calls, and writes that the driver sends again by itself. */
    static Stream<Arguments> moreFaults() {
        Set<List<Object>> first = faults().map(faulty -> List.of(faulty.get())).collect(Collectors.toSet());
        return all().filter(faulty -> !first.contains(List.of(faulty.get())));
    }

    private static boolean isWrite(Arguments faulty) {
        return WRITES.containsKey(((Fault) faulty.get()[0]).command());
    }

    private static Stream<Arguments> all() {
        Stream<Arguments> writes = WRITES.entrySet().stream()
                .flatMap(entry -> faults(entry.getKey(), entry.getValue()))
                .flatMap(fault -> Stream.of(Arguments.of(fault, true), Arguments.of(fault, false)));
        Stream<Arguments> reads = READS.stream()
                .flatMap(command -> IntStream.range(0, 2)
                        .boxed()
                        .flatMap(call -> Stream.of(Kind.CUT_BEFORE, Kind.CUT_AFTER, Kind.NOT_PRIMARY)
                                .map(kind -> Arguments.of(new Fault(command, call, kind), call == 0))));
        return Stream.concat(writes, reads);
    }

    private static Stream<Fault> faults(String command, int calls) {
        return IntStream.range(0, calls)
                .boxed()
                .flatMap(call -> Arrays.stream(Kind.values())
                        .filter(kind -> kind != Kind.LATE_REPLY && kind != Kind.LATE_REQUEST
                                || command.endsWith(" jobSpecification"))
                        .map(kind -> new Fault(command, call, kind)));
    }

    @ParameterizedTest(name = "{0}, retries {1}")
    @MethodSource("faults")
    @DisplayName("P2, P4, P9: whatever reply is lost, no fire is lost, none runs twice, one of a group at a time")
    void lost(Fault fault, boolean retry) {
        assertNothingIsLost(fault, retry);
    }

    @ParameterizedTest(name = "{0}, retries {1}")
    @MethodSource("moreFaults")
    @Tag("long")
    @DisplayName("P2, P4, P9: the same, of further calls, and with writes that the driver sends again by itself")
    void lostLater(Fault fault, boolean retry) {
        assertNothingIsLost(fault, retry);
    }

    private static void assertNothingIsLost(Fault fault, boolean retry) {
        try (Wire wire = new Wire(server.members().get(0).host(), fault)) {
            run(wire, retry, wire::met);
            assertThat(wire.met()).as("%s was done", fault).isTrue();
        }
    }

    @Test
    @DisplayName("M5: an insert that the driver repeats when its job has run and is gone does not make it run again")
    void insertRepeatedLate() {
        Fault lost = new Fault("insert jobSpecification", 0, Kind.CUT_AFTER);
        try (Cluster cluster = new Cluster(server);
                Wire wire = new Wire(server.members().get(0).host(), lost, () -> cluster.awaitGone("brief"));
                MongoClient connection = MongoClients.create(wire.uri() + "&retryWrites=true");
                MongoClient direct = MongoClients.create(server.uri());
                Scheduler node = started(direct, cluster);
                Scheduler client = cluster.client(connection)) {
            cluster.brief(client, "brief", Instant.now());
            assertThat(wire.met()).isTrue();
            assertThat(wire.calls(lost.command()))
                    .as("the driver has sent it again")
                    .isEqualTo(2);
            cluster.once("after", Instant.now(), 0);
            cluster.awaitEnd();
            assertThat(cluster.evidence.starts().values())
                    .as("%s, of %s", cluster.evidence.starts(), node)
                    .hasSize(2)
                    .allSatisfy(starts -> assertThat(starts).hasSize(1));
        }
    }

    @Test
    @DisplayName("N6: an insert that the server gets when its repetition has run does not make the job run again")
    void insertLate() {
        Fault late = new Fault("insert jobSpecification", 0, Kind.LATE_REQUEST);
        try (Cluster cluster = new Cluster(server);
                Wire wire = new Wire(server.members().get(0).host(), late);
                MongoClient connection = MongoClients.create(wire.uri() + "&retryWrites=false");
                MongoClient direct = MongoClients.create(server.uri());
                Scheduler node = started(direct, cluster);
                Scheduler client = cluster.client(connection)) {
            JobSpecification once = Cluster.later("late").toBuilder()
                    .singleSchedule(Instant.now())
                    .build();
            assertThatThrownBy(() -> client.scheduleJob(once)).isInstanceOf(StoreException.class);
            client.scheduleJob(once);
            await().atMost(Duration.ofMinutes(5)).until(wire::met);
            cluster.once("after", Instant.now(), 0);
            cluster.awaitEnd();
            assertThat(cluster.evidence.starts().values())
                    .as("%s, of %s", cluster.evidence.starts(), node)
                    .hasSize(2)
                    .allSatisfy(starts -> assertThat(starts).hasSize(1));
        }
    }

    @Test
    @DisplayName("the commands that meet faults are those that a node sends")
    void commands() {
        try (Wire wire = new Wire(server.members().get(0).host(), NONE)) {
            run(wire, false, () -> true);
            assertThat(wire.commands())
                    .containsAll(WRITES.keySet())
                    .containsAll(READS)
                    .filteredOn(command -> !WRITES.containsKey(command)
                            && !READS.contains(command)
                            && !ONCE_AT_START.contains(command))
                    .as(
                            "commands of which no reply is ever lost here; a minute is counted for people and decides nothing")
                    .isSubsetOf("update minute", "find jobExecutionStatus", "", "ping", "endSessions", "buildInfo");
        }
    }

    static Stream<Fault> faultsOfRequests() {
        return allOfRequests().filter(fault -> fault.call() == 0);
    }

    static Stream<Fault> moreFaultsOfRequests() {
        return allOfRequests().filter(fault -> fault.call() > 0);
    }

    private static Stream<Fault> allOfRequests() {
        return Stream.of("insert jobSpecification", "update jobSpecification", "insert jobExecutionStatus")
                .flatMap(command -> faults(command, 3));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faultsOfRequests")
    @DisplayName(
            "P7: whatever reply is lost to requests for many jobs, each is stored once or told, and asking again helps")
    void requests(Fault fault) {
        assertStoredOnce(fault);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("moreFaultsOfRequests")
    @Tag("long")
    @DisplayName("P7: the same, of further calls")
    void requestsLater(Fault fault) {
        assertStoredOnce(fault);
    }

    private static void assertStoredOnce(Fault fault) {
        List<JobSpecification> jobs = IntStream.range(0, 1_100)
                .mapToObj(i -> Cluster.later("far-" + i))
                .toList();
        JobSelection some = JobSelection.keys(
                IntStream.range(0, 12).mapToObj(i -> "far-" + i).toArray(String[]::new));
        try (Wire wire = new Wire(server.members().get(0).host(), fault);
                Cluster cluster = new Cluster(server);
                MongoClient client = MongoClients.create(wire.uri() + "&retryWrites=false");
                Scheduler far = FaultNode.scheduler(client, cluster.database(), "far", cluster.evidence)) {
            cluster.scheduler.findJobById("opens the store");
            List<BulkResult> results = far.scheduleJobs(jobs, IfRefused.REPORT);
            Set<String> stored = cluster.keys();
            assertThat(results)
                    .hasSameSizeAs(jobs)
                    .allSatisfy(result -> assertThat(
                                    result.error() == null
                                            ? stored.contains(result.key())
                                            : result.error() instanceof StoreException)
                            .as("%s: %s", result.key(), result.error())
                            .isTrue());
            // the driver refuses calls until it has found the server again, whose connections the fault has cut
            await().atMost(Duration.ofMinutes(5))
                    .until(() -> far.scheduleJobs(jobs, IfRefused.REPORT).stream()
                            .allMatch(result -> result.error() == null));
            cancel(far, some);
            cancel(far, some);
            await().atMost(Duration.ofMinutes(5)).until(wire::met);
            far.history("");
            cluster.assertStored(1_100, 12);
        }
    }

    private static void cancel(Scheduler scheduler, JobSelection some) {
        try {
            scheduler.apply(JobAction.cancel(), some);
        } catch (StoreException unknown) {
            // it is asked for again
        }
    }

    /** @param met more jobs follow until it is so */
    private static void run(Wire wire, boolean retry, BooleanSupplier met) {
        try (Cluster cluster = new Cluster(server);
                MongoClient client =
                        MongoClients.create(wire.uri() + "&retryWrites=" + retry + "&retryReads=" + retry)) {
            cluster.scheduler.findJobById("opens the store");
            Instant begin = Instant.now().plusMillis(600);
            cluster.recurring("tick", begin.plusSeconds(1).truncatedTo(ChronoUnit.SECONDS), 2, 0);
            for (int i = 0; i < 6; i++) {
                cluster.once("once-" + i, begin.plusMillis(i * 40L), i % 3 == 0 ? 100 : 0);
            }
            cluster.brief("brief-0", begin.plusMillis(50));
            cluster.brief("brief-1", begin.plusMillis(900));
            cluster.grouped("first", "ledger", begin.plusMillis(300), 120);
            cluster.grouped("second", "ledger", begin.plusMillis(300), 120);
            Scheduler node = started(client, cluster);
            try {
                cluster.awaitEnd();
                for (int round = 0; round < MOST_ROUNDS && !met.getAsBoolean(); round++) {
                    more(cluster, round);
                    cluster.awaitEnd();
                }
            } finally {
                node.close();
            }
        }
    }

    /** Each kind of command once more, at least. */
    private static void more(Cluster cluster, int round) {
        cluster.calendar(round);
        cluster.recurring("tick-" + round, Instant.now(), 2, 0);
        cluster.once("more-" + round, Instant.now(), 0);
        cluster.brief("more-brief-" + round, Instant.now());
        cluster.grouped("more-first-" + round, "ledger", Instant.now(), 0);
        cluster.grouped("more-second-" + round, "ledger", Instant.now(), 0);
    }

    /** A service that meets a fault at its start is started again by its operator. */
    private static Scheduler started(MongoClient client, Cluster cluster) {
        Scheduler node = FaultNode.scheduler(client, cluster.database(), "node", cluster.evidence);
        try {
            return node.start();
        } catch (RuntimeException unreachableAtStart) {
            node.close();
            return FaultNode.scheduler(client, cluster.database(), "node", cluster.evidence)
                    .start();
        }
    }
}
