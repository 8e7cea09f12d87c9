package dev.almanac.behaviour;

import static dev.almanac.behaviour.MinuteCalendar.excluding;
import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.engine.rules.FirePlanner;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.FireAccount;
import dev.almanac.model.FireAccount.Kind;
import dev.almanac.model.FireReport;
import dev.almanac.model.FirstFire;
import dev.almanac.model.History;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.Retention;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.JobStore;
import dev.almanac.store.Lease;
import dev.almanac.store.NewJob;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.CronDialect;
import dev.almanac.time.DaylightSavingPolicy;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.time.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule S22: each planned fire has exactly one account. */
class FireReportsTest extends LifecycleFixture {
    private static Instant minute(int number) {
        return START.plus(Duration.ofMinutes(number));
    }

    private static JobSpecificationBuilder minutely() {
        return job("j").schedulingSpecification("0 * * * * ?");
    }

    /** A node with a job of each minute but those that a stored calendar excludes. */
    private Machine withBank(Map<String, Object> calendar) {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", calendar);
        a.scheduler().scheduleJob(minutely().calendar("bank").build());
        return a;
    }

    private void update(Consumer<JobSpecificationBuilder> edit) {
        client().apply(JobAction.update(edit), JobSelection.keys("j"));
    }

    private final Set<Instant> removed = new HashSet<>();
    /** Whether the row of the creation is still there. */
    private boolean creation = true;

    /** As a person would remove the row of the run of a fire. */
    private void remove(Instant fire) {
        removed.add(fire);
    }

    private FireReport report() {
        world.writeRows();
        JobStore store = StoreHook.over(
                JobStore.class,
                world.store,
                (method, arguments, call) -> method.equals("rows")
                        ? ((List<?>) call.proceed())
                                .stream()
                                        .map(JobExecutionStatus.class::cast)
                                        .filter(row ->
                                                row.outcome() != Outcome.SUCCEEDED || !removed.contains(row.fireTime()))
                                        .filter(row -> creation || !NewJob.isCreation(row))
                                        .toList()
                        : call.proceed());
        return Scheduler.builder()
                .store(store)
                .time(world.time)
                .zone(ZoneOffset.UTC)
                .calendarReader(MinuteCalendar::read)
                .command("note", 1, World.Note.class)
                .build()
                .fires("j", START)
                .orElseThrow();
    }

    /** Each fire by its minute, such as {@code 3 RAN}. */
    private List<String> accounts() {
        return report().accounts().stream()
                .flatMap(account -> minutes(account).mapToObj(number -> number + " " + account.kind()))
                .toList();
    }

    private static IntStream minutes(FireAccount account) {
        int first = (int) Duration.between(START, account.fireTime()).toMinutes();
        return IntStream.range(first, first + (int) account.count());
    }

    private Machine node(String name) {
        return world.node(name, world.store, Duration.ZERO, builder -> builder.calendarReader(MinuteCalendar::read));
    }

    @Test
    @DisplayName("S22: fires that ran, with outcome, time and node")
    void ran() {
        node("a");
        world.work = call -> call.fire().equals(minute(2)) ? bad() : good();
        client().scheduleJob(minutely().build());
        pass(200_000);
        assertThat(accounts()).containsExactly("1 RAN", "2 RAN", "3 RAN");
        assertThat(report().accounts())
                .extracting(FireAccount::outcome)
                .containsExactly(Outcome.SUCCEEDED, Outcome.RETRIES_EXHAUSTED, Outcome.SUCCEEDED);
        assertThat(report().accounts().get(0).at()).isAfterOrEqualTo(minute(1));
        assertThat(report().accounts().get(0).node()).isNotNull();
        assertThat(report().limit()).isNull();
    }

    @Test
    @DisplayName("S22: a fire whose row was removed by hand is unaccounted for, and its neighbours are not")
    void removed() {
        node("a");
        client().scheduleJob(minutely().build());
        pass(200_000);
        world.writeRows();
        remove(minute(2));
        assertThat(accounts()).containsExactly("1 RAN", "2 UNACCOUNTED", "3 RAN");
    }

    @Test
    @DisplayName("S22: while no node runs fires wait; afterwards the newest ran and the others are missed")
    void missed() {
        client().scheduleJob(minutely().build());
        pass(190_000);
        assertThat(accounts()).containsExactly("1 WAITING", "2 WAITING", "3 WAITING");
        node("a");
        pass(1_000);
        assertThat(accounts()).containsExactly("1 MISSED", "2 MISSED", "3 RAN");
        assertThat(report().accounts()).hasSize(2);
    }

    @Test
    @DisplayName("S22: fires behind their start deadline are too late")
    void tooLate() {
        client().scheduleJob(minutely().startDeadline(Duration.ofSeconds(20)).build());
        pass(150_000);
        node("a");
        pass(40_000);
        assertThat(accounts()).containsExactly("1 TOO_LATE", "2 TOO_LATE", "3 RAN");
    }

