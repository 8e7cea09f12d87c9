package dev.almanac.examples.demo;

import dev.almanac.Scheduler;
import dev.almanac.model.JobExecutionStatus;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Prints the events of the day for people. */
final class DemoReport {
    private final PrintWriter out;
    private final long dawn;
    private final DemoLedger ledger;
    private final Set<String> started = new HashSet<>();
    private int told;
    private int toldSecond = Integer.MIN_VALUE;

    DemoReport(PrintWriter out, Instant dawn, DemoLedger ledger) {
        this.out = out;
        this.dawn = dawn.toEpochMilli();
        this.ledger = ledger;
    }

    void say(String text) {
        double second = (System.currentTimeMillis() - dawn) / 1_000.0;
        out.printf(Locale.ROOT, "%+7.1f s  %s%n", second, text);
        out.flush();
    }

    /** Prints the new lines of the ledger: single jobs one by one, releases once a second. */
    void printNews() {
        List<LedgerLine> lines = ledger.lines();
        for (LedgerLine line : lines.subList(told, lines.size())) {
            boolean again = line.event().equals("start") && !started.add(line.run());
            if (again) {
                say(line.node() + " runs " + line.job() + " again after its lease, fencing number " + line.fencing());
            } else if (line.event().equals("start") && !line.job().startsWith("release")) {
                say(line.node() + " runs " + line.job() + (line.late() ? ", late" : "")
                        + (line.attempt() > 1
                                ? ", attempt " + line.attempt()
                                : ", " + (line.at() - line.fire()) + " ms after its time"));
            }
        }
        told = lines.size();
        int second = (int) Math.floorDiv(System.currentTimeMillis() - dawn, 1_000L);
        if (second > toldSecond) {
            toldSecond = second;
            printReleases(lines, second - 1);
        }
    }

    private void printReleases(List<LedgerLine> lines, int second) {
        List<LedgerLine> released = lines.stream()
                .filter(line -> line.event().equals("start") && line.job().startsWith("release"))
                .filter(line -> Math.floorDiv(line.at() - dawn, 1_000L) == second)
                .toList();
        if (released.isEmpty()) {
            return;
        }
        Map<String, Long> byNode =
                released.stream().collect(Collectors.groupingBy(LedgerLine::node, TreeMap::new, Collectors.counting()));
        long latest = released.stream()
                .mapToLong(line -> line.at() - line.fire())
                .max()
                .orElse(0);
        say(released.size() + " payments released " + byNode + ", the latest " + latest + " ms after its time");
    }

    /** Whether a settlement runs on the node, has done so for a second, and so is far from both its ends. */
    boolean settles(String node, long now) {
        return DemoLedger.openSettlements(ledger.lines()).values().stream()
                .anyMatch(start -> start.node().equals(node) && start.at() < now - 1_000);
    }

    boolean isComplete(DemoPlan plan) {
        List<LedgerLine> lines = ledger.lines();
        return DemoLedger.openSettlements(lines).isEmpty()
                && plan.fires().entrySet().stream()
                        .allMatch(job -> DemoLedger.fires(lines, job.getKey()) >= job.getValue());
    }

    void close(Scheduler scheduler, DemoServer server, String database, DemoVerdict verdict) {
        out.println();
        rows(scheduler, "refused");
        rows(scheduler, again());
        out.println("Try in the Mongo shell while the server is up (almanac demo --keep): mongosh \"" + server.shown()
                + "\", then: use " + database);
        out.println("  what failed:        db.jobExecutionStatus.find({executionStatus: \"FAILED\"})");
        out.println("  one job's history:  db.jobExecutionStatus.find({jobSpecificationKey: \"refused\"})"
                + ".sort({updatedTime: 1})");
        out.println("  what runs now:      db.jobSpecification.find({\"lease.until\": {$gt: new Date()}})");
        verdict.complaints().forEach(complaint -> out.println("does not add up: " + complaint));
        out.println(verdict.explanation());
        out.println(verdict.line());
        out.flush();
    }

    /** A job that was run again because of the kill. */
    private String again() {
        return DemoLedger.starts(ledger.lines()).values().stream()
                .filter(starts -> starts.size() > 1)
                .map(starts -> starts.get(0).job())
                .findFirst()
                .orElse("mended");
    }

    private void rows(Scheduler scheduler, String job) {
        List<JobExecutionStatus> rows = new ArrayList<>(scheduler.history(job));
        java.util.Collections.reverse(rows);
        out.println("Status rows of " + job + ":");
        for (JobExecutionStatus row : rows) {
            String error = row.error() == null ? "" : "  " + row.error().message();
            String detail = row.detail() == null ? "" : "  " + row.detail();
            out.printf(
                    Locale.ROOT,
                    "  %s  %-9s %-17s attempt %d%s%s%n",
                    row.updatedTime(),
                    row.executionStatus(),
                    row.outcome(),
                    row.attempt(),
                    error,
                    detail);
        }
        out.println();
    }
}
