package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.FindScope;
import dev.almanac.model.Finding;
import dev.almanac.model.InvariantReport;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.Progress;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import dev.almanac.store.Lease;
import dev.almanac.store.NodeReport;
import dev.almanac.store.Renewal;
import dev.almanac.store.StoreOverview;
import dev.almanac.store.StoredJob;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a viewer may see and change, by application. */
class RightsTest {
    private final ConsoleFixture fixture = new ConsoleFixture();
    private final Applications ledger = Applications.of("ledger");

    @BeforeEach
    void fill() {
        for (String application : List.of("ledger", "payments")) {
            fixture.scheduler.scheduleJob(
                    job("job-of-" + application, application).build());
        }
    }

    private static JobSpecificationBuilder job(String key, String application) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("treasury")
                .applicationTag(application)
                .triggerCommand(new EncodedCommand("book", 1, Map.of("account", "BE12-" + application)))
                .triggerIdentifier("id-of-" + application)
                .singleSchedule(Instant.now().plusSeconds(3_600));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private MountedConsole mounted(Viewer viewer) {
        return MountedConsole.of(fixture.console()
                .allowChanges(true)
                .access(request -> Optional.of(viewer))
                .build());
    }

    @Test
    @DisplayName(
            "console: a viewer of one application sees its jobs, and neither keys, counts by type nor findings of others")
    void seesItsOwn() {
        try (MountedConsole console = mounted(new Viewer("lea", ledger, ledger, ledger, ledger))) {
            for (String path : List.of("/", "/jobs", "/jobs?prefix=job", "/failures", "/jobs?application=payments")) {
                assertThat(console.get(path).body()).as(path).doesNotContain("job-of-payments");
            }
            assertThat(console.get("/jobs").body()).contains("job-of-ledger");
            assertThat(console.get("/job?key=job-of-ledger").body()).contains("BE12-ledger");
            assertThat(console.get("/job?key=job-of-payments").statusCode()).isEqualTo(404);
            assertThat(console.get("/job?key=never").body())
                    .isEqualTo(console.get("/job?key=job-of-payments").body());
            assertThat(console.get("/doctor").statusCode()).isEqualTo(403);
            assertThat(console.get("/metrics").statusCode()).isEqualTo(403);
            assertThat(console.get("/").body()).doesNotContain(">book<");
        }
    }

    @Test
    @DisplayName(
            "console: failed, running, overdue and damaged jobs, and users of a calendar, are shown only to viewers of their application")
    void othersTroubles() {
        fixture.scheduler.calendars().put("closed", Map.of("kind", "weekly", "exclude-days", List.of("SUNDAY")));
        for (String application : List.of("ledger", "payments")) {
            for (String state : List.of("late", "runs", "torn")) {
                fixture.scheduler.scheduleJob(job(state + "-" + application, application)
                        .singleSchedule((Instant) null)
                        .schedulingSpecification("0 0 12 * * ?")
                        .calendar("closed")
                        .build());
            }
            fixture.scheduler.history("late-" + application);
            Document row = rows().find(Filters.eq("jobSpecificationKey", "late-" + application))
                    .first();
            rows().insertOne(row.append("_id", row.getString("_id") + "f")
                    .append("executionStatus", "FAILED")
                    .append("outcome", "RETRIES_EXHAUSTED"));
            edit(
                    "late-" + application,
                    Updates.set("due", Date.from(Instant.now().minusSeconds(60))));
            edit("torn-" + application, Updates.set("claimSeq", "many"));
            Date until = Date.from(Instant.now().plusSeconds(3_600));
            Document lease = new Document("owner", "n1").append("token", 7L).append("until", until);
            edit("runs-" + application, Updates.set("lease", lease));
        }
        List<String> paths = List.of("/", "/jobs", "/failures?since=1h", "/calendars?name=closed");
        try (MountedConsole console = mounted(Viewer.operator("ann"))) {
            dueWithinAMinute();
            assertThat(console.get("/").body()).contains("late-payments", "runs-payments");
            assertThat(console.get("/jobs").body()).contains("late-payments", "torn-payments");
            assertThat(console.get("/job?key=torn-payments").body()).contains("cannot be read");
            assertThat(console.get("/failures?since=1h").body()).contains("late-payments", "late-ledger");
            assertThat(console.get("/calendars?name=closed").body()).contains("late-payments");
        }
        try (MountedConsole console = mounted(new Viewer("lea", ledger, ledger, ledger, ledger))) {
            dueWithinAMinute();
            assertThat(console.get("/").body()).contains("late-ledger", "runs-ledger");
            assertThat(console.get("/failures?since=1h").body()).contains("late-ledger");
            assertThat(console.get("/calendars?name=closed").body()).contains("late-ledger");
            for (String path : paths) {
                assertThat(console.get(path).body()).as(path).doesNotContain("-payments", "torn-ledger");
            }
            for (String path : List.of("/job?key=", "/fires?key=")) {
                assertThat(console.get(path + "torn-payments").statusCode()).isEqualTo(404);
                assertThat(console.get(path + "torn-payments").body())
                        .isEqualTo(console.get(path + "never").body());
            }
        }
    }

