package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Clients that send a form slowly, or never to its end: others are served. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlowClientsTest {
    /** More than the threads of a console that runs alone. */
    private static final int SOCKETS = 80;

    private final ConsoleFixture fixture = new ConsoleFixture();

    @AfterAll
    void close() {
        fixture.close();
    }

    /** A form of which the first byte was sent. */
    private static final class SlowForm implements AutoCloseable {
        private final Socket socket;

        SlowForm(int port, String path, String host, String... headers) {
            try {
                socket = new Socket("127.0.0.1", port);
                socket.setSoTimeout((int) Browser.PATIENCE.toMillis());
                send("POST " + path + " HTTP/1.1\r\n" + host + "\r\n" + String.join("\r\n", headers)
                        + "\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\nx");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        final void send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        }

        boolean isAnswered() {
            try {
                return socket.getInputStream().available() > 0;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** The first line of the answer; the connection may be reset behind it if more of the form was sent. */
        String answer() throws IOException {
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    @DisplayName("attack: forms of strangers that never end are refused at once, and stop no page")
    void strangers() throws Exception {
        List<SlowForm> forms = new ArrayList<>();
        TokenAccess tokens = TokenAccess.of(Viewer.reader("ops"), "0123456789abcdefghij");
        try (Standalone alone = Standalone.start(fixture.guarded(), tokens, Standalone.LOOPBACK, 0)) {
            int port = URI.create(alone.address()).getPort();
            for (int i = 0; i < SOCKETS; i++) {
                forms.add(new SlowForm(
                        port,
                        "/act",
                        "Host: " + (i % 2 == 0 ? "evil.example.org" : "localhost:" + port),
                        "Content-Length: 100000"));
            }
            HttpClient browser = HttpClient.newHttpClient();
            URI page = URI.create(alone.address() + "?token=0123456789abcdefghij");
            assertThat(browser.send(HttpRequest.newBuilder(page).build(), BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(303);
            for (int i = 0; i < SOCKETS; i++) {
                assertThat(forms.get(i).answer()).startsWith(i % 2 == 0 ? "HTTP/1.1 421" : "HTTP/1.1 403");
            }
        } finally {
            forms.forEach(SlowForm::close);
        }
    }

    @Test
    @DisplayName("attack: tokens of strangers that never end take a few places; more are refused, and stop no page")
    void tokens() throws Exception {
        TokenAccess tokens = TokenAccess.of(Viewer.reader("ops"), "0123456789abcdefghij");
        MountedConsole mounted = fixture.mount(fixture.guarded().access(tokens));
        List<SlowForm> forms = forms(mounted, 12, "/enter", "Content-Length: 4000");
        try {
            List<SlowForm> refused = refused(forms, 8);
            for (SlowForm form : refused) {
                assertThat(form.answer()).startsWith("HTTP/1.1 429");
            }
            assertThat(mounted.get("/?token=0123456789abcdefghij").statusCode()).isEqualTo(303);
        } finally {
            forms.forEach(SlowForm::close);
        }
    }

    private static List<SlowForm> forms(MountedConsole mounted, int count, String path, String... headers) {
        int port = URI.create("http://" + mounted.host()).getPort();
        return IntStream.range(0, count)
                .mapToObj(i -> new SlowForm(port, MountedConsole.PATH + path, "Host: " + mounted.host(), headers))
                .toList();
    }

    /** Waits until so many are answered. */
    private static List<SlowForm> refused(List<SlowForm> forms, int count) {
        await().atMost(Browser.PATIENCE)
                .until(() -> forms.stream().filter(SlowForm::isAnswered).count() == count);
        return forms.stream().filter(SlowForm::isAnswered).toList();
    }

    private ConsoleBuilder byHeader() {
        return fixture.guarded()
                .allowChanges(true)
                .access(request ->
                        Optional.ofNullable(request.getHeader("X-User")).map(Viewer::operator));
    }

    @Test
    @DisplayName("attack: a viewer's forms that never end take eight places; more are refused, and others are served")
    void viewer() throws IOException {
        MountedConsole mounted = fixture.mount(byHeader());
        List<SlowForm> forms = forms(mounted, 20, "/act", "X-User: ann", "Content-Length: 100000");
        try {
            for (SlowForm form : refused(forms, 12)) {
                assertThat(form.answer()).startsWith("HTTP/1.1 429");
            }
            assertThat(mounted.get("/nodes", "X-User", "ann").statusCode()).isEqualTo(429);
            assertThat(mounted.get("/nodes", "X-User", "bob").statusCode()).isEqualTo(200);
        } finally {
            forms.forEach(SlowForm::close);
        }
    }

    @Test
    @DisplayName("attack: a form that is sent byte by byte is refused long before its end")
    void byteByByte() throws IOException {
        AtomicLong nanos = new AtomicLong();
        MountedConsole mounted = fixture.mount(byHeader().nanos(nanos::get));
        try (SlowForm form = forms(mounted, 1, "/act", "X-User: ann", "Content-Length: 100000")
                .get(0)) {
            await().atMost(Browser.PATIENCE).until(() -> {
                if (!form.isAnswered()) {
                    nanos.addAndGet(10_000_000_000L);
                    form.send("x");
                }
                return form.isAnswered();
            });
            assertThat(form.answer()).startsWith("HTTP/1.1 408");
        }
    }
}
