package dev.almanac.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.GroupLimits;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.Rate;
import dev.almanac.model.StandingPause;
import dev.almanac.model.StoredFields;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.DeclaredJobs;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.LatenessCounts;
import dev.almanac.store.MinuteReport;
import dev.almanac.store.NewJob;
import dev.almanac.store.NodeReport;
import dev.almanac.store.RateUse;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredGroup;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The contract of every {@link ClusterStore}. Extend it, and provide an empty store for each test. */
public abstract class ClusterStoreContract {
    private static final Map<String, Object> BODY = Map.of("kind", "weekly", "exclude-days", List.of("SAT", "SUN"));
    private JobStore jobs;
    private ClusterStore store;
    private Instant now;

    /** For subclasses. */
    protected ClusterStoreContract() {}

    /** An empty store. */
    protected abstract JobStore emptyStore();

    @BeforeEach
    void open() {
        jobs = emptyStore();
        jobs.open();
        store = jobs.cluster();
        now = jobs.serverTime();
    }

    @Test
    @DisplayName("B5: one node at a time has a turn, as long as it says; the next goes on where it stopped")
    void turns() {
        Instant end = now.plusSeconds(30);
        assertThat(store.takeTurn("work", "a", now, end, null)).isEmpty();
        assertThat(store.takeTurn("work", "b", now, end, null)).isNull();
        assertThat(store.takeTurn("work", "a", now, end, "7")).isEqualTo("7");
        assertThat(store.takeTurn("work", "b", end.minusMillis(1), end, "0")).isNull();
        assertThat(store.takeTurn("work", "b", end, end.plusSeconds(30), null)).isEqualTo("7");
        assertThat(store.takeTurn("work", "a", end, end, "8")).isNull();
        assertThat(store.takeTurn("other", "a", now, end, null)).isEmpty();
    }

    @Test
    @DisplayName("15: a turn lasts an hour at most, even if a later end is stored, as by a clock that was ahead")
    void endlessTurn() {
        Instant hour = now.plus(ClusterStore.LONGEST_TURN);
        assertThat(store.takeTurn("work", "a", now, hour.plusMillis(1), "7")).isEqualTo("7");
        assertThat(store.takeTurn("work", "b", now, hour, null)).isEqualTo("7");
        assertThat(store.takeTurn("work", "a", now, hour, null)).isNull();
    }

    @Test
    @DisplayName("report: a node sees itself and those that were seen since")
    void report() {
        NodeReport old = node("old", now.minusSeconds(100));
        NodeReport fresh = node("fresh", now);
        store.report(old, now.minusSeconds(200));
        assertThat(store.report(fresh, now.minusSeconds(10))).containsExactly(fresh);
        assertThat(store.report(node("fresh", now.plusSeconds(1)), now)).hasSize(1);
    }

    @Test
    @DisplayName(
            "report: one that arrives after its node has left does not bring it back; another node's does what it says")
    void lateReport() {
        NodeReport left = node("left", now).leaving();
        store.report(node("left", now.minusSeconds(1)), now.minusSeconds(10));
        assertThat(store.report(left, now.minusSeconds(10))).isEmpty();
        assertThat(store.report(node("left", now.plusSeconds(1)), now.minusSeconds(10)))
                .isEmpty();
        assertThat(store.nodes(now.minusSeconds(10))).containsExactly(left);
        NodeReport other = node("other", now);
        assertThat(store.report(other, now.minusSeconds(10))).containsExactly(other);
    }

    @Test
    @DisplayName("report: who is not interested in a node does not hide it from others")
    void reportHidesNothing() {
        NodeReport old = node("old", now.minusSeconds(100));
        store.report(old, now.minusSeconds(200));
        assertThat(store.report(node("strict", now), now)).hasSize(1);
        assertThat(store.report(node("patient", now), now.minusSeconds(200)))
                .contains(old)
                .hasSize(3);
    }

