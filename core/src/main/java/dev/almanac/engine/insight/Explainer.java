package dev.almanac.engine.insight;

import dev.almanac.engine.rules.FirePlanner;
import dev.almanac.engine.rules.StuckDecider;
import dev.almanac.engine.rules.Transitions;
import dev.almanac.model.Actor;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.Explanation;
import dev.almanac.model.Explanation.Kind;
import dev.almanac.model.Explanation.Reason;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobState;
import dev.almanac.model.OpenRun;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.Progress;
import dev.almanac.model.StandingPause;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.DamagedJob;
import dev.almanac.store.ExtraRun;
import dev.almanac.store.FirePlan;
import dev.almanac.store.Lease;
import dev.almanac.store.Needs;
import dev.almanac.store.NodeReport;
import dev.almanac.store.Phase;
import dev.almanac.store.StoredJob;
import dev.almanac.text.Printable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Explains why a job has not run, or when it will (rule O2). Pure functions. After the decisive reason the others come in
 * the order in which the engine checks them: the holder of the claim, pauses and blocks, nodes that can run it, times;
 * then calendars; then past events.
 */
final class Explainer {
    private static final Set<Kind> PREVENTS = EnumSet.of(
            Kind.FINISHED,
            Kind.RECOVERY_PENDING,
            Kind.BLOCKED,
            Kind.PAUSED,
            Kind.NO_NODE,
            Kind.NO_DUE_TIME,
            Kind.WAITING_FOR_GROUP,
            Kind.WAITING_FOR_RATE,
            Kind.WAITING_FOR_EARLIER,
            Kind.SLOTS_TAKEN,
            Kind.UNKNOWN_CALENDAR,
            Kind.UNPLANNABLE);

    private final PlanReasons plans;
    private final SchedulerSettings settings;

    /** @param settings have the default of the start deadline, and the margin of leases */
    Explainer(FirePlanner planner, SchedulerSettings settings) {
        this.settings = settings;
        this.plans = new PlanReasons(planner, settings);
    }

    static Explanation unknown(String key, Instant now) {
        String text = "is not stored: it was never scheduled, or it has finished and its retention is over";
        return of(
                key,
                now,
                null,
                null,
                List.of(),
                List.of(new Reason(Kind.UNKNOWN_KEY, text, null, null, null)),
                List.of());
    }

    static Explanation damaged(DamagedJob job, Instant now) {
        String text = "cannot be read from " + job.words() + ": " + job.reason() + "; " + job.advice();
        return of(
                job.key(),
                now,
                null,
                null,
                List.of(),
                List.of(new Reason(Kind.DAMAGED, text, null, null, null)),
                List.of());
    }

    Explanation explain(ExplainerInput known) {
        StoredJob job = known.job();
        JobState state = job.stateAt(known.now(), known.pauses());
        List<Reason> reasons = new ArrayList<>();
        if (!job.isLive()) {
            reasons.add(finished(known));
            reasons.addAll(PastReasons.of(known));
            return of(job.key(), known.now(), state, null, List.of(), reasons, List.of());
        }
        List<Reason> beside = new ArrayList<>();
        leased(known, reasons);
        canceled(known, reasons);
        blocked(known, Transitions.isHeldByBlock(job) ? reasons : beside);
        known.holds().forEach(hold -> paused(known, hold, known.decides(hold) ? reasons : beside));
        known.holds().forEach(hold -> toBePaused(known, hold, known.decides(hold) ? reasons : beside));
        nodes(known, reasons, beside);
        timing(known, reasons);
        boolean planned = job.isPlannedAt(known.now());
        boolean follows = job.phase() == Phase.FOLLOW && !job.requests().cancelRequested();
        if (!job.isHeldAt(known.now())) {
            plans.calendars(job, known.now(), reasons);
        }
        List<Instant> fires = planned || follows ? fires(known, reasons) : List.of();
        plans.unknownFires(job, known.now(), beside);
        beside.addAll(PastReasons.of(known));
        return of(job.key(), known.now(), state, planned ? job.plan().startTime() : null, fires, reasons, beside);
    }

