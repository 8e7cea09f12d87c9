package dev.almanac.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobQuery;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.WriteOrder;
import dev.almanac.store.JobList;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a store must answer to those who look for jobs by what they are. */
abstract class StoreLists extends StoreGroups {
    @Test
    @DisplayName("list: pages in the order of keys; the start of a key is never a pattern")
    void list() {
        insertSeven();
        JobList page = store.list(limited(JobQuery.all(), 3));
        assertThat(page.jobs()).extracting(StoredJob::key).containsExactly(".*", "a", "a$");
        assertThat(page.more()).isTrue();
        JobList rest = store.list(limited(JobQuery.all().after("a$"), 10));
        assertThat(rest.jobs()).extracting(StoredJob::key).containsExactly("a.b", "b", "c", "full");
        assertThat(rest.more()).isFalse();
        assertThat(keys(new JobQuery(null, null, null, null, "a", null, null, null, null, 9)))
                .containsExactly("a", "a$", "a.b");
        assertThat(keys(new JobQuery(null, null, null, null, ".*", null, null, null, null, 9)))
                .containsExactly(".*");
    }

    @Test
    @DisplayName("list: filters together leave what meets them all")
    void filtersTogether() {
        insertSeven();
        assertThat(keys(new JobQuery("contract", "x", "app", null, null, "sorry", null, null, null, 9)))
                .containsExactly("full");
        assertThat(keys(new JobQuery("nobody", null, null, null, null, null, null, null, null, 9)))
                .isEmpty();
        assertThat(keys(new JobQuery(null, null, null, ExecutionStatus.FAILED, null, null, null, null, null, 9)))
                .containsExactly("full");
        assertThat(keys(new JobQuery(null, null, null, null, null, null, now.plusSeconds(1), null, null, 9)))
                .isEmpty();
        assertThat(keys(new JobQuery(null, null, null, null, null, null, now, now.plusSeconds(1), null, 9)))
                .hasSize(7);
    }

    private void insertSeven() {
        for (String key : List.of("b", "a", "c", ".*", "a.b", "a$")) {
            insert(Specimens.minimal(key, now));
        }
        insert(Specimens.full("full", now));
    }

    private static JobQuery limited(JobQuery query, int limit) {
        return new JobQuery(null, null, null, null, null, null, null, null, query.afterKey(), limit);
    }

    private List<String> keys(JobQuery query) {
        return store.list(query).jobs().stream().map(StoredJob::key).toList();
    }

    @Test
    @DisplayName("list: each filter alone leaves its neighbour out")
    void filters() {
        insert(Specimens.minimal("plain", now));
        insert(Specimens.full("full", now.plusSeconds(1)));
        assertThat(keys(new JobQuery(null, "x", null, null, null, null, null, null, null, 9)))
                .containsExactly("full");
        assertThat(keys(new JobQuery(null, "X", null, null, null, null, null, null, null, 9)))
                .isEmpty();
        assertThat(keys(new JobQuery(null, null, "app", null, null, null, null, null, null, 9)))
                .containsExactly("full");
        assertThat(keys(new JobQuery(null, null, null, ExecutionStatus.SCHEDULED, null, null, null, null, null, 9)))
                .containsExactly("plain");
        assertThat(keys(new JobQuery(null, null, null, null, "ful", null, null, null, null, 9)))
                .containsExactly("full");
        assertThat(keys(new JobQuery(null, null, null, null, null, null, null, now.plusSeconds(1), null, 9)))
                .as("until is exclusive")
                .containsExactly("plain");
        assertThat(keys(new JobQuery(null, null, null, null, null, null, now.plusSeconds(1), null, null, 9)))
                .as("from is inclusive")
                .containsExactly("full");
    }

    @Test
    @DisplayName("list: the jobs of a calendar, also in pages of another size")
    void ofCalendar() {
        insert(Specimens.minimal("plain", now));
        insert(Specimens.full("full", now));
        assertThat(keys(JobQuery.ofCalendar("b"))).containsExactly("full");
        assertThat(keys(JobQuery.ofCalendar("b").limit(9).after("a"))).containsExactly("full");
        assertThat(keys(JobQuery.ofCalendar("c").limit(9))).isEmpty();
    }

    @Test
    @DisplayName("list: finished jobs are found by a status that only they have, and by nothing else")
    void finished() {
        cancelled("over");
        assertThat(keys(new JobQuery(null, null, null, ExecutionStatus.CANCELED, null, null, null, null, null, 9)))
                .containsExactly("over");
        assertThat(keys(new JobQuery(null, null, null, ExecutionStatus.TRIGGERED, null, null, null, null, null, 9)))
                .isEmpty();
        assertThat(keys(JobQuery.all())).isEmpty();
    }

