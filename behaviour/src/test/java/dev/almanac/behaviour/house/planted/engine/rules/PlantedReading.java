package dev.almanac.behaviour.house.planted.engine.rules;

import dev.almanac.runtime.TimeSource;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** Knows a clock, and remembers. */
public class PlantedReading {
    @Nullable
    TimeSource time;

    @Nullable
    ConcurrentMap<String, String> remembered;
}
