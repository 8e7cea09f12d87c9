package dev.almanac.time;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The schedule of a text in one of the dialects: its nominal fires, before calendars and bounds. Fires lie in the local
 * years 1970 to 2199; every search is bounded.
 *
 * <p>Immutable and safe for use by many threads. Zone rules come from the JVM ({@link ZoneRulesVersion}).
 */
public abstract class Schedule {
    /** What is wrong with a schedule that {@link #canFire} is false of, for messages. */
    public static final String NEVER_FIRES = "can never fire: no month or year that it names has such a day or time";

    private final CronDialect dialect;
    private final String source;

    Schedule(CronDialect dialect, String source) {
        this.dialect = Objects.requireNonNull(dialect, "dialect");
        this.source = Objects.requireNonNull(source, "source");
    }

    /**
     * Reads a schedule; the dialect is never guessed.
     *
     * @param anchor the moment from which EVERY counts its steps, and EVERY_AFTER_END its delay; others ignore it
     * @throws InvalidCronException if the text does not belong to the dialect
     */
    public static Schedule parse(String text, CronDialect dialect, Instant anchor) {
        Objects.requireNonNull(text, "text");
        return switch (dialect) {
            case QUARTZ, UNIX, SPRING -> CronExpression.parse(text, dialect);
            case EVERY -> EverySchedule.parse(text, anchor);
            case EVERY_AFTER_END -> new DelaySchedule(text, anchor);
            case RRULE -> new RuleSchedule(text);
        };
    }

    /**
     * A text that is equal for all texts of the dialect that are the same schedule in another writing: {@code 02} is
     * {@code 2}, {@code PT60M} is {@code PT1H}. A text that does not belong to the dialect is left as it is.
     */
    public static String canonical(String text, CronDialect dialect) {
        try {
            return switch (dialect) {
                case EVERY ->
                    Steps.isElapsed(text)
                            ? Steps.elapsed(text).toString()
                            : Steps.dates(text).normalized().toString();
                case EVERY_AFTER_END -> Steps.elapsed(text).toString();
                case QUARTZ, UNIX, SPRING, RRULE ->
                    parse(text, dialect, Instant.EPOCH).toString();
            };
        } catch (InvalidCronException unreadable) {
            return text;
        }
    }

    /** The first fire strictly after an instant, or empty if there is none up to the year 2199. */
    public Optional<Instant> next(Instant after, ZoneId zone, DaylightSavingPolicy policy) {
        Objects.requireNonNull(after, "after");
        WallSearch search = search(zone, policy);
        if (!canFire() || after.getEpochSecond() >= LocalPattern.END + Civil.DAY) {
            return Optional.empty();
        }
        long found = search.next(after.getEpochSecond() + 1);
        if (found != WallSearch.NONE && found <= after.getEpochSecond()) {
            throw new IllegalStateException(this + " runs backwards from " + after + " in " + zone);
        }
        return instant(found);
    }

    /** The last fire strictly before an instant, or empty if there is none back to the year 1970. */
    public Optional<Instant> previous(Instant before, ZoneId zone, DaylightSavingPolicy policy) {
        Objects.requireNonNull(before, "before");
        WallSearch search = search(zone, policy);
        if (!canFire() || before.getEpochSecond() < -Civil.DAY) {
            return Optional.empty();
        }
        long from = before.getNano() > 0 ? before.getEpochSecond() : before.getEpochSecond() - 1;
        long found = search.previous(from);
        if (found != WallSearch.NONE && found > from) {
            throw new IllegalStateException(this + " runs forwards from " + before + " in " + zone);
        }
        return instant(found);
    }

    /** How many fires lie strictly after an instant and not after another; at least {@code most} if there are more. */
    long count(Instant after, Instant until, ZoneId zone, DaylightSavingPolicy policy, long most) {
        boolean none = !canFire() || !after.isBefore(until) || after.getEpochSecond() >= LocalPattern.END + Civil.DAY;
        return none ? 0 : search(zone, policy).count(after.getEpochSecond() + 1, until.getEpochSecond(), most);
    }

    /** Whether an instant is a fire. */
    public final boolean matches(Instant instant, ZoneId zone, DaylightSavingPolicy policy) {
        return next(Moments.justBefore(instant), zone, policy)
                .filter(instant::equals)
                .isPresent();
    }

    /** Whether there is any date on which this fires, in years 1970 to 2199; known without a search (rule T4). */
    public boolean canFire() {
        return true;
    }

    /** Whether it names times of day, so that a clock change moves or doubles them; see {@link DaylightSavingPolicy}. */
    public boolean isFixedTime() {
        return true;
    }

    /** The dialect it was read in. */
    public final CronDialect dialect() {
        return dialect;
    }

    /** The text it was read from, unchanged. */
    public final String source() {
        return source;
    }

    /** No fire lies after this instant. */
    Instant last() {
        return Instant.MAX;
    }

    /** The wall times it names in a zone; null if it counts elapsed time and names none. */
    abstract @Nullable LocalTimes times(ZoneId zone);

    /** The search for its fires; only if it names wall times. */
    final WallSearch search(ZoneId zone, DaylightSavingPolicy policy) {
        return WallSearch.of(wallTimes(zone), isFixedTime(), zone.getRules(), policy);
    }

    /** The wall times it names; only if it does. */
    final LocalTimes wallTimes(ZoneId zone) {
        return Objects.requireNonNull(times(zone), "it names no wall times");
    }

    static Optional<Instant> instant(long second) {
        return second == WallSearch.NONE ? Optional.empty() : Optional.of(Instant.ofEpochSecond(second));
    }
}
