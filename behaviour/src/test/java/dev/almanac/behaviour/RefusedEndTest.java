package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static dev.almanac.behaviour.World.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.SchedulerBuilder;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.Phase;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.store.WriteRefusedException;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a job if the server refuses the end of its run. */
class RefusedEndTest {
    private static final Predicate<JobChange> NONE = change -> false;

    private final World world = new World(0, InMemoryJobStore::new);
    private Predicate<JobChange> refused = NONE;
    private int lostReplies;
    private int lostReadings;
    private int refusals;

    private Machine node() {
        return node(builder -> builder);
    }

    private Machine node(UnaryOperator<SchedulerBuilder> more) {
        JobStore store = StoreHook.over(world.store, (method, arguments, call) -> {
            List<?> changes = method.equals("write") ? (List<?>) arguments[0] : List.of();
            if (changes.stream().map(JobChange.class::cast).anyMatch(refused)) {
                if (lostReplies > 0) {
                    lostReplies--;
                    call.proceed();
                    throw new StoreException("no answer", new IllegalStateException("planned"));
                }
                refusals++;
                throw new WriteRefusedException("a validator refuses it", new IllegalStateException("planned"));
            }
            if (method.equals("load") && refusals > 0 && lostReadings > 0) {
                lostReadings--;
                throw new StoreException("no answer", new IllegalStateException("planned"));
            }
            return call.proceed();
        });
        return world.node("a", store, Duration.ZERO, more);
    }

    private static boolean endsClaim(JobChange change) {
        return change.after().blocked() == null && change.after().lease() == null;
    }

    /** The server takes everything again, and the user updates the job that it has blocked. */
    private void updateBlocked(Machine a, JobSpecification job) {
        assertThat(stored().blockedReason()).contains("a validator refuses it");
        refused = NONE;
        a.scheduler().updateJob(job);
    }

    private static boolean endsFollowUps(JobChange change) {
        return change.before().lease() != null
                && change.before().phase() == Phase.FOLLOW
                && change.after().blocked() == null;
    }

    private StoredJob stored() {
        return world.store.find("k", FindScope.INCLUDING_FINISHED).orElseThrow();
    }

    private static JobSpecification bounded() {
        return job("k").schedulingSpecification("0/15 * * * * ?")
                .endAt(START.plusSeconds(20))
                .onSuccess(JobSpecification.now("{key} {fireTime}", new World.Note("next")))
                .build();
    }