    @Test
    @DisplayName(
            "console: a viewer of one application is told that the oldest of all are looked at, and where its own are")
    void oldestOfAll() {
        for (int i = 0; i < 21; i++) {
            fixture.scheduler.scheduleJob(job("late-" + i, "payments").build());
            edit("late-" + i, Updates.set("due", Date.from(Instant.now().minusSeconds(120))));
        }
        nodeReports();
        String hidden = "none of the oldest";
        try (MountedConsole console = mounted(new Viewer("lea", ledger, ledger, ledger, ledger))) {
            String now = console.get("/").body();
            assertThat(now)
                    .contains("Jobs of all applications are counted", hidden)
                    .contains("/jobs?until=0s\"")
                    .doesNotContain("0 of these are listed");
        }
        try (MountedConsole console = mounted(Viewer.operator("ann"))) {
            assertThat(console.get("/").body())
                    .contains("20 of these are listed, the oldest ones")
                    .doesNotContain(hidden);
        }
    }

    /** A node that counts as live for as long as the test takes. */
    private void nodeReports() {
        Instant now = Instant.now();
        fixture.store()
                .cluster()
                .report(
                        new NodeReport(
                                "id-7",
                                "node-7",
                                now,
                                now.plusSeconds(600),
                                "2026a",
                                Duration.ZERO,
                                Set.of("type-4713"),
                                0),
                        now.minusSeconds(60));
    }

    @Test
    @DisplayName(
            "20: tags, types and reasons of pauses, and types of nodes, are shown only to viewers of all applications")
    void kinds() {
        fixture.scheduler.pause(PauseScope.tag("tag-4711"), new Pause("reason-4711", "author-4711", null));
        fixture.scheduler.pause(PauseScope.commandType("type-4711"), new Pause("reason-4712", "author-4712", null));
        fixture.scheduler.pause(PauseScope.node("node-7"), new Pause("new disk", "bob", null));
        nodeReports();
        try (MountedConsole console = mounted(new Viewer("lea", ledger, ledger, ledger, ledger))) {
            for (String path : List.of("/", "/pauses", "/nodes")) {
                assertThat(console.get(path).body()).as(path).doesNotContain("4711", "4712", "4713");
            }
            assertThat(console.get("/pauses").body())
                    .contains("node:node-7", "new disk", "tag:(not shown)", "type:(not shown)");
            assertThat(console.get("/nodes").body()).contains("node-7", "standby");
        }
        try (MountedConsole console = mounted(Viewer.reader("ann"))) {
            assertThat(console.get("/").body()).contains("tag-4711", "reason-4711", "type-4711");
            assertThat(console.get("/pauses").body()).contains("tag-4711", "reason-4711", "author-4712", "new disk");
            assertThat(console.get("/nodes").body()).contains("type-4713");
        }
    }

