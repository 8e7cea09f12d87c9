package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientSettings;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CancelResult;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.FindScope;
import dev.almanac.model.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule P10, by what a real server is asked while jobs are claimed, run, recovered and given back. */
@ParameterizedClass(name = "retryWrites = {0}")
@ValueSource(booleans = {true, false})
class ServerCommandsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Parameter
    boolean retryWrites;

    private ServerCommands commands;
    private MongoInVirtualTime mongo;
    private World world;
    private Machine a;

    @BeforeEach
    void begin() {
        commands = new ServerCommands(retryWrites);
        mongo = new MongoInVirtualTime(
                MongoClientSettings.builder().retryWrites(retryWrites).addCommandListener(commands));
        world = new World(0, mongo::store);
        a = world.node("a");
        commands.forget();
    }

    @AfterEach
    void end() {
        mongo.close();
    }

    private void assertPlain() {
        assertThat(commands.sent()).isNotEmpty();
        assertThat(commands.forbidden()).isEmpty();
    }

    private Outcome newest(String key) {
        return world.store
                .find(key, FindScope.INCLUDING_FINISHED)
                .orElseThrow()
                .lastStatus()
                .outcome();
    }

    @Test
    @DisplayName("P10: a backlog is scheduled, claimed, run and recorded by finds, inserts and plain updates alone")
    void backlog() {
        Instant fire = START.plusSeconds(1);
        a.scheduler()
                .scheduleJobs(IntStream.range(0, 40)
                        .mapToObj(i -> job("j" + i).singleSchedule(fire).build())
                        .toList());
        a.scheduler()
                .scheduleJob(job("g").singleSchedule(fire).exclusiveGroup("g").build());
        a.scheduler()
                .scheduleJob(job("once")
                        .singleSchedule(fire)
                        .crashPolicy(CrashPolicy.FAIL)
                        .build());
        a.scheduler()
                .scheduleJob(
                        job("again").schedulingSpecification("0 0/1 * * * ?").build());
        world.pass(MINUTE.multipliedBy(2));
        assertThat(world.calls).hasSize(44);
        assertThat(commands.has("findAndModify", "runningGroup")).isTrue();
        assertThat(commands.has("update", "startedSeq")).isTrue();
        assertThat(commands.has("insert", "SUCCEEDED")).isTrue();
        assertPlain();
    }

    @Test
    @DisplayName("P10: a lease is renewed, and an abandoned run recovered, by finds, inserts and plain updates alone")
    void renewedAndRecovered() {
        world.work = call -> new CompletableFuture<>();
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        world.pass(MINUTE);
        assertPlain();
        assertThat(commands.has("update", "\"lease.until\"")).isTrue();
        a.lanes().close();
        world.work = call -> CompletableFuture.completedFuture(null);
        world.node("b");
        commands.forget();
        world.pass(MINUTE);
        assertThat(world.calls).extracting(Call::fencing).containsExactly(1L, 2L);
        assertThat(commands.has("insert", "ABANDONED")).isTrue();
        assertPlain();
    }

    @Test
    @DisplayName("P10: a claim is released by a find and a plain update alone")
    void released() {
        Machine knowing = world.node(
                "c", world.store, Duration.ZERO, builder -> builder.calendar("c", LifecycleFixture.closedUntil(START)));
        knowing.lanes().close();
        knowing.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0/1 * * * ?")
                        .calendar("c")
                        .build());
        commands.forget();
        world.pass(MINUTE.plusSeconds(1));
        assertThat(a.events()).anyMatch(SchedulerEvent.ClaimReleased.class::isInstance);
        assertThat(world.calls).isEmpty();
        assertPlain();
    }

    @Test
    @DisplayName("P10: a run is cancelled and interrupted under its lease by finds, inserts and plain updates alone")
    void canceled() {
        world.work = call -> new CompletableFuture<>();
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0/1 * * * ?").build());
        world.pass(MINUTE.plusSeconds(1));
        assertThat(a.scheduler().cancelJob("j", CancelMode.INTERRUPT)).isEqualTo(CancelResult.ALREADY_RUNNING);
        world.pass(MINUTE);
        assertThat(newest("j")).isEqualTo(Outcome.INTERRUPTED);
        assertThat(commands.has("update", "cancelRequested")).isTrue();
        assertPlain();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{aggregate: 'j', pipeline: [{$changeStream: {}}]}",
                "{commitTransaction: 1}",
                "{find: 'j', filter: {}, lsid: {}, startTransaction: true}",
                "{find: 'j', filter: {}, lsid: {}, readConcern: {afterClusterTime: 1}}",
                "{find: 'j', filter: {}, txnNumber: 1}",
                "{find: 'j', filter: {a: {b: [{$where: 'true'}]}}}",
                "{find: 'j', filter: {$expr: {$function: {}}}}",
                "{update: 'j', updates: [{q: {}, u: {$set: {a: 1}}}, {q: {}, u: [{$set: {a: 1}}]}]}",
                "{findAndModify: 'j', update: [{$set: {a: 1}}]}",
            })
    @DisplayName("P10: what is forbidden would be seen")
    void seen(String command) {
        assertThat(commands.forbidden(BsonDocument.parse(command))).isNotEmpty();
    }

    @Test
    @DisplayName("P10: the driver numbers its writes if it may send them again, and only then")
    void numbered() {
        BsonDocument insert = BsonDocument.parse("{insert: 'j', documents: [], txnNumber: 1}");
        assertThat(commands.forbidden(insert)).hasSize(retryWrites ? 0 : 1);
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        assertThat(commands.has("insert", "txnNumber")).isEqualTo(retryWrites);
    }
}
