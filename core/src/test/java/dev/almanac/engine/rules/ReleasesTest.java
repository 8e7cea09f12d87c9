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
        "2.0.RC1, 2.0.Final, -1",
        "2.0.RC1, 2.0.GA, -1",
        "2.0.M2, 2.0.GA, -1",
        "2.0.RELEASE, 2.0, 0",
        "2.0-BUILD-SNAPSHOT, 2.0.RELEASE, 0",
        "1.9, v2.0, -1",
        "2.10.1, release-2.11.0, -1",
        "v2, V2.0, 0",
        "2.0-alpha2, 2.0-beta1, -1",
        "2.0-beta2, 2.0-M1, -1",
        "2.0-M3, 2.0-pre1, -1",
        "2.0-pre2, 2.0-RC1, -1",
        "2.0-RC1, 2.0-CR2, -1",
        "2.0-CR1, 2.0-RC1, 0",
        "2.0.Final, 2.0.SP1, -1",
        "2.0.SP1, 2.0.SP2, -1",
        "2.0.SP2, 2.0.1, -1",
        "2.0.0-RC1, 2.0-RC2, -1",
        "2-SP1, 2.0.1, -1",
        "2.0-RC1, 2.0.1, -1",
        "1.2-build5, 1.2-build7, -1",
        "1.2-build9, 1.2.1-build1, -1",
        "1.2, 1.2-build1, -1",
        "shop-1.9, shop-2.0, -1",
        "bakery-2.0, shop-1.9, 0",
        "99999999999999999999, 100000000000000000000, -1"
    })
    void order(String one, String other, int expected) {
        assertThat(Integer.signum(Releases.compare(one, other))).isEqualTo(expected);
        assertThat(Integer.signum(Releases.compare(other, one))).isEqualTo(-expected);
    }
}
