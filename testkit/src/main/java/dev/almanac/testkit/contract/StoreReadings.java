package dev.almanac.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.By;
import dev.almanac.store.Lease;
import dev.almanac.store.Needs;
import dev.almanac.store.NewJob;
import dev.almanac.store.RowLimit;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a store must answer to those who look. */
abstract class StoreReadings extends StoreListModel {
    private static final Map<String, Object> BODY = Map.ofEntries(
            Map.entry("int", Integer.MAX_VALUE),
            Map.entry("long", Long.MIN_VALUE),
            Map.entry("small long", 1L),
            Map.entry("double", 0.1),
            Map.entry("flag", false),
            Map.entry("text", "ключ 鍵 🔑 \"\\ .*$"),
            Map.entry("empty", List.of(Map.of(), List.of(), "")),
            Map.entry("nested", List.of(List.of(1, 2L, 3.5), Map.of("a", Map.of("b", List.of("c"))))),
            Map.entry("a.b", "dot"),
            Map.entry("$set", "dollar"));

    @Test
    @DisplayName("insert: what is stored is found whole, field by field")
    void roundTrip() {
        for (NewJob specimen : List.of(
                Specimens.minimal("minimal", now),
                Specimens.full("full", now),
                Specimens.local("local", now),
                Specimens.minimal("ключ-鍵-🔑", now),
                Specimens.minimal("k".repeat(256), now))) {
            insert(specimen);
            assertThat(live(specimen.job().key())).isEqualTo(specimen.job());
            assertThat(store.rows(RowQuery.ofDocument(specimen.job().id(), 10))).containsExactly(specimen.row());
            assertThat(live(specimen.job().key()).specification().version())
                    .isEqualTo(specimen.job().specification().version());
        }
    }

    @Test
    @DisplayName("types of due jobs: every type but the known ones, of live jobs that are due by then")
    void otherDueTypes() {
        insert(Specimens.minimal("a", now));
        insert(Specimens.minimal("b", now.plusSeconds(60)));
        String type = live("a").command().type();
        assertThat(store.otherDueTypes(Set.of(), now)).containsExactly(type);
        assertThat(store.otherDueTypes(Set.of("another"), now)).containsExactly(type);
        assertThat(store.otherDueTypes(Set.of("another", type), now)).isEmpty();
        assertThat(store.otherDueTypes(Set.of(), now.minusMillis(1))).isEmpty();
    }

    @Test
    @DisplayName("running: jobs with a lease that has not ended")
    void running() {
        insert(Specimens.minimal("a", now));
        insert(Specimens.minimal("b", now));
        String id = live("a").id();
        Instant until = now.plusSeconds(20);
        store.claim(new ClaimRequest(List.of(id), now, new Lease("n", 7, until), until.plusSeconds(2)));
        assertThat(store.running(now, Duration.ofMinutes(1), 10))
                .extracting(StoredJob::key)
                .containsExactly("a");
        assertThat(store.running(until, Duration.ofMinutes(1), 10)).isEmpty();
        assertThat(store.running(now, Duration.ofSeconds(1), 10))
                .as("its lease ends beyond the horizon")
                .isEmpty();
    }

    @Test
    @DisplayName("X6: a look passes over a job that this process does not support, unless it asks for any needs")
    void needs() {
        StoredJob plain = insert(Specimens.minimal("plain", now));
        NewJob given = Specimens.minimal("rule", now);
        StoredJob rule = insert(new NewJob(
                given.job()
                        .with(edit -> edit.specification(given.job().specification().toBuilder()
                                .rrule("DTSTART:20260131T090000 RRULE:FREQ=DAILY")
                                .singleSchedule((Instant) null)
                                .build())),
                given.row()));
        DueQuery query = new DueQuery(TYPES, Set.of(), partitions, 0, 7, now, 10);
        boolean supported = Needs.known().containsAll(Needs.of(rule));
        for (int i = 0; i < 2; i++) {
            assertThat(store.due(query))
                    .extracting(DueJob::id)
                    .contains(plain.id())
                    .hasSize(supported ? 2 : 1);
            assertThat(store.due(query.withAnyNeeds()))
                    .extracting(DueJob::id)
                    .containsExactlyInAnyOrder(plain.id(), rule.id());
        }
    }

