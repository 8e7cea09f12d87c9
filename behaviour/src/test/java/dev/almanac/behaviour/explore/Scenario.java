package dev.almanac.behaviour.explore;

import static dev.almanac.behaviour.ExploredWorld.END;
import static dev.almanac.behaviour.ExploredWorld.START;
import static dev.almanac.behaviour.ExploredWorld.job;
import static dev.almanac.behaviour.ExploredWorld.note;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.ExploredWorld;
import dev.almanac.model.BulkResult;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.History;
import dev.almanac.model.IfExists;
import dev.almanac.model.Job;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A short script: what users ask for, and when. Nothing is drawn, and it comes to an end by itself. */
enum Scenario {
    ONE_OFF(world -> world.schedule(once(note(2_000, 0)))),
    ONE_OFF_ON_TWO_NODES(world -> {
        world.node();
        world.schedule(once(note(2_000, 0)));
    }),
    RETRY(world -> world.schedule(once(note(0, 1)).retryPolicy(RetryPolicy.fixed(2, after(3))))),
    RETRY_ON_TWO_NODES(world -> {
        world.node();
        world.schedule(once(note(0, 2)).retryPolicy(RetryPolicy.fixed(2, Duration.ofMillis(50))));
    }),
    RETRIES_EXHAUSTED(world -> world.schedule(once(note(0, 9)).retryPolicy(RetryPolicy.fixed(1, after(3))))),
    RECURRING(world -> world.schedule(recurring(note(1_000, 0)))),
    RECURRING_FAILURES(world -> world.schedule(recurring(note(1_000, 9)))),
    MISSED_RUN_ALL(world -> world.schedule(recurring(note(65_000, 0)).missedFirePolicy(MissedFirePolicy.RUN_ALL))),
    MISSED_RUN_LATEST(world -> world.schedule(recurring(note(65_000, 0)))),
    MISSED_SKIP(world -> world.schedule(recurring(note(65_000, 0)).missedFirePolicy(MissedFirePolicy.SKIP))),
    START_DEADLINE(world -> world.schedule(recurring(note(25_000, 0)).startDeadline(after(3)))),
    LATENESS_THRESHOLD(world -> world.schedule(recurring(note(25_000, 0))
            .missedFirePolicy(MissedFirePolicy.RUN_ALL)
            .lateExecutionThreshold(after(2)))),
    RUN_BY_HAND(world -> {
        world.schedule(job("job", note(1_000, 0)).singleSchedule(in(50)));
        world.askOnce(after(5), user -> user.runNow("job"));
    }),
    RUN_BY_HAND_WHILE_RUNNING(world -> {
        world.schedule(once(note(6_000, 0)));
        world.askOnce(after(7), user -> user.runNow("job"));
    }),
    FOLLOW_UPS(world -> world.schedule(ExploredWorld.followed(once(note(1_000, 0))))),
    FOLLOW_UPS_OF_A_FAILURE(world -> world.schedule(ExploredWorld.followed(once(note(1_000, 9))))),
    FOLLOW_UPS_OF_A_RECURRENCE(world -> world.schedule(ExploredWorld.followed(recurring(note(1_000, 0))))),
    TIMEOUT(world -> world.schedule(
            once(note(30_000, 0)).executionTimeout(after(4)).retryPolicy(RetryPolicy.fixed(1, after(2))))),
    FAILURE_COMMAND(world ->
            world.schedule(once(note(1_000, 9)).failureCommand(note(1_000, 0)).failureIdentifier("sorry"))),
    GROUP(world -> {
        world.schedule(job("a", note(4_000, 0)).exclusiveGroup("group").singleSchedule(in(5)));
        world.schedule(job("b", note(4_000, 0)).exclusiveGroup("group").singleSchedule(in(6)));
    }),
    GROUP_OF_TWO(world -> {
        world.ask(Duration.ZERO, user -> user.groups().put("group", new GroupLimits(2, null)));
        for (String key : List.of("a", "b", "c")) {
            world.schedule(job(key, note(4_000, 0)).exclusiveGroup("group").singleSchedule(in(5)));
        }
    }),
    PAUSE_AND_RESUME(world -> {
        world.schedule(recurring(note(1_000, 0)));
        world.ask(after(40), user -> user.pause(PauseScope.job("job"), new Pause("script", "exploration", null)));
        world.ask(after(60), user -> user.resume(PauseScope.job("job")));
    }),
    PAUSE_UNDER_LEASE(world -> {
        world.schedule(once(note(6_000, 1)).retryPolicy(RetryPolicy.fixed(2, after(1))));
        world.ask(after(7), user -> user.pause(PauseScope.job("job"), new Pause("script", "exploration", null)));
        world.ask(after(20), user -> user.resume(PauseScope.job("job")));
    }),
    PLANNED_PAUSE(world -> {
        world.schedule(recurring(note(1_000, 0)));
        world.ask(
                after(1),
                user -> user.pause(
                        PauseScope.job("job"),
                        new Pause("script", "exploration", null).from(in(45)).until(in(60))));
    }),
    CANCEL(world -> {
        world.schedule(recurring(note(1_000, 0)));
        world.cancel(after(40), "job", CancelMode.LET_RUN);
    }),
    CANCEL_AT_THE_FIRE(world -> {
        world.schedule(once(note(1_000, 0)));
        world.cancel(Duration.ofMillis(4_800), "job", CancelMode.LET_RUN);
    }),
    CANCEL_WITH_INTERRUPT(world -> {
        world.schedule(once(note(30_000, 0)));
        world.cancel(after(8), "job", CancelMode.INTERRUPT);
    }),
    INTERRUPT_OF_STUBBORN_CODE(world -> {
        world.schedule(once(ExploredWorld.stubborn(12_000)));
        world.cancel(after(8), "job", CancelMode.INTERRUPT);
    }),
    UPDATE_UNDER_LEASE(world -> {
        world.schedule(recurring(note(6_000, 0)));
        world.ask(after(32), user -> change(user, job -> job.priority(6)));
    }),
    CHANGED_SCHEDULE(world -> {
        world.schedule(recurring(note(1_000, 0)));
        world.ask(after(40), user -> change(user, job -> job.schedulingSpecification("5/30 * * * * ?")));
    }),
    CHANGED_SCHEDULE_UNDER_LEASE(world -> {
        world.schedule(recurring(note(6_000, 0)));
        world.ask(after(32), user -> change(user, job -> job.schedulingSpecification("5/30 * * * * ?")));
    }),
    CALENDAR_EDIT(world -> {
        world.ask(Duration.ZERO, user -> user.calendars().put("days", Map.of("closed", List.of())));
        world.schedule(after(3), asked(note(1_000, 0)));
        world.ask(after(35), user -> user.calendars().put("days", Map.of("closed", ExploredWorld.slots(in(50)))));
    }),
    END_THAT_CANNOT_BE_PLANNED(world -> {
        world.ask(Duration.ZERO, user -> user.calendars().put("days", Map.of("closed", List.of())));
        world.schedule(after(3), asked(note(3_000, 0)));
        world.later(after(31), () -> world.calendarsThrow(true));
        world.later(after(45), () -> world.calendarsThrow(false));
    }),
    TROUBLE_ONLY(world -> world.schedule(once(note(2_000, 0)).history(History.TROUBLE))),
    TROUBLE_ONLY_RECURRING(world -> world.schedule(recurring(note(1_000, 0)).history(History.TROUBLE))),
    AT_MOST_ONCE(world -> world.schedule(once(note(6_000, 0)).crashPolicy(CrashPolicy.FAIL))),
    AT_MOST_ONCE_RECURRING(world -> world.schedule(recurring(note(1_000, 0)).crashPolicy(CrashPolicy.FAIL))),
    MANY(world -> {
        for (int i = 0; i < 20; i++) {
            world.schedule(job("job-" + i, note(500, 0)).singleSchedule(in(5)));
        }
    }),
    DRAIN(world -> {
        world.node();
        for (int i = 0; i < 3; i++) {
            world.schedule(job("job-" + i, note(5_000, 0)).singleSchedule(in(5 + i)));
        }
        world.later(after(6), () -> world.drain(1, after(30)));
    }),
    DRAIN_BEFORE_THE_START(world -> {
        world.node();
        world.schedule(once(note(12_000, 0)));
        world.later(Duration.ofMillis(4_900), () -> world.drain(1, after(30)));
    }),
    CALLERS_TRANSACTION(world -> {
        world.schedule(job("job", note(1_000, 0)).singleSchedule(in(20)));
        world.inTransaction(
                after(2),
                jobs -> jobs.updateJob(
                        job("job", note(1_000, 0)).singleSchedule(in(8)).build()));
    }),
    BACKFILL(world -> {
        world.schedule(job("job", note(1_000, 0))
                .schedulingSpecification("30 * * * * ?")
                .endAt(END));
        world.askOnce(after(2), user -> begun(user.backfill("job", START.minusSeconds(120), START)));
    }),
    RERUN(world -> {
        world.schedule(once(note(0, 1)));
        world.applyOnce(after(15), JobAction.rerun(), JobSelection.failedSince(START));
    }),
    ONCE_PER_KEY(world -> {
        world.schedule(once(note(1_000, 0)));
        world.ask(after(3), user -> user.scheduleJob(once(note(1_000, 0)).build(), IfExists.ONCE));
        world.ask(after(10), user -> user.scheduleJob(once(note(1_000, 0)).build(), IfExists.ONCE));
    }),
    POSTPONED(world -> world.schedule(once(ExploredWorld.putOff()))),
    SKIPPED(world -> world.schedule(recurring(ExploredWorld.skipped()))),
    CHAINED(world ->
            world.schedule(job("job", note(2_000, 0)).everyAfterEnd(after(15)).endAt(END))),
    CHAINED_SKIP(world -> world.schedule(job("job", note(2_000, 0))
            .everyAfterEnd(after(15))
            .missedFirePolicy(MissedFirePolicy.SKIP)
            .endAt(END))),
    MOVED_ONE_OFF(world -> {
        world.schedule(job("job", note(1_000, 0)).singleSchedule(in(40)));
        world.ask(after(5), user -> change(user, job -> job.singleSchedule(in(10))));
    }),
    DELETED_AND_SCHEDULED_AGAIN(world -> {
        world.schedule(job("job", note(1_000, 0)).singleSchedule(in(40)));
        world.cancel(after(5), "job", CancelMode.LET_RUN);
        world.ask(
                after(8),
                user -> user.scheduleJob(
                        job("job", note(1_000, 0)).singleSchedule(in(45)).build()));
    }),
    FAILURE_COMMANDS_OF_A_RECURRENCE(world -> world.schedule(recurring(note(500, 9))
            .retryPolicy(RetryPolicy.fixed(1, after(3)))
            .failureCommand(note(500, 0))
            .failureIdentifier("sorry"))),
    MAX_FIRES(world -> {
        world.schedule(recurring(note(25_000, 0)).maxFires(2));
        world.ask(after(40), user -> world.reschedule(user, "job"));
    }),
    CHANGED_TWICE_UNDER_LEASE(world -> {
        world.schedule(recurring(note(25_000, 0)));
        world.ask(after(52), user -> world.reschedule(user, "job", "0/15"));
        world.ask(after(54), user -> world.reschedule(user, "job"));
    }),
    CHANGED_DURING_A_RETRY(world -> {
        world.schedule(recurring(note(0, 1)).retryPolicy(RetryPolicy.fixed(1, after(8))));
        world.ask(after(33), user -> world.reschedule(user, "job"));
    }),
    PAUSE_WITH_AN_END(world -> {
        world.schedule(recurring(note(1_000, 0)));
        world.ask(after(40), user -> user.pause(PauseScope.job("job"), new Pause("script", "exploration", in(60))));
    }),
    BLACKOUT(world -> {
        world.schedule(recurring(note(1_000, 0)));
        world.schedule(job("other", note(1_000, 1)).singleSchedule(in(43)).retryPolicy(RetryPolicy.fixed(1, after(4))));
        world.blackout(after(1), in(45), in(60));
    }),
    RUN_BY_HAND_OF_A_RECURRENCE(world -> {
        world.schedule(recurring(note(6_000, 0)));
        world.askOnce(after(32), user -> user.runNow("job", note(500, 0)));
    }),
    AT_MOST_ONCE_BY_HAND(world -> {
        world.schedule(recurring(note(3_000, 0)).crashPolicy(CrashPolicy.FAIL));
        world.askOnce(after(20), user -> user.runNow("job"));
        world.askOnce(after(31), user -> user.runNow("job"));
    }),
    CALENDAR_EDITS_DURING_A_RUN(world -> {
        world.ask(Duration.ZERO, user -> user.calendars().put("days", Map.of("closed", List.of())));
        world.schedule(after(3), asked(note(6_000, 0)));
        world.ask(after(32), user -> user.calendars().put("days", Map.of("closed", ExploredWorld.slots(in(50)))));
        world.ask(after(34), user -> user.calendars().put("days", Map.of("closed", List.of())));
    }),
    BECOMES_A_RECURRENCE(world -> {
        world.schedule(job("job", note(6_000, 0)).singleSchedule(in(30)));
        world.ask(after(32), user -> change(user, Scenario::repeated));
    }),
    BECOMES_A_RECURRENCE_IN_A_PAUSE(world -> {
        world.schedule(job("job", note(1_000, 0)).singleSchedule(in(30)));
        world.ask(after(20), user -> user.pause(PauseScope.job("job"), new Pause("script", "exploration", null)));
        world.ask(after(40), user -> change(user, Scenario::repeated));
        world.ask(after(50), user -> user.resume(PauseScope.job("job")));
    }),
    BECOMES_A_ONE_OFF(world -> {
        world.schedule(recurring(note(25_000, 0)));
        world.ask(
                after(52),
                user -> change(
                        user,
                        job -> job.schedulingSpecification(null)
                                .cronDialect(null)
                                .endAt(null)
                                .singleSchedule(in(70))));
    }),
    CHANGED_TWICE_IN_A_PAUSE(world -> {
        world.schedule(recurring(note(1_000, 0)).missedFirePolicy(MissedFirePolicy.RUN_ALL));
        world.ask(after(20), user -> user.pause(PauseScope.job("job"), new Pause("script", "exploration", null)));
        world.ask(after(52), user -> world.reschedule(user, "job", "0/15"));
        world.ask(after(66), user -> world.reschedule(user, "job"));
        world.ask(after(75), user -> user.resume(PauseScope.job("job")));
    }),
    RERUN_OF_A_RECURRENCE(world -> {
        world.schedule(recurring(note(1_000, 9)));
        world.applyOnce(after(35), JobAction.rerun(), JobSelection.keys("job"));
    });

