package dev.almanac.behaviour.house.planted.engine.kernel;

import dev.almanac.behaviour.house.planted.engine.rules.PlantedRule;
import dev.almanac.behaviour.house.planted.engine.upkeep.PlantedUpkeep;
import org.jspecify.annotations.Nullable;

/** A part of the kernel that uses upkeep, which is a room above it, and is a live view for a rule: two violations. */
public class PlantedKernel implements PlantedRule.View {
    @Nullable
    PlantedUpkeep upkeep;
}
