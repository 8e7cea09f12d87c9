package dev.almanac.web;

import static org.awaitility.Awaitility.await;

import dev.almanac.testkit.server.TemporaryFolder;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.ElementNotInteractableException;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** A real Chromium, one for all tests of this process. Without one the tests fail with a message about what to install. */
final class Browser {
    /** For a step on a machine that is busy with something else: nothing waits that long where all is well. */
    static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome", "chrome");
    private static final String INSTALL = "the tests of the console need a Chromium and its driver: on Debian and"
            + " Ubuntu, apt-get install chromium chromium-driver; else set ALMANAC_CHROMIUM to the browser and put"
            + " chromedriver beside it or on the PATH";
    private static final Path SCREENS = Path.of("target", "screenshots");
    private static Browser shared;

    private final ChromeDriver driver;
    private final String axe;

    private Browser() {
        Path chromium = found(System.getenv("ALMANAC_CHROMIUM"), NAMES).orElseThrow(() -> new AssertionError(INSTALL));
        Path beside = chromium.resolveSibling("chromedriver");
        Path chromedriver = found(Files.isExecutable(beside) ? beside.toString() : null, List.of("chromedriver"))
                .orElseThrow(() -> new AssertionError(INSTALL));
        ChromeOptions options = new ChromeOptions()
                .setBinary(chromium.toFile())
                .addArguments(
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--disable-dev-shm-usage",
                        "--hide-scrollbars",
                        "--user-data-dir="
                                + TemporaryFolder.create("almanac-chromium")
                                        .untilExit()
                                        .path());
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(chromedriver.toFile())
                .usingAnyFreePort()
                .withSilent(true)
                .withTimeout(PATIENCE)
                .build();
        this.driver = new ChromeDriver(service, options);
        driver.manage().timeouts().pageLoadTimeout(PATIENCE).scriptTimeout(PATIENCE);
        this.axe = text("/axe.min.js");
        Runtime.getRuntime().addShutdownHook(new Thread(driver::quit));
    }

    static synchronized Browser shared() {
        if (shared == null) {
            shared = new Browser();
        }
        return shared;
    }

