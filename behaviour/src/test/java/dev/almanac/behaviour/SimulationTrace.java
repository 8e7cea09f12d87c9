package dev.almanac.behaviour;

import dev.almanac.model.JobExecutionStatus;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.JobChange;
import dev.almanac.store.StoredJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What happened, line by line, for finding the cause of a violation. Keeps nothing unless it is asked to. */
final class SimulationTrace {
    private static final Set<String> DULL =
            Set.of("due", "serverTime", "cluster", "commandCodec", "open", "list", "find", "inspect", "missingRows");

    private final TimeSource time;
    private final boolean kept;
    private final List<String> lines = new ArrayList<>();

    SimulationTrace(TimeSource time, boolean kept) {
        this.time = time;
        this.kept = kept;
    }

    List<String> lines() {
        return lines;
    }

    void write(String what) {
        if (kept) {
            lines.add(time.wall() + " " + what);
        }
    }

    /** A request that has arrived at the server, and what came of it. */
    void call(String method, Object @Nullable [] arguments, @Nullable Object answer) {
        if (!kept || DULL.contains(method)) {
            return;
        }
        String how = answer instanceof Throwable ? " failed: " + answer : "";
        Object what = arguments == null ? "" : arguments[0];
        if (what instanceof ClaimRequest request) {
            write("claim " + request.lease() + how + (answer instanceof ClaimResult result ? jobs(result.jobs()) : ""));
        } else if (method.equals("write")) {
            write("write" + how);
            List<?> changes = (List<?>) what;
            for (int i = 0; i < changes.size(); i++) {
                lines.add("      " + (answer instanceof List<?> applied ? applied.get(i) : "?") + " "
                        + change((JobChange) changes.get(i)));
            }
        } else {
            write(method + how + " " + what + " -> " + (answer instanceof List<?> list ? rows(list) : answer));
        }
    }

    private static String change(JobChange change) {
        return change.by() + " " + words(change.before()) + "\n        after " + words(change.after())
                + rows(change.rows());
    }

    private static String jobs(List<StoredJob> jobs) {
        return jobs.stream().map(job -> "\n      " + words(job)).collect(Collectors.joining());
    }

    private static String rows(List<?> list) {
        return list.stream()
                .map(item -> item instanceof JobExecutionStatus row ? words(row) : String.valueOf(item))
                .toList()
                .toString();
    }

    private static String words(JobExecutionStatus row) {
        String missed = row.missed() == null ? "" : " " + row.missed();
        return "row " + row.id() + " " + row.outcome() + " " + row.updatedTime() + missed + " " + row.detail();
    }

    private static String words(StoredJob job) {
        String lease = job.lease() == null
                ? "none"
                : job.lease().owner() + " " + job.lease().token() + " until "
                        + job.lease().until();
        return job.key() + " v" + job.specification().version() + " due " + job.due() + " lease " + lease + " "
                + job.sequences() + " " + job.phase() + " " + job.plan() + " " + job.requests() + " blocked "
                + job.blocked() + " last " + job.lastStatus().id() + " "
                + job.lastStatus().outcome();
    }
}
