package dev.almanac.engine.request;

import dev.almanac.engine.port.Node;
import dev.almanac.model.FindScope;
import dev.almanac.runtime.Lanes;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobRegister;
import dev.almanac.store.NewJob;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores new jobs by natural batching, and passes changes on: callers that arrive while an insert is under way share
 * the next one. One of the waiting callers begins the insert for all, and they wait for its acknowledgement. An insert
 * for one caller is done by that caller's thread. One that several share has a thread that no caller can interrupt: the
 * driver refuses interrupted threads, and an interrupt may close the connection of a virtual one. A caller that is
 * interrupted withdraws its call if it was not sent. What is thrown, Errors included, ends each call of the insert, so
 * that no caller waits for an insert that is over. Lost replies: see the package's description. Thread-safe.
 */
public final class SharedInserts implements JobRegister {
    private static final int MOST_AT_ONCE = 500;
    private static final int MOST_IN_FLIGHT = 2;
    /** An insert that takes longer may hang and no longer counts as in flight. */
    private static final Duration SLOW = Duration.ofMillis(500);

    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private static final Logger LOG = LoggerFactory.getLogger(SharedInserts.class);

    private final Node node;
    private final Lanes lanes;
    private final Executor threads;
    private final UnansweredChanges unanswered;
    private final Deque<Call> waiting = new ArrayDeque<>();
    private final Map<List<Call>, Long> inFlight = new IdentityHashMap<>();

    /** The jobs of one caller and their results. Guarded by the monitor of the register. */
    private static final class Call {
        private final List<NewJob> jobs;
        private @Nullable List<Boolean> stored;
        private @Nullable RuntimeException failure;
        /** Completed when the call may be inserted, or has ended. */
        private volatile CompletableFuture<Void> news = new CompletableFuture<>();

        private Call(List<NewJob> jobs) {
            this.jobs = jobs;
        }

        private boolean isOver() {
            return stored != null || failure != null;
        }
    }

    /** Some of the jobs were stored; whether the others were is unknown. */
    static final class PartlyStoredException extends StoreException {
        private static final long serialVersionUID = 1;

        private final HashSet<String> ids;

        private PartlyStoredException(Collection<String> ids, RuntimeException unknown) {
            super(String.valueOf(unknown.getMessage()), unknown);
            this.ids = new HashSet<>(ids);
        }

        /** By the id of the job. */
        boolean isStored(String id) {
            return ids.contains(id);
        }
    }

    /**
     * @param lanes in which callers wait, with a thread for inserts that several share
     */
    public SharedInserts(Node node, Lanes lanes) {
        this.node = node;
        this.lanes = lanes;
        this.threads = lanes.threads("insert");
        this.unanswered = new UnansweredChanges(node);
    }

    /**
     * Returns once the documents are durable; their rows follow.
     *
     * @throws StoreException if it is not known whether some of them were stored
     */
    @Override
    public List<Boolean> insert(List<NewJob> jobs) {
        Call call = new Call(jobs);
        synchronized (this) {
            waiting.add(call);
        }
        while (isOpen(call)) {
            List<Call> batch = batchWith(call);
            if (batch.isEmpty()) {
                waitFor(call);
            } else if (batch.equals(List.of(call))) {
                insertAndMakeRoom(batch);
            } else {
                insertShared(batch);
            }
        }
        if (call.failure != null) {
            throw call.failure;
        }
        return call.stored == null ? List.of() : call.stored;
    }

    private synchronized boolean isOpen(Call call) {
        return !call.isOver();
    }

    /** On a thread that no caller can interrupt; on this one if there is no other, as after the end of the lanes. */
    private void insertShared(List<Call> batch) {
        CompletableFuture<Void> begun = new CompletableFuture<>();
        Runnable insert = () -> {
            if (begun.complete(null)) {
                insertAndMakeRoom(batch);
            }
        };
        try {
            threads.execute(insert);
            lanes.awaitUninterrupted(begun, SLOW);
        } catch (RuntimeException | Error noThread) {
            LOG.warn(
                    "there is no thread for an insert that several callers share; one of the callers does it",
                    noThread);
        }
        insert.run();
    }

    private void insertAndMakeRoom(List<Call> batch) {
        try {
            insertFor(batch);
        } catch (RuntimeException | Error unexpected) {
            node.events().failures().add("storing new jobs", unexpected);
            StoreException failure = new StoreException("storing jobs has failed: " + unexpected, unexpected);
            fail(batch.stream().filter(this::isOpen).toList(), failure);
        } finally {
            synchronized (this) {
                inFlight.remove(batch);
                waiting.forEach(call -> call.news.complete(null));
            }
        }
    }

    /** The calls that this caller has to store now, including its own; empty while it has to wait. */
    private synchronized List<Call> batchWith(Call own) {
        if (waiting.contains(own) && hasRoom()) {
            List<Call> batch = next();
            inFlight.put(batch, node.clock().nanos());
            return batch;
        }
        if (!own.isOver()) {
            own.news = new CompletableFuture<>();
        }
        return List.of();
    }

