package dev.almanac.engine.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.store.StoredCalendar;
import dev.almanac.time.CalendarReader;
import dev.almanac.time.ExclusionCalendar;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which version of a calendar was in force when (rule S22). */
class CalendarPeriodsTest {
    private static final Instant T = Instant.parse("2026-11-02T08:00:00Z");
    /** A calendar that excludes one second of each minute: the one that its definition names. */
    private static final CalendarReader READER = definition -> {
        if (!(definition.get("second") instanceof Integer second)) {
            throw new IllegalArgumentException("no second");
        }
        if (second > 59) {
            throw new NoClassDefFoundError("of a reader");
        }
        return new ExcludedSecond(second);
    };

    private record ExcludedSecond(int second) implements ExclusionCalendar {
        @Override
        public boolean isIncluded(Instant instant, ZoneId jobZone) {
            return instant.atZone(ZoneOffset.UTC).getSecond() != second;
        }

        @Override
        public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone) {
            return Optional.of(isIncluded(from, jobZone) ? from : from.plusSeconds(1));
        }
    }

    private static Instant at(long minute) {
        return T.plusSeconds(60 * minute);
    }

    private static StoredCalendar version(long version, long minute) {
        return new StoredCalendar("c", version, Map.of("second", (int) version), at(minute), "by " + version);
    }

    private static CalendarPeriods of(StoredCalendar current, StoredCalendar... versions) {
        return CalendarPeriods.of(List.of(current), List.of(versions), READER);
    }

    private static Optional<ExclusionCalendar> excluding(int second) {
        return Optional.of(new ExcludedSecond(second));
    }

    @Test
    @DisplayName(
            "S22: a version is in force from the moment it was stored until the next was; before the first is none")
    void versions() {
        CalendarPeriods periods = of(version(3, 20), version(2, 10), version(1, 0));
        assertThat(periods.at("c", at(0).minusMillis(1))).isEmpty();
        assertThat(periods.at("c", at(0))).isEqualTo(excluding(1));
        assertThat(periods.at("c", at(10).minusMillis(1))).isEqualTo(excluding(1));
        assertThat(periods.at("c", at(10))).isEqualTo(excluding(2));
        assertThat(periods.at("c", at(20))).isEqualTo(excluding(3));
        assertThat(periods.at("c", at(9_999_999))).isEqualTo(excluding(3));
        assertThat(periods.knownSince("c")).isEqualTo(Instant.MIN);
        assertThat(periods.periods("c"))
                .containsExactly(
                        new CalendarPeriods.Period(at(0), at(10), version(1, 0), excluding(1)),
                        new CalendarPeriods.Period(at(10), at(20), version(2, 10), excluding(2)),
                        new CalendarPeriods.Period(at(20), null, version(3, 20), excluding(3)));
    }

    @Test
    @DisplayName("S22: a calendar that was never stored has no period, and that is known")
    void unknownName() {
        CalendarPeriods periods = of(version(1, 0));
        assertThat(periods.at("other", at(1))).isEmpty();
        assertThat(periods.periods("other")).isEmpty();
        assertThat(periods.knownSince("other")).isEqualTo(Instant.MIN);
    }

    @Test
    @DisplayName("S22: while a calendar was deleted there was none, and it is known by whom it was deleted")
    void deleted() {
        StoredCalendar gone = version(1, 0).tombstone(at(10), "eve");
        CalendarPeriods periods = of(version(3, 20), gone, version(1, 0));
        assertThat(periods.at("c", at(9))).isEqualTo(excluding(1));
        assertThat(periods.at("c", at(10))).isEmpty();
        assertThat(periods.at("c", at(20))).isEqualTo(excluding(3));
        assertThat(periods.knownSince("c")).isEqualTo(Instant.MIN);
        assertThat(periods.periods("c").get(1))
                .isEqualTo(new CalendarPeriods.Period(at(10), at(20), gone, Optional.empty()));
        assertThat(of(gone, version(1, 0)).at("c", at(99))).isEmpty();
    }

    @Test
    @DisplayName("S22: a calendar that was restored as it was, with its old time, is in force from its restoration")
    void restored() {
        StoredCalendar restored = new StoredCalendar("c", 3, version(1, 0).definition(), at(0), "by 1");
        CalendarPeriods periods = of(restored, version(1, 0).tombstone(at(10), "eve"), version(1, 0));
        assertThat(periods.at("c", at(5))).isEqualTo(excluding(1));
        assertThat(periods.at("c", at(10))).isEqualTo(excluding(1));
        assertThat(periods.periods("c"))
                .extracting(CalendarPeriods.Period::from)
                .containsExactly(at(0), at(10), at(10));
        assertThat(periods.periods("c")).extracting(CalendarPeriods.Period::to).containsExactly(at(10), at(10), null);
    }

    @Test
    @DisplayName("S22: what is older than the kept versions is not known")
    void expired() {
        CalendarPeriods periods = of(version(8, 20), version(7, 10));
        assertThat(periods.at("c", at(9))).isEmpty();
        assertThat(periods.at("c", at(10))).isEqualTo(excluding(7));
        assertThat(periods.knownSince("c")).isEqualTo(at(10));
        assertThat(of(version(8, 20)).knownSince("c")).isEqualTo(at(20));
    }

    @Test
    @DisplayName("S22: where a version is missing, neither it nor the end of the one before is known; the others are")
    void gap() {
        CalendarPeriods periods = of(version(5, 40), version(4, 30), version(2, 10), version(1, 0));
        assertThat(periods.at("c", at(9))).isEqualTo(excluding(1));
        assertThat(periods.at("c", at(10))).isEmpty();
        assertThat(periods.at("c", at(29))).isEmpty();
        assertThat(periods.at("c", at(30))).isEqualTo(excluding(4));
        assertThat(periods.at("c", at(40))).isEqualTo(excluding(5));
        assertThat(periods.knownSince("c")).isEqualTo(at(30));
        assertThat(periods.periods("c"))
                .extracting(period -> period.version().version())
                .containsExactly(1L, 4L, 5L);
    }

    @Test
    @DisplayName("S22: a copy of the version in force, a newer one, and another calendar's replace nothing")
    void copies() {
        StoredCalendar other = new StoredCalendar("d", 1, Map.of("second", 9), at(0), "eve");
        CalendarPeriods periods = of(version(2, 10), version(3, 15), version(2, 10), version(1, 0), other);
        assertThat(periods.periods("c"))
                .extracting(period -> period.version().version())
                .containsExactly(1L, 2L);
        assertThat(periods.at("c", at(20))).isEqualTo(excluding(2));
        assertThat(periods.at("d", at(20)))
                .as("nothing replaced it, so it was not in force")
                .isEmpty();
    }

    @Test
    @DisplayName("S22: a definition that cannot be read here hides no other version")
    void unreadable() {
        StoredCalendar wrong = new StoredCalendar("c", 2, Map.of("x", 1), at(10), "eve");
        StoredCalendar error = new StoredCalendar("c", 3, Map.of("second", 60), at(20), "eve");
        CalendarPeriods periods = of(version(4, 30), error, wrong, version(1, 0));
        assertThat(periods.at("c", at(9))).isEqualTo(excluding(1));
        assertThat(periods.at("c", at(10))).isEmpty();
        assertThat(periods.at("c", at(20))).isEmpty();
        assertThat(periods.at("c", at(30))).isEqualTo(excluding(4));
        assertThat(periods.periods("c")).hasSize(4);
        assertThat(periods.knownSince("c")).isEqualTo(at(30));
        assertThat(of(wrong, version(1, 0)).knownSince("c")).as("not even now").isEqualTo(Instant.MAX);
    }

    @Test
    @DisplayName("16.1: of a calendar that was damaged in the database nothing is known")
    void damaged() {
        StoredCalendar damaged = new StoredCalendar("c", 0, Map.of(), Instant.EPOCH, "");
        CalendarPeriods periods = of(damaged, version(1, 0), version(2, 10));
        assertThat(periods.at("c", at(5))).isEmpty();
        assertThat(periods.at("c", at(20))).isEmpty();
        assertThat(periods.knownSince("c")).isEqualTo(Instant.MAX);
    }
}
