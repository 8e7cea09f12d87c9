package dev.almanac.behaviour;

import dev.almanac.JobWriter;
import dev.almanac.behaviour.SimulationLedger.Note;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CancelResult;
import dev.almanac.model.FindScope;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.StaleJobException;
import dev.almanac.runtime.Lane;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobRegister;
import dev.almanac.store.NewJob;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.time.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Transactions of callers, which schedule, update and cancel jobs, stay open for up to two leases, and commit or abort. A
 * transaction sees one state of the jobs; if others have written a document since, it is aborted; what it has written is
 * locked ({@link SimulationLocks}). What commits is applied as a whole, what aborts not at all, and before the commit
 * nothing is told.
 */
final class SimulationTransactions {
    private static final String FRESH = "fresh-";

    private final ManualTime time;
    private final SplittableRandom random;
    private final SimulationServer server;
    private final SimulationLedger ledger;
    private final SimulationLocks locks;
    private final SimulationTrace trace;
    private final List<Transaction> open = new ArrayList<>();
    /** Whether jobs that transactions have created are to be there, by key. */
    private final Map<String, Boolean> created = new LinkedHashMap<>();

    private boolean ended;

    SimulationTransactions(
            ManualTime time,
            SplittableRandom random,
            SimulationServer server,
            SimulationLedger ledger,
            SimulationLocks locks,
            SimulationTrace trace) {
        this.time = time;
        this.random = random;
        this.server = server;
        this.ledger = ledger;
        this.locks = locks;
        this.trace = trace;
    }

    /** The server has aborted it. */
    private static final class Aborted extends RuntimeException {
        private static final long serialVersionUID = 1;

        Aborted(String why) {
            super(why);
        }
    }

    /** All is to come to rest: what is open is aborted, and no caller begins another one. */
    void end() {
        ended = true;
        abortAll();
    }

    /** Another member becomes primary: what is open is aborted. */
    void abortAll() {
        List.copyOf(open).forEach(Transaction::abort);
    }

    /** A caller begins one. */
    void begin(SimulationNodes.Machine client, List<String> keys) {
        Lane lane = client.lanes().open("transaction", 1);
        lane.run(() -> {
            if (ended) {
                return;
            }
            Transaction transaction = new Transaction(keys);
            try {
                JobWriter jobs = client.scheduler().in(transaction);
                for (int i = random.nextInt(3); i >= 0; i--) {
                    locks.inside(() -> change(jobs, transaction, keys));
                    client.lanes().takeTime(Duration.ofMillis(random.nextInt(1_000)));
                }
                client.lanes().takeTime(Duration.ofMillis(random.nextInt(random.nextBoolean() ? 40_000 : 3_000)));
                end(jobs, transaction);
            } catch (Aborted
                    | JobNotFoundException
                    | StaleJobException
                    | InvalidJobException
                    | IllegalStateException
                    | StoreException
                    | SimulationSeams.Broken
                    | SimulationSeams.Fatal refused) {
                transaction.abort();
            }
        });
    }

    private void change(JobWriter jobs, Transaction transaction, List<String> keys) {
        String key = keys.get(random.nextInt(keys.size()));
        switch (random.nextInt(4)) {
            case 0 -> {
                String fresh = FRESH + created.size();
                created.put(fresh, false);
                jobs.scheduleJob(JobSpecification.builder()
                        .jobSpecificationKey(fresh)
                        .jobRequestor("simulation")
                        .triggerCommand(new Note(0, 0))
                        .triggerIdentifier(fresh)
                        .singleSchedule(time.wall().plusMillis(random.nextInt(9_000)))
                        .build());
            }
            case 1 -> {
                CancelMode mode = random.nextBoolean() ? CancelMode.LET_RUN : CancelMode.INTERRUPT;
                if (jobs.cancelJob(key, mode) == CancelResult.CANCELED) {
                    transaction.canceled.add(transaction
                            .live(key)
                            .orElse(transaction.newest(key))
                            .id());
                }
            }
            default ->
                jobs.updateJob(
                        transaction
                                .live(key)
                                .orElseThrow(() -> new JobNotFoundException(key))
                                .specification()
                                .toBuilder()
                                .priority(random.nextInt(8))
                                .build());
        }
    }

    private void end(JobWriter jobs, Transaction transaction) {
        int fate = random.nextInt(6);
        if (fate < 2) {
            transaction.abort();
            return;
        }
        transaction.commit();
        if (fate > 2) {
            // else the answer is lost, and the caller knows nothing
            jobs.committed();
            transaction.canceled.forEach(ledger::canceled);
        }
    }

    /** Nothing is told of a job before the transaction that creates it has committed. */
    void hear(SchedulerEvent event) {
        boolean early = event instanceof SchedulerEvent.JobScheduled scheduled
                && Boolean.FALSE.equals(created.get(scheduled.key()));
        if (early) {
            ledger.complain("told before the commit: " + event);
        }
    }

