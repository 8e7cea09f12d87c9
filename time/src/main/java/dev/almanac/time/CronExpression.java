package dev.almanac.time;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;

/**
 * A cron expression of one dialect: the local times at which something is to happen.
 *
 * <p>Fires lie in the local years 1970 to 2199, on whole seconds. Every search is bounded and takes microseconds, also
 * for expressions that fire once in 40 years or never. Two expressions are equal if they have the same dialect and the
 * same canonical text ({@link #toString}); equal ones fire alike, but different texts may name the same times.
 *
 * <p>Immutable and safe for use by many threads. Zone rules come from the JVM ({@link ZoneRulesVersion}).
 */
public final class CronExpression extends Schedule {
    private final String canonical;
    private final LocalPattern pattern;
    private final boolean fixed;
    private final boolean canFire;

    private CronExpression(String source, CronDialect dialect) {
        super(dialect, source);
        CronReader reader = CronReader.read(source, dialect);
        this.canonical = reader.canonical();
        this.pattern = reader.pattern();
        this.fixed = reader.isFixed();
        this.canFire = pattern.canFire();
    }

    /**
     * Reads an expression; the dialect is never guessed.
     *
     * @throws InvalidCronException if the text is no expression of the dialect, or the dialect none of cron. A
     *     well-formed one that names a day that never comes is read; {@link #canFire} finds it
     */
    public static CronExpression parse(String text, CronDialect dialect) {
        return new CronExpression(Objects.requireNonNull(text, "text"), Objects.requireNonNull(dialect, "dialect"));
    }

    /** Whether the expression names the second that a local time lies in; no zone and no policy take part. */
    public boolean matchesLocal(LocalDateTime local) {
        return pattern.matches(local.toEpochSecond(ZoneOffset.UTC));
    }

    /**
     * The first instant, not before the given one, whose wall time the expression does not name: what is left if it
     * names times to leave out. Looks 20 years ahead; does not step.
     *
     * @return {@code from} itself if its second is not named, else a whole second; empty if all are
     */
    public Optional<Instant> nextUnmatched(Instant from, ZoneId zone) {
        Objects.requireNonNull(from, "from");
        long second = from.getEpochSecond();
        if (!canFire || second < -Civil.DAY || second > LocalPattern.END + Civil.DAY) {
            return Optional.of(from);
        }
        long found = WallSearch.nextUnmatched(pattern, zone.getRules(), second, second + CalendarChain.HORIZON_SECONDS);
        return found == second ? Optional.of(from) : instant(found);
    }

    /**
     * The first instant, not before the given one, on a local day that the expression does not name, if it names all the
     * given times of day on those that it does; else {@code from} itself. Looks 20 years ahead, day by day.
     *
     * @return empty if all days are named
     */
    public Optional<Instant> nextUncovered(Instant from, ZoneId zone, TimesOfDay times) {
        long day = LocalDate.ofInstant(from, zone).toEpochDay();
        if (!pattern.times.covers(times) || day < 0 || day >= Civil.END_DAY || !pattern.matchesDay((int) day)) {
            return Optional.of(from);
        }
        long last = Math.min(day + BusinessDates.HORIZON, Civil.END_DAY - 1);
        while (day <= last && pattern.matchesDay((int) day)) {
            day++;
        }
        return day > last
                ? Optional.empty()
                : Optional.of(LocalDate.ofEpochDay(day).atStartOfDay(zone).toInstant());
    }

    @Override
    public boolean canFire() {
        return canFire;
    }

    /** Whether second, minute and hour have no {@code *}, {@code -} or {@code /}; see {@link DaylightSavingPolicy}. */
    @Override
    public boolean isFixedTime() {
        return fixed;
    }

    @Override
    LocalPattern times(ZoneId zone) {
        return pattern;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CronExpression that && dialect() == that.dialect() && canonical.equals(that.canonical);
    }

    @Override
    public int hashCode() {
        return 31 * canonical.hashCode() + dialect().hashCode();
    }

    /**
     * The canonical text: one blank between fields, no leading zeros, days of the week as upper-case names, months as
     * numbers, single values sorted, macros written out. Reading it gives an equal expression.
     */
    @Override
    public String toString() {
        return canonical;
    }
}
