package dev.almanac.web.page;

import dev.almanac.model.StandingPause;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pauses of kinds of jobs.
 *
 * @param inForce those that hold jobs back
 * @param ended those that have ended by themselves and are still stored
 * @param mine whether this viewer may pause and resume kinds of jobs
 * @param problem what was wrong with what was asked for; absent if nothing
 */
record PausesPage(
        List<StandingPause> inForce,
        List<StandingPause> ended,
        boolean mine,
        @Nullable String problem) {}
