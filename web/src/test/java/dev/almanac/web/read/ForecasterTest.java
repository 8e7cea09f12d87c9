package dev.almanac.web.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.model.StoredFields;
import dev.almanac.store.Blocked;
import dev.almanac.store.FirePlan;
import dev.almanac.store.NodeReport;
import dev.almanac.store.PlanBasis;
import dev.almanac.store.Requests;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.DaylightSavingPolicy;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.web.read.Forecast.Finding;
import dev.almanac.web.read.Forecast.Kind;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which fires to come are not ordinary, and which neighbours are. */
class ForecasterTest {
    private static final Instant NOW = Instant.parse("2027-01-10T00:00:00Z");
    private static final Instant GAP = Instant.parse("2027-03-28T01:00:00Z");
    private static final Duration HALF_YEAR = Duration.ofDays(180);
    private static final String BRUSSELS = "Europe/Brussels";

    private final Map<String, ExclusionCalendar> calendars = new HashMap<>();
    private final List<StandingPause> pauses = new ArrayList<>();
    private Forecaster.Window window = Forecaster.Window.ahead(NOW, HALF_YEAR);
    private long slots = -1;
    private long work = Long.MAX_VALUE;

    private static JobSpecificationBuilder daily(String key, String cron) {
        return Specimens.specification(key).schedulingSpecification(cron);
    }

    private static StoredJob stored(JobSpecificationBuilder job) {
        return stored(job.build(), NOW.plusSeconds(60));
    }

    private static StoredJob stored(JobSpecification job, Instant next) {
        return Specimens.of(Specimens.id(), job, next).job();
    }

    private static StoredJob once(String key, String at) {
        Instant moment = Instant.parse(at);
        return stored(Specimens.specification(key).singleSchedule(moment).build(), moment);
    }

    private void calendar(String name, Object... definition) {
        Map<String, Object> fields = new HashMap<>();
        for (int i = 0; i < definition.length; i += 2) {
            fields.put((String) definition[i], definition[i + 1]);
        }
        calendars.put(name, CalendarDefinition.of(fields).calendar());
    }

    private Forecast of(StoredJob... jobs) {
        Forecaster forecaster = new Forecaster(window, calendars, pauses, slots, new Forecaster.Effort(2_000, work));
        Arrays.stream(jobs).forEach(forecaster::add);
        forecaster.look(() -> 0, 0);
        assertThat(forecaster.isDone()).isTrue();
        return forecaster.forecast(0);
    }

    private static List<Finding> of(Kind kind, Forecast forecast) {
        return forecast.findings(kind);
    }

    @Test
    @DisplayName(
            "S23: what a gap moves or loses is in the forecast; ordinary fires of that day, of other zones and one-offs are not")
    void gap() {
        Forecast forecast = of(
                stored(daily("moved", "0 30 2 * * ?").zoneId(BRUSSELS)),
                stored(daily("also-moved", "0 45 2 * * ?").zoneId(BRUSSELS)),
                stored(daily("lost", "0 30 2 * * ?").zoneId(BRUSSELS).daylightSavingPolicy(DaylightSavingPolicy.SKIP)),
                stored(daily("only-then", "0 0/15 2 * * ?").zoneId(BRUSSELS)),
                stored(daily("ordinary", "0 0 3 * * ?").zoneId(BRUSSELS)),
                stored(daily("hourly", "0 0 * * * ?").zoneId(BRUSSELS)),
                stored(daily("elsewhere", "0 30 2 * * ?")),
                once("once", GAP.toString()));
        assertThat(forecast.findings())
                .extracting(Finding::kind, Finding::at, Finding::jobs, Finding::fires, Finding::keys)
                .containsExactly(
                        tuple(Kind.MOVED_BY_GAP, GAP, 2L, 2L, List.of("also-moved", "moved")),
                        tuple(Kind.LOST_IN_GAP, GAP, 2L, 5L, List.of("lost", "only-then")));
        assertThat(forecast.findings().get(0).cause()).isEqualTo("Europe/Brussels: 02:00 to 03:00 is left out");
        assertThat(forecast.gaps()).isEmpty();
        assertThat(forecast.jobs()).isEqualTo(8);
    }

