package dev.almanac.console.jobs;

import dev.almanac.Scheduler;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.console.terminal.NotFoundException;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Times;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code almanac jobs history}. */
@Command(
        name = "history",
        mixinStandardHelpOptions = true,
        description = "Shows the status rows of a key, or of all fires that failed for good; the newest first.")
final class HistoryCommand extends StoreCommand {
    private static final int MOST_ROWS = 1_000;

    @Parameters(index = "0", arity = "0..1", paramLabel = "KEY", description = "the job's key; all jobs: --failed")
    private @Nullable String key;

    @Option(names = "--failed", description = "only fires that failed for good, and why")
    private boolean failed;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "only rows written at or after this moment: today, yesterday, a date, 24h (ago)")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "TIME", description = "only rows written before this moment")
    private @Nullable String until;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "how many at most, 1 to 1000 (default: ${DEFAULT-VALUE})")
    private int limit = 50;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            defaultValue = "UTC",
            description = "zone of the times shown and read (default: ${DEFAULT-VALUE})")
    private String zone = "UTC";

    @Override
    protected void check() {
        if (key == null && !failed) {
            throw new InvalidInputException("name a job's KEY, or write --failed for the failures of all jobs");
        }
        if (limit < 1 || limit > MOST_ROWS) {
            throw new InvalidInputException("--limit " + limit + " is not within 1 to " + MOST_ROWS);
        }
        Times.past("--since", since, zone);
        Times.past("--until", until, zone);
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        List<JobExecutionStatus> rows = rows(access.scheduler());
        RowAnswer answer = new RowAnswer(out, rows.subList(0, Math.min(limit, rows.size())), key == null);
        boolean more = rows.size() > limit || rows.size() == MOST_ROWS;
        if (out.isJson()) {
            answer.json(more, access.nodeLabels());
        } else if (rows.isEmpty()) {
            out.line(failed ? "no fire failed for good" : "no rows");
        } else {
            answer.table(Times.zone(zone), more);
        }
        return 0;
    }

    private List<JobExecutionStatus> rows(Scheduler scheduler) {
        Instant from = Times.past("--since", since, zone);
        Instant end = Times.past("--until", until, zone);
        if (key == null) {
            return scheduler.failures(from, end);
        }
        List<JobExecutionStatus> rows = scheduler.history(key);
        if (rows.isEmpty()) {
            throw new NotFoundException(
                    "no rows of a job '" + key + "': it was never scheduled, or its rows have expired");
        }
        return rows.stream()
                .filter(row -> !failed || row.executionStatus() == ExecutionStatus.FAILED)
                .filter(row -> from == null || !row.updatedTime().isBefore(from))
                .filter(row -> end == null || row.updatedTime().isBefore(end))
                .toList();
    }
}
