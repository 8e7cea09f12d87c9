package dev.almanac.web.page;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.NewestFailures;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import dev.almanac.web.Applications;
import dev.almanac.web.Viewer;
import dev.almanac.web.read.StoreReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Fires that failed for good, grouped by error and command type.
 *
 * @param groups those with the most failures first
 * @param since from when on
 * @param typed the start as it was typed
 * @param type of the commands; absent = all
 * @param until before when; absent = up to now
 * @param from how many jobs of each group earlier pages have listed
 * @param older until when further failures have happened, of which none was read; absent if there are none
 * @param read how many failures were read
 * @param inAll how many there are, up to 10 000
 * @param mayChange whether this viewer may run some again
 */
record FailuresPage(
        List<Group> groups,
        Instant since,
        String typed,
        @Nullable String type,
        @Nullable Instant until,
        int from,
        @Nullable Instant older,
        int read,
        long inAll,
        boolean mayChange) {
    static final List<String> SPANS = List.of("1h", "today", "24h", "7d", "30d");
    /** The fields that name a group. */
    static final List<String> GROUP = List.of("error", "type", "since", "until");

    private static final int MOST_READ = 1_000;
    /** Of so many parts the viewer may see nothing, or nothing may be of the type. */
    private static final int MOST_PARTS = 10;

    /** Jobs are loaded for so many failures at once. */
    private static final int LOADED = 100;

    private static final long PATIENCE_NANOS = 1_000_000_000;

    /**
     * Failures that look alike.
     *
     * @param error class of the exception, or the outcome if there was none
     * @param type of the command; absent if its job is gone
     * @param jobs those that failed, at most 100, the newest first
     * @param open how many jobs of the group have a failure that is open (rule S19)
     * @param more how many jobs follow these
     */
    record Group(
            String error,
            @Nullable String type,
            int count,
            Instant first,
            Instant last,
            JobExecutionStatus example,
            List<Failed> jobs,
            int open,
            int more) {
        /** Whether an action can be for some of these jobs. */
        public boolean hasSelectable() {
            return jobs.stream().anyMatch(job -> job.reference() != null);
        }
    }

    /**
     * A job that failed.
     *
     * @param reference its name in forms; absent if it was removed, or has failed again since, of which this group tells nothing
     * @param open whether none of its fires has gone well since, and no user has acknowledged it
     * @param removed whether the job is not there
     */
    record Failed(String key, @Nullable JobReference reference, boolean open, boolean removed) {}

    /**
     * What is used of the job of a row.
     *
     * @param type that has failed, not that of the failure command, which may be to be delivered. Rows do not hold it: after
     *     a change of the type it is the present one
     */
    record Known(JobReference reference, @Nullable String application, String type) {
        private static Known of(StoredJob job) {
            return new Known(
                    JobReference.of(job),
                    job.specification().applicationTag().orElse(null),
                    ((EncodedCommand) job.specification().triggerCommand()).type());
        }

        /** Whether rights to these include the job; absent = one that was removed. */
        static boolean isAmong(Applications rights, @Nullable Known job) {
            return job == null ? rights.all() : rights.include(job.application());
        }
    }

    /** The key of a group of failures. */
    private record Alike(String error, @Nullable String type) {}

    static FailuresPage of(StoreReader storeReader, Setup setup, PageRequest call) {
        String typed = Objects.requireNonNullElse(call.parameter("since"), "today");
        Instant since = Moments.back(call, "since", typed);
        Instant until = Moments.back(call, "until");
        Instant before = until == null ? call.clock().now().plusSeconds(1) : until;
        String type = call.parameter("type");
        int from = call.count("jobs");
        Found found = found(storeReader, call, false, since, before, type, 1, MOST_READ);
        Instant older = found.older();
        int seen = found.rows().size();
        boolean all = call.viewer().sees().all();
        return new FailuresPage(
                groups(found.rows(), found.jobs(), new NewestFailures(storeReader::rows, until, null), from),
                since,
                typed,
                type,
                until,
                from,
                older,
                seen,
                all && older != null && until == null && type == null ? storeReader.failuresSince(since) : seen,
                setup.changes() && !call.viewer().changes().isEmpty());
    }

    /**
     * Failures as a viewer may see them.
     *
     * @param rows the newest first
     * @param jobs of these rows, by id, as far as they are there
     * @param older until when further failures have happened, of which none is among these; absent if there are none
     */
    record Found(
            List<JobExecutionStatus> rows,
            Map<String, Known> jobs,
            @Nullable Instant older) {}

    /**
     * Reads part after part until enough failures are found that the viewer may see, or it has taken too long.
     *
     * @param open only the newest one of each job whose failures are open (rule S19)
     * @param since absent = from the first one on
     * @param until before when; absent = up to now
     * @param type of their commands; absent = all
     * @param enough no further part is read behind so many
     * @param most no further job is looked at behind more than so many
     */
    static Found found(
            StoreReader storeReader,
            PageRequest call,
            boolean open,
            @Nullable Instant since,
            @Nullable Instant until,
            @Nullable String type,
            int enough,
            int most) {
        NewestFailures newest = new NewestFailures(storeReader::rows, open ? until : null, null);
        List<JobExecutionStatus> found = new ArrayList<>();
        Map<String, Known> jobs = new HashMap<>();
        Instant older = until;
        long start = storeReader.nanos();
        int parts = 0;
        do {
            RowQuery query = RowQuery.ofFailures(since, older, MOST_READ);
            List<JobExecutionStatus> page = storeReader.rows(query);
            List<JobExecutionStatus> rows = query.whole(page);
            for (int from = 0; from < rows.size() && found.size() <= most; from += LOADED) {
                List<JobExecutionStatus> some = rows.subList(from, Math.min(from + LOADED, rows.size()));
                jobs.putAll(jobs(
                        storeReader,
                        some.stream()
                                .filter(row -> !jobs.containsKey(row.jobSpecificationId()))
                                .toList()));
                seen(call, some, jobs, type).stream()
                        .filter(row ->
                                !open || isOpen(jobs.get(row.jobSpecificationId())) && isNewest(row, jobs, newest))
                        .forEach(found::add);
            }
            older = query.isLast(page) ? null : oldest(rows);
            parts++;
        } while (older != null
                && found.size() < enough
                && parts < MOST_PARTS
                && storeReader.nanos() - start <= PATIENCE_NANOS);
        return new Found(found, jobs, older);
    }

    /** Whether the job is there, and this is the newest of its failures. */
    private static boolean isNewest(JobExecutionStatus row, Map<String, Known> jobs, NewestFailures newest) {
        Known job = jobs.get(row.jobSpecificationId());
        return job != null
                && newest.isNewest(row, Instant.ofEpochMilli(job.reference().at()));
    }

    private static boolean isOpen(@Nullable Known job) {
        return job != null && job.reference().failures() > 0;
    }

    /** The rows of a type, absent = of all, as the viewer may see them. */
    private static List<JobExecutionStatus> seen(
            PageRequest call, List<JobExecutionStatus> rows, Map<String, Known> jobs, @Nullable String type) {
        Viewer viewer = call.viewer();
        return rows.stream()
                .filter(row -> Known.isAmong(viewer.sees(), jobs.get(row.jobSpecificationId())))
                .filter(row -> type == null || type.equals(type(jobs.get(row.jobSpecificationId()))))
                .map(row ->
                        Known.isAmong(viewer.errors(), jobs.get(row.jobSpecificationId())) ? row : HiddenErrors.of(row))
                .toList();
    }

    /**
     * The jobs of a group whose newest failure is in it, however many.
     *
     * @param filtered has the fields of {@link #GROUP}
     * @param known what has failed from then on does not count; absent = it does
     */
    static Matches matching(StoreReader storeReader, PageRequest filtered, @Nullable Instant known, Duration patience) {
        String error = filtered.required("error");
        String type = filtered.required("type");
        Instant since = Moments.back(filtered, "since", filtered.required("since"));
        Instant before = Moments.back(filtered, "until", filtered.required("until"));
        NewestFailures newest = new NewestFailures(storeReader::rows, before, known);
        Map<String, JobReference> found = new LinkedHashMap<>();
        long start = storeReader.nanos();
        while (true) {
            RowQuery query = RowQuery.ofFailures(since, before, MOST_READ);
            List<JobExecutionStatus> page = storeReader.rows(query);
            List<JobExecutionStatus> rows = query.whole(page);
            Map<String, Known> jobs = jobs(storeReader, rows);
            seen(filtered, rows, jobs, type).stream()
                    .filter(row -> isNewest(row, jobs, newest))
                    .filter(row -> error(row).equals(error))
                    .forEach(row -> found.computeIfAbsent(
                            row.jobSpecificationKey(),
                            key -> Objects.requireNonNull(jobs.get(row.jobSpecificationId()))
                                    .reference()));
            boolean rest = !query.isLast(page);
            boolean more = found.size() > Matches.MOST;
            boolean late = rest && storeReader.nanos() - start > patience.toNanos();
            if (!rest || more || late) {
                return new Matches(List.copyOf(found.values()), List.of(), more, late);
            }
            before = oldest(rows);
        }
    }

    /** The fields by which a form names all jobs of a group, as an address has them. */
    String filter(Group group, Instant now) {
        return "error=" + Frame.encoded(group.error()) + "&type=" + Frame.encoded(String.valueOf(group.type()))
                + "&since=" + since + "&until=" + (until == null ? now.plusSeconds(1) : until);
    }

    private static String error(JobExecutionStatus row) {
        return row.error() == null ? row.outcome().name() : row.error().type();
    }

    private static Instant oldest(List<JobExecutionStatus> rows) {
        return rows.get(rows.size() - 1).updatedTime();
    }

    private static @Nullable String type(@Nullable Known job) {
        return job == null ? null : job.type();
    }

    /** How many there are, as far as they were read. */
    String count() {
        return (older != null && inAll <= read ? "at least " : "") + NowPage.counted(inAll);
    }

    /** Address of the page that continues the lists of jobs. */
    String next(Frame frame) {
        String path = since(frame, typed) + "&jobs=" + (from + ActPage.MOST);
        return until == null ? path : path + "&until=" + until;
    }

    /** Address of the failures of all types of the same time. */
    String allTypes(Frame frame) {
        String path = frame.link("/failures", "since", typed);
        return until == null ? path : path + "&until=" + until;
    }

    /** Address of the failures since another moment, up to now. */
    String since(Frame frame, String moment) {
        String path = frame.link("/failures", "since", moment);
        return type == null ? path : path + "&type=" + Frame.encoded(type);
    }

    /** The jobs of rows, by id, as far as they are there. */
    static Map<String, Known> jobs(StoreReader storeReader, List<JobExecutionStatus> rows) {
        List<String> ids = rows.stream()
                .map(JobExecutionStatus::jobSpecificationId)
                .distinct()
                .toList();
        return storeReader.load(ids, Known::of);
    }

    private static List<Group> groups(
            List<JobExecutionStatus> rows, Map<String, Known> jobs, NewestFailures newestFailures, int from) {
        Set<String> newest = rows.stream()
                .filter(row -> isNewest(row, jobs, newestFailures))
                .map(JobExecutionStatus::id)
                .collect(Collectors.toSet());
        Map<Alike, List<JobExecutionStatus>> alike = new LinkedHashMap<>();
        for (JobExecutionStatus row : rows) {
            Known job = jobs.get(row.jobSpecificationId());
            alike.computeIfAbsent(new Alike(error(row), type(job)), a -> new ArrayList<>())
                    .add(row);
        }
        return alike.entrySet().stream()
                .map(group -> group(group.getKey(), group.getValue(), jobs, newest, from))
                .filter(group -> from == 0 || !group.jobs().isEmpty())
                .sorted(Comparator.comparing(Group::count)
                        .reversed()
                        .thenComparing(Group::last, Comparator.reverseOrder()))
                .toList();
    }

    private static Group group(
            Alike alike, List<JobExecutionStatus> rows, Map<String, Known> stored, Set<String> newest, int from) {
        Map<String, Failed> failed = new LinkedHashMap<>();
        for (JobExecutionStatus row : rows) {
            Known job = stored.get(row.jobSpecificationId());
            // a job that was run again and has failed again is one job; the form names its newest document
            failed.putIfAbsent(
                    row.jobSpecificationKey(),
                    new Failed(
                            row.jobSpecificationKey(),
                            job != null && newest.contains(row.id()) ? job.reference() : null,
                            isOpen(job) && newest.contains(row.id()),
                            job == null));
        }
        List<Failed> jobs = failed.values().stream().skip(from).toList();
        return new Group(
                alike.error(),
                alike.type(),
                rows.size(),
                rows.get(rows.size() - 1).updatedTime(),
                rows.get(0).updatedTime(),
                rows.get(0),
                jobs.subList(0, Math.min(jobs.size(), ActPage.MOST)),
                (int) failed.values().stream().filter(Failed::open).count(),
                Math.max(0, jobs.size() - ActPage.MOST));
    }
}
