package dev.almanac.spring;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.config.AlmanacConfig;
import dev.almanac.config.ConfiguredStore;
import dev.almanac.event.SchedulerListener;
import dev.almanac.helper.CommandType;
import dev.almanac.helper.RunInterceptor;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.metrics.SchedulerMetrics;
import dev.almanac.model.JobSpecification;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.opentelemetry.AlmanacTelemetry;
import dev.almanac.runtime.TimeSource;
import dev.almanac.spring.DeclaredJobs.Declaration;
import dev.almanac.store.JobStore;
import dev.almanac.time.ExclusionCalendar;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoClientFactory;
import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Makes a {@link Scheduler} of the properties below {@code almanac} and of the application's beans: helpers
 * ({@link SchedulingHelper}), command types ({@link CommandType}), {@link RunInterceptor interceptors}, listeners, exclusion calendars by the names of their
 * beans, and as each {@link SchedulerCustomizer} sets it. It connects through the application's {@link MongoClient}, unless
 * {@code almanac.store.uri} names a server; a bean of type {@link JobStore} takes the place of both.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration",
            "org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
public class AlmanacAutoConfiguration {
    private static final String NO_CLIENT =
            "Almanac has no server to talk to: add spring-boot-starter-mongodb, or a bean"
                    + " of type MongoClient, or set almanac.store.uri, or add a bean of type JobStore";

    private static final String SEVERAL_CLIENTS =
            "there are several beans of type MongoClient, and none is primary: mark one @Primary, or set almanac.store.uri";

    /** Made by Spring. */
    public AlmanacAutoConfiguration() {}

    /** All settings; what is not set has its default, and the service's name is that of the application. */
    @Bean
    @ConditionalOnMissingBean
    AlmanacConfig almanacConfig(Environment environment) {
        return SettingsOfApplication.read(environment);
    }

    @Bean
    @ConditionalOnMissingBean(JobStore.class)
    ConfiguredStore almanacConfiguredStore(AlmanacConfig config) {
        return new ConfiguredStore(config);
    }

    @Bean
    @ConditionalOnMissingBean(JobStore.class)
    MongoJobStore almanacJobStore(
            ConfiguredStore configured,
            ObjectProvider<MongoClient> clients,
            ObjectProvider<ConfiguredStore.SecondClient> second) {
        return configured.store(
                () -> {
                    MongoClient client = clients.getIfUnique();
                    if (client == null) {
                        throw new IllegalStateException(
                                clients.stream().findAny().isPresent() ? SEVERAL_CLIENTS : NO_CLIENT);
                    }
                    return client;
                },
                second.getIfAvailable(() -> connections -> null));
    }

    /** Where Spring Boot makes the client of the application, it makes that for renewals by the same settings. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MongoClientFactory.class)
    static class OfBoot {
        @Bean
        ConfiguredStore.SecondClient almanacSecondClient(
                ConfigurableListableBeanFactory beans,
                ObjectProvider<MongoClientSettings> settings,
                ObjectProvider<MongoClientSettingsBuilderCustomizer> customizers) {
            return connections -> {
                MongoClientSettings given = settings.getIfUnique();
                if (given == null || !isClientOfBoot(beans)) {
                    return null;
                }
                List<MongoClientSettingsBuilderCustomizer> all =
                        new ArrayList<>(customizers.orderedStream().toList());
                all.add(builder -> builder.applyToConnectionPoolSettings(
                        pool -> pool.minSize(0).maxSize(connections)));
                return new MongoClientFactory(all).createMongoClient(given);
            };
        }

        private static boolean isClientOfBoot(ConfigurableListableBeanFactory beans) {
            String[] names = beans.getBeanNamesForType(MongoClient.class);
            return names.length == 1
                    && beans.containsBeanDefinition(names[0])
                    && MongoAutoConfiguration.class
                            .getName()
                            .equals(beans.getBeanDefinition(names[0]).getFactoryBeanName());
        }
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Scheduler almanacScheduler(
            JobStore store,
            AlmanacConfig config,
            Environment environment,
            ObjectProvider<TimeSource> time,
            Parts parts) {
        return LateScheduler.of(() -> {
            SchedulerBuilder builder = Scheduler.builder().store(store);
            config.applyTo(builder);
            if (config.serviceName() == null) {
                builder.serviceName(name(environment));
            }
            time.ifAvailable(builder::time);
            parts.applyTo(builder, config.calendars().keySet());
            return builder.build();
        });
    }

    private static @Nullable String name(Environment environment) {
        String name = environment.getProperty("spring.application.name");
        return name == null || name.isBlank() ? null : name;
    }

    @Bean
    Parts almanacParts(
            ObjectProvider<CommandType<?>> types,
            ObjectProvider<SchedulingHelper> helpers,
            ObjectProvider<RunInterceptor> interceptors,
            ObjectProvider<SchedulerListener> listeners,
            ListableBeanFactory beans,
            ObjectProvider<SchedulerCustomizer> customizers,
            @Qualifier("almanacLastStep") ObjectProvider<SchedulerCustomizer> last,
            ObjectProvider<AnnotatedJobs> annotated) {
        return new Parts(types, helpers, interceptors, listeners, beans, customizers, last, annotated);
    }

    /** Read late, when the classes of all beans are known. */
    @Bean
    @Lazy
    AnnotatedJobs almanacAnnotatedJobs(ConfigurableListableBeanFactory beans) {
        return new AnnotatedJobs(beans);
    }

