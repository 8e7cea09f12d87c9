package dev.almanac.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.HeldLease;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.By;
import dev.almanac.store.Lease;
import dev.almanac.store.NewJob;
import dev.almanac.store.Renewal;
import dev.almanac.store.RowLimit;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a store must refuse, or take twice without harm. */
abstract class StoreRefusals extends StoreCompletions {
    @Test
    @DisplayName("insert: a repetition adds a row that was missing, and does not undo what came after it")
    void insertAfterClaim() {
        NewJob job = Specimens.minimal("k", now);
        insert(job);
        StoredJob held = claimed(job.job(), 1);
        JobExecutionStatus missing = rowOf(held, "missing", now);
        insert(new NewJob(job.job(), missing));
        assertThat(live("k")).isEqualTo(held);
        assertThat(rowIds(held)).containsExactlyInAnyOrder(job.row().id(), missing.id());
    }

    @Test
    @DisplayName("M5: a repetition that comes after the job's end brings nothing back to life")
    void insertAfterEnd() {
        NewJob first = Specimens.minimal("k", now);
        insert(first);
        finish(first.job());
        insert(first);
        assertThat(store.find("k", FindScope.LIVE)).isEmpty();
        NewJob second = Specimens.minimal("k", now);
        insert(second);
        insert(first);
        assertThat(live("k")).isEqualTo(second.job());
    }

    @Test
    @DisplayName("M5: of many inserts of one key at a time exactly one is stored, and the others write nothing")
    void oneLiveKeyAtOnce() throws Exception {
        for (int i = 0; i < 20; i++) {
            String key = "k" + i;
            List<NewJob> given = IntStream.range(0, 8)
                    .mapToObj(any -> Specimens.minimal(key, now))
                    .toList();
            List<Boolean> stored = atOnce(given.stream()
                    .<Callable<Boolean>>map(
                            job -> () -> store.insert(List.of(job)).get(0))
                    .toList());
            assertThat(stored).containsOnlyOnce(true);
            for (int j = 0; j < given.size(); j++) {
                StoredJob job = given.get(j).job();
                assertThat(store.load(List.of(job.id()))).hasSize(stored.get(j) ? 1 : 0);
                assertThat(rowIds(job)).hasSize(stored.get(j) ? 1 : 0);
            }
            assertThat(live(key).id())
                    .isEqualTo(given.get(stored.indexOf(true)).job().id());
        }
    }

    @Test
    @DisplayName("insert: a repetition has its id and its key; a job of another key whose id is taken is refused")
    void insertOfTakenId() {
        NewJob job = Specimens.minimal("k", now);
        insert(job);
        JobSpecification renamed =
                Specimens.specification("l").singleSchedule(now).build();
        NewJob other = Specimens.of(job.job().id(), renamed, now);
        assertThat(store.insert(List.of(other, Specimens.minimal("m", now)))).containsExactly(false, true);
        assertThat(store.find("l", FindScope.INCLUDING_FINISHED)).isEmpty();
        assertThat(live("k")).isEqualTo(job.job());
        assertThat(rowIds(job.job())).hasSize(1);
    }

    @Test
    @DisplayName("P1: a claim reaches to the millisecond of its horizon and no further")
    void claimHorizon() {
        StoredJob at = insert(Specimens.minimal("at", now));
        StoredJob beyond = insert(Specimens.minimal("beyond", now.plusMillis(1)));
        assertThat(store.claim(request(List.of(beyond.id(), at.id()), 1)).jobs())
                .extracting(StoredJob::id)
                .containsExactly(at.id());
    }

    @Test
    @DisplayName("P1: a claim that arrives twice counts once")
    void claimTwice() {
        StoredJob job = insert(Specimens.minimal("k", now));
        ClaimRequest request = request(List.of(job.id()), 1);
        StoredJob held = store.claim(request).jobs().get(0);
        store.claim(request);
        assertThat(live("k")).isEqualTo(held);
    }

