package dev.almanac.behaviour.house.planted.engine.port;

import dev.almanac.behaviour.house.planted.engine.kernel.PlantedKernel;
import org.jspecify.annotations.Nullable;

/** A port that uses the kernel, which is a room above it: a violation. */
public class PlantedPort {
    @Nullable
    PlantedKernel kernel;
}
