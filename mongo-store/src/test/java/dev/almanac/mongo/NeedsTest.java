package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.FindScope;
import dev.almanac.model.JobSpecification;
import dev.almanac.store.DueJob;
import dev.almanac.store.NewJob;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rule X6: what newer versions store. */
class NeedsTest extends StoreFixture {
    private List<String> found() {
        return due(Set.of("note"), 0, 7, 10).stream().map(DueJob::id).toList();
    }

    private NewJob spread(String key) {
        NewJob given = Specimens.minimal(key, now);
        StoredJob job = given.job();
        return new NewJob(
                job.with(edit -> edit.specification(job.specification().toBuilder()
                        .every("PT1H")
                        .singleSchedule((java.time.Instant) null)
                        .anchor(now)
                        .spread(Duration.ofMinutes(5))
                        .missedFireGrace(Duration.ofMinutes(1))
                        .build())),
                given.row());
    }

    private NewJob onCalendar(String key, boolean applies) {
        NewJob given = Specimens.minimal(key, now);
        return new NewJob(
                given.job()
                        .with(edit -> edit.specification(given.job().specification().toBuilder()
                                .calendar("bank")
                                .calendarsOnSingle(applies)
                                .build())),
                given.row());
    }

    private boolean applies(String key) {
        return store.find(key, FindScope.LIVE).orElseThrow().specification().calendarsOnSingle();
    }

    @Test
    @DisplayName(
            "16, X6: one-offs of both meanings of calendars lie side by side; older nodes leave the newer ones alone")
    void singleCalendars() {
        insert(onCalendar("older", false));
        insert(onCalendar("newer", true));
        assertThat(stored("older")).doesNotContainKey("needs");
        assertThat(stored("newer").getList("needs", String.class)).containsExactly("single-calendars");
        assertThat(applies("older")).isFalse();
        assertThat(applies("newer")).isTrue();
        edit("older", new Document("$set", new Document("needs", 7)));
        assertThat(applies("older")).as("however it was edited by hand").isFalse();
    }

    @Test
    @DisplayName("16, X6: calendars of a follow-up are a need of their own, and change nothing of its job")
    void followUpCalendars() {
        NewJob parent = onCalendar("parent", false);
        JobSpecification followUp = onCalendar("next", false).job().specification();
        insert(new NewJob(
                parent.job()
                        .with(edit -> edit.specification(parent.job().specification().toBuilder()
                                .onSuccess(followUp)
                                .build())),
                parent.row()));
        assertThat(stored("parent").getList("needs", String.class))
                .containsExactly("follow-ups", "follow-up-calendars");
        assertThat(applies("parent")).isFalse();
    }

    @Test
    @DisplayName("X6: a document says what it needs, and a look passes over one that needs what this version lacks")
    void needs() {
        StoredJob plain = insert("plain");
        StoredJob newer = insert("newer");
        StoredJob spread = insert(spread("spread"));
        assertThat(stored("plain")).doesNotContainKey("needs");
        assertThat(stored("spread").getList("needs", String.class))
                .containsExactly("every", "missed-fire-grace", "spread");
        assertThat(store.find("spread", FindScope.LIVE).orElseThrow().specification())
                .isEqualTo(spread.specification())
                .satisfies(read -> assertThat(read.anchor())
                        .isEqualTo(spread.specification().anchor()));
        edit("newer", new Document("$set", new Document("needs", List.of("spread", "teleport"))));
        assertThat(found()).containsExactlyInAnyOrder(plain.id(), spread.id());
        edit("newer", new Document("$set", new Document("needs", List.of("spread"))));
        assertThat(found()).containsExactlyInAnyOrder(plain.id(), spread.id(), newer.id());
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
        edit("changed", new Document("$set", new Document("needs", List.of("spread"))));
        assertThat(claim(List.of(changed), 2)).extracting(StoredJob::id).containsExactly(changed.id());
    }
}
