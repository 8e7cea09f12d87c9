package dev.almanac.behaviour;

import dev.almanac.behaviour.SimulationLedger.Run;
import dev.almanac.engine.rules.CalendarPeriods;
import dev.almanac.engine.rules.FireAccounting;
import dev.almanac.engine.rules.FirePlanner;
import dev.almanac.engine.rules.StartDeadline;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.FindScope;
import dev.almanac.model.FireAccount;
import dev.almanac.model.FireReport;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Outcome;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.store.ClusterStore;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredJob;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What must be so once everything has come to rest. */
final class SimulationJudge {
    /** By how much the clocks of two nodes may differ. */
    private static final Duration CLOCKS = Duration.ofSeconds(2);

    private final SimulationServer server;
    private final SimulationLedger ledger;
    private final SimulationFaults faults;
    private final @Nullable SimulationCalendars calendars;

    /** @param calendars absent = no job asks one */
    SimulationJudge(
            SimulationServer server,
            SimulationLedger ledger,
            SimulationFaults faults,
            @Nullable SimulationCalendars calendars) {
        this.server = server;
        this.ledger = ledger;
        this.faults = faults;
        this.calendars = calendars;
    }

    /** A run that begins has the contents that it was asked for with (rule S17), and does not come too late (rule S4). */
    void judgeBegin(Run run) {
        if (run.what().equals(SimulationUsers.SORRY)) {
            return;
        }
        boolean byHand = server.isByHand(run.id(), run.fire());
        for (StoredJob job : server.truth().load(List.of(run.id()))) {
            boolean planned = run.fire().equals(job.plan().nextFireTime());
            if (byHand == planned) {
                // of another fire by now, or a run by hand was asked for at that moment, too
                continue;
            }
            if (!server.contents(job, run.fire()).body().containsValue(run.note())) {
                ledger.complain(
                        run.job() + " was handed " + run.note() + " at " + run.fire() + ", not what was to run");
            }
            Optional<Instant> latest = byHand
                    ? Optional.empty()
                    : StartDeadline.latest(job, SchedulerSettings.builder().build());
            if (latest.filter(at -> run.begun().isAfter(at.plus(CLOCKS))).isPresent()) {
                ledger.complain(run.job() + " was started at " + run.begun() + " for " + run.fire()
                        + ", and was to start by " + latest.get());
            }
        }
    }

    void judge(List<String> keys) {
        for (String key : keys) {
            Optional<StoredJob> found = server.truth().find(key, FindScope.INCLUDING_FINISHED);
            if (found.isEmpty()) {
                judgeRemoved(key);
                continue;
            }
            StoredJob job = found.get();
            List<JobExecutionStatus> rows = server.truth().rows(RowQuery.ofDocument(job.id(), 10_000));
            judgeDocument(job, rows);
            server.states().judge(job);
            judgeMissed(job, rows);
            judgeReasons(job, rows);
            judgeBlocked(job, rows);
            List<JobExecutionStatus> all = Stream.concat(rows.stream(), server.refusedRows(job.id()).stream())
                    .toList();
            judgeAccounts(job, all);
            judgeEnds(job, all);
            judgeByHand(job, all);
            judgeDeliveries(job, all);
            judgeMost(job);
            judgeFires(
                    job,
                    all,
                    job.specification().isRecurring()
                            ? server.schedules().fires(job)
                            : List.of(job.specification().singleSchedule().orElseThrow()));
        }
        judgeRepeats();
        server.complaints().forEach(ledger::complain);
    }

    /** Only what keeps trouble only, ran, and went well is deleted; who deleted it is judged as it happens. */
    private void judgeRemoved(String key) {
        boolean ran = ledger.runs().stream().anyMatch(run -> run.job().equals(key));
        if (!ran || !server.removals().contains(key)) {
            ledger.complain(key + " is gone" + (ran ? "" : " and never ran"));
        }
    }

    private void judgeDocument(StoredJob job, List<JobExecutionStatus> rows) {
        JobExecutionStatus newest = rows.isEmpty() ? job.lastStatus() : rows.get(0);
        if (!SimulationRows.keeps(job)) {
            if (!rows.isEmpty() && newest.updatedTime().isAfter(job.lastStatus().updatedTime())) {
                ledger.complain("a row of " + job.key() + " is newer than its lastStatus: " + newest.id());
            }
        } else if (!newest.id().equals(job.lastStatus().id())) {
            ledger.complain("the newest row of " + job.key() + " is " + newest.id() + " " + newest.outcome()
                    + ", lastStatus is " + job.lastStatus().id() + " "
                    + job.lastStatus().outcome());
        } else if (rows.size() > 1 && !newest.updatedTime().isAfter(rows.get(1).updatedTime())) {
            ledger.complain("two rows of " + job.key() + " are the newest: " + newest.id() + " and "
                    + rows.get(1).id());
        }
        boolean waits = job.isLive() && job.requests().pause() == null && job.blocked() == null;
        if (waits && job.due() == null) {
            ledger.complain(job.key() + " is live and can never be claimed");
        } else if (job.isLive()) {
            ledger.complain(job.key() + " is not over: due " + job.due() + ", lease " + job.lease() + ", "
                    + job.lastStatus().outcome() + ", blocked " + job.blocked());
        } else if (!job.isLive() && (job.due() != null || job.lease() != null)) {
            ledger.complain(job.key() + " is over and yet due or leased");
        }
    }

