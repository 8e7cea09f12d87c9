package dev.almanac.spring.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.Health;
import dev.almanac.Scheduler;
import dev.almanac.spring.orders.OrderService.Orders;
import dev.almanac.testkit.server.MongoServer;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.data.mongodb.core.MongoTemplate;

class OrderServiceTest {
    private final MongoServer server = MongoServer.shared();
    private final String database = server.freshDatabase();
    private final ConfigurableApplicationContext context = start();
    private final Scheduler scheduler = context.getBean(Scheduler.class);
    private final MongoTemplate mongo = context.getBean(MongoTemplate.class);

    private ConfigurableApplicationContext start() {
        return new SpringApplicationBuilder(OrderService.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.main.banner-mode=off",
                        "spring.application.name=orders",
                        "spring.mongodb.uri=" + server.uri(),
                        "spring.mongodb.database=" + database)
                .run();
    }

    @AfterEach
    void stop() {
        context.close();
        try (MongoClient client = MongoClients.create(server.uri())) {
            client.getDatabase(database).drop();
        }
    }

    private long count(String collection) {
        return mongo.getCollection(collection).countDocuments();
    }

    @Test
    @DisplayName("S10: an order and its reminder are stored together or not at all; an annotated method runs")
    void service() {
        Orders orders = context.getBean(Orders.class);
        assertThat(count("jobSpecification")).as("jobs are where the data is").isPositive();
        mongo.createCollection("order");
        orders.place("1", Instant.now());
        await().atMost(Duration.ofMinutes(3))
                .untilAsserted(() -> assertThat(scheduler.findJobById("remind-1"))
                        .as("it has ended")
                        .isEmpty());
        assertThat(count("mail")).isOne();
        Instant later = Instant.now().plus(Duration.ofDays(1));
        assertThatThrownBy(() -> orders.place("1", later)).isInstanceOf(DuplicateKeyException.class);
        assertThat(count("order")).isOne();
        assertThat(scheduler.findJobById("remind-1")).as("rolled back").isEmpty();

        assertThat(scheduler.findJobById("forget-orders").orElseThrow().specification())
                .satisfies(job -> assertThat(job.applicationTag()).contains("orders"))
                .satisfies(job -> assertThat(job.zoneId()).isEqualTo(ZoneId.of("Europe/Berlin")));
        scheduler.runNow("forget-orders");
        await().atMost(Duration.ofMinutes(3))
                .untilAsserted(() -> assertThat(count("order")).isZero());
    }

    @Test
    @DisplayName("S10, ALM-005: a declared job whose document cannot be read is left as it is, and the service starts")
    void damaged() {
        Document wrong = new Document("$set", new Document("claimSeq", "many"));
        mongo.getCollection("jobSpecification").updateOne(new Document("activeKey", "forget-orders"), wrong);
        try (ConfigurableApplicationContext second = start()) {
            assertThat(second.getBean(Scheduler.class).health().state()).isNotEqualTo(Health.State.DOWN);
        }
        assertThat(mongo.getCollection("jobSpecification")
                        .find(new Document("activeKey", "forget-orders"))
                        .first())
                .containsEntry("claimSeq", "many");
    }
}
