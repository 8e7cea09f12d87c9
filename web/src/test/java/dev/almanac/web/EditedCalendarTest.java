package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.ReplanResult;
import dev.almanac.store.CalendarEdit;
import dev.almanac.store.StoredCalendar;
import dev.almanac.web.json.Answers;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What command line and console say of an edit of a calendar that was stored (rule C5). */
class EditedCalendarTest {
    private static List<String> lines(ReplanResult jobs, boolean changed) {
        StoredCalendar stored = new StoredCalendar("bank", 2, Map.of(), Instant.EPOCH, "ann", false);
        return Answers.edited("bank", new CalendarEdit(stored, jobs), changed);
    }

    @Test
    @DisplayName("C5, X1: a job for which a calendar fails is named, and the edit is called stored all the same")
    void failed() {
        List<String> lines =
                lines(new ReplanResult(3, 1, 0, 1, "job 'j' cannot be planned again: no data", false), true);
        assertThat(lines)
                .containsExactly(
                        "bank is version 2 now; of the 3 jobs that were looked at, 1 have another next fire",
                        "calendars failed for 1 of its jobs, the first: job 'j' cannot be planned again: no data;"
                                + " live nodes plan what was not planned again");
    }

    @Test
    @DisplayName("C5: only an edit that has looked at no job has changed nothing; an edit without time says so")
    void others() {
        assertThat(lines(ReplanResult.NONE, false)).containsExactly("bank is stored already, nothing was changed");
        assertThat(lines(new ReplanResult(2, 1, 0, 0, null, true), false))
                .containsExactly("bank is stored already; of the 2 jobs that use it, 1 have another next fire");
        assertThat(lines(new ReplanResult(2, 1, 0, 0, null, false), true))
                .containsExactly(
                        "bank is version 2 now; of the 2 jobs that were looked at, 1 have another next fire",
                        "not all of its jobs were planned again within 10 s; live nodes plan the others");
    }
}