    @Test
    @DisplayName("S22: a paused job's fires wait for its resumption, and are missed then")
    void paused() {
        node("a");
        client().scheduleJob(minutely().build());
        pass(70_000);
        client().pause(PauseScope.job("j"), new Pause("audit", "ann", null));
        pass(120_000);
        assertThat(accounts()).containsExactly("1 RAN", "2 PAUSED", "3 PAUSED");
        client().resume(PauseScope.job("j"));
        pass(1_000);
        assertThat(accounts()).containsExactly("1 RAN", "2 MISSED", "3 RAN");
    }

    @Test
    @DisplayName("S22: what a calendar leaves out is excluded, by the version that was in force")
    void excluded() {
        Machine a = withBank(excluding("2"));
        pass(190_000);
        a.scheduler().as("ann", "holiday").calendars().put("bank", excluding("5"));
        pass(180_000);
        world.writeRows();
        FireReport report = a.scheduler().fires("j", START).orElseThrow();
        assertThat(report.accounts())
                .extracting(FireAccount::kind)
                .containsExactly(Kind.RAN, Kind.EXCLUDED, Kind.RAN, Kind.RAN, Kind.EXCLUDED, Kind.RAN);
        assertThat(report.limit()).isNull();
    }

    @Test
    @DisplayName("S22: a fire that an edit brings back is not lost for a client that has read no calendar before")
    void readFirst() {
        Machine a = withBank(excluding("4-7"));
        pass(190_000);
        a.lanes().close();
        // of an editor who died before the jobs were planned again
        long version = world.store.cluster().calendars().get(0).version() + 1;
        assertThat(world.store
                        .cluster()
                        .putCalendar(
                                new StoredCalendar("bank", version, excluding("50"), world.time.wall(), "ann", false)))
                .isTrue();
        pass(260_000);
        Scheduler client = world.client(builder -> builder.calendarReader(MinuteCalendar::read));
        FireReport report = client.fires("j", START).orElseThrow();
        assertThat(report.computed()).isTrue();
        assertThat(report.count(Kind.UNACCOUNTED)).isZero();
        assertThat(report.count(Kind.WAITING)).isPositive();
    }

    @Test
    @DisplayName(
            "S22: a fire that an edit of a calendar took away while its job was paused has moved, by the one who edited")
    void takenByCalendar() {
        Machine a = withBank(excluding("50"));
        pass(70_000);
        a.scheduler().pause(PauseScope.job("j"), new Pause("audit", "ann", null));
        pass(115_000);
        a.scheduler().as("ann", "holiday").calendars().put("bank", excluding("3"));
        pass(60_000);
        a.scheduler().resume(PauseScope.job("j"));
        pass(1_000);
        world.writeRows();
        FireReport report = a.scheduler().fires("j", START).orElseThrow();
        assertThat(report.accounts())
                .extracting(FireAccount::kind)
                .containsExactly(Kind.RAN, Kind.MISSED, Kind.MOVED, Kind.RAN);
        assertThat(report.accounts().get(2).by()).contains("ann");
    }

    @Test
    @DisplayName(
            "S22: a changed schedule: fires until the change by the old one, then by the new one; what it took away names who")
    void changed() {
        node("a");
        client().scheduleJob(minutely().build());
        pass(130_000);
        client().as("ann", "less often")
                .apply(JobAction.update(edit -> edit.schedulingSpecification("0 0/5 * * * ?")), JobSelection.keys("j"));
        pass(240_000);
        assertThat(accounts()).containsExactly("1 RAN", "2 RAN", "3 MOVED", "5 RAN");
        assertThat(report().accounts().get(2).by()).contains("ann");
    }

    @Test
    @DisplayName(
            "S22: a schedule that is changed while no node runs: the newest fire of the old one runs, the others are missed")
    void changedOverdue() {
        client().scheduleJob(minutely().build());
        pass(190_000);
        update(edit -> edit.schedulingSpecification("0 0/5 * * * ?"));
        assertThat(accounts()).containsExactly("1 MISSED", "2 MISSED", "3 WAITING");
        node("a");
        pass(150_000);
        assertThat(accounts()).containsExactly("1 MISSED", "2 MISSED", "3 RAN", "4 MOVED", "5 RAN");
    }

    @Test
    @DisplayName("S22: the row of a removed run before a change is missed by the schedule of then")
    void removedBeforeChange() {
        node("a");
        client().scheduleJob(minutely().build());
        pass(130_000);
        update(edit -> edit.schedulingSpecification("0 0/5 * * * ?"));
        pass(240_000);
        world.writeRows();
        remove(minute(1));
        assertThat(accounts()).containsExactly("1 UNACCOUNTED", "2 RAN", "3 MOVED", "5 RAN");
    }

    @Test
    @DisplayName("S22: a later change of the schedule explains no loss of an earlier fire, with a calendar either")
    void lostWithCalendar() {
        Machine a = withBank(excluding("50"));
        pass(190_000);
        a.scheduler()
                .apply(JobAction.update(edit -> edit.schedulingSpecification("0 0/5 * * * ?")), JobSelection.keys("j"));
        pass(60_000);
        remove(minute(1));
        assertThat(accounts()).containsExactly("1 UNACCOUNTED", "2 RAN", "3 RAN", "4 MOVED");
    }

