package dev.almanac.spring;

import com.mongodb.client.ClientSession;
import dev.almanac.JobWriter;
import dev.almanac.Scheduler;
import dev.almanac.model.CancelResult;
import dev.almanac.model.Job;
import dev.almanac.model.JobSpecification;
import dev.almanac.mongo.MongoJobStore;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Over the session of the MongoDB transaction that Spring has begun. Thread-safe. */
final class SpringTransactionalScheduler implements TransactionalScheduler {
    private final Scheduler scheduler;
    private final MongoJobStore store;
    private final Supplier<@Nullable ClientSession> session;

    /**
     * @param store of the scheduler, on the client of Spring's transactions
     * @param session that of the present transaction; null = none is active
     */
    SpringTransactionalScheduler(Scheduler scheduler, MongoJobStore store, Supplier<@Nullable ClientSession> session) {
        this.scheduler = scheduler;
        this.store = store;
        this.session = session;
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
        ClientSession present = session.get();
        if (present == null) {
            return outside.get();
        }
        JobWriter writer = scheduler.in(store.inSession(present));
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                writer.committed();
            }
        });
        return inside.apply(writer);
    }
}
