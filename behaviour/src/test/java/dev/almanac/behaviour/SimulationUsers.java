package dev.almanac.behaviour;

import dev.almanac.behaviour.SimulationLedger.NotNow;
import dev.almanac.behaviour.SimulationLedger.Note;
import dev.almanac.model.CancelMode;
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
import java.util.Set;
import java.util.SplittableRandom;

/** Those who schedule the jobs of a simulation and change their minds, each by the scheduler of one client. */
final class SimulationUsers {
    /** Requests are lost and torn; no time passes. */
    private static final Chances AT_ONCE = new Chances(
            Map.of(Fault.Kind.LOSE_REQUEST, 0.05, Fault.Kind.LOSE_REPLY, 0.1, Fault.Kind.TORN, 0.1),
            Duration.ZERO,
            Duration.ZERO);

    /** The id that a failure command is handed over with. */
    static final String SORRY = "sorry";

    private final SimulationNodes.Machine client;
    private final Lane lane;
    private final SimulationServer server;
    private final SimulationLedger ledger;
    private final ManualTime time;
    private final SplittableRandom random;
    private final SimulationPauses pauses;
    private final Set<RareFaults> rare;

    SimulationUsers(
            SimulationNodes.Machine client,
            SimulationServer server,
            SimulationLedger ledger,
            ManualTime time,
            SplittableRandom random,
            SimulationPauses pauses,
            Set<RareFaults> rare) {
        this.client = client;
        this.lane = client.lanes().open("requests", 3);
        this.server = server;
        this.ledger = ledger;
        this.time = time;
        this.random = random;
        this.pauses = pauses;
        this.rare = rare;
    }

    void schedule(String key) {
        boolean oneOff = random.nextBoolean();
        int millis = random.nextInt(3) == 0 ? 0 : random.nextInt(oneOff ? 45_000 : 9_000);
        // so long that a node renews several leases while a transaction has locked one of the jobs
        int longer = oneOff && rare.contains(RareFaults.TRANSACTIONS) ? 30_000 : 0;
        int failures = random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 0;
        JobSpecificationBuilder job = JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("simulation")
                .triggerCommand(new Note(millis + longer, failures, random.nextBoolean(), notNow()))
                .triggerIdentifier(key)
                .retryPolicy(RetryPolicy.fixed(1, Duration.ofSeconds(3)))
                .history((Math.floorMod(millis + key.hashCode(), 3) == 0) == oneOff ? History.ALL : History.TROUBLE)
                .crashPolicy(random.nextInt(4) == 0 ? CrashPolicy.FAIL : CrashPolicy.RERUN);
        if (random.nextInt(4) == 0) {
            job.failureCommand(new Note(random.nextInt(3_000), random.nextInt(2), true, NotNow.NEVER))
                    .failureIdentifier(SORRY);
        }
        if (random.nextInt(4) == 0) {
            job.exclusiveGroup("ledger");
        }
        if (random.nextInt(4) == 0) {
            job.executionTimeout(Duration.ofSeconds(5));
        }
        if (oneOff) {
            job.singleSchedule(Simulation.START.plusMillis(random.nextLong(1_000, 40_000)));
        } else {
            job.schedulingSpecification("0/15 * * * * ?")
                    .endAt(Simulation.START.plusSeconds(Simulation.LAST_FIRE))
                    .missedFirePolicy(random.nextInt(3) == 0 ? MissedFirePolicy.RUN_LATEST : MissedFirePolicy.RUN_ALL);
        }
        if (random.nextBoolean()) {
            job.tags(SimulationPauses.TAG);
        }
        if (rare.contains(RareFaults.CALENDARS) && !oneOff) {
            SimulationCalendars.add(job, random);
        }
        if (rare.contains(RareFaults.SCHEDULES) && !oneOff) {
            SimulationSchedules.addPolicy(job, random);
        }
        if (rare.contains(RareFaults.NOT_NOW) && !oneOff && random.nextBoolean()) {
            job.pauseAfterFailures(1);
        }
        SimulationFollowUps.add(job, random);
        client.network().failAtRandom(random.nextLong(), AT_ONCE);
        insist(job.build());
        client.network().heal();
    }