    @Test
    @DisplayName("nodes: those seen since are read, and reading them reports no node")
    void nodes() {
        NodeReport old = node("old", now.minusSeconds(100));
        NodeReport fresh = node("fresh", now);
        assertThat(store.nodes(now.minusSeconds(200))).isEmpty();
        store.report(old, now);
        store.report(fresh, now);
        assertThat(store.nodes(now.minusSeconds(10))).containsExactly(fresh);
        assertThat(store.nodes(now.minusSeconds(200))).containsExactly(fresh, old);
    }

    @Test
    @DisplayName("O5: the health that a node reports is read as it was written, and goes with its next report")
    void reasons() {
        NodeReport well = node("a", now);
        NodeReport ill = new NodeReport(
                "a",
                "label",
                now,
                now,
                "2026a",
                Duration.ofMillis(3),
                Set.of("note"),
                4,
                64,
                Set.of("note"),
                2,
                5,
                List.of("it falls behind", "listener $x.y: {\"a\": 1}"),
                "it is not rehydrated: {$a}",
                false,
                Duration.ofMinutes(2));
        store.report(ill, now);
        assertThat(store.nodes(now.minusSeconds(10))).containsExactly(ill);
        store.report(well, now);
        assertThat(store.nodes(now.minusSeconds(10))).containsExactly(well);
    }

    private NodeReport node(String id, Instant seen) {
        return new NodeReport(
                id,
                "label",
                now,
                seen,
                "2026a",
                Duration.ofMillis(3),
                Set.of("note"),
                4,
                64,
                Set.of(),
                0,
                7,
                List.of(),
                null,
                false,
                NodeReport.SILENT_AFTER);
    }

    @Test
    @DisplayName("S19: jobs with failures in a row are counted, live or ended, up to a limit")
    void openFailures() {
        List<NewJob> all =
                List.of(Specimens.minimal("a", now), Specimens.minimal("b", now), Specimens.minimal("c", now));
        jobs.insert(all);
        assertThat(store.openFailures(10)).isZero();
        for (NewJob some : all.subList(0, 2)) {
            StoredJob job = some.job();
            StoredJob failed = job.with(edit -> edit.plan(job.plan().failedInARow(2)));
            jobs.write(List.of(new JobChange(job, failed, List.of(), JobChange.By.REQUEST)));
        }
        assertThat(store.openFailures(10)).isEqualTo(2);
        assertThat(store.openFailures(1)).isEqualTo(1);
        StoredJob failed = jobs.load(List.of(all.get(0).job().id())).get(0);
        StoredJob seen = failed.with(edit -> edit.plan(failed.plan().failedInARow(0)));
        jobs.write(List.of(new JobChange(failed, seen, List.of(), JobChange.By.REQUEST)));
        assertThat(store.openFailures(10)).isEqualTo(1);
    }

