package dev.almanac.engine.port;

import dev.almanac.engine.rules.GrowingPause;
import dev.almanac.engine.rules.PlainValues;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.runtime.Lane;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoreException;
import dev.almanac.store.WriteRefusedException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the rows of this process after their documents, in batches (rule N2). Nobody waits for them: a document shows its
 * rows, so one that is lost with this process comes with the next change, or with the next repair. It also keeps the rows
 * that could not be stored before a change has hidden them (N3); these are lost with the process. While the status
 * collection is slow, rows wait here, up to a bound; a node whose rows wait claims nothing, and then records no more ends.
 * Thread-safe.
 */
public final class HistoryWriter {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryWriter.class);
    private static final int MOST_AT_ONCE = 1_000;
    /** From then on callers that store jobs write rows, too. */
    private static final int HELPED = 4_000;

    private static final int FULL = 20_000;
    private static final long FULL_BYTES = 64 << 20;
    /** How long rows are gathered, so that they share writes and callers wait for documents only. */
    private static final Duration GATHERING = Duration.ofMillis(25);

    private static final GrowingPause PAUSE = new GrowingPause(Duration.ofMillis(100), Duration.ofSeconds(10));
    private static final Duration LOGGED = Duration.ofMinutes(1);

    private final JobStore store;
    private final TimeSource time;
    private final ContainedFailures failures;
    private final Lane lane;
    private final AtomicBoolean awake = new AtomicBoolean();
    private volatile boolean closed;
    /** Guards what follows, for no longer than it takes to look at it. */
    private final Object lock = new Object();

    /** By their ids: a row that waits may be added again by the change that hides it. */
    private final Map<String, JobExecutionStatus> queue = new LinkedHashMap<>();
    /** What is being written; a flush writes it again, which changes nothing, rather than wait for it. */
    private final Map<String, JobExecutionStatus> inFlight = new HashMap<>();
    /** Of both. */
    private long bytes;

    private Duration pause = PAUSE.first();
    private int atOnce = MOST_AT_ONCE;
    private long refused;
    private long loggedNanos;

    /** @param lane writes the rows */
    public HistoryWriter(JobStore store, TimeSource time, ContainedFailures failures, Lane lane) {
        this.store = store;
        this.time = time;
        this.failures = failures;
        this.lane = lane;
    }

    /** @param rows of changes whose documents are durable, or that such documents have shown */
    public void add(Collection<JobExecutionStatus> rows) {
        if (rows.isEmpty()) {
            return;
        }
        synchronized (lock) {
            for (JobExecutionStatus row : rows) {
                if (!inFlight.containsKey(row.id()) && queue.putIfAbsent(row.id(), row) == null) {
                    bytes += bytes(row);
                }
            }
        }
        if (closed) {
            flush();
        } else {
            wake(GATHERING);
        }
    }

    /**
     * As {@link #add}, for rows of new jobs: callers that store jobs faster than rows are written write some. Rows that find
     * no room are left to the repairs.
     */
    public void addNew(List<JobExecutionStatus> rows) {
        int left;
        int room;
        synchronized (lock) {
            left = waiting();
            room = isFull() ? 0 : FULL - left;
        }
        if (room < rows.size()) {
            LOG.warn(
                    "the rows of {} new jobs are not written, since earlier ones could not be; the next repair writes them",
                    rows.size() - room);
        }
        add(rows.subList(0, Math.min(room, rows.size())));
        if (left + rows.size() > HELPED) {
            writeSome();
        }
    }

    /** As {@link #add}, but the rows are tried once before this returns, on the caller's thread: for a user's request. */
    public void writeNow(List<JobExecutionStatus> rows) {
        try {
            write(rows);
        } catch (StoreException unanswered) {
            add(rows);
        }
    }

    /** Whether so many rows wait that this node should take no more work. */
    public boolean isBehind() {
        synchronized (lock) {
            return waiting() >= FULL / 2 || bytes >= FULL_BYTES / 2;
        }
    }

    /** Whether there is no room for the rows of further ends. */
    public boolean isFull() {
        synchronized (lock) {
            return waiting() >= FULL || bytes >= FULL_BYTES;
        }
    }

    /** How many rows are to be written, those among them that are being written. */
    public int waiting() {
        synchronized (lock) {
            return queue.size() + inFlight.size();
        }
    }

    /** Why an operator should look at it; empty if all is well. */
    public String complaint() {
        return isBehind()
                ? "history is behind: " + waiting()
                        + " status rows wait, since the status collection does not take them; nothing is claimed"
                : "";
    }

    /**
     * Ends with what still waits; later rows are written by their callers, since the lane may be closed.
     *
     * @param bounded does the last {@link #flush}, for as long as the end may wait for the store
     */
    public void close(Consumer<Runnable> bounded) {
        closed = true;
        if (waiting() > 0) {
            bounded.accept(this::flush);
        }
        int left = waiting();
        if (left > 0) {
            LOG.warn(
                    "{} status rows are not written; the next repair writes those that their documents still show",
                    left);
        }
    }

    /** Returns once all rows of earlier calls are written, or the store has not taken some. */
    public void flush() {
        Set<String> again = new HashSet<>();
        boolean written = true;
        while (written) {
            List<JobExecutionStatus> started;
            List<JobExecutionStatus> batch;
            synchronized (lock) {
                // with the next batch: what the lane has taken meanwhile is in one of the two
                started = inFlight.values().stream()
                        .filter(row -> again.add(row.id()))
                        .toList();
                batch = started.isEmpty() ? next() : List.of();
            }
            if (started.isEmpty()) {
                written = isWritten(batch);
            } else if (isTaken(started)) {
                written(started, true);
            } else {
                written = false;
            }
        }
    }

    private void wake(Duration delay) {
        if (awake.compareAndSet(false, true)) {
            try {
                lane.after(delay, this::onLane);
            } catch (RuntimeException | Error noThread) {
                // the documents are stored, so this is no failure of the caller, who writes the rows instead
                awake.set(false);
                failures.add("writing status rows on their own thread", noThread);
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
        synchronized (lock) {
            return queue.isEmpty();
        }
    }

    /** Writes one batch; false if none was written. */
    private boolean writeSome() {
        return isWritten(next());
    }

    private boolean isWritten(List<JobExecutionStatus> batch) {
        if (batch.isEmpty()) {
            return false;
        }
        boolean taken = false;
        try {
            taken = isTaken(batch);
        } finally {
            written(batch, taken);
        }
        return taken;
    }

    private boolean isTaken(List<JobExecutionStatus> batch) {
        try {
            write(batch);
            return true;
        } catch (RuntimeException | Error e) {
            LOG.warn("{} status rows are not written yet: {}", batch.size(), e.getMessage());
            return false;
        }
    }

    /** Rows that are not taken are written one by one from now on, behind the others, so that one that stalls delays none. */
    private void written(List<JobExecutionStatus> batch, boolean taken) {
        synchronized (lock) {
            // a flush may have written what the lane has under way
            List<JobExecutionStatus> waited = batch.stream()
                    .filter(row -> inFlight.remove(row.id()) != null)
                    .toList();
            if (taken) {
                waited.forEach(row -> bytes -= bytes(row));
                pause = PAUSE.first();
                atOnce = Math.min(MOST_AT_ONCE, 2 * atOnce);
            } else {
                waited.forEach(row -> queue.put(row.id(), row));
                pause = PAUSE.longer(pause);
                atOnce = 1;
            }
        }
    }

    private void write(List<JobExecutionStatus> rows) {
        apart(store, rows).values().forEach(this::refuse);
    }

    /**
     * Writes rows. One that the server refuses for good stops no other: what holds one is halved until that is alone (rule
     * X9).
     *
     * @return why the server refuses some of them, by their ids
     * @throws StoreException if it does not answer; some may be written
     */
    public static Map<String, WriteRefusedException> apart(JobStore store, List<JobExecutionStatus> rows) {
        try {
            if (!rows.isEmpty()) {
                store.writeRows(rows);
            }
            return Map.of();
        } catch (WriteRefusedException e) {
            if (rows.size() == 1) {
                return Map.of(rows.get(0).id(), e);
            }
            int half = rows.size() / 2;
            Map<String, WriteRefusedException> refused = new HashMap<>(apart(store, rows.subList(0, half)));
            refused.putAll(apart(store, rows.subList(half, rows.size())));
            return refused;
        }
    }

    /** Its document shows the row until the next change; nobody waits for it. */
    private void refuse(WriteRefusedException e) {
        failures.add("writing status rows", e);
        synchronized (lock) {
            refused++;
            if (refused == 1 || time.nanos() - loggedNanos > LOGGED.toNanos()) {
                loggedNanos = time.nanos();
                LOG.warn(
                        "ALM-010 the server refuses status rows, {} so far, which are left out: {}",
                        refused,
                        e.getMessage());
            }
        }
    }

    private Duration pause() {
        synchronized (lock) {
            return pause;
        }
    }

    private List<JobExecutionStatus> next() {
        synchronized (lock) {
            List<JobExecutionStatus> batch =
                    queue.values().stream().limit(atOnce).toList();
            for (JobExecutionStatus row : batch) {
                queue.remove(row.id());
                inFlight.put(row.id(), row);
            }
            return batch;
        }
    }

    /** What may be large of a row. */
    private static long bytes(JobExecutionStatus row) {
        ErrorSummary error = row.error();
        String stack = error == null ? null : error.stack();
        String message = error == null ? null : error.message();
        return 500L
                + length(stack)
                + length(message)
                + length(row.detail())
                + length(row.note())
                + (row.log().isEmpty()
                        ? 0
                        : row.log().stream()
                                .mapToInt(line -> line.text().length())
                                .sum())
                + (row.command() == null ? 0 : PlainValues.size(row.command().body()))
                + (row.changes().isEmpty()
                        ? 0
                        : row.changes().stream()
                                .mapToLong(change -> (long) length(change.before()) + length(change.after()))
                                .sum())
                + PlainValues.size(row.state());
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }
}
