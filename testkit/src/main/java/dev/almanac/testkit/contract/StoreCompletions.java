package dev.almanac.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.ErrorSummary;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.By;
import dev.almanac.store.Lease;
import dev.almanac.store.NewJob;
import dev.almanac.store.Phase;
import dev.almanac.store.Renewal;
import dev.almanac.store.RowQuery;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Completions that a batch shares, and what they leave in {@code lastStatus}. */
abstract class StoreCompletions extends StoreReadings {
    private List<StoredJob> claimedTogether(int count) {
        List<String> ids = IntStream.range(0, count)
                .mapToObj(i -> insert(Specimens.minimal("k" + i, now)).id())
                .toList();
        return store.claim(request(ids, 7)).jobs().stream()
                .sorted(Comparator.comparing(StoredJob::key))
                .toList();
    }

    /** A user changes the one under its lease; the lease of the other is over, and another node takes it. */
    private void changeAndTake(StoredJob changed, StoredJob taken) {
        JobExecutionStatus row = rowOf(changed, "user", now);
        store.write(List.of(change(changed, withVersion(changed, 2), row, By.REQUEST)));
        Instant expired = now.plus(LEASE).plus(MARGIN);
        Lease lease = new Lease("other", 8, expired.plus(LEASE));
        store.claim(new ClaimRequest(
                List.of(taken.id()), expired, lease, expired.plus(LEASE).plus(MARGIN)));
    }

    @Test
    @DisplayName("P4: of completions that say the same, those whose job was changed or taken are refused, and no other")
    void alikeCompletions() {
        List<StoredJob> held = claimedTogether(5);
        changeAndTake(held.get(1), held.get(3));
        List<StoredJob> untouched = List.of(live("k1"), live("k3"));
        List<JobChange> ends = held.stream()
                .map(job -> change(job, ended(job), rowOf(job, "end", now.plusSeconds(1)), By.HOLDER))
                .toList();
        assertThat(store.write(ends)).containsExactly(true, false, true, false, true);
        assertThat(List.of(live("k1"), live("k3"))).isEqualTo(untouched);
        assertThat(List.of(live("k0"), live("k2"), live("k4")))
                .containsExactly(
                        ends.get(0).after(), ends.get(2).after(), ends.get(4).after());
        List<StoredJob> applied = held.stream().map(job -> live(job.key())).toList();
        store.write(ends);
        assertThat(held)
                .as("the same change again")
                .extracting(job -> live(job.key()))
                .isEqualTo(applied);
    }

    @Test
    @DisplayName("16: a verdict is stored whole, error and state included, under its lease only, and goes with the end")
    void verdict() {
        StoredJob held = claimed(insert(Specimens.minimal("k", now)), 3);
        JobExecutionStatus row = Specimens.fullRow(held.id(), "k", now).toBuilder()
                .error(new ErrorSummary("T", "message", "at a line"))
                .state(Map.of("cursor", List.of(1, 2L, "x")))
                .build();
        StoredJob judged = held.with(edit -> edit.phase(Phase.FOLLOW).verdict(row));
        JobChange verdict = new JobChange(held, judged, List.of(), By.HOLDER);
        StoredJob stranger = outdated(held);
        assertThat(store.write(List.of(new JobChange(stranger, judged, List.of(), By.HOLDER))))
                .containsExactly(false);
        assertThat(live("k")).isEqualTo(held);
        StoredJob stored = applied(verdict);
        assertThat(live("k")).isEqualTo(stored);
        StoredJob free = stored.with(edit -> edit.phase(Phase.RUN)
                .verdict(null)
                .lease(null)
                .due(now.plusSeconds(60))
                .sequences(stored.sequences().done()));
        StoredJob end = applied(new JobChange(stored, free, List.of(), By.HOLDER));
        assertThat(live("k")).isEqualTo(end);
    }

    private static JobChange removal(StoredJob held) {
        return new JobChange(held, ended(held), List.of(), null, By.HOLDER, true).as(drawn());
    }

