package dev.almanac.web.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.JobQuery;
import dev.almanac.store.DamagedJob;
import dev.almanac.store.JobList;
import dev.almanac.store.StoreOverview.Counted;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Pages that end because their jobs are large: no window was examined. */
class LargeJobsTest {
    private static final JobQuery TEN = JobQuery.all().limit(10);

    /** One job of ten, which a query that begins after the key of that number finds. */
    private static JobList one(JobQuery query, boolean windowOver) {
        int next = query.afterKey() == null ? 1 : Integer.parseInt(query.afterKey()) + 1;
        List<DamagedJob> found = List.of(new DamagedJob("id" + next, "job" + next, "large"));
        return new JobList(List.of(), found, next < 10 ? String.valueOf(next) : null, windowOver);
    }

    @Test
    @DisplayName("S20: a page goes on until it is full or its time is over, whatever the size of its jobs")
    void scan() {
        JobScan whole = JobScan.of(query -> one(query, false), TEN, () -> 0);
        assertThat(whole.damaged()).hasSize(10);
        assertThat(whole.examined()).isZero();
        JobScan windows = JobScan.of(query -> one(query, true), TEN, () -> 0);
        assertThat(windows.damaged()).as("windows are counted").hasSize(3);
        assertThat(windows.examined()).isEqualTo(75_000);
    }

    @Test
    @DisplayName(
            "S20: a search counts as examined the windows that it has been through, not the jobs that it has found")
    void search() {
        assertThat(searched(false).examined()).isZero();
        assertThat(searched(true).examined()).isEqualTo(9 * 5_000);
    }

    private static JobSearch.Progress searched(boolean windowOver) {
        JobSearch search = new JobSearch(TEN, false);
        JobSearch.Source source = new JobSearch.Source() {
            @Override
            public JobList list(JobQuery query) {
                return one(query, windowOver);
            }

            @Override
            public Counted count(JobQuery query, int limit) {
                return new Counted(0, null);
            }
        };
        JobSearch.Progress progress = search.go(source, () -> 0);
        assertThat(progress.damaged()).hasSize(10);
        assertThat(progress.isOver()).isTrue();
        return progress;
    }
}