    private void waitFor(Call own) {
        try {
            lanes.await(own.news, LOOK_AGAIN);
        } catch (ExecutionException neverFails) {
            throw new IllegalStateException(neverFails);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            synchronized (this) {
                boolean unsent = waiting.remove(own);
                own.failure = new StoreException(
                        "this thread was interrupted while it waited for jobs to be stored; "
                                + (unsent ? "they were not stored" : "whether they were stored is not known"),
                        e);
            }
        }
    }

    private List<Call> next() {
        List<Call> batch = new ArrayList<>();
        int jobs = 0;
        while (!waiting.isEmpty()
                && (batch.isEmpty() || jobs + waiting.peek().jobs.size() <= MOST_AT_ONCE)) {
            Call next = waiting.poll();
            batch.add(next);
            jobs += next.jobs.size();
        }
        return batch;
    }

    private boolean hasRoom() {
        long now = node.clock().nanos();
        return inFlight.values().stream()
                        .filter(sent -> now - sent < SLOW.toNanos())
                        .count()
                < MOST_IN_FLIGHT;
    }

    private void insertFor(List<Call> batch) {
        List<NewJob> jobs = batch.stream().flatMap(call -> call.jobs.stream()).toList();
        List<NewJob> documents = jobs.stream().map(NewJob::withoutRow).toList();
        List<Boolean> stored;
        try {
            stored = node.store().insert(documents);
        } catch (StoreException unknown) {
            findOut(batch, unknown);
            return;
        } catch (RuntimeException unsent) {
            oneByOne(batch, unsent);
            return;
        } catch (Error error) {
            // its callers receive it, and those of a batch that is inserted one by one do not end with the first of
            // them
            findOut(batch, new StoreException("storing jobs has failed: " + error, error));
            return;
        }
        // the documents are durable: what fails from here on is no reason to insert them again
        end(batch, stored);
    }

    /**
     * After a failure before sending, such as a job that cannot be encoded: inserts the calls one by one, so that the
     * others are stored.
     */
    private void oneByOne(List<Call> batch, RuntimeException unsent) {
        if (batch.size() == 1) {
            findOut(batch, unsent);
        } else {
            batch.forEach(call -> insertFor(List.of(call)));
        }
    }

    private void end(List<Call> batch, List<Boolean> stored) {
        List<NewJob> done = new ArrayList<>();
        synchronized (this) {
            int at = 0;
            for (Call call : batch) {
                call.stored = List.copyOf(stored.subList(at, at + call.jobs.size()));
                for (int i = 0; i < call.jobs.size(); i++) {
                    if (call.stored.get(i)) {
                        done.add(call.jobs.get(i));
                    }
                }
                at += call.jobs.size();
                call.news.complete(null);
            }
        }
        addRows(done);
    }

    /**
     * After an insert of unknown outcome, which is not repeated: jobs that are found were stored, the others are unknown.
     */
    private void findOut(List<Call> batch, RuntimeException unknown) {
        Set<String> there;
        try {
            there = node
                    .store()
                    .load(ids(batch.stream().flatMap(call -> call.jobs.stream()).toList()))
                    .stream()
                    .map(StoredJob::id)
                    .collect(Collectors.toSet());
        } catch (RuntimeException | Error second) {
            fail(batch, unknown);
            return;
        }
        batch.forEach(call -> foundOut(call, there, unknown));
    }

    private void foundOut(Call call, Set<String> there, RuntimeException unknown) {
        List<NewJob> stored = call.jobs.stream()
                .filter(item -> there.contains(item.job().id()))
                .toList();
        if (stored.size() == call.jobs.size()) {
            end(List.of(call), Collections.nCopies(stored.size(), true));
        } else {
            addRows(stored);
            fail(List.of(call), stored.isEmpty() ? unknown : new PartlyStoredException(ids(stored), unknown));
        }
    }

    private void addRows(List<NewJob> stored) {
        node.history()
                .addNew(stored.stream()
                        .map(NewJob::row)
                        .filter(Objects::nonNull)
                        .toList());
    }

    private static List<String> ids(List<NewJob> jobs) {
        return jobs.stream().map(item -> item.job().id()).toList();
    }

    private synchronized void fail(List<Call> batch, RuntimeException failure) {
        batch.forEach(call -> {
            call.failure = failure;
            call.news.complete(null);
        });
    }

    @Override
    public Map<String, Integer> lastLives(Collection<String> jobSpecificationKeys) {
        return node.store().lastLives(jobSpecificationKeys);
    }

    @Override
    public Optional<StoredJob> find(String jobSpecificationKey, FindScope scope) {
        return node.store().find(jobSpecificationKey, scope);
    }

    /** @see UnansweredChanges#write */
    @Override
    public List<Boolean> write(List<JobChange> changes) {
        return changes.stream().map(unanswered::write).toList();
    }

    /** @see UnansweredChanges#writeLeftOutRows */
    void writeLeftOutRows(Collection<StoredJob> shown) {
        unanswered.writeLeftOutRows(shown);
    }
}
