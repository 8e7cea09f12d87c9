package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The page of a calendar: the jobs that it lists, and the preview of an edit. */
class CalendarUsersTest {
    private final ConsoleFixture fixture = new ConsoleFixture();
    private final Scheduler clerk = fixture.scheduler(ControlledHelper.types(Scheduler.builder()));
    private final AtomicLong nanos = new AtomicLong();
    /** How much time passes with each look at the clock. */
    private final AtomicLong step = new AtomicLong();

    private final MountedConsole console = MountedConsole.of(fixture.console()
            .allowChanges(true)
            .access(request -> Optional.of(Viewer.operator("ann")))
            .nanos(() -> nanos.addAndGet(step.get()))
            .build());

    @BeforeEach
    void fill() {
        for (String name : List.of("closed", "other")) {
            clerk.calendars().put(name, Map.of("kind", "weekly", "exclude-days", List.of("SUNDAY")));
        }
        clerk.scheduleJob(job("names-it").calendar("closed").build());
        clerk.scheduleJob(job("names-none").build());
    }

    private static JobSpecificationBuilder job(String key) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("tests")
                .triggerCommand(new ControlledHelper.Payment("ends", "BE12", 1))
                .triggerIdentifier(key)
                .schedulingSpecification("0 0 12 * * ?");
    }

    @AfterEach
    void close() {
        console.close();
        fixture.close();
    }

    @Test
    @DisplayName("X1: a stored calendar whose reading ends in an Error hides no page; it alone is called unreadable")
    void unreadable() {
        clerk.calendars().put("sunk", Map.of("kind", "weekly", "exclude-days", List.of("MONDAY")));
        try (MountedConsole broken = MountedConsole.of(fixture.console()
                .calendarReader(definition -> {
                    if (String.valueOf(definition).contains("MON")) {
                        throw new StackOverflowError();
                    }
                    return CalendarDefinition.of(definition).calendar();
                })
                .access(request -> Optional.of(Viewer.operator("ann")))
                .build())) {
            HttpResponse<String> all = broken.get("/calendars");
            assertThat(all.statusCode()).isEqualTo(200);
            assertThat(all.body()).contains("closed", "sunk").containsOnlyOnce("StackOverflowError");
            assertThat(broken.get("/calendars?name=sunk").statusCode()).isEqualTo(200);
            assertThat(broken.get("/job?key=names-it").statusCode()).isEqualTo(200);
            assertThat(broken.get("/forecast").statusCode()).isEqualTo(200);
        }
    }

    private static final String OPERATION = "name=\"operation\" value=\"";

    private HttpResponse<String> edit(String name, int version, String action, String... excluded) {
        return edit("/calendars", name, version, action, excluded);
    }

    /** What is saved was shown before. */
    private HttpResponse<String> edit(String path, String name, int version, String action, String... excluded) {
        String shown = action.equals("save") ? shown(edit(path, name, version, "preview", excluded)) : "";
        return sent(path, name, version, action, shown, excluded);
    }

    private static String shown(HttpResponse<String> preview) {
        return Pattern.compile("name=\"shown\" value=\"([^\"]*)\"")
                .matcher(preview.body())
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }

    private HttpResponse<String> sent(
            String path, String name, int version, String action, String shown, String... excluded) {
        return sent(1, path, name, version, action, shown, excluded);
    }

    /** The answer to the last of so many equal requests. */
    private HttpResponse<String> sent(
            int times, String path, String name, int version, String action, String shown, String... excluded) {
        var page = console.get("/calendars?name=" + name);
        String head = "name=\"form-token\" value=\"";
        int token = page.body().indexOf(head) + head.length();
        String days = Stream.of(excluded).map(day -> '"' + day + '"').collect(Collectors.joining(","));
        String definition = "{\"kind\": \"weekly\", \"exclude-days\": [" + days + "]}";
        int operation = page.body().indexOf(OPERATION) + OPERATION.length();
        String form = "name=" + name + "&version=" + version + "&do=" + action + "&reason=CR-7&shown=" + shown
                + "&definition="
                + URLEncoder.encode(definition, StandardCharsets.UTF_8) + "&form-token="
                + page.body().substring(token, page.body().indexOf('"', token)) + "&operation="
                + page.body().substring(operation, page.body().indexOf('"', operation));
        HttpResponse<String> answer = console.post(path, form, "Cookie", MountedConsole.cookies(page));
        for (int i = 1; i < times; i++) {
            answer = console.post(path, form, "Cookie", MountedConsole.cookies(page));
        }
        return answer.statusCode() == 303
                ? console.get(
                        answer.headers().firstValue("Location").orElseThrow().substring(MountedConsole.PATH.length()))
                : answer;
    }

    @Test
    @DisplayName("console: the preview of an edit shows how many days and jobs were examined, and that a list is cut")
    void examined() {
        assertThat(edit("closed", 1, "preview", "SUNDAY", "MONDAY").body())
                .containsPattern("Examined 366 days from [0-9-]{10}: 5[23] would change[.]")
                .contains("Examined the next fire of 1 job that names it: ")
                .doesNotContain("are listed");
        assertThat(edit("closed", 1, "preview", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY")
                        .body())
                .containsPattern(
                        "Examined 366 days from [0-9-]{10}: 26[0-3] would change; the first 120 are listed[.]");
        for (int i = 0; i < 200; i++) {
            clerk.scheduleJob(job("more-" + i).calendar("closed").build());
        }
        assertThat(edit("closed", 1, "preview", "MONDAY").body())
                .contains("Examined the next fire of 200 jobs that name it, of more: ");
        assertThat(console.get("/calendars?name=closed").body()).contains("The first 200 are listed; there are more.");
    }

    @Test
    @DisplayName("20: the preview of an edit takes a second for all jobs together, and says how many it has looked at")
    void bounded() {
        for (int i = 0; i < 20; i++) {
            clerk.scheduleJob(job("more-" + i).calendar("closed").build());
        }
        assertThat(edit("closed", 1, "preview", "MONDAY").body())
                .contains("Examined the next fire of 21 jobs that name it: ", "180 days 21 would change.");
        step.set(60_000_000);
        assertThat(edit("closed", 1, "preview", "MONDAY").body())
                .containsPattern("Examined the next fire of 1[0-9] jobs that name it, of more: ")
                .contains("180 days 1 would change, of the first 1 of them: more would take too long.");
        step.set(30_000_000);
        assertThat(edit("closed", 1, "preview", "MONDAY").body())
                .contains("Examined the next fire of 21 jobs that name it: ")
                .containsPattern(
                        "180 days 1[0-9] would change, of the first 1[0-9] of them: more would take too long[.]");
    }

    @Test
    @DisplayName("20: the preview of an edit looks at a bounded number of fires for all jobs together")
    void boundedFires() {
        clerk.calendars().put("busy", Map.of("kind", "weekly", "exclude-days", List.of()));
        for (int i = 0; i < 8; i++) {
            clerk.scheduleJob(job("each-minute-" + i)
                    .calendar("busy")
                    .schedulingSpecification("0 * * * * ?")
                    .build());
        }
        assertThat(edit("busy", 1, "preview", "SUNDAY").body())
                .contains("Examined the next fire of 8 jobs that name it: ")
                .containsPattern("180 days [67] would change, of the first [67] of them: more would take too long[.]");
    }

    @Test
    @DisplayName("20: the jobs that an edit would move are sorted by each column; the edit stays on the page")
    void sorted() {
        clerk.scheduleJob(job("at-one")
                .calendar("closed")
                .schedulingSpecification("0 0 13 * * ?")
                .build());
        String[] weekdays = {"MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"};
        for (String column : List.of("job", "now", "then")) {
            String up = edit("/calendars?sort=moved." + column, "closed", 1, "preview", weekdays)
                    .body();
            assertThat(up)
                    .containsPattern("ascending\"><button[^>]*sort=-moved." + column + "#moved-title\"")
                    .contains("2 would move", "FRIDAY");
            String down = edit("/calendars?sort=-moved." + column, "closed", 1, "preview", weekdays)
                    .body();
            assertThat(down).contains("descending");
            assertThat(rows(down)).containsExactly(rows(up).get(1), rows(up).get(0));
        }
        assertThat(rows(edit("/calendars?sort=-moved.job", "closed", 1, "preview", weekdays)
                        .body()))
                .containsExactly("names-it", "at-one");
        assertThat(clerk.calendars().list()).allMatch(calendar -> calendar.version() == 1);
    }

    private static List<String> rows(String page) {
        return Pattern.compile("<th scope=\"row\"><bdi>([^<]*)</bdi>")
                .matcher(page)
                .results()
                .map(row -> row.group(1))
                .toList();
    }

    @Test
    @DisplayName("console: a preview finds the next fire behind any number of excluded times")
    void farAway() {
        clerk.calendars().put("busy", Map.of("kind", "weekly", "exclude-days", List.of()));
        clerk.scheduleJob(job("each-minute")
                .calendar("busy")
                .schedulingSpecification("0 * * * * ?")
                .build());
        String today = ZonedDateTime.now(ZoneOffset.UTC).getDayOfWeek().name();
        String tomorrow =
                ZonedDateTime.now(ZoneOffset.UTC).plusDays(1).getDayOfWeek().name();
        assertThat(edit("busy", 1, "preview", today, tomorrow).body())
                .contains("Examined the next fire of 1 job that names it: 1 would move.")
                .doesNotContain("no fire");
    }

    @Test
    @DisplayName("20: an edit that is not the one of the preview is not saved; what it would move is shown first")
    void unseen() {
        String shown = shown(edit("other", 1, "preview", "FRIDAY"));
        HttpResponse<String> changed = sent("/calendars", "other", 1, "save", shown, "TUESDAY");
        assertThat(changed.body())
                .contains("not saved", "What this edit would change", "TUESDAY")
                .as("the reason is kept as it was typed")
                .contains("value=\"CR-7\"")
                .doesNotContain("chip good");
        assertThat(sent("/calendars", "other", 1, "save", "", "TUESDAY").body()).contains("not saved");
        assertThat(clerk.calendars().list()).allMatch(calendar -> calendar.version() == 1);
        assertThat(sent("/calendars", "other", 1, "save", shown(changed), "TUESDAY")
                        .body())
                .contains("chip good")
                .doesNotContain("not saved");
    }

    @Test
    @DisplayName("console: an edit of a version that was replaced is refused, and its text stays on the page")
    void replaced() {
        String shown = shown(edit("other", 1, "preview", "TUESDAY"));
        assertThat(edit("other", 1, "save", "FRIDAY").body()).contains("saved");
        String late = sent("/calendars", "other", 1, "save", shown, "TUESDAY").body();
        assertThat(late).contains("changed since", "version 2", "TUESDAY").doesNotContain("chip good");
        assertThat(clerk.calendars().list().stream()
                        .filter(calendar -> calendar.name().equals("other")))
                .allMatch(calendar -> calendar.version() == 2
                        && calendar.definition().get("exclude-days").equals(List.of("FRIDAY")));
        assertThat(edit("other", 2, "save", "TUESDAY").body()).contains("saved");
    }

    @Test
    @DisplayName("console: an edit that is sent twice is stored once, and both answers say so")
    void sentTwice() {
        String shown = shown(edit("other", 1, "preview", "TUESDAY"));
        assertThat(sent(2, "/calendars", "other", 1, "save", shown, "TUESDAY").body())
                .contains("saved")
                .doesNotContain("changed since", "nothing was stored");
        assertThat(clerk.calendars().list().stream()
                        .filter(calendar -> calendar.name().equals("other")))
                .allMatch(calendar -> calendar.version() == 2);
    }

    @Test
    @DisplayName(
            "console: a calendar with a zone of its own is drawn, and compared with its edit, by the days of that zone")
    void ownZone() {
        Map<String, Object> holiday =
                Map.of("kind", "holiday", "exclude-dates", List.of("2027-03-03"), "timezone", "Asia/Tokyo");
        clerk.calendars().put("tokyo", holiday);
        assertThat(console.get("/calendars?name=tokyo&year=2027").body())
                .contains("tokyo in Asia/Tokyo", "Wed 2027-03-03: excluded by tokyo", "1 days are excluded")
                .doesNotContain("Tue 2027-03-02: excluded");
    }
}
