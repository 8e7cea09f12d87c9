package dev.almanac.engine.change;

import dev.almanac.engine.node.Node;
import dev.almanac.engine.rules.PlainValues;
import dev.almanac.engine.rules.Rows;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.Lane;
import dev.almanac.store.NewJob;
import dev.almanac.store.Stamp;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the first rows of new jobs after their documents, in batches. If the queue is full, or there is no thread, callers write, too. A row
 * that a crash leaves out can be restored from the document, which holds all of it. Thread-safe.
 */
public final class CreationRows {
    private static final Logger LOG = LoggerFactory.getLogger(CreationRows.class);
    private static final int MOST_AT_ONCE = 1_000;
    /** Of the commands of the jobs that one batch reads. */
    private static final long MOST_BYTES = 16 << 20;

    private static final int FULL = 4_000;
    private static final int MOST_KEPT = 20_000;
    /** How long rows are gathered, so that they share writes and callers wait for documents only. */
    private static final Duration GATHERING = Duration.ofMillis(25);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final Node node;
    private final Lane lane;
    private final Deque<Waiting> queue = new ArrayDeque<>();
    private final AtomicBoolean awake = new AtomicBoolean();
    /** Held while a batch is written, one at a time: its owner is certain that no other is under way. */
    private final Object writing = new Object();

    private volatile boolean closed;
    private Duration pause = FIRST_PAUSE;
    private int atOnce = MOST_AT_ONCE;

    /** @param bytes of the commands of its job, which is read again when the row is written */
    private record Waiting(JobExecutionStatus row, long bytes) {
        static Waiting of(NewJob job, JobExecutionStatus row) {
            JobSpecification specification = job.job().specification();
            SchedulingCommand failure = specification.failureCommand();
            return new Waiting(row, bytes(specification.triggerCommand()) + (failure == null ? 0 : bytes(failure)));
        }

        private static long bytes(SchedulingCommand command) {
            return command instanceof EncodedCommand encoded ? PlainValues.size(encoded.body()) : 0;
        }
    }

    /** @param lane writes the rows */
    public CreationRows(Node node, Lane lane) {
        this.node = node;
        this.lane = lane;
    }

    /** @param stored jobs whose documents are durable */
    void add(List<NewJob> stored) {
        List<Waiting> rows = new ArrayList<>();
        for (NewJob job : stored) {
            JobExecutionStatus row = job.row();
            if (row != null) {
                rows.add(Waiting.of(job, row));
            }
        }
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

    private int put(List<Waiting> rows) {
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
            List<Waiting> batch = next();
            if (batch.isEmpty()) {
                return false;
            }
            try {
                write(batch.stream().map(Waiting::row).toList());
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
    private void backOff(List<Waiting> failed) {
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
    private List<Waiting> next() {
        List<Waiting> batch = new ArrayList<>();
        long bytes = 0;
        synchronized (queue) {
            while (!queue.isEmpty() && batch.size() < atOnce && bytes < MOST_BYTES) {
                Waiting next = queue.remove();
                batch.add(next);
                bytes += next.bytes();
            }
        }
        return batch;
    }

    /** Writes the rows, then reads their jobs: a change that ends a job after that finds its row and stamps it. */
    private void write(List<JobExecutionStatus> batch) {
        node.store().writeRows(batch, List.of());
        Map<String, StoredJob> jobs =
                node
                        .store()
                        .load(batch.stream()
                                .map(JobExecutionStatus::jobSpecificationId)
                                .toList())
                        .stream()
                        .collect(Collectors.toMap(StoredJob::id, Function.identity()));
        List<Stamp> stamps = batch.stream()
                .map(row -> Rows.lateStamp(row, jobs.get(row.jobSpecificationId()), node.context()))
                .flatMap(Optional::stream)
                .toList();
        if (!stamps.isEmpty()) {
            node.store().writeRows(List.of(), stamps);
        }
    }
}
