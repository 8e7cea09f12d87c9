package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.model.ReconcileOptions;
import dev.almanac.model.ReconcileResult;
import dev.almanac.web.json.Fields;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "reconcile",
        description = {
            "Makes the stored jobs of an application equal to those that a file declares; runs nothing.",
            "Jobs of the application that are not in the file are cancelled."
        })
final class ReconcileCommand implements Callable<Integer> {
    private record Change(String name, List<String> keys) {}

    private static final Columns<Change> COLUMNS = new Columns<Change>()
            .whole("CHANGE", Change::name)
            .whole("JOBS", change -> change.keys().size())
            .note(change -> change.keys().isEmpty() ? null : String.join(", ", change.keys()));

    @Mixin
    private ChangeSession session;

    @Parameters(paramLabel = "FILE", description = "the declared jobs, HOCON or JSON")
    private Path path;

    @Option(
            names = "--allow-mass-cancel",
            description = "it may cancel all jobs of the application, or more than half of ten or more")
    private boolean allowMassCancel;

    @Mixin
    private Confirmation confirmation;

    @Override
    public Integer call() {
        Declaration read = Declaration.of(JobsFile.read(path), null);
        JobsFile file = read.file();
        ReconcileOptions options =
                ReconcileOptions.DEFAULT.dryRun(confirmation.isDryRun()).allowMassCancel(allowMassCancel);
        return session.opened(
                where -> where.open(
                        read.settings().uri(), read.settings().store().withCreateIndexes(false)),
                access -> {
                    SchedulerBuilder builder = Scheduler.builder();
                    read.settings().applyTo(builder);
                    Scheduler scheduler = session.sign(access.scheduler(builder));
                    Declaration declaration = read.withoutPassed(scheduler, access::now, session.out());
                    List<String> groups = declaration.changedGroups(scheduler);
                    ReconcileResult result = declaration.apply(scheduler, options, planned -> {
                        Confirmation.Jobs jobs = new Confirmation.Jobs();
                        planned.canceled().forEach(key -> jobs.add(key, Optional.of(file.application())));
                        confirmation.confirm("cancel", jobs);
                    });
                    List<Change> changes = new ArrayList<>(List.of(
                            new Change("created", result.created()),
                            new Change("updated", result.updated()),
                            new Change("unchanged", result.unchanged()),
                            new Change("canceled", result.canceled())));
                    if (!groups.isEmpty()) {
                        changes.add(new Change("groups", groups));
                    }
                    Fields fields = new Fields()
                            .with("application", file.application())
                            .with("database", access.settings().database());
                    changes.forEach(change -> fields.list(change.name(), change.keys()));
                    fields.with("passed", declaration.passed())
                            .with("massCancel", result.massCancel() ? true : null)
                            .with("dryRun", result.dryRun());
                    session.out().answer(fields, out -> {
                        out.line(access.place());
                        out.table(COLUMNS, changes);
                        if (result.dryRun()) {
                            out.line("nothing was changed (--dry-run)");
                        }
                    });
                    // a dry run has not refused it yet
                    declaration.refuseMassCancel(result, options);
                    return 0;
                });
    }
}
