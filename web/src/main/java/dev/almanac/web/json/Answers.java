package dev.almanac.web.json;

import dev.almanac.Health;
import dev.almanac.model.Explanation;
import dev.almanac.model.Explanation.Kind;
import dev.almanac.model.Finding;
import dev.almanac.model.FireAccount;
import dev.almanac.model.FireReport;
import dev.almanac.model.InvariantReport;
import dev.almanac.model.Job;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.LogLine;
import dev.almanac.model.Pin;
import dev.almanac.model.ReplanResult;
import dev.almanac.model.StandingPause;
import dev.almanac.model.StoredFields;
import dev.almanac.store.CalendarEdit;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredJob;
import dev.almanac.web.read.Forecast;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The fields of jobs, rows, nodes and what else is asked for, in JSON. */
public final class Answers {
    private static final int MOST_SHOWN = 10;

    private Answers() {}

    /**
     * A job.
     *
     * @param labels what people call the nodes, by id; those that it does not have are shown by id only
     */
    public static Fields job(Job job, List<StandingPause> pauses, Map<String, String> labels) {
        JobSpecification specification = job.specification();
        return Fields.of(specification)
                .with("anchor", StoredFields.anchorOf(specification))
                .with("calendarsByDefault", specification.calendarsByDefault() ? true : null)
                .with("followUpOf", specification.followUpOf().orElse(null))
                .with("once", specification.once() ? true : null)
                .with("traceParent", specification.traceParent().orElse(null))
                .with("version", specification.version())
                .with("latestUpdate", specification.latestUpdate().orElse(null))
                .with("deleteTime", specification.deleteTime().orElse(null))
                .with("jobState", job.jobState())
                .with("nextFireTime", job.nextFireTime())
                .with("runningOn", job.runningOn())
                .with("runningOnLabel", job.runningOn() == null ? null : labels.get(job.runningOn()))
                .with("leaseUntil", job.leaseUntil())
                .with("pause", job.pause())
                .with("pins", job.pins().stream().map(Answers::pin).toList())
                .with("heldBy", heldBy(job, pauses))
                .with("blocked", job.blocked())
                .with("progress", job.progress())
                .with("state", job.state().isEmpty() ? null : job.state())
                .with("lastStatus", row(job.lastStatus(), labels));
    }

    /**
     * The same job without what its commands and those of its follow-ups contain, and for whom they run: of a command only
     * the type is left.
     */
    public static Fields withoutPayloads(Fields job) {
        withoutPayloads(job.map());
        return job;
    }

    private static void withoutPayloads(Map<?, ?> job) {
        job.keySet().removeAll(List.of("triggerIdentifier", "failureCommand", "failureIdentifier"));
        if (job.get("triggerCommand") instanceof Map<?, ?> command) {
            command.keySet().retainAll(List.of("type"));
        }
        for (String followUps : List.of("onSuccess", "onFailure")) {
            if (job.get(followUps) instanceof List<?> jobs) {
                jobs.forEach(next -> withoutPayloads((Map<?, ?>) next));
            }
        }
    }

    private static Fields pin(Pin pin) {
        return new Fields()
                .with("fields", pin.fields())
                .with("author", pin.by().author())
                .with("reason", pin.by().reason())
                .with("at", pin.at())
                .with("until", pin.until());
    }

    /** The pause of a kind of jobs that applies to this one. */
    public static @Nullable String heldBy(Job job, List<StandingPause> pauses) {
        return pauses.stream()
                .filter(pause -> !job.jobState().isFinished() && pause.holds(job.specification(), job.commandType()))
                .map(pause -> pause.scope().toString())
                .findFirst()
                .orElse(null);
    }

    /**
     * A row of a job that is known.
     *
     * @param labels as of {@link #job}
     */
    public static Fields row(JobExecutionStatus row, Map<String, String> labels) {
        Fields answer = new Fields();
        Fields.of(row).map().forEach((name, value) -> {
            answer.with(name, value);
            if (name.equals("node")) {
                answer.with("nodeLabel", labels.get(row.node()));
            }
        });
        return answer.without("id", "jobSpecificationId", "jobSpecificationKey", "fireSeq", "claimSeq", "former")
                .without(row.attempt() == 0 ? "attempt" : "");
    }

