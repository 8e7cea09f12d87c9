package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.Health;
import dev.almanac.Scheduler;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.Explanation;
import dev.almanac.model.FindScope;
import dev.almanac.model.Finding;
import dev.almanac.model.FireAccount;
import dev.almanac.model.InvariantReport;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobState;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.Progress;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.Lease;
import dev.almanac.store.NodeReport;
import dev.almanac.store.Renewal;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import dev.almanac.web.read.Forecast;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Holds openapi.json against the answers of a server (rule O7). */
class OpenApiTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final long SECOND = 1_000_000_000L;
    private static final Pattern KNOWN = Pattern.compile("known are: (.*)");

    private final ConsoleFixture fixture = new ConsoleFixture();
    private final ControlledHelper helper = new ControlledHelper();
    private final AtomicLong nanos = new AtomicLong();
    private MountedConsole console;
    private OpenApi described;

    @BeforeEach
    void mount() {
        console = fixture.mount(fixture.console()
                .nanos(() -> nanos.addAndGet(SECOND))
                .access(request -> Optional.of(Viewer.operator("ann"))));
        described = new OpenApi(MAPPER.readTree(console.get("/api/openapi.json").body()));
    }

    @AfterEach
    void close() {
        helper.end();
        fixture.close();
    }

    private static Stream<JsonNode> items(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    private static Set<String> parameters(JsonNode path) {
        return items(path.path("get").path("parameters"))
                .map(parameter -> parameter.path("name").asString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String problem(HttpResponse<String> answer) {
        return MAPPER.readTree(answer.body()).path("problems").path(0).asString();
    }

    private static Set<String> known(HttpResponse<String> answer) {
        Matcher known = KNOWN.matcher(problem(answer));
        return known.find() ? new TreeSet<>(List.of(known.group(1).split(", "))) : Set.of();
    }

    @Test
    @DisplayName(
            "O7: the described paths and parameters are those of the server, and no others; each path is read only")
    void requests() {
        String all = problem(console.get("/api/none"));
        assertThat(all.substring(all.indexOf('/')).split(", "))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(described.paths().keySet().stream(), Stream.of("/openapi.json"))
                                .map(path -> "/api" + path)
                                .toList());
        described.paths().forEach((path, operations) -> {
            assertThat(operations.propertyNames()).as(path).containsExactly("get");
            HttpResponse<String> answer = console.get("/api" + path + "?key=a&x-none=1");
            assertThat(answer.statusCode()).as(path).isEqualTo(400);
            Set<String> known = known(console.get("/api" + path + "?x-none=1"));
            assertThat(known).as(path).isEqualTo(parameters(operations));
        });
    }

    @Test
    @DisplayName("O7: what is described of a parameter is so: which are required, bounds, words, the default of flags")
    void parameters() {
        fixture.scheduler.scheduleJob(Specimens.specification("a")
                .singleSchedule(Instant.now().plusSeconds(3_600))
                .build());
        described.paths().forEach((path, operations) -> {
            String whole = "/api" + path + (parameters(operations).contains("key") ? "?key=a" : "?");
            for (JsonNode parameter : operations.path("get").path("parameters")) {
                String name = parameter.path("name").asString();
                assertThat(parameter.path("in").asString()).isEqualTo("query");
                boolean required = parameter.path("required").asBoolean(false);
                assertThat(console.get("/api" + path + "?" + name + "=").statusCode())
                        .as(path + " " + name)
                        .isEqualTo(400);
                assertThat(required).as(path + " " + name).isEqualTo(name.equals("key"));
                JsonNode schema = parameter.path("schema");
                for (JsonNode word : schema.path("enum")) {
                    assertThat(console.get(whole + "&" + name + "=" + word.asString())
                                    .statusCode())
                            .as(path + " " + word)
                            .isEqualTo(200);
                }
                if (schema.has("minimum")) {
                    int least = schema.path("minimum").intValue();
                    int most = schema.path("maximum").intValue();
                    for (int limit : new int[] {least - 1, least, most, most + 1}) {
                        assertThat(console.get(whole + "&" + name + "=" + limit).statusCode())
                                .as(path + " " + limit)
                                .isEqualTo(limit < least || limit > most ? 400 : 200);
                    }
                }
                if (schema.path("type").asString().equals("boolean")) {
                    assertThat(console.get(whole + "&" + name + "=false").body())
                            .isEqualTo(console.get(whole).body());
                }
            }
        });
        assertThat(console.get("/api/job/history").statusCode()).isEqualTo(400);
    }

    @Test
    @DisplayName("O7: the words of a field are those of the code")
    void words() {
        Map<String, Class<? extends Enum<?>>> enums = Map.of(
                "Row/properties/executionStatus", ExecutionStatus.class,
                "Row/properties/outcome", Outcome.class,
                "Job/allOf/1/properties/jobState", JobState.class,
                "Missed/properties/reason", MissedFires.Reason.class,
                "Reason/properties/kind", Explanation.Kind.class,
                "Health/properties/state", Health.State.class,
                "Finding/properties/kind", Finding.Kind.class,
                "Account/properties/kind", FireAccount.Kind.class,
                "Account/properties/outcome", Outcome.class,
                "ForecastFinding/properties/kind", Forecast.Kind.class);
        JsonNode file = MAPPER.readTree(console.get("/api/openapi.json").body());
        enums.forEach((field, type) -> assertThat(
                        items(file.at("/components/schemas/" + field + "/enum")).map(JsonNode::asString))
                .as(field)
                .containsExactlyElementsOf(
                        Arrays.stream(type.getEnumConstants()).map(Enum::name).toList()));
        assertThat(items(file.at("/components/schemas/Node/properties/state/enum"))
                        .map(JsonNode::asString))
                .containsExactlyElementsOf(Arrays.stream(NodeReport.State.values())
                        .map(NodeReport.State::toString)
                        .toList());
    }

    @Test
    @DisplayName(
            "O7: answers about jobs of all kinds are as described; each described property is in an answer, and no other")
    void answers() {
        fill();
        MountedConsole some = fixture.mount(fixture.console()
                .nanos(() -> nanos.addAndGet(SECOND))
                .access(request -> Optional.of(Viewer.reader("bob"))));
        for (String path : List.of(
                "/jobs",
                "/jobs?limit=1",
                "/jobs?state=FAILED",
                "/jobs?state=CANCELED",
                "/jobs?state=SUCCEEDED",
                "/job?key=full",
                "/job?key=runs",
                "/job?key=over&finished=true",
                "/job/history?key=full",
                "/job/history?key=full&limit=1",
                "/job/fires?key=minutely",
                "/job/fires?key=minutely&limit=1",
                "/job/fires?key=full",
                "/job/fires?key=elsewhere",
                "/forecast?next=366d",
                "/forecast?next=366d&limit=1",
                "/job/explanation?key=full",
                "/job/explanation?key=paused",
                "/job/explanation?key=recurring",
                "/job/explanation?key=torn",
                "/failures",
                "/failures?open=true",
                "/nodes",
                "/pauses",
                "/calendars",
                "/health")) {
            for (MountedConsole asked : List.of(console, some)) {
                await().atMost(Browser.PATIENCE)
                        .until(() -> !asked.get("/api" + path).body().contains("\"complete\":false"));
                valid(asked, path, 200);
            }
        }
        await().atMost(Browser.PATIENCE).until(() -> console.get("/api/doctor").statusCode() == 200);
        valid(console, "/doctor", 200);
        valid(console, "/jobs?limit=0", 400);
        valid(console, "/job?key=none", 404);
        Instant begin = Instant.now().minusSeconds(60);
        fixture.store()
                .writeRows(IntStream.range(0, 1_001)
                        .mapToObj(i -> Specimens.row("gone", "gone", "failed" + i, begin.plusMillis(i)).toBuilder()
                                .executionStatus(ExecutionStatus.FAILED)
                                .outcome(Outcome.RETRIES_EXHAUSTED)
                                .build())
                        .toList());
        valid(console, "/failures?limit=1000", 200);
        assertThat(described.seen()).isEqualTo(described.described());
    }

    @Test
    @DisplayName(
            "O7: an answer of a status that is not named is described, too, such as of another method or a long address")
    void otherAnswers() {
        valid("/jobs", console.post("/api/jobs", ""), 405);
        valid(console, "/jobs?tag=" + "x".repeat(17_000), 414);
        described
                .paths()
                .keySet()
                .forEach(path -> assertThat(described.answer(path, 500).isMissingNode())
                        .as(path)
                        .isFalse());
    }

    private void valid(MountedConsole asked, String path, int status) {
        valid(path, asked.get("/api" + path), status);
    }

    private void valid(String path, HttpResponse<String> answer, int status) {
        assertThat(answer.statusCode()).as(path + " " + answer.body()).isEqualTo(status);
        JsonNode schema = described.answer(path.replaceFirst("\\?.*", ""), status);
        assertThat(described.problems(MAPPER.readTree(answer.body()), schema))
                .as(path)
                .isEmpty();
    }

    /** Jobs that were run by a node, and some that no node runs in a test. */
    private void fill() {
        Scheduler node = fixture.scheduler(
                ControlledHelper.types(Scheduler.builder()).helper(helper).label("till 1"));
        for (String kind : List.of("good", "fails", "lasts")) {
            node.scheduleJob(JobSpecification.builder()
                    .jobSpecificationKey(kind)
                    .jobRequestor("treasury")
                    .triggerCommand(new ControlledHelper.Payment(kind, "BE71", 1))
                    .triggerIdentifier("id")
                    .now()
                    .build());
        }
        node.start();
        Scheduler ann = fixture.scheduler.as("ann", "CR-17");
        ann.scheduleJob(Specimens.specification("recurring")
                .schedulingSpecification("0 0 12 1 1 ? 2100")
                .build());
        ann.scheduleJob(Specimens.specification("paused")
                .singleSchedule(LocalDateTime.parse("2100-06-01T12:00"))
                .zoneId(ZoneId.of("Europe/Brussels"))
                .build());
        Instant until = Instant.now().plusSeconds(3_600);
        ann.pause(PauseScope.job("paused"), new Pause("audit", "ann", until));
        ann.scheduleJob(Specimens.specification("over").singleSchedule(until).build());
        ann.cancelJob("over");
        ann.scheduleJob(Specimens.specification("torn").singleSchedule(until).build());
        ann.scheduleJob(Specimens.specification("runs").singleSchedule(until).build());
        runs("runs");
        SecretJob.stored(fixture.store(), "full", "app");
        ann.pause(PauseScope.tag("x"), new Pause("audit", "ann", until));
        ann.pause(PauseScope.tag("x"), new Pause("move", "ann", until, until.plusSeconds(60)));
        ann.calendars().put("closed", Map.of("kind", "weekly", "exclude-days", List.of("SUNDAY")));
        fixture.client()
                .getDatabase(fixture.database())
                .getCollection("jobSpecification")
                .updateOne(Filters.eq("activeKey", "torn"), Updates.set("claimSeq", "many"));
        minutely();
        await().atMost(Browser.PATIENCE)
                .until(() -> fixture.scheduler.history("fails").stream().anyMatch(row -> row.isFailedFire())
                        && fixture.scheduler.findJobById("good").isEmpty()
                        && fixture.scheduler.findJobById("lasts").orElseThrow().runningOn() != null);
    }

    /** A job of which one fire is on record and others wait; rows of older ones are not kept. */
    private void minutely() {
        fixture.scheduler.scheduleJob(Specimens.specification("minutely")
                .schedulingSpecification("0 * 2 * * ?")
                .zoneId(ZoneId.of("Europe/Brussels"))
                .build());
        fixture.scheduler.scheduleJob(Specimens.specification("but-sundays")
                .schedulingSpecification("0 0 12 * * ?")
                .calendar("closed")
                .build());
        fixture.scheduler.scheduleJob(Specimens.specification("elsewhere")
                .schedulingSpecification("0 0 12 * * ?")
                .build());
        fixture.scheduler.history("minutely");
        StoredJob job = fixture.store().find("minutely", FindScope.LIVE).orElseThrow();
        Instant fire = Instant.now().minus(Duration.ofDays(1)).truncatedTo(ChronoUnit.MINUTES);
        Date stored = Date.from(fire.minus(Duration.ofDays(9)));
        var database = fixture.client().getDatabase(fixture.database());
        database.getCollection("jobExecutionStatus")
                .updateMany(Filters.eq("jobSpecificationKey", "minutely"), Updates.set("updatedTime", stored));
        database.getCollection("jobSpecification")
                .updateOne(Filters.eq("activeKey", "elsewhere"), Updates.set("calendars", List.of("of-a-service")));
        database.getCollection("jobSpecification")
                .updateOne(
                        Filters.eq("activeKey", "minutely"),
                        Updates.combine(
                                Updates.set("latestUpdate", stored),
                                Updates.set("lastStatus.updatedTime", stored),
                                Updates.set("nextFireTime", Date.from(fire.plusSeconds(60)))));
        fixture.store()
                .writeRows(List.of(Specimens.row(job.id(), job.key(), "ran", fire.plusSeconds(1)).toBuilder()
                        .outcome(Outcome.SUCCEEDED)
                        .fireTime(fire)
                        .nominalFireTime(fire.minusSeconds(60))
                        .node("node")
                        .author("ann")
                        .detail("late")
                        .build()));
    }

    private void runs(String key) {
        StoredJob job = fixture.store().find(key, FindScope.LIVE).orElseThrow();
        Instant now = Instant.now();
        Lease lease = new Lease("node", 7, now.plusSeconds(3_600));
        fixture.store().claim(new ClaimRequest(List.of(job.id()), now.plusSeconds(7_200), lease, now.plusSeconds(55)));
        fixture.store()
                .renew(new Renewal(
                        Map.of(job.id(), 7L),
                        lease.until(),
                        now.plusSeconds(55),
                        Map.of(job.id(), new Progress(30, 100, "reading", now)),
                        null,
                        false));
        NodeReport report = new NodeReport(
                "node",
                "till 2",
                now,
                now.plusSeconds(600),
                "2026a",
                Duration.ofMillis(3),
                Set.of("note"),
                1,
                4,
                Set.of(),
                0,
                7,
                List.of("the backlog grows"),
                null,
                false,
                NodeReport.SILENT_AFTER);
        fixture.store().cluster().report(report, now.minusSeconds(60));
    }

    @Test
    @DisplayName(
            "O7: an unknown property, a missing one, a wrong type, word or moment, and one that is never seen are found")
    void planted() {
        JsonNode schema = described.schema("Row");
        String row = "{\"executionStatus\":\"FAILED\",\"outcome\":\"NONE\",\"updatedTime\":\"2026-05-01T12:00:00Z\"}";
        assertThat(described.problems(MAPPER.readTree(row), schema)).isEmpty();
        assertThat(described.seen()).contains("Row.outcome").doesNotContain("Row.detail");
        assertThat(described.described()).contains("Row.detail", "Job.version", "Specification.tags");
        for (String wrong : List.of(
                "\"id\":\"7\"",
                "\"attempt\":\"7\"",
                "\"late\":1",
                "\"outcome\":\"GOOD\"",
                "\"fireTime\":\"noon\"",
                "\"overThreshold\":\"5 s\"",
                "\"changes\":[7]",
                "\"error\":{}",
                "\"error\":{\"type\":\"T\",\"cause\":\"U\"}")) {
            assertThat(described.problems(with(row, wrong), schema)).as(wrong).hasSize(1);
        }
        ObjectNode without = (ObjectNode) MAPPER.readTree(row);
        without.remove("outcome");
        assertThat(described.problems(without, schema)).hasSize(1);
        assertThat(described.problems(MAPPER.readTree("[]"), schema)).hasSize(1);
    }

    private static JsonNode with(String row, String field) {
        ObjectNode changed = (ObjectNode) MAPPER.readTree(row);
        changed.setAll((ObjectNode) MAPPER.readTree("{" + field + "}"));
        return changed;
    }

    @Test
    @DisplayName("O7: a report without findings is as described, too")
    void clean() {
        MountedConsole clean = fixture.mount(fixture.console()
                .doctor(() -> new InvariantReport(List.of(), List.of(), 0, List.of()))
                .access(request -> Optional.of(Viewer.reader("ann"))));
        await().atMost(Browser.PATIENCE).until(() -> clean.get("/api/doctor").statusCode() == 200);
        valid(clean, "/doctor", 200);
    }
}
