package dev.almanac.examples.guice;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Module;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.almanac.Scheduler;
import dev.almanac.guice.SchedulingHelperBinder;
import dev.almanac.model.JobSpecification;
import dev.almanac.runtime.TimeSource;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.server.MongoServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OrderServiceTest {
    private static final Path ROOT = Path.of(System.getProperty("almanac.root"));

    private static Config config(Map<String, String> given) {
        return ConfigFactory.parseMap(given).withFallback(ConfigFactory.parseResources("orders.conf"));
    }

    /** From start to drained stop: a reminder that is due, one that is paid, one that is late, the nightly job. */
    private static void live(Injector injector) {
        Orders orders = injector.getInstance(Orders.class);
        Scheduler scheduler = injector.getInstance(Scheduler.class);
        OrderService service = injector.getInstance(OrderService.class);
        orders.pay("8");
        service.start();
        service.remind("Ann", "7", Instant.now().plusMillis(200));
        service.remind("Bob", "8", Instant.now().plusMillis(200));
        service.remind("Cid", "9", Instant.now().plus(Duration.ofDays(3)));
        scheduler.runNow("close-forgotten");
        Awaitility.await()
                .atMost(Duration.ofMinutes(3))
                .until(() -> orders.letters().size() == 2
                        && scheduler.findJobById("reminder-7").isEmpty()
                        && scheduler.findJobById("reminder-8").isEmpty());
        JobSpecification nightly =
                scheduler.findJobById("close-forgotten").orElseThrow().specification();
        service.close();
        assertThat(orders.letters())
                .containsExactlyInAnyOrder("Dear Ann, please pay order 7", "closed what is older than 90 days");
        assertThat(nightly.zoneId()).isEqualTo(ZoneId.of("Europe/Berlin"));
        assertThat(scheduler.node().runs()).isZero();
    }

    @Test
    @DisplayName("from the injector to the drained stop in memory")
    void memory() {
        Module memory = new AbstractModule() {
            @Override
            protected void configure() {
                SchedulingHelperBinder.of(binder()).store().toInstance(new InMemoryJobStore(TimeSource.system()));
            }
        };
        live(Guice.createInjector(new OrderModule(config(Map.of())), memory));
    }

    @Test
    @DisplayName("from the injector to the drained stop on a real server, on a client of Almanac's own")
    void server() {
        MongoServer server = MongoServer.shared();
        String database = server.freshDatabase();
        live(Guice.createInjector(new OrderModule(
                config(Map.of("almanac.store.uri", server.uri(), "almanac.store.database", database)))));
        try (MongoClient client = MongoClients.create(server.uri())) {
            List<String> left = client.getDatabase(database)
                    .getCollection("jobSpecification")
                    .find(new Document("deleteTime", null))
                    .map(document -> document.getString("jobSpecificationKey"))
                    .into(new ArrayList<>());
            assertThat(left).containsExactlyInAnyOrder("close-forgotten", "reminder-9");
            client.getDatabase(database).drop();
        }
    }

    @Test
    @DisplayName("docs/getting-started.md and docs/guice.md show the compiled sources, line by line")
    void snippets() throws IOException {
        Path sources = ROOT.resolve("examples/src/main/java/dev/almanac/examples");
        assertThat(Files.readString(ROOT.resolve("docs/getting-started.md")))
                .contains(snippet(sources.resolve("QuickStart.java"), "quick-start"));
        assertThat(Files.readString(ROOT.resolve("docs/guice.md")))
                .contains(snippet(sources.resolve("guice/OrderModule.java"), "guice-module"))
                .contains(snippet(sources.resolve("guice/OrderService.java"), "guice-service"))
                .contains(snippet(sources.resolve("guice/OrderService.java"), "guice-main"))
                .contains(Files.readString(ROOT.resolve("examples/src/main/resources/orders.conf"))
                        .replaceFirst("^#.*\n", ""));
    }

    private static String snippet(Path source, String name) throws IOException {
        List<String> lines = Files.readAllLines(source);
        int begin = -1;
        while (!lines.get(++begin).strip().equals("// snippet: " + name)) {}
        int indent = lines.get(begin).indexOf("//");
        int end = begin + lines.subList(begin, lines.size()).indexOf(" ".repeat(indent) + "// end");
        return lines.subList(begin + 1, end).stream()
                .map(line -> line.isBlank() ? "" : line.substring(indent))
                .reduce("", (text, line) -> text + line + "\n");
    }
}
