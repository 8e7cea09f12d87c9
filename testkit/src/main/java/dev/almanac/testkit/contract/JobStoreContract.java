package dev.almanac.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Progress;
import dev.almanac.model.StoredFields;
import dev.almanac.store.HeldLease;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.By;
import dev.almanac.store.JobStore;
import dev.almanac.store.Lease;
import dev.almanac.store.NewJob;
import dev.almanac.store.Renewal;
import dev.almanac.store.Revision;
import dev.almanac.store.RowLimit;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The contract of {@link JobStore}, one test for each rule, which also checks what must not happen. */
public abstract class JobStoreContract extends StoreRefusals {
    /** For the inheriting class. */
    protected JobStoreContract() {}

    @Test
    @DisplayName("insert: of live jobs only one has a key; the other writes nothing")
    void oneLiveKey() {
        insert(Specimens.minimal("k", now));
        NewJob other = Specimens.minimal("k", now);
        assertThat(store.insert(List.of(other, Specimens.minimal("l", now)))).containsExactly(false, true);
        assertThat(store.load(List.of(other.job().id()))).isEmpty();
        assertThat(rowIds(other.job())).isEmpty();
    }

    @Test
    @DisplayName("N6: insert: each life of a key is stored once, also after its end, and the last one is known")
    void lives() {
        assertThat(store.lastLife("k")).isEmpty();
        NewJob first = Specimens.minimal("k", now).inLife(0);
        finish(insert(first));
        assertThat(store.find("k", FindScope.LIVE)).isEmpty();
        NewJob late = Specimens.minimal("k", now).inLife(0);
        assertThat(store.insert(List.of(late))).containsExactly(false);
        assertThat(store.load(List.of(late.job().id()))).isEmpty();
        assertThat(store.insert(List.of(first))).as("its own repetition").containsExactly(true);
        assertThat(store.find("k", FindScope.LIVE)).as("which changes nothing").isEmpty();
        assertThat(store.lastLife("k")).contains(0);
        insert(Specimens.minimal("k", now).inLife(1));
        assertThat(store.lastLife("k")).contains(1);
        assertThat(store.lastLife("l")).isEmpty();
    }

    @Test
    @DisplayName("N6: the last lives of many keys are read at once; a key without one has none")
    void livesOfMany() {
        assertThat(store.lastLives(List.of())).isEmpty();
        finish(insert(Specimens.minimal("k", now).inLife(0)));
        finish(insert(Specimens.minimal("k", now).inLife(1)));
        insert(Specimens.minimal("l", now).inLife(7));
        insert(Specimens.minimal("m", now).inLife(3));
        insert(Specimens.minimal("n", now));
        List<String> keys = new ArrayList<>(List.of("k", "l", "n", "none", "k"));
        IntStream.range(0, 600).forEach(i -> keys.add("other " + i));
        assertThat(store.lastLives(keys)).isEqualTo(Map.of("k", 1, "l", 7));
    }

    @Test
    @DisplayName("N6: insert: jobs whose ids say what they are have no life of their key")
    void withoutLife() {
        NewJob first = Specimens.minimal("k", now);
        finish(insert(first));
        insert(Specimens.minimal("k", now));
        assertThat(store.lastLife("k")).isEmpty();
    }

    @Test
    @DisplayName("insert: a repetition with the same ids answers the same and stores nothing twice")
    void insertAgain() {
        NewJob job = Specimens.minimal("k", now);
        insert(job);
        insert(job);
        assertThat(rowIds(job.job())).hasSize(1);
    }

    @Test
    @DisplayName("M5: a finished key is free again; the new job is another document")
    void keyAgain() {
        StoredJob first = insert(Specimens.minimal("k", now));
        finish(first);
        NewJob second = Specimens.minimal("k", now);
        insert(second);
        assertThat(live("k").id()).isEqualTo(second.job().id());
        finish(second.job());
        assertThat(store.find("k", FindScope.LIVE)).isEmpty();
        assertThat(store.find("k", FindScope.INCLUDING_FINISHED))
                .get()
                .extracting(StoredJob::id)
                .isEqualTo(second.job().id());
    }

