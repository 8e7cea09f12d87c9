package dev.almanac.behaviour.house.planted.engine.rules;

import org.jspecify.annotations.Nullable;

/** A rule that reaches a clock through another class: a violation. */
public class PlantedRule {
    @Nullable
    PlantedReading reading;
}
