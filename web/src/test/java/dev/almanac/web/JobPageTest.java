package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobExecutionStatusBuilder;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Outcome;
import dev.almanac.model.Progress;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.JobChange;
import dev.almanac.store.Lease;
import dev.almanac.store.NodeReport;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CalendarPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** The page of a job: what it does, its run, its history, and the fires to come. */
class JobPageTest {
    private static final Pattern WRITTEN = Pattern.compile("<th scope=\"row\"><time datetime=\"([^\"]*)\"");
    private static final Pattern OLDER = Pattern.compile("rel=\"next\" href=\"[^\"]*/ops/almanac([^\"]*)\"");

    private final ConsoleFixture fixture = new ConsoleFixture();
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    private MountedConsole mounted;

    @BeforeEach
    void mount() {
        mounted = fixture.mount(fixture.console().access(request -> Optional.of(Viewer.operator("ann"))));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static JobSpecificationBuilder job(String key) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("treasury")
                .triggerCommand(new EncodedCommand("pay", 1, Map.of("account", "BE71")))
                .triggerIdentifier("the desk");
    }

    private StoredJob daily(String key) {
        fixture.scheduler.scheduleJob(job(key).schedulingSpecification("0 30 15 * * ?")
                .zoneId("Europe/Brussels")
                .build());
        // the row of its creation is written behind it
        await().atMost(Browser.PATIENCE)
                .until(() -> !fixture.store().rows(RowQuery.ofKey(key, 1)).isEmpty());
        return stored(key);
    }

    private StoredJob stored(String key) {
        return fixture.store().find(key, FindScope.LIVE).orElseThrow();
    }

    /** Rows of that job, the first of them a second before now, each a second older. */
    private void rows(StoredJob job, int count, Row edit) {
        List<JobExecutionStatus> rows = IntStream.range(0, count)
                .mapToObj(i -> {
                    Instant at = now.minusSeconds(1 + i);
                    JobExecutionStatusBuilder row = JobExecutionStatus.builder()
                            .id(job.id() + ":r" + i)
                            .jobSpecificationId(job.id())
                            .jobSpecificationKey(job.key())
                            .executionStatus(ExecutionStatus.SCHEDULED)
                            .outcome(Outcome.SUCCEEDED)
                            .updatedTime(at)
                            .startedTime(at.minusMillis(500))
                            .attempt(1);
                    edit.of(i, row);
                    return row.build();
                })
                .toList();
        StoredJob before = stored(job.key());
        fixture.store().write(List.of(new JobChange(before, before.with(values -> {}), rows, JobChange.By.REQUEST)));
    }

    private interface Row {
        void of(int place, JobExecutionStatusBuilder row);
    }

    private static List<String> written(String page) {
        return WRITTEN.matcher(page.substring(page.indexOf("rows-title")))
                .results()
                .map(row -> row.group(1))
                .toList();
    }

    /** Each page from this one on. */
    private List<String> pages(String path) {
        List<String> pages = new ArrayList<>();
        String next = path;
        while (next != null) {
            String page = mounted.get(next).body();
            pages.add(page);
            Matcher older = OLDER.matcher(page);
            next = older.find() ? older.group(1).replace("&amp;", "&").replaceAll("#.*", "") : null;
        }
        return pages;
    }