    @Bean
    @ConditionalOnMissingBean
    SchedulerLifecycle almanacLifecycle(
            Scheduler scheduler,
            JobStore store,
            AlmanacConfig config,
            Environment environment,
            ObjectProvider<AnnotatedJobs> annotated,
            ObjectProvider<BuildProperties> build,
            ListableBeanFactory beans) {
        BuildProperties properties = build.getIfAvailable();
        String release = config.release() == null && properties != null ? properties.getVersion() : config.release();
        DeclaredJobs declared = new DeclaredJobs(
                () -> annotated.getObject().problems(),
                () -> declarations(annotated.getObject().declarations(store.commandCodec()), beans),
                () -> annotated.getObject().hidden(),
                name(environment),
                config.reconcile(),
                release);
        return new SchedulerLifecycle(scheduler, declared, config.drainTimeout());
    }

    private static List<Declaration> declarations(List<Declaration> annotated, ListableBeanFactory beans) {
        List<Declaration> all = new ArrayList<>(annotated);
        named(beans, JobSpecification.class)
                .forEach(
                        (bean, job) -> all.add(new Declaration("bean '" + bean + "'", Map.of(), List.of(), job, null)));
        return all;
    }

    /** The beans of a type, by their names. Each is made or is an exception; {@code getBeansOfType} leaves some out. */
    private static <T> Map<String, T> named(ListableBeanFactory beans, Class<T> type) {
        Map<String, T> named = new LinkedHashMap<>();
        for (String name : beans.getBeanNamesForType(type)) {
            Object bean = beans.getBean(name);
            if (type.isInstance(bean)) {
                named.put(name, type.cast(bean));
            }
        }
        return named;
    }

    /**
     * The settings of the application's beans, in order.
     *
     * @param last comes behind all customizers of each order, for what a test in virtual time must own. It is a bean of
     *     its name that is no default candidate
     */
    record Parts(
            ObjectProvider<CommandType<?>> types,
            ObjectProvider<SchedulingHelper> helpers,
            ObjectProvider<RunInterceptor> interceptors,
            ObjectProvider<SchedulerListener> listeners,
            ListableBeanFactory beans,
            ObjectProvider<SchedulerCustomizer> customizers,
            ObjectProvider<SchedulerCustomizer> last,
            ObjectProvider<AnnotatedJobs> annotated) {
        /** @param configured names of the calendars that the properties declare */
        void applyTo(SchedulerBuilder builder, Set<String> configured) {
            types.orderedStream().forEach(builder::command);
            helpers.orderedStream().forEach(builder::helper);
            annotated.getObject().applyTo(builder);
            interceptors.orderedStream().forEach(builder::interceptor);
            listeners.orderedStream().forEach(builder::listener);
            named(beans, ExclusionCalendar.class).forEach((name, calendar) -> {
                if (configured.contains(name)) {
                    throw new IllegalStateException("calendar '" + name + "' is declared twice: below almanac.calendars"
                            + " and as a bean; take one away");
                }
                builder.calendar(name, calendar);
            });
            customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
            last.ifAvailable(step -> step.customize(builder));
        }
    }