    @Test
    @DisplayName(
            "S23: what comes once or twice of a time shown twice is in the forecast; elapsed time and other hours are not")
    void overlap() {
        Instant change = Instant.parse("2027-10-31T01:00:00Z");
        window = new Forecaster.Window(
                NOW, Instant.parse("2027-07-01T00:00:00Z"), Instant.parse("2027-12-01T00:00:00Z"));
        Forecast forecast = of(
                stored(daily("once-only", "0 30 2 * * ?").zoneId(BRUSSELS)),
                stored(daily("both", "0 30 * * * ?").zoneId(BRUSSELS)),
                stored(daily("each-second", "* * * * * ?").zoneId(BRUSSELS)),
                stored(daily("first-only", "0 30 * * * ?")
                        .zoneId(BRUSSELS)
                        .daylightSavingPolicy(DaylightSavingPolicy.WALL_ONCE)),
                stored(Specimens.specification("elapsed").every("PT30M").zoneId(BRUSSELS)),
                stored(Specimens.specification("elapsed-seconds").every("PT90S").zoneId(BRUSSELS)),
                stored(daily("ordinary", "0 30 3 * * ?").zoneId(BRUSSELS)));
        assertThat(forecast.findings())
                .extracting(Finding::kind, Finding::at, Finding::jobs, Finding::fires, Finding::keys)
                .containsExactly(
                        tuple(Kind.SECOND_PASS_DROPPED, change, 2L, 2L, List.of("first-only", "once-only")),
                        tuple(Kind.DOUBLED, change, 2L, 3601L, List.of("both", "each-second")));
        assertThat(forecast.gaps()).singleElement().asString().startsWith("1 job: fire more often");
    }

    @Test
    @DisplayName(
            "S23: what a calendar drops or shifts is in the forecast by day; jobs of other days, or without it, are not")
    void holiday() {
        calendar("bank", "kind", "holiday", "exclude-dates", List.of("2027-02-02"));
        Forecast forecast = of(
                stored(daily("dropped", "0 0 12 * * ?").calendars("bank")),
                stored(daily("each-minute", "0 * * * * ?").calendars("bank")),
                stored(daily("shifted", "0 0 12 ? * TUE").calendars("bank").calendarPolicy(CalendarPolicy.FOLLOWING)),
                stored(daily("mondays", "0 0 12 ? * MON").calendars("bank")),
                stored(daily("without", "0 0 12 * * ?")));
        LocalDate day = LocalDate.parse("2027-02-02");
        assertThat(forecast.findings())
                .extracting(Finding::kind, Finding::day, Finding::jobs, Finding::fires, Finding::keys, Finding::cause)
                .containsExactlyInAnyOrder(
                        tuple(Kind.EXCLUDED, day, 2L, 1441L, List.of("dropped", "each-minute"), "calendar bank"),
                        tuple(Kind.SHIFTED_BY_CALENDAR, day, 1L, 1L, List.of("shifted"), "calendar bank"));
    }

    @Test
    @DisplayName("S23: what a calendar drops on each weekend is one finding, so that a holiday is seen among them")
    void weekends() {
        calendar("closed", "kind", "weekly", "exclude-days", List.of("SATURDAY", "SUNDAY"));
        calendar("bank", "kind", "holiday", "exclude-dates", List.of("2027-02-02", "2027-02-09"));
        Forecast forecast = of(stored(daily("job", "0 0 12 * * ?").calendars("closed", "bank")));
        assertThat(forecast.findings())
                .extracting(Finding::day, Finding::cause, Finding::days, Finding::jobs, Finding::fires)
                .containsExactly(
                        tuple(LocalDate.parse("2027-01-10"), "calendar closed, each Saturday and Sunday", 51, 1L, 51L),
                        tuple(LocalDate.parse("2027-02-02"), "calendar bank", 1, 1L, 1L),
                        tuple(LocalDate.parse("2027-02-09"), "calendar bank", 1, 1L, 1L));
        assertThat(forecast.totals())
                .extracting(Forecast.Total::kind, Forecast.Total::days, Forecast.Total::fires)
                .containsExactly(tuple(Kind.EXCLUDED, 53, 53L));
    }