    @Test
    @DisplayName(
            "P11: the finished job of a key is the later one, also if a row of an earlier one is written after its end")
    void laterOne() {
        NewJob earlier = ofTime("k", now);
        finish(insert(earlier));
        NewJob later = ofTime("k", now.plusSeconds(60));
        finish(insert(later));
        StoredJob over = store.load(List.of(earlier.job().id())).get(0);
        JobExecutionStatus seen = rowOf(over, "seen", now.plusSeconds(600));
        StoredJob acknowledged = over.with(edit -> edit.lastStatus(seen));
        assertThat(store.write(List.of(change(over, acknowledged, seen, By.REQUEST))))
                .containsExactly(true);
        assertThat(store.find("k", FindScope.INCLUDING_FINISHED).orElseThrow().id())
                .isEqualTo(later.job().id());
        assertThat(store.newest(List.of("k")).get("k").id())
                .isEqualTo(later.job().id());
    }

    /** A job that is made, and due, at that moment. */
    private static NewJob ofTime(String key, Instant moment) {
        JobSpecification made = StoredFields.of(Specimens.specification(key).singleSchedule(moment))
                .latestUpdate(moment)
                .build();
        return Specimens.of(Specimens.id(), made, moment);
    }

    @Test
    @DisplayName("newest: of each key the live job, else the later finished one, and of others nothing")
    void newest() {
        StoredJob former = insert(Specimens.minimal("live", now));
        finish(former);
        StoredJob live = insert(Specimens.minimal("live", now));
        StoredJob over = insert(Specimens.minimal("over", now));
        finish(over);
        insert(Specimens.minimal("not asked for", now));
        Map<String, StoredJob> newest = store.newest(List.of("live", "over", "absent"));
        assertThat(newest).containsOnlyKeys("live", "over");
        assertThat(newest.get("live")).isEqualTo(live("live"));
        assertThat(newest.get("live").id()).isEqualTo(live.id());
        assertThat(newest.get("over"))
                .isEqualTo(store.find("over", FindScope.INCLUDING_FINISHED).orElseThrow());
        assertThat(store.newest(List.of())).isEmpty();
    }

    @Test
    @DisplayName("P1: a claim takes what is due and live, sets lease and due, and counts")
    void claim() {
        StoredJob job = insert(Specimens.minimal("k", now));
        StoredJob future = insert(Specimens.minimal("future", now.plusSeconds(1)));
        StoredJob over = insert(Specimens.minimal("over", now));
        finish(over);
        List<StoredJob> claimed = store.claim(
                        request(List.of(job.id(), future.id(), over.id(), "6a0000000000000000ffffff"), 7))
                .jobs();
        assertThat(claimed).extracting(StoredJob::id).containsExactly(job.id());
        assertThat(claimed.get(0).sequences().claimSeq()).isEqualTo(1);
        assertThat(claimed.get(0).lease()).isEqualTo(new Lease("node", 7, now.plus(LEASE)));
        assertThat(claimed.get(0).due()).isEqualTo(now.plus(LEASE).plus(MARGIN));
        assertThat(live("k")).isEqualTo(claimed.get(0));
        assertThat(live("future")).isEqualTo(future);
        assertThat(store.claim(request(List.of(job.id()), 8)).jobs())
                .as("it is taken")
                .isEmpty();
    }

