package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.engine.port.HistoryWriter;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.ActionReport;
import dev.almanac.model.CancelResult;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Rule N2: the status collection does not take rows while documents are written; the same over every kind of store. */
class HistoryBehindTest extends LifecycleFixture {
    private volatile boolean stalled;

    private Machine node(int slots) {
        JobStore store = StoreHook.over(JobStore.class, world.store, (method, arguments, call) -> {
            if (method.equals("writeRows") && stalled) {
                throw new StoreException("no answer", new IllegalStateException("planned"));
            }
            return call.proceed();
        });
        return world.node(
                "a",
                store,
                Duration.ZERO,
                builder -> builder.settings(
                        SchedulerSettings.builder().maxConcurrentRuns(slots).build()));
    }

    @Test
    @DisplayName(
            "N2: ends are recorded, slots are free, nothing runs twice; the rows come once the collection takes them")
    void stalled() {
        Machine a = node(1);
        for (int i = 0; i < 5; i++) {
            a.scheduler()
                    .scheduleJob(job("j" + i)
                            .singleSchedule(START.plusSeconds(10 + i))
                            .build());
        }
        a.scheduler()
                .scheduleJob(job("r").schedulingSpecification("0/20 * * * * ?").build());
        world.writeRows();
        stalled = true;
        pass(90_000);
        assertThat(world.calls).as("five, and one each twenty seconds").hasSize(9);
        assertThat(document("j4").isLive()).isFalse();
        assertThat(stored("j4")).hasSize(1);
        assertThat(a.scheduler().history("j4"))
                .as("with what the document shows")
                .extracting(JobExecutionStatus::executionStatus)
                .containsExactly(ExecutionStatus.TRIGGERED, ExecutionStatus.SCHEDULED);
        assertThat(a.events())
                .noneMatch(SchedulerEvent.LeaseLost.class::isInstance)
                .filteredOn(SchedulerEvent.RunRecorded.class::isInstance)
                .hasSize(9);
        stalled = false;
        pass(15_000);
        for (int i = 0; i < 5; i++) {
            assertThat(stored("j" + i)).hasSize(2);
        }
        assertThat(stored("r")).as("its creation and four or five runs").hasSizeBetween(5, 6);
        assertThat(world.calls).hasSizeBetween(9, 10);
        assertThat(a.scheduler().checkInvariants().findings()).isEmpty();
    }

    @Test
    @DisplayName("N2: a request returns once its document is written and its row was tried; the row comes later")
    void request() {
        Machine a = node(1);
        a.scheduler()
                .scheduleJob(job("j").singleSchedule(START.plusSeconds(600)).build());
        world.writeRows();
        stalled = true;
        assertThat(a.scheduler().cancelJob("j")).isEqualTo(CancelResult.CANCELED);
        assertThat(stored("j")).hasSize(1);
        stalled = false;
        pass(15_000);
        assertThat(stored("j")).hasSize(2);
    }

    @Test
    @DisplayName("N2, A2: a rerun repeats the failure that only the document shows until its row is stored")
    void rerun() {
        Machine a = node(1);
        world.work = call -> CompletableFuture.failedFuture(new IllegalStateException("bad"));
        a.scheduler()
                .scheduleJob(job("r").schedulingSpecification("10 0 8 * * ?").build());
        world.writeRows();
        stalled = true;
        pass(15_000);
        assertThat(stored("r")).as("its creation").hasSize(1);
        assertThat(a.scheduler()
                        .apply(JobAction.rerunFailed(), JobSelection.keys("r"))
                        .items())
                .extracting(item -> item.result())
                .containsExactly(ActionReport.Result.DONE);
        pass(2_000);
        assertThat(world.callsOf("r")).hasSize(2);
    }

