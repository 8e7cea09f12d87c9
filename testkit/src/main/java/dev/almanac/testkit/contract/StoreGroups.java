package dev.almanac.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import dev.almanac.store.GroupSlots;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.By;
import dev.almanac.store.Lease;
import dev.almanac.store.NewJob;
import dev.almanac.store.Renewal;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rule P9: of an exclusive group at most one job holds a lease that is not over. */
abstract class StoreGroups extends StoreRunNotes {
    private StoredJob member(String key, String group) {
        NewJob plain = Specimens.minimal(key, now);
        JobSpecificationBuilder grouped =
                plain.job().specification().toBuilder().exclusiveGroup(group);
        return insert(new NewJob(plain.job().with(edit -> edit.specification(grouped.build())), plain.row()));
    }

    private ClaimResult claim(StoredJob job, String group, Instant at, long token) {
        Instant until = at.plus(LEASE);
        return store.claim(new ClaimRequest(
                List.of(job.id()), at, new Lease("node", token, until), until.plus(MARGIN), entry(group)));
    }

    @Test
    @DisplayName("P9: while one job of a group is claimed, another is left untouched; jobs of other groups are not")
    void busy() {
        StoredJob first = member("first", "g");
        StoredJob second = member("second", "g");
        StoredJob other = member("other", "h");
        assertThat(claim(first, "g", now, 1).jobs()).hasSize(1);
        ClaimResult refused = claim(second, "g", now, 2);
        assertThat(refused.groupBusy()).isTrue();
        assertThat(refused.jobs()).isEmpty();
        assertThat(live("second")).isEqualTo(second);
        assertThat(claim(other, "h", now, 3).jobs()).hasSize(1);
    }

    @Test
    @DisplayName("X8: a job whose group was changed since the look is left alone, with any group before or after")
    void changedGroup() {
        StoredJob moved = member("moved", "h");
        assertThat(claim(moved, "g", now, 1)).isEqualTo(new ClaimResult(List.of(), List.of()));
        Instant until = now.plus(LEASE);
        Lease lease = new Lease("node", 2, until);
        StoredJob free = insert(Specimens.minimal("free", now));
        ClaimResult together =
                store.claim(new ClaimRequest(List.of(moved.id(), free.id()), now, lease, until.plus(MARGIN)));
        assertThat(together.jobs()).extracting(StoredJob::id).containsExactly(free.id());
        assertThat(live("moved")).isEqualTo(moved);
        StoredJob plain = insert(Specimens.minimal("plain", now));
        assertThat(claim(plain, "g", now, 3).jobs()).isEmpty();
        assertThat(claim(moved, "h", now, 4).jobs()).hasSize(1);
    }

    @Test
    @DisplayName("P9: the group is free again with the lease's end, whether the job was run or released")
    void freed() {
        StoredJob first = member("first", "g");
        StoredJob second = member("second", "g");
        StoredJob held = claim(first, "g", now, 1).jobs().get(0);
        assertThat(store.write(List.of(change(held, ended(held), rowOf(held, "ran", now), By.HOLDER))))
                .containsExactly(true);
        StoredJob next = claim(second, "g", now, 2).jobs().get(0);
        StoredJob back = next.with(edit -> edit.lease(null).due(now));
        assertThat(store.write(List.of(new JobChange(next, back, List.of(), By.HOLDER))))
                .containsExactly(true);
        assertThat(claim(second, "g", now, 3).jobs()).hasSize(1);
    }

    @Test
    @DisplayName("P9: a lease that is over, margin included, holds no group; one that was renewed does")
    void overdue() {
        StoredJob first = member("first", "g");
        StoredJob second = member("second", "g");
        claim(first, "g", now, 1);
        Instant over = now.plus(LEASE).plus(MARGIN);
        assertThat(claim(second, "g", over.minusMillis(1), 2).groupBusy()).isTrue();
        Instant longer = now.plus(LEASE).plus(LEASE);
        store.renew(new Renewal(Map.of(first.id(), 1L), longer, longer.plus(MARGIN)));
        assertThat(claim(second, "g", over, 3).groupBusy()).isTrue();
        assertThat(claim(second, "g", longer.plus(MARGIN), 4).jobs()).hasSize(1);
        assertThat(claim(first, "g", longer.plus(MARGIN), 5).groupBusy())
                .as("the dead holder's job waits like any other")
                .isTrue();
    }

    @Test
    @DisplayName("P9: a lease that is over holds no group either if an edit by hand has taken the due time of its job")
    void overdueWithoutDueTime() {
        StoredJob held = claim(member("first", "g"), "g", now, 1).jobs().get(0);
        StoredJob edited = held.with(edit -> edit.due(null));
        assertThat(store.write(List.of(new JobChange(held, edited, List.of(), By.REQUEST))))
                .containsExactly(true);
        StoredJob second = member("second", "g");
        Instant over = now.plus(LEASE).plus(MARGIN);
        assertThat(claim(second, "g", over.minusMillis(1), 2).groupBusy()).isTrue();
        assertThat(claim(second, "g", over, 3).jobs()).hasSize(1);
        assertThat(live("first").lease()).as("it goes with its slot").isNull();
    }

