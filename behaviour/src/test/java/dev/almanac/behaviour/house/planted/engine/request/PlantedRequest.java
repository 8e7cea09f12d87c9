package dev.almanac.behaviour.house.planted.engine.request;

import dev.almanac.behaviour.house.planted.engine.insight.PlantedInsight;
import org.jspecify.annotations.Nullable;

/** A request that uses the answers to users, which are a room above it: a violation. */
public class PlantedRequest {
    @Nullable
    PlantedInsight insight;
}
