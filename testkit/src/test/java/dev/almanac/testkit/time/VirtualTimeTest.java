package dev.almanac.testkit.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class VirtualTimeTest {
    private final List<String> ran = new ArrayList<>();

    record Note(String text) implements SchedulingCommand {}

    private Scheduler node(VirtualTime time, InMemoryJobStore store) {
        return time.applyTo(Scheduler.builder()
                        .store(store)
                        .settings(VirtualTime.FAST)
                        .serviceName("notes")
                        .command("note", 1, Note.class)
                        .helper(SchedulingHelper.of(Note.class, (note, run) -> ran.add(note.text()))))
                .build();
    }

    @Test
    @DisplayName(
            "nodes of one time draw numbers of their own: each has its identity, and jobs of both are stored and run")
    void twoNodes() {
        try (VirtualTime time = new VirtualTime(Instant.parse("2030-01-07T08:00:00Z"))) {
            InMemoryJobStore store = new InMemoryJobStore(time.clock());
            Scheduler first = node(time, store);
            Scheduler second = node(time, store);
            first.start();
            second.start();
            time.advance(Duration.ofSeconds(1));
            first.scheduleJob(JobSpecification.now("a", new Note("a")));
            second.scheduleJob(JobSpecification.now("b", new Note("b")));
            assertThat(first.findJobById("b")).isPresent();
            time.advance(Duration.ofMinutes(1));
            assertThat(ran).containsExactlyInAnyOrder("a", "b");
            assertThat(store.cluster().nodes(time.now().minusSeconds(300))).hasSize(2);
        }
    }
}
