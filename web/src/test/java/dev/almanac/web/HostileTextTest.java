package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.almanac.Scheduler;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.web.text.VisibleText;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Keys, tags, payloads and errors are written by others: whatever they hold is shown as text. */
class HostileTextTest {
    private static final String SCRIPT = "<script>document.title='owned'</script>";
    private static final String QUOTE = "\"><img src=x onerror=\"document.title='owned'\">'";
    private static final String TURNED = "invoice\u202Efdp.exe";
    private static final String LONG = "z".repeat(10_000);

    private final ConsoleFixture fixture = new ConsoleFixture();
    private final ControlledHelper helper = new ControlledHelper();
    private final Browser browser = Browser.shared();

    @AfterEach
    void close() {
        helper.end();
        fixture.close();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName(
            "attack: markup, 10 kB, right-to-left and control characters in keys, tags, payloads and errors are shown as text")
    void shown() {
        List<String> keys =
                List.of("key " + SCRIPT, "key " + QUOTE, "key " + TURNED, "../../static/1/console.js?a=b&c#d");
        Scheduler scheduler = fixture.scheduler(ControlledHelper.types(Scheduler.builder()));
        for (String key : keys) {
            scheduler.scheduleJob(JobSpecification.builder()
                    .jobSpecificationKey(key)
                    .jobRequestor(QUOTE)
                    .tags(SCRIPT, TURNED)
                    .triggerCommand(new EncodedCommand(
                            "payment",
                            1,
                            Map.of("kind", "fails", "account", SCRIPT + "\u0000\u001b[31m" + TURNED, QUOTE, LONG)))
                    .triggerIdentifier(SCRIPT)
                    .singleSchedule(Instant.now().plusSeconds(3_600))
                    .build());
        }
        scheduler.scheduleJob(JobSpecification.builder()
                .jobSpecificationKey("fails " + SCRIPT)
                .jobRequestor("x")
                .triggerCommand(new ControlledHelper.Payment("fails", SCRIPT, 1))
                .triggerIdentifier(SCRIPT + TURNED)
                .singleSchedule(Instant.now().plusSeconds(3))
                .build());
        scheduler.pause(PauseScope.tag(SCRIPT), new Pause(QUOTE, SCRIPT, null));
        Scheduler node = fixture.scheduler(
                ControlledHelper.types(Scheduler.builder()).helper(helper).label(SCRIPT));
        node.start();
        await().atMost(Browser.PATIENCE)
                .until(() -> !scheduler.failures(null, null).isEmpty());
        try (MountedConsole mounted = MountedConsole.of(fixture.console()
                .allowChanges(true)
                .title(SCRIPT)
                .access(request -> Optional.of(Viewer.operator(SCRIPT)))
                .build())) {
            browser.fresh(1280, false);
            for (String path : List.of(
                    "/",
                    "/jobs",
                    "/jobs?tag=" + encoded(SCRIPT),
                    "/jobs?prefix=" + encoded(QUOTE),
                    "/failures?since=1h",
                    "/pauses",
                    "/nodes",
                    "/calendars")) {
                check(mounted, path);
            }
            for (String key : keys) {
                check(mounted, "/job?key=" + encoded(key));
                assertThat(browser.driver().getPageSource()).contains("fields");
            }
            browser.open(mounted.url("/job?key=" + encoded(keys.get(2))));
            assertThat(browser.text()).contains("invoice[U+202E]fdp.exe", "[U+0000]", "[U+001B]", "more characters");
        }
    }

    private void check(MountedConsole mounted, String path) {
        browser.open(mounted.url(path));
        assertThat(browser.driver().getTitle())
                .as(path)
                .doesNotStartWith("owned")
                .contains("<script>");
        assertThat(browser.driver().executeScript("return document.querySelectorAll('img, script:not([src])').length"))
                .as(path)
                .isEqualTo(0L);
        assertThat(browser.driver().getPageSource().replaceAll(" value=\"[^\"]*\"", ""))
                .as(path + ", without the values of forms, which come back as they are")
                .doesNotContain("\u202E")
                .doesNotContain("\u001b");
    }

    @Test
    @DisplayName("what would not be seen is made visible; what can be seen is left as it is")
    void visible() {
        assertThat(VisibleText.of("a\u202Eb\u0007\u2028\u200B")).isEqualTo("a[U+202E]b[U+0007][U+2028][U+200B]");
        assertThat(VisibleText.of("grüße, 日本, שלום\n\t<b>")).isEqualTo("grüße, 日本, שלום\n\t<b>");
        assertThat(VisibleText.of("half \ud800 of one")).isEqualTo("half [U+D800] of one");
        assertThat(VisibleText.cut("abcdef", 4)).isEqualTo("abcd… (2 more characters)");
        assertThat(VisibleText.cut("abc\ud83d\ude00x", 4)).isEqualTo("abc… (3 more characters)");
        assertThat(VisibleText.cut("abcd", 4)).isEqualTo("abcd");
    }

    @Test
    @DisplayName("attack: a database that does not answer shows no host, URI or password on the page")
    void silentStore() {
        String uri = "mongodb://ann:hunter2@127.0.0.1:1/?serverSelectionTimeoutMS=200&connectTimeoutMS=200";
        try (com.mongodb.client.MongoClient client = com.mongodb.client.MongoClients.create(uri);
                MountedConsole mounted = MountedConsole.of(ConsoleServlet.builder()
                        .store(dev.almanac.mongo.MongoJobStore.create(client))
                        .access(request -> Optional.of(Viewer.operator("ann")))
                        .build())) {
            for (String path : List.of("/", "/jobs", "/job?key=a", "/failures", "/nodes", "/pauses", "/calendars")) {
                var answer = mounted.get(path);
                assertThat(answer.statusCode()).as(path).isEqualTo(503);
                assertThat(answer.body())
                        .contains("did not answer")
                        .doesNotContain("hunter2", "mongodb", "127.0.0.1:1");
            }
        }
    }

    @Test
    @DisplayName("console: without a database each page says so long before the client of the service gives up")
    void silentSoon() throws InterruptedException {
        try (com.mongodb.client.MongoClient client = com.mongodb.client.MongoClients.create(
                        "mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=600000");
                MountedConsole mounted = MountedConsole.of(ConsoleServlet.builder()
                        .store(dev.almanac.mongo.MongoJobStore.create(client))
                        .databaseTimeout(java.time.Duration.ofMillis(200))
                        .access(request -> Optional.of(Viewer.operator("ann")))
                        .build())) {
            Thread service = new Thread(() -> client.listDatabaseNames().first());
            service.setUncaughtExceptionHandler((thread, interrupted) -> {});
            service.start();
            for (String path : List.of("/", "/jobs", "/job?key=a", "/failures", "/nodes", "/pauses", "/calendars")) {
                assertThat(mounted.get(path).statusCode()).as(path).isEqualTo(503);
            }
            assertThat(service.isAlive()).as("the service still waits").isTrue();
            service.interrupt();
            service.join();
        }
    }
}
