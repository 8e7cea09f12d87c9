package dev.almanac.spring.example;

import dev.almanac.calendars.Calendars;
import dev.almanac.helper.RunInterceptor;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.spring.SchedulerCustomizer;
import dev.almanac.spring.TransactionalScheduler;
import dev.almanac.time.ExclusionCalendar;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.bson.Document;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** A service that stores invoices, and reminds of them. The client, its factory and the registry are Spring Boot's. */
@SpringBootApplication
class ReminderApplication {
    record Reminder(String customer) implements SchedulingCommand {}

    @Bean
    SchedulerCustomizer commands(Mailer mailer) {
        return builder -> builder.command("reminder", 1, Reminder.class, (reminder, run) -> mailer.send(reminder));
    }

    @Component
    static class Mailer {
        final BlockingQueue<String> sent = new LinkedBlockingQueue<>();

        final Queue<String> around = new ConcurrentLinkedQueue<>();

        RunInterceptor noting(String name) {
            return (run, command, next) -> {
                around.add(name);
                next.run();
            };
        }

        void send(Reminder reminder) {
            sent.add(reminder.customer());
        }
    }

    @Bean
    @Order(2)
    RunInterceptor inner(Mailer mailer) {
        return mailer.noting("inner");
    }

    @Bean
    @Order(1)
    RunInterceptor outer(Mailer mailer) {
        return mailer.noting("outer");
    }

    @Bean("days-off")
    ExclusionCalendar daysOff() {
        return Calendars.weekends();
    }

    @Component
    static class Invoices {
        private final MongoTemplate mongo;
        private final TransactionalScheduler scheduler;

        Invoices(MongoTemplate mongo, TransactionalScheduler scheduler) {
            this.mongo = mongo;
            this.scheduler = scheduler;
        }

        @Transactional
        public void add(String number, String customer, Instant due) {
            mongo.insert(new Document("_id", number), "invoice");
            scheduler.scheduleJob(JobSpecification.oneOff("reminder-" + number, due, new Reminder(customer)));
            if (customer.isBlank()) {
                throw new IllegalArgumentException("invoice " + number + " names no customer");
            }
        }
    }

    @Bean
    MongoTransactionManager transactionManager(MongoDatabaseFactory factory) {
        return new MongoTransactionManager(factory);
    }
}
