package dev.almanac.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules T1 to T3: what is read, what is refused, and where. */
class GrammarTest {

    @ParameterizedTest
    @DisplayName("T1: QUARTZ text and its canonical form")
    @CsvSource(
            delimiter = '|',
            value = {
                "0 0 0 ? * mon-fri | 0 0 0 ? * MON-FRI",
                "0 0 0 ? * 2-6 | 0 0 0 ? * MON-FRI",
                "00 05 007 01 jan ? | 0 5 7 1 1 ?",
                "0 0 0 1 NOV-FEB ? | 0 0 0 1 11-2 ?",
                "0 0 22-2 * * ? | 0 0 22-2 * * ?",
                "0 0 0 ? * FRI-MON | 0 0 0 ? * FRI-MON",
                "0 0 0 ? * 6-2/2 | 0 0 0 ? * FRI-MON/2",
                "0 0 0 ? * MON-FRI/2 | 0 0 0 ? * MON-FRI/2",
                "0 0 0 ? * 2/2 | 0 0 0 ? * 2/2",
                "0 5-5 0 * * ? | 0 5-5 0 * * ?",
                "0 5-5/1 0 * * ? | 0 5-5/1 0 * * ?",
                "0 0/59 0 * * ? | 0 0/59 0 * * ?",
                "0 /5 0 * * ? | 0 */5 0 * * ?",
                "0 0 0/23 * * ? | 0 0 0/23 * * ?",
                "0 0 0 1/31 * ? | 0 0 0 1/31 * ?",
                "0 0 0 1 1/12 ? | 0 0 0 1 1/12 ?",
                "0 0 0 l * ? | 0 0 0 L * ?",
                "0 0 0 L-0 * ? | 0 0 0 L * ?",
                "0 0 0 l-30 * ? | 0 0 0 L-30 * ?",
                "0 0 0 lw * ? | 0 0 0 LW * ?",
                "0 0 0 l-3w * ? | 0 0 0 L-3W * ?",
                "0 0 0 L-0W * ? | 0 0 0 LW * ?",
                "0 0 0 31w * ? | 0 0 0 31W * ?",
                "0 0 0 15,L * ? | 0 0 0 15,L * ?",
                "0 0 0 L,15 * ? | 0 0 0 L,15 * ?",
                "0 0 0 1-5,L * ? | 0 0 0 1-5,L * ?",
                "0 0 0 ? * L | 0 0 0 ? * SAT",
                "0 0 0 ? * 6L | 0 0 0 ? * FRIL",
                "0 0 0 ? * fril | 0 0 0 ? * FRIL",
                "0 0 0 ? * FRI#5 | 0 0 0 ? * FRI#5",
                "0 0 0 ? * 6#05 | 0 0 0 ? * FRI#5",
                "0 0 0 * * ? 2199,1970 | 0 0 0 * * ? 1970,2199",
                "0 0 0 * * ? */2 | 0 0 0 * * ? */2",
                "0 0 0 * * ? * | 0 0 0 * * ? *",
                "0 0 9,6,6 * * ? | 0 0 6,9 * * ?",
                "0 0 0 ? * SUN,2,TUE | 0 0 0 ? * SUN,MON,TUE",
                "0 0 0 ? * * | 0 0 0 ? * *",
            })
    void T1_quartz(String text, String canonical) {
        assertCanonical(CronDialect.QUARTZ, text, canonical);
    }

    @ParameterizedTest
    @DisplayName("T2: UNIX text and its canonical form")
    @CsvSource(
            delimiter = '|',
            value = {
                "0 0 * * 7 | 0 0 * * SUN",
                "0 0 * * 0,7 | 0 0 * * SUN",
                "0 0 * * 7,1 | 0 0 * * SUN,MON",
                "0 0 * * 5-7 | 0 0 * * 5-7",
                "0 0 * * 0-7 | 0 0 * * 0-7",
                "0 0 * * sun-mon | 0 0 * * SUN-MON",
                "0 0 * * Mon-fri/2 | 0 0 * * MON-FRI/2",
                "0 0 * * mon-5 | 0 0 * * MON-FRI",
                "0 0 * jan-mar,DEC * | 0 0 * 1-3,12 *",
                "*/5 0-6/2 * * * | */5 0-6/2 * * *",
                "05 4 */2 * */3 | 5 4 */2 * */3",
                "*,5 4 * * * | *,5 4 * * *",
                "@yearly | 0 0 1 1 *",
                "@annually | 0 0 1 1 *",
                "@monthly | 0 0 1 * *",
                "@weekly | 0 0 * * SUN",
                "@daily | 0 0 * * *",
                "@midnight | 0 0 * * *",
                "@hourly | 0 * * * *",
            })
    void T2_unix(String text, String canonical) {
        assertCanonical(CronDialect.UNIX, text, canonical);
    }

