package dev.almanac.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.testkit.junit.SchedulerExtension;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How a service tests its own jobs: docs/testing.md. */
class WeekTest {
    // snippet: week
    record CloseDay(String branch) implements SchedulingCommand {}

    private final List<Instant> closed = new ArrayList<>();

    @RegisterExtension
    final SchedulerExtension node = SchedulerExtension.startingAt(
            Instant.parse("2030-01-07T08:00:00Z"),
            builder -> builder.serviceName("ledger").command("close-day", 1, CloseDay.class, (day, run) -> {
                if (run.attempt() == 1 && closed.size() == 3) {
                    throw new IllegalStateException("the ledger is locked");
                }
                closed.add(run.fireTime());
            }));

    @Test
    @DisplayName("the day is closed each evening of the week, the fourth after a retry")
    void week() {
        JobSpecification daily = JobSpecification.recurring(
                "close-day", "0 0 18 * * ?", ZoneId.of("Europe/Brussels"), new CloseDay("4711"));
        node.scheduler().scheduleJob(daily.toBuilder().retryPolicy("R3/PT10M").build());
        node.advance(Duration.ofDays(7));
        assertThat(closed)
                .hasSize(7)
                .startsWith(Instant.parse("2030-01-07T17:00:00Z"), Instant.parse("2030-01-08T17:00:00Z"));
        assertThat(node.scheduler().findJobById("close-day").orElseThrow().nextFireTime())
                .isEqualTo(Instant.parse("2030-01-14T17:00:00Z"));
    }
    // end

    @Test
    @DisplayName("each test has a node and a database of its own, and its clock begins anew")
    void fresh() {
        assertThat(node.now()).isEqualTo(Instant.parse("2030-01-07T08:00:00Z"));
        assertThat(node.scheduler().findJobById("close-day")).isEmpty();
        node.advanceTo(Instant.parse("2030-01-08T00:00:00Z"));
        assertThat(closed).isEmpty();
    }

    @Test
    @DisplayName("a node that is drained in virtual time while it runs ends by itself")
    void drained() throws InterruptedException {
        node.scheduler().scheduleJob(JobSpecification.oneOff("one", node.now().plusSeconds(1), new CloseDay("1")));
        node.advance(Duration.ofSeconds(1));
        node.scheduler().drain(Duration.ofSeconds(30));
        assertThat(closed).hasSize(1);
    }
}