    @Test
    @DisplayName("console: an address of a next page names no job of another application, and still leads on")
    void nextPages() {
        for (int i = 100; i < 160; i++) {
            fixture.scheduler.scheduleJob(inGroup("secret-" + i, "payments"));
            fixture.scheduler.scheduleJob(inGroup("t-" + i, i % 2 == 0 ? "ledger" : "cards"));
        }
        Applications two = Applications.of("ledger", "cards");
        try (MountedConsole console = mounted(new Viewer("lea", two, two, two, Applications.NONE))) {
            assertThat(console.get("/jobs?application=payments").body())
                    .contains("after=")
                    .doesNotContain("secret-");
            Set<String> seen = new TreeSet<>();
            String path = "/jobs";
            for (int i = 0; i < 9 && path != null; i++) {
                String body = console.get(path).body();
                assertThat(body).doesNotContain("secret-");
                Matcher key = Pattern.compile("key=(t-[0-9]+)").matcher(body);
                while (key.find()) {
                    seen.add(key.group(1));
                }
                Matcher next = Pattern.compile("rel=\"next\" href=\"[^\"]*(/jobs\\?[^\"]*after=[^\"]*)\"")
                        .matcher(body);
                path = next.find() ? next.group(1) : null;
            }
            assertThat(seen).hasSize(60);
            assertThat(console.get("/jobs?after=secret-110").statusCode()).isEqualTo(400);
        }
        try (MountedConsole console = mounted(Viewer.operator("ann"))) {
            assertThat(console.get("/jobs?after=secret-110").body()).contains("secret-111");
        }
    }

