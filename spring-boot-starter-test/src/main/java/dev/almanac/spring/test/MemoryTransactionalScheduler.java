package dev.almanac.spring.test;

import dev.almanac.JobWriter;
import dev.almanac.Scheduler;
import dev.almanac.model.CancelResult;
import dev.almanac.model.Job;
import dev.almanac.model.JobSpecification;
import dev.almanac.spring.TransactionalScheduler;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.util.function.Function;
import java.util.function.Supplier;

/** Over a store in memory: what a transaction has written is stored when it commits. Thread-safe. */
final class MemoryTransactionalScheduler implements TransactionalScheduler {
    private final Scheduler scheduler;
    private final InMemoryJobStore store;
    private final MemoryTransactions transactions;

    MemoryTransactionalScheduler(Scheduler scheduler, InMemoryJobStore store, MemoryTransactions transactions) {
        this.scheduler = scheduler;
        this.store = store;
        this.transactions = transactions;
    }

    @Override
    public Job scheduleJob(JobSpecification specification) {
        return in(writer -> writer.scheduleJob(specification), () -> scheduler.scheduleJob(specification));
    }

    @Override
    public Job updateJob(JobSpecification specification) {
        return in(writer -> writer.updateJob(specification), () -> scheduler.updateJob(specification));
    }

    @Override
    public CancelResult cancelJob(String jobSpecificationKey) {
        return in(writer -> writer.cancelJob(jobSpecificationKey), () -> scheduler.cancelJob(jobSpecificationKey));
    }

    private <T> T in(Function<JobWriter, T> inside, Supplier<T> outside) {
        JobWriter writer = transactions.writer(scheduler, store);
        return writer == null ? outside.get() : inside.apply(writer);
    }
}
