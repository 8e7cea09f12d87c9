package dev.almanac.web.page;

import dev.almanac.model.Progress;
import dev.almanac.model.StandingPause;
import dev.almanac.store.DueCounts;
import dev.almanac.store.ExtraRun;
import dev.almanac.store.Lease;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoredJob;
import dev.almanac.web.read.Doctor;
import dev.almanac.web.read.StoreReader;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The overview of the present state.
 *
 * @param running what has a lease, of what this viewer may see
 * @param runs number of runs that the nodes report
 * @param due what is due within the hour
 * @param overdue the oldest, of what this viewer may see
 * @param reasons of overdue jobs; where a viewer sees all applications, also of those that are not listed
 * @param waiting how the overdue jobs were counted
 * @param oldest due time of the first of them
 * @param types whether this viewer may see the names of command types
 * @param failed fires that failed for good today
 * @param missed planned fires that passed without a run today
 * @param hour what the nodes have run within the last hour
 * @param nodes live and silent
 * @param pauses of kinds of jobs, in force, as this viewer may see them
 * @param doctor the last check; absent if there was none yet
 */
record NowPage(
        List<Run> running,
        long runs,
        DueCounts due,
        List<Late> overdue,
        List<Why.Group> reasons,
        DueCounts waiting,
        @Nullable Instant oldest,
        boolean types,
        long failed,
        long missed,
        LastHour hour,
        List<NodeLine> nodes,
        List<StandingPause> pauses,
        Doctor.@Nullable Visit doctor) {
    static final Columns<Run> RUNNING = new Columns<Run>()
            .by("running.job", Run::key)
            .by("running.state", run -> run.chip().text())
            .by("running.type", Run::type)
            .by("running.node", Run::node)
            .by("running.due", Run::due)
            .by("running.attempt", Run::attempt)
            .by(
                    "running.progress",
                    run -> run.progress() == null ? null : run.progress().text())
            .by("running.lease", Run::leaseUntil);
    static final Columns<Late> OVERDUE = new Columns<Late>()
            .by("overdue.job", Late::key)
            .by("overdue.type", Late::type)
            .by("overdue.due", Late::due)
            .by("overdue.why", late -> late.why().text());

    /**
     * A job with a lease. When its code was started is known to its node only, until the row of the run is written.
     *
     * @param due when this attempt was to start; the request of a run now; absent = unknown
     * @param requested whether it is a run now
     * @param attempt 1 for the first
     */
    record Run(
            String key,
            Chip chip,
            String type,
            String node,
            @Nullable Instant due,
            boolean requested,
            int attempt,
            @Nullable Progress progress,
            Instant leaseUntil) {
        static Run of(StoredJob job, Lease lease, List<NodeReport> nodes, Instant now) {
            Instant planned = job.plan().startTime();
            ExtraRun extra = job.requests().extraRun();
            Instant asked = extra != null && job.isRunByHand() ? extra.carriedOut() : null;
            boolean requested = asked != null;
            return new Run(
                    job.key(),
                    Chip.of(job, List.of(), now),
                    job.command().type(),
                    NodeLine.label(nodes, lease.owner()),
                    requested ? asked : planned,
                    requested,
                    requested ? 1 : job.plan().attempts() + 1,
                    job.progress(),
                    lease.until());
        }
    }

    /** A job that should have been claimed. */
    record Late(String key, String type, Instant due, Why why) {}

    static NowPage of(StoreReader storeReader, PageRequest call) {
        Instant now = call.clock().now();
        DueCounts due = storeReader.nextHour();
        StoreReader.Overdue overdue = storeReader.overdue();
        List<StandingPause> pauses = storeReader.pauses().stream()
                .filter(pause -> pause.isInForce(now))
                .toList();
        boolean all = call.viewer().sees().all();
        Why.Cluster cluster = Why.Cluster.of(storeReader, now);
        List<Late> lates = lates(overdue, call, cluster);
        return new NowPage(
                runs(storeReader, call),
                storeReader.running().inAll(),
                due,
                lates,
                reasons(lates, overdue.counts(), cluster, all),
                overdue.counts(),
                earliest(overdue.counts()),
                all,
                storeReader.failuresSince(call.clock().today()),
                storeReader.missedSince(call.clock().today()),
                LastHour.of(storeReader.lastHour(), now),
                NodeLine.all(storeReader.nodes(), pauses, now, all),
                pauses.stream().map(pause -> JobVisibility.shown(call, pause)).toList(),
                all ? storeReader.doctor().visit() : null);
    }

    private static List<Run> runs(StoreReader storeReader, PageRequest call) {
        return storeReader.running().jobs().stream()
                .filter(job -> JobVisibility.isSeen(call, job))
                .flatMap(job -> Stream.ofNullable(job.lease())
                        .map(lease -> Run.of(
                                job, lease, storeReader.nodes(), call.clock().now())))
                .toList();
    }

    private static List<Late> lates(StoreReader.Overdue overdue, PageRequest call, Why.Cluster cluster) {
        return overdue.oldest().stream()
                .filter(job -> JobVisibility.isSeen(call, job))
                .map(job -> new Late(
                        job.key(),
                        job.command().type(),
                        job.due() == null ? cluster.now() : job.due(),
                        Why.of(job, cluster, JobVisibility.hasErrors(call, job))))
                .toList();
    }

    /** What holds back a whole type is counted for all of its jobs, else for those that are listed. */
    private static List<Why.Group> reasons(List<Late> lates, DueCounts counts, Why.Cluster cluster, boolean all) {
        Map<Why, Long> counted = Why.counted(lates.stream()
                .filter(late -> !all || Why.ofType(late.type(), cluster) == null)
                .map(Late::why));
        for (DueCounts.Slice slice : all ? counts.slices() : List.<DueCounts.Slice>of()) {
            Why why = Why.ofType(slice.type(), cluster);
            if (why != null) {
                counted.merge(why, slice.jobs(), Long::sum);
            }
        }
        return Why.groups(counted, 1);
    }

    private static @Nullable Instant earliest(DueCounts counts) {
        return counts.slices().stream()
                .map(DueCounts.Slice::earliest)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** How many jobs of a type are due. */
    record Due(String type, long jobs) {}

    /** What is due within the hour by type, the most first. */
    List<Due> dueByType() {
        Map<String, Long> jobs = due.slices().stream()
                .collect(Collectors.groupingBy(DueCounts.Slice::type, Collectors.summingLong(DueCounts.Slice::jobs)));
        return jobs.entrySet().stream()
                .map(type -> new Due(type.getKey(), type.getValue()))
                .sorted(Comparator.comparing(Due::jobs).reversed().thenComparing(Due::type))
                .toList();
    }

    long live() {
        return nodes.stream().filter(NodeLine::isLive).count();
    }

    long silent() {
        return nodes.stream().filter(NodeLine::isSilent).count();
    }

    /** A count as text; estimates and bounded counts are marked. */
    static String count(DueCounts counts) {
        long jobs = counts.jobs();
        if (counts.more()) {
            return "at least " + grouped(jobs);
        }
        return counts.oneOf() == 1 ? grouped(jobs) : "about " + grouped(jobs);
    }

    static String counted(long number) {
        return number >= StoreReader.COUNTED ? "at least " + grouped(number) : grouped(number);
    }

    static String grouped(long number) {
        return String.format(java.util.Locale.ROOT, "%,d", number).replace(',', '\u202f');
    }
}
