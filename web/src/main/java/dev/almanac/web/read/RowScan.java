package dev.almanac.web.read;

import dev.almanac.model.JobExecutionStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A page of the rows of a job, newest first. Rows of one moment stay on one page, so that each row is on exactly one.
 *
 * @param rows those that were asked for
 * @param next the next page begins with rows written before this moment; absent = there is none
 * @param examined how many rows were examined if the page ended before it was full; else 0
 */
public record RowScan(
        List<JobExecutionStatus> rows, @Nullable Instant next, int examined) {
    private static final int BATCH = 500;
    private static final int MOST_BATCHES = 4;

    /** Reads the newest rows before a moment. */
    interface Source {
        /** @param before absent = the newest of all */
        List<JobExecutionStatus> read(@Nullable Instant before, int limit);
    }

    static RowScan of(
            Source source, @Nullable Predicate<JobExecutionStatus> filter, @Nullable Instant before, int size) {
        List<JobExecutionStatus> found = new ArrayList<>();
        Instant last = before;
        int examined = 0;
        int batch = filter == null ? size + 1 : BATCH;
        for (int batches = 0; batches < MOST_BATCHES; batches++) {
            List<JobExecutionStatus> rows = source.read(last, batch);
            boolean more = rows.size() >= batch;
            for (JobExecutionStatus row : more ? withoutLastMoment(rows) : rows) {
                if (found.size() >= size && !row.updatedTime().equals(last)) {
                    return new RowScan(found, last, 0);
                }
                if (filter == null || filter.test(row)) {
                    found.add(row);
                }
                last = row.updatedTime();
                examined++;
            }
            if (!more) {
                return new RowScan(found, null, 0);
            }
            if (found.size() >= size) {
                return new RowScan(found, last, 0);
            }
        }
        return new RowScan(found, last, examined);
    }

    /** Others of that moment may follow. */
    private static List<JobExecutionStatus> withoutLastMoment(List<JobExecutionStatus> rows) {
        Instant last = rows.get(rows.size() - 1).updatedTime();
        List<JobExecutionStatus> whole =
                rows.stream().filter(row -> row.updatedTime().isAfter(last)).toList();
        return whole.isEmpty() ? rows : whole;
    }
}