    private static JobSpecification inGroup(String key, String application) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("treasury")
                .applicationTag(application)
                .exclusiveGroup("bank")
                .triggerCommand(new EncodedCommand("book", 1, Map.of()))
                .singleSchedule(Instant.now().minusSeconds(5))
                .build();
    }

    @Test
    @DisplayName("console: a job that waits for its group does not name a holder of another application")
    void holders() {
        fixture.scheduler.scheduleJob(inGroup("secret-1", "payments"));
        fixture.scheduler.scheduleJob(inGroup("mine", "ledger"));
        StoredJob holder = fixture.store().find("secret-1", FindScope.LIVE).orElseThrow();
        Instant now = Instant.now();
        Lease lease = new Lease("n", 7, now.plusSeconds(60));
        assertThat(fixture.store()
                        .claim(new ClaimRequest(
                                List.of(holder.id()),
                                now.plusSeconds(60),
                                lease,
                                now.plusSeconds(62),
                                new ClaimRequest.Entry("bank", null, List.of("bank"))))
                        .jobs())
                .hasSize(1);
        try (MountedConsole console = mounted(new Viewer("lea", ledger, ledger, ledger, ledger))) {
            assertThat(console.get("/job?key=mine").body())
                    .contains("in use by jobs that you may not see")
                    .doesNotContain("secret-1");
        }
        try (MountedConsole console = mounted(Viewer.operator("ann"))) {
            assertThat(console.get("/job?key=mine").body()).contains("secret-1");
        }
    }

    @Test
    @DisplayName("console: rows of a job that had the key before are for those who see all applications")
    void earlierRows() {
        fixture.scheduler.as("bob", "secret-4711").cancelJob("job-of-payments");
        fixture.scheduler.scheduleJob(job("job-of-payments", "ledger").build());
        try (MountedConsole console = mounted(new Viewer("lea", ledger, ledger, ledger, ledger))) {
            assertThat(console.get("/job?key=job-of-payments").body())
                    .contains("planned")
                    .doesNotContain("secret-4711");
        }
        try (MountedConsole console = mounted(Viewer.reader("ann"))) {
            assertThat(console.get("/job?key=job-of-payments").body()).contains("secret-4711");
        }
    }

    /** The page Now shows the runs whose jobs are due again within a minute. */
    private void dueWithinAMinute() {
        for (String application : List.of("ledger", "payments")) {
            edit(
                    "runs-" + application,
                    Updates.set("due", Date.from(Instant.now().plusSeconds(55))));
        }
    }

    private MongoCollection<Document> rows() {
        return fixture.client().getDatabase(fixture.database()).getCollection("jobExecutionStatus");
    }

    private void edit(String key, Bson change) {
        fixture.client()
                .getDatabase(fixture.database())
                .getCollection("jobSpecification")
                .updateOne(Filters.eq("activeKey", key), change);
    }

    @Test
    @DisplayName("console: payloads are shown to those who may see them, and to nobody where the console hides them")
    void payloads() {
        try (MountedConsole console = mounted(new Viewer("lea", Applications.ALL, ledger, ledger, Applications.NONE))) {
            assertThat(console.get("/job?key=job-of-ledger").body()).contains("BE12-ledger", "id-of-ledger");
            assertThat(console.get("/job?key=job-of-payments").body())
                    .contains("may not see its commands")
                    .doesNotContain("BE12-payments", "id-of-payments");
        }
        try (MountedConsole console = MountedConsole.of(fixture.console()
                .hidePayloads()
                .access(request -> Optional.of(Viewer.operator("ann")))
                .build())) {
            assertThat(console.get("/job?key=job-of-ledger").body()).doesNotContain("BE12-ledger");
        }
    }

    @Test
    @DisplayName("A3, console: Now and the job's page show how far a run is; the state for the next run is a payload")
    void progress() {
        StoredJob job = fixture.store().find("job-of-payments", FindScope.LIVE).orElseThrow();
        Instant now = Instant.now();
        Lease lease = new Lease("n1", 7, now.plusSeconds(3_600));
        Map<String, Object> state = Map.of("cursor", "secret-4711");
        StoredJob held = job.with(edit -> edit.state(state));
        fixture.store().write(List.of(new JobChange(job, held, List.of(), JobChange.By.REQUEST)));
        fixture.store().claim(new ClaimRequest(List.of(job.id()), now.plusSeconds(7_200), lease, now.plusSeconds(55)));
        Progress said = new Progress(30, 100, "reading <b>", now);
        fixture.store()
                .renew(new Renewal(
                        Map.of(job.id(), 7L), lease.until(), now.plusSeconds(55), Map.of(job.id(), said), null, false));
        try (MountedConsole console = mounted(new Viewer("lea", Applications.ALL, ledger, ledger, Applications.NONE))) {
            assertThat(console.get("/").body()).contains("<bdi>30 of 100: reading &lt;b&gt;</bdi>");
            assertThat(console.get("/job?key=job-of-payments").body())
                    .contains("<bdi>30 of 100: reading &lt;b&gt;</bdi>")
                    .doesNotContain("secret-4711");
        }
        try (MountedConsole console = mounted(Viewer.operator("ann"))) {
            assertThat(console.get("/job?key=job-of-payments").body()).contains("secret-4711");
        }
    }

    @Test
    @DisplayName(
            "console: messages and stacks of exceptions are shown to those who may see them, also without payloads; others see the class")
    void errors() {
        for (String application : List.of("ledger", "payments")) {
            fixture.scheduler.history("job-of-" + application);
            Document row = rows().find(Filters.eq("jobSpecificationKey", "job-of-" + application))
                    .first();
            Document error = new Document("type", "java.lang.IllegalStateException")
                    .append("message", "IBAN secret-4711-" + application)
                    .append("stack", "at secret-4712-" + application);
            rows().insertOne(new Document(row)
                    .append("_id", row.getString("_id") + "f")
                    .append("executionStatus", "FAILED")
                    .append("outcome", "RETRIES_EXHAUSTED")
                    .append("error", error));
            edit("job-of-" + application, Updates.set("lastStatus.error", error));
        }
        Applications none = Applications.NONE;
        try (MountedConsole console = mounted(new Viewer("lea", Applications.ALL, Applications.ALL, ledger, none))) {
            for (String path : List.of("/job?key=job-of-payments", "/failures?since=1h", "/", "/jobs")) {
                assertThat(console.get(path).body())
                        .as(path)
                        .doesNotContain("secret-4711-payments", "secret-4712-payments");
            }
            assertThat(console.get("/job?key=job-of-payments").body())
                    .contains("IllegalStateException", "BE12-payments");
            assertThat(console.get("/job?key=job-of-ledger").body())
                    .contains("secret-4711-ledger", "secret-4712-ledger");
        }
        try (MountedConsole console = mounted(new Viewer("lea", Applications.ALL, none, ledger, none))) {
            assertThat(console.get("/job?key=job-of-ledger").body())
                    .contains("secret-4711-ledger")
                    .doesNotContain("BE12-ledger");
            assertThat(console.get("/failures?since=1h").body()).doesNotContain("secret-4711-payments");
        }
        try (MountedConsole console = mounted(Viewer.reader("bob"))) {
            assertThat(console.get("/job?key=job-of-ledger").body()).doesNotContain("secret-4711", "secret-4712");
        }
    }

    /** The store does this before the second look for a job: in between a page has read the job and is to explain it. */
    private static JobStore between(JobStore store, Runnable deed) {
        AtomicInteger looks = new AtomicInteger();
        return (JobStore) Proxy.newProxyInstance(
                RightsTest.class.getClassLoader(),
                new Class<?>[] {JobStore.class, StoreOverview.class},
                (proxy, method, values) -> {
                    if (method.getName().equals("answeringWithin")) {
                        return between(((StoreOverview) store).answeringWithin((Duration) values[0]), deed);
                    }
                    if (method.getName().equals("find") && looks.incrementAndGet() == 2) {
                        deed.run();
                    }
                    try {
                        return method.invoke(store, values);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    @DisplayName("console: the message of an attempt that fails while the page of its job is made is hidden, too")
    void failsMeanwhile() {
        Document error = new Document("type", "java.lang.IllegalStateException").append("message", "secret-4711");
        Runnable fails = () -> edit(
                "job-of-payments",
                Updates.combine(
                        Updates.set("attempts", 1),
                        Updates.set("retryTime", Date.from(Instant.now().plusSeconds(60))),
                        Updates.set("lastStatus.error", error)));
        for (String path : List.of("/job?key=job-of-payments", "/api/job/explanation?key=job-of-payments")) {
            edit("job-of-payments", Updates.unset("lastStatus.error"));
            MountedConsole console = fixture.mount(fixture.console()
                    .store(between(fixture.store(), fails))
                    .access(request -> Optional.of(Viewer.reader("lea"))));
            assertThat(console.get(path).body())
                    .as(path)
                    .contains("has failed in attempt 1", "(message not shown)")
                    .doesNotContain("secret-4711");
        }
    }

    @Test
    @DisplayName(
            "console: rows of an earlier job of the key show no errors and identifiers by the rights to the present one")
    void earlierLife() {
        fixture.scheduler.apply(
                JobAction.update(edit -> edit.triggerIdentifier("secret-id")), JobSelection.keys("job-of-payments"));
        fixture.scheduler.cancelJob("job-of-payments");
        rows().updateMany(
                        Filters.eq("jobSpecificationKey", "job-of-payments"),
                        Updates.set(
                                "error",
                                new Document("type", "a.b.PaymentException").append("message", "secret-4711")));
        fixture.scheduler.scheduleJob(job("job-of-payments", "ledger").build());
        try (MountedConsole console = mounted(new Viewer("lea", Applications.ALL, ledger, ledger, ledger))) {
            assertThat(console.get("/job?key=job-of-payments").body())
                    .contains("PaymentException", "BE12-ledger")
                    .doesNotContain("secret-");
        }
        try (MountedConsole console = mounted(Viewer.operator("ann"))) {
            assertThat(console.get("/job?key=job-of-payments").body()).contains("secret-4711", "secret-id");
        }
    }

    @Test
    @DisplayName("console: an action changes the jobs that the viewer may change, and no other job of the selection")
    void changes() {
        try (MountedConsole console = mounted(new Viewer("lea", Applications.ALL, ledger, ledger, ledger))) {
            String payments = fixture.store()
                    .find("job-of-payments", FindScope.LIVE)
                    .orElseThrow()
                    .id();
            Visitor lea = new Visitor(console).previews("job-of-ledger", "PAUSE");
            String answer = lea.send(lea.confirmation("CR-1").and("job", "1.0.0.." + payments))
                    .body();
            assertThat(answer).contains("paused", "is no job that you may change");
            assertThat(fixture.scheduler
                            .findJobById("job-of-ledger")
                            .orElseThrow()
                            .pause())
                    .isEqualTo(new Pause("CR-1", "lea", null));
            assertThat(fixture.scheduler
                            .findJobById("job-of-payments")
                            .orElseThrow()
                            .pause())
                    .isNull();
            fixture.scheduler.resume(PauseScope.job("job-of-ledger"));
        }
    }

    @Test
    @DisplayName("console: an action without a reason is refused with a message and changes nothing")
    void withoutReason() {
        try (MountedConsole console = mounted(Viewer.operator("ann"))) {
            String answer =
                    new Visitor(console).acts("job-of-ledger", "CANCEL", " ").body();
            assertThat(answer).contains("A reason is required", "Nothing has been done yet");
            assertThat(fixture.scheduler.findJobById("job-of-ledger")).isPresent();
        }
    }

    /** What the console answers to a form of this browser. */
    private static HttpResponse<String> sent(MountedConsole console, String path, String form) {
        var page = console.get("/jobs");
        int field = page.body().indexOf("name=\"form-token\" value=\"") + "name=\"form-token\" value=\"".length();
        String token = page.body().substring(field, page.body().indexOf('"', field));
        return console.post(path, form + "&form-token=" + token, "Cookie", MountedConsole.cookies(page));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("console: a pause of a kind and an edit of a calendar without a reason are refused with a message")
    void withoutReasonOfMany() {
        fixture.scheduler.calendars().put("closed", Map.of("kind", "weekly", "exclude-days", List.of("SUNDAY")));
        try (MountedConsole console = mounted(Viewer.operator("ann"))) {
            assertThat(sent(console, "/pauses", "do=pause&scope=everything&reason=+")
                            .body())
                    .contains("A reason is required");
            assertThat(fixture.scheduler.pauses()).isEmpty();
            Visitor ann = new Visitor(console).open("/calendars?name=closed");
            ann.send(ann.form("id=\"definition\"")
                    .with("definition", "{\"kind\": \"weekly\", \"exclude-days\": [\"MONDAY\"]}")
                    .with("do", "preview"));
            Visitor.Form save = ann.form("id=\"definition\"").with("do", "save");
            assertThat(ann.send(save.with("reason", "")).body()).contains("A reason is required");
            assertThat(fixture.scheduler.calendars().list().get(0).version()).isEqualTo(1);
            assertThat(ann.send(save.with("reason", "CR-2")).body()).contains("ann (CR-2)", "chip good");
            assertThat(fixture.scheduler.calendars().list().get(0).version()).isEqualTo(2);
        }
    }

    @Test
    @DisplayName("console: a kind of jobs is resumed with a reason, and not without one")
    void resumedWithReason() {
        PauseScope kind = PauseScope.parse("type:book");
        fixture.scheduler.pause(kind, new Pause("CR-5", "ann", null));
        try (MountedConsole console = mounted(Viewer.operator("ann"))) {
            assertThat(console.get("/pauses").body()).contains("aria-label=\"Reason to resume type:book\"");
            for (String reason : List.of("", "&reason=+", "&reason=two%0Alines", "&reason=" + "x".repeat(301))) {
                assertThat(sent(console, "/pauses", "do=resume&scope=type:book" + reason)
                                .body())
                        .as(reason)
                        .containsAnyOf("A reason is required", "The reason contains", "The reason is longer");
                assertThat(fixture.scheduler.pauses()).as(reason).hasSize(1);
            }
            Visitor ann = new Visitor(console).open("/pauses");
            ann.send(ann.form("Reason to resume type:book").with("reason", "CR-6"));
            assertThat(fixture.scheduler.pauses()).isEmpty();
        }
    }

    @Test
    @DisplayName(
            "console: a viewer who may change everything but sees one application cannot pause a kind or edit a calendar")
    void changesWhatItSees() {
        try (MountedConsole console = mounted(new Viewer("lea", ledger, ledger, ledger, Applications.ALL))) {
            assertThat(sent(console, "/pauses", "do=pause&scope=everything&reason=x")
                            .statusCode())
                    .isEqualTo(403);
            assertThat(sent(console, "/calendars", "name=a&do=preview&definition=%7B%7D")
                            .statusCode())
                    .isEqualTo(403);
            assertThat(console.get("/pauses").body()).doesNotContain("Pause a kind of jobs");
            assertThat(fixture.scheduler.pauses()).isEmpty();
        }
    }

    @Test
    @DisplayName("console: the identifier of a command is hidden in the rows of its changes as on the page of the job")
    void identifierInChanges() {
        JobSpecification job =
                fixture.scheduler.findJobById("job-of-payments").orElseThrow().specification();
        fixture.scheduler.updateJob(
                job.toBuilder().triggerIdentifier("BE99-new").priority(2).build());
        try (MountedConsole console = mounted(new Viewer("lea", Applications.ALL, ledger, ledger, Applications.NONE))) {
            assertThat(console.get("/job?key=job-of-payments").body())
                    .contains("triggerIdentifier", "priority: 4 -&gt; 2")
                    .doesNotContain("BE99-new", "id-of-payments");
        }
        try (MountedConsole console = mounted(Viewer.operator("ann"))) {
            assertThat(console.get("/job?key=job-of-payments").body()).contains("id-of-payments", "BE99-new");
        }
    }

    @Test
    @DisplayName(
            "console: a job whose key is 256 characters of another script is paused from its page, and led back to")
    void longKey() {
        String key = "\u65e5".repeat(256);
        fixture.scheduler.scheduleJob(job(key, "ledger").build());
        try (MountedConsole console = mounted(Viewer.operator("ann"))) {
            String back = "/job?key=" + encoded(key);
            assertThat(new Visitor(console).acts(key, "PAUSE", "CR-3").body())
                    .contains("class=\"button\" href=\"" + MountedConsole.PATH + back + "\"");
            assertThat(fixture.scheduler.findJobById(key).orElseThrow().pause()).isNotNull();
        }
    }

    @Test
    @DisplayName(
            "console: a lease is released from the page of its job, after a dry run; without one it is not offered")
    void release() {
        StoredJob job = fixture.store().find("job-of-ledger", FindScope.LIVE).orElseThrow();
        Instant now = Instant.now();
        try (MountedConsole console = mounted(Viewer.operator("ann"))) {
            assertThat(console.get("/job?key=job-of-ledger").body()).doesNotContain("value=\"RELEASE\"");
            Visitor ann = new Visitor(console);
            assertThat(ann.previews("job-of-ledger", "RELEASE").body()).contains("unchanged", "is not claimed");
            Lease lease = new Lease("n1", 7, now.plusSeconds(60));
            fixture.store()
                    .claim(new ClaimRequest(List.of(job.id()), now.plusSeconds(7_200), lease, now.plusSeconds(62)));
            assertThat(console.get("/job?key=job-of-ledger").body()).contains("value=\"RELEASE\"");
            assertThat(ann.previews("job-of-ledger", "RELEASE").body()).contains("will change", "released");
            assertThat(leased()).isTrue();
            assertThat(ann.send(ann.confirmation("CR-4")).body()).contains("released");
            assertThat(leased()).isFalse();
        }
    }

    private boolean leased() {
        return fixture.store()
                        .find("job-of-ledger", FindScope.LIVE)
                        .orElseThrow()
                        .lease()
                != null;
    }

    @Test
    @DisplayName(
            "console: findings about blocked jobs are shown without messages of exceptions to those who may not see these")
    void errorsInFindings() {
        InvariantReport report = new InvariantReport(
                List.of(new Finding(
                        Finding.Kind.BLOCKED,
                        "job-of-ledger",
                        "job 'job-of-ledger' is blocked and does not run: its command cannot be read: secret-4711",
                        "change what the reason names")),
                List.of(),
                2,
                List.of());
        for (boolean errors : List.of(true, false)) {
            Viewer viewer = new Viewer(
                    "lea", Applications.ALL, Applications.ALL, errors ? Applications.ALL : ledger, Applications.NONE);
            try (MountedConsole console = MountedConsole.of(fixture.console()
                    .doctor(() -> report)
                    .access(request -> Optional.of(viewer))
                    .build())) {
                for (String path : List.of("/doctor", "/api/doctor")) {
                    await().atMost(Browser.PATIENCE)
                            .until(() -> console.get(path).body().contains("ALM-042"));
                    assertThat(console.get(path).body().contains("secret-4711"))
                            .as(path)
                            .isEqualTo(errors);
                }
            }
        }
    }

    @Test
    @DisplayName(
            "console: a job that no node can run tells the types of all applications only to those who see them all")
    void typesOfNodes() {
        nodeReports();
        for (String path : List.of("/job?key=job-of-ledger", "/api/job/explanation?key=job-of-ledger")) {
            try (MountedConsole console = mounted(Viewer.reader("ann"))) {
                assertThat(console.get(path).body()).contains("none has the command type", "type-4713");
            }
            try (MountedConsole console = mounted(new Viewer("lea", ledger, ledger, ledger, ledger))) {
                assertThat(console.get(path).body())
                        .contains("none has the command type")
                        .doesNotContain("type-4713");
            }
        }
    }
}