    @DisplayName(
            "X9: an end that is refused after an earlier copy of it was applied is an end, and no BLOCKED row follows, also if it cannot be read at once")
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void appliedBefore(int unread) {
        Machine a = node();
        refused = change -> change.before().lease() != null && !change.after().isLive();
        lostReplies = 1;
        lostReadings = unread;
        a.scheduler().scheduleJob(job("k").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofMinutes(2));
        assertThat(lostReplies).as("its reply was lost").isZero();
        assertThat(lostReadings).as("it could not be read").isZero();
        assertThat(outcomes(a, "k")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(stored().isLive()).isFalse();
        assertThat(a.events()).noneMatch(SchedulerEvent.JobBlocked.class::isInstance);
        assertThat(a.scheduler().node().runs()).isZero();
    }

    @Test
    @DisplayName("X9: a blocked job goes on when its user updates it, also if no fire follows any more")
    void updatedAfterItsLastFire() {
        Machine a = node();
        refused = RefusedEndTest::endsFollowUps;
        a.scheduler().scheduleJob(bounded());
        world.pass(Duration.ofSeconds(40));
        updateBlocked(a, bounded());
        assertThat(stored().blocked()).isNull();
        world.pass(Duration.ofMinutes(1));
        assertThat(stored().isLive()).isFalse();
        assertThat(world.callsOf("k")).as("how it ended was on record").hasSize(1);
    }

    @Test
    @DisplayName(
            "N8 R4: a fire whose end was refused has ended: after an update the next one runs, and it is not told as missed")
    void notMissed() {
        Machine a = node();
        refused = RefusedEndTest::endsClaim;
        JobSpecification job = bounded().toBuilder()
                .onSuccess(List.of())
                .endAt(START.plusSeconds(50))
                .build();
        a.scheduler().scheduleJob(job);
        world.pass(Duration.ofSeconds(70));
        updateBlocked(a, job);
        world.pass(Duration.ofMinutes(1));
        assertThat(stored().isLive()).isFalse();
        assertThat(world.callsOf("k"))
                .extracting(World.Call::fire)
                .containsExactly(START.plusSeconds(15), START.plusSeconds(45));
        assertThat(a.scheduler().history("k"))
                .filteredOn(row -> row.missed() != null)
                .allSatisfy(row -> assertThat(row.missed().first()).isAfter(START.plusSeconds(15)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "L97 N8: a fire whose end was refused does not run again after an update, and how it ended is on record")
    void atMostOnce(boolean recurring) {
        Machine a = node();
        refused = RefusedEndTest::endsClaim;
        JobSpecificationBuilder job = job("k").crashPolicy(CrashPolicy.FAIL);
        JobSpecification stored = recurring
                ? job.schedulingSpecification("0 * * * * ?")
                        .startAt(START.plusSeconds(1))
                        .build()
                : job.singleSchedule(START.plusSeconds(60)).build();
        a.scheduler().scheduleJob(stored);
        world.pass(Duration.ofSeconds(70));
        updateBlocked(a, stored);
        world.pass(Duration.ofSeconds(55));
        assertThat(world.callsOf("k"))
                .extracting(World.Call::fire)
                .containsExactlyElementsOf(
                        recurring
                                ? List.of(START.plusSeconds(60), START.plusSeconds(120))
                                : List.of(START.plusSeconds(60)));
        assertThat(outcomes(a, "k"))
                .startsWith(
                        "SCHEDULED/NONE",
                        recurring ? "SCHEDULED/SUCCEEDED" : "TRIGGERED/SUCCEEDED",
                        "SCHEDULED/BLOCKED")
                .doesNotContain("FAILED/CRASHED");
    }

    @ParameterizedTest
    @EnumSource(CrashPolicy.class)
    @DisplayName(
            "N8 X9: a run whose verdict was refused does not run again after an update: its follow-up is stored once, and it has ended well")
    void verdictRefused(CrashPolicy policy) {
        Machine a = node();
        refused = change ->
                change.after().phase() == Phase.FOLLOW && change.after().lease() != null;
        JobSpecification job = job("k").crashPolicy(policy)
                .singleSchedule(START.plusSeconds(10))
                .onSuccess(JobSpecification.now("next", new World.Note("next")))
                .build();
        a.scheduler().scheduleJob(job);
        world.pass(Duration.ofSeconds(30));
        updateBlocked(a, job);
        world.pass(Duration.ofMinutes(2));
        assertThat(world.callsOf("k")).hasSize(1);
        assertThat(world.callsOf("next")).hasSize(1);
        assertThat(outcomes(a, "k"))
                .startsWith("SCHEDULED/NONE", "SCHEDULED/BLOCKED")
                .endsWith("TRIGGERED/SUCCEEDED")
                .doesNotContain("SCHEDULED/ABANDONED", "FAILED/CRASHED");
    }

    @Test
    @DisplayName(
            "P5 X9: a claim whose release was refused has run nothing, and its at-most-once fire runs after an update")
    void releaseRefused() {
        Machine a = node(builder -> builder.executor(run -> world.later(Duration.ofSeconds(5), run)));
        refused = RefusedEndTest::endsClaim;
        JobSpecification job = job("k").crashPolicy(CrashPolicy.FAIL)
                .singleSchedule(START.plusSeconds(1))
                .build();
        a.scheduler().scheduleJob(job);
        world.pass(Duration.ofSeconds(2));
        assertThat(stored().sequences().startedSeq())
                .as("it is marked and waits for a thread")
                .isEqualTo(1);
        a.scheduler().pause(PauseScope.everything(), new Pause("audit", "ops", null));
        world.pass(Duration.ofSeconds(30));
        a.scheduler().resume(PauseScope.everything());
        updateBlocked(a, job);
        world.pass(Duration.ofMinutes(1));
        assertThat(world.callsOf("k")).hasSize(1);
        assertThat(outcomes(a, "k")).doesNotContain("FAILED/CRASHED").endsWith("TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("X9: the end of a run by hand leaves the planned fire, which runs after an update, too")
    void runByHand() {
        Machine a = node();
        refused = RefusedEndTest::endsFollowUps;
        world.work = call -> world.after(Duration.ofSeconds(30));
        a.scheduler().scheduleJob(bounded());
        a.scheduler().runNow("k");
        world.pass(Duration.ofSeconds(50));
        updateBlocked(a, bounded());
        world.pass(Duration.ofMinutes(2));
        assertThat(stored().isLive()).isFalse();
        assertThat(stored().sequences().claimSeq())
                .as("it is not claimed in vain")
                .isLessThan(6);
    }
}