    @Test
    @DisplayName(
            "due: a job that becomes due in the past is shown to a node that looks again a second later by its own clock")
    void dueAgain() {
        assertThat(due(now.plusSeconds(5), 10)).isEmpty();
        insert(Specimens.minimal("back", now.minusSeconds(60)));
        assertThat(due(now.plusSeconds(6), 10)).extracting(DueJob::due).containsExactly(now.minusSeconds(60));
        assertThat(due(now, 10))
                .as("whose clock is behind")
                .extracting(DueJob::due)
                .containsExactly(now.minusSeconds(60));
    }

    @Test
    @DisplayName("due: live jobs of the asked types, partitions and priorities, the earliest first, up to the limit")
    void dueJobs() {
        insert(Specimens.minimal("b", now.minusSeconds(1)));
        insert(Specimens.minimal("a", now.minusSeconds(2)));
        insert(Specimens.minimal("later", now.plusSeconds(60)));
        StoredJob over = insert(Specimens.minimal("over", now.minusSeconds(9)));
        finish(over);
        assertThat(due(now, 10)).extracting(DueJob::due).containsExactly(now.minusSeconds(2), now.minusSeconds(1));
        assertThat(due(now, 1)).hasSize(1);
        assertThat(store.due(new DueQuery(Set.of("other"), Set.of(), partitions, 0, 7, now, 10)))
                .isEmpty();
        assertThat(store.due(new DueQuery(TYPES, Set.of(), partitions, 0, 3, now, 10)))
                .isEmpty();
        assertThat(store.due(
                        new DueQuery(TYPES, Set.of(), Set.of(due(now, 1).get(0).partition()), 0, 7, now, 10)))
                .isNotEmpty();
    }

    @Test
    @DisplayName(
            "N5: a limit pulls rows forward; those of failures and requests less, and those that end before not at all")
    void limits() {
        StoredJob job = insert(Specimens.minimal("k", now));
        Instant soon = now.plusSeconds(1_000);
        Instant later = now.plusSeconds(2_000);
        Instant never = now.plusSeconds(9_000);
        JobExecutionStatus plain = rowOf(job, "plain", now.plusSeconds(1)).toBuilder()
                .deleteTime(never)
                .build();
        // not so soon that a server removes it meanwhile
        JobExecutionStatus short_ = plain.toBuilder()
                .id(plain.id() + "s")
                .deleteTime(now.plusSeconds(900))
                .build();
        JobExecutionStatus failed = plain.toBuilder()
                .id(plain.id() + "f")
                .executionStatus(ExecutionStatus.FAILED)
                .build();
        JobExecutionStatus attempt = plain.toBuilder()
                .id(plain.id() + "a")
                .outcome(Outcome.ATTEMPT_FAILED)
                .build();
        JobExecutionStatus request =
                plain.toBuilder().id(plain.id() + "r").author("ops").build();
        store.writeRows(List.of(plain, short_, failed, attempt, request));
        applied(limited(job, job, List.of(), new RowLimit(soon, later)));
        Map<String, Instant> ends = new HashMap<>();
        store.rows(RowQuery.ofKey("k", 10)).forEach(row -> ends.put(row.id(), row.deleteTime()));
        assertThat(ends)
                .containsEntry(plain.id(), soon)
                .containsEntry(short_.id(), now.plusSeconds(900))
                .containsEntry(failed.id(), later)
                .containsEntry(attempt.id(), later)
                .containsEntry(request.id(), later);
    }

    @Test
    @DisplayName("N4: rows that are removed soon are kept on; others, and rows that are not named, keep their end")
    void kept() {
        JobExecutionStatus first = insert(Specimens.minimal("k", now)).lastStatus();
        JobExecutionStatus soon = first.toBuilder()
                .id(first.id() + "s")
                .deleteTime(now.plusSeconds(900))
                .build();
        JobExecutionStatus late = first.toBuilder()
                .id(first.id() + "l")
                .deleteTime(now.plusSeconds(9_900))
                .build();
        JobExecutionStatus other = soon.toBuilder().id(first.id() + "o").build();
        store.writeRows(List.of(soon, late, other));
        store.keepRows(List.of(soon.id(), late.id(), "missing"), now.plusSeconds(1_000), now.plusSeconds(5_000));
        Map<String, Instant> ends = new HashMap<>();
        store.rows(RowQuery.ofKey("k", 10)).forEach(row -> ends.put(row.id(), row.deleteTime()));
        assertThat(ends)
                .hasSize(4)
                .containsEntry(soon.id(), now.plusSeconds(5_000))
                .containsEntry(late.id(), now.plusSeconds(9_900))
                .containsEntry(other.id(), now.plusSeconds(900));
    }

