package dev.almanac.spring.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.testkit.server.MongoServer;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

class ConsoleConfigurationTest {
    private final MongoServer server = MongoServer.shared();
    private final String database = server.freshDatabase();

    /** Plays the login of the service: it knows its users by a header. */
    static class Login {
        @Bean
        Filter login() {
            return (request, response, chain) -> chain.doFilter(
                    new HttpServletRequestWrapper((HttpServletRequest) request) {
                        @Override
                        public Principal getUserPrincipal() {
                            String user = getHeader("X-User");
                            return user == null ? null : () -> user;
                        }
                    },
                    response);
        }
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext context, String... headers)
            throws Exception {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/almanac/nodes"));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    @DisplayName("20: the console in a Spring Boot application answers its users, and nobody else")
    void console() throws Exception {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(
                        ReminderApplication.class, Login.class)
                .web(WebApplicationType.SERVLET)
                .properties(
                        "spring.main.banner-mode=off",
                        "spring.application.name=billing",
                        "server.port=0",
                        "server.address=127.0.0.1",
                        "spring.mongodb.uri=" + server.uri(),
                        "spring.mongodb.database=" + database,
                        "almanac.store.database=" + database)
                .run()) {
            assertThat(get(context).statusCode()).isEqualTo(403);
            // 503 while the database needs longer than a page waits
            HttpResponse<String> page = await().atMost(Duration.ofMinutes(5))
                    .until(() -> get(context, "X-User", "ann"), answer -> answer.statusCode() != 503);
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.body()).contains("<bdi>ann</bdi>", "Nodes of the last hour");
        } finally {
            try (MongoClient client = MongoClients.create(server.uri())) {
                client.getDatabase(database).drop();
            }
        }
    }
}
