package dev.almanac.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.engine.rules.Jobs;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.WriteOrder;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoredJob;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PendingWriteTest {
    @ParameterizedTest(name = "{0}, {1} claims, {2} ended: applied {3}")
    @DisplayName("R4: after another claim has ended, missed fires are not known to be passed, and no row tells of them")
    @CsvSource({
        "PLAN_FIRST, 1, 1, true",
        "PLAN_FIRST, 2, 1, true",
        "PLAN_FIRST, 1, 0, false",
        "PLAN_FIRST, 2, 2, false",
        "ROWS_FIRST, 2, 2, true",
        "ROWS_FIRST, 2, 0, false"
    })
    void applied(WriteOrder order, long claims, long ended, boolean applied) {
        StoredJob free = Jobs.oneOff("k", Jobs.NOW);
        StoredJob claimed = free.with(edit -> edit.sequences(new Sequences(0, 1, 0, 0)));
        StoredJob after = free.with(edit -> edit.sequences(new Sequences(1, 1, 1, 0)));
        StoredJob stored = free.with(edit -> edit.sequences(new Sequences(0, claims, ended, 0)));
        JobChange change = new JobChange(claimed, after, List.of(), null, order);
        assertThat(PendingWrite.isApplied(change, stored)).isEqualTo(applied);
    }
}