    private List<Instant> fires(ExplainerInput known, List<Reason> reasons) {
        StoredJob job = known.job();
        plans.tooLate(job, known.now(), reasons);
        List<Instant> fires = plans.fires(job, reasons);
        PlanReasons.delays(job.specification(), reasons);
        plans.reasons(job, known.now(), reasons);
        plans.beside(job, reasons);
        PlanReasons.followUps(job, reasons);
        return fires;
    }

    /** @param beside what decides nothing */
    private static Explanation of(
            String key,
            Instant now,
            @Nullable JobState state,
            @Nullable Instant next,
            List<Instant> fires,
            List<Reason> reasons,
            List<Reason> beside) {
        // the first reason that prevents the run, else the first one
        Reason first = reasons.stream()
                .filter(reason -> PREVENTS.contains(reason.kind()))
                .findFirst()
                .filter(reason -> reasons.get(0).kind() != Kind.LEASED)
                .orElse(reasons.get(0));
        List<Reason> ordered = new ArrayList<>(reasons);
        ordered.remove(first);
        ordered.add(0, first);
        ordered.addAll(beside);
        String headline = "Job '" + key + "' " + first.text() + ".";
        return new Explanation(key, now, state, headline, next, fires, ordered);
    }

    private static Reason finished(ExplainerInput known) {
        StoredJob job = known.job();
        // a user may have acknowledged its failure since
        JobExecutionStatus last = Stream.concat(Stream.of(job.lastStatus()), known.rows().stream())
                .filter(row -> row.outcome() != Outcome.ACKNOWLEDGED)
                .findFirst()
                .orElse(job.lastStatus());
        boolean canceled = last.executionStatus() == ExecutionStatus.CANCELED;
        String how = canceled
                ? "was cancelled at " + last.updatedTime() + by(last)
                : "has finished at " + last.updatedTime() + " as " + last.executionStatus() + "/" + last.outcome()
                        + error(last.error())
                        // the row of the run itself is among the past reasons
                        + (last.outcome() == Outcome.REPLANNED ? PastReasons.detail(last) : "");
        Instant removed = job.specification().deleteTime().orElse(null);
        return new Reason(Kind.FINISHED, how + "; it is removed after " + removed, last.updatedTime(), removed, null);
    }

    private static String by(JobExecutionStatus row) {
        String author = row.author();
        return author == null ? "" : " by " + new Actor(author, row.reason());
    }

    private static void leased(ExplainerInput known, List<Reason> reasons) {
        StoredJob job = known.job();
        Lease lease = job.lease();
        if (lease != null && job.isHeldAt(known.now())) {
            String text = "is claimed by " + known.named(lease.owner()) + " until " + lease.until() + "; "
                    + timeout(job) + progress(known);
            Instant since = known.run() == null ? null : known.run().started();
            reasons.add(new Reason(Kind.LEASED, text, since, lease.until(), lease.owner()));
        }
    }

    private static Reason recovery(ExplainerInput known, Lease lease) {
        String text = "was claimed by " + known.named(lease.owner()) + " whose lease ended at " + lease.until()
                + (known.job().phase() == Phase.FOLLOW
                        ? "; " + PlanReasons.storing(known.job())
                        : " without a recorded outcome");
        Instant due = known.job().due();
        return due == null
                ? new Reason(
                        Kind.NO_DUE_TIME,
                        text
                                + ", and has no due time, so that no node claims it again; if its code has ended, release its"
                                + " claim: "
                                + Printable.command(
                                        "almanac jobs release", known.job().key(), "--force"),
                        lease.until(),
                        null,
                        lease.owner())
                : recovery(known, text, lease, due);
    }

    /** @param lease absent if it was taken away */
    private static Reason recovery(ExplainerInput known, String claim, @Nullable Lease lease, Instant due) {
        StoredJob job = known.job();
        boolean runs = job.phase() == Phase.RUN
                && !job.isUnplanned()
                && !job.requests().cancelRequested();
        boolean crashed = runs
                && job.specification().crashPolicy() == CrashPolicy.FAIL
                && job.sequences().claimed().mayHaveStarted();
        String text = claim + "; it is claimed again from " + due + " on" + waiting(known, isDue(known))
                + (crashed ? "; that claim records it as crashed and does not run it again" : "");
        return new Reason(
                Kind.RECOVERY_PENDING,
                text,
                lease == null ? null : lease.until(),
                due,
                lease == null ? null : lease.owner());
    }

