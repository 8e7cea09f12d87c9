package dev.almanac;

import dev.almanac.engine.insight.HealthDecider;
import dev.almanac.engine.insight.NodeSnapshot;
import java.util.ArrayList;
import java.util.List;

/**
 * The health of a node.
 *
 * @param state the summary
 * @param reasons why it is not UP; empty if it is
 */
public record Health(State state, List<String> reasons) {
    static Health of(NodeSnapshot snapshot) {
        List<String> down = HealthDecider.down(snapshot);
        List<String> degraded = HealthDecider.degraded(snapshot);
        List<String> reasons = new ArrayList<>(down);
        reasons.addAll(degraded);
        State state = !down.isEmpty() ? State.DOWN : degraded.isEmpty() ? State.UP : State.DEGRADED;
        return new Health(state, List.copyOf(reasons));
    }

    /** The summary. */
    public enum State {
        /** All is well. */
        UP,
        /** It works, but an operator should look. */
        DEGRADED,
        /** It runs nothing. */
        DOWN
    }
}