    @Test
    @DisplayName("list: page after page visits every job once, in the order of the keys")
    void pages() {
        for (int i = 0; i < 25; i++) {
            insert(Specimens.minimal("k" + i, now));
        }
        List<String> visited = new ArrayList<>();
        JobList page = store.list(limited(JobQuery.all(), 7));
        visited.addAll(page.jobs().stream().map(StoredJob::key).toList());
        while (page.more()) {
            assertThat(page.jobs()).hasSize(7);
            page = store.list(limited(JobQuery.all().after(visited.get(visited.size() - 1)), 7));
            visited.addAll(page.jobs().stream().map(StoredJob::key).toList());
        }
        assertThat(visited).hasSize(25).isSorted().doesNotHaveDuplicates();
    }

    private void cancelled(String key) {
        StoredJob job = insert(Specimens.minimal(key, now));
        JobExecutionStatus row = rowOf(job, "end", now).toBuilder()
                .executionStatus(ExecutionStatus.CANCELED)
                .build();
        StoredJob after = job.with(edit -> edit.due(null)
                .lastStatus(row)
                .specification(job.specification().toBuilder()
                        .deleteTime(now.plus(Duration.ofDays(7)))
                        .build()));
        assertThat(store.write(List.of(new JobChange(job, after, List.of(row), null, WriteOrder.DOCUMENT_FIRST))))
                .containsExactly(true);
    }

    @Test
    @DisplayName("list, M5: finished jobs of one key stay on one page, and the next one begins behind them")
    void sameKey() {
        cancelled("a");
        for (int i = 0; i < 5; i++) {
            cancelled("b");
        }
        cancelled("c");
        JobQuery query = new JobQuery(null, null, null, ExecutionStatus.CANCELED, null, null, null, null, null, 3);
        JobList page = store.list(query);
        assertThat(page.jobs()).extracting(StoredJob::key).containsExactly("a", "b", "b", "b", "b", "b");
        assertThat(page.jobs()).extracting(StoredJob::id).doesNotHaveDuplicates();
        assertThat(page.lastKey()).isEqualTo("b");
        JobList rest = store.list(query.after("b"));
        assertThat(rest.jobs()).extracting(StoredJob::key).containsExactly("c");
        assertThat(rest.more()).isFalse();
        assertThat(store.list(query.limit(7)).more()).isFalse();
    }

    @Test
    @DisplayName("list: a page ends with its window, full or not, and says where the next one begins")
    void window() {
        insertSeven();
        JobQuery full = new JobQuery(null, "x", null, null, null, null, null, null, null, 9).window(3);
        JobList page = store.list(full);
        assertThat(page.jobs()).isEmpty();
        assertThat(page.lastKey()).isEqualTo("a$");
        page = store.list(full.after("a$"));
        assertThat(page.jobs()).isEmpty();
        assertThat(page.lastKey()).isEqualTo("c");
        page = store.list(full.after("c"));
        assertThat(page.jobs()).extracting(StoredJob::key).containsExactly("full");
        assertThat(page.lastKey()).as("nothing is left to look at").isNull();
        JobQuery any = new JobQuery("contract", null, null, null, null, null, null, null, null, 9).window(3);
        assertThat(store.list(any).jobs())
                .as("the last key of the window belongs to it")
                .extracting(StoredJob::key)
                .containsExactly(".*", "a", "a$");
    }

    @Test
    @DisplayName("list: a window as large as what there is leaves nothing to look at; one less leaves one")
    void wholeWindow() {
        insertSeven();
        JobQuery nobody = new JobQuery("nobody", null, null, null, null, null, null, null, null, 9);
        assertThat(store.list(nobody.window(7)).more()).isFalse();
        assertThat(store.list(nobody.window(6)).lastKey()).isEqualTo("c");
        assertThat(store.list(nobody).more()).isFalse();
        JobQuery prefix = new JobQuery("nobody", null, null, null, "a", null, null, null, null, 9);
        assertThat(store.list(prefix.window(3)).more())
                .as("beyond the prefix nothing is looked at")
                .isFalse();
        assertThat(store.list(prefix.window(2)).lastKey()).isEqualTo("a$");
    }

    @Test
    @DisplayName("list: within its window a page is filled as ever; of finished jobs a key is looked at as a whole")
    void windowAndLimit() {
        insertSeven();
        JobList page =
                store.list(new JobQuery("contract", null, null, null, null, null, null, null, null, 2).window(5));
        assertThat(page.jobs()).extracting(StoredJob::key).containsExactly(".*", "a");
        assertThat(page.lastKey()).isEqualTo("a");
        for (int i = 0; i < 3; i++) {
            cancelled("d");
        }
        JobQuery ended = new JobQuery(null, null, null, ExecutionStatus.CANCELED, "d", null, null, null, null, 9);
        page = store.list(ended.window(2));
        assertThat(page.jobs()).hasSize(3);
        assertThat(store.list(ended.after("d").window(2)).jobs()).isEmpty();
    }
}
