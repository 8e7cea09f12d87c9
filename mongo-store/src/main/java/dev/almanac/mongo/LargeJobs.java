package dev.almanac.mongo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which due jobs are large, so that no claim reads more at once than fits into a node's memory. In most
 * stores there are none. Thread-safe.
 */
final class LargeJobs {
    /** How many bytes of large documents a claim brings at most, if it is of more than one. */
    static final long MOST_BYTES = 16L << 20;

    private static final int LARGE = 128 << 10;
    private static final int MOST_KNOWN = 10_000;

    private final Map<String, Integer> sizes = new ConcurrentHashMap<>();

    void note(String id, @Nullable Object bytes) {
        if (bytes instanceof Number size && size.longValue() > LARGE) {
            if (sizes.size() >= MOST_KNOWN) {
                sizes.clear();
            }
            sizes.put(id, (int) Math.min(size.longValue(), BoundedDocuments.LARGEST));
        }
    }

    /** The first of the jobs, as many as fit into memory together; the others are left to a later claim. */
    List<String> fitting(List<String> ids) {
        if (sizes.isEmpty()) {
            return ids;
        }
        List<String> fitting = new ArrayList<>();
        long bytes = 0;
        for (String id : ids) {
            Integer size = sizes.remove(id);
            bytes += size == null ? 0 : size;
            if (bytes > MOST_BYTES && !fitting.isEmpty()) {
                break;
            }
            fitting.add(id);
        }
        return fitting;
    }
}
