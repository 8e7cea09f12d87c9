package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebCommandTest {
    private final ConsoleFixture console = ConsoleFixture.withStore();

    @TempDir
    private Path folder;

    @AfterEach
    void drop() {
        console.close();
    }

    private static int status(HttpClient browser, String url) throws Exception {
        return browser.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    @DisplayName(
            "console: web prints an address with a token that lets one browser in, and shows the house until it ends")
    void opened() throws Exception {
        console.schedule("invoice-1");
        PipedReader printed = new PipedReader();
        PrintWriter out = new PrintWriter(new PipedWriter(printed));
        String[] line = {"web", "--uri", console.uri(), "--database", console.name(), "--author", "ann"};
        Thread command = new Thread(() ->
                Main.run(new ProcessEnvironment(out, new PrintWriter(new StringWriter()), Map.of(), false), line));
        command.start();
        try {
            String told = new BufferedReader(printed).readLine();
            assertThat(told).matches("The console is at http://127\\.0\\.0\\.1:[0-9]+/\\?token=[A-Za-z0-9_-]{43}");
            String entrance = told.substring(told.indexOf("http"));
            String address = entrance.substring(0, entrance.indexOf('?'));
            HttpClient browser =
                    HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
            assertThat(status(browser, address)).isEqualTo(403);
            assertThat(status(browser, entrance)).isEqualTo(303);
            HttpRequest jobs =
                    HttpRequest.newBuilder(URI.create(address + "jobs")).build();
            // its store has two seconds for an answer, which a busy machine may not give
            HttpResponse<String> page = await().atMost(Duration.ofMinutes(5))
                    .until(() -> browser.send(jobs, BodyHandlers.ofString()), answer -> answer.statusCode() != 503);
            assertThat(page.body()).contains("invoice-1", "ann").doesNotContain("mongodb", "name=\"do\"");
            assertThat(status(HttpClient.newHttpClient(), entrance)).isEqualTo(403);
        } finally {
            command.interrupt();
            command.join();
        }
    }

    @Test
    @DisplayName(
            "console: beyond this machine web needs a file with a token; a short token, a missing file and a bad zone are refused")
    void refused() throws IOException {
        CommandResult open = console.run("web", "--bind", "0.0.0.0");
        assertThat(open.exit()).isEqualTo(2);
        assertThat(open.err()).contains("--access-token-file");
        Path token = Files.writeString(folder.resolve("token"), "hunter2");
        CommandResult brief = console.run("web", "--bind", "0.0.0.0", "--access-token-file", token.toString());
        assertThat(brief.exit()).isEqualTo(2);
        assertThat(brief.err()).contains("20 characters").doesNotContain("hunter2");
        assertThat(console.run(
                                "web",
                                "--access-token-file",
                                folder.resolve("none").toString())
                        .exit())
                .isEqualTo(2);
        assertThat(console.run("web", "--zone", "Mars/Olympus").exit()).isEqualTo(2);
    }

    @Test
    @DisplayName("console: of a token file no more is read than it may have; one that is not UTF-8 is refused as input")
    void tokenFiles() throws IOException {
        CommandResult endless = console.run("web", "--for", "1s", "--access-token-file", "/dev/zero");
        assertThat(endless.exit()).isEqualTo(2);
        assertThat(endless.err()).contains("/dev/zero", "is larger than").doesNotContain("ALM-", "listen");
        Path token = folder.resolve("token");
        Files.write(token, "0123456789012345678901234é".getBytes(StandardCharsets.ISO_8859_1));
        CommandResult latin = console.run("web", "--for", "1s", "--access-token-file", token.toString());
        assertThat(latin.exit()).isEqualTo(2);
        assertThat(latin.err()).contains(token.toString(), "is not UTF-8").doesNotContain("listen", "0123456789");
    }

    @ParameterizedTest
    @ValueSource(strings = {"70000", "65536", "-5"})
    @DisplayName("console: a port that does not exist is refused as input, and named")
    void port(String port) {
        CommandResult refused = console.run("web", "--port=" + port, "--for", "1s");
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains(port, "65535").doesNotContain("ALM-", "internal");
    }
}
