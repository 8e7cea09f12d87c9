package dev.almanac.web.page;

import dev.almanac.model.JobQuery;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.store.NodeReport;
import dev.almanac.web.read.JobCount;
import dev.almanac.web.read.StoreReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a pause of a kind would hold back.
 *
 * @param scope of the pause
 * @param effect in one sentence
 * @param details further sentences
 * @param unknown whether nothing is of this kind now
 * @param replaced the stored pause of this kind and beginning, in whose place it comes; absent if there is none
 * @param pause its reason, and its beginning and end as they are now
 */
record PausePreview(
        PauseScope scope,
        String effect,
        List<String> details,
        boolean unknown,
        @Nullable StandingPause replaced,
        Pause pause) {
    private static final int MOST_APPLICATIONS = 10;
    private static final String LATER = "Jobs of this kind that are scheduled later are held back, too.";
    private static final String OWED = "Failure commands of this type are held back, too; they are not counted here.";

    /** @throws IllegalArgumentException if the pause would be refused */
    static PausePreview of(StoreReader storeReader, PageRequest call, PauseScope scope, Pause pause) {
        if (scope instanceof PauseScope.Job) {
            throw new IllegalArgumentException("A single job is paused on its page.");
        }
        storeReader.scheduler().checkPause(scope, pause);
        StandingPause replaced = storeReader.pauses().stream()
                .filter(other -> other.replaces(scope, pause.from()))
                .findFirst()
                .orElse(null);
        if (scope instanceof PauseScope.Node node) {
            return ofNode(storeReader, call, node, pause, replaced);
        }
        JobCount count = storeReader.count(query(scope));
        String jobs = NowPage.grouped(count.jobs()) + (count.jobs() == 1 ? " live job" : " live jobs");
        String applications = String.join(
                ", ", count.applications().stream().limit(MOST_APPLICATIONS).toList());
        int more = count.applications().size() - MOST_APPLICATIONS;
        List<String> details = new ArrayList<>();
        if (count.jobs() > 0) {
            details.add(
                    applications.isEmpty()
                            ? "None of them names an application."
                            : "Applications: " + applications + (more > 0 ? " and " + more + " more" : "") + ".");
            details.add("For example: " + String.join(", ", count.examples()) + ".");
        }
        if (scope instanceof PauseScope.CommandType) {
            // a pause holds jobs by their present command, and no index tells which failure commands are owed
            details.add(OWED);
        }
        details.add(LATER);
        return new PausePreview(
                scope,
                "Affects " + (count.more() ? "at least " : "") + jobs + ": " + scope.words() + ".",
                List.copyOf(details),
                count.jobs() == 0
                        && !count.more()
                        && isNamedByNone(storeReader, scope, call.clock().now()),
                replaced,
                pause);
    }

    /** Of a kind without live jobs: whether no node has it, either. One that is draining does not say its types. */
    private static boolean isNamedByNone(StoreReader storeReader, PauseScope scope, Instant now) {
        return scope instanceof PauseScope.Tag
                || scope instanceof PauseScope.CommandType type
                        && storeReader.nodes().stream()
                                .noneMatch(
                                        node -> node.isLive(now) && node.types().isEmpty()
                                                || node.types().contains(type.type()));
    }

    private static @Nullable String tag(PauseScope scope) {
        return scope instanceof PauseScope.Tag tag ? tag.tag() : null;
    }

    private static JobQuery query(PauseScope scope) {
        String type = scope instanceof PauseScope.CommandType of ? of.type() : null;
        return new JobQuery(null, tag(scope), null, null, null, type, null, null, null, null, null, 1_000, null);
    }

    private static PausePreview ofNode(
            StoreReader storeReader,
            PageRequest call,
            PauseScope.Node node,
            Pause pause,
            @Nullable StandingPause replaced) {
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
                !storeReader.scheduler().isKnown(node),
                replaced,
                pause);
    }

    /** The pause that would end, by whom and why; absent if none would. */
    @Nullable
    String ended(Instant now) {
        if (replaced == null || replaced.pause().hasEnded(now)) {
            return null;
        }
        Pause other = replaced.pause();
        return "the pause by " + other.author() + ", which has "
                + (other.until() == null ? "no end" : "the end " + other.until()) + ": " + other.reason();
    }

    /** The beginning as the form confirms it: by then a time from now would be another moment. Absent = at once. */
    @Nullable
    String from() {
        return Objects.toString(pause.from(), null);
    }

    /** The end in the same way; absent = it has none. */
    @Nullable
    String until() {
        return Objects.toString(pause.until(), null);
    }

    /** As the form names the pause that is replaced. */
    @Nullable
    String replaces() {
        return replaced == null ? null : replaced.since().toString();
    }
}
