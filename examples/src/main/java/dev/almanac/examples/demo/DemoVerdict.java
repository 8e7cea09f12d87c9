package dev.almanac.examples.demo;

import dev.almanac.Scheduler;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Compares the ledger with the plan, and the database with the ledger.
 *
 * @param planned fires that had to take place
 * @param ran fires that did
 * @param duplicated starts beyond the first of the same attempt
 * @param late runs that were handed to {@code lateExecute}
 * @param recovered claims of the killed node that the other one took over, by the rows in the database
 * @param complaints what does not add up
 */
record DemoVerdict(int planned, long ran, int duplicated, long late, long recovered, List<String> complaints) {
    static DemoVerdict of(
            DemoPlan plan, List<LedgerLine> lines, String killedNode, long killedAt, Scheduler scheduler) {
        List<String> complaints = new ArrayList<>();
        long ran = 0;
        long recovered = 0;
        for (Map.Entry<String, Integer> job : plan.fires().entrySet()) {
            long fires = DemoLedger.fires(lines, job.getKey());
            ran += fires;
            if (fires != job.getValue()) {
                complaints.add(job.getKey() + " had to fire " + job.getValue() + " times and fired " + fires);
            }
            List<JobExecutionStatus> rows = scheduler.history(job.getKey());
            recovered += rows.stream()
                    .filter(row -> row.outcome() == Outcome.ABANDONED)
                    .count();
            compare(job.getKey(), rows, complaints);
        }
        int duplicated = duplicates(lines, killedNode, killedAt, complaints);
        long late = lines.stream()
                .filter(line -> line.event().equals("start") && line.late())
                .count();
        return new DemoVerdict(plan.planned(), ran, duplicated, late, recovered, complaints);
    }

    /** The newest row must say how the job ended. */
    private static void compare(String job, List<JobExecutionStatus> rows, List<String> complaints) {
        ExecutionStatus expected = switch (job) {
            case "refused" -> ExecutionStatus.FAILED;
            case "withdrawn" -> ExecutionStatus.CANCELED;
            default -> ExecutionStatus.TRIGGERED;
        };
        ExecutionStatus found = rows.isEmpty() ? null : rows.get(0).executionStatus();
        if (found != expected) {
            complaints.add("the newest row of " + job + " says " + found + ", not " + expected);
        }
    }

    /** A second start is justified only if the first one was on the killed node, before the kill, without an end. */
    private static int duplicates(List<LedgerLine> lines, String killedNode, long killedAt, List<String> complaints) {
        int duplicated = 0;
        for (List<LedgerLine> starts : DemoLedger.starts(lines).values()) {
            LedgerLine first = starts.get(0);
            for (LedgerLine again : starts.subList(1, starts.size())) {
                duplicated++;
                boolean justified = first.node().equals(killedNode)
                        && first.at() <= killedAt
                        && !again.node().equals(killedNode)
                        && again.fencing() > first.fencing();
                if (!justified) {
                    complaints.add(first.run() + " was started twice without a reason");
                }
            }
        }
        return duplicated;
    }

    long lost() {
        return planned - ran;
    }

    boolean addsUp() {
        return complaints.isEmpty() && lost() == 0 && recovered > 0;
    }

    String line() {
        return "demo: planned=" + planned + " ran=" + ran + " lost=" + lost() + " duplicated=" + duplicated + " late="
                + late + " recovered=" + recovered;
    }

    /** Explains the last line. */
    String explanation() {
        if (!complaints.isEmpty()) {
            return "Something does not add up: this is a defect, see above.";
        }
        if (recovered == 0) {
            return "Nothing was taken over: no run was open on node-1 when it was to be killed. Run the demo again.";
        }
        if (duplicated == 0) {
            return "No attempt ran twice: the kill interrupted none.";
        }
        return duplicated + " ran twice: the kill interrupted them; fencing numbers tell them apart.";
    }
}