    private final Consumer<ExploredWorld> script;

    Scenario(Consumer<ExploredWorld> script) {
        this.script = script;
    }

    /** One node starts, and the script begins. */
    void begin(ExploredWorld world) {
        world.node();
        script.accept(world);
    }

    private static JobSpecificationBuilder once(SchedulingCommand note) {
        return job("job", note).singleSchedule(in(5));
    }

    /** At 30, 50 and 90 seconds. */
    private static JobSpecificationBuilder recurring(SchedulingCommand note) {
        return job("job", note).schedulingSpecification("30/20 * * * * ?").endAt(END);
    }

    /** As {@link #recurring}, of a calendar that says what is left out. */
    private static JobSpecificationBuilder asked(SchedulingCommand note) {
        return job("job", note)
                .schedulingSpecification("30,50 * * * * ?")
                .endAt(END)
                .calendar("days");
    }

    private static void begun(List<BulkResult> fires) {
        if (fires.isEmpty() || fires.stream().anyMatch(fire -> fire.error() != null)) {
            throw new IllegalStateException(fires.toString());
        }
    }

    private static void change(Scheduler user, UnaryOperator<JobSpecificationBuilder> change) {
        Job job = user.findJobById("job").orElseThrow(() -> new IllegalStateException("there is no job"));
        user.updateJob(change.apply(job.specification().toBuilder()).build());
    }

    private static JobSpecificationBuilder repeated(JobSpecificationBuilder job) {
        return job.singleSchedule((Instant) null)
                .schedulingSpecification("5/30 * * * * ?")
                .endAt(END);
    }

    private static Instant in(int seconds) {
        return START.plusSeconds(seconds);
    }

    private static Duration after(int seconds) {
        return Duration.ofSeconds(seconds);
    }
}
