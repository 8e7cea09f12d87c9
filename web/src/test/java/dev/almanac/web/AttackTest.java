package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.web.guard.Defence;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Attacks on the console: each is kept away, and each succeeds where its one defence is left out. */
class AttackTest {
    private final ConsoleFixture fixture = new ConsoleFixture();
    private final AtomicLong nanos = new AtomicLong();

    @BeforeEach
    void fill() {
        fixture.scheduler.scheduleJob(job("pay-1").build());
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static JobSpecificationBuilder job(String key) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("payments")
                .triggerCommand(new EncodedCommand("payment", 1, Map.of("account", "BE12")))
                .triggerIdentifier(key)
                .singleSchedule(Instant.now().plusSeconds(3_600));
    }

    private ConsoleBuilder console() {
        return fixture.guarded()
                .allowChanges(true)
                .nanos(nanos::get)
                .access(request -> Optional.of(Viewer.operator("ann")));
    }

    private boolean isPaused() {
        return fixture.scheduler.findJobById("pay-1").orElseThrow().pause() != null;
    }

    /** Tries the attack on a console with all its defences, then on one without this one. */
    private void keptAwayBy(Defence defence, ToIntFunction<MountedConsole> attack, int refused, int succeeded) {
        try (MountedConsole guarded = MountedConsole.of(console().build())) {
            assertThat(attack.applyAsInt(guarded)).as("with the defence").isEqualTo(refused);
        }
        assertThat(isPaused()).isFalse();
        try (MountedConsole open = MountedConsole.of(console().without(defence).build())) {
            assertThat(attack.applyAsInt(open)).as("without the defence").isEqualTo(succeeded);
        }
    }

    /** What a browser has that has opened the console, and a form that pauses the job. */
    private record Visit(String cookies, String token, String form) {
        static Visit of(MountedConsole mounted) {
            Visitor visitor = new Visitor(mounted).previews("pay-1", "PAUSE");
            Visitor.Form form = visitor.confirmation("evil");
            String token = form.value("form-token");
            return new Visit(
                    visitor.cookies(), token, form.without("form-token").sent());
        }
    }

    /** The form that pauses the job, as someone makes it who knows the job. */
    private String pause() {
        return "do=PAUSE&confirmed=yes&reason=evil&job=1."
                + fixture.store().find("pay-1", FindScope.LIVE).orElseThrow().id();
    }

    @Test
    @DisplayName("attack: a page elsewhere whose name points here (rebinding) is refused by its host name")
    void rebinding() {
        keptAwayBy(
                Defence.HOST,
                mounted -> mounted.get(
                                "/",
                                "Host",
                                "evil.example.org:" + mounted.host().split(":")[1])
                        .statusCode(),
                421,
                200);
        try (MountedConsole named =
                MountedConsole.of(console().host("jobs.example.org").build())) {
            assertThat(named.get("/", "Host", "jobs.example.org").statusCode()).isEqualTo(200);
            assertThat(named.get("/", "Host", "xjobs.example.org").statusCode()).isEqualTo(421);
        }
    }

    @Test
    @DisplayName("attack: a form without the token of this browser changes nothing")
    void forgedForm() {
        keptAwayBy(
                Defence.FORM_TOKEN,
                mounted -> {
                    Visit visit = Visit.of(mounted);
                    return mounted.post("/act", visit.form(), "Cookie", visit.cookies())
                            .statusCode();
                },
                400,
                303);
        assertThat(isPaused()).isTrue();
    }

    @Test
    @DisplayName("attack: a form token of another browser changes nothing; its own does")
    void foreignToken() {
        try (MountedConsole mounted = MountedConsole.of(console().build())) {
            Visit victim = Visit.of(mounted);
            Visit attacker = Visit.of(mounted);
            String form = victim.form() + "&form-token=";
            assertThat(mounted.post("/act", form + attacker.token(), "Cookie", victim.cookies())
                            .statusCode())
                    .isEqualTo(400);
            assertThat(isPaused()).isFalse();
            assertThat(mounted.post("/act", form + victim.token(), "Cookie", victim.cookies())
                            .statusCode())
                    .isEqualTo(303);
            assertThat(isPaused()).isTrue();
        }
    }

