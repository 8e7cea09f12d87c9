package dev.almanac.web.page;

import dev.almanac.model.JobQuery;
import dev.almanac.store.DamagedJobException;
import dev.almanac.store.StoredJob;
import dev.almanac.web.read.JobScan;
import dev.almanac.web.read.Kinds;
import dev.almanac.web.read.StoreReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is called as someone has typed: keys that begin so, and tags, command types and nodes that contain it.
 *
 * @param typed empty if nothing was
 * @param hits keys first
 * @param more whether more keys begin so
 */
record SearchPage(String typed, List<Hit> hits, boolean more) {
    private static final int MOST_KEYS = 10;
    private static final int MOST_OTHERS = 5;

    /**
     * One of these.
     *
     * @param what key, tag, type or node
     * @param address of its page
     */
    record Hit(String what, String name, String address) {}

    /** Tags and types are of all applications, so only viewers of all see them. */
    static SearchPage of(StoreReader storeReader, PageRequest call) {
        String typed = Objects.requireNonNullElse(call.parameter("q"), "").strip();
        if (typed.isEmpty()) {
            return new SearchPage(typed, List.of(), false);
        }
        List<Hit> hits = new ArrayList<>();
        exactly(storeReader, call, typed).ifPresent(job -> hits.add(hit(job.key())));
        JobQuery query =
                new JobQuery(null, null, JobsPage.application(call), null, typed, null, null, null, null, MOST_KEYS);
        JobScan keys = storeReader.list(query, call.clock().now(), List.of());
        keys.jobs().stream()
                .filter(job -> JobVisibility.isSeen(call, job) && !job.key().equals(typed))
                .forEach(job -> hits.add(hit(job.key())));
        Kinds kinds = storeReader.kinds();
        if (call.viewer().sees().all()) {
            add(hits, "tag", kinds.tags(), typed, "/jobs?tag=");
            add(hits, "type", kinds.types(), typed, "/jobs?type=");
        }
        add(hits, "node", kinds.nodes(), typed, null);
        return new SearchPage(typed, List.copyOf(hits), keys.next() != null);
    }

    /** A job that has ended, too. */
    private static Optional<StoredJob> exactly(StoreReader storeReader, PageRequest call, String key) {
        try {
            return storeReader.find(key).filter(job -> JobVisibility.isSeen(call, job));
        } catch (DamagedJobException unreadable) {
            return Optional.empty();
        }
    }

    private static Hit hit(String key) {
        return new Hit("job", key, "/job?key=" + Frame.encoded(key));
    }

    private static void add(List<Hit> hits, String what, List<String> names, String typed, @Nullable String address) {
        String part = typed.toLowerCase(Locale.ROOT);
        names.stream()
                .filter(name -> name.toLowerCase(Locale.ROOT).contains(part))
                .limit(MOST_OTHERS)
                .forEach(name ->
                        hits.add(new Hit(what, name, address == null ? "/nodes" : address + Frame.encoded(name))));
    }
}
