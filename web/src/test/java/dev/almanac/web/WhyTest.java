package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.Finding;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.InvariantReport;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.Rate;
import dev.almanac.store.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Every list says of each row why, in few words, and counts equal reasons. */
class WhyTest {
    private final ConsoleFixture fixture = new ConsoleFixture();
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    @AfterEach
    void close() {
        fixture.close();
    }

    private static String text(String page) {
        return page.replaceAll("<[^>]*>", " ").replaceAll("\\s+", " ");
    }

    private MountedConsole mount(Viewer viewer) {
        return fixture.mount(fixture.console().access(request -> Optional.of(viewer)));
    }

    private void job(String key, String type, String tag) {
        fixture.scheduler.scheduleJob(JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("treasury")
                .applicationTag("ledger")
                .tags(tag)
                .triggerCommand(new EncodedCommand(type, 1, Map.of()))
                .triggerIdentifier(key)
                .singleSchedule(now.plusSeconds(3_000))
                .build());
    }

    private void fill() {
        NodeReport node =
                new NodeReport("n1", "node-1", now, now.plusSeconds(600), "2026a", Duration.ZERO, Set.of("pay"), 0);
        fixture.store().cluster().report(node, now.minusSeconds(60));
        IntStream.range(0, 30).forEach(i -> job("orphan-" + i, "orphan-type", "day"));
        IntStream.range(0, 3).forEach(i -> job("night-" + i, "pay", "night"));
        job("ready", "pay", "day");
        job("later", "pay", "day");
        fixture.scheduler.pause(PauseScope.tag("night"), new Pause("CR-17", "ann", null));
        fixture.scheduler.apply(JobAction.pause(new Pause("CR-18", "bob", null)), JobSelection.keys("later"), false);
        fixture.client()
                .getDatabase(fixture.database())
                .getCollection("jobSpecification")
                .updateMany(
                        Filters.ne("jobSpecificationKey", "later"),
                        Updates.set("due", Date.from(now.minusSeconds(60))));
    }

    @Test
    @DisplayName("40: overdue jobs are counted by reason, also those that are not listed, with a link to what mends it")
    void overdue() {
        fill();
        String page = mount(Viewer.reader("ann")).get("/").body();
        assertThat(text(page))
                .contains("30 overdue : no live node has the type orphan-type see the types of the nodes")
                .contains("3 overdue : paused with tag:night by ann: CR-17 see the pauses")
                .doesNotContain("no pause; see the page of the job");
        assertThat(page)
                .contains("href=\"/ops/almanac/nodes\">see the types", "href=\"/ops/almanac/pauses\">see the pauses");
    }

    @Test
    @DisplayName(
            "40: who sees only some applications sees the reasons of the rows that are shown, and no count of others")
    void partly() {
        fill();
        Applications ledger = Applications.of("ledger");
        Viewer clerk = new Viewer("ann", ledger, ledger, ledger, Applications.NONE);
        assertThat(text(mount(clerk).get("/").body())).doesNotContain("30 overdue : no live node");
        Applications other = Applications.of("other");
        Viewer stranger = new Viewer("ann", other, other, other, Applications.NONE);
        assertThat(mount(stranger).get("/").body()).doesNotContain("orphan-type");
    }

    @Test
    @DisplayName("40: the list of jobs says of each row why, and counts the reasons that several have")
    void jobs() {
        fill();
        MountedConsole mounted = mount(Viewer.reader("ann"));
        assertThat(text(mounted.get("/jobs").body()))
                .contains("30 on this page : no live node has the type orphan-type")
                .contains("3 on this page : paused with tag:night by ann: CR-17")
                .contains("paused by bob: CR-18", "is due; the nodes have not claimed it yet")
                .doesNotContain("1 on this page");
        assertThat(text(mounted.get("/jobs?sort=jobs.why").body()))
                .containsSubsequence("Key State", "ready", "orphan-0", "later", "night-0");
    }

