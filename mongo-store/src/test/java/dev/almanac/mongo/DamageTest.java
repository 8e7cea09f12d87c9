package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandSucceededEvent;
import dev.almanac.Scheduler;
import dev.almanac.model.Actor;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobState;
import dev.almanac.model.ReconcileOptions;
import dev.almanac.model.ReconcileResult;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.DamagedJob;
import dev.almanac.store.DamagedJobException;
import dev.almanac.store.DueCounts;
import dev.almanac.store.DueJob;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.By;
import dev.almanac.store.JobList;
import dev.almanac.store.Lease;
import dev.almanac.store.NewJob;
import dev.almanac.store.Renewal;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreInspection;
import dev.almanac.store.StoreInspection.Removal;
import dev.almanac.store.StoredJob;
import dev.almanac.store.WriteRefusedException;
import dev.almanac.testkit.contract.Specimens;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.bson.Document;
import org.bson.types.Binary;
import org.bson.types.MinKey;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents that were edited by hand: each is blocked with a reason, and does not affect the others. */
class DamageTest extends StoreFixture {
    /** What somebody did, and a word of the reason that is told. */
    /** A follow-up that is whole but for its zone. */
    private static final String FOLLOW_UP = "{jobSpecificationKey: 'mail', jobRequestor: 'tests', now: true,"
            + " priority: 3, triggerIdentifier: 'mail', triggerCommand: {type: 'note', version: 1, body: {}}, ";

    private static final Map<String, String> KINDS = kinds();