    @Test
    @DisplayName("attack: a form that another page sends is refused by its origin, even with the right token")
    void foreignOrigin() {
        keptAwayBy(
                Defence.ORIGIN,
                mounted -> {
                    Visit visit = Visit.of(mounted);
                    return mounted.post(
                                    "/act",
                                    visit.form() + "&form-token=" + visit.token(),
                                    "Cookie",
                                    visit.cookies(),
                                    "Origin",
                                    "http://evil.example.org")
                            .statusCode();
                },
                400,
                303);
    }

    @Test
    @DisplayName("attack: a form of another site is refused by the headers of the browser")
    void crossSite() {
        try (MountedConsole mounted = MountedConsole.of(console().build())) {
            Visit visit = Visit.of(mounted);
            String form = visit.form() + "&form-token=" + visit.token();
            assertThat(mounted.post("/act", form, "Cookie", visit.cookies(), "Sec-Fetch-Site", "cross-site")
                            .statusCode())
                    .isEqualTo(400);
            assertThat(mounted.post("/act", form, "Cookie", visit.cookies(), "Origin", "null")
                            .statusCode())
                    .isEqualTo(400);
            assertThat(isPaused()).isFalse();
        }
    }

    @Test
    @DisplayName("attack: a request that is larger than any of the console's is refused")
    void size() {
        keptAwayBy(
                Defence.SIZE,
                mounted -> mounted.get("/jobs?tag=a&x=" + "y".repeat(17_000)).statusCode(),
                414,
                200);
        try (MountedConsole mounted = MountedConsole.of(console().build())) {
            assertThat(mounted.sendRaw(mounted.host(), "/act", List.of("Content-Length: 300002"), ""))
                    .containsExactly("HTTP/1.1 413 Payload Too Large");
            assertThat(mounted.get("/jobs?tag=" + "y".repeat(2_000)).statusCode())
                    .isEqualTo(400);
        }
    }

    @Test
    @DisplayName("attack: a viewer with too many requests gets 429, and is served again later")
    void rate() {
        ToIntFunction<MountedConsole> flood = mounted -> {
            int status = 0;
            for (int i = 0; i < 101; i++) {
                status = mounted.get("/pauses").statusCode();
            }
            return status;
        };
        keptAwayBy(Defence.RATE, flood, 429, 200);
        try (MountedConsole mounted = MountedConsole.of(console().build())) {
            assertThat(flood.applyAsInt(mounted)).isEqualTo(429);
            nanos.addAndGet(1_000_000_000L);
            assertThat(mounted.get("/pauses").statusCode()).isEqualTo(200);
        }
    }

    @Test
    @DisplayName("attack: who guesses tokens gets 429; sessions of the same address are served")
    void guesses() {
        TokenAccess tokens = TokenAccess.of(Viewer.operator("ann"), "0123456789abcdefghij");
        try (MountedConsole mounted = MountedConsole.of(
                fixture.guarded().nanos(nanos::get).access(tokens).build())) {
            String session = MountedConsole.cookies(mounted.get("/?token=0123456789abcdefghij"));
            assertThat(MountedConsole.servedBeforeTooMany(() -> mounted.get("/?token=guess"), 403))
                    .isBetween(390, 399);
            assertThat(mounted.get("/pauses", "Cookie", session).statusCode()).isEqualTo(200);
        }
    }

    @Test
    @DisplayName("attack: too many requests of one session lock out no other session of the same token and address")
    void sessions() {
        TokenAccess tokens = TokenAccess.of(Viewer.operator("ann"), "0123456789abcdefghij");
        try (MountedConsole mounted = MountedConsole.of(
                fixture.guarded().nanos(nanos::get).access(tokens).build())) {
            String one = MountedConsole.cookies(mounted.get("/?token=0123456789abcdefghij"));
            String other = MountedConsole.cookies(mounted.get("/?token=0123456789abcdefghij"));
            assertThat(MountedConsole.servedBeforeTooMany(() -> mounted.get("/pauses", "Cookie", one), 200))
                    .isBetween(90, 100);
            assertThat(mounted.get("/pauses", "Cookie", other).statusCode()).isEqualTo(200);
        }
    }

    @Test
    @DisplayName("attack: a form without a length is refused before it is read")
    void endless() {
        try (MountedConsole mounted = MountedConsole.of(console().build())) {
            assertThat(mounted.sendRaw(mounted.host(), "/act", List.of("Transfer-Encoding: chunked"), ""))
                    .containsExactly("HTTP/1.1 411 Length Required");
        }
    }

