package dev.almanac.engine.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.engine.rules.FirePlanner;
import dev.almanac.store.StoredCalendar;
import dev.almanac.time.ExclusionCalendar;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CalendarBookTest {
    private final List<Map<String, Object>> read = new ArrayList<>();
    private final CalendarBook book = new CalendarBook(Map.of(), definition -> {
        read.add(definition);
        throw new IllegalArgumentException("this test needs no calendar");
    });

    private static StoredCalendar bank(long version, String definition, boolean deleted) {
        return new StoredCalendar("bank", version, Map.of("days", definition), Instant.EPOCH, "ann", deleted);
    }

    private void update(StoredCalendar calendar) {
        book.update(List.of(calendar), 0);
    }

    @Test
    @DisplayName("C5: a slow reading does not put an older version over a newer one; a newer one replaces it")
    void slowReading() {
        update(bank(2, "newer", false));
        update(bank(1, "older", false));
        assertThat(read).containsExactly(Map.of("days", "newer"));
        update(bank(3, "newest", false));
        assertThat(read).containsExactly(Map.of("days", "newer"), Map.of("days", "newest"));
    }

    @Test
    @DisplayName("C5: a slow reading from before a deletion does not bring the calendar back")
    void deleted() {
        update(bank(2, "newer", true));
        update(bank(1, "older", false));
        assertThat(book.planner().whyUnknown("bank")).isEqualTo(FirePlanner.WhyUnknown.DELETED);
        assertThat(book.knows("bank")).isFalse();
    }

    @Test
    @DisplayName("C5: a definition that was edited by hand is taken over, though its version is the same")
    void byHand() {
        update(bank(2, "stored", false));
        update(bank(2, "edited", false));
        assertThat(read).hasSize(2).last().isEqualTo(Map.of("days", "edited"));
    }

    @Test
    @DisplayName("X2: a calendar whose definition fails with an Error is not known; the others are read all the same")
    void error() {
        CalendarBook some = new CalendarBook(Map.of(), definition -> {
            if (definition.containsValue("overflow")) {
                throw new StackOverflowError();
            }
            return ExclusionCalendar.allOf(List.of());
        });
        StoredCalendar shop = new StoredCalendar("shop", 1, Map.of(), Instant.EPOCH, "ann", false);
        some.update(List.of(bank(1, "overflow", false), shop), 0);
        assertThat(some.planner().whyUnknown("bank")).isEqualTo(FirePlanner.WhyUnknown.UNREADABLE);
        assertThat(some.knows("bank")).isFalse();
        assertThat(some.knows("shop")).isTrue();
    }

    /** When a calendar was read, in seconds, if it is asked for each second, and each reading fails like that. */
    private static List<Integer> readings(int seconds, int failures, Throwable failure) {
        List<Integer> readings = new ArrayList<>();
        int[] second = {0};
        CalendarBook some = new CalendarBook(Map.of(), definition -> {
            readings.add(second[0]);
            if (readings.size() > failures) {
                return ExclusionCalendar.allOf(List.of());
            }
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        });
        for (; second[0] < seconds; second[0]++) {
            some.update(List.of(bank(1, "days", false)), second[0] * 1_000_000_000L);
        }
        assertThat(some.knows("bank")).isEqualTo(readings.size() > failures);
        return readings;
    }

    @Test
    @DisplayName(
            "X2: a calendar whose reading fails by what may pass is read again, after growing pauses, until it is known")
    void readAgain() {
        assertThat(readings(100, 3, new NoClassDefFoundError("for now"))).containsExactly(0, 2, 6, 14);
        assertThat(readings(100, 1, new IllegalStateException("for now"))).containsExactly(0, 2);
        assertThat(readings(1_000, 1_000, new StackOverflowError()))
                .containsExactly(0, 2, 6, 14, 30, 62, 126, 254, 494, 734, 974);
    }

    @Test
    @DisplayName("X2, X6: a definition that its reader refuses is not read again until it is edited")
    void refusedForGood() {
        assertThat(readings(1_000, 1_000, new IllegalArgumentException("no such day")))
                .containsExactly(0);
    }
}
