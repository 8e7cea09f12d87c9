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
        assertThat(facts(job))
                .doesNotHaveDuplicates()
                .filteredOn(fact -> fact.value().equals("31"))
                .singleElement()
                .satisfies(fact -> assertThat(fact.name()).isEqualTo("Pause after failures"));
    }

    @Test
    @DisplayName("S9: the page of a job has the trace in which it was stored, if there is one")
    void trace() {
        Instant due = Instant.parse("2100-01-01T00:00:00Z");
        assertThat(facts(Specimens.full("job", due).job()))
                .contains(new JobPage.Fact("Trace", "0af7651916cd43dd8448eb211c80319c"));
        assertThat(facts(Specimens.minimal("job", due).job()))
                .noneMatch(fact -> fact.name().equals("Trace"));
    }

    private static List<JobPage.Fact> facts(StoredJob job) {
        return JobFacts.of(job, true, true, new NodeNames(List.of()), Instant.EPOCH);
    }
}
