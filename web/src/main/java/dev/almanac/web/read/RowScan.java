package dev.almanac.web.read;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.RowQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A page of rows, newest first. Rows of one moment stay on one page, so that each row is on exactly one.
 *
 * @param rows those that were asked for
 * @param next the next page begins with rows written before this moment; absent = there is none
 * @param examined how many rows were examined if the page ended before it was full; else 0
 */
public record RowScan(
        List<JobExecutionStatus> rows, @Nullable Instant next, int examined) {
    /** How many rows {@link dev.almanac.Scheduler#history} answers at most. */
    public static final int NEWEST = 1_000;

    private static final int BATCH = 500;

    /**
     * Reads rows of a key or of a document, batch after batch, until the page is full.
     *
     * @param wanted whose rows, before which moment, and how many fill a page
     * @param newest the newest rows of the key or the document, which are not read again
     * @param most how many rows {@code newest} has if further rows may follow
     * @param store reads further rows
     * @param filter which rows; absent = all
     * @param from only rows that were written at or after this moment; absent = no bound
     * @param batches how many times the store is asked at most
     */
    public static RowScan of(
            RowQuery wanted,
            List<JobExecutionStatus> newest,
            int most,
            Function<RowQuery, List<JobExecutionStatus>> store,
            @Nullable Predicate<JobExecutionStatus> filter,
            @Nullable Instant from,
            int batches) {
        int size = wanted.limit();
        String document = wanted.jobSpecificationId();
        List<JobExecutionStatus> found = new ArrayList<>();
        Instant last = wanted.before();
        int examined = 0;
        RowQuery query = new RowQuery(wanted.key(), document, null, null, most);
        boolean end = query.isLast(newest);
        List<JobExecutionStatus> rows = query.whole(newest).stream()
                .filter(row -> document == null || row.jobSpecificationId().equals(document))
                .filter(row -> wanted.before() == null || row.updatedTime().isBefore(wanted.before()))
                .toList();
        for (int asked = 0; ; asked++) {
            for (JobExecutionStatus row : rows) {
                if (from != null && row.updatedTime().isBefore(from)) {
                    return new RowScan(found, null, 0);
                }
                if (found.size() >= size && !row.updatedTime().equals(last)) {
                    return new RowScan(found, last, 0);
                }
                if (filter == null || filter.test(row)) {
                    found.add(row);
                }
                last = row.updatedTime();
                examined++;
            }
            if (end) {
                return new RowScan(found, null, 0);
            }
            if (found.size() >= size) {
                return new RowScan(found, last, 0);
            }
            if (asked == batches) {
                return new RowScan(found, last, examined);
            }
            query = new RowQuery(wanted.key(), document, null, last, filter == null ? size + 1 : BATCH);
            List<JobExecutionStatus> page = store.apply(query);
            end = query.isLast(page);
            rows = query.whole(page);
        }
    }

    /** The first of its rows. */
    public List<JobExecutionStatus> first(int limit) {
        return rows.subList(0, Math.min(limit, rows.size()));
    }

    /** Whether rows follow the first ones, or may follow. */
    public boolean isMore(int limit) {
        return rows.size() > limit || next != null;
    }

    /**
     * Rows written before this moment follow the first ones. If some of them are of the moment of the last of these, that is
     * shown again, so that none is left out.
     *
     * @return absent = none follow, or all are of one moment, and only a larger limit shows more
     */
    public @Nullable Instant until(int limit) {
        if (rows.size() <= limit) {
            return next;
        }
        Instant last = rows.get(limit - 1).updatedTime();
        if (rows.get(limit).updatedTime().isBefore(last)) {
            return last;
        }
        return rows.get(0).updatedTime().isAfter(last) ? last.plusMillis(1) : null;
    }
}
