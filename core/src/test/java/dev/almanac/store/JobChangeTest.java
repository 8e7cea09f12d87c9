package dev.almanac.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.engine.rules.Jobs;
import dev.almanac.store.JobChange.By;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JobChangeTest {
    private static final StoredJob FREE = Jobs.oneOff("k", Jobs.NOW);
    private static final StoredJob HELD = FREE.with(edit -> edit.lease(new Lease("node", 7, Jobs.NOW))
            .sequences(new Sequences(0, 1, 0, 0))
            .revision(FREE.revision().raised()));

    private static JobChange end(StoredJob held) {
        StoredJob after =
                held.with(edit -> edit.lease(null).sequences(held.sequences().done()));
        return new JobChange(held, after, List.of(), By.HOLDER);
    }

    private static JobChange request(StoredJob job) {
        return new JobChange(job, job, List.of(), By.REQUEST);
    }

    @Test
    @DisplayName("N6: a change raises the revision by one, whatever its decision has made of it")
    void raises() {
        StoredJob wrong = HELD.with(edit -> edit.revision(new Revision(77, 1, 2, 3)));
        JobChange change = new JobChange(HELD, wrong, List.of(), By.HOLDER);
        assertThat(change.after().revision()).isEqualTo(new Revision(2, 1, 2, 3));
        assertThat(HELD.revision()).isEqualTo(new Revision(1, 0, 0, 0));
    }

    @Test
    @DisplayName(
            "N7: an end is shown by its document, also once a user has changed it, and not once another claim has ended")
    void shownEnd() {
        JobChange end = end(HELD).as(5);
        JobChange after = request(end.after()).as(6);
        StoredJob claimed = after.after()
                .with(edit -> edit.lease(new Lease("other", 8, Jobs.NOW))
                        .revision(after.after().revision().raised()));
        JobChange next = end(claimed).as(9);
        assertThat(end.isShownBy(HELD)).isFalse();
        assertThat(end.isShownBy(end.after())).isTrue();
        assertThat(end.isShownBy(after.after())).isTrue();
        assertThat(end.isShownBy(claimed)).isTrue();
        assertThat(end.isShownBy(next.after())).isFalse();
        assertThat(after.isShownBy(next.after())).as("the newest request").isTrue();
    }

    @Test
    @DisplayName("N7: a change under a lease is shown until the next one; a change that nobody named is never shown")
    void shownUnderLease() {
        JobChange mark = new JobChange(HELD, HELD, List.of(), By.HOLDER).as(5);
        assertThat(mark.isShownBy(mark.after())).isTrue();
        assertThat(mark.isShownBy(request(mark.after()).as(6).after())).isFalse();
        JobChange nameless = end(HELD);
        assertThat(nameless.isShownBy(nameless.after())).isFalse();
    }
}