    @Test
    @DisplayName(
            "40: a due job waits for its group only if all slots of the group are held; a rate may hold it back, too")
    void groups() {
        for (String key : List.of("held-1", "held-2", "free-1", "rated-1", "wide-1", "wide-2")) {
            String group = key.substring(0, key.indexOf('-'));
            fixture.scheduler.scheduleJob(JobSpecification.builder()
                    .jobSpecificationKey(key)
                    .jobRequestor("treasury")
                    .exclusiveGroup(group)
                    .triggerCommand(new EncodedCommand("pay", 1, Map.of()))
                    .triggerIdentifier(key)
                    .singleSchedule(now.plusSeconds(3_000))
                    .build());
        }
        fixture.scheduler.groups().put("wide", new GroupLimits(2, null));
        fixture.scheduler.groups().put("rated", new GroupLimits(1, Rate.parse("10/s")));
        fill();
        var jobs = fixture.client().getDatabase(fixture.database()).getCollection("jobSpecification");
        for (String key : List.of("held-1", "wide-1")) {
            jobs.updateOne(
                    Filters.eq("jobSpecificationKey", key),
                    Updates.combine(
                            Updates.set("runningGroup", key.substring(0, key.indexOf('-'))),
                            Updates.set(
                                    "lease",
                                    new Document("owner", "n1")
                                            .append("token", 7L)
                                            .append("until", Date.from(now.plusSeconds(600))))));
        }
        String page = text(mount(Viewer.reader("ann")).get("/jobs").body());
        assertThat(page)
                .contains("waits for its group held", "may wait for its group rated")
                .doesNotContain("waits for its group free", "wait for its group wide");
    }

    @Test
    @DisplayName("40: equal findings of the doctor are one card with their number, and lead to what mends them")
    void doctor() {
        List<Finding> findings = Stream.concat(
                        IntStream.range(0, 29)
                                .mapToObj(i -> new Finding(
                                        Finding.Kind.OVERDUE,
                                        "job-" + i,
                                        "job 'job-" + i + "' is due",
                                        "find out why")),
                        Stream.of(new Finding(Finding.Kind.UNSERVED, "orphan", "3 live jobs", "start a node")))
                .toList();
        Finding pause = new Finding(Finding.Kind.PAUSED, "tag:night", "jobs with tag night are paused", "resume");
        MountedConsole mounted = fixture.mount(fixture.console()
                .doctor(() -> new InvariantReport(findings, List.of(pause), 40, List.of()))
                .access(request -> Optional.of(Viewer.reader("ann"))));
        await().atMost(Browser.PATIENCE)
                .until(() -> !mounted.get("/doctor").body().contains("in progress"));
        String page = mounted.get("/doctor").body();
        assertThat(page.split("class=\"finding\"", -1)).hasSize(1 + 3);
        assertThat(text(page)).contains("31 findings", "ALM-030 29", "and 19 more");
        assertThat(page)
                .contains("href=\"/ops/almanac/job?key=job-0\"", "href=\"/ops/almanac/#overdue\"")
                .contains("href=\"/ops/almanac/jobs?type=orphan\"", "href=\"/ops/almanac/pauses\"");
    }

    @Test
    @DisplayName("40: of a lease that is over the list says why no node takes the job over, if none can")
    void notRecovered() {
        fill();
        fixture.client()
                .getDatabase(fixture.database())
                .getCollection("jobSpecification")
                .updateMany(
                        Filters.in("jobSpecificationKey", "night-0", "orphan-0", "ready"),
                        Updates.set(
                                "lease",
                                new Document("owner", "gone")
                                        .append("token", 1L)
                                        .append("until", Date.from(now.minusSeconds(62)))));
        assertThat(text(mount(Viewer.reader("ann"))
                        .get("/jobs?state=RECOVERING")
                        .body()))
                .contains("no live node has the type orphan-type", "paused with tag:night by ann: CR-17")
                .containsOnlyOnce("another one claims it");
    }
}
