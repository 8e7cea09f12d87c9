package dev.almanac.calendars;

import dev.almanac.time.ExclusionCalendar;
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

    private final LocalRule rule;
    private final @Nullable ZoneId zone;
    private final String description;

    RuleCalendar(LocalRule rule, @Nullable ZoneId zone, String description) {
        this.rule = rule;
        this.zone = zone;
        this.description = description;
    }

    LocalRule rule() {
        return rule;
    }

    /** The zone in which it is read; absent = the job's. */
    public @Nullable ZoneId zone() {
        return zone;
    }

    /** For people; may be empty. */
    public String description() {
        return description;
    }

    /** The same, read in this zone whatever the job's. */
    public RuleCalendar inZone(ZoneId own) {
        return new RuleCalendar(rule, own, description);
    }

    /** The same with a description for people. */
    public RuleCalendar described(String text) {
        return new RuleCalendar(rule, zone, text);
    }

    @Override
    public boolean isIncluded(Instant instant, ZoneId jobZone) {
        return rule.includes(local(instant.toEpochMilli(), rules(jobZone)));
    }

    @Override
    public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone) {
        ZoneRules rules = rules(jobZone);
        long start = from.toEpochMilli();
        if (rule.includes(local(start, rules))) {
            return Optional.of(from);
        }
        long at = start;
        while (at - start <= BOUND_MILLIS) {
            long local = local(at, rules);
            long next = rule.nextIncluded(local);
            ZoneOffsetTransition cut = rules.nextTransition(Instant.ofEpochMilli(at));
            long end = cut == null ? Long.MAX_VALUE : cut.getInstant().toEpochMilli();
            long found = next == LocalRule.NONE ? LocalRule.NONE : at + (next - local);
            if (found != LocalRule.NONE && found < end) {
                return found - start > BOUND_MILLIS ? Optional.empty() : Optional.of(Instant.ofEpochMilli(found));
            }
            if (cut == null) {
                return Optional.empty();
            }
            at = end;
        }
        return Optional.empty();
    }

    private ZoneRules rules(ZoneId jobZone) {
        return (zone == null ? jobZone : zone).getRules();
    }

    private static long local(long millis, ZoneRules rules) {
        return millis + rules.getOffset(Instant.ofEpochMilli(millis)).getTotalSeconds() * 1_000L;
    }
}
