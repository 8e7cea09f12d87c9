package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobQuery;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.DamagedJob;
import dev.almanac.store.DamagedJobException;
import dev.almanac.store.DueJob;
import dev.almanac.store.NewJob;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Documents that hands have been at: each is set aside with a reason, and never costs the others anything. */
class DamageTest extends StoreFixture {
    /** What somebody did, and a word of the reason that is told. */
    private static final Map<String, String> KINDS = kinds();

    private static Map<String, String> kinds() {
        Map<String, String> kinds = new LinkedHashMap<>();
        kinds.put("{$set: {jobRequestor: 17}}", "jobRequestor");
        kinds.put("{$unset: {jobRequestor: ''}}", "jobRequestor");
        kinds.put("{$unset: {singleSchedule: ''}}", "singleSchedule");
        kinds.put("{$set: {singleSchedule: '2026-01-01'}}", "singleSchedule");
        kinds.put("{$set: {singleScheduleLocal: 'noon'}}", "noon");
        kinds.put("{$set: {cronDialect: 'SPRING'}}", "cronDialect");
        kinds.put("{$unset: {triggerCommand: ''}}", "triggerCommand");
        kinds.put("{$set: {triggerCommand: 'note'}}", "triggerCommand");
        kinds.put("{$unset: {'triggerCommand.body': ''}}", "body");
        kinds.put("{$set: {'triggerCommand.version': 0}}", "version");
        kinds.put("{$set: {triggerIdentifier: {}}}", "triggerIdentifier");
        kinds.put("{$set: {failureCommand: {type: 3}}}", "type");
        kinds.put("{$set: {calendars: 'weekends'}}", "calendars");
        kinds.put("{$set: {calendarPolicy: 'WHENEVER'}}", "calendarPolicy");
        kinds.put("{$set: {zoneId: 'Mars/Base'}}", "Mars");
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
        kinds.put("{$set: {latestUpdate: 5}}", "latestUpdate");
        kinds.put("{$unset: {activeKey: ''}}", "activeKey");
        kinds.put("{$set: {nextFireTime: 'noon'}}", "nextFireTime");
        kinds.put("{$set: {fireSeq: -1}}", "fireSeq");
        kinds.put("{$set: {claimSeq: 'one'}}", "claimSeq");
        kinds.put("{$set: {claimSeq: null}}", "claimSeq");
        kinds.put("{$set: {doneSeq: 99}}", "doneSeq");
        kinds.put("{$set: {paused: true}}", "paused");
        kinds.put("{$set: {phase: 'LATER'}}", "phase");
        kinds.put("{$set: {blocked: 1}}", "blocked");
        kinds.put("{$unset: {lastStatus: ''}}", "lastStatus");
        kinds.put("{$unset: {'lastStatus.updatedTime': ''}}", "updatedTime");
        kinds.put("{$set: {'lastStatus.outcome': 'FINE'}}", "outcome");
        return kinds;
    }

    private static List<String> keys(List<StoredJob> jobs) {
        return jobs.stream().map(StoredJob::key).toList();
    }

    @Test
    @DisplayName("a batch with every kind of damage: each is set aside with its reason, all others are claimed")
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
        assertThat(result.setAside()).hasSize(kinds.size());
        assertThat(due(Set.of("note"), 0, 7, 500).stream().map(DueJob::id))
                .as("what was set aside is not looked at again")
                .doesNotContainAnyElementsOf(
                        result.setAside().stream().map(DamagedJob::id).toList());
        assertThat(keys(store.list(JobQuery.all()).jobs())).containsAll(keys(result.jobs()));
    }

    @Test
    @DisplayName("each alone: set aside, not due, without a lease, with the reason in 'blocked'; mended, it runs")
    void alone() {
        int number = 0;
        for (Map.Entry<String, String> kind : KINDS.entrySet()) {
            setAsideAndMended("k" + number++, kind.getKey(), kind.getValue());
        }
    }

    private void setAsideAndMended(String key, String update, String word) {
        NewJob whole = Specimens.minimal(key, now);
        insert(whole);
        Document before = stored(key);
        edit(key, Document.parse(update));
        ClaimResult result = store.claim(request(List.of(whole.job()), 5));
        assertThat(result.jobs()).as(update).isEmpty();
        assertThat(result.setAside()).as(update).singleElement().satisfies(job -> {
            assertThat(job.key()).isEqualTo(key);
            assertThat(job.reason()).contains(word);
        });
        assertThat(stored(key)).as(update).doesNotContainKeys("due", "lease");
        assertThat(stored(key).getString("blocked")).contains("cannot be read").contains(word);
        assertThat(store.claim(request(List.of(whole.job()), 6)).jobs())
                .as(update)
                .isEmpty();
        jobs().replaceOne(new Document("jobSpecificationKey", key), before);
        assertThat(claim(List.of(whole.job()), 7)).as(update).hasSize(1);
    }

    @Test
    @DisplayName("who asks for the job by its key is told which document it is and what is wrong with it")
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
    @DisplayName("fields that only the look needs: whatever hands made of them, all due jobs are seen and can be run")
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
    @DisplayName("P4: what hands have damaged under its lease cannot be completed, and takes no other with it")
    void underLease() {
        List<StoredJob> held = claim(insertMany(5), 5);
        edit("k0", Document.parse("{$set: {lastStatus: 'gone'}}"));
        edit("k3", Document.parse("{$set: {lastStatus: 7}}"));
        List<Boolean> expected = held.stream()
                .map(job -> !List.of("k0", "k3").contains(job.key()))
                .toList();
        assertThat(store.write(held.stream().map(this::ending).toList())).isEqualTo(expected);
        assertThat(stored("k0")).containsKey("lease").containsEntry("doneSeq", 0L);
        assertThat(stored("k4")).doesNotContainKey("lease").containsEntry("doneSeq", 1L);
    }
}