    @Test
    @DisplayName("S22: a fire that the new schedule has, too, is its fire: lost, it is unaccounted for")
    void ofBothSchedules() {
        node("a");
        client().scheduleJob(job("j").schedulingSpecification("0 0/2 * * * ?").build());
        pass(130_000);
        update(edit -> edit.schedulingSpecification("0 * * * * ?"));
        pass(180_000);
        assertThat(accounts()).containsExactly("2 RAN", "3 RAN", "4 RAN", "5 RAN");
        remove(minute(4));
        assertThat(accounts()).containsExactly("2 RAN", "3 RAN", "4 UNACCOUNTED", "5 RAN");
    }

    @Test
    @DisplayName("S22: a job that is told to keep no rows of good runs, during one: that and later fires are not kept")
    void troubleDuringRun() {
        node("a");
        world.work = call -> slow(Duration.ofSeconds(10));
        client().scheduleJob(minutely().build());
        pass(125_000);
        update(edit -> edit.history(History.TROUBLE));
        pass(130_000);
        assertThat(accounts()).containsExactly("1 RAN", "2 NOT_KEPT", "3 NOT_KEPT", "4 RAN");
    }

    @Test
    @DisplayName("S22: a fire that was abandoned for good has run, as its row says")
    void abandonedForGood() {
        world.work = call -> endless();
        client().scheduleJob(minutely().build());
        for (int i = 0; i < 12 && document("j").sequences().fireSeq() == 0; i++) {
            Machine next = node("n" + i);
            pass(40_000);
            kill(next);
        }
        assertThat(report().accounts().get(0))
                .satisfies(account -> assertThat(account.kind()).isEqualTo(Kind.RAN))
                .satisfies(account -> assertThat(account.outcome()).isEqualTo(Outcome.ABANDONED));
        assertThat(report().count(Kind.UNACCOUNTED)).isZero();
    }