    @Test
    @DisplayName("attack: a refused form is answered before its body is sent, and its connection is ended")
    void refusedForm() {
        try (MountedConsole mounted = MountedConsole.of(console().build())) {
            String length = "Content-Length: 100000";
            assertThat(mounted.sendRaw(mounted.host(), "/act", List.of(length, "Sec-Fetch-Site: cross-site"), ""))
                    .containsExactly("HTTP/1.1 400 Bad Request");
            assertThat(mounted.sendRaw("other.example.org", "/act", List.of(length), ""))
                    .containsExactly("HTTP/1.1 421 Misdirected Request");
        }
        try (MountedConsole mounted = MountedConsole.of(fixture.console().build())) {
            assertThat(mounted.sendRaw(mounted.host(), "/act", List.of("Content-Length: 100000"), ""))
                    .containsExactly("HTTP/1.1 403 Forbidden");
        }
    }

    private void header(
            Defence defence, Consumer<HttpResponse<String>> present, Consumer<HttpResponse<String>> absent) {
        try (MountedConsole mounted = MountedConsole.of(console().build())) {
            present.accept(mounted.get("/job?key=pay-1"));
        }
        try (MountedConsole mounted =
                MountedConsole.of(console().without(defence).build())) {
            absent.accept(mounted.get("/job?key=pay-1"));
        }
    }

    private static String value(HttpResponse<String> response, String header) {
        return response.headers().firstValue(header).orElse("");
    }

    @Test
    @DisplayName("attack: no page of the console stands in a frame of another page")
    void frames() {
        header(
                Defence.FRAMES,
                page -> {
                    assertThat(value(page, "X-Frame-Options")).isEqualTo("DENY");
                    assertThat(value(page, "Content-Security-Policy")).contains("frame-ancestors 'none'");
                },
                page -> assertThat(value(page, "X-Frame-Options")).isEmpty());
    }

    @Test
    @DisplayName("attack: the policy of content allows the console's own files and no inline code")
    void content() {
        header(
                Defence.CONTENT,
                page -> assertThat(value(page, "Content-Security-Policy"))
                        .contains("default-src 'none'", "script-src 'self'", "style-src 'self'", "form-action 'self'")
                        .doesNotContain("unsafe", "data:", "*"),
                page -> assertThat(value(page, "Content-Security-Policy")).isEmpty());
    }

    @Test
    @DisplayName("attack: pages with payloads are kept by no cache")
    void cache() {
        header(
                Defence.CACHE,
                page -> {
                    assertThat(page.body()).contains("BE12");
                    assertThat(value(page, "Cache-Control")).isEqualTo("no-store");
                },
                page -> assertThat(value(page, "Cache-Control")).isEmpty());
    }

    @Test
    @DisplayName("attack: cookies go along with no request of another page, and no script reads them")
    void cookies() {
        header(
                Defence.COOKIES,
                page -> assertThat(value(page, "Set-Cookie"))
                        .contains("SameSite=Strict", "HttpOnly", "Path=" + MountedConsole.PATH + "/"),
                page -> assertThat(value(page, "Set-Cookie")).doesNotContain("SameSite"));
    }

    @Test
    @DisplayName("attack: without allowed changes, or without the right, no action is applied")
    void readOnly() {
        for (ConsoleBuilder console : List.of(
                console().allowChanges(false),
                console().access(request -> Optional.of(Viewer.reader("bob"))),
                console()
                        .access(request -> Optional.of(new Viewer(
                                "bob",
                                Applications.ALL,
                                Applications.ALL,
                                Applications.ALL,
                                Applications.of("other")))))) {
            try (MountedConsole mounted = MountedConsole.of(console.build())) {
                Visitor visitor = new Visitor(mounted).open("/jobs");
                String token = "&form-token=" + visitor.form("id=\"zone\"").value("form-token");
                Visit visit = new Visit(visitor.cookies(), token, "");
                mounted.post("/act", pause() + token, "Cookie", visit.cookies());
                assertThat(mounted.post(
                                        "/pauses",
                                        "do=pause&scope=everything&reason=x" + token,
                                        "Cookie",
                                        visit.cookies())
                                .statusCode())
                        .isEqualTo(403);
                assertThat(mounted.post("/calendars", "do=save&name=a&definition={}" + token, "Cookie", visit.cookies())
                                .statusCode())
                        .isEqualTo(403);
                assertThat(isPaused()).isFalse();
            }
        }
    }

