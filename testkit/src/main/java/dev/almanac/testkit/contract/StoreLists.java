package dev.almanac.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.almanac.model.Actor;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobState;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.model.StoredFields;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.By;
import dev.almanac.store.JobList;
import dev.almanac.store.NewJob;
import dev.almanac.store.Phase;
import dev.almanac.store.Requests;
import dev.almanac.store.StoreInspection;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a store must answer to those who look for jobs by what they are. */
abstract class StoreLists extends StoreGroups {
    @Test
    @DisplayName("list: pages in the order of keys; the start of a key is never a pattern")
    void list() {
        insertSeven();
        JobList page = listed(limited(JobQuery.all(), 3));
        assertThat(page.jobs()).extracting(StoredJob::key).containsExactly(".*", "a", "a$");
        assertThat(page.more()).isTrue();
        JobList rest = listed(limited(JobQuery.all().after("a$"), 10));
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
        assertThat(keys(new JobQuery("contract", "x", "app", null, null, "note", null, null, null, 9)))
                .containsExactly("full");
        assertThat(keys(new JobQuery(null, null, null, null, null, "sorry", null, null, null, 9)))
                .as(
                        "the type of a job is that of its trigger command, also while its failure command is to be delivered")
                .isEmpty();
        assertThat(keys(new JobQuery("nobody", null, null, null, null, null, null, null, null, 9)))
                .isEmpty();
        assertThat(keys(new JobQuery(null, null, null, JobState.BLOCKED, null, null, null, null, null, 9)))
                .containsExactly("full");
        assertThat(keys(new JobQuery(null, null, null, null, null, null, now.plusSeconds(1), null, null, 9)))
                .isEmpty();
        assertThat(keys(new JobQuery(null, null, null, null, null, null, now, now.plusSeconds(1), null, 9)))
                .hasSize(7);
    }

    private static List<List<StandingPause>> pauses() {
        Instant since = Instant.parse("2026-01-01T00:00:00Z");
        Pause endless = new Pause("why", "who", null);
        Pause ended = new Pause("why", "who", since.plusSeconds(1));
        return List.of(
                List.of(),
                List.of(new StandingPause(PauseScope.everything(), endless, since)),
                List.of(new StandingPause(PauseScope.everything(), ended, since)),
                List.of(new StandingPause(PauseScope.tag("held"), endless, since)),
                List.of(
                        new StandingPause(PauseScope.commandType("note"), endless, since),
                        new StandingPause(PauseScope.tag("absent"), endless, since)));
    }