    @Test
    @DisplayName("M9: a purge removes what has expired and nothing else")
    void purge() {
        StoredJob over = insert(Specimens.minimal("over", now));
        finish(over);
        StoredJob stays = insert(Specimens.minimal("stays", now));
        assertThat(store.cluster().purge(now, 100)).isZero();
        store.cluster().purge(now.plus(Duration.ofDays(8)), 100);
        assertThat(store.load(List.of(over.id(), stays.id()))).containsExactly(stays);
        assertThat(rowIds(over)).isEmpty();
        assertThat(rowIds(stays)).hasSize(1);
    }

    @Test
    @DisplayName(
            "M9: a purge removes at the deleteTime and not a millisecond before, of both collections, up to its limit")
    void purgeInTime() {
        StoredJob over = insert(Specimens.minimal("over", now));
        finish(over);
        Instant end = now.plus(Duration.ofDays(7));
        assertThat(store.cluster().purge(end.minusMillis(1), 100)).isZero();
        assertThat(store.load(List.of(over.id()))).hasSize(1);
        assertThat(rowIds(over)).hasSize(2);
        assertThat(store.cluster().purge(end, 0)).isZero();
        assertThat(store.cluster().purge(end, 2)).isEqualTo(2);
        assertThat(store.cluster().purge(end, 2)).isEqualTo(1);
        assertThat(store.load(List.of(over.id()))).isEmpty();
        assertThat(rowIds(over)).isEmpty();
    }

    @Test
    @DisplayName("M9: a purge removes the superseded row of a live job, and neither its newest row nor the job")
    void purgeOfALiveJob() {
        StoredJob job = insert(Specimens.minimal("live", now));
        Instant end = now.plusSeconds(9_000);
        StoredJob limited = applied(limited(job, job, List.of(), new RowLimit(end, end)));
        JobExecutionStatus row = rowOf(job, "next", now.plusSeconds(1));
        StoredJob after = applied(change(limited, limited, row, By.REQUEST));
        assertThat(store.cluster().purge(end.minusMillis(1), 100)).isZero();
        assertThat(store.cluster().purge(end, 100)).isEqualTo(1);
        assertThat(rowIds(job)).containsExactly(row.id());
        assertThat(store.cluster().purge(now.plus(Duration.ofDays(9_999)), 100)).isZero();
        assertThat(live("live")).isEqualTo(after);
    }

    @Test
    @DisplayName("insert: a command's body keeps its values and their types, and its names are only names")
    void bodies() {
        insert(Specimens.of(
                Specimens.id(),
                Specimens.specification("k")
                        .triggerCommand(new EncodedCommand("note", 1, BODY))
                        .singleSchedule(now)
                        .build(),
                now));
        assertThat(live("k").command().body()).isEqualTo(BODY);
    }

    @Test
    @DisplayName("insert: any specification is found whole")
    void anySpecification() {
        SpecificationGenerator specifications = new SpecificationGenerator(
                20_260_301,
                now,
                random -> new EncodedCommand("note", 1, Map.of("number", random.nextInt(1_000))),
                List.of("thirteenths", "leap-days"));
        List<NewJob> jobs = IntStream.range(0, 200)
                .mapToObj(i -> Specimens.of(Specimens.id(), specifications.next(), now))
                .toList();
        assertThat(store.insert(jobs)).hasSize(200).doesNotContain(false);
        for (NewJob job : jobs) {
            StoredJob found = live(job.job().key());
            assertThat(found).isEqualTo(job.job());
            assertThat(found.specification().hasSameSchedule(job.job().specification()))
                    .isTrue();
        }
    }

    @Test
    @DisplayName("due: to the millisecond; both ends of the priorities count; each partition has its own jobs")
    void dueEdges() {
        for (int priority = 0; priority <= 7; priority++) {
            JobSpecification job = Specimens.specification("p" + priority)
                    .priority(priority)
                    .singleSchedule(now)
                    .build();
            insert(Specimens.of(Specimens.id(), job, now.plusMillis(priority)));
        }
        assertThat(store.due(new DueQuery(TYPES, Set.of(), partitions, 2, 5, now.plusMillis(9), 99)))
                .extracting(DueJob::priority)
                .containsExactly(2, 3, 4, 5);
        assertThat(due(now.plusMillis(3), 99)).extracting(DueJob::priority).containsExactly(0, 1, 2, 3);
        List<DueJob> apart = new ArrayList<>();
        for (int partition : partitions) {
            List<DueJob> found =
                    store.due(new DueQuery(TYPES, Set.of(), Set.of(partition), 0, 7, now.plusMillis(9), 99));
            assertThat(found).extracting(DueJob::partition).allMatch(answer -> answer == partition);
            apart.addAll(found);
        }
        assertThat(apart).containsExactlyInAnyOrderElementsOf(due(now.plusMillis(9), 99));
    }

