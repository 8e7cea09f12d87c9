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
    @DisplayName("20: each range of weekdays has words, also one that its dialect refuses, around the end of the week")
    void weekdays() {
        for (String first : DAYS) {
            for (String last : DAYS) {
                for (String date : List.of("*", "1", "*/2")) {
                    String week = first + "-" + last;
                    assertThat(ScheduleWords.of("0 12 " + date + " * " + week, CronDialect.UNIX))
                            .startsWith("at 12:00 ");
                    assertThat(ScheduleWords.of("0 0 12 " + date + " * " + week, CronDialect.SPRING))
                            .isNotEmpty();
                }
            }
        }
    }
}