    @Test
    @DisplayName("P9: the job of a dead holder is claimed again with its group")
    void claimedAgain() {
        StoredJob first = member("first", "g");
        claim(first, "g", now, 1);
        Instant over = now.plus(LEASE).plus(MARGIN);
        assertThat(enter(first, "g", over, 2, "g").jobs()).hasSize(1);
        assertThat(claim(member("second", "g"), "g", over, 3).groupBusy()).isTrue();
    }

    @Test
    @DisplayName("P9: list shows which job holds a group, and with whose lease; none while the group is free")
    void holder() {
        StoredJob first = member("first", "g");
        member("second", "g");
        StoredJob other = member("other", "h");
        JobQuery query = JobQuery.ofRunningGroup("g");
        assertThat(store.list(query).jobs()).isEmpty();
        StoredJob held = claim(first, "g", now, 1).jobs().get(0);
        claim(other, "h", now, 2);
        assertThat(store.list(query).jobs()).containsExactly(held);
        store.write(List.of(change(held, ended(held), rowOf(held, "ran", now), By.HOLDER)));
        assertThat(store.list(query).jobs()).isEmpty();
    }

    @Test
    @DisplayName("P9: a group that was taken from a dead holder is the other's")
    void nextHolder() {
        StoredJob first = claim(member("first", "g"), "g", now, 1).jobs().get(0);
        StoredJob second = member("second", "g");
        Instant over = now.plus(LEASE).plus(MARGIN);
        ClaimResult taken = claim(second, "g", over, 2);
        assertThat(store.list(JobQuery.ofRunningGroup("g")).jobs()).containsExactlyElementsOf(taken.jobs());
        JobChange late = change(first, ended(first), rowOf(first, "late", now), By.HOLDER);
        assertThat(store.write(List.of(late)))
                .as("N6: what the dead holder has decided before counts no more")
                .containsExactly(false);
        assertThat(store.renew(new Renewal(Map.of(first.id(), 1L), over.plus(LEASE), over.plus(LEASE))))
                .as("P9: a renewal that comes late gives the dead holder no lease without a slot")
                .isEmpty();
    }

    @Test
    @DisplayName("P9: a look shows the group of each job, and none of those that it is asked to leave out")
    void looks() {
        member("in", "g");
        member("out", "h");
        insert(Specimens.minimal("none", now));
        DueQuery query = new DueQuery(TYPES, Set.of(), Set.of("h"), partitions, 0, 7, now.plusSeconds(60), 10);
        assertThat(store.due(query)).extracting(DueJob::group).containsExactlyInAnyOrder("g", null);
    }

    private ClaimResult enter(StoredJob job, @Nullable String seen, Instant at, long token, String... slots) {
        Instant until = at.plus(LEASE);
        return store.claim(new ClaimRequest(
                List.of(job.id()),
                at,
                new Lease("node", token, until),
                until.plus(MARGIN),
                new ClaimRequest.Entry("g", seen, List.of(slots))));
    }

    private static String slot(ClaimResult result) {
        return Objects.requireNonNull(result.jobs().get(0).lease()).slot();
    }

    @Test
    @DisplayName(
            "P9: a group of two has two slots; each claim takes the first that is free, and a third job finds it busy")
    void slots() {
        String[] two = {"g", GroupSlots.name("g", 1)};
        assertThat(slot(enter(member("first", "g"), null, now, 1, two))).isEqualTo("g");
        ClaimResult second = enter(member("second", "g"), null, now, 2, two);
        assertThat(slot(second)).isEqualTo(GroupSlots.name("g", 1));
        assertThat(live("second").lease()).isEqualTo(second.jobs().get(0).lease());
        StoredJob third = member("third", "g");
        assertThat(enter(third, null, now, 3, two).groupBusy()).isTrue();
        assertThat(enter(third, null, now, 4).groupBusy())
                .as("no slot may be taken")
                .isTrue();
        assertThat(live("third")).isEqualTo(third);
        assertThat(enter(member("other", "h"), null, now, 5, two).jobs())
                .as("it is of another group")
                .isEmpty();
    }