    /** When all is at rest. */
    void judge() {
        created.forEach((key, there) -> {
            boolean ran = ledger.runs().stream().anyMatch(run -> run.job().equals(key));
            boolean found = server.truth().find(key, FindScope.LIVE).isPresent();
            if (ran != there || found) {
                ledger.complain(key
                        + (there ? " was committed, and " : " was aborted, and ")
                        + (found ? "is live" : ran ? "ran" : "did not run"));
            }
        });
    }

    /** One of them, in the middle of a step of the caller. */
    private final class Transaction implements JobRegister {
        private final Map<String, StoredJob> snapshot = new HashMap<>();
        private final Map<String, StoredJob> own = new LinkedHashMap<>();
        private final List<NewJob> inserts = new ArrayList<>();
        private final List<JobChange> changes = new ArrayList<>();
        private final List<String> canceled = new ArrayList<>();

        Transaction(List<String> keys) {
            for (String key : keys) {
                server.truth().find(key, FindScope.INCLUDING_FINISHED).ifPresent(job -> snapshot.put(job.id(), job));
            }
            own.putAll(snapshot);
            open.add(this);
        }

        private void check() {
            if (!open.contains(this)) {
                throw new Aborted("the server has aborted the transaction");
            }
        }

        private Optional<StoredJob> live(String key) {
            return own.values().stream()
                    .filter(job -> job.isLive() && job.key().equals(key))
                    .findFirst();
        }

        private StoredJob newest(String key) {
            return own.values().stream()
                    .filter(job -> job.key().equals(key))
                    .findFirst()
                    .orElseThrow();
        }

        @Override
        public Map<String, Integer> lastLives(Collection<String> keys) {
            check();
            Map<String, Integer> last = new HashMap<>(server.truth().lastLives(keys));
            inserts.stream()
                    .filter(item -> keys.contains(item.job().key()))
                    .forEach(item -> last.merge(item.job().key(), item.life(), Math::max));
            return last;
        }

        @Override
        public Optional<StoredJob> find(String key, FindScope scope) {
            check();
            boolean any = own.values().stream().anyMatch(job -> job.key().equals(key));
            return scope == FindScope.LIVE || !any
                    ? live(key)
                    : Optional.of(live(key).orElse(newest(key)));
        }

        @Override
        public List<Boolean> insert(List<NewJob> jobs) {
            check();
            List<Boolean> stored = new ArrayList<>();
            for (NewJob item : jobs) {
                String id = item.job().id();
                boolean free = live(item.job().key()).isEmpty()
                        && lastLife(item.job().key())
                                .filter(last -> last >= item.life())
                                .isEmpty();
                if (free) {
                    inserts.add(item);
                    own.put(id, item.job());
                }
                stored.add(free);
            }
            return stored;
        }

        @Override
        public List<Boolean> write(List<JobChange> some) {
            check();
            return some.stream().map(this::write).toList();
        }

        private boolean write(JobChange change) {
            String id = change.before().id();
            StoredJob seen = own.get(id);
            if (seen == null || !seen.isLive() || !seen.equals(change.before())) {
                return false;
            }
            Object holder = locks.holder(id);
            StoredJob stored =
                    server.truth().load(List.of(id)).stream().findFirst().orElse(null);
            boolean fresh = inserts.stream().anyMatch(item -> item.job().id().equals(id));
            if (!fresh && (holder == null ? !snapshot.get(id).equals(stored) : holder != this)) {
                throw new Aborted("a write conflict");
            }
            if (!fresh && holder == null) {
                locks.lock(seen, this);
            }
            changes.add(change);
            own.put(id, change.after());
            return true;
        }

        /** What it has written is applied, with nothing in between. */
        void commit() {
            check();
            trace.write("a transaction commits");
            release();
            server.commit(inserts, changes);
            inserts.forEach(item -> created.put(item.job().key(), true));
            own.forEach((id, job) -> {
                boolean written = !job.equals(snapshot.get(id));
                if (written && !server.truth().load(List.of(id)).equals(List.of(job))) {
                    ledger.complain("a transaction has committed a part of its writes, without " + job.key());
                }
            });
        }

        void abort() {
            if (open.contains(this)) {
                trace.write("a transaction aborts");
                release();
                changes.forEach(this::judgeAborted);
            }
        }

        private void judgeAborted(JobChange change) {
            String id = change.before().id();
            StoredJob stored =
                    server.truth().load(List.of(id)).stream().findFirst().orElse(null);
            boolean row = server.truth().rows(RowQuery.ofDocument(id, 10_000)).stream()
                    .anyMatch(one -> one.id().equals(change.after().lastStatus().id()));
            StoredJob before = snapshot.get(id);
            if (row || before != null && !before.equals(stored)) {
                ledger.complain("a transaction that was aborted has changed "
                        + change.before().key());
            }
        }

        private void release() {
            open.remove(this);
            locks.release(this);
        }
    }
}
