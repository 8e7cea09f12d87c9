package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.Scheduler;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobState;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.testkit.server.MongoServer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A plain Java service needs this artifact and nothing that it does not bring itself. */
class PlainServiceTest {
    record Reminder(String customer) implements SchedulingCommand {}

    @ParameterizedTest
    @ValueSource(
            strings = {
                "com.google.inject.Guice",
                "com.typesafe.config.Config",
                "org.springframework.context.ApplicationContext",
                "dev.almanac.config.AlmanacConfig",
                "dev.almanac.guice.SchedulerModule"
            })
    @DisplayName("the class path of this artifact has no framework, and no settings file")
    void without(String absent) {
        assertThatThrownBy(() -> Class.forName(absent)).isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    @DisplayName("with that class path a service starts, runs a job on a real server, and stops")
    void service() throws InterruptedException {
        MongoServer server = MongoServer.shared();
        String database = server.freshDatabase();
        BlockingQueue<String> reminded = new LinkedBlockingQueue<>();
        try (MongoClient client = MongoClients.create(server.uri())) {
            try (Scheduler scheduler = Scheduler.builder()
                    .store(MongoJobStore.create(client, MongoStoreSettings.ofDatabase(database)))
                    .serviceName("billing")
                    .command("reminder", 1, Reminder.class, (reminder, run) -> reminded.add(reminder.customer()))
                    .build()
                    .start()) {
                scheduler.scheduleJob(JobSpecification.now("reminder-4711", new Reminder("Ann")));
                assertThat(reminded.poll(3, TimeUnit.MINUTES)).isEqualTo("Ann");
                scheduler.drain(Duration.ofMinutes(3));
                assertThat(scheduler.findJob("reminder-4711").orElseThrow().jobState())
                        .isEqualTo(JobState.SUCCEEDED);
            }
            client.getDatabase(database).drop();
        }
    }
}