    @Test
    @DisplayName("P9: of many claims of a group at a time as many win as it has slots, each its own")
    void slotsAtOnce() throws Exception {
        for (int i = 0; i < 10; i++) {
            String group = "g" + i;
            String[] slots = i % 2 == 0 ? new String[] {group} : new String[] {group, GroupSlots.name(group, 1)};
            List<Callable<ClaimResult>> claims = new ArrayList<>();
            for (int token = 1; token <= 8; token++) {
                StoredJob job = member(group + "-" + token, group);
                Instant until = now.plus(LEASE);
                ClaimRequest request = new ClaimRequest(
                        List.of(job.id()),
                        now,
                        new Lease("node", token, until),
                        until.plus(MARGIN),
                        new ClaimRequest.Entry(group, null, List.of(slots)));
                claims.add(() -> store.claim(request));
            }
            List<ClaimResult> answers = atOnce(claims);
            assertThat(answers)
                    .filteredOn(answer -> !answer.jobs().isEmpty())
                    .extracting(StoreGroups::slot)
                    .containsExactlyInAnyOrder(slots);
            assertThat(answers).filteredOn(ClaimResult::groupBusy).hasSize(8 - slots.length);
            assertThat(store.list(JobQuery.ofRunningGroup(group)).jobs()).hasSize(slots.length);
        }
    }

    @Test
    @DisplayName("P9: each slot is free again with its own lease")
    void slotFreed() {
        String[] two = {"g", GroupSlots.name("g", 1)};
        StoredJob held = enter(member("first", "g"), null, now, 1, two).jobs().get(0);
        enter(member("second", "g"), null, now, 2, two);
        store.write(List.of(change(held, ended(held), rowOf(held, "ran", now), By.HOLDER)));
        assertThat(slot(enter(member("third", "g"), null, now, 3, two))).isEqualTo("g");
        assertThat(enter(member("fourth", "g"), null, now, 4, two).groupBusy()).isTrue();
    }

    @Test
    @DisplayName(
            "P9: the slot of a lease that is over is taken away only if no other is free, and its job takes one again")
    void slotOfTheDead() {
        String other = GroupSlots.name("g", 1);
        StoredJob first = member("first", "g");
        enter(first, null, now, 1, "g", other);
        Instant over = now.plus(LEASE).plus(MARGIN);
        assertThat(slot(enter(member("second", "g"), null, over, 2, "g", other)))
                .isEqualTo(other);
        assertThat(due(over, 10)).extracting(DueJob::slot).as("as looks see it").contains("g");
        assertThat(slot(enter(member("third", "g"), null, over, 3, other, "g"))).isEqualTo("g");
        assertThat(live("first").lease()).as("it goes with its slot").isNull();
        assertThat(enter(first, null, over, 4, "g", other).groupBusy()).isTrue();
    }

    @Test
    @DisplayName("P9: a job that has left its group gives back the slot of a lease that is over with its next claim")
    void slotOfTheFormer() {
        StoredJob held = enter(member("former", "g"), null, now, 1, "g").jobs().get(0);
        StoredJob alone = held.with(edit -> edit.specification(
                held.specification().toBuilder().exclusiveGroup(null).version(2).build()));
        assertThat(store.write(List.of(change(held, alone, rowOf(held, "changed", now), By.REQUEST))))
                .containsExactly(true);
        Instant over = now.plus(LEASE).plus(MARGIN);
        Instant until = over.plus(LEASE);
        ClaimRequest plain =
                new ClaimRequest(List.of(held.id()), over, new Lease("node", 2, until), until.plus(MARGIN));
        assertThat(slot(store.claim(plain))).isNull();
        assertThat(live("former").lease()).isEqualTo(new Lease("node", 2, until));
        assertThat(slot(enter(member("second", "g"), null, over, 3, "g"))).isEqualTo("g");
    }

    @Test
    @DisplayName("X8: a job that holds another slot by now than the one that was seen is left alone")
    void changedSlot() {
        StoredJob first = member("first", "g");
        enter(first, null, now, 1, "g");
        Instant over = now.plus(LEASE).plus(MARGIN);
        assertThat(enter(first, null, over, 2, "g")).isEqualTo(new ClaimResult(List.of(), List.of()));
        assertThat(enter(first, GroupSlots.name("g", 1), over, 3, "g").jobs()).isEmpty();
        assertThat(live("first").sequences().claimSeq()).isEqualTo(1);
        assertThat(slot(enter(first, "g", over, 4, GroupSlots.name("g", 1), "g")))
                .as("a group that got smaller moves it")
                .isEqualTo(GroupSlots.name("g", 1));
        assertThat(slot(enter(member("second", "g"), null, over, 5, "g"))).isEqualTo("g");
    }

    @Test
    @DisplayName("P9: list shows all that hold a slot of a group, and none of a group that is called alike")
    void holders() {
        String far = GroupSlots.name("g", 17);
        StoredJob first = enter(member("first", "g"), null, now, 1, "g").jobs().get(0);
        StoredJob second =
                enter(member("second", "g"), null, now, 2, far).jobs().get(0);
        for (String alike : List.of("g1", "g 1", "gg", "f", "G")) {
            claim(member(alike, alike), alike, now, 9);
        }
        assertThat(store.list(JobQuery.ofRunningGroup("g")).jobs()).containsExactlyInAnyOrder(first, second);
    }
}