    @Test
    @DisplayName("S23: jobs whose calendar is not known here are counted, and the others are looked at")
    void unknown() {
        Forecast forecast = of(
                stored(daily("of-a-service", "0 30 2 * * ?").zoneId(BRUSSELS).calendars("declared")),
                stored(daily("known", "0 30 2 * * ?").zoneId(BRUSSELS)));
        assertThat(forecast.findings()).extracting(Finding::keys).containsExactly(List.of("known"));
        assertThat(forecast.gaps()).singleElement().asString().startsWith("1 job: cannot be planned here");
    }

    @Test
    @DisplayName(
            "S23: a minute with more runs than slots is in the forecast, one with as many is not; one-offs count, cancelled jobs do not")
    void slots() {
        slots = 2;
        Forecast forecast = of(
                stored(daily("a", "0 0 12 1 2 ?")),
                stored(daily("b", "30 0 12 1 2 ?")),
                once("c", "2027-02-01T12:00:59Z"),
                stored(daily("d", "0 0 13 1 2 ?")),
                once("e", "2027-02-01T13:00:00Z"),
                stored(
                        StoredFields.of(daily("gone", "0 0 13 1 2 ?"))
                                .deleteTime(NOW.plusSeconds(1))
                                .build(),
                        NOW),
                stored(daily("last-run", "0 0 13 1 2 ?")).with(edit -> edit.requests(Requests.NONE.cancel(false))));
        assertThat(of(Kind.OVER_SLOTS, forecast))
                .extracting(Finding::at, Finding::fires, Finding::cause)
                .containsExactly(tuple(Instant.parse("2027-02-01T12:00:00Z"), 3L, "3 in a minute, 2 slots"));
        assertThat(forecast.jobs()).isEqualTo(5);
    }

    @Test
    @DisplayName("S23: minutes with too many runs at one time of most days are one finding; a spread takes them apart")
    void often() {
        slots = 2;
        StoredJob[] daily = IntStream.range(0, 3)
                .mapToObj(i -> stored(daily("noon-" + i, "0 0 12 * * ?")))
                .toArray(StoredJob[]::new);
        assertThat(of(daily).findings())
                .extracting(Finding::at, Finding::days, Finding::cause)
                .containsExactly(tuple(
                        Instant.parse("2027-01-10T12:00:00Z"),
                        180,
                        "at this time of 180 days, at most 3 in a minute, 2 slots"));
        StoredJob[] spread = IntStream.range(0, 3)
                .mapToObj(i -> stored(daily("noon-" + i, "0 0 12 * * ?").spread(Duration.ofMinutes(30))))
                .toArray(StoredJob[]::new);
        assertThat(of(spread).findings()).isEmpty();
    }

    @Test
    @DisplayName(
            "S23: slots that a live node has not reported are said, and not taken for none; silent nodes have none")
    void reported() {
        assertThat(Forecaster.slots(List.of(node("a", 4, NOW), node("b", 8, NOW.minusSeconds(3600))), List.of(), NOW))
                .isEqualTo(4);
        assertThat(Forecaster.slots(List.of(node("a", 4, NOW), node("b", 0, NOW)), List.of(), NOW))
                .isZero();
        slots = 0;
        Forecast forecast = of(stored(daily("a", "0 0 12 * * ?")));
        assertThat(forecast.findings()).isEmpty();
        assertThat(forecast.gaps()).singleElement().asString().contains("slots");
    }

    @Test
    @DisplayName("S23: a node on standby, and one that takes no type, has no slots for a forecast")
    void standby() {
        List<NodeReport> nodes = List.of(node("a", 4, NOW), node("b", 8, NOW));
        StandingPause standby = new StandingPause(PauseScope.node("b"), new Pause("repair", "ops", null), NOW);
        assertThat(Forecaster.slots(nodes, List.of(standby), NOW)).isEqualTo(4);
        assertThat(Forecaster.slots(List.of(nodes.get(0), node("d", 0, NOW, Set.of())), List.of(), NOW))
                .isEqualTo(4);
    }

    private static NodeReport node(String id, int slots, Instant seen) {
        return node(id, slots, seen, Set.of("note"));
    }

    private static NodeReport node(String id, int slots, Instant seen, Set<String> types) {
        return new NodeReport(
                id,
                id,
                NOW,
                seen,
                "2026a",
                Duration.ZERO,
                types,
                0,
                slots,
                Set.of(),
                0,
                7,
                List.of(),
                null,
                false,
                NodeReport.SILENT_AFTER);
    }

