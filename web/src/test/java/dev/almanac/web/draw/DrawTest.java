package dev.almanac.web.draw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.calendars.Calendars;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.store.RunCounts;
import dev.almanac.web.read.PlannedFires;
import dev.almanac.web.text.Clock;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DrawTest {
    private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
    private static final Clock CLOCK = new Clock(ZoneOffset.UTC, NOW);

    private static final RunCounts NOTHING = new RunCounts(List.of(), null);

    private static final PlannedFires NO_FIRES = new PlannedFires(List.of(), 1, false, false, 0);

    private static Day day(String date, RunCounts ran, List<StandingPause> pauses, Clock clock) {
        return Day.of(LocalDate.parse(date), ran, NO_FIRES, pauses, true, clock);
    }

    private static RunCounts ran(String at) {
        return new RunCounts(
                List.of(new RunCounts.Slice("pay", Instant.parse(at), Map.of("SUCCEEDED", 2L), 0, 0, 0, 0)), null);
    }

    @Test
    @DisplayName("day: a day on which the clock changes has an hour less or more; each run stands at its local time")
    void clockChanges() {
        Clock brussels = new Clock(ZoneId.of("Europe/Brussels"), NOW);
        Day shorter = day("2026-03-29", ran("2026-03-29T01:00:00Z"), List.of(), brussels);
        assertThat(shorter.hours()).hasSize(23).allMatch(hour -> hour.cells() == 2);
        assertThat(shorter.hours()).extracting(Day.Hour::text).startsWith("00", "01", "03");
        assertThat(shorter.lanes().get(0).cells()).hasSize(46);
        assertThat(shorter.lanes().get(0).cells().get(4).title()).isEqualTo("pay, 03:00 to 03:30: 2 ran");
        Day longer = day("2026-10-25", ran("2026-10-25T01:30:00Z"), List.of(), brussels);
        assertThat(longer.hours())
                .hasSize(24)
                .filteredOn(hour -> hour.cells() == 4)
                .hasSize(1);
        assertThat(longer.lanes().get(0).cells()).hasSize(50);
        assertThat(longer.lanes().get(0).cells().get(7).counts().ran())
                .as("the second 02:30")
                .isEqualTo(2);
    }

    @Test
    @DisplayName("day: the line of the present moment is in its half hour, in the right half, and on no other day")
    void line() {
        assertThat(day("2026-05-01", NOTHING, List.of(), CLOCK).now()).isEqualTo(24);
        assertThat(day("2026-05-01", NOTHING, List.of(), CLOCK).second()).isFalse();
        Clock later = new Clock(ZoneOffset.UTC, NOW.plusSeconds(1_740));
        assertThat(day("2026-05-01", NOTHING, List.of(), later).now()).isEqualTo(24);
        assertThat(day("2026-05-01", NOTHING, List.of(), later).second()).isTrue();
        for (String other : List.of("2026-04-30", "2026-05-02")) {
            assertThat(day(other, NOTHING, List.of(), CLOCK).now()).isEqualTo(-1);
        }
    }

    @Test
    @DisplayName(
            "day: a pause of everything is on every lane of a type, from its beginning on; one that is over is on none")
    void pauseOfAll() {
        StandingPause all = new StandingPause(
                PauseScope.everything(), new Pause("x", "ann", NOW.plusSeconds(3_600)), NOW.minusSeconds(60));
        Day day = day("2026-05-01", ran("2026-05-01T03:00:00Z"), List.of(all), CLOCK);
        assertThat(day.lanes()).extracting(Day.Lane::name).containsExactly("pay");
        assertThat(day.lanes().get(0).cells().stream().filter(Day.Cell::paused))
                .extracting(cell -> CLOCK.minute(cell.start()))
                .containsExactly("11:30", "12:00", "12:30");
        assertThat(day("2026-05-02", ran("2026-05-02T03:00:00Z"), List.of(all), CLOCK)
                        .lanes()
                        .get(0)
                        .cells())
                .noneMatch(Day.Cell::paused);
    }

    private static JobExecutionStatus row(int second, Outcome outcome, String node, boolean late) {
        Instant started = NOW.plusSeconds(second);
        return JobExecutionStatus.builder()
                .id("r" + second)
                .jobSpecificationId("id")
                .jobSpecificationKey("key")
                .executionStatus(ExecutionStatus.SCHEDULED)
                .outcome(outcome)
                .updatedTime(started.plusSeconds(10))
                .fireTime(started.minusSeconds(late ? 30 : 0))
                .startedTime(outcome == Outcome.MISSED || outcome == Outcome.NONE ? null : started)
                .attempt(1)
                .late(late)
                .node(node)
                .build();
    }

    @Test
    @DisplayName(
            "strip: each run lies between its start and its end in the lane of its node; what is no run is not drawn")
    void strip() {
        List<JobExecutionStatus> rows = List.of(
                row(990, Outcome.SUCCEEDED, "n2", false),
                row(500, Outcome.RETRIES_EXHAUSTED, "n1", true),
                row(200, Outcome.NONE, "n1", false),
                row(0, Outcome.ATTEMPT_FAILED, "n1", false));
        RunStrip strip = RunStrip.of(rows, null, CLOCK, String::toUpperCase);
        assertThat(strip.lanes()).extracting(RunStrip.Lane::name).containsExactly("N2", "N1");
        assertThat(strip.marks()).extracting(RunStrip.Mark::tone).containsExactly("good", "bad", "warn");
        assertThat(strip.marks().get(0).x()).isEqualTo(891.0);
        assertThat(strip.marks().get(0).width()).isEqualTo(9.0);
        assertThat(strip.marks().get(1).delay()).isEqualTo(27.0);
        assertThat(strip.marks().get(1).late()).isTrue();
        assertThat(strip.marks().get(2).x()).isZero();
        assertThat(strip.since()).isEqualTo(NOW);
        assertThat(strip.marks())
                .allSatisfy(mark -> assertThat(mark.x() + mark.width()).isLessThanOrEqualTo(900.0));
        assertThat(RunStrip.of(List.of(row(0, Outcome.NONE, "n", false)), null, CLOCK, UnaryOperator.identity()))
                .isNull();
        RunStrip brief =
                RunStrip.of(List.of(row(0, Outcome.MISSED, "n", false)), null, CLOCK, UnaryOperator.identity());
        assertThat(brief.lanes()).extracting(RunStrip.Lane::name).containsExactly("no node");
        JobExecutionStatus missed = row(0, Outcome.MISSED, "n", false).toBuilder()
                .updatedTime(NOW)
                .startedTime(null)
                .fireTime(NOW)
                .build();
        assertThat(RunStrip.of(List.of(missed), null, CLOCK, UnaryOperator.identity())
                        .labels())
                .extracting(RunStrip.Label::text)
                .containsExactly("12:00:00", "12:00:01");
    }

    @Test
    @DisplayName("strip: the run in progress grows up to now, also if no row is about a run")
    void open() {
        RunStrip.Open open = new RunStrip.Open(NOW.minusSeconds(20), "n1", "claimed");
        RunStrip alone = RunStrip.of(List.of(), open, CLOCK, String::toUpperCase);
        assertThat(alone.lanes()).extracting(RunStrip.Lane::name).containsExactly("N1");
        assertThat(alone.marks()).singleElement().satisfies(mark -> {
            assertThat(mark.tone()).isEqualTo("open");
            assertThat(mark.width()).isEqualTo(RunStrip.WIDTH);
        });
        RunStrip both =
                RunStrip.of(List.of(row(-90, Outcome.SUCCEEDED, "n2", false)), open, CLOCK, String::toUpperCase);
        assertThat(both.marks()).extracting(RunStrip.Mark::tone).containsExactly("open", "good");
        assertThat(both.marks().get(0).x()).isEqualTo(700.0);
    }

    @Test
    @DisplayName("20: a strip has up to eight lanes; with more nodes the last lane is that of all others, and says so")
    void lanes() {
        List<JobExecutionStatus> eight = IntStream.range(0, 8)
                .mapToObj(i -> row(900 - i, Outcome.SUCCEEDED, "n" + i, false))
                .toList();
        assertThat(RunStrip.of(eight, null, CLOCK, UnaryOperator.identity()).lanes())
                .extracting(RunStrip.Lane::name)
                .endsWith("n6", "n7");
        List<JobExecutionStatus> ten = Stream.concat(
                        eight.stream(),
                        Stream.of(
                                row(500, Outcome.SUCCEEDED, "n8", false),
                                row(400, Outcome.SUCCEEDED, "n9", false),
                                row(300, Outcome.SUCCEEDED, "n0", false)))
                .toList();
        RunStrip strip = RunStrip.of(ten, null, CLOCK, UnaryOperator.identity());
        assertThat(strip.lanes()).extracting(RunStrip.Lane::name).hasSize(8).endsWith("n6", "3 more");
        assertThat(strip.marks())
                .extracting(mark -> mark.y() / RunStrip.LANE)
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 0);
    }

    @Test
    @DisplayName("year: days are shut, open in part or open, with the calendars that say so; leap years have one more")
    void year() {
        Year year = Year.of(
                2028,
                Map.of(
                        "weekends", Calendars.weekly(Set.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY)),
                        "night", Calendars.daily(LocalTime.of(1, 0), LocalTime.of(5, 0))),
                ZoneId.of("Europe/Brussels"));
        assertThat(year.cells()).hasSize(366);
        Year.Cell saturday = year.cells().get(0);
        assertThat(saturday.date()).isEqualTo(LocalDate.of(2028, 1, 1));
        assertThat(saturday.day()).isEqualTo(Year.Day.SHUT);
        assertThat(saturday.by()).containsExactlyInAnyOrder("weekends", "night");
        assertThat(saturday.y()).isEqualTo(5 * Year.STEP);
        assertThat(year.cells().get(2).day()).isEqualTo(Year.Day.PART);
        assertThat(Year.of(2027, Map.of(), ZoneOffset.UTC).excluded()).isEmpty();
        assertThat(year.labels()).hasSize(12);
    }

    @Test
    @DisplayName("year: a day of which a quarter of an hour is excluded is open in part")
    void quarter() {
        ZoneId zone = ZoneId.of("Europe/Brussels");
        assertThat(Year.day(
                        LocalDate.of(2028, 1, 3), Calendars.daily(LocalTime.of(10, 15), LocalTime.of(10, 30)), zone))
                .isEqualTo(Year.Day.PART);
    }

    @Test
    @DisplayName("the distance of a moment from now is shown in the largest useful unit")
    void distance() {
        assertThat(CLOCK.distance(NOW)).isEqualTo("now");
        assertThat(CLOCK.distance(NOW.plusSeconds(90))).isEqualTo("in 90 s");
        assertThat(CLOCK.distance(NOW.minusSeconds(5))).isEqualTo("5.0 s ago");
        assertThat(CLOCK.distance(NOW.plusSeconds(3_600))).isEqualTo("in 60 min");
        assertThat(CLOCK.distance(NOW.minus(Duration.ofDays(40)))).isEqualTo("40 days ago");
        assertThat(new Clock(ZoneId.of("Asia/Kolkata"), NOW).exactly(NOW))
                .isEqualTo("2026-05-01 17:30:00.000 Asia/Kolkata");
    }
}
