package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CronDescriptionTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "unix | 0 9 1 * 1 | at 09:00 on the 1st of every month, and on every Monday",
                "unix | 0 9 */31 * 1 | at 09:00 on the 1st of every month that is a Monday",
                "unix | 0 9 */15 3 1-2 | at 09:00 on the 1st, 16th and 31st of March that is a Monday or a Tuesday",
                "unix | 0 9 1 * */7 | at 09:00 on the 1st of every month that is a Sunday",
                "unix | 0 9 * * */3 | at 09:00 on every Sunday, every Wednesday and every Saturday",
                "quartz | 0 0 9 */10 * ? | at 09:00 on the 1st, 11th, 21st and 31st of every month",
                "unix | 5 4 * * * | at 04:05 every day",
                "unix | 0 9 1,15 1 * | at 09:00 on the 1st and 15th of January",
                "quartz | 0 0 9 1 * ? | at 09:00 on the 1st of every month",
                "quartz | 30 0 9 ? * MON-FRI | at 09:00:30 from Monday to Friday",
                "quartz | 0 0 9 ? * MON#1 | at 09:00 on the 1st Monday of every month",
                "quartz | 0 0 9 ? 6 FRIL | at 09:00 on the last Friday of June",
                "quartz | 0 0 9 L-3W * ? | at 09:00 on the weekday nearest to the 3rd day before the last of every month",
                "quartz | 0 0 9 LW 3,6 ? | at 09:00 on the last weekday of March and June",
                "quartz | 0 0 9 15W * ? | at 09:00 on the weekday nearest to the 15th of every month",
                "quartz | 0 0 9 ? 6 SAT,SUN | at 09:00 on every Sunday and every Saturday in June",
                "spring | 0 0 9 13 * FRI | at 09:00 on the 13th of every month that is a Friday",
                "spring | 0 0 9 ? * 1-5 | at 09:00 from Monday to Friday",
                "spring | @daily | at 00:00 every day",
                "unix | 0 9,17 * * * | at 09:00, 17:00 every day",
                "unix | */15 9-17 * * 1-5 | every 15 minutes, from 09:00 to 17:59, from Monday to Friday",
                "quartz | 0 5-10 * ? * MON-FRI | at minutes 5 to 10 of every hour, from Monday to Friday",
                "quartz | 0 0 9 ? * 3/2 | at 09:00 on every Tuesday, every Thursday and every Saturday",
                "unix | 0 9 * * 1-5/2 | at 09:00 on every Monday, every Wednesday and every Friday",
                "unix | 0 9 * * 5-7 | at 09:00 on every Sunday, every Friday and every Saturday",
                "spring | 0 0 9 * * MON/2 | at 09:00 on every Sunday, every Monday, every Wednesday and every Friday",
                "spring | 0 0 9 * * SUN/2 | at 09:00 on every Sunday",
                "spring | 0 0 9 13 * */3 | at 09:00 on the 13th of every month that is a Sunday, a Monday or a Thursday",
                "quartz | 0 0 9 ? * 2-6/2 | at 09:00 on every Monday, every Wednesday and every Friday",
                "quartz | 0 0 8-17/3 * * ? | at 08:00, 11:00, 14:00, 17:00 every day",
                "quartz | 0 0 1/5 * * ? | at 01:00, 06:00, 11:00, 16:00, 21:00 every day",
                "quartz | 0 */7 * * * ? | at minutes 0, 7, 14, 21, 28, 35, 42, 49 and 56 of every hour, every day",
                "quartz | 30 * 22-1 * * ? | at second 30 of every minute of hours 0, 1, 22 and 23, every day",
                "quartz | 0 0 9 1/5 * ? | at 09:00 on the 1st, 6th, 11th, 16th, 21st, 26th and 31st of every month",
                "quartz | 0 0 9 L,15 * ? | at 09:00 on the 15th and the last day of every month",
                "unix | 0 9 1-7 * MON | at 09:00 on the 1st to 7th of every month, and on every Monday",
                "unix | 0 9 1 1 1 | at 09:00 on the 1st of January, and on every Monday in January",
                "quartz | 0 0 9 1 1-3/2 ? 2027 | at 09:00 on the 1st of January and March, in 2027",
                "spring | 0 0 9 L * FRIL | 0 0 9 L * FRIL (valid; there are no words for it)",
                "every-after-end | PT10M | PT10M after the end of each run",
            })
    @DisplayName("a schedule is described as it fires")
    void words(String dialect, String text, String expected) {
        assertThat(CronCommand.DESCRIBE.line(dialect, text)).isEqualTo(expected);
    }
}
