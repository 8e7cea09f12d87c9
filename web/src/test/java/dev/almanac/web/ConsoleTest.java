package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.almanac.Scheduler;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.Rate;
import dev.almanac.store.LatenessCounts;
import dev.almanac.store.MinuteReport;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.web.page.StaticFiles;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** Every page and every action in a real browser, over a store with a live node. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleTest {
    private static final Duration PATIENCE = Browser.PATIENCE;

    private final ConsoleFixture fixture = new ConsoleFixture();
    private final ControlledHelper helper = new ControlledHelper();
    private final Browser browser = Browser.shared();
    private final Scheduler scheduler = fixture.scheduler(ControlledHelper.types(Scheduler.builder()));
    private MountedConsole mounted;
    private volatile Step beforeRefresh = () -> {};

    private interface Step {
        void run() throws InterruptedException;
    }

    @BeforeAll
    void start() {
        scheduler
                .calendars()
                .put("closed-days", Map.of("kind", "weekly", "exclude-days", List.of("SATURDAY", "SUNDAY")));
        scheduler
                .calendars()
                .put("new-year", Map.of("kind", "holiday", "exclude-dates", List.of("2027-01-01", "2026-12-25")));
        scheduler.scheduleJob(
                job("settlement-eur", "lasts").singleSchedule(soon()).build());
        for (int i = 0; i < 12; i++) {
            scheduler.scheduleJob(
                    job("refused-" + i, "fails").singleSchedule(soon()).build());
        }
        for (int i = 0; i < 120; i++) {
            boolean report = i % 3 == 0;
            scheduler.scheduleJob(job("release-" + (1_000 + i), "ends")
                    .triggerCommand(
                            report
                                    ? new ControlledHelper.Report("ends", "positions")
                                    : new ControlledHelper.Payment("ends", "BE12", 100L * i))
                    .applicationTag(i % 2 == 0 ? "payments" : "ledger")
                    .tags("month-end")
                    .singleSchedule(Instant.now().plusSeconds(3_300 + (i * i * 7L) % 1_700))
                    .build());
        }
        scheduler.scheduleJob(job("cutoff-sepa", "ends")
                .schedulingSpecification("0 30 15 * * ?")
                .zoneId("Europe/Brussels")
                .calendar("closed-days")
                .calendarPolicy(CalendarPolicy.FOLLOWING)
                .build());
        scheduler.calendars().put("desk-days", Map.of("kind", "weekly", "exclude-days", List.of("SATURDAY", "SUNDAY")));
        scheduler.scheduleJob(job("cutoff-desk", "ends")
                .schedulingSpecification("0 0 17 * * ?")
                .zoneId("Europe/Brussels")
                .calendar("desk-days")
                .build());
        scheduler.scheduleJob(job("heartbeat", "ends")
                .schedulingSpecification("0/2 * * * * ?")
                .build());
        scheduler.scheduleJob(job("night-report", "ends")
                .schedulingSpecification("0 30 2 * * ?")
                .zoneId("Europe/Brussels")
                .build());
        scheduler.groups().put("bank-api", new GroupLimits(5, Rate.parse("10/s")));
        scheduler.pause(PauseScope.tag("legacy"), new Pause("CR-17: the old bank is closed", "ann", null));
        scheduler.scheduleJob(
                job("legacy-feed", "ends").tags("legacy").singleSchedule(soon()).build());
        fixture.scheduler(ControlledHelper.types(Scheduler.builder())
                        .helper(helper)
                        .label("node-1"))
                .start();
        fixture.scheduler(ControlledHelper.types(Scheduler.builder())
                        .helper(helper)
                        .label("node-2"))
                .start();
        await().atMost(PATIENCE).until(() -> scheduler.failures(null, null).size() == 12);
        await().atMost(PATIENCE)
                .until(() ->
                        scheduler.findJobById("settlement-eur").orElseThrow().runningOn() != null);
        await().atMost(PATIENCE).until(() -> scheduler.history("heartbeat").size() > 3);
        for (int hours = 2; hours < 20; hours++) {
            ranBefore(hours);
        }
        mounted = fixture.mount(fixture.console()
                .allowChanges(true)
                .title("Payments")
                .metrics(() -> "# HELP almanac_runs_total Runs that ended\n# TYPE almanac_runs_total counter\n"
                        + "almanac_runs_total{type=\"payment\",outcome=\"SUCCEEDED\"} 12.0\n")
                .access(request -> {
                    if (request.getHeader("HX-Request") != null) {
                        step(beforeRefresh);
                    }
                    return Optional.of(Viewer.operator("ann"));
                }));
    }

    /** What a node has reported that is gone since; each hour has something else. */
    private void ranBefore(int hours) {
        Instant minute = Instant.now().truncatedTo(ChronoUnit.MINUTES).minus(Duration.ofHours(hours));
        Map<String, Long> outcomes = Map.of("SUCCEEDED", 40L, "RETRIES_EXHAUSTED", hours % 6 == 0 ? 2L : 0L);
        MinuteReport.OfType payment = new MinuteReport.OfType(
                outcomes,
                outcomes.get("RETRIES_EXHAUSTED"),
                0,
                hours % 4 == 0 ? 3 : 0,
                hours % 5 == 0 ? 7 : 0,
                hours % 10 == 0 ? 7 : 0,
                LatenessCounts.NONE);
        MinuteReport.OfType report =
                new MinuteReport.OfType(Map.of("SUCCEEDED", 9L), 0, 0, 0, 0, 0, LatenessCounts.NONE);
        Map<String, MinuteReport.OfType> types =
                hours % 3 == 0 ? Map.of("payment", payment, "report", report) : Map.of("payment", payment);
        fixture.store().cluster().addMinute(new MinuteReport("gone", minute, types, payment.missed()));
    }

    private static void step(Step step) {
        try {
            step.run();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Instant soon() {
        return Instant.now().plusSeconds(8);
    }

    private static JobSpecificationBuilder job(String key, String kind) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("treasury")
                .triggerCommand(new ControlledHelper.Payment(kind, "BE71 0961 2345 6769", 125_000))
                .triggerIdentifier(key);
    }

    @BeforeEach
    void wide() {
        browser.fresh(1280, false);
    }

    @AfterAll
    void stop() {
        helper.end();
        fixture.close();
    }

    /** Waits until the page shows these texts. */
    private void shows(String... words) {
        await().atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(WebDriverException.class)
                .untilAsserted(() -> assertThat(browser.text()).contains(words));
    }

    /** Each page: a name for its pictures, its path, and what it shows. */
    @Retention(RetentionPolicy.RUNTIME)
    @CsvSource(
            delimiter = '|',
            value = {
                "now        | /                              | settlement-eur;node-1;node-2;CR-17;legacy-feed;Due within the next hour",
                "day        | /day                           | today;payment;report;tag:legacy;The day in numbers",
                "jobs       | /jobs                          | cutoff-sepa;release-1000;0 30 15 * * ?;PAUSED;Next page",
                "filtered   | /jobs?prefix=release-10&type=report | release-1000;release-1003",
                "ofcalendar | /jobs?calendar=closed-days     | cutoff-sepa;Jobs 1",
                "job        | /job?key=cutoff-sepa           | Europe/Brussels;closed-days;FOLLOWING;BE71 0961;Next fires",
                "runs       | /job?key=heartbeat             | succeeded;node-;succeeded",
                "fires      | /fires?key=heartbeat           | accounted for;succeeded;35d",
                "failed-job | /job?key=refused-3             | the bank refused;IllegalStateException;failed",
                "failures   | /failures                      | times;IllegalStateException;payment",
                "calendars  | /calendars                     | closed-days;new-year;2026",
                "calendar   | /calendars?name=closed-days&year=2026 | cutoff-sepa;SATURDAY;What would this move",
                "nodes      | /nodes                         | node-1;node-2;live;of 64;payment;report",
                "pauses     | /pauses                        | tag:legacy;CR-17;ann;Resume;bank-api;size 5, rate 10/s",
                "doctor     | /doctor                        | ALM-043;almanac jobs resume --tag legacy",
                "metrics    | /metrics                       | almanac_runs_total;Runs that ended;12.0"
            })
    private @interface EachPage {}

    @ParameterizedTest(name = "{0}")
    @EachPage
    @DisplayName("console: each page shows its data; axe finds nothing, and the keyboard reaches everything")
    void pages(String name, String path, String words) {
        browser.open(mounted.url(path));
        shows(words.split(";"));
        assertThat(browser.violations()).isEmpty();
        browser.picture(name + "-light");
        assertThat(browser.unreachable()).as("by the keyboard").isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @EachPage
    @Tag("long")
    @DisplayName("console: axe finds nothing on any page at 360 pixels or in the dark either")
    void pagesInOtherWindows(String name, String path, String words) {
        browser.fresh(1280, true).open(mounted.url(path));
        shows(words.split(";"));
        assertThat(browser.violations()).isEmpty();
        browser.picture(name + "-dark");
        browser.fresh(360, false).open(mounted.url(path));
        shows("As of");
        assertThat(browser.violations()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @EachPage
    @DisplayName("40: at 360, 768 and 1366 pixels no page is wider than the window, breaks a word, or has a small axis")
    void widths(String name, String path, String words) {
        for (int width : List.of(1366, 768, 360)) {
            browser.size(width, 768).open(mounted.url(path));
            // a narrow list leaves out what matters less
            shows(width < 700 ? "As of" : words.split(";")[0]);
            String where = name + " at " + width;
            assertThat(browser.overflow()).as(where).isZero();
            assertThat(browser.driver()
                            .executeScript("const nav = document.querySelector('nav');"
                                    + "return nav.scrollWidth - nav.clientWidth"))
                    .as("navigation that is cut, " + where)
                    .isEqualTo(0L);
            assertThat(browser.broken()).as(where).isEmpty();
            assertThat(browser.smallestOfDrawings()).as(where).isGreaterThanOrEqualTo(width < 700 ? 9.5 : 11);
            assertThat(browser.crowded()).as(where).isEmpty();
            browser.picture(name + "-" + width);
        }
    }

    @Test
    @DisplayName("console: a change of a schedule is shown in words beside that of today, before it is confirmed")
    void changedSchedule() {
        browser.open(mounted.url("/job?key=cutoff-desk"));
        browser.press("Change");
        shows("Fires now", "at 17:00 every day", "Europe/Brussels");
        browser.fill("#cron", "0 45 3 * * ?");
        browser.press("What would this change?");
        shows("After the change", "at 03:45 every day");
        assertThat(browser.violations()).isEmpty();
        browser.picture("change-light");
        browser.size(360, 768);
        assertThat(browser.overflow()).isZero();
        browser.picture("change-360");
    }

    @Test
    @DisplayName("40: the list of jobs shows key, state, reason and next fire without scrolling at 360 pixels")
    void narrowList() {
        browser.size(360, 768).open(mounted.url("/jobs?prefix=release"));
        shows("release-1000");
        Object seen = browser.driver()
                .executeScript(
                        "const heads = [...document.querySelectorAll('main thead th')].map(h => h.textContent.trim());"
                                + "const cells = [...document.querySelector('main tbody tr').children];"
                                + "return heads.filter((h, i) => cells[i].checkVisibility()"
                                + " && cells[i].getBoundingClientRect().right <= 360"
                                + " && cells[i].getBoundingClientRect().left >= 0).join(', ')");
        assertThat(String.valueOf(seen)).contains("Key", "State", "Why", "Next fire");
    }

    @Test
    @DisplayName("40: states differ by shape, not only by colour")
    void shapes() {
        browser.open(mounted.url("/jobs"));
        shows("PAUSED");
        Object shapes = browser.driver()
                .executeScript("return ['good', 'bad', 'warn', 'info', 'hold', 'quiet'].map(tone => {"
                        + "const chip = document.createElement('span'); chip.className = 'chip ' + tone;"
                        + "document.querySelector('main').append(chip);"
                        + "const shape = getComputedStyle(chip, '::before').content; chip.remove(); return shape; })");
        assertThat(((List<?>) shapes).stream().map(String::valueOf))
                .doesNotContain("none")
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest(name = "{0} x {1}: {2}")
    @DisplayName(
            "40: a laptop shows as many rows of the list as fit: each takes one line, as high as a target has to be")
    @CsvSource({"1366, 768, 25", "1440, 900, 30"})
    void dense(int width, int height, long rows) {
        browser.size(width, height).open(mounted.url("/jobs?prefix=release"));
        shows("release-1000");
        Number each = (Number)
                browser.driver()
                        .executeScript(
                                "const rows = [...document.querySelectorAll('main tbody tr')];"
                                        + "return (rows.at(-1).getBoundingClientRect().bottom - rows[0].getBoundingClientRect().top) / rows.length");
        assertThat(each.doubleValue()).isBetween(24.0, 24.5);
        assertThat((Long) browser.driver()
                        .executeScript("return [...document.querySelectorAll('main tbody tr')]"
                                + ".filter(row => row.getBoundingClientRect().bottom <= innerHeight).length"))
                .as("rows in sight")
                .isGreaterThanOrEqualTo(rows);
    }

    @Test
    @DisplayName("console, doctor: findings are shown with their advice, soon after the page is opened")
    void doctor() {
        browser.open(mounted.url("/doctor"));
        await().atMost(PATIENCE).until(() -> !browser.text().contains("in progress"));
        shows("live jobs", "ALM-043", "CR-17: the old bank is closed", "almanac jobs resume --tag legacy");
    }

    @Test
    @DisplayName("console: a page is refreshed in place, without a touch; Hold stops that")
    void refreshed() {
        browser.open(mounted.url("/job?key=heartbeat"));
        String before = browser.on(".asof", WebElement::getText);
        await().atMost(PATIENCE)
                .until(() -> !browser.on(".asof", WebElement::getText).equals(before));
        assertThat(browser.driver().getTitle()).startsWith("heartbeat");
        browser.click("#hold");
        assertThat(browser.attribute("#hold", "aria-pressed")).isEqualTo("true");
    }

    @Test
    @DisplayName("console: a refresh that was in flight, or starts later, keeps the selection of the user")
    void selected() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        browser.open(mounted.url("/failures"));
        browser.press("12 jobs");
        beforeRefresh = () -> {
            asked.countDown();
            answer.await();
        };
        browser.driver()
                .executeScript("const live = document.getElementById('live');"
                        + "live.setAttribute('hx-trigger', 'every 1s'); htmx.process(live)");
        assertThat(asked.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("a page on which nobody has changed a selection is refreshed")
                .isTrue();
        // only now, since an earlier refresh may have changed it
        String before = browser.on(".asof", WebElement::getText);
        browser.click("#live input[name=job]");
        browser.driver().executeScript("document.activeElement.blur()");
        answer.countDown();
        await().atMost(PATIENCE)
                .until(() -> browser.driver().executeScript("return document.querySelector('.htmx-request')") == null);
        assertThat((boolean) browser.on("#live input[name=job]", WebElement::isSelected))
                .isFalse();
        assertThat(browser.on(".asof", WebElement::getText)).isEqualTo(before);
    }

    /** Whether the script stops a refresh that is due now. */
    private boolean isStopped() {
        return (boolean) browser.driver()
                .executeScript("const due = new CustomEvent('htmx:beforeRequest', {bubbles: true, cancelable: true});"
                        + "document.getElementById('live').dispatchEvent(due); return due.defaultPrevented");
    }

    @Test
    @DisplayName(
            "console: no refresh while text is marked, a mouse button is down or a button has the focus, or on hold")
    void stopped() {
        browser.open(mounted.url("/job?key=cutoff-sepa"));
        shows("Europe/Brussels");
        assertThat(isStopped()).as("nobody does anything").isFalse();
        browser.driver().executeScript("getSelection().selectAllChildren(document.querySelector('#live h2'))");
        assertThat(isStopped()).as("text is marked").isTrue();
        browser.driver().executeScript("getSelection().removeAllRanges()");
        assertThat(isStopped()).isFalse();
        browser.on("#live h2", title -> {
            new Actions(browser.driver()).clickAndHold(title).perform();
            return title.getText();
        });
        assertThat(isStopped()).as("a mouse button is down").isTrue();
        new Actions(browser.driver()).release().perform();
        await().atMost(PATIENCE).until(() -> !isStopped());
        browser.driver().executeScript("document.querySelector('#live .actions button').focus()");
        assertThat(isStopped()).as("a button has the focus").isTrue();
        browser.driver().executeScript("document.activeElement.blur()");
        assertThat(isStopped()).isFalse();
        browser.click("#hold");
        assertThat(isStopped()).as("on hold").isTrue();
    }

    @Test
    @DisplayName(
            "console: an answer that is no page of the console, such as a login page, leaves the page and marks it")
    void otherPage() {
        browser.open(mounted.url("/nodes"));
        shows("node-1");
        browser.driver()
                .executeScript("const live = document.getElementById('live');"
                        + "live.setAttribute('hx-get', '" + MountedConsole.PATH + StaticFiles.PATH + "/console.css');"
                        + "live.setAttribute('hx-trigger', 'every 1s'); htmx.process(live)");
        shows("this page could not be refreshed since", "node-1");
    }

    @Test
    @DisplayName(
            "console: a refresh keeps the unfolded error unfolded when a newer row is above it, and the focus on it")
    void unfolded() {
        scheduler.scheduleJob(job("refused-again", "fails")
                .triggerCommand(new ControlledHelper.Report("fails", "positions"))
                .schedulingSpecification("0 0 0 1 1 ?")
                .build());
        failOnceMore(1);
        browser.open(mounted.url("/job?key=refused-again"));
        browser.click("#rows-title ~ .scroll summary");
        failOnceMore(2);
        browser.driver()
                .executeScript("const live = document.getElementById('live');"
                        + "live.setAttribute('hx-trigger', 'every 1s'); htmx.process(live)");
        await().atMost(PATIENCE).until(() -> unfoldedRows().size() == 2);
        assertThat(unfoldedRows()).asString().isEqualTo("[false, true]");
        assertThat(browser.driver()
                        .executeScript("return document.activeElement.parentNode.open === true"
                                + " && document.activeElement.tagName === 'SUMMARY'"))
                .isEqualTo(true);
    }

    private void failOnceMore(int failures) {
        scheduler.apply(JobAction.runNow(), JobSelection.keys("refused-again"), false);
        await().atMost(PATIENCE)
                .until(() -> scheduler.history("refused-again").stream()
                                .filter(row -> row.error() != null)
                                .count()
                        == failures);
    }

    private List<?> unfoldedRows() {
        return (List<?>) browser.driver()
                .executeScript(
                        "return [...document.querySelectorAll('#rows-title ~ .scroll details')].map(d => d.open)");
    }

    @Test
    @DisplayName("console: a failed refresh is reported on the page, and refreshing continues afterwards")
    void stale() {
        browser.open(mounted.url("/nodes"));
        String before = browser.on(".asof", WebElement::getText);
        browser.online(false);
        shows("this page could not be refreshed since");
        assertThat(browser.on(".asof", WebElement::getText)).startsWith(before.substring(0, 10));
        browser.online(true);
        await().atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(WebDriverException.class)
                .until(() -> !browser.text().contains("could not be refreshed"));
        shows("node-1");
    }

    @Test
    @DisplayName("console: every page and form works without scripts")
    void withoutScripts() {
        browser.scripts(false);
        for (String path : List.of(
                "/",
                "/jobs",
                "/job?key=cutoff-sepa",
                "/failures",
                "/calendars",
                "/calendars?name=closed-days",
                "/nodes",
                "/pauses",
                "/doctor",
                "/metrics")) {
            browser.open(mounted.url(path));
            shows("As of");
            assertThat(browser.driver().findElements(By.cssSelector("button[type=button]")).stream()
                            .filter(WebElement::isDisplayed)
                            .map(WebElement::getText))
                    .as("buttons that do nothing without scripts: " + path)
                    .isEmpty();
        }
        browser.open(mounted.url("/jobs?prefix=release-1001"));
        assertThat(browser.driver()
                        .findElement(By.cssSelector("input[data-all]"))
                        .isDisplayed())
                .as("it would do nothing")
                .isFalse();
        browser.click("input[name=job]");
        browser.press("Pause");
        shows("Nothing has been done yet", "will change", "paused");
        browser.type("#reason", "CR-18");
        browser.press("Pause release-1001");
        shows("What was done", "paused");
        assertThat(scheduler.findJobById("release-1001").orElseThrow().pause())
                .isEqualTo(new Pause("CR-18", "ann", null));
    }

    @Test
    @DisplayName("console: an action on a selection shows its effects, requires a reason, and is then applied")
    void bulk() {
        browser.open(mounted.url("/jobs?prefix=release-111"));
        browser.click("input[data-all]");
        browser.press("Cancel");
        shows("What would be done", "10 of 10", "CANCELED");
        assertThat(scheduler.findJobById("release-1110")).isPresent();
        assertThat(browser.violations()).isEmpty();
        browser.picture("action-light");
        assertThat(browser.unreachable()).isEmpty();
        browser.type("#reason", "CR-19");
        browser.press("Cancel 10 jobs");
        shows("What was done", "CANCELED");
        assertThat(scheduler.findJobById("release-1110")).isEmpty();
        assertThat(scheduler.findJobById("release-1109")).isPresent();
    }

    @Test
    @DisplayName("40: without scripts, too, all jobs of a filter are acted on; axe finds nothing on these pages")
    void allThatMatch() {
        browser.scripts(false);
        browser.open(mounted.url("/jobs?prefix=release-102"));
        browser.click("form:has(input[name=all]) button[value=PAUSE]");
        shows("Nothing has been done yet", "10 jobs match prefix=release-102", "will change");
        browser.type("#reason", "CR-31");
        browser.press("Pause 10 jobs");
        shows("What was done", "10 of 10", "CR-31");
        assertThat(scheduler.findJobById("release-1029").orElseThrow().pause()).isNotNull();
        assertThat(scheduler.findJobById("release-1019").orElseThrow().pause()).isNull();
        browser.scripts(true);
        browser.open(mounted.url("/jobs?prefix=release-103"));
        browser.click("form:has(input[name=all]) button[value=PAUSE]");
        shows("Nothing has been done yet");
        assertThat(browser.violations()).isEmpty();
        browser.type("#reason", "CR-32");
        browser.press("Pause");
        shows("What was done", "Download as JSON");
        assertThat(browser.violations()).isEmpty();
        browser.picture("result-light");
    }

    @Test
    @DisplayName("20: a running job is cancelled and interrupted; the page says so before and after")
    void interrupted() {
        runs("payout-stopped");
        browser.open(mounted.url("/job?key=payout-stopped"));
        browser.press("Cancel and interrupt");
        shows("Nothing has been done yet", "will change", "its run is interrupted");
        assertThat(scheduler.findJobById("payout-stopped")).isPresent();
        browser.type("#reason", "CR-25");
        browser.press("Cancel and interrupt payout-stopped");
        shows("What was done", "its run is interrupted");
        await().atMost(PATIENCE)
                .until(() -> scheduler.findJobById("payout-stopped").isEmpty());
        browser.open(mounted.url("/job?key=payout-stopped"));
        shows("CANCELED", "CR-25");
        assertThat(scheduler.findJobById("settlement-eur").orElseThrow().runningOn())
                .as("another run")
                .isNotNull();
    }

    @Test
    @DisplayName(
            "20: a lease is released by force from the page of its job, with a reason; the run counts as abandoned")
    void released() {
        runs("payout-stuck");
        browser.open(mounted.url("/job?key=payout-stuck"));
        browser.press("Release");
        shows("Nothing has been done yet", "will change", "released");
        browser.press("Release payout-stuck");
        shows("A reason is required");
        assertThat(outcomes("payout-stuck")).doesNotContain(Outcome.ABANDONED);
        browser.type("#reason", "CR-26: its machine is off");
        browser.press("Release payout-stuck");
        shows("What was done", "released");
        await().atMost(PATIENCE).until(() -> outcomes("payout-stuck").contains(Outcome.ABANDONED));
        browser.open(mounted.url("/job?key=payout-stuck"));
        shows("abandoned", "CR-26: its machine is off");
    }

    private void runs(String key) {
        scheduler.scheduleJob(job(key, "lasts").singleSchedule(Instant.now()).build());
        await().atMost(PATIENCE)
                .until(() -> scheduler.findJobById(key).orElseThrow().runningOn() != null);
    }

    private List<Outcome> outcomes(String key) {
        return scheduler.history(key).stream().map(JobExecutionStatus::outcome).toList();
    }

    @Test
    @DisplayName("20: a pause with an end, and a change of a selection, show their effects before they are made")
    void untilAndSelection() {
        browser.open(mounted.url("/job?key=release-1048"));
        browser.press("Pause");
        browser.type("#until", "2h");
        browser.type("#reason", "CR-27");
        browser.press("Pause release-1048");
        shows("What was done", "paused");
        Instant until =
                scheduler.findJobById("release-1048").orElseThrow().pause().until();
        assertThat(until)
                .isBetween(
                        Instant.now(), Instant.now().plus(Duration.ofHours(2)).plusSeconds(60));
        browser.open(mounted.url("/jobs?prefix=release-106"));
        browser.click("input[data-all]");
        browser.press("Change");
        browser.fill("#priority", "2");
        browser.press("What would this change?");
        shows("What would be done 10 of 10", "priority: 4 -> 2");
        assertThat(scheduler
                        .findJobById("release-1069")
                        .orElseThrow()
                        .specification()
                        .priority())
                .isEqualTo(4);
        browser.type("#reason", "CR-28");
        browser.press("Change 10 jobs");
        shows("What was done 10 of 10");
        assertThat(scheduler
                        .findJobById("release-1069")
                        .orElseThrow()
                        .specification()
                        .priority())
                .isEqualTo(2);
        assertThat(scheduler
                        .findJobById("release-1070")
                        .orElseThrow()
                        .specification()
                        .priority())
                .isEqualTo(4);
    }

    @Test
    @DisplayName("20: a recurring job that fails is paused, and then cancelled, from its group of failures")
    void actionsOfFailures() {
        scheduler.scheduleJob(job("unknown-feed", "refuses")
                .schedulingSpecification("0/2 * * * * ?")
                .build());
        await().atMost(PATIENCE)
                .until(() -> outcomes("unknown-feed").contains(Outcome.RETRIES_EXHAUSTED)
                        || outcomes("unknown-feed").contains(Outcome.NON_RETRYABLE));
        String group = ".group:has(input[aria-label='Select unknown-feed']) button";
        browser.open(mounted.url("/failures"));
        browser.click(group + "[value=PAUSE]");
        shows("What would be done 1 of 1", "unknown-feed");
        browser.type("#reason", "CR-29");
        browser.press("Pause unknown-feed");
        shows("What was done 1 of 1");
        assertThat(scheduler.findJobById("unknown-feed").orElseThrow().pause())
                .isEqualTo(new Pause("CR-29", "ann", null));
        browser.press("Back");
        browser.click(group + "[value=CANCEL]");
        browser.type("#reason", "CR-30");
        browser.press("Cancel unknown-feed");
        shows("What was done 1 of 1");
        await().atMost(PATIENCE)
                .until(() -> scheduler.findJobById("unknown-feed").isEmpty());
        assertThat(scheduler.findJobById("heartbeat")).as("another job").isPresent();
    }

    @Test
    @DisplayName("console: a job is paused, resumed and run by the keyboard alone")
    void keyboard() {
        browser.open(mounted.url("/job?key=release-1050"));
        browser.type("button[value=PAUSE]", Keys.ENTER);
        browser.type("#reason", "by hand", Keys.ENTER);
        shows("What was done", "paused");
        browser.open(mounted.url("/job?key=release-1050"));
        browser.type("button[value=RESUME]", Keys.ENTER);
        browser.type("#reason", "done", Keys.ENTER);
        shows("What was done", "resumed");
        assertThat(scheduler.findJobById("release-1050").orElseThrow().pause()).isNull();
        browser.open(mounted.url("/job?key=release-1050"));
        browser.type("button[value=RUN_NOW]", Keys.ENTER);
        browser.type("#reason", "now", Keys.ENTER);
        shows("What was done", "one run in addition to its plan");
    }

    @Test
    @DisplayName("console: an edit of a calendar shows which days and which jobs it moves before it is saved")
    void calendar() {
        browser.open(mounted.url("/calendars?name=desk-days"));
        browser.fill(
                "#definition",
                "{\"kind\": \"weekly\", \"exclude-days\": [\"MONDAY\",\"TUESDAY\",\"WEDNESDAY\",\"THURSDAY\",\"FRIDAY\",\"SATURDAY\"]}");
        browser.press("What would this move");
        shows("open → excluded", "excluded → open", "cutoff-desk");
        assertThat(browser.violations()).isEmpty();
        browser.picture("edit-light");
        assertThat(version("desk-days")).isEqualTo(1);
        browser.press("Save this edit");
        assertThat(version("desk-days")).as("a reason is required").isEqualTo(1);
        browser.fill("#definition", "{\"kind\": \"weekly\", \"exclude-days\": [\"FRIDAY\"]}");
        browser.type("#reason", "CR-23");
        browser.press("Save this edit");
        shows("not saved", "What this edit would change", "excluded → open");
        assertThat(browser.violations()).isEmpty();
        assertThat(version("desk-days")).as("its preview comes first").isEqualTo(1);
        browser.press("Save this edit");
        shows("saved", "ann (CR-23)");
        assertThat(version("desk-days")).isEqualTo(2);
        browser.fill("#definition", "{\"kind\": \"sometimes\"}");
        browser.press("What would this move");
        shows("invalid");
    }

    @Test
    @DisplayName(
            "console: failed jobs run again from their group; the rows contain the request, its author and its reason")
    void rerun() {
        browser.open(mounted.url("/failures"));
        browser.press("12 jobs");
        browser.click(".group:has(input[aria-label='Select refused-0']) button[value=RERUN_FAILED]");
        shows("What would be done", "12 of 12", "refused-0");
        browser.type("#reason", "CR-21: the bank is back");
        browser.press("Run again 12 jobs");
        shows("What was done", "12 of 12");
        await().atMost(PATIENCE).until(() -> scheduler.failures(null, null).size() > 12);
        browser.open(mounted.url("/job?key=refused-0"));
        shows("CR-21: the bank is back", "ann");
    }

    @Test
    @DisplayName("console: some fields are changed; the effect is shown before, and both versions side by side after")
    void change() {
        browser.open(mounted.url("/job?key=night-report"));
        browser.press("Change");
        browser.fill("#cron", "0 45 3 * * ?");
        browser.fill("#zoneId", "Europe/Paris");
        browser.press("What would this change?");
        shows("will change", "0 30 2 * * ?", "0 45 3 * * ?", "Europe/Paris");
        assertThat(scheduler
                        .findJobById("night-report")
                        .orElseThrow()
                        .specification()
                        .version())
                .isEqualTo(1);
        browser.fill("#cron", "0 50 3 * * ?");
        browser.type("#reason", "CR-22");
        browser.press("Change night-report");
        shows("Nothing has been done yet", "not the values of the last preview", "0 50 3 * * ?");
        assertThat(scheduler
                        .findJobById("night-report")
                        .orElseThrow()
                        .specification()
                        .version())
                .as("its preview comes first")
                .isEqualTo(1);
        browser.press("Change night-report");
        shows("What was done");
        assertThat(String.valueOf(scheduler
                        .findJobById("night-report")
                        .orElseThrow()
                        .specification()
                        .zoneId()))
                .isEqualTo("Europe/Paris");
        browser.open(mounted.url("/job?key=night-report"));
        shows("Changes", "Before", "After", "CR-22", "0 50 3 * * ?");
        assertThat(browser.violations()).isEmpty();
        browser.picture("versions-light");
    }

    private long version(String calendar) {
        return scheduler.calendars().list().stream()
                .filter(stored -> stored.name().equals(calendar))
                .findFirst()
                .orElseThrow()
                .version();
    }

    @Test
    @DisplayName("console: a kind of jobs is paused and resumed, with author and reason")
    void kinds() {
        browser.open(mounted.url("/pauses"));
        browser.type("#other", "type:never-there");
        browser.type("#reason", "CR-20");
        browser.press("What would this pause?");
        shows("Nothing has been paused yet", "Affects 0 live jobs");
        assertThat(browser.violations()).isEmpty();
        browser.picture("pause-light");
        browser.press("Pause type:never-there");
        shows("confirm that it is meant");
        browser.click("input[name=unknown]");
        browser.press("Pause type:never-there");
        shows("type:never-there", "CR-20");
        browser.type("input[aria-label='Reason to resume type:never-there']", "CR-24");
        browser.click("button[aria-label='Resume type:never-there']");
        await().atMost(PATIENCE).until(() -> scheduler.pauses().size() == 1);
    }

    @Test
    @DisplayName("console: moments are shown in the zone that the browser has chosen, with their distance from now")
    void zone() {
        browser.open(mounted.url("/job?key=cutoff-sepa"));
        browser.fill("#zone", "Asia/Kolkata", Keys.ENTER);
        await().atMost(PATIENCE).until(() -> browser.text().contains("Asia/Kolkata"));
        assertThat(browser.attribute("#zone", "value")).isEqualTo("Asia/Kolkata");
        assertThat(browser.driver().getTitle()).startsWith("cutoff-sepa");
    }

    @Test
    @DisplayName("console: a job that ended is found with its rows; one that never was is not")
    void ended() {
        browser.open(mounted.url("/job?key=refused-0"));
        shows("failed");
        assertThat(scheduler.history("refused-0").get(0).executionStatus()).isEqualTo(ExecutionStatus.FAILED);
        browser.open(mounted.url("/job?key=never"));
        shows("404");
    }
}