    @ParameterizedTest
    @DisplayName("S25: SPRING text and its canonical form")
    @CsvSource(
            delimiter = '|',
            value = {
                "0 0 2 * * * | 0 0 2 * * *",
                "0 0 2 ? * ? | 0 0 2 * * *",
                "0 0 2 ? * mon | 0 0 2 * * MON",
                "0 0 2 1 * 1 | 0 0 2 1 * MON",
                "0 0 2 * * 0,7 | 0 0 2 * * SUN",
                "0 0 2 * * FRI-SUN | 0 0 2 * * 5-7",
                "0 0 2 * * SUN-WED | 0 0 2 * * SUN-WED",
                "0 0 2 * * 0-0 | 0 0 2 * * 0-0",
                "0 0 2 * * MON/2 | 0 0 2 * * 1/2",
                "0 0/90 2 * * * | 0 0/90 2 * * *",
                "0 0 2 l * * | 0 0 2 L * *",
                "0 0 2 L-03 * * | 0 0 2 L-3 * *",
                "0 0 2 LW,15w,3-5 * * | 0 0 2 LW,15W,3-5 * *",
                "0 0 2 * * fril | 0 0 2 * * FRIL",
                "0 0 2 * * 0L,1#2 | 0 0 2 * * SUNL,MON#2",
                "@yearly | 0 0 0 1 1 *",
                "@Weekly | 0 0 0 * * SUN",
                "@hourly | 0 0 * * * *",
            })
    void S25_spring(String text, String canonical) {
        assertCanonical(CronDialect.SPRING, text, canonical);
    }

    @ParameterizedTest
    @DisplayName("S25: refused in SPRING, with field and column")
    @CsvSource(
            delimiter = '|',
            value = {
                "0 0 2 * * L | day-of-week | 11",
                "0 0 2 * * 1#6 | day-of-week | 13",
                "0 0 2 * * 8L | day-of-week | 11",
                "0 0 2 * * MON#1,FRIX | day-of-week | 17",
                "0 0 2 * * FRI-MON | day-of-week | 11",
                "0 0 2 L-0 * * | day-of-month | 7",
                "0 0 2 L-3W * * | day-of-month | 10",
                "0 0 2 1-5W * * | day-of-month | 8",
                "0 0 2 32W,1 * * | day-of-month | 7",
                "0 0 22-2 * * * | hour | 5",
                "0 /5 * * * * | minute | 3",
                "0 0 2 1,,LW * * | day-of-month | 9",
                "0 0 2 * * MONDAY | day-of-week | 11",
                "0 0 2 * * * 2030 | expression | 13",
                "@reboot | expression | 1",
            })
    void S25_refused(String text, String field, int column) {
        assertRefused(CronDialect.SPRING, text, field, column);
    }

    @ParameterizedTest
    @DisplayName("S25: a refusal names the dialects in which the text is valid, and no other")
    @CsvSource(
            delimiter = '|',
            value = {
                "QUARTZ | 0 0 2 * * * | SPRING",
                "QUARTZ | 0 0 2 13 * FRI | SPRING",
                "QUARTZ | 5 4 * * * | UNIX",
                "QUARTZ | @daily | UNIX or SPRING",
                "UNIX | 0 0 2 ? * 2 | QUARTZ or SPRING",
                "UNIX | @Daily | SPRING",
                "SPRING | 0 0 2 ? * 2 2030 | QUARTZ",
                "SPRING | 5 4 * * 1 | UNIX",
                "SPRING | 0 0 99 * * * | ''",
            })
    void S25_valid_in_another(CronDialect dialect, String text, String others) {
        InvalidCronException e =
                catchThrowableOfType(InvalidCronException.class, () -> CronExpression.parse(text, dialect));
        if (others.isEmpty()) {
            assertThat(e).hasMessageNotContaining("is valid");
        } else {
            assertThat(e).hasMessageContaining("it is valid in the dialect " + others + ": name the dialect");
        }
    }

    private static void assertCanonical(CronDialect dialect, String text, String canonical) {
        CronExpression cron = CronExpression.parse(text, dialect);
        assertThat(cron).hasToString(canonical).isEqualTo(CronExpression.parse(canonical, dialect));
        assertThat(cron.hashCode())
                .isEqualTo(CronExpression.parse(canonical, dialect).hashCode());
        assertThat(cron.source()).isEqualTo(text);
        assertThat(cron.dialect()).isEqualTo(dialect);
    }

    @Test
    @DisplayName("T1: blanks and tabs separate fields and may surround them")
    void T1_blanks() {
        assertThat(CronExpression.parse(" \t0  0\t0 * *   ? \t", CronDialect.QUARTZ))
                .hasToString("0 0 0 * * ?");
        assertThat(CronExpression.parse(" @daily\t", CronDialect.UNIX)).hasToString("0 0 * * *");
    }