    @Test
    @DisplayName("S23: the last fire of a job is in the forecast if it is within the window; nothing follows it")
    void ends() {
        StoredJob counted =
                stored(daily("by-count", "0 30 2 * * ?").zoneId(BRUSSELS).maxFires(5));
        Forecast forecast = of(
                stored(daily("by-end", "0 0 12 * * ?").endAt(Instant.parse("2027-02-01T00:00:00Z"))),
                counted.with(edit -> edit.plan(
                        FirePlan.first(NOW.plusSeconds(60), null, null).firesEnded(2, null))),
                stored(Specimens.specification("by-rule").rrule("DTSTART:20270110T090000 RRULE:FREQ=DAILY;COUNT=3")),
                stored(daily("by-year", "0 0 12 4 3 ? 2027")),
                stored(daily("over", "0 0 12 4 3 ? 2026")),
                stored(daily("later-end", "0 0 12 * * ?").endAt(Instant.parse("2028-02-01T00:00:00Z"))),
                stored(daily("later-count", "0 0 12 * * ?").maxFires(181)),
                stored(daily("endless", "0 0 12 * * ?")));
        assertThat(of(Kind.ENDS, forecast))
                .extracting(Finding::day, Finding::cause, Finding::keys)
                .containsExactlyInAnyOrder(
                        tuple(
                                LocalDate.parse("2027-01-10"),
                                "no fire is left: the years of the schedule",
                                List.of("over")),
                        tuple(LocalDate.parse("2027-01-12"), "maxFires", List.of("by-count")),
                        tuple(LocalDate.parse("2027-01-12"), "the end of the rule", List.of("by-rule")),
                        tuple(LocalDate.parse("2027-01-31"), "endAt", List.of("by-end")),
                        tuple(LocalDate.parse("2027-03-04"), "the years of the schedule", List.of("by-year")));
        assertThat(forecast.findings()).as("nothing of 'by-count' in March").allMatch(f -> f.kind() == Kind.ENDS);
    }

    @Test
    @DisplayName(
            "S23: the end of a job that fires often is in the forecast if few fires are left; else it is told as a gap")
    void endsOften() {
        Forecast forecast = of(stored(daily("few", "0/30 * * * * ?").maxFires(100)));
        assertThat(of(Kind.ENDS, forecast))
                .extracting(Finding::at, Finding::cause)
                .containsExactly(tuple(NOW.plusSeconds(100 * 30), "maxFires"));
        assertThat(forecast.gaps()).isEmpty();
        calendar("bank", "kind", "holiday", "exclude-dates", List.of("2027-02-02"));
        assertThat(of(
                                stored(daily("many", "0/30 * * * * ?").maxFires(400_000)),
                                stored(daily("excluded", "0/30 * * * * ?")
                                        .maxFires(100)
                                        .calendars("bank")))
                        .gaps())
                .containsExactly("2 jobs: were not looked at, since it would take too long");
    }

    @Test
    @DisplayName("S23: a calendar that excludes all later fires is named as the end of its jobs")
    void excludedForGood() {
        calendar(
                "never",
                "kind",
                "monthly",
                "exclude-days",
                IntStream.rangeClosed(1, 31).boxed().toList());
        assertThat(of(Kind.ENDS, of(stored(daily("job", "0 0 12 * * ?").calendars("never")))))
                .singleElement()
                .satisfies(finding -> assertThat(finding.cause()).contains("calendars exclude all"));
    }

