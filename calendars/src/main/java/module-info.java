/** The calendar kinds of Almanac, business days, iCalendar import. */
module dev.almanac.calendars {
    requires transitive dev.almanac.core;
    requires ical4j.core;
    requires static org.jspecify;

    exports dev.almanac.calendars;

    provides dev.almanac.time.RuleReader with
            dev.almanac.calendars.rule.RecurrenceRules;
}
