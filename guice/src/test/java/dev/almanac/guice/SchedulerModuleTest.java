package dev.almanac.guice;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Inject;
import com.google.inject.Injector;
import com.google.inject.Singleton;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.Scheduler;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.testkit.server.MongoServer;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SchedulerModuleTest {
    record Letter(String to) implements SchedulingCommand {}

    @Singleton
    static final class Sent {
        final BlockingQueue<String> letters = new ArrayBlockingQueue<>(10);
    }

    static final class Postman implements SchedulingHelper {
        private final Sent sent;

        @Inject
        Postman(Sent sent) {
            this.sent = sent;
        }

        @Override
        public boolean supports(SchedulingCommand command) {
            return command instanceof Letter;
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command) {
            sent.letters.add(((Letter) command).to());
            return CompletableFuture.completedFuture(null);
        }
    }

    @Test
    @DisplayName("from the injector to the drained stop: helpers are injected, jobs run")
    void service() throws InterruptedException {
        MongoServer server = MongoServer.shared();
        String database = server.freshDatabase();
        try (MongoClient client = MongoClients.create(server.uri())) {
            Injector injector = Guice.createInjector(
                    new SchedulerModule(MongoStoreSettings.ofDatabase(database)), new AbstractModule() {
                        @Override
                        protected void configure() {
                            bind(MongoClient.class).toInstance(client);
                            SchedulingHelperBinder.of(binder())
                                    .command("letter", 1, Letter.class)
                                    .helper(Postman.class);
                        }
                    });
            Scheduler scheduler = injector.getInstance(Scheduler.class).start();
            scheduler.scheduleJob(JobSpecification.builder()
                    .jobSpecificationKey("letter-1")
                    .jobRequestor("tests")
                    .triggerCommand(new Letter("ann"))
                    .triggerIdentifier("1")
                    .singleSchedule(Instant.now().plusMillis(300))
                    .build());
            assertThat(injector.getInstance(Sent.class).letters.poll(20, TimeUnit.SECONDS))
                    .isEqualTo("ann");
            scheduler.drain(Duration.ofSeconds(5));
            scheduler.close();
            client.getDatabase(database).drop();
        }
    }
}
