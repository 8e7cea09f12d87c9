/** Micrometer metrics of an Almanac node. */
module dev.almanac.metrics {
    requires transitive dev.almanac.core;
    requires transitive micrometer.core;
    requires static org.jspecify;

    exports dev.almanac.metrics;
}
