/** The core of Almanac: model, API, SPI, engine. */
module dev.almanac.core {
    requires transitive dev.almanac.time;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports dev.almanac;
    exports dev.almanac.event;
    exports dev.almanac.helper;
    exports dev.almanac.model;
    exports dev.almanac.retry;
    exports dev.almanac.runtime;
    exports dev.almanac.store;
}
