package dev.almanac.behaviour.house.planted.engine.run;

import dev.almanac.behaviour.house.planted.engine.claim.PlantedClaim;
import dev.almanac.behaviour.house.planted.engine.rules.PlantedRule;
import org.jspecify.annotations.Nullable;

/** A run that uses a claim, which is a room above it, and is a live view for a rule: two violations. */
public class PlantedRun implements PlantedRule.View {
    @Nullable
    PlantedClaim claim;
}