    private static Map<String, String> kinds() {
        Map<String, String> kinds = new LinkedHashMap<>();
        kinds.put("{$set: {jobRequestor: 17}}", "jobRequestor");
        kinds.put("{$unset: {jobRequestor: ''}}", "jobRequestor");
        kinds.put("{$unset: {singleSchedule: ''}}", "singleSchedule");
        kinds.put("{$set: {singleSchedule: '2026-01-01'}}", "singleSchedule");
        kinds.put("{$set: {singleScheduleLocal: 'noon'}}", "noon");
        kinds.put("{$unset: {triggerCommand: ''}}", "triggerCommand");
        kinds.put("{$set: {triggerCommand: 'note'}}", "triggerCommand");
        kinds.put("{$unset: {'triggerCommand.body': ''}}", "body");
        kinds.put("{$set: {'triggerCommand.version': 0}}", "version");
        kinds.put("{$set: {triggerIdentifier: {}}}", "triggerIdentifier");
        kinds.put("{$set: {failureCommand: {type: 3}}}", "type");
        kinds.put("{$set: {calendars: 'weekends'}}", "calendars");
        kinds.put("{$unset: {zoneId: ''}}", "zoneId");
        kinds.put("{$set: {lateExecutionThreshold: 'soon'}}", "lateExecutionThreshold");
        kinds.put("{$set: {missedFirePolicy: 'RUN_SOME'}}", "RUN_SOME");
        kinds.put("{$set: {retryPolicy: 'often'}}", "often");
        kinds.put("{$set: {crashPolicy: true}}", "crashPolicy");
        kinds.put("{$set: {priority: 9}}", "priority");
        kinds.put("{$set: {priority: 'high'}}", "priority");
        kinds.put("{$set: {maxFires: 1.5}}", "maxFires");
        kinds.put("{$set: {retention: {good: 'P1X'}}}", "good");
        kinds.put("{$set: {tags: {x: 1}}}", "tags");
        kinds.put("{$set: {processingContext: {}}}", "processingEntity");
        kinds.put("{$unset: {version: ''}}", "version");
        kinds.put("{$set: {version: '1'}}", "version");
        kinds.put("{$set: {version: {$numberDouble: 'Infinity'}}}", "version");
        kinds.put("{$set: {version: {$numberLong: '9223372036854775807'}}}", "version");
        kinds.put("{$set: {fireSeq: {$numberDouble: 'Infinity'}}}", "fireSeq");
        kinds.put("{$set: {fireSeq: 1e300}}", "fireSeq");
        kinds.put("{$set: {claimSeq: {$numberDouble: 'Infinity'}}}", "claimSeq");
        kinds.put("{$set: {startedSeq: {$numberDouble: '-Infinity'}}}", "startedSeq");
        kinds.put("{$set: {latestUpdate: 5}}", "latestUpdate");
        kinds.put("{$unset: {activeKey: ''}}", "activeKey");
        kinds.put("{$set: {nextFireTime: 'noon'}}", "nextFireTime");
        kinds.put("{$set: {fireSeq: -1}}", "fireSeq");
        kinds.put("{$set: {claimSeq: 'one'}}", "claimSeq");
        kinds.put("{$set: {claimSeq: null}}", "claimSeq");
        kinds.put("{$set: {doneSeq: 99}}", "doneSeq");
        kinds.put("{$set: {paused: true}}", "paused");
        kinds.put("{$set: {blocked: 1}}", "blocked");
        kinds.put("{$set: {blocked: {kind: 'NO_FIRE'}}}", "reason");
        kinds.put("{$set: {followUps: [" + FOLLOW_UP + "zoneId: 'Mars Base'}]}}", "Mars Base");
        kinds.put("{$set: {followUps: [" + FOLLOW_UP + "}]}}", "zoneId");
        kinds.put("{$unset: {lastStatus: ''}}", "lastStatus");
        kinds.put("{$unset: {'lastStatus.updatedTime': ''}}", "updatedTime");
        return kinds;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{$set: {cronDialect: 'LATER'}}",
                "{$set: {calendarPolicy: 'WHENEVER'}}",
                "{$set: {zoneId: 'Mars/Base'}}",
                "{$set: {onSuccess: [" + FOLLOW_UP + "zoneId: 'Mars/Base'}]}}",
                "{$set: {followUps: [" + FOLLOW_UP + "zoneId: 'Mars/Base'}]}}",
                "{$set: {followUps: [" + FOLLOW_UP + "zoneId: 'UTC', onSuccess: [" + FOLLOW_UP
                        + "zoneId: 'Mars/Base'}]}]}}",
                "{$set: {phase: 'LATER'}}",
                "{$set: {'lastStatus.outcome': 'FINE'}}"
            })
    @DisplayName("X6: a job with a value that a newer version may know is left as it was, due, for one that does")
    void unknownHere(String update) {
        List<StoredJob> jobs = new ArrayList<>(insertMany(3));
        edit("k1", Document.parse(update));
        ClaimResult result = store.claim(request(jobs, 5));
        assertThat(keys(result.jobs())).containsExactlyInAnyOrder("k0", "k2");
        assertThat(result.blocked()).isEmpty();
        assertThat(result.leftToOthers()).extracting(DamagedJob::key).containsExactly("k1");
        assertThat(stored("k1"))
                .doesNotContainKeys("lease", "blocked")
                .containsKey("due")
                .as("N6: the claim, and its release")
                .containsEntry("rev", 2L);
        assertThat(stored("k1").get("doneSeq")).isEqualTo(stored("k1").get("claimSeq"));
        assertThat(store.claim(request(jobs, 6)).leftToOthers()).hasSize(1);
    }

    private static List<String> keys(List<StoredJob> jobs) {
        return jobs.stream().map(StoredJob::key).toList();
    }

    /** The server deletes what is removed only after the test has read it. */
    private Removal removed(MongoJobStore from, String key) {
        return from.removeDamaged(key, now.plusSeconds(6_000), Actor.named("ann", null));
    }

    @Test
    @DisplayName("a batch with every kind of damage: each is blocked with its reason, all others are claimed")
    void allAtOnce() {
        List<StoredJob> jobs = new ArrayList<>(insertMany(KINDS.size() + 20));
        List<String> kinds = List.copyOf(KINDS.keySet());
        for (int i = 0; i < kinds.size(); i++) {
            edit("k" + i, Document.parse(kinds.get(i)));
        }
        assertThat(due(Set.of("note"), 0, 7, 500)).as("the look goes on").hasSize(jobs.size());
        ClaimResult result = store.claim(request(jobs, 5));
        assertThat(keys(result.jobs()))
                .containsExactlyInAnyOrderElementsOf(keys(jobs.subList(kinds.size(), jobs.size())));
        assertThat(result.blocked()).hasSize(kinds.size());
        assertThat(due(Set.of("note"), 0, 7, 500).stream().map(DueJob::id))
                .as("what was blocked is not looked at again")
                .doesNotContainAnyElementsOf(
                        result.blocked().stream().map(DamagedJob::id).toList());
        assertThat(keys(store.list(JobQuery.all()).jobs())).containsAll(keys(result.jobs()));
    }

    @Test
    @DisplayName("each alone: blocked, not due, without a lease, with the reason in 'blocked'; mended, it runs")
    void alone() {
        int number = 0;
        for (Map.Entry<String, String> kind : KINDS.entrySet()) {
            blockedAndMended("k" + number++, kind.getKey(), kind.getValue());
        }
    }

    private void blockedAndMended(String key, String update, String word) {
        NewJob whole = Specimens.minimal(key, now);
        insert(whole);
        Document before = stored(key);
        edit(key, Document.parse(update));
        ClaimResult result = store.claim(request(List.of(whole.job()), 5));
        assertThat(result.jobs()).as(update).isEmpty();
        assertThat(result.blocked()).as(update).singleElement().satisfies(job -> {
            assertThat(job.key()).isEqualTo(key);
            assertThat(job.reason()).contains(word);
        });
        assertThat(stored(key)).as(update).doesNotContainKeys("due", "lease");
        assertThat(stored(key).get("blocked", Document.class).getString("reason"))
                .contains("cannot be read")
                .contains(word);
        assertThat(store.claim(request(List.of(whole.job()), 6)).jobs())
                .as(update)
                .isEmpty();
        jobs().replaceOne(new Document("jobSpecificationKey", key), before);
        assertThat(claim(List.of(whole.job()), 7)).as(update).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{$set: {activeKey: 'k1-old'}}",
                "{$set: {activeKey: 'k2'}}",
                "{$set: {jobSpecificationKey: ['k1', 'other'], activeKey: 'other'}}",
                "{$set: {jobSpecificationKey: ['other', 'k1'], claimSeq: 'many'}}"
            })
    @DisplayName(
            "R13: a damaged job of several is known under the key that was asked for; without it, the others are read")
    void newestKnowsTheKeyThatWasAsked(String update) {
        insertMany(2);
        edit("k1", Document.parse(update));
        assertThatThrownBy(() -> store.newest(List.of("k0", "k1")))
                .isInstanceOfSatisfying(
                        DamagedJobException.class,
                        damaged -> assertThat(damaged.job().key()).isEqualTo("k1"));
        assertThat(store.newest(List.of("k0"))).containsOnlyKeys("k0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{$set: {activeKey: 'k0-old'}}", "{$set: {jobSpecificationKey: ['k0', 'k9']}}"})
    @DisplayName("R13: reconcile leaves a declared job whose document names other keys as it is, and stores the others")
    void reconciledBesideDamage(String update) {
        Scheduler scheduler = Scheduler.builder().store(store).build();
        List<JobSpecification> declared = List.of(declared("k0"), declared("k1"));
        scheduler.reconcile("app", declared.subList(0, 1), false);
        edit("k0", Document.parse(update));
        Document damaged = stored("k0");
        ReconcileOptions leaving = ReconcileOptions.DEFAULT.leaveDamaged(true);
        for (boolean first : List.of(true, false)) {
            ReconcileResult result = scheduler.reconcile("app", declared, leaving);
            assertThat(result.created().equals(List.of("k1"))).isEqualTo(first);
            assertThat(result.canceled()).isEmpty();
            assertThat(stored("k0")).isEqualTo(damaged);
            assertThat(store.find("k1", FindScope.LIVE)).isPresent();
        }
    }

    private JobSpecification declared(String key) {
        return Specimens.specification(key)
                .singleSchedule(now.plusSeconds(3_600))
                .build();
    }

    @Test
    @DisplayName("M5: a finished document with a list of keys does not hide the live job of one of them")
    void liveBeforeDamaged() {
        insertMany(2);
        edit("k1", Document.parse("{$set: {jobSpecificationKey: ['k0', 'k1']}, $unset: {activeKey: '', due: ''}}"));
        jobs().updateOne(
                        new Document("jobSpecificationKey", "k1"),
                        new Document(
                                "$set", new Document("deleteTime", Date.from(now.plusSeconds(600))).append("life", 4)));
        assertThat(store.newest(List.of("k0"))).containsOnlyKeys("k0");
        assertThatThrownBy(() -> store.newest(List.of("k0", "k1")))
                .isInstanceOfSatisfying(
                        DamagedJobException.class,
                        damaged -> assertThat(damaged.job().key()).isEqualTo("k1"));
    }

    @Test
    @DisplayName("M5, N6: lists of keys and of lives count for each of their keys and lives, and hide no other key")
    void lastLivesOfLists() {
        insertMany(4);
        edit("k1", Document.parse("{$set: {jobSpecificationKey: ['k1', 'k2', 5], life: 4}}"));
        edit("k3", Document.parse("{$set: {life: [7, 9, 'k3']}}"));
        assertThat(store.lastLives(List.of("k0", "k1", "k2", "k3")))
                .containsEntry("k1", 4)
                .containsEntry("k2", 4)
                .containsEntry("k3", 9)
                .doesNotContainKey("5");
    }

    @Test
    @DisplayName("P9: the slot of a job whose due time is no date is taken when its lease is over, margin included, not"
            + " before")
    void slotWithoutDate() {
        List<StoredJob> jobs = insertMany(2);
        jobs().updateMany(new Document(), Document.parse("{$set: {exclusiveGroup: 'g'}}"));
        assertThat(entering(jobs.get(0), 5).jobs()).hasSize(1);
        for (Object due : List.of("noon", List.of(Date.from(now)), 7)) {
            edit("k0", new Document("$set", new Document("due", due).append("lease.until", Date.from(now))));
            Document held = stored("k0");
            assertThat(entering(jobs.get(1), 6).groupBusy()).as("%s", due).isTrue();
            assertThat(stored("k0")).isEqualTo(held);
        }
        edit("k0", new Document("$set", new Document("lease.until", Date.from(now.minusSeconds(2)))));
        assertThat(entering(jobs.get(1), 6).jobs()).hasSize(1);
        assertThat(stored("k0")).doesNotContainKeys("lease", "runningGroup");
        assertThat(stored("k1")).containsEntry("runningGroup", "g");
    }

    @Test
    @DisplayName(
            "P9: neither a due time nor the end of a lease is there, so the lease is over, as for its removal, and its"
                    + " slot is taken")
    void slotWithoutAnyDate() {
        List<StoredJob> jobs = insertMany(2);
        jobs().updateMany(new Document(), Document.parse("{$set: {exclusiveGroup: 'g'}}"));
        for (String lease : List.of("{owner: 'o'}", "{until: 'noon'}", "{until: null}", "{until: [1]}")) {
            edit("k1", Document.parse("{$unset: {lease: '', runningGroup: ''}, $set: {due: {$date: 0}}}"));
            edit("k0", Document.parse("{$unset: {due: ''}, $set: {runningGroup: 'g', lease: " + lease + "}}"));
            assertThat(entering(jobs.get(1), 6).jobs()).as(lease).hasSize(1);
            assertThat(stored("k0")).doesNotContainKeys("lease", "runningGroup");
            assertThat(stored("k1")).containsEntry("runningGroup", "g");
        }
    }

    private ClaimResult entering(StoredJob job, long token) {
        Instant until = now.plusSeconds(20);
        ClaimRequest.Entry entry = new ClaimRequest.Entry("g", null, List.of("g"));
        return store.claim(
                new ClaimRequest(List.of(job.id()), now, new Lease("n", token, until), until.plusSeconds(2), entry));
    }

    @Test
    @DisplayName("S21, X7: a field that is null is absent for lists, looks and claims, as it is for readers")
    void nulls() {
        List<String> fields = List.of("lease", "blocked", "paused", "progress", "deleteTime");
        List<StoredJob> jobs = insertMany(fields.size() + 1);
        for (int i = 0; i < fields.size(); i++) {
            edit("k" + i, new Document("$set", new Document(fields.get(i), null)));
        }
        assertListedInTheirStates(jobs.size());
        assertThat(store.inspect(10).finishedWithDue()).isEmpty();
        assertThat(due(Set.of("note"), 0, 7, 100)).hasSize(jobs.size());
        assertThat(due(Set.of("note"), 0, 7, jobs.size()))
                .as("urgent ones, too")
                .hasSize(jobs.size());
        assertThat(claim(jobs.subList(4, 5), 6)).as("by itself").hasSize(1);
        assertThat(claim(jobs, 5)).as("with others").hasSize(jobs.size() - 1);
        jobs().updateMany(new Document(), Document.parse("{$set: {progress: null, deleteTime: null}}"));
        assertListedInTheirStates(jobs.size());
        assertThat(store.running(now, Duration.ofMinutes(2), 10)).hasSize(jobs.size());
        edit("k0", Document.parse("{$set: {claimSeq: 'many'}, $unset: {activeKey: '', lease: ''}}"));
        assertThat(removed(store, "k0")).isEqualTo(Removal.REMOVED);
    }

    /** Each live job, in the list of the state that readers see, and in no other one. */
    private void assertListedInTheirStates(int count) {
        List<StoredJob> live = store.list(JobQuery.all()).jobs();
        assertThat(live).hasSize(count);
        for (JobState state : JobState.values()) {
            List<StoredJob> there = live.stream()
                    .filter(job -> job.stateAt(now, List.of()) == state)
                    .toList();
            assertThat(keys(store.list(JobQuery.all().state(state), now, List.of())
                            .jobs()))
                    .as("%s", state)
                    .containsExactlyInAnyOrderElementsOf(keys(there));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1})
    @DisplayName(
            "S3: a job that is blocked as damaged has run nothing, so its repair recovers no run, but for one of an"
                    + " earlier claim")
    void nothingToRecover(long earlier) {
        StoredJob job = insert("k");
        edit("k", Document.parse("{$set: {startDeadline: 5, claimSeq: {$numberLong: '" + earlier + "'}}}"));
        assertThat(store.claim(request(List.of(job), 5)).blocked()).hasSize(1);
        assertThat(stored("k")).doesNotContainKey("lease").containsEntry("claimSeq", earlier + 1);
        assertThat(stored("k").getLong("doneSeq")).isEqualTo(earlier == 0 ? 1L : 0L);
    }

    @Test
    @DisplayName("a search by key reports which document is damaged, and why")
    void find() {
        StoredJob job = insert("k");
        edit("k", Document.parse("{$set: {zoneId: 'Mars/Base'}}"));
        assertThatThrownBy(() -> store.find("k", FindScope.LIVE))
                .isInstanceOf(DamagedJobException.class)
                .hasMessageContaining("ALM-005")
                .hasMessageContaining(job.id())
                .hasMessageContaining("Mars/Base");
    }

    @Test
    @DisplayName(
            "fields that only the look needs: however they were edited by hand, all due jobs are seen and can be run")
    void look() {
        List<StoredJob> jobs = insertMany(6);
        edit("k0", Document.parse("{$set: {prio: 'high'}}"));
        edit("k1", Document.parse("{$unset: {prio: ''}}"));
        edit("k2", Document.parse("{$set: {prio: 4.0}}"));
        edit("k3", Document.parse("{$set: {prio: null}}"));
        assertThat(due(Set.of("note"), 0, 7, 100)).hasSize(6);
        assertThat(due(Set.of("note"), 0, 7, 3))
                .as("with a look for urgent ones")
                .hasSize(3);
        assertThat(claim(jobs, 9)).hasSize(6);
    }

    @Test
    @DisplayName(
            "15: whole numbers as the shell writes them, doubles up to 2^53, are read, and the job's end is written")
    void doubles() {
        StoredJob job = insert("k");
        edit("k", Document.parse("{$set: {version: 9007199254740992.0, fireSeq: 7.0, claimSeq: 3.0, doneSeq: 3.0}}"));
        StoredJob held = claim(List.of(job), 5).get(0);
        assertThat(held.specification().version()).isEqualTo(1L << 53);
        assertThat(held.sequences().fireSeq()).isEqualTo(7);
        assertThat(store.write(List.of(ending(held)))).containsExactly(true);
        assertThat(stored("k")).doesNotContainKey("lease");
    }

    @Test
    @DisplayName("15, P4: a version that was damaged under its lease does not end the renewal of the others")
    void renewal() {
        List<StoredJob> held = claim(insertMany(3), 5);
        edit("k1", Document.parse("{$set: {version: {$numberDouble: 'Infinity'}}}"));
        Map<String, Long> tokens = held.stream().collect(Collectors.toMap(StoredJob::id, job -> 5L));
        Instant until = now.plusSeconds(40);
        assertThat(store.renew(new Renewal(tokens, until, until.plusSeconds(2))))
                .hasSize(3)
                .filteredOn(lease -> lease.version() == 1)
                .hasSize(2);
    }

    @Test
    @DisplayName("15, X6: a job for a newer version whose counters are damaged, too, does not hold up the others")
    void unknownAndDamaged() {
        List<StoredJob> jobs = insertMany(3);
        edit("k1", Document.parse("{$set: {cronDialect: 'LATER', claimSeq: {$numberDouble: 'Infinity'}}}"));
        assertThat(keys(claim(jobs, 5))).containsExactlyInAnyOrder("k0", "k2");
        assertThat(stored("k1")).doesNotContainKey("lease");
    }

    @Test
    @DisplayName("a lease that is no lease is taken over when the job is due")
    void lease() {
        StoredJob job = insert("k");
        edit("k", Document.parse("{$set: {lease: 'mine'}}"));
        assertThat(claim(List.of(job), 3)).hasSize(1);
    }

    @Test
    @DisplayName("a row that cannot be read does not hide the others of its job")
    void rowsOfJob() {
        StoredJob held = claim(List.of(insert("k")), 3).get(0);
        store.write(List.of(ending(held)));
        rows().updateOne(new Document("_id", held.id() + ":0:0:v1"), Document.parse("{$set: {outcome: 'FINE'}}"));
        assertThat(store.rows(RowQuery.ofKey("k", 10)))
                .extracting(JobExecutionStatus::id)
                .containsExactly(held.id() + ":0:0:c1");
    }

    @Test
    @DisplayName(
            "P4: a document that was edited by hand under its lease cannot be completed, and does not affect others")
    void underLease() {
        List<StoredJob> held = claim(insertMany(5), 5);
        edit("k0", Document.parse("{$set: {lastStatus: 'gone'}}"));
        edit("k3", Document.parse("{$set: {lastStatus: 7}}"));
        List<JobChange> ends = held.stream().map(this::ending).toList();
        assertThatThrownBy(() -> store.write(ends)).isInstanceOf(WriteRefusedException.class);
        for (JobChange end : ends) {
            String key = end.before().key();
            if (List.of("k0", "k3").contains(key)) {
                assertThat(stored(key)).containsKey("lease").containsEntry("doneSeq", 0L);
                assertThatThrownBy(() -> store.write(List.of(end)))
                        .as("by itself it is refused, too")
                        .isInstanceOf(WriteRefusedException.class);
            } else {
                assertThat(stored(key)).doesNotContainKey("lease").containsEntry("doneSeq", 1L);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{$set: {lastStatus: 5}}", "{$set: {'lastStatus.updatedTime': 'noon'}}"})
    @DisplayName("X5: a finished job whose time cannot be read is said to be damaged, also if its key has several jobs")
    void timeOfAFinishedJob(String update) {
        insertMany(1);
        edit("k0", Document.parse("{$unset: {activeKey: '', due: ''}}"));
        insertMany(1);
        jobs().updateMany(new Document("activeKey", "k0"), Document.parse("{$unset: {activeKey: '', due: ''}}"));
        jobs().updateMany(new Document(), Document.parse(update));
        assertThatThrownBy(() -> store.find("k0", FindScope.INCLUDING_FINISHED))
                .isInstanceOf(DamagedJobException.class);
        assertThatThrownBy(() -> store.newest(List.of("k0"))).isInstanceOf(DamagedJobException.class);
    }

    @Test
    @DisplayName("15: a job that was changed, and cannot be read, counts as there: its deletion was not applied")
    void removal() {
        List<StoredJob> held = claim(insertMany(4), 5);
        edit("k1", Document.parse("{$set: {zoneId: 'Mars/Base'}, $inc: {rev: 1}}"));
        edit("k2", Document.parse("{$set: {jobRequestor: 17}, $inc: {rev: 1}}"));
        List<JobChange> ends = held.stream()
                .map(job -> new JobChange(job, ending(job).after(), List.of(), null, By.HOLDER, true))
                .toList();
        for (int i = 0; i < 2; i++) {
            List<Boolean> applied = store.write(ends);
            assertThat(ends)
                    .allSatisfy(end -> assertThat(applied.get(ends.indexOf(end)))
                            .isEqualTo(List.of("k0", "k3").contains(end.before().key())));
        }
        assertThat(jobs().countDocuments()).isEqualTo(2);
    }

    @Test
    @DisplayName("15: a document whose plan cannot be read does not hide the newest rows of the others")
    void newestRows() {
        List<String> plans = List.of("{calendars: 'x'}", "{calendars: ['x']}", "{calendars: [{name: 1}]}");
        List<StoredJob> jobs = insertMany(plans.size() + 2);
        for (int i = 0; i < plans.size(); i++) {
            edit("k" + (i + 1), Document.parse("{$set: {planned: " + plans.get(i) + "}}"));
        }
        assertThat(store.newestRows(null, 100).items())
                .extracting(StoreInspection.ShownRow::jobId)
                .containsExactlyInAnyOrder(
                        jobs.get(0).id(), jobs.get(plans.size() + 1).id());
    }

    @Test
    @DisplayName("8: a document that was mended between the reading and its removal stays; one that was not is removed")
    void removedAsRead() {
        insertMany(2);
        edit("k0", Document.parse("{$set: {claimSeq: 'many'}}"));
        edit("k1", Document.parse("{$set: {claimSeq: 'many'}, $unset: {rev: ''}}"));
        CommandListener mends = new CommandListener() {
            @Override
            public void commandSucceeded(CommandSucceededEvent event) {
                if (event.getCommandName().equals("find")) {
                    edit("k0", Document.parse("{$set: {claimSeq: {$numberLong: '0'}}, $inc: {rev: 1}}"));
                }
            }
        };
        try (MongoClient other = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.uri()))
                .addCommandListener(mends)
                .build())) {
            MongoJobStore slow = MongoJobStore.create(other, settings);
            assertThat(removed(slow, "k0")).isEqualTo(Removal.NOT_FOUND);
            assertThat(stored("k0")).containsKeys("due", "activeKey").doesNotContainKey("deleteTime");
            assertThat(removed(slow, "k1")).isEqualTo(Removal.REMOVED);
            assertThat(stored("k1")).doesNotContainKeys("due", "activeKey").containsKey("deleteTime");
        }
    }

    @Test
    @DisplayName("8: the key of a damaged document that was removed is free: no job has it, and the next one is read")
    void removedIsGone() {
        insertMany(1);
        edit("k0", Document.parse("{$set: {claimSeq: 'many', life: 3}}"));
        assertThat(removed(store, "k0")).isEqualTo(Removal.REMOVED);
        assertThat(store.find("k0", FindScope.INCLUDING_FINISHED)).isEmpty();
        assertThat(store.newest(Set.of("k0"))).isEmpty();
        assertThat(store.lastLives(Set.of("k0"))).containsEntry("k0", 3);
    }

    @Test
    @DisplayName("8: a damaged document that was removed is in no list, in no count, and in no finding")
    void removedIsNotListed() {
        insertMany(2);
        edit("k0", Document.parse("{$set: {claimSeq: 'many', failuresInARow: 1}}"));
        edit(
                "k1",
                Document.parse(
                        "{$set: {claimSeq: 'many', failuresInARow: 3, 'lastStatus.executionStatus': 'FAILED'}}"));
        for (int i = 0; i < 2; i++) {
            assertThat(store.cluster().openFailures(10)).isEqualTo(2 - i);
            assertThat(removed(store, "k" + i)).isEqualTo(Removal.REMOVED);
        }
        assertThat(store.cluster().openFailures(10)).isZero();
        assertThat(store.cluster().liveJobs(10)).isZero();
        rows().deleteMany(new Document());
        for (JobState state : JobState.values()) {
            JobQuery query = JobQuery.all().state(state);
            assertThat(store.list(query, now, List.of()).damaged())
                    .as("%s", state)
                    .isEmpty();
            assertThat(store.count(query, now, List.of(), 10).jobs())
                    .as("%s", state)
                    .isZero();
        }
        assertThat(store.inspect(10).finishedWithoutRow()).isEmpty();
        assertThat(store.newestRows(null, 10).items()).isEmpty();
    }

    @Test
    @DisplayName("list, M5: a walk through the finished jobs of a key finds each once, also lives of other kinds than"
            + " numbers")
    void livesOfAnyKind() {
        insertMany(1);
        Document ended = stored("k0").append("deleteTime", Date.from(now.plusSeconds(600)));
        List.of("due", "activeKey", "life").forEach(ended::remove);
        jobs().deleteMany(new Document());
        List<Object> lives = new ArrayList<>(List.of(0, 1L, 2.5, 17, "k0:3", "9", new ObjectId(), true, new Date()));
        lives.add(new Document("of", 1));
        for (int i = 0; i < lives.size(); i++) {
            Document job = new Document(ended).append("_id", "job" + i).append("life", lives.get(i));
            jobs().insertOne(i == 3 ? job.append("padding", "x".repeat(7_000_000)) : job);
        }
        jobs().insertOne(new Document(ended).append("_id", "without"));
        for (int limit : List.of(1, 2, 3, 20)) {
            List<String> found = new ArrayList<>();
            JobQuery query = JobQuery.all().state(JobState.SUCCEEDED).limit(limit);
            JobList page = store.list(query, now, List.of());
            for (int pages = 0; pages < 30; pages++) {
                page.jobs().forEach(job -> found.add(job.id()));
                page.damaged().forEach(job -> found.add(job.id()));
                if (!page.more()) {
                    break;
                }
                page = store.list(query.after(page.lastKey()), now, List.of());
            }
            assertThat(found).as("pages of %s", limit).hasSize(lives.size() + 1).doesNotHaveDuplicates();
        }
    }

    /** The ids of all pages of a query, which end. */
    private List<String> walk(JobQuery query) {
        List<String> found = new ArrayList<>();
        JobList page = store.list(query, now, List.of());
        for (int pages = 0; pages < 200; pages++) {
            page.jobs().forEach(job -> found.add(job.id()));
            page.damaged().forEach(job -> found.add(job.id()));
            if (!page.more()) {
                return found;
            }
            page = store.list(query.after(page.lastKey()), now, List.of());
        }
        throw new AssertionError("it does not end: " + found);
    }

    @Test
    @DisplayName("list, M5: a walk through live jobs finds each once, whatever hands did to some of them")
    void walkOfEachKind() {
        List<String> kinds = new ArrayList<>(KINDS.keySet());
        kinds.remove("{$unset: {activeKey: ''}}");
        // in this order between their keys: before all, among the others, behind them, in two places
        kinds.addAll(List.of(
                "{$set: {activeKey: ['a']}}",
                "{$set: {activeKey: ['k3x', {b: 1}, true]}}",
                "{$set: {activeKey: ['z', 'y']}}",
                "{$set: {activeKey: ['z1', 'a1']}}",
                "{$set: {activeKey: ['k1y', 'k4y', 'k2y']}}",
                "{$set: {activeKey: ['\ud83d\ude00', '\uff21']}}",
                "{$set: {jobSpecificationKey: ['k', 'z']}}"));
        List<StoredJob> jobs = insertMany(kinds.size() + 5);
        for (int i = 0; i < kinds.size(); i++) {
            edit("k" + i, Document.parse(kinds.get(i)));
        }
        List<String> ids = jobs.stream().map(StoredJob::id).toList();
        for (int limit : List.of(1, 2, 3, 100)) {
            assertThat(walk(JobQuery.all().limit(limit)))
                    .as("pages of %s", limit)
                    .containsExactlyInAnyOrderElementsOf(ids);
            assertThat(walk(JobQuery.all()
                            .state(JobState.SCHEDULED)
                            .limit(limit)
                            .window(2)))
                    .as("in windows, pages of %s", limit)
                    .containsAll(ids.subList(kinds.size(), ids.size()))
                    .contains(ids.get(kinds.size() - 1), ids.get(kinds.size() - 7))
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    @DisplayName("list, M5: a key that sorts before each text is in no list, and keeps no other job from one")
    void walkPastOtherKinds() {
        List<StoredJob> jobs = insertMany(6);
        edit("k2", Document.parse("{$set: {activeKey: [5, 'k2']}}"));
        edit("k3", Document.parse("{$set: {activeKey: [null, 'k3', 'k3x']}}"));
        edit("k4", Document.parse("{$set: {activeKey: 7}}"));
        for (int limit : List.of(1, 2, 3, 100)) {
            assertThat(walk(JobQuery.all().limit(limit)))
                    .containsExactly(
                            jobs.get(0).id(), jobs.get(1).id(), jobs.get(5).id());
        }
    }

    @Test
    @DisplayName("list, M5: a walk through finished jobs finds each once, also with lists as keys")
    void walkOfFinished() {
        insertMany(1);
        Document ended = stored("k0").append("deleteTime", Date.from(now.plusSeconds(600)));
        List.of("due", "activeKey", "life").forEach(ended::remove);
        jobs().deleteMany(new Document());
        List<Object> keys = List.of("k", "k", List.of("k", "z"), List.of("m", "a"), "m", "z", List.of("k", "l"), "zz");
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            ids.add("job" + i);
            jobs().insertOne(new Document(ended)
                    .append("_id", "job" + i)
                    .append("jobSpecificationKey", keys.get(i))
                    .append("life", i));
        }
        for (int limit : List.of(1, 2, 3, 20)) {
            assertThat(walk(JobQuery.all().state(JobState.SUCCEEDED).limit(limit)))
                    .as("pages of %s", limit)
                    .containsExactlyInAnyOrderElementsOf(ids);
        }
    }

    @Test
    @DisplayName(
            "list, M5: a page of many large lives of one key has 16 MiB at most, and the next ones bring the others")
    void largeLives() {
        Map<String, Object> body = Map.of("text", "x".repeat(1_000_000));
        JobSpecification large = Specimens.specification("k")
                .triggerCommand(new EncodedCommand("note", 1, body))
                .singleSchedule(now)
                .build();
        NewJob job = Specimens.of(Specimens.id(), large, now);
        store.insert(List.of(job));
        Document ended = stored("k").append("deleteTime", Date.from(now.plusSeconds(600)));
        List.of("due", "activeKey").forEach(ended::remove);
        jobs().deleteMany(new Document());
        for (int i = 0; i < 40; i++) {
            jobs().insertOne(new Document(ended).append("_id", "job" + i).append("life", i));
        }
        Set<String> found = new TreeSet<>();
        JobQuery query = JobQuery.all().state(JobState.SUCCEEDED).limit(5);
        int pages = 0;
        for (JobList page = store.list(query, now, List.of());
                ;
                page = store.list(query.limit(45).after(String.valueOf(page.lastKey())), now, List.of())) {
            assertThat(page.jobs().size()).isBetween(1, 21);
            assertThat(page.jobs().stream().map(StoredJob::id).allMatch(found::add))
                    .isTrue();
            pages++;
            if (!page.more()) {
                break;
            }
        }
        assertThat(found).hasSize(40);
        assertThat(pages).isLessThan(6);
    }

    @Test
    @DisplayName("N4: a walk through the newest rows passes ids that no job can have, and finds each job once")
    void newestRowsOfForeignIds() {
        List<StoredJob> jobs = insertMany(5);
        Document job = stored("k0");
        job.remove("activeKey");
        List<Object> foreign = new ArrayList<>(List.of(
                17, 2.5, true, new Date(), new Document("a", 1), new Binary(new byte[] {1, 2}), "a".repeat(24)));
        foreign.addAll(List.of("b".repeat(24), new MinKey()));
        foreign.forEach(
                id -> jobs().insertOne(new Document(job).append("_id", id).append("life", id)));
        jobs().insertOne(new Document(job).append("_id", "text").append("life", "text"));
        for (int limit : List.of(1, 2, 3, 100)) {
            List<String> found = new ArrayList<>();
            String after = null;
            for (int pages = 0; pages < 40; pages++) {
                StoreInspection.Page<StoreInspection.ShownRow> page = store.newestRows(after, limit);
                page.items().forEach(shown -> found.add(shown.jobId()));
                after = page.next();
                if (after == null) {
                    break;
                }
            }
            assertThat(after).as("it ends").isNull();
            List<String> all = new ArrayList<>(jobs.stream().map(StoredJob::id).toList());
            all.add("text");
            assertThat(found).as("pages of %s", limit).containsExactlyInAnyOrderElementsOf(all);
        }
    }

    @Test
    @DisplayName("8, X6: a document that others may read, or that a node holds, is not removed as damaged")
    void ofOthers() {
        insertMany(3);
        edit("k0", Document.parse("{$set: {zoneId: 'Mars/Base'}}"));
        Document held = new Document("token", 7L)
                .append("owner", "n")
                .append("until", Date.from(Instant.now().plusSeconds(60)));
        edit("k1", new Document("$set", new Document("claimSeq", "many").append("lease", held)));
        Date ended = Date.from(Instant.now().minusSeconds(60));
        edit("k2", new Document("$set", new Document("claimSeq", "many").append("lease", held.append("until", ended))));
        assertThat(removed(store, "k0")).isEqualTo(Removal.READABLE_ELSEWHERE);
        assertThat(removed(store, "k1")).isEqualTo(Removal.LEASED);
        assertThat(removed(store, "k2")).isEqualTo(Removal.REMOVED);
        for (String kept : List.of("k0", "k1")) {
            assertThat(stored(kept))
                    .containsKeys("due", "activeKey", "rev")
                    .doesNotContainKeys("deleteTime", "removedBy");
        }
        assertThat(stored("k1")).containsKey("lease");
        jobs().insertOne(stored("k1")
                .append("_id", "1".repeat(24))
                .append("activeKey", null)
                .append("life", 1)
                .append("lease", null));
        assertThat(removed(store, "k1")).as("one of two of a key is held").isEqualTo(Removal.LEASED);
        assertThat(jobs().countDocuments(new Document("jobSpecificationKey", "k1").append("deleteTime", null)))
                .isEqualTo(2);
    }

    @Test
    @DisplayName("16.2: a document that is larger than any job is listed as damaged, with any kind of id")
    void oversizedForeignIds() {
        insertMany(2);
        Document large = stored("k0").append("padding", "x".repeat(7_000_000));
        for (Object id : List.of(17, new Binary(new byte[] {1}), new Document("a", 1))) {
            jobs().insertOne(large.append("_id", id).append("life", id).append("activeKey", "x" + id));
        }
        JobList page = store.list(JobQuery.all());
        assertThat(page.jobs()).hasSize(2);
        assertThat(page.damaged()).hasSize(3);
    }

    @Test
    @DisplayName("8, 16.2: a document that is larger than any job is removed as damaged, too")
    void oversizedIsRemoved() {
        insertMany(1);
        edit("k0", padding(7_000_000));
        assertThat(removed(store, "k0")).isEqualTo(Removal.REMOVED);
        assertThat(stored("k0")).doesNotContainKeys("due", "activeKey").containsKey("deleteTime");
    }

    @Test
    @DisplayName(
            "8: a document with an id that no job can have is held as well as others: its lease is told, and it stays")
    void heldForeignId() {
        insertMany(1);
        Document held = new Document("token", 7L)
                .append("owner", "n")
                .append("until", Date.from(Instant.now().plusSeconds(60)));
        Document foreign = stored("k0").append("_id", 17).append("lease", held);
        jobs().deleteMany(new Document());
        jobs().insertOne(foreign);
        assertThat(removed(store, "k0")).isEqualTo(Removal.LEASED);
        assertThat(stored("k0")).isEqualTo(foreign);
        edit("k0", Document.parse("{$unset: {lease: ''}}"));
        assertThat(removed(store, "k0")).isEqualTo(Removal.REMOVED);
    }

    /** A field that makes a document so large. */
    private static Document padding(int bytes) {
        return new Document("$set", new Document("padding", "x".repeat(bytes)));
    }

    @Test
    @DisplayName("16.1: a counter at its end, which the server refuses to count up, blocks its job and costs no other")
    void counterAtItsEnd() {
        List<StoredJob> jobs = insertMany(30);
        edit("k3", Document.parse("{$set: {claimSeq: {$numberLong: '9223372036854775807'}}}"));
        edit("k17", Document.parse("{$set: {claimSeq: {$numberLong: '9223372036854775807'}}}"));
        ClaimResult result = store.claim(request(jobs, 5));
        assertThat(keys(result.jobs())).hasSize(28).doesNotContain("k3", "k17");
        assertThat(result.blocked()).extracting(DamagedJob::key).containsExactlyInAnyOrder("k3", "k17");
        assertThat(stored("k17")).doesNotContainKeys("due", "lease");
        assertThat(stored("k17").get("blocked", Document.class).getString("reason"))
                .contains("claimSeq")
                .hasSizeLessThan(600);
        assertThat(due(Set.of("note"), 0, 7, 500)).isEmpty();
    }

    @Test
    @DisplayName("16.1: a document that is no job and that the server refuses to change holds up no look")
    void unnamedAndRefused() {
        insertMany(2);
        Document foreign =
                new Document(jobs().find().first()).append("_id", 17).append("jobSpecificationKey", "foreign");
        foreign.remove("activeKey");
        jobs().insertOne(foreign);
        client.getDatabase(database)
                .runCommand(new Document("collMod", "jobSpecification")
                        .append("validator", Document.parse("{_id: {$type: ['string', 'objectId']}}")));
        assertThat(due(Set.of("note"), 0, 7, 500)).hasSize(2);
        assertThat(jobs().find(new Document("_id", 17)).first()).containsKey("due");
    }

    @Test
    @DisplayName(
            "N3: while the collection of the rows takes none, a user's change is made, and the row that it hides is"
                    + " owed")
    void changedWithoutRows() {
        StoredJob ended = ended(insertMany(1).get(0));
        rows().drop();
        client.getDatabase(database).createView("jobExecutionStatus", "other", List.of());
        JobExecutionStatus asked = Specimens.row(ended.id(), ended.key(), "v2", now.plusSeconds(2));
        StoredJob after = ended.with(edit -> edit.due(null).lastStatus(asked));
        JobChange change = new JobChange(ended, after, List.of(asked), By.REQUEST).withRowsToFollow();
        MongoJobStore cli = MongoJobStore.create(client, settings);
        List<JobExecutionStatus> owed = new ArrayList<>();
        assertThat(cli.write(List.of(change), owed::addAll)).containsExactly(true);
        assertThat(stored("k0")).doesNotContainKey("due");
        assertThat(owed).containsExactly(ended.lastStatus());
        rows().drop();
        cli.writeRows(List.of(asked));
        cli.writeRows(owed);
        assertThat(store.rows(RowQuery.ofKey("k0", 10)))
                .extracting(JobExecutionStatus::id)
                .containsExactly(asked.id(), ended.lastStatus().id());
    }

    @Test
    @DisplayName(
            "N3, X9: of two rows that are hidden together, one is refused for good; the other, which may pass, is owed")
    void refusedAndPassing() {
        List<StoredJob> jobs = insertMany(2).stream().map(this::ended).toList();
        rows().deleteMany(new Document());
        client.getDatabase(database)
                .runCommand(new Document("collMod", "jobExecutionStatus")
                        .append("validator", Document.parse("{jobSpecificationKey: {$ne: 'k0'}}")));
        // it refuses rows of a language that it does not know by an error that may pass
        rows().createIndex(
                        Document.parse("{nothing: 'text'}"),
                        new IndexOptions().languageOverride("jobSpecificationKey"));
        List<StoredJob> held = claim(jobs, 6);
        List<JobChange> ends =
                held.stream().map(this::ending).map(JobChange::withRowsToFollow).toList();
        List<JobExecutionStatus> owed = new ArrayList<>();
        MongoJobStore other = MongoJobStore.create(client, settings);
        assertThat(other.write(ends, owed::addAll)).containsExactly(true, true);
        assertThat(owed)
                .extracting(JobExecutionStatus::id)
                .contains(jobs.get(1).lastStatus().id());
        rows().dropIndex("nothing_text");
        for (JobExecutionStatus row : owed) {
            if (row.jobSpecificationKey().equals("k0")) {
                assertThatThrownBy(() -> other.writeRows(List.of(row))).isInstanceOf(WriteRefusedException.class);
            } else {
                other.writeRows(List.of(row));
            }
        }
        assertThat(store.missingRows(Set.of(jobs.get(1).lastStatus().id()))).isEmpty();
    }

    private StoredJob ended(StoredJob job) {
        JobChange end = ending(claim(List.of(job), 5).get(0));
        assertThat(store.write(List.of(end))).containsExactly(true);
        return store.find(job.key(), FindScope.LIVE).orElseThrow();
    }

    @Test
    @DisplayName("16.1: a reason is at most 500 characters, whatever the field that it quotes holds")
    void longReason() {
        StoredJob job = insert("k");
        edit("k", new Document("$set", new Document("executionTimeout", "y".repeat(2_000_000))));
        ClaimResult result = store.claim(request(List.of(job), 5));
        assertThat(result.blocked())
                .singleElement()
                .satisfies(damaged ->
                        assertThat(damaged.reason()).hasSizeLessThan(540).contains("executionTimeout", "characters)"));
        assertThat(stored("k").get("blocked", Document.class).getString("reason"))
                .contains("executionTimeout")
                .hasSizeLessThan(600);
    }

    @Test
    @DisplayName(
            "16.1: a job whose due is a list is counted once, by its first moment in the span; others where they are"
                    + " due")
    void listsOfDue() {
        insertMany(5);
        Instant late = now.plusSeconds(90);
        edit("k1", new Document("$set", new Document("due", Date.from(late))));
        edit("k2", new Document("$set", new Document("due", List.of(Date.from(now), Date.from(late), "x"))));
        edit("k3", new Document("$set", new Document("due", List.of(Date.from(now.minusSeconds(900)), "x", true))));
        edit(
                "k4",
                new Document(
                        "$set",
                        new Document(
                                "due", List.of(Date.from(now.minusSeconds(900)), Date.from(now.plusSeconds(900))))));
        DueCounts counts = store.dueCounts(now, now.plusSeconds(120), Duration.ofMinutes(1), 100);
        assertThat(counts.slices())
                .containsExactlyInAnyOrder(
                        new DueCounts.Slice("note", now, 3, now),
                        new DueCounts.Slice("note", now.plusSeconds(60), 1, late));
    }

    @Test
    @DisplayName("16.1: lists in the fields of the look hide no job; an id that no job can have is blocked where it is")
    void lists() {
        insertMany(6);
        edit("k0", Document.parse("{$set: {type: ['note', 'other']}}"));
        Object partition = stored("k1").get("p");
        edit("k1", new Document("$set", new Document("p", List.of("x", partition))));
        edit("k2", new Document("$set", new Document("due", List.of("x", Date.from(now)))));
        edit("k3", Document.parse("{$set: {exclusiveGroup: ['a'], prio: ['b', 3]}}"));
        Document strange =
                new Document(stored("k4")).append("_id", 17).append("life", 17).append("activeKey", "other");
        jobs().insertOne(strange);
        List<DueJob> seen = due(Set.of("note"), 0, 7, 100);
        assertThat(seen).hasSize(6).allSatisfy(job -> assertThat(job.type()).isEqualTo("note"));
        assertThat(seen).filteredOn(job -> job.priority() == 3).hasSize(1);
        Instant later = now.plusSeconds(60);
        assertThat(store.running(now.minusSeconds(60), Duration.ofMinutes(2), 10))
                .isEmpty();
        assertThat(store.otherDueTypes(Set.of("other"), later)).containsExactly("note");
        assertThat(keys(store.earliestDue(Set.of("note"), later, 10))).contains("k4", "k5");
        for (int limit : List.of(1, 100)) {
            assertThat(store.dueCounts(now.minusSeconds(60), later, Duration.ofMinutes(1), limit)
                            .slices())
                    .as("counted up to %s", limit)
                    .allSatisfy(slice -> assertThat(slice.earliest())
                            .isBetween(slice.start(), slice.start().plusSeconds(60)))
                    .allSatisfy(slice -> assertThat(slice.start()).isBetween(now.minusSeconds(60), later));
        }
        Document blocked = jobs().find(new Document("_id", 17)).first();
        assertThat(blocked).doesNotContainKey("due");
        assertThat(blocked.get("blocked", Document.class).getString("reason")).contains("_id");
        ClaimResult result = store.claim(new ClaimRequest(
                seen.stream().map(DueJob::id).toList(),
                now,
                new Lease("n", 5, now.plusSeconds(20)),
                now.plusSeconds(22)));
        assertThat(keys(result.jobs())).contains("k0", "k1", "k2", "k4", "k5");
        assertThat(stored("k3").get("blocked", Document.class).getString("reason"))
                .contains("exclusiveGroup");
    }

    @Test
    @DisplayName("16.2: of a document that is larger than any job only its key is read, and it is blocked; others run")
    void oversized() {
        List<StoredJob> jobs = insertMany(8);
        for (int i = 0; i < 5; i++) {
            edit("k" + i, padding(12_000_000));
        }
        rows().updateOne(
                        new Document("jobSpecificationKey", "k6"),
                        new Document("$set", new Document("detail", "x".repeat(7_000_000))));
        assertThat(keys(store.list(JobQuery.all()).jobs())).containsExactly("k5", "k6", "k7");
        assertThat(store.list(JobQuery.all()).damaged())
                .hasSize(5)
                .allSatisfy(
                        job -> assertThat(job.reason()).matches("the document has 120\\d+ bytes, more than 6291456"));
        assertThatThrownBy(() -> store.find("k0", FindScope.LIVE)).hasMessageContaining("bytes, more than 6291456");
        assertThat(store.rows(RowQuery.ofKey("k6", 10))).isEmpty();
        assertThat(store.rows(RowQuery.ofKey("k7", 10))).hasSize(1);
        ClaimResult result = store.claim(request(jobs, 5));
        assertThat(keys(result.jobs())).containsExactlyInAnyOrder("k5", "k6", "k7");
        assertThat(result.blocked())
                .extracting(DamagedJob::key)
                .containsExactlyInAnyOrder("k0", "k1", "k2", "k3", "k4");
        assertThat(jobs().countDocuments(Document.parse("{'blocked.reason': /bytes/, due: {$exists: false}}")))
                .isEqualTo(5);
    }

    @Test
    @DisplayName("16.1: a document at the server's limit, which has no room for a lease, is no longer due; others run")
    void full() {
        List<StoredJob> jobs = insertMany(4);
        long size = jobs().aggregate(List.of(
                        new Document("$match", new Document("jobSpecificationKey", "k2")),
                        new Document("$project", new Document("size", new Document("$bsonSize", "$$ROOT")))))
                .first()
                .getInteger("size");
        // type, name and length of the field that is added take 14 bytes
        edit("k2", padding((int) ((16 << 20) - size - 14 - 1)));
        ClaimResult result = store.claim(request(jobs, 5));
        assertThat(keys(result.jobs())).containsExactlyInAnyOrder("k0", "k1", "k3");
        assertThat(result.blocked()).extracting(DamagedJob::key).containsExactly("k2");
        assertThat(stored("k2")).doesNotContainKey("due");
    }

    @Test
    @DisplayName(
            "16.2: a claim brings 16 MiB of large jobs at most; the others stay due, and the next claims bring them")
    void bytes() {
        insertMany(30);
        for (int i = 0; i < 24; i++) {
            edit("k" + i, padding(1_500_000));
        }
        Set<String> claimed = new TreeSet<>();
        int claims = 0;
        for (List<DueJob> seen = due(Set.of("note"), 0, 7, 100);
                !seen.isEmpty();
                seen = due(Set.of("note"), 0, 7, 100)) {
            Instant until = now.plusSeconds(20);
            List<String> ids = seen.stream()
                    .filter(job -> !job.due().isAfter(now))
                    .map(DueJob::id)
                    .toList();
            if (ids.isEmpty()) {
                break;
            }
            ClaimResult result =
                    store.claim(new ClaimRequest(ids, now, new Lease("n", ++claims, until), until.plusSeconds(2)));
            assertThat(result.jobs()).isNotEmpty();
            assertThat(result.jobs().stream()
                            .filter(job -> Integer.parseInt(job.key().substring(1)) < 24)
                            .count())
                    .isLessThanOrEqualTo(11);
            claimed.addAll(keys(result.jobs()));
        }
        assertThat(claimed).hasSize(30);
        assertThat(claims).isBetween(3, 6);
    }

    @Test
    @DisplayName("16.2: a page of large jobs has 16 MiB at most; the next pages bring the others, each job once")
    void largePages() {
        Map<String, Object> body = Map.of("text", "x".repeat(1_000_000));
        for (int i = 10; i < 50; i++) {
            String key = "k" + i;
            JobSpecification large = Specimens.specification(key)
                    .triggerCommand(new EncodedCommand("note", 1, body))
                    .singleSchedule(now)
                    .build();
            insert(Specimens.of(Specimens.id(), large, now));
        }
        insertMany(5);
        List<String> keys = new ArrayList<>();
        JobQuery query = JobQuery.all().limit(45);
        int pages = 0;
        for (JobList page = store.list(query); ; page = store.list(query.after(String.valueOf(page.lastKey())))) {
            assertThat(page.jobs()).hasSizeBetween(1, 21);
            keys.addAll(keys(page.jobs()));
            pages++;
            if (!page.more()) {
                break;
            }
        }
        assertThat(pages).isEqualTo(3);
        assertThat(keys).hasSize(45).doesNotHaveDuplicates().isSorted();
        assertThat(store.earliestDue(Set.of("note"), now.plusSeconds(60), 45))
                .as("the first of these, as many as fit")
                .hasSizeBetween(1, 21);
    }
}
