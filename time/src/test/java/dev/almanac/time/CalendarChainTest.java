package dev.almanac.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules C1 and C3: several calendars as one, and one that breaks its promise. */
class CalendarChainTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @Test
    @DisplayName("C3: exclusion wins and the order has no effect")
    void C3_chain() {
        ExclusionCalendar weekends = SimpleCalendar.weekends();
        ExclusionCalendar nights = SimpleCalendar.times("00:00", "08:00");
        ExclusionCalendar one = ExclusionCalendar.allOf(List.of(weekends, nights));
        ExclusionCalendar other = ExclusionCalendar.allOf(List.of(nights, weekends));
        for (int hour = 0; hour < 24 * 14; hour++) {
            Instant at = Instant.parse("2026-03-02T00:30:00Z").plusSeconds(3600L * hour);
            assertThat(one.isIncluded(at, BERLIN))
                    .isEqualTo(weekends.isIncluded(at, BERLIN) && nights.isIncluded(at, BERLIN))
                    .isEqualTo(other.isIncluded(at, BERLIN));
            Instant next = one.nextIncluded(at, BERLIN).orElseThrow();
            assertThat(other.nextIncluded(at, BERLIN)).contains(next);
            assertThat(one.isIncluded(next, BERLIN)).isTrue();
            assertThat(one.nextIncluded(next, BERLIN)).contains(next);
        }
        assertThat(ExclusionCalendar.allOf(List.of()).isIncluded(Instant.EPOCH, BERLIN))
                .isTrue();
        assertThat(one.description()).isEqualTo("weekends + 00:00 to 08:00");
    }

    @Test
    @DisplayName("C1: a calendar that runs backwards is named and not followed")
    void C1_backwards() {
        ExclusionCalendar broken = new ExclusionCalendar() {
            @Override
            public boolean isIncluded(Instant instant, ZoneId jobZone) {
                return false;
            }

            @Override
            public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone) {
                return Optional.of(from.minusSeconds(1));
            }

            @Override
            public String toString() {
                return "broken";
            }
        };
        for (CalendarPolicy policy : CalendarPolicy.values()) {
            assertThatThrownBy(() -> new Recurrence(
                                    CronExpression.parse("0 * * * * ?", CronDialect.QUARTZ),
                                    BERLIN,
                                    DaylightSavingPolicy.SKIP,
                                    List.of(broken),
                                    policy,
                                    null,
                                    null)
                            .next(Instant.EPOCH))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("broken");
        }
    }

    @ParameterizedTest
    @DisplayName("C4: where nothing is excluded every policy gives the plain fires, also round midnight changes")
    @CsvSource({
        "'0 0,30 0,2,23 * * ?', America/St_Johns, 2010-11-05T12:00:00Z",
        "'0 0,30 0,2,23 * * ?', America/Godthab, 2026-03-27T12:00:00Z",
        "0 30 23 * * ?, America/Godthab, 2026-03-27T12:00:00Z",
        "'0 0,30 0,2,23 * * ?', America/Sao_Paulo, 2018-11-03T00:00:00Z",
        "'0 0,30 0,2,23 * * ?', Pacific/Apia, 2011-12-28T00:00:00Z",
        "'0 0,30 0,2,23 * * ?', Europe/Berlin, 2026-10-24T00:00:00Z"
    })
    void C4_nothing_excluded(String expression, String zone, Instant from) {
        CronExpression cron = CronExpression.parse(expression, CronDialect.QUARTZ);
        for (DaylightSavingPolicy clock : DaylightSavingPolicy.values()) {
            List<String> plain = Vectors.fires(from, 24, at -> cron.next(at, ZoneId.of(zone), clock));
            Instant last = Instant.parse(plain.get(plain.size() - 1)).plusSeconds(1);
            for (CalendarPolicy policy : CalendarPolicy.values()) {
                Recurrence recurrence = new Recurrence(
                        cron,
                        ZoneId.of(zone),
                        clock,
                        List.of(SimpleCalendar.dates("none", date -> false)),
                        policy,
                        null,
                        null);
                List<String> back =
                        Vectors.fires(last, 24, at -> recurrence.previous(at).map(PlannedFire::fireTime));
                Collections.reverse(back);
                assertThat(Vectors.fires(from, 24, at -> recurrence.next(at).map(PlannedFire::fireTime)))
                        .as("%s %s", clock, policy)
                        .isEqualTo(plain);
                assertThat(back).as("%s %s back", clock, policy).isEqualTo(plain);
            }
        }
    }
}
