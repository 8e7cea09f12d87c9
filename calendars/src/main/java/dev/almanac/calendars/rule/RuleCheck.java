package dev.almanac.calendars.rule;

import java.util.function.BiFunction;

/** What RFC 5545, section 3.3.10, forbids of parts that are fine each. */
final class RuleCheck {
    private final RuleParts parts;
    private final BiFunction<String, String, RuntimeException> refused;

    RuleCheck(RuleParts parts, BiFunction<String, String, RuntimeException> refused) {
        this.parts = parts;
        this.refused = refused;
    }

    void check() {
        Frequency frequency = parts.frequency;
        boolean ordinals = parts.weekdays.stream().anyMatch(day -> day.ordinal() != 0);
        boolean yearly = frequency == Frequency.YEARLY;
        boolean until = parts.untilLocal != null || parts.untilInstant != null;
        refuse(parts.count > 0 && until, "COUNT", "cannot be combined with UNTIL");
        refuse(
                ordinals && !yearly && frequency != Frequency.MONTHLY,
                "BYDAY",
                "has a number, which only FREQ=MONTHLY and FREQ=YEARLY may have");
        refuse(ordinals && !parts.weeks.isEmpty(), "BYDAY", "has a number beside BYWEEKNO");
        refuse(
                !parts.daysOfMonth.isEmpty() && frequency == Frequency.WEEKLY,
                "BYMONTHDAY",
                "cannot stand with FREQ=WEEKLY");
        boolean yearDay = yearly || frequency.isWithinDay();
        refuse(!parts.daysOfYear.isEmpty() && !yearDay, "BYYEARDAY", "cannot stand with FREQ=" + frequency);
        refuse(!parts.weeks.isEmpty() && !yearly, "BYWEEKNO", "is allowed only with FREQ=YEARLY");
        refuse(
                !parts.positions.isEmpty() && parts.namesNoDays() && namesNoTimes(),
                "BYSETPOS",
                "has no other BY part to choose from");
    }

    private boolean namesNoTimes() {
        return parts.months.isEmpty() && parts.hours.isEmpty() && parts.minutes.isEmpty() && parts.seconds.isEmpty();
    }

    private void refuse(boolean wrong, String part, String reason) {
        if (wrong) {
            throw refused.apply(part, reason);
        }
    }
}
