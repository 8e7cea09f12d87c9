package dev.almanac.behaviour.house.planted.model;

import com.mongodb.client.MongoClient;
import dev.almanac.behaviour.house.planted.engine.PlantedEngine;
import org.jspecify.annotations.Nullable;

/** A model class that reaches up to the engine and out to a driver: both are violations. */
public class PlantedModel {
    @Nullable
    PlantedEngine engine;

    @Nullable
    MongoClient client;
}
