package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.behaviour.World.Machine;
import dev.almanac.calendars.Calendars;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.Finding;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs without a fire (rule C5), and failures that are told once, over memory and a real server. */
class JobsWithoutFireTest extends OverStores {
    /** A calendar that excludes second 2, and so no fire of {@link #minutely}. */
    private static final String OPEN = "2 * * * * ?";
    /** A calendar that excludes everything. */
    private static final String CLOSED = "* * * * * ?";

    private static JobSpecification minutely() {
        return job("j").schedulingSpecification("0 * * * * ?").calendar("bank").build();
    }

    private Machine node() {
        return world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder ->
                        builder.calendarReader(definition -> Calendars.cron(String.valueOf(definition.get("cron")))));
    }

    @Test
    @DisplayName(
            "C5 O2 O3: a job without a fire says what to edit, is found by the check, and can be run by hand all the same")
    void withoutFire() {
        Machine a = node();
        a.scheduler().calendars().put("bank", Map.of("cron", "2 * * * * ?"));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 * * * * ?")
                        .calendar("bank")
                        .build());
        a.scheduler().calendars().put("bank", Map.of("cron", "* * * * * ?"));
        assertThat(a.scheduler().explainJob("j").headline())
                .contains("calendars [bank]")
                .doesNotContain("by an update");
        assertThat(a.scheduler().checkInvariants().findings()).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(Finding.Kind.BLOCKED);
            assertThat(finding.advice()).contains("almanac jobs update 'j' --no-calendar");
        });
        a.scheduler().runNow("j");
        world.pass(Duration.ofSeconds(5));
        assertThat(world.callsOf("j")).hasSize(1);
        assertThat(a.scheduler().history("j").get(0))
                .extracting(JobExecutionStatus::outcome, JobExecutionStatus::manual)
                .containsExactly(Outcome.SUCCEEDED, true);
        assertThat(a.scheduler().findJobById("j").orElseThrow().blocked()).isNotNull();
        world.pass(Duration.ofMinutes(3));
        assertThat(world.callsOf("j")).as("and only once").hasSize(1);
        a.scheduler().calendars().put("bank", Map.of("cron", "2 * * * * ?"));
        world.pass(Duration.ofMinutes(2));
        assertThat(world.callsOf("j")).as("the fire that had passed, and two").hasSize(4);
        assertThat(a.scheduler().checkInvariants().findings()).isEmpty();
    }

    @Test
    @DisplayName(
            "C5 S18: a run by hand of a job without a fire that was asked for in a pause starts when it is resumed")
    void askedForInAPause() {
        Machine a = node();
        a.scheduler().calendars().put("bank", Map.of("cron", OPEN));
        a.scheduler().scheduleJob(minutely());
        a.scheduler().calendars().put("bank", Map.of("cron", CLOSED));
        a.scheduler().pause(PauseScope.job("j"), new Pause("why", "who", null));
        a.scheduler().runNow("j");
        world.pass(Duration.ofSeconds(30));
        assertThat(world.callsOf("j")).isEmpty();
        a.scheduler().resume(PauseScope.job("j"));
        world.pass(Duration.ofSeconds(30));
        assertThat(world.callsOf("j")).hasSize(1);
    }

    /** A run by hand that takes half a minute has just begun; the calendar of its job excludes this. */
    private Machine runByHand(String excluded) {
        Machine a = node();
        a.scheduler().calendars().put("bank", Map.of("cron", OPEN));
        a.scheduler().scheduleJob(minutely());
        a.scheduler().calendars().put("bank", Map.of("cron", excluded));
        world.work = call -> world.after(Duration.ofSeconds(30));
        a.scheduler().runNow("j");
        world.pass(Duration.ofSeconds(5));
        assertThat(world.callsOf("j")).hasSize(1);
        return a;
    }

    @DisplayName(
            "C5: an edit during a run by hand opens earlier fires from the end of that run on, also of a job that had"
                    + " none, and also if it is stored again meanwhile")
    @ParameterizedTest
    @CsvSource({CLOSED + ", false", CLOSED + ", true", "* * 0-22 * * ?, false"})
    void editedDuringRunByHand(String excluded, boolean again) {
        Machine a = runByHand(excluded);
        a.scheduler().calendars().put("bank", Map.of("cron", OPEN));
        world.pass(Duration.ofSeconds(5));
        if (again) {
            a.scheduler().scheduleJob(minutely());
        }
        world.pass(Duration.ofMinutes(4));
        assertThat(world.callsOf("j")).hasSize(5);
        assertThat(a.scheduler().findJobById("j").orElseThrow().blocked()).isNull();
        assertThat(a.scheduler().checkInvariants().findings()).isEmpty();
    }

    @Test
    @DisplayName(
            "C5: a job that is left without a fire at the end of a run by hand is blocked, whatever was edited meanwhile")
    void closedDuringRunByHand() {
        Machine a = runByHand(CLOSED);
        a.scheduler().calendars().put("bank", Map.of("cron", OPEN));
        a.scheduler().scheduleJob(minutely());
        a.scheduler().calendars().put("bank", Map.of("cron", CLOSED));
        world.pass(Duration.ofMinutes(4));
        assertThat(world.callsOf("j")).hasSize(1);
        assertThat(a.scheduler().findJobById("j").orElseThrow().blocked()).contains("no fire");
        a.scheduler().calendars().put("bank", Map.of("cron", OPEN));
        world.pass(Duration.ofMinutes(2));
        assertThat(world.callsOf("j")).hasSizeGreaterThan(2);
    }

    @Test
    @DisplayName("M3: to schedule an equal job that has no fire changes nothing; other contents are stored")
    void equal() {
        Machine a = node();
        a.scheduler().calendars().put("bank", Map.of("cron", OPEN));
        a.scheduler().scheduleJob(minutely());
        a.scheduler().calendars().put("bank", Map.of("cron", CLOSED));
        JobSpecification blocked = a.scheduler().findJobById("j").orElseThrow().specification();
        int rows = a.scheduler().history("j").size();
        a.scheduler().scheduleJob(minutely());
        assertThat(a.scheduler().findJobById("j").orElseThrow().specification()).isEqualTo(blocked);
        assertThat(a.scheduler().history("j")).hasSize(rows);
        a.scheduler().scheduleJob(minutely().toBuilder().priority(1).build());
        assertThat(a.scheduler().history("j")).hasSize(rows + 1);
    }

    @Test
    @DisplayName("O4: the lateness of a retry and of a failure delivery counts from when they were to start")
    void lateness() {
        Machine a = node();
        world.work = call -> CompletableFuture.failedFuture(new IllegalStateException("closed"));
        a.scheduler()
                .scheduleJob(job("pay")
                        .singleSchedule(START.plusSeconds(5))
                        .retryPolicy("R2/PT1M")
                        .failureCommand(new World.Note("sorry"))
                        .failureIdentifier("f")
                        .build());
        world.pass(Duration.ofMinutes(5));
        List<SchedulerEvent.RunStarted> starts = a.events().stream()
                .filter(SchedulerEvent.RunStarted.class::isInstance)
                .map(SchedulerEvent.RunStarted.class::cast)
                .toList();
        assertThat(starts)
                .hasSizeGreaterThan(3)
                .allSatisfy(start -> assertThat(start.lateness()).isLessThan(Duration.ofMillis(1_500)));
        assertThat(a.scheduler().failures(START, null))
                .as("one fire has failed")
                .singleElement()
                .extracting(JobExecutionStatus::outcome)
                .isEqualTo(Outcome.RETRIES_EXHAUSTED);
    }
}
