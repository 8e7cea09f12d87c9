package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.Scheduler;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.JobSpecification;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Actions on all jobs of a group of failures, more than a page lists. */
class FailureGroupTest {
    private final ConsoleFixture fixture = new ConsoleFixture();
    private final ControlledHelper helper = new ControlledHelper();
    private MountedConsole mounted;

    @BeforeEach
    void start() {
        Scheduler scheduler =
                fixture.scheduler(ControlledHelper.types(Scheduler.builder()).helper(helper));
        scheduler.scheduleJobs(IntStream.range(0, 112)
                .mapToObj(i -> JobSpecification.builder()
                        .jobSpecificationKey("failed-" + i)
                        .jobRequestor("treasury")
                        .triggerCommand(new ControlledHelper.Payment(i < 110 ? "fails" : "refuses", "BE71", i))
                        .triggerIdentifier("id-" + i)
                        .singleSchedule(Instant.now())
                        .build())
                .toList());
        scheduler.start();
        await().atMost(Browser.PATIENCE)
                .until(() -> scheduler.failures(null, null).size() == 112);
        mounted = fixture.mount(
                fixture.console().allowChanges(true).access(request -> Optional.of(Viewer.operator("ann"))));
    }

    @AfterEach
    void stop() {
        helper.end();
        fixture.close();
    }

    @Test
    @DisplayName("S19: all failures of a group are acknowledged at once, also those beyond its page, and no others")
    void wholeGroup() {
        Visitor visitor = new Visitor(mounted).open("/failures?since=1h");
        assertThat(visitor.body()).contains("110 open", "2 open");
        visitor.send(visitor.form("name=\"all\"").with("do", "ACKNOWLEDGE"));
        assertThat(visitor.body())
                .contains("Nothing has been done yet", "110 jobs match", "IllegalStateException")
                .doesNotContain("failed-110", "failed-111");
        HttpResponse<String> answer = visitor.answer(visitor.confirmation("CR-1"));
        String result = answer.headers().firstValue("Location").orElseThrow().substring(MountedConsole.PATH.length());
        await().atMost(Browser.PATIENCE).until(() -> visitor.open(result).body().contains("110 of 110"));
        assertThat(visitor.open("/failures?since=1h").body())
                .contains("none open", "2 open")
                .doesNotContain("110 open");
    }

    @Test
    @DisplayName(
            "S19: a failure belongs to the type that has failed, also while its failure command is to be delivered")
    void owing() {
        MongoCollection<Document> jobs =
                fixture.client().getDatabase(fixture.database()).getCollection("jobSpecification");
        Bson key = Filters.eq("jobSpecificationKey", "failed-111");
        Document sorry = new Document(jobs.find(key).first().get("triggerCommand", Document.class));
        jobs.updateOne(
                key,
                Updates.combine(
                        Updates.set("phase", "FAILURE"),
                        Updates.set("failureCommand", sorry.append("type", "apology")),
                        Updates.set("failureIdentifier", "id-111")));
        assertThat(new Visitor(mounted).open("/failures?since=1h&type=payment").body())
                .contains("failed-110", "failed-111", "2 open");
        assertThat(new Visitor(mounted).open("/failures?since=1h").body()).doesNotContain("apology");
    }