    /**
     * Refuses a scheduler that the starter has not made: the application's helpers, declared jobs and settings, its metrics and the
     * guard of its transactions would have no effect.
     */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(Scheduler.class)
    @ConditionalOnMissingBean(SchedulerLifecycle.class)
    static class OfAnother {
        @Bean
        static BeanFactoryPostProcessor almanacOnlyScheduler() {
            return beans -> {
                throw new IllegalStateException("the application has a Scheduler of its own, bean '"
                        + String.join(
                                "', '",
                                BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                                        beans, Scheduler.class, true, false))
                        + "', on which its helpers, declared jobs and settings would have no effect: take it away, and set"
                        + " what is needed by beans of type SchedulerCustomizer; the starter builds and starts the"
                        + " scheduler. A second one, such as for another database, is @Bean(defaultCandidate = false)");
            };
        }
    }

    /** In a context below that of the scheduler, which does not see the beans here: refuses what it would have to see. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(SchedulerLifecycle.class)
    static class OfContextAbove {
        @Bean
        SmartInitializingSingleton almanacDeclaredAbove(
                ConfigurableListableBeanFactory beans, AnnotatedJobs annotated) {
            return () -> {
                Stream<String> parts = names(
                        beans,
                        SchedulingHelper.class,
                        CommandType.class,
                        RunInterceptor.class,
                        JobSpecification.class,
                        ExclusionCalendar.class);
                // auto-configurations have some in every context
                Stream<String> ofApplication = names(beans, SchedulerCustomizer.class, SchedulerListener.class)
                        .filter(annotated::isOfApplication);
                List<String> unseen = new ArrayList<>(annotated.places());
                Stream.concat(parts, ofApplication)
                        .distinct()
                        .map(bean -> "bean '" + bean + "'")
                        .forEach(unseen::add);
                if (!unseen.isEmpty()) {
                    throw new IllegalStateException("the scheduler is in the context above, which does not see what is"
                            + " declared in this one, so it would have no effect: " + String.join("; ", unseen)
                            + "; declare it in the context above");
                }
            };
        }

        private static Stream<String> names(ListableBeanFactory beans, Class<?>... types) {
            return Stream.of(types).flatMap(type -> Stream.of(beans.getBeanNamesForType(type, true, false)));
        }
    }

    /** Where the application reports its health. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static class HealthPart {
        @Bean
        @ConditionalOnEnabledHealthIndicator("almanac")
        @ConditionalOnMissingBean(name = "almanacHealthIndicator")
        HealthIndicator almanacHealthIndicator(Scheduler scheduler) {
            return new SchedulerHealth(scheduler);
        }
    }

    /** Where the application traces, and has the module for it. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({OpenTelemetry.class, AlmanacTelemetry.class})
    static class TracesPart {
        /** Asked for when the scheduler is made, so that it has no effect which auto-configuration is first. */
        @Bean
        SchedulerCustomizer almanacTraces(ObjectProvider<OpenTelemetry> telemetry) {
            return builder ->
                    telemetry.ifAvailable(some -> AlmanacTelemetry.create(some).install(builder));
        }
    }

    /** Where the application counts. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBean(MeterRegistry.class)
    static class MetricsPart {
        @Bean
        @ConditionalOnMissingBean
        SchedulerMetrics almanacMetrics(MeterRegistry registry) {
            return new SchedulerMetrics(registry);
        }

        @Bean
        @ConditionalOnMissingBean(name = "almanacGauges")
        SmartInitializingSingleton almanacGauges(SchedulerMetrics metrics, Scheduler scheduler) {
            return () -> metrics.watch(scheduler);
        }
    }
}