    @Test
    @DisplayName("live jobs are counted, finished ones are not")
    void liveJobs() {
        assertThat(store.liveJobs(10)).isZero();
        NewJob first = Specimens.minimal("a", now);
        jobs.insert(List.of(first, Specimens.minimal("b", now.plusSeconds(60)), Specimens.minimal("c", now)));
        assertThat(store.liveJobs(10)).isEqualTo(3);
        assertThat(store.liveJobs(2)).as("counting ends at the limit").isEqualTo(2);
        JobSpecification over = StoredFields.of(first.job().specification())
                .deleteTime(now.plusSeconds(60))
                .build();
        StoredJob finished = first.job().with(edit -> edit.specification(over).due(null));
        jobs.write(List.of(new JobChange(first.job(), finished, List.of(), JobChange.By.REQUEST)));
        assertThat(store.liveJobs(10)).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "pauses: stored whole, one for each scope and beginning, the newer in place of the one that was seen, removed once")
    void pauses() {
        StandingPause tag = new StandingPause(PauseScope.tag("a:b"), new Pause("why", "who", null), now);
        StandingPause type =
                new StandingPause(PauseScope.commandType("a:b"), new Pause("w", "h", now.plusSeconds(9)), now);
        StandingPause all = new StandingPause(PauseScope.everything(), new Pause("$x", "{}", null), now);
        List.of(tag, type, all)
                .forEach(pause -> assertThat(store.pause(pause, null)).isTrue());
        assertThat(store.control().pauses()).containsExactlyInAnyOrder(tag, type, all);
        StandingPause newer =
                new StandingPause(PauseScope.tag("a:b"), new Pause("new", "who", null), now.plusMillis(1));
        assertThat(store.pause(newer, null)).as("there is one").isFalse();
        assertThat(store.pause(newer, now.plusMillis(1))).as("another one").isFalse();
        assertThat(store.control().pauses()).containsExactlyInAnyOrder(tag, type, all);
        assertThat(store.pause(newer, now)).isTrue();
        assertThat(store.control().pauses()).containsExactlyInAnyOrder(newer, type, all);
        Instant later = now.plusSeconds(5);
        StandingPause planned =
                new StandingPause(PauseScope.tag("a:b"), newer.pause().from(later), now);
        StandingPause sooner = new StandingPause(
                PauseScope.tag("a:b"), newer.pause().from(later.minusMillis(1)).until(later), now);
        assertThat(store.pause(planned, now)).as("there is none").isFalse();
        List.of(planned, sooner).forEach(pause -> store.pause(pause, null));
        assertThat(store.control().pauses()).containsExactlyInAnyOrder(newer, type, all, planned, sooner);
        StandingPause moved =
                new StandingPause(PauseScope.tag("a:b"), planned.pause().until(later.plusSeconds(7)), now);
        store.pause(moved, now);
        assertThat(store.control().pauses()).containsExactlyInAnyOrder(newer, type, all, moved, sooner);
        assertThat(store.resume(PauseScope.tag("a:b"), null, now))
                .as("another one")
                .isFalse();
        assertThat(store.resume(PauseScope.tag("a:b"), null, now.plusMillis(1))).isTrue();
        assertThat(store.resume(PauseScope.tag("a:b"), null, null)).isFalse();
        assertThat(store.control().pauses()).containsExactlyInAnyOrder(type, all, moved, sooner);
        assertThat(store.resume(PauseScope.tag("a:b"), later, null)).isTrue();
        assertThat(store.resume(PauseScope.tag("a:b"), later, null)).isFalse();
        assertThat(store.resume(PauseScope.tag("a:b"), later.plusSeconds(1), null))
                .isFalse();
        assertThat(store.control().pauses()).containsExactlyInAnyOrder(type, all, sooner);
    }

    @Test
    @DisplayName("S18: a planned pause is stored until a day after its end, not after its beginning")
    void plannedPauses() {
        Instant begin = now.plus(Duration.ofDays(30));
        StandingPause planned = new StandingPause(
                PauseScope.everything(), Pause.because("move").from(begin).until(begin.plusSeconds(60)), now);
        store.pause(planned, null);
        StandingPause other = new StandingPause(PauseScope.tag("x"), Pause.because("y"), begin.plusSeconds(59));
        store.pause(other, null);
        assertThat(store.control().pauses()).containsExactlyInAnyOrder(planned, other);
        StandingPause last = new StandingPause(
                PauseScope.tag("x"), Pause.because("z"), begin.plusSeconds(60).plus(StandingPause.KEPT));
        store.pause(last, other.since());
        assertThat(store.control().pauses()).containsExactly(last);
    }

    @Test
    @DisplayName("C5: a calendar is stored version by version; the second edit of a version is refused")
    void calendars() {
        StoredCalendar first = new StoredCalendar("weekends", 1, BODY, now, "ann (CR-17)");
        assertThat(store.putCalendar(first)).isTrue();
        assertThat(store.putCalendar(first)).isFalse();
        assertThat(store.calendars()).containsExactly(first);
        long edits = store.control().calendarEdits();
        StoredCalendar second = new StoredCalendar("weekends", 2, Map.of("kind", "holiday"), now.plusSeconds(1), "bob");
        assertThat(store.putCalendar(second)).isTrue();
        assertThat(store.control().calendarEdits())
                .as("nodes see that there is news")
                .isNotEqualTo(edits);
        edits = store.control().calendarEdits();
        assertThat(store.putCalendar(new StoredCalendar("weekends", 2, BODY, now, "ann (CR-17)")))
                .isFalse();
        assertThat(store.control().calendarEdits())
                .as("an earlier call may have stored it without this")
                .isNotEqualTo(edits);
        assertThat(store.calendars()).containsExactly(second);
        assertThat(store.putCalendar(first.tombstone(now, "carl"))).isFalse();
        assertThat(store.control().pauses()).as("calendars are no pauses").isEmpty();
    }

