/** Almanac in Guice: one module, one binder. */
module dev.almanac.guice {
    requires transitive dev.almanac.core;
    requires transitive dev.almanac.mongo;
    requires transitive com.google.guice;
    requires jakarta.inject;
    requires static org.jspecify;

    exports dev.almanac.guice;
}
