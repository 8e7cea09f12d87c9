package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.model.ReconcileOptions;
import dev.almanac.model.ReconcileResult;
import dev.almanac.web.json.Fields;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code almanac reconcile}. */
@Command(
        name = "reconcile",
        description = {
            "Makes the stored jobs of an application equal to those that a file declares; runs nothing.",
            "Jobs of the application that are not in the file are cancelled."
        })
final class ReconcileCommand implements Callable<Integer> {
    private static final Columns<Map.Entry<String, List<String>>> COLUMNS = new Columns<
                    Map.Entry<String, List<String>>>()
            .whole("CHANGE", Map.Entry::getKey)
            .whole("JOBS", change -> change.getValue().size())
            .note(change -> change.getValue().isEmpty() ? null : String.join(", ", change.getValue()));

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
        JobsFile file = JobsFile.read(path);
        ReconcileOptions options =
                ReconcileOptions.DEFAULT.dryRun(confirmation.isDryRun()).allowMassCancel(allowMassCancel);
        return session.opened(where -> where.open(file.settings(), false), access -> {
            SchedulerBuilder builder = Scheduler.builder();
            file.settings().applyTo(builder);
            Scheduler scheduler = session.sign(access.scheduler(builder));
            Instant now = Instant.now();
            ReconcileResult result = Declaration.of(file, access.store().commandCodec(), now)
                    .withoutPassed(now, new Printer(session.out()))
                    .apply(
                            scheduler,
                            options,
                            planned -> confirmation.confirm(
                                    "cancel",
                                    planned.canceled().size(),
                                    Set.of(file.application()),
                                    planned.canceled()));
            Map<String, List<String>> changes = new LinkedHashMap<>();
            changes.put("created", result.created());
            changes.put("updated", result.updated());
            changes.put("unchanged", result.unchanged());
            changes.put("canceled", result.canceled());
            Fields fields = new Fields()
                    .with("application", file.application())
                    .with("database", access.settings().database());
            changes.forEach(fields::list);
            fields.with("dryRun", result.dryRun());
            session.out().answer(fields, out -> {
                out.line(access.place());
                out.table(COLUMNS, List.copyOf(changes.entrySet()));
                if (result.dryRun()) {
                    out.line("nothing was changed (--dry-run)"
                            + (result.massCancel() && !allowMassCancel
                                    ? "; it would be refused without --allow-mass-cancel, since it cancels all jobs or most of them"
                                    : ""));
                }
            });
            return 0;
        });
    }
}
