package dev.almanac.behaviour;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.WriteRefusedException;
import java.util.List;
import java.util.function.Predicate;

/** Gives the rows of a store in memory a validator: as with a server, what comes before a refused row is applied. */
final class RowValidator implements StoreHook {
    private final JobStore store;
    private Predicate<JobExecutionStatus> refused = row -> false;
    private int refusals;

    RowValidator(JobStore store) {
        this.store = store;
    }

    /** The way to the store on which the rows are checked. */
    JobStore way() {
        return StoreHook.over(store, this);
    }

    /** From now on the rows that these are. */
    void refuse(Predicate<JobExecutionStatus> some) {
        refused = some;
    }

    int refusals() {
        return refusals;
    }

    @Override
    public Object on(String method, Object[] arguments, Call call) throws Throwable {
        if (method.equals("write")) {
            return write(
                    ((List<?>) arguments[0]).stream().map(JobChange.class::cast).toList());
        } else if (method.equals("writeRows")) {
            insert(((List<?>) arguments[0])
                    .stream().map(JobExecutionStatus.class::cast).toList());
        }
        return call.proceed();
    }

    private List<Boolean> write(List<JobChange> changes) {
        List<Boolean> applied = store.write(changes.stream().map(this::taken).toList());
        for (int i = 0; i < changes.size(); i++) {
            if (applied.get(i)) {
                insert(changes.get(i).rowsWithIt().stream().filter(refused).toList());
            }
        }
        return applied;
    }

    /** What is refused of the rows that a change hides holds it up no more than its own rows. */
    private JobChange taken(JobChange change) {
        List<JobExecutionStatus> hidden = change.rowsBefore();
        boolean hides = hidden.stream().anyMatch(refused);
        boolean makes = change.rowsWithIt().stream().anyMatch(refused);
        if (!hides && !makes) {
            return change;
        }
        if (hides) {
            refusals++;
            store.writeRows(accepted(hidden));
        }
        return new JobChange(
                hides
                        ? change.before()
                                .with(edit -> edit.lastStatus(change.after().lastStatus()))
                        : change.before(),
                change.after(),
                accepted(change.rows()),
                null,
                change.by(),
                change.removes());
    }

    private List<JobExecutionStatus> accepted(List<JobExecutionStatus> rows) {
        return rows.stream().filter(refused.negate()).toList();
    }

    /** Those that are accepted, in any order; one that is refused ends the call. */
    private void insert(List<JobExecutionStatus> rows) {
        if (rows.stream().anyMatch(refused)) {
            refusals++;
            store.writeRows(accepted(rows));
            throw new WriteRefusedException("a validator refuses it", new IllegalStateException("planned"));
        }
    }
}
