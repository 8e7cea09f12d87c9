package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.behaviour.World.Note;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CancelResult;
import dev.almanac.model.FindScope;
import dev.almanac.model.History;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Outcome;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.NewJob;
import dev.almanac.store.Phase;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An end with follow-ups is written in three steps. Whichever of them a node dies in, nothing is lost and nothing is twice. */
class FollowFaultsTest extends LifecycleFixture {
    private static final Instant FIRE = START.plusSeconds(60);

    /** A step of such an end. */
    enum Step {
        VERDICT {
            @Override
            boolean isChange(JobChange change) {
                return change.before().phase() == Phase.RUN && change.after().phase() == Phase.FOLLOW;
            }
        },
        FOLLOW_UP {
            @Override
            boolean isAt(String method, Object[] arguments) {
                return method.equals("insert")
                        && ((List<?>) arguments[0])
                                .stream()
                                        .map(NewJob.class::cast)
                                        .anyMatch(job -> job.job()
                                                .specification()
                                                .followUpOf()
                                                .isPresent());
            }
        },
        COMPLETION {
            @Override
            boolean isChange(JobChange change) {
                return change.before().phase() == Phase.FOLLOW && change.after().lease() == null;
            }
        };

        boolean isChange(JobChange change) {
            return false;
        }

        boolean isAt(String method, Object[] arguments) {
            return method.equals("write")
                    && ((List<?>) arguments[0])
                            .stream().map(JobChange.class::cast).anyMatch(this::isChange);
        }
    }

    /** How far the step comes. */
    enum Death {
        BEFORE,
        /** Rows are written, their document is not. */
        TORN,
        AFTER
    }

    private void dyingNode(Step step, Death death) {
        Machine[] a = new Machine[1];
        Predicate<JobChange> torn = change -> death == Death.TORN && step.isChange(change);
        JobStore store = StoreHook.over(losingChanges(torn), (method, arguments, call) -> {
            if (!step.isAt(method, arguments)) {
                return call.proceed();
            }
            try {
                if (death != Death.BEFORE) {
                    call.proceed();
                }
            } finally {
                a[0].lanes().close();
            }
            throw new StoreException("the node is gone", new IllegalStateException());
        });
        a[0] = world.node("a", store, Duration.ZERO, builder -> builder);
    }

    private static JobSpecificationBuilder ofKind(String kind) {
        JobSpecificationBuilder job = job("r").onSuccess(JobSpecification.now("mail {fireTime}", new Note("mail")));
        return switch (kind) {
            case "one-off" -> job.singleSchedule(FIRE);
            case "one-off without rows" -> job.singleSchedule(FIRE).history(History.TROUBLE);
            default -> job.schedulingSpecification("0 * * * * ?").maxFires(2);
        };
    }

    private long callsOf(String job, Instant fire) {
        return world.calls.stream()
                .filter(call -> call.job().equals(job) && call.fire().equals(fire))
                .count();
    }

