package dev.almanac.examples;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.helper.Execution;
import dev.almanac.model.IfExists;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * The invoices of a month. One run schedules a job for each customer; each of these is followed by a confirmation, or
 * by a note to a clerk when it has failed for good. A run that is repeated because its node died schedules none of them
 * again, since the key names the invoice and is used once. The follow-ups need no such care: they are stored once per end.
 */
public final class InvoiceRun {
    final Set<String> issued = ConcurrentHashMap.newKeySet();
    final List<String> confirmed = new CopyOnWriteArrayList<>();
    final List<String> told = new CopyOnWriteArrayList<>();
    private final List<String> customers;
    private final Predicate<String> billable;

    /** @param billable whether an invoice can be made for a customer at this moment */
    InvoiceRun(List<String> customers, Predicate<String> billable) {
        this.customers = customers;
        this.billable = billable;
    }

    record Month() implements SchedulingCommand {}

    record Invoice(String customer) implements SchedulingCommand {}

    record Confirm(String customer) implements SchedulingCommand {}

    record TellClerk(String customer) implements SchedulingCommand {}

    SchedulerBuilder parts(SchedulerBuilder builder) {
        return builder.command("invoice-month", 1, Month.class, this::fanOut)
                .command("invoice", 1, Invoice.class, this::issue)
                .command("confirm", 1, Confirm.class, (confirm, run) -> confirmed.add(confirm.customer()))
                .command("tell-clerk", 1, TellClerk.class, (clerk, run) -> told.add(clerk.customer()));
    }

    private void fanOut(Month month, Execution run) {
        YearMonth which = YearMonth.from(run.fireTime().atZone(ZoneOffset.UTC));
        // snippet: once
        for (String customer : customers) {
            run.scheduler().scheduleJob(invoice(customer, which), IfExists.ONCE);
        }
        // end
    }

    private void issue(Invoice invoice, Execution run) {
        if (!billable.test(invoice.customer())) {
            throw new IllegalStateException("no address of " + invoice.customer());
        }
        issued.add(run.identifier());
    }

    static JobSpecification invoice(String customer, YearMonth month) {
        // snippet: follow-ups
        return JobSpecification.now("invoice " + month + " " + customer, new Invoice(customer)).toBuilder()
                .jobRequestor("billing")
                .retryPolicy("R2/PT1H")
                .onSuccess(JobSpecification.now("{key} confirmed", new Confirm(customer)))
                .onFailure(JobSpecification.now("{key} failed", new TellClerk(customer)))
                .build();
        // end
    }

    void schedule(Scheduler on, String cron, ZoneId zone) {
        on.scheduleJob(JobSpecification.recurring("invoice run", cron, zone, new Month()).toBuilder()
                .jobRequestor("billing")
                .build());
    }

    /** Two customers, and one manual run of the month. */
    public static void main(String[] arguments) {
        InvoiceRun example = new InvoiceRun(List.of("ann", "bob"), customer -> true);
        Example.run(arguments, example::parts, scheduler -> {
            example.schedule(scheduler, "0 0 6 L * ?", ZoneOffset.UTC);
            scheduler.runNow("invoice run");
            Example.await(scheduler, "invoice run", () -> example.confirmed.size() == 2);
        });
        System.out.println("issued: " + example.issued + ", confirmed: " + example.confirmed);
    }
}