    @Test
    void equality_is_by_dialect_and_canonical_text() {
        CronExpression daily = CronExpression.parse("0 0 * * *", CronDialect.UNIX);
        assertThat(daily).isEqualTo(CronExpression.parse("@daily", CronDialect.UNIX));
        assertThat(daily).isNotEqualTo(CronExpression.parse("0 1 * * *", CronDialect.UNIX));
        assertThat(CronExpression.parse("0 0 0 * * ?", CronDialect.QUARTZ)).isNotEqualTo(daily);
    }

    @ParameterizedTest
    @DisplayName("T3: refused in QUARTZ, with field and column")
    @CsvSource(
            delimiter = '|',
            value = {
                "0 0/0 0 * * ? | minute | 5",
                "0 */0 0 * * ? | minute | 5",
                "0/60 0 0 * * ? | second | 3",
                "0 0 0/24 * * ? | hour | 7",
                "0 0 0 1/32 * ? | day-of-month | 9",
                "0 0 0 1 1/13 ? | month | 11",
                "0 0 0 ? * 1/8 | day-of-week | 13",
                "0 0 0 * * ? 1970/230 | year | 18",
                "60 0 0 * * ? | second | 1",
                "0 60 0 * * ? | minute | 3",
                "0 0 24 * * ? | hour | 5",
                "0 0 0 32 * ? | day-of-month | 7",
                "0 0 0 0 * ? | day-of-month | 7",
                "0 0 0 1 0 ? | month | 9",
                "0 0 0 1 13 ? | month | 9",
                "0 0 0 ? * 0 | day-of-week | 11",
                "0 0 0 ? * 8 | day-of-week | 11",
                "0 0 0 * * ? 1969 | year | 13",
                "0 0 0 * * ? 2200 | year | 13",
                "0 0 0 * * ? 2030-2020 | year | 13",
                "0 0 0 * * ? 99999999999999999999 | year | 13",
                "0 0, 0 * * ? | minute | 5",
                "0 0,,1 0 * * ? | minute | 5",
                "0 0,1, 0 * * ? | minute | 7",
                "0 0 0 ? * MONDAY | day-of-week | 11",
                "0 0 0 1 JANUARY ? | month | 9",
                "0 0 0 1 XXX ? | month | 9",
                "0 0 0 ? * MON/2 | day-of-week | 14",
                "0 0 0 1 JAN/2 ? | month | 12",
                "0 0 0 ? * MON#1#2 | day-of-week | 16",
                "0 0 0 ? * MON#1,TUE#2 | day-of-week | 16",
                "0 0 0 ? * MON,TUE#2 | day-of-week | 18",
                "0 0 0 ? * MON,FRIL | day-of-week | 18",
                "0 0 0 ? * FRIL,MON | day-of-week | 15",
                "0 0 0 ? * L,MON | day-of-week | 11",
                "0 0 0 ? * 2#0 | day-of-week | 13",
                "0 0 0 ? * 2#6 | day-of-week | 13",
                "0 0 0 ? * 2# | day-of-week | 13",
                "0 0 0 ? * #2 | day-of-week | 11",
                "0 0 0 ? * 8L | day-of-week | 11",
                "0 0 0 ? * 2LL | day-of-week | 13",
                "0 0 0 ? * 2W | day-of-week | 12",
                "0 0 0 1-5W * ? | day-of-month | 10",
                "0 0 0 15W,16 * ? | day-of-month | 10",
                "0 0 0 16,15W * ? | day-of-month | 12",
                "0 0 0 LW,1 * ? | day-of-month | 9",
                "0 0 0 1,LW * ? | day-of-month | 10",
                "0 0 0 L-3,1 * ? | day-of-month | 10",
                "0 0 0 1,L-3 * ? | day-of-month | 10",
                "0 0 0 ?,1 * ? | day-of-month | 8",
                "0 0 0 1,? * ? | day-of-month | 9",
                "0 0 0 L-31 * ? | day-of-month | 9",
                "0 0 0 L- * ? | day-of-month | 9",
                "0 0 0 L-31W * ? | day-of-month | 9",
                "0 0 0 L-3W,1 * ? | day-of-month | 11",
                "0 0 0 L-3WW * ? | day-of-month | 11",
                "0 0 0 WL * ? | day-of-month | 7",
                "0 0 0 W * ? | day-of-month | 7",
                "0 0 0 0W * ? | day-of-month | 7",
                "0 0 0 32W * ? | day-of-month | 7",
                "0 0 0 L/2 * ? | day-of-month | 8",
                "0 0 0 1-L * ? | day-of-month | 9",
                "0 0 0 5C * ? | day-of-month | 8",
                "0 0 ? * * ? | hour | 5",
                "0 0 0 * ? ? | month | 9",
                "0 0 0 * * * | day-of-week | 11",
                "0 0 0 1 * 2 | day-of-week | 11",
                "0 0 0 * * 2 | day-of-month | 7",
                "0 0 0 ? * ? | day-of-week | 11",
                "-1 0 0 * * ? | second | 1",
                "+1 0 0 * * ? | second | 1",
                "1.5 0 0 * * ? | second | 2",
                "1- 0 0 * * ? | second | 3",
                "1-2-3 0 0 * * ? | second | 4",
                "*-3 0 0 * * ? | second | 2",
                "** 0 0 * * ? | second | 2",
                "1/ 0 0 * * ? | second | 3",
                "1/2/3 0 0 * * ? | second | 4",
                "1/-2 0 0 * * ? | second | 3",
                "1/MON 0 0 * * ? | second | 3",
                "1;2 0 0 * * ? | second | 2",
                "0x1 0 0 * * ? | second | 2",
                "0 0 0 * * | expression | 10",
                "0 0 0 * * ? * * | expression | 15",
                "@daily | expression | 1",
                "'' | expression | 1",
            })
    void T3_quartz(String text, String field, int column) {
        assertRefused(CronDialect.QUARTZ, text, field, column);
    }

