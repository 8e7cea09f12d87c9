package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.openqa.selenium.WebElement;

/** How much a refresh transfers, and that the browser shows the page all the same. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RefreshTest {
    private static final Pattern PART = Pattern.compile("<!--part ([0-9a-f]+)-->");
    private static final Pattern AS_OF = Pattern.compile("As of [^<]*");
    /** The distance from now, which grows between two answers. */
    private static final Pattern AWAY = Pattern.compile("<span class=\"away\">[^<]*</span>");
    /** Head and moment of an answer in which nothing else is new, compressed. */
    private static final int LITTLE = 600;

    private final ConsoleFixture fixture = new ConsoleFixture();
    private final HttpClient client = HttpClient.newHttpClient();
    private MountedConsole mounted;
    private String cookies;

    @BeforeAll
    void fill() {
        fixture.scheduler.scheduleJobs(
                IntStream.range(0, 60).mapToObj(RefreshTest::job).toList());
        mounted = fixture.mount(
                fixture.console().allowChanges(true).access(request -> Optional.of(Viewer.operator("ann"))));
        cookies = MountedConsole.cookies(mounted.get("/jobs"));
    }

    /** Due so late that no distance from now changes within a test. */
    private static JobSpecification job(int i) {
        return JobSpecification.builder()
                .jobSpecificationKey("payment-" + i)
                .jobRequestor("treasury")
                .triggerCommand(new EncodedCommand("book", 1, Map.of("n", i)))
                .triggerIdentifier("id-" + i)
                .singleSchedule(Instant.parse("2100-01-01T00:00:00Z").plusSeconds(i))
                .build();
    }

    @AfterAll
    void close() {
        fixture.close();
    }

    /**
     * An answer to a refresh.
     *
     * @param bytes how many were transferred
     */
    private record Answer(String text, int bytes) {
        Map<String, String> parts() {
            Map<String, String> parts = new LinkedHashMap<>();
            List<String> names =
                    PART.matcher(text).results().map(part -> part.group(1)).toList();
            List<String> texts = List.of(PART.split(text, -1));
            for (int i = 0; i < names.size(); i++) {
                parts.put(names.get(i), texts.get(i + 1));
            }
            return parts;
        }

        /** What a browser makes of it that has these parts. */
        String page(Map<String, String> known) {
            return parts().entrySet().stream()
                    .map(part -> part.getValue().isEmpty() ? known.get(part.getKey()) : part.getValue())
                    .collect(Collectors.joining());
        }
    }

    private Answer refresh(String path, Iterable<String> known) {
        try {
            List<String> headers = new ArrayList<>(
                    List.of("Accept-Encoding", "gzip", "HX-Request", "true", "HX-Target", "live", "Cookie", cookies));
            headers.addAll(List.of("Almanac-Parts", String.join(" ", known)));
            HttpResponse<byte[]> answer = client.send(
                    mounted.request(path, headers.toArray(String[]::new)).build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            assertThat(answer.statusCode()).isEqualTo(200);
            String text = new String(
                    new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes(),
                    StandardCharsets.UTF_8);
            return new Answer(text, answer.body().length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String undated(String page) {
        return AWAY.matcher(AS_OF.matcher(page).replaceAll("As of then")).replaceAll("");
    }

    @Test
    @DisplayName("40: a refresh of a page on which nothing has changed transfers little")
    void unchanged() {
        Answer first = refresh("/jobs", List.of());
        Answer second = refresh("/jobs", first.parts().keySet());
        assertThat(first.bytes()).isGreaterThan(2 * LITTLE);
        assertThat(second.bytes()).isLessThan(LITTLE);
        assertThat(undated(second.page(first.parts()))).isEqualTo(undated(first.page(Map.of())));
    }

    @Test
    @DisplayName("40: a refresh transfers the sections that have changed, and not the others")
    void changed() {
        Answer first = refresh("/job?key=payment-2", List.of());
        fixture.scheduler
                .as("ann", "urgent")
                .apply(JobAction.update(job -> job.priority(1)), JobSelection.keys("payment-2"));
        Answer second = refresh("/job?key=payment-2", first.parts().keySet());
        assertThat(second.text()).contains("urgent").doesNotContain("fires-title");
        Answer whole = refresh("/job?key=payment-2", List.of());
        assertThat(second.bytes()).isLessThan(whole.bytes());
        assertThat(undated(second.page(first.parts())))
                .isEqualTo(undated(whole.page(Map.of())))
                .contains("urgent", "fires-title");
    }

    @Test
    @DisplayName("40: what a browser says that it has, and has not, leaves out nothing else")
    void unknown() {
        String whole = undated(refresh("/jobs", List.of()).page(Map.of()));
        for (List<String> known : List.of(
                List.of("0", "<!--", "f".repeat(2_000)),
                refresh("/", List.of()).parts().keySet().stream().toList())) {
            assertThat(undated(refresh("/jobs", known).page(Map.of()))).isEqualTo(whole);
        }
        assertThat(mounted.get("/jobs", "Almanac-Parts", "0").body())
                .as("a page that is opened")
                .doesNotContain("<!--part");
    }

    @Test
    @DisplayName(
            "40: in a browser, a page that does not change transfers little, its moment moves on, and a change is shown")
    void browser() {
        Browser browser = Browser.shared().fresh(1366, false).open(mounted.url("/jobs?prefix=payment-3"));
        refreshed(browser);
        refreshed(browser);
        assertThat(((Number) browser.driver()
                                .executeScript("return performance.getEntriesByType('resource')"
                                        + ".filter(entry => entry.initiatorType === 'xmlhttprequest')"
                                        + ".at(-1).encodedBodySize"))
                        .intValue())
                .isBetween(1, LITTLE);
        assertThat(browser.text()).contains("payment-3", "payment-39", "Which jobs");
        fixture.scheduler.pause(PauseScope.job("payment-3"), Pause.because("not now"));
        refreshed(browser);
        assertThat(browser.text()).contains("PAUSED", "payment-39");
    }

    /** Waits for a refresh, which follows after a second once. */
    private static void refreshed(Browser browser) {
        String before = browser.on(".asof", WebElement::getText);
        browser.driver()
                .executeScript("const live = document.getElementById('live');"
                        + "live.setAttribute('hx-trigger', 'every 1s'); htmx.process(live)");
        await().atMost(Browser.PATIENCE)
                .until(() -> !browser.on(".asof", WebElement::getText).equals(before));
    }
}
