package dev.almanac.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JobFactsTest {
    @Test
    @DisplayName("console: the page of a job shows each field once, the pause after failures as well")
    void once() {
        StoredJob full =
                Specimens.full("job", Instant.parse("2100-01-01T00:00:00Z")).job();
        StoredJob job = full.with(edit -> edit.specification(
                full.specification().toBuilder().pauseAfterFailures(31).build()));
        assertThat(JobFacts.of(job, true, true, new NodeNames(List.of()), Instant.EPOCH))
                .doesNotHaveDuplicates()
                .filteredOn(fact -> fact.value().equals("31"))
                .singleElement()
                .satisfies(fact -> assertThat(fact.name()).isEqualTo("Pause after failures"));
    }
}
