package dev.almanac.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;

class AnnotatedJobsTest {
    static final class Till implements Runnable {
        @Override
        @AlmanacJob(key = "close-till", fixedRate = 60_000)
        public void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Shop {
        @Bean
        @Lazy
        Runnable hidden() {
            return new Till();
        }

        @Bean
        @Scope("prototype")
        Runnable each() {
            return new Till();
        }

        @Bean
        Runnable made() {
            return () -> {};
        }

        @Bean
        @Lazy
        Till known() {
            return new Till();
        }
    }

    @AutoConfiguration
    static class Starter {
        @Bean
        @Lazy
        Runnable ofStarter() {
            return () -> {};
        }

        @Configuration(proxyBeanMethods = false)
        static class Part {
            @Bean
            @Lazy
            Runnable ofPart() {
                return () -> {};
            }
        }
    }

    @Test
    @DisplayName("S10: the class of a bean is hidden while it is not made and its definition names an interface;"
            + " auto-configurations hide none of the application")
    void hidden() {
        try (AnnotationConfigApplicationContext context =
                new AnnotationConfigApplicationContext(Shop.class, Starter.class)) {
            AnnotatedJobs jobs = new AnnotatedJobs(context.getBeanFactory());
            assertThat(jobs.problems()).isEmpty();
            assertThat(jobs.hidden()).containsExactlyInAnyOrder("hidden", "each");
            assertThat(context.getBean("each"))
                    .as("its job is known from another bean")
                    .isInstanceOf(Till.class);
        }
    }
}
