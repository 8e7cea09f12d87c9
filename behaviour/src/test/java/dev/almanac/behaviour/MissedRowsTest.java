package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is on record about missed fires if the node that finds them loses its claim. */
class MissedRowsTest extends LifecycleFixture {
    private static final String EVERY_TWO_MINUTES = "0 0/2 * * * ?";

    private static boolean recordsMissed(JobChange change) {
        return change.rows().stream().anyMatch(row -> row.missed() != null);
    }

    /** A user, through a node that claims nothing, stores a job whose fires pass. */
    private void user(MissedFirePolicy policy) {
        world.idleNode("user")
                .scheduler()
                .scheduleJob(job("j").schedulingSpecification(EVERY_TWO_MINUTES)
                        .missedFirePolicy(policy)
                        .build());
        pass(500_000);
    }

    /** A node finds {@code missed} fires passed and loses its connection at the write that records them; it dies. */
    private void missedAndLost(StoreHook network, MissedFirePolicy policy) {
        user(policy);
        Machine dying = world.node("dying", StoreHook.over(world.store, network), Duration.ZERO, builder -> builder);
        pass(5_000);
        kill(dying);
        assertThat(world.calls).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(
            value = MissedFirePolicy.Kind.class,
            names = {"SKIP", "RUN_LATEST"})
    @DisplayName(
            "R4: missed fires that a lost claim reports too late are on record nowhere, since a later claim ran one")
    void missedTooLate(MissedFirePolicy.Kind kind) {
        List<JobChange> late = new ArrayList<>();
        MissedFirePolicy policy =
                kind == MissedFirePolicy.Kind.SKIP ? MissedFirePolicy.SKIP : MissedFirePolicy.RUN_LATEST;
        missedAndLost(
                (method, arguments, call) -> {
                    if (!method.equals("write")) {
                        return call.proceed();
                    }
                    ((List<?>) arguments[0]).stream().map(JobChange.class::cast).forEach(late::add);
                    throw new StoreException("the connection hangs", new IllegalStateException());
                },
                policy);
        world.node("b");
        pass(60_000);
        assertThat(world.calls).extracting(Call::fire).contains(START.plusSeconds(120));
        assertThat(late).isNotEmpty().allMatch(MissedRowsTest::recordsMissed);
        List<JobExecutionStatus> before = rows("j");
        assertThat(world.store.write(List.of(late.get(0)))).containsExactly(false);
        assertThat(rows("j")).isEqualTo(before);
        assertThat(before)
                .filteredOn(row -> row.missed() != null)
                .singleElement()
                .satisfies(row -> assertThat(row.missed().first()).isEqualTo(START.plusSeconds(240)));
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(
            value = MissedFirePolicy.Kind.class,
            names = {"SKIP", "RUN_LATEST"})
    @DisplayName("R4, P7: a plan that has passed missed fires brings their row, also if a crash left it out")
    void missedWithoutRow(MissedFirePolicy.Kind kind) {
        MissedFirePolicy policy =
                kind == MissedFirePolicy.Kind.SKIP ? MissedFirePolicy.SKIP : MissedFirePolicy.RUN_LATEST;
        missedAndLost(
                (method, arguments, call) -> {
                    if (method.equals("write")) {
                        JobChange change = (JobChange) ((List<?>) arguments[0]).get(0);
                        JobChange half = new JobChange(change.before(), change.after(), List.of(), change.by());
                        world.store.write(List.of(half));
                        throw new StoreException("the connection is cut", new IllegalStateException());
                    }
                    return call.proceed();
                },
                policy);
        assertThat(rows("j")).noneMatch(row -> row.missed() != null);
        world.node("b");
        pass(140_000);
        assertThat(rows("j"))
                .filteredOn(row -> row.missed() != null)
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.missed().first()).isEqualTo(START.plusSeconds(120));
                    assertThat(row.deleteTime()).isNotNull();
                });
        assertThat(world.calls).extracting(Call::fire).doesNotContain(START.plusSeconds(120));
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(
            value = MissedFirePolicy.Kind.class,
            names = {"SKIP", "RUN_LATEST"})
    @DisplayName("R4: a node that lost the reply between the plan and the row of missed fires writes the row at once")
    void missedReplyLost(MissedFirePolicy.Kind kind) {
        List<JobChange> cut = new ArrayList<>();
        world.work = call -> endless();
        user(kind == MissedFirePolicy.Kind.SKIP ? MissedFirePolicy.SKIP : MissedFirePolicy.RUN_LATEST);
        JobStore network = StoreHook.over(world.store, (method, arguments, call) -> {
            JobChange change = method.equals("write") ? (JobChange) ((List<?>) arguments[0]).get(0) : null;
            if (change == null || !recordsMissed(change) || !cut.isEmpty()) {
                return call.proceed();
            }
            cut.add(change);
            world.store.write(List.of(new JobChange(change.before(), change.after(), List.of(), change.by())));
            throw new StoreException("the connection is cut", new IllegalStateException());
        });
        world.node("a", network, Duration.ZERO, builder -> builder);
        pass(10_000);
        assertThat(cut).hasSize(1);
        assertThat(world.store.rows(RowQuery.ofKey("j", 100)))
                .filteredOn(row -> row.missed() != null)
                .singleElement()
                .isEqualTo(cut.get(0).rows().get(0));
        // the newest fire is no older than a minute, so that SKIP runs it, too
        assertThat(world.calls).hasSize(1);
    }
}
