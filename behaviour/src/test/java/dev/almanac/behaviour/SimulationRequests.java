package dev.almanac.behaviour;

import dev.almanac.behaviour.SimulationLedger.Note;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.runtime.TimeSource;
import java.time.Instant;
import java.util.SplittableRandom;

/** What users of some seeds ask for beside what all ask: it is drawn by itself, so that other seeds stay as they are. */
final class SimulationRequests {
    /** No seed of {@link Mutants} that was found before is one of these. */
    private static final int EACH = 9;

    private static final long SALT = 0x0b_e51d_e5L;

    private final SimulationNodes.Machine client;
    private final SimulationUsers users;
    private final TimeSource time;
    private final SplittableRandom random;
    private final boolean some;

    SimulationRequests(SimulationNodes.Machine client, SimulationUsers users, TimeSource time, long seed) {
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
                CrashPolicy policy = random.nextBoolean() ? CrashPolicy.FAIL : CrashPolicy.RERUN;
                users.request(() -> change(key, policy));
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

    private void change(String key, CrashPolicy policy) {
        JobSpecification stored = client.scheduler()
                .findJobById(key)
                .orElseThrow(() -> new JobNotFoundException(key))
                .specification();
        client.scheduler().updateJob(stored.toBuilder().crashPolicy(policy).build());
    }
}