    @Test
    @DisplayName(
            "console: failures of a type, and those that a viewer may see, are found behind a thousand newer ones of others")
    void behindOthers() {
        // a page stops looking after a second of its clock
        MountedConsole all =
                fixture.mount(fixture.console().nanos(() -> 0).access(request -> Optional.of(Viewer.operator("ann"))));
        fixture.scheduler.scheduleJob(JobSpecification.builder()
                .jobSpecificationKey("noisy")
                .jobRequestor("treasury")
                .applicationTag("others")
                .triggerCommand(new EncodedCommand("book", 1, Map.of()))
                .triggerIdentifier("id")
                .singleSchedule(Instant.now().plusSeconds(36_000))
                .build());
        MongoDatabase database = fixture.client().getDatabase(fixture.database());
        Document noisy = database.getCollection("jobSpecification")
                .find(Filters.eq("jobSpecificationKey", "noisy"))
                .first();
        MongoCollection<Document> rows = database.getCollection("jobExecutionStatus");
        Document row = rows.find(Filters.eq("executionStatus", "FAILED")).first();
        Instant now = Instant.now();
        rows.insertMany(IntStream.range(0, 1_000)
                .mapToObj(i -> new Document(row)
                        .append("_id", "noisy-" + i)
                        .append("jobSpecificationId", noisy.get("_id"))
                        .append("jobSpecificationKey", "noisy")
                        .append("updatedTime", Date.from(now.minusMillis(i % 10))))
                .toList());
        assertThat(all.get("/api/failures?open=true&limit=1000").body())
                .contains("\"failed-0\"", "\"failed-111\"")
                .doesNotContain("noisy");
        assertThat(all.get("/failures?since=1h&type=payment").body())
                .contains("110 open", "2 open")
                .doesNotContain("Nothing has failed for good");
        assertThat(all.get("/failures?since=1h&type=none").body()).contains("Nothing has failed for good");
        database.getCollection("jobSpecification")
                .updateMany(Filters.regex("jobSpecificationKey", "failed-"), Updates.set("applicationTag", "ledger"));
        Applications ledger = Applications.of("ledger");
        MountedConsole some = fixture.mount(fixture.console()
                .nanos(() -> 0)
                .access(request -> Optional.of(new Viewer("lea", ledger, ledger, ledger, Applications.NONE))));
        assertThat(some.get("/failures?since=1h").body())
                .contains("110 open", "2 open")
                .doesNotContain("noisy", "Nothing has failed for good");
        for (String path : List.of("/api/failures?limit=1000", "/api/failures?open=true&limit=1000")) {
            assertThat(some.get(path).body())
                    .as(path)
                    .contains("\"failed-0\"", "\"failed-111\"")
                    .doesNotContain("noisy", "\"until\"");
        }
    }

    @Test
    @DisplayName(
            "console: if only a part of the failures was read, the page says so, and claims not that there are none")
    void notAllRead() {
        MongoCollection<Document> rows =
                fixture.client().getDatabase(fixture.database()).getCollection("jobExecutionStatus");
        Document row = rows.find(Filters.eq("executionStatus", "FAILED")).first();
        Instant now = Instant.now();
        rows.insertMany(IntStream.range(0, 11_000)
                .mapToObj(i -> new Document(row)
                        .append("_id", "many-" + i)
                        .append("updatedTime", Date.from(now.minusMillis(i))))
                .toList());
        assertThat(mounted.get("/failures?since=1h&type=none").body())
                .contains("None is among the newest", "older failures")
                .doesNotContain("Nothing has failed for good");
        Applications ledger = Applications.of("ledger");
        MountedConsole some = fixture.mount(fixture.console()
                .access(request -> Optional.of(new Viewer("lea", ledger, ledger, ledger, Applications.NONE))));
        assertThat(some.get("/api/failures").body()).contains("\"more\":true", "\"until\":\"");
    }

    @Test
    @DisplayName(
            "S19: if one of a group has failed again since the preview, no failure is closed or run again; a pause does not mind")
    void failedSince() {
        changedSince(Updates.inc("failuresInARow", 1));
    }

    @Test
    @DisplayName(
            "S19: of a group those that have failed again behind a good run since the preview stay open, and no others")
    void asManySince() {
        for (String seen : List.of("", "9999-01-01T00:00:00Z")) {
            Visitor visitor = new Visitor(mounted).open("/failures?since=1h");
            visitor.send(visitor.form("name=\"all\"").with("do", "ACKNOWLEDGE"));
            Date later = Date.from(Instant.now().plusSeconds(3_600));
            changed(Updates.set("lastStatus.updatedTime", later));
            MongoCollection<Document> rows =
                    fixture.client().getDatabase(fixture.database()).getCollection("jobExecutionStatus");
            Document row = rows.find(Filters.and(
                            Filters.eq("jobSpecificationKey", "failed-3"), Filters.eq("executionStatus", "FAILED")))
                    .first();
            rows.insertOne(new Document(row).append("_id", "again" + seen).append("updatedTime", later));
            Visitor.Form confirmation = visitor.confirmation("CR-1");
            confirmed(visitor, seen.isEmpty() ? confirmation : confirmation.with("seen", seen));
            assertThat(visitor.body())
                    .as(seen)
                    .contains("failed-3<", "has failed again")
                    .doesNotContain("failed-4<");
            assertThat(visitor.open("/failures?since=1h").body()).as(seen).contains("1 open");
        }
    }

