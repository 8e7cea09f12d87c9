package dev.almanac.engine;

import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What pauses of kinds of jobs mean for a look at due jobs. Pure. */
final class Holds {
    private Holds() {}

    /** Of these types those that are not held back; none if everything is. */
    static Set<String> open(List<StandingPause> inForce, Set<String> types) {
        Set<String> open = new HashSet<>(types);
        for (StandingPause pause : inForce) {
            if (pause.scope() instanceof PauseScope.CommandType type) {
                open.remove(type.type());
            } else if (pause.scope() instanceof PauseScope.Everything) {
                return Set.of();
            }
        }
        return open;
    }

    /** The tags whose jobs are held back. */
    static Set<String> closedTags(List<StandingPause> inForce) {
        Set<String> tags = new HashSet<>();
        for (StandingPause pause : inForce) {
            if (pause.scope() instanceof PauseScope.Tag tag) {
                tags.add(tag.tag());
            }
        }
        return tags;
    }
}