    private NotNow notNow() {
        return rare.contains(RareFaults.NOT_NOW) ? NotNow.values()[random.nextInt(3)] : NotNow.NEVER;
    }

    /** As a service does that must know its job stored. */
    private void insist(JobSpecification job) {
        boolean unknown = true;
        while (unknown) {
            try {
                client.scheduler().scheduleJob(job);
                unknown = false;
            } catch (StoreException | SimulationSeams.Broken | SimulationSeams.Fatal noAnswer) {
                // once more: equal contents change nothing
            }
        }
    }

    /** One of the things that users ask for. */
    void ask(int what, String key) {
        switch (what) {
            case 0 -> cancel(key, CancelMode.LET_RUN);
            case 1 -> cancel(key, CancelMode.INTERRUPT);
            case 2, 3 -> update(key);
            case 4 -> pause(key);
            case 5 -> pauses.pause(this::request);
            case 6 -> runNow(key);
            default -> {
                resume(key);
                pauses.resume(this::request);
            }
        }
    }

    /** A user sees that the job is blocked, and stores it again as it is. */
    void mend(String key) {
        server.truth()
                .find(key, FindScope.LIVE)
                .filter(job -> job.blocked() != null)
                .ifPresent(job -> request(() -> client.scheduler().updateJob(job.specification())));
    }

    /** Somebody looks whether all is well, in the middle of everything. */
    void doctor() {
        request(() -> client.scheduler().checkInvariants(Duration.ofSeconds(30)));
    }

    void pause(String key) {
        request(() -> client.scheduler().pause(PauseScope.job(key), new Pause("storm", "simulation", null)));
    }

    void resume(String key) {
        request(() -> client.scheduler().resume(PauseScope.job(key)));
    }

    void runNow(String key) {
        request(() -> client.scheduler().runNow(key));
    }

    /** A user asks; the network may lose it, and then the user does not know. */
    void request(Runnable request) {
        lane.run(() -> {
            try {
                request.run();
            } catch (JobNotFoundException | StaleJobException | InvalidJobException | IllegalStateException refused) {
                // an answer that promises nothing
            } catch (StoreException | SimulationSeams.Broken | SimulationSeams.Fatal unknown) {
                // no answer
            }
        });
    }

    private void cancel(String key, CancelMode mode) {
        request(() -> {
            if (client.scheduler().cancelJob(key, mode) == CancelResult.CANCELED) {
                ledger.canceled(server.truth()
                        .find(key, FindScope.INCLUDING_FINISHED)
                        .orElseThrow()
                        .id());
            }
        });
    }

    /** Another schedule for a recurrence, be its fires overdue or not (rule S2). */
    void changeSchedule(String key) {
        String cron = SimulationSchedules.draw(random);
        request(() -> {
            JobSpecification stored = client.scheduler()
                    .findJobById(key)
                    .orElseThrow(() -> new JobNotFoundException(key))
                    .specification();
            if (stored.isRecurring()) {
                client.scheduler()
                        .updateJob(
                                stored.toBuilder().schedulingSpecification(cron).build());
            }
        });
    }

    /** Another priority, or for a one-off another date. */
    void update(String key) {
        int priority = random.nextInt(8);
        Instant date = time.wall().plusMillis(random.nextLong(30_000, 60_000));
        boolean moves = random.nextBoolean();
        request(() -> {
            JobSpecification stored = client.scheduler()
                    .findJobById(key)
                    .orElseThrow(() -> new JobNotFoundException(key))
                    .specification();
            JobSpecificationBuilder changed = stored.toBuilder().priority(priority);
            if (moves && !stored.isRecurring()) {
                changed.singleSchedule(date);
            }
            client.scheduler().updateJob(changed.build());
        });
    }
}
