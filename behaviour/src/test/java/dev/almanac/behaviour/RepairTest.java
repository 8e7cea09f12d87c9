package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.History;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.store.JobStore;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoreInspection;
import dev.almanac.store.StoreInspection.Page;
import dev.almanac.store.StoreInspection.ShownRow;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rows that crashes have left out are written while nobody looks: the same over every kind of store. */
class RepairTest extends OverStores {
    /** A lease of patience, the rest after the pass before, and the turn of a node that has died. */
    private static final Duration DOCUMENTED = Duration.ofMinutes(6);

    private Machine dying(Fault fault, StoreCall call) {
        FaultyStore network = new FaultyStore(world.store, world.lanes.node().open("network", 1)).fail(call, 1, fault);
        return world.node("dying", network, Duration.ZERO, builder -> builder);
    }

    private List<JobExecutionStatus> rows(String key) {
        return world.store.rows(RowQuery.ofKey(key, 100));
    }

    @Test
    @DisplayName(
            "P7: the row of a user's change that a crash left out is there again within the documented time, with no human")
    void rowOfRequest() {
        FaultyStore network = new FaultyStore(world.store, world.lanes.node().open("network", 1))
                .fail(StoreCall.WRITE, 1, Fault.TORN)
                .fail(StoreCall.LOAD, 1, Fault.LOSE_REQUEST);
        Machine dying = world.node("dying", network, Duration.ZERO, builder -> builder);
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(
                        job("j").singleSchedule(START.plus(Duration.ofDays(1))).build());
        world.writeRows();
        assertThatThrownBy(() -> dying.scheduler().pause(PauseScope.job("j"), new Pause("audit", "ops", null)))
                .isInstanceOf(StoreException.class);
        dying.lanes().close();
        world.pass(Duration.ofSeconds(15));
        assertThat(rows("j")).as("it may be just about to come").hasSize(1);
        world.pass(DOCUMENTED.minusSeconds(15));
        assertThat(rows("j"))
                .extracting(JobExecutionStatus::detail)
                .containsExactly("paused by ops: audit", "scheduled");
        assertThat(a.scheduler().checkInvariants().findings()).isEmpty();
    }

    @Test
    @DisplayName(
            "P7: the creation row of a node that died before it wrote it is there within the documented time; TROUBLE has none")
    void creationRow() {
        Machine dying = dying(Fault.LOSE_REQUEST, StoreCall.WRITE_ROWS);
        dying.scheduler()
                .scheduleJob(
                        job("j").singleSchedule(START.plus(Duration.ofDays(1))).build());
        dying.scheduler()
                .scheduleJob(job("t").history(History.TROUBLE)
                        .singleSchedule(START.plus(Duration.ofDays(1)))
                        .build());
        dying.lanes().close();
        Machine a = world.node("a");
        assertThat(rows("j")).isEmpty();
        world.pass(DOCUMENTED);
        assertThat(rows("j")).singleElement().matches(row -> row.outcome() == Outcome.NONE && row.deleteTime() != null);
        assertThat(rows("t")).isEmpty();
        assertThat(a.scheduler().checkInvariants().findings()).isEmpty();
    }

    @Test
    @DisplayName("B5: one node at a time has the turn; when it is gone another goes on where it stopped")
    void turns() {
        List<String> pages = new ArrayList<>();
        Machine first = world.node("first", watched("first", pages), Duration.ZERO, builder -> builder);
        world.node("second", watched("second", pages), Duration.ZERO, builder -> builder);
        world.pass(Duration.ofMinutes(60));
        assertThat(pages).as("a page in each five minutes, by any node").hasSizeBetween(10, 12);
        pages.clear();
        first.lanes().close();
        world.pass(Duration.ofMinutes(60));
        assertThat(pages).hasSizeBetween(10, 12).containsOnly("second");
    }

    @Test
    @DisplayName("P5, P7: a walk in pages sees each job once")
    void pages() {
        Machine a = world.node("a");
        for (int i = 0; i < 5; i++) {
            a.scheduler()
                    .scheduleJob(
                            job("j" + i).schedulingSpecification("0 0 0 * * ?").build());
        }
        world.writeRows();
        StoreInspection store = (StoreInspection) world.store;
        List<String> jobs = new ArrayList<>();
        String job = null;
        do {
            Page<ShownRow> page = store.newestRows(job, 2);
            page.items().forEach(shown -> jobs.add(shown.row().jobSpecificationKey()));
            job = page.next();
        } while (job != null);
        assertThat(jobs).containsExactlyInAnyOrder("j0", "j1", "j2", "j3", "j4");
    }

    private JobStore watched(String name, List<String> pages) {
        return StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("newestRows")) {
                pages.add(name);
            }
            return call.proceed();
        });
    }
}
