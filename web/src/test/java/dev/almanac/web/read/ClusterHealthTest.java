package dev.almanac.web.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterHealthTest {
    @ParameterizedTest
    @CsvSource({"0, 100, 200, 0", "0, 0, 2000, 0", "0, 2000, 2000, 0", "0, 900, 200, 700", "1000, 300, 5000, -700"})
    @DisplayName("O5: a server that answers slowly has no wrong clock for that")
    void difference(long asked, long server, long answered, long difference) {
        assertThat(ClusterHealth.difference(
                        Instant.ofEpochMilli(asked), Instant.ofEpochMilli(server), Instant.ofEpochMilli(answered)))
                .isEqualTo(Duration.ofMillis(difference));
    }
}
