/** Settings of Almanac from HOCON. */
module dev.almanac.config {
    requires transitive dev.almanac.core;
    requires transitive dev.almanac.calendars;
    requires transitive dev.almanac.mongo;
    requires transitive typesafe.config;
    requires static org.jspecify;

    exports dev.almanac.config;
}