    @Test
    @DisplayName(
            "S23: fires that a planned pause, or one with an end, holds back are in the forecast; other jobs and times, and pauses without either, are not")
    void paused() {
        slots = 1;
        Instant begin = Instant.parse("2027-02-06T10:00:00Z");
        Instant end = Instant.parse("2027-02-08T10:30:00Z");
        pauses.add(standing(PauseScope.tag("night"), new Pause("move", "ann", begin, end)));
        pauses.add(standing(PauseScope.tag("held"), new Pause("unknown end", "ann", null, null)));
        pauses.add(standing(PauseScope.node("n1"), new Pause("upgrade", "ann", begin, end)));
        Forecast forecast = of(
                stored(daily("a", "0 0 12 * * ?").tags("night")),
                stored(daily("b", "0 0 14 * * ?").tags("night")),
                stored(daily("skips", "0 0 14 * * ?").tags("night").missedFirePolicy(MissedFirePolicy.SKIP)),
                stored(daily("without-tag", "0 0 16 * * ?")),
                stored(daily("open-end", "0 0 18 * * ?").tags("held")),
                stored(
                        StoredFields.of(Specimens.specification("once").tags("night"))
                                .singleSchedule(begin, null)
                                .build(),
                        begin));
        assertThat(of(Kind.PAUSED, forecast))
                .singleElement()
                .satisfies(finding -> assertThat(finding)
                        .extracting(Finding::at, Finding::jobs, Finding::fires, Finding::cause)
                        .containsExactly(begin, 4L, 7L, "pause of tag:night (move), until 2027-02-08T10:30:00Z"));
        assertThat(of(Kind.OVER_SLOTS, forecast))
                .as("what was held starts when the pause ends, but for SKIP")
                .extracting(Finding::at, Finding::fires)
                .contains(tuple(end, 3L));
    }

    private static StandingPause standing(PauseScope scope, Pause pause) {
        return new StandingPause(scope, pause, NOW.minusSeconds(60));
    }

    @Test
    @DisplayName("S23: pauses of single jobs that begin on a day are one finding")
    void pausedAlone() {
        Instant end = NOW.plus(Duration.ofDays(2));
        StoredJob[] jobs = IntStream.range(0, 2)
                .mapToObj(i -> stored(daily("job-" + i, "0 0 12 * * ?"))
                        .with(edit -> edit.requests(new Requests(
                                false, false, new Pause("CR-1", "ann", end.plusMillis(1)), null, null, List.of()))))
                .toArray(StoredJob[]::new);
        assertThat(of(jobs).findings())
                .extracting(Finding::kind, Finding::jobs, Finding::fires, Finding::cause)
                .containsExactly(tuple(Kind.PAUSED, 2L, 4L, "pauses of single jobs"));
    }

    @Test
    @DisplayName("S23: jobs that fire alike are looked at once and counted each; what would take too long is said")
    void alike() {
        StoredJob[] jobs = IntStream.range(0, 1_000)
                .mapToObj(i -> stored(
                        daily(String.format("job-%04d", i), "0 30 2 * * ?").zoneId(BRUSSELS)))
                .toArray(StoredJob[]::new);
        assertThat(of(jobs).findings())
                .extracting(Finding::jobs, Finding::fires, Finding::keys)
                .containsExactly(tuple(1_000L, 1_000L, List.of("job-0000", "job-0001", "job-0002")));
        work = 1;
        Forecast cut = of(
                stored(daily("first", "0 30 2 * * ?").zoneId(BRUSSELS)),
                stored(daily("second", "0 31 2 * * ?").zoneId(BRUSSELS)),
                stored(daily("third", "0 31 2 * * ?").zoneId(BRUSSELS)));
        assertThat(cut.findings()).extracting(Finding::keys).containsExactly(List.of("first"));
        assertThat(cut.gaps()).singleElement().asString().startsWith("2 jobs: were not looked at");
    }

    @Test
    @DisplayName("S23: findings are in the order of time")
    void ordered() {
        calendar("bank", "kind", "holiday", "exclude-dates", List.of("2027-06-02", "2027-02-02"));
        assertThat(of(
                                stored(daily("a", "0 30 2 * * ?")
                                        .zoneId(BRUSSELS)
                                        .calendars("bank")),
                                stored(daily("b", "0 0 12 * * ?").endAt(Instant.parse("2027-05-01T00:00:00Z"))))
                        .findings())
                .extracting(Finding::kind)
                .containsExactly(Kind.EXCLUDED, Kind.MOVED_BY_GAP, Kind.ENDS, Kind.EXCLUDED);
    }

