package dev.almanac.calendars;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.calendars.CalendarDefinition.Kind;
import dev.almanac.time.ExclusionCalendar;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CalendarsTest {
    private static final List<String> ZONES = List.of(
            "UTC",
            "America/New_York",
            "Europe/Brussels",
            "Australia/Lord_Howe",
            "Pacific/Apia",
            "Africa/Casablanca",
            "America/St_Johns",
            "Antarctica/Troll");

    /** What the rules say of a wall time, written down once more and differently. */
    private record Case(String name, ExclusionCalendar calendar, Predicate<LocalDateTime> included) {}

    private static List<Case> cases() {
        LocalTime three = LocalTime.of(3, 0);
        LocalTime five = LocalTime.of(5, 0);
        return List.of(
                new Case(
                        "daily",
                        Calendars.daily(three, five),
                        t -> t.toLocalTime().isBefore(three) || t.toLocalTime().isAfter(five)),
                new Case(
                        "inverted",
                        Calendars.daily(three, five).inverted(),
                        t -> !t.toLocalTime().isBefore(three)
                                && !t.toLocalTime().isAfter(five)),
                new Case(
                        "over midnight",
                        Calendars.daily(LocalTime.of(23, 0), LocalTime.of(1, 30)),
                        t -> t.toLocalTime().isAfter(LocalTime.of(1, 30))
                                && t.toLocalTime().isBefore(LocalTime.of(23, 0))),
                new Case("weekends", Calendars.weekends(), t -> t.getDayOfWeek().getValue() < 6),
                new Case(
                        "month ends",
                        Calendars.monthly(List.of(1, 15, Calendars.LAST_DAY)),
                        t -> t.getDayOfMonth() != 1
                                && t.getDayOfMonth() != 15
                                && t.toLocalDate().plusDays(1).getDayOfMonth() != 1),
                new Case(
                        "leap day",
                        Calendars.annual(List.of(MonthDay.of(2, 29), MonthDay.of(12, 25))),
                        t -> !(t.getMonthValue() == 2 && t.getDayOfMonth() == 29)
                                && !(t.getMonthValue() == 12 && t.getDayOfMonth() == 25)),
                new Case(
                        "holiday",
                        Calendars.holiday(List.of(LocalDate.of(2026, 3, 29), LocalDate.of(2011, 12, 29))),
                        t -> !t.toLocalDate().equals(LocalDate.of(2026, 3, 29))
                                && !t.toLocalDate().equals(LocalDate.of(2011, 12, 29))),
                new Case("cron", Calendars.cron("* * 1-2 * * ?"), t -> t.getHour() != 1 && t.getHour() != 2),
                new Case(
                        "cron seconds",
                        Calendars.cron("0-29 30 * * * ?"),
                        t -> t.getMinute() != 30 || t.getSecond() > 29));
    }

    @Test
    @DisplayName("C1, C2: every kind agrees with its rule at every edge, in zones with gaps, overlaps and lost days")
    void oracle() {
        SplittableRandom random = new SplittableRandom(20261121);
        for (Case each : cases()) {
            for (String zoneName : ZONES) {
                ZoneId zone = ZoneId.of(zoneName);
                for (Instant instant : instants(zone, random)) {
                    boolean expected = each.included().test(LocalDateTime.ofInstant(instant, zone));
                    assertThat(each.calendar().isIncluded(instant, zone))
                            .as("%s in %s at %s", each.name(), zone, instant)
                            .isEqualTo(expected);
                    judgeNext(each, zone, instant);
                }
            }
        }
    }

    /** Edges of the rules round the clock changes, and random instants. */
    private static List<Instant> instants(ZoneId zone, SplittableRandom random) {
        List<Instant> instants = new ArrayList<>();
        for (String day : List.of(
                "2011-12-29",
                "2026-02-28",
                "2026-03-08",
                "2026-03-29",
                "2026-10-25",
                "2026-11-01",
                "2028-02-29",
                "2026-12-25",
                "2010-11-07",
                "2026-04-05")) {
            Instant midnight = LocalDate.parse(day).atStartOfDay(ZoneOffset.UTC).toInstant();
            for (int minutes = -600; minutes < 1_800; minutes += 30) {
                for (int millis : new int[] {-1, 0, 1}) {
                    instants.add(midnight.plus(Duration.ofMinutes(minutes)).plusMillis(millis));
                }
            }
        }
        for (int i = 0; i < 200; i++) {
            instants.add(Instant.ofEpochMilli(random.nextLong(0, 2_000_000_000_000L)));
        }
        return instants;
    }

    /** The answer is included, nothing included lies before it, and asking it again answers itself. */
    private static void judgeNext(Case each, ZoneId zone, Instant from) {
        Instant next = each.calendar().nextIncluded(from, zone).orElseThrow();
        assertThat(next).isAfterOrEqualTo(from);
        assertThat(each.included().test(LocalDateTime.ofInstant(next, zone))).isTrue();
        assertThat(each.calendar().nextIncluded(next, zone)).contains(next);
        if (next.isAfter(from)) {
            assertThat(each.included().test(LocalDateTime.ofInstant(next.minusMillis(1), zone)))
                    .as("%s in %s from %s: %s is not the first", each.name(), zone, from, next)
                    .isFalse();
            for (Instant at = from; at.isBefore(next); at = at.plus(Duration.ofMinutes(15))) {
                assertThat(each.included().test(LocalDateTime.ofInstant(at, zone)))
                        .as("%s in %s: %s lies before %s", each.name(), zone, at, next)
                        .isFalse();
            }
        }
    }

    @Test
    @DisplayName("C3: exclusion wins and the order has no effect; calendars that never meet answer none, quickly")
    void chains() {
        ExclusionCalendar weekends = Calendars.weekends();
        ExclusionCalendar office =
                Calendars.daily(LocalTime.of(9, 0), LocalTime.of(17, 30)).inverted();
        Instant friday = Instant.parse("2026-03-06T18:00:00Z");
        Instant monday = Instant.parse("2026-03-09T09:00:00Z");
        assertThat(Calendars.allOf(List.of(weekends, office)).nextIncluded(friday, ZoneOffset.UTC))
                .contains(monday);
        assertThat(Calendars.allOf(List.of(office, weekends)).nextIncluded(friday, ZoneOffset.UTC))
                .contains(monday);
        ExclusionCalendar early =
                Calendars.daily(LocalTime.of(6, 0), LocalTime.of(7, 0)).inverted();
        assertThat(Calendars.allOf(List.of(early, office)).nextIncluded(friday, ZoneOffset.UTC))
                .isEmpty();
    }

    @Test
    @DisplayName("C2: what leaves nothing, or names nothing, is refused with field and value")
    void refused() {
        assertThatThrownBy(() -> Calendars.daily(LocalTime.NOON, LocalTime.NOON))
                .isInstanceOf(InvalidCalendarException.class)
                .hasMessageContaining("exclude.start-time");
        assertThatThrownBy(() -> Calendars.monthly(List.of(32))).hasMessageContaining("32");
        assertThatThrownBy(() -> new CalendarDefinition(Kind.WEEKLY, Map.of("exclude-dates", "x")))
                .hasMessageContaining("exclude-dates")
                .hasMessageContaining("exclude-days");
        assertThatThrownBy(() -> new CalendarDefinition(Kind.HOLIDAY, Map.of("exclude-dates", "2026-13-01")).calendar())
                .hasMessageContaining("2026-13-01");
        assertThat(Calendars.weekly(List.of()).isIncluded(Instant.EPOCH, ZoneOffset.UTC))
                .isTrue();
    }

    @Test
    @DisplayName("C1: a calendar that leaves nothing includes no instant, and says so at once")
    void leavesNothing() {
        for (ExclusionCalendar calendar : List.<ExclusionCalendar>of(
                Calendars.weekly(List.of(DayOfWeek.values())),
                Calendars.monthly(
                        java.util.stream.IntStream.rangeClosed(1, 31).boxed().toList()),
                Calendars.daily(LocalTime.MIDNIGHT, LocalTime.parse("23:59:59.999")),
                Calendars.daily(LocalTime.NOON, LocalTime.parse("11:59:59.999")),
                Calendars.cron("* * * * * ?"))) {
            Instant at = Instant.parse("2026-03-10T12:34:56.789Z");
            ZoneId zone = ZoneId.of("Europe/Brussels");
            assertThat(calendar.isIncluded(at, zone)).isFalse();
            assertThat(calendar.nextIncluded(at, zone)).isEmpty();
        }
    }

    @Test
    @DisplayName("C2: a calendar's own zone counts before the job's")
    void ownZone() {
        ExclusionCalendar brussels = Calendars.weekends().inZone(ZoneId.of("Europe/Brussels"));
        Instant lateFriday = Instant.parse("2026-03-06T23:30:00Z");
        assertThat(brussels.isIncluded(lateFriday, ZoneOffset.UTC))
                .as("it is Saturday in Brussels")
                .isFalse();
        assertThat(Calendars.weekends().isIncluded(lateFriday, ZoneOffset.UTC)).isTrue();
    }

    @Test
    @DisplayName("TARGET2: Easter by another algorithm, for 1900 to 2199")
    void easter() {
        for (int year = 1900; year < 2200; year++) {
            assertThat(Target2.easterSunday(year)).as("%d", year).isEqualTo(byMoon(year));
        }
    }

    /** The Gregorian computus by golden number and epact, as Knuth gives it. */
    private static LocalDate byMoon(int year) {
        int golden = year % 19 + 1;
        int century = year / 100 + 1;
        int x = 3 * century / 4 - 12;
        int z = (8 * century + 5) / 25 - 5;
        int sunday = 5 * year / 4 - x - 10;
        int epact = Math.floorMod(11 * golden + 20 + z - x, 30);
        if (epact == 25 && golden > 11 || epact == 24) {
            epact++;
        }
        int moon = 44 - epact;
        if (moon < 21) {
            moon += 30;
        }
        int day = moon + 7 - Math.floorMod(sunday + moon, 7);
        return day > 31 ? LocalDate.of(year, 4, day - 31) : LocalDate.of(year, 3, day);
    }

    @Test
    @DisplayName("business days: adjust, add, nth and last of the month, against a walk through the days")
    void businessDays() {
        DayCalendar target = Target2.calendar();
        for (LocalDate date = LocalDate.of(2025, 12, 1);
                date.isBefore(LocalDate.of(2027, 2, 1));
                date = date.plusDays(1)) {
            LocalDate following = BusinessDays.adjust(date, BusinessDayConvention.FOLLOWING, target);
            assertThat(target.isBusinessDay(following)).isTrue();
            assertThat(date.datesUntil(following)).noneMatch(target::isBusinessDay);
            LocalDate preceding = BusinessDays.adjust(date, BusinessDayConvention.PRECEDING, target);
            assertThat(preceding.plusDays(1).datesUntil(date.plusDays(1))).noneMatch(target::isBusinessDay);
            LocalDate modified = BusinessDays.adjust(date, BusinessDayConvention.MODIFIED_FOLLOWING, target);
            assertThat(modified)
                    .isEqualTo(YearMonth.from(following).equals(YearMonth.from(date)) ? following : preceding);
            LocalDate third = BusinessDays.addBusinessDays(date, 3, target);
            assertThat(date.plusDays(1)
                            .datesUntil(third.plusDays(1))
                            .filter(target::isBusinessDay)
                            .count())
                    .isEqualTo(3);
            assertThat(BusinessDays.adjust(date, BusinessDayConvention.NONE, target))
                    .isEqualTo(date);
        }
        YearMonth may = YearMonth.of(2026, 5);
        assertThat(BusinessDays.nthBusinessDayOfMonth(may, 1, target)).contains(LocalDate.of(2026, 5, 4));
        assertThat(BusinessDays.nthBusinessDayOfMonth(may, 25, target)).isEqualTo(Optional.empty());
        assertThat(BusinessDays.lastBusinessDayOfMonth(may, target)).contains(LocalDate.of(2026, 5, 29));
    }

    @Test
    @DisplayName("C2: definitions make the calendars that their names say")
    void definitions() {
        ExclusionCalendar days =
                new CalendarDefinition(Kind.WEEKLY, Map.of("exclude-days", "1,SAT", "timezone", "UTC")).calendar();
        assertThat(new TreeSet<>(List.of(7, 8))
                        .stream()
                                .map(day -> days.isIncluded(
                                        LocalDate.of(2026, 3, day)
                                                .atStartOfDay(ZoneOffset.UTC)
                                                .toInstant(),
                                        ZoneOffset.UTC)))
                .containsOnly(false);
        assertThat(Kind.of("daily")).isEqualTo(Kind.DAILY);
    }
}