    @Test
    @DisplayName(
            "S19: a job that has failed again since is named in the group of the earlier failure, and no action is for it")
    void failedOtherwiseSince() {
        MongoCollection<Document> rows =
                fixture.client().getDatabase(fixture.database()).getCollection("jobExecutionStatus");
        Date earlier = Date.from(Instant.now().minusSeconds(600));
        for (Document row : rows.find(Filters.eq("executionStatus", "FAILED")).into(new ArrayList<>())) {
            rows.insertOne(new Document(row)
                    .append("_id", row.get("_id") + "-earlier")
                    .append("updatedTime", earlier)
                    .append("error", new Document("type", "other.Failure")));
        }
        for (String span : List.of("since=1h", "since=1h&until=5m")) {
            Visitor visitor = new Visitor(mounted).open("/failures?" + span);
            String page = visitor.body();
            String group = page.substring(page.indexOf("<bdi>Failure</bdi>"));
            assertThat(group.substring(0, group.indexOf("</section>")))
                    .as(span)
                    .contains("none open", "failed again since")
                    .doesNotContain("Select failed-");
            String filter = "error=other.Failure&type=payment&since=1h&until=" + (span.endsWith("5m") ? "5m" : "0s");
            visitor.open("/failures?since=1h");
            visitor.send(visitor.form("name=\"all\"").with("do", "ACKNOWLEDGE").with("filter", filter));
            assertThat(visitor.body()).as(span).contains("0 jobs match").doesNotContain("name=\"confirmed\"");
        }
        assertThat(new Visitor(mounted).open("/failures?since=1h").body())
                .contains("110 open", "Select failed-110", "Select failed-111");
    }

    /** @param change makes a job of the group what it is behind another failure */
    private void changedSince(Bson change) {
        for (String action : List.of("ACKNOWLEDGE", "RERUN_FAILED", "PAUSE")) {
            Visitor visitor = new Visitor(mounted).open("/failures?since=1h");
            visitor.send(visitor.form("name=\"all\"").with("do", action));
            changed(change);
            confirmed(visitor, visitor.confirmation("CR-1"));
            assertThat(visitor.body().contains("Nothing was done")).as(action).isEqualTo(!action.equals("PAUSE"));
            assertThat(visitor.open("/failures?since=1h").body()).contains("110 open");
        }
    }

    private void changed(Bson change) {
        fixture.client()
                .getDatabase(fixture.database())
                .getCollection("jobSpecification")
                .updateOne(Filters.eq("jobSpecificationKey", "failed-3"), change);
    }

    /** Until the action has ended. */
    private static void confirmed(Visitor visitor, Visitor.Form form) {
        HttpResponse<String> answer = visitor.answer(form);
        String result = answer.headers().firstValue("Location").orElseThrow().substring(MountedConsole.PATH.length());
        await().atMost(Browser.PATIENCE)
                .until(() -> !visitor.open(result).body().contains("In progress"));
    }

    @Test
    @DisplayName(
            "S19: a form that names a group of which nothing has failed acts on nothing; one that names half of it is refused")
    void otherGroups() {
        Visitor visitor = new Visitor(mounted).open("/failures?since=1h");
        Visitor.Form all = visitor.form("name=\"all\"").with("do", "ACKNOWLEDGE");
        visitor.send(all.with("filter", "error=none&type=payment&since=1h&until=0s"));
        assertThat(visitor.body()).contains("0 jobs match").doesNotContain("name=\"confirmed\"");
        visitor.send(all.with("filter", "error=none&since=1h"));
        assertThat(visitor.status()).isEqualTo(400);
    }
}
