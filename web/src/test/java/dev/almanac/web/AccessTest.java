package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.store.InMemoryJobStore;
import dev.almanac.testkit.time.ManualTime;
import dev.almanac.web.page.StaticFiles;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.Optional;
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
                        ? new Viewer("none", Applications.NONE, Applications.ALL, Applications.ALL)
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
