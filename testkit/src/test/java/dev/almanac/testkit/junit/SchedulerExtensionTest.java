package dev.almanac.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.ThreadLanes;
import dev.almanac.runtime.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A node that is configured as the service does it, with threads and clock of its own. */
class SchedulerExtensionTest {
    record Note() implements SchedulingCommand {}

    /** What the node has given to the threads of the service. They never call it. */
    private final List<Runnable> given = new CopyOnWriteArrayList<>();

    private final List<Instant> ran = new CopyOnWriteArrayList<>();

    @RegisterExtension
    final SchedulerExtension node = SchedulerExtension.startingAt(
            Instant.parse("2030-01-07T08:00:00Z"),
            builder -> builder.serviceName("notes")
                    .zone(ZoneId.of("Europe/Brussels"))
                    .executor(given::add)
                    .time(TimeSource.system())
                    .lanes(new ThreadLanes("notes"))
                    .command("note", 1, Note.class, (note, run) -> ran.add(node().now())));

    private SchedulerExtension node() {
        return node;
    }

    @Test
    @DisplayName(
            "a run is at its time, while the test waits, also where the service sets executor, clock and lanes; its zone counts")
    void threads() {
        node.scheduler()
                .scheduleJob(JobSpecification.builder()
                        .jobSpecificationKey("note")
                        .schedulingSpecification("0 0 18 * * ?")
                        .triggerCommand(new Note())
                        .build());
        Instant due = Instant.parse("2030-01-07T17:00:00Z");
        node.advanceTo(due.minusSeconds(1));
        assertThat(ran).isEmpty();
        node.advance(Duration.ofSeconds(1));
        assertThat(ran).containsExactly(due);
        assertThat(given).as("given to the threads of the service").isEmpty();
    }
}
