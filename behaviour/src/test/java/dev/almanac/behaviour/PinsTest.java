package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.behaviour.World.Note;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.model.ActionReport;
import dev.almanac.model.Actor;
import dev.almanac.model.Finding;
import dev.almanac.model.Job;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Pin;
import dev.almanac.time.CronDialect;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is pinned survives declarations (rule S26), over memory and a real server. */
class PinsTest extends OverStores {
    private static final String AT_TWO = "0 0 2 * * ?";
    private static final String AT_THREE = "0 0 3 * * ?";
    private static final JobSelection KEY = JobSelection.keys("fees");

    private Machine a;
    private Scheduler ann;

    @BeforeEach
    void node() {
        a = world.node("a", world.store, Duration.ZERO, builder -> builder.serviceName("shop"));
        ann = a.scheduler().as("ann", "INC-7");
    }

    private static JobSpecificationBuilder fees() {
        return job("fees").schedulingSpecification(AT_TWO).priority(5);
    }

    private void declare(JobSpecification... jobs) {
        a.scheduler().reconcile("shop", List.of(jobs), false);
    }

    private static JobAction.Update atThree() {
        return JobAction.update(job -> job.schedulingSpecification(AT_THREE));
    }

    private Job stored() {
        return a.scheduler().findJobById("fees").orElseThrow();
    }

    private String cron() {
        return stored().specification().schedulingSpecification().orElse("once");
    }

    private List<String> warnings() {
        world.pass(Duration.ZERO);
        return a.events().stream()
                .filter(SchedulerEvent.JobUpdated.class::isInstance)
                .map(event -> ((SchedulerEvent.JobUpdated) event).warning())
                .filter(Objects::nonNull)
                .toList();
    }

    private ActionReport.Item done(JobAction action) {
        return ann.apply(action, KEY).items().get(0);
    }

    @Test
    @DisplayName("S26: a pinned field survives a reconcile with another value; the other fields follow the declaration")
    void survives() {
        declare(fees().build());
        ann.apply(JobAction.update(job -> job.priority(1)), KEY);
        assertThat(stored().pins()).isEmpty();
        assertThat(done(atThree().pinned()).detail()).contains(AT_THREE, "pinned: schedulingSpecification");
        Instant next = stored().nextFireTime();
        declare(fees().tags("night").build());
        assertThat(cron()).isEqualTo(AT_THREE);
        assertThat(stored().nextFireTime()).as("nor does its fire move").isEqualTo(next);
        assertThat(stored().specification().tags()).containsExactly("night");
        assertThat(stored().specification().priority()).as("not pinned").isEqualTo(5);
        assertThat(warnings())
                .hasSize(1)
                .allSatisfy(text ->
                        assertThat(text).contains("priority by ann (INC-7)").doesNotContain("schedulingSpecification"));
        assertThat(stored().pins()).singleElement().satisfies(pin -> {
            assertThat(pin.fields()).containsExactly("schedulingSpecification");
            assertThat(pin.by()).isEqualTo(new Actor("ann", "INC-7"));
            assertThat(pin.until()).isNull();
        });
        long version = stored().specification().version();
        assertThat(a.scheduler()
                        .reconcile("shop", List.of(fees().tags("night").build()), false)
                        .unchanged())
                .containsExactly("fees");
        assertThat(stored().specification().version()).isEqualTo(version);
    }

    @Test
    @DisplayName("S26: without a pin the declaration replaces what a person has changed")
    void notPinned() {
        declare(fees().build());
        ann.apply(atThree(), KEY);
        declare(fees().build());
        assertThat(cron()).isEqualTo(AT_TWO);
    }

    @Test
    @DisplayName("S26: a pin ends at its moment: the next declaration replaces the field, and says whose it was")
    void until() {
        declare(fees().build());
        Instant end = START.plusSeconds(60);
        ann.apply(atThree().pinnedUntil(end.plusNanos(1)), KEY);
        assertThat(stored().pins()).extracting(Pin::until).containsExactly(end);
        world.pass(Duration.between(world.time.wall(), end.minusMillis(1)));
        declare(fees().build());
        assertThat(cron()).isEqualTo(AT_THREE);
        world.pass(Duration.ofSeconds(1));
        assertThat(cron()).as("nothing changes by itself").isEqualTo(AT_THREE);
        assertThat(stored().pins()).as("nor is it shown any more").isEmpty();
        declare(fees().build());
        assertThat(cron()).isEqualTo(AT_TWO);
        assertThat(warnings()).singleElement().asString().contains("schedulingSpecification by ann (INC-7)");
    }

