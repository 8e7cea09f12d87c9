package dev.almanac.examples.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.server.MongoServer;
import dev.almanac.web.ConsoleServlet;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.EnumSet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The console in a service: its own login says who asks. */
class OrderSiteTest {
    private final MongoServer mongo = MongoServer.shared();
    private final String database = mongo.freshDatabase();

    private static int status(int port, String user) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/almanac/jobs"));
        if (user != null) {
            request.header("X-User", user);
        }
        return HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    @DisplayName("mounted with Guice, the console answers whom the service has let in, and nobody else")
    void mounted() throws Exception {
        try (MongoClient client = MongoClients.create(mongo.uri())) {
            MongoJobStore store = MongoJobStore.create(client, MongoStoreSettings.ofDatabase(database));
            store.open();
            ConsoleServlet console = Guice.createInjector(new ConsoleModule(), new AbstractModule() {
                        @Override
                        protected void configure() {
                            bind(JobStore.class).toInstance(store);
                        }
                    })
                    .getInstance(ConsoleServlet.class);
            Server server = new Server();
            ServerConnector connector = new ServerConnector(server);
            connector.setHost("127.0.0.1");
            server.addConnector(connector);
            ServletContextHandler site = OrderSite.mount(server, console);
            site.addFilter(login(), "/*", EnumSet.of(DispatcherType.REQUEST));
            server.start();
            try {
                assertThat(status(connector.getLocalPort(), null)).isEqualTo(403);
                // 503 while the database needs longer than a page waits
                int answer = await().atMost(Duration.ofMinutes(5))
                        .until(() -> status(connector.getLocalPort(), "ann"), status -> status != 503);
                assertThat(answer).isEqualTo(200);
            } finally {
                server.stop();
                client.getDatabase(database).drop();
            }
        }
    }

    /** Plays the login of the service: it knows its users by a header. */
    private static FilterHolder login() {
        return new FilterHolder((request, response, chain) -> chain.doFilter(
                new HttpServletRequestWrapper((HttpServletRequest) request) {
                    @Override
                    public String getRemoteUser() {
                        return getHeader("X-User");
                    }

                    @Override
                    public boolean isUserInRole(String role) {
                        return false;
                    }
                },
                response));
    }
}
