package dev.almanac.calendars;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.almanac.calendars.CalendarDefinition.Kind;
import dev.almanac.model.Problem;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DefinitionMapTest {
    private static final long SEED = 20261121;

    private static CalendarDefinition of(Kind kind, String... fieldsAndValues) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < fieldsAndValues.length; i += 2) {
            values.put(fieldsAndValues[i], fieldsAndValues[i + 1]);
        }
        return new CalendarDefinition(kind, values);
    }

    /** Every kind, with every field of it and with none but the required ones. */
    private static List<CalendarDefinition> everyKind() {
        return List.of(
                of(
                        Kind.DAILY,
                        "exclude.start-time",
                        "23:00",
                        "exclude.end-time",
                        "01:30:00.500",
                        "inverted",
                        "true",
                        "timezone",
                        "Europe/Brussels",
                        "description",
                        "Nächte, außer $einigen"),
                of(Kind.DAILY, "exclude.start-time", "03:00", "exclude.end-time", "05:00"),
                of(Kind.WEEKLY, "exclude-days", "1,SAT,friday", "timezone", "UTC", "description", "no.dots $here"),
                of(Kind.WEEKLY),
                of(Kind.MONTHLY, "exclude-days", "1,15,L", "timezone", "Asia/Tokyo", "description", "month ends"),
                of(Kind.MONTHLY),
                of(Kind.ANNUAL, "exclude-dates", "12-25,02-29", "timezone", "+02:00", "description", "feasts"),
                of(Kind.ANNUAL),
                of(Kind.HOLIDAY, "exclude-dates", "2026-05-14,2027-05-06", "timezone", "UTC", "description", "x"),
                of(Kind.HOLIDAY),
                of(
                        Kind.RANGE,
                        "exclude-ranges",
                        "2026-12-24T18:00/2027-01-02T06:00,2028-02-29T00:00:01/2028-02-29T12:00:00.500",
                        "timezone",
                        "Europe/Berlin",
                        "description",
                        "moves"),
                of(Kind.RANGE),
                of(Kind.CRON, "exclude-expression", "* * 0-7,18-23 ? * *", "timezone", "UTC", "description", "office"),
                of(Kind.CRON, "exclude-expression", "0 0 12 * * ?"));
    }

    @Test
    @DisplayName("C2, C5: a definition of every kind, written and read again, is the same and judges the same")
    void roundTrip() {
        SplittableRandom random = new SplittableRandom(SEED);
        assertThat(everyKind()).extracting(CalendarDefinition::kind).contains(Kind.values());
        for (CalendarDefinition definition : everyKind()) {
            CalendarDefinition again = CalendarDefinition.of(definition.toMap());
            assertThat(again).isEqualTo(definition);
            assertThat(again.toMap()).isEqualTo(definition.toMap());
            RuleCalendar before = definition.calendar();
            RuleCalendar after = again.calendar();
            assertThat(after.zone()).isEqualTo(before.zone());
            assertThat(after.description()).isEqualTo(before.description());
            for (int i = 0; i < 2_000; i++) {
                Instant at =
                        Instant.parse("2026-01-01T00:00:00Z").plus(Duration.ofMinutes(random.nextInt(3 * 366 * 1_440)));
                ZoneId zone = ZoneId.of("America/New_York");
                assertThat(after.isIncluded(at, zone)).isEqualTo(before.isIncluded(at, zone));
            }
        }
    }

    @Test
    @DisplayName("C5: the map is plain data: texts, lists of texts, booleans, one nested map; no dots in names")
    void plain() {
        for (CalendarDefinition definition : everyKind()) {
            assertPlain(definition.toMap());
        }
        assertThat(everyKind().get(0).toMap())
                .isEqualTo(Map.of(
                        "kind",
                        "Daily",
                        "exclude",
                        Map.of("start-time", "23:00", "end-time", "01:30:00.500"),
                        "inverted",
                        true,
                        "timezone",
                        "Europe/Brussels",
                        "description",
                        "Nächte, außer $einigen"));
    }

    private static void assertPlain(Map<?, ?> map) {
        map.forEach((name, value) -> {
            assertThat((String) name).doesNotContain(".").doesNotContain("$");
            if (value instanceof Map<?, ?> nested) {
                assertPlain(nested);
            } else if (value instanceof List<?> items) {
                assertThat(items).isNotEmpty().allMatch(String.class::isInstance);
            } else {
                assertThat(value).isInstanceOfAny(String.class, Boolean.class);
            }
        });
    }

    @Test
    @DisplayName("C2: what a configuration file may give instead: dotted names, texts with commas, numbers, blanks")
    void otherForms() {
        assertThat(CalendarDefinition.of(
                        Map.of("kind", "daily", "exclude.start-time", " 23:00 ", "exclude.end-time", "01:30")))
                .isEqualTo(CalendarDefinition.of(
                        Map.of("kind", "DAILY", "exclude", Map.of("start-time", "23:00", "end-time", "01:30"))));
        assertThat(CalendarDefinition.of(Map.of("kind", "Weekly", "exclude-days", List.of(1, 7))))
                .isEqualTo(CalendarDefinition.of(Map.of("kind", "Weekly", "exclude-days", "1 , 7")));
        assertThat(CalendarDefinition.of(Map.of("kind", "Monthly", "exclude-days", 31)))
                .isEqualTo(of(Kind.MONTHLY, "exclude-days", "31"));
        assertThat(CalendarDefinition.of(Map.of("kind", "Weekly", "exclude-days", List.of())))
                .isEqualTo(of(Kind.WEEKLY));
        assertThat(CalendarDefinition.of(Map.of(
                        "kind",
                        "Daily",
                        "exclude.start-time",
                        "03:00",
                        "exclude.end-time",
                        "05:00",
                        "inverted",
                        false)))
                .isEqualTo(of(Kind.DAILY, "exclude.start-time", "03:00", "exclude.end-time", "05:00"));
    }

    private static List<Problem> problems(Map<String, ?> fields) {
        return catchThrowableOfType(InvalidCalendarException.class, () -> CalendarDefinition.of(fields))
                .problems();
    }

    @Test
    @DisplayName("C2: all problems at once, each with field, value and reason")
    void allAtOnce() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", "Daily");
        fields.put("exclude", Map.of("start-time", "25:00", "end-time", "05:00:00.0001"));
        fields.put("inverted", "yes");
        fields.put("timezone", "Europe/Brusels");
        fields.put("description", "x".repeat(1_001));
        fields.put("colour", "red");
        fields.put("notes", null);
        fields.put("exclude-days", new Object());
        assertThat(problems(fields))
                .extracting(Problem::field)
                .containsExactlyInAnyOrder(
                        "notes",
                        "exclude-days",
                        "colour",
                        "exclude.start-time",
                        "exclude.end-time",
                        "inverted",
                        "timezone",
                        "description");
        assertThat(problems(Map.of("kind", "Holiday", "exclude-dates", "2026-02-30,2026-12-25,26-1-1,+2026-01-01")))
                .extracting(Problem::value)
                .containsExactly("2026-02-30", "26-1-1", "+2026-01-01");
        assertThat(problems(Map.of("kind", "Annual", "exclude-dates", List.of("02-29", "02-30", "2-1"))))
                .extracting(Problem::value)
                .containsExactly("02-30", "2-1");
        assertThat(problems(Map.of("kind", "Monthly", "exclude-days", List.of("0", "L", "32", "001"))))
                .extracting(Problem::value)
                .containsExactly("0", "32", "001");
        assertThat(problems(Map.of("kind", "Weekly", "exclude-days", List.of("8", "SUNDAY", ""))))
                .extracting(Problem::value)
                .containsExactly("8", "");
        assertThat(problems(Map.of("kind", "Cron", "exclude-expression", "61 * * * * ?")))
                .extracting(Problem::field)
                .containsExactly("exclude-expression");
        assertThat(problems(Map.of("kind", "Cron")))
                .extracting(Problem::toString)
                .containsExactly("exclude-expression is required");
    }

    @Test
    @DisplayName("C2: an unknown name is refused with the one that is near: fields, kinds, zones")
    void near() {
        assertThat(problems(Map.of("kind", "Holiday", "exclude-date", "2026-12-25")))
                .singleElement()
                .asString()
                .contains("exclude-date", "is no field of a Holiday calendar; perhaps exclude-dates is meant");
        assertThat(problems(Map.of("kind", "Weekly", "exclude_days", "1", "timezoen", "UTC"))
                        .toString())
                .contains("perhaps exclude-days is meant", "perhaps timezone is meant");
        assertThat(problems(Map.of("kind", "Holliday")).toString()).contains("perhaps Holiday is meant");
        assertThat(problems(Map.of("kind", "Weekly", "timezone", "Europe/Brusels"))
                        .toString())
                .contains("time zone database 20", "perhaps Europe/Brussels");
        assertThat(problems(Map.of("kind", "Weekly", "qqqqqq", "1")).toString())
                .contains("known are [exclude-days, timezone, description]")
                .doesNotContain("perhaps");
        assertThat(problems(Map.of("exclude-days", "1")).toString()).contains("kind is required; Daily, Weekly");
    }

    @Test
    @DisplayName("C2: what would be guessed is refused: a value given twice, an item of two, a date that is an object")
    void neverGuessed() {
        assertThat(problems(Map.of(
                        "kind",
                        "Daily",
                        "exclude.start-time",
                        "03:00",
                        "exclude",
                        Map.of("start-time", "04:00", "end-time", "05:00"))))
                .singleElement()
                .asString()
                .contains("exclude.start-time", "is given twice");
        assertThat(problems(Map.of("kind", "Weekly", "exclude-days", List.of("1,7"))))
                .singleElement()
                .asString()
                .contains("is no item of a list");
        assertThat(problems(Map.of("kind", "Holiday", "exclude-dates", List.of(LocalDate.of(2026, 1, 1)))))
                .hasSize(1);
        assertThat(problems(Map.of("kind", "Holiday", "exclude-dates", Collections.singletonList(null))))
                .hasSize(1);
        List<Object> itself = new ArrayList<>();
        itself.add(List.of(itself));
        assertThat(problems(Map.of("kind", "Holiday", "exclude-dates", itself, "description", itself)))
                .hasSize(2);
        assertThat(problems(Map.of("kind", "Daily", "exclude", "03:00-05:00")).toString())
                .contains("exclude '03:00-05:00' is no field");
    }

    @Test
    @DisplayName(
            "C2: lists and messages are bounded: 100 000 items are read, one more is refused, 50 problems are reported")
    void bounded() {
        String dates = IntStream.range(0, 100_000)
                .mapToObj(day -> LocalDate.of(2000, 1, 1).plusDays(day).toString())
                .collect(Collectors.joining(","));
        assertThat(of(Kind.HOLIDAY, "exclude-dates", dates).toMap().get("exclude-dates"))
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                .hasSize(100_000);
        assertThat(problems(Map.of("kind", "Holiday", "exclude-dates", dates + ",2026-01-01")))
                .singleElement()
                .asString()
                .contains("more items than the limit of 100000");
        List<String> wrong = new ArrayList<>(Collections.nCopies(100_000, "x".repeat(100)));
        InvalidCalendarException e = catchThrowableOfType(
                InvalidCalendarException.class,
                () -> CalendarDefinition.of(Map.of("kind", "Holiday", "exclude-dates", wrong)));
        assertThat(e.problems()).hasSize(51);
        assertThat(e.problems().get(50)).asString().contains("99950");
        assertThat(e.getMessage()).hasSizeLessThan(20_000);
    }

    @Test
    @DisplayName("C2: random maps give a definition that round-trips, or the declared exception, and nothing else")
    void anything() {
        SplittableRandom random = new SplittableRandom(SEED);
        List<String> names = List.of(
                "exclude-days",
                "exclude-dates",
                "exclude",
                "exclude.start-time",
                "exclude.end-time",
                "inverted",
                "exclude-expression",
                "timezone",
                "description",
                "",
                "exclude.",
                "kind");
        List<Object> values = Arrays.asList(
                "1",
                "L",
                "12-25",
                "2026-12-25",
                "03:00",
                "05:00",
                true,
                "false",
                "UTC",
                "* * * * * ?",
                null,
                7,
                1.5,
                List.of("1", 2),
                List.of(),
                Map.of("start-time", "03:00", "end-time", "04:00"),
                Map.of(),
                "",
                "\u0000\u202e",
                new int[0],
                List.of(List.of()),
                "💥".repeat(100),
                Map.of("x", Map.of()));
        int read = 0;
        for (int i = 0; i < 20_000; i++) {
            Map<String, Object> fields = new HashMap<>();
            fields.put("kind", Kind.values()[random.nextInt(6)].title());
            for (int n = random.nextInt(4); n > 0; n--) {
                fields.put(names.get(random.nextInt(names.size())), values.get(random.nextInt(values.size())));
            }
            try {
                CalendarDefinition definition = CalendarDefinition.of(fields);
                assertThat(CalendarDefinition.of(definition.toMap())).isEqualTo(definition);
                read++;
            } catch (InvalidCalendarException e) {
                assertThat(e.problems()).isNotEmpty();
                assertThat(e.getMessage()).doesNotContain("\u202e").doesNotContain("\u0000");
            }
        }
        assertThat(read).as("seed %d: not only refusals", SEED).isBetween(1_000, 19_000);
    }

    @Test
    @DisplayName("C2: letters beyond ASCII whose upper case is an ASCII letter make no name")
    void beyondAscii() {
        for (String day : List.of("FR\u0131", "\u017funday", "\u017fAT", "\uff26\uff32\uff29", "\u0661")) {
            InvalidCalendarException e =
                    catchThrowableOfType(InvalidCalendarException.class, () -> of(Kind.WEEKLY, "exclude-days", day));
            assertThat(e).as(day).isNotNull();
            assertThat(e.field()).isEqualTo("exclude-days");
        }
        for (String kind : List.of("hol\u0131day", "da\u0131ly", "wee\u212aly")) {
            InvalidCalendarException e = catchThrowableOfType(InvalidCalendarException.class, () -> Kind.of(kind));
            assertThat(e).as(kind).isNotNull();
            assertThat(e.field()).isEqualTo("kind");
        }
        assertThat(Kind.of(" hOLIDAY ")).isEqualTo(Kind.HOLIDAY);
    }
}
