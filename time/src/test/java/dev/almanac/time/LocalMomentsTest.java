package dev.almanac.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One-offs by local time, and the version of the zone rules (T6). */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class LocalMomentsTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @Test
    @DisplayName("one-offs: 02:30 in the gap is 03:00, a time shown twice is its first pass, a lost day is its end")
    void one_offs() {
        for (DaylightSavingPolicy policy : DaylightSavingPolicy.values()) {
            LocalDate gap = LocalDate.of(2026, 3, 29);
            assertThat(LocalMoments.resolve(gap.atTime(2, 30), BERLIN, policy))
                    .isEqualTo(Instant.parse("2026-03-29T01:00:00Z"));
            assertThat(LocalMoments.resolve(gap.atTime(LocalTime.of(3, 0, 0, 5)), BERLIN, policy))
                    .isEqualTo(Instant.parse("2026-03-29T01:00:00.000000005Z"));
            assertThat(LocalMoments.resolve(LocalDate.of(2026, 10, 25).atTime(2, 30), BERLIN, policy))
                    .isEqualTo(Instant.parse("2026-10-25T00:30:00Z"));
            assertThat(LocalMoments.resolve(LocalDate.of(2011, 12, 30).atTime(9, 0), ZoneId.of("Pacific/Apia"), policy))
                    .isEqualTo(Instant.parse("2011-12-30T10:00:00Z"));
        }
    }

    @Test
    @DisplayName("T6: the version of the zone rules is known; an offset has none")
    void T6_versions() {
        assertThat(ZoneRulesVersion.current()).matches("20\\d\\d[a-z]");
        assertThat(ZoneRulesVersion.of(BERLIN)).isEqualTo(ZoneRulesVersion.current());
        assertThat(ZoneRulesVersion.of(ZoneOffset.ofHours(5))).isEqualTo("fixed");
        assertThat(ZoneRulesVersion.of(ZoneId.of("UTC+2"))).isEqualTo("fixed");
        assertThat(ZoneRulesVersion.of(ZoneId.of("UTC"))).isNotEmpty();
    }
}
