package dev.almanac.web.page;

import dev.almanac.store.StoredJob;

/** What of a job a viewer may see. */
final class JobVisibility {
    private JobVisibility() {}

    static boolean isSeen(PageRequest call, StoredJob job) {
        return call.viewer().sees().include(job.specification().applicationTag());
    }
}
