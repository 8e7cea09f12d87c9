package dev.almanac.engine.rules;

import static dev.almanac.engine.rules.Jobs.NOW;

import dev.almanac.model.CrashPolicy;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.History;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.Retention;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.FirePlan;
import dev.almanac.store.JobChange;
import dev.almanac.store.Lease;
import dev.almanac.store.Phase;
import dev.almanac.store.Requests;
import dev.almanac.store.ScheduleChange;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoredJob;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;

/** States of a job by the words of contributing/lifecycle.md, and what a change makes of one, as a line of a table. */
final class States {
    static final DecisionContext CONTEXT =
            new DecisionContext(NOW, "n2", 0, SchedulerSettings.defaults(), Retention.DEFAULT);
    static final Lease LEASE = new Lease("n2", 7, NOW.plusSeconds(20));
    /** The planned fire of every state: a second ago. */
    static final Instant FIRE = NOW;

    static final ExclusionCalendar OPEN = Jobs.without();

    private States() {}

    static FirePlanner planner(Map<String, ExclusionCalendar> calendars) {
        return new FirePlanner(new FirePlanner.Calendars(calendars));
    }

    static FirePlanner planner() {
        return planner(Map.of("open", OPEN));
    }

    /** {@code one-off} or {@code hourly}, and more words. */
    static JobSpecification specification(String kind) {
        JobSpecificationBuilder job = Jobs.specification("k");
        if (kind.contains("one-off")) {
            job.singleSchedule(FIRE);
        } else {
            job.schedulingSpecification("0 0 * * * ?");
        }
        if (kind.contains("bounded")) {
            job.endAt(FIRE.plusSeconds(60));
        }
        if (kind.contains("retries")) {
            job.retryPolicy(RetryPolicy.fixed(1, Duration.ofMinutes(5)));
        }
        if (kind.contains("failing over")) {
            job.failureCommand(new EncodedCommand("sorry", 1, Map.of())).failureIdentifier("f");
        }
        if (kind.contains("at most once")) {
            job.crashPolicy(CrashPolicy.FAIL);
        }
        if (kind.contains("skip")) {
            job.missedFirePolicy(MissedFirePolicy.SKIP);
        }
        if (kind.contains("run all")) {
            job.missedFirePolicy(MissedFirePolicy.runAll(3));
        }
        if (kind.contains("calendar")) {
            job.calendar("open");
        }
        if (kind.contains("giving up")) {
            job.pauseAfterFailures(3);
        }
        if (kind.contains("on success")) {
            job.onSuccess(Jobs.specification("{key} went well").now().build());
        }
        if (kind.contains("on failure")) {
            job.onFailure(Jobs.specification("{key} failed").now().build());
        }
        if (kind.contains("trouble only")) {
            job.history(History.TROUBLE);
        }
        if (kind.contains("of an application")) {
            job.applicationTag("application");
        }
        if (kind.contains("elsewhere")) {
            job.calendar("elsewhere");
        }
        return job.build();
    }

    /** Claimed by this node, for the first time. */
    static StoredJob claimed(String kind) {
        StoredJob job = Jobs.of(specification(kind), FIRE);
        return job.with(edit -> edit.lease(LEASE)
                .due(LEASE.until().plusSeconds(2))
                .sequences(new Sequences(0, 1, 0, 0))
                .plan(plan(kind, job.plan()))
                .phase(kind.contains("owing") ? Phase.FAILURE : Phase.RUN));
    }

    private static FirePlan plan(String kind, FirePlan fresh) {
        FirePlan plan = kind.contains("retried") ? fresh.retryAt(FIRE, null) : fresh;
        for (int i = 0; kind.contains("worn out") && i < CONTEXT.settings().postponeLimit(); i++) {
            plan = plan.postponedTo(FIRE, null);
        }
        return kind.contains("giving up") ? plan.failedInARow(kind.contains("owing") ? 3 : 2) : plan;
    }