    @Test
    @DisplayName(
            "S23: fires that a pause holds and a newer one replaces do not count for maxFires; the last that runs does")
    void countedInPause() {
        Pause pause = new Pause("move", "ann", NOW.plusSeconds(3600), NOW.plus(Duration.ofHours(5)));
        pauses.add(standing(PauseScope.tag("night"), pause));
        Map<MissedFirePolicy, String> ends = Map.of(
                MissedFirePolicy.RUN_ALL, "02:30 2",
                MissedFirePolicy.RUN_LATEST, "05:30 4",
                MissedFirePolicy.SKIP, "06:30 4");
        ends.forEach((policy, end) -> {
            Forecast forecast = of(stored(daily("job", "0 30 * * * ?")
                    .tags("night")
                    .missedFirePolicy(policy)
                    .maxFires(3)));
            Finding last = of(Kind.ENDS, forecast).get(0);
            Finding held = of(Kind.PAUSED, forecast).get(0);
            assertThat(last.at().toString().substring(11, 16) + " " + held.fires())
                    .as("%s: the last fire, and how many were held", policy)
                    .isEqualTo(end);
        });
    }

    @Test
    @DisplayName(
            "S23: after a pause those start that missed-fire policy, cap, grace and start deadline let start, and no more")
    void afterPause() {
        slots = 1;
        Instant end = NOW.plus(Duration.ofHours(5));
        pauses.add(standing(PauseScope.tag("night"), new Pause("move", "ann", NOW.plusSeconds(60), end)));
        Forecast forecast = of(
                stored(daily("capped", "0 59 * * * ?").tags("night").missedFirePolicy(MissedFirePolicy.runAll(2))),
                stored(daily("in-time", "0 30 * * * ?").tags("night").startDeadline(Duration.ofHours(1))),
                stored(daily("too-late", "0 30 * * * ?").tags("night").startDeadline(Duration.ofMinutes(20))),
                stored(daily("on-time", "0 30 * * * ?").tags("night").missedFireGrace(Duration.ofMinutes(100))),
                stored(daily("newer", "0 0 * * * ?").tags("night")),
                once("one-off", "2027-01-10T04:00:00Z"));
        assertThat(of(Kind.OVER_SLOTS, forecast))
                .filteredOn(finding -> finding.at().equals(end))
                .as("two that are capped, one in time, two on time, and the fire of that minute")
                .extracting(Finding::fires)
                .containsExactly(6L);
    }

    @Test
    @DisplayName("S23: what waits for the end of a pause since before the window starts then, too")
    void heldBefore() {
        slots = 1;
        Instant end = NOW.plus(Duration.ofMinutes(5));
        pauses.add(standing(PauseScope.tag("night"), new Pause("move", "ann", end)));
        Instant passed = NOW.minusSeconds(600);
        Forecast forecast = of(
                stored(daily("a", "0 50 23 * * ?").tags("night").build(), passed),
                stored(
                        Specimens.specification("b")
                                .singleSchedule(passed)
                                .tags("night")
                                .build(),
                        passed),
                stored(daily("other", "0 50 23 * * ?").build(), passed));
        assertThat(of(Kind.OVER_SLOTS, forecast))
                .filteredOn(finding -> finding.at().equals(end))
                .extracting(Finding::fires)
                .containsExactly(2L);
        assertThat(of(Kind.PAUSED, forecast)).as("none of them is to come").isEmpty();
        pauses.set(
                0,
                standing(
                        PauseScope.tag("night"),
                        new Pause("move", "ann", NOW.plus(HALF_YEAR).plusSeconds(1))));
        StoredJob last =
                stored(daily("last", "0 50 23 * * ?").tags("night").maxFires(1).build(), passed);
        assertThat(of(Kind.ENDS, of(last))).as("it still waits").isEmpty();
    }

    @Test
    @DisplayName(
            "S23: a spread fire that waits for the end of a pause runs then and counts; one that is to come counts once")
    void spreadInPause() {
        slots = 1;
        Instant end = NOW.plus(Duration.ofHours(4));
        pauses.add(standing(PauseScope.tag("night"), new Pause("move", "ann", end)));
        String last = "2027-01-11T23:00:00Z";
        assertThat(lastOf("0 0 23 * * ?", "2027-01-09T23:00:00Z", "night")).isEqualTo(last);
        assertThat(lastOf("PT24H", "2027-01-09T23:00:00Z", "night")).isEqualTo(last);
        assertThat(lastOf("0 59 23 * * ?", "2027-01-09T23:59:00Z", "night"))
                .as("it comes after now, in the pause")
                .isEqualTo("2027-01-11T23:59:00Z");
        assertThat(lastOf("0 59 23 * * ?", "2027-01-09T23:59:00Z", "day"))
                .as("it comes after now, without a pause")
                .isEqualTo("2027-01-11T23:59:00Z");
        assertThat(lastOf("0 0 2 * * ?", "2027-01-10T02:00:00Z", "day")).isEqualTo("2027-01-12T02:00:00Z");
        StoredJob[] shared = IntStream.range(0, 2)
                .mapToObj(i -> spread("shared-" + i, "PT24H", "2027-01-09T23:00:00Z", "night", null))
                .toArray(StoredJob[]::new);
        assertThat(of(Kind.OVER_SLOTS, of(shared)))
                .filteredOn(finding -> finding.at().equals(end))
                .extracting(Finding::fires)
                .containsExactly(2L);
    }

