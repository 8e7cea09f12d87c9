package dev.almanac.engine.request;

import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.BatchSplit;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Problem;
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
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Schedules many jobs: new ones by parts, also under keys that were used before, the others one by one, a few calls at a time. Each has a result of its own,
 * and a failure of one does not stop the others. The argument is in the package's description.
 *
 * @param node the node, whose pipeline makes the calls
 * @param jobs where they are stored
 * @param create makes a new job, or throws its problems
 * @param onStored is notified of each new job that was stored, and may refuse it: then it was removed again
 * @param single the call for one job, which reports its problems or changes the live job
 */
record BulkScheduling(
        Node node,
        JobRegister jobs,
        Function<JobSpecification, NewJob> create,
        Consumer<StoredJob> onStored,
        Function<JobSpecification, StoredJob> single) {
    private static final int PART = 500;

    List<BulkItem> of(List<JobSpecification> given) {
        // each place is written by one thread, and read when the pipeline is done
        BulkItem[] items = new BulkItem[given.size()];
        node.pipeline().each(parts(given), part -> part, part -> insert(given, part, items));
        List<Integer> left = IntStream.range(0, items.length)
                .filter(place -> items[place] == null)
                .boxed()
                .toList();
        node.pipeline().each(left, place -> key(given.get(place)), place -> items[place] = oneByOne(given.get(place)));
        return List.of(items);
    }

    private static String key(@Nullable JobSpecification job) {
        return job == null ? "null" : String.valueOf(job.jobSpecificationKey());
    }

    /** By position; the second job of a key is left to the single call, which finds the first as it was stored. */
    private static List<List<Integer>> parts(List<JobSpecification> given) {
        Set<String> keys = new HashSet<>();
        List<Integer> first = IntStream.range(0, given.size())
                .filter(place -> keys.add(key(given.get(place))))
                .boxed()
                .toList();
        return BatchSplit.parts(first, PART);
    }

    /** Jobs that cannot be created, and parts that cannot be written together, are left to the single calls. */
    private List<Integer> insert(List<JobSpecification> given, List<Integer> part, BulkItem[] items) {
        Map<Integer, NewJob> refused = inserted(fresh(given, part), items);
        if (!refused.isEmpty()) {
            inserted(nextLives(refused), items);
        }
        return part;
    }

    /** Those that are refused, since their keys were used before. */
    private Map<Integer, NewJob> inserted(Map<Integer, NewJob> fresh, BulkItem[] items) {
        Map<Integer, NewJob> refused = new LinkedHashMap<>();
        try {
            Iterator<Boolean> stored = jobs.insert(List.copyOf(fresh.values())).iterator();
            fresh.forEach((place, job) -> {
                if (stored.next()) {
                    items[place] = reported(job.job());
                } else {
                    refused.put(place, job);
                }
            });
        } catch (StoreException e) {
            fresh.forEach((place, job) -> items[place] = isStored(job.job(), e)
                    ? reported(job.job())
                    : new BulkItem(job.job().key(), null, e));
        } catch (RuntimeException oneCannotBeWritten) {
            return Map.of();
        }
        return refused;
    }

    /** The same jobs as the next lives of their keys; that of a live key is refused, too. */
    private Map<Integer, NewJob> nextLives(Map<Integer, NewJob> refused) {
        Map<Integer, NewJob> next = new LinkedHashMap<>();
        List<String> keys =
                refused.values().stream().map(item -> item.job().key()).toList();
        try {
            Map<String, Integer> last = jobs.lastLives(keys);
            refused.forEach((place, item) -> {
                Integer life = last.get(item.job().key());
                if (life != null) {
                    next.put(place, item.inLife(life + 1));
                }
            });
        } catch (RuntimeException unread) {
            // the single calls read them again
        }
        return next;
    }

    private Map<Integer, NewJob> fresh(List<JobSpecification> given, List<Integer> part) {
        Map<Integer, NewJob> fresh = new LinkedHashMap<>();
        for (Integer place : part) {
            try {
                fresh.put(place, create.apply(given.get(place)));
            } catch (RuntimeException | Error refused) {
                // the single call throws it again
            }
        }
        return fresh;
    }

    private static boolean isStored(StoredJob job, StoreException unknown) {
        return unknown instanceof SharedInserts.PartlyStoredException partly && partly.isStored(job.id());
    }

    private BulkItem reported(StoredJob job) {
        try {
            onStored.accept(job);
            return new BulkItem(job.key(), job, null);
        } catch (RuntimeException | Error refused) {
            return BulkItem.refused(job.key(), refused);
        }
    }

    private BulkItem oneByOne(@Nullable JobSpecification given) {
        String key = key(given);
        if (given == null) {
            return BulkItem.refused(
                    key, new InvalidJobException(key, List.of(new Problem("specification", null, "M2", "is absent"))));
        }
        try {
            return new BulkItem(key, single.apply(given), null);
        } catch (RuntimeException | Error refused) {
            return BulkItem.refused(key, refused);
        }
    }
}
