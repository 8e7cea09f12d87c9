package dev.almanac.examples.web;

import dev.almanac.web.ConsoleServlet;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;

/** The site of a service, with the console under {@code /almanac}. */
final class OrderSite {
    private OrderSite() {}

    /** @param server of the service, not started yet */
    static ServletContextHandler mount(Server server, ConsoleServlet console) {
        // snippet: console-mount
        ServletContextHandler site = new ServletContextHandler("/");
        site.addServlet(new ServletHolder(console), "/almanac/*");
        server.setHandler(site);
        // end
        return site;
    }
}
