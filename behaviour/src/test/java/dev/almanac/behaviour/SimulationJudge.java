package dev.almanac.behaviour;

import dev.almanac.behaviour.SimulationLedger.Run;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What must be so once everything has come to rest. */
final class SimulationJudge {
    private final SimulationServer server;
    private final SimulationLedger ledger;

    SimulationJudge(SimulationServer server, SimulationLedger ledger) {
        this.server = server;
        this.ledger = ledger;
    }

    /** @param fires the planned fires of recurring jobs */
    void judge(List<String> keys, List<Instant> fires) {
        for (String key : keys) {
            Optional<StoredJob> found = server.truth().find(key, FindScope.INCLUDING_FINISHED);
            if (found.isEmpty()) {
                judgeRemoved(key);
                continue;
            }
            StoredJob job = found.get();
            List<JobExecutionStatus> rows = server.truth().rows(RowQuery.ofDocument(job.id(), 10_000));
            judgeDocument(job, rows);
            server.judgeState(job);
            judgeFires(
                    job,
                    rows,
                    job.specification().isRecurring()
                            ? fires
                            : List.of(job.specification().singleSchedule()));
        }
        judgeRepeats();
        server.complaints().forEach(ledger::complain);
    }

    /** Only what keeps trouble only, ran, and went well is deleted; who deleted it is judged as it happens. */
    private void judgeRemoved(String key) {
        boolean ran = ledger.runs().stream().anyMatch(run -> run.job().equals(key));
        if (!ran || !server.removed().contains(key)) {
            ledger.complain(key + " is gone" + (ran ? "" : " and never ran"));
        }
    }

    private void judgeDocument(StoredJob job, List<JobExecutionStatus> rows) {
        JobExecutionStatus newest = rows.isEmpty() ? job.lastStatus() : rows.get(0);
        if (!SimulationServer.keeps(job)) {
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
                    + job.lastStatus().outcome());
        } else if (job.due() != null || job.lease() != null) {
            ledger.complain(job.key() + " is over and yet due or leased");
        }
    }

    /** Every planned fire was run, or is on record as missed or given up, in order, unless the job was cancelled. */
    private void judgeFires(StoredJob job, List<JobExecutionStatus> rows, List<Instant> fires) {
        boolean canceled = rows.stream().anyMatch(row -> row.executionStatus() == ExecutionStatus.CANCELED);
        Set<Instant> ran = new HashSet<>();
        ledger.runs().stream().filter(run -> run.id().equals(job.id())).forEach(run -> ran.add(run.fire()));
        List<Instant> without = new ArrayList<>();
        for (Instant fire : fires) {
            if (!ran.contains(fire) && !isOnRecord(rows, fire)) {
                without.add(fire);
            } else if (!without.isEmpty()) {
                ledger.complain(job.key() + " ran at " + fire + " and not at " + without);
            }
        }
        if (!canceled && !without.isEmpty()) {
            ledger.complain("fires of " + job.key() + " were lost: " + without);
        }
    }

    private static boolean isOnRecord(List<JobExecutionStatus> rows, Instant fire) {
        return rows.stream().anyMatch(row -> isMissed(row, fire) || isGivenUp(row, fire));
    }

    private static boolean isMissed(JobExecutionStatus row, Instant fire) {
        return row.missed() != null
                && !fire.isBefore(row.missed().first())
                && !fire.isAfter(row.missed().last());
    }

    private static boolean isGivenUp(JobExecutionStatus row, Instant fire) {
        return (row.outcome() == Outcome.CRASHED
                        || row.outcome() == Outcome.ABANDONED && row.executionStatus() == ExecutionStatus.FAILED)
                && fire.equals(row.fireTime());
    }

    /**
     * A second run of the same attempt has a reason if between the two an ABANDONED row was written, and if nothing
     * told the claim of the second how the first had ended.
     */
    private void judgeRepeats() {
        Map<String, Run> last = new HashMap<>();
        for (Run run : ledger.runs()) {
            Run before = last.put(run.id() + " " + run.fire() + " " + run.attempt(), run);
            if (before != null) {
                judgeRepeat(before, run);
            }
        }
    }

    private void judgeRepeat(Run before, Run run) {
        List<JobExecutionStatus> rows = server.truth().rows(RowQuery.ofDocument(run.id(), 10_000));
        boolean byHand = server.wasByHand(run.id(), before.fencing())
                || server.wasByHand(run.id(), run.fencing())
                || rows.stream()
                        .filter(JobExecutionStatus::manual)
                        .mapToLong(JobExecutionStatus::claimSeq)
                        .anyMatch(claim -> claim == before.fencing() || claim == run.fencing());
        if (byHand) {
            // what a helper is told as the fire of a run by hand may happen to be a planned one
            return;
        }
        boolean explained = rows.stream()
                .anyMatch(row -> row.outcome() == Outcome.ABANDONED
                        && row.claimSeq() > before.fencing()
                        && row.claimSeq() <= run.fencing());
        if (!explained || server.wasTold(run.id(), run.fencing())) {
            ledger.complain("a second run of " + run.job() + " at " + run.fire() + " without a reason, claims "
                    + before.fencing() + " and " + run.fencing());
        }
        boolean forbidden = server.truth().load(List.of(run.id())).stream()
                .anyMatch(job -> job.specification().crashPolicy() == CrashPolicy.FAIL);
        if (forbidden) {
            ledger.complain("a second run of " + run.job() + ", which must not run twice, claims " + before.fencing()
                    + " and " + run.fencing());
        }
    }
}