    @Test
    @DisplayName("S26: unpinning keeps the value until the next declaration; a job without a pin is not changed")
    void unpin() {
        declare(fees().build());
        assertThat(done(JobAction.unpin()).result()).isEqualTo(ActionReport.Result.UNCHANGED);
        ann.apply(atThree().pinned(), KEY);
        assertThat(ann.apply(JobAction.unpin(), KEY, true).items().get(0).detail())
                .as("a dry run")
                .isEqualTo("unpinned: schedulingSpecification");
        assertThat(stored().pins()).hasSize(1);
        assertThat(done(JobAction.unpin()).result()).isEqualTo(ActionReport.Result.DONE);
        assertThat(stored().pins()).isEmpty();
        assertThat(cron()).isEqualTo(AT_THREE);
        assertThat(a.scheduler().history("fees").get(0)).satisfies(row -> {
            assertThat(row.detail()).isEqualTo("unpinned: schedulingSpecification");
            assertThat(row.author()).isEqualTo("ann");
        });
        declare(fees().build());
        assertThat(cron()).isEqualTo(AT_TWO);
    }

    @Test
    @DisplayName("S26: a field can be pinned as it is, by its name; the same pin again changes nothing")
    void asItIs() {
        declare(fees().build());
        JobAction.Update pin = JobAction.update(job -> {}).pinned("schedulingSpecification", "priority");
        assertThat(done(pin).detail()).isEqualTo("pinned: priority, schedulingSpecification");
        assertThat(a.scheduler().history("fees").get(0).detail())
                .isEqualTo("updated; pinned: priority, schedulingSpecification");
        assertThat(done(pin).result()).isEqualTo(ActionReport.Result.UNCHANGED);
        declare(fees().schedulingSpecification(AT_THREE).priority(3).build());
        assertThat(cron()).isEqualTo(AT_TWO);
        assertThat(stored().specification().priority()).isEqualTo(5);
        assertThat(done(JobAction.update(job -> {}).pinnedUntil(START.plusSeconds(60), "priority"))
                        .result())
                .as("another end")
                .isEqualTo(ActionReport.Result.DONE);
        assertThat(stored().pins()).hasSize(2);
        assertThatThrownBy(() -> JobAction.update(job -> {}).pinned("cron")).hasMessageContaining("'cron'");
        assertThatThrownBy(() -> JobAction.update(job -> {}).pinned("jobSpecificationKey"))
                .hasMessageContaining("'jobSpecificationKey'");
    }

    @Test
    @DisplayName("S26: a person who changes a pinned field keeps it pinned; a change of the service replaces it")
    void changedAgain() {
        declare(fees().build());
        ann.apply(atThree().pinned(), KEY);
        a.scheduler()
                .as("bob", null)
                .apply(
                        JobAction.update(job ->
                                job.schedulingSpecification("0 0 4 * * ?").priority(1)),
                        KEY);
        declare(fees().build());
        assertThat(cron()).isEqualTo("0 0 4 * * ?");
        assertThat(stored().specification().priority()).isEqualTo(5);
        assertThat(stored().pins())
                .extracting(pin -> pin.by().author())
                .as("who has changed it last")
                .containsExactly("bob");
        a.scheduler()
                .updateJob(stored().specification().toBuilder()
                        .schedulingSpecification(AT_TWO)
                        .build());
        assertThat(cron()).isEqualTo(AT_TWO);
        assertThat(stored().pins()).isEmpty();
        assertThat(warnings().get(warnings().size() - 1)).contains("schedulingSpecification by bob");
    }

    @Test
    @DisplayName("S26: scheduling the whole job, as a service does at its start, is a declaration; a person's is not")
    void scheduled() {
        a.scheduler().scheduleJob(fees().build());
        ann.apply(atThree().pinned(), KEY);
        assertThat(a.scheduler().scheduleJob(fees().priority(2).build()).specification())
                .satisfies(job -> {
                    assertThat(job.schedulingSpecification()).contains(AT_THREE);
                    assertThat(job.priority()).isEqualTo(2);
                });
        a.scheduler().scheduleJobs(List.of(fees().build()));
        assertThat(cron()).isEqualTo(AT_THREE);
        a.scheduler().in(world.store).scheduleJob(fees().build());
        assertThat(cron()).as("in a transaction of the caller").isEqualTo(AT_THREE);
        ann.scheduleJob(fees().build());
        assertThat(cron()).isEqualTo(AT_TWO);
    }

    @Test
    @DisplayName("S26: fields that mean something only together are pinned together")
    void together() {
        declare(fees().failureCommand(new Note("sorry")).build());
        ann.apply(
                JobAction.update(job -> job.schedulingSpecification(AT_THREE).failureIdentifier("x"))
                        .pinned(),
                KEY);
        declare(job("fees")
                .schedulingSpecification("30 2 * * *")
                .cronDialect(CronDialect.UNIX)
                .build());
        assertThat(stored().specification()).satisfies(job -> {
            assertThat(job.schedulingSpecification()).contains(AT_THREE);
            assertThat(job.cronDialect()).isEqualTo(CronDialect.QUARTZ);
            assertThat(job.failureCommand()).contains(new Note("sorry"));
            assertThat(job.failureIdentifier()).contains("x");
            assertThat(job.priority()).isEqualTo(4);
        });
        declare(job("fees").singleSchedule(START.plusSeconds(60)).build());
        assertThat(cron()).isEqualTo(AT_THREE);
        assertThat(stored().specification().singleSchedule()).isEmpty();
    }

