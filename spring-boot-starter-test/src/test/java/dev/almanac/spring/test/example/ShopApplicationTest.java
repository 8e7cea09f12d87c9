package dev.almanac.spring.test.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.config.AlmanacConfig;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.spring.TransactionalScheduler;
import dev.almanac.spring.test.AlmanacTest;
import dev.almanac.spring.test.example.ShopApplication.Orders;
import dev.almanac.spring.test.example.ShopApplication.Remind;
import dev.almanac.spring.test.example.ShopApplication.Reminders;
import dev.almanac.spring.test.example.ShopApplication.Till;
import dev.almanac.testkit.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

@AlmanacTest
@TestPropertySource(properties = "spring.application.name=shop")
class ShopApplicationTest {
    @Autowired
    private VirtualTime time;

    @Autowired
    private Scheduler scheduler;

    @Autowired
    private Till till;

    @Autowired
    private ShopApplication.Stock stock;

    @Autowired
    private Orders orders;

    @Autowired
    private Reminders reminders;

    @Test
    @DisplayName("S10: annotated methods run by their schedules, a failed one is tried again")
    void week() {
        long start = System.nanoTime();
        time.advance(Duration.ofDays(8));
        System.out.println(
                "eight days: " + Duration.ofNanos(System.nanoTime() - start).toMillis() + " ms");
        assertThat(till.closed)
                .startsWith(Instant.parse("2030-01-07T17:30:00Z"), Instant.parse("2030-01-08T17:30:00Z"))
                .hasSize(7);
        assertThat(till.failures)
                .as("the third evening needed a second attempt")
                .isOne();
        assertThat(stock.polls()).as("at once, and every six hours").isEqualTo(33);
        assertThat(till.cleanings).as("from the second day on").isEqualTo(7);
        assertThat(scheduler.findJobById("off")).isEmpty();
    }

    @Test
    @DisplayName("S10: declared jobs belong to the application, those of beans, too")
    void declared() {
        assertThat(scheduler.listJobs(JobQuery.ofApplication("shop")).jobs())
                .extracting(job -> job.specification().jobSpecificationKey())
                .containsExactly("clean", "close-till", "inventory", "poll");
    }

    @Test
    @DisplayName("S10: in a transaction a job is scheduled with it, or not at all")
    void transaction() {
        Instant due = time.now().plus(Duration.ofHours(1));
        assertThatThrownBy(() -> orders.place(" ", due)).isInstanceOf(IllegalArgumentException.class);
        orders.place("4711", due);
        assertThat(reminders.isPlanned(" ")).isFalse();
        assertThat(reminders.isPlanned("4711"))
                .as("a helper uses the scheduler")
                .isTrue();
        time.advanceTo(due);
        assertThat(reminders.sent).containsExactly("4711");
        assertThat(scheduler.history("remind- ")).isEmpty();
    }

    @Test
    @DisplayName("S10: a transaction sees its own jobs, and stores what they are at its end")
    void changedWithinTransaction() {
        Instant due = time.now().plus(Duration.ofHours(1));
        orders.placeUrgent("1", due);
        assertThat(scheduler
                        .findJobById("remind-1")
                        .orElseThrow()
                        .specification()
                        .priority())
                .isEqualTo(1);
        orders.placeAndWithdraw("2", due);
        assertThat(reminders.isPlanned("2")).isFalse();
        time.advanceTo(due);
        assertThat(reminders.sent).containsExactly("1");
    }

    private static JobSpecification remind(String order, Instant due) {
        return JobSpecification.oneOff("remind-" + order, due, new Remind(order));
    }

