package dev.almanac.spring.test;

import dev.almanac.model.FindScope;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobRegister;
import dev.almanac.store.NewJob;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The changes of one transaction: seen by its own reads, stored by its commit. Owned by the thread of the transaction. */
final class MemoryTransaction implements JobRegister {
    private final InMemoryJobStore store;
    private final Map<String, StoredJob> written = new HashMap<>();
    private final Map<String, Integer> lives = new HashMap<>();
    /** By key: whether the store is still as the first change of the job has found it. */
    private final Map<String, BooleanSupplier> unchanged = new LinkedHashMap<>();

    private final List<Runnable> changes = new ArrayList<>();

    MemoryTransaction(InMemoryJobStore store) {
        this.store = store;
    }

    @Override
    public List<Boolean> insert(List<NewJob> jobs) {
        List<Boolean> inserted = new ArrayList<>();
        for (NewJob job : jobs) {
            String key = job.job().key();
            Integer life = job.life();
            boolean free = find(key, FindScope.LIVE).isEmpty()
                    && (life == null || life > lastLife(key).orElse(-1));
            if (free) {
                written.put(key, job.job());
                if (life != null) {
                    lives.put(key, life);
                }
                unchanged.putIfAbsent(key, () -> isFree(key, life));
                changes.add(() -> require(store.insert(List.of(job)).get(0), key));
            }
            inserted.add(free);
        }
        return inserted;
    }

    @Override
    public Map<String, Integer> lastLives(Collection<String> jobSpecificationKeys) {
        Map<String, Integer> last = new HashMap<>(store.lastLives(jobSpecificationKeys));
        jobSpecificationKeys.stream().filter(lives::containsKey).forEach(key -> last.put(key, lives.get(key)));
        return last;
    }

    @Override
    public Optional<StoredJob> find(String jobSpecificationKey, FindScope scope) {
        StoredJob own = written.get(jobSpecificationKey);
        if (own == null) {
            return store.find(jobSpecificationKey, scope);
        }
        return own.isLive() || scope == FindScope.INCLUDING_FINISHED ? Optional.of(own) : Optional.empty();
    }

    @Override
    public List<Boolean> write(List<JobChange> requested) {
        List<Boolean> applied = new ArrayList<>();
        for (JobChange change : requested) {
            String key = change.before().key();
            written.put(key, change.after());
            unchanged.putIfAbsent(key, () -> isStored(change));
            changes.add(() -> require(store.write(List.of(change)).get(0), key));
            applied.add(true);
        }
        return applied;
    }

    private boolean isFree(String key, @Nullable Integer life) {
        return store.find(key, FindScope.LIVE).isEmpty()
                && (life == null || life > store.lastLives(List.of(key)).getOrDefault(key, -1));
    }

    private boolean isStored(JobChange change) {
        StoredJob before = change.before();
        return store.load(List.of(before.id())).stream()
                .filter(stored ->
                        stored.revision().number() == before.revision().number())
                .anyMatch(stored -> !change.takesLease() || Objects.equals(stored.lease(), before.lease()));
    }

    private static void require(boolean holds, String key) {
        if (!holds) {
            throw new IllegalStateException("job '" + key + "' was changed by another while the transaction was open");
        }
    }

    /**
     * Stores all changes in order, or none. The store locks itself in each of its calls, so here for all of them.
     *
     * @throws IllegalStateException if a job was changed by another since it was read; nothing was stored
     */
    void commit() {
        synchronized (store) {
            unchanged.forEach((key, holds) -> require(holds.getAsBoolean(), key));
            changes.forEach(Runnable::run);
        }
    }
}
