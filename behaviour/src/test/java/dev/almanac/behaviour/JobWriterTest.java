package dev.almanac.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.JobWriter;
import dev.almanac.Scheduler;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.CancelResult;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobRegister;
import dev.almanac.store.NewJob;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Changes within a transaction of the caller's")
class JobWriterTest {
    record Note() implements SchedulingCommand {}

    private final InMemoryJobStore store = new InMemoryJobStore(TimeSource.system());
    private final InMemoryJobStore inside = new InMemoryJobStore(TimeSource.system());
    private final List<String> calls = new ArrayList<>();
    private final List<SchedulerEvent> events = new CopyOnWriteArrayList<>();
    private final Scheduler scheduler = Scheduler.builder()
            .store(store)
            .command("note", 1, Note.class)
            .listener(this::keep)
            .build();

    /** Another store stands for what the transaction sees. */
    private final JobRegister transaction = new JobRegister() {
        @Override
        public List<Boolean> insert(List<NewJob> jobs) {
            calls.add("insert");
            return inside.insert(jobs);
        }

        @Override
        public Map<String, Integer> lastLives(Collection<String> keys) {
            return inside.lastLives(keys);
        }

        @Override
        public Optional<StoredJob> find(String key, FindScope scope) {
            calls.add("find");
            return inside.find(key, scope);
        }

        @Override
        public List<Boolean> write(List<JobChange> changes) {
            calls.add("write");
            return inside.write(changes);
        }
    };

    /** The clock is measured when the scheduler is opened, at whatever moment its listeners hear of it. */
    private void keep(SchedulerEvent event) {
        if (!(event instanceof SchedulerEvent.ClockMeasured)) {
            events.add(event);
        }
    }

    @AfterEach
    void close() {
        scheduler.close();
    }

    private static JobSpecification job(String text) {
        return JobSpecification.builder()
                .jobSpecificationKey("k")
                .jobRequestor("test")
                .triggerCommand(new Note())
                .triggerIdentifier(text)
                .singleSchedule(Instant.parse("2100-01-01T00:00:00Z"))
                .build();
    }

    @Test
    @DisplayName("every read and write goes to the transaction, none to the store")
    void where() {
        JobWriter jobs = scheduler.in(transaction);
        assertThat(jobs.scheduleJob(job("a")).specification().version()).isEqualTo(1);
        assertThat(jobs.updateJob(job("b")).specification().version()).isEqualTo(2);
        assertThat(jobs.cancelJob("k")).isEqualTo(CancelResult.CANCELED);
        assertThat(jobs.cancelJob("k")).isEqualTo(CancelResult.NOT_FOUND);
        assertThat(calls).containsExactly("insert", "find", "write", "find", "write", "find");
        assertThat(store.find("k", FindScope.INCLUDING_FINISHED)).isEmpty();
    }

    @Test
    @DisplayName("events are reported after the commit, in order and once; without a commit they are never reported")
    void events() {
        JobWriter jobs = scheduler.in(transaction);
        jobs.scheduleJob(job("a"));
        jobs.updateJob(job("b"));
        jobs.cancelJob("k");
        scheduler.pause(PauseScope.everything(), new Pause("the commit is still to come", "test", null));
        jobs.committed();
        jobs.committed();
        scheduler.in(transaction).scheduleJob(job("a"));
        // waits until the listener was told everything
        scheduler.close();
        assertThat(events)
                .hasExactlyElementsOfTypes(
                        SchedulerEvent.JobsPaused.class,
                        SchedulerEvent.JobScheduled.class,
                        SchedulerEvent.JobUpdated.class,
                        SchedulerEvent.JobCanceled.class);
    }
}
