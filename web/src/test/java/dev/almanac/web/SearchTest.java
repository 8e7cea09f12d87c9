package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.store.JobChange;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoredJob;
import java.io.ByteArrayInputStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebDriverException;

/** What every page has around it: search, the state of its refresh, the navigation. */
class SearchTest {
    private final ConsoleFixture fixture = new ConsoleFixture();
    private final Browser browser = Browser.shared();
    private final AtomicReference<Viewer> viewer = new AtomicReference<>(Viewer.reader("ann"));
    private MountedConsole mounted;

    @BeforeEach
    void fill() {
        Instant now = Instant.now();
        NodeReport node = new NodeReport("n1", "invoices-host", now, now, "2026a", Duration.ZERO, Set.of("pay"), 0);
        fixture.store().cluster().report(node, now.minusSeconds(60));
        for (String key : List.of("invoice-1", "invoice-2", "invoice-2/b", "other")) {
            fixture.scheduler.scheduleJob(JobSpecification.builder()
                    .jobSpecificationKey(key)
                    .jobRequestor("treasury")
                    .applicationTag(key.equals("invoice-1") ? "ledger" : "payments")
                    .tags("all-invoices")
                    .triggerCommand(new EncodedCommand("send-invoice", 1, Map.of()))
                    .triggerIdentifier(key)
                    .singleSchedule(now.plusSeconds(3_000))
                    .build());
        }
        fixture.scheduler.apply(JobAction.cancel(), JobSelection.keys("other"), false);
        mounted = fixture.mount(fixture.console().access(request -> Optional.ofNullable(viewer.get())));
        browser.fresh(1280, false);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void shows(String... words) {
        await().atMost(Browser.PATIENCE)
                .ignoreExceptionsInstanceOf(WebDriverException.class)
                .untilAsserted(() -> assertThat(browser.text()).contains(words));
    }

    @Test
    @DisplayName("40: a search finds keys by their beginning, also one that has ended, and tags, types and nodes")
    void found() {
        assertThat(mounted.get("/search?q=invoice").body())
                .contains("key=invoice-1\"", "key=invoice-2\"", "key=invoice-2%2Fb\"")
                .contains("/jobs?tag=all-invoices\"", "/jobs?type=send-invoice\"", ">invoices-host<")
                .contains("name=\"q\" type=\"search\" value=\"invoice\"")
                .doesNotContain("key=other");
        assertThat(mounted.get("/search?q=other").body()).contains("key=other\"");
        assertThat(mounted.get("/search?q=nothing").body()).contains("Nothing is called so");
        assertThat(mounted.get("/search").statusCode()).isEqualTo(200);
    }

    @Test
    @DisplayName("40: who sees only some applications finds their jobs, and no tag or type of others")
    void foundPartly() {
        Applications ledger = Applications.of("ledger");
        viewer.set(new Viewer("ann", ledger, ledger, ledger, Applications.NONE));
        assertThat(mounted.get("/search?q=invoice").body())
                .contains("key=invoice-1\"")
                .doesNotContain("key=invoice-2", "all-invoices", "send-invoice");
        assertThat(mounted.get("/search?q=other").body()).doesNotContain("key=other");
    }

    @Test
    @DisplayName("40: a key that a viewer may see is found, however many keys of other applications begin so")
    void foundAmongOthers() {
        fixture.scheduler.scheduleJobs(IntStream.range(0, 60)
                .mapToObj(i -> JobSpecification.builder()
                        .jobSpecificationKey("pay-" + (100 + i))
                        .jobRequestor("treasury")
                        .applicationTag(i < 59 ? "payments" : "ledger")
                        .triggerCommand(new EncodedCommand("pay", 1, Map.of()))
                        .triggerIdentifier("id")
                        .singleSchedule(Instant.now().plusSeconds(36_000))
                        .build())
                .toList());
        Applications ledger = Applications.of("ledger");
        viewer.set(new Viewer("ann", ledger, ledger, ledger, Applications.NONE));
        assertThat(mounted.get("/search?q=pay-").body())
                .contains("key=pay-159\"")
                .doesNotContain("pay-100");
        Applications two = Applications.of("ledger", "audit");
        viewer.set(new Viewer("ann", two, two, two, Applications.NONE));
        assertThat(mounted.get("/search?q=pay-").body())
                .contains("/jobs?prefix=pay-\"")
                .doesNotContain("Nothing is called so", "pay-100");
        String first = mounted.get("/jobs?prefix=pay-").body();
        assertThat(first).contains("after=").doesNotContain("No job is found", "pay-100");
    }

    @Test
    @DisplayName(
            "40: the key / leads to the search from every page; suggestions come while one types, and Enter opens the page of results")
    void byKeyboard() {
        browser.open(mounted.url("/nodes"));
        shows("invoices-host");
        browser.type("body", "/");
        browser.driver().switchTo().activeElement().sendKeys("invoice-2");
        await().atMost(Browser.PATIENCE)
                .until(() -> browser.driver()
                                .findElements(By.cssSelector("#suggestions a"))
                                .size()
                        == 2);
        assertThat(browser.violations()).isEmpty();
        browser.type("#q", Keys.ENTER);
        await().atMost(Browser.PATIENCE)
                .until(() -> browser.driver().getCurrentUrl().endsWith("/search?q=invoice-2"));
        assertThat(browser.violations()).isEmpty();
        browser.scripts(false);
        browser.open(mounted.url("/pauses"));
        browser.type("#q", "invoice-1", Keys.ENTER);
        shows("Found", "invoice-1");
    }

    @Test
    @DisplayName("40: a page says whether it is live, held or signed out; the list of jobs is refreshed, too")
    void live() {
        browser.open(mounted.url("/jobs"));
        says("live");
        browser.click(".which summary");
        browser.type("#f-prefix", "x");
        says("held: you are typing");
        browser.open(mounted.url("/jobs"));
        browser.click("#hold");
        says("held");
        browser.open(mounted.url("/jobs"));
        String before = browser.attribute(".asof", "textContent");
        quickly();
        await().atMost(Browser.PATIENCE)
                .until(() -> !browser.attribute(".asof", "textContent").equals(before));
        viewer.set(null);
        says("signed out");
        viewer.set(Viewer.reader("ann"));
        says("live");
        browser.online(false);
        says("stale for ");
        browser.online(true);
        says("live");
    }

    @Test
    @DisplayName("40: a list in which jobs can be selected is live, too, until one is")
    void selecting() {
        MountedConsole changing = fixture.mount(
                fixture.console().allowChanges(true).access(request -> Optional.of(Viewer.operator("ann"))));
        browser.open(changing.url("/jobs"));
        says("live");
        browser.click("#live tbody input[name=job]");
        says("held: you are selecting");
        browser.driver().executeScript("document.activeElement.blur()");
        says("held: you are selecting");
    }

    @Test
    @DisplayName("40: a page that is not refreshed, or not any more, says so")
    void notRefreshed() {
        for (String path : List.of("/pauses", "/calendars", "/search?q=x", "/zones")) {
            assertThat(mounted.get(path).body()).as(path).contains("; not refreshed by itself");
        }
        assertThat(mounted.get("/nodes").body()).doesNotContain("; not refreshed by itself");
        browser.open(mounted.url("/nodes"));
        says("live");
        browser.driver().executeScript("document.getElementById('live').removeAttribute('hx-trigger')");
        says("not refreshed");
        assertThat(browser.driver().findElement(By.id("hold")).isDisplayed()).isFalse();
        browser.scripts(false);
        browser.open(mounted.url("/nodes"));
        shows("Without scripts this page is not refreshed");
    }

    @Test
    @DisplayName("40: pages are compressed for browsers that can read that")
    void compressed() throws Exception {
        HttpResponse<byte[]> answer = HttpClient.newHttpClient()
                .send(
                        mounted.request("/nodes", "Accept-Encoding", "br;q=1.0, gzip;q=0.8")
                                .build(),
                        HttpResponse.BodyHandlers.ofByteArray());
        assertThat(answer.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(answer.headers().firstValue("Vary")).contains("Accept-Encoding");
        String page = new String(
                new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes(), StandardCharsets.UTF_8);
        assertThat(page).contains("invoices-host").contains("</html>");
        assertThat(answer.body().length).isLessThan(page.length() / 2);
        HttpResponse<String> plain = mounted.get("/nodes");
        assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(mounted.get("/nodes", "Accept-Encoding", "gzip;q=0").body()).contains("invoices-host");
    }

    @Test
    @DisplayName("40: a refresh carries what it replaces, and not the navigation around it")
    void part() {
        assertThat(mounted.get("/nodes", "HX-Request", "true", "HX-Target", "live")
                        .body())
                .contains("<title>Nodes - Almanac</title>", "id=\"live\"", "invoices-host")
                .doesNotContain("<html", "<nav", "id=\"q\"", "stylesheet");
    }

    private void says(String state) {
        browser.on("#state", state, said -> state);
    }

    private void quickly() {
        browser.driver()
                .executeScript("const live = document.getElementById('live');"
                        + "live.setAttribute('hx-trigger', 'every 1s'); htmx.process(live)");
    }

    @Test
    @DisplayName("40: a page does not carry the names of all zones; they come when the field is used")
    void zones() {
        assertThat(mounted.get("/nodes").body())
                .doesNotContain("America/Argentina")
                .hasSizeLessThan(12_000);
        browser.open(mounted.url("/nodes"));
        browser.click("#zone");
        await().atMost(Browser.PATIENCE)
                .until(() -> (Long) browser.driver()
                                .executeScript("return document.querySelectorAll('#zones option').length")
                        > 100);
    }

    @Test
    @DisplayName("40: an error page keeps the navigation for those who were let in, and shows none to strangers")
    void errors() {
        assertThat(mounted.get("/job?key=never").body()).contains("404", "href=\"/ops/almanac/jobs\"");
        assertThat(mounted.get("/jobs?state=NEVER").body()).contains("400", "href=\"/ops/almanac/failures\"");
        viewer.set(null);
        assertThat(mounted.get("/job?key=never").body()).contains("403").doesNotContain("/ops/almanac/jobs");
    }

    @Test
    @DisplayName("40: the title of the window has the number of failures of today")
    void title() {
        assertThat(mounted.get("/").body()).contains("<title>Now - Almanac");
        StoredJob job = fixture.store().find("invoice-1", FindScope.LIVE).orElseThrow();
        JobExecutionStatus failed = job.lastStatus().toBuilder()
                .id(job.id() + ":failed")
                .executionStatus(ExecutionStatus.FAILED)
                .outcome(Outcome.RETRIES_EXHAUSTED)
                .updatedTime(job.lastStatus().updatedTime().plusMillis(1))
                .build();
        fixture.store()
                .write(List.of(new JobChange(job, job.with(values -> {}), List.of(failed), JobChange.By.REQUEST)));
        assertThat(mounted.get("/").body()).contains("<title>(1) Now - Almanac");
        assertThat(mounted.get("/failures").body()).contains("<title>(1) Failures - Almanac");
    }
}
