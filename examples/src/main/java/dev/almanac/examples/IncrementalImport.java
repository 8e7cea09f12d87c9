package dev.almanac.examples;

import dev.almanac.SchedulerBuilder;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * An import that continues where the last run stopped. The state is saved with the end of the run, in the same write: a
 * run whose node dies saves none, and its rows are read again, so importing a row twice must be harmless.
 */
public final class IncrementalImport {
    private static final int MOST_AT_ONCE = 2;

    final List<String> imported = new CopyOnWriteArrayList<>();
    private final List<String> source;

    IncrementalImport(List<String> source) {
        this.source = source;
    }

    record ImportRows(String table) implements SchedulingCommand {}

    SchedulerBuilder parts(SchedulerBuilder builder) {
        // snippet: state
        return builder.command("import-rows", 1, ImportRows.class, (command, run) -> {
            int from = (int) run.state().getOrDefault("next", 0);
            int to = Math.min(source.size(), from + MOST_AT_ONCE);
            for (int row = from; row < to; row++) {
                imported.add(source.get(row));
                run.progress(row + 1, source.size(), "importing " + command.table());
            }
            run.setState(Map.of("next", to));
        });
        // end
    }

    static JobSpecification often(String table) {
        return JobSpecification.builder()
                .jobSpecificationKey("import-" + table)
                .jobRequestor("warehouse")
                .triggerCommand(new ImportRows(table))
                .triggerIdentifier(table)
                .everyAfterEnd(Duration.ofSeconds(1))
                .maxFires(3)
                .build();
    }

    /** Imports five rows, two at a time. */
    public static void main(String[] arguments) {
        IncrementalImport example = new IncrementalImport(List.of("a", "b", "c", "d", "e"));
        Example.run(arguments, example::parts, scheduler -> {
            scheduler.scheduleJob(often("customer"));
            Example.awaitEnd(scheduler, "import-customer");
        });
        System.out.println("imported: " + example.imported);
    }
}
