package dev.almanac.engine.rules;

import dev.almanac.model.Finding;
import dev.almanac.model.Finding.Kind;
import dev.almanac.model.Pause;
import dev.almanac.model.Pin;
import dev.almanac.model.StandingPause;
import dev.almanac.model.UnservedJobs;
import dev.almanac.store.DamagedJob;
import dev.almanac.store.Lease;
import dev.almanac.store.NodeReport;
import dev.almanac.store.Phase;
import dev.almanac.store.StoredGroup;
import dev.almanac.store.StoredJob;
import dev.almanac.text.Printable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Finds violations of the invariants in what was read (rule O3). Pure functions of what was read. */
public final class InvariantDecider {
    private InvariantDecider() {}

    /**
     * Checks one live job.
     *
     * @param held the pause of a kind of jobs that holds it back; absent if none does
     * @param runnable whether a live node takes its command type and priority, or it is not known which nodes are live
     * @param planner knows the calendars as they were read
     * @param named the node of an id, with its label
     * @param tolerance how long a job may be due, and a lease over, before it is a finding
     */
    public static Optional<Finding> job(
            StoredJob job,
            @Nullable StandingPause held,
            boolean runnable,
            FirePlanner planner,
            UnaryOperator<String> named,
            Instant now,
            Duration tolerance) {
        Instant due = job.due();
        Lease lease = job.lease();
        Pause own = job.requests().pause();
        boolean paused = own != null && own.isInForce(now) && !job.isBeyondPause();
        if (due == null) {
            // the next fire of a planned pause without an end is held before that begins
            return isHeldBack(job, own != null && !own.hasEnded(now) && !job.isBeyondPause())
                    ? Optional.ofNullable(blocked(job))
                    : job.isHeldAt(now) ? Optional.empty() : Optional.of(noDueTime(job, named));
        }
        if (due.plus(tolerance).isAfter(now) || !runnable) {
            return Optional.empty();
        }
        if (lease != null) {
            String text = "the lease of " + named.apply(lease.owner()) + " on job '" + job.key() + "' ended at "
                    + lease.until() + ", and no node has claimed the job since";
            return Optional.of(new Finding(
                    Kind.LEASE_NOT_RECOVERED,
                    job.key(),
                    held == null ? text : text + ": " + paused(held, now),
                    held == null
                            ? "check whether nodes with command type '"
                                    + job.command().type() + "' are live and have free slots: almanac nodes"
                            : resume(held)));
        }
        return paused || held != null ? Optional.empty() : Optional.of(overdue(job, due, planner, now));
    }

    /** Checks a stored group. */
    public static Optional<Finding> group(StoredGroup group) {
        return Optional.ofNullable(group.damage())
                .map(damage -> new Finding(
                        Kind.GROUP_DAMAGED,
                        group.name(),
                        "the document of group '" + group.name()
                                + "' cannot be read, so that none of its jobs is claimed: " + damage,
                        "store it again: " + Printable.command("almanac groups put", group.name(), "--size N")));
    }

    /** Whether a job without a due time waits for a user; one that is to be cancelled does not. */
    private static boolean isHeldBack(StoredJob job, boolean paused) {
        return job.lease() == null
                && (paused || job.blocked() != null)
                && !job.requests().cancelRequested();
    }

    private static @Nullable Finding blocked(StoredJob job) {
        String reason = job.blockedReason();
        if (reason == null) {
            return null;
        }
        String mend = Transitions.isWithoutFire(job)
                ? "edit a calendar of it, with almanac calendars put, or remove them from the job: "
                        + Printable.command("almanac jobs update", job.key(), "--no-calendar")
                : "change what the reason names: " + Printable.command("almanac jobs update", job.key())
                        + ", or cancel it: " + Printable.command("almanac jobs cancel", job.key())
                        + (job.sequences().isUnrecovered()
                                ? "; a run of it may have ended without a record, and may run again after an update"
                                : "");
        return new Finding(
                Kind.BLOCKED, job.key(), "job '" + job.key() + "' is blocked and does not run: " + reason, mend);
    }

    private static Finding overdue(StoredJob job, Instant due, FirePlanner planner, Instant now) {
        boolean follows = job.phase() == Phase.FOLLOW;
        List<String> missing = FireDecider.missingCalendars(job, planner, now);
        String calendar = missing.isEmpty() ? null : missing.get(0);
        String group = job.specification().exclusiveGroup().orElse(null);
        return new Finding(
                Kind.OVERDUE,
                job.key(),
                "job '" + job.key() + "' is due since " + due + " and not claimed"
                        + (group == null ? "" : "; it may wait for its group '" + group + "'")
                        + (calendar == null
                                ? ""
                                : "; "
                                        + planner.whyUnknown(calendar)
                                                .words(
                                                        calendar,
                                                        follows
                                                                ? "can store the follow-ups that name it"
                                                                : "can plan the job")),
                advice(job, calendar, planner));
    }

