package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the page of a day says of the past and of what is to come. */
class DayTest {
    private static final Pattern CELL = Pattern.compile(
            "<td class=\"([^\"]*)\"><(?:a|span role=\"img\") class=\"(\\w+)\"(?: href=\"([^\"]*)\")? title=\"([^\"]*)\" aria-label=\"([^\"]*)\">(.)</(?:a|span)>");

    private static final Pattern LANE = Pattern.compile("<th scope=\"row\"><bdi title=\"([^\"]*)\">");

    private final ConsoleFixture fixture = new ConsoleFixture();
    private final LocalDate today = LocalDate.now(ZoneOffset.UTC);
    private final LocalDate past = today.minusDays(2);
    private final LocalDate ahead = today.plusDays(2);
    private MountedConsole mounted;

    /** A cell in which something happens, as the page shows it. */
    private record Cell(String css, String tone, String href, String words, String shape) {
        static Cell of(MatchResult found) {
            assertThat(found.group(4)).as("seen and heard").isEqualTo(found.group(5));
            return new Cell(
                    found.group(1),
                    found.group(2),
                    Objects.requireNonNullElse(found.group(3), "").replace("&amp;", "&"),
                    found.group(4),
                    found.group(6));
        }
    }

    @BeforeEach
    void mount() {
        mounted = fixture.mount(fixture.console().access(request -> Optional.of(Viewer.operator("ann"))));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Instant at(LocalDate date, String time) {
        return Instant.parse(date + "T" + time + ":00Z");
    }

    /** What a node has reported of a minute, without the number of its failed fires. */
    private void ran(Instant minute, String type, Map<String, Long> outcomes, long late, long missed, long tooLate) {
        ran(minute, type, outcomes, new Document(), late, missed, tooLate);
    }

    private void ran(
            Instant minute,
            String type,
            Map<String, Long> outcomes,
            Document failed,
            long late,
            long missed,
            long tooLate) {
        Document of = new Document("type", type)
                .append("outcomes", new Document(outcomes))
                .append("retries", 0L)
                .append("late", late)
                .append("missed", missed)
                .append("tooLate", tooLate)
                .append("lateness", List.of())
                .append("worst", "PT0S");
        of.putAll(failed);
        fixture.client()
                .getDatabase(fixture.database())
                .getCollection("minute")
                .insertOne(new Document("_id", new Document("minute", Date.from(minute)).append("node", "n-" + type))
                        .append("types", List.of(of))
                        .append("missed", missed));
    }

    private static JobSpecificationBuilder job(String key, String type) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("treasury")
                .triggerCommand(new EncodedCommand(type, 1, Map.of()))
                .triggerIdentifier(key);
    }

    private String page(LocalDate date) {
        return mounted.get("/day?date=" + date).body();
    }

    private static List<Cell> cells(String page) {
        return CELL.matcher(page).results().map(Cell::of).toList();
    }

    private static List<String> lanes(String page) {
        return LANE.matcher(page).results().map(lane -> lane.group(1)).toList();
    }

    private String follow(Cell cell) {
        return mounted.get(cell.href().substring(MountedConsole.PATH.length())).body();
    }

