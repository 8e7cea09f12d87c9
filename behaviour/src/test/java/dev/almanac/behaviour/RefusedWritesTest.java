package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static dev.almanac.behaviour.World.outcomes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.FindScope;
import dev.almanac.model.Finding;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule X9 on a real server: a write that it refuses for good costs its own job and no other, and is not repeated without end. */
class RefusedWritesTest {
    private final MongoInVirtualTime mongo = new MongoInVirtualTime();
    private final World world = new World(0, mongo::store);
    private final AtomicInteger writes = new AtomicInteger();

    @AfterEach
    void close() {
        mongo.close();
    }

    /** A node whose writes about the bad job are counted. */
    private Machine counting() {
        JobStore store = StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("write")
                    && ((List<?>) arguments[0])
                            .stream()
                                    .map(JobChange.class::cast)
                                    .anyMatch(change -> change.before().key().equals("bad"))) {
                assertThat(writes.incrementAndGet())
                        .as("written again and again")
                        .isLessThan(1_000);
            }
            return call.proceed();
        });
        return world.node("a", store, Duration.ZERO, builder -> builder);
    }

    private void refuse(String collection, String validator) {
        mongo.raw()
                .runCommand(new Document("collMod", collection)
                        .append("validator", Document.parse(validator))
                        .append("validationAction", "error"));
    }

    private void runTogether(Machine a) {
        CompletableFuture<Void> together = new CompletableFuture<>();
        world.work = call -> together;
        for (String key : List.of("fair0", "bad", "fair1", "fair2")) {
            a.scheduler()
                    .scheduleJob(job(key).singleSchedule(START.plusSeconds(1)).build());
        }
        world.pass(Duration.ofSeconds(3));
        refuseAndEnd(together);
    }

    private Runnable refusal = () -> {};

    private void refuseAndEnd(CompletableFuture<Void> together) {
        refusal.run();
        together.complete(null);
        world.pass(Duration.ofSeconds(60));
    }

    private void assertFair(Machine a) {
        for (String key : List.of("fair0", "fair1", "fair2")) {
            assertThat(outcomes(a, key)).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        }
    }

    @Test
    @DisplayName("N2: a row that a validator refuses holds up no job, its own neither")
    void refusedRow() {
        Machine a = counting();
        refusal = () -> refuse("jobExecutionStatus", "{jobSpecificationKey: {$ne: 'bad'}}");
        runTogether(a);
        assertFair(a);
        StoredJob bad = world.store.find("bad", FindScope.INCLUDING_FINISHED).orElseThrow();
        assertThat(bad.isLive()).isFalse();
        assertThat(bad.blocked()).isNull();
        assertThat(bad.lastStatus().outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(world.store.rows(RowQuery.ofKey("bad", 10))).hasSize(1);
        assertThat(world.callsOf("bad")).hasSize(1);
        assertThat(writes).hasValueLessThan(8);
        assertThat(a.scheduler().node().runs()).isZero();
    }

    @Test
    @DisplayName("X9: a document that a validator refuses in any other form is left to its lease, with pauses")
    void refusedDocument() {
        Machine a = counting();
        refusal = () ->
                refuse("jobSpecification", "{$or: [{jobSpecificationKey: {$ne: 'bad'}}, {lease: {$exists: true}}]}");
        runTogether(a);
        assertFair(a);
        assertThat(world.callsOf("bad")).hasSizeLessThanOrEqualTo(4);
        assertThat(writes).as("it was 755 in half the time").hasValueLessThan(40);
    }

    @Test
    @DisplayName("N2 R4: a row of missed fires that a validator refuses holds up no fire, and no other job")
    void refusedRowOfMissedFires() {
        Machine a = counting();
        a.scheduler()
                .scheduleJob(job("fair0").singleSchedule(START.plusSeconds(700)).build());
        a.scheduler()
                .scheduleJob(job("bad")
                        .schedulingSpecification("0/10 * * * * ?")
                        .startAt(START.plusSeconds(600))
                        .missedFirePolicy(MissedFirePolicy.RUN_LATEST)
                        .build());
        world.writeRows();
        a.scheduler().pause(PauseScope.everything(), Pause.because("audit"));
        world.pass(Duration.ofSeconds(800));
        refuse("jobExecutionStatus", "{missed: {$exists: false}}");
        a.scheduler().resume(PauseScope.everything());
        world.pass(Duration.ofMinutes(5));
        StoredJob bad = world.store.find("bad", FindScope.LIVE).orElseThrow();
        assertThat(bad.blocked()).isNull();
        assertThat(world.callsOf("bad")).hasSizeGreaterThan(20);
        assertThat(a.scheduler().node().runs()).isZero();
        assertThat(outcomes(a, "fair0")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(a.events()).noneMatch(SchedulerEvent.StoreUnreachable.class::isInstance);
    }

    @Test
    @DisplayName("X9 P7: rows that a validator refuses keep no other row from being repaired")
    void refusedRepairs() {
        Machine a = counting();
        for (String key : List.of("fair0", "bad", "fair1")) {
            a.scheduler()
                    .scheduleJob(job(key).schedulingSpecification("0 0 0 * * ?").build());
        }
        world.writeRows();
        refuse("jobExecutionStatus", "{jobSpecificationKey: {$ne: 'bad'}}");
        a.scheduler().pause(PauseScope.job("bad"), Pause.because("audit"));
        world.pass(Duration.ofMinutes(6));
        assertThat(a.scheduler().checkInvariants().findings())
                .filteredOn(finding -> finding.advice().contains("refuses it"))
                .extracting(Finding::kind, Finding::subject)
                .contains(tuple(Finding.Kind.ROW_MISSING, "bad"))
                .allMatch(finding -> finding.toList().contains("bad"));
        assertThat(a.events()).noneMatch(SchedulerEvent.StoreUnreachable.class::isInstance);
    }

    @ParameterizedTest
    @ValueSource(strings = {"version", "fireSeq"})
    @DisplayName(
            "X2, 15: a number that no guard can match blocks its job before anything is written about it; others run")
    void guardThatNeverMatches(String field) {
        Machine a = counting();
        for (String key : List.of("fair0", "bad", "fair1", "fair2")) {
            a.scheduler()
                    .scheduleJob(job(key).singleSchedule(START.plusSeconds(10))
                            .crashPolicy(CrashPolicy.FAIL)
                            .build());
        }
        world.writeRows();
        mongo.raw()
                .getCollection("jobSpecification")
                .updateOne(Filters.eq("activeKey", "bad"), Updates.set(field, Double.POSITIVE_INFINITY));
        world.pass(Duration.ofSeconds(60));
        assertFair(a);
        assertThat(writes).hasValue(0);
        assertThat(world.callsOf("bad")).isEmpty();
        assertThat(a.scheduler().node().runs()).isZero();
        assertThat(mongo.raw()
                        .getCollection("jobSpecification")
                        .find(Filters.eq("activeKey", "bad"))
                        .first())
                .doesNotContainKeys("lease", "due")
                .hasEntrySatisfying(
                        "blocked", reason -> assertThat(reason).asString().contains("cannot be read", field));
    }

    @Test
    @DisplayName(
            "X2: an Error while the end of a run is planned leaves its own job to others; the others of its batch are recorded")
    void errorWhilePlanning() {
        AtomicBoolean broken = new AtomicBoolean();
        ExclusionCalendar calendar = new ExclusionCalendar() {
            @Override
            public boolean isIncluded(Instant instant, ZoneId jobZone) {
                if (broken.get()) {
                    throw new NoClassDefFoundError("a class of the calendar is gone");
                }
                return true;
            }

            @Override
            public Optional<Instant> nextIncluded(Instant instant, ZoneId jobZone) {
                isIncluded(instant, jobZone);
                return Optional.of(instant);
            }
        };
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.calendar("c", calendar));
        CompletableFuture<Void> together = new CompletableFuture<>();
        world.work = call -> together;
        a.scheduler()
                .scheduleJob(job("bad")
                        .schedulingSpecification("0/30 * * * * ?")
                        .calendar("c")
                        .build());
        for (String key : List.of("fair0", "fair1", "fair2")) {
            a.scheduler()
                    .scheduleJob(job(key).singleSchedule(START.plusSeconds(30)).build());
        }
        world.pass(Duration.ofSeconds(32));
        assertThat(world.calls).hasSize(4);
        broken.set(true);
        together.complete(null);
        world.pass(Duration.ofSeconds(5));
        assertFair(a);
        assertThat(a.scheduler().node().runs()).isZero();
        StoredJob left = world.store.find("bad", FindScope.LIVE).orElseThrow();
        assertThat(left.lease()).isNull();
        assertThat(left.blocked()).isNull();
        assertThat(left.due()).isNotNull();
    }
}