    private static void canceled(ExplainerInput known, List<Reason> reasons) {
        String first = known.job().cancelWords(known.now());
        if (first != null) {
            String text = "is cancelled: " + first + ", and no later fire follows";
            reasons.add(new Reason(Kind.CANCEL_REQUESTED, text, null, null, null));
        }
    }

    private static String timeout(StoredJob job) {
        JobExecutionStatus last = job.lastStatus();
        boolean exceeded = last.outcome() == Outcome.TIMED_OUT
                && last.claimSeq() == job.sequences().claimSeq();
        String error = last.error() == null ? null : last.error().message();
        return exceeded
                ? Objects.requireNonNullElse(error, "it exceeded its executionTimeout")
                        + " and was asked to end; nothing else happens until its code has ended; "
                : "";
    }

    private static String progress(ExplainerInput known) {
        OpenRun run = known.run();
        if (run != null && (run.place() == OpenRun.Place.DECISION || run.place() == OpenRun.Place.WRITE)) {
            return "since " + run.handedOver() + ", " + StuckDecider.place(run);
        }
        if (known.job().phase() == Phase.FOLLOW) {
            return PlanReasons.storing(known.job());
        }
        if (run == null) {
            Progress said = known.job().progress();
            return claimedFor(known.job()) + (said == null ? "" : "; at " + said.at() + " it reported: " + said.text());
        }
        String note = run.progress();
        String started = run.started() == null ? "" : "it has been running since " + run.started() + "; ";
        return started + StuckDecider.place(run) + (note == null ? "" : "; it reports: " + note);
    }

    /** What its node is to do, in the order of {@link #next}. */
    private static String claimedFor(StoredJob job) {
        FirePlan plan = job.plan();
        ExtraRun extra = job.requests().extraRun();
        int attempt = plan.attempts() + 1;
        if (job.isUnplanned()) {
            return "its next fire is to be planned there, and nothing runs for that";
        } else if (job.phase() == Phase.FAILURE) {
            return "it holds the failure command of the fire of " + plan.nextFireTime() + ", in attempt " + attempt;
        } else if (extra != null && job.isRunByHand()) {
            return "it holds the run that was asked for at " + extra.carriedOut();
        }
        return "it holds attempt " + attempt + " of the fire of " + plan.nextFireTime();
    }

    private static void blocked(ExplainerInput known, List<Reason> reasons) {
        String blocked = known.job().blockedReason();
        if (blocked != null) {
            Instant since = PastReasons.blockedAt(known);
            String text = "is blocked: " + blocked
                    + (Transitions.isWithoutFire(known.job())
                            ? "; edit one of its calendars "
                                    + known.job().specification().calendars() + ", or assign others to it"
                            : "; correct it with an update");
            reasons.add(new Reason(Kind.BLOCKED, text, since, null, null));
        }
    }

    /** A pause that holds the job back now. */
    private static void paused(ExplainerInput known, ExplainerInput.Hold hold, List<Reason> reasons) {
        Pause pause = hold.pause();
        if (hold.holdsAt(known.now())) {
            String text = "is paused" + hold.what() + " by " + pause.author()
                    + (hold.since() == null ? "" : " since " + hold.since()) + end(pause) + ": " + pause.reason();
            reasons.add(new Reason(Kind.PAUSED, text, hold.since(), pause.until(), pause.author()));
        }
    }

    /** A pause that holds its next start back later. */
    private static void toBePaused(ExplainerInput known, ExplainerInput.Hold hold, List<Reason> reasons) {
        Pause pause = hold.pause();
        boolean atOnce = known.job().requests().runNowRequested() || known.job().isUnplanned();
        Instant start = atOnce ? null : known.job().plan().startTime();
        if (hold.willHold(start, known.now())) {
            String text = "is to be paused" + hold.what() + " by " + pause.author() + " from " + pause.from()
                    + end(pause) + ": " + pause.reason() + "; its next start, at " + start + ", falls into that";
            reasons.add(new Reason(Kind.PAUSED, text, pause.from(), pause.until(), pause.author()));
        }
    }

    private static String end(Pause pause) {
        return pause.until() == null ? " until it is resumed" : " until " + pause.until();
    }

