package dev.almanac.web.page;

import dev.almanac.store.StoredJob;

/** What a viewer may see of a job. */
final class JobVisibility {
    private JobVisibility() {}

    static boolean isSeen(PageRequest call, StoredJob job) {
        return call.viewer().sees().include(job.specification().applicationTag());
    }
}