    private static Optional<Path> found(String given, List<String> names) {
        if (given != null && Files.isExecutable(Path.of(given))) {
            return Optional.of(Path.of(given));
        }
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return names.stream()
                .flatMap(
                        name -> List.of(path.split(File.pathSeparator)).stream().map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    ChromeDriver driver() {
        return driver;
    }

    /** As a new window of that width, without cookies. */
    Browser fresh(int width, boolean dark) {
        driver.get("about:blank");
        size(width, 900);
        online(true);
        driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
        driver.executeCdpCommand("Emulation.setScriptExecutionDisabled", Map.of("value", false));
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
        return this;
    }

    /** The size of the window from now on. */
    Browser size(int width, int height) {
        driver.manage().window().setSize(new Dimension(width, height));
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        return this;
    }

    /** Whether the browser has a network; {@link #fresh} gives it back. */
    void online(boolean on) {
        driver.executeCdpCommand("Network.enable", Map.of());
        driver.executeCdpCommand(
                "Network.emulateNetworkConditions",
                Map.of("offline", !on, "latency", 0, "downloadThroughput", -1, "uploadThroughput", -1));
    }

    /** Whether pages may run scripts; {@link #fresh} allows it again. */
    void scripts(boolean on) {
        driver.executeCdpCommand("Emulation.setScriptExecutionDisabled", Map.of("value", !on));
    }

    /** What a person reads on the page, and the titles that a pointer shows are not among it. */
    String text() {
        return on("body", WebElement::getText);
    }

    /**
     * Does something to the first visible element that matches, as soon as there is one. A page that is refreshed or
     * left takes its elements away at any moment; what was refused for that reason has not been done, and is done to
     * the element that came in its place.
     */
    <T> T on(String css, Function<WebElement, T> deed) {
        return on(css, "", deed);
    }

    /** As {@link #on(String, Function)}, to the first that shows a text beginning with that one. */
    <T> T on(String css, String text, Function<WebElement, T> deed) {
        List<T> done = new ArrayList<>();
        await().alias(css + " " + text)
                .atMost(PATIENCE)
                .ignoreExceptionsMatching(Browser::nothingWasDone)
                .until(() -> driver.findElements(By.cssSelector(css)).stream()
                        .filter(element ->
                                element.isDisplayed() && element.getText().startsWith(text))
                        .findFirst()
                        .map(element -> done.add(deed.apply(element)))
                        .isPresent());
        return done.get(0);
    }

    private static boolean nothingWasDone(Throwable thrown) {
        return thrown instanceof StaleElementReferenceException || thrown instanceof ElementNotInteractableException;
    }

    String attribute(String css, String name) {
        return on(css, element -> element.getAttribute(name));
    }

    void click(String css) {
        on(css, element -> {
            element.click();
            return css;
        });
    }

    /** Types after what stands there. */
    void type(String css, CharSequence... keys) {
        on(css, element -> {
            element.sendKeys(keys);
            return css;
        });
    }

    /** Types in place of what stands there. */
    void fill(String css, CharSequence... keys) {
        on(css, element -> {
            element.clear();
            element.sendKeys(keys);
            return css;
        });
    }

    /** Presses the button or link of the page that is called so, at the beginning. */
    void press(String name) {
        on("main button, main summary, main a", name, element -> {
            element.click();
            return name;
        });
    }

    Browser open(String url) {
        driver.get(url);
        return this;
    }

    /** What axe finds against WCAG 2.2 AA, and what it advises beyond, in words; empty if nothing. */
    List<String> violations() {
        driver.executeScript(axe);
        Object found = driver.executeAsyncScript(
                "const done = arguments[arguments.length - 1];"
                        + "axe.run(document, {resultTypes: ['violations']}).then(r => done(r.violations"
                        + ".map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html + ' ' + n.failureSummary).join(' | '))));");
        return ((List<?>) found).stream().map(String::valueOf).toList();
    }

    /** What can be pressed or filled in and does not take the focus in its turn, as HTML; empty if nothing. */
    List<?> unreachable() {
        return (List<?>) driver.executeScript(
                "return [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [onclick]')]"
                        + ".filter(e => e.type !== 'hidden' && e.checkVisibility())"
                        + ".filter(e => { e.focus(); return document.activeElement !== e || e.tabIndex < 0; })"
                        + ".map(e => e.outerHTML)");
    }

    /**
     * Words that stand on more than one line, of what can be seen; empty if none do. Texts of more than 20 characters
     * without a space, such as identifiers, may be broken.
     */
    List<?> broken() {
        return (List<?>) driver.executeScript("const found = [];"
                + "const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);"
                + "for (let text = walk.nextNode(); text; text = walk.nextNode()) {"
                + "  if (!text.parentElement.checkVisibility() || text.parentElement.closest('svg, pre')) continue;"
                + "  for (const part of text.data.matchAll(/\\S{2,}/g)) if (part[0].length <= 20)"
                + "  for (const word of part[0].matchAll(/[\\p{L}\\p{N}]{2,}/gu)) {"
                + "    const start = part.index + word.index;"
                + "    const range = document.createRange();"
                + "    range.setStart(text, start); range.setEnd(text, start + word[0].length);"
                + "    const tops = [...range.getClientRects()].filter(r => r.width > 0).map(r => Math.round(r.top));"
                + "    if (new Set(tops).size > 1) found.push(word[0] + ' in ' + text.data.trim().slice(0, 60));"
                + "  }"
                + "} return found;");
    }

    /** The smallest text of the drawings of the page, in pixels; large if there is none. */
    double smallestOfDrawings() {
        return ((Number) driver.executeScript("return Math.min(1000, ...[...document.querySelectorAll('main svg text')]"
                        + ".map(t => parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a))"))
                .doubleValue();
    }

    /** Texts of drawings that lie on each other, or are cut off by the edge of the drawing; empty if none are. */
    List<?> crowded() {
        return (List<?>) driver.executeScript("const found = [];"
                + "for (const svg of document.querySelectorAll('main svg')) {"
                + "  const edge = svg.getBoundingClientRect();"
                + "  const boxes = [...svg.querySelectorAll('text')].map(t => [t.textContent.trim(), t.getBoundingClientRect()]);"
                + "  boxes.forEach(([text, a], i) => {"
                + "    if (a.left < edge.left - 1 || a.right > edge.right + 1) found.push('cut: ' + text);"
                + "    boxes.slice(i + 1).forEach(([other, b]) => {"
                + "      if (a.left < b.right && b.left < a.right && a.top < b.bottom - 3 && b.top < a.bottom - 3)"
                + "        found.push(text + ' on ' + other); }); });"
                + "} return found;");
    }

    /** How much wider than the window the page is, in pixels. */
    long overflow() {
        return (Long) driver.executeScript(
                "return document.documentElement.scrollWidth - document.documentElement.clientWidth");
    }

    /** A picture of the whole page, as output of the build. */
    void picture(String name) {
        long height = (Long) driver.executeScript("return document.documentElement.scrollHeight");
        Object width = driver.executeScript("return document.documentElement.clientWidth");
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", Math.min(height, 4_000), "deviceScaleFactor", 1, "mobile", false));
        try {
            Files.createDirectories(SCREENS);
            Files.write(SCREENS.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(String resource) {
        try (InputStream in = Browser.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