    @Test
    @DisplayName("S26: a declaration that is impossible with what is pinned leaves the job, and does not fail")
    void impossible() {
        declare(fees().build(), job("other").schedulingSpecification(AT_TWO).build());
        ann.apply(JobAction.update(job -> job.pauseAfterFailures(3)).pinned(), KEY);
        declare(
                job("fees").singleSchedule(START.plusSeconds(7_200)).build(),
                job("other").schedulingSpecification(AT_THREE).build());
        assertThat(cron()).isEqualTo(AT_TWO);
        assertThat(a.scheduler()
                        .findJobById("other")
                        .orElseThrow()
                        .specification()
                        .schedulingSpecification())
                .contains(AT_THREE);
        assertThatThrownBy(() -> declare(
                        job("fees").schedulingSpecification("never").build(),
                        job("other").schedulingSpecification(AT_THREE).build()))
                .as("one that is wrong in itself is refused")
                .hasMessageContaining("never");
    }

    @Test
    @DisplayName(
            "S26: a one-off whose moment is pinned runs then, once; its declaration, long past, does not begin anew")
    void oneOff() {
        JobSpecification soon =
                job("once").singleSchedule(START.plusSeconds(10)).build();
        declare(soon);
        Instant moved = START.plusSeconds(200);
        ann.apply(JobAction.update(job -> job.singleSchedule(moved)).pinned(), JobSelection.keys("once"));
        world.pass(Duration.ofSeconds(100));
        declare(soon);
        assertThat(world.callsOf("once")).isEmpty();
        world.pass(Duration.ofSeconds(150));
        assertThat(world.callsOf("once")).hasSize(1);
        declare(soon);
        world.pass(Duration.ofSeconds(10));
        assertThat(world.callsOf("once")).hasSize(1);
    }

    @Test
    @DisplayName(
            "S26: a job that is not declared any more is cancelled, pinned or not; one of its key starts without pins")
    void gone() {
        declare(fees().build(), job("other").schedulingSpecification(AT_TWO).build());
        ann.apply(atThree().pinned(), KEY);
        declare(job("other").schedulingSpecification(AT_TWO).build());
        assertThat(a.scheduler().findJobById("fees")).isEmpty();
        declare(fees().build(), job("other").schedulingSpecification(AT_TWO).build());
        assertThat(cron()).isEqualTo(AT_TWO);
        assertThat(stored().pins()).isEmpty();
    }

    @Test
    @DisplayName("S26: a pin stays through runs of the job, and doctor reminds of it")
    void reminded() {
        declare(fees().build());
        ann.apply(
                JobAction.update(job -> job.schedulingSpecification("0 * * * * ?"))
                        .pinned(),
                KEY);
        world.pass(Duration.ofSeconds(150));
        assertThat(world.callsOf("fees")).hasSizeBetween(2, 3);
        declare(fees().build());
        assertThat(cron()).isEqualTo("0 * * * * ?");
        assertThat(a.scheduler().checkInvariants().findings()).isEmpty();
        assertThat(a.scheduler().checkInvariants().reminders())
                .filteredOn(reminder -> reminder.kind() == Finding.Kind.PINNED)
                .singleElement()
                .satisfies(reminder -> {
                    assertThat(reminder.subject()).isEqualTo("fees");
                    assertThat(reminder.text()).contains("schedulingSpecification", "ann (INC-7)");
                    assertThat(reminder.advice()).contains("almanac jobs update 'fees' --unpin");
                });
        ann.apply(JobAction.unpin(), KEY);
        assertThat(a.scheduler().checkInvariants().reminders()).isEmpty();
    }

    @Test
    @DisplayName(
            "S26, M3: a declaration is judged with what is pinned: fewer fires than have ended are no problem then")
    void pinnedMaxFires() {
        JobSpecification given =
                fees().schedulingSpecification("0 * * * * ?").maxFires(2).build();
        declare(given);
        ann.apply(JobAction.update(job -> job.maxFires(10)).pinned(), KEY);
        world.pass(Duration.ofSeconds(210));
        assertThat(world.callsOf("fees")).hasSizeBetween(3, 4);
        declare(given);
        a.scheduler().scheduleJob(given);
        assertThat(a.scheduler()
                        .findJobById("fees")
                        .orElseThrow()
                        .specification()
                        .maxFires())
                .contains(10);
    }
}
