package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.FindScope;
import dev.almanac.model.JobSpecification;
import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import dev.almanac.store.Needs;
import dev.almanac.store.NewJob;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import java.util.List;
import java.util.Set;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rule X6: what not every node can run. */
class NeedsTest extends StoreFixture {
    private List<String> found() {
        return due(Set.of("note"), 0, 7, 10).stream().map(DueJob::id).toList();
    }

    private NewJob rule(String key) {
        NewJob given = Specimens.minimal(key, now);
        StoredJob job = given.job();
        return new NewJob(
                job.with(edit -> edit.specification(job.specification().toBuilder()
                        .rrule("DTSTART:20260131T090000 RRULE:FREQ=DAILY")
                        .singleSchedule((java.time.Instant) null)
                        .build())),
                given.row());
    }

    private NewJob followedBy(String key, JobSpecification followUp) {
        NewJob given = Specimens.minimal(key, now);
        StoredJob job = given.job();
        return new NewJob(
                job.with(edit -> edit.specification(
                        job.specification().toBuilder().onSuccess(followUp).build())),
                given.row());
    }

    @Test
    @DisplayName("X6: a document says what it needs, and a look passes over one that needs what this process lacks")
    void needs() {
        StoredJob plain = insert("plain");
        StoredJob newer = insert("newer");
        StoredJob rule = insert(rule("rule"));
        StoredJob parent = insert(followedBy("parent", rule("{key}-then").job().specification()));
        assertThat(stored("plain")).doesNotContainKey("needs");
        for (StoredJob each : List.of(rule, parent)) {
            assertThat(stored(each.key()).getList("needs", String.class)).containsExactly("rrule");
            assertThat(store.find(each.key(), FindScope.LIVE).orElseThrow()).isEqualTo(each);
        }
        edit("newer", new Document("$set", new Document("needs", List.of("teleport"))));
        assertThat(Needs.known()).as("no almanac-calendars here").isEmpty();
        assertThat(found()).containsExactly(plain.id());
        assertThat(store.due(new DueQuery(Set.of("note"), Set.of(), ALL_PARTITIONS, 0, 7, now, 10).withAnyNeeds()))
                .as("those that count what stands still see all of them")
                .extracting(DueJob::id)
                .containsExactlyInAnyOrder(plain.id(), newer.id(), rule.id(), parent.id());
        for (String key : List.of("newer", "rule", "parent")) {
            edit(key, new Document("$unset", new Document("needs", "")));
        }
        assertThat(found()).containsExactlyInAnyOrder(plain.id(), newer.id(), rule.id(), parent.id());
    }

    @Test
    @DisplayName("X6: what has come to need more since it was looked at is not claimed, and others of the claim are")
    void needsMoreSinceTheLook() {
        StoredJob plain = insert("plain");
        StoredJob changed = insert("changed");
        assertThat(found()).containsExactlyInAnyOrder(plain.id(), changed.id());
        edit("changed", new Document("$set", new Document("needs", List.of("teleport"))));
        assertThat(claim(List.of(plain, changed), 1)).extracting(StoredJob::id).containsExactly(plain.id());
        assertThat(stored("changed")).doesNotContainKey("lease").containsEntry("claimSeq", 0L);
        edit("changed", new Document("$set", new Document("needs", List.of())));
        assertThat(claim(List.of(changed), 2)).extracting(StoredJob::id).containsExactly(changed.id());
    }
}