    @Test
    @DisplayName("due: a job that carries one of the tags that are left out is not found; others are")
    void exceptTags() {
        for (List<String> tags : List.of(List.<String>of(), List.of("a"), List.of("a", "b"), List.of("c.$d"))) {
            JobSpecification job = Specimens.specification("k" + tags)
                    .tags(tags.toArray(String[]::new))
                    .singleSchedule(now)
                    .build();
            insert(Specimens.of(Specimens.id(), job, now));
        }
        assertThat(keysWithout("b")).containsExactlyInAnyOrder("k[]", "k[a]", "k[c.$d]");
        assertThat(keysWithout("a")).containsExactlyInAnyOrder("k[]", "k[c.$d]");
        assertThat(keysWithout("c.$d", "b")).containsExactlyInAnyOrder("k[]", "k[a]");
        assertThat(keysWithout("other")).hasSize(4);
    }

    private List<String> keysWithout(String... tags) {
        List<String> ids = store.due(new DueQuery(TYPES, Set.of(tags), partitions, 0, 7, now, 9)).stream()
                .map(DueJob::id)
                .toList();
        return store.load(ids).stream().map(StoredJob::key).toList();
    }

    @Test
    @DisplayName(
            "R9: due: behind as many jobs as were asked for, up to as many urgent ones that are due later are shown")
    void urgentBehind() {
        for (int i = 0; i < 5; i++) {
            insert(prioritized("first" + i, DueJob.FIRST_NOT_URGENT, now.plusMillis(i)));
            insert(prioritized("plain" + i, DueJob.FIRST_NOT_URGENT, now.plusMillis(20 + i)));
            insert(prioritized("urgent" + i, DueJob.FIRST_NOT_URGENT - 1, now.plusMillis(10 + i)));
        }
        Map<Boolean, List<DueJob>> found = due(now.plusMillis(30), 3).stream()
                .collect(Collectors.partitioningBy(job -> job.priority() < DueJob.FIRST_NOT_URGENT));
        assertThat(found.get(false)).extracting(DueJob::due).containsExactly(now, now.plusMillis(1), now.plusMillis(2));
        assertThat(found.get(true))
                .extracting(DueJob::due)
                .containsExactlyInAnyOrder(now.plusMillis(10), now.plusMillis(11), now.plusMillis(12));
    }

    private static NewJob prioritized(String key, int priority, Instant due) {
        return Specimens.of(
                Specimens.id(),
                Specimens.specification(key)
                        .priority(priority)
                        .singleSchedule(due)
                        .build(),
                due);
    }

    @Test
    @DisplayName("due: neither a job that was given no due nor one that is over is found, by due or by claim")
    void neverDue() {
        StoredJob paused = insert(Specimens.minimal("paused", now));
        StoredJob over = insert(Specimens.minimal("over", now));
        finish(over);
        StoredJob after = paused.with(edit -> edit.due(null));
        assertThat(store.write(List.of(change(paused, after, rowOf(paused, "pause", now), By.REQUEST))))
                .containsExactly(true);
        Instant later = now.plus(Duration.ofDays(9_000));
        assertThat(due(later, 9)).isEmpty();
        ClaimRequest request = new ClaimRequest(
                List.of(paused.id(), over.id()), later, new Lease("node", 1, later), later.plus(MARGIN));
        assertThat(store.claim(request).jobs()).isEmpty();
        assertThat(live("paused").due()).isNull();
    }

    @Test
    @DisplayName("rows of several documents: each with its own, the newest first, and not more than are asked for")
    void rowsOfSeveral() {
        StoredJob first = insert(Specimens.minimal("k", now));
        finish(first);
        StoredJob second = insert(Specimens.minimal("l", now));
        StoredJob other = insert(Specimens.minimal("other", now));
        List<JobExecutionStatus> all = store.rows(List.of(first.id(), second.id(), "none"), 9);
        assertThat(all)
                .hasSize(3)
                .extracting(JobExecutionStatus::jobSpecificationId)
                .doesNotContain(other.id());
        for (StoredJob job : List.of(first, second)) {
            assertThat(all.stream().filter(row -> row.jobSpecificationId().equals(job.id())))
                    .isEqualTo(store.rows(RowQuery.ofDocument(job.id(), 9)));
        }
        assertThat(store.rows(List.of(first.id(), second.id()), 2)).isEqualTo(all.subList(0, 2));
        assertThat(store.rows(List.of("none"), 9)).isEmpty();
    }

