/** The core of Almanac: model, API, SPI, engine, cron and time, in-memory store. */
@SuppressWarnings("module") // those that dev.almanac.text is for are compiled later
module dev.almanac.core {
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports dev.almanac;
    exports dev.almanac.event;
    exports dev.almanac.helper;
    exports dev.almanac.model;
    exports dev.almanac.retry;
    exports dev.almanac.runtime;
    exports dev.almanac.store;
    exports dev.almanac.text to
            dev.almanac.calendars,
            dev.almanac.config,
            dev.almanac.mongo;
    exports dev.almanac.time;

    uses dev.almanac.time.RuleReader;
}