    @Test
    @DisplayName("attack: forms with invalid values are refused with a message; no page fails, and nothing is changed")
    void wrongForms() {
        try (MountedConsole mounted = MountedConsole.of(console().build())) {
            Visit visit = Visit.of(mounted);
            String token = "&form-token=" + visit.token();
            for (String form : List.of(
                    "a%0Ab&do=PAUSE",
                    "a%07b&do=CANCEL",
                    "x&do=PAUSE&until=%2B12000-01-01T00:00:00Z",
                    "x&do=UPDATE&priority=9&shown.priority=9",
                    "%ED%A0%80&do=PAUSE",
                    "x&do=UPDATE&cron=0%00&shown.cron=0%00",
                    "x&do=UPDATE&zoneId=Mars/Base&shown.zoneId=Mars/Base",
                    "x&do=RERUN&job=1." + "x".repeat(5_000))) {
                nanos.addAndGet(5_000_000_000L);
                Visit fresh = Visit.of(mounted);
                String act = fresh.form().replaceAll("(^|&)(do|reason|until)=[^&]*", "") + "&reason=" + form;
                assertThat(mounted.post("/act", act + "&form-token=" + fresh.token(), "Cookie", fresh.cookies())
                                .statusCode())
                        .as(form)
                        .isIn(200, 303, 400);
            }
            nanos.addAndGet(5_000_000_000L);
            for (String form : List.of(
                    "scope=job:never&reason=x",
                    "scope=tag:a&reason=a%0Ab",
                    "scope=tag:a&reason=x&until=%2B12000-01-01T00:00:00Z",
                    "scope=tag:" + "x".repeat(900) + "&reason=x",
                    "scope=&reason=x",
                    "do=resume&scope=job:never")) {
                assertThat(mounted.post("/pauses", form + token, "Cookie", visit.cookies())
                                .statusCode())
                        .as(form)
                        .isIn(200, 400);
            }
            nanos.addAndGet(5_000_000_000L);
            String deep = "[".repeat(5_000) + "]".repeat(5_000);
            for (String definition : List.of(deep, "%7B%22kind%22:" + deep + "%7D", "null", "7", "%7B%7D")) {
                assertThat(mounted.post(
                                        "/calendars",
                                        "do=save&name=c&reason=x&definition=" + definition + token,
                                        "Cookie",
                                        visit.cookies())
                                .statusCode())
                        .as(definition.substring(0, Math.min(20, definition.length())))
                        .isIn(200, 400);
            }
            assertThat(isPaused()).isFalse();
            assertThat(fixture.scheduler.findJobById("pay-1")).isPresent();
            assertThat(fixture.scheduler.pauses()).isEmpty();
            assertThat(fixture.scheduler.calendars().list()).isEmpty();
        }
    }

    @Test
    @DisplayName("attack: addresses with invalid values are refused with a message; no page fails")
    void wrongAddresses() {
        try (MountedConsole mounted = MountedConsole.of(console().build())) {
            for (String path : List.of(
                    "/jobs?prefix=%00",
                    "/jobs?prefix=%ED%A0%80",
                    "/jobs?after=%00&state=FAILED",
                    "/jobs?from=999999d&until=today",
                    "/jobs?from=%2B999999999-12-31T23:59:59Z",
                    "/jobs?from=-999999999-01-01T00:00:00Z",
                    "/jobs?sort=%00&sort=-x",
                    "/job?key=%00",
                    "/job?key=" + "x".repeat(900),
                    "/failures?since=999999d",
                    "/failures?since=-999999999-01-01T00:00:00Z",
                    "/calendars?name=%00&name=%1B",
                    "/%2e%2e/%2e%2e/etc/passwd",
                    "/static/..%2f..%2fx")) {
                nanos.addAndGet(1_000_000_000L);
                assertThat(mounted.get(path).statusCode()).as(path).isIn(200, 400, 404);
            }
        }
    }

    @Test
    @DisplayName("attack: a form leads back into the console only")
    void elsewhere() {
        try (MountedConsole mounted = MountedConsole.of(console().build())) {
            Visit visit = Visit.of(mounted);
            for (String back : List.of("//evil.example.org", "http://evil.example.org", "/\\evil.example.org")) {
                HttpResponse<String> answer = mounted.post(
                        "/zone",
                        "zone=UTC&back=" + java.net.URLEncoder.encode(back, StandardCharsets.UTF_8) + "&form-token="
                                + visit.token(),
                        "Cookie",
                        visit.cookies());
                assertThat(value(answer, "Location")).isEqualTo(MountedConsole.PATH + "/");
            }
        }
    }
}