    private static String advice(StoredJob job, @Nullable String calendar, FirePlanner planner) {
        String explain = "find out why: " + Printable.command("almanac jobs explain", job.key())
                + ", and health() of the nodes with command type '"
                + job.command().type() + "'";
        if (calendar == null) {
            return explain;
        }
        // who asks may be no node of a service that declares it, and the job may wait for something else
        boolean elsewhere = planner.whyUnknown(calendar) == FirePlanner.WhyUnknown.NOT_STORED;
        String known =
                (elsewhere ? explain + "; if no live service declares the calendar, " : "") + known(calendar, planner);
        if (job.phase() == Phase.FOLLOW) {
            return known
                    + "; an hour after the run has ended, the follow-ups that name it are refused, and the job goes on";
        }
        return elsewhere
                ? known
                : known + ", or remove it from the job: "
                        + Printable.command("almanac jobs update", job.key(), "--no-calendar");
    }

    /** What makes a calendar known to the nodes. */
    private static String known(String calendar, FirePlanner planner) {
        String put = ": " + Printable.command("almanac calendars put", calendar);
        return switch (planner.whyUnknown(calendar)) {
            case NOT_STORED -> "start that service, or store the calendar" + put;
            case UNREADABLE ->
                "look for ALM-009 in the logs of the nodes, start a node of the release that can read it, store it"
                        + " again"
                        + put;
            case DELETED -> "store it again" + put;
        };
    }

    private static Finding noDueTime(StoredJob job, UnaryOperator<String> named) {
        // under a lease a run now is only noted
        String mend = job.lease() == null
                ? "make it due: " + Printable.command("almanac jobs run-now", job.key())
                : "if its code has ended, make it due: "
                        + Printable.command("almanac jobs release", job.key(), "--force");
        return new Finding(
                Kind.NO_DUE_TIME,
                job.key(),
                "job '" + job.key() + "' is live and has no due time, although it is neither paused nor blocked"
                        + (job.lease() == null
                                ? ""
                                : "; it has a lease of "
                                        + named.apply(job.lease().owner())),
                "it will not run by itself; " + mend + ", or cancel it: "
                        + Printable.command("almanac jobs cancel", job.key()));
    }

    /**
     * Live jobs that no live node takes (rules R8, S20).
     *
     * @param due those of them that are due; maybe none
     * @param jobs how many there are
     * @param more whether there may be more, as not all live jobs were examined
     * @param owed how many of them owe it as their failure command, so that no filter by type finds them
     * @param stored when the first of them was stored or changed last; absent = unknown
     */
    public static Finding unserved(
            UnservedJobs due, long jobs, boolean more, long owed, @Nullable Instant stored, Instant now) {
        boolean whole = due.minPriority() == 0 && due.maxPriority() == 7;
        boolean one = jobs == 1 && !more;
        String text = jobs + (more ? " or more" : "") + (one ? " live job of " : " live jobs of ")
                + due.what() + (one ? " is" : " are") + " taken by no live node"
                + (stored == null
                        ? ""
                        : (more ? "; one" : "; the oldest") + " was stored at " + stored + ", " + ago(stored, now))
                + (due.jobs() == 0
                        ? ""
                        : "; " + due.jobs() + (due.more() ? " or more" : "") + " of them "
                                + (due.jobs() == 1 && !due.more() ? "is" : "are") + " due, the oldest for "
                                + length(due.oldest()));
        String start = whole
                ? "start a node that has the type, or end the standby of one"
                : "start a node with the type and these priorities (minPriority, maxPriority), end the standby of one,"
                        + " give the jobs another priority";
        String kept = ", or cancel the jobs, which are kept until then";
        // no selection has priorities: the others of the type are served
        String cancel = whole && owed < jobs
                ? ": almanac jobs cancel " + Printable.option("--where-type", due.commandType())
                : "";
        String found = "almanac jobs list --state OWING";
        String rest = owed == 0
                ? ""
                : owed == jobs
                        ? " and owe it as failure command: " + found
                        : "; " + owed + " of them " + (owed == 1 ? "owes" : "owe")
                                + " it as failure command, which " + (whole ? "that does not find: " : "a list finds: ")
                                + found;
        return new Finding(Kind.UNSERVED, due.commandType(), text, start + kept + cancel + rest);
    }

