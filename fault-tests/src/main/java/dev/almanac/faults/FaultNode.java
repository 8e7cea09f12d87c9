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
        scheduler.start();
        System.out.println("ready");
        int read = System.in.read();
        while (read >= 0) {
            read = System.in.read();
        }
        scheduler.drain(Duration.ofMinutes(1));
        scheduler.close();
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
                end(execution, stage);
            } else {
                // by itself, so that it comes to its end also if the stage is cancelled, as that of a zombie is
                CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS).execute(() -> end(execution, stage));
            }
            return stage;
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
