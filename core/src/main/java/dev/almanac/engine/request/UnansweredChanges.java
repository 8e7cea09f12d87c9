package dev.almanac.engine.request;

import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.HistoryFilter;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.JobChange;
import dev.almanac.store.Revision;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.store.WriteRefusedException;
import dev.almanac.text.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes changes of users, and finds out what became of those that the store has not answered. Thread-safe. */
final class UnansweredChanges {
    private static final Logger LOG = LoggerFactory.getLogger(UnansweredChanges.class);
    /** Of one change whose replies are lost; each copy that arrives late is refused once another was applied. */
    private static final int MOST_SENDINGS = 3;
    /** After so long it is not sent again: its caller has waited long enough. */
    private static final Duration SENT_AGAIN = Duration.ofSeconds(10);

    private final Node node;

    UnansweredChanges(Node node) {
        this.node = node;
    }

    /** A change was sent without an answer, and others have changed the job since: whether it was applied is not known. */
    static final class UnknownOutcomeException extends StoreException {
        private static final long serialVersionUID = 1;

        private UnknownOutcomeException(String key, StoreException unanswered) {
            super(
                    "whether the change of job '" + Printable.value(key)
                            + "' was applied is not known: the store did not answer, and the job was changed by others"
                            + " since; look at its history before you ask again",
                    unanswered);
        }
    }

    /**
     * After a lost reply the document shows whether the change was applied (rule N7). If it was, its rows are written; if
     * the document is as it was, the same change is sent again, and whichever copy comes first is applied.
     *
     * @return whether it was applied
     * @throws UnknownOutcomeException if another user has changed the document since
     * @throws StoreException if the store still does not answer
     */
    boolean write(JobChange change) {
        Revision known = change.before().revision();
        long begun = node.clock().nanos();
        StoreException unanswered = null;
        for (int i = 1; i <= MOST_SENDINGS; i++) {
            try {
                boolean applied = node.store()
                        .write(List.of(change.withRowsToFollow()), node.history()::add)
                        .get(0);
                if (applied) {
                    writeRows(change);
                }
                if (applied || unanswered == null) {
                    return applied;
                }
            } catch (WriteRefusedException refused) {
                throw refused;
            } catch (StoreException e) {
                unanswered = e;
            }
            StoredJob found = found(change, unanswered);
            if (change.isShownBy(found)) {
                writeRows(change);
                return true;
            } else if (found.revision().number() > known.number()) {
                if (found.revision().userChange() == known.userChange()) {
                    // no user has changed it since, so this one was not applied, and any copy of it is refused
                    return false;
                }
                throw new UnknownOutcomeException(change.before().key(), unanswered);
            } else if (node.clock().nanos() - begun > SENT_AGAIN.toNanos()) {
                break;
            }
        }
        throw Objects.requireNonNull(unanswered);
    }

    private void writeRows(JobChange change) {
        node.history()
                .writeNow(HistoryFilter.rowsWithReplaced(change, node.clock().now()));
    }

    private StoredJob found(JobChange change, StoreException unanswered) {
        List<StoredJob> found;
        try {
            found = node.store().load(List.of(change.before().id()));
        } catch (StoreException unknown) {
            unanswered.addSuppressed(unknown);
            throw unanswered;
        }
        if (found.isEmpty()) {
            throw new UnknownOutcomeException(change.before().key(), unanswered);
        }
        return found.get(0);
    }

    /**
     * Writes the rows of requests whose first try may have failed between a document and its row: such a request, asked
     * again, changes nothing (rule N7).
     *
     * @param shown as a majority has them; those that others have changed since are left out
     */
    void writeLeftOutRows(Collection<StoredJob> shown) {
        Instant now = node.clock().now();
        List<JobExecutionStatus> rows = shown.stream()
                .filter(job -> job.revision().isOfUser() && HistoryFilter.isExpected(job, now))
                .map(StoredJob::lastStatus)
                .toList();
        node.history().writeNow(rows);
    }
}
