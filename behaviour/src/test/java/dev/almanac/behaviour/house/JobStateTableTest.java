package dev.almanac.behaviour.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.JobState;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import dev.almanac.testkit.contract.StateSpecimens;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The table of the states of a job in contributing/lifecycle.md, held against the derivation (rule S21). */
class JobStateTableTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Pattern LINE = Pattern.compile("(?m)^\\| ([A-Z_]{5,}) \\|");
    private static final Map<JobState, UnaryOperator<StoredJob>> CHANGES = StateSpecimens.changes(NOW);

    private static List<JobState> table() {
        String text = Sources.text(Sources.root().resolve("contributing/lifecycle.md"));
        return LINE.matcher(text)
                .results()
                .map(line -> JobState.valueOf(line.group(1)))
                .toList();
    }

    @Test
    @DisplayName("S21: the table has a line for each state, in the order in which the conditions count")
    void lines() {
        assertThat(table()).containsExactlyInAnyOrder(JobState.values()).containsExactlyElementsOf(CHANGES.keySet());
    }

    @Test
    @DisplayName("S21: each condition makes its state; of two that hold the one that comes first in the table counts")
    void order() {
        List<JobState> table = table();
        for (int first = 0; first < table.size(); first++) {
            for (int second = first; second < table.size(); second++) {
                StoredJob plain = Specimens.minimal("k", NOW).job();
                StoredJob job = CHANGES.get(table.get(first))
                        .apply(CHANGES.get(table.get(second)).apply(plain));
                assertThat(job.stateAt(NOW, List.of()))
                        .as("%s before %s", table.get(first), table.get(second))
                        .isEqualTo(table.get(first));
            }
        }
    }
}
