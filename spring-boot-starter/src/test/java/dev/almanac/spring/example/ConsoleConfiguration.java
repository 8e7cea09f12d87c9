package dev.almanac.spring.example;

import dev.almanac.store.JobStore;
import dev.almanac.web.ConsoleAccess;
import dev.almanac.web.ConsoleServlet;
import dev.almanac.web.Viewer;
import java.util.Optional;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The console of the service, for users whom the service has identified. */
@Configuration
@ConditionalOnWebApplication
class ConsoleConfiguration {
    // snippet: spring-console
    @Bean
    ConsoleAccess consoleAccess() {
        return request -> Optional.ofNullable(request.getUserPrincipal()).map(user -> Viewer.reader(user.getName()));
    }

    @Bean
    ServletRegistrationBean<ConsoleServlet> console(JobStore store, ConsoleAccess access) {
        ConsoleServlet console = ConsoleServlet.builder()
                .store(store)
                .access(access)
                .host("jobs.example.org")
                .build();
        return new ServletRegistrationBean<>(console, "/almanac/*");
    }
    // end
}
