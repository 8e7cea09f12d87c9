package dev.almanac.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.model.FindScope;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.Job;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.ThreadLanes;
import dev.almanac.runtime.TimeSource;
import dev.almanac.spring.SchedulerCustomizer;
import dev.almanac.spring.TransactionalScheduler;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.core.annotation.Order;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.test.context.TestPropertySource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;

/**
 * A service with a store, a clock and a transaction manager of MongoDB of its own, all primary, and with threads of its own: a
 * test asks none of them.
 */
@AlmanacTest
@TestPropertySource(properties = "spring.application.name=ledger")
class OwnBeansTest {
    record Book() implements SchedulingCommand {}

    record Shut() implements SchedulingCommand {}

    /** It has no equals. */
    static class Page implements SchedulingCommand {
        public String text = "";
        private final List<Page> next = new ArrayList<>();

        Page text(String written) {
            text = written;
            return this;
        }

        public List<Page> getNext() {
            return next;
        }
    }

    private static final List<String> PRINTED = new ArrayList<>();

    /** What the node has given to the threads of the service. They never call it. */
    private static final List<Runnable> GIVEN = new CopyOnWriteArrayList<>();

    private static final List<Instant> CLOSED = new CopyOnWriteArrayList<>();

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Ledger {
        @Bean
        SchedulerCustomizer commands(VirtualTime time) {
            return builder -> builder.command("book", 1, Book.class, (book, run) -> {})
                    .command("page", 1, Page.class, (page, run) -> PRINTED.add(page.text))
                    .command("shut", 1, Shut.class, (shut, run) -> CLOSED.add(time.now()));
        }

        @Bean
        @Order
        SchedulerCustomizer ledgerThreads() {
            return builder -> builder.executor(GIVEN::add)
                    .time(TimeSource.system())
                    .lanes(new ThreadLanes("ledger"))
                    .store(new InMemoryJobStore(TimeSource.system()));
        }

        @Bean
        @Primary
        TimeSource ledgerClock() {
            return TimeSource.system();
        }

        @Bean
        @Primary
        JobStore ledgerStore(TimeSource clock) {
            return new InMemoryJobStore(clock);
        }

        @Bean
        @Primary
        PlatformTransactionManager ledgerTransactions(MongoDatabaseFactory database) {
            return new MongoTransactionManager(database) {
                @Override
                protected Object doGetTransaction() {
                    throw new IllegalStateException("there is no database");
                }
            };
        }

        @Bean
        Books books(TransactionalScheduler jobs) {
            return new Books(jobs);
        }
    }

    static class Books {
        private final TransactionalScheduler jobs;

        Books(TransactionalScheduler jobs) {
            this.jobs = jobs;
        }

        @Transactional
        public void close() {
            jobs.scheduleJob(JobSpecification.now("close", new Book()));
        }
    }

    @Test
    @DisplayName(
            "S10: store, time and transactions are those of the test, also where the application has its own as primary")
    void primary(
            @Autowired PlatformTransactionManager manager,
            @Autowired JobStore store,
            @Autowired TimeSource clock,
            @Autowired @Qualifier("almanacTestStore") InMemoryJobStore own,
            @Autowired VirtualTime time,
            @Autowired Books books) {
        assertThat(manager).isInstanceOf(MemoryTransactions.class);
        assertThat(store).isSameAs(own);
        assertThat(clock.wall()).isEqualTo(time.now());
        books.close();
        time.advance(Duration.ofSeconds(1));
        assertThat(store.find("close", FindScope.INCLUDING_FINISHED)
                        .orElseThrow()
                        .isLive())
                .as("it has run")
                .isFalse();
    }

    @Test
    @DisplayName(
            "S10: commands are stored as MongoDB stores them: equal bodies are no change, and what was stored runs")
    void commands(@Autowired Scheduler scheduler, @Autowired VirtualTime time) {
        Page page = new Page().text("one");
        Instant due = time.now().plusSeconds(60);
        scheduler.scheduleJob(JobSpecification.oneOff("print", due, page));
        page.text("two");
        Job again = scheduler.scheduleJob(JobSpecification.oneOff("print", due, new Page().text("one")));
        assertThat(again.specification().version()).isEqualTo(1);
        page.getNext().add(page);
        assertThatThrownBy(() -> scheduler.scheduleJob(JobSpecification.oneOff("endless", due, page)))
                .isInstanceOf(InvalidJobException.class);
        time.advanceTo(due);
        assertThat(PRINTED).containsExactly("one");
    }

    @Test
    @DisplayName(
            "S10: a run is at its time, while the test waits, also where a customizer sets executor, clock, lanes and store")
    void threads(@Autowired Scheduler scheduler, @Autowired JobStore store, @Autowired VirtualTime time) {
        Instant due = time.now().plusSeconds(60);
        scheduler.scheduleJob(JobSpecification.oneOff("shut", due, new Shut()));
        assertThat(store.find("shut", FindScope.LIVE))
                .as("in the store of the test")
                .isPresent();
        time.advanceTo(due.minusSeconds(1));
        assertThat(CLOSED).isEmpty();
        time.advanceTo(due);
        assertThat(CLOSED).containsExactly(due);
        assertThat(GIVEN).as("given to the threads of the service").isEmpty();
    }
}
