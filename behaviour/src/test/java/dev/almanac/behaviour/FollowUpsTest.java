package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.behaviour.World.Note;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.CancelResult;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.Explanation;
import dev.almanac.model.FieldChange;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.Problem;
import dev.almanac.model.Retention;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.NewJob;
import dev.almanac.store.Phase;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.store.WriteRefusedException;
import dev.almanac.time.CalendarReader;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that follow the end of a run. The verdict comes first, then the follow-ups, then the job moves on. */
class FollowUpsTest extends LifecycleFixture {
    private static final Instant FIRE = START.plusSeconds(60);
    private static final CalendarReader NEVER = definition -> ExclusionCalendar.allOf(List.of());
    private static final String EACH_MINUTE = "0 * * * * ?";

    private static JobSpecification now(String key) {
        return JobSpecification.now(key, new Note(key));
    }

    private static JobSpecificationBuilder once(String key) {
        return job(key).singleSchedule(FIRE);
    }

    private long live(String key) {
        return world.store.find(key, dev.almanac.model.FindScope.LIVE).stream().count();
    }

    private List<String> ran() {
        return world.calls.stream().map(Call::job).toList();
    }

    /** A node on whose way to the store chosen calls meet something. */
    private Machine hooked(String name, StoreHook hook) {
        return world.node(name, StoreHook.over(world.store, hook), Duration.ZERO, builder -> builder);
    }

    /** A node that is cut off from the store whenever it stores a follow-up. */
    private Machine withoutFollowUps(String name) {
        return world.node(name, cutOffFollowUps(), Duration.ZERO, builder -> builder);
    }

    private JobStore cutOffFollowUps() {
        return StoreHook.over(world.store, (method, arguments, call) -> {
            if (isFollowUp(method, arguments)) {
                throw cut();
            }
            return call.proceed();
        });
    }

    private static boolean isFollowUp(String method, Object[] arguments) {
        return method.equals("insert")
                && ((List<?>) arguments[0])
                        .stream()
                                .anyMatch(job -> ((NewJob) job)
                                        .job()
                                        .specification()
                                        .followUpOf()
                                        .isPresent());
    }

    private static boolean isCompletion(String method, Object[] arguments) {
        return method.equals("write")
                && ((List<?>) arguments[0])
                        .stream()
                                .map(JobChange.class::cast)
                                .anyMatch(change -> change.before().phase() == Phase.FOLLOW);
    }

    private static StoreException cut() {
        return new StoreException("the connection is gone", new IllegalStateException());
    }

    @Test
    @DisplayName("L85 after a successful run each of its follow-ups is stored once, and those of a failure are not")
    void goodRun() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(once("pay")
                        .onSuccess(
                                now("mail {key}"),
                                job("later {claim}")
                                        .singleSchedule(FIRE.plusSeconds(600))
                                        .build())
                        .onFailure(now("alarm"))
                        .build());
        assertThat(a.scheduler().previewFireTimes("pay", START, 5)).hasSize(1);
        pass(59_000);
        assertThat(live("mail pay")).isZero();
        pass(2_000);
        assertThat(ran()).containsExactly("pay", "mail pay");
        assertRows("pay", "SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertFinished("pay");
        assertThat(document("mail pay").specification().followUpOf()).contains("pay");
        assertThat(document("mail pay").specification().jobRequestor()).isEqualTo("tests");
        assertThat(rows("mail pay").get(0).detail()).isEqualTo("scheduled as a follow-up of job 'pay'");
        assertThat(document("later 1").due()).isEqualTo(FIRE.plusSeconds(600));
        assertThat(live("alarm")).isZero();
        pass(600_000);
        assertThat(ran()).containsExactly("pay", "mail pay", "later 1");
    }

