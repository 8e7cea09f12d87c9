package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.JobSpecification;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.testkit.server.MongoServer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The queries of the pages: how many, and by which index. */
class CostTest {
    /** Two a second, for a page that is refreshed every six. */
    private static final int MOST = 12;

    private final ConsoleFixture fixture = new ConsoleFixture();
    private final AtomicLong nanos = new AtomicLong();
    private final List<BsonDocument> asked = new CopyOnWriteArrayList<>();
    private final MongoClient client = MongoClients.create(MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(MongoServer.shared().uri()))
            .addCommandListener(new CommandListener() {
                @Override
                public void commandStarted(CommandStartedEvent event) {
                    asked.add(BsonDocument.parse(event.getCommand().toJson()));
                }
            })
            .build());
    private MountedConsole mounted;

    @BeforeEach
    void fill() {
        fixture.scheduler.scheduleJobs(IntStream.range(0, 300)
                .mapToObj(i -> JobSpecification.builder()
                        .jobSpecificationKey("job-" + i)
                        .jobRequestor("treasury")
                        .tags(i == 250 ? Set.of("rare") : Set.of())
                        .triggerCommand(new EncodedCommand("book", 1, Map.of("n", i)))
                        .triggerIdentifier("id-" + i)
                        .singleSchedule(Instant.now().plusSeconds(600 + i))
                        .build())
                .toList());
        mounted = MountedConsole.of(ConsoleServlet.builder()
                .store(MongoJobStore.create(client, MongoStoreSettings.ofDatabase(fixture.database())))
                .access(request -> Optional.of(new Viewer(
                        String.valueOf(request.getHeader("X-User")),
                        Applications.ALL,
                        Applications.ALL,
                        Applications.NONE)))
                .doctor(() -> new dev.almanac.model.InvariantReport(List.of(), List.of(), 0, List.of()))
                .nanos(nanos::get)
                .build());
    }

    @AfterEach
    void close() {
        mounted.close();
        client.close();
        fixture.close();
    }

    private List<BsonDocument> asking(String path) {
        asked.clear();
        assertThat(mounted.get(path, "X-User", path).statusCode()).isEqualTo(200);
        return List.copyOf(asked);
    }

    @Test
    @DisplayName("console: no query while no page is open, and at most two queries a second for an open page")
    void often() {
        assertThat(asked).isEmpty();
        asking("/jobs");
        for (String path : List.of("/", "/job?key=job-7", "/nodes", "/failures", "/doctor", "/pauses")) {
            nanos.addAndGet(3_600_000_000_000L);
            assertThat(asking(path)).as(path).hasSizeBetween(1, MOST);
        }
    }

    @Test
    @DisplayName("console: a query that many pages share runs once for all of them")
    void shared() {
        asking("/");
        int first = asking("/").size();
        assertThat(first).as("the second page of the same moment").isLessThanOrEqualTo(2);
        nanos.addAndGet(60_000_000_000L);
        assertThat(asking("/").size()).isGreaterThan(first);
    }

    @Test
    @DisplayName(
            "console: no question looks through a whole collection of jobs or rows; what is small and read whole is not meant")
    void indexed() {
        for (String path : List.of(
                "/", "/jobs", "/jobs?tag=rare", "/jobs?status=FAILED", "/job?key=job-7", "/failures", "/nodes")) {
            nanos.addAndGet(3_600_000_000_000L);
            for (BsonDocument question : asking(path)) {
                check(path, question);
            }
        }
    }

    private void check(String path, BsonDocument question) {
        String name = question.getFirstKey();
        if (!Set.of("find", "aggregate").contains(name)
                || Set.of("control", "calendar", "node")
                        .contains(question.getString(name).getValue())) {
            return;
        }
        BsonDocument command = question.clone();
        List.of("lsid", "$clusterTime", "$db", "$readPreference", "readConcern", "maxTimeMS", "txnNumber")
                .forEach(command::remove);
        String plan = fixture.client()
                .getDatabase(fixture.database())
                .runCommand(new Document("explain", command).append("verbosity", "queryPlanner"))
                .toJson();
        assertThat(plan).as(path + " " + question).doesNotContain("COLLSCAN");
    }
}
