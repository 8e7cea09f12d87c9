package dev.almanac.behaviour.house.planted.engine.insight;

import dev.almanac.behaviour.house.planted.engine.PlantedEngine;
import org.jspecify.annotations.Nullable;

/** An answer that uses the engine, which is above all rooms: a violation. */
public class PlantedInsight {
    @Nullable
    PlantedEngine engine;
}