    static StoredJob asked(StoredJob job, String requests) {
        Requests asked = Requests.NONE;
        if (requests.contains("cancel")) {
            asked = asked.cancel(false);
        }
        if (requests.contains("interrupt")) {
            asked = asked.cancel(true);
        }
        if (requests.contains("taken back")) {
            asked = asked.withoutCancel();
        }
        if (requests.contains("pause")) {
            asked = asked.withPause(new Pause("why", "who", null));
        }
        if (requests.contains("run now")) {
            asked = asked.withRunNow(NOW.minusSeconds(2));
        }
        if (requests.contains("moved")) {
            asked = asked.withScheduleChanged(new ScheduleChange(
                    NOW.minusSeconds(5),
                    NOW.minusSeconds(5),
                    null,
                    !job.specification().isRecurring()));
        }
        Requests all = asked;
        return job.with(edit -> edit.requests(all));
    }

    /** The job as it is found so many hours after its planned fire. */
    static StoredJob passed(StoredJob job, int hours) {
        Instant fire = NOW.minus(Duration.ofHours(hours));
        return job.with(edit -> edit.plan(job.plan().moveTo(fire, null, Jobs.basis(fire))));
    }

    static StoredJob abandoned(StoredJob job) {
        return job.with(edit -> edit.sequences(new Sequences(0, 2, 0, 0)));
    }

    static JobExecutionStatus row(Outcome outcome, long claim) {
        return Jobs.row("k", outcome, NOW.minusSeconds(40 - claim))
                .claimSeq(claim)
                .build();
    }

    /** How a run of the planned fire, or of a request two seconds ago, ended just now. */
    static RunResult result(RunResult.Kind kind, boolean manual) {
        ErrorSummary error = kind == RunResult.Kind.FAILED || kind == RunResult.Kind.FAILED_FOR_GOOD
                ? new ErrorSummary("E", "boom", "at x")
                : null;
        Instant started = kind == RunResult.Kind.UNSTARTED ? null : FIRE;
        RunResult.Left left = kind == RunResult.Kind.POSTPONED
                ? new RunResult.Left(null, null, "not yet", NOW.plusSeconds(1_800))
                : kind == RunResult.Kind.SKIPPED
                        ? new RunResult.Left(null, null, "nothing to do", null)
                        : RunResult.Left.NOTHING;
        return new RunResult(kind, started, NOW, manual ? NOW.minusSeconds(2) : null, null, error, null, left);
    }

    /** The change of a decision that makes one. */
    static JobChange changeOf(Decision decision) {
        return decision instanceof Decision.Prepare prepare ? prepare.change() : ((Decision.Settle) decision).change();
    }

    /** The rows, and the state that follows them. */
    static String story(JobChange change) {
        String rows = change.rows().stream()
                .map(row -> row.executionStatus() + "/" + row.outcome())
                .collect(Collectors.joining(", "));
        return (rows.isEmpty() ? "-" : rows) + " -> " + state(change.after());
    }

    static String story(Decision decision) {
        if (decision instanceof Decision.Start start) {
            return start.manual() ? "start by hand" : "start";
        }
        if (decision instanceof Decision.Prepare prepare) {
            return "prepare: " + story(prepare.change());
        }
        return decision instanceof Decision.Settle settle ? "settle: " + story(settle.change()) : "release";
    }

    static String state(StoredJob job) {
        if (!job.isLive()) {
            return "finished";
        }
        String open = job.lease() == null && job.sequences().isUnrecovered() ? " to be recovered" : "";
        return stage(job) + open + (job.isUnplanned() ? " to be planned" : "");
    }

    private static String stage(StoredJob job) {
        if (job.lease() != null) {
            return job.plan().rerun() ? "claimed, to run again" : "claimed";
        }
        if (job.blocked() != null) {
            return "blocked";
        }
        if (job.due() == null) {
            return "held back";
        }
        String at = " " + job.due().toString().substring(11, 16);
        if (job.phase() == Phase.FAILURE) {
            return "owing" + at;
        }
        if (job.plan().rerun()) {
            return "to run again" + at;
        }
        String waiting = job.plan().postponed() > 0 ? "put off" : "waiting";
        return (job.plan().attempts() > 0 ? "retrying" : waiting) + at;
    }
}
