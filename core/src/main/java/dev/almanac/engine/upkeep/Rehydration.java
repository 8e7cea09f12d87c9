package dev.almanac.engine.upkeep;

import dev.almanac.engine.port.CalendarCalls;
import dev.almanac.engine.port.JobPages;
import dev.almanac.engine.port.Node;
import dev.almanac.engine.port.Partitions;
import dev.almanac.event.RehydrationSummary;
import dev.almanac.model.JobQuery;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import dev.almanac.store.JobList;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoreReport;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Reads the stored state when a node begins to claim (rule R12): a few reads of the store, each of bounded size. */
public final class Rehydration {
    private static final int COUNTED = 1_000;
    /** The largest number of missed fires that is counted. */
    private static final long MOST_FIRES = 100_000;

    private final Node node;
    private final CalendarCalls calendars;
    private final Set<String> types;

    /** @param types the command types that this node has */
    public Rehydration(Node node, CalendarCalls calendars, Set<String> types) {
        this.node = node;
        this.calendars = calendars;
        this.types = types;
    }

    public RehydrationSummary look(StoreReport store, List<NodeReport> liveNodes) {
        JobList first = node.store().list(JobQuery.all().limit(COUNTED));
        List<String> due = due(store.partitions());
        Map<MissedFirePolicy.Kind, Long> missed =
                missed(JobPages.load(node.store(), due), node.clock().now());
        long fires = missed.values().stream().mapToLong(Long::longValue).sum();
        int recurring = (int) first.jobs().stream()
                .filter(job -> job.specification().isRecurring())
                .count();
        return new RehydrationSummary(
                store.description(),
                Math.max(1, liveNodes.size()),
                first.jobs().size() - recurring,
                recurring,
                due.size(),
                missed,
                unrunnable(first.jobs(), liveNodes),
                first.more() || due.size() >= COUNTED || fires >= MOST_FIRES,
                warnings(store, first));
    }

    private List<String> due(int partitions) {
        DueQuery query = new DueQuery(
                types, Set.of(), Partitions.all(partitions), 0, 7, node.clock().now(), COUNTED);
        return node.store().due(query).stream().map(DueJob::id).toList();
    }

    private Map<MissedFirePolicy.Kind, Long> missed(Stream<StoredJob> due, Instant now) {
        Map<MissedFirePolicy.Kind, Long> missed = new EnumMap<>(MissedFirePolicy.Kind.class);
        long left = MOST_FIRES;
        for (StoredJob job : (Iterable<StoredJob>) due::iterator) {
            long passed = left > 0 ? passed(job, now) : 0;
            if (passed > 1) {
                missed.merge(job.specification().missedFirePolicy().kind(), passed, Long::sum);
                left -= passed;
            }
        }
        return missed;
    }

    /** How many planned fires have passed; 0 if this node cannot compute them. */
    private long passed(StoredJob job, Instant now) {
        Instant fire = job.plan().nextFireTime();
        boolean waits = fire != null && fire.isBefore(now) && !job.plan().isBegun();
        if (!waits || !job.specification().isRecurring()) {
            return 0;
        }
        try {
            return calendars.ask(
                    job.specification(), () -> node.planner().passed(job.specification(), job.plan(), now, MOST_FIRES));
        } catch (RuntimeException | Error e) {
            // an unknown calendar, damage, or a calendar that throws or does not return: the claim of the job reports
            // it
            return 0;
        }
    }

    private Map<String, Integer> unrunnable(List<StoredJob> jobs, List<NodeReport> liveNodes) {
        Set<String> runnable = new HashSet<>(types);
        liveNodes.forEach(live -> runnable.addAll(live.types()));
        Map<String, Integer> unrunnable = new TreeMap<>();
        for (StoredJob job : jobs) {
            if (!runnable.contains(job.command().type())) {
                unrunnable.merge(job.command().type(), 1, Integer::sum);
            }
        }
        return unrunnable;
    }

    private static List<String> warnings(StoreReport store, JobList first) {
        List<String> warnings = new ArrayList<>(store.warnings());
        first.damaged().forEach(job -> warnings.add("ALM-005 " + job.words() + " cannot be read: " + job.reason()));
        return warnings;
    }
}
