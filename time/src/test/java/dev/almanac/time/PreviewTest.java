package dev.almanac.time;

import static dev.almanac.time.RecurrenceTest.recurrence;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.time.FirePreview.Reason;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The reasons of a preview (rule C4). */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class PreviewTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final long SEED = 156;
    private static final SimpleCalendar NEVER = SimpleCalendar.dates("never", date -> true);

    @Test
    @DisplayName("4.2: a preview tells the reason of each fire at a clock change")
    void preview_of_clock_changes() {
        Instant march = Instant.parse("2026-03-28T12:00:00Z");
        Instant october = Instant.parse("2026-10-24T12:00:00Z");
        assertThat(reasons("0 30 2 * * ?", DaylightSavingPolicy.RUN_ONCE, march, 2))
                .containsExactly(
                        "2026-03-29T02:30 2026-03-29T01:00:00Z MOVED_BY_GAP",
                        "2026-03-30T02:30 2026-03-30T00:30:00Z REGULAR");
        assertThat(reasons("0 30 2 * * ?", DaylightSavingPolicy.SKIP, march, 2))
                .containsExactly("2026-03-29T02:30 null LOST_IN_GAP", "2026-03-30T02:30 2026-03-30T00:30:00Z REGULAR");
        assertThat(reasons("0 0,30 2,3 * * ?", DaylightSavingPolicy.RUN_ONCE, march, 2))
                .containsExactly(
                        "2026-03-29T03:00 2026-03-29T01:00:00Z REGULAR",
                        "2026-03-29T03:30 2026-03-29T01:30:00Z REGULAR");
        assertThat(reasons("0 30 2 * * ?", DaylightSavingPolicy.RUN_ONCE, october, 2))
                .containsExactly(
                        "2026-10-25T02:30 2026-10-25T00:30:00Z REGULAR", "2026-10-25T02:30 null SECOND_PASS_DROPPED");
        assertThat(reasons("0 30 2 * * ?", DaylightSavingPolicy.SKIP, october, 2))
                .containsExactly(
                        "2026-10-25T02:30 2026-10-25T00:30:00Z REGULAR",
                        "2026-10-25T02:30 2026-10-25T01:30:00Z REGULAR");
        assertThat(reasons("0 30 * * * ?", DaylightSavingPolicy.WALL_ONCE, Instant.parse("2026-10-25T00:30:00Z"), 2))
                .containsExactly(
                        "2026-10-25T02:30 null SECOND_PASS_DROPPED", "2026-10-25T03:30 2026-10-25T02:30:00Z REGULAR");
    }

    @Test
    @DisplayName("4.2: a day that a zone lost shows as lost")
    void preview_of_a_lost_day() {
        Recurrence recurrence = new Recurrence(
                CronExpression.parse("0 0 9 * * ?", CronDialect.QUARTZ),
                ZoneId.of("Pacific/Apia"),
                DaylightSavingPolicy.RUN_ONCE,
                List.of(),
                CalendarPolicy.DROP,
                null,
                null);
        assertThat(recurrence.preview(Instant.parse("2011-12-29T00:00:00Z"), 3))
                .extracting(FirePreview::reason)
                .containsExactly(Reason.REGULAR, Reason.LOST_IN_GAP, Reason.REGULAR);
    }

    @Test
    @DisplayName("C4: a preview names the calendar that shifts or excludes")
    void preview_of_calendars() {
        List<ExclusionCalendar> calendars =
                List.of(SimpleCalendar.dates("none", date -> false), SimpleCalendar.weekends());
        CronExpression cron = CronExpression.parse("0 0 9 ? * FRI,SAT", CronDialect.QUARTZ);
        for (CalendarPolicy policy : CalendarPolicy.values()) {
            Recurrence recurrence =
                    new Recurrence(cron, ZoneOffset.UTC, DaylightSavingPolicy.RUN_ONCE, calendars, policy, null, null);
            List<FirePreview> rows = recurrence.preview(Instant.parse("2026-01-29T12:00:00Z"), 2);
            assertThat(rows.get(0).reason()).isEqualTo(Reason.REGULAR);
            FirePreview saturday = rows.get(1);
            assertThat(saturday.calendar()).isEqualTo(1);
            assertThat(saturday.calendarName()).isEqualTo("weekends");
            assertThat(saturday.nominalTime()).isEqualTo(Instant.parse("2026-01-31T09:00:00Z"));
            assertThat(saturday.reason())
                    .as("the Friday has a fire of its own: %s", policy)
                    .isEqualTo(
                            policy == CalendarPolicy.NEXT_INCLUDED || policy == CalendarPolicy.FOLLOWING
                                    ? Reason.SHIFTED_BY_CALENDAR
                                    : Reason.EXCLUDED);
            assertThat(saturday.fireTime())
                    .isEqualTo(
                            switch (policy) {
                                case DROP, PRECEDING, MODIFIED_FOLLOWING, MODIFIED_PRECEDING -> null;
                                case NEXT_INCLUDED -> Instant.parse("2026-02-02T00:00:00Z");
                                case FOLLOWING -> Instant.parse("2026-02-02T09:00:00Z");
                            });
        }
    }

    @Test
    @DisplayName("a preview has as many rows as asked, ends with the schedule, and refuses other numbers")
    void preview_rows() {
        Recurrence yearly =
                recurrence("0 0 0 1 1 ? 2030-2032", ZoneOffset.UTC, CalendarPolicy.DROP, SimpleCalendar.weekends());
        assertThat(yearly.preview(Instant.EPOCH, 10)).hasSize(3);
        assertThat(recurrence("* * * * * ?", BERLIN, CalendarPolicy.DROP, NEVER).preview(Instant.EPOCH, 10_000))
                .hasSize(10_000);
        assertThat(yearly.preview(Instant.EPOCH, 0)).isEmpty();
        assertThatThrownBy(() -> yearly.preview(Instant.EPOCH, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> yearly.preview(Instant.EPOCH, 10_001)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("fires of a preview outside startAt and endAt are marked")
    void preview_bounds() {
        Recurrence recurrence = new Recurrence(
                CronExpression.parse("0 0 9 * * ?", CronDialect.QUARTZ),
                ZoneOffset.UTC,
                DaylightSavingPolicy.RUN_ONCE,
                List.of(),
                CalendarPolicy.DROP,
                Instant.parse("2026-02-02T00:00:00Z"),
                Instant.parse("2026-02-03T09:00:00Z"));
        assertThat(recurrence.preview(Instant.EPOCH, 10).subList(0, 3))
                .extracting(FirePreview::reason)
                .containsExactly(Reason.REGULAR, Reason.REGULAR, Reason.OUT_OF_BOUNDS);
    }

    @Test
    @DisplayName("what lies outside startAt and endAt is excluded by these, not by a calendar or a clock change")
    void preview_bounds_first() {
        Recurrence recurrence = new Recurrence(
                CronExpression.parse("0 30 2 * * ?", CronDialect.QUARTZ),
                BERLIN,
                DaylightSavingPolicy.SKIP,
                List.of(SimpleCalendar.weekends()),
                CalendarPolicy.FOLLOWING,
                null,
                Instant.parse("2026-03-28T12:00:00Z"));
        assertThat(recurrence.preview(Instant.parse("2026-03-27T00:00:00Z"), 4))
                .extracting(row -> row.wantedTime() + " " + row.reason())
                .containsExactly(
                        "2026-03-27T02:30 REGULAR",
                        "2026-03-28T02:30 EXCLUDED",
                        "2026-03-29T02:30 OUT_OF_BOUNDS",
                        "2026-03-30T02:30 OUT_OF_BOUNDS");
    }

    @Test
    @DisplayName("all of a preview that fires are the fires of next")
    void preview_agrees_with_next() {
        Recurrence recurrence = recurrence("0 30 2 * * ?", BERLIN, CalendarPolicy.DROP, SimpleCalendar.weekends());
        Instant at = Instant.parse("2026-03-20T00:00:00Z");
        for (FirePreview row : recurrence.preview(at, 400)) {
            if (row.fireTime() != null) {
                at = recurrence.next(at).orElseThrow().fireTime();
                assertThat(row.fireTime()).isEqualTo(at);
            }
        }
    }

    @Test
    @DisplayName("the rows of a preview that fire are what will run, under every policy and from any moment")
    void preview_is_what_runs() {
        Random random = new Random(SEED);
        int fires = 0;
        for (int i = 0; i < 150; i++) {
            RandomCron cron = new RandomCron(random, CronDialect.QUARTZ, random.nextBoolean() ? 2 : -1);
            CalendarPolicy policy = CalendarPolicy.values()[random.nextInt(6)];
            DaylightSavingPolicy clock = DaylightSavingPolicy.values()[random.nextInt(3)];
            Instant after = Instant.parse("2026-03-20T00:00:00Z").plusSeconds(random.nextInt(40_000_000));
            Instant end = random.nextBoolean() ? null : after.plusSeconds(random.nextInt(4_000_000));
            SimpleCalendar calendar =
                    random.nextBoolean() ? SimpleCalendar.weekends() : SimpleCalendar.times("01:00", "12:30");
            CronExpression expression = CronExpression.parse(cron.text, CronDialect.QUARTZ);
            if (expression.times(BERLIN).times.count() > 50 || !expression.canFire()) {
                continue;
            }
            Recurrence recurrence = new Recurrence(expression, BERLIN, clock, List.of(calendar), policy, null, end);
            String name = "seed " + SEED + ": " + expression + " " + policy + " " + clock + " after " + after + " "
                    + calendar;
            Instant at = after;
            List<FirePreview> rows = recurrence.preview(after, 40);
            for (FirePreview row : rows) {
                if (row.fireTime() != null) {
                    PlannedFire planned = recurrence.next(at).orElseThrow();
                    assertThat(row.fireTime()).as(name).isEqualTo(planned.fireTime());
                    assertThat(row.nominalTime())
                            .as(name)
                            .isEqualTo(
                                    planned.nominalFireTime() == null ? planned.fireTime() : planned.nominalFireTime());
                    at = planned.fireTime();
                    fires++;
                }
            }
            if (rows.size() < 40) {
                assertThat(recurrence.next(at)).as(name + " has no more").isEmpty();
            }
        }
        assertThat(fires).isGreaterThan(800);
    }

    @Test
    @DisplayName("C4: a preview from a Saturday shows the Monday that stands for it, and none in the past")
    void preview_of_moved_dates() {
        Instant saturday = Instant.parse("2026-01-31T12:00:00Z");
        Recurrence following =
                recurrence("0 0 9 ? * SAT", ZoneOffset.UTC, CalendarPolicy.FOLLOWING, SimpleCalendar.weekends());
        assertThat(following.preview(saturday, 1))
                .extracting(FirePreview::fireTime)
                .containsExactly(Instant.parse("2026-02-02T09:00:00Z"));
        Recurrence preceding =
                recurrence("0 0 9 ? * SAT", ZoneOffset.UTC, CalendarPolicy.PRECEDING, SimpleCalendar.weekends());
        Instant friday = Instant.parse("2026-01-30T12:00:00Z");
        assertThat(preceding.preview(friday, 1))
                .extracting(FirePreview::fireTime)
                .containsExactly(Instant.parse("2026-02-06T09:00:00Z"));
    }

    private static List<String> reasons(String cron, DaylightSavingPolicy policy, Instant after, int rows) {
        return new Recurrence(
                        CronExpression.parse(cron, CronDialect.QUARTZ),
                        BERLIN,
                        policy,
                        List.of(),
                        CalendarPolicy.DROP,
                        null,
                        null)
                .preview(after, rows).stream()
                        .map(row -> row.wantedTime() + " " + row.fireTime() + " " + row.reason())
                        .toList();
    }
}
