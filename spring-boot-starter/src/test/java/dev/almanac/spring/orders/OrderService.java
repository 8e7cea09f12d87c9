package dev.almanac.spring.orders;

import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.spring.AlmanacJob;
import dev.almanac.spring.SchedulerCustomizer;
import dev.almanac.spring.TransactionalScheduler;
import java.time.Instant;
import org.bson.Document;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

// snippet: spring-service
@SpringBootApplication
class OrderService {
    record Remind(String order) implements SchedulingCommand {}

    @Bean
    SchedulerCustomizer commands(MongoTemplate mongo) {
        return builder -> builder.command("remind", 1, Remind.class, (remind, run) -> mongo.insert(remind, "mail"));
    }

    @Bean
    MongoTransactionManager transactionManager(MongoDatabaseFactory factory) {
        return new MongoTransactionManager(factory);
    }

    @Service
    static class Orders {
        private @Autowired MongoTemplate mongo;
        private @Autowired TransactionalScheduler scheduler;

        @Transactional
        public void place(String order, Instant due) {
            scheduler.scheduleJob(JobSpecification.oneOff("remind-" + order, due, new Remind(order)));
            mongo.insert(new Document("_id", order), "order");
        }

        @AlmanacJob(key = "forget-orders", cron = "0 0 2 * * *", zone = "Europe/Berlin", retry = "R3/PT10M")
        public void forget() {
            mongo.dropCollection("order");
        }
    }
}
// end
