package dev.almanac.engine.rules;

import static dev.almanac.engine.rules.States.CONTEXT;
import static dev.almanac.engine.rules.States.claimed;
import static dev.almanac.engine.rules.States.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.StoredFields;
import dev.almanac.store.JobChange;
import dev.almanac.store.StoredJob;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of what is written of a change by the history that its job keeps. */
class HistoryFilterTest {
    private static final CompletionDecider COMPLETION = new CompletionDecider(States.planner());

    @ParameterizedTest(name = "{0}, {1}: {2}, {3}")
    @DisplayName("M6: with TROUBLE, rows of good ends are left out, and good one-offs are removed")
    @CsvSource(delimiter = ';', textBlock = """
                    hourly                             ; SUCCEEDED ; SCHEDULED/SUCCEEDED -> waiting 09:00      ; kept
                    one-off                            ; SUCCEEDED ; TRIGGERED/SUCCEEDED -> finished           ; kept
                    hourly trouble only                ; SUCCEEDED ; - -> waiting 09:00                        ; kept
                    hourly trouble only bounded        ; SUCCEEDED ; - -> finished                             ; kept
                    one-off trouble only               ; SUCCEEDED ; - -> finished                             ; removed
                    one-off trouble only               ; SKIPPED   ; TRIGGERED/SKIPPED -> finished             ; kept
                    one-off trouble only               ; FAILED    ; FAILED/RETRIES_EXHAUSTED -> finished      ; kept
                    one-off trouble only changed       ; SUCCEEDED ; - -> finished                             ; kept
                    one-off trouble only of an application; SUCCEEDED ; - -> finished                          ; kept
                    one-off trouble only followed      ; SUCCEEDED ; - -> finished                             ; kept
                    hourly trouble only retries        ; FAILED    ; SCHEDULED/ATTEMPT_FAILED -> retrying 08:05; kept
                    hourly trouble only                ; FAILED    ; FAILED/RETRIES_EXHAUSTED -> waiting 09:00 ; kept
                    """)
    void table(String kind, RunResult.Kind end, String story, String document) {
        StoredJob job = claimed(kind);
        StoredJob stored = job.with(edit -> edit.specification(
                StoredFields.of(job.specification().toBuilder().version(kind.contains("changed") ? 2 : 1))
                        .followUpOf(kind.contains("followed") ? "parent" : null)
                        .build()));
        JobChange decided = COMPLETION.decide(stored, result(end, false), CONTEXT);
        JobChange written = HistoryFilter.of(decided);
        assertThat(States.story(written)).isEqualTo(story);
        assertThat(written.removes() ? "removed" : "kept").isEqualTo(document);
        boolean trouble = kind.contains("trouble only");
        if (!trouble) {
            assertThat(written).isSameAs(decided);
        }
    }
}
