package dev.almanac.examples.demo;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.Scheduler;
import dev.almanac.helper.Execution;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * One node of the demo, in a process of its own: arguments are database, name and ledger file. The URI comes from the
 * environment, since it may contain a password and the arguments of a process are visible to all users.
 */
final class DemoNode implements SchedulingHelper {
    /** The environment variable with the connection string. */
    static final String URI = "ALMANAC_DEMO_URI";

    private static final long MOST_MILLIS = 20_000;

    private final String name;
    private final OutputStream ledger;

    private DemoNode(String name, OutputStream ledger) {
        this.name = name;
        this.ledger = ledger;
    }

    public static void main(String[] arguments) throws IOException {
        MongoClient client = MongoClients.create(System.getenv(URI));
        // not a channel, which an interrupt of one run's thread would close for all
        OutputStream ledger = new FileOutputStream(arguments[2], true);
        Scheduler scheduler = Scheduler.builder()
                .store(MongoJobStore.create(client, MongoStoreSettings.ofDatabase(arguments[0])))
                .settings(DemoSettings.settings())
                .command("payment", 1, Payment.class)
                .helper(new DemoNode(arguments[1], ledger))
                .label(arguments[1])
                .build();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> leave(scheduler)));
        scheduler.start();
        System.out.println("ready");
        // the director closes this node's input, or is gone, when the day is over
        System.in.transferTo(OutputStream.nullOutputStream());
        System.exit(0);
    }

    /** Leaves in order, so that it is not reported as dead; but the server may be gone already, which costs no more. */
    private static void leave(Scheduler scheduler) {
        Thread closing = new Thread(scheduler::close);
        closing.setDaemon(true);
        closing.start();
        try {
            closing.join(MOST_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean supports(SchedulingCommand command) {
        return command instanceof Payment;
    }

    @Override
    public CompletionStage<Void> execute(String id, SchedulingCommand command, Execution execution) {
        return pay((Payment) command, execution);
    }

    @Override
    public CompletionStage<Void> lateExecute(
            String id, SchedulingCommand command, Duration overThreshold, Execution execution) {
        return pay((Payment) command, execution);
    }

    private CompletionStage<Void> pay(Payment payment, Execution execution) {
        note("start", execution);
        boolean fails = payment.kind().equals("refuse") || payment.kind().equals("mend") && execution.attempt() == 1;
        if (fails) {
            throw new IllegalStateException("the bank refused the payment of " + payment.amount() + " EUR");
        }
        if (payment.millis() == 0) {
            note("end", execution);
            return CompletableFuture.completedFuture(null);
        }
        return CompletableFuture.runAsync(
                () -> note("end", execution),
                CompletableFuture.delayedExecutor(payment.millis(), TimeUnit.MILLISECONDS));
    }

    private void note(String event, Execution execution) {
        LedgerLine line = new LedgerLine(
                event,
                name,
                execution.jobSpecificationKey(),
                execution.fireTime().toEpochMilli(),
                System.currentTimeMillis(),
                execution.attempt(),
                execution.fencingNumber(),
                execution.late());
        try {
            // one write call for a line, so that lines of several nodes do not mix
            ledger.write(line.text().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
