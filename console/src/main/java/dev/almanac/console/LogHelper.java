package dev.almanac.console;

import dev.almanac.helper.Execution;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.SchedulingCommand;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Runs {@link LogLine}s: prints them. */
final class LogHelper implements SchedulingHelper {
    private final Printer printer;

    LogHelper(Printer printer) {
        this.printer = printer;
    }

    @Override
    public boolean supports(SchedulingCommand command) {
        return command instanceof LogLine;
    }

    @Override
    public CompletionStage<Void> execute(String id, SchedulingCommand command, Execution execution) {
        printer.run(execution, id, ((LogLine) command).message());
        return CompletableFuture.completedFuture(null);
    }
}
