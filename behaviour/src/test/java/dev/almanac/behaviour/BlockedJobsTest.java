package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.calendars.Calendars;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a job goes on whose command could not be read, once its user has corrected it. */
class BlockedJobsTest {
    record Old() implements SchedulingCommand {}

    /** Of a version that has no upcaster any more. */
    private static final EncodedCommand UNREADABLE = new EncodedCommand("old", 1, Map.of());

    private final World world = new World(0, InMemoryJobStore::new);

    private Machine node() {
        return world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.command("old", 2, Old.class)
                        .calendarReader(definition -> Calendars.cron(String.valueOf(definition.get("cron")))));
    }

    private static JobSpecification unreadable(JobSpecification job) {
        return job.toBuilder().triggerCommand(UNREADABLE).build();
    }

    private void assertBlocked() {
        assertThat(world.store.find("j", FindScope.LIVE).orElseThrow().blockedReason())
                .contains("its command cannot be read");
    }

    private List<Instant> fires() {
        return world.callsOf("j").stream().map(Call::fire).toList();
    }

    private static Instant minute(int minute) {
        return START.plus(Duration.ofMinutes(minute));
    }

    @Test
    @DisplayName(
            "L09 R1 R4: fires that pass while a job is blocked are missed fires, which its policy judges after an update")
    void missed() {
        Machine a = node();
        JobSpecification job = job("j").schedulingSpecification("0 0/10 * * * ?")
                .missedFirePolicy(MissedFirePolicy.RUN_ALL)
                .startAt(minute(1))
                .build();
        a.scheduler().scheduleJob(unreadable(job));
        world.pass(Duration.ofMinutes(65));
        assertBlocked();
        a.scheduler().updateJob(job);
        world.pass(Duration.ofMinutes(10));
        assertThat(fires())
                .as("each once, in order")
                .isEqualTo(IntStream.rangeClosed(1, 7)
                        .mapToObj(i -> minute(10 * i))
                        .toList());
    }

    @Test
    @DisplayName(
            "L09 S2: of a blocked job whose schedule is changed, the newest fire that has passed runs, then the new schedule")
    void rescheduled() {
        Machine a = node();
        JobSpecification job = job("j").schedulingSpecification("0 0/10 * * * ?")
                .startAt(minute(1))
                .build();
        a.scheduler().scheduleJob(unreadable(job));
        world.pass(Duration.ofMinutes(65));
        assertBlocked();
        a.scheduler()
                .updateJob(
                        job.toBuilder().schedulingSpecification("0 0/7 * * * ?").build());
        world.pass(Duration.ofMinutes(6));
        assertThat(fires()).containsExactly(minute(60), minute(67));
    }

    @Test
    @DisplayName("L09 R5: a retry that is due while its job is blocked is run after an update")
    void retried() {
        Machine a = node();
        world.work = call -> CompletableFuture.failedFuture(new IllegalStateException("closed"));
        JobSpecification job = job("j").schedulingSpecification("0 0 * * * ?")
                .startAt(minute(1))
                .retryPolicy("R1/PT5M")
                .build();
        a.scheduler().scheduleJob(job);
        world.pass(Duration.ofMinutes(61));
        a.scheduler().updateJob(unreadable(job));
        world.pass(Duration.ofMinutes(6));
        assertBlocked();
        a.scheduler().updateJob(job);
        world.pass(Duration.ofMinutes(40));
        assertThat(world.callsOf("j")).extracting(Call::attempt).containsExactly(1, 2);
        assertThat(World.outcomes(a, "j")).endsWith("FAILED/RETRIES_EXHAUSTED");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "L09 C5: a calendar that is edited while its job is blocked may open an earlier fire; without an edit the"
                    + " plan stays")
    void opened(boolean edited) {
        Machine a = node();
        a.scheduler().calendars().put("bank", Map.of("cron", "* * 0-22 * * ?"));
        JobSpecification job =
                job("j").schedulingSpecification("0 0 * * * ?").calendar("bank").build();
        a.scheduler().scheduleJob(unreadable(job));
        a.scheduler().runNow("j");
        world.pass(Duration.ofMinutes(5));
        assertBlocked();
        if (edited) {
            a.scheduler().calendars().put("bank", Map.of("cron", "2 * * * * ?"));
        }
        a.scheduler().updateJob(job);
        world.pass(Duration.ofHours(15).plusMinutes(30));
        assertThat(fires()).as("the run by hand comes first").hasSize(edited ? 16 : 2);
        assertThat(fires().subList(1, 2)).containsExactly(minute(edited ? 60 : 15 * 60));
    }
}