    @Test
    @DisplayName("P5: an expired lease is due again; what its old holder sends then is refused")
    void takenOver() {
        StoredJob old = claimed(insert(Specimens.minimal("k", now)), 1);
        Instant expired = now.plus(LEASE).plus(MARGIN);
        assertThat(due(expired.minusMillis(1), 9)).isEmpty();
        assertThat(due(expired, 9)).hasSize(1);
        Lease lease = new Lease("other", 2, expired.plus(LEASE));
        StoredJob taken = store.claim(new ClaimRequest(
                        List.of(old.id()), expired, lease, expired.plus(LEASE).plus(MARGIN)))
                .jobs()
                .get(0);
        assertThat(taken.sequences().claimSeq()).isEqualTo(2);
        assertThat(taken.sequences().doneSeq()).isZero();
        assertThat(store.renew(new Renewal(Map.of(old.id(), 1L), expired, expired)))
                .isEmpty();
        assertThat(store.write(List.of(change(old, ended(old), rowOf(old, "late", now), By.HOLDER))))
                .containsExactly(false);
        assertThat(live("k")).isEqualTo(taken);
        assertThat(rowIds(old)).as("no row of a change that was refused").hasSize(1);
    }

    @Test
    @DisplayName("P3: a renewal reports a change and a request to interrupt")
    void renewalTells() {
        StoredJob held = claimed(insert(Specimens.minimal("k", now)), 1);
        Renewal renewal = new Renewal(Map.of(held.id(), 1L), now.plusSeconds(40), now.plusSeconds(42));
        assertThat(store.renew(renewal)).containsExactly(new HeldLease(held.id(), 1, 1, false));
        StoredJob after =
                withVersion(held, 2).with(edit -> edit.requests(held.requests().cancel(true)));
        assertThat(store.write(List.of(change(held, after, rowOf(held, "user", now), By.REQUEST))))
                .containsExactly(true);
        assertThat(store.renew(renewal)).containsExactly(new HeldLease(held.id(), 1, 2, true));
    }

    @Test
    @DisplayName("P3: a renewal that arrives after a later one shortens nothing")
    void lateRenewal() {
        StoredJob held = claimed(insert(Specimens.minimal("k", now)), 1);
        Map<String, Long> tokens = Map.of(held.id(), 1L);
        store.renew(new Renewal(tokens, now.plusSeconds(40), now.plusSeconds(42)));
        StoredJob longer = live("k");
        assertThat(store.renew(new Renewal(tokens, now.plusSeconds(30), now.plusSeconds(32))))
                .as("it is held all the same")
                .hasSize(1);
        assertThat(live("k")).isEqualTo(longer);
        assertThat(longer.lease().until()).isEqualTo(now.plusSeconds(40));
    }

    @Test
    @DisplayName(
            "P5, P7, N6: a user's change that was decided before the holder's mark is refused, and the next one keeps the mark")
    void userAfterMark() {
        StoredJob held = claimed(insert(Specimens.minimal("k", now)), 1);
        StoredJob started = held.with(edit -> edit.sequences(held.sequences().started()));
        StoredJob marked = applied(new JobChange(held, started, List.of(), By.HOLDER));
        StoredJob early =
                withVersion(held, 2).with(edit -> edit.requests(held.requests().cancel(false)));
        assertThat(store.write(List.of(change(held, early, rowOf(held, "early", now), By.REQUEST))))
                .containsExactly(false);
        assertThat(live("k")).isEqualTo(marked);
        StoredJob wished = withVersion(marked, 2)
                .with(edit -> edit.requests(held.requests().cancel(false)));
        assertThat(store.write(List.of(change(marked, wished, rowOf(held, "user", now), By.REQUEST))))
                .containsExactly(true);
        assertThat(live("k").sequences().startedSeq()).isEqualTo(1);
        assertThat(live("k").requests().cancelRequested()).isTrue();
    }

    @Test
    @DisplayName("N2: a refused change of the document leaves no row, and limits none")
    void refusedLimits() {
        StoredJob job = insert(Specimens.minimal("k", now));
        StoredJob stale = outdated(job);
        for (By by : By.values()) {
            JobExecutionStatus row = rowOf(job, by.name(), now);
            RowLimit limit = new RowLimit(now.plusSeconds(1), now.plusSeconds(1));
            StoredJob after = stale.with(edit -> edit.lastStatus(row));
            assertThat(store.write(List.of(new JobChange(stale, after, List.of(row), limit, by, false))))
                    .containsExactly(false);
        }
        assertThat(store.rows(RowQuery.ofDocument(job.id(), 9)))
                .allMatch(row -> row.deleteTime() == null)
                .extracting(JobExecutionStatus::id)
                .containsExactly(job.id() + ":0:0:v1");
        assertThat(live("k")).isEqualTo(job);
    }

