package dev.almanac.behaviour.house.planted.engine.rules;

import dev.almanac.runtime.TimeSource;
import org.jspecify.annotations.Nullable;

/** Knows a clock. */
public class PlantedReading {
    @Nullable
    TimeSource time;
}
