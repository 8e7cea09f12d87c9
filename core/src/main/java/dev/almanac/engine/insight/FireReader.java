package dev.almanac.engine.insight;

import dev.almanac.engine.port.Node;
import dev.almanac.engine.rules.CalendarPeriods;
import dev.almanac.engine.rules.FireAccounting;
import dev.almanac.engine.rules.Rows;
import dev.almanac.model.FireAccount;
import dev.almanac.model.FireReport;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.StandingPause;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads what is known of the fires of jobs: after the documents pauses and calendars, once for all, and rows, for several
 * jobs at a time. For one thread.
 */
final class FireReader {
    /** Of one job, and of several together. */
    private static final int MOST_ROWS = 3_000;

    private static final int AT_ONCE = 100;

    private final Node node;
    private final Instant since;
    private final Instant now;
    private final List<StandingPause> pauses;
    private final Set<String> names = new HashSet<>();
    private final List<StoredCalendar> replaced = new ArrayList<>();
    private @Nullable List<StoredCalendar> current;
    private CalendarPeriods calendars;

    /** Reads of jobs that were read before. */
    FireReader(Node node, Instant since) {
        this.node = node;
        this.since = since;
        this.now = node.clock().now();
        this.pauses = node.store().cluster().control().pauses();
        this.calendars = node.calendars().periods(List.of(), List.of());
    }

    /** A fire without an account is reported only if it has none either when its job is read again, by itself. */
    void read(Iterable<StoredJob> jobs, Consumer<FireReport> reader) {
        Map<String, StoredJob> left = new LinkedHashMap<>();
        jobs.forEach(job -> left.put(job.id(), job));
        while (!left.isEmpty()) {
            List<String> ids = left.keySet().stream().limit(AT_ONCE).toList();
            rows(ids).forEach((id, rows) -> {
                FireReport report = report(Objects.requireNonNull(left.remove(id)), rows);
                reader.accept(report.count(FireAccount.Kind.UNACCOUNTED) == 0 ? report : again(id, report));
            });
        }
    }

    FireReport report(StoredJob job) {
        return report(job, rows(job.id()));
    }

    private FireReport again(String id, FireReport first) {
        return node.store().load(List.of(id)).stream()
                .map(job -> new FireReader(node, since).report(job))
                .findFirst()
                .orElse(first);
    }

    private List<JobExecutionStatus> rows(String id) {
        return node.store().rows(RowQuery.ofDocument(id, MOST_ROWS));
    }

    /** Of some of the jobs all rows, or as many as are read of one. */
    private Map<String, List<JobExecutionStatus>> rows(List<String> ids) {
        if (ids.size() == 1) {
            return Map.of(ids.get(0), rows(ids.get(0)));
        }
        List<JobExecutionStatus> read = node.store().rows(ids, MOST_ROWS);
        Map<String, List<JobExecutionStatus>> rows = read.stream()
                .collect(Collectors.groupingBy(
                        JobExecutionStatus::jobSpecificationId, LinkedHashMap::new, Collectors.toList()));
        if (read.size() < MOST_ROWS) {
            ids.forEach(id -> rows.putIfAbsent(id, List.of()));
            return rows;
        }
        String last = read.get(read.size() - 1).jobSpecificationId();
        List<JobExecutionStatus> newest = Objects.requireNonNull(rows.remove(last));
        return rows.isEmpty() ? Map.of(last, newest) : rows;
    }

    private FireReport report(StoredJob job, List<JobExecutionStatus> newest) {
        Instant oldest =
                newest.size() < MOST_ROWS ? null : newest.get(MOST_ROWS - 1).updatedTime();
        List<JobExecutionStatus> rows =
                new ArrayList<>(Rows.withShown(newest, job, now, RowQuery.ofDocument(job.id(), Integer.MAX_VALUE)));
        if (rows.isEmpty() || !rows.get(0).id().equals(job.lastStatus().id())) {
            rows.removeIf(row -> row.id().equals(job.lastStatus().id()));
            rows.add(job.lastStatus());
        }
        rows.sort(Comparator.comparing(JobExecutionStatus::updatedTime));
        // they are read before the planner is asked, which knows those that were read
        CalendarPeriods periods = calendars(job, rows);
        return FireAccounting.report(
                new FireAccounting.Known(job, rows, oldest, node.planner(), periods, job.stateAt(now, pauses)),
                since,
                now);
    }

    private CalendarPeriods calendars(StoredJob job, List<JobExecutionStatus> rows) {
        Set<String> more = new TreeSet<>(job.specification().calendars());
        rows.stream()
                .map(JobExecutionStatus::former)
                .filter(Objects::nonNull)
                .forEach(former -> more.addAll(former.calendars()));
        more.removeAll(names);
        if (!more.isEmpty()) {
            if (current == null) {
                current = node.calendars().readAll(node.store().cluster(), node.clock());
            }
            replaced.addAll(node.store().cluster().calendarVersions(more));
            names.addAll(more);
            calendars = node.calendars().periods(current, replaced);
        }
        return calendars;
    }
}