    /** That this node leaves the job to others decides only where there is no other: it is the answer of one node of several. */
    private static void nodes(ExplainerInput known, List<Reason> reasons, List<Reason> beside) {
        String type = known.job().command().type();
        boolean leased = known.job().isHeldAt(known.now());
        if (!leased && !known.knowing().isEmpty() && known.taking().isEmpty()) {
            reasons.add(priority(known));
        } else if (!leased && !known.taking().isEmpty() && known.claiming().isEmpty()) {
            reasons.add(claimingNothing(known));
        } else if (!leased && !known.liveNodes().isEmpty() && known.knowing().isEmpty()) {
            Set<String> types = new TreeSet<>();
            known.liveNodes().forEach(node -> types.addAll(node.types()));
            long idle = known.liveNodes().stream()
                    .filter(node -> node.types().isEmpty())
                    .count();
            String text = "cannot be run by any of the " + known.liveNodes().size()
                    + " live nodes: none has the command type '" + type + "'"
                    + (idle == 0
                            ? ""
                            : "; " + idle + " of them " + (idle == 1 ? "is" : "are") + " draining, or "
                                    + (idle == 1 ? "has" : "have") + " no command type");
            reasons.add(new Reason(Kind.NO_NODE, text + "; together they have " + types, null, null, null, text));
        } else if (!leased && known.refusal() != null) {
            String text = "is left to other nodes: " + known.refusal().why();
            (known.supporting().isEmpty() ? reasons : beside).add(new Reason(Kind.NOT_HERE, text, null, null, null));
        }
    }

    /** The nodes that have its type claim other priorities. */
    private static Reason priority(ExplainerInput known) {
        String taken = known.knowing().stream()
                .map(NodeReport::priorities)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        String text = "cannot be run by any of the " + known.liveNodes().size()
                + " live nodes: none with its command type '"
                + known.job().command().type() + "' takes its priority "
                + known.job().specification().priority() + "; they take " + taken;
        return new Reason(Kind.NO_NODE, text, null, null, null);
    }

    /** All nodes that could run it claim nothing, and those that are not on standby say why. */
    private static Reason claimingNothing(ExplainerInput known) {
        List<NodeReport> others = known.taking().stream()
                .filter(node -> known.standby(node).isEmpty())
                .toList();
        if (others.isEmpty()) {
            return standby(known);
        }
        NodeReport node = others.get(0);
        String text = "cannot start: no live node that has its command type and takes its priority claims anything; "
                + known.named(node.id()) + ": " + node.claimsNothing()
                + (others.size() < known.taking().size() ? "; others that could are on standby" : "");
        return new Reason(Kind.NO_NODE, text, null, null, null);
    }

    private static Reason standby(ExplainerInput known) {
        NodeReport node = known.taking().get(0);
        StandingPause standby = known.standby(node).orElseThrow();
        String text = "cannot start: all live nodes that have its command type and take its priority are on standby, "
                + known.named(node.id()) + " since " + standby.begins() + " by "
                + standby.pause().author() + ": " + standby.pause().reason() + "; to end that: "
                + standby.scope().resumeCommand();
        return new Reason(
                Kind.NO_NODE,
                text,
                standby.begins(),
                standby.pause().until(),
                standby.pause().author());
    }

    /** When it starts, or is claimed again, unless a lease, a pause or a block decides that. */
    private void timing(ExplainerInput known, List<Reason> reasons) {
        StoredJob job = known.job();
        Lease lease = job.lease();
        if (lease != null && known.isLeaseOver()) {
            claims(known, reasons);
            reasons.add(recovery(known, lease));
            return;
        }
        boolean decided = reasons.stream().anyMatch(reason -> switch (reason.kind()) {
            case LEASED, BLOCKED, PAUSED -> true;
            default -> false;
        });
        if (decided) {
            return;
        }
        Instant due = job.due();
        if (due == null) {
            String text =
                    "is live and has no due time, although it is neither paused nor blocked; checkInvariants() has details";
            reasons.add(new Reason(Kind.NO_DUE_TIME, text, null, null, null));
            return;
        }
        StoredJob earlier = known.earlier();
        if (earlier != null) {
            reasons.add(behind(known, earlier, due));
            return;
        }
        claims(known, reasons);
        reasons.add(next(known, due, isDue(known)));
    }

