package dev.almanac.behaviour.house.planted.engine.node;

import dev.almanac.behaviour.house.planted.engine.run.PlantedRun;
import org.jspecify.annotations.Nullable;

/** A class of the node that uses a run, which is a room above it: a violation. */
public class PlantedNode {
    @Nullable
    PlantedRun run;
}