    @Test
    @DisplayName("list, S21: the jobs of a state are those whose document, the time and the pauses say so")
    void states() {
        List<NewJob> all = new ArrayList<>(StateSpecimens.pairs(now));
        all.add(tagged("plain-tagged", job -> job));
        all.add(tagged("tagged-owing", StateSpecimens.changes(now).get(JobState.OWING)));
        all.add(tagged("tagged-claimed", StateSpecimens.changes(now).get(JobState.CLAIMED)));
        all.add(tagged(
                "following", job -> job.with(edit -> edit.phase(Phase.FOLLOW).verdict(job.lastStatus()))));
        all.add(tagged(
                "pause-over",
                job -> job.with(edit -> edit.requests(Requests.NONE.withPause(new Pause("why", "who", now))))));
        all.add(tagged(
                "pause-open",
                job -> job.with(edit -> edit.requests(Requests.NONE.withPause(new Pause("why", "who", null))))));
        all.add(tagged(
                "timed-out",
                job -> StateSpecimens.changes(now)
                        .get(JobState.CLAIMED)
                        .apply(job)
                        .with(edit -> edit.lastStatus(job.lastStatus().toBuilder()
                                .outcome(Outcome.TIMED_OUT)
                                .claimSeq(3)
                                .build()))));
        all.forEach(job -> insert(new NewJob(job.job(), job.row())));
        pauses().forEach(pauses -> listed(all, pauses));
        assertThat(keys(store.list(JobQuery.all().limit(1_000)))).noneMatch(key -> key.startsWith("SUCCEEDED"));
        assertThatThrownBy(() -> store.list(JobQuery.all().state(JobState.PAUSED)))
                .as("without a time")
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void listed(List<NewJob> all, List<StandingPause> pauses) {
        for (JobState state : JobState.values()) {
            assertThat(keys(store.list(JobQuery.all().limit(1_000).state(state), now, pauses)))
                    .as("%s", state)
                    .containsExactlyInAnyOrderElementsOf(all.stream()
                            .map(NewJob::job)
                            .filter(job -> job.stateAt(now, pauses) == state)
                            .map(StoredJob::key)
                            .toList());
        }
    }

    private static List<String> keys(JobList list) {
        return list.jobs().stream().map(StoredJob::key).toList();
    }

    private NewJob tagged(String key, UnaryOperator<StoredJob> change) {
        StoredJob plain = Specimens.of(
                        Specimens.id(),
                        Specimens.specification(key)
                                .singleSchedule(now)
                                .tags("held")
                                .build(),
                        now)
                .job();
        StoredJob job = change.apply(plain);
        return new NewJob(job, job.lastStatus());
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

    /** States are derived as of now, while no kind of jobs is paused. */
    private JobList listed(JobQuery query) {
        return store.list(query, now, List.of());
    }

    private List<String> keys(JobQuery query) {
        return listed(query).jobs().stream().map(StoredJob::key).toList();
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
        assertThat(keys(new JobQuery(null, null, null, JobState.SCHEDULED, null, null, null, null, null, 9)))
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
    @DisplayName("list: finished jobs are found by a state that only they have, and by nothing else")
    void finished() {
        cancelled("over");
        assertThat(keys(new JobQuery(null, null, null, JobState.CANCELED, null, null, null, null, null, 9)))
                .containsExactly("over");
        assertThat(keys(new JobQuery(null, null, null, JobState.SUCCEEDED, null, null, null, null, null, 9)))
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
        JobList page = listed(limited(JobQuery.all(), 7));
        visited.addAll(page.jobs().stream().map(StoredJob::key).toList());
        while (page.more()) {
            assertThat(page.jobs()).hasSize(7);
            page = listed(limited(JobQuery.all().after(visited.get(visited.size() - 1)), 7));
            visited.addAll(page.jobs().stream().map(StoredJob::key).toList());
        }
        assertThat(visited).hasSize(25).isSorted().doesNotHaveDuplicates();
    }

    private void cancelled(String key) {
        finished(insert(Specimens.minimal(key, now)), ExecutionStatus.CANCELED);
    }

    /** The job as it is stored when a request has ended it so. */
    final StoredJob finished(StoredJob job, ExecutionStatus status) {
        JobExecutionStatus row =
                rowOf(job, "end", now).toBuilder().executionStatus(status).build();
        StoredJob after = job.with(edit -> edit.due(null)
                .lastStatus(row)
                .specification(StoredFields.of(job.specification())
                        .deleteTime(now.plus(Duration.ofDays(7)))
                        .build()));
        assertThat(store.write(List.of(new JobChange(job, after, List.of(row), By.REQUEST))))
                .containsExactly(true);
        return after;
    }

    @Test
    @DisplayName("list, M5: the finished jobs of one key fill as many pages as it takes, each is on one of them")
    void sameKey() {
        cancelled("a");
        for (int i = 0; i < 7; i++) {
            cancelled("b");
        }
        cancelled("c");
        JobQuery query = new JobQuery(null, null, null, JobState.CANCELED, null, null, null, null, null, 3);
        assertThat(walked(query)).containsExactly("a", "b", "b", "b", "b", "b", "b", "b", "c");
        assertThat(walked(query.limit(1))).hasSize(9);
        assertThat(walked(query.window(2))).hasSize(9);
        assertThat(listed(query.limit(9)).more()).isFalse();
        JobList rest = listed(query.after("b"));
        assertThat(rest.jobs())
                .as("a key stands for all jobs that have it")
                .extracting(StoredJob::key)
                .containsExactly("c");
        assertThat(rest.more()).isFalse();
    }

    /** The keys of all pages, none of which is larger than the query allows. */
    private List<String> walked(JobQuery query) {
        return walked(query, this::listed);
    }

    private static List<String> walked(JobQuery query, Function<JobQuery, JobList> ask) {
        int most = Math.min(query.limit(), query.window() == null ? query.limit() : query.window());
        List<StoredJob> jobs = new ArrayList<>();
        JobQuery part = query;
        for (JobList page = ask.apply(part); ; page = ask.apply(part)) {
            assertThat(page.jobs()).hasSizeLessThanOrEqualTo(most);
            jobs.addAll(page.jobs());
            if (!page.more()) {
                break;
            }
            part = part.after(page.lastKey());
        }
        assertThat(jobs).extracting(StoredJob::id).doesNotHaveDuplicates();
        return jobs.stream().map(StoredJob::key).toList();
    }

    @Test
    @DisplayName("list: a page ends with its window, full or not, and says where the next one begins")
    void window() {
        insertSeven();
        JobQuery full = new JobQuery(null, "x", null, null, null, null, null, null, null, 9).window(3);
        JobList page = listed(full);
        assertThat(page.jobs()).isEmpty();
        assertThat(page.lastKey()).isEqualTo("a$");
        page = listed(full.after("a$"));
        assertThat(page.jobs()).isEmpty();
        assertThat(page.lastKey()).isEqualTo("c");
        assertThat(page.windowOver()).isTrue();
        page = listed(full.after("c"));
        assertThat(page.jobs()).extracting(StoredJob::key).containsExactly("full");
        assertThat(page.lastKey()).as("nothing is left to look at").isNull();
        assertThat(page.windowOver()).as("the last job ends it").isFalse();
        JobQuery any = new JobQuery("contract", null, null, null, null, null, null, null, null, 9).window(3);
        assertThat(listed(any).jobs())
                .as("the last key of the window belongs to it")
                .extracting(StoredJob::key)
                .containsExactly(".*", "a", "a$");
    }

    @Test
    @DisplayName("list: a window as large as what there is leaves nothing to look at; one less leaves one")
    void wholeWindow() {
        insertSeven();
        JobQuery nobody = new JobQuery("nobody", null, null, null, null, null, null, null, null, 9);
        assertThat(listed(nobody.window(7)).more()).isFalse();
        assertThat(listed(nobody.window(6)).lastKey()).isEqualTo("c");
        assertThat(listed(nobody).more()).isFalse();
        JobQuery prefix = new JobQuery("nobody", null, null, null, "a", null, null, null, null, 9);
        assertThat(listed(prefix.window(3)).more())
                .as("beyond the prefix nothing is looked at")
                .isFalse();
        assertThat(listed(prefix.window(2)).lastKey()).isEqualTo("a$");
    }

    @Test
    @DisplayName("list: within its window a page is filled as ever, and a window of finished jobs may end within a key")
    void windowAndLimit() {
        insertSeven();
        JobList page = listed(new JobQuery("contract", null, null, null, null, null, null, null, null, 2).window(5));
        assertThat(page.jobs()).extracting(StoredJob::key).containsExactly(".*", "a");
        assertThat(page.lastKey()).isEqualTo("a");
        assertThat(page.windowOver()).as("it is full").isFalse();
        for (int i = 0; i < 3; i++) {
            cancelled("d");
        }
        JobQuery ended = new JobQuery(null, null, null, JobState.CANCELED, "d", null, null, null, null, 9);
        assertThat(listed(ended.window(2)).more()).isTrue();
        assertThat(walked(ended.window(2))).hasSize(3);
        assertThat(listed(ended.after("d").window(2)).jobs()).isEmpty();
    }

    @Test
    @DisplayName(
            "T6: jobs whose plans other zone rules have made are found, page by page, those of a query and live ones only")
    void plannedByOthers() {
        for (String key : List.of("a", "b", "c", "d", "other")) {
            insert(Specimens.minimal(key, now));
        }
        finish(live("c"));
        JobQuery all = new JobQuery(null, null, null, null, null, null, null, null, null, 2);
        assertThat(plannedByOthers(all)).containsExactly("a", "b", "d", "other");
        assertThat(plannedByOthers(all.window(1))).containsExactly("a", "b", "d", "other");
        assertThat(plannedByOthers(new JobQuery(null, null, null, null, "o", null, null, null, null, 2)))
                .containsExactly("other");
    }

    private List<String> plannedByOthers(JobQuery query) {
        return walked(query, part -> store.plannedByOthers("2026b", part));
    }

    @Test
    @DisplayName("O3: inspection: which rows are not stored, and finished jobs whose newest row is not, up to a limit")
    void inspected() {
        // optional: a store that offers none promises nothing of it
        if (!(store instanceof StoreInspection inspection)) {
            return;
        }
        StoredJob well = insert(Specimens.minimal("well", now));
        finish(well);
        StoredJob lacks = insert(Specimens.minimal("lacks", now));
        Instant end = now.plus(Duration.ofDays(8));
        StoredJob over = lacks.with(edit -> edit.specification(
                        StoredFields.of(lacks.specification()).deleteTime(end).build())
                .due(null));
        JobChange last = change(lacks, over, rowOf(lacks, "last", now.plusSeconds(1)), By.REQUEST);
        applied(last.withRowsToFollow());
        insert(Specimens.minimal("live", now));
        StoreInspection.State all = inspection.inspect(9);
        assertThat(all)
                .isEqualTo(new StoreInspection.State(List.of(), List.of(), List.of(), List.of(lacks.id()), false));
        StoreInspection.State first = inspection.inspect(1);
        assertThat(first).isEqualTo(new StoreInspection.State(List.of(), List.of(), List.of(), List.of(), true));
        String row = last.after().lastStatus().id();
        assertThat(inspection.missingRows(List.of(well.lastStatus().id(), row, "none")))
                .containsExactlyInAnyOrder(row, "none");
        store.writeRows(last.rows());
        assertThat(inspection.inspect(9).finishedWithoutRow()).isEmpty();
        assertThat(inspection.missingRows(List.of(row))).isEmpty();
        assertThat(inspection.removeDamaged("live", end, new Actor("contract", null)))
                .as("it can be read")
                .isEqualTo(StoreInspection.Removal.NOT_FOUND);
        assertThat(live("live").isLive()).isTrue();
    }

    @Test
    @DisplayName("N4: inspection: the rows that documents show, in the order of ids, page by page, each once")
    void shownRows() {
        // optional: a store that offers none promises nothing of it
        if (!(store instanceof StoreInspection inspection)) {
            return;
        }
        List<StoredJob> jobs = new ArrayList<>();
        for (String key : List.of("e", "d", "c", "b", "a")) {
            jobs.add(insert(Specimens.minimal(key, now)));
        }
        finish(jobs.get(1));
        StoredJob held = claimed(jobs.get(2), 1);
        JobExecutionStatus older = rowOf(held, "older", now.plusSeconds(1));
        JobExecutionStatus newest = rowOf(held, "newest", now.plusSeconds(2));
        applied(new JobChange(held, held.with(edit -> edit.lastStatus(newest)), List.of(older, newest), By.HOLDER));
        List<StoreInspection.ShownRow> shown = new ArrayList<>();
        String after = null;
        do {
            StoreInspection.Page<StoreInspection.ShownRow> page = inspection.newestRows(after, 2);
            shown.addAll(page.items());
            after = page.next();
        } while (after != null);
        assertThat(shown).extracting(StoreInspection.ShownRow::jobId).isSorted();
        List<StoreInspection.ShownRow> expected = store
                .load(jobs.stream().map(StoredJob::id).toList())
                .stream()
                .flatMap(job -> StoreInspection.ShownRow.of(job).stream())
                .toList();
        assertThat(shown)
                .extracting(
                        StoreInspection.ShownRow::jobId,
                        row -> row.row().id(),
                        StoreInspection.ShownRow::live,
                        StoreInspection.ShownRow::goesOn)
                .containsExactlyInAnyOrderElementsOf(expected.stream()
                        .map(row -> tuple(row.jobId(), row.row().id(), row.live(), row.goesOn()))
                        .toList())
                .hasSize(6);
    }
}
