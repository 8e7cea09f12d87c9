package dev.almanac.examples;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.calendars.Calendars;
import dev.almanac.helper.Execution;
import dev.almanac.model.IfExists;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.time.CalendarPolicy;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Consumer;

/** A plain service: on the last business day of a month each customer gets a statement, or a clerk a notice. */
final class Statements {
    record Month() implements SchedulingCommand {}

    record Statement(String customer) implements SchedulingCommand {}

    record TellClerk(String customer) implements SchedulingCommand {}

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private final List<String> customers;
    final Scheduler scheduler;

    Statements(SchedulerBuilder builder, List<String> customers, Consumer<String> mail, Consumer<String> clerk) {
        this.customers = customers;
        this.scheduler = builder.serviceName("statements")
                .calendar("weekends", Calendars.weekends())
                .command("month", 1, Month.class, this::send)
                .command("statement", 1, Statement.class, (statement, run) -> mail.accept(statement.customer()))
                .command("tell-clerk", 1, TellClerk.class, (tell, run) -> clerk.accept(tell.customer()))
                .build();
        scheduler.scheduleJob(JobSpecification.recurring("month", "0 0 18 L * ?", BERLIN, new Month()).toBuilder()
                .calendar("weekends")
                .calendarPolicy(CalendarPolicy.PRECEDING)
                .build());
        scheduler.start();
    }

    private void send(Month month, Execution run) {
        YearMonth which = YearMonth.from(run.fireTime().atZone(BERLIN));
        for (String customer : customers) {
            JobSpecification statement =
                    JobSpecification.now(which + " " + customer, new Statement(customer)).toBuilder()
                            .retryPolicy("R2/PT10M")
                            .failureCommand(new TellClerk(customer))
                            .build();
            run.scheduler().scheduleJob(statement, IfExists.ONCE);
        }
    }
}
