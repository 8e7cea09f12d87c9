package dev.almanac.examples;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.model.IfExists;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Payments are collected into a bulk, which is closed when it is of a certain age. Every payment schedules the closing
 * with {@code IfExists.KEEP}: the first one of a bulk sets the time, the others do not change it, whichever node they
 * arrive on. Once the bulk is closed its key is free, and the next payment opens the next bulk.
 */
public final class BulkClosing {
    final List<List<String>> bulks = new CopyOnWriteArrayList<>();
    private final Map<String, List<String>> open = new ConcurrentHashMap<>();

    record CloseBulk(String customer) implements SchedulingCommand {}

    SchedulerBuilder parts(SchedulerBuilder builder) {
        return builder.serviceName("bulks").command("close-bulk", 1, CloseBulk.class, (closing, run) -> {
            List<String> bulk = open.remove(closing.customer());
            if (bulk != null) {
                bulks.add(bulk);
            }
        });
    }

    static String key(String customer) {
        return "bulk-" + customer;
    }

    void add(Scheduler scheduler, String customer, String payment, Instant now, Duration age) {
        open.computeIfAbsent(customer, who -> new CopyOnWriteArrayList<>()).add(payment);
        // snippet: keep
        JobSpecification closing = JobSpecification.oneOff(key(customer), now.plus(age), new CloseBulk(customer));
        scheduler.scheduleJob(closing, IfExists.KEEP);
        // end
    }

    /** Three payments, one bulk. */
    public static void main(String[] arguments) {
        BulkClosing example = new BulkClosing();
        Consumer<Scheduler> payments = scheduler -> {
            for (String payment : List.of("12.50", "7.00", "3.20")) {
                example.add(scheduler, "ann", payment, Instant.now(), Duration.ofSeconds(1));
            }
        };
        Example.run(arguments, example::parts, payments, scheduler -> Example.awaitEnd(scheduler, key("ann")));
        System.out.println("bulks: " + new ArrayList<>(example.bulks));
    }
}