    @Test
    @DisplayName("N6: each write of a document raises its revision by one; a renewal and progress leave it")
    void revisions() {
        StoredJob job = insert(Specimens.minimal("k", now));
        assertThat(live("k").revision()).isEqualTo(Revision.FIRST);
        StoredJob held = claimed(job, 1);
        assertThat(held.revision().number()).isEqualTo(1);
        Map<String, Progress> progress = Map.of(held.id(), new Progress(1, 2, "half", now));
        store.renew(
                new Renewal(Map.of(held.id(), 1L), now.plusSeconds(40), now.plusSeconds(42), progress, null, false));
        assertThat(live("k").revision()).isEqualTo(held.revision());
        StoredJob asked = applied(new JobChange(
                        live("k"),
                        live("k").with(edit -> edit.requests(held.requests().cancel(false))),
                        List.of(),
                        By.REQUEST)
                .as(5));
        assertThat(live("k").revision()).isEqualTo(new Revision(2, 5, 0, 5));
        applied(change(asked, ended(asked), rowOf(asked, "end", now), By.HOLDER).as(6));
        assertThat(live("k").revision()).isEqualTo(new Revision(3, 6, 6, 5));
    }

    @Test
    @DisplayName("P1: of many claimers at a time exactly one wins each job")
    void oneWinner() throws Exception {
        List<NewJob> jobs = IntStream.range(0, 200)
                .mapToObj(i -> Specimens.minimal("k" + i, now))
                .toList();
        assertThat(store.insert(jobs)).doesNotContain(false);
        List<String> ids = jobs.stream().map(job -> job.job().id()).toList();
        List<List<StoredJob>> claims = atOnce(IntStream.rangeClosed(1, 8)
                .<Callable<List<StoredJob>>>mapToObj(
                        token -> () -> store.claim(request(ids, token)).jobs())
                .toList());
        Set<String> won = new HashSet<>();
        claims.stream()
                .flatMap(List::stream)
                .forEach(job -> assertThat(won.add(job.id()))
                        .as("claimed twice: %s", job.id())
                        .isTrue());
        assertThat(won).hasSize(200);
    }

    @Test
    @DisplayName("P3: a renewal lengthens what the token holds, and only that")
    void renew() {
        StoredJob mine = claimed(insert(Specimens.minimal("mine", now)), 1);
        StoredJob others = claimed(insert(Specimens.minimal("others", now)), 2);
        StoredJob done = claimed(insert(Specimens.minimal("done", now)), 3);
        assertThat(store.write(List.of(change(done, ended(done), rowOf(done, "x", now), By.HOLDER))))
                .containsExactly(true);
        Instant until = now.plusSeconds(40);
        List<HeldLease> held = store.renew(
                new Renewal(Map.of(mine.id(), 1L, others.id(), 99L, done.id(), 3L), until, until.plus(MARGIN)));
        assertThat(held).extracting(HeldLease::id).containsExactly(mine.id());
        assertThat(live("mine").lease().until()).isEqualTo(until);
        assertThat(live("mine").due()).isEqualTo(until.plus(MARGIN));
        assertThat(live("others")).isEqualTo(others);
        assertThat(live("done").due()).isNull();
    }

    @Test
    @DisplayName("N6: a change needs the revision that was read; refused, it leaves nothing")
    void holdersChange() {
        StoredJob held = claimed(insert(Specimens.minimal("k", now)), 1);
        StoredJob stale = outdated(held);
        assertThat(store.write(List.of(change(stale, ended(stale), rowOf(held, "stale", now), By.HOLDER))))
                .containsExactly(false);
        assertThat(live("k")).isEqualTo(held);
        assertThat(rowIds(held)).hasSize(1);
        JobChange good = change(held, ended(held), rowOf(held, "good", now), By.HOLDER);
        assertThat(store.write(List.of(good))).containsExactly(true);
        assertThat(live("k")).isEqualTo(good.after());
    }

    @Test
    @DisplayName("P4: a change that ends the lease moves due although a renewal moved it meanwhile")
    void changeAfterRenewal() {
        StoredJob held = claimed(insert(Specimens.minimal("k", now)), 1);
        store.renew(new Renewal(Map.of(held.id(), 1L), now.plusSeconds(40), now.plusSeconds(42)));
        StoredJob after = ended(held).with(edit -> edit.due(held.due()));
        JobChange change = change(held, after, rowOf(held, "x", now), By.HOLDER);
        assertThat(store.write(List.of(change))).containsExactly(true);
        assertThat(live("k").due()).isEqualTo(held.due());
        assertThat(live("k").lease()).isNull();
    }

