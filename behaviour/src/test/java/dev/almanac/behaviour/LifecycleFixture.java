package dev.almanac.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.time.ManualLanes;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** What the tests of the table in contributing/lifecycle.md look at; each runs over every kind of store. */
abstract class LifecycleFixture extends OverStores {
    /** In a version for which nobody has an upcaster any more. */
    static final EncodedCommand UNREADABLE = new EncodedCommand("old", 1, Map.of());

    /** A command whose present version nobody can make of the first. */
    record Old() implements SchedulingCommand {}

    Machine nodeOfNewRelease(String name) {
        return world.node(name, world.store, Duration.ZERO, builder -> builder.command("old", 2, Old.class));
    }

    /** A node whose executor calls each run five seconds after it was given it. */
    Machine nodeWithSlowThreads(String name) {
        ManualLanes.Node threads = world.lanes.node();
        return world.node(
                name,
                world.store,
                Duration.ZERO,
                builder -> builder.executor(run -> threads.open("pool", 1).after(Duration.ofSeconds(5), run)));
    }

    /** A client that claims nothing and has the commands of the tests. */
    Scheduler client() {
        return world.client(builder -> builder);
    }

    void pass(long millis) {
        world.pass(Duration.ofMillis(millis));
    }

    /** The document of the key, finished or not. */
    StoredJob document(String key) {
        return world.store.find(key, FindScope.INCLUDING_FINISHED).orElseThrow();
    }

    /** All rows of the key, oldest first, once those are written that follow new documents. */
    List<JobExecutionStatus> rows(String key) {
        world.writeRows();
        List<JobExecutionStatus> rows = new ArrayList<>(world.store.rows(RowQuery.ofKey(key, 1_000)));
        Collections.reverse(rows);
        return rows;
    }

    JobExecutionStatus newest(String key) {
        List<JobExecutionStatus> rows = rows(key);
        return rows.get(rows.size() - 1);
    }

    /** Checks the rows, and that the newest is the one that the document tells of (rule M7). */
    void assertRows(String key, String... expected) {
        assertThat(rows(key))
                .extracting(row -> row.executionStatus() + "/" + row.outcome())
                .containsExactly(expected);
        assertThat(document(key).lastStatus().id()).isEqualTo(newest(key).id());
    }

    void assertFinished(String key) {
        StoredJob job = document(key);
        assertThat(job.isLive()).isFalse();
        assertThat(job.due()).isNull();
        assertThat(job.lease()).isNull();
        assertThat(rows(key))
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.deleteTime()).isNotNull());
    }

    CompletionStage<Void> slow(Duration duration) {
        return world.after(duration);
    }

    static CompletionStage<Void> good() {
        return CompletableFuture.completedFuture(null);
    }

    static CompletionStage<Void> bad() {
        return CompletableFuture.failedFuture(new IllegalStateException("bad"));
    }

    static CompletionStage<Void> endless() {
        return new CompletableFuture<>();
    }

    /** A network that loses chosen changes, with all that is sent together with them. */
    JobStore losingChanges(Predicate<JobChange> chosen) {
        JobStore store = world.store;
        return StoreHook.over(JobStore.class, store, (method, arguments, call) -> {
            boolean lost = method.equals("write")
                    && ((List<?>) arguments[0])
                            .stream().map(JobChange.class::cast).anyMatch(chosen);
            if (lost) {
                throw new StoreException("the connection is gone", new IllegalStateException("planned"));
            }
            return call.proceed();
        });
    }

    /** The process is gone, after the rows of the jobs that it has stored. */
    static void kill(Machine machine) {
        machine.scheduler().history("");
        machine.lanes().close();
    }

    /** Excludes everything before an instant. */
    static ExclusionCalendar closedUntil(Instant end) {
        return new ExclusionCalendar() {
            @Override
            public boolean isIncluded(Instant instant, ZoneId jobZone) {
                return !instant.isBefore(end);
            }

            @Override
            public Optional<Instant> nextIncluded(Instant instant, ZoneId jobZone) {
                return Optional.of(instant.isBefore(end) ? end : instant);
            }
        };
    }
}