    @Test
    @DisplayName("15: of jobs that are deleted together, those that were changed or taken stay, and no other")
    void alikeRemovals() {
        List<StoredJob> held = claimedTogether(5);
        changeAndTake(held.get(1), held.get(3));
        List<StoredJob> untouched = List.of(live("k1"), live("k3"));
        List<JobChange> ends = held.stream().map(StoreCompletions::removal).toList();
        assertThat(store.write(ends)).containsExactly(true, false, true, false, true);
        List<String> ids = held.stream().map(StoredJob::id).toList();
        assertThat(store.load(ids)).containsExactlyInAnyOrderElementsOf(untouched);
        store.write(ends);
        assertThat(store.load(ids)).as("the same change again").containsExactlyInAnyOrderElementsOf(untouched);
    }

    @Test
    @DisplayName("15: jobs that are deleted and jobs that go on share a write, and each has its own answer")
    void removalsBesideOthers() {
        List<StoredJob> held = claimedTogether(4);
        changeAndTake(held.get(0), held.get(1));
        JobChange goesOn =
                change(held.get(2), ended(held.get(2)), rowOf(held.get(2), "end", now.plusSeconds(1)), By.HOLDER);
        assertThat(store.write(List.of(removal(held.get(0)), removal(held.get(1)), goesOn, removal(held.get(3)))))
                .containsExactly(false, false, true, true);
        assertThat(live("k2")).isEqualTo(goesOn.after());
        assertThat(store.load(List.of(held.get(3).id()))).isEmpty();
    }

    @Test
    @DisplayName(
            "15: a job is deleted under its lease only; its key and its group are free then, and a new job of the key stays")
    void removal() {
        StoredJob job = insert(Specimens.minimal("k", now));
        StoredJob held = claimed(job, 3);
        assertThat(store.write(List.of(removal(outdated(held))))).containsExactly(false);
        assertThat(live("k")).isEqualTo(held);
        assertThat(store.write(List.of(removal(held)))).containsExactly(true);
        assertThat(store.find("k", FindScope.INCLUDING_FINISHED)).isEmpty();
        assertThat(due(now.plus(LEASE).plus(MARGIN), 10)).isEmpty();
        StoredJob next = insert(Specimens.minimal("k", now));
        store.write(List.of(removal(held)));
        assertThat(live("k")).isEqualTo(next);
    }

    @Test
    @DisplayName("N2: the rows of a change whose sender writes them are shown by the document, and not stored with it")
    void rowsFollow() {
        StoredJob held = claimed(insert(Specimens.minimal("k", now)), 1);
        StoredJob free = claimed(insert(Specimens.minimal("l", now)), 1);
        JobChange end = change(held, ended(held), rowOf(held, "end", now.plusSeconds(1)), By.HOLDER);
        JobChange user = change(free, withVersion(free, 2), rowOf(free, "user", now.plusSeconds(1)), By.REQUEST);
        applied(end.withRowsToFollow());
        applied(user.withRowsToFollow());
        for (JobChange change : List.of(end, user)) {
            StoredJob shown = live(change.before().key());
            assertThat(shown).isEqualTo(change.after());
            assertThat(rowIds(shown)).doesNotContain(shown.lastStatus().id());
            store.writeRows(change.rows());
            assertThat(rowIds(shown)).contains(shown.lastStatus().id());
        }
    }

    @Test
    @DisplayName("N3: the rows that a change hides or deletes are stored, all of them, and as the document shows them")
    void rowsBefore() {
        for (String end : List.of("holder", "user", "removal")) {
            StoredJob held = claimed(insert(Specimens.minimal(end, now)), 1);
            JobChange two = missed(held).withRowsToFollow();
            StoredJob shown = applied(two);
            assertThat(rowIds(held))
                    .hasSize(1)
                    .doesNotContain(shown.lastStatus().id());
            JobExecutionStatus row = rowOf(held, "next", now.plusSeconds(5));
            JobChange next = switch (end) {
                case "holder" -> change(shown, ended(shown), row, By.HOLDER);
                case "user" -> change(shown, withVersion(shown, 2), row, By.REQUEST);
                default -> removal(shown);
            };
            applied(next.withRowsToFollow());
            assertThat(store.rows(RowQuery.ofDocument(held.id(), 9)))
                    .as(end)
                    .containsExactlyInAnyOrder(
                            held.lastStatus(), two.rows().get(0), two.rows().get(1));
        }
    }