    /** No fire is told as missed twice, nor one that was started (rules R4, R7). */
    private void judgeMissed(StoredJob job, List<JobExecutionStatus> rows) {
        List<JobExecutionStatus> missed =
                rows.stream().filter(row -> row.missed() != null).toList();
        for (JobExecutionStatus row : missed) {
            missed.stream()
                    .filter(other ->
                            other != row && isTold(job, other, row.missed().first()))
                    .forEach(other -> ledger.complain("fires of " + job.key() + " were told as missed twice, in "
                            + row.id() + " and " + other.id()));
            ledger.runs().stream()
                    .filter(run -> run.id().equals(job.id()) && isTold(job, row, run.fire()))
                    .filter(run -> !server.isByHand(run.id(), run.fire()))
                    .forEach(run -> ledger.complain(
                            "a fire of " + job.key() + " that was started is told as missed: " + run.fire()));
        }
    }

    /** The second judge of fires: rows, document and changes account for each of them (rule S22). */
    private void judgeAccounts(StoredJob job, List<JobExecutionStatus> rows) {
        ClusterStore cluster = server.truth().cluster();
        List<StoredCalendar> current = cluster.calendars();
        Map<String, ExclusionCalendar> readable = new HashMap<>();
        current.stream()
                .filter(calendar -> !calendar.deleted())
                .forEach(calendar -> readable.put(calendar.name(), SimulationCalendars.read(calendar.definition())));
        Map<String, Long> versions =
                current.stream().collect(Collectors.toMap(StoredCalendar::name, StoredCalendar::version));
        FireReport report = FireAccounting.report(
                new FireAccounting.Known(
                        job,
                        rows.stream()
                                .sorted(Comparator.comparing(JobExecutionStatus::updatedTime))
                                .toList(),
                        null,
                        new FirePlanner(
                                new FirePlanner.Calendars(readable, versions, Map.of()), new FirePlanner.Search() {}),
                        CalendarPeriods.of(
                                current, cluster.calendarVersions(readable.keySet()), SimulationCalendars::read),
                        job.stateAt(server.truth().serverTime(), List.of())),
                Simulation.START.minusSeconds(60),
                server.truth().serverTime());
        report.accounts().stream()
                .filter(account -> account.kind() == FireAccount.Kind.UNACCOUNTED)
                .forEach(account -> ledger.complain(job.key() + " has a fire without an account: " + account));
    }

    private static boolean isMoved(JobExecutionStatus row, Instant fire) {
        return row.former() != null && fire.equals(row.former().singleSchedule().orElse(null));
    }

    /**
     * What was begun comes to an end that is on record, a retry and what was put off, too (rules N8, S2), unless the job was
     * cancelled, or the moment of a one-off moved, which may be a recurrence by now.
     */
    private void judgeEnds(StoredJob job, List<JobExecutionStatus> rows) {
        if (!SimulationRows.keeps(job) || isCanceled(rows)) {
            return;
        }
        Instant once = job.specification().singleSchedule().orElse(null);
        ledger.runs().stream()
                .filter(run -> run.id().equals(job.id()) && !run.what().equals(SimulationUsers.SORRY))
                .map(Run::fire)
                .filter(fire -> !server.isByHand(job.id(), fire) && (once == null || once.equals(fire)))
                .distinct()
                .filter(fire -> rows.stream().noneMatch(row -> isEnd(row, fire) || isMoved(row, fire)))
                .forEach(fire -> ledger.complain(job.key() + " was begun at " + fire + ", and has no end"));
    }

    private static boolean isEnd(JobExecutionStatus row, Instant fire) {
        boolean end = row.startedTime() != null
                        && row.outcome() != Outcome.ATTEMPT_FAILED
                        && row.outcome() != Outcome.POSTPONED
                        && isWord(row)
                || isGivenUp(row, fire);
        return end && !row.manual() && fire.equals(row.fireTime());
    }

