package dev.almanac.behaviour;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.NewJob;
import dev.almanac.store.Renewal;
import dev.almanac.testkit.time.ManualClocks;
import dev.almanac.testkit.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * The clocks of the machines of a simulation. Somebody sets them, by up to a day, at any moment and also while a call is
 * under way; a machine that stood still may find that its monotonic clock did, too. Judged is what arrives at the server:
 * no lease, no row and no missed fire is ahead of its clock by more than clocks may be wrong (rule X5).
 */
final class SimulationClocks {
    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final Duration MARGIN = Duration.ofSeconds(2);
    /** The skew allowance: no estimate is wrong by more. */
    private static final Duration CLOCK_ERROR = Duration.ofMillis(1_750);

    private static final List<Duration> STEPS =
            List.of(Duration.ofHours(1), Duration.ofDays(1), Duration.ofMillis(700), Duration.ofSeconds(9));

    private final ManualTime time;
    private final SplittableRandom random;
    private final SimulationLedger ledger;
    private final boolean set;
    private final List<Clocks> all = new ArrayList<>();
    private boolean faulty = true;

    /** The clocks of one machine, and by how much they were set. */
    private static final class Clocks {
        private final ManualClocks clocks;
        private Duration off = Duration.ZERO;
        private Instant frozen = Instant.MAX;

        private Clocks(ManualClocks clocks) {
            this.clocks = clocks;
        }

        private void set(Duration by) {
            clocks.set(by);
            off = off.plus(by);
        }
    }

    /** @param set whether clocks are set at all */
    SimulationClocks(ManualTime time, SplittableRandom random, SimulationLedger ledger, boolean set) {
        this.time = time;
        this.random = random;
        this.ledger = ledger;
        this.set = set;
    }

    /** The clocks of the next machine, which differ from the true time a little. */
    TimeSource next(Duration skew) {
        Clocks machine = new Clocks(new ManualClocks(time));
        machine.clocks.set(skew);
        all.add(machine);
        return machine.clocks;
    }

    /** To a node that has it, deadlines and estimates are the wall clock's; it cannot see that it was set. */
    static TimeSource byWall(TimeSource clock) {
        Instant begin = clock.wall();
        return new TimeSource() {
            @Override
            public Instant wall() {
                return clock.wall();
            }

            @Override
            public long nanos() {
                return Duration.between(begin, clock.wall()).toNanos();
            }

            @Override
            public ZoneId zone() {
                return clock.zone();
            }
        };
    }

    /** No clock is set from now on; those that are wrong stay so. */
    void heal() {
        faulty = false;
    }

    /** Somebody sets the wall clock of a machine, or sets it right. */
    void disturb(int number) {
        Clocks machine = all.get(number);
        Duration step = STEPS.get(random.nextInt(STEPS.size()));
        if (!machine.off.isZero() && random.nextBoolean()) {
            machine.set(machine.off.negated());
        } else {
            machine.set(random.nextBoolean() ? step : step.negated());
        }
    }

    /** While a call is under way. */
    void whileWaiting(int number) {
        if (set && faulty && random.nextInt(25) == 0) {
            disturb(number);
        }
    }

    void frozen(int number) {
        Clocks machine = all.get(number);
        machine.frozen = machine.frozen.equals(Instant.MAX) ? time.wall() : machine.frozen;
    }

    /** The machine goes on; at times it was the machine that stood still, and not the process alone. */
    void thawed(int number) {
        Clocks machine = all.get(number);
        if (!machine.frozen.equals(Instant.MAX) && set && faulty && random.nextInt(3) == 0) {
            machine.clocks.stoodStill(Duration.between(machine.frozen, time.wall()));
        }
        machine.frozen = Instant.MAX;
    }

    /** The way to the store on which times are judged as they arrive. */
    JobStore watching(JobStore door) {
        return StoreHook.over(door, (method, arguments, call) -> {
            switch (method) {
                case "claim" -> {
                    ClaimRequest request = (ClaimRequest) arguments[0];
                    judge("a lease", request.lease().until(), LEASE);
                    judge("a claim's due", request.visibleAgain(), LEASE.plus(MARGIN));
                }
                case "renew" -> judge("a renewal", ((Renewal) arguments[0]).until(), LEASE);
                case "write" ->
                    rows(((List<?>) arguments[0]).stream().flatMap(item -> ((JobChange) item).rows().stream()));
                case "writeRows" -> rows(((List<?>) arguments[0]).stream().map(JobExecutionStatus.class::cast));
                case "insert" ->
                    rows(((List<?>) arguments[0])
                            .stream().map(item -> ((NewJob) item).job().lastStatus()));
                default -> {}
            }
            return call.proceed();
        });
    }

    private void rows(Stream<JobExecutionStatus> rows) {
        rows.forEach(row -> {
            judge("row " + row.id(), row.updatedTime(), Duration.ZERO);
            if (row.missed() != null) {
                judge("a missed fire of " + row.id(), row.missed().last(), Duration.ZERO);
            }
        });
    }

    private void judge(String what, Instant at, Duration ahead) {
        if (at.isAfter(time.wall().plus(ahead).plus(CLOCK_ERROR))) {
            ledger.complain(what + " is at " + at + " and arrived at " + time.wall());
        }
    }
}
