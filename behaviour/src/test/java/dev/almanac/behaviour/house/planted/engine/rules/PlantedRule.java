package dev.almanac.behaviour.house.planted.engine.rules;

import org.jspecify.annotations.Nullable;

/** A rule that reaches a clock through another class: a violation. */
public class PlantedRule {
    /** What another room may implement as a live view. */
    public interface View {}

    @Nullable
    PlantedReading reading;
}