    @Test
    @DisplayName(
            "C5: a calendar whose document was removed by hand goes on with any version, since nodes may know the one before")
    void removedByHand() {
        StoredCalendar seventh = new StoredCalendar("sundays", 7, BODY, now, "ann (CR-17)");
        assertThat(store.putCalendar(seventh)).isTrue();
        assertThat(store.putCalendar(new StoredCalendar("sundays", 9, BODY, now, "ann (CR-17)")))
                .isFalse();
        assertThat(store.calendars()).containsExactly(seventh);
    }

    @Test
    @DisplayName("C5: a calendar that is stored again goes on with its versions")
    void storedAgain() {
        StoredCalendar first = new StoredCalendar("weekends", 1, BODY, now, "ann (CR-17)");
        assertThat(store.putCalendar(first)).isTrue();
        StoredCalendar second = new StoredCalendar("weekends", 2, BODY, now.plusSeconds(1), "bob");
        assertThat(store.putCalendar(second)).isTrue();
        assertThat(store.putCalendar(second.tombstone(now, "carl"))).isTrue();
        assertThat(store.putCalendar(second.tombstone(now, "carl"))).isFalse();
        assertThat(store.calendars())
                .as("its versions go on rising")
                .singleElement()
                .satisfies(gone -> {
                    assertThat(gone.deleted()).isTrue();
                    assertThat(gone.version()).isEqualTo(3);
                    assertThat(gone.author()).isEqualTo("carl");
                });
        assertThat(store.putCalendar(first)).isFalse();
        StoredCalendar again = new StoredCalendar("weekends", 4, BODY, now, "ann (CR-17)");
        assertThat(store.putCalendar(again)).isTrue();
        assertThat(store.calendars()).containsExactly(again);
    }

    private static StoredCalendar weekends(long version, Instant stored, String by) {
        return new StoredCalendar("weekends", version, Map.of("kind", "weekly", "by", by), stored, by);
    }

    /** What a reader takes for replaced versions. */
    private List<StoredCalendar> replaced(String... names) {
        Map<String, Long> current =
                store.calendars().stream().collect(Collectors.toMap(StoredCalendar::name, StoredCalendar::version));
        return store.calendarVersions(List.of(names)).stream()
                .filter(version -> version.version() < current.getOrDefault(version.name(), 0L))
                .toList();
    }

    @Test
    @DisplayName("S22: each replaced version of a calendar is kept, also when it is deleted and stored again")
    void versionsOfCalendars() {
        StoredCalendar first = new StoredCalendar("weekends", 1, BODY, now, "ann (CR-17)");
        store.putCalendar(first);
        store.putCalendar(new StoredCalendar("weekends 1", 1, BODY, now, "eve"));
        assertThat(replaced("weekends", "weekends 1")).isEmpty();
        StoredCalendar second = weekends(2, now.plusSeconds(1), "bob");
        store.putCalendar(second);
        assertThat(replaced("weekends")).containsExactly(first);
        StoredCalendar third = second.tombstone(now.plusSeconds(2), "carl");
        store.putCalendar(third);
        assertThat(replaced("weekends")).containsExactlyInAnyOrder(first, second);
        store.putCalendar(weekends(4, now.plusSeconds(3), "dan"));
        assertThat(replaced("weekends")).containsExactlyInAnyOrder(first, second, third);
        assertThat(replaced("weekends 1", "other")).isEmpty();
        assertThat(store.calendarVersions(List.of())).isEmpty();
        store.putCalendar(new StoredCalendar("weekends 1", 2, BODY, now, "eve"));
        assertThat(replaced("weekends", "weekends 1")).hasSize(4);
        assertThat(replaced("weekends 1")).extracting(StoredCalendar::author).containsExactly("eve");
    }