    @Test
    @DisplayName("L85 each fire of a recurrence has follow-ups of its own, a manual run too")
    void eachFire() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("r").schedulingSpecification(EACH_MINUTE)
                        .endAt(START.plusSeconds(125))
                        .onSuccess(now("{key} {fireTime}"))
                        .build());
        pass(70_000);
        a.scheduler().runNow("r");
        pass(60_000);
        List<String> followed = ran().stream().filter(key -> !key.equals("r")).toList();
        assertThat(followed).hasSize(3).doesNotHaveDuplicates();
        assertThat(followed).contains("r " + START.plusSeconds(60), "r " + START.plusSeconds(120));
    }

    @Test
    @DisplayName(
            "L91 onFailure once per fire, when it has failed for good; beside the failure command; not on a cancel")
    void failure() {
        Machine a = world.node("a");
        world.work = call -> call.job().startsWith("bad") ? bad() : good();
        a.scheduler()
                .scheduleJob(once("bad")
                        .retryPolicy("R1/PT1M")
                        .failureCommand(new Note("sorry"))
                        .failureIdentifier("f")
                        .onSuccess(now("party"))
                        .onFailure(now("alarm"))
                        .build());
        a.scheduler()
                .scheduleJob(once("bad and cancelled")
                        .retryPolicy("R1/PT1M")
                        .onFailure(now("nothing"))
                        .build());
        pass(62_000);
        assertThat(live("alarm")).as("a retry is left").isZero();
        assertThat(a.scheduler().cancelJob("bad and cancelled")).isEqualTo(CancelResult.CANCELED);
        pass(120_000);
        assertThat(ran()).containsOnlyOnce("alarm").doesNotContain("party", "nothing");
        assertThat(rows("bad"))
                .extracting(JobExecutionStatus::outcome)
                .startsWith(Outcome.NONE, Outcome.ATTEMPT_FAILED, Outcome.RETRIES_EXHAUSTED);
    }

    @Test
    @DisplayName("L91 what fails for good without a run has its follow-ups, too: crashed, and expired")
    void withoutRun() {
        Machine a = world.node("a");
        world.work = call -> call.job().equals("crash") ? endless() : good();
        a.scheduler()
                .scheduleJob(once("crash")
                        .crashPolicy(CrashPolicy.FAIL)
                        .onFailure(now("{key} alarm"))
                        .build());
        pass(61_000);
        a.scheduler()
                .scheduleJob(job("late")
                        .singleSchedule(START.plusSeconds(100))
                        .endAt(START.plusSeconds(110))
                        .onFailure(now("{key} alarm"))
                        .build());
        kill(a);
        pass(120_000);
        world.node("b");
        pass(60_000);
        assertThat(ran()).containsOnlyOnce("crash", "crash alarm", "late alarm").doesNotContain("late");
        assertRows("crash", "SCHEDULED/NONE", "SCHEDULED/ABANDONED", "FAILED/CRASHED");
        assertRows("late", "SCHEDULED/NONE", "FAILED/EXPIRED");
    }

    @Test
    @DisplayName(
            "L86 16: when a follow-up is stored, the verdict is durable under the lease, and the job has not moved on")
    void verdictFirst() {
        List<StoredJob> seen = new ArrayList<>();
        Machine a = hooked("a", (method, arguments, call) -> {
            if (isFollowUp(method, arguments)) {
                seen.add(document("pay"));
            }
            return call.proceed();
        });
        a.scheduler().scheduleJob(once("pay").onSuccess(now("mail")).build());
        pass(61_000);
        assertThat(seen).hasSize(1).allSatisfy(job -> {
            assertThat(job.phase()).isEqualTo(Phase.FOLLOW);
            assertThat(job.lease()).isNotNull();
            assertThat(job.verdict()).isNotNull();
            assertThat(job.verdict().outcome()).isEqualTo(Outcome.SUCCEEDED);
            assertThat(job.verdict().claimSeq()).isEqualTo(1);
            assertThat(job.isLive()).isTrue();
        });
        assertThat(document("pay").verdict()).isNull();
        assertThat(document("pay").phase()).isEqualTo(Phase.RUN);
        assertThat(world.store.load(List.of(document("mail").id()))).hasSize(1);
    }

    @Test
    @DisplayName(
            "L87 a node that dies after the verdict: its successor stores the follow-ups and never runs the job again")
    void diesBeforeInsert() {
        Machine a = withoutFollowUps("a");
        a.scheduler()
                .scheduleJob(job("r").schedulingSpecification(EACH_MINUTE)
                        .maxFires(2)
                        .onSuccess(now("{key} {claim}"))
                        .build());
        pass(61_000);
        kill(a);
        assertThat(document("r").phase()).isEqualTo(Phase.FOLLOW);
        Machine b = world.node("b");
        Explanation why = b.scheduler().explainJob("r");
        assertThat(why.reasons())
                .anySatisfy(reason -> assertThat(reason.text()).contains("its run has ended as SUCCEEDED"));
        pass(30_000);
        assertThat(ran()).containsExactly("r", "r 1");
        assertRows("r", "SCHEDULED/NONE", "SCHEDULED/SUCCEEDED");
        assertThat(document("r").plan().nextFireTime()).isEqualTo(START.plusSeconds(120));
        pass(60_000);
        assertThat(ran()).hasSize(4).containsOnlyOnce("r 1").contains("r 3");
        assertFinished("r");
    }

    @Test
    @DisplayName("L87 a node that dies after the insert: the follow-up is there, finished or not, and is stored once")
    void diesAfterInsert() {
        boolean[] alive = {true};
        Machine a = hooked("a", (method, arguments, call) -> {
            if (alive[0] && isCompletion(method, arguments)) {
                throw cut();
            }
            return call.proceed();
        });
        Retention none = new Retention(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        a.scheduler()
                .scheduleJob(once("pay")
                        .onSuccess(now("mail").toBuilder().retention(none).build())
                        .build());
        pass(65_000);
        assertThat(ran()).containsExactly("pay", "mail");
        assertThat(document("mail").isLive()).isFalse();
        Instant end = document("mail").lastStatus().updatedTime();
        assertThat(document("mail").specification().deleteTime().orElseThrow())
                .isAfterOrEqualTo(end.plus(Duration.ofDays(1)));
        kill(a);
        world.node("b");
        pass(60_000);
        assertThat(ran()).containsExactly("pay", "mail");
        assertRows("pay", "SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertFinished("pay");
        assertFinished("mail");
    }

    @Test
    @DisplayName("L87 an insert that arrives when all is over changes nothing")
    void lateInsert() {
        List<Object> late = new ArrayList<>();
        Machine a = hooked("a", (method, arguments, call) -> {
            if (isFollowUp(method, arguments)) {
                late.add(arguments[0]);
                throw cut();
            }
            return call.proceed();
        });
        a.scheduler().scheduleJob(once("pay").onSuccess(now("mail")).build());
        pass(61_000);
        kill(a);
        world.node("b");
        pass(60_000);
        assertThat(ran()).containsExactly("pay", "mail");
        @SuppressWarnings("unchecked")
        List<NewJob> sent = (List<NewJob>) late.get(0);
        world.store.insert(sent);
        pass(60_000);
        assertThat(ran()).containsExactly("pay", "mail");
        assertThat(live("mail")).isZero();
    }

    @Test
    @DisplayName("L86 16: a reply that is lost is asked for again; the follow-up is stored once")
    void lostReply() {
        int[] lost = {2};
        Machine a = hooked("a", (method, arguments, call) -> {
            Object answer = call.proceed();
            if ((isFollowUp(method, arguments) || isCompletion(method, arguments)) && lost[0]-- > 0) {
                throw cut();
            }
            return answer;
        });
        a.scheduler().scheduleJob(once("pay").onSuccess(now("mail")).build());
        pass(70_000);
        assertThat(ran()).containsExactly("pay", "mail");
        assertRows("pay", "SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName(
            "L92 a key that is taken, too long or a job that is refused gives a row each, and the others are stored")
    void refused() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(
                        job("taken").singleSchedule(START.plusSeconds(9_999)).build());
        String long255 = "x".repeat(255);
        a.scheduler()
                .scheduleJob(job("r").schedulingSpecification(EACH_MINUTE)
                        .onSuccess(now("taken"), now(long255 + "{claim}"), now("mail"))
                        .build());
        pass(61_000);
        assertThat(ran()).containsExactlyInAnyOrder("r", long255 + "1", "mail");
        assertRows("r", "SCHEDULED/NONE", "SCHEDULED/FOLLOW_UP_REFUSED", "SCHEDULED/SUCCEEDED");
        assertThat(rows("r").get(1).detail()).contains("'taken'").contains("a live job has that key");
        pass(600_000);
        assertThat(rows("r"))
                .filteredOn(row -> row.outcome() == Outcome.FOLLOW_UP_REFUSED)
                .anySatisfy(row -> assertThat(row.detail()).contains("longer than 256"))
                .allSatisfy(row -> assertThat(row.deleteTime()).isNotNull());
        assertThat(document("r").isLive()).isTrue();
    }

    /** Of a status collection that takes no row of a follow-up, neither with its document nor later. */
    private Machine withoutRowsOfFollowUps(String name, StoreException reason) {
        return hooked(name, (method, arguments, call) -> {
            if (isFollowUp(method, arguments)) {
                List<NewJob> given = ((List<?>) arguments[0])
                        .stream().map(NewJob.class::cast).toList();
                List<Boolean> stored = world.store.insert(
                        given.stream().map(NewJob::withoutRow).toList());
                if (given.stream().anyMatch(job -> job.row() != null)) {
                    throw reason;
                }
                return stored;
            }
            if (method.equals("writeRows")
                    && ((List<?>) arguments[0])
                            .stream()
                                    .map(row -> ((JobExecutionStatus) row).detail())
                                    .anyMatch("scheduled as a follow-up of job 'pay'"::equals)) {
                throw reason;
            }
            return call.proceed();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("L85 N2: a row of a follow-up that the server refuses, or does not answer for, is no refusal of the"
            + " follow-up, and holds up neither the end of the run nor what follows it")
    void rowsAreNotTaken(boolean refused) {
        Machine a = withoutRowsOfFollowUps(
                "a",
                refused
                        ? new WriteRefusedException("a validator refuses it", new IllegalStateException("planned"))
                        : cut());
        JobSpecification[] next =
                IntStream.range(0, 8).mapToObj(i -> now("mail " + i)).toArray(JobSpecification[]::new);
        a.scheduler().scheduleJob(once("pay").onSuccess(next).build());
        pass(62_000);
        assertThat(ran()).hasSize(9).doesNotHaveDuplicates();
        assertFinished("pay");
        assertThat(document("pay").lastStatus().outcome()).isEqualTo(Outcome.SUCCEEDED);
        pass(600_000);
        assertRows("pay", "SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(ran()).as("once each").hasSize(9);
    }

    /** A node that knows the calendar {@code bank}. */
    private Machine withBank(String name) {
        return world.node(
                name,
                world.store,
                Duration.ZERO,
                builder -> builder.calendar("bank", MinuteCalendar.read(MinuteCalendar.excluding("59"))));
    }

    /** One that runs nothing. */
    private Scheduler userWithBank() {
        Scheduler user = withBank("user").scheduler();
        user.beginDrain(Duration.ofSeconds(1));
        world.pass(Duration.ofSeconds(2));
        return user;
    }

    @Test
    @DisplayName(
            "X6, L92: a node that does not know the calendar of a follow-up leaves it to one that does; none is refused")
    void calendarOfAnother() {
        Machine old = world.node("old");
        userWithBank()
                .scheduleJob(once("r")
                        .onSuccess(
                                JobSpecification.recurring("daily", "0 0 9 * * ?", ZoneOffset.UTC, new Note("daily"))
                                        .toBuilder()
                                        .calendar("bank")
                                        .build(),
                                now("mail").toBuilder().calendar("bank").build(),
                                now("plain"))
                        .build());
        pass(600_000);
        assertThat(ran()).containsExactly("r", "plain");
        assertThat(document("r").phase()).isEqualTo(Phase.FOLLOW);
        withBank("new");
        pass(120_000);
        assertThat(ran()).containsExactly("r", "plain", "mail");
        assertThat(live("daily")).isOne();
        assertRows("r", "SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(old.events()).noneMatch(SchedulerEvent.JobBlocked.class::isInstance);
    }

    @Test
    @DisplayName("X6, L92: a follow-up is stored where the calendar of what follows it in turn is not known")
    void calendarOfTheNextOne() {
        world.node("old");
        JobSpecification every = JobSpecification.recurring("every", "0 * * * * ?", ZoneOffset.UTC, new Note("every"));
        userWithBank()
                .scheduleJob(once("r")
                        .onSuccess(every.toBuilder()
                                .onSuccess(
                                        now("mail").toBuilder().calendar("bank").build())
                                .build())
                        .build());
        pass(120_000);
        assertRows("r", "SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(ran()).containsExactly("r", "every");
        withBank("new");
        pass(120_000);
        assertThat(ran()).startsWith("r", "every", "mail");
    }

    @Test
    @DisplayName("S18, C5: a failed job is run again from where the declared calendar of its follow-up is not known")
    void rerunOfAnother() {
        Machine a = withBank("a");
        world.work =
                call -> call.job().equals("bad r") && call.attempt() == 1 && world.calls.size() < 2 ? bad() : good();
        a.scheduler()
                .scheduleJob(once("bad r")
                        .onSuccess(now("mail").toBuilder().calendar("bank").build())
                        .build());
        pass(60_000);
        assertThat(ran()).containsExactly("bad r");
        assertThat(world.idleNode("user").scheduler().apply(JobAction.rerun(), JobSelection.keys("bad r")))
                .satisfies(result -> assertThat(result.toString()).doesNotContain("deleted"));
        pass(60_000);
        assertThat(ran()).containsExactly("bad r", "bad r", "mail");
    }

    @Test
    @DisplayName("X6, L92: a follow-up whose calendar no node knows within an hour is refused, and its job goes on")
    void calendarOfNone() {
        world.node("a");
        userWithBank()
                .scheduleJob(once("r")
                        .onSuccess(now("mail").toBuilder().calendar("bank").build(), now("plain"))
                        .build());
        pass(3_500_000);
        assertThat(document("r").phase()).isEqualTo(Phase.FOLLOW);
        pass(300_000);
        assertThat(ran()).containsExactly("r", "plain");
        assertRows("r", "SCHEDULED/NONE", "SCHEDULED/FOLLOW_UP_REFUSED", "TRIGGERED/SUCCEEDED");
        assertThat(rows("r").get(1).detail()).contains("'mail'").contains("does not know its calendars [bank]");
        assertFinished("r");
    }

    /** A calendar of the service that asks something that may fail. */
    private static ExclusionCalendar failing(AtomicReference<RuntimeException> failure) {
        return new ExclusionCalendar() {
            @Override
            public boolean isIncluded(Instant instant, ZoneId jobZone) {
                return nextIncluded(instant, jobZone).isPresent();
            }

            @Override
            public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone) {
                if (failure.get() != null) {
                    throw failure.get();
                }
                return Optional.of(from);
            }
        };
    }

    /** A job whose end is on record, with two follow-ups that are not stored; one needs the calendar {@code bank}. */
    private void owing() {
        Machine a = withoutFollowUps("a");
        userWithBank()
                .scheduleJob(once("r")
                        .onSuccess(now("mail").toBuilder().calendar("bank").build(), now("plain"))
                        .build());
        pass(61_000);
        kill(a);
        assertThat(document("r").phase()).isEqualTo(Phase.FOLLOW);
    }

    @Test
    @DisplayName("N8, L92: claims that were released for want of a calendar are no tries to store a follow-up")
    void releasesAreNoTries() {
        owing();
        world.node("old");
        world.node("older");
        pass(600_000);
        assertThat(ran()).containsExactly("r");
        assertThat(document("r").sequences().claimSeq()).isGreaterThan(10);
        AtomicReference<RuntimeException> failure = new AtomicReference<>(new IllegalStateException("not read yet"));
        world.node("new", world.store, Duration.ZERO, builder -> builder.calendar("bank", failing(failure)));
        pass(60_000);
        assertThat(document("r").phase()).as("one node has tried once").isEqualTo(Phase.FOLLOW);
        failure.set(null);
        pass(120_000);
        assertThat(ran()).containsExactly("r", "plain", "mail");
        assertRows("r", "SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("N8: after as many claims as abandonedLimit that could not store a follow-up it is refused")
    void triesAreCounted() {
        owing();
        AtomicReference<RuntimeException> failure = new AtomicReference<>(new IllegalStateException("never read"));
        world.node("new", world.store, Duration.ZERO, builder -> builder.calendar("bank", failing(failure)));
        pass(600_000);
        assertThat(ran()).containsExactly("r", "plain");
        assertRows("r", "SCHEDULED/NONE", "SCHEDULED/FOLLOW_UP_REFUSED", "TRIGGERED/SUCCEEDED");
        assertThat(rows("r").get(1).detail()).contains("never read").contains("not all of its follow-ups");
    }

    @Test
    @DisplayName("N8: crashes of the run are no tries to store its follow-ups")
    void crashesAreNoTries() {
        for (int crash = 0; crash < 4; crash++) {
            world.work = call -> slow(Duration.ofHours(1));
            if (crash == 0) {
                userWithBank()
                        .scheduleJob(once("r")
                                .onSuccess(
                                        now("mail").toBuilder().calendar("bank").build())
                                .build());
            }
            Machine dies = world.node("dies" + crash);
            pass(crash == 0 ? 61_000 : 120_000);
            kill(dies);
        }
        pass(120_000);
        world.work = call -> good();
        AtomicReference<RuntimeException> failure = new AtomicReference<>(new IllegalStateException("not read yet"));
        world.node("new", world.store, Duration.ZERO, builder -> builder.calendar("bank", failing(failure)));
        pass(90_000);
        assertThat(document("r").phase()).isEqualTo(Phase.FOLLOW);
        failure.set(null);
        pass(180_000);
        assertThat(newest("r").outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(ran()).endsWith("mail");
    }

    @Test
    @DisplayName("N8: the claim that records the end of a lost run has not tried to store its follow-ups before")
    void lostRunIsNoTry() {
        Machine dies = world.node("dies");
        world.work = call -> endless();
        userWithBank()
                .scheduleJob(once("r")
                        .onFailure(now("mail").toBuilder().calendar("bank").build())
                        .build());
        pass(61_000);
        kill(dies);
        AtomicReference<RuntimeException> failure = new AtomicReference<>(new IllegalStateException("not read yet"));
        world.work = call -> good();
        world.node(
                "new",
                world.store,
                Duration.ZERO,
                builder -> builder.calendar("bank", failing(failure))
                        .settings(SchedulerSettings.builder().abandonedLimit(1).build()));
        for (int second = 0; document("r").phase() != Phase.FOLLOW; second++) {
            assertThat(second).isLessThan(200);
            pass(1_000);
        }
        pass(10_000);
        assertThat(document("r").phase()).as("after the tries of one claim").isEqualTo(Phase.FOLLOW);
        failure.set(null);
        pass(180_000);
        assertThat(ran()).containsExactly("r", "mail");
        assertThat(newest("r").outcome()).isEqualTo(Outcome.ABANDONED);
    }

    @Test
    @DisplayName("X6: which exception a calendar throws is no refusal of a follow-up, nor a problem of the policy")
    void calendarThrows() {
        owing();
        AtomicReference<RuntimeException> failure = new AtomicReference<>(new NumberFormatException("For input: 'x'"));
        Machine able =
                world.node("new", world.store, Duration.ZERO, builder -> builder.calendar("bank", failing(failure)));
        pass(60_000);
        assertThat(document("r").phase()).isEqualTo(Phase.FOLLOW);
        assertThatThrownBy(() -> able.scheduler()
                        .scheduleJob(now("other").toBuilder().calendar("bank").build()))
                .isSameAs(failure.get());
        failure.set(null);
        pass(120_000);
        assertThat(ran()).containsExactly("r", "plain", "mail");
        assertRows("r", "SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("L87: a follow-up that takes the place of one that was stored already is stored, too")
    void placesMoved() {
        boolean[] alive = {true};
        Machine a = hooked("a", (method, arguments, call) -> {
            if (isFollowUp(method, arguments)) {
                if (!alive[0]) {
                    throw cut();
                }
                alive[0] = false;
            }
            return call.proceed();
        });
        a.scheduler()
                .scheduleJob(once("r").onSuccess(now("first"), now("second")).build());
        pass(61_000);
        kill(a);
        assertThat(document("r").phase()).isEqualTo(Phase.FOLLOW);
        world.idleNode("user")
                .scheduler()
                .updateJob(document("r").specification().toBuilder()
                        .version(0)
                        .onSuccess(now("second"))
                        .build());
        world.node("b");
        pass(60_000);
        assertThat(ran()).containsExactlyInAnyOrder("r", "first", "second");
        assertFinished("r");
    }

    @Test
    @DisplayName(
            "C5: a calendar is not deleted while a follow-up needs it that a run owes, also if the job has others by now")
    void calendarOfOwed() {
        Machine a = world.node("a", cutOffFollowUps(), Duration.ZERO, builder -> builder.calendarReader(NEVER));
        a.scheduler().calendars().put("c", Map.of("kind", "never"));
        a.scheduler()
                .scheduleJob(once("r")
                        .onSuccess(now("mail").toBuilder().calendar("c").build())
                        .build());
        pass(61_000);
        kill(a);
        assertThat(document("r").phase()).isEqualTo(Phase.FOLLOW);
        Scheduler user = world.client(builder -> builder.calendarReader(NEVER));
        user.updateJob(document("r").specification().toBuilder()
                .version(0)
                .onSuccess(List.of())
                .build());
        assertThat(document("r").followUpCalendars()).containsExactly("c");
        assertThatThrownBy(() -> user.calendars().delete("c"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is used by job 'r'");
        world.node("b", world.store, Duration.ZERO, builder -> builder.calendarReader(NEVER));
        pass(60_000);
        assertThat(ran()).containsExactly("r", "mail");
        assertThat(user.calendars().delete("c"))
                .as("as soon as it is stored and over")
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    @DisplayName(
            "N8: the follow-ups of a run are those of its end; a change after that, and a second one, are for the next run")
    void changedAfterVerdict(int changes) {
        Machine a = withoutFollowUps("a");
        a.scheduler()
                .scheduleJob(job("r").schedulingSpecification(EACH_MINUTE)
                        .onSuccess(now("mail {claim}"))
                        .build());
        pass(61_000);
        kill(a);
        assertThat(document("r").phase()).isEqualTo(Phase.FOLLOW);
        Machine user = world.idleNode("user");
        List<List<JobSpecification>> lists = List.of(List.of(), List.of(now("letter {claim}")));
        for (List<JobSpecification> list : lists.subList(0, changes)) {
            user.scheduler()
                    .updateJob(document("r").specification().toBuilder()
                            .version(0)
                            .onSuccess(list)
                            .build());
        }
        world.node("b");
        pass(50_000);
        assertThat(ran()).containsOnlyOnce("mail 1").doesNotContain("letter 1");
        assertThat(document("r").followUps()).as("none is owed any more").isEmpty();
        pass(60_000);
        String claim = " " + document("r").sequences().claimSeq();
        assertThat(ran()).containsOnlyOnce("mail 1").doesNotContain("letter 1");
        assertThat(ran().contains("letter" + claim)).as("of the next run").isEqualTo(changes == 2);
        assertThat(ran().contains("mail" + claim)).as("of the next run").isEqualTo(changes == 0);
    }

    @Test
    @DisplayName("L86 P4: a job that is changed between verdict and completion goes on as it is now")
    void changedBetween() {
        Machine user = world.idleNode("user");
        changedAtInsert(() -> user.scheduler()
                .updateJob(user.scheduler().findJobById("r").orElseThrow().specification().toBuilder()
                        .priority(1)
                        .build()));
        assertRows("r", "SCHEDULED/NONE", "SCHEDULED/NONE", "SCHEDULED/SUCCEEDED");
        assertThat(document("r").specification().priority()).isEqualTo(1);
        assertThat(document("r").plan().nextFireTime()).isEqualTo(START.plusSeconds(120));
    }

    @Test
    @DisplayName(
            "L86 P4: a verdict whose reply is lost, and a user's change before it is asked for again: still they come")
    void changedBehindTheVerdict() {
        boolean[] first = {true};
        Machine user = world.idleNode("user");
        Machine a = hooked("a", (method, arguments, call) -> {
            Object answer = call.proceed();
            if (first[0] && isVerdict(method, arguments)) {
                first[0] = false;
                user.scheduler().pause(PauseScope.job("r"), new Pause("tests", "tests", null));
                throw cut();
            }
            return answer;
        });
        a.scheduler()
                .scheduleJob(job("r").schedulingSpecification(EACH_MINUTE)
                        .onSuccess(now("{key} {claim}"))
                        .build());
        pass(65_000);
        assertThat(ran()).containsExactly("r", "r 1");
        assertRows("r", "SCHEDULED/NONE", "SCHEDULED/PAUSED", "SCHEDULED/SUCCEEDED");
        assertThat(document("r").due()).isNull();
    }

    private static boolean isVerdict(String method, Object[] arguments) {
        return method.equals("write")
                && ((List<?>) arguments[0])
                        .stream()
                                .map(JobChange.class::cast)
                                .anyMatch(change -> change.before().phase() == Phase.RUN
                                        && change.after().phase() == Phase.FOLLOW);
    }

    private void changedAtInsert(Runnable change) {
        boolean[] first = {true};
        Machine a = hooked("a", (method, arguments, call) -> {
            if (isFollowUp(method, arguments) && first[0]) {
                first[0] = false;
                change.run();
            }
            return call.proceed();
        });
        a.scheduler()
                .scheduleJob(job("r").schedulingSpecification(EACH_MINUTE)
                        .onSuccess(now("{key} {claim}"))
                        .build());
        pass(62_000);
        assertThat(ran()).containsExactly("r", "r 1");
    }

    @Test
    @DisplayName("L88 a cancel after the verdict is noted, lease or not: the follow-ups come, then the job ends")
    void canceled() {
        Machine a = withoutFollowUps("a");
        a.scheduler()
                .scheduleJob(job("r").schedulingSpecification(EACH_MINUTE)
                        .onSuccess(now("mail"))
                        .build());
        pass(61_000);
        kill(a);
        pass(120_000);
        assertThat(document("r").phase()).isEqualTo(Phase.FOLLOW);
        Machine b = world.node("b", world.store, Duration.ZERO, builder -> builder);
        assertThat(b.scheduler().cancelJob("r")).isEqualTo(CancelResult.ALREADY_RUNNING);
        pass(10_000);
        assertThat(ran()).containsExactly("r", "mail");
        assertThat(rows("r"))
                .extracting(JobExecutionStatus::outcome)
                .containsExactly(Outcome.NONE, Outcome.NONE, Outcome.SUCCEEDED, Outcome.CANCELED);
        assertFinished("r");
    }

    @Test
    @DisplayName(
            "L89 X6: a node that cannot make the plan stores the follow-ups and the row; another one moves the job on")
    void plannedElsewhere() {
        Machine a = world.node("a");
        world.work = call -> call.job().equals("r") ? slow(Duration.ofSeconds(5)) : good();
        JobSpecificationBuilder r =
                job("r").schedulingSpecification(EACH_MINUTE).onSuccess(now("{key} {claim}"));
        a.scheduler().scheduleJob(r.build());
        pass(61_000);
        Machine author = world.node(
                "author",
                world.store,
                Duration.ZERO,
                builder -> World.idle(builder).calendar("c", closedUntil(START)));
        author.scheduler().scheduleJob(r.calendar("c").build());
        pass(10_000);
        assertThat(ran()).containsExactly("r", "r 1");
        assertThat(newest("r").outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertThat(document("r").isUnplanned()).isTrue();
        assertThat(document("r").due()).isNotNull();
        world.node("able", world.store, Duration.ZERO, builder -> builder.calendar("c", closedUntil(START)));
        pass(5_000);
        assertThat(ran()).as("what is on record is not run again").containsExactly("r", "r 1");
        assertThat(document("r").plan().nextFireTime()).isEqualTo(START.plusSeconds(120));
        assertThat(document("r").isUnplanned()).isFalse();
    }

    @Test
    @DisplayName("16: follow-ups may have follow-ups, and each says which job it follows")
    void chain() {
        Machine a = world.node("a");
        JobSpecification third = now("{key}.3");
        JobSpecification second = now("{key}.2").toBuilder().onSuccess(third).build();
        a.scheduler().scheduleJob(once("1").onSuccess(second).build());
        pass(62_000);
        assertThat(ran()).containsExactly("1", "1.2", "1.2.3");
        assertThat(document("1.2.3").specification().followUpOf()).contains("1.2");
        assertThat(a.scheduler().explainJob("1").headline()).contains("has finished");
    }

    @Test
    @DisplayName("16: an equal job with follow-ups changes nothing, another follow-up does, and explain shows them")
    void equal() {
        Machine a = world.node("a");
        JobSpecification given = once("pay")
                .onSuccess(
                        now("mail {key}"),
                        job("x").everyAfterEnd(Duration.ofMinutes(1))
                                .maxFires(1)
                                .build())
                .onFailure(now("alarm"))
                .build();
        a.scheduler().scheduleJob(given);
        assertThat(a.scheduler().scheduleJob(given).specification().version()).isEqualTo(1);
        assertThat(document("pay").specification().onSuccess()).hasSize(2);
        assertThat(a.scheduler().explainJob("pay").reasons())
                .anySatisfy(reason -> assertThat(reason.text())
                        .isEqualTo(
                                "is followed by 'mail {key}', 'x' after a successful run; is followed by 'alarm' when a"
                                        + " fire has failed for good"));
        a.scheduler().scheduleJob(given.toBuilder().onFailure(List.of()).build());
        assertThat(document("pay").specification().version()).isEqualTo(2);
        assertThat(newest("pay").changes()).containsExactly(FieldChange.hidden("onFailure"));
        pass(125_000);
        assertThat(ran()).as("a delay that ends after its first fire").containsExactly("pay", "mail pay", "x");
    }

    private static JobSpecification deep(int steps) {
        JobSpecificationBuilder job = now("{key}x").toBuilder();
        return steps == 1 ? job.build() : job.onSuccess(deep(steps - 1)).build();
    }

    /** With more than half of what is allowed. */
    private static JobSpecification large(String key) {
        return JobSpecification.now(key, new EncodedCommand("note", 1, Map.of("text", "x".repeat(600_000))));
    }

    private record Stranger() implements SchedulingCommand {}

    @Test
    @DisplayName(
            "16: circles, chains of more than five, unknown templates and wrong jobs are refused when they are given")
    void wrong() {
        Machine a = world.node("a");
        assertThat(problems(a, deep(6))).anyMatch(p -> p.contains("follows by more than 5 steps"));
        assertThat(problems(a, now("j")))
                .anyMatch(p -> p.startsWith("onSuccess[0].jobSpecificationKey 'j' is that of"));
        assertThat(problems(a, now("k").toBuilder().onFailure(now("j")).build()))
                .anyMatch(p -> p.startsWith("onSuccess[0].onFailure[0].jobSpecificationKey 'j' is that of"));
        assertThat(problems(a, now("{kez}"))).anyMatch(p -> p.contains("'{kez}' is not known"));
        assertThat(problems(a, now("k").toBuilder().applicationTag("app").build()))
                .anyMatch(p -> p.contains("reconcile would cancel it"));
        assertThat(problems(a, JobSpecification.now("k", new Stranger())))
                .anyMatch(p -> p.startsWith("onSuccess[0].triggerCommand"));
        assertThat(problems(a, job("k").build())).anyMatch(p -> p.startsWith("onSuccess[0].schedulingSpecification"));
        assertThat(problems(
                        a,
                        job("k").zoneId("Europe/Brusels")
                                .schedulingSpecification(EACH_MINUTE)
                                .build()))
                .as("the zone of its job takes no place of one that is wrong")
                .anyMatch(p -> p.startsWith("onSuccess[0].zoneId 'Europe/Brusels' is not known"));
        assertThat(problems(a, job("k").schedulingSpecification("0 0 0 30 2 ?").build()))
                .anyMatch(p -> p.contains("can never fire"));
        assertThat(problems(a, now("x".repeat(256) + "{key}"))).anyMatch(p -> p.contains("longer than 256"));
        assertThat(problems(
                        a, IntStream.range(0, 101).mapToObj(i -> now("k" + i)).toArray(JobSpecification[]::new)))
                .anyMatch(p -> p.contains("more than 100 follow-ups"));
        assertThat(problems(a, large("k"), large("l"))).anyMatch(p -> p.contains("have bodies and tags of 12"));
        a.scheduler().scheduleJob(once("j").onSuccess(deep(5)).build());
    }

    private static List<String> problems(Machine a, JobSpecification... followUps) {
        List<Problem> found = new ArrayList<>();
        assertThatThrownBy(() ->
                        a.scheduler().scheduleJob(once("j").onSuccess(followUps).build()))
                .isInstanceOfSatisfying(InvalidJobException.class, e -> found.addAll(e.problems()));
        return Collections.unmodifiableList(
                found.stream().map(Problem::toString).toList());
    }
}
