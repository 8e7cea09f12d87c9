package dev.almanac.web.page;

import dev.almanac.model.JobQuery;
import dev.almanac.model.StandingPause;
import dev.almanac.store.DamagedJob;
import dev.almanac.store.JobList;
import dev.almanac.web.guard.Refusal;
import dev.almanac.web.read.StoreReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * All jobs of a filter that the viewer may see.
 *
 * @param jobs in the order of their keys
 * @param damaged those whose documents cannot be read, for viewers of all applications
 * @param more whether there are more than {@value #MOST}; the others are not among these then
 */
record Matches(List<JobReference> jobs, List<DamagedJob> damaged, boolean more) {
    /** How many jobs an action can be for. */
    static final int MOST = 100_000;

    private static final int PAGE = 1_000;
    private static final int WINDOW = 25_000;

    /** @param filtered has the fields of the filter */
    static Matches of(StoreReader storeReader, PageRequest filtered) {
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
            if (next == null || more) {
                return new Matches(jobs, damaged, more);
            }
            part = part.after(next);
        }
    }

    int count() {
        return jobs.size() + damaged.size();
    }
}
