package dev.almanac.examples;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.helper.Execution;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.SchedulingCommand;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * A reminder is mailed when an invoice is due. If the mail server does not take it, it is tried again after ten minutes
 * and after an hour; if that fails, too, a clerk is informed. Telling the clerk is a command like any other: it is
 * stored with the job, and survives the death of the node that met the failure.
 */
public final class InvoiceReminder {
    final List<String> mailed = new CopyOnWriteArrayList<>();
    final List<String> told = new CopyOnWriteArrayList<>();
    private final Predicate<String> reachable;

    /** @param reachable whether the mail server takes mail for an address at this moment */
    InvoiceReminder(Predicate<String> reachable) {
        this.reachable = reachable;
    }

    record Remind(String address) implements SchedulingCommand {}

    record TellClerk(String why) implements SchedulingCommand {}

    private void mail(Remind reminder, Execution run) {
        if (!reachable.test(reminder.address())) {
            throw new IllegalStateException("nobody takes mail for " + reminder.address());
        }
        mailed.add(run.identifier());
    }

    SchedulerBuilder parts(SchedulerBuilder builder) {
        return builder.serviceName("billing")
                .command("remind", 1, Remind.class, this::mail)
                .command(
                        "tell-clerk",
                        1,
                        TellClerk.class,
                        (clerk, run) -> told.add(run.identifier() + ": " + clerk.why()));
    }

    static JobSpecificationBuilder reminder(String invoice, String address, Instant due) {
        // snippet: failure-command
        return JobSpecification.oneOff("reminder-" + invoice, due, new Remind(address)).toBuilder()
                .triggerIdentifier(invoice)
                .retryPolicy("PT10M,PT1H")
                .failureCommand(new TellClerk("the customer could not be reminded"))
                .failureIdentifier(invoice);
        // end
    }

    /** One reminder that arrives, and one that does not; with short delays. */
    public static void main(String[] arguments) {
        InvoiceReminder example = new InvoiceReminder(address -> !address.startsWith("nobody"));
        Example.run(arguments, example::parts, scheduler -> {
            Instant due = Instant.now().plusMillis(500);
            schedule(scheduler, "1", "ann@example.org", due);
            schedule(scheduler, "2", "nobody@example.org", due);
            Example.awaitEnd(scheduler, "reminder-1");
            Example.awaitEnd(scheduler, "reminder-2");
        });
        System.out.println("mailed: " + example.mailed + ", told: " + example.told);
    }

    private static void schedule(Scheduler scheduler, String invoice, String address, Instant due) {
        scheduler.scheduleJob(
                reminder(invoice, address, due).retryPolicy("R1/PT0.2S").build());
    }
}
