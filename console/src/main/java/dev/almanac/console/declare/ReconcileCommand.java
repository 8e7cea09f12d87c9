package dev.almanac.console.declare;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.ConnectionOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.Confirmation;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Table;
import dev.almanac.console.terminal.Table.Fit;
import dev.almanac.model.ReconcileOptions;
import dev.almanac.model.ReconcileResult;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code almanac reconcile}. */
@Command(
        name = "reconcile",
        mixinStandardHelpOptions = true,
        description = {
            "Makes the stored jobs of an application equal to those that a file declares; runs nothing.",
            "Jobs of the application that are not in the file are cancelled."
        })
public final class ReconcileCommand extends StoreCommand {
    @Parameters(index = "0", paramLabel = "FILE", description = "the declared jobs, HOCON or JSON")
    private Path path;

    @Mixin
    private ActorOptions actor;

    @Option(names = "--dry-run", description = "only show what would be done")
    private boolean dryRun;

    @Option(
            names = "--allow-mass-cancel",
            description = "it may cancel all jobs of the application, or more than half of ten or more")
    private boolean allowMassCancel;

    @Mixin
    private Confirmation confirmation;

    private JobsFile file;

    /** Made by the command line. */
    public ReconcileCommand() {}

    @Override
    protected void check() {
        file = JobsFile.read(path);
    }

    @Override
    protected StoreAccess open(ConnectionOptions where) {
        return where.open(file.settings(), false);
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        SchedulerBuilder builder = Scheduler.builder();
        file.settings().applyTo(builder);
        Scheduler scheduler = actor.sign(access.scheduler(builder));
        Instant now = Instant.now();
        ReconcileResult result = Declaration.of(file, access.store().commandCodec(), now)
                .withoutPassed(now, new Printer(out))
                .apply(
                        scheduler,
                        ReconcileOptions.DEFAULT.dryRun(dryRun).allowMassCancel(allowMassCancel),
                        this::confirm);
        if (out.isJson()) {
            out.json(answer(result, access));
        } else {
            out.line(access.place());
            print(out, result);
        }
        return 0;
    }

    private void confirm(ReconcileResult planned) {
        List<String> canceled = planned.canceled();
        confirmation.confirm("cancel", canceled.size(), Set.of(file.application()), canceled);
    }

    private void print(Output out, ReconcileResult result) {
        Table table = out.table().column("CHANGE", Fit.WHOLE).column("JOBS", Fit.WHOLE);
        row(table, "created", result.created());
        row(table, "updated", result.updated());
        row(table, "unchanged", result.unchanged());
        row(table, "canceled", result.canceled());
        table.print();
        if (result.dryRun()) {
            out.line("nothing was changed (--dry-run)"
                    + (result.massCancel() && !allowMassCancel
                            ? "; it would be refused without --allow-mass-cancel, since it cancels all jobs or most of them"
                            : ""));
        }
    }

    private static void row(Table table, String change, List<String> keys) {
        table.row(change, String.valueOf(keys.size()));
        if (!keys.isEmpty()) {
            table.note(String.join(", ", keys));
        }
    }

    /** The answer for programs, with empty lists included. */
    private Map<String, Object> answer(ReconcileResult result, StoreAccess access) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("application", file.application());
        answer.put("database", access.settings().database());
        answer.put("created", result.created());
        answer.put("updated", result.updated());
        answer.put("unchanged", result.unchanged());
        answer.put("canceled", result.canceled());
        answer.put("dryRun", result.dryRun());
        return answer;
    }
}
