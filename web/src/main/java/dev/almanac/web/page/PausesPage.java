package dev.almanac.web.page;

import dev.almanac.model.StandingPause;
import dev.almanac.store.StoredGroup;
import dev.almanac.web.read.Kinds;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Pauses of kinds of jobs, and the limits of groups.
 *
 * @param inForce those that hold jobs back, or are planned to
 * @param groups those that have a size or a rate
 * @param kinds to choose from; absent if this viewer may not pause and resume kinds of jobs
 * @param preview of the pause that was asked for; absent if none was, or it cannot be made
 * @param problem why the request was refused; absent if it was not
 * @param operations makes the id of each form
 */
record PausesPage(
        List<StandingPause> inForce,
        List<StoredGroup> groups,
        @Nullable Kinds kinds,
        @Nullable PausePreview preview,
        @Nullable String problem,
        Supplier<String> operations) {
    static final Columns<StandingPause> IN_FORCE = new Columns<StandingPause>()
            .by("force.what", pause -> pause.scope().toString())
            .by("force.reason", pause -> pause.pause().reason())
            .by("force.by", pause -> pause.pause().author())
            .by("force.since", StandingPause::begins)
            .by("force.until", pause -> pause.pause().until());
    static final Columns<StoredGroup> GROUPS = new Columns<StoredGroup>()
            .by("groups.group", StoredGroup::name)
            .by("groups.limits", StoredGroup::slots)
            .by("groups.by", StoredGroup::author)
            .by("groups.since", StoredGroup::latestUpdate);

    boolean mayChange() {
        return kinds != null;
    }
}
