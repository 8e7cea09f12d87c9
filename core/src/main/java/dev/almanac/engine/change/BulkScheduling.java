package dev.almanac.engine.change;

import dev.almanac.model.JobSpecification;
import dev.almanac.store.JobRegister;
import dev.almanac.store.NewJob;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Schedules many jobs: new ones together, the others one by one. Each has a result of its own, and a failure of one
 * does not stop the others.
 *
 * @param jobs where they are stored
 * @param create makes a new job, or throws its problems
 * @param tell is notified of each new job that was stored, and may refuse it: then it was removed again
 * @param single the call for one job, which reports its problems or changes the live job
 */
record BulkScheduling(
        JobRegister jobs,
        Function<JobSpecification, NewJob> create,
        Consumer<StoredJob> tell,
        Function<JobSpecification, StoredJob> single) {
    List<BulkItem> of(List<JobSpecification> given) {
        BulkItem[] items = new BulkItem[given.size()];
        insert(fresh(given), items);
        for (int i = 0; i < items.length; i++) {
            items[i] = items[i] == null ? oneByOne(given.get(i)) : items[i];
        }
        return List.of(items);
    }

    /**
     * The new jobs by position; a job that cannot be created, and the second job of a key, are left to the single call.
     */
    private Map<Integer, NewJob> fresh(List<JobSpecification> given) {
        Map<Integer, NewJob> fresh = new LinkedHashMap<>();
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < given.size(); i++) {
            try {
                NewJob job = create.apply(given.get(i));
                if (keys.add(job.job().key())) {
                    fresh.put(i, job);
                }
            } catch (RuntimeException refused) {
                // the single call throws it again
            }
        }
        return fresh;
    }

    /**
     * Inserts the new jobs together; if that fails they are left to the single calls, so that each item gets its own
     * result.
     */
    private void insert(Map<Integer, NewJob> fresh, BulkItem[] items) {
        List<Boolean> done;
        try {
            done = jobs.insert(List.copyOf(fresh.values()));
        } catch (StoreException e) {
            fresh.forEach((place, job) -> items[place] = new BulkItem(job.job().key(), null, e));
            return;
        } catch (RuntimeException oneCannotBeWritten) {
            return;
        }
        Iterator<Boolean> stored = done.iterator();
        fresh.forEach((place, job) -> items[place] = stored.next() ? told(job.job()) : null);
    }

    private BulkItem told(StoredJob job) {
        try {
            tell.accept(job);
            return new BulkItem(job.key(), job, null);
        } catch (RuntimeException refused) {
            return new BulkItem(job.key(), null, refused);
        }
    }

    private BulkItem oneByOne(JobSpecification given) {
        String key = String.valueOf(given.jobSpecificationKey());
        try {
            return new BulkItem(key, single.apply(given), null);
        } catch (RuntimeException refused) {
            return new BulkItem(key, null, refused);
        }
    }
}
