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
 * @param typed what the form of a new pause has
 * @param preview of the pause that was asked for; absent if none was, or it cannot be made
 * @param problem why the request was refused; absent if it was not
 * @param operations makes the id of each form
 */
record PausesPage(
        List<StandingPause> inForce,
        List<StoredGroup> groups,
        @Nullable Kinds kinds,
        Typed typed,
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

    /**
     * A new pause as it was typed; a field that is empty is absent.
     *
     * @param scope one of the list
     * @param other one that is not
     * @param zone in which the moments were typed; absent = that of the page
     */
    record Typed(
            @Nullable String scope,
            @Nullable String other,
            @Nullable String reason,
            @Nullable String from,
            @Nullable String until,
            @Nullable String zone) {
        static final Typed NOTHING = new Typed(null, null, null, null, null, null);

        /** What a form that was refused had; nothing if it was to end a pause. */
        static Typed of(PageRequest call, Kinds kinds) {
            if (!"pause".equals(call.parameter("do"))) {
                return NOTHING;
            }
            String scope = call.parameter("scope");
            String other = call.parameter("other");
            String zone = call.parameter(Moments.ZONE);
            boolean listed = scope != null && kinds.has(scope);
            return new Typed(
                    listed ? scope : null,
                    listed || other != null ? other : scope,
                    call.parameter("reason"),
                    call.parameter("from"),
                    call.parameter("until"),
                    zone == null || Zones.read(zone).isEmpty() ? null : zone);
        }
    }

    boolean mayChange() {
        return kinds != null;
    }
}
