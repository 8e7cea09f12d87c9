/** The arithmetic of Almanac: schedules, exclusion calendars and clock changes. Usable alone. */
@SuppressWarnings("module") // those that dev.almanac.text is for are compiled later
module dev.almanac.time {
    requires static transitive org.jspecify;

    exports dev.almanac.text to
            dev.almanac.calendars,
            dev.almanac.config,
            dev.almanac.core,
            dev.almanac.mongo,
            dev.almanac.web;
    exports dev.almanac.time;

    uses dev.almanac.time.RuleReader;
}
