package dev.almanac.calendars;

import dev.almanac.time.ExclusionCalendar;
import dev.almanac.time.TimesOfDay;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A {@link LocalRule} in a zone: its own, else the job's. Immutable and thread-safe.
 *
 * <p>Time is cut at the zone's transitions; inside a stretch the offset is constant, so the rule's own arithmetic finds
 * the next included time. Both passes of an overlap are judged alike, because each instant is judged by its wall time.
 */
public class RuleCalendar implements ExclusionCalendar {
    private static final long BOUND_MILLIS = 20L * 366 * LocalRule.DAY;
    /** Instants so far from 1970 are included. */
    static final long BEYOND_SECONDS = 1_000_000L * 366 * 86_400;

    private final LocalRule rule;
    private final @Nullable ZoneId zone;
    private final String description;

    RuleCalendar(LocalRule rule, @Nullable ZoneId zone, String description) {
        this.rule = rule;
        this.zone = zone;
        this.description = description;
    }

    @Override
    public @Nullable ZoneId zone() {
        return zone;
    }

    /** For people; may be empty. */
    public String description() {
        return description;
    }

    /** The same, read in this zone, independent of the zone of the job. */
    public RuleCalendar inZone(ZoneId own) {
        return new RuleCalendar(rule, own, description);
    }

    /** The same with a description for people. */
    public RuleCalendar described(String text) {
        return new RuleCalendar(rule, zone, text);
    }

    /** Instants beyond a million years from now are included; so far away, no zone has rules. */
    @Override
    public boolean isIncluded(Instant instant, ZoneId jobZone) {
        return isBeyond(instant) || rule.includes(local(instant.toEpochMilli(), rules(jobZone)));
    }

    @Override
    public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone) {
        ZoneRules rules = rules(jobZone);
        if (isBeyond(from) || rule.includes(local(from.toEpochMilli(), rules))) {
            return Optional.of(from);
        }
        long start = from.toEpochMilli();
        long found = search(start, rules);
        return found == LocalRule.NONE || found - start > BOUND_MILLIS
                ? Optional.empty()
                : Optional.of(Instant.ofEpochMilli(found));
    }

    /** A cron calendar in the job's zone passes over the days on which it excludes all these times. */
    @Override
    public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone, TimesOfDay times) {
        Optional<Instant> included = nextIncluded(from, jobZone);
        boolean sameZone = zone == null || zone.equals(jobZone);
        if (included.isEmpty() || !sameZone || !(rule instanceof CronRule cron)) {
            return included;
        }
        return cron.expression()
                .nextUncovered(from, jobZone, times)
                .map(day -> day.isAfter(included.get()) ? day : included.get());
    }

    /** Goes from one stretch of constant offset to the next, until the rule's answer lies inside the stretch. */
    private long search(long start, ZoneRules rules) {
        Searched searched = new Searched(rule);
        long at = start;
        while (at - start <= BOUND_MILLIS) {
            long local = local(at, rules);
            long next = searched.next(local);
            long end = end(at, rules);
            if (next != LocalRule.NONE && (end == Long.MAX_VALUE || next - local < end - at)) {
                return at + (next - local);
            }
            if (end == Long.MAX_VALUE) {
                return LocalRule.NONE;
            }
            at = end;
        }
        return LocalRule.NONE;
    }

    /** The rule's last answer: what it found excluded, up to there or for all 20 years, is not searched again. */
    private static final class Searched {
        private final LocalRule rule;
        private long from = Long.MAX_VALUE;
        private long found = Long.MIN_VALUE;

        Searched(LocalRule rule) {
            this.rule = rule;
        }

        long next(long local) {
            if (local < from || local > found) {
                found = rule.nextIncluded(local);
                from = local;
            }
            return found;
        }
    }

    private static long end(long at, ZoneRules rules) {
        ZoneOffsetTransition cut = rules.nextTransition(Instant.ofEpochMilli(at));
        return cut == null ? Long.MAX_VALUE : cut.getInstant().toEpochMilli();
    }

    private static boolean isBeyond(Instant instant) {
        return instant.getEpochSecond() > BEYOND_SECONDS || instant.getEpochSecond() < -BEYOND_SECONDS;
    }

    private ZoneRules rules(ZoneId jobZone) {
        return (zone == null ? jobZone : zone).getRules();
    }

    private static long local(long millis, ZoneRules rules) {
        return millis + rules.getOffset(Instant.ofEpochMilli(millis)).getTotalSeconds() * 1_000L;
    }
}
