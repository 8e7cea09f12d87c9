package dev.almanac.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.time.FirePreview.Reason;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calendars and the moment of a one-off (rule C4). */
class SingleMomentTest {
    private static final ZoneId BRUSSELS = ZoneId.of("Europe/Brussels");
    /** A weekend at the end of May, with the Monday after it. */
    private static final ExclusionCalendar CLOSED = SimpleCalendar.without("2026-05-30", "2026-05-31", "2026-06-01");

    private static SingleMoment at(String local, CalendarPolicy policy, ExclusionCalendar... calendars) {
        LocalDateTime wanted = LocalDateTime.parse(local);
        return new SingleMoment(LocalMoments.resolve(wanted, BRUSSELS), wanted, BRUSSELS, List.of(calendars), policy);
    }

    @ParameterizedTest
    @DisplayName("C4: an excluded one-off moves as its policy says, in whole milliseconds; an included one stays")
    @CsvSource({
        "2026-05-29T17:30:00.005, DROP,                2026-05-29T17:30:00.005",
        "2026-05-30T17:30:00.005, DROP,                ",
        "2026-05-30T17:30:00.005, NEXT_INCLUDED,       2026-06-02T00:00:00",
        "2026-05-30T17:30:00.005, FOLLOWING,           2026-06-02T17:30:00.005",
        "2026-05-30T17:30:00.005, PRECEDING,           2026-05-29T17:30:00.005",
        "2026-05-30T17:30:00.005, MODIFIED_FOLLOWING,  2026-05-29T17:30:00.005",
        "2026-06-01T17:30:00.005, PRECEDING,           2026-05-29T17:30:00.005",
        "2026-06-01T17:30:00.005, MODIFIED_PRECEDING,  2026-06-02T17:30:00.005",
        "2026-05-29T17:30:00.005, PRECEDING,           2026-05-29T17:30:00.005",
    })
    void policies(String wanted, CalendarPolicy policy, String fires) {
        SingleMoment moment = at(wanted, policy, CLOSED, SimpleCalendar.without());
        Optional<LocalDateTime> fire = moment.fire().map(found -> LocalDateTime.ofInstant(found.fireTime(), BRUSSELS));
        assertThat(fire).isEqualTo(Optional.ofNullable(fires).map(LocalDateTime::parse));
        boolean stays = wanted.equals(fires);
        moment.fire().ifPresent(found -> assertThat(found.nominalFireTime()).isEqualTo(stays ? null : moment.moment()));
    }

    @Test
    @DisplayName("C4, 4.2: the moved date keeps the wall time that was given, and the clock change of that date counts")
    void clockChange() {
        SingleMoment intoTheGap =
                at("2026-03-28T02:30:00", CalendarPolicy.FOLLOWING, SimpleCalendar.without("2026-03-28"));
        assertThat(intoTheGap.fire().orElseThrow().fireTime()).isEqualTo(Instant.parse("2026-03-29T01:00:00Z"));
        SingleMoment outOfTheGap =
                at("2026-03-29T02:30:00", CalendarPolicy.FOLLOWING, SimpleCalendar.without("2026-03-29"));
        assertThat(outOfTheGap.fire().orElseThrow().fireTime()).isEqualTo(Instant.parse("2026-03-30T00:30:00Z"));
    }

    @Test
    @DisplayName(
            "C1, C4: what excludes everything, and dates that no calendar is asked for, end the search with nothing")
    void bounded() {
        ExclusionCalendar never = new ExclusionCalendar() {
            @Override
            public boolean isIncluded(Instant instant, ZoneId zone) {
                return false;
            }

            @Override
            public Optional<Instant> nextIncluded(Instant from, ZoneId zone) {
                return Optional.empty();
            }
        };
        for (CalendarPolicy policy : CalendarPolicy.values()) {
            assertThat(at("2026-05-30T10:00:00", policy, never).fire())
                    .as("%s", policy)
                    .isEmpty();
            assertThat(at("9999-12-30T10:00:00", policy, never).fire())
                    .as("%s", policy)
                    .isEmpty();
            assertThat(at("0001-01-02T10:00:00", policy, never).fire())
                    .as("%s", policy)
                    .isEmpty();
        }
    }

    @Test
    @DisplayName("C4: the preview says what becomes of the moment, and which calendar it is")
    void preview() {
        assertThat(at("2026-05-29T10:00:00", CalendarPolicy.DROP, CLOSED).preview())
                .extracting(FirePreview::reason, FirePreview::calendar)
                .containsExactly(Reason.REGULAR, -1);
        assertThat(at("2026-03-29T02:30:00", CalendarPolicy.DROP).preview().reason())
                .isEqualTo(Reason.MOVED_BY_GAP);
        FirePreview moved = at("2026-05-30T10:00:00", CalendarPolicy.FOLLOWING, SimpleCalendar.without(), CLOSED)
                .preview();
        assertThat(moved.reason()).isEqualTo(Reason.SHIFTED_BY_CALENDAR);
        assertThat(moved.calendar()).isEqualTo(1);
        assertThat(moved.nominalTime()).isEqualTo(Instant.parse("2026-05-30T08:00:00Z"));
        assertThat(moved.fireTime()).isEqualTo(Instant.parse("2026-06-02T08:00:00Z"));
        assertThat(at("2026-05-30T10:00:00", CalendarPolicy.DROP, CLOSED).preview())
                .extracting(FirePreview::reason, FirePreview::fireTime)
                .containsExactly(Reason.EXCLUDED, null);
    }
}
