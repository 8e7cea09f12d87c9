package dev.almanac.engine.rules;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.JobChange;
import dev.almanac.store.StoredJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Keeps a row that was written before its change could be applied, where it still says what is so. */
final class WrittenRows {
    private WrittenRows() {}

    /**
     * The same change with {@code written} in place of its first row if it means the same, and is newer than every row
     * that the document knows of or is followed by a further row; else the change as it is, whose rows then are the
     * newest (rules P4, P5). To write a row again changes nothing, and a row that is among those of the change is told
     * once the change is durable.
     */
    static JobChange reuse(JobChange change, JobExecutionStatus written) {
        List<JobExecutionStatus> rows = change.rows();
        if (rows.isEmpty() || !sameMeaning(rows.get(0), written)) {
            return change;
        }
        if (rows.size() > 1) {
            List<JobExecutionStatus> kept = new ArrayList<>(rows);
            kept.set(0, written);
            return new JobChange(change.before(), change.after(), kept, change.stamp(), change.order());
        }
        if (!written.updatedTime().isAfter(change.before().lastStatus().updatedTime())) {
            return change;
        }
        StoredJob after = change.after().with(edit -> edit.lastStatus(written));
        return new JobChange(change.before(), after, List.of(written), change.stamp(), change.order());
    }

    private static boolean sameMeaning(JobExecutionStatus one, JobExecutionStatus other) {
        return one.executionStatus() == other.executionStatus()
                && one.outcome() == other.outcome()
                && one.fireSeq() == other.fireSeq()
                && Objects.equals(one.nextFireTime(), other.nextFireTime());
    }
}