    @Test
    @DisplayName(
            "console: the day shows for each type and half hour the worst that happened, how often, and where it is")
    void past() {
        ran(at(past, "02:30"), "pay", Map.of("SUCCEEDED", 20L, "RETRIES_EXHAUSTED", 1L), 1, 0, 0);
        ran(at(past, "02:59"), "pay", Map.of("SUCCEEDED", 4L, "ATTEMPT_FAILED", 1L), 0, 0, 0);
        ran(at(past, "03:00"), "pay", Map.of("MISSED", 2L, "SUCCEEDED", 1L), 1, 7, 2);
        ran(at(past, "04:10"), "pay", Map.of("SUCCEEDED", 2L), 1, 0, 0);
        ran(at(past, "23:59"), "pay", Map.of("SUCCEEDED", 1L), 0, 0, 0);
        ran(at(past.plusDays(1), "00:00"), "pay", Map.of("SUCCEEDED", 9L), 0, 0, 0);
        String page = page(past);
        assertThat(cells(page))
                .extracting(Cell::words)
                .containsExactly(
                        "pay, 02:30 to 03:00: 1 failed, 1 late, 26 ran",
                        "pay, 03:00 to 03:30: 7 missed, 2 of these too late, 1 late, 1 ran",
                        "pay, 04:00 to 04:30: 1 late, 2 ran",
                        "pay, 23:30 to 00:00: 1 ran");
        assertThat(cells(page)).extracting(Cell::shape).containsExactly("✕", "▲", "◆", "●");
        assertThat(cells(page)).extracting(Cell::tone).containsExactly("bad", "warn", "warn", "good");
        assertThat(cells(page).get(0).href())
                .endsWith("/failures?since=" + past + "T02:30:00Z&until=" + past + "T03:00:00Z&type=pay");
        assertThat(cells(page).get(3).href()).endsWith("/jobs?type=pay");
        assertThat(follow(cells(page).get(0))).contains("of <bdi>pay</bdi>");
        assertThat(page).contains("Day before", "Day after").doesNotContain(" now\"", "swatch now");
        fixture.scheduler.scheduleJob(
                job("tick", "tick").schedulingSpecification("* * * * * ?").build());
        assertThat(mounted.get("/day").body()).contains("swatch now").containsPattern("<td class=\" now[^\"]*\">");
    }

    @Test
    @DisplayName(
            "console: the day ahead shows every fire of a recurring job, not its next one alone, and leads to the jobs of a time")
    void ahead() {
        fixture.scheduler.scheduleJob(
                job("hourly", "report").schedulingSpecification("0 0 * * * ?").build());
        fixture.scheduler.scheduleJob(
                job("once", "pay").singleSchedule(at(ahead, "10:15")).build());
        fixture.scheduler.scheduleJob(job("later", "pay")
                .singleSchedule(at(ahead.plusDays(1), "10:15"))
                .build());
        List<Cell> cells = cells(page(ahead));
        assertThat(cells.stream().filter(cell -> cell.words().startsWith("report")))
                .hasSize(24)
                .allMatch(cell -> cell.words().endsWith(":00 to " + cell.words().substring(8, 10) + ":30: 1 planned"))
                .allMatch(cell -> cell.shape().equals("○"));
        List<Cell> pay =
                cells.stream().filter(cell -> cell.words().startsWith("pay")).toList();
        assertThat(pay).extracting(Cell::words).containsExactly("pay, 10:00 to 10:30: 1 planned");
        assertThat(follow(pay.get(0))).contains("key=once\"").doesNotContain("key=later\"", "key=hourly\"");
        assertThat(follow(cells.stream()
                        .filter(cell -> cell.words().startsWith("report"))
                        .findFirst()
                        .orElseThrow()))
                .contains("key=hourly\"");
        assertThat(cells(page(past))).isEmpty();
    }

    @Test
    @DisplayName("console: the day ahead ends with the last fire that maxFires leaves a job")
    void lastOfMany() {
        fixture.scheduler.scheduleJob(job("few", "report")
                .schedulingSpecification("0 0 * * * ?")
                .startAt(at(ahead, "02:00"))
                .maxFires(3)
                .build());
        assertThat(cells(page(ahead)))
                .extracting(Cell::words)
                .containsExactly(
                        "report, 02:00 to 02:30: 1 planned",
                        "report, 03:00 to 03:30: 1 planned",
                        "report, 04:00 to 04:30: 1 planned");
    }