    @Test
    @DisplayName("M7: a holder's row replaces lastStatus field by field, those that it lacks included; and back")
    void lastStatusOfHolder() {
        NewJob full = Specimens.full("k", now);
        StoredJob job = full.job().with(edit -> edit.blocked(null).sequences(new Sequences(0, 0, 0, 0)));
        insert(new NewJob(job, full.row()));
        StoredJob held = claimed(job, 1);
        JobExecutionStatus bare = rowOf(held, "bare", now.plusSeconds(1));
        JobChange less = change(held, held, bare, By.HOLDER);
        assertThat(store.write(List.of(less))).containsExactly(true);
        assertThat(live("k").lastStatus()).isEqualTo(bare);
        JobExecutionStatus rich = full.row().toBuilder()
                .id(job.id() + ":0:1:rich")
                .updatedTime(now.plusSeconds(2))
                .build();
        JobChange more = change(less.after(), ended(less.after()), rich, By.HOLDER);
        assertThat(store.write(List.of(more))).containsExactly(true);
        assertThat(live("k").lastStatus())
                .isEqualTo(full.job().with(edit -> edit.lastStatus(rich)).lastStatus());
    }

    @Test
    @DisplayName(
            "M7, P7: a user's change that would hide a row of the holder is refused; the next one replaces it as a whole")
    void lastStatusOfUser() {
        StoredJob held = claimed(insert(Specimens.minimal("k", now)), 1);
        JobExecutionStatus abandoned = rowOf(held, "abandoned", now.plusSeconds(1)).toBuilder()
                .outcome(Outcome.ABANDONED)
                .detail("by the holder")
                .build();
        assertThat(store.write(List.of(change(held, held, abandoned, By.HOLDER))))
                .containsExactly(true);
        JobExecutionStatus own = rowOf(held, "user", now.plusSeconds(2));
        StoredJob shown = live("k");
        assertThat(store.write(List.of(change(held, withVersion(held, 2), own, By.REQUEST))))
                .containsExactly(false);
        assertThat(live("k")).isEqualTo(shown);
        assertThat(rowIds(held)).doesNotContain(own.id());
        assertThat(store.write(List.of(change(shown, withVersion(shown, 2), own, By.REQUEST))))
                .containsExactly(true);
        assertThat(live("k").lastStatus()).isEqualTo(own);
    }

    @Test
    @DisplayName("P7: what takes a lease away that is over is refused if a renewal came after it was read")
    void takesRenewedLease() {
        StoredJob held = claimed(insert(Specimens.minimal("k", now)), 1);
        StoredJob free = withVersion(held, 2).with(edit -> edit.lease(null));
        JobChange taken = change(held, free, rowOf(held, "user", now.plusSeconds(2)), By.REQUEST);
        Instant later = now.plus(LEASE).plusSeconds(5);
        store.renew(new Renewal(Map.of(held.id(), 1L), later, later.plus(MARGIN)));
        StoredJob renewed = live("k");
        assertThat(store.write(List.of(taken))).containsExactly(false);
        assertThat(live("k")).isEqualTo(renewed);
        JobChange again = change(renewed, free, rowOf(held, "user", now.plusSeconds(2)), By.REQUEST);
        assertThat(store.write(List.of(again))).containsExactly(true);
        assertThat(live("k").lease()).isNull();
    }

    @Test
    @DisplayName("P7: what takes a lease away that is over is refused if a verdict came after it was read")
    void takesLeaseAfterVerdict() {
        StoredJob held = claimed(insert(Specimens.minimal("k", now)), 1);
        StoredJob free = withVersion(held, 2).with(edit -> edit.lease(null));
        JobExecutionStatus verdict = rowOf(held, "ended", now.plusSeconds(1));
        StoredJob judged = held.with(edit -> edit.phase(Phase.FOLLOW).verdict(verdict));
        StoredJob stored = applied(new JobChange(held, judged, List.of(), By.HOLDER));
        JobChange taken = change(held, free, rowOf(held, "user", now.plusSeconds(2)), By.REQUEST);
        assertThat(store.write(List.of(taken))).containsExactly(false);
        assertThat(live("k")).isEqualTo(stored);
        StoredJob released = withVersion(stored, 2).with(edit -> edit.lease(null));
        JobChange again = change(stored, released, rowOf(held, "user", now.plusSeconds(2)), By.REQUEST);
        assertThat(store.write(List.of(again))).containsExactly(true);
        assertThat(live("k").phase()).isEqualTo(Phase.FOLLOW);
    }

