package dev.almanac.web.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.time.CronDialect;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleWordsTest {
    private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "EVERY | PT1S | every 1 s",
                "EVERY | PT1.5S | every 1.5 s",
                "EVERY | PT90S | every 90 s",
                "EVERY | PT2M | every 2 min",
                "EVERY | PT2M30S | every 2 min 30 s",
                "EVERY | PT90M | every 90 min",
                "EVERY | PT2H | every 2 h",
                "EVERY | PT2H30M | every 2 h 30 min",
                "EVERY | PT50H | every 50 h",
                "EVERY | PT72H | every 3 days",
                "EVERY | PT73H0.5S | every 73 h 0.5 s",
                "EVERY | P1M | every P1M",
                "EVERY_AFTER_END | PT2H30M | 2 h 30 min after the end of each run",
            })
    @DisplayName("20: a step is told in full, in few words")
    void steps(CronDialect dialect, String text, String words) {
        assertThat(ScheduleWords.of(text, dialect)).isEqualTo(words);
    }

    @Test
    @DisplayName("20: each range of weekdays has words; one that its dialect refuses is shown as it is written")
    void weekdays() {
        for (String first : DAYS) {
            for (String last : DAYS) {
                for (String date : List.of("*", "1", "*/2")) {
                    String unix = "0 12 " + date + " * " + first + "-" + last;
                    boolean inOrder = DAYS.indexOf(first) <= DAYS.indexOf(last);
                    assertThat(ScheduleWords.of(unix, CronDialect.UNIX))
                            .startsWith(inOrder ? "at 12:00 " : "by the cron " + unix);
                    assertThat(ScheduleWords.of("0 " + unix, CronDialect.SPRING))
                            .matches("(at 12:00|by the cron 0 0 12) .*");
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"QUARTZ | 0 0 9 30 2 ?", "SPRING | 0 0 9 31 4 *", "QUARTZ | 0 0 9 29 2 ? 2027", "UNIX | 0 9 32 * *"
            })
    @DisplayName("T4: what never fires has no words")
    void neverFires(CronDialect dialect, String text) {
        assertThat(ScheduleWords.of(text, dialect)).isEqualTo("by the cron " + text);
    }
}
