package dev.almanac.engine.kernel;

import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The pauses of kinds of jobs that are in force at a moment.
 *
 * @param standing none of them has ended; pauses of other nodes are not included
 */
public record Pauses(List<StandingPause> standing) {
    static final Pauses NONE = new Pauses(List.of());

    public static Pauses at(List<StandingPause> all, Instant now) {
        return at(all, now, node -> false);
    }

    /** @param own whether a pause of a node is about this node; then no type is open here */
    static Pauses at(List<StandingPause> all, Instant now, Predicate<PauseScope.Node> own) {
        return all.isEmpty()
                ? NONE
                : new Pauses(all.stream()
                        .filter(pause -> pause.isInForce(now))
                        .filter(pause -> !(pause.scope() instanceof PauseScope.Node node) || own.test(node))
                        .toList());
    }

    /** Those of the types that are not paused; none if everything is paused. */
    public Set<String> open(Set<String> types) {
        Set<String> open = new HashSet<>(types);
        for (StandingPause pause : standing) {
            if (pause.scope() instanceof PauseScope.CommandType type) {
                open.remove(type.type());
            } else if (pause.scope() instanceof PauseScope.Everything || pause.isOfNode()) {
                return Set.of();
            }
        }
        return open;
    }

    /** The tags whose jobs are held back. */
    public Set<String> tags() {
        Set<String> tags = new HashSet<>();
        for (StandingPause pause : standing) {
            if (pause.scope() instanceof PauseScope.Tag tag) {
                tags.add(tag.tag());
            }
        }
        return tags;
    }

    /** When the next of them ends by itself; absent = none does. */
    @Nullable
    Instant nextEnd() {
        return standing.stream()
                .map(pause -> pause.pause().until())
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** Whether a job is held back. */
    boolean hold(StoredJob job) {
        return !standing.isEmpty()
                && standing.stream()
                        .anyMatch(pause -> pause.isOfNode()
                                || pause.holds(
                                        job.specification(), job.command().type()));
    }
}
