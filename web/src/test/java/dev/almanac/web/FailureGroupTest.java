package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.Scheduler;
import dev.almanac.model.JobSpecification;
import java.net.http.HttpResponse;
import java.time.Instant;
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
