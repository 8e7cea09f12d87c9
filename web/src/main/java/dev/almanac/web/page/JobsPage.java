package dev.almanac.web.page;

import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobState;
import dev.almanac.model.StandingPause;
import dev.almanac.store.DamagedJob;
import dev.almanac.store.PersonalChange;
import dev.almanac.store.StoredJob;
import dev.almanac.web.Applications;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.read.JobSearch;
import dev.almanac.web.read.StoreReader;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A page of jobs.
 *
 * @param lines in the order of their keys
 * @param damaged documents that cannot be read
 * @param filter the filters, by name, as they were typed; of a state its name
 * @param fixed the filters for a later form, in which times from now are moments
 * @param next address of the next page; absent if there is none, or the page is not full yet
 * @param search how far the search for them is
 * @param stored about how many jobs are stored, while the search goes on; else 0
 */
record JobsPage(
        List<Line> lines,
        List<DamagedJob> damaged,
        Map<String, String> filter,
        Map<String, String> fixed,
        @Nullable String next,
        JobSearch.Progress search,
        long stored) {
    static final List<String> NAMES =
            List.of("prefix", "type", "tag", "application", "requestor", "calendar", "group", "state", "from", "until");
    static final Columns<Line> LINES = new Columns<Line>()
            .by("jobs.key", Line::key)
            .by("jobs.state", line -> line.chip().text())
            .by("jobs.why", line -> line.why().text())
            .by("jobs.type", Line::type)
            .by("jobs.schedule", Line::schedule)
            .by("jobs.next", Line::next)
            .by("jobs.application", Line::application);
    private static final int MOST_LINES = 50;
    private static final int LONG = 25_000;

    /** A job in a list. */
    record Line(
            String key,
            JobReference reference,
            String type,
            @Nullable String application,
            String schedule,
            @Nullable Instant next,
            Chip chip,
            boolean pinned,
            Why why) {
        /** @param errors whether the viewer may see messages of exceptions */
        static Line of(StoredJob job, Why.Cluster cluster, boolean errors) {
            JobSpecification specification = job.specification();
            return new Line(
                    job.key(),
                    JobReference.of(job),
                    job.command().type(),
                    specification.applicationTag().orElse(null),
                    schedule(specification),
                    job.isLive() ? job.plan().startTime() : null,
                    Chip.of(job, cluster.pauses(), cluster.now()),
                    !PersonalChange.pins(job.requests().personal(), cluster.now())
                            .isEmpty(),
                    Why.of(job, cluster, errors));
        }

        private static String schedule(JobSpecification specification) {
            return specification.schedulingSpecification().orElse("once");
        }
    }

    static JobsPage of(StoreReader storeReader, PageRequest call, SealedKeys keys) {
        List<StandingPause> pauses = storeReader.pauses();
        Instant now = call.clock().now();
        Why.Cluster cluster = Why.Cluster.of(storeReader, now);
        String after = call.parameter("after");
        JobQuery query = query(call);
        boolean all = call.viewer().sees().all();
        Map<String, String> filter = filter(call);
        JobSearch.Progress search = storeReader.search(
                List.of(call.viewer(), call.clock().zone(), filter, String.valueOf(after)),
                after == null ? query : query.after(all ? after : keys.open(after)),
                now,
                pauses,
                isCounted(call.viewer().sees(), query.applicationTag()));
        List<Line> lines = search.jobs().stream()
                .filter(job -> JobVisibility.isSeen(call, job))
                .map(job -> Line.of(job, cluster, JobVisibility.hasErrors(call, job)))
                .toList();
        String next = search.next();
        // a page ends where the scan has ended, which may be at a job that this viewer may not see
        return new JobsPage(
                lines,
                all ? search.damaged() : List.of(),
                filter,
                fixed(call),
                next == null ? null : next(filter, all ? next : keys.seal(next), call.parameter("sort")),
                search,
                search.isOver() || !all ? 0 : storeReader.stored());
    }

    /** The number of jobs that a viewer may not see tells that there are some. */
    private static boolean isCounted(Applications sees, @Nullable String application) {
        return sees.all() || application != null && sees.include(application);
    }

    /** How many jobs match, as far as that is known. */
    String count() {
        Long matches = search.matches();
        if (!search.isOver()) {
            return "so far " + NowPage.grouped(matches == null ? lines.size() : matches);
        }
        return matches == null
                ? (next == null ? "" : "at least ") + NowPage.grouped(lines.size())
                : NowPage.counted(matches);
    }

    /** Whether the search was too long to be repeated with each refresh. */
    boolean isLong() {
        return search.isOver() && search.examined() >= LONG;
    }

    /** A filter as the query of an address; empty if there is none. */
    static String query(Map<String, String> filter) {
        return address(filter, Map.of()).substring("/jobs".length()).replaceFirst("^\\?", "");
    }

    /** A filter as people read it. */
    static String words(Map<String, String> filter) {
        return filter.entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining(", "));
    }

    /** The actions for the jobs of this list. */
    List<JobActions> actions() {
        return JobActions.ofList(filter.get("state"));
    }

    /** Reasons that several rows have. */
    List<Why.Group> reasons() {
        return Why.groups(Why.counted(lines.stream().map(Line::why)), 2);
    }

    /** The jobs of the filter, from the first on. */
    static JobQuery query(PageRequest call) {
        return new JobQuery(
                call.parameter("requestor"),
                call.parameter("tag"),
                application(call),
                state(call),
                call.parameter("prefix"),
                call.parameter("type"),
                call.parameter("calendar"),
                call.parameter("group"),
                Moments.ahead(call, "from"),
                Moments.ahead(call, "until"),
                null,
                MOST_LINES,
                null);
    }

    /** The application that is asked for, or the only one of which the viewer may see jobs; absent = several. */
    static @Nullable String application(PageRequest call) {
        Applications sees = call.viewer().sees();
        String application = call.parameter("application");
        boolean one = application == null && !sees.all() && sees.tags().size() == 1;
        return one ? sees.tags().iterator().next() : application;
    }

    private static @Nullable JobState state(PageRequest call) {
        String state = call.parameter("state");
        if (state == null) {
            return null;
        }
        try {
            return JobState.valueOf(state.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            String all = Stream.of(JobState.values()).map(JobState::name).collect(Collectors.joining(", "));
            throw Refusal.ofValue("state", state, "is no state of a job; there are " + all + ".");
        }
    }

    static Map<String, String> filter(PageRequest call) {
        Map<String, String> filter = new LinkedHashMap<>();
        for (String name : NAMES) {
            String value = call.parameter(name);
            if (value != null) {
                filter.put(name, value);
            }
        }
        JobState state = state(call);
        if (state != null) {
            filter.put("state", state.name());
        }
        return filter;
    }

    private static Map<String, String> fixed(PageRequest call) {
        Map<String, String> filter = filter(call);
        for (String name : List.of("from", "until")) {
            filter.computeIfPresent(name, (moment, typed) -> Moments.fixed(call, moment));
        }
        return filter;
    }

    private static String next(Map<String, String> filter, String after, @Nullable String sort) {
        Map<String, String> others = new LinkedHashMap<>();
        others.put("after", after);
        if (sort != null) {
            others.put("sort", sort);
        }
        return address(filter, others);
    }

    /** The address of this list with other values. */
    static String address(Map<String, String> filter, Map<String, String> others) {
        Map<String, String> all = new LinkedHashMap<>(filter);
        all.putAll(others);
        return "/jobs"
                + (all.isEmpty()
                        ? ""
                        : all.entrySet().stream()
                                .map(e -> e.getKey() + "=" + Frame.encoded(e.getValue()))
                                .collect(Collectors.joining("&", "?", "")));
    }
}
