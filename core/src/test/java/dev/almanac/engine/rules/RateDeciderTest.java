package dev.almanac.engine.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.Rate;
import dev.almanac.store.RateUse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateDeciderTest {
    private static final Instant NOW = Instant.parse("2030-03-01T10:00:00Z");
    private static final Rate RATE = Rate.parse("3/s");

    private static RateUse counted(Rate rate, RateUse use, Instant at, int times) {
        RateUse next = use;
        for (int i = 0; i < times; i++) {
            next = RateDecider.count(rate, next, at).next();
            assertThat(next).isNotNull();
        }
        return next;
    }

    @Test
    @DisplayName("P9: a rate lets a burst through, then the next claim a period after the end of its stretch")
    void burst() {
        RateUse full = counted(RATE, RateUse.NONE, NOW.plusMillis(7), 3);
        RateDecider.Verdict refused = RateDecider.count(RATE, full, NOW.plusMillis(900));
        assertThat(refused.next()).isNull();
        assertThat(refused.until()).isEqualTo(NOW.plusMillis(1_050));
        assertThat(RateDecider.count(RATE, full, NOW.plusMillis(1_049)).next()).isNull();
        assertThat(RateDecider.count(RATE, full, NOW.plusMillis(1_050)).next()).isNotNull();
    }

    @Test
    @DisplayName(
            "P9: within no period are more claims counted than the rate, whenever it begins, and few less under pressure")
    void property() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 300; i++) {
            Rate rate = new Rate(1 + random.nextInt(12), Duration.ofMillis(random.nextLong(1_000, 30_000)));
            boolean pressed = random.nextBoolean();
            Duration permit = Duration.ofMillis(random.nextBoolean() ? 0 : random.nextLong(1, 501));
            List<Instant> claims = new ArrayList<>();
            RateUse use = RateUse.NONE;
            Instant at = NOW;
            Instant end = NOW.plus(rate.period().multipliedBy(20));
            while (at.isBefore(end)) {
                RateDecider.Verdict verdict = RateDecider.count(rate, use, at, permit);
                if (verdict.next() != null) {
                    // it is made at once, or as late as it may be
                    claims.add(random.nextBoolean() ? at : at.plus(permit));
                    use = verdict.next();
                    at = at.plusMillis(
                            pressed ? 1 : random.nextLong(1, rate.period().toMillis()));
                } else {
                    assertThat(verdict.until()).isAfter(at);
                    at = pressed ? verdict.until() : at.plusMillis(random.nextLong(1, 5_000));
                }
                assertThat(use.counts()).hasSizeLessThan(24);
            }
            Collections.sort(claims);
            for (int first = 0; first + rate.claims() < claims.size(); first++) {
                assertThat(Duration.between(claims.get(first), claims.get(first + rate.claims())))
                        .as("%s, claims %d on", rate, first)
                        .isGreaterThan(rate.period());
            }
            if (pressed && permit.isZero()) {
                assertThat(claims.size()).isGreaterThanOrEqualTo(rate.claims() * 18);
            }
        }
    }

    @Test
    @DisplayName(
            "P9: a clock that is behind lets nobody count twice; what lies far ahead is damage and counts for nothing")
    void clocks() {
        RateUse ahead = counted(RATE, RateUse.NONE, NOW.plusMillis(600), 3);
        RateDecider.Verdict behind = RateDecider.count(RATE, ahead, NOW);
        assertThat(behind.next()).isNull();
        assertThat(behind.until()).isEqualTo(NOW.plusMillis(1_650));
        RateUse damaged = new RateUse(8, List.of(new RateUse.Count(NOW.plusSeconds(86_400), 3)));
        RateUse mended = RateDecider.count(RATE, damaged, NOW).next();
        assertThat(mended).isNotNull();
        assertThat(mended.number()).isEqualTo(9);
        assertThat(mended.counts()).containsExactly(new RateUse.Count(NOW, 1));
    }

    @ParameterizedTest(name = "{0}, the last count took {1}: {2}")
    @DisplayName(
            "P9: a count that is slow once costs no claim of a long period, and claims of a short one are delayed little")
    @CsvSource({"1/h, 0, 500", "1/s, 0, 50", "1/PT4S, 0, 200", "1/s, 120, 240", "1/s, 900, 500", "100/d, 900, 500"})
    void permit(String rate, long took, long permit) {
        assertThat(RateDecider.permit(Rate.parse(rate), Duration.ofMillis(took)))
                .isEqualTo(Duration.ofMillis(permit));
    }

    @Test
    @DisplayName("P9: a rate that was lowered counts what was let through before")
    void lowered() {
        RateUse use = counted(Rate.parse("10/min"), RateUse.NONE, NOW, 8);
        assertThat(RateDecider.count(Rate.parse("5/min"), use, NOW.plusSeconds(30))
                        .next())
                .isNull();
        assertThat(RateDecider.count(Rate.parse("9/min"), use, NOW.plusSeconds(30))
                        .next())
                .isNotNull();
    }
}
