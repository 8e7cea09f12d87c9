package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.FindScope;
import dev.almanac.model.InvariantReport;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.Progress;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.Lease;
import dev.almanac.store.NodeReport;
import dev.almanac.store.Renewal;
import dev.almanac.store.StoredJob;
import java.io.ByteArrayInputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What programs are answered at {@code /api}, and what they are not (rule O7). */
class ApiTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final String TOKEN = "0123456789abcdefghij";
    private static final long SECOND = 1_000_000_000L;
    private static final List<String> PATHS = List.of(
            "/api/jobs",
            "/api/job?key=job-of-ledger",
            "/api/job/history?key=job-of-ledger",
            "/api/job/explanation?key=job-of-ledger",
            "/api/job/fires?key=job-of-ledger",
            "/api/forecast",
            "/api/failures",
            "/api/nodes",
            "/api/pauses",
            "/api/calendars",
            "/api/health",
            "/api/doctor");

    private final ConsoleFixture fixture = new ConsoleFixture();
    private final Applications ledger = Applications.of("ledger");
    private final AtomicLong nanos = new AtomicLong();

    @BeforeEach
    void fill() {
        for (String application : List.of("ledger", "payments")) {
            fixture.scheduler.scheduleJob(
                    job("job-of-" + application, application).build());
        }
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static JobSpecificationBuilder job(String key, String application) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("treasury-of-" + application)
                .applicationTag(application)
                .triggerCommand(new EncodedCommand("book", 1, Map.of("account", "BE12-" + application)))
                .triggerIdentifier("id-of-" + application)
                .singleSchedule(Instant.now().plusSeconds(3_600));
    }

    /** Each look at the clock takes a second, so that no limit of requests is met and nothing is cached. */
    private ConsoleBuilder console() {
        return fixture.console().nanos(() -> nanos.addAndGet(SECOND));
    }

    private MountedConsole mounted(Viewer viewer) {
        return fixture.mount(console()
                .allowChanges(true)
                .doctor(() -> new InvariantReport(List.of(), List.of(), 4711, List.of()))
                .access(request -> Optional.of(viewer)));
    }

    private static JsonNode json(HttpResponse<String> answer) {
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json;charset=utf-8");
        return MAPPER.readTree(answer.body());
    }

    private static JsonNode read(MountedConsole console, String path) {
        HttpResponse<String> answer = console.get(path);
        assertThat(answer.statusCode()).as(path + " " + answer.body()).isEqualTo(200);
        return json(answer);
    }

    private static List<String> problems(MountedConsole console, String path, int status) {
        return problems(console.get(path), status);
    }

    private static List<String> problems(HttpResponse<String> answer, int status) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        JsonNode refused = json(answer);
        assertThat(refused.path("status").intValue()).isEqualTo(status);
        return texts(refused.path("problems"));
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(text -> texts.add(text.asString()));
        return texts;
    }

    private static List<String> keys(JsonNode jobs) {
        List<String> keys = new ArrayList<>();
        jobs.forEach(job -> keys.add(job.path("jobSpecificationKey").asString()));
        return keys;
    }

    @Test
    @DisplayName("O7: a program sends the token in a header, gets no cookie, and without it 401")
    void token() {
        MountedConsole console = fixture.mount(console().access(TokenAccess.of(Viewer.reader("ops"), TOKEN)));
        for (String path : PATHS) {
            HttpResponse<String> answer = console.get(path);
            assertThat(problems(answer, 401)).as(path).hasSize(1).allMatch(text -> text.contains("Bearer"));
            assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
        }
        assertThat(console.get("/api/jobs", "Authorization", "Bearer " + TOKEN + "x")
                        .statusCode())
                .isEqualTo(401);
        assertThat(console.get("/api/jobs", "Authorization", "Basic " + TOKEN).statusCode())
                .isEqualTo(401);
        HttpResponse<String> address = console.get("/api/jobs?token=" + TOKEN);
        assertThat(address.statusCode())
                .as("an address is stored in many places")
                .isEqualTo(401);
        assertThat(address.headers().map()).doesNotContainKey("set-cookie");
        HttpResponse<String> answer = console.get("/api/jobs", "Authorization", "Bearer " + TOKEN);
        assertThat(keys(json(answer).path("jobs"))).containsExactly("job-of-ledger", "job-of-payments");
        assertThat(answer.headers().map()).doesNotContainKey("set-cookie");
        String session = MountedConsole.cookies(console.get("/?token=" + TOKEN));
        assertThat(console.get("/api/jobs", "Cookie", session).statusCode()).isEqualTo(200);
        assertThat(console.get("/jobs", "Authorization", "Bearer " + TOKEN).statusCode())
                .as("a page")
                .isEqualTo(403);
    }

    @Test
    @DisplayName("O7: a token for one browser is none for programs, and is not used up by them")
    void oneTime() {
        TokenAccess tokens = TokenAccess.oneTime(Viewer.reader("ops"));
        String token = tokens.token().orElseThrow();
        MountedConsole console = fixture.mount(console().access(tokens));
        assertThat(problems(console.get("/api/jobs", "Authorization", "Bearer " + token), 401))
                .singleElement()
                .asString()
                .contains("--access-token-file");
        assertThat(tokens.token()).contains(token);
    }

    @Test
    @DisplayName("O7: who is not identified or has no rights gets 403 and reads the description only")
    void strangers() {
        ConsoleAccess access = request -> Optional.ofNullable(request.getHeader("X-User"))
                .map(user -> new Viewer(user, Applications.NONE, Applications.ALL, Applications.ALL, Applications.ALL));
        MountedConsole closed = fixture.mount(console());
        MountedConsole console = fixture.mount(console().access(access));
        for (String path : PATHS) {
            assertThat(problems(closed, path, 403)).as(path).hasSize(1);
            assertThat(problems(console, path, 403)).as(path).hasSize(1);
            assertThat(problems(console.get(path, "X-User", "none"), 403))
                    .as(path)
                    .hasSize(1);
        }
        assertThat(read(closed, "/api/openapi.json").path("openapi").asString()).isEqualTo("3.1.0");
    }

    @Test
    @DisplayName("O7: only GET is answered, also for who may change everything")
    void readOnly() throws Exception {
        MountedConsole console = mounted(Viewer.operator("ann"));
        for (String method : List.of("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD")) {
            HttpResponse<String> answer = console.send(
                    console.request("/api/job?key=job-of-ledger").method(method, HttpRequest.BodyPublishers.noBody()));
            assertThat(answer.statusCode()).as(method).isEqualTo(405);
            assertThat(answer.headers().allValues("Allow")).as(method).containsExactly("GET");
        }
        assertThat(keys(read(console, "/api/jobs").path("jobs"))).hasSize(2);
    }

    @Test
    @DisplayName("O7: answers are kept by no cache, are compressed, and are for no page of another site")
    void headers() throws Exception {
        MountedConsole console = mounted(Viewer.reader("ann"));
        HttpResponse<String> answer =
                console.get("/api/jobs", "Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site");
        assertThat(answer.headers().map().keySet()).noneMatch(name -> name.startsWith("access-control-"));
        assertThat(answer.headers().firstValue("Cross-Origin-Resource-Policy")).contains("same-origin");
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(answer.headers().map()).doesNotContainKey("set-cookie");
        assertThat(problems(console.get("/api/jobs", "Host", "evil.example"), 421))
                .hasSize(1);
        HttpResponse<byte[]> small = HttpClient.newHttpClient()
                .send(
                        console.request("/api/jobs", "Accept-Encoding", "gzip").build(),
                        HttpResponse.BodyHandlers.ofByteArray());
        assertThat(small.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(new String(
                        new GZIPInputStream(new ByteArrayInputStream(small.body())).readAllBytes(),
                        StandardCharsets.UTF_8))
                .isEqualTo(answer.body())
                .endsWith("}\n");
    }

    @Test
    @DisplayName("O7: a wrong request is told every problem, with the value and what to do")
    void problems() {
        MountedConsole console = mounted(Viewer.reader("ann"));
        assertThat(problems(
                        console,
                        "/api/jobs?tagg=x&state=FALED&limit=0&next-from=soon&tag=&type=a&type=b&key-prefix=%1B",
                        400))
                .satisfiesExactlyInAnyOrder(
                        unknown -> assertThat(unknown).contains("'tagg'", "known are:", "key-prefix"),
                        twice -> assertThat(twice).contains("type is there 2 times"),
                        empty -> assertThat(empty).contains("tag ''", "leave it out"),
                        state -> assertThat(state).contains("state 'FALED'", "SCHEDULED", "CANCELED"),
                        moment -> assertThat(moment).contains("next-from 'soon'", "2026-05-01T12:00:00Z"),
                        limit -> assertThat(limit).contains("limit '0'", "1 to 1000"));
        assertThat(problems(console, "/api/job?finished=maybe", 400))
                .satisfiesExactlyInAnyOrder(
                        missing -> assertThat(missing).contains("key is missing"),
                        flag -> assertThat(flag).contains("finished 'maybe'", "true nor false"));
        assertThat(problems(console, "/api/job/history?key=a&limit=1001&since=yester", 400))
                .hasSize(2);
        assertThat(problems(console, "/api/failures?open=1&until=-", 400)).hasSize(2);
        assertThat(problems(console, "/api/jobs?limit=99999999999", 400)).hasSize(1);
        assertThat(problems(console, "/api/jobs?tag=%ff", 400)).hasSize(1);
        assertThat(problems(console, "/api/jobs?tag=" + "x".repeat(1_001), 400)).hasSize(1);
        assertThat(problems(console, "/api/nodes?limit=1", 400)).hasSize(1);
        assertThat(problems(console, "/api/jobs?tag=" + "x".repeat(17_000), 414))
                .hasSize(1);
        assertThat(console.get("/api/jobs?key-prefix=" + "%E6%97%A5".repeat(1_000))
                        .statusCode())
                .as("the longest prefix, in a script of three bytes a character")
                .isEqualTo(200);
        for (String path : List.of("/api", "/api/", "/api/jobs/", "/api/JOBS", "/api/job/none")) {
            assertThat(problems(console, path, 404).get(0))
                    .as(path)
                    .contains("/api/jobs, ", "/api/job/explanation", "/api/openapi.json");
        }
    }

    @Test
    @DisplayName("O7: too many requests of one viewer get 429, and are answered again later")
    void rate() {
        MountedConsole console =
                fixture.mount(fixture.guarded().nanos(nanos::get).access(request -> Optional.of(Viewer.reader("ann"))));
        assertThat(MountedConsole.servedBeforeTooMany(() -> console.get("/api/pauses"), 200))
                .isBetween(90, 100);
        HttpResponse<String> answer = console.get("/api/pauses");
        assertThat(problems(answer, 429)).hasSize(1);
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        nanos.addAndGet(SECOND);
        assertThat(console.get("/api/pauses").statusCode()).isEqualTo(200);
    }

    @Test
    @DisplayName("O7: who guesses tokens gets 429; a program with the token is answered all the same")
    void guesses() {
        MountedConsole console =
                fixture.mount(fixture.guarded().nanos(nanos::get).access(TokenAccess.of(Viewer.reader("ops"), TOKEN)));
        assertThat(MountedConsole.servedBeforeTooMany(
                        () -> console.get("/api/pauses", "Authorization", "Bearer guess"), 401))
                .isBetween(390, 400);
        assertThat(console.get("/api/pauses", "Authorization", "Bearer " + TOKEN)
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    @DisplayName("O7: a database that does not answer is 503 and names no host, user or password")
    void silent() {
        String uri = "mongodb://ann:hunter2@127.0.0.1:1/?serverSelectionTimeoutMS=200&connectTimeoutMS=200";
        try (MongoClient client = MongoClients.create(uri);
                MountedConsole console = MountedConsole.of(ConsoleServlet.builder()
                        .store(MongoJobStore.create(client))
                        .access(request -> Optional.of(Viewer.operator("ann")))
                        .build())) {
            for (String path : PATHS) {
                HttpResponse<String> answer = console.get(path);
                assertThat(problems(answer, 503)).as(path).hasSize(1);
                assertThat(answer.body()).as(path).doesNotContain("127.0.0.1", "hunter2", "mongodb");
            }
        }
    }

    @Test
    @DisplayName(
            "O7: a list goes on behind next, each job once; where it ends at a job of others it does not name that")
    void pages() {
        IntStream.range(100, 115).forEach(i -> {
            fixture.scheduler.scheduleJob(job("secret-" + i, "payments").build());
            fixture.scheduler.scheduleJob(
                    job("t-" + i, i % 2 == 0 ? "ledger" : "cards").build());
        });
        Applications two = Applications.of("ledger", "cards");
        MountedConsole some = mounted(new Viewer("lea", two, two, two, Applications.NONE));
        assertThat(all(some, "/api/jobs?limit=3", "secret-"))
                .hasSize(16)
                .doesNotHaveDuplicates()
                .noneMatch(key -> key.startsWith("secret-") || key.endsWith("payments"));
        assertThat(problems(some, "/api/jobs?after=secret-110", 400)).hasSize(1);
        MountedConsole whole = mounted(Viewer.reader("ann"));
        assertThat(all(whole, "/api/jobs?limit=7", "never-")).hasSize(32).doesNotHaveDuplicates();
        assertThat(keys(read(whole, "/api/jobs?after=secret-110&limit=1").path("jobs")))
                .containsExactly("secret-111");
        assertThat(read(whole, "/api/jobs?limit=1000").has("next")).isFalse();
    }

    private static List<String> all(MountedConsole console, String path, String hidden) {
        List<String> keys = new ArrayList<>();
        String next = "";
        for (int i = 0; i < 60 && next != null; i++) {
            HttpResponse<String> answer = console.get(next.isEmpty() ? path : path + "&after=" + Visitor.encoded(next));
            assertThat(answer.body()).doesNotContain(hidden);
            JsonNode page = json(answer);
            keys.addAll(keys(page.path("jobs")));
            next = page.has("next") ? page.path("next").asString() : null;
        }
        assertThat(next).isNull();
        return keys;
    }

    @Test
    @DisplayName("O7: an answer ends after a bounded number of questions, though no time has passed, and leads on")
    void bounded() {
        IntStream.range(100, 130)
                .forEach(i ->
                        fixture.scheduler.scheduleJob(job("a-" + i, "payments").build()));
        Applications two = Applications.of("ledger", "cards");
        Viewer lea = new Viewer("lea", two, two, two, Applications.NONE);
        MountedConsole console =
                fixture.mount(fixture.console().nanos(nanos::get).access(request -> Optional.of(lea)));
        JsonNode page = read(console, "/api/jobs?limit=1");
        assertThat(page.path("jobs")).isEmpty();
        assertThat(page.has("next")).isTrue();
        assertThat(all(console, "/api/jobs?limit=1", "payments")).containsExactly("job-of-ledger");
    }

    @Test
    @DisplayName("O7: the filters of jobs list select, by themselves and together")
    void filters() {
        fixture.scheduler.scheduleJob(job("paused", "ledger")
                .tags("night")
                .triggerCommand(new EncodedCommand("report", 1, Map.of()))
                .singleSchedule(Instant.parse("2100-06-01T12:00:00Z"))
                .build());
        fixture.scheduler.pause(PauseScope.job("paused"), Pause.because("audit"));
        fixture.scheduler.scheduleJob(job("over", "ledger").build());
        fixture.scheduler.cancelJob("over");
        MountedConsole console = mounted(Viewer.reader("ann"));
        Map<String, List<String>> selected = Map.of(
                "tag=night", List.of("paused"),
                "type=report", List.of("paused"),
                "state=paused", List.of("paused"),
                "state=CANCELED", List.of("over"),
                "application=payments", List.of("job-of-payments"),
                "requestor=treasury-of-payments", List.of("job-of-payments"),
                "key-prefix=job-of-p", List.of("job-of-payments"),
                "next-from=2100-06-01", List.of("paused"),
                "next-until=2099-01-01T00:00:00Z&type=book&application=ledger", List.of("job-of-ledger"),
                "tag=night&type=book", List.of());
        selected.forEach((query, expected) -> assertThat(
                        keys(read(console, "/api/jobs?" + query).path("jobs")))
                .as(query)
                .isEqualTo(expected));
        assertThat(problems(console, "/api/job?key=over", 404).get(0)).contains("finished=true");
        assertThat(read(console, "/api/job?key=over&finished=true")
                        .path("jobState")
                        .asString())
                .isEqualTo("CANCELED");
    }

    @Test
    @DisplayName(
            "S16: a console that does not know a calendar of a job leads with what nodes would say, on the page as in the API")
    void calendarOfOthers() {
        MountedConsole console = mounted(Viewer.reader("ann"));
        fixture.client()
                .getDatabase(fixture.database())
                .getCollection("jobSpecification")
                .updateOne(
                        Filters.eq("jobSpecificationKey", "job-of-ledger"),
                        Updates.set("calendars", List.of("christmas")));
        JsonNode answer = read(console, "/api/job/explanation?key=job-of-ledger");
        assertThat(answer.path("headline").asString()).contains("waits for its next fire");
        String page = console.get("/job?key=job-of-ledger").body();
        String lead = page.substring(page.indexOf("What and why"), page.indexOf("names calendars that this node"));
        assertThat(lead).contains("waits for its next fire");
        assertThat(page).doesNotContain("class=\"lead bad\"");
    }

    @Test
    @DisplayName("O7: a key may contain each character; invisible ones are escaped in the answer")
    void anyKey() {
        MountedConsole console = mounted(Viewer.reader("ann"));
        for (String key : List.of("a/b c%2F..;?&=#\"<\\", "\u5e74\u672b-\ud83d\udcb0", "x\u202egpj")) {
            fixture.scheduler.scheduleJob(job(key, "ledger").build());
            for (String path : List.of("/api/job?key=", "/api/job/explanation?key=")) {
                HttpResponse<String> answer = console.get(path + Visitor.encoded(key));
                assertThat(json(answer).path("jobSpecificationKey").asString()).isEqualTo(key);
                assertThat(answer.body()).doesNotContain("\u202e");
            }
            assertThat(read(console, "/api/job/history?key=" + Visitor.encoded(key))
                            .path("rows"))
                    .hasSize(1);
        }
    }

    @Test
    @DisplayName("O7: a viewer of one application is answered about its jobs only, as if there were no others")
    void applications() {
        SecretJob.stored(fixture.store(), "failed-ledger", "ledger");
        SecretJob.stored(fixture.store(), "failed-payments", "payments");
        fixture.scheduler.scheduleJob(job("torn-payments", "payments").build());
        edit("torn-payments", "claimSeq", "many");
        fixture.scheduler.scheduleJob(job("torn-ledger", "ledger").build());
        edit("torn-ledger", "claimSeq", "many");
        runs("job-of-ledger", "n1");
        runs("job-of-payments", "n1");
        fixture.scheduler.pause(PauseScope.tag("tag-4711"), new Pause("reason-4711", "author-4711", null));
        fixture.scheduler.pause(PauseScope.commandType("type-4712"), new Pause("reason-4712", "author-4712", null));
        List<String> paths =
                List.of("/api/jobs", "/api/failures", "/api/failures?open=true", "/api/nodes", "/api/pauses");
        MountedConsole whole = mounted(Viewer.operator("ann"));
        assertThat(whole.get("/api/jobs").body()).contains("failed-payments", "torn-payments", "torn-ledger");
        assertThat(whole.get("/api/failures?open=true").body()).contains("failed-payments", "failed-ledger");
        assertThat(whole.get("/api/nodes").body()).contains("job-of-payments: 30 of 100", "type-4713", "reason-4713");
        assertThat(whole.get("/api/pauses").body()).contains("tag-4711", "author-4712");
        await().atMost(Browser.PATIENCE)
                .until(() -> whole.get("/api/doctor").body().contains("4711"));
        MountedConsole some = mounted(new Viewer("lea", ledger, ledger, ledger, ledger));
        for (String path : paths) {
            assertThat(some.get(path).body())
                    .as(path)
                    .doesNotContain("payments", "torn-ledger", "4711", "4712", "4713");
        }
        assertThat(keys(read(some, "/api/jobs").path("jobs"))).containsExactly("failed-ledger", "job-of-ledger");
        assertThat(some.get("/api/nodes").body()).contains("job-of-ledger: 30 of 100", "\"runs\":1");
        assertThat(some.get("/api/pauses").body()).contains("tag:(not shown)", "type:(not shown)");
        for (String path : List.of("/api/health", "/api/doctor")) {
            assertThat(problems(some, path, 403)).as(path).hasSize(1);
        }
        for (String path : List.of("/api/job", "/api/job/history", "/api/job/explanation")) {
            String never = some.get(path + "?key=never").body();
            for (String key : List.of("job-of-payments", "failed-payments", "torn-payments", "torn-ledger")) {
                HttpResponse<String> answer = some.get(path + "?key=" + key);
                assertThat(problems(answer, 404)).hasSize(1);
                assertThat(answer.body()).as(path + " " + key).isEqualTo(never);
            }
            assertThat(some.get(path + "?key=job-of-ledger").statusCode()).isEqualTo(200);
        }
        assertThat(whole.get("/api/job/explanation?key=torn-payments").body()).contains("DAMAGED");
    }

    @Test
    @DisplayName("O7: rows of a job of others that had the key before are for those who see all applications")
    void earlierRows() {
        fixture.scheduler.as("bob", "secret-4711").cancelJob("job-of-payments");
        fixture.scheduler.scheduleJob(job("job-of-payments", "ledger").build());
        String path = "/api/job/history?key=job-of-payments";
        assertThat(mounted(new Viewer("lea", ledger, ledger, ledger, ledger))
                        .get(path)
                        .body())
                .contains("scheduled")
                .doesNotContain("secret-4711");
        assertThat(mounted(Viewer.reader("ann")).get(path).body()).contains("secret-4711");
    }

    @Test
    @DisplayName("O7: a job that waits for its group does not name a holder of another application")
    void holders() {
        for (String application : List.of("payments", "ledger")) {
            fixture.scheduler.scheduleJob(job("in-group-of-" + application, application)
                    .exclusiveGroup("bank")
                    .singleSchedule((Instant) null)
                    .now()
                    .build());
        }
        StoredJob holder =
                fixture.store().find("in-group-of-payments", FindScope.LIVE).orElseThrow();
        Instant now = Instant.now();
        fixture.store()
                .claim(new ClaimRequest(
                        List.of(holder.id()),
                        now.plusSeconds(60),
                        new Lease("n", 7, now.plusSeconds(60)),
                        now.plusSeconds(62),
                        new ClaimRequest.Entry("bank", null, List.of("bank"))));
        String path = "/api/job/explanation?key=in-group-of-ledger";
        assertThat(mounted(Viewer.operator("ann")).get(path).body()).contains("in-group-of-payments");
        assertThat(mounted(new Viewer("lea", ledger, ledger, ledger, ledger))
                        .get(path)
                        .body())
                .contains("in use by jobs that you may not see")
                .doesNotContain("in-group-of-payments");
    }

    @Test
    @DisplayName(
            "S23: a program reads a forecast page by page, of the jobs that it may see, and what is wrong with its question")
    void forecast() {
        for (String application : List.of("ledger", "payments")) {
            for (int i = 0; i < 2; i++) {
                fixture.scheduler.scheduleJob(job("ends-" + i + "-" + application, application)
                        .singleSchedule((Instant) null)
                        .schedulingSpecification("0 0 12 * * ?")
                        .endAt(Instant.now().plus(Duration.ofDays(20L + 10 * i)))
                        .build());
            }
        }
        JsonNode all = over(mounted(Viewer.reader("ann")), "/api/forecast?kind=ENDS");
        assertThat(all.path("findings")).hasSize(2);
        assertThat(all.path("totals").get(0).path("times").intValue()).isEqualTo(2);
        assertThat(texts(all.path("findings").get(0).path("keys"))).containsExactly("ends-0-ledger", "ends-0-payments");
        assertThat(all.has("next")).isFalse();
        MountedConsole some = mounted(new Viewer("lea", ledger, ledger, ledger, ledger));
        JsonNode first = over(some, "/api/forecast?limit=1");
        assertThat(texts(first.path("findings").get(0).path("keys"))).containsExactly("ends-0-ledger");
        assertThat(first.path("next").intValue()).isEqualTo(1);
        assertThat(texts(first.path("notExamined"))).anyMatch(text -> text.contains("jobs that you may see"));
        JsonNode second = over(some, "/api/forecast?limit=1&after=1");
        assertThat(texts(second.path("findings").get(0).path("keys"))).containsExactly("ends-1-ledger");
        assertThat(second.has("next")).isFalse();
        assertThat(over(some, "/api/forecast?next=25d").path("findings")).hasSize(1);
        assertThat(problems(some, "/api/forecast?next=401d&kind=MOVED&after=x&limit=0", 400))
                .satisfiesExactlyInAnyOrder(
                        next -> assertThat(next).contains("next '401d'", "1d to 400d"),
                        kind -> assertThat(kind).contains("kind 'MOVED'", "SHIFTED_BY_CALENDAR"),
                        after -> assertThat(after).contains("after 'x'", "leave it out"),
                        limit -> assertThat(limit).contains("limit '0'"));
    }

    private static JsonNode over(MountedConsole console, String path) {
        return await().atMost(Browser.PATIENCE)
                .until(
                        () -> read(console, path),
                        answer -> answer.path("complete").booleanValue());
    }

    private static final List<String> PAYLOADS = List.of(
            "secret-body",
            "secret-id",
            "secret-old",
            "secret-failure",
            "secret-failure-id",
            "secret-next-body",
            "secret-next-id",
            "secret-state",
            "secret-state-of-row");

    private static final List<String> ERRORS =
            List.of("secret-message", "secret-stack", "secret-log", "secret-detail", "secret-blocked");

    /** All that is answered about the job. */
    private static String about(MountedConsole console) {
        StringBuilder all = new StringBuilder();
        for (String path : List.of(
                "/api/jobs",
                "/api/job?key=hidden",
                "/api/job/history?key=hidden",
                "/api/job/explanation?key=hidden",
                "/api/job/fires?key=hidden",
                "/api/forecast",
                "/api/failures",
                "/api/failures?open=true")) {
            HttpResponse<String> answer = console.get(path);
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            all.append(answer.body());
        }
        return all.toString();
    }

    @Test
    @DisplayName("O7: rows of an earlier job of the key show no contents by the rights to the present one")
    void earlierLife() {
        fixture.scheduler.runNow("job-of-payments", new EncodedCommand("book", 1, Map.of("account", "secret-run")));
        fixture.scheduler.cancelJob("job-of-payments");
        fixture.scheduler.scheduleJob(job("job-of-payments", "ledger").build());
        String path = "/api/job/history?key=job-of-payments";
        Viewer lea = new Viewer("lea", Applications.ALL, ledger, Applications.ALL, ledger);
        assertThat(mounted(lea).get(path).body())
                .contains("a run now was requested")
                .doesNotContain("secret-run");
        assertThat(mounted(Viewer.operator("ann")).get(path).body()).contains("secret-run");
    }

    @Test
    @DisplayName("O7: payloads and exceptions are answered to those who may see them; others see types and classes")
    void rights() {
        SecretJob.stored(fixture.store(), "hidden", "payments");
        Applications all = Applications.ALL;
        Applications none = Applications.NONE;
        assertThat(about(mounted(Viewer.operator("ann")))).contains(PAYLOADS).contains(ERRORS);
        assertThat(about(mounted(new Viewer("lea", all, all, ledger, none))))
                .contains(PAYLOADS)
                .contains("java.lang.IllegalStateException", "the command cannot be read: (message not shown)")
                .doesNotContain(ERRORS);
        assertThat(about(mounted(new Viewer("lea", all, ledger, all, none))))
                .contains(ERRORS)
                .contains("\"triggerCommand\":{\"type\":\"book\"}", "triggerIdentifier: changed")
                .doesNotContain(PAYLOADS);
        assertThat(about(mounted(Viewer.reader("ann")))).doesNotContain("secret-");
        assertThat(about(
                        fixture.mount(console().hidePayloads().access(request -> Optional.of(Viewer.operator("ann"))))))
                .contains(ERRORS)
                .doesNotContain(PAYLOADS);
    }

    @Test
    @DisplayName(
            "O7: rows of a job that was removed or is damaged are for those who see all applications, and by their rights")
    void removed() {
        StoredJob job = SecretJob.stored(fixture.store(), "removed", "ledger");
        SecretJob.stored(fixture.store(), "torn", "ledger");
        edit("torn", "claimSeq", "many");
        fixture.client()
                .getDatabase(fixture.database())
                .getCollection("jobSpecification")
                .deleteOne(Filters.eq("_id", new ObjectId(job.id())));
        for (String path : List.of("/api/failures", "/api/job/history?key=torn")) {
            assertThat(mounted(Viewer.operator("ann")).get(path).body()).contains("secret-message", "secret-old");
            assertThat(mounted(new Viewer("bob", Applications.ALL, ledger, ledger, ledger))
                            .get(path)
                            .body())
                    .contains("IllegalStateException")
                    .doesNotContain("secret-");
            assertThat(mounted(new Viewer("lea", ledger, ledger, ledger, ledger))
                            .get(path)
                            .body())
                    .doesNotContain("IllegalStateException", "secret-");
        }
    }

    @Test
    @DisplayName("O7: failures are those of a span, and the open ones end with an acknowledgement")
    void failures() {
        SecretJob.stored(fixture.store(), "one", "ledger");
        SecretJob.stored(fixture.store(), "two", "ledger");
        MountedConsole console = mounted(Viewer.reader("ann"));
        assertThat(keys(read(console, "/api/failures?open=true").path("rows"))).containsExactlyInAnyOrder("one", "two");
        assertThat(keys(read(console, "/api/failures").path("rows"))).hasSize(2);
        JsonNode first = read(console, "/api/failures?limit=1");
        assertThat(first.path("rows")).hasSize(1);
        assertThat(first.path("more").booleanValue()).isTrue();
        assertThat(read(console, "/api/failures?until=24h").path("rows")).isEmpty();
        assertThat(read(console, "/api/failures?since=24h").path("rows")).hasSize(2);
        fixture.client()
                .getDatabase(fixture.database())
                .getCollection("jobSpecification")
                .updateOne(Filters.eq("activeKey", "two"), Updates.set("failuresInARow", 0));
        assertThat(keys(read(console, "/api/failures?open=true").path("rows"))).containsExactly("one");
        JsonNode rows = read(console, "/api/job/history?key=one&failed=true").path("rows");
        assertThat(rows).hasSize(1);
        assertThat(rows.get(0).path("outcome").asString()).isEqualTo("RETRIES_EXHAUSTED");
        assertThat(read(console, "/api/job/history?key=one&limit=2")
                        .path("more")
                        .booleanValue())
                .isTrue();
        assertThat(read(console, "/api/job/history?key=one").has("more")).isFalse();
    }

    @Test
    @DisplayName("S19: pages of open failures have each job that is open once, at its newest failure")
    void pagesOfOpenFailures() {
        List.of("one", "two", "three").forEach(key -> SecretJob.stored(fixture.store(), key, "ledger"));
        MongoDatabase database = fixture.client().getDatabase(fixture.database());
        MongoCollection<Document> rows = database.getCollection("jobExecutionStatus");
        Instant now = Instant.now();
        for (Document row : rows.find(Filters.eq("executionStatus", "FAILED")).into(new ArrayList<>())) {
            int late = List.of("one", "two", "three").indexOf(row.getString("jobSpecificationKey"));
            rows.updateOne(
                    Filters.eq("_id", row.get("_id")),
                    Updates.set("updatedTime", Date.from(now.minusSeconds(10 * late))));
            rows.insertOne(new Document(row)
                    .append("_id", row.get("_id") + "-earlier")
                    .append("updatedTime", Date.from(now.minusSeconds(100 + late))));
        }
        MountedConsole console = mounted(Viewer.reader("ann"));
        List<String> found = new ArrayList<>();
        String path = "/api/failures?open=true&limit=1";
        JsonNode page = read(console, path);
        for (int pages = 0; pages < 9 && page.has("more"); pages++) {
            found.addAll(keys(page.path("rows")));
            page = read(console, path + "&until=" + page.path("until").asString());
        }
        found.addAll(keys(page.path("rows")));
        assertThat(found).containsExactly("one", "two", "three");
        assertThat(read(console, "/api/failures?open=true&until=" + now.minusSeconds(50))
                        .path("rows"))
                .isEmpty();
        assertThat(read(console, "/api/failures?until=" + now.minusSeconds(50)).path("rows"))
                .hasSize(3);
    }

    /**
     * Rows of a job beside its own, each a second older than the one before.
     *
     * @param failed which of them, counted from the newest one, are of fires that failed for good
     */
    private void rows(String key, int count, Instant newest, Set<Integer> failed) {
        MongoCollection<Document> rows =
                fixture.client().getDatabase(fixture.database()).getCollection("jobExecutionStatus");
        StoredJob job = fixture.store().find(key, FindScope.LIVE).orElseThrow();
        assertThat(fixture.scheduler.history(key)).isNotEmpty();
        Document row = rows.find(Filters.eq("jobSpecificationId", new ObjectId(job.id())))
                .first();
        rows.insertMany(IntStream.range(0, count)
                .mapToObj(i -> new Document(row)
                        .append("_id", job.id() + ":r" + i)
                        .append("executionStatus", failed.contains(i) ? "FAILED" : "SCHEDULED")
                        .append("outcome", failed.contains(i) ? "RETRIES_EXHAUSTED" : "SUCCEEDED")
                        .append("updatedTime", Date.from(newest.minusSeconds(i))))
                .toList());
    }

    private static List<String> written(JsonNode answer) {
        List<String> written = new ArrayList<>();
        answer.path("rows").forEach(row -> written.add(row.path("updatedTime").asString()));
        return written;
    }

    /** When all rows were written that the answers from this one on have, each of which leads to the next one. */
    private static List<String> writtenInAll(MountedConsole console, String path) {
        JsonNode answer = read(console, path);
        List<String> written = new ArrayList<>(written(answer));
        while (answer.has("more")) {
            assertThat(answer.has("until")).as(answer.toString()).isTrue();
            answer = read(console, path + "&until=" + answer.path("until").asString());
            written.addAll(written(answer));
        }
        assertThat(answer.has("until")).isFalse();
        return written;
    }

    @Test
    @DisplayName(
            "O7: rows of a key behind its newest 1 000 are found by failed, since and until, by each viewer of the job")
    void historyFarBack() {
        fixture.scheduler.cancelJob("job-of-payments");
        fixture.scheduler.scheduleJob(job("job-of-payments", "ledger").build());
        Instant newest = Instant.now().minusSeconds(3_600).truncatedTo(ChronoUnit.MILLIS);
        rows("job-of-payments", 1_200, newest, Set.of(3, 1_150));
        String path = "/api/job/history?key=job-of-payments";
        List<Viewer> viewers = List.of(Viewer.reader("ann"), new Viewer("lea", ledger, ledger, ledger, ledger));
        for (Viewer viewer : viewers) {
            MountedConsole console = mounted(viewer);
            assertThat(written(read(console, path + "&failed=true")))
                    .as("%s", viewer)
                    .containsExactly(
                            newest.minusSeconds(3).toString(),
                            newest.minusSeconds(1_150).toString());
            JsonNode old = read(console, path + "&until=" + newest.minusSeconds(1_100) + "&limit=1000");
            assertThat(written(old))
                    .hasSize(99)
                    .startsWith(newest.minusSeconds(1_101).toString())
                    .endsWith(newest.minusSeconds(1_199).toString());
            assertThat(old.has("more") || old.has("until")).as("all were read").isFalse();
            JsonNode some = read(
                    console, path + "&since=" + newest.minusSeconds(1_110) + "&until=" + newest.minusSeconds(1_100));
            assertThat(written(some))
                    .hasSize(10)
                    .endsWith(newest.minusSeconds(1_110).toString());
            assertThat(some.has("more") || some.has("until"))
                    .as("what is older was not asked for")
                    .isFalse();
            assertThat(read(console, path + "&until=90d").path("rows")).isEmpty();
        }
        // the row of the creation of this job; and of those of the other one that had the key before
        assertThat(writtenInAll(mounted(viewers.get(1)), path + "&limit=1000"))
                .hasSize(1_200 + 1)
                .doesNotHaveDuplicates();
        assertThat(writtenInAll(mounted(viewers.get(0)), path + "&limit=700"))
                .hasSize(1_200 + 3)
                .doesNotHaveDuplicates();
    }

    @Test
    @DisplayName(
            "O7: a search for rows of a key that ends early says to which moment they were read, and goes on before it")
    void historyGoesOn() {
        Instant newest = Instant.now().minusSeconds(3_600).truncatedTo(ChronoUnit.MILLIS);
        rows("job-of-ledger", 13_000, newest, Set.of(12_900));
        MountedConsole console = mounted(Viewer.reader("ann"));
        String path = "/api/job/history?key=job-of-ledger&failed=true";
        JsonNode first = read(console, path);
        assertThat(first.path("rows")).isEmpty();
        assertThat(first.path("more").booleanValue()).isTrue();
        assertThat(writtenInAll(console, path))
                .containsExactly(newest.minusSeconds(12_900).toString());
        assertThat(writtenInAll(console, path + "&since=" + newest.minusSeconds(12_899)))
                .isEmpty();
    }

    @Test
    @DisplayName("O7: a row that only the document shows is among those of its key, whatever is asked for")
    void historyOfDocument() {
        assertThat(fixture.scheduler.history("job-of-ledger")).hasSize(1);
        StoredJob job = fixture.store().find("job-of-ledger", FindScope.LIVE).orElseThrow();
        fixture.client()
                .getDatabase(fixture.database())
                .getCollection("jobExecutionStatus")
                .deleteMany(Filters.eq("jobSpecificationId", new ObjectId(job.id())));
        Instant newest = job.lastStatus().updatedTime();
        String path = "/api/job/history?key=job-of-ledger";
        for (Viewer viewer : List.of(Viewer.reader("ann"), new Viewer("lea", ledger, ledger, ledger, ledger))) {
            MountedConsole console = mounted(viewer);
            for (String asked : List.of("", "&since=30d", "&until=2100-01-01", "&limit=1", "&since=" + newest)) {
                assertThat(written(read(console, path + asked)))
                        .as("%s %s", viewer, asked)
                        .containsExactly(newest.toString());
            }
            for (String others : List.of("&failed=true", "&until=" + newest, "&since=" + newest.plusMillis(1))) {
                assertThat(written(read(console, path + others)))
                        .as("%s %s", viewer, others)
                        .isEmpty();
            }
        }
    }

    private void edit(String key, String field, Object value) {
        fixture.client()
                .getDatabase(fixture.database())
                .getCollection("jobSpecification")
                .updateOne(Filters.eq("activeKey", key), Updates.set(field, value));
    }

    /** A run of which the node has reported how far it is. */
    private void runs(String key, String node) {
        StoredJob job = fixture.store().find(key, FindScope.LIVE).orElseThrow();
        Instant now = Instant.now();
        Lease lease = new Lease(node, 7, now.plusSeconds(3_600));
        fixture.store().claim(new ClaimRequest(List.of(job.id()), now.plusSeconds(7_200), lease, now.plusSeconds(55)));
        fixture.store()
                .renew(new Renewal(
                        Map.of(job.id(), 7L),
                        lease.until(),
                        now.plusSeconds(55),
                        Map.of(job.id(), new Progress(30, 100, "", now)),
                        null,
                        false));
        fixture.store()
                .cluster()
                .report(
                        new NodeReport(
                                node,
                                "label of " + node,
                                now,
                                now,
                                "2026a",
                                Duration.ZERO,
                                Set.of("book", "type-4713"),
                                1,
                                4,
                                Set.of(),
                                0,
                                7,
                                List.of("reason-4713"),
                                null,
                                false,
                                NodeReport.SILENT_AFTER),
                        now.minusSeconds(60));
    }

    @Test
    @DisplayName("the API says that the check of the store fails, and does not ask to wait for it")
    void failedDoctor() {
        MountedConsole console = fixture.mount(console()
                .doctor(() -> {
                    throw new IllegalStateException("planned");
                })
                .access(request -> Optional.of(Viewer.operator("ann"))));
        await().atMost(Browser.PATIENCE)
                .until(() -> console.get("/api/doctor").body().contains("the check of the store failed"));
    }
}
