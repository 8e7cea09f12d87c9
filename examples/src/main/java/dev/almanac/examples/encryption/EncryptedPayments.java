package dev.almanac.examples.encryption;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.Scheduler;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javax.crypto.spec.SecretKeySpec;

/**
 * A payment whose account and amount cannot be read in the database. Arguments: connection string, database, and an
 * AES key in Base64, which a service reads from its key store.
 */
public final class EncryptedPayments {
    private EncryptedPayments() {}

    /** What must not be readable. */
    record Payment(String account, String amount) implements SchedulingCommand {}

    /** Gets the payment as it was before it was sealed. */
    static final class Payments implements SchedulingHelper {
        @Override
        public boolean supports(SchedulingCommand command) {
            return command instanceof Payment;
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command) {
            Payment payment = (Payment) command;
            System.out.println("paying " + payment.amount() + " to " + payment.account());
            return CompletableFuture.completedFuture(null);
        }
    }

    /** Schedules a payment in half a second, and waits until it is made. */
    public static void main(String[] arguments) {
        SecretKeySpec key = new SecretKeySpec(Base64.getDecoder().decode(arguments[2]), "AES");
        // snippet: encryption
        KeyRing ring = new KeyRing("2026-11", Map.of("2026-11", key));
        MongoStoreSettings settings = MongoStoreSettings.ofDatabase(arguments[1]);
        try (MongoClient client = MongoClients.create(arguments[0]);
                Scheduler scheduler = Scheduler.builder()
                        .store(MongoJobStore.create(client, settings, new SealedCommandCodec(ring)))
                        .serviceName("treasury")
                        .command("payment", 1, Payment.class)
                        .helper(new Payments())
                        .build()) {
            // end
            scheduler.start();
            scheduler.scheduleJob(payment());
            while (scheduler.findJobById("payment-4711").isPresent()) {
                Thread.onSpinWait();
            }
        }
    }

    private static JobSpecification payment() {
        Instant soon = Instant.now().plus(Duration.ofMillis(500));
        return JobSpecification.oneOff("payment-4711", soon, new Payment("BE68539007547034", "1250.00"));
    }
}
