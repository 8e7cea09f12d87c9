package dev.almanac.behaviour.house.planted.engine.run;

import dev.almanac.behaviour.house.planted.engine.claim.PlantedClaim;
import org.jspecify.annotations.Nullable;

/** A run that uses a claim, which stands above it: a violation. */
public class PlantedRun {
    @Nullable
    PlantedClaim claim;
}
