package dev.almanac.behaviour.house.planted.engine.upkeep;

import dev.almanac.behaviour.house.planted.engine.request.PlantedRequest;
import org.jspecify.annotations.Nullable;

/** Upkeep that uses a request, which is a room above it: a violation. */
public class PlantedUpkeep {
    @Nullable
    PlantedRequest request;
}