    @Test
    @DisplayName("40: the history of a job goes on in pages to its oldest row, and no row is on two of them")
    void history() {
        rows(daily("often"), 230, (i, row) -> {});
        List<String> pages = pages("/job?key=often");
        List<String> all =
                pages.stream().flatMap(page -> written(page).stream()).toList();
        assertThat(pages).hasSize(5);
        assertThat(all).hasSize(231).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("40: rows of one moment, of several lives of a key, stay on one page")
    void oneMoment() {
        StoredJob job = daily("often");
        // the 49th to the 53rd are of one moment, where the first page would end
        rows(job, 60, (i, row) -> row.updatedTime(i >= 48 && i <= 52 ? now.minusSeconds(49) : now.minusSeconds(1 + i)));
        List<String> pages = pages("/job?key=often");
        assertThat(pages.stream().mapToInt(page -> written(page).size())).containsExactly(54, 7);
    }

    @Test
    @DisplayName(
            "40: the history is filtered by outcome; a page that ends before it is full says how far it has looked")
    void filtered() {
        rows(daily("often"), 2_300, (i, row) -> {
            if (i == 3 || i == 700 || i == 2_250) {
                row.outcome(Outcome.MISSED).startedTime(null);
            }
        });
        List<String> pages = pages("/job?key=often&outcome=MISSED");
        assertThat(pages).hasSize(2);
        assertThat(written(pages.get(0))).hasSize(2);
        assertThat(pages.get(0)).contains("2 so far", "Continue", "<option value=\"MISSED\" selected>");
        assertThat(written(pages.get(1))).hasSize(1);
        assertThat(pages.get(1)).doesNotContain("so far");
        assertThat(mounted.get("/job?key=often&outcome=CRASHED").body()).contains("None in the");
        assertThat(mounted.get("/job?key=often&outcome=NEVER").statusCode()).isEqualTo(400);
    }

    @Test
    @DisplayName("40: durations of good runs with p50 and p95; what failed is not among them")
    void durations() {
        rows(
                daily("often"),
                101,
                (i, row) -> row.updatedTime(now.minusSeconds(1 + i))
                        .startedTime(now.minusSeconds(1 + i).minusMillis(i == 100 ? 900_000 : 10 * (i + 1)))
                        .outcome(i == 100 ? Outcome.ATTEMPT_FAILED : Outcome.SUCCEEDED));
        assertThat(mounted.get("/job?key=often")
                        .body()
                        .replaceAll("<[^>]*>", " ")
                        .replaceAll("\\s+", " "))
                .contains("Took, p50 500 ms", "Took, p95 950 ms", "Took, maximum 1.0 s", "Good runs 100");
    }

    @Test
    @DisplayName("40: the first run of a job is shown while it runs, with its progress")
    void firstRun() {
        StoredJob job = daily("first");
        claim(job, now.minusSeconds(20));
        progress("first", new Progress(30, 120, "reading", now));
        String page = mounted.get("/job?key=first").body();
        assertThat(page)
                .contains("The run in progress", "value=\"30\" max=\"120\"", "30 of 120: reading")
                .contains("nothing is known of its end", "<g class=\"run open\">")
                .doesNotContain("contain no run", "has not run yet");
    }

    @Test
    @DisplayName("40: the end of a run is expected by the good runs before it")
    void expectedEnd() {
        StoredJob job = daily("often");
        rows(
                job,
                20,
                (i, row) -> row.updatedTime(now.minusSeconds(4_000 + i)).startedTime(now.minusSeconds(4_060 + i)));
        claim(job, now.minusSeconds(20));
        Instant begun = job.lastStatus().updatedTime();
        assertThat(mounted.get("/job?key=often").body())
                .contains("Expected to end <time datetime=\"" + begun.plusSeconds(60) + "\"")
                .contains("half took 60 s or less");
        StoredJob slow = daily("slow");
        rows(
                slow,
                20,
                (i, row) -> row.updatedTime(now.minusSeconds(4_000 + i)).startedTime(now.minusSeconds(4_000 + i)));
        assertThat(mounted.get("/job?key=slow").body()).doesNotContain("The run in progress");
        claim(slow, now.minusSeconds(20));
        assertThat(mounted.get("/job?key=slow").body())
                .contains("longer than 95 of 100 of its 20 good runs did: 0 ms")
                .doesNotContain("Expected to end");
    }

    private void claim(StoredJob job, Instant due) {
        plan(job.key(), due);
        Lease lease = new Lease("n-4711-id", 7, Instant.now().plusSeconds(500));
        ClaimRequest request = new ClaimRequest(
                List.of(job.id()), now.plusSeconds(7_200), lease, lease.until().plusSeconds(2));
        assertThat(fixture.store().claim(request).jobs()).hasSize(1);
    }

    private void plan(String key, Instant due) {
        StoredJob job = stored(key);
        write(
                job,
                job.with(values ->
                        values.plan(job.plan().moveTo(due, null, null)).due(now)));
    }

    /** As a renewal of its lease writes it. */
    private void progress(String key, Progress progress) {
        fixture.client()
                .getDatabase(fixture.database())
                .getCollection("jobSpecification")
                .updateOne(
                        Filters.eq("jobSpecificationKey", key),
                        Updates.set(
                                "progress",
                                new Document("done", progress.done())
                                        .append("total", progress.total())
                                        .append("message", progress.message())
                                        .append("at", Date.from(progress.at()))));
    }

    private void write(StoredJob before, StoredJob after) {
        assertThat(fixture.store().write(List.of(new JobChange(before, after, List.of(), JobChange.By.REQUEST))))
                .containsExactly(true);
    }

    @Test
    @DisplayName("40: nodes have their labels on the page of a job, also those that ended long ago; no id is shown")
    void nodeNames() {
        NodeReport node = new NodeReport("n-4711-id", "host-a", now, now, "2026a", Duration.ZERO, Set.of("pay"), 0);
        fixture.store().cluster().report(node, now.minusSeconds(60));
        StoredJob job = daily("often");
        rows(
                job,
                4,
                (i, row) -> row.node(i == 3 ? "n-0815-id" : i == 2 ? "n-0816-id" : "n-4711-id")
                        .detail(i == 3 ? "abandoned by node n-0815-id" : null));
        claim(job, now.minusSeconds(20));
        assertThat(mounted.get("/job?key=often").body())
                .contains("host-a", "past node 1", "past node 2", "abandoned by past node 2")
                .doesNotContain("n-4711-id", "n-0815-id", "n-0816-id");
    }

    @Test
    @DisplayName("40: the page begins with what the job does and when, then why it waits")
    void purpose() {
        daily("cutoff");
        assertThat(mounted.get("/job?key=cutoff")
                        .body()
                        .replaceAll("<[^>]*>", " ")
                        .replaceAll("\\s+", " "))
                .containsSubsequence(
                        "Runs pay for the desk at 15:30 every day (Europe/Brussels).",
                        "waits for its next fire",
                        "Next fires",
                        "Fields");
    }

    @Test
    @DisplayName("40: fires to come are a strip; only exceptions are named one by one")
    void fires() {
        fixture.scheduler.calendars().put("sundays", Map.of("kind", "weekly", "exclude-days", List.of("SUNDAY")));
        fixture.scheduler.scheduleJob(job("cutoff")
                .schedulingSpecification("0 30 15 * * ?")
                .zoneId("Europe/Brussels")
                .calendar("sundays")
                .calendarPolicy(CalendarPolicy.DROP)
                .build());
        daily("plain");
        String page = mounted.get("/job?key=cutoff").body();
        assertThat(page).contains("excluded by calendar sundays", "not at times that sundays excludes");
        assertThat(times(page, "<g class=\"fire none\">")).isBetween(2L, 3L);
        assertThat(times(page, "excluded by calendar sundays</bdi>")).isBetween(2L, 3L);
        String plain = mounted.get("/job?key=plain").body();
        assertThat(times(plain, "<g class=\"fire fire\">")).isEqualTo(20);
        assertThat(plain)
                .contains("Of the next 20 times, 20 fire as planned")
                .doesNotContain("class=\"plain exceptions\"");
    }

    private static long times(String page, String text) {
        return Pattern.compile(Pattern.quote(text))
                .matcher(page)
                .results()
                .map(MatchResult::group)
                .count();
    }

    @Test
    @DisplayName("40: what a page leaves out of a command is said")
    void cutValues() {
        Map<String, Object> fields = new LinkedHashMap<>();
        IntStream.range(0, 230).forEach(i -> fields.put("field" + i, i));
        fields.put("list", IntStream.range(0, 205).boxed().toList());
        fixture.scheduler.scheduleJob(job("large")
                .triggerCommand(new EncodedCommand("pay", 1, fields))
                .singleSchedule(now.plusSeconds(600))
                .build());
        assertThat(mounted.get("/job?key=large").body()).contains("(31 more fields)");
    }

    @Test
    @DisplayName("40: key, error and JSON are copied; without scripts there is no such button")
    void copy() {
        StoredJob job = daily("key with \"quotes\" & more");
        rows(
                job,
                1,
                (i, row) -> row.outcome(Outcome.ATTEMPT_FAILED)
                        .error(new ErrorSummary(
                                "java.io.IOException", "no route", "java.io.IOException: no route\n\tat Bank")));
        String path = "/job?key=" + Visitor.encoded(job.key());
        Browser browser = Browser.shared().fresh(1280, false).open(mounted.url(path));
        // a refresh would put new buttons in the place of the one that says that it has copied
        browser.click("#hold");
        browser.press("Copy key");
        assertThat(pasted(browser)).isEqualTo(job.key());
        browser.press("Copy JSON");
        assertThat(pasted(browser)).isEqualTo("{\"account\":\"BE71\"}");
        browser.click("#rows-title ~ .scroll summary");
        browser.press("Copy error");
        assertThat(pasted(browser)).startsWith("java.io.IOException: no route").contains("at Bank");
        browser.scripts(false);
        browser.open(mounted.url(path));
        assertThat(browser.text()).contains("15:30").doesNotContain("Copy", "Hold");
    }

    private static String pasted(Browser browser) {
        browser.on(".copy", "Copied", button -> button);
        browser.fill("#zone", Keys.chord(Keys.CONTROL, "v"));
        return browser.attribute("#zone", "value");
    }
}