    @Test
    @DisplayName("S22: a one-off that an edit of its calendar moved before its time has one account, where it ran")
    void movedOneOff() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", excluding("2"));
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(minute(2))
                        .calendar("bank")
                        .calendarPolicy(CalendarPolicy.NEXT_INCLUDED)
                        .build());
        pass(60_000);
        a.scheduler().calendars().put("bank", excluding("2,3"));
        pass(200_000);
        world.writeRows();
        FireReport report = a.scheduler().fires("j", START).orElseThrow();
        assertThat(report.accounts())
                .extracting(FireAccount::fireTime, FireAccount::kind)
                .containsExactly(tuple(minute(4), Kind.RAN));
    }

    @Test
    @DisplayName("S22: RUN_ALL: every fire ran; a run in progress and the fires behind it wait")
    void runAll() {
        client().scheduleJob(
                        minutely().missedFirePolicy(MissedFirePolicy.runAll(10)).build());
        pass(190_000);
        world.work = call -> call.fire().equals(minute(3)) ? endless() : good();
        node("a");
        pass(70_000);
        assertThat(accounts()).containsExactly("1 RAN", "2 RAN", "3 WAITING", "4 WAITING");
    }

    @Test
    @DisplayName("S22: a retried fire waits, and has one account when it has ended; a manual run has none")
    void retried() {
        node("a");
        world.work = call -> world.callsOf("j").size() < 3 ? bad() : good();
        client().scheduleJob(minutely()
                .retryPolicy(RetryPolicy.fixed(5, Duration.ofSeconds(20)))
                .build());
        pass(70_000);
        assertThat(accounts()).containsExactly("1 WAITING");
        pass(45_000);
        client().runNow("j");
        pass(3_000);
        assertThat(accounts()).containsExactly("1 RAN");
    }

    @Test
    @DisplayName("S22: a cancelled job: what was due and had not begun is cancelled, and nothing is planned behind")
    void canceled() {
        client().scheduleJob(minutely().build());
        pass(130_000);
        client().as("ann", "over").cancelJob("j");
        pass(300_000);
        assertThat(accounts()).containsExactly("1 CANCELED", "2 CANCELED");
    }

    @Test
    @DisplayName(
            "S22: the moment of the past that a job got behind a fire that it still had to run is cancelled with it")
    void canceledBehindItsFire() {
        world.work = call -> bad();
        client().scheduleJob(minutely()
                .retryPolicy(RetryPolicy.fixed(5, Duration.ofSeconds(60)))
                .build());
        pass(61_000);
        update(edit -> edit.schedulingSpecification(null).singleSchedule(START.plusSeconds(50)));
        node("a");
        pass(10_000);
        client().cancelJob("j");
        assertThat(accounts()).containsExactly("0 CANCELED", "1 CANCELED");
    }

    @Test
    @DisplayName("S22: a run now that was lost began no fire, as the row says if its job is cancelled then")
    void lostRunNow() {
        Machine a = node("a");
        world.work = call -> endless();
        client().scheduleJob(minutely().build());
        pass(10_000);
        client().runNow("j");
        pass(10_000);
        kill(a);
        pass(45_000);
        client().cancelJob("j");
        world.writeRows();
        assertThat(world.store.rows(RowQuery.ofKey("j", 10)))
                .filteredOn(row -> row.outcome() == Outcome.ABANDONED)
                .extracting(JobExecutionStatus::manual, JobExecutionStatus::fireTime)
                .containsExactly(tuple(true, START.plusSeconds(10)));
        assertThat(accounts()).containsExactly("1 CANCELED");
    }

    @Test
    @DisplayName("S22: a fire that ran before its job was cancelled has run")
    void ranBeforeTheCancel() {
        node("a");
        world.work = call -> slow(Duration.ofSeconds(30));
        client().scheduleJob(minutely().build());
        pass(70_000);
        client().cancelJob("j");
        pass(60_000);
        assertThat(accounts()).containsExactly("1 RAN");
        assertThat(report().accounts()).extracting(FireAccount::outcome).containsExactly(Outcome.SUCCEEDED);
    }

    @ParameterizedTest
    @CsvSource({"true, NOT_KEPT", "false, RAN"})
    @DisplayName(
            "S22: a fire without a row of its good run is not kept, and not cancelled, if its job was cancelled during that")
    void silentBeforeTheCancel(boolean good, Kind kind) {
        node("a");
        world.work = call -> slow(Duration.ofSeconds(30)).thenCompose(nothing -> good ? good() : bad());
        client().scheduleJob(minutely().history(History.TROUBLE).build());
        pass(70_000);
        client().cancelJob("j");
        pass(60_000);
        assertThat(accounts()).containsExactly("1 " + kind);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.CANCELED);
        assertThat(newest("j").fireTime())
                .as("the fire has ended, and none was taken away by the cancel")
                .isNull();
    }

    @Test
    @DisplayName(
            "S22: a fire whose attempt has failed is cancelled if its job was cancelled during that, rows of good runs or not")
    void retriedBeforeTheCancel() {
        node("a");
        world.work = call -> slow(Duration.ofSeconds(30)).thenCompose(nothing -> bad());
        client().scheduleJob(minutely()
                .history(History.TROUBLE)
                .retryPolicy(RetryPolicy.fixed(5, Duration.ofHours(1)))
                .build());
        pass(70_000);
        client().cancelJob("j");
        pass(60_000);
        assertThat(accounts()).containsExactly("1 CANCELED");
        assertThat(newest("j").fireTime()).isEqualTo(minute(1));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "S22, N8: a fire without a row of its good run is not kept if its job is cancelled before what follows is planned")
    void silentAndUnplanned(boolean noted) {
        AtomicBoolean broken = new AtomicBoolean();
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.calendarReader(definition -> failing(MinuteCalendar.read(definition), broken)));
        a.scheduler().calendars().put("bank", excluding("59"));
        a.scheduler()
                .scheduleJob(
                        minutely().calendar("bank").history(History.TROUBLE).build());
        world.work = call -> slow(Duration.ofSeconds(10));
        pass(65_000);
        broken.set(true);
        pass(10_000);
        assertThat(document("j").isUnplanned()).isTrue();
        kill(a);
        if (noted) {
            Instant until = world.time.wall().plusSeconds(20);
            world.store.claim(new ClaimRequest(
                    List.of(document("j").id()), world.time.wall(), new Lease("gone", 7, until), until.plusSeconds(2)));
        }
        client().cancelJob("j");
        node("b");
        pass(40_000);
        assertThat(document("j").isLive()).isFalse();
        assertThat(newest("j").outcome()).isEqualTo(Outcome.CANCELED);
        assertThat(newest("j").fireTime()).isNull();
        // the report begins with the oldest row, which is that of the cancel unless the cancel was noted before
        assertThat(accounts()).isEqualTo(noted ? List.of("1 NOT_KEPT") : List.of());
    }

    private static ExclusionCalendar failing(ExclusionCalendar calendar, AtomicBoolean broken) {
        return new ExclusionCalendar() {
            @Override
            public boolean isIncluded(Instant instant, ZoneId jobZone) {
                if (broken.get()) {
                    throw new IllegalStateException("broken");
                }
                return calendar.isIncluded(instant, jobZone);
            }

            @Override
            public Optional<Instant> nextIncluded(Instant instant, ZoneId jobZone) {
                if (broken.get()) {
                    throw new IllegalStateException("broken");
                }
                return calendar.nextIncluded(instant, jobZone);
            }
        };
    }

    @Test
    @DisplayName(
            "S22: a one-off that is moved during its run to an earlier moment, and then cancelled, has two accounts")
    void movedBackAndCancelled() {
        node("a");
        world.work = call -> slow(Duration.ofSeconds(30));
        Instant first = START.plusSeconds(120);
        client().scheduleJob(job("j").singleSchedule(first).build());
        pass(130_000);
        client().updateJob(job("j").singleSchedule(START.plusSeconds(90)).build());
        client().cancelJob("j");
        pass(60_000);
        assertThat(report().accounts())
                .extracting(FireAccount::fireTime, FireAccount::kind)
                .containsExactly(tuple(START.plusSeconds(90), Kind.CANCELED), tuple(first, Kind.RAN));
    }

    @Test
    @DisplayName("S22: without rows of good runs, a fire that a change took during a run by hand is not one that ran")
    void takenDuringRunByHand() {
        node("a");
        world.work = call -> slow(Duration.ofSeconds(200));
        client().scheduleJob(job("j").schedulingSpecification("0 0/2 * * * ?")
                .history(History.TROUBLE)
                .build());
        pass(1_000);
        client().runNow("j");
        pass(60_000);
        update(edit -> edit.schedulingSpecification("0 0 12 * * ?"));
        pass(100_000);
        client().cancelJob("j");
        pass(60_000);
        assertThat(kinds()).doesNotContain(Kind.NOT_KEPT, Kind.UNACCOUNTED, Kind.RAN);
    }

    @Test
    @DisplayName("S22: a paused job waits for no fire that a change of its schedule took away")
    void takenWhilePaused() {
        client().scheduleJob(minutely().build());
        pass(30_000);
        client().pause(PauseScope.job("j"), new Pause("why", "who", null));
        pass(60_000);
        update(edit -> edit.schedulingSpecification("0 30 * * * ?"));
        pass(100_000);
        assertThat(accounts()).contains("1 PAUSED").doesNotContain("2 PAUSED", "3 PAUSED");
    }

    @Test
    @DisplayName("S22: the first fire of a job that fires now has an account also if it was missed")
    void missedNow() {
        client().scheduleJob(minutely().firstFire(FirstFire.NOW).build());
        pass(150_000);
        node("a");
        pass(10_000);
        assertThat(accounts()).containsExactly("0 MISSED", "1 MISSED", "2 RAN");
    }

    @Test
    @DisplayName(
            "S22: fires of a schedule that was changed under a run now wait for its end, and are cancelled with the job")
    void canceledBeforePlanned() {
        Machine a = node("a");
        world.work = call -> endless();
        client().scheduleJob(job("j").schedulingSpecification("0 0/3 * * * ?").build());
        pass(10_000);
        client().runNow("j");
        pass(10_000);
        update(edit -> edit.schedulingSpecification("0 * * * * ?"));
        client().cancelJob("j");
        kill(a);
        pass(170_000);
        node("b");
        pass(30_000);
        assertThat(accounts()).containsExactly("1 CANCELED", "2 CANCELED", "3 CANCELED");
    }

    @Test
    @DisplayName("S22: a bounded job plans nothing behind its last fire")
    void bounded() {
        node("a");
        client().scheduleJob(minutely().maxFires(2).build());
        pass(300_000);
        assertThat(accounts()).containsExactly("1 RAN", "2 RAN");
    }

    @Test
    @DisplayName("S22: a one-off: waits, ran, moved")
    void oneOff() {
        client().scheduleJob(job("j").singleSchedule(minute(1)).build());
        assertThat(accounts()).isEmpty();
        client().as("ann", "later")
                .apply(JobAction.update(edit -> edit.singleSchedule(minute(2))), JobSelection.keys("j"));
        pass(130_000);
        assertThat(accounts()).containsExactly("1 MOVED", "2 WAITING");
        node("a");
        pass(1_000);
        assertThat(accounts()).containsExactly("1 MOVED", "2 RAN");
    }

    @Test
    @DisplayName("S22: a recurrence that counts from the end of its runs")
    void afterEnd() {
        node("a");
        world.work = call -> slow(Duration.ofSeconds(10));
        client().scheduleJob(job("j").everyAfterEnd(Duration.ofSeconds(50)).build());
        pass(200_000);
        assertThat(accounts().stream().distinct()).allMatch(account -> account.endsWith(" RAN"));
        assertThat(report().accounts()).hasSizeGreaterThan(1);
        List<FireAccount> before = report().accounts();
        remove(before.get(1).fireTime());
        assertThat(report().count(Kind.UNACCOUNTED)).isEqualTo(1);
    }

    private JobSpecificationBuilder afterEnds() {
        node("a");
        return job("j").everyAfterEnd(Duration.ofMinutes(1)).retryPolicy(RetryPolicy.fixed(1, Duration.ofSeconds(20)));
    }

    private List<Kind> kinds() {
        return report().accounts().stream().map(FireAccount::kind).distinct().toList();
    }

    @Test
    @DisplayName(
            "S22: that counts from the end of its runs, and keeps no rows of good ones: a fire that was retried is not kept")
    void afterEndWithoutRows() {
        world.work = call -> world.callsOf("j").size() < 2 ? bad() : good();
        client().scheduleJob(afterEnds().history(History.TROUBLE).build());
        pass(170_000);
        assertThat(kinds()).containsExactly(Kind.NOT_KEPT, Kind.RAN);
    }

    @Test
    @DisplayName("S22: that counts from the end of its runs: a fire that a change replaces in a pause is not demanded")
    void afterEndChangedInPause() {
        client().scheduleJob(afterEnds().build());
        pass(65_000);
        client().pause(PauseScope.job("j"), new Pause("why", "who", null));
        update(edit -> edit.everyAfterEnd(Duration.ofSeconds(90)));
        pass(200_000);
        client().resume(PauseScope.job("j"));
        pass(1_000);
        assertThat(kinds()).containsExactly(Kind.RAN);
        assertThat(report().accounts()).hasSize(2);
    }

    @Test
    @DisplayName("S22: that counts from the end of its runs: a run now while a retry waits plans no fire")
    void afterEndWithRunNow() {
        world.work = call -> world.callsOf("j").size() < 2 ? bad() : good();
        client().scheduleJob(afterEnds().build());
        pass(65_000);
        client().runNow("j");
        pass(30_000);
        assertThat(kinds()).containsExactly(Kind.RAN);
    }

    @Test
    @DisplayName("S22: that counts from the end of its runs: a failure command is no fire, and plans the next one")
    void afterEndWithFailure() {
        world.work = call -> world.callsOf("j").size() < 3 ? bad() : good();
        client().scheduleJob(afterEnds()
                .failureCommand(new World.Note("sorry"))
                .failureIdentifier("sorry")
                .build());
        pass(180_000);
        assertThat(kinds()).containsExactly(Kind.RAN);
        assertThat(report().accounts()).hasSize(2);
    }

    @Test
    @DisplayName(
            "S22: that counts from the end of its runs: the first fire of a change, lost with its node, ends with a cancel")
    void afterEndLostAndCanceled() {
        Machine a = node("a");
        world.work = call -> endless();
        client().scheduleJob(minutely().build());
        pass(10_000);
        update(edit -> edit.schedulingSpecification(null).everyAfterEnd(Duration.ofMinutes(1)));
        pass(65_000);
        client().runNow("j");
        kill(a);
        world.work = call -> new CompletableFuture<>();
        node("b");
        pass(45_000);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.ABANDONED);
        client().cancelJob("j", CancelMode.INTERRUPT);
        pass(60_000);
        assertThat(newest("j").outcome()).isEqualTo(Outcome.INTERRUPTED);
        assertThat(kinds()).containsExactly(Kind.MOVED, Kind.CANCELED);
    }

    @Test
    @DisplayName("S22: a fire that was carried behind a run now is cancelled with the job, also of a former one-off")
    void carriedAndCanceled() {
        Machine a = node("a");
        world.work = call -> endless();
        client().scheduleJob(job("j").singleSchedule(minute(2)).build());
        pass(10_000);
        client().runNow("j");
        pass(10_000);
        update(edit -> edit.singleSchedule((Instant) null).schedulingSpecification("0 * * * * ?"));
        pass(50_000);
        update(edit -> edit.schedulingSpecification("0 0/5 * * * ?"));
        client().cancelJob("j");
        kill(a);
        pass(170_000);
        node("b");
        pass(30_000);
        assertThat(accounts()).contains("1 CANCELED");
        assertThat(kinds()).doesNotContain(Kind.UNACCOUNTED);
    }

    @Test
    @DisplayName("S22: of a recurrence that has become a one-off nothing is told before its first row")
    void firstRowsGone() {
        node("a");
        client().scheduleJob(minutely().build());
        pass(70_000);
        update(edit -> edit.schedulingSpecification(null).singleSchedule(minute(3)));
        pass(130_000);
        creation = false;
        assertThat(accounts()).containsExactly("1 RAN", "2 MOVED", "3 RAN");
        assertThat(report().limit()).isNotNull();
    }

    @Test
    @DisplayName("S22: a job that keeps no rows of good runs: they are not kept, failures ran")
    void trouble() {
        node("a");
        world.work = call -> call.fire().equals(minute(2)) ? bad() : good();
        client().scheduleJob(minutely().history(History.TROUBLE).build());
        pass(250_000);
        assertThat(accounts()).containsExactly("1 NOT_KEPT", "2 RAN", "3 NOT_KEPT", "4 RAN");
    }

    @Test
    @DisplayName("S22: a node that dies: the fire that it held waits, and ran on another")
    void killed() {
        Machine a = node("a");
        world.work = call -> endless();
        client().scheduleJob(minutely().build());
        pass(61_000);
        kill(a);
        world.work = call -> good();
        node("b");
        assertThat(accounts()).containsExactly("1 WAITING");
        pass(100_000);
        assertThat(accounts()).doesNotContain("1 UNACCOUNTED", "2 UNACCOUNTED").hasSize(2);
        assertThat(accounts().get(0)).isEqualTo("1 RAN");
    }

    @Test
    @DisplayName("N5 S22: rows of a recurring job reach back a hundred fires, a day at least and 35 days at most")
    void kept() {
        node("a");
        client().scheduleJob(
                        job("j").every(Duration.ofHours(2)).startAt(minute(1)).build());
        client().scheduleJob(minutely().jobSpecificationKey("k").build());
        client().scheduleJob(
                        job("l").every(Duration.ofDays(1)).startAt(minute(1)).build());
        client().scheduleJob(
                        job("m").schedulingSpecification("0/10 * 8 ? * MON").build());
        pass(70_000);
        assertThat(kept("m")).as("to the next Monday").isBetween(Duration.ofHours(167), Duration.ofDays(8));
        assertThat(kept("j")).isBetween(Duration.ofHours(202), Duration.ofHours(222));
        assertThat(kept("k")).isBetween(Duration.ofHours(24), Duration.ofHours(27));
        assertThat(kept("l")).isBetween(Duration.ofDays(36), Duration.ofDays(40));
    }

    @ParameterizedTest
    @DisplayName(
            "S22: wherever one looks, the last hundred fires are within the time for which rows are kept, of at most 35 days, and that is hardly longer")
    @CsvSource(delimiter = ';', textBlock = """
            QUARTZ; 0 */5 8-18 ? * MON-FRI
            QUARTZ; 0/10 * 9 ? * MON
            QUARTZ; * * 9,17 ? * MON,THU
            QUARTZ; 0 0/15 * * * ?
            QUARTZ; 0 0,1,2,59 * * * ?
            QUARTZ; 0 * 0-3 1-10 * ?
            QUARTZ; 0 */10 6-22 ? * MON#1
            QUARTZ; 0 * * L * ?
            QUARTZ; 0 * * ? 7 *
            QUARTZ; 0 0/5 * ? 1-11 *
            QUARTZ; 0 30 7 ? * *
            EVERY ; PT17M
            EVERY ; PT2H
            EVERY ; P1D
            RRULE ; DTSTART:20260105T080000 RRULE:FREQ=MINUTELY;BYHOUR=8,9,10;BYDAY=MO,TU,FR
            RRULE ; DTSTART:20260105T080000 RRULE:FREQ=MINUTELY;BYDAY=MO;BYHOUR=9
            RRULE ; DTSTART:20270105T080000 RRULE:FREQ=MINUTELY;UNTIL=20270107T080000
            RRULE ; DTSTART:20270105T080000 RRULE:FREQ=DAILY;UNTIL=20270115T080000
            """)
    void uneven(CronDialect dialect, String text) {
        Duration kept = new FirePlanner.Search() {}.hundredFires(
                job("j").schedulingSpecification(text).cronDialect(dialect).build());
        Schedule schedule = Schedule.parse(text, dialect, Instant.EPOCH);
        Duration longest = Duration.ofDays(1);
        Deque<Instant> hundred = new ArrayDeque<>();
        Instant end = Instant.parse("2028-02-01T00:00:00Z");
        for (Instant at = Instant.parse("2026-07-20T00:00:00Z"); at.isBefore(end); ) {
            at = schedule.next(at, ZoneOffset.UTC, DaylightSavingPolicy.RUN_ONCE)
                    .orElse(end);
            if (at.isBefore(end)) {
                hundred.add(at);
            }
            if (hundred.size() == 100) {
                Duration lasted = Duration.between(hundred.remove(), at);
                longest = lasted.compareTo(longest) > 0 ? lasted : longest;
            }
        }
        Duration left = Duration.between(hundred.getFirst(), hundred.getLast());
        longest = left.compareTo(longest) > 0 ? left : longest;
        Duration most = Duration.ofDays(35);
        Duration ample = longest.plusHours(2);
        assertThat(kept)
                .isBetween(longest.compareTo(most) > 0 ? most : longest, ample.compareTo(most) > 0 ? most : ample);
    }

    @Test
    @DisplayName("S22: rows that are kept for less than a day tell of that time, and nothing is unaccounted for")
    void keptBriefly() {
        Retention brief =
                new Retention(Duration.ofDays(1), Duration.ofDays(1), Duration.ofDays(1), Duration.ofMinutes(2));
        node("a");
        client().scheduleJob(minutely().retention(brief).build());
        pass(430_000);
        FireReport report = report();
        assertThat(report.from()).isAfter(minute(3));
        assertThat(report.limit()).isNotNull();
        assertThat(report.count(Kind.UNACCOUNTED)).isZero();
        assertThat(report.count(Kind.RAN)).isBetween(2L, 4L);
    }

    private Duration kept(String key) {
        world.writeRows();
        var row = world.store.rows(RowQuery.ofKey(key, 1)).get(0);
        assertThat(row.outcome()).isEqualTo(Outcome.SUCCEEDED);
        return Duration.between(row.updatedTime(), row.deleteTime());
    }

    @Test
    @DisplayName("S22: no job, no report")
    void unknown() {
        assertThat(client().fires("nobody", START)).isEmpty();
    }

    @Test
    @DisplayName("S22: many jobs have the reports that each has by itself, also if their rows are read in parts")
    void many() {
        node("a");
        for (String key : List.of("j", "k", "l", "m", "n", "o")) {
            client().scheduleJob(minutely()
                    .jobSpecificationKey(key)
                    .triggerIdentifier(key)
                    .build());
        }
        pass(200_000);
        world.writeRows();
        List<StoredJob> jobs = world.store.list(JobQuery.all()).jobs();
        StoredJob long_ = jobs.get(1);
        world.store.writeRows(IntStream.range(0, 3_000)
                .mapToObj(i -> long_.lastStatus().toBuilder()
                        .id(long_.id() + ":old" + i)
                        .fireTime(START.minusMillis(5 + i))
                        .updatedTime(START.minusMillis(4 + i))
                        .build())
                .toList());
        List<String> asked = new ArrayList<>();
        JobStore store = StoreHook.over(JobStore.class, world.store, (method, arguments, call) -> {
            asked.add(method);
            return call.proceed();
        });
        Scheduler scheduler = Scheduler.builder()
                .store(store)
                .time(world.time)
                .zone(ZoneOffset.UTC)
                .command("note", 1, World.Note.class)
                .build();
        Instant since = START.minusSeconds(60);
        Map<String, FireReport> together = new TreeMap<>();
        scheduler.fireReports().read(jobs, since, report -> together.put(report.jobSpecificationKey(), report));
        assertThat(asked)
                .filteredOn("rows"::equals)
                .as("one, two for the long one, and one for the rest")
                .hasSizeLessThanOrEqualTo(4);
        assertThat(together).hasSize(6);
        together.forEach((key, report) ->
                assertThat(report).isEqualTo(scheduler.fires(key, since).orElseThrow()));
        assertThat(together.get("j").count(Kind.RAN)).isEqualTo(3);
    }

    @Test
    @DisplayName(
            "S22: a fire without an account among many jobs is told of only if it has none when its job is read again")
    void again() {
        node("a");
        for (String key : List.of("j", "k")) {
            client().scheduleJob(minutely()
                    .jobSpecificationKey(key)
                    .triggerIdentifier(key)
                    .build());
        }
        pass(200_000);
        world.writeRows();
        Set<Integer> lost = new HashSet<>(Set.of(0));
        JobStore store = StoreHook.over(JobStore.class, world.store, (method, arguments, call) -> {
            Object answer = call.proceed();
            boolean first = method.equals("rows") && lost.remove(0);
            return first
                    ? ((List<?>) answer)
                            .stream()
                                    .map(JobExecutionStatus.class::cast)
                                    .filter(row -> !minute(2).equals(row.fireTime()))
                                    .toList()
                    : answer;
        });
        Scheduler scheduler = Scheduler.builder()
                .store(store)
                .time(world.time)
                .zone(ZoneOffset.UTC)
                .command("note", 1, World.Note.class)
                .build();
        List<FireReport> reports = new ArrayList<>();
        scheduler.fireReports().read(world.store.list(JobQuery.all()).jobs(), START, reports::add);
        assertThat(lost).as("a reading that lacked rows").isEmpty();
        assertThat(reports).hasSize(2).allMatch(report -> report.count(Kind.RAN) == 3);
    }

    @Test
    @DisplayName("S22: while the last fire of a bounded job is retried, no fire behind it waits")
    void lastIsRetried() {
        node("a");
        world.work = call -> call.fire().equals(minute(3)) ? bad() : good();
        client().scheduleJob(minutely()
                .maxFires(3)
                .retryPolicy(RetryPolicy.fixed(5, Duration.ofHours(1)))
                .build());
        pass(500_000);
        assertThat(accounts()).containsExactly("1 RAN", "2 RAN", "3 WAITING");
    }

    @Test
    @DisplayName(
            "S22: fires behind the last one of a bounded job wait while that has not begun: the newest takes its place")
    void lastHasNotBegun() {
        client().scheduleJob(minutely().maxFires(1).build());
        pass(190_000);
        assertThat(accounts()).containsExactly("1 WAITING", "2 WAITING", "3 WAITING");
        node("a");
        pass(10_000);
        assertThat(accounts()).containsExactly("1 MISSED", "2 MISSED", "3 RAN");
    }

    @ParameterizedTest
    @EnumSource(CrashPolicy.class)
    @DisplayName("S22, P5: a lost claim has begun the last fire, but not one that must not run twice and has no mark")
    void lastIsClaimed(CrashPolicy policy) {
        world.work = call -> endless();
        JobStore losing = losingChanges(change -> change.after().sequences().startedSeq() > 0);
        Machine a = world.node("a", losing, Duration.ZERO, builder -> builder);
        client().scheduleJob(minutely().maxFires(1).crashPolicy(policy).build());
        pass(61_000);
        assertThat(document("j").sequences().claimSeq()).isEqualTo(1);
        kill(a);
        world.work = call -> good();
        pass(130_000);
        List<String> waiting = accounts();
        node("b");
        pass(50_000);
        List<String> ended = accounts();
        if (policy == CrashPolicy.FAIL) {
            assertThat(waiting).containsExactly("1 WAITING", "2 WAITING", "3 WAITING");
            assertThat(ended).containsExactly("1 MISSED", "2 MISSED", "3 RAN");
        } else {
            assertThat(waiting).containsExactly("1 WAITING");
            assertThat(ended).containsExactly("1 RAN");
        }
    }
}
