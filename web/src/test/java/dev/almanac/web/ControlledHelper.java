package dev.almanac.web;

import dev.almanac.SchedulerBuilder;
import dev.almanac.helper.Execution;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.SchedulingCommand;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The work of the nodes of these tests: it ends at once, fails, or lasts until it is interrupted or the test is over. */
final class ControlledHelper implements SchedulingHelper {
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    /** What a job of these tests does. */
    record Payment(String kind, String account, long cents) implements SchedulingCommand {}

    /** A node with the command types payment and report. */
    static SchedulerBuilder types(SchedulerBuilder builder) {
        return builder.command("payment", 1, Payment.class).command("report", 1, Report.class);
    }

    /** Another type. */
    record Report(String kind, String name) implements SchedulingCommand {}

    @Override
    public boolean supports(SchedulingCommand command) {
        return command instanceof Payment || command instanceof Report;
    }

    @Override
    public CompletionStage<Void> execute(String id, SchedulingCommand command) {
        throw new UnsupportedOperationException("the overload with the execution is called");
    }

    @Override
    public CompletionStage<Void> execute(String id, SchedulingCommand command, Execution execution) {
        String kind = command instanceof Payment payment ? payment.kind() : ((Report) command).kind();
        return switch (kind) {
            case "fails" -> throw new IllegalStateException("the bank refused the payment of " + id);
            case "refuses" -> throw new UnsupportedOperationException("the bank does not know " + id);
            // an interrupt cancels the stage of one run
            case "lasts" -> end.copy();
            default -> CompletableFuture.completedFuture(null);
        };
    }

    /** Lets whatever lasts end. */
    void end() {
        end.complete(null);
    }
}