    @Test
    @DisplayName("P4: a change of the plan under a lease that arrives again does not undo a newer one")
    void olderMoveAgain() {
        StoredJob held = claimed(insert(Specimens.minimal("k", now)), 1);
        JobChange older = change(held, moved(held), rowOf(held, "missed", now.plusSeconds(1)), By.HOLDER);
        StoredJob moved = older.after();
        StoredJob further = moved(moved);
        JobChange newer = change(moved, further, rowOf(moved, "missed", now.plusSeconds(2)), By.HOLDER);
        assertThat(store.write(List.of(older))).containsExactly(true);
        assertThat(store.write(List.of(newer))).containsExactly(true);
        StoredJob after = live("k");
        assertThat(store.write(List.of(older))).containsExactly(false);
        assertThat(live("k")).isEqualTo(after);
        assertThat(after.sequences().fireSeq()).isEqualTo(2);
    }

    @Test
    @DisplayName("R4: the row of missed fires follows a plan that was moved, and is not stored for one that was not")
    void missedFollowPlan() {
        StoredJob good = claimed(insert(Specimens.minimal("a", now)), 1);
        StoredJob lost = claimed(insert(Specimens.minimal("b", now)), 2);
        StoredJob other = claimed(insert(Specimens.minimal("c", now)), 3);
        JobChange applied = missed(good);
        JobChange stale = missed(outdated(lost));
        JobChange end = change(other, ended(other), rowOf(other, "end", now.plusSeconds(1)), By.HOLDER);
        assertThat(store.write(List.of(applied, stale, end))).containsExactly(true, false, true);
        assertThat(store.write(List.of(stale))).containsExactly(false);
        assertThat(rowIds(good))
                .containsOnlyOnce(
                        applied.rows().get(0).id(), applied.rows().get(1).id());
        assertThat(rowIds(lost)).doesNotContain(stale.rows().get(1).id());
        assertThat(rowIds(other)).contains(end.rows().get(0).id());
        assertThat(live("a").sequences().fireSeq()).isEqualTo(1);
        assertThat(live("b")).isEqualTo(lost);
    }

    @Test
    @DisplayName(
            "R4 P7: a user's change that was decided before the plan passed missed fires would hide them, and is refused")
    void userBesideMissed() {
        StoredJob held = claimed(insert(Specimens.minimal("k", now)), 1);
        JobChange passed = missed(held);
        JobChange user = change(held, withVersion(held, 2), rowOf(held, "user2", now.plusSeconds(2)), By.REQUEST);
        assertThat(store.write(List.of(passed))).containsExactly(true);
        StoredJob shown = live("k");
        assertThat(store.write(List.of(user))).containsExactly(false);
        assertThat(live("k")).isEqualTo(shown);
        JobChange again = change(shown, withVersion(shown, 2), rowOf(shown, "user2", now.plusSeconds(2)), By.REQUEST);
        assertThat(store.write(List.of(again)))
                .as("decided on what is shown now")
                .containsExactly(true);
    }

    /** Moves the plan; brings the row of a change before it, too. */
    private JobChange missed(StoredJob job) {
        JobExecutionStatus earlier = rowOf(job, "user", now);
        JobChange own = change(job, moved(job), rowOf(job, "missed", now.plusSeconds(1)), By.HOLDER);
        List<JobExecutionStatus> rows = List.of(earlier, own.rows().get(0));
        return new JobChange(job, own.after(), rows, own.by()).as(drawn());
    }

    private static StoredJob moved(StoredJob job) {
        Sequences before = job.sequences();
        return job.with(edit -> edit.sequences(
                new Sequences(before.fireSeq() + 1, before.claimSeq(), before.doneSeq(), before.startedSeq())));
    }
}
