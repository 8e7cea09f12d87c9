package dev.almanac.examples.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Inject;
import dev.almanac.Scheduler;
import dev.almanac.guice.SchedulerModule;
import dev.almanac.guice.SchedulingHelperBinder;
import dev.almanac.helper.Execution;
import dev.almanac.helper.TypedHelper;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Rate;
import dev.almanac.model.SchedulingCommand;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** A Guice service: exports of each tenant run two at a time, and five begin in a second, in the whole cluster. */
final class TenantExports extends AbstractModule {
    record Export(String tenant, int file) implements SchedulingCommand {}

    record Exporter(Consumer<Export> archive) implements TypedHelper.Call<Export> {
        @Inject
        Exporter {}

        @Override
        public void run(Export export, Execution run) {
            archive.accept(export);
        }
    }

    private final SchedulerModule scheduling;

    TenantExports(SchedulerModule scheduling) {
        this.scheduling = scheduling;
    }

    @Override
    protected void configure() {
        install(scheduling);
        SchedulingHelperBinder.of(binder()).command("export", 1, Export.class, Exporter.class);
    }

    static void export(Scheduler scheduler, String tenant, int files) {
        String group = "tenant " + tenant;
        scheduler.groups().put(group, new GroupLimits(2, Rate.parse("5/s")));
        scheduler.scheduleJobs(IntStream.range(0, files)
                .mapToObj(file -> JobSpecification.now(tenant + " " + file, new Export(tenant, file)).toBuilder()
                        .exclusiveGroup(group)
                        .build())
                .toList());
    }
}
