package dev.almanac.behaviour;

import dev.almanac.behaviour.SimulationLedger.Note;
import dev.almanac.model.CancelResult;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.FindScope;
import dev.almanac.model.History;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StaleJobException;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.runtime.Lane;
import dev.almanac.store.StoreException;
import dev.almanac.testkit.faults.Chances;
import dev.almanac.testkit.faults.Fault;
import dev.almanac.testkit.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SplittableRandom;

/** Those who schedule the jobs of a simulation and change their minds, each by the scheduler of one clerk. */
final class SimulationUsers {
    /** Requests are lost and torn; no time passes. */
    private static final Chances AT_ONCE = new Chances(
            Map.of(Fault.Kind.LOSE_REQUEST, 0.05, Fault.Kind.LOSE_REPLY, 0.1, Fault.Kind.TORN, 0.1),
            Duration.ZERO,
            Duration.ZERO);

    private final Simulation.Machine clerk;
    private final Lane lane;
    private final SimulationServer server;
    private final SimulationLedger ledger;
    private final ManualTime time;
    private final SplittableRandom random;

    SimulationUsers(
            Simulation.Machine clerk,
            SimulationServer server,
            SimulationLedger ledger,
            ManualTime time,
            SplittableRandom random) {
        this.clerk = clerk;
        this.lane = clerk.lanes().open("requests", 3);
        this.server = server;
        this.ledger = ledger;
        this.time = time;
        this.random = random;
    }

    void schedule(String key) {
        boolean oneOff = random.nextBoolean();
        int millis = random.nextInt(3) == 0 ? 0 : random.nextInt(oneOff ? 45_000 : 9_000);
        int failures = random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 0;
        JobSpecificationBuilder job = JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("simulation")
                .triggerCommand(new Note(millis, failures))
                .triggerIdentifier(key)
                .retryPolicy(RetryPolicy.fixed(1, Duration.ofSeconds(3)))
                .history((Math.floorMod(millis + key.hashCode(), 3) == 0) == oneOff ? History.ALL : History.TROUBLE)
                .crashPolicy(random.nextInt(4) == 0 ? CrashPolicy.FAIL : CrashPolicy.RERUN);
        if (oneOff) {
            job.singleSchedule(Simulation.START.plusMillis(random.nextLong(1_000, 40_000)));
        } else {
            job.schedulingSpecification("0/15 * * * * ?")
                    .endAt(Simulation.START.plusSeconds(Simulation.LAST_FIRE))
                    .missedFirePolicy(random.nextInt(3) == 0 ? MissedFirePolicy.RUN_LATEST : MissedFirePolicy.RUN_ALL);
        }
        SimulationFollowUps.add(job, random);
        clerk.network().failAtRandom(random.nextLong(), AT_ONCE);
        insist(job.build());
        clerk.network().heal();
    }

    /** As a service does that must know its job stored. */
    private void insist(JobSpecification job) {
        boolean unknown = true;
        while (unknown) {
            try {
                clerk.scheduler().scheduleJob(job);
                unknown = false;
            } catch (StoreException noAnswer) {
                // once more: equal contents change nothing
            }
        }
    }

    void pause(String key) {
        request(() -> clerk.scheduler().pause(PauseScope.job(key), new Pause("storm", "simulation", null)));
    }

    void resume(String key) {
        request(() -> clerk.scheduler().resume(PauseScope.job(key)));
    }

    void runNow(String key) {
        request(() -> clerk.scheduler().runNow(key));
    }

    /** A user asks; the network may lose it, and then the user does not know. */
    private void request(Runnable request) {
        lane.run(() -> {
            try {
                request.run();
            } catch (JobNotFoundException | StaleJobException | InvalidJobException refused) {
                // an answer that promises nothing
            } catch (StoreException unknown) {
                // no answer
            }
        });
    }

    void cancel(String key) {
        request(() -> {
            if (clerk.scheduler().cancelJob(key) == CancelResult.CANCELED) {
                ledger.canceled(server.truth()
                        .find(key, FindScope.INCLUDING_FINISHED)
                        .orElseThrow()
                        .id());
            }
        });
    }

    /** Another priority, or for a one-off another date. */
    void update(String key) {
        int priority = random.nextInt(8);
        Instant date = time.wall().plusMillis(random.nextLong(30_000, 60_000));
        boolean moves = random.nextBoolean();
        request(() -> {
            JobSpecification stored = clerk.scheduler()
                    .findJobById(key)
                    .orElseThrow(() -> new JobNotFoundException(key))
                    .specification();
            JobSpecificationBuilder changed = stored.toBuilder().priority(priority);
            if (moves && !stored.isRecurring()) {
                changed.singleSchedule(date);
            }
            clerk.scheduler().updateJob(changed.build());
        });
    }
}
