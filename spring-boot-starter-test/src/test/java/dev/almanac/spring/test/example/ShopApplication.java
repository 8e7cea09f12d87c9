package dev.almanac.spring.test.example;

import dev.almanac.Scheduler;
import dev.almanac.helper.CommandType;
import dev.almanac.helper.Execution;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.Job;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.spring.AlmanacJob;
import dev.almanac.spring.TransactionalScheduler;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** A shop: its orders are reminded of, and its till is closed each evening. */
@SpringBootApplication
class ShopApplication {
    record Remind(String order) implements SchedulingCommand {}

    @Bean
    CommandType<Remind> remind() {
        return CommandType.of("remind", 1, Remind.class);
    }

    @Bean
    JobSpecification yearly() {
        return JobSpecification.recurring("inventory", "0 0 6 1 1 ?", ZoneOffset.UTC, new Remind("inventory"));
    }

    /** A service that is one of the scheduler's helpers, and uses the scheduler. */
    @Service
    static class Reminders implements SchedulingHelper {
        private final Scheduler scheduler;
        final List<String> sent = new ArrayList<>();

        Reminders(Scheduler scheduler) {
            this.scheduler = scheduler;
        }

        @Override
        public boolean supports(SchedulingCommand command) {
            return command instanceof Remind;
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command) {
            sent.add(((Remind) command).order());
            return CompletableFuture.completedFuture(null);
        }

        boolean isPlanned(String order) {
            return scheduler.findJobById("remind-" + order).isPresent();
        }
    }

    @Service
    static class Orders {
        private final TransactionalScheduler scheduler;
        private final Scheduler plain;

        Orders(TransactionalScheduler scheduler, Scheduler plain) {
            this.scheduler = scheduler;
            this.plain = plain;
        }

        @Transactional
        public void place(String order, Instant due) {
            scheduler.scheduleJob(JobSpecification.oneOff("remind-" + order, due, new Remind(order)));
            if (order.isBlank()) {
                throw new IllegalArgumentException("the order has no number");
            }
        }

        @Transactional
        public void placeUrgent(String order, Instant due) {
            Job job = scheduler.scheduleJob(JobSpecification.oneOff("remind-" + order, due, new Remind(order)));
            scheduler.updateJob(job.specification().toBuilder().priority(1).build());
        }

        @Transactional
        public void placeAndWithdraw(String order, Instant due) {
            scheduler.scheduleJob(JobSpecification.oneOff("remind-" + order, due, new Remind(order)));
            scheduler.cancelJob("remind-" + order);
        }

        @Transactional
        public void placeBesideTheTransaction(String order, Instant due) {
            plain.scheduleJob(JobSpecification.oneOff("remind-" + order, due, new Remind(order)));
        }
    }

    @Component
    static class Till {
        final List<Instant> closed = new ArrayList<>();
        int failures;
        int cleanings;

        @AlmanacJob(
                key = "close-till",
                cron = "${till.cron:0 30 18 * * MON-SAT}",
                zone = "Europe/Berlin",
                retry = "R2/PT10M")
        void close(Execution run) {
            if (run.attempt() == 1 && closed.size() == 2) {
                failures++;
                throw new IllegalStateException("the till is open");
            }
            closed.add(run.fireTime());
        }

        @AlmanacJob(key = "clean", fixedDelay = 1, initialDelay = 2, timeUnit = TimeUnit.DAYS)
        CompletionStage<Void> clean() {
            cleanings++;
            return CompletableFuture.completedFuture(null);
        }

        @AlmanacJob(key = "off", cron = AlmanacJob.CRON_DISABLED)
        void off() {
            throw new IllegalStateException("never");
        }
    }

    /** Spring stands in front of it, since it has transactions. */
    @Component
    static class Stock {
        private int polls;

        @Transactional
        @AlmanacJob(key = "poll", fixedRateString = "PT6H")
        public void poll() {
            polls++;
        }

        public int polls() {
            return polls;
        }
    }
}
