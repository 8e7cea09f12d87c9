package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.store.RowQuery;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What became of the planned fires of a job: its page, and what programs are answered (rule S22). */
class FiresTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final Applications ALL = Applications.ALL;
    /** A minute that is over, and at least nine that follow it. */
    private static final Instant FIRST = Instant.now().minusSeconds(600).truncatedTo(ChronoUnit.MINUTES);

    private final ConsoleFixture fixture = new ConsoleFixture();

    /** Stores a job that fires each minute from then on: one fire ran, one was skipped, and of the third nothing tells. */
    @BeforeEach
    void fill() {
        fixture.scheduler.scheduleJob(JobSpecification.builder()
                .jobSpecificationKey("minutely")
                .jobRequestor("treasury")
                .applicationTag("payments")
                .triggerCommand(new EncodedCommand("book", 1, Map.of()))
                .triggerIdentifier("id")
                .zoneId("UTC")
                .schedulingSpecification("0 * * * * ?")
                .build());
        await().atMost(Browser.PATIENCE)
                .until(() ->
                        !fixture.store().rows(RowQuery.ofKey("minutely", 1)).isEmpty());
        Date stored = Date.from(FIRST.minusSeconds(1));
        collection("jobExecutionStatus")
                .updateMany(Filters.eq("jobSpecificationKey", "minutely"), Updates.set("updatedTime", stored));
        job(Updates.combine(
                Updates.set("latestUpdate", stored),
                Updates.set("lastStatus.updatedTime", stored),
                Updates.set("nextFireTime", Date.from(minute(3)))));
        fixture.store().writeRows(List.of(row(0, Outcome.SUCCEEDED, null), row(1, Outcome.SKIPPED, "secret-detail")));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Instant minute(int number) {
        return FIRST.plus(Duration.ofMinutes(number));
    }

    private MongoCollection<Document> collection(String name) {
        return fixture.client().getDatabase(fixture.database()).getCollection(name);
    }

    private void job(Bson edit) {
        collection("jobSpecification").updateOne(Filters.eq("jobSpecificationKey", "minutely"), edit);
    }

    private JobExecutionStatus row(int minute, Outcome outcome, String detail) {
        String id = fixture.store()
                .find("minutely", dev.almanac.model.FindScope.LIVE)
                .orElseThrow()
                .id();
        return JobExecutionStatus.builder()
                .id(id + ":r" + minute)
                .jobSpecificationId(id)
                .jobSpecificationKey("minutely")
                .executionStatus(ExecutionStatus.SCHEDULED)
                .outcome(outcome)
                .fireTime(minute(minute))
                .startedTime(minute(minute))
                .updatedTime(minute(minute).plusSeconds(1))
                .detail(detail)
                .attempt(1)
                .build();
    }

    private MountedConsole mounted(Viewer viewer) {
        return fixture.mount(fixture.console().access(request -> Optional.of(viewer)));
    }

    @Test
    @DisplayName("S22: with a calendar that is not known here the page does not say that each fire is accounted for")
    void notComputed() {
        job(Updates.set("calendars", List.of("of-a-service")));
        String page = mounted(Viewer.operator("ann")).get("/fires?key=minutely").body();
        assertThat(page)
                .contains("others cannot be computed here", "of-a-service")
                .doesNotContain("Each of", "is accounted for.");
    }

    @Test
    @DisplayName("S22: the page of a job leads to the accounts of its fires; what is unaccounted for comes first")
    void page() {
        MountedConsole console = mounted(Viewer.operator("ann"));
        assertThat(console.get("/job?key=minutely").body()).contains("/ops/almanac/fires?key=minutely\"");
        String page = console.get("/fires?key=minutely").body();
        assertThat(page)
                .containsPattern("class=\"lead bad\"[^<]*<p>\\s*1 of [0-9]+ planned fires is unaccounted for")
                .contains("no row and no change tells of it", "secret-detail", "the job is SCHEDULED");
        assertThat(page.indexOf("datetime=\"" + minute(2)))
                .as("the one without an account")
                .isPositive()
                .isLessThan(page.indexOf("datetime=\"" + minute(1)));
        assertThat(page.indexOf("datetime=\"" + minute(1)))
                .as("the newest of the others first")
                .isLessThan(page.indexOf("datetime=\"" + minute(0)));
        assertThat(console.get("/fires?key=minutely&since=" + minute(2).plusSeconds(1))
                        .body())
                .contains("lead good", "accounted for")
                .doesNotContain("unaccounted for", "secret-detail");
        assertThat(console.get("/fires?key=minutely&since=1s&begin=7").body()).contains("lead");
    }

    @Test
    @DisplayName("S22: the page says why its accounts begin where they do, and what is wrong with an address")
    void limits() {
        collection("jobExecutionStatus").deleteMany(Filters.ne("outcome", Outcome.SUCCEEDED.name()));
        job(Updates.combine(
                Updates.set("version", 7L),
                Updates.set("lastStatus.id", "x"),
                Updates.set("lastStatus.outcome", Outcome.SUCCEEDED.name())));
        MountedConsole console = mounted(Viewer.operator("ann"));
        assertThat(console.get("/fires?key=minutely").body()).contains("rows before that are not there");
        for (String wrong : List.of("", "?key=minutely&since=yester", "?key=minutely&begin=-1")) {
            assertThat(console.get("/fires" + wrong).statusCode()).as(wrong).isEqualTo(400);
        }
        assertThat(console.get("/fires?key=none").statusCode()).isEqualTo(404);
    }

    @Test
    @DisplayName("S22: what a viewer may not see of a job is in no account of its fires, on the page and for programs")
    void hidden() {
        Applications ledger = Applications.of("ledger");
        for (String path : List.of("/fires?key=minutely", "/api/job/fires?key=minutely")) {
            assertThat(mounted(new Viewer("lea", ALL, ALL, ledger, ALL))
                            .get(path)
                            .body())
                    .contains("(message not shown)", "no row and no change tells of it")
                    .doesNotContain("secret-detail");
            var other = mounted(new Viewer("lea", ledger, ALL, ALL, ALL)).get(path);
            assertThat(other.statusCode()).isEqualTo(404);
            assertThat(other.body()).doesNotContain("secret-detail", "UNACCOUNTED");
            assertThat(mounted(Viewer.operator("ann")).get(path).body()).contains("secret-detail");
        }
    }

    @Test
    @DisplayName("O7: a program reads the accounts as almanac fires --json prints them")
    void api() {
        MountedConsole console = mounted(Viewer.operator("ann"));
        JsonNode all = MAPPER.readTree(
                console.get("/api/job/fires?key=minutely&since=1h").body());
        assertThat(all.path("fires")).hasSize(4);
        assertThat(all.path("fires").get(0).path("outcome").asString()).isEqualTo("SUCCEEDED");
        assertThat(all.path("fires").get(2).path("kind").asString()).isEqualTo("UNACCOUNTED");
        assertThat(all.path("counts").path("UNACCOUNTED").intValue()).isEqualTo(1);
        assertThat(all.path("jobSpecificationKey").asString()).isEqualTo("minutely");
        assertThat(all.has("more")).isFalse();
        JsonNode last = MAPPER.readTree(
                console.get("/api/job/fires?key=minutely&limit=1").body());
        assertThat(last.path("fires")).hasSize(1);
        assertThat(last.path("fires").get(0).path("kind").asString()).isEqualTo("WAITING");
        assertThat(last.path("more").booleanValue()).isTrue();
        assertThat(last.path("counts")).isEqualTo(all.path("counts"));
        assertThat(console.get("/api/job/fires?key=none").statusCode()).isEqualTo(404);
    }
}
