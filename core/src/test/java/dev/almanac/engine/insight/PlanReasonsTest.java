package dev.almanac.engine.insight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.engine.rules.Jobs;
import dev.almanac.model.Explanation.Kind;
import dev.almanac.model.Explanation.Reason;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.StoredFields;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What explain says of how a job's fires follow each other. */
class PlanReasonsTest {
    private static List<Reason> reasons(JobSpecification job) {
        List<Reason> reasons = new ArrayList<>();
        PlanReasons.delays(job, reasons);
        return reasons;
    }

    @Test
    @DisplayName("16: explain tells by how much a spread delays each fire of this job")
    void spread() {
        JobSpecification job = Jobs.specification("k")
                .every(Duration.ofHours(1))
                .spread(Duration.ofMinutes(10))
                .build();
        assertThat(reasons(job)).singleElement().satisfies(reason -> {
            assertThat(reason.kind()).isEqualTo(Kind.SPREAD);
            assertThat(reason.text())
                    .contains("has each fire " + StoredFields.spreadOf(job) + " later", "the spread of PT10M");
        });
        assertThat(StoredFields.spreadOf(job)).isBetween(Duration.ofMillis(1), Duration.ofMinutes(10));
    }

    @Test
    @DisplayName("16: explain tells that the next fire of a fixed delay depends on the end of a run")
    void afterEnd() {
        JobSpecification job =
                Jobs.specification("k").everyAfterEnd(Duration.ofMinutes(10)).build();
        assertThat(reasons(job)).singleElement().satisfies(reason -> {
            assertThat(reason.kind()).isEqualTo(Kind.AFTER_END);
            assertThat(reason.text()).contains("fires PT10M after the end of each run");
        });
    }

    @Test
    @DisplayName("16: explain says nothing of either for a fixed rate without a spread")
    void neither() {
        assertThat(reasons(Jobs.specification("k").every(Duration.ofHours(1)).build()))
                .isEmpty();
    }
}