    @Test
    @DisplayName("P7: a change that leaves the lease alone does not undo a renewal")
    void changeUnderLease() {
        StoredJob held = claimed(insert(Specimens.minimal("k", now)), 1);
        store.renew(new Renewal(Map.of(held.id(), 1L), now.plusSeconds(40), now.plusSeconds(42)));
        StoredJob after = held.with(edit -> edit.requests(held.requests().cancel(false)));
        assertThat(store.write(List.of(change(held, after, rowOf(held, "x", now), By.REQUEST))))
                .containsExactly(true);
        assertThat(live("k").lease().until()).isEqualTo(now.plusSeconds(40));
        assertThat(live("k").due()).isEqualTo(now.plusSeconds(42));
        assertThat(live("k").requests().cancelRequested()).isTrue();
    }

    @Test
    @DisplayName("P7: a user's change of a job without a lease is refused once there is one, and writes no row")
    void usersChange() {
        StoredJob free = insert(Specimens.minimal("k", now));
        StoredJob held = claimed(free, 1);
        StoredJob after = free.with(edit -> edit.due(now.plusSeconds(500)));
        assertThat(store.write(List.of(change(free, after, rowOf(free, "user", now), By.REQUEST))))
                .containsExactly(false);
        assertThat(live("k")).isEqualTo(held);
        assertThat(rowIds(free)).hasSize(1);
    }

    @Test
    @DisplayName("P7: a change decided before a claim is refused after it, though version and lease are as they were")
    void changeDecidedBeforeClaim() {
        StoredJob read = insert(Specimens.minimal("slow", now));
        StoredJob held = claimed(read, 5);
        StoredJob moved = held.with(
                edit -> edit.lease(null).sequences(held.sequences().done()).due(now.plusSeconds(600)));
        assertThat(store.write(List.of(change(held, moved, rowOf(held, "ran", now), By.HOLDER))))
                .containsExactly(true);
        StoredJob late = read.with(edit -> edit.due(now.minusSeconds(1)));
        assertThat(store.write(List.of(change(read, late, rowOf(read, "late", now), By.REQUEST))))
                .containsExactly(false);
        assertThat(live("slow").due()).isEqualTo(now.plusSeconds(600));
        assertThat(rowIds(read)).noneMatch(id -> id.contains("late"));
    }

    @Test
    @DisplayName("P4: changes of one call are judged one by one; repeating an applied one changes nothing")
    void severalAndAgain() {
        StoredJob good = claimed(insert(Specimens.minimal("good", now)), 1);
        StoredJob bad = claimed(insert(Specimens.minimal("bad", now)), 2);
        StoredJob stale = outdated(bad);
        List<JobChange> changes = List.of(
                change(good, ended(good), rowOf(good, "x", now), By.HOLDER),
                change(stale, ended(stale), rowOf(bad, "x", now), By.HOLDER));
        assertThat(store.write(changes)).containsExactly(true, false);
        StoredJob before = live("good");
        store.write(changes);
        assertThat(live("good")).isEqualTo(before);
        assertThat(rowIds(good)).hasSize(2);
    }

    @Test
    @DisplayName("M6: of a row nothing changes but its end; rows come newest first")
    void rowsAndEnds() {
        StoredJob job = insert(Specimens.full("k", now));
        JobExecutionStatus row = Specimens.fullRow(job.id(), job.key(), now.plusSeconds(5)).toBuilder()
                .id(job.id() + ":0:0:second")
                .build();
        Instant end = now.plus(Duration.ofDays(1));
        applied(limited(job, job.with(edit -> edit.lastStatus(row)), List.of(row), new RowLimit(end, end)));
        assertThat(store.rows(RowQuery.ofKey("k", 10)))
                .containsExactly(
                        row.toBuilder().deleteTime(end).build(),
                        job.lastStatus().toBuilder().deleteTime(end).build());
        assertThat(store.rows(RowQuery.ofKey("k", 1))).hasSize(1);
    }
}