    public static Finding damaged(DamagedJob job) {
        return new Finding(
                Kind.DAMAGED,
                job.isNamed() ? job.key() : null,
                job.words() + " cannot be read: " + job.reason(),
                job.advice()
                        + (job.readableElsewhere() || !job.isNamed()
                                ? ""
                                : "; or remove it: "
                                        + Printable.command("almanac jobs remove", job.key(), "--damaged")));
    }

    /** @param refused why the server refuses the row; absent = it has been written */
    public static Finding rowMissing(StoredJob job, @Nullable String refused) {
        return new Finding(
                Kind.ROW_MISSING,
                job.key(),
                "the newest status row of job '" + job.key() + "', "
                        + job.lastStatus().id() + " of " + job.lastStatus().updatedTime() + ", was missing",
                repaired("it has been written from lastStatus of the job", refused));
    }

    private static String repaired(String how, @Nullable String refused) {
        return refused == null
                ? "no action is needed: " + how
                : "correct what refuses it, such as a validator of the collection; the server says: " + refused;
    }

    public static Finding finishedWithDue(String key) {
        return new Finding(
                Kind.FINISHED_WITH_DUE,
                key,
                "job '" + key + "' has finished and has a due time",
                "finished jobs are not claimed; unset 'due' in the Mongo shell: db.jobSpecification.updateMany("
                        + "{jobSpecificationKey: " + quoted(key) + ", activeKey: null}, {$unset: {due: \"\"}})");
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    public static Finding index(String problem) {
        return new Finding(Kind.INDEX, null, problem, "run: almanac indexes create");
    }

    /** @param found with what to do */
    public static Finding foreign(String found) {
        return new Finding(
                Kind.FOREIGN, null, found, "Almanac neither creates nor removes it; keep it only if you know its use");
    }

    /** A pause that is in force: nothing is wrong with it, unless it was left by mistake. */
    public static Finding standing(StandingPause pause, Instant now) {
        return new Finding(Kind.PAUSED, pause.scope().toString(), paused(pause, now), resume(pause));
    }

    private static String paused(StandingPause pause, Instant now) {
        return pause.scope().words() + " is paused since " + pause.begins() + ", " + ago(pause.begins(), now) + ", by "
                + pause.pause().author() + ": " + pause.pause().reason();
    }

    private static String resume(StandingPause pause) {
        return "to end that: " + pause.scope().resumeCommand();
    }

    /** Pinned fields of a job: nothing is wrong with them, unless the pin was left by mistake. */
    public static Finding pinned(String key, Pin pin, Instant now) {
        return new Finding(
                Kind.PINNED,
                key,
                String.join(", ", pin.fields()) + " of job '" + key + "' is pinned since " + pin.at() + ", "
                        + ago(pin.at(), now) + ", by " + pin.by()
                        + (pin.until() == null ? "" : ", until " + pin.until()),
                "declarations do not change it; to end that: "
                        + Printable.command("almanac jobs update", key, "--unpin"));
    }

    /** A node that is silent and has not said that it stops. */
    public static Finding lost(NodeReport node, Instant now) {
        return new Finding(
                Kind.NODE_LOST,
                node.id(),
                "node " + node.id() + " (" + node.label() + ") last reported at " + node.seen() + ", "
                        + ago(node.seen(), now) + ", with " + node.runs() + " runs, and was not shut down",
                "look at its log, and start it again if it is needed; its runs:"
                        + " almanac jobs history --failed --since 1h");
    }

    private static String ago(Instant then, Instant now) {
        return length(Duration.between(then, now)) + " ago";
    }

    private static String length(Duration age) {
        if (age.toDays() > 0) {
            return age.toDays() + " d";
        }
        return age.toHours() > 0 ? age.toHours() + " h" : age.toMinutes() + " min";
    }

    /** Checks the live nodes, including this one. */
    public static List<Finding> nodes(List<NodeReport> nodes, Duration warning) {
        List<Finding> findings = new ArrayList<>();
        for (NodeReport node : nodes) {
            if (node.clockOffset().abs().compareTo(warning) > 0) {
                findings.add(new Finding(
                        Kind.CLOCK_OFFSET,
                        node.id(),
                        "the clock of node " + node.id() + " (" + node.label() + ") differs from the server's by "
                                + node.clockOffset(),
                        "synchronize the clock of the machine, for example by NTP"));
            }
        }
        NodeReport.differentZoneRules(nodes)
                .ifPresent(rules -> findings.add(
                        new Finding(Kind.MIXED_ZONE_RULES, null, rules, "use the same release of Java on all nodes")));
        return findings;
    }
}