    /**
     * A report of planned fires.
     *
     * @param listing of these, which is ended
     * @param limit how many at most, the newest
     */
    public static void fires(Json.Listing listing, FireReport report, int limit) {
        List<FireAccount> accounts = report.accounts();
        int left = Math.max(0, accounts.size() - limit);
        accounts.subList(left, accounts.size()).forEach(account -> listing.item(fire(account)));
        listing.end(fires(report).with("more", left > 0 ? true : null));
    }

    private static Fields fire(FireAccount account) {
        return Fields.of(account)
                .without(account.count() == 1 ? "last" : "nominalFireTime")
                .without(account.count() == 1 ? "count" : "outcome");
    }

    /** A report of planned fires, without its accounts. */
    public static Fields fires(FireReport report) {
        return new Fields()
                .with("jobSpecificationKey", report.jobSpecificationKey())
                .with("from", report.from())
                .with("until", report.until())
                .with("computed", report.computed() ? null : false)
                .with("limit", report.limit())
                .with("counts", counts(report.counts()));
    }

    /** How many fires have which account. */
    public static Fields counts(Map<FireAccount.Kind, Long> counts) {
        Fields fields = new Fields();
        counts.forEach((kind, count) -> fields.with(kind.name(), count));
        return fields;
    }

    /** A row of any job. */
    public static Fields rowOfAny(JobExecutionStatus row, Map<String, String> labels) {
        return new Fields()
                .with("jobSpecificationKey", row.jobSpecificationKey())
                .and(row(row, labels));
    }

    /**
     * What the newest run of a job has logged.
     *
     * @param rows of the job, newest first
     */
    public static List<LogLine> log(List<JobExecutionStatus> rows) {
        return rows.stream()
                .filter(row -> row.startedTime() != null)
                .findFirst()
                .map(JobExecutionStatus::log)
                .orElse(List.of());
    }

    /**
     * What an edit of a calendar did that was stored, in lines without a full stop.
     *
     * @param name what the first line calls the calendar
     * @param changed whether it has stored a version
     */
    public static List<String> edited(String name, CalendarEdit edit, boolean changed) {
        ReplanResult jobs = edit.jobs();
        List<String> lines = new ArrayList<>();
        String what = name + (changed ? " is version " + edit.calendar().version() + " now" : " is stored already");
        lines.add(
                !changed && jobs.looked() == 0
                        ? what + ", nothing was changed"
                        : what + "; of the " + jobs.looked() + " jobs that "
                                + (jobs.complete() ? "use it, " : "were looked at, ") + jobs.moved()
                                + " have another next fire");
        if (jobs.failed() > 0) {
            lines.add("calendars failed for " + jobs.failed() + " of its jobs, the first: " + jobs.failure()
                    + "; live nodes plan what was not planned again");
        } else if (!jobs.complete()) {
            lines.add("not all of its jobs were planned again within 10 s; live nodes plan the others");
        }
        return lines;
    }

    /** Calendars that only a service declares are unknown to a process that runs nothing: no job waits for that. */
    public static Explanation fromOutside(Explanation seen) {
        List<Explanation.Reason> reasons = new ArrayList<>(seen.reasons());
        if (reasons.get(0).kind() != Kind.UNKNOWN_CALENDAR || reasons.size() == 1) {
            return seen;
        }
        Collections.swap(reasons, 0, 1);
        return new Explanation(
                seen.jobSpecificationKey(),
                seen.asOf(),
                seen.state(),
                "Job '" + seen.jobSpecificationKey() + "' " + reasons.get(0).text() + ".",
                seen.nextStart(),
                seen.nextFireTimes(),
                reasons);
    }

    /** What runs say of their progress, by node: of at most 10 runs of each. */
    public static Map<String, List<String>> progress(List<StoredJob> running) {
        Map<String, List<String>> progress = new HashMap<>();
        for (StoredJob job : running) {
            if (job.lease() != null && job.progress() != null) {
                List<String> some = progress.computeIfAbsent(job.lease().owner(), node -> new ArrayList<>());
                if (some.size() < MOST_SHOWN) {
                    some.add(job.key() + ": " + job.progress().text());
                }
            }
        }
        return progress;
    }

