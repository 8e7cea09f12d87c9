package dev.almanac.behaviour.house.planted.engine.change;

import dev.almanac.behaviour.house.planted.engine.insight.PlantedInsight;
import org.jspecify.annotations.Nullable;

/** A change that uses the answers to users, which are a room above it: a violation. */
public class PlantedChange {
    @Nullable
    PlantedInsight insight;
}
