package dev.almanac.web.page;

import dev.almanac.model.JobQuery;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.store.NodeReport;
import dev.almanac.web.read.JobCount;
import dev.almanac.web.read.StoreReader;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pause of a kind would hold back.
 *
 * @param scope of the pause
 * @param effect in one sentence
 * @param details further sentences
 * @param unknown whether nothing is of this kind now
 * @param replaced the stored pause of this kind and beginning, in whose place it comes; absent if there is none
 * @param reason as it was typed
 * @param from its beginning as it was typed; absent = at once
 * @param until its end as it was typed; absent = it has none
 */
record PausePreview(
        PauseScope scope,
        String effect,
        List<String> details,
        boolean unknown,
        @Nullable StandingPause replaced,
        String reason,
        @Nullable String from,
        @Nullable String until) {
    private static final int MOST_APPLICATIONS = 10;
    private static final String LATER = "Jobs of this kind that are scheduled later are held back, too.";

    static PausePreview of(StoreReader storeReader, PageRequest call, PauseScope scope, @Nullable Instant from) {
        if (scope instanceof PauseScope.Job) {
            throw new IllegalArgumentException("A single job is paused on its page.");
        }
        StandingPause replaced = storeReader.pauses().stream()
                .filter(pause -> pause.replaces(scope, from))
                .findFirst()
                .orElse(null);
        if (scope instanceof PauseScope.Node node) {
            return ofNode(storeReader, call, node, replaced);
        }
        JobCount count = storeReader.count(query(scope));
        String jobs = NowPage.grouped(count.jobs()) + (count.jobs() == 1 ? " live job" : " live jobs");
        String applications = String.join(
                ", ", count.applications().stream().limit(MOST_APPLICATIONS).toList());
        int more = count.applications().size() - MOST_APPLICATIONS;
        return new PausePreview(
                scope,
                "Affects " + (count.more() ? "at least " : "") + jobs + ": " + scope.words() + ".",
                count.jobs() == 0
                        ? List.of(LATER)
                        : List.of(
                                applications.isEmpty()
                                        ? "None of them names an application."
                                        : "Applications: " + applications + (more > 0 ? " and " + more + " more" : "")
                                                + ".",
                                "For example: " + String.join(", ", count.examples()) + ".",
                                LATER),
                count.jobs() == 0 && !count.more() && !(scope instanceof PauseScope.Everything),
                replaced,
                call.reason(),
                call.parameter("from"),
                call.parameter("until"));
    }

    private static @Nullable String tag(PauseScope scope) {
        return scope instanceof PauseScope.Tag tag ? tag.tag() : null;
    }

    private static JobQuery query(PauseScope scope) {
        String type = scope instanceof PauseScope.CommandType of ? of.type() : null;
        return new JobQuery(null, tag(scope), null, null, null, type, null, null, null, null, null, 1_000, null);
    }

    private static PausePreview ofNode(
            StoreReader storeReader, PageRequest call, PauseScope.Node node, @Nullable StandingPause replaced) {
        List<NodeReport> live = storeReader.nodes().stream()
                .filter(report -> node.is(report.id(), report.label()))
                .filter(report -> report.isLive(call.clock().now()))
                .toList();
        long runs = live.stream().mapToLong(NodeReport::runs).sum();
        String nodes = live.size() + (live.size() == 1 ? " live node" : " live nodes");
        return new PausePreview(
                node,
                "Affects " + nodes + ": " + node.words() + ".",
                List.of("It claims nothing more; other nodes run its jobs. Runs in progress there, " + runs
                        + " as reported, continue to their end."),
                live.isEmpty(),
                replaced,
                call.reason(),
                call.parameter("from"),
                call.parameter("until"));
    }

    /** The pause that would end, by whom and why; absent if none would. */
    @Nullable
    String ended(Instant now) {
        if (replaced == null || replaced.pause().hasEnded(now)) {
            return null;
        }
        Pause pause = replaced.pause();
        return "the pause by " + pause.author() + ", which has "
                + (pause.until() == null ? "no end" : "the end " + pause.until()) + ": " + pause.reason();
    }

    /** As the form names the pause that is replaced. */
    @Nullable
    String replaces() {
        return replaced == null ? null : replaced.since().toString();
    }
}
