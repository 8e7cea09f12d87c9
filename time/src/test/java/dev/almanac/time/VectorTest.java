package dev.almanac.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Rules T1 to T5, 4.2 and C4 DROP, by tables of cases. */
class VectorTest {

    @TestFactory
    @DisplayName("T1, T2: fires in order")
    Stream<DynamicTest> next() {
        return Vectors.read("cron-next.tsv").stream().map(row -> test(row, DaylightSavingPolicy.RUN_ONCE, "next"));
    }

    @TestFactory
    @DisplayName("4.2: clock changes under each policy")
    Stream<DynamicTest> clockChanges() {
        return Vectors.read("cron-dst.tsv").stream()
                .flatMap(row ->
                        Stream.of(DaylightSavingPolicy.values()).map(policy -> test(row, policy, policy.name())));
    }

    @TestFactory
    @DisplayName("4.2: fixed or interval")
    Stream<DynamicTest> kinds() {
        return Vectors.read("cron-dst.tsv").stream()
                .map(row -> DynamicTest.dynamicTest(
                        row.get("expression"),
                        () -> assertThat(cron(row).isFixedTime())
                                .isEqualTo(row.get("kind").equals("fixed"))));
    }

    @TestFactory
    @DisplayName("T3: refused, with field, column and reason")
    Stream<DynamicTest> invalid() {
        return Vectors.read("cron-invalid.tsv").stream()
                .map(row -> DynamicTest.dynamicTest(
                        row.get("expression") + " " + row.get("why"),
                        () -> assertThatThrownBy(() -> cron(row))
                                .isInstanceOfSatisfying(InvalidCronException.class, e -> {
                                    assertThat(e.field()).isNotBlank();
                                    assertThat(e.column())
                                            .isBetween(1, row.get("expression").length() + 1);
                                    assertThat(e.reason()).isNotBlank();
                                    assertThat(e.getMessage()).contains(e.field(), "column " + e.column(), e.reason());
                                })));
    }

    @TestFactory
    @DisplayName("C4: excluded fires are dropped")
    Stream<DynamicTest> calendars() {
        return Vectors.read("cron-calendar.tsv").stream()
                .map(row -> DynamicTest.dynamicTest(row.get("expression") + " " + row.get("note"), () -> {
                    List<String> expected = Vectors.instants(row.get("next"));
                    Recurrence recurrence = new Recurrence(
                            CronExpression.parse(row.get("expression"), CronDialect.QUARTZ),
                            ZoneId.of(row.get("zone")),
                            DaylightSavingPolicy.RUN_ONCE,
                            List.of(SimpleCalendar.of(row.get("kind"), row.get("parameters"))),
                            CalendarPolicy.DROP,
                            null,
                            null);
                    assertThat(Vectors.fires(
                                    Vectors.instant(row.get("from")),
                                    expected.size(),
                                    at -> recurrence.next(at).map(PlannedFire::fireTime)))
                            .isEqualTo(expected);
                }));
    }

    private static CronExpression cron(Map<String, String> row) {
        return CronExpression.parse(row.get("expression"), Vectors.dialect(row.get("dialect")));
    }

    private static DynamicTest test(Map<String, String> row, DaylightSavingPolicy policy, String column) {
        String name = row.get("expression") + " " + row.get("zone") + " " + policy + ": " + row.get("note");
        return DynamicTest.dynamicTest(name, () -> {
            CronExpression cron = cron(row);
            ZoneId zone = ZoneId.of(row.get("zone"));
            Instant from = Vectors.instant(row.get("from"));
            List<String> expected = Vectors.instants(row.get(column));
            assertThat(Vectors.fires(from, expected.size(), at -> cron.next(at, zone, policy)))
                    .isEqualTo(expected);
            Instant last = from;
            for (String fire : expected) {
                Optional<Instant> next = cron.next(last, zone, policy);
                if (next.isPresent()) {
                    last = Instant.parse(fire);
                    assertThat(cron.matches(last, zone, policy)).isTrue();
                    assertThat(cron.previous(last.plusNanos(1), zone, policy)).contains(last);
                }
            }
        });
    }
}
