package dev.almanac.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.EncodedCommand;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.By;
import dev.almanac.store.JobWatch;
import dev.almanac.store.NewJob;
import dev.almanac.store.Renewal;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The promises of {@link JobWatch}, for stores that can be watched. Inherit it, and give an empty store for each test. */
public abstract class JobWatchContract extends StoreContractFixture {
    private static final Set<String> NOTES = Set.of("note");
    /** How often a store may answer too early. */
    private static final int READINGS = 20;

    /** For the inheriting class. */
    protected JobWatchContract() {}

    private static void assertTold(JobWatch watch) {
        boolean reported = false;
        for (int i = 0; i < READINGS && !reported; i++) {
            reported = watch.anyDue();
        }
        assertThat(reported).as("reported a job that is due").isTrue();
    }

    private Instant inAnHour() {
        return now.plus(Duration.ofHours(1));
    }

    private NewJob ofAnotherType(String key) {
        return Specimens.of(
                Specimens.id(),
                Specimens.specification(key)
                        .triggerCommand(new EncodedCommand("sorry", 1, Map.of()))
                        .singleSchedule(now)
                        .build(),
                now);
    }

    private void changeByUser(StoredJob before, Instant due) {
        StoredJob after = withVersion(before, 2).with(edit -> edit.due(due));
        JobChange change = change(before, after, rowOf(before, "v2", now), By.REQUEST);
        assertThat(store.write(List.of(change))).containsExactly(true);
    }

    @Test
    @DisplayName("6.3: a watch reports each job that is stored to be due at once, and not of those before it")
    void stored() {
        insert(Specimens.minimal("before", now));
        try (JobWatch watch = store.cluster().watch(NOTES);
                JobWatch second = store.cluster().watch(Set.of("sorry", "note"))) {
            assertThat(watch.anyDue()).isFalse();
            for (String key : List.of("a", "b")) {
                insert(Specimens.minimal(key, now));
                assertTold(watch);
                assertTold(second);
            }
            assertThat(watch.anyDue()).as("reported once").isFalse();
        }
    }

    @Test
    @DisplayName("6.3: a watch reports a job that a user's change makes due at once")
    void changed() {
        StoredJob job = insert(Specimens.minimal("a", inAnHour()));
        try (JobWatch watch = store.cluster().watch(NOTES)) {
            changeByUser(job, now);
            assertTold(watch);
        }
    }

    @Test
    @DisplayName("6.3: it reports neither later jobs or other types, nor what the holder of a lease writes")
    void others() {
        StoredJob job = insert(Specimens.minimal("mine", now));
        StoredJob later = insert(Specimens.minimal("changed", inAnHour()));
        try (JobWatch watch = store.cluster().watch(NOTES)) {
            insert(Specimens.minimal("later", inAnHour()));
            insert(ofAnotherType("other"));
            changeByUser(later, inAnHour().plusSeconds(1));
            StoredJob held = claimed(job, 1);
            store.renew(new Renewal(Map.of(job.id(), 1L), now.plusSeconds(40), now.plusSeconds(42)));
            StoredJob again = ended(held).with(edit -> edit.due(now));
            JobChange end = change(held, again, rowOf(held, "end", now), By.HOLDER);
            assertThat(store.write(List.of(end))).containsExactly(true);
            assertThat(watch.anyDue()).isFalse();
            insert(Specimens.minimal("due", now));
            assertTold(watch);
        }
    }

    @Test
    @DisplayName("6.3: a watch that is closed twice is closed")
    void closed() {
        JobWatch watch = store.cluster().watch(NOTES);
        watch.close();
        watch.close();
    }
}
