/** The console of Almanac: a servlet to mount. */
module dev.almanac.web {
    requires transitive dev.almanac.core;
    requires transitive jakarta.servlet;
    requires gg.jte.runtime;
    requires org.slf4j;
    requires tools.jackson.databind;
    requires static org.eclipse.jetty.ee10.servlet;
    requires static org.eclipse.jetty.server;
    requires static org.eclipse.jetty.util;
    requires static org.jspecify;

    exports dev.almanac.web;
}
