package dev.almanac.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule T3: what a refusal says, and which expressions are fixed. */
class CronTextTest {
    @ParameterizedTest
    @DisplayName("T3: what was meant is said where it is plain")
    @CsvSource(
            delimiter = '|',
            value = {
                "QUARTZ | 0 0 0 ? * MONDAY | MON",
                "QUARTZ | 0 0 0 1 September ? | SEP",
                "QUARTZ | 0 0 0 * * * | ?",
                "QUARTZ | 0 0 0 * * FRI | ?",
                "UNIX | 5/15 * * * * | 5-59/15",
                "UNIX | /5 * * * * | */5",
                "UNIX | @DAILY | @daily",
            })
    void T3_suggestions(CronDialect dialect, String text, String suggestion) {
        InvalidCronException e =
                catchThrowableOfType(InvalidCronException.class, () -> CronExpression.parse(text, dialect));
        assertThat(e.suggestion()).contains(suggestion);
        assertThat(e).hasMessageContaining("'" + suggestion + "'");
    }

    @ParameterizedTest
    @DisplayName("T3: a refusal shows no character that steers a terminal, a line or the direction of writing")
    @ValueSource(
            strings = {"\u009b31m", "\u001b[0m", "\u2028", "\u2029", "\u202e", "\u200b", "\u0085", "\ufeff", "\ud83d"})
    void T3_steering_characters(String steering) {
        InvalidCronException e = catchThrowableOfType(
                InvalidCronException.class,
                () -> CronExpression.parse("0 0 1" + steering + " * * ?", CronDialect.QUARTZ));
        assertThat(e.getMessage()).doesNotContain(steering.substring(0, 1)).contains("'\\u", "'1\\u");
        assertThat(e.value()).startsWith("1\\u");
    }

    @Test
    @DisplayName("T1: two stars in the day fields are refused, with what to write")
    void T1_two_stars() {
        assertThatThrownBy(() -> CronExpression.parse("0 0 0 * * *", CronDialect.QUARTZ))
                .hasMessageContaining("write '?' instead of '*'");
    }

    @ParameterizedTest
    @DisplayName("4.2: fixed means no star, dash or slash in second, minute and hour")
    @CsvSource({
        "0 30 2 * * ?, true",
        "'0,30 1,2 3,4 1-5 */2 ?', true",
        "0 30 2-2 * * ?, false",
        "0 30-30 2 * * ?, false",
        "0 30 2/23 * * ?, false",
        "* 30 2 * * ?, false",
        "0 /59 2 * * ?, false"
    })
    void kinds(String text, boolean fixed) {
        assertThat(CronExpression.parse(text, CronDialect.QUARTZ).isFixedTime()).isEqualTo(fixed);
    }
}