    @Test
    @DisplayName("P4: repeated, an applied change is refused and alters neither document nor rows")
    void wordForWord() {
        StoredJob held = claimed(insert(Specimens.minimal("k", now)), 1);
        JobExecutionStatus row = rowOf(held, "end", now.plusSeconds(1));
        JobChange change = new JobChange(held, ended(held).with(edit -> edit.lastStatus(row)), List.of(row), By.HOLDER);
        assertThat(store.write(List.of(change))).containsExactly(true);
        StoredJob applied = live("k");
        List<JobExecutionStatus> rows = store.rows(RowQuery.ofDocument(held.id(), 9));
        assertThat(store.write(List.of(change))).containsExactly(false);
        assertThat(live("k")).isEqualTo(applied);
        assertThat(store.rows(RowQuery.ofDocument(held.id(), 9))).isEqualTo(rows);
        assertThat(applied.sequences().doneSeq()).isEqualTo(1);
    }

    @Test
    @DisplayName("M6: a row that is there is left as it is by any other of its id")
    void rowStays() {
        StoredJob job = insert(Specimens.minimal("k", now));
        JobExecutionStatus other = job.lastStatus().toBuilder()
                .detail("another story")
                .updatedTime(now.plusSeconds(99))
                .build();
        assertThat(store.write(List.of(new JobChange(job, job, List.of(other), By.HOLDER))))
                .containsExactly(true);
        assertThat(store.rows(RowQuery.ofDocument(job.id(), 9))).containsExactly(job.lastStatus());
    }

    @Test
    @DisplayName("N5: a limit reaches no row of another job, be it of the same key")
    void limitReach() {
        StoredJob first = insert(Specimens.minimal("k", now));
        finish(first);
        List<JobExecutionStatus> untouched = store.rows(RowQuery.ofDocument(first.id(), 9));
        StoredJob second = insert(Specimens.minimal("k", now));
        StoredJob other = insert(Specimens.minimal("other", now));
        Instant end = now.plusSeconds(3_000);
        applied(limited(second, second, List.of(), new RowLimit(end, end)));
        assertThat(store.rows(RowQuery.ofDocument(second.id(), 9)))
                .extracting(JobExecutionStatus::deleteTime)
                .containsExactly(end);
        assertThat(store.rows(RowQuery.ofDocument(first.id(), 9))).isEqualTo(untouched);
        assertThat(store.rows(RowQuery.ofDocument(other.id(), 9))).containsExactly(other.lastStatus());
    }

    @Test
    @DisplayName("M5: a job that is over takes no change that was decided while it lived")
    void changeAfterEnd() {
        StoredJob job = insert(Specimens.minimal("k", now));
        finish(job);
        StoredJob over = store.find("k", FindScope.INCLUDING_FINISHED).orElseThrow();
        StoredJob after = job.with(edit -> edit.due(now.plusSeconds(5)));
        assertThat(store.write(List.of(change(job, after, rowOf(job, "late", now), By.REQUEST))))
                .containsExactly(false);
        assertThat(store.load(List.of(job.id()))).containsExactly(over);
        assertThat(rowIds(job)).hasSize(2);
    }

    @Test
    @DisplayName("P7: of many changes at a time that were decided on one version exactly one is applied")
    void oneChange() throws Exception {
        StoredJob job = insert(Specimens.minimal("k", now));
        List<List<Boolean>> answers = atOnce(IntStream.range(0, 8)
                .<Callable<List<Boolean>>>mapToObj(i -> {
                    JobChange change = change(job, withVersion(job, 2), rowOf(job, "t" + i, now), By.REQUEST);
                    return () -> store.write(List.of(change));
                })
                .toList());
        assertThat(answers).containsOnlyOnce(List.of(true));
        assertThat(rowIds(job)).hasSize(2).contains(live("k").lastStatus().id());
    }
}
