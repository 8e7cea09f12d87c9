package dev.almanac.engine.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReleasesTest {
    @ParameterizedTest
    @DisplayName("S26: the order of releases")
    @CsvSource({
        "1.9, 1.10, -1",
        "417, 1000, -1",
        "1.10, 1.10.0, 0",
        "1.10-SNAPSHOT, 1.10, 0",
        "v2.0, v1.9, 1",
        "2.0-RC1, 2.0, -1",
        "2.0-RC2, 2.0-RC10, -1",
        "2026-11-25, 2026-02-01, 1",
        "007, 7, 0",
        "1.2-3f2ab1c, 1.2-a1b2c3d, 0",
        "1.2-3f2ab1c, 1.2-9e11111, 0",
        "1.2-3f2ab1c, 1.3-0a11111, -1",
        "1.2-5-gabc1234, 1.2-6-g0000000, -1",
        "1.2-3f2ab1c, 1.2, 0",
        "1.2.rc1, 1.2.rc2, -1",
        "99999999999999999999, 100000000000000000000, -1"
    })
    void order(String one, String other, int expected) {
        assertThat(Integer.signum(Releases.compare(one, other))).isEqualTo(expected);
        assertThat(Integer.signum(Releases.compare(other, one))).isEqualTo(-expected);
    }
}
