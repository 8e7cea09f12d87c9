package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.helper.RetryAfterException;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Problem;
import dev.almanac.model.Retention;
import dev.almanac.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The largest and the smallest that a specification may hold: it is refused, or it runs. */
class LimitsTest extends LifecycleFixture {
    private static final Duration ENDLESS = Duration.ofSeconds(Long.MAX_VALUE);
    private static final Duration CENTURY = Duration.ofDays(36_525);

    private void refused(String field, JobSpecificationBuilder job) {
        Machine a = world.node("a");
        InvalidJobException refused = catchThrowableOfType(
                InvalidJobException.class, () -> a.scheduler().scheduleJob(job.build()));
        assertThat(refused).as("it was accepted").isNotNull();
        assertThat(refused.problems()).extracting(Problem::field).containsExactly(field);
        assertThat(a.scheduler().findJobById("j")).isEmpty();
    }

    private static JobSpecificationBuilder soon() {
        return job("j").singleSchedule(START.plusSeconds(1));
    }

    private static JobSpecificationBuilder hourly() {
        return job("j").schedulingSpecification("0 0 * * * ?");
    }

    @Test
    @DisplayName("R5: a number of equal retries outside 0 to 1 000 is refused before anything is made of it")
    void fixedRetries() {
        for (int retries : new int[] {Integer.MIN_VALUE, -1, 1_001, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> RetryPolicy.fixed(retries, Duration.ofMinutes(5)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(retries + " retries are not within 0 to 1000");
        }
        assertThat(RetryPolicy.fixed(1_000, Duration.ofMinutes(5))).hasToString("R1000/PT5M");
        assertThat(RetryPolicy.fixed(0, Duration.ofMinutes(5))).hasToString("none");
    }

    @Test
    @DisplayName(
            "R5: delays grow from a first one below a millisecond, too; each has whole milliseconds, and at least one")
    void shortFirstDelay() {
        assertThat(delays("R5/PT0.0005S*10<PT1H~0")).containsExactly(1L, 5L, 50L, 500L, 5_000L);
        assertThat(delays("R3/PT0.0015S*10<PT1H~0")).containsExactly(2L, 15L, 150L);
        assertThat(delays("R4/PT1S*2<PT5S~0")).containsExactly(1_000L, 2_000L, 4_000L, 5_000L);
    }

    private static List<Long> delays(String policy) {
        RetryPolicy parsed = RetryPolicy.parse(policy);
        return IntStream.rangeClosed(1, parsed.retries())
                .mapToObj(retry -> parsed.delay(retry, 0.5).orElseThrow().toMillis())
                .toList();
    }

    @Test
    @DisplayName("M2: a duration of more than a century is refused, whatever it is for")
    void longDurations() {
        refused("lateExecutionThreshold", soon().lateExecutionThreshold(ENDLESS));
        refused("executionTimeout", soon().executionTimeout(CENTURY.plusMillis(1)));
        refused("retention.failed", soon().retention(new Retention(CENTURY, ENDLESS, CENTURY, CENTURY)));
        assertThatThrownBy(() -> RetryPolicy.fixed(1, ENDLESS)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RetryPolicy.exponential(1, Duration.ofSeconds(1), 2, ENDLESS, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("M2: a century is accepted for every duration, and the job runs and ends with it")
    void centuries() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(soon().lateExecutionThreshold(CENTURY)
                        .executionTimeout(CENTURY)
                        .retryPolicy(RetryPolicy.fixed(1, CENTURY))
                        .retention(new Retention(CENTURY, CENTURY, CENTURY, CENTURY))
                        .build());
        pass(5_000);
        assertRows("j", "SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(newest("j").deleteTime()).isAfterOrEqualTo(START.plus(CENTURY));
    }

    @Test
    @DisplayName("M8: a retention is neither negative nor unlimited")
    void retentionOfTheScheduler() {
        for (Duration wrong : List.of(Duration.ofMillis(-1), ENDLESS)) {
            Retention retention = new Retention(CENTURY, CENTURY, wrong, CENTURY);
            assertThatThrownBy(() -> Scheduler.builder().retention(retention))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(wrong.toString());
        }
    }

    @Test
    @DisplayName("R5: a helper that asks for a retry at the end of time gets one in a century")
    void longRetry() {
        Machine a = world.node("a");
        world.work = call -> CompletableFuture.failedFuture(new RetryAfterException(ENDLESS, "some day"));
        a.scheduler().scheduleJob(soon().retryPolicy("R1/PT1S").build());
        pass(5_000);
        assertRows("j", "SCHEDULED/NONE", "SCHEDULED/ATTEMPT_FAILED");
        assertThat(document("j").due()).isEqualTo(START.plusSeconds(1).plus(CENTURY));
    }

    @Test
    @DisplayName("M2: moments that no store can keep are refused")
    void farMoments() {
        refused("singleSchedule", job("j").singleSchedule(Instant.MAX));
        refused("singleSchedule", job("j").singleSchedule(Instant.MIN));
        refused("singleSchedule", job("j").singleSchedule(LocalDateTime.MAX).zoneId("-12:00"));
        refused("singleSchedule", job("j").singleSchedule(LocalDateTime.MIN).zoneId("+12:00"));
        refused("startAt", hourly().startAt(Instant.MIN));
        refused("endAt", hourly().endAt(Instant.MAX));
    }

    @Test
    @DisplayName("M2: the last moment of the year 9999 is one that can be waited for, and bounds may be as far")
    void furthestMoment() {
        Machine a = world.node("a");
        Instant last = Instant.parse("9999-12-31T23:59:59.999Z");
        a.scheduler().scheduleJob(job("j").singleSchedule(last).build());
        assertThat(document("j").due()).isEqualTo(last);
        a.scheduler()
                .scheduleJob(hourly().jobSpecificationKey("k")
                        .schedulingSpecification("0 * * * * ?")
                        .startAt(Instant.EPOCH)
                        .endAt(last)
                        .build());
        pass(60_000);
        assertThat(world.callsOf("k")).hasSize(1);
    }
}