    @Test
    @DisplayName(
            "console: a job that fires each second is shown through the whole day, and the page says that it is more")
    void often() {
        fixture.scheduler.scheduleJob(
                job("tick", "tick").schedulingSpecification("* * * * * ?").build());
        assertThat(cells(page(ahead))).hasSize(48).allMatch(cell -> cell.words().endsWith("or more planned"));
    }

    @Test
    @DisplayName(
            "console: a pause is a band on the lane of its type from its beginning to its end, and on no other lane")
    void paused() {
        Instant end = at(ahead, "06:00");
        fixture.scheduler.scheduleJob(
                job("hourly", "report").schedulingSpecification("0 0 * * * ?").build());
        fixture.scheduler.scheduleJob(
                job("daily", "pay").schedulingSpecification("0 0 5 * * ?").build());
        fixture.scheduler.pause(PauseScope.commandType("report"), new Pause("CR-1", "ann", end));
        fixture.scheduler.pause(PauseScope.tag("night"), new Pause("CR-2", "ann", null));
        String page = page(ahead);
        assertThat(lanes(page)).containsExactly("report", "pay", "tag:night");
        assertThat(cells(page).stream().filter(cell -> cell.words().endsWith("planned, paused")))
                .extracting(cell -> cell.words().substring(0, 13))
                .containsExactly(
                        "report, 00:00",
                        "report, 01:00",
                        "report, 02:00",
                        "report, 03:00",
                        "report, 04:00",
                        "report, 05:00");
        assertThat(cells(page))
                .allMatch(cell -> cell.css().contains("held") == cell.words().endsWith("paused"));
        assertThat(page.split("class=\"held\"", -1))
                .as("report until 06:00, the tag all day")
                .hasSize(12 + 48 + 1);
        assertThat(page(past)).as("before the pause").doesNotContain("class=\"held\"", "tag:night");
    }

    @Test
    @DisplayName(
            "console: the day counts as failed what the failures and the metrics do; an older node's report by names")
    void failed() {
        ran(at(past, "01:00"), "pay", Map.of("ABANDONED", 2L), new Document("failed", 1L), 0, 0, 0);
        ran(at(past, "02:00"), "pay", Map.of("CRASHED", 1L, "SUCCEEDED", 1L), new Document("failed", 0L), 0, 0, 0);
        ran(at(past, "03:00"), "pay", Map.of("CRASHED", 1L), new Document("failed", 0L), 0, 0, 0);
        ran(at(past, "04:00"), "pay", Map.of("CRASHED", 2L), new Document("failed", 1L), 0, 0, 0);
        ran(at(past, "04:10"), "pay", Map.of("EXPIRED", 1L, "CRASHED", 1L, "ABANDONED", 7L), 0, 0, 0);
        ran(at(past, "05:00"), "pay", Map.of("NON_RETRYABLE", 1L), new Document("failed", "x"), 0, 0, 0);
        ran(at(past, "06:00"), "pay", Map.of("RETRIES_EXHAUSTED", 1L), 0, 0, 0);
        assertThat(cells(page(past)))
                .extracting(Cell::words)
                .containsExactly(
                        "pay, 01:00 to 01:30: 1 failed",
                        "pay, 02:00 to 02:30: 1 ran",
                        "pay, 04:00 to 04:30: 3 failed",
                        "pay, 05:00 to 05:30: 1 ran",
                        "pay, 06:00 to 06:30: 1 failed, 1 ran");
    }

    @Test
    @DisplayName("console: each pause of a lane is drawn on it, and named below")
    void pausedTwice() {
        fixture.scheduler.scheduleJob(
                job("hourly", "report").schedulingSpecification("0 0 * * * ?").build());
        fixture.scheduler.scheduleJob(
                job("daily", "pay").schedulingSpecification("0 0 5 * * ?").build());
        fixture.scheduler.pause(PauseScope.commandType("report"), new Pause("CR-1", "ann", at(ahead, "02:00")));
        fixture.scheduler.pause(
                PauseScope.everything(), new Pause("CR-2", "ann", at(ahead, "11:00")).from(at(ahead, "10:00")));
        String page = page(ahead);
        assertThat(cells(page).stream().filter(cell -> cell.words().endsWith("planned, paused")))
                .extracting(cell -> cell.words().substring(0, 13))
                .containsExactly("report, 00:00", "report, 01:00", "report, 10:00");
        assertThat(page.split("class=\"held\"", -1))
                .as("report in two hours and in another, pay in that")
                .hasSize(4 + 2 + 2 + 1);
        assertThat(page.split("chip hold", -1)).as("report twice, pay once").hasSize(4);
    }

