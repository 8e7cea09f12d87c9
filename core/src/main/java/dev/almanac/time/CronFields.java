package dev.almanac.time;

import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A parsed expression.
 *
 * @param seconds bits 0 to 59
 * @param minutes bits 0 to 59
 * @param hours bits 0 to 23
 * @param months bits 1 to 12
 * @param days which days of a month
 * @param years bit 0 is 1970; absent = every year
 * @param fixed whether second, minute and hour hold no {@code *}, {@code -} or {@code /}
 * @param text the fields in upper case, single blanks between them
 */
record CronFields(
        long seconds,
        long minutes,
        long hours,
        long months,
        CronDays days,
        @Nullable BitSet years,
        boolean fixed,
        String text) {

    static CronFields of(CronDialect dialect, List<CronToken> tokens, List<CronValues> values) {
        boolean quartz = dialect == CronDialect.QUARTZ;
        int first = quartz ? 1 : 0;
        CronValues years = quartz && values.size() > 6 ? values.get(6) : null;
        CronDays days = quartz
                ? CronDays.quartz(values.get(3), values.get(5))
                : CronDays.unix(
                        values.get(2),
                        values.get(4),
                        tokens.get(2).text().startsWith("*"),
                        tokens.get(4).text().startsWith("*"));
        return new CronFields(
                quartz ? values.get(0).bits() : 1L,
                values.get(first).bits(),
                values.get(first + 1).bits(),
                values.get(first + 3).bits(),
                days,
                years == null || years.set().cardinality() == 230 ? null : years.set(),
                tokens.subList(0, first + 2).stream().allMatch(token -> isFixed(token.text())),
                tokens.stream().map(CronToken::text).collect(Collectors.joining(" ")));
    }

    private static boolean isFixed(String text) {
        return text.indexOf('*') < 0 && text.indexOf('-') < 0 && text.indexOf('/') < 0;
    }

    boolean hasYear(int year) {
        return years == null || year >= 1970 && years.get(year - 1970);
    }
}
