package dev.almanac.faults;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import dev.almanac.JobWriter;
import dev.almanac.Scheduler;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CancelResult;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.retry.RetryPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A user of the soak: schedules jobs and changes its mind, until its process is ended. Keys say what a job may do:
 * {@code once} runs at most once, {@code ledger} is of an exclusive group.
 */
public final class SoakClient {
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private final String name;
    private final MongoClient client;
    private final MongoJobStore store;
    private final Scheduler scheduler;
    private final Path answers;
    private final SplittableRandom random;
    private final List<String> keys = new ArrayList<>();
    private int number;

    private SoakClient(String name, MongoClient client, String database, Path answers) {
        this.name = name;
        this.client = client;
        this.store = MongoJobStore.create(client, MongoStoreSettings.ofDatabase(database));
        this.scheduler = Scheduler.builder()
                .store(store)
                .settings(FaultNode.settings())
                .command("errand", 1, TimedCommand.class)
                .build();
        this.answers = answers;
        this.random = new SplittableRandom(name.hashCode());
    }

    /** @param arguments connection string, address of the wire, database, name, file of the answers */
    public static void main(String[] arguments) throws InterruptedException {
        SoakClient user = new SoakClient(
                arguments[3], SoakNode.client(arguments[0], arguments[1]), arguments[2], Path.of(arguments[4]));
        while (!NEVER.await(20, TimeUnit.MILLISECONDS)) {
            try {
                user.ask();
            } catch (RuntimeException unknown) {
                user.note("unknown", "-");
            }
        }
    }

    private void ask() throws InterruptedException {
        int what = keys.size() < 5 ? 0 : random.nextInt(100);
        if (what < 60) {
            schedule();
            return;
        }
        String key = keys.get(random.nextInt(Math.max(0, keys.size() - 60), keys.size()));
        if (what < 70) {
            cancel(key, CancelMode.LET_RUN);
        } else if (what < 73) {
            cancel(key, CancelMode.INTERRUPT);
        } else if (what < 82) {
            scheduler.pause(
                    PauseScope.job(key), new Pause("soak", name, Instant.now().plusSeconds(random.nextInt(8))));
        } else if (what < 88) {
            scheduler
                    .findJobById(key)
                    .ifPresent(job -> scheduler.updateJob(job.specification().toBuilder()
                            .priority(random.nextInt(8))
                            .build()));
        } else if (what < 93 && !key.startsWith("once")) {
            scheduler.runNow(key);
        } else {
            holdOpen(key);
        }
        note("done", key);
    }

    private void schedule() {
        int kind = random.nextInt(10);
        String key = (kind < 2 ? "once-" : kind < 4 ? "ledger-" : "job-") + name + "-" + number++;
        JobSpecificationBuilder job = JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor(name)
                .triggerCommand(new TimedCommand(random.nextInt(3) == 0 ? random.nextInt(3_000) : 0))
                .triggerIdentifier(key)
                .zoneId("UTC");
        Instant at = Instant.now().plusMillis(random.nextInt(15_000));
        if (kind < 2) {
            job.singleSchedule(at).crashPolicy(CrashPolicy.FAIL);
        } else if (kind < 4) {
            job.singleSchedule(at).exclusiveGroup("ledger-" + random.nextInt(3));
        } else if (kind < 5) {
            job.schedulingSpecification("0/3 * * * * ?")
                    .maxFires(4)
                    .missedFirePolicy(random.nextBoolean() ? MissedFirePolicy.RUN_ALL : MissedFirePolicy.RUN_LATEST);
        } else {
            job.singleSchedule(at).retryPolicy(RetryPolicy.fixed(2, Duration.ofSeconds(1)));
        }
        keys.add(key);
        scheduler.scheduleJob(job.build());
        note("scheduled", key);
    }

    private void cancel(String key, CancelMode mode) {
        if (scheduler.cancelJob(key, mode) == CancelResult.CANCELED) {
            note("canceled", key);
        }
    }

    /** A transaction of a caller's that takes its time with a job. */
    private void holdOpen(String key) throws InterruptedException {
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            JobWriter writer = scheduler.in(store.inSession(session));
            scheduler
                    .findJobById(key)
                    .ifPresent(job -> writer.updateJob(job.specification().toBuilder()
                            .priority(random.nextInt(8))
                            .build()));
            NEVER.await(random.nextInt(6_000), TimeUnit.MILLISECONDS);
            if (random.nextBoolean()) {
                session.commitTransaction();
                writer.committed();
            } else {
                session.abortTransaction();
            }
        }
    }

    private void note(String what, String key) {
        try {
            Files.writeString(
                    answers,
                    what + "\t" + key + "\t" + System.currentTimeMillis() + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
