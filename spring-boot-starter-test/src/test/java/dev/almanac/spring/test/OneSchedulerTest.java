package dev.almanac.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.event.SchedulerListener;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.TimeSource;
import dev.almanac.spring.AlmanacAutoConfiguration;
import dev.almanac.spring.AlmanacJob;
import dev.almanac.spring.AlmanacTransactionAutoConfiguration;
import dev.almanac.spring.SchedulerCustomizer;
import dev.almanac.spring.test.AlmanacTestConfiguration.Ends;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.VirtualTime;
import dev.almanac.time.ExclusionCalendar;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.data.mongodb.MongoDatabaseFactory;

/** The scheduler of an application is made of all of its beans, or the application does not start. */
class OneSchedulerTest {
    private final VirtualTime time = new VirtualTime(Instant.parse("2030-01-07T08:00:00Z"));
    private final InMemoryJobStore store = new InMemoryJobStore(time.clock());

    record Note() implements SchedulingCommand {}

    @AfterEach
    void end() {
        time.close();
    }

    /** What a context has without beans of its own. */
    private static ApplicationContextRunner empty() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(AlmanacAutoConfiguration.class))
                .withPropertyValues("spring.application.name=shop");
    }

    private ApplicationContextRunner service() {
        return empty().withBean(InMemoryJobStore.class, () -> store)
                .withBean(TimeSource.class, time::clock)
                .withBean(SchedulerCustomizer.class, () -> time::applyTo)
                .withBean(VirtualTime.class, () -> time, bean -> bean.setDestroyMethodName(""))
                .withBean(Ends.class);
    }

    /** Calls the scheduler while it is made itself. */
    static class Warming {
        Warming(Scheduler scheduler) {
            scheduler.pauses();
        }
    }

    static class Feasts {
        @Bean
        ExclusionCalendar feasts(Warming needed) {
            return ExclusionCalendar.allOf(List.of());
        }
    }

    @Test
    @DisplayName(
            "S10: a calendar that cannot be made yet, since its bean waits for one that uses the scheduler, is not left out")
    void earlyCalendar() {
        service()
                .withBean("warming", Warming.class)
                .withUserConfiguration(Feasts.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("bean 'warming'")
                        .hasStackTraceContaining("use it later, such as for ApplicationReadyEvent"));
    }

    private Scheduler own() {
        return time.applyTo(Scheduler.builder().store(store)).build();
    }

    @Test
    @DisplayName("S10: a scheduler of the application's own is refused: beans and settings would have no effect on it")
    void ownScheduler() {
        service()
                .withBean("mine", Scheduler.class, this::own)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("'mine'")
                        .hasStackTraceContaining("SchedulerCustomizer")
                        .hasStackTraceContaining("defaultCandidate"));
    }

    @Test
    @DisplayName("S10: a second scheduler that is no default candidate stands beside that of the starter")
    void second() {
        service()
                .withBean(
                        "archive",
                        Scheduler.class,
                        this::own,
                        bean -> ((AbstractBeanDefinition) bean).setDefaultCandidate(false))
                .run(context -> assertThat(context).hasNotFailed().hasBean("almanacScheduler"));
    }

    private static class Till {
        @AlmanacJob(key = "close-till", cron = "0 30 18 * * *", zone = "Europe/Berlin")
        void close() {}
    }

    private static class Uses {
        private final Scheduler scheduler;

        Uses(Scheduler scheduler) {
            this.scheduler = scheduler;
        }
    }

    @Test
    @DisplayName("S10: a context below uses the scheduler of the one above, and does not start it again")
    void child() {
        service()
                .run(above -> empty().withParent(above)
                        .withBean(Uses.class)
                        .withConfiguration(AutoConfigurations.of(AlmanacTransactionAutoConfiguration.class))
                        .withBean(MongoDatabaseFactory.class, OtherTransactionsTest::database)
                        .run(below -> {
                            assertThat(below)
                                    .hasNotFailed()
                                    .getBean(Uses.class)
                                    .extracting(uses -> uses.scheduler)
                                    .isSameAs(above.getBean("almanacScheduler"));
                            assertThat(below)
                                    .as("a customizer of the starter is no part of the application")
                                    .hasBean("almanacTransactionGuard");
                            assertThat(below.containsLocalBean("almanacLifecycle"))
                                    .as("the end of the context below is not that of the scheduler")
                                    .isFalse();
                        }));
    }

    @Test
    @DisplayName(
            "S10: what a context below declares for the scheduler of the one above is refused, since that does not see it")
    void declaredBelow() {
        service().run(above -> {
            empty().withParent(above)
                    .withBean("till", Till.class)
                    .run(below -> assertThat(below.getStartupFailure())
                            .hasStackTraceContaining("'till'")
                            .hasStackTraceContaining("context above"));
            empty().withParent(above)
                    .withBean("notes", SchedulingHelper.class, () -> SchedulingHelper.of(Note.class, (note, run) -> {}))
                    .run(below -> assertThat(below.getStartupFailure()).hasStackTraceContaining("'notes'"));
            empty().withParent(above)
                    .withBean("labels", SchedulerCustomizer.class, () -> builder -> builder.label("a"))
                    .run(below -> assertThat(below.getStartupFailure()).hasStackTraceContaining("'labels'"));
            empty().withParent(above)
                    .withBean("log", SchedulerListener.class, () -> event -> {})
                    .run(below -> assertThat(below.getStartupFailure()).hasStackTraceContaining("'log'"));
        });
    }
}
