package dev.almanac.web.page;

import dev.almanac.store.StoredJob;

/** What of a job a viewer may see. */
final class Sight {
    private Sight() {}

    static boolean isSeen(Call call, StoredJob job) {
        return call.viewer().sees().include(job.specification().applicationTag());
    }
}
