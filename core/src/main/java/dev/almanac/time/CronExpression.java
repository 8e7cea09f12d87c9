package dev.almanac.time;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A cron expression in one of two strict grammars (rules T1 to T3) with an exact evaluator. Immutable and thread-safe.
 * Two expressions are equal if dialect and canonical text are.
 *
 * <p>Results are whole seconds. Searches are bounded: an expression that can fire does so at least once in 45 years
 * of any date up to the year 9999, or in the years that it names.
 */
public final class CronExpression {
    /** 0001-01-02, before which nothing fires. */
    private static final long FIRST = -62_135_510_400L;
    /** 9999-12-30, after which nothing fires. */
    private static final long LAST = 253_402_128_000L;

    private final CronDialect dialect;
    private final String source;
    private final CronFields fields;
    private final LocalSearch search;
    private final boolean satisfiable;

    private CronExpression(CronDialect dialect, String source, CronFields fields) {
        this.dialect = dialect;
        this.source = source;
        this.fields = fields;
        this.search = new LocalSearch(fields);
        this.satisfiable = fields.days().canEverMatch(fields.months(), fields.years());
    }

    /**
     * Reads an expression.
     *
     * @throws InvalidCronException if it is not of the grammar; names field, column and reason
     */
    public static CronExpression parse(String expression, CronDialect dialect) {
        return new CronExpression(dialect, expression, CronParser.parse(expression, dialect));
    }

    /** The first fire strictly after an instant; empty if there is none within the search's bounds. */
    public Optional<Instant> next(Instant after, ZoneId zone, DaylightSavingPolicy policy) {
        long from = after.getEpochSecond() + 1;
        if (from > LAST || !satisfiable) {
            return Optional.empty();
        }
        long found = walk(zone, policy).atOrAfter(Math.max(from, FIRST));
        if (found == LocalSearch.NONE || found > LAST) {
            return Optional.empty();
        }
        if (found < from) {
            throw new AssertionError("next fire " + found + " of '" + this + "' is not after " + after);
        }
        return Optional.of(Instant.ofEpochSecond(found));
    }

    /** The last fire strictly before an instant; empty if there is none within the search's bounds. */
    public Optional<Instant> previous(Instant before, ZoneId zone, DaylightSavingPolicy policy) {
        long from = before.getNano() > 0 ? before.getEpochSecond() : before.getEpochSecond() - 1;
        if (from < FIRST || !satisfiable) {
            return Optional.empty();
        }
        long found = walk(zone, policy).atOrBefore(Math.min(from, LAST));
        return found == LocalSearch.NONE || found < FIRST
                ? Optional.empty()
                : Optional.of(Instant.ofEpochSecond(found));
    }

    /** Whether the expression fires at exactly this instant. */
    public boolean matches(Instant instant, ZoneId zone, DaylightSavingPolicy policy) {
        long second = instant.getEpochSecond();
        return satisfiable
                && instant.getNano() == 0
                && second >= FIRST
                && second <= LAST
                && walk(zone, policy).atOrAfter(second) == second;
    }

    private ZoneWalk walk(ZoneId zone, DaylightSavingPolicy policy) {
        return new ZoneWalk(search, fields.fixed(), zone.getRules(), policy);
    }

    /** The grammar that it was read in. */
    public CronDialect dialect() {
        return dialect;
    }

    /** The text as it was given. */
    public String source() {
        return source;
    }

    /**
     * Whether the expression can ever fire: proved from the 14 kinds of year that there are, or from the years that it
     * names, without a search. {@code 0 0 0 30 2 ?} is of the grammar and can never fire; a job with it is refused.
     */
    public boolean canFire() {
        return satisfiable;
    }

    /** Whether second, minute and hour hold no {@code *}, {@code -} or {@code /}. */
    public boolean isFixed() {
        return fields.fixed();
    }

    /** Whether a wall time matches, whatever the zone; parts of a second are ignored. For calendars. */
    public boolean matches(LocalDateTime local) {
        return search.matches(local.toEpochSecond(ZoneOffset.UTC));
    }

    /** The first whole second from {@code from} on whose wall time does not match; empty if none within 20 years. */
    public Optional<LocalDateTime> nextUnmatched(LocalDateTime from) {
        long found = search.firstUnmatched(from.toEpochSecond(ZoneOffset.UTC));
        return found == LocalSearch.NONE
                ? Optional.empty()
                : Optional.of(LocalDateTime.ofEpochSecond(found, 0, ZoneOffset.UTC));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CronExpression that
                && dialect == that.dialect
                && fields.text().equals(that.fields.text());
    }

    @Override
    public int hashCode() {
        return fields.text().hashCode();
    }

    /** The canonical text: fields in upper case, one blank between them, macros written out. */
    @Override
    public String toString() {
        return fields.text();
    }
}
