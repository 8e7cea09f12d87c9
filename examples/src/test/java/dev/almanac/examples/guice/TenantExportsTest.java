package dev.almanac.examples.guice;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.Guice;
import com.google.inject.Module;
import com.google.inject.TypeLiteral;
import com.typesafe.config.ConfigFactory;
import dev.almanac.Scheduler;
import dev.almanac.config.AlmanacConfig;
import dev.almanac.examples.guice.TenantExports.Export;
import dev.almanac.guice.SchedulerModule;
import dev.almanac.guice.SchedulerService;
import dev.almanac.guice.SchedulingHelperBinder;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.ManualLanes;
import dev.almanac.testkit.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TenantExportsTest {
    private final ManualTime time = new ManualTime(Instant.parse("2030-03-29T16:00:00Z"));
    private final ManualLanes lanes = new ManualLanes(time);
    private final List<Export> exported = new ArrayList<>();

    private Scheduler service() {
        ManualLanes.Node node = lanes.node();
        Module parts = binder -> {
            SchedulingHelperBinder.of(binder).store().toInstance(new InMemoryJobStore(time));
            binder.bind(new TypeLiteral<Consumer<Export>>() {}).toInstance(exported::add);
        };
        SchedulerModule scheduling = new SchedulerModule(
                        AlmanacConfig.read(ConfigFactory.parseString("almanac.service-name = exports")))
                .with(builder -> builder.time(time).lanes(node).executor(node::execute));
        return Guice.createInjector(new TenantExports(scheduling), parts)
                .getInstance(SchedulerService.class)
                .start()
                .scheduler();
    }

    private long of(String tenant) {
        return exported.stream()
                .filter(export -> export.tenant().equals(tenant))
                .count();
    }

    @Test
    @DisplayName("each tenant has its own rate: a tenant with many exports does not hold up another one")
    void tenants() {
        Scheduler scheduler = service();
        TenantExports.export(scheduler, "big", 100);
        TenantExports.export(scheduler, "small", 2);
        lanes.advance(Duration.ofSeconds(2));
        assertThat(of("small")).isEqualTo(2);
        assertThat(of("big")).isBetween(5L, 15L);
        lanes.advance(Duration.ofSeconds(30));
        assertThat(of("big")).isEqualTo(100);
        assertThat(exported).doesNotHaveDuplicates();
    }
}
