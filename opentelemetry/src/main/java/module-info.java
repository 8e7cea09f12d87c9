/** Traces of an Almanac node, by the API of OpenTelemetry. */
module dev.almanac.opentelemetry {
    requires transitive dev.almanac.core;
    requires transitive io.opentelemetry.api;
    requires io.opentelemetry.context;
    requires static org.jspecify;

    exports dev.almanac.opentelemetry;
}
