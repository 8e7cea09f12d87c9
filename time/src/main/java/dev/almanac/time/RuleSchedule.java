package dev.almanac.time;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.ServiceLoader;

/** A recurrence rule, read by a {@link RuleReader}. */
final class RuleSchedule extends Schedule {
    private final RuleReader.Rule rule;
    private final boolean canFire;

    RuleSchedule(String text) {
        super(CronDialect.RRULE, text);
        this.rule = reader(text).read(text);
        this.canFire = rule.times().next(0) != LocalTimes.NONE;
    }

    private static RuleReader reader(String text) {
        return ServiceLoader.load(RuleReader.class, RuleReader.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new InvalidCronException(
                        "rrule", 1, "recurrence rules need the module almanac-calendars", text, null));
    }

    @Override
    public Optional<Instant> next(Instant after, ZoneId zone, DaylightSavingPolicy policy) {
        return super.next(after, zone, policy).filter(fire -> !fire.isAfter(rule.until()));
    }

    @Override
    public Optional<Instant> previous(Instant before, ZoneId zone, DaylightSavingPolicy policy) {
        return super.previous(before.isAfter(rule.until()) ? rule.until().plusNanos(1) : before, zone, policy);
    }

    @Override
    long count(Instant after, Instant until, ZoneId zone, DaylightSavingPolicy policy, long most) {
        return super.count(after, until.isAfter(rule.until()) ? rule.until() : until, zone, policy, most);
    }

    @Override
    public boolean canFire() {
        return canFire;
    }

    @Override
    public boolean isFixedTime() {
        return rule.fixed();
    }

    @Override
    Instant last() {
        return rule.until();
    }

    @Override
    LocalTimes times(ZoneId zone) {
        return rule.times();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RuleSchedule that && rule.canonical().equals(that.rule.canonical());
    }

    @Override
    public int hashCode() {
        return rule.canonical().hashCode();
    }

    @Override
    public String toString() {
        return rule.canonical();
    }
}