    private static void beforeCommit(Runnable step) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                step.run();
            }
        });
    }

    @Test
    @DisplayName("S10: what is scheduled just before the commit is stored with the rest")
    void beforeCommit(@Autowired PlatformTransactionManager transactions, @Autowired TransactionalScheduler jobs) {
        TransactionTemplate transaction = new TransactionTemplate(transactions);
        Instant due = time.now().plus(Duration.ofHours(1));
        transaction.executeWithoutResult(status -> beforeCommit(() -> jobs.scheduleJob(remind("1", due))));
        transaction.executeWithoutResult(status -> {
            jobs.scheduleJob(remind("2", due));
            beforeCommit(() -> jobs.scheduleJob(remind("3", due)));
        });
        assertThat(reminders.isPlanned("1")).isTrue();
        assertThat(reminders.isPlanned("2")).isTrue();
        assertThat(reminders.isPlanned("3")).isTrue();
    }

    @Test
    @DisplayName("S10: what another refuses just before the commit leaves no job")
    void refusedBeforeCommit(
            @Autowired PlatformTransactionManager transactions, @Autowired TransactionalScheduler jobs) {
        TransactionTemplate transaction = new TransactionTemplate(transactions);
        Instant due = time.now().plus(Duration.ofHours(1));
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    jobs.scheduleJob(remind("1", due));
                    beforeCommit(() -> {
                        throw new IllegalArgumentException("no stock");
                    });
                }))
                .hasMessage("no stock");
        assertThat(reminders.isPlanned("1")).isFalse();
    }

    @Test
    @DisplayName("S10: what is scheduled after the commit is stored by itself, as in the service")
    void afterCommit(@Autowired PlatformTransactionManager transactions, @Autowired TransactionalScheduler jobs) {
        Instant due = time.now().plus(Duration.ofHours(1));
        new TransactionTemplate(transactions)
                .executeWithoutResult(status ->
                        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                            @Override
                            public void afterCommit() {
                                jobs.scheduleJob(remind("1", due));
                            }
                        }));
        assertThat(reminders.isPlanned("1")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("S10: a transaction within another one, with REQUIRES_NEW, has its own jobs and its own end")
    void requiresNew(
            boolean innerCommits,
            @Autowired PlatformTransactionManager transactions,
            @Autowired TransactionalScheduler jobs) {
        TransactionTemplate outer = new TransactionTemplate(transactions);
        TransactionTemplate inner = new TransactionTemplate(transactions);
        inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        Instant due = time.now().plus(Duration.ofHours(1));
        outer.executeWithoutResult(first -> {
            jobs.scheduleJob(remind("1", due));
            inner.executeWithoutResult(second -> {
                jobs.scheduleJob(remind("2", due));
                if (!innerCommits) {
                    second.setRollbackOnly();
                }
            });
            assertThat(reminders.isPlanned("2")).isEqualTo(innerCommits);
            assertThatThrownBy(() -> scheduler.scheduleJob(remind("3", due))).isInstanceOf(IllegalStateException.class);
            jobs.scheduleJob(remind("3", due));
            if (innerCommits) {
                first.setRollbackOnly();
            }
        });
        assertThat(reminders.isPlanned("1")).isEqualTo(!innerCommits);
        assertThat(reminders.isPlanned("2")).isEqualTo(innerCommits);
        assertThat(reminders.isPlanned("3")).isEqualTo(!innerCommits);
    }

    @Test
    @DisplayName("S10: where the transaction is suspended, a request takes effect at once; where it is joined, with it")
    void suspendedAndJoined(
            @Autowired PlatformTransactionManager transactions, @Autowired TransactionalScheduler jobs) {
        TransactionTemplate outer = new TransactionTemplate(transactions);
        TransactionTemplate without = new TransactionTemplate(transactions);
        without.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
        Instant due = time.now().plus(Duration.ofHours(1));
        assertThatThrownBy(() -> outer.executeWithoutResult(first -> {
                    without.executeWithoutResult(none -> scheduler.scheduleJob(remind("1", due)));
                    new TransactionTemplate(transactions).executeWithoutResult(joined -> {
                        jobs.scheduleJob(remind("2", due));
                        joined.setRollbackOnly();
                    });
                }))
                .isInstanceOf(UnexpectedRollbackException.class);
        assertThat(reminders.isPlanned("1")).isTrue();
        assertThat(reminders.isPlanned("2")).isFalse();
    }

    @Test
    @DisplayName("S10: a change that another has overtaken undoes the whole transaction")
    void overtaken(@Autowired PlatformTransactionManager transactions, @Autowired TransactionalScheduler jobs) {
        TransactionTemplate transaction = new TransactionTemplate(transactions);
        Instant due = time.now().plus(Duration.ofHours(1));
        jobs.scheduleJob(remind("2", due));
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    jobs.scheduleJob(remind("1", due));
                    jobs.cancelJob("remind-2");
                    jobs.scheduleJob(remind("2", due.plusSeconds(1)));
                    CompletableFuture.runAsync(() -> scheduler.scheduleJob(remind("2", due.plusSeconds(2))))
                            .join();
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("job 'remind-2' was changed by another while the transaction was open");
        assertThat(reminders.isPlanned("1")).isFalse();
        assertThat(scheduler.findJobById("remind-2").orElseThrow().nextFireTime())
                .isEqualTo(due.plusSeconds(2));
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    jobs.scheduleJob(remind("1", due));
                    jobs.scheduleJob(remind("3", due));
                    CompletableFuture.runAsync(() -> scheduler.scheduleJob(remind("3", due)))
                            .join();
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(reminders.isPlanned("1")).isFalse();
        transaction.executeWithoutResult(status -> {
            jobs.cancelJob("remind-2");
            jobs.scheduleJob(remind("2", due));
        });
        assertThat(scheduler.findJobById("remind-2").orElseThrow().nextFireTime())
                .isEqualTo(due);
    }

    @Test
    @DisplayName("S10: the plain scheduler is refused in a transaction, as in the service")
    void besideTheTransaction() {
        Instant due = time.now().plus(Duration.ofHours(1));
        assertThatThrownBy(() -> orders.placeBesideTheTransaction("4711", due))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("TransactionalScheduler");
        assertThat(reminders.isPlanned("4711")).isFalse();
    }

    @Test
    @DisplayName("S10: the intervals are those of the fast settings")
    void settings(@Autowired AlmanacConfig config) {
        assertThat(config.settings()).isEqualTo(VirtualTime.FAST);
    }
}
