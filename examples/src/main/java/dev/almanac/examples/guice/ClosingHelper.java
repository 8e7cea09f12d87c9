package dev.almanac.examples.guice;

import com.google.inject.Inject;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.SchedulingCommand;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Closes forgotten orders. */
final class ClosingHelper implements SchedulingHelper {
    private final Orders orders;

    @Inject
    ClosingHelper(Orders orders) {
        this.orders = orders;
    }

    @Override
    public boolean supports(SchedulingCommand command) {
        return command instanceof CloseForgotten;
    }

    @Override
    public CompletionStage<Void> execute(String id, SchedulingCommand command) {
        orders.write("closed what is older than " + ((CloseForgotten) command).afterDays() + " days");
        return CompletableFuture.completedFuture(null);
    }
}
