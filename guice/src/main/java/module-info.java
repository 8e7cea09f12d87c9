/** Almanac in Guice: one module, one binder. */
module dev.almanac.guice {
    requires transitive dev.almanac.core;
    requires transitive dev.almanac.config;
    requires transitive dev.almanac.mongo;
    requires transitive com.google.guice;
    requires transitive typesafe.config;
    requires jakarta.inject;
    requires static org.jspecify;

    // Guice calls what is package-private
    opens dev.almanac.guice to
            com.google.guice;

    exports dev.almanac.guice;
}
