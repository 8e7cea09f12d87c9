package dev.almanac.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules T4 and T5, and that nothing loops or throws what it does not declare. The limits of time are coarse guards. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class BoundsTest {
    private static final DaylightSavingPolicy ONCE = DaylightSavingPolicy.RUN_ONCE;
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @ParameterizedTest
    @DisplayName("T4: an expression that can never fire is known as such")
    @ValueSource(
            strings = {
                "0 0 0 30 2 ?", "0 0 0 31 2,4,6,9,11 ?", "0 0 0 30W 2 ?", "0 0 0 29 2 ? 2025-2027", "0 0 0 29 2 ? 2100",
                "0 0 0 L-30 4 ?", "0 0 0 L-29 2 ?", "0 0 0 ? 2 1#5 2025", "0 0 0 ? 2 2#5 2028", "0 0 0 29 2 ? 2100/100"
            })
    void T4_never(String text) {
        CronExpression cron = CronExpression.parse(text, CronDialect.QUARTZ);
        assertThat(cron.canFire()).isFalse();
        assertThat(cron.next(Instant.MIN, BERLIN, ONCE)).isEmpty();
        assertThat(cron.previous(Instant.MAX, BERLIN, ONCE)).isEmpty();
        assertThat(cron.matches(Instant.EPOCH, BERLIN, ONCE)).isFalse();
    }

    @ParameterizedTest
    @DisplayName("T4: one that can is not, and its rare fires are found")
    @CsvSource({
        "0 0 0 ? 2 1#5, 2088-03-01T00:00:00Z, 2128-02-29T00:00:00Z",
        "0 0 0 29 2 ?, 2096-03-01T00:00:00Z, 2104-02-29T00:00:00Z",
        "0 0 0 29 2 ? 2196, 1970-01-01T00:00:00Z, 2196-02-29T00:00:00Z",
        "0 0 0 ? 2 3#5 2028, 1970-01-01T00:00:00Z, 2028-02-29T00:00:00Z",
        "0 0 0 L-29 4 ?, 2026-04-01T00:00:00Z, 2027-04-01T00:00:00Z",
        "59 59 23 31 12 ? 2199, 1970-01-01T00:00:00Z, 2199-12-31T23:59:59Z"
    })
    void T4_rare(String text, String after, String expected) {
        CronExpression cron = CronExpression.parse(text, CronDialect.QUARTZ);
        assertThat(cron.canFire()).isTrue();
        assertThat(cron.next(Instant.parse(after), ZoneOffset.UTC, ONCE)).contains(Instant.parse(expected));
    }

    @Test
    @DisplayName("T4: Sunday 29 February comes in 2088 and then in 2128, also in a zone with clock changes")
    void T4_forty_years() {
        CronExpression cron = CronExpression.parse("0 30 2 29 2 ?", CronDialect.QUARTZ);
        CronExpression sundays = CronExpression.parse("0 30 2 ? 2 SUN#5", CronDialect.QUARTZ);
        Instant from = Instant.parse("2088-03-01T00:00:00Z");
        assertThat(sundays.next(from, ZoneId.of("America/New_York"), ONCE))
                .contains(Instant.parse("2128-02-29T07:30:00Z"));
        assertThat(sundays.previous(Instant.parse("2128-02-29T07:30:00Z"), ZoneId.of("America/New_York"), ONCE))
                .contains(Instant.parse("2088-02-29T07:30:00Z"));
        assertThat(cron.next(from, BERLIN, ONCE)).contains(Instant.parse("2092-02-29T01:30:00Z"));
    }

    @Test
    @DisplayName("T5: instants far outside of the years 1970 to 2199 are ordinary questions")
    void T5_far_instants() {
        CronExpression cron = CronExpression.parse("* * * * * ?", CronDialect.QUARTZ);
        CronExpression unix = CronExpression.parse("* * * * *", CronDialect.UNIX);
        for (ZoneId zone : List.of(ZoneOffset.UTC, ZoneOffset.MAX, ZoneOffset.MIN, BERLIN, ZoneId.of("Pacific/Apia"))) {
            for (DaylightSavingPolicy policy : DaylightSavingPolicy.values()) {
                assertThat(local(cron.next(Instant.MIN, zone, policy), zone)).isEqualTo("1970-01-01T00:00");
                assertThat(local(unix.next(Instant.parse("1950-01-01T00:00:00Z"), zone, policy), zone))
                        .isEqualTo("1970-01-01T00:00");
                assertThat(local(cron.previous(Instant.MAX, zone, policy), zone))
                        .isEqualTo("2199-12-31T23:59:59");
                assertThat(cron.next(Instant.MAX, zone, policy)).isEmpty();
                assertThat(cron.previous(Instant.MIN, zone, policy)).isEmpty();
                assertThat(cron.matches(Instant.MIN, zone, policy)).isFalse();
                assertThat(cron.matches(Instant.MAX, zone, policy)).isFalse();
                assertThat(cron.nextUnmatched(Instant.MAX, zone)).contains(Instant.MAX);
                assertThat(cron.nextUnmatched(Instant.MIN, zone)).contains(Instant.MIN);
            }
        }
    }

    private static String local(Optional<Instant> at, ZoneId zone) {
        return at.orElseThrow().atZone(zone).toLocalDateTime().toString();
    }

    @Test
    @DisplayName("T3: texts of 10 kB are refused with a short message")
    void T3_long_texts() {
        for (String piece : List.of("1", "1,", "*", "/", "-", " ", "0 ", "L", "#", "\ud83d", "MON,", "@", "\n", "00")) {
            String text = piece.repeat(10_000 / piece.length());
            for (CronDialect dialect : CronDialect.values()) {
                for (String whole : List.of(text, "0 0 0 " + text + " * ?", text.substring(0, 4000))) {
                    assertThatThrownBy(() -> CronExpression.parse(whole, dialect))
                            .isInstanceOfSatisfying(InvalidCronException.class, e -> {
                                assertThat(e.getMessage()).hasSizeLessThan(400);
                                assertThat(e.value()).hasSizeLessThan(300);
                            });
                }
            }
        }
    }

    @Test
    @DisplayName("T3: 20,000 random and mutated texts are read or refused, and those that are read can be searched")
    void T3_random_texts() {
        Random random = new Random(20265);
        String alphabet = "0123456789*/-,?LW#lw @\tMONFRIjan.+\n\u0660\u00e9";
        int read = 0;
        for (int i = 0; i < 20_000; i++) {
            CronDialect dialect = CronDialect.values()[i % 2];
            StringBuilder text = new StringBuilder(i % 4 < 2 ? new RandomCron(random, dialect, -1).text : "");
            for (int j = i % 4 < 2 ? random.nextInt(4) : 40; j > 0; j--) {
                int at = random.nextInt(text.length() + 1);
                if (random.nextInt(3) == 0 && at < text.length()) {
                    text.deleteCharAt(at);
                } else {
                    text.insert(at, alphabet.charAt(random.nextInt(alphabet.length())));
                }
            }
            read += read(text.toString(), dialect, Instant.ofEpochSecond(random.nextInt(Integer.MAX_VALUE))) ? 1 : 0;
        }
        assertThat(read).isBetween(2_000, 12_000);
    }

    private static boolean read(String text, CronDialect dialect, Instant from) {
        try {
            CronExpression cron = CronExpression.parse(text, dialect);
            Optional<Instant> next = cron.next(from, BERLIN, ONCE);
            next.ifPresent(at -> assertThat(at).isAfter(from));
            next.ifPresent(at -> assertThat(at.getNano()).isZero());
            assertThat(CronExpression.parse(cron.toString(), dialect)).isEqualTo(cron);
            return true;
        } catch (InvalidCronException e) {
            assertThat(e.column()).as(text).isBetween(1, text.length() + 1);
            assertThat(e.reason()).as(text).isNotBlank();
            return false;
        }
    }

    @Test
    @DisplayName("T5: a later question never has an earlier answer; next and previous agree")
    void T5_monotony_and_duality() {
        Random random = new Random(20266);
        List<ZoneId> zones = List.of(
                BERLIN,
                ZoneId.of("Australia/Lord_Howe"),
                ZoneId.of("Africa/Casablanca"),
                ZoneId.of("America/St_Johns"),
                ZoneId.of("Antarctica/Troll"),
                ZoneId.of("Europe/Dublin"));
        for (int i = 0; i < 20_000; i++) {
            RandomCron random1 = new RandomCron(random, CronDialect.values()[i % 2], random.nextInt(5));
            CronExpression cron = CronExpression.parse(random1.text, random1.dialect);
            ZoneId zone = zones.get(i % zones.size());
            DaylightSavingPolicy policy = DaylightSavingPolicy.values()[i % 3];
            Instant first = Instant.ofEpochSecond(random.nextInt(Integer.MAX_VALUE), random.nextInt(1_000_000_000));
            Instant second = first.plusSeconds(random.nextInt(100_000_000));
            Instant one = cron.next(first, zone, policy).orElse(Instant.MAX);
            Instant two = cron.next(second, zone, policy).orElse(Instant.MAX);
            assertThat(two).as("%s %s %s", random1, zone, first).isAfterOrEqualTo(one);
            if (one.isBefore(Instant.MAX)) {
                Instant back = cron.previous(one, zone, policy).orElse(Instant.MIN);
                assertThat(back).as("%s %s %s", random1, zone, first).isBeforeOrEqualTo(first);
                assertThat(
                                back.equals(Instant.MIN)
                                        ? one
                                        : cron.next(back, zone, policy).orElseThrow())
                        .isEqualTo(one);
            }
        }
    }

    @Test
    @DisplayName("C1: the first instant that is not named is found without stepping")
    void C1_next_unmatched() {
        CronExpression all = CronExpression.parse("* * * * * ?", CronDialect.QUARTZ);
        assertThat(all.nextUnmatched(Instant.parse("2026-01-01T00:00:00Z"), BERLIN))
                .isEmpty();
        CronExpression year = CronExpression.parse("* * * * * ? 2026-2030", CronDialect.QUARTZ);
        assertThat(year.nextUnmatched(Instant.parse("2026-01-01T00:00:00.5Z"), BERLIN))
                .contains(Instant.parse("2030-12-31T23:00:00Z"));
        CronExpression night = CronExpression.parse("* * 0-7,18-23 ? * *", CronDialect.QUARTZ);
        assertThat(night.nextUnmatched(Instant.parse("2026-03-10T07:59:59.999Z"), ZoneOffset.UTC))
                .contains(Instant.parse("2026-03-10T08:00:00Z"));
        Instant noon = Instant.parse("2026-03-10T12:00:00.001Z");
        assertThat(night.nextUnmatched(noon, ZoneOffset.UTC)).contains(noon);
    }

    @Test
    @DisplayName("C1: the first instant that is not named, compared with walking")
    void C1_next_unmatched_by_walking() {
        Random random = new Random(20267);
        for (int i = 0; i < 3_000; i++) {
            RandomCron oracle = new RandomCron(random, CronDialect.QUARTZ, 2);
            CronExpression cron = CronExpression.parse(oracle.text, CronDialect.QUARTZ);
            long from = Instant.parse("2026-10-24T22:00:00Z").getEpochSecond() + random.nextInt(14_400);
            long at = from;
            while (cron.matchesLocal(java.time.LocalDateTime.ofInstant(Instant.ofEpochSecond(at), BERLIN))
                    && at < from + 200_000) {
                at++;
            }
            if (at < from + 200_000) {
                assertThat(cron.nextUnmatched(Instant.ofEpochSecond(from), BERLIN))
                        .as("%s from %s", oracle, from)
                        .contains(Instant.ofEpochSecond(at));
            }
        }
    }
}