    /** The last of three fires, without the spread, of a job none of which has ended. */
    private String lastOf(String schedule, String first, String tag) {
        return of(Kind.ENDS, of(spread("job", schedule, first, tag, 3)))
                .get(0)
                .at()
                .toString();
    }

    /** @param first the planned fire, without the spread */
    private static StoredJob spread(String key, String schedule, String first, String tag, @Nullable Integer most) {
        Instant fire = Instant.parse(first);
        JobSpecificationBuilder job = schedule.startsWith("PT")
                ? Specimens.specification(key).every(Duration.parse(schedule))
                : daily(key, schedule);
        job.spread(Duration.ofMinutes(30)).tags(tag);
        if (most != null) {
            job.maxFires(most);
        }
        JobSpecification built = StoredFields.of(job).anchor(fire).build();
        Duration spread = StoredFields.spreadOf(built);
        assertThat(spread).isGreaterThan(Duration.ofMinutes(1));
        return stored(built, fire.plus(spread));
    }

    @Test
    @DisplayName(
            "S23: what an edited calendar has once more of the last fire of a spread job is no fire to come; the next is")
    void spreadOnceMore() {
        calendar("night", "kind", "daily", "exclude.start-time", "22:00", "exclude.end-time", "02:00");
        JobSpecification job = daily("job", "0 0 23 * * ?")
                .spread(Duration.ofMinutes(30))
                .calendars("night")
                .calendarPolicy(CalendarPolicy.NEXT_INCLUDED)
                .maxFires(1)
                .build();
        Duration spread = StoredFields.spreadOf(job);
        Instant ended = Instant.parse("2027-01-09T23:00:00Z").plus(spread);
        Instant open = Instant.parse("2027-01-11T02:00:00.001Z");
        Instant next = open.plus(spread);
        PlanBasis basis = new PlanBasis(
                "",
                LocalDateTime.ofInstant(next, ZoneOffset.UTC),
                ended,
                LocalDateTime.ofInstant(ended, ZoneOffset.UTC));
        StoredJob stored =
                stored(job, next).with(edit -> edit.plan(FirePlan.first(next, ended.plus(Duration.ofDays(1)), basis)));
        assertThat(of(Kind.ENDS, of(stored))).extracting(Finding::at).containsExactly(open);
    }

    @Test
    @DisplayName("S23: a spread job ends with the last fire that its end leaves after the spread")
    void spreadEnd() {
        Instant fire = Instant.parse("2027-01-12T02:00:00Z");
        Map.of(59, "2027-01-11T02:00:00Z", 1800, "2027-01-12T02:00:00Z").forEach((seconds, last) -> {
            StoredJob job = stored(
                    daily("job", "0 0 2 * * ?").spread(Duration.ofMinutes(30)).endAt(fire.plusSeconds(seconds)));
            assertThat(of(Kind.ENDS, of(job))).extracting(Finding::at).containsExactly(Instant.parse(last));
        });
    }

    @Test
    @DisplayName(
            "S23: nothing is forecast behind the end of a job, be it in a zone, by a calendar or for want of a fire")
    void behindTheEnd() {
        calendar("bank", "kind", "holiday", "exclude-dates", List.of("2027-03-27", "2027-03-28", "2027-03-29"));
        Instant end = Instant.parse("2027-03-27T12:00:00Z");
        Forecast forecast = of(
                stored(daily("hourly", "0 5 * * * ?").zoneId(BRUSSELS).endAt(end)),
                stored(daily("moved", "0 30 2 * * ?").zoneId(BRUSSELS).endAt(end)),
                stored(daily("shifted", "0 30 2 * * ?")
                        .zoneId(BRUSSELS)
                        .calendars("bank")
                        .calendarPolicy(CalendarPolicy.FOLLOWING)
                        .endAt(end)));
        assertThat(forecast.findings())
                .filteredOn(finding -> finding.kind() != Kind.ENDS)
                .extracting(Finding::kind, Finding::day, Finding::fires, Finding::keys)
                .containsExactly(tuple(Kind.EXCLUDED, LocalDate.parse("2027-03-27"), 1L, List.of("shifted")));
    }

