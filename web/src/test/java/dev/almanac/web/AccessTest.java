package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.ManualTime;
import dev.almanac.web.page.StaticFiles;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AccessTest {
    private final ConsoleFixture fixture = new ConsoleFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @DisplayName("console: without an access it answers 403 with what to configure; its static files contain no data")
    void nobody() {
        try (MountedConsole mounted = MountedConsole.of(fixture.console().build())) {
            HttpResponse<String> answer = mounted.get("/");
            assertThat(answer.statusCode()).isEqualTo(403);
            assertThat(answer.body()).contains("ConsoleServlet.builder().access(");
            assertThat(mounted.get("/jobs").statusCode()).isEqualTo(403);
            assertThat(mounted.post("/act", "do=cancel").statusCode()).isEqualTo(403);
            assertThat(mounted.get(StaticFiles.PATH + "/console.css").statusCode())
                    .isEqualTo(200);
            assertThat(mounted.get("/static/1/console.css").statusCode())
                    .as("of another release")
                    .isEqualTo(404);
        }
    }

    @Test
    @DisplayName("console: a viewer who is not identified or has no rights gets 403; others are served")
    void unknown() {
        ConsoleAccess access = request -> Optional.ofNullable(request.getHeader("X-User"))
                .map(user -> user.equals("none")
                        ? new Viewer("none", Applications.NONE, Applications.ALL, Applications.ALL, Applications.ALL)
                        : Viewer.reader(user));
        try (MountedConsole mounted =
                MountedConsole.of(fixture.console().access(access).build())) {
            assertThat(mounted.get("/").statusCode()).isEqualTo(403);
            assertThat(mounted.get("/", "X-User", "none").statusCode()).isEqualTo(403);
            HttpResponse<String> answer = mounted.get("/", "X-User", "ann");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).contains("<bdi>ann</bdi>");
        }
    }

    @Test
    @DisplayName("console: a one-time token gives one session, and no second one")
    void once() {
        TokenAccess tokens = TokenAccess.oneTime(Viewer.operator("ann"));
        String token = tokens.token().orElseThrow();
        try (MountedConsole mounted =
                MountedConsole.of(fixture.console().access(tokens).build())) {
            assertThat(mounted.get("/").statusCode()).isEqualTo(403);
            assertThat(mounted.get("/?token=" + token + "x").statusCode()).isEqualTo(403);
            HttpResponse<String> first = mounted.get("/?token=" + token);
            assertThat(first.statusCode()).isEqualTo(303);
            assertThat(first.headers().firstValue("Location")).contains(MountedConsole.PATH + "/");
            assertThat(first.headers().firstValue("Set-Cookie").orElseThrow())
                    .contains("HttpOnly")
                    .contains("SameSite=Strict");
            String session = MountedConsole.cookies(first);
            assertThat(mounted.get("/", "Cookie", session).statusCode()).isEqualTo(200);
            assertThat(mounted.get("/", "Cookie", session + "x").statusCode()).isEqualTo(403);
            assertThat(mounted.get("/?token=" + token).statusCode()).isEqualTo(403);
            assertThat(mounted.get("/?token=" + token, "Cookie", session).statusCode())
                    .as("the printed address, opened again in the browser of the session")
                    .isEqualTo(303);
            assertThat(tokens.token()).isEmpty();
        }
    }

    @Test
    @DisplayName("console: a token that stays lets in several; a short one is refused")
    void stays() {
        TokenAccess tokens = TokenAccess.of(Viewer.reader("ops"), "0123456789abcdefghij");
        try (MountedConsole mounted =
                MountedConsole.of(fixture.console().access(tokens).build())) {
            for (int i = 0; i < 3; i++) {
                assertThat(mounted.get("/?token=0123456789abcdefghij").statusCode())
                        .isEqualTo(303);
            }
        }
        assertThatThrownBy(() -> TokenAccess.of(Viewer.reader("ops"), "hunter2"))
                .hasMessageContaining("20 characters")
                .hasMessageNotContaining("hunter2");
    }

    private static final long MINUTE = 60_000_000_000L;

    private final AtomicLong nanos = new AtomicLong();

    private TokenAccess expiring() {
        return TokenAccess.of(Viewer.reader("ops"), "0123456789abcdefghij")
                .expiring(Duration.ofMinutes(10), Duration.ofHours(1))
                .nanos(nanos::get);
    }

    @Test
    @DisplayName("console: a session ends after a time without a request of its user; a refresh of a page is none")
    void idle() {
        try (MountedConsole mounted =
                MountedConsole.of(fixture.console().access(expiring()).build())) {
            String session = MountedConsole.cookies(mounted.get("/?token=0123456789abcdefghij"));
            for (int i = 0; i < 3; i++) {
                nanos.addAndGet(9 * MINUTE);
                assertThat(mounted.get("/nodes", "Cookie", session).statusCode())
                        .isEqualTo(200);
            }
            nanos.addAndGet(9 * MINUTE);
            assertThat(mounted.get("/nodes", "Cookie", session, "HX-Request", "true")
                            .statusCode())
                    .isEqualTo(200);
            nanos.addAndGet(2 * MINUTE);
            assertThat(mounted.get("/nodes", "Cookie", session).statusCode()).isEqualTo(403);
        }
    }

    @Test
    @DisplayName("console: a session ends after its longest time, however busy it is")
    void longest() {
        try (MountedConsole mounted =
                MountedConsole.of(fixture.console().access(expiring()).build())) {
            String session = MountedConsole.cookies(mounted.get("/?token=0123456789abcdefghij"));
            for (int i = 0; i < 6; i++) {
                nanos.addAndGet(9 * MINUTE);
                assertThat(mounted.get("/nodes", "Cookie", session).statusCode())
                        .isEqualTo(200);
            }
            nanos.addAndGet(9 * MINUTE);
            assertThat(mounted.get("/nodes", "Cookie", session).statusCode()).isEqualTo(403);
        }
        assertThatThrownBy(() -> expiring().expiring(Duration.ofSeconds(1), Duration.ofHours(1)))
                .hasMessageContaining("PT1S");
    }

    @Test
    @DisplayName("console: the page of the token leads to the page that was asked for, and to no other site")
    void deepLink() {
        try (MountedConsole mounted =
                MountedConsole.of(fixture.console().access(expiring()).build())) {
            Visitor visitor = new Visitor(mounted).open("/jobs?prefix=deep-4711");
            assertThat(visitor.status()).isEqualTo(403);
            Visitor.Form form = visitor.form("id=\"token\"").with("token", "0123456789abcdefghij");
            for (String next : List.of("//evil.example.org", "http://evil.example.org", "/\\evil.example.org", "")) {
                assertThat(new Visitor(mounted)
                                .answer(new Visitor(mounted)
                                        .open("/jobs")
                                        .form("id=\"token\"")
                                        .with("token", "0123456789abcdefghij")
                                        .with("next", next))
                                .headers()
                                .firstValue("Location"))
                        .as(next)
                        .contains(MountedConsole.PATH + "/");
            }
            assertThat(visitor.send(form).status()).isEqualTo(200);
            assertThat(visitor.body()).contains("value=\"deep-4711\"");
            assertThat(mounted.get("/jobs?prefix=a&token=0123456789abcdefghij&type=b")
                            .headers()
                            .firstValue("Location"))
                    .contains(MountedConsole.PATH + "/jobs?prefix=a&type=b");
        }
    }

    @Test
    @DisplayName("console: who signs out has no session any more, nor has who kept its cookie; others stay")
    void signedOut() {
        try (MountedConsole mounted =
                MountedConsole.of(fixture.console().access(expiring()).build())) {
            String other = MountedConsole.cookies(mounted.get("/?token=0123456789abcdefghij"));
            Visitor visitor = new Visitor(mounted).open("/nodes");
            visitor.send(visitor.form("id=\"token\"").with("token", "0123456789abcdefghij"));
            String kept = visitor.cookies();
            assertThat(mounted.post("/sign-out", "x=1", "Cookie", kept).statusCode())
                    .as("a form of another page")
                    .isEqualTo(400);
            assertThat(mounted.get("/nodes", "Cookie", kept).statusCode()).isEqualTo(200);
            assertThat(visitor.send(visitor.form("Sign out")).body()).contains("Signed out", "id=\"token\"");
            assertThat(visitor.open("/nodes").status()).isEqualTo(403);
            assertThat(mounted.get("/nodes", "Cookie", kept).statusCode()).isEqualTo(403);
            assertThat(mounted.get("/nodes", "Cookie", other).statusCode()).isEqualTo(200);
        }
    }

    @Test
    @DisplayName("console: two consoles on one host have cookies of their own")
    void twoConsoles() {
        TokenAccess tokens = expiring();
        try (MountedConsole one =
                        MountedConsole.of(fixture.console().access(tokens).build());
                MountedConsole two =
                        MountedConsole.of(fixture.console().access(tokens).build())) {
            String session = MountedConsole.cookies(one.get("/?token=0123456789abcdefghij"));
            String later = MountedConsole.cookies(two.get("/?token=0123456789abcdefghij"));
            assertThat(later.split("=")[0]).isNotEqualTo(session.split("=")[0]);
            assertThat(one.get("/nodes", "Cookie", session + "; " + later).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    @DisplayName("console: cookies are Secure behind a trusted proxy that speaks TLS; of others its word is not taken")
    void secure() {
        try (MountedConsole trusting = MountedConsole.of(fixture.console()
                        .trustedProxy("127.0.0.0/8")
                        .access(expiring())
                        .build());
                MountedConsole alone =
                        MountedConsole.of(fixture.console().access(expiring()).build())) {
            String entry = "/?token=0123456789abcdefghij";
            assertThat(setCookie(trusting.get(entry, "X-Forwarded-Proto", "https")))
                    .contains("Secure");
            assertThat(setCookie(trusting.get(entry, "Forwarded", "for=\"[2001:db8::1]:4711\";proto=https")))
                    .contains("Secure");
            assertThat(setCookie(trusting.get(entry))).doesNotContain("Secure");
            assertThat(setCookie(alone.get(entry, "X-Forwarded-Proto", "https")))
                    .doesNotContain("Secure");
        }
        assertThatThrownBy(() ->
                        fixture.console().trustedProxy("proxy.example.org").build())
                .hasMessageContaining("'proxy.example.org'");
    }

    private static String setCookie(HttpResponse<String> answer) {
        return answer.headers().firstValue("Set-Cookie").orElseThrow();
    }

    @Test
    @DisplayName("console: clients behind a trusted proxy are counted by themselves; nobody else is believed")
    void proxies() {
        try (MountedConsole trusting = MountedConsole.of(fixture.guarded()
                        .trustedProxy("127.0.0.1")
                        .nanos(nanos::get)
                        .access(expiring())
                        .build());
                MountedConsole alone = MountedConsole.of(
                        fixture.guarded().nanos(nanos::get).access(expiring()).build())) {
            for (MountedConsole mounted : List.of(trusting, alone)) {
                for (int i = 0; i < 400; i++) {
                    mounted.get("/", "X-Forwarded-For", "192.0.2.7, 198.51.100.1");
                }
                assertThat(mounted.get("/", "X-Forwarded-For", "192.0.2.8, 198.51.100.1")
                                .statusCode())
                        .as("what a client writes in front is not believed")
                        .isEqualTo(429);
            }
            assertThat(trusting.get("/", "X-Forwarded-For", "198.51.100.2").statusCode())
                    .isEqualTo(403);
            assertThat(alone.get("/", "X-Forwarded-For", "198.51.100.2").statusCode())
                    .isEqualTo(429);
        }
    }

    @Test
    @DisplayName("console: a store that cannot answer what the pages ask is refused when the console is built")
    void otherStore() {
        assertThatThrownBy(() -> ConsoleServlet.builder()
                        .store(new InMemoryJobStore(new ManualTime(Instant.EPOCH)))
                        .build())
                .hasMessageContaining("StoreOverview");
        assertThatThrownBy(() -> ConsoleServlet.builder().build()).hasMessageContaining("needs a store");
    }
}
