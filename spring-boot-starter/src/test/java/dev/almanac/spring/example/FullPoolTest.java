package dev.almanac.spring.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.almanac.spring.AlmanacJob;
import dev.almanac.testkit.server.MongoServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** The calls of the application take all connections of its client. */
class FullPoolTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration LEASE = Duration.ofSeconds(9);
    private static final String SLOW = "of the application";

    /** With a run that lasts, and a call that keeps its connection. No other application of this package finds it by a scan. */
    @EnableAutoConfiguration
    static class Service {
        private final CountDownLatch running = new CountDownLatch(1);
        private final CountDownLatch slow = new CountDownLatch(1);
        private final CountDownLatch over = new CountDownLatch(1);

        @AlmanacJob(key = "long", fixedDelay = 3_600_000)
        void run() throws InterruptedException {
            running.countDown();
            over.await();
        }

        @Bean
        MongoClientSettingsBuilderCustomizer slow() {
            return builder -> builder.addCommandListener(new CommandListener() {
                @Override
                public void commandStarted(CommandStartedEvent event) {
                    if (event.getCommand().containsKey("comment")) {
                        slow.countDown();
                        awaitOver();
                    }
                }
            });
        }

        private void awaitOver() {
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    @DisplayName("X3: leases are renewed though the application's calls have all connections of its client")
    void renewed() throws InterruptedException {
        MongoServer server = MongoServer.shared();
        String database = server.freshDatabase();
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Service.class)
                        .web(WebApplicationType.NONE)
                        .properties(
                                "spring.main.banner-mode=off",
                                "spring.application.name=orders",
                                "almanac.lease-length=" + LEASE.toSeconds() + "s",
                                "spring.mongodb.uri=" + server.uri() + "&maxPoolSize=1",
                                "spring.mongodb.database=" + database)
                        .run();
                MongoClient other = MongoClients.create(server.uri())) {
            Service service = context.getBean(Service.class);
            service.running.await();
            MongoClient own = context.getBean(MongoClient.class);
            Thread call = new Thread(
                    () -> own.getDatabase(database).runCommand(new Document("ping", 1).append("comment", SLOW)));
            call.start();
            service.slow.await();
            try {
                Instant until = leaseEnd(other, database);
                await().atMost(PATIENCE).until(() -> leaseEnd(other, database).isAfter(until.plus(LEASE)));
            } finally {
                service.over.countDown();
                call.join();
            }
            await().atMost(PATIENCE).until(() -> outcomes(other, database).contains("SUCCEEDED"));
            assertThat(outcomes(other, database)).doesNotContain("ABANDONED");
        }
    }

    private static Instant leaseEnd(MongoClient client, String database) {
        Document job = client.getDatabase(database)
                .getCollection("jobSpecification")
                .find(new Document("activeKey", "long"))
                .first();
        Document lease = job == null ? null : job.get("lease", Document.class);
        return lease == null ? Instant.EPOCH : lease.get("until", Date.class).toInstant();
    }

    private static List<String> outcomes(MongoClient client, String database) {
        return client.getDatabase(database)
                .getCollection("jobExecutionStatus")
                .distinct("outcome", String.class)
                .into(new ArrayList<>());
    }
}