    /** The run that was asked for last has begun, or is on record, unless the job was cancelled or has ended before (rule P7). */
    private void judgeByHand(StoredJob job, List<JobExecutionStatus> rows) {
        Instant asked = server.askedLast(job.id()).orElse(null);
        boolean answered = asked == null
                || isCanceled(rows)
                || ledger.runs().stream()
                        .anyMatch(run -> run.id().equals(job.id()) && run.fire().equals(asked))
                || Stream.concat(rows.stream(), Stream.of(job.lastStatus()))
                        .anyMatch(row -> row.manual() && asked.equals(row.fireTime())
                                || String.valueOf(row.detail()).contains("requested at " + asked + " is dropped"));
        if (!answered) {
            ledger.complain("the run of " + job.key() + " that was asked for at " + asked + " never came");
        }
    }

    /** Each fire that has failed for good has its failure command delivered, or told why not, which is a second failure (rule R6). */
    private void judgeDeliveries(StoredJob job, List<JobExecutionStatus> rows) {
        if (job.specification().failureCommand().isEmpty() || isCanceled(rows)) {
            return;
        }
        rows.stream()
                .filter(row -> row.executionStatus() == ExecutionStatus.FAILED && !row.manual())
                .filter(row ->
                        row.outcome() != Outcome.EXPIRED || !job.specification().isRecurring())
                .collect(Collectors.groupingBy(row -> Objects.requireNonNull(row.fireTime())))
                .forEach((fire, failed) -> {
                    if (failed.size() == 1) {
                        ledger.complain("the failure of " + job.key() + " at " + fire + " was never delivered: "
                                + failed.get(0).id());
                    }
                });
    }

    /** No more fires run than may (rule M1). */
    private void judgeMost(StoredJob job) {
        long fires = ledger.runs().stream()
                .filter(run -> run.id().equals(job.id()) && !server.isByHand(run.id(), run.fire()))
                .map(Run::fire)
                .distinct()
                .count();
        if (job.specification().maxFires().filter(most -> fires > most).isPresent()) {
            ledger.complain(job.key() + " ran " + fires + " fires, and may have "
                    + job.specification().maxFires().get());
        }
    }

    private static boolean isCanceled(List<JobExecutionStatus> rows) {
        return rows.stream().anyMatch(SimulationFollowUps::isCancel);
    }

    /** A claim ends without a recorded outcome only if its node, or the server, had a fault between that claim and the row that says so. */
    private void judgeReasons(StoredJob job, List<JobExecutionStatus> rows) {
        rows.stream()
                .filter(row -> row.id().contains(":abandoned"))
                .filter(row -> !isExcused(row, rows))
                .forEach(row -> ledger.complain(job.key() + " was abandoned without a fault: " + row.id()));
    }

    /** Nothing here is damaged: a job is blocked only by what the server refuses (rules X6, X9). */
    private void judgeBlocked(StoredJob job, List<JobExecutionStatus> rows) {
        if (!server.hasRefused(job.key())) {
            rows.stream()
                    .filter(row -> row.outcome() == Outcome.BLOCKED)
                    .forEach(row -> ledger.complain(
                            job.key() + " was blocked, and the server has refused nothing of it: " + row.detail()));
        }
    }

    /** Of the claims before the row, back to the last one whose end was recorded, one met a fault that may cost it; or its own, if a user has written it. */
    private boolean isExcused(JobExecutionStatus row, List<JobExecutionStatus> rows) {
        for (long seq = row.claimSeq(); seq > 0; seq--) {
            SimulationServer.Claim claim = server.claim(row.jobSpecificationId(), seq);
            long before = seq;
            boolean ended = rows.stream()
                    .anyMatch(other -> other.claimSeq() == before && before < row.claimSeq() && isWord(other));
            if (claim != null
                    && (faults.costsClaim(claim.node(), claim.at(), row.updatedTime())
                            || faults.wasHeld(row.jobSpecificationKey(), claim.at(), row.updatedTime()))) {
                return true;
            }
            if (ended) {
                return false;
            }
        }
        return false;
    }

    private static boolean isWord(JobExecutionStatus row) {
        return row.startedTime() != null && row.outcome() != Outcome.TIMED_OUT && row.outcome() != Outcome.ABANDONED;
    }

    /**
     * Every planned fire was run, or is on record as missed or given up, in order, unless the job was cancelled. That holds
     * for a blocked job, too: it goes on where it was once a user has mended it (rule X9).
     *
     * @param rows with those that the server has refused, which were to be the record
     */
    private void judgeFires(StoredJob job, List<JobExecutionStatus> rows, List<Instant> fires) {
        boolean canceled = rows.stream().anyMatch(row -> row.executionStatus() == ExecutionStatus.CANCELED);
        Set<Instant> ran = new HashSet<>();
        ledger.runs().stream().filter(run -> run.id().equals(job.id())).forEach(run -> ran.add(run.fire()));
        List<Instant> without = new ArrayList<>();
        for (Instant fire : fires) {
            boolean done = ran.contains(fire) || isOnRecord(rows, fire);
            if (isCanceledBefore(rows, fire) || !done && canceled && isWaiting(job, fire)) {
                // the job did not live to see it, such as one that an edit of a calendar has brought
                continue;
            }
            if (!done) {
                if (calendars == null || !calendars.leavesOut(job, rows, fire)) {
                    without.add(fire);
                }
            } else if (!without.isEmpty()) {
                ledger.complain(job.key() + " ran at " + fire + " and not at " + without);
                without.clear();
            }
        }
        if (!canceled && !without.isEmpty()) {
            ledger.complain("fires of " + job.key() + " were lost: " + without);
        }
    }

