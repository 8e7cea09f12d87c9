package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.ActionReport;
import dev.almanac.model.ActionReport.Item;
import dev.almanac.model.ActionReport.Result;
import dev.almanac.model.BulkResult;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.FindScope;
import dev.almanac.model.IfExists;
import dev.almanac.model.Job;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.ReconcileOptions;
import dev.almanac.model.StaleJobException;
import dev.almanac.store.DamagedJob;
import dev.almanac.store.DamagedJobException;
import dev.almanac.store.JobStore;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreException;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.faults.FaultyStore;
import dev.almanac.testkit.faults.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of users whose answer is lost, or whose request arrives late: the same over every kind of store. */
class UnansweredRequestsTest extends OverStores {
    private static final String OFTEN = "0 0/5 * * * ?";

    /** A scheduler that runs nothing. */
    private Scheduler behind(JobStore way) {
        return world.client(builder -> builder.store(way));
    }

    /** A way on which the first change is lost; something happens before its sender looks what became of it. */
    private JobStore lostWhile(Runnable meanwhile) {
        AtomicBoolean first = new AtomicBoolean(true);
        return StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("write") && first.getAndSet(false)) {
                meanwhile.run();
                throw new StoreException("lost", new IllegalStateException("a planned fault"));
            }
            return call.proceed();
        });
    }

    private FaultyStore network() {
        return new FaultyStore(world.store, world.lanes.node().open("network", 1));
    }

    private static JobSpecification soon() {
        return job("j").singleSchedule(START.plusSeconds(60)).build();
    }

    private static JobSpecificationBuilder often() {
        return job("j").schedulingSpecification(OFTEN);
    }

    private static List<String> details(Scheduler scheduler) {
        return scheduler.history("j").stream()
                .map(row -> String.valueOf(row.detail()))
                .toList();
    }

    private long runs() {
        return world.node("reader").scheduler().history("j").stream()
                .filter(row -> row.outcome() == Outcome.SUCCEEDED)
                .count();
    }

    @Test
    @DisplayName("N6: an insert that arrives after its repetition has run gives the job no second life")
    void lateInsertAfterRun() {
        Scheduler client = behind(network().fail(StoreCall.INSERT, 1, Fault.late(Duration.ofMinutes(3))));
        world.node("a");
        assertThatThrownBy(() -> client.scheduleJob(soon())).isInstanceOf(StoreException.class);
        client.scheduleJob(soon());
        world.pass(Duration.ofMinutes(2));
        assertThat(world.calls).as("it has run").hasSize(1);
        world.pass(Duration.ofMinutes(3));
        assertThat(world.calls).as("the late insert made no second run").hasSize(1);
        assertThat(client.findJobById("j")).isEmpty();
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    @DisplayName("N6: an insert that arrives after the job was cancelled does not bring it back")
    void lateInsertAfterCancel() {
        Scheduler client = behind(network().fail(StoreCall.INSERT, 1, Fault.late(Duration.ofMinutes(3))));
        world.node("a");
        assertThatThrownBy(() -> client.scheduleJob(often().build())).isInstanceOf(StoreException.class);
        client.scheduleJob(often().build());
        client.cancelJob("j");
        world.pass(Duration.ofMinutes(7));
        assertThat(world.calls).isEmpty();
        assertThat(client.findJobById("j")).isEmpty();
    }

    @Test
    @DisplayName("N6: the same in a later life of the key, and each life has its own history")
    void lateInsertOfLaterLife() {
        Scheduler scheduler = behind(network().fail(StoreCall.INSERT, 3, Fault.late(Duration.ofMinutes(3))));
        world.node("a");
        scheduler.scheduleJob(soon());
        world.pass(Duration.ofMinutes(2));
        JobSpecification again = job("j").singleSchedule(START.plusSeconds(180)).build();
        // the first insert of this request meets the first life, the second is late
        assertThatThrownBy(() -> scheduler.scheduleJob(again)).isInstanceOf(StoreException.class);
        scheduler.scheduleJob(again);
        world.pass(Duration.ofMinutes(5));
        assertThat(world.calls).as("one run of each life").hasSize(2);
        assertThat(scheduler.findJobById("j")).isEmpty();
        assertThat(scheduler.history("j").stream()
                        .map(JobExecutionStatus::jobSpecificationId)
                        .distinct())
                .hasSize(2);
    }

    @Test
    @DisplayName("N6: a key can be scheduled again and again")
    void manyLives() {
        Scheduler scheduler = behind(network());
        for (int i = 0; i < 5; i++) {
            scheduler.scheduleJob(often().build());
            assertThat(scheduler.findJobById("j")).isPresent();
            scheduler.cancelJob("j");
            world.pass(Duration.ofSeconds(1));
        }
        assertThat(scheduler.history("j").stream().filter(row -> row.executionStatus() == ExecutionStatus.CANCELED))
                .hasSize(5);
    }

    @Test
    @DisplayName("N7: an update whose reply is lost has been applied, and its row is there")
    void tornUpdate() {
        Scheduler scheduler = behind(network().fail(StoreCall.WRITE, 1, Fault.TORN));
        scheduler.scheduleJob(often().build());
        world.writeRows();
        scheduler.updateJob(often().priority(7).build());
        assertThat(details(scheduler)).hasSize(2).first().isEqualTo("updated");
    }

    @Test
    @DisplayName("N7: an update whose request is lost is sent again, and is applied once")
    void lostUpdate() {
        Scheduler scheduler = behind(network().fail(StoreCall.WRITE, 1, Fault.LOSE_REQUEST));
        scheduler.scheduleJob(often().build());
        world.writeRows();
        scheduler.updateJob(often().priority(7).build());
        assertThat(scheduler.findJobById("j").orElseThrow().specification().version())
                .isEqualTo(2);
        assertThat(details(scheduler)).hasSize(2);
    }

    @Test
    @DisplayName("N7: a repeated update answers as the first one, and the row of the change is there")
    void repeatedUpdate() {
        Scheduler scheduler =
                behind(network().fail(StoreCall.WRITE, 1, Fault.TORN).fail(StoreCall.LOAD, 1, Fault.LOSE_REQUEST));
        scheduler.scheduleJob(often().build());
        world.writeRows();
        JobSpecification changed = often().priority(7).version(1).build();
        assertThatThrownBy(() -> scheduler.updateJob(changed)).isInstanceOf(StoreException.class);
        assertThat(world.store
                        .find("j", FindScope.LIVE)
                        .orElseThrow()
                        .specification()
                        .priority())
                .as("it was applied")
                .isEqualTo(7);
        scheduler.updateJob(changed);
        assertThat(details(scheduler)).hasSize(2).first().isEqualTo("updated");
        assertThatThrownBy(
                        () -> scheduler.updateJob(often().priority(6).version(1).build()))
                .as("other contents, of a version that was replaced")
                .isInstanceOf(StaleJobException.class);
    }

    /** A scheduler whose first change is applied without an answer, and without its row. */
    private Scheduler unanswered() {
        world.writeRows();
        AtomicBoolean asks = new AtomicBoolean();
        return behind(StoreHook.over(network().fail(StoreCall.WRITE, 1, Fault.TORN), (method, arguments, call) -> {
            if (method.equals("load") && asks.getAndSet(false)) {
                throw new StoreException("lost", new IllegalStateException("a planned fault"));
            }
            try {
                return call.proceed();
            } catch (StoreException torn) {
                asks.set(method.equals("write"));
                throw torn;
            }
        }));
    }

    /** What is stored, newest first; the history would add what the document shows. */
    private List<String> storedDetails() {
        return world.store.rows(RowQuery.ofKey("j", 100)).stream()
                .map(row -> String.valueOf(row.detail()))
                .toList();
    }

    @Test
    @DisplayName(
            "N7: what is repeated in the place of a live job answers as the first call, and the row of that is stored")
    void repeatedInPlace() {
        Scheduler user = world.client(builder -> builder);
        user.scheduleJob(often().build());
        Job shown = user.findJobById("j").orElseThrow();
        Scheduler scheduler = unanswered();
        JobSpecification changed = often().priority(7).build();
        assertThatThrownBy(() -> scheduler.scheduleJob(changed, shown)).isInstanceOf(StoreException.class);
        assertThat(storedDetails()).doesNotContain("updated");
        Job again = scheduler.scheduleJob(changed, shown);
        assertThat(again.specification().priority()).isEqualTo(7);
        assertThat(again.specification().version()).isEqualTo(2);
        assertThat(storedDetails()).containsOnlyOnce("updated").first().isEqualTo("updated");
        assertThatThrownBy(() -> scheduler.scheduleJob(often().priority(6).build(), shown))
                .as("other contents")
                .isInstanceOf(StaleJobException.class);
        user.cancelJob("j");
        assertThatThrownBy(() -> scheduler.scheduleJob(changed, shown))
                .as("the cancel came later")
                .isInstanceOf(JobNotFoundException.class);
    }

    @Test
    @DisplayName("N7: a repeated scheduleJob with KEEP finds its own revocation of a cancel, and its row is stored")
    void repeatedKeep() {
        Machine a = world.node("a");
        world.work = call -> new CompletableFuture<>();
        a.scheduler().scheduleJob(often().build());
        world.pass(Duration.ofSeconds(301));
        a.scheduler().cancelJob("j");
        Scheduler scheduler = unanswered();
        assertThatThrownBy(() -> scheduler.scheduleJob(often().build(), IfExists.KEEP))
                .isInstanceOf(StoreException.class);
        scheduler.scheduleJob(often().build(), IfExists.KEEP);
        assertThat(storedDetails()).first().isEqualTo("scheduled again; its cancel is revoked");
    }

    @ParameterizedTest
    @ValueSource(strings = {"resume", "update", "release", "acknowledge"})
    @DisplayName("N7: an action that is repeated changes nothing, and the row of the first one is stored")
    void repeatedAction(String name) {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(often().build());
        JobAction action = switch (name) {
            case "resume" -> {
                a.scheduler().pause(PauseScope.job("j"), Pause.because("a look"));
                yield JobAction.resume();
            }
            case "update" -> JobAction.update(edit -> edit.priority(7));
            case "release" -> {
                world.work = call -> new CompletableFuture<>();
                world.pass(Duration.ofSeconds(301));
                yield JobAction.release();
            }
            default -> {
                world.work = call -> CompletableFuture.failedFuture(new IllegalStateException("bad"));
                world.pass(Duration.ofSeconds(301));
                yield JobAction.acknowledge();
            }
        };
        Scheduler scheduler = unanswered();
        a.lanes().close();
        int before = storedDetails().size();
        assertThatThrownBy(() -> scheduler.apply(action, JobSelection.keys("j"), false))
                .isInstanceOf(StoreException.class);
        assertThat(storedDetails()).hasSize(before);
        assertThat(scheduler.apply(action, JobSelection.keys("j"), false).items())
                .extracting(Item::result)
                .containsExactly(Result.UNCHANGED);
        assertThat(storedDetails()).hasSize(before + 1);
    }

    @Test
    @DisplayName("N7: a repeated reconcile changes nothing, and the row of the change is there")
    void repeatedReconcile() {
        Scheduler scheduler =
                behind(network().fail(StoreCall.WRITE, 1, Fault.TORN).fail(StoreCall.LOAD, 1, Fault.LOSE_REQUEST));
        scheduler.reconcile("shop", List.of(often().build()), ReconcileOptions.DEFAULT);
        world.writeRows();
        List<JobSpecification> changed = List.of(often().priority(7).build());
        assertThatThrownBy(() -> scheduler.reconcile("shop", changed, ReconcileOptions.DEFAULT))
                .isInstanceOf(StoreException.class);
        assertThat(scheduler
                        .reconcile("shop", changed, ReconcileOptions.DEFAULT)
                        .unchanged())
                .containsExactly("j");
        assertThat(details(scheduler)).hasSize(2).first().isEqualTo("updated");
    }

    @Test
    @DisplayName("N7: a run that is requested once runs once, whichever half of its call is lost or late")
    void runNowOnce() {
        for (Fault fault :
                List.of(Fault.LOSE_REPLY, Fault.LOSE_REQUEST, Fault.TORN, Fault.late(Duration.ofMinutes(1)))) {
            Scheduler scheduler = behind(network().fail(StoreCall.WRITE, 1, fault));
            Machine a = world.node("a");
            int before = world.calls.size();
            scheduler.scheduleJob(
                    job("j").schedulingSpecification("0 0 0 1 1 ?").build());
            scheduler.runNow("j");
            world.pass(Duration.ofMinutes(2));
            assertThat(world.calls).as("%s", fault).hasSize(before + 1);
            scheduler.cancelJob("j");
            a.lanes().close();
        }
    }

    @Test
    @DisplayName(
            "N7: if a job was changed by others after a run was requested without an answer, the outcome is said to be unknown")
    void runNowUnknown() {
        Scheduler other = world.client(builder -> builder);
        Scheduler scheduler =
                behind(lostWhile(() -> other.pause(PauseScope.job("j"), new Pause("audit", "ops", null))));
        scheduler.scheduleJob(often().build());
        assertThatThrownBy(() -> scheduler.runNow("j"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("not known")
                .hasMessageContaining("'j'");
        assertThat(details(scheduler)).as("it was not decided again").doesNotContain("a run now was requested");
    }

    @Test
    @DisplayName(
            "N7 A2: of runs of many jobs, one whose outcome is unknown is named, and the report says what else was done")
    void runNowUnknownOfMany() {
        Scheduler other = world.client(builder -> builder);
        Scheduler scheduler =
                behind(lostWhile(() -> other.pause(PauseScope.job("j"), new Pause("audit", "ops", null))));
        for (String key : List.of("j", "k", "l")) {
            scheduler.scheduleJob(job(key).schedulingSpecification(OFTEN).build());
        }
        ActionReport report = scheduler.apply(JobAction.runNow(), JobSelection.keys("j", "k", "l"), false);
        assertThat(report.items()).extracting(Item::result).containsExactly(Result.REFUSED, Result.DONE, Result.DONE);
        assertThat(report.items().get(0).detail()).contains("not known");
    }

    @Test
    @DisplayName(
            "A2: an outage ends an action on many jobs: what was done before is reported, and what was not begun, too")
    void outageOfMany() {
        AtomicInteger writes = new AtomicInteger();
        Scheduler scheduler = behind(StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("write") && writes.incrementAndGet() > 1) {
                throw new StoreException("the network is down", new IllegalStateException("a planned fault"));
            }
            return call.proceed();
        }));
        String[] keys = {"j", "k", "l", "m", "n", "o", "p", "q"};
        for (String key : keys) {
            scheduler.scheduleJob(job(key).schedulingSpecification(OFTEN).build());
        }
        List<Item> items = scheduler
                .apply(JobAction.runNow(), JobSelection.keys(keys), false)
                .items();
        assertThat(items).extracting(Item::key).containsExactly(keys);
        assertThat(items).filteredOn(item -> item.result() == Result.DONE).hasSize(1);
        assertThat(items)
                .filteredOn(item -> item.result() != Result.DONE)
                .allSatisfy(item -> assertThat(item.result()).isEqualTo(Result.REFUSED))
                .anySatisfy(item -> assertThat(item.detail()).contains("the network is down"))
                .anySatisfy(item -> assertThat(item.detail()).contains("not begun"));
        assertThatThrownBy(() -> scheduler.apply(JobAction.runNow(), JobSelection.keys(keys), false))
                .as("if nothing was done, there is nothing to report")
                .isInstanceOf(StoreException.class);
    }

    @Test
    @DisplayName(
            "A2: an outage in the middle of a page of failures takes nothing from the report of what was done before")
    void outageOfFailures() {
        Machine a = world.node("a");
        world.work = call -> CompletableFuture.failedFuture(new IllegalStateException("the bank is closed"));
        for (int i = 0; i < 30; i++) {
            a.scheduler()
                    .scheduleJob(
                            job("k" + i).schedulingSpecification("0 0 * * * ?").build());
        }
        world.pass(Duration.ofMinutes(61));
        AtomicInteger loads = new AtomicInteger();
        Scheduler scheduler = behind(StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("load") && loads.incrementAndGet() == 2) {
                throw new StoreException("the network is down", new IllegalStateException("a planned fault"));
            }
            return call.proceed();
        }));
        List<Item> items = scheduler
                .apply(JobAction.rerun(), JobSelection.failedSince(START), false)
                .items();
        assertThat(items).filteredOn(item -> item.result() == Result.DONE).hasSize(20);
        assertThat(items)
                .filteredOn(item -> item.result() == Result.REFUSED)
                .hasSize(10)
                .allSatisfy(item -> assertThat(item.detail()).contains("the network is down"));
    }

    @Test
    @DisplayName("an outage ends a backfill: what was stored before is reported, and what was not begun, too")
    void outageOfBackfill() {
        AtomicInteger inserts = new AtomicInteger();
        Scheduler scheduler = behind(StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("insert") && inserts.incrementAndGet() > 2) {
                throw new StoreException("the network is down", new IllegalStateException("a planned fault"));
            }
            return call.proceed();
        }));
        scheduler.scheduleJob(often().build());
        Instant from = START.minus(Duration.ofHours(1));
        List<BulkResult> fires = scheduler.backfill("j", from, START);
        assertThat(fires).hasSize(12).filteredOn(fire -> fire.job() != null).hasSize(1);
        assertThat(fires)
                .filteredOn(fire -> fire.job() == null)
                .anySatisfy(fire -> assertThat(fire.error()).hasMessageContaining("the network is down"))
                .anySatisfy(fire -> assertThat(fire.error()).hasMessageContaining("not begun"));
        assertThatThrownBy(() -> scheduler.backfill("j", from, from.plusSeconds(600)))
                .as("if nothing was stored, there is nothing to report")
                .isInstanceOf(StoreException.class);
    }

    @Test
    @DisplayName(
            "a damaged one-off of an earlier backfill has a result of its own, and takes nothing from the other fires")
    void damagedInBackfill() {
        Instant from = START.minus(Duration.ofHours(1));
        String key = "j@" + from.plus(Duration.ofMinutes(5));
        Scheduler scheduler = behind(StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("find") && key.equals(arguments[0])) {
                throw new DamagedJobException(new DamagedJob("0", key, "its zone is unknown"));
            }
            return call.proceed();
        }));
        scheduler.scheduleJob(often().build());
        scheduler.scheduleJob(
                often().jobSpecificationKey(key).triggerIdentifier(key).build());
        List<BulkResult> fires = scheduler.backfill("j", from, START);
        assertThat(fires).hasSize(12).filteredOn(fire -> fire.job() != null).hasSize(11);
        assertThat(fires.get(1).error()).hasMessageContaining("ALM-005").hasMessageContaining("its zone is unknown");
    }

    @Test
    @DisplayName("N7: a requested run that was lost while only nodes changed the job is decided again, and runs once")
    void runNowAfterHolder() {
        world.node("a");
        Scheduler scheduler = behind(lostWhile(() -> world.pass(Duration.ofMinutes(6))));
        scheduler.scheduleJob(often().build());
        scheduler.runNow("j");
        assertThat(world.calls).as("its fire").hasSize(1);
        world.pass(Duration.ofMinutes(2));
        assertThat(world.calls).as("and the run that was requested").hasSize(2);
    }

    @Test
    @DisplayName("N7: a release that was lost while its claim ended does not take the claim of the next node")
    void releaseAfterTakeover() {
        world.work = call -> world.after(Duration.ofHours(1));
        Machine holder = world.node("holder");
        Scheduler scheduler = behind(lostWhile(() -> world.pass(Duration.ofMinutes(2))));
        scheduler.scheduleJob(job("j").singleSchedule(START.plusSeconds(5)).build());
        world.pass(Duration.ofSeconds(10));
        holder.lanes().close();
        world.node("b");
        scheduler.apply(JobAction.release(), JobSelection.keys("j"), false);
        assertThat(world.calls).extracting(World.Call::node).containsExactly("holder", "b");
        assertThat(world.store.find("j", FindScope.LIVE).orElseThrow().lease())
                .as("that of b, whose run goes on")
                .isNotNull();
        world.pass(Duration.ofMinutes(2));
        assertThat(world.calls).hasSize(2);
    }
}