    @Test
    @DisplayName("S22: an edit that is refused, or repeated after a lost reply, replaces no version")
    void versionsOfRefusedEdits() {
        StoredCalendar first = weekends(1, now, "ann");
        StoredCalendar second = weekends(2, now.plusSeconds(1), "bob");
        List.of(first, first, second, second, first).forEach(store::putCalendar);
        assertThat(store.putCalendar(weekends(2, now.plusSeconds(1), "eve"))).isFalse();
        assertThat(store.putCalendar(weekends(4, now.plusSeconds(1), "eve"))).isFalse();
        assertThat(store.calendars()).containsExactly(second);
        assertThat(replaced("weekends")).containsExactly(first);
        assertThat(store.putCalendar(weekends(3, now.plusSeconds(2), "eve"))).isTrue();
        assertThat(replaced("weekends")).containsExactlyInAnyOrder(first, second);
    }

    @Test
    @DisplayName("S22: of edits at once, the versions of all that were stored are kept, and of no other")
    void versionsOfEditsAtOnce() {
        store.putCalendar(weekends(1, now, "first"));
        Queue<StoredCalendar> stored = new ConcurrentLinkedQueue<>(store.calendars());
        List<CompletableFuture<Void>> editors = Stream.of("ann", "bob", "carl")
                .map(by -> CompletableFuture.runAsync(() -> edit(by, stored)))
                .toList();
        editors.forEach(CompletableFuture::join);
        stored.removeAll(store.calendars());
        assertThat(stored).hasSize(9);
        assertThat(replaced("weekends")).containsExactlyInAnyOrderElementsOf(stored);
    }

    private void edit(String by, Queue<StoredCalendar> stored) {
        for (int done = 0; done < 3; ) {
            long version = store.calendars().get(0).version();
            StoredCalendar next = weekends(version + 1, now, by + done);
            if (store.putCalendar(next)) {
                stored.add(next);
                done++;
            }
        }
    }

    @Test
    @DisplayName("S22: a version is kept for 35 days from its replacement, also if its calendar is restored as it was")
    void endOfVersions() {
        StoredCalendar first = weekends(1, now, "ann");
        StoredCalendar gone = first.tombstone(now.plusSeconds(60), "bob");
        StoredCalendar restored = weekends(3, now, "ann");
        List.of(first, gone, restored).forEach(store::putCalendar);
        Instant end = now.plusSeconds(60).plus(StoredCalendar.KEPT);
        assertThat(store.purge(end.minusMillis(1), 100)).isZero();
        assertThat(replaced("weekends")).containsExactlyInAnyOrder(first, gone);
        assertThat(store.purge(end, 0)).isZero();
        assertThat(store.purge(end, 1)).isEqualTo(1);
        assertThat(store.purge(end, 100)).isEqualTo(1);
        assertThat(replaced("weekends")).isEmpty();
        assertThat(store.calendars()).containsExactly(restored);
    }