    private List<JobExecutionStatus> succeeded(Instant fire) {
        return world.store.rows(RowQuery.ofKey("r", 1_000)).stream()
                .filter(row -> row.outcome() == Outcome.SUCCEEDED && fire.equals(row.fireTime()))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "VERDICT, BEFORE, one-off",
        "VERDICT, TORN, one-off",
        "VERDICT, AFTER, one-off",
        "FOLLOW_UP, BEFORE, one-off",
        "FOLLOW_UP, AFTER, one-off",
        "COMPLETION, BEFORE, one-off",
        "COMPLETION, TORN, one-off",
        "COMPLETION, AFTER, one-off",
        "VERDICT, BEFORE, recurring",
        "VERDICT, TORN, recurring",
        "VERDICT, AFTER, recurring",
        "FOLLOW_UP, BEFORE, recurring",
        "FOLLOW_UP, AFTER, recurring",
        "COMPLETION, BEFORE, recurring",
        "COMPLETION, TORN, recurring",
        "COMPLETION, AFTER, recurring",
        "VERDICT, BEFORE, one-off without rows",
        "VERDICT, AFTER, one-off without rows",
        "FOLLOW_UP, AFTER, one-off without rows",
        "COMPLETION, BEFORE, one-off without rows",
        "COMPLETION, AFTER, one-off without rows"
    })
    @DisplayName(
            "L87 P5: whichever step its node dies in, a fire has one row of its end, its follow-ups come once, and only a run without a verdict runs again")
    void dies(Step step, Death death, String kind) {
        dyingNode(step, death);
        Machine user = world.idleNode("user");
        user.scheduler().scheduleJob(ofKind(kind).build());
        pass(61_000);
        assertThat(callsOf("r", FIRE)).isEqualTo(1);
        world.node("b");
        // with a pass of the repairs, which brings the row of a node that died after the document
        pass(400_000);
        boolean judged = step != Step.VERDICT || death == Death.AFTER;
        assertThat(callsOf("r", FIRE)).isEqualTo(judged ? 1 : 2);
        assertThat(world.calls.stream().map(Call::job)).containsOnlyOnce("mail " + FIRE);
        boolean rowless = kind.equals("one-off without rows");
        assertThat(succeeded(FIRE))
                .hasSize(rowless && judged ? 0 : succeeded(FIRE).size());
        if (!rowless) {
            assertThat(succeeded(FIRE)).hasSize(1);
            assertFinished("r");
            assertThat(document("r").lastStatus().id()).isEqualTo(newest("r").id());
        }
        assertThat(world.store.find("r", FindScope.LIVE)).isEmpty();
    }

    @Test
    @DisplayName(
            "L88 R8: a cancel between a run's end and its follow-ups waits for a node that can store them, and says so")
    void canceledWhereNobodyCan() {
        dyingNode(Step.FOLLOW_UP, Death.BEFORE);
        Machine b = world.node(
                "b",
                world.store,
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().maxPriority(3).build()));
        b.scheduler().scheduleJob(ofKind("recurring").build());
        pass(180_000);
        assertThat(document("r").phase()).isEqualTo(Phase.FOLLOW);
        assertThat(b.scheduler().cancelJob("r")).isEqualTo(CancelResult.ALREADY_RUNNING);
        pass(3_600_000);
        assertThat(document("r").isLive()).isTrue();
        assertThat(document("r").requests().cancelRequested()).isTrue();
        assertThat(b.scheduler().explainJob("r").reasons())
                .anySatisfy(reason -> assertThat(reason.text())
                        .isEqualTo("is cancelled: the follow-ups of its last run are stored first, and no later fire"
                                + " follows"));
        world.node("c");
        pass(10_000);
        assertThat(world.calls.stream().map(Call::job)).containsExactly("r", "mail " + FIRE);
        assertThat(newest("r").outcome()).isEqualTo(Outcome.CANCELED);
        assertThat(succeeded(FIRE)).hasSize(1);
        assertFinished("r");
    }

    @Test
    @DisplayName(
            "X2, P5: a verdict that a node takes over and for whose follow-ups it has no thread goes to the next claim")
    void noThread() {
        dyingNode(Step.FOLLOW_UP, Death.BEFORE);
        Machine user = world.idleNode("user");
        user.scheduler().scheduleJob(ofKind("one-off").build());
        pass(61_000);
        ScarceThreads threads = new ScarceThreads(world.lanes.node(), "follow");
        threads.refuse(1);
        Machine b = world.node("b", world.store, Duration.ZERO, builder -> builder.lanes(threads));
        pass(180_000);
        assertThat(world.calls.stream().map(Call::job)).containsExactly("r", "mail " + FIRE);
        assertThat(succeeded(FIRE)).hasSize(1);
        assertFinished("r");
        assertThat(b.scheduler().node().runs()).isZero();
    }

    @Test
    @DisplayName(
            "X2: an INTERRUPT that was decided before the verdict and is written after it does not undo what the holder knows")
    void interruptDuringVerdict() {
        CompletableFuture<Void> stage = new CompletableFuture<>();
        AtomicInteger inserts = new AtomicInteger();
        JobStore store = StoreHook.over(JobStore.class, world.store, (method, arguments, call) -> {
            if (Step.FOLLOW_UP.isAt(method, arguments) && inserts.incrementAndGet() == 1) {
                throw new StoreException("no answer", new IllegalStateException());
            }
            if (method.equals("write") && isInterrupt((List<?>) arguments[0]) && stage.complete(null)) {
                pass(20);
                assertThat(document("r").phase()).isEqualTo(Phase.FOLLOW);
            }
            return call.proceed();
        });
        Machine a = world.node("a", store, Duration.ZERO, builder -> builder);
        world.work = call -> call.job().equals("r") ? stage : good();
        a.scheduler().scheduleJob(ofKind("one-off").build());
        pass(62_000);
        assertThat(a.scheduler().cancelJob("r", CancelMode.INTERRUPT)).isEqualTo(CancelResult.ALREADY_RUNNING);
        assertThat(inserts).hasValue(1);
        pass(5_000);
        assertThat(inserts).as("under the same claim").hasValue(2);
        assertThat(world.calls.stream().map(Call::job)).containsExactly("r", "mail " + FIRE);
        assertThat(newest("r").outcome()).isEqualTo(Outcome.SUCCEEDED);
        assertFinished("r");
        assertThat(a.scheduler().node().runs()).isZero();
    }

    private static boolean isInterrupt(List<?> changes) {
        return changes.stream()
                .map(JobChange.class::cast)
                .anyMatch(change -> change.after().requests().interruptRequested()
                        && change.before().phase() == Phase.RUN);
    }

    @Test
    @DisplayName("X2: follow-ups of which neither this nor a later try can be made here are stored by the next claim")
    void neitherStoredNorTriedAgain() {
        ScarceThreads threads = ScarceThreads.ofLane(world.lanes.node(), "kernel");
        AtomicInteger inserts = new AtomicInteger();
        JobStore store = StoreHook.over(JobStore.class, world.store, (method, arguments, call) -> {
            if (Step.FOLLOW_UP.isAt(method, arguments) && inserts.incrementAndGet() == 1) {
                threads.refuse(1);
                throw new StoreException("no answer", new IllegalStateException());
            }
            return call.proceed();
        });
        Machine a = world.node("a", store, Duration.ZERO, builder -> builder.lanes(threads));
        a.scheduler().scheduleJob(ofKind("one-off").build());
        pass(120_000);
        assertThat(inserts).hasValue(2);
        assertFollowed(true);
        assertThat(a.scheduler().node().runs()).isZero();
    }

    /** A node on which storing follow-ups fails so many times, by what nobody expects, beside one that claims nothing. */
    private Machine failing(int failures, AtomicInteger inserts) {
        Machine a = world.node(
                "a",
                StoreHook.over(world.store, (method, arguments, call) -> {
                    if (Step.FOLLOW_UP.isAt(method, arguments) && inserts.incrementAndGet() <= failures) {
                        throw new IllegalStateException("a bug of the driver");
                    }
                    return call.proceed();
                }),
                Duration.ZERO,
                builder -> builder);
        world.idleNode("user").scheduler().scheduleJob(ofKind("one-off").build());
        return a;
    }

    private void assertFollowed(boolean stored) {
        assertThat(callsOf("r", FIRE)).isEqualTo(1);
        assertThat(succeeded(FIRE)).hasSize(1);
        assertThat(world.store
                        .find("mail " + FIRE, FindScope.INCLUDING_FINISHED)
                        .isPresent())
                .isEqualTo(stored);
        assertThat(rows("r").stream()
                        .filter(row -> String.valueOf(row.detail()).contains("follow-ups could be stored"))
                        .count())
                .isEqualTo(stored ? 0 : 1);
        assertFinished("r");
    }

    @ParameterizedTest(name = "{0} failures")
    @ValueSource(ints = {1, 5})
    @DisplayName("X2: a failure that nobody expects while follow-ups are stored may pass")
    void unexpected(int failures) {
        AtomicInteger inserts = new AtomicInteger();
        failing(failures, inserts);
        pass(90_000);
        assertThat(inserts).hasValue(failures + 1);
        assertFollowed(true);
    }

    @Test
    @DisplayName("X6: follow-ups that one node cannot store again and again are not refused: another node stores them")
    void unexpectedHere() {
        AtomicInteger inserts = new AtomicInteger();
        Machine a = failing(1_000, inserts);
        pass(70_000);
        assertThat(inserts).hasValue(6);
        assertThat(a.scheduler().node().runs()).isZero();
        assertThat(document("r").phase()).isEqualTo(Phase.FOLLOW);
        world.node("b");
        pass(30_000);
        assertFollowed(true);
        assertThat(inserts).as("tries of the first node").hasValue(6);
    }

    @Test
    @DisplayName("R7, X6: follow-ups that no node can store count as refused after as many claims as a run may need")
    void unexpectedEverywhere() {
        AtomicInteger inserts = new AtomicInteger();
        failing(1_000, inserts);
        pass(400_000);
        assertThat(inserts).as("six tries of each of six claims").hasValue(36);
        assertFollowed(false);
    }
}
