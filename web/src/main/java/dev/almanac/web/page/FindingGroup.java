package dev.almanac.web.page;

import dev.almanac.model.Finding;
import dev.almanac.model.Finding.Kind;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Findings of one kind.
 *
 * @param findings one or more
 */
record FindingGroup(Kind kind, List<Finding> findings) {
    private static final Set<Kind> OF_JOBS = EnumSet.of(
            Kind.OVERDUE,
            Kind.LEASE_NOT_RECOVERED,
            Kind.ROW_MISSING,
            Kind.FINISHED_WITH_DUE,
            Kind.NO_DUE_TIME,
            Kind.BLOCKED,
            Kind.PINNED);

    static List<FindingGroup> of(List<Finding> all) {
        Map<Kind, List<Finding>> kinds =
                all.stream().collect(Collectors.groupingBy(Finding::kind, LinkedHashMap::new, Collectors.toList()));
        return kinds.entrySet().stream()
                .map(kind -> new FindingGroup(kind.getKey(), kind.getValue()))
                .toList();
    }

    /** Whether the subjects are keys of jobs. */
    boolean isOfJobs() {
        return OF_JOBS.contains(kind);
    }

    /** What several of them are. */
    String words() {
        return switch (kind) {
            case OVERDUE -> "jobs are due and not claimed";
            case LEASE_NOT_RECOVERED -> "leases have ended, and no node has claimed their jobs";
            case ROW_MISSING -> "newest rows are missing";
            case FINISHED_WITH_DUE -> "finished jobs have a due time";
            case NO_DUE_TIME -> "live jobs have no due time";
            case INDEX -> "indexes are missing or differ";
            case FOREIGN -> "objects of others are in or over the collections";
            case UNSERVED -> "types or priorities are taken by no live node";
            case CLOCK_OFFSET -> "nodes have a clock that differs from the server's";
            case MIXED_ZONE_RULES -> "versions of the time zone rules differ";
            case DAMAGED -> "documents cannot be read";
            case BLOCKED -> "jobs are blocked";
            case PAUSED -> "pauses are in force";
            case NODE_LOST -> "nodes have ended without a drain";
            case GROUP_DAMAGED -> "groups cannot be read";
            case PINNED -> "jobs have pinned fields";
        };
    }

    /** Address of the page where they can be mended; absent if the console has none. */
    @Nullable
    String remedy() {
        String subject = findings.get(0).subject();
        return switch (kind) {
            case OVERDUE -> isOne() ? job(subject) : "/#overdue";
            case LEASE_NOT_RECOVERED -> isOne() ? job(subject) : "/jobs?state=RECOVERING";
            case BLOCKED -> isOne() ? job(subject) : "/jobs?state=BLOCKED";
            case ROW_MISSING, FINISHED_WITH_DUE, NO_DUE_TIME, PINNED -> isOne() ? job(subject) : null;
            case UNSERVED -> "/jobs?type=" + Frame.encoded(String.valueOf(subject));
            case PAUSED, GROUP_DAMAGED -> "/pauses";
            case NODE_LOST, CLOCK_OFFSET, MIXED_ZONE_RULES -> "/nodes";
            case DAMAGED -> subject == null ? "/jobs" : "/jobs?prefix=" + Frame.encoded(subject);
            case INDEX, FOREIGN -> null;
        };
    }

    /** What that page is for. */
    String action() {
        return switch (kind) {
            case PAUSED -> "see and end the pauses";
            case GROUP_DAMAGED -> "see the groups";
            case NODE_LOST, CLOCK_OFFSET, MIXED_ZONE_RULES -> "see the nodes";
            case UNSERVED -> isOne() ? "see its jobs" : "see the jobs of the first";
            default -> isOne() ? "see the job" : "see the jobs";
        };
    }

    private boolean isOne() {
        return findings.size() == 1;
    }

    private static @Nullable String job(@Nullable String key) {
        return key == null ? null : "/job?key=" + Frame.encoded(key);
    }
}