    @Test
    @DisplayName("S22: of a calendar the newest hundred replaced versions are kept; other calendars take none of them")
    void mostVersions() {
        store.putCalendar(new StoredCalendar("other", 1, BODY, now, "ann"));
        store.putCalendar(new StoredCalendar("other", 2, BODY, now, "ann"));
        int last = StoredCalendar.MOST_KEPT + 3;
        for (int version = 1; version <= last; version++) {
            assertThat(store.putCalendar(weekends(version, now, "ann"))).isTrue();
        }
        assertThat(replaced("weekends"))
                .extracting(StoredCalendar::version)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(3, last).boxed().toList());
        assertThat(replaced("other")).hasSize(1);
    }

    @Test
    @DisplayName("16: interrupts are counted, apart from edits of calendars")
    void interrupts() {
        long edits = store.control().calendarEdits();
        assertThat(store.control().interrupts()).isZero();
        store.requestInterrupt();
        store.requestInterrupt();
        assertThat(store.control().interrupts()).isEqualTo(2);
        assertThat(store.control().calendarEdits()).isEqualTo(edits);
    }

    @Test
    @DisplayName("T6: the version of zone rules that plans were checked against")
    void zoneRules() {
        assertThat(store.control().zoneRules()).isNull();
        store.checkedZoneRules("2025a");
        store.checkedZoneRules("2025b");
        assertThat(store.control().zoneRules()).isEqualTo("2025b");
    }

    private StoredGroup group(String name) {
        return store.control().group(name);
    }

    @Test
    @DisplayName("P9: a group is stored version by version; the second edit of a version is refused")
    void groups() {
        GroupLimits limits = new GroupLimits(5, Rate.parse("10/s"));
        StoredGroup first = new StoredGroup("bank a.$pi", 1, limits, now, "ops (ticket 7)");
        assertThat(group("bank a.$pi")).isEqualTo(StoredGroup.unlisted("bank a.$pi"));
        assertThat(store.putGroup(new StoredGroup("bank a.$pi", 2, limits, now, "ops")))
                .isFalse();
        assertThat(store.putGroup(first)).isTrue();
        assertThat(store.putGroup(first)).isFalse();
        assertThat(group("bank a.$pi")).isEqualTo(first);
        StoredGroup second =
                new StoredGroup("bank a.$pi", 2, new GroupLimits(2, null), now.plusSeconds(1), "someone else");
        assertThat(store.putGroup(second)).isTrue();
        assertThat(group("bank a.$pi")).isEqualTo(second);
        assertThat(store.putGroup(second.tombstone(now, "carl"))).isTrue();
        assertThat(group("bank a.$pi").deleted()).isTrue();
        assertThat(group("bank a.$pi").limits()).isEqualTo(GroupLimits.ONE);
        assertThat(store.putGroup(first)).as("its versions go on rising").isFalse();
        StoredGroup again = new StoredGroup("bank a.$pi", 4, limits, now, "ops");
        assertThat(store.putGroup(again)).isTrue();
        assertThat(group("bank a.$pi")).isEqualTo(again);
        assertThat(store.control().pauses()).as("groups are no pauses").isEmpty();
    }

    @Test
    @DisplayName("P9: the tombstone of a group is kept for 35 days, and goes with the edit of any group after that")
    void tombstones() {
        StoredGroup gone = new StoredGroup("gone", 1, new GroupLimits(2, null), now, "ops");
        store.putGroup(gone);
        store.putGroup(gone.tombstone(now, "carl"));
        store.putGroup(new StoredGroup("stays", 1, new GroupLimits(3, null), now, "ops"));
        Instant end = now.plus(StoredGroup.REMEMBERED);
        store.putGroup(new StoredGroup("early", 1, GroupLimits.ONE, end, "ops"));
        assertThat(group("gone").version()).isEqualTo(2);
        store.putGroup(new StoredGroup("late", 1, GroupLimits.ONE, end.plusMillis(1), "ops"));
        assertThat(group("gone")).isEqualTo(StoredGroup.unlisted("gone"));
        assertThat(store.control().groups()).containsOnlyKeys("stays", "early", "late");
        assertThat(store.putGroup(gone)).as("it begins again").isTrue();
    }

    @Test
    @DisplayName("R13, S26: what an application declares is stored version by version; release and list together")
    void declared() {
        DeclaredJobs first = DeclaredJobs.NONE.next(null, Map.of("k.$ ", "a schedule"));
        assertThat(store.declared("shop")).isEqualTo(DeclaredJobs.NONE);
        assertThat(store.declare("shop", first.next("2", Map.of())))
                .as("no such version was read")
                .isFalse();
        assertThat(store.declared("shop")).isEqualTo(DeclaredJobs.NONE);
        assertThat(store.declare("shop", first)).isTrue();
        assertThat(store.declare("shop", first))
                .as("others have declared since")
                .isFalse();
        assertThat(store.declare("shop", DeclaredJobs.NONE.next("2", Map.of()))).isFalse();
        assertThat(store.declared("shop")).isEqualTo(first);
        DeclaredJobs second = first.next("1.10", Map.of("j", "other"));
        assertThat(store.declare("shop", second)).isTrue();
        assertThat(store.declared("shop")).isEqualTo(second);
        assertThat(store.declare("shop", first.next("1.9", Map.of()))).isFalse();
        assertThat(store.declared("shop")).isEqualTo(second);
        assertThat(store.declared("bank")).as("another application").isEqualTo(DeclaredJobs.NONE);
    }

    @Test
    @DisplayName("P9: claims are counted by compare-and-set; an edit keeps what was counted")
    void counts() {
        StoredGroup first = new StoredGroup("g", 1, new GroupLimits(2, Rate.parse("3/s")), now, "ops");
        RateUse one = new RateUse(1, List.of(new RateUse.Count(now, 1)));
        RateUse two = new RateUse(2, List.of(new RateUse.Count(now, 1), new RateUse.Count(now.plusMillis(50), 1)));
        assertThat(store.countClaims(first, one)).as("there is no group").isFalse();
        store.putGroup(first);
        assertThat(store.countClaims(first, one)).isTrue();
        assertThat(store.countClaims(first, one))
                .as("others have counted since")
                .isFalse();
        assertThat(store.countClaims(first.with(one), two)).isTrue();
        assertThat(group("g")).isEqualTo(first.with(two));
        StoredGroup edited = new StoredGroup("g", 2, new GroupLimits(2, Rate.parse("2/s")), now, "ops");
        assertThat(store.putGroup(edited)).isTrue();
        assertThat(group("g")).isEqualTo(edited.with(two));
        RateUse three = new RateUse(3, List.of());
        assertThat(store.countClaims(first.with(two), three))
                .as("the group was edited since")
                .isFalse();
        assertThat(store.countClaims(edited.with(two), three)).isTrue();
    }

    @Test
    @DisplayName("17.3: what a node ran in a minute is stored once, and read from a moment on; missed fires are summed")
    void minutes() {
        Instant minute = now.truncatedTo(ChronoUnit.MINUTES);
        LatenessCounts lateness = LatenessCounts.NONE.plus(Duration.ofMillis(7));
        MinuteReport.OfType type = new MinuteReport.OfType(Map.of("SUCCEEDED", 1L), 6, 5, 4, 3, 2, lateness);
        MinuteReport first = new MinuteReport("a", minute.minusSeconds(60), Map.of("pay.$x", type), 2);
        MinuteReport second = new MinuteReport("b", minute, Map.of(), 3);
        assertThat(store.missed(Instant.EPOCH)).isZero();
        for (MinuteReport report : List.of(second, first, first)) {
            store.addMinute(report);
        }
        assertThat(store.minutes(Instant.EPOCH)).containsExactly(first, second);
        assertThat(store.minutes(minute)).containsExactly(second);
        assertThat(store.missed(Instant.EPOCH)).isEqualTo(5);
        assertThat(store.missed(minute)).isEqualTo(3);
        assertThat(store.missed(minute.plusMillis(1))).isZero();
    }

    @Test
    @DisplayName("17.3: what a node ran in a minute is kept for seven days, and goes then")
    void endOfMinutes() {
        Instant minute = now.truncatedTo(ChronoUnit.MINUTES);
        Instant end = minute.plus(Duration.ofDays(7));
        MinuteReport first = new MinuteReport("a", minute, Map.of(), 2);
        MinuteReport last = new MinuteReport("a", end, Map.of(), 1);
        List.of(first, last).forEach(store::addMinute);
        store.purge(end.minusMillis(1), 100);
        assertThat(store.minutes(Instant.EPOCH)).containsExactly(first, last);
        store.addMinute(new MinuteReport("b", end.plusSeconds(60), Map.of(), 1));
        store.purge(end, 100);
        assertThat(store.minutes(Instant.EPOCH)).hasSize(2).doesNotContain(first);
    }
}