    @Test
    @DisplayName(
            "N2, S19: an acknowledgement of a span closes no failure that came after it and that only the document shows")
    void acknowledgement() {
        Machine a = node(1);
        world.work = call -> CompletableFuture.failedFuture(new IllegalStateException("bad"));
        a.scheduler()
                .scheduleJob(job("r").schedulingSpecification("0 * * * * ?").build());
        pass(61_000);
        world.writeRows();
        stalled = true;
        pass(60_000);
        assertThat(stored("r")).as("its creation and its first failure").hasSize(2);
        assertThat(a.scheduler()
                        .apply(JobAction.acknowledge(), new JobSelection.Failed(START, START.plusSeconds(90), null))
                        .items())
                .extracting(item -> item.detail())
                .containsExactly("has failed again since");
        assertThat(document("r").plan().failuresInARow()).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "N2: a node for whose rows there is half of the room left claims nothing and says so, until they are written")
    void halfFull() {
        Machine a = node(4);
        stalled = true;
        List<JobSpecification> jobs = IntStream.range(0, 10_001)
                .mapToObj(i -> job("many" + i)
                        .singleSchedule(START.plus(Duration.ofDays(9)))
                        .build())
                .toList();
        a.scheduler().scheduleJobs(jobs);
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(5)).build());
        pass(30_000);
        assertThat(world.calls).isEmpty();
        assertThat(a.scheduler().health().reasons())
                .anyMatch(reason -> reason.startsWith("history is behind: 10002 status rows wait"));
        stalled = false;
        pass(15_000);
        assertThat(world.calls).hasSize(1);
        assertThat(a.scheduler().health().reasons()).noneMatch(reason -> reason.contains("history is behind"));
    }

    @Test
    @DisplayName(
            "N3: rows that could not be stored before they were hidden wait with the others, and follow without another")
    void owed() {
        Machine a = owing();
        assertThat(a.scheduler().node().rowsWaiting()).isEqualTo(1);
        assertThat(stored("r")).as("its creation and the second run").hasSize(2);
        a.scheduler().pause(PauseScope.everything(), new Pause("why", "ann", null));
        pass(20_000);
        assertThat(a.scheduler().node().rowsWaiting()).isEqualTo(1);
        stalled = false;
        pass(15_000);
        assertThat(stored("r")).hasSize(3);
        assertThat(a.scheduler().node().rowsWaiting()).isZero();
    }

    @Test
    @DisplayName("N3: a shutdown that gives up such rows says how many")
    void owedAtTheEnd() {
        Machine a = owing();
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(HistoryWriter.class);
        Level usual = logger.getLevel();
        logger.setLevel(Level.WARN);
        lines.start();
        logger.addAppender(lines);
        try {
            a.scheduler().close();
        } finally {
            logger.detachAppender(lines);
            logger.setLevel(usual);
        }
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .anyMatch(line -> line.startsWith("1 status rows are not written;"));
    }

    @Test
    @DisplayName("N3: a row that waits to be written and is hidden meanwhile waits once")
    void owedOnce() {
        JobStore store = StoreHook.over(JobStore.class, world.store, (method, arguments, call) -> {
            if (method.equals("writeRows") && stalled) {
                throw new StoreException("no answer", new IllegalStateException("planned"));
            }
            return method.equals("write") && stalled ? hiding(arguments, row -> true) : call.proceed();
        });
        Machine a = world.node("a", store, Duration.ZERO, builder -> builder);
        a.scheduler()
                .scheduleJob(job("r").schedulingSpecification("0/20 * * * * ?").build());
        world.writeRows();
        stalled = true;
        pass(70_000);
        assertThat(world.calls).hasSizeGreaterThan(2);
        assertThat(a.scheduler().node().rowsWaiting()).isEqualTo(world.calls.size());
        stalled = false;
        pass(15_000);
        assertThat(a.scheduler().node().rowsWaiting()).isZero();
        assertThat(stored("r")).hasSize(world.calls.size() + 1);
    }

    /** A node that owes the row of the first of two runs: it was not stored before the second one hid it, nor is it now. */
    private Machine owing() {
        Set<String> hidden = new HashSet<>();
        boolean[] losing = {false};
        JobStore store = StoreHook.over(JobStore.class, world.store, (method, arguments, call) -> {
            if (method.equals("write") && stalled) {
                return hiding(
                        arguments, row -> !stored(row.jobSpecificationKey()).contains(row) && hidden.add(row.id()));
            } else if (method.equals("writeRows") && losing[0]) {
                return null;
            } else if (method.equals("writeRows") && stalled && isAnyOf(hidden, (List<?>) arguments[0])) {
                throw new StoreException("no answer", new IllegalStateException("planned"));
            }
            return call.proceed();
        });
        Machine a = world.node("a", store, Duration.ZERO, builder -> builder);
        a.scheduler()
                .scheduleJob(job("r").schedulingSpecification("0/20 * * * * ?").build());
        world.writeRows();
        losing[0] = true;
        pass(30_000);
        losing[0] = false;
        stalled = true;
        pass(20_000);
        assertThat(hidden).hasSize(1);
        return a;
    }

    /** Writes changes without the rows that they hide; these are owed. */
    private List<Boolean> hiding(Object[] arguments, Predicate<JobExecutionStatus> owed) {
        List<JobChange> changes =
                ((List<?>) arguments[0]).stream().map(JobChange.class::cast).toList();
        keeper(arguments)
                .accept(changes.stream()
                        .flatMap(change -> change.rowsBefore().stream())
                        .filter(owed)
                        .toList());
        return world.store.write(changes.stream().map(Mutants::hidingNothing).toList());
    }

    @SuppressWarnings("unchecked")
    private static Consumer<List<JobExecutionStatus>> keeper(Object[] arguments) {
        return arguments.length < 2 ? rows -> {} : (Consumer<List<JobExecutionStatus>>) arguments[1];
    }

    private static boolean isAnyOf(Set<String> ids, List<?> rows) {
        return rows.stream().anyMatch(row -> ids.contains(((JobExecutionStatus) row).id()));
    }

    private List<JobExecutionStatus> stored(String key) {
        return world.store.rows(RowQuery.ofKey(key, 100));
    }
}
