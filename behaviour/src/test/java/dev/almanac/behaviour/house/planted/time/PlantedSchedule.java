package dev.almanac.behaviour.house.planted.time;

import dev.almanac.behaviour.house.planted.model.PlantedModel;
import org.jspecify.annotations.Nullable;

/** A schedule that knows the model: a violation, since schedules can be used without the scheduler. */
public class PlantedSchedule {
    @Nullable
    PlantedModel model;
}
