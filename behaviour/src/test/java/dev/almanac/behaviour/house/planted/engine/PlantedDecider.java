package dev.almanac.behaviour.house.planted.engine;

import dev.almanac.runtime.TimeSource;
import org.jspecify.annotations.Nullable;

/** A decider that looks at a clock: a violation. */
public class PlantedDecider {
    @Nullable
    TimeSource time;
}