    @Test
    @DisplayName("S23: of a clock change near the end of the window only what comes within it is forecast")
    void behindTheWindow() {
        Instant change = Instant.parse("2027-10-31T01:00:00Z");
        window = new Forecaster.Window(NOW, change.minusSeconds(9_000), change.plusSeconds(1_860));
        Forecast forecast = of(
                stored(daily("both", "0 30,45 * * * ?").zoneId(BRUSSELS)),
                stored(daily("once", "0 30,45 2 * * ?").zoneId(BRUSSELS)));
        assertThat(forecast.findings())
                .extracting(Finding::kind, Finding::fires, Finding::keys)
                .containsExactly(
                        tuple(Kind.SECOND_PASS_DROPPED, 1L, List.of("once")), tuple(Kind.DOUBLED, 1L, List.of("both")));
    }

    @Test
    @DisplayName(
            "S23: each wall time that a gap leaves out is counted, also if another fire comes as it ends; none of an excluded day is")
    void eachLost() {
        calendar("bank", "kind", "holiday", "exclude-dates", List.of("2027-03-28"));
        Forecast forecast = of(
                stored(daily("three", "0 10,20,30 2 * * ?")
                        .zoneId(BRUSSELS)
                        .daylightSavingPolicy(DaylightSavingPolicy.SKIP)),
                stored(daily("one-of-two", "0 0 2,3 * * ?")
                        .zoneId(BRUSSELS)
                        .daylightSavingPolicy(DaylightSavingPolicy.WALL_ONCE)),
                stored(daily("closed", "0 5 * * * ?").zoneId(BRUSSELS).calendars("bank")),
                stored(daily("hourly", "0 5 * * * ?").zoneId(BRUSSELS)));
        assertThat(of(Kind.LOST_IN_GAP, forecast))
                .extracting(Finding::at, Finding::jobs, Finding::fires, Finding::keys)
                .containsExactly(tuple(GAP, 2L, 4L, List.of("one-of-two", "three")));
    }

    @Test
    @DisplayName(
            "S23: the last of a number of steps is told to the second, and one before the window as none that is left")
    void lastStep() {
        JobSpecification step = StoredFields.of(
                        Specimens.specification("step").every("PT1H").maxFires(2))
                .anchor(NOW.minusSeconds(1_000))
                .build();
        Instant first = NOW.plusSeconds(2_600);
        assertThat(of(Kind.ENDS, of(stored(step, first))))
                .extracting(Finding::at)
                .containsExactly(first.plusSeconds(3_600));
        window = new Forecaster.Window(NOW, NOW.plus(Duration.ofHours(5)), NOW.plus(HALF_YEAR));
        assertThat(of(Kind.ENDS, of(stored(step, first))))
                .extracting(Finding::at, Finding::cause)
                .containsExactly(tuple(window.from(), "no fire is left: maxFires"));
    }

    @Test
    @DisplayName("S23: a blocked job runs nothing until it is repaired: it is a gap, and takes no slot")
    void blocked() {
        slots = 1;
        StoredJob open = stored(daily("open", "0 0 3 * * ?"));
        StoredJob blocked = stored(daily("blocked", "0 0 3 * * ?").endAt(NOW.plus(Duration.ofDays(3))))
                .with(edit -> edit.blocked(Blocked.toRepair("no helper")).due(null));
        Forecast forecast = of(open, blocked);
        assertThat(forecast.findings()).isEmpty();
        assertThat(forecast.gaps()).containsExactly("1 job: blocked, and runs nothing until it is repaired");
        assertThat(forecast.jobs()).isEqualTo(1);
        assertThat(of(blocked, blocked).gaps()).contains("2 jobs: blocked, and run nothing until they are repaired");
    }
}
