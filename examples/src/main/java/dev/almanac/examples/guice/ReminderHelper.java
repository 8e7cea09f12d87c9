package dev.almanac.examples.guice;

import com.google.inject.Inject;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.SchedulingCommand;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Sends reminders. It is injected with what it needs, like any other object of the service. */
final class ReminderHelper implements SchedulingHelper {
    private final Orders orders;

    @Inject
    ReminderHelper(Orders orders) {
        this.orders = orders;
    }

    @Override
    public boolean supports(SchedulingCommand command) {
        return command instanceof PaymentReminder;
    }

    @Override
    public CompletionStage<Void> execute(String id, SchedulingCommand command) {
        PaymentReminder reminder = (PaymentReminder) command;
        if (!orders.isPaid(reminder.order())) {
            orders.write("Dear " + reminder.customer() + ", please pay order " + reminder.order());
        }
        return CompletableFuture.completedFuture(null);
    }

    /** A reminder that comes a day late or more apologises. */
    @Override
    public CompletionStage<Void> lateExecute(String id, SchedulingCommand command, Duration overThreshold) {
        orders.write("We should have written earlier.");
        return execute(id, command);
    }
}