    @Test
    @DisplayName("console: the day has at most twelve lanes, the most active first; the last one is that of all others")
    void bounded() {
        for (int i = 10; i < 24; i++) {
            ran(at(past, "02:30"), "t" + i, Map.of("SUCCEEDED", 100L - i), 0, 0, 0);
        }
        ran(at(past, "02:31"), "broken", Map.of("RETRIES_EXHAUSTED", 1L), 0, 0, 0);
        String page = page(past);
        assertThat(lanes(page)).hasSize(12).startsWith("t10", "t11").endsWith("t20", "other types (4)");
        assertThat(cells(page).get(11).words())
                .isEqualTo("other types (4), 02:30 to 03:00: 1 failed, " + (79 + 78 + 77 + 1) + " ran");
        assertThat(page)
                .as("no page lists the jobs or failures of these types alone")
                .containsPattern("<th scope=\"row\"><bdi>other types \\(4\\)</bdi></th>\\s*<td class=\"number\">1</td>")
                .doesNotContainPattern("<a [^>]*other types \\(4\\)")
                .containsPattern("<th scope=\"row\"><a href=\"[^\"]*/jobs\\?type=t10\"><bdi>t10</bdi>");
    }

    @Test
    @DisplayName("console: a viewer of some applications sees how much ran, and no type, tag or reason of others")
    void others() {
        ran(at(past, "02:30"), "secret", Map.of("SUCCEEDED", 3L), 0, 0, 0);
        fixture.scheduler.pause(PauseScope.commandType("secret"), new Pause("secret", "ann", null));
        Applications ledger = Applications.of("ledger");
        MountedConsole other = fixture.mount(
                fixture.console().access(request -> Optional.of(new Viewer("lea", ledger, ledger, ledger, ledger))));
        for (LocalDate date : List.of(past, today, ahead)) {
            assertThat(other.get("/day?date=" + date).body()).doesNotContain("secret");
        }
        assertThat(other.get("/day?date=" + ahead).body())
                .as("its pause leads to the pauses")
                .contains("<th scope=\"row\"><a href=\"" + MountedConsole.PATH + "/pauses\">");
        assertThat(cells(other.get("/day?date=" + past).body()))
                .extracting(Cell::words)
                .containsExactly("all types, 02:30 to 03:00: 3 ran");
    }

    @Test
    @DisplayName("console: a day that is not stored, or too far ahead, is refused; the page Now leads to the day")
    void days() {
        for (String date :
                List.of(today.minusDays(9).toString(), today.plusDays(9).toString(), "yesterday", "2026-13-01")) {
            assertThat(mounted.get("/day?date=" + date).statusCode()).as(date).isEqualTo(400);
        }
        assertThat(page(past)).contains("Nothing ran and nothing is planned");
        fixture.scheduler.scheduleJob(job("soon", "pay")
                .singleSchedule(Instant.now().plusSeconds(1_800))
                .build());
        assertThat(mounted.get("/").body())
                .contains("/ops/almanac/day\"", "until=1h&amp;type=pay\"")
                .doesNotContain("class=\"density\"");
        assertThat(Stream.of(mounted.get("/day").body(), page(today.plusDays(1))))
                .as("today, or after midnight tomorrow")
                .anyMatch(page -> page.contains(": 1 planned"));
    }
}
