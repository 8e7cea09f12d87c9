package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.Scheduler;
import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.ExclusionCalendar;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of the fires to come that are not ordinary. */
class ForecastTest {
    private static final Pattern KEY = Pattern.compile("/job\\?key=([^\"&]+)\"");

    private final ConsoleFixture fixture = new ConsoleFixture();
    private final LocalDate holiday = LocalDate.now(ZoneOffset.UTC).plusDays(20);

    @AfterEach
    void close() {
        fixture.close();
    }

    private MountedConsole mount(Viewer viewer) {
        // no time passes, so that no preview ends early
        return fixture.mount(fixture.console()
                .allowChanges(true)
                .access(request -> Optional.of(viewer))
                .nanos(() -> 0));
    }

    private static JobSpecificationBuilder job(String key, String application) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("treasury")
                .applicationTag(application)
                .triggerCommand(new EncodedCommand("book", 1, Map.of()))
                .triggerIdentifier(key)
                .zoneId("UTC")
                .schedulingSpecification("0 0 12 * * ?");
    }

    private static JobSpecificationBuilder of(String key) {
        return job(key, "ledger");
    }

    /** A page of the forecast that is over. */
    private static String page(MountedConsole console, String query) {
        return await().atMost(Browser.PATIENCE)
                .until(() -> console.get("/forecast" + query).body(), body -> !body.contains("goes on by itself"));
    }

    /** Damages the document of a job. */
    private void tear(String key) {
        fixture.client()
                .getDatabase(fixture.database())
                .getCollection("jobSpecification")
                .updateOne(Filters.eq("jobSpecificationKey", key), Updates.set("claimSeq", "many"));
    }

    private static Set<String> keys(String page) {
        Set<String> keys = new TreeSet<>();
        KEY.matcher(page).results().forEach(key -> keys.add(key.group(1)));
        return keys;
    }

    private void holidays(List<String> dates) {
        fixture.scheduler.calendars().put("bank", Map.of("kind", "holiday", "exclude-dates", dates));
    }

    private static String field(String page, String name) {
        String head = "name=\"" + name + "\" value=\"";
        int at = page.indexOf(head) + head.length();
        return page.substring(at, page.indexOf('"', at));
    }

    /** The page of the calendar with the effects of an edit that excludes these days. */
    private static String preview(MountedConsole console, List<String> dates) {
        var page = console.get("/calendars?name=bank");
        String definition = "{\"kind\": \"holiday\", \"exclude-dates\": [\"" + String.join("\", \"", dates) + "\"]}";
        return console.post(
                        "/calendars",
                        "name=bank&version=1&do=preview&form-token=" + field(page.body(), "form-token") + "&definition="
                                + URLEncoder.encode(definition, StandardCharsets.UTF_8),
                        "Cookie",
                        MountedConsole.cookies(page))
                .body();
    }

    @Test
    @DisplayName("S23: a page may begin behind ten thousand findings, and no further than a forecast has some")
    void lastBeginning() {
        MountedConsole console = mount(Viewer.reader("ann"));
        assertThat(console.get("/forecast?begin=19900").statusCode()).isEqualTo(200);
        assertThat(console.get("/forecast?begin=100000").statusCode()).isEqualTo(400);
    }

    @Test
    @DisplayName("S23: adding a holiday changes the forecast by exactly the jobs that the preview of the edit counts")
    void holiday() {
        holidays(List.of("2001-01-01"));
        String weekly = "0 0 12 ? * " + holiday.getDayOfWeek().name().substring(0, 3);
        String yearly = "0 0 12 " + holiday.getDayOfMonth() + " " + holiday.getMonthValue() + " ?";
        LocalDate after = holiday.plusDays(1);
        fixture.scheduler.scheduleJob(
                of("weekly").calendar("bank").schedulingSpecification(weekly).build());
        fixture.scheduler.scheduleJob(
                of("yearly").calendar("bank").schedulingSpecification(yearly).build());
        fixture.scheduler.scheduleJob(of("shifted")
                .calendar("bank")
                .calendarPolicy(CalendarPolicy.FOLLOWING)
                .schedulingSpecification(yearly)
                .build());
        fixture.scheduler.scheduleJob(of("other-day")
                .calendar("bank")
                .schedulingSpecification("0 0 12 " + after.getDayOfMonth() + " " + after.getMonthValue() + " ?")
                .build());
        fixture.scheduler.scheduleJob(
                of("without").schedulingSpecification(weekly).build());
        MountedConsole before = mount(Viewer.operator("ann"));
        assertThat(page(before, "?next=180d")).contains("Each fire in this time is an ordinary one");
        assertThat(preview(before, List.of("2001-01-01", holiday.toString())))
                .contains("Examined the next fire of 4 jobs that name it: 2 would move.")
                .contains("In the forecast of 180 days 3 would change.");
        holidays(List.of("2001-01-01", holiday.toString()));
        String then = page(mount(Viewer.operator("ann")), "?next=180d");
        assertThat(keys(then)).containsExactly("shifted", "weekly", "yearly");
        assertThat(then)
                .contains(holiday + " <span", "calendar bank", "dropped by a calendar", "shifted by a calendar");
    }

    @Test
    @DisplayName("S23: a viewer of some applications sees findings of their jobs, and nothing of others")
    void others() {
        holidays(List.of(holiday.toString()));
        fixture.scheduler.scheduleJob(of("mine").calendar("bank").build());
        fixture.scheduler.scheduleJob(
                job("secret-job", "secret").calendar("bank").build());
        fixture.scheduler.pause(
                PauseScope.commandType("secret-type"),
                new Pause("secret-reason", "eve", Instant.now().plusSeconds(3600), null));
        for (String application : List.of("ledger", "secret")) {
            fixture.scheduler.scheduleJob(
                    job("torn-" + application, application).build());
            tear("torn-" + application);
        }
        Applications ledger = Applications.of("ledger");
        MountedConsole lea = mount(new Viewer("lea", ledger, ledger, ledger, ledger));
        String seen = page(lea, "");
        assertThat(keys(seen)).containsExactly("mine");
        assertThat(seen)
                .doesNotContain("secret", "cannot be read")
                .contains("jobs that you may see", "<span class=\"count\">1</span>");
        Applications both = Applications.of("ledger", "audit");
        assertThat(page(mount(new Viewer("max", both, both, both, both)), "")).doesNotContain("cannot be read");
        String all = page(mount(Viewer.operator("ann")), "");
        assertThat(keys(all)).containsExactly("mine", "secret-job");
        assertThat(all).contains("2 jobs: cannot be read");
    }

    @Test
    @DisplayName("S23: the forecast is restricted to a kind, and shown in pages; the page of calendars leads to it")
    void kinds() {
        List<String> dates = holiday.datesUntil(holiday.plusDays(240), java.time.Period.ofDays(2))
                .map(LocalDate::toString)
                .toList();
        holidays(dates);
        fixture.scheduler.scheduleJob(of("daily").calendar("bank").build());
        fixture.scheduler.scheduleJob(of("ends")
                .endAt(holiday.atStartOfDay().toInstant(ZoneOffset.UTC))
                .build());
        MountedConsole console = mount(Viewer.operator("ann"));
        String whole = page(console, "?next=366d");
        assertThat(keys(whole)).containsExactly("daily", "ends");
        assertThat(whole).contains("aria-current=\"true\">366d", "kind=ENDS");
        assertThat(whole).contains("21 later ones", "begin=100\"").doesNotContain("Earlier ones");
        assertThat(page(console, "?next=366d&begin=100"))
                .contains("Earlier ones")
                .doesNotContain("later ones");
        assertThat(keys(page(console, "?next=366d&kind=ENDS"))).containsExactly("ends");
        assertThat(page(console, "?next=366d&kind=PAUSED")).doesNotContain("In the order of time", "key=daily");
        assertThat(console.get("/calendars").body()).contains("/forecast\"");
        for (String wrong : List.of("?next=0d", "?next=401d", "?next=soon", "?kind=NONE", "?begin=x")) {
            assertThat(console.get("/forecast" + wrong).statusCode()).as(wrong).isEqualTo(400);
        }
    }

    /** A calendar of the service that has lost what it needs. */
    private record Broken(boolean error) implements ExclusionCalendar {
        @Override
        public boolean isIncluded(Instant instant, ZoneId jobZone) {
            if (error) {
                throw new NoClassDefFoundError("the table of holidays is gone");
            }
            throw new IllegalStateException("the table of holidays is gone");
        }

        @Override
        public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone) {
            return isIncluded(from, jobZone) ? Optional.of(from) : Optional.empty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("X1: a calendar of the service that throws keeps its own jobs from previews, and no others")
    void brokenCalendar(boolean error) {
        holidays(List.of("2001-01-01"));
        ExclusionCalendar sound = CalendarDefinition.of(
                        Map.of("kind", "holiday", "exclude-dates", List.of("2001-01-01")))
                .calendar();
        Scheduler service = fixture.scheduler(Scheduler.builder().calendar("own", sound));
        service.scheduleJob(of("broken").calendar("own").build());
        service.scheduleJob(of("of-both").calendar("bank").calendar("own").build());
        LocalDate tomorrow = LocalDate.now(ZoneOffset.UTC).plusDays(1);
        service.scheduleJob(of("sound")
                .calendar("bank")
                .schedulingSpecification("0 0 * * * ?")
                .endAt(holiday.atTime(23, 30).toInstant(ZoneOffset.UTC))
                .build());
        MountedConsole console = fixture.mount(fixture.console()
                .allowChanges(true)
                .calendar("own", new Broken(error))
                .access(request -> Optional.of(Viewer.operator("ann")))
                .nanos(() -> 0));
        String forecast = page(console, "");
        assertThat(keys(forecast)).containsExactly("sound");
        assertThat(forecast).contains("2 jobs: cannot be planned here", "or fails");
        String day = console.get("/day?date=" + tomorrow).body();
        assertThat(day).contains("Of 2 jobs only the next fire is shown", "or fails");
        assertThat(preview(console, List.of("2001-01-01", holiday.toString())))
                .contains("Examined the next fire of 2 jobs that name it: 0 would move.")
                .contains(
                        "In the forecast of 180 days 1 would change. 1 of them have no fire that this console can plan.");
        assertThat(console.get("/calendars?year=2001").body())
                .contains("calendar 'own' has failed: the table of holidays is gone")
                .contains("Mon 2001-01-01: excluded by bank");
        Visitor visitor = new Visitor(console).previews("broken", "UPDATE");
        visitor.send(visitor.form("name=\"confirmed\"")
                .with("cron", "0 45 3 ? * MON")
                .with("confirmed", "no"));
        assertThat(visitor.body())
                .contains("After the change")
                .contains("Its next fires are not known here")
                .contains("calendar 'own' has failed: the table of holidays is gone");
    }
}
