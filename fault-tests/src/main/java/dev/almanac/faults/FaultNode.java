package dev.almanac.faults;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.helper.Execution;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.time.ExclusionCalendar;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** One node in a process of its own: arguments are URI, database, name and the file of the evidence. */
public final class FaultNode {
    /** As a byte of the input. */
    static final int USE_UP_MEMORY = 'm';

    static final String FREE_AGAIN = "memory is free again";

    private static final Duration SHORT_OF_MEMORY = Duration.ofSeconds(5);
    private static final int LARGEST = 1 << 20;
    private static final int SMALLEST = 4;

    private FaultNode() {}

    /** Leases that are short, so that tests need not wait long, but outlast a machine that stands still for some seconds. */
    public static SchedulerSettings settings() {
        return settings(Duration.ofSeconds(15));
    }

    static SchedulerSettings settings(Duration lease) {
        return SchedulerSettings.builder()
                .leaseLength(lease)
                .skewAllowance(Duration.ofMillis(750))
                .pollInterval(Duration.ofMillis(300))
                .heartbeatInterval(Duration.ofSeconds(1))
                .nodeTimeout(Duration.ofSeconds(4))
                .pastAcceptanceWindow(Duration.ofMinutes(1))
                .build();
    }

    /** A node that is not started. */
    public static Scheduler scheduler(MongoClient client, String database, String name, Evidence evidence) {
        return builder(client, database, name, evidence).build();
    }

    static SchedulerBuilder builder(MongoClient client, String database, String name, Evidence evidence) {
        return Scheduler.builder()
                .store(MongoJobStore.create(client, MongoStoreSettings.ofDatabase(database)))
                .settings(settings())
                .command("errand", 1, TimedCommand.class)
                .calendarReader(definition -> ExclusionCalendar.allOf(List.of()))
                .helper(new Runner(name, evidence))
                .label(name);
    }

    /** Runs until it is killed or its input is closed; then it lets its runs end. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        MongoClient client = MongoClients.create(arguments[0]);
        Scheduler scheduler = scheduler(client, arguments[1], arguments[2], new Evidence(Path.of(arguments[3])));
        // the thread that ends runs is there before the first one
        CompletableFuture.delayedExecutor(0, TimeUnit.MILLISECONDS, Runnable::run)
                .execute(() -> {});
        scheduler.start();
        System.out.println("ready");
        int read = System.in.read();
        while (read >= 0) {
            if (read == USE_UP_MEMORY) {
                useUpMemory();
            }
            read = System.in.read();
        }
        scheduler.drain(Duration.ofMinutes(1));
        scheduler.close();
    }

    /** For some seconds no other thread finds any. */
    private static void useUpMemory() {
        Object[] last = null;
        long end = System.nanoTime() + SHORT_OF_MEMORY.toNanos();
        int size = LARGEST;
        boolean usedUp = false;
        while (System.nanoTime() < end) {
            try {
                Object[] more = new Object[size];
                more[0] = last;
                last = more;
            } catch (OutOfMemoryError full) {
                usedUp = true;
                size = Math.max(SMALLEST, size / 2);
            }
        }
        last = null;
        System.out.println(usedUp ? FREE_AGAIN : "there was memory all the time");
    }

    private record Runner(String name, Evidence evidence) implements SchedulingHelper {
        @Override
        public boolean supports(SchedulingCommand command) {
            return command instanceof TimedCommand;
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command, Execution execution) {
            evidence.note("start", name, execution);
            long millis = ((TimedCommand) command).millis();
            CompletableFuture<Void> stage = new CompletableFuture<>();
            if (millis == 0) {
                endWithMemory(execution, stage);
            } else {
                // by itself, so that it comes to its end also if the stage is cancelled, as that of a zombie is;
                // without a new thread
                CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, Runnable::run)
                        .execute(() -> endWithMemory(execution, stage));
            }
            return stage;
        }

        /**
         * A stage that is not completed holds the run, so it is completed once there is memory. The engine may have
         * cancelled the stage of a zombie by now, which asks all the same.
         */
        private void endWithMemory(Execution execution, CompletableFuture<Void> stage) {
            do {
                try {
                    end(execution, stage);
                } catch (OutOfMemoryError full) {
                    Thread.onSpinWait();
                }
            } while (!stage.isDone());
        }

        /** A careful helper: what it does at the end is refused if the lease is lost. It has ended before it asks. */
        private void end(Execution execution, CompletableFuture<Void> stage) {
            long at = System.currentTimeMillis();
            try {
                execution.assertOwned();
            } catch (RuntimeException lost) {
                evidence.note("refused", name, execution);
                stage.completeExceptionally(lost);
                return;
            }
            evidence.note("end", name, execution, at);
            stage.complete(null);
        }
    }
}