    @Test
    @DisplayName("rows: of a key those of all its documents, of a document only its own, the newest first")
    void rowScopes() {
        StoredJob first = insert(Specimens.minimal("k", now));
        finish(first);
        StoredJob second = insert(Specimens.minimal("k", now.plusSeconds(600)));
        insert(Specimens.minimal("other", now));
        List<JobExecutionStatus> ofKey = store.rows(RowQuery.ofKey("k", 9));
        assertThat(ofKey)
                .extracting(JobExecutionStatus::jobSpecificationId)
                .containsExactly(second.id(), first.id(), first.id());
        assertThat(store.rows(RowQuery.ofDocument(first.id(), 9))).isEqualTo(ofKey.subList(1, 3));
        assertThat(store.rows(RowQuery.ofKey("k", 2))).isEqualTo(ofKey.subList(0, 2));
        assertThat(store.rows(RowQuery.ofKey("nobody", 9))).isEmpty();
        Instant newest = ofKey.get(0).updatedTime();
        assertThat(store.rows(RowQuery.ofKey("k", 9).before(newest)))
                .as("the page that follows")
                .isEqualTo(ofKey.subList(1, 3));
        assertThat(store.rows(RowQuery.ofKey("k", 9).before(newest.plusMillis(1))))
                .isEqualTo(ofKey);
        assertThat(store.rows(RowQuery.ofDocument(first.id(), 1).before(newest)))
                .isEqualTo(ofKey.subList(1, 2));
        assertThat(store.rows(RowQuery.ofDocument(second.id(), 9).before(newest)))
                .isEmpty();
    }

    @Test
    @DisplayName("15: rows: those of a document that was deleted are found by its id, and no longer by its key")
    void rowsOfRemoved() {
        StoredJob held = claimed(insert(Specimens.minimal("k", now)), 1);
        store.write(List.of(new JobChange(held, ended(held), List.of(), null, By.HOLDER, true).as(drawn())));
        assertThat(store.rows(RowQuery.ofKey("k", 9))).isEmpty();
        assertThat(rowIds(held)).hasSize(1);
        StoredJob next = insert(Specimens.minimal("k", now));
        assertThat(store.rows(RowQuery.ofKey("k", 9)))
                .extracting(JobExecutionStatus::jobSpecificationId)
                .containsExactly(next.id());
    }

    @Test
    @DisplayName("rows: what failed for good, of all jobs, the newest first; from is inclusive, until is not")
    void failures() {
        insert(Specimens.minimal("well", now));
        StoredJob first = failed("first", now.plusSeconds(1));
        StoredJob second = failed("second", now.plusSeconds(2));
        StoredJob third = failed("third", now.plusSeconds(3));
        assertThat(failures(null, null, 9)).containsExactly(third.id(), second.id(), first.id());
        assertThat(failures(now.plusSeconds(2), null, 9)).containsExactly(third.id(), second.id());
        assertThat(failures(null, now.plusSeconds(2), 9)).containsExactly(first.id());
        assertThat(failures(now.plusSeconds(2), now.plusSeconds(3), 9)).containsExactly(second.id());
        assertThat(failures(now.plusSeconds(4), null, 9)).isEmpty();
        assertThat(failures(null, null, 2)).containsExactly(third.id(), second.id());
        assertThat(failures(Instant.MIN, Instant.MAX, 9))
                .as("moments that no store can hold")
                .containsExactly(third.id(), second.id(), first.id());
        assertThat(store.rows(RowQuery.ofKey("first", 9).before(Instant.MAX))).isNotEmpty();
        assertThat(store.rows(RowQuery.ofKey("first", 9).before(Instant.MIN))).isEmpty();
    }

    private List<String> failures(@Nullable Instant from, @Nullable Instant until, int limit) {
        return store.rows(RowQuery.ofFailures(from, until, limit)).stream()
                .map(JobExecutionStatus::jobSpecificationId)
                .toList();
    }

    private StoredJob failed(String key, Instant when) {
        StoredJob job = insert(Specimens.minimal(key, now));
        JobExecutionStatus row = rowOf(job, "failed", when).toBuilder()
                .executionStatus(ExecutionStatus.FAILED)
                .build();
        StoredJob after = job.with(edit -> edit.lastStatus(row));
        assertThat(store.write(List.of(new JobChange(job, after, List.of(row), By.REQUEST))))
                .containsExactly(true);
        return after;
    }
}
