package dev.almanac.engine.change;

import dev.almanac.engine.node.Node;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.runtime.Lane;
import dev.almanac.store.NewJob;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the first rows of new jobs after their documents, in batches. If the queue is full, or there is no thread, callers write, too. A row
 * that a crash leaves out can be restored from the document, which holds all of it. Thread-safe.
 */
public final class CreationRows {
    private static final Logger LOG = LoggerFactory.getLogger(CreationRows.class);
    private static final int MOST_AT_ONCE = 1_000;

    private static final int FULL = 4_000;
    private static final int MOST_KEPT = 20_000;
    /** How long rows are gathered, so that they share writes and callers wait for documents only. */
    private static final Duration GATHERING = Duration.ofMillis(25);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final Node node;
    private final Lane lane;
    private final Deque<JobExecutionStatus> queue = new ArrayDeque<>();
    private final AtomicBoolean awake = new AtomicBoolean();
    /** Held while a batch is written, one at a time: its owner is certain that no other is under way. */
    private final Object writing = new Object();

    private volatile boolean closed;
    private Duration pause = FIRST_PAUSE;
    private int atOnce = MOST_AT_ONCE;

    /** @param lane writes the rows */
    public CreationRows(Node node, Lane lane) {
        this.node = node;
        this.lane = lane;
    }

    /** @param stored jobs whose documents are durable */
    void add(List<NewJob> stored) {
        List<JobExecutionStatus> rows =
                stored.stream().map(NewJob::row).filter(Objects::nonNull).toList();
        if (rows.isEmpty()) {
            return;
        }
        int left = put(rows);
        if (closed) {
            flush();
            return;
        }
        if (left > FULL) {
            writeSome();
        }
        wake(GATHERING);
    }

    private int put(List<JobExecutionStatus> rows) {
        synchronized (queue) {
            int room = Math.max(0, MOST_KEPT - queue.size());
            if (room < rows.size()) {
                LOG.warn(
                        "the rows of {} new jobs are not written, since earlier ones could not be; they are written"
                                + " by the next check of the store",
                        rows.size() - room);
            }
            queue.addAll(rows.subList(0, Math.min(room, rows.size())));
            return queue.size();
        }
    }

    /** As {@link #flush}; the rows of later jobs are written by their callers, since the lane may be closed. */
    public void close() {
        closed = true;
        flush();
    }

    /** Returns once all rows of jobs that were stored before are written, or the store has refused some. */
    public void flush() {
        boolean written = true;
        while (written) {
            written = writeSome();
        }
    }

    private void wake(Duration delay) {
        if (awake.compareAndSet(false, true)) {
            try {
                lane.after(delay, this::onLane);
            } catch (RuntimeException | Error noThread) {
                // the jobs are stored, so this is no failure of their caller, who writes the rows instead
                awake.set(false);
                node.events().contained().add("writing the rows of new jobs on their own thread", noThread);
                flush();
            }
        }
    }

    private void onLane() {
        boolean written = true;
        try {
            while (written && !isEmpty()) {
                written = writeSome();
            }
        } finally {
            awake.set(false);
            if (!isEmpty()) {
                wake(written ? Duration.ZERO : pause());
            }
        }
    }

    private boolean isEmpty() {
        synchronized (queue) {
            return queue.isEmpty();
        }
    }

    /** Writes one batch; false if none was written. */
    private boolean writeSome() {
        synchronized (writing) {
            List<JobExecutionStatus> batch = next();
            if (batch.isEmpty()) {
                return false;
            }
            try {
                node.store().writeRows(batch);
                pause = FIRST_PAUSE;
                atOnce = Math.min(MOST_AT_ONCE, 2 * atOnce);
                return true;
            } catch (RuntimeException | Error e) {
                LOG.warn("the rows of {} new jobs are not written yet: {}", batch.size(), e.getMessage());
                backOff(batch);
                return false;
            }
        }
    }

    /** Writes rows one by one from now on, failed ones last, so that a refused row does not delay the others. */
    private void backOff(List<JobExecutionStatus> failed) {
        synchronized (queue) {
            queue.addAll(failed);
        }
        atOnce = 1;
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }

    private Duration pause() {
        synchronized (writing) {
            return pause;
        }
    }

    /** At least one, if there is one. */
    private List<JobExecutionStatus> next() {
        List<JobExecutionStatus> batch = new ArrayList<>();
        synchronized (queue) {
            while (!queue.isEmpty() && batch.size() < atOnce) {
                batch.add(queue.remove());
            }
        }
        return batch;
    }
}