    /** What keeps nodes from the next claim, also from that of a recovery. */
    private void claims(ExplainerInput known, List<Reason> reasons) {
        if (isDue(known)) {
            reasons.addAll(GroupReasons.of(known, settings.margin()));
            reasons.addAll(SlotReasons.of(known));
        }
    }

    private static boolean isDue(ExplainerInput known) {
        Instant due = known.job().due();
        return due != null && !due.isAfter(known.now());
    }

    /** Its due time says when a node looks at the earlier one again. */
    private static Reason behind(ExplainerInput known, StoredJob earlier, Instant due) {
        String state = Printable.words(earlier.stateAt(known.now(), known.pauses()));
        String text =
                "waits for '" + earlier.key() + "', which is " + state + ": the fires of a backfill run in their order";
        return new Reason(Kind.WAITING_FOR_EARLIER, text, null, due, earlier.key());
    }

    private static Reason next(ExplainerInput known, Instant due, boolean passed) {
        StoredJob job = known.job();
        JobExecutionStatus verdict = job.verdict();
        if (job.isUnplanned() && verdict != null) {
            String text = (verdict.outcome() == Outcome.NONE
                            ? "waits, since its schedule was changed"
                            : "waits, since its run has ended")
                    + " where its next fire could not be planned: a node that knows its calendars "
                    + job.specification().calendars() + " plans it, and runs nothing for that" + waiting(known, passed);
            return new Reason(Kind.UNPLANNED, text, verdict.updatedTime(), null, null);
        }
        if (job.isAbandoned()) {
            return recovery(known, "has a claim that ended without a recorded outcome", null, due);
        }
        if (job.phase() == Phase.FAILURE) {
            String text = "has failed for good, and its failure command '"
                    + job.command().type() + "' is to be delivered from " + due + " on" + waiting(known, passed);
            return new Reason(Kind.FAILURE_DELIVERY, text, null, due, null);
        }
        if (job.phase() == Phase.FOLLOW) {
            String text = "is to be claimed again from " + due + " on" + waiting(known, passed) + "; "
                    + PlanReasons.storing(job);
            return new Reason(Kind.FOLLOW_UPS, text, null, due, null);
        }
        ExtraRun extra = job.requests().extraRun();
        if (extra != null) {
            String contents = extra.command() == null ? "" : ", with contents of its own";
            return new Reason(Kind.RUN_NOW, "is to run at once" + contents + waiting(known, passed), due, null, null);
        }
        if (job.plan().isBegun() && job.plan().retryTime() != null) {
            return begun(known, due, passed);
        }
        return passed
                ? new Reason(Kind.DUE, "is due since " + due + waiting(known, true), due, null, null)
                : new Reason(Kind.FUTURE, "waits for its next fire at " + due, null, due, null);
    }

    /** It was started and waits for its next attempt. */
    private static Reason begun(ExplainerInput known, Instant due, boolean passed) {
        StoredJob job = known.job();
        JobExecutionStatus last = job.lastStatus();
        if (job.isPostponed()) {
            boolean said = last.outcome() == Outcome.POSTPONED;
            String text = "was postponed by its helper until " + due + ", for the "
                    + job.plan().postponed() + ". time in this fire" + (said ? PastReasons.detail(last) : "")
                    + waiting(known, passed);
            return new Reason(Kind.BACKING_OFF, text, last.updatedTime(), due, null);
        }
        String text = "has failed in attempt " + job.plan().attempts() + error(last.error())
                + "; the next attempt follows at " + due + waiting(known, passed);
        return new Reason(Kind.BACKING_OFF, text, last.updatedTime(), due, null);
    }

    private static String waiting(ExplainerInput known, boolean passed) {
        if (!passed) {
            return "";
        }
        return known.liveNodes().isEmpty()
                ? " and not claimed yet; no node is live"
                : " and not claimed yet; " + known.supporting().size() + " of "
                        + known.liveNodes().size() + " live nodes can claim it" + needs(known.job());
    }

    /** The reports of nodes do not say what they support. */
    private static String needs(StoredJob job) {
        List<String> needs = Needs.of(job);
        return needs.isEmpty() ? "" : " if they support " + needs;
    }

    static String error(@Nullable ErrorSummary error) {
        return error == null ? "" : " with " + error.type() + (error.message() == null ? "" : ": " + error.message());
    }
}
