package dev.almanac.behaviour;

import dev.almanac.behaviour.SimulationLedger.Note;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.runtime.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** What users of some seeds ask for beside what all ask: it is drawn by itself, so that other seeds stay as they are. */
final class SimulationRequests {
    /** No seed of {@link Mutants} that was found before is one of these. */
    private static final int EACH = 9;

    private static final long SALT = 0x0b_e51d_e5L;

    private final SimulationNodes.Machine client;
    private final SimulationUsers users;
    private final TimeSource time;
    private final SplittableRandom random;
    private final Set<RareFaults> rare;
    private final boolean some;

    SimulationRequests(
            SimulationNodes.Machine client, SimulationUsers users, TimeSource time, Set<RareFaults> rare, long seed) {
        this.rare = rare;
        this.client = client;
        this.users = users;
        this.time = time;
        this.random = new SplittableRandom(seed ^ SALT);
        this.some = seed % EACH == 0;
    }

    void disturb(String key) {
        if (!some || random.nextInt(2) == 0) {
            return;
        }
        switch (random.nextInt(4)) {
            case 0, 1 -> pause(key);
            case 2 -> {
                Note contents = new Note(random.nextInt(4_000), random.nextInt(2));
                users.request(() -> client.scheduler().runNow(key, contents));
            }
            default -> {
                UnaryOperator<JobSpecificationBuilder> change = change();
                users.request(() -> change(key, change));
            }
        }
        if (random.nextInt(4) == 0) {
            users.request(() -> client.scheduler().apply(JobAction.acknowledge(), JobSelection.keys(key)));
        }
    }

    /** From now on or a little later, for a while (rule S18). */
    private void pause(String key) {
        Instant from = time.wall().plusSeconds(random.nextInt(6));
        Instant until = from.plusSeconds(8 + random.nextInt(10));
        Pause pause = new Pause("a while", "simulation", until);
        Pause asked = random.nextBoolean() ? pause : pause.from(from);
        users.request(() -> client.scheduler().pause(PauseScope.job(key), asked));
    }

    /** Of what a run may meet; of when it runs only where no calendar is asked, whose fires are judged by one schedule. */
    private UnaryOperator<JobSpecificationBuilder> change() {
        int moment = random.nextInt(25);
        String cron = SimulationSchedules.draw(random);
        return switch (random.nextInt(rare.contains(RareFaults.CALENDARS) ? 2 : 6)) {
            case 0 -> job -> job.crashPolicy(CrashPolicy.FAIL);
            case 1 -> job -> job.crashPolicy(CrashPolicy.RERUN);
            case 2 ->
                job -> job.schedulingSpecification(null)
                        .cronDialect(null)
                        .missedFirePolicy(null)
                        .endAt(null)
                        .singleSchedule(time.wall().plusSeconds(moment - 5));
            case 3 -> job -> recurring(job).everyAfterEnd(Duration.ofSeconds(5 + moment / 2));
            case 4 -> job -> recurring(job).cronDialect(null).schedulingSpecification(cron);
            default ->
                job -> job.missedFirePolicy(moment % 2 == 0 ? MissedFirePolicy.SKIP : MissedFirePolicy.RUN_LATEST);
        };
    }

    private static JobSpecificationBuilder recurring(JobSpecificationBuilder job) {
        return job.singleSchedule((Instant) null)
                .missedFirePolicy(null)
                .endAt(Simulation.START.plusSeconds(Simulation.LAST_FIRE));
    }

    private void change(String key, UnaryOperator<JobSpecificationBuilder> change) {
        JobSpecification stored = client.scheduler()
                .findJobById(key)
                .orElseThrow(() -> new JobNotFoundException(key))
                .specification();
        client.scheduler().updateJob(change.apply(stored.toBuilder()).build());
    }
}
