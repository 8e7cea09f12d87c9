package dev.almanac.metrics;

import dev.almanac.Health;
import dev.almanac.Scheduler;
import dev.almanac.model.Backlog;
import dev.almanac.model.UnservedJobs;
import java.time.Duration;
import java.util.List;

/** The state of a node: its slots, its health, and the backlog. */
final class NodeGauges {
    private NodeGauges() {}

    static void node(Meters meters, Scheduler scheduler) {
        slots(meters, scheduler);
        history(meters, scheduler);
        meters.gauge(
                "almanac.health",
                null,
                "Health of this node: 0 = UP, 1 = DEGRADED, 2 = DOWN",
                () -> number(scheduler.health().state()));
    }

    static void live(Meters meters, BacklogWatch<Long> jobs) {
        meters.gauge(
                "almanac.jobs.live",
                null,
                "Live jobs of the cluster; counted up to 100 000",
                () -> jobs.read(Long::doubleValue));
    }

    static void failures(Meters meters, BacklogWatch<Long> failures) {
        meters.gauge(
                "almanac.failures.open",
                null,
                "Jobs with a failure since which none of their fires has gone well, and which no user has acknowledged; counted"
                        + " up to 10 000",
                () -> failures.read(Long::doubleValue));
    }

    static void overdue(Meters meters, BacklogWatch<Backlog> backlog) {
        meters.gauge(
                "almanac.jobs.overdue",
                null,
                "Jobs of this node's types and priorities that are due and not claimed; counted up to 10 000",
                () -> backlog.read(Backlog::overdueJobs));
        meters.gauge(
                "almanac.jobs.overdue.age",
                "seconds",
                "How long the most overdue job has been due",
                () -> backlog.read(b -> seconds(b.oldestOverdue())));
    }

    static void unserved(Meters meters, BacklogWatch<List<UnservedJobs>> unserved) {
        meters.gauge(
                "almanac.jobs.unserved",
                null,
                "Due jobs of any type that no live node takes, by type or by priority; counted up to 2 000",
                () -> unserved.read(
                        kinds -> kinds.stream().mapToLong(UnservedJobs::jobs).sum()));
        meters.gauge(
                "almanac.jobs.unserved.age",
                "seconds",
                "How long the first of them has been due",
                () -> unserved.read(kinds -> kinds.stream()
                        .mapToDouble(kind -> seconds(kind.oldest()))
                        .max()
                        .orElse(0)));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }

    private static void history(Meters meters, Scheduler scheduler) {
        meters.gauge(
                "almanac.history.waiting",
                null,
                "Status rows of this process that wait to be written",
                () -> scheduler.node().rowsWaiting());
    }

    private static void slots(Meters meters, Scheduler scheduler) {
        meters.gauge(
                "almanac.slots.used",
                null,
                "Claims that this node holds",
                () -> scheduler.node().runs());
        meters.gauge(
                "almanac.slots.limit",
                null,
                "Claims that this node may hold",
                () -> scheduler.node().slots());
    }

    private static int number(Health.State state) {
        return switch (state) {
            case UP -> 0;
            case DEGRADED -> 1;
            case DOWN -> 2;
        };
    }
}
