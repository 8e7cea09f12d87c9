package dev.almanac.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.LogLine;
import dev.almanac.model.Progress;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.By;
import dev.almanac.store.Lease;
import dev.almanac.store.Renewal;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What runs leave beside their outcome: the state for the next run, and how far they are (rule A3). */
abstract class StoreRunNotes extends StoreContractFixture {
    private static Map<String, Object> state() {
        Map<String, Object> state = new HashMap<>();
        state.put("cursor", 1L << 40);
        state.put("exact", new BigDecimal("12.50"));
        state.put("list", Arrays.asList(1, null, "x", Map.of("deep", true, "half", 0.5)));
        state.put("none", null);
        return state;
    }

    private StoredJob said(StoredJob held, long token, Progress progress, Instant until) {
        store.renew(new Renewal(
                Map.of(held.id(), token), until, until.plus(MARGIN), Map.of(held.id(), progress), null, false));
        return live(held.key());
    }

    @Test
    @DisplayName("the state that a run leaves comes back equal, in document and row; a user's change keeps it")
    void stateComesBack() {
        StoredJob held = claimed(insert(Specimens.minimal("k", now)), 1);
        JobExecutionStatus row = Specimens.row(held.id(), "k", "x", now).toBuilder()
                .note("half way")
                .state(state())
                .log(List.of(new LogLine(now.minusSeconds(1), "asking"), new LogLine(now, "answered")))
                .build();
        StoredJob after = held.with(edit -> edit.lease(null)
                .state(state())
                .lastStatus(row.toBuilder().log(List.of()).build()));
        assertThat(store.write(List.of(new JobChange(held, after, List.of(row), By.HOLDER))))
                .containsExactly(true);
        assertThat(live("k").state()).isEqualTo(state());
        assertThat(store.rows(RowQuery.ofDocument(held.id(), 1))).containsExactly(row);
        StoredJob free = live("k");
        StoredJob next = free.with(edit -> edit.specification(
                free.specification().toBuilder().priority(1).version(2).build()));
        assertThat(store.write(List.of(new JobChange(free, next, List.of(), By.REQUEST))))
                .containsExactly(true);
        assertThat(live("k").state()).isEqualTo(state());
        StoredJob again = live("k");
        StoredJob without = again.with(edit -> edit.state(Map.of()));
        assertThat(store.write(List.of(new JobChange(again, without, List.of(), By.REQUEST))))
                .containsExactly(true);
        assertThat(live("k").state()).isEmpty();
    }

    @Test
    @DisplayName(
            "S7: the row of a run that was stored from its document, which has no log, gets its lines with the row")
    void logComesLater() {
        StoredJob held = claimed(insert(Specimens.minimal("k", now)), 1);
        JobExecutionStatus bare = Specimens.row(held.id(), "k", "x", now);
        JobExecutionStatus row = bare.toBuilder()
                .log(List.of(new LogLine(now.minusSeconds(1), "asking"), new LogLine(now, "answered")))
                .build();
        store.writeRows(List.of(bare));
        store.writeRows(List.of(Specimens.row(held.id(), "k", "y", now.minusSeconds(1)), row));
        assertThat(store.rows(RowQuery.ofDocument(held.id(), 1))).containsExactly(row);
        store.writeRows(List.of(bare));
        assertThat(store.rows(RowQuery.ofDocument(held.id(), 1))).containsExactly(row);
    }

    @Test
    @DisplayName("the state of a run whose document was written since by others is not saved")
    void stateOfLostLease() {
        StoredJob held = claimed(insert(Specimens.minimal("k", now)), 2);
        StoredJob lost = outdated(held);
        StoredJob after = lost.with(edit -> edit.lease(null).state(state()));
        assertThat(store.write(List.of(new JobChange(lost, after, List.of(), By.HOLDER))))
                .containsExactly(false);
        assertThat(live("k").state()).isEmpty();
    }

    @Test
    @DisplayName(
            "A3: progress is written with the renewal, by who holds the token, and lengthens the lease as any other")
    void progress() {
        StoredJob held = claimed(insert(Specimens.minimal("k", now)), 1);
        Instant until = now.plusSeconds(40);
        Progress some = new Progress(3, 10, "reading", now);
        StoredJob noted = said(held, 1, some, until);
        assertThat(noted.progress()).isEqualTo(some);
        assertThat(noted.lease().until()).isEqualTo(until);
        assertThat(noted.due()).isEqualTo(until.plus(MARGIN));
        Progress bare = new Progress(4, 0, "", now.plusSeconds(1));
        assertThat(said(held, 1, bare, until).progress()).isEqualTo(bare);
        assertThat(said(held, 99, some, until.plusSeconds(9))).isEqualTo(live("k"));
        assertThat(live("k").progress()).isEqualTo(bare);
        assertThat(live("k").lease().until()).isEqualTo(until);
    }

    @Test
    @DisplayName("A3: progress goes with the lease: at its end, and at the next claim of a job whose lease has run out")
    void progressGoes() {
        StoredJob held = claimed(insert(Specimens.minimal("k", now)), 1);
        said(held, 1, new Progress(3, 10, "reading", now), now.plusSeconds(40));
        StoredJob after = held.with(edit -> edit.lease(null));
        assertThat(store.write(List.of(new JobChange(held, after, List.of(), By.HOLDER))))
                .containsExactly(true);
        assertThat(live("k").progress()).isNull();
        StoredJob lost = claimed(insert(Specimens.minimal("lost", now)), 1);
        said(lost, 1, new Progress(3, 10, "reading", now), now.plusSeconds(1));
        Instant later = now.plus(LEASE).plus(MARGIN).plusSeconds(1);
        store.claim(new ClaimRequest(
                List.of(lost.id()), later, new Lease("other", 2, later.plus(LEASE)), later.plus(LEASE)));
        assertThat(live("lost").lease().token()).isEqualTo(2);
        assertThat(live("lost").progress()).isNull();
        assertThat(said(lost, 1, new Progress(4, 10, "late", now), later.plusSeconds(90))
                        .progress())
                .isNull();
    }
}
