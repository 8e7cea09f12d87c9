/**
 * Recurrence rules of RFC 5545: the dialect RRULE. Start with {@link dev.almanac.calendars.rule.RecurrenceRules}, which
 * core finds as a service. {@code RuleText} reads a text strictly into {@code RuleParts}; {@code RuleDays} judges days,
 * {@code RulePeriods} cuts time into the intervals of the rule, {@code RuleTimes} searches. The reasons why no library
 * is used are in docs/decisions/0009-recurrence-rules.md.
 */
@NullMarked
package dev.almanac.calendars.rule;

import org.jspecify.annotations.NullMarked;
