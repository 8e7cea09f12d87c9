package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.Scheduler;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** More failures than one page lists. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FailuresTest {
    private static final Pattern JOB = Pattern.compile("name=\"job\" value=\"([^\"]*)\"");
    private static final Pattern FURTHER =
            Pattern.compile("href=\"[^\"]*/ops/almanac(/failures[^\"]*(?:jobs|until)=[^\"]*)\"");

    private final ConsoleFixture fixture = new ConsoleFixture();
    private final ControlledHelper helper = new ControlledHelper();
    private MountedConsole mounted;

    @BeforeAll
    void start() {
        Scheduler scheduler =
                fixture.scheduler(ControlledHelper.types(Scheduler.builder()).helper(helper));
        assertThat(scheduler.scheduleJobs(IntStream.range(0, 150)
                        .mapToObj(i -> JobSpecification.builder()
                                .jobSpecificationKey("refused-" + i)
                                .jobRequestor("treasury")
                                .triggerCommand(new ControlledHelper.Payment("fails", "BE71", i))
                                .triggerIdentifier("id-" + i)
                                .singleSchedule(Instant.now())
                                .build())
                        .toList()))
                .allMatch(result -> result.error() == null);
        scheduler.start();
        await().atMost(Browser.PATIENCE)
                .until(() -> rows().countDocuments(Filters.eq("executionStatus", "FAILED")) == 150);
        mounted = fixture.mount(
                fixture.console().allowChanges(true).access(request -> Optional.of(Viewer.operator("ann"))));
    }

    @AfterAll
    void stop() {
        helper.end();
        fixture.close();
    }

    private static List<String> found(Pattern pattern, String page) {
        return pattern.matcher(page).results().map(match -> match.group(1)).toList();
    }

    private String further(String page) {
        List<String> links = found(FURTHER, page);
        assertThat(links).hasSize(1);
        return mounted.get(links.get(0).replace("&amp;", "&")).body();
    }

    @Test
    @DisplayName("20: the failures of all types are those of the same time as those of one")
    void allTypes() {
        String until = Instant.now().plusSeconds(60).toString();
        assertThat(mounted.get("/failures?since=7d&type=payment&until=" + until).body())
                .containsPattern("/failures\\?since=7d&amp;until=" + until + "\">all types");
        assertThat(mounted.get("/failures?since=7d&type=payment").body())
                .containsPattern("/failures\\?since=7d\">all types");
    }

    @Test
    @DisplayName(
            "20: every failed job of a group can be selected, a hundred on each page; what is older has a page, too")
    void all() {
        String first = mounted.get("/failures?since=7d").body();
        assertThat(found(JOB, first)).hasSize(100);
        assertThat(first).contains("50 more jobs of this group").doesNotContain("older failures");
        String second = further(first);
        TreeSet<String> jobs = new TreeSet<>(found(JOB, first));
        jobs.addAll(found(JOB, second));
        assertThat(jobs).hasSize(150);
        assertThat(found(FURTHER, second)).isEmpty();
        addOlder(1_000);
        String full = mounted.get("/failures?since=7d").body();
        String older = found(FURTHER, full).stream()
                .filter(link -> link.contains("until="))
                .findFirst()
                .orElseThrow();
        assertThat(mounted.get(older.replace("&amp;", "&")).body())
                .contains("151 times")
                .doesNotContain("older failures");
        assertThat(mounted.get("/failures?jobs=-1").statusCode()).isEqualTo(400);
    }

    @Test
    @DisplayName(
            "S19 S7: the page says what is open, and offers to acknowledge it; the page of a job shows what its run has logged")
    void open() {
        assertThat(mounted.get("/failures?since=1h").body()).contains("150 open", "value=\"ACKNOWLEDGE\"");
        assertThat(mounted.get("/job?key=refused-0").body()).contains("value=\"ACKNOWLEDGE\"");
        fixture.scheduler(Scheduler.builder()).apply(JobAction.acknowledge(), JobSelection.keys("refused-0"));
        assertThat(mounted.get("/failures?since=1h").body()).contains("149 open");
        assertThat(mounted.get("/job?key=refused-0").body())
                .contains("its failure is acknowledged")
                .doesNotContain("value=\"ACKNOWLEDGE\"");
        rows().updateOne(
                        Filters.and(
                                Filters.eq("jobSpecificationKey", "refused-1"),
                                Filters.eq("executionStatus", "FAILED")),
                        Updates.set(
                                "log",
                                List.of(new Document("at", new Date()).append("text", "asked <the> bank\u202e"))));
        assertThat(mounted.get("/job?key=refused-1").body()).contains("log, 1 line", "asked &lt;the&gt; bank[U+202E]");
        fixture.scheduler(Scheduler.builder()).apply(JobAction.acknowledge(), JobSelection.keys("refused-1"));
    }

    @Test
    @DisplayName("console: failures of one type are shown alone; the links of the page keep the type")
    void ofType() {
        assertThat(mounted.get("/failures?since=1h&type=payment").body())
                .contains("150 open", "since=24h&amp;type=payment\"", "50 more jobs of this group")
                .containsPattern("href=\"[^\"]*type=payment&amp;jobs=100\"");
        assertThat(mounted.get("/failures?since=1h&type=report").body())
                .contains("Nothing has failed for good in this time")
                .doesNotContain("refused-");
    }

    @Test
    @DisplayName("console: the navigation names the page of metrics only if there are some")
    void metrics() {
        assertThat(mounted.get("/").body()).contains("/doctor\"").doesNotContain("/metrics\"");
        try (MountedConsole other = MountedConsole.of(fixture.console()
                .metrics(() -> "a_total 1.0\n")
                .access(request -> Optional.of(Viewer.reader("ann")))
                .build())) {
            assertThat(other.get("/").body()).contains("/metrics\"");
        }
    }

    private MongoCollection<Document> rows() {
        return fixture.client().getDatabase(fixture.database()).getCollection("jobExecutionStatus");
    }

    private void addOlder(int count) {
        Document row = rows().find(Filters.eq("executionStatus", "FAILED")).first();
        Instant time = row.getDate("updatedTime").toInstant().minusSeconds(60);
        rows().insertMany(IntStream.range(0, count)
                .mapToObj(i -> new Document(row)
                        .append("_id", row.get("_id") + "-" + i)
                        .append("updatedTime", Date.from(time.minusMillis(i))))
                .toList());
    }
}
