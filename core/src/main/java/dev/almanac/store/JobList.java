package dev.almanac.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A page of documents.
 *
 * @param jobs those that could be read, in the order of their keys
 * @param damaged those that could not
 * @param more whether further documents follow
 * @param splitAt id of the page's last document, if some of the same key follow; absent = none does
 */
public record JobList(
        List<StoredJob> jobs,
        List<DamagedJob> damaged,
        boolean more,
        @Nullable String splitAt) {
    /** A page that does not end among the documents of one key. */
    public JobList(List<StoredJob> jobs, List<DamagedJob> damaged, boolean more) {
        this(jobs, damaged, more, null);
    }

    /**
     * Where the next page begins: the greatest key of the page, of a damaged document too, in the order of the store;
     * absent if it is empty.
     */
    public @Nullable String lastKey() {
        String key = greatestKey();
        return key == null ? null : new PageMark(key, splitAt).toString();
    }

    private @Nullable String greatestKey() {
        // the bytes of UTF-8 sort as the store does; String.compareTo does not beyond U+FFFF
        return Stream.concat(jobs.stream().map(StoredJob::key), damaged.stream().map(DamagedJob::key))
                .max((one, other) -> Arrays.compareUnsigned(
                        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8)))
                .orElse(null);
    }
}
