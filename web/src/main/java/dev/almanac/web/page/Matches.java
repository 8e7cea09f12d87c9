package dev.almanac.web.page;

import dev.almanac.model.JobQuery;
import dev.almanac.model.StandingPause;
import dev.almanac.store.DamagedJob;
import dev.almanac.store.JobList;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.read.StoreReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All jobs of a filter, or of a group of failures, that the viewer may see.
 *
 * @param jobs in the order of their keys, or of their failures
 * @param damaged those whose documents cannot be read, for viewers of all applications
 * @param more whether there are more than {@value #MOST}; the others are not among these then
 * @param late whether the look for them has ended before its end, since it took too long
 */
record Matches(List<JobReference> jobs, List<DamagedJob> damaged, boolean more, boolean late) {
    /** How many jobs an action can be for. */
    static final int MOST = 100_000;

    /** How long a viewer waits for their number. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** In the background. */
    static final Duration WITHOUT_BOUND = Duration.ofDays(1);

    private static final int PAGE = 1_000;
    private static final int WINDOW = 25_000;

    /**
     * @param filtered has the fields of the filter
     * @param known of a group, failures from then on do not count; absent = they do
     * @param patience the look ends with the part in which this time has passed
     */
    static Matches of(StoreReader storeReader, PageRequest filtered, @Nullable Instant known, Duration patience) {
        if (isGroup(filtered)) {
            return FailuresPage.matching(storeReader, filtered, known, patience);
        }
        if (JobsPage.filter(filtered).isEmpty()) {
            throw Refusal.badRequest("An action on all jobs that match needs a filter.");
        }
        List<StandingPause> pauses = storeReader.pauses();
        Instant now = filtered.clock().now();
        List<JobReference> jobs = new ArrayList<>();
        List<DamagedJob> damaged = new ArrayList<>();
        JobQuery part = JobsPage.query(filtered).limit(PAGE);
        // an index finds the jobs that run in a group
        part = part.runningGroup() == null ? part.window(WINDOW) : part;
        long start = storeReader.nanos();
        while (true) {
            JobList page = storeReader.page(part, now, pauses);
            page.jobs().stream()
                    .filter(job -> JobVisibility.isSeen(filtered, job))
                    .map(JobReference::of)
                    .forEach(jobs::add);
            if (filtered.viewer().sees().all()) {
                damaged.addAll(page.damaged());
            }
            boolean more = jobs.size() + damaged.size() > MOST;
            String next = page.lastKey();
            boolean late = next != null && storeReader.nanos() - start > patience.toNanos();
            if (next == null || more || late) {
                return new Matches(jobs, damaged, more, late);
            }
            part = part.after(next);
        }
    }

    /** Whether it is a group of failures, and no filter of the list of jobs. */
    private static boolean isGroup(PageRequest filtered) {
        return filtered.parameter("error") != null;
    }

    /** The fields of the filter, by name, as they were typed; of a state its name. */
    static Map<String, String> filter(PageRequest filtered) {
        if (!isGroup(filtered)) {
            return JobsPage.filter(filtered);
        }
        Map<String, String> fields = new LinkedHashMap<>();
        FailuresPage.GROUP.forEach(name -> fields.put(name, filtered.required(name)));
        return fields;
    }

    int count() {
        return jobs.size() + damaged.size();
    }

    /**
     * What an action is for, in a few characters: another document or version changes it, another order does not. A job with
     * another number of open failures is as it was for all actions but those which close them or run them again, and one with
     * another pause for all but those which end it.
     */
    String digest(JobActions action) {
        boolean resume = action.isResume();
        List<String> ids = Stream.concat(
                        jobs.stream()
                                .map(job -> job.version() + "."
                                        + (action.isForFailures()
                                                        || resume
                                                                && !job.pause().isEmpty()
                                                ? job.failures() + "."
                                                : "")
                                        + (resume ? job.pause() + "." : "") + job.id()),
                        damaged.stream().map(DamagedJob::id))
                .sorted()
                .toList();
        return UUID.nameUUIDFromBytes(String.join("\n", ids).getBytes(StandardCharsets.UTF_8))
                .toString();
    }
}