    /** A node. */
    public static Fields node(
            NodeReport node, Instant now, List<StandingPause> pauses, Map<String, List<String>> progress) {
        return new Fields()
                .with("node", node.id())
                .with("label", node.label())
                .with("live", node.isLive(now))
                .with("state", node.state(now, pauses).toString())
                .with("started", node.started())
                .with("seen", node.seen())
                .with("zoneRules", node.zoneRules())
                .with("clockOffset", node.clockOffset())
                .list("types", node.types())
                .with("runs", node.runs())
                .with("minPriority", node.minPriority())
                .with("maxPriority", node.maxPriority())
                .with("slots", node.slots() > 0 ? node.slots() : null)
                .with("reasons", node.reasons())
                .with("progress", progress.getOrDefault(node.id(), List.of()));
    }

    /** A pause of a kind of jobs. */
    public static Fields pause(StandingPause pause) {
        return new Fields()
                .with("scope", pause.scope())
                .and(Fields.of(pause.pause()))
                .with("since", pause.since());
    }

    /** A stored calendar. */
    public static Fields calendar(StoredCalendar calendar) {
        return new Fields()
                .with("name", calendar.name())
                .with("version", calendar.version())
                .with("latestUpdate", calendar.latestUpdate())
                .with("author", calendar.author().isEmpty() ? null : calendar.author())
                .with("definition", new TreeMap<>(calendar.definition()));
    }

    /** The health of all nodes. */
    public static Fields health(Health health) {
        return new Fields().with("state", health.state()).list("reasons", health.reasons());
    }

    /** The result of a check of the stored state. */
    public static Fields doctor(InvariantReport report) {
        return new Fields()
                .list("findings", report.all().stream().map(Answers::finding).toList())
                .with("jobs", report.jobs())
                .list("notChecked", report.notChecked());
    }

    /**
     * A forecast that is over.
     *
     * @param listing of findings, which is ended
     * @param kind of which findings; absent = all
     * @param after how many are left out, which were shown before
     * @param limit how many at most
     * @param gaps what was not looked at, in words
     */
    public static void forecast(
            Json.Listing listing,
            Forecast forecast,
            Forecast.@Nullable Kind kind,
            int after,
            int limit,
            List<String> gaps) {
        List<Forecast.Finding> all = forecast.findings(kind);
        int begin = Math.min(after, all.size());
        int end = Math.min(begin + limit, all.size());
        all.subList(begin, end).forEach(finding -> listing.item(finding(finding)));
        listing.end(forecast(forecast, gaps).with("next", end < all.size() ? end : null));
    }

    private static Fields forecast(Forecast forecast, List<String> gaps) {
        return new Fields()
                .with("complete", true)
                .with("from", forecast.from())
                .with("until", forecast.until())
                .with("jobs", forecast.jobs())
                .list(
                        "totals",
                        forecast.totals().stream()
                                .map(total -> new Fields()
                                        .with("kind", total.kind())
                                        .with("times", total.days())
                                        .with("fires", total.fires() == 0 ? null : total.fires())
                                        .with("first", total.first()))
                                .toList())
                .list("notExamined", gaps);
    }

    /**
     * A forecast that goes on.
     *
     * @param listing of findings, which is ended
     * @param jobs how many were read so far
     * @param gaps what was not looked at, in words
     */
    public static void forecast(Json.Listing listing, long jobs, List<String> gaps) {
        listing.end(new Fields().with("complete", false).with("jobs", jobs).list("notExamined", gaps));
    }

    private static Fields finding(Forecast.Finding finding) {
        return new Fields()
                .with("kind", finding.kind())
                .with("at", finding.at())
                .with("day", finding.day())
                .with("cause", finding.cause())
                .with("days", finding.days() == 1 ? null : finding.days())
                .with("jobs", finding.jobs() == 0 ? null : finding.jobs())
                .with("fires", finding.fires() == 0 ? null : finding.fires())
                .with("keys", finding.keys());
    }

    private static Fields finding(Finding finding) {
        return new Fields().with("id", finding.id()).and(Fields.of(finding));
    }
}