    private static boolean isOnRecord(List<JobExecutionStatus> rows, Instant fire) {
        return rows.stream().anyMatch(row -> isMissed(row, fire) || isGivenUp(row, fire) || isCanceled(row, fire));
    }

    private static boolean isMissed(JobExecutionStatus row, Instant fire) {
        return row.missed() != null
                && !fire.isBefore(row.missed().first())
                && !fire.isAfter(row.missed().last());
    }

    /**
     * Of the fires of a span its ends are told, and the others if there are not as many besides: fires of a former schedule may lie
     * between them.
     */
    private boolean isTold(StoredJob job, JobExecutionStatus row, Instant fire) {
        MissedFires missed = row.missed();
        if (!isMissed(row, fire)) {
            return false;
        }
        if (fire.equals(missed.first()) || fire.equals(missed.last())) {
            return true;
        }
        if (!job.specification().isRecurring()) {
            return false;
        }
        Set<Instant> others = new HashSet<>(List.of(missed.first(), missed.last()));
        server.schedules().fires(job).stream()
                .filter(other -> isMissed(row, other))
                .forEach(others::add);
        others.remove(fire);
        ledger.runs().stream().filter(run -> run.id().equals(job.id())).forEach(run -> others.remove(run.fire()));
        return others.size() < missed.count();
    }

    /** It waited for a run that a user had requested as the job was cancelled; what else had passed by then waited, too. */
    private static boolean isWaiting(StoredJob job, Instant fire) {
        return fire.equals(job.plan().nextFireTime());
    }

    private static boolean isCanceledBefore(List<JobExecutionStatus> rows, Instant fire) {
        return rows.stream()
                .anyMatch(row -> row.executionStatus() == ExecutionStatus.CANCELED
                        && row.updatedTime().isBefore(fire));
    }

    /** It was in progress as its job was cancelled; newer ones may be on record as missed, since the schedule was changed. */
    private static boolean isCanceled(JobExecutionStatus row, Instant fire) {
        return row.executionStatus() == ExecutionStatus.CANCELED && fire.equals(row.fireTime());
    }

    private static boolean isGivenUp(JobExecutionStatus row, Instant fire) {
        return (row.outcome() == Outcome.CRASHED
                        || row.outcome() == Outcome.EXPIRED
                        || row.outcome() == Outcome.ABANDONED && row.executionStatus() == ExecutionStatus.FAILED)
                && fire.equals(row.fireTime());
    }

    /**
     * A second run of the same attempt has a reason if between the two an ABANDONED row was written.
     */
    private void judgeRepeats() {
        Map<String, Run> last = new HashMap<>();
        for (Run run : ledger.runs()) {
            Run before = last.put(run.id() + " " + run.what() + " " + run.fire() + " " + run.attempt(), run);
            if (before != null) {
                judgeRepeat(before, run);
            }
        }
    }

    private void judgeRepeat(Run before, Run run) {
        if (server.isByHand(run.id(), run.fire())) {
            // a run by hand is told the moment at which it was asked for, and is asked for until it has ended
            return;
        }
        List<JobExecutionStatus> rows = server.truth().rows(RowQuery.ofDocument(run.id(), 10_000));
        if (rows.stream().anyMatch(row -> row.outcome() == Outcome.POSTPONED && row.claimSeq() == before.fencing())) {
            return;
        }
        Optional<Instant> abandoned = rows.stream()
                .filter(row -> row.outcome() == Outcome.ABANDONED
                        && row.claimSeq() >= before.fencing()
                        && row.claimSeq() <= run.fencing())
                .map(JobExecutionStatus::updatedTime)
                .min(Comparator.naturalOrder());
        if (abandoned.isEmpty()) {
            ledger.complain("a second run of " + run.job() + " at " + run.fire() + " without a reason, claims "
                    + before.fencing() + " and " + run.fencing());
        }
        // also if the policy has become FAIL before the first run was recovered
        boolean forbidden = server.isForbidden(run.id(), before.begun())
                || abandoned
                        .filter(at -> server.isForbidden(run.id(), at.minus(CLOCKS)))
                        .isPresent();
        if (forbidden) {
            ledger.complain("a second run of " + run.job() + ", which must not run twice, claims " + before.fencing()
                    + " and " + run.fencing());
        }
    }
}