    @ParameterizedTest
    @DisplayName("T3: refused in UNIX, with field and column")
    @CsvSource(
            delimiter = '|',
            value = {
                "5/15 * * * * | minute | 2",
                "/5 * * * * | minute | 1",
                "*/0 * * * * | minute | 3",
                "*/60 * * * * | minute | 3",
                "* */24 * * * | hour | 5",
                "* 22-2 * * * | hour | 3",
                "* * ? * * | day-of-month | 5",
                "* * * * ? | day-of-week | 9",
                "* * L * * | day-of-month | 5",
                "* * 15W * * | day-of-month | 7",
                "* * * * 5L | day-of-week | 10",
                "* * * * 5#1 | day-of-week | 10",
                "* * * * sat-sun | day-of-week | 9",
                "* * * * fri-mon | day-of-week | 9",
                "* * * * 8 | day-of-week | 9",
                "* * * * mon/2 | day-of-week | 12",
                "* * * * monday | day-of-week | 9",
                "* * * june * | month | 7",
                "* * * jan-feb-mar * | month | 14",
                "* * mon * * | day-of-month | 5",
                "* * * mon * | month | 7",
                "1,,2 * * * * | minute | 3",
                ",1 * * * * | minute | 1",
                "1, * * * * | minute | 3",
                "* * * * | expression | 8",
                "* * * * * * | expression | 11",
                "@reboot | expression | 1",
                "@Daily | expression | 1",
                "@every 5m | expression | 1",
                "@ | expression | 1",
            })
    void T3_unix(String text, String field, int column) {
        assertRefused(CronDialect.UNIX, text, field, column);
    }

    @ParameterizedTest
    @EnumSource(names = {"QUARTZ", "UNIX"})
    @DisplayName("T3: @every names the dialect EVERY and the step")
    void T3_every(CronDialect dialect) {
        assertThatThrownBy(() -> Schedule.parse("@every 5m", dialect, Instant.EPOCH))
                .isInstanceOfSatisfying(InvalidCronException.class, e -> {
                    assertThat(e.reason()).contains("the dialect EVERY");
                    assertThat(e.suggestion()).contains("5m");
                });
    }

    @ParameterizedTest
    @DisplayName("T3: digits, blanks and line ends beyond ASCII are refused")
    @ValueSource(
            strings = {
                "\u0661 0 0 * * ?",
                "\uff11 0 0 * * ?",
                "0\u00a00 0 * * ?",
                "0 0 0 * * ?\n",
                "0 0 0 * * \uff1f",
                "0 0 0 \u0131 * ?",
                "\ud83d\ude00 0 0 * * ?",
                "0 0 0 * * ? \u2003",
                "0 0 0 ? * fr\u0131#3",
                "0 0 0 ? * FR\u0131L",
                "0 0 0 ? * FR\u0131",
                "0 0 0 1 * \u0000"
            })
    void T3_beyond_ascii(String text) {
        assertThatThrownBy(() -> CronExpression.parse(text, CronDialect.QUARTZ))
                .isInstanceOf(InvalidCronException.class);
    }

    private static void assertRefused(CronDialect dialect, String text, String field, int column) {
        InvalidCronException e =
                catchThrowableOfType(InvalidCronException.class, () -> CronExpression.parse(text, dialect));
        assertThat(e).as(text).isNotNull();
        assertThat(e.field()).as("%s: %s", text, e.getMessage()).isEqualTo(field);
        assertThat(e.column()).as("%s: %s", text, e.getMessage()).isEqualTo(column);
        assertThat(e.reason()).isNotBlank();
    }
}
