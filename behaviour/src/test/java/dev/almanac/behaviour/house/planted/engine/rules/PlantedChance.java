package dev.almanac.behaviour.house.planted.engine.rules;

import dev.almanac.store.JobWatch;
import dev.almanac.store.StoreOverview;
import java.security.SecureRandom;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A rule that knows each source of chance, a timer, and stores: each is a violation. */
public class PlantedChance {
    @Nullable
    Random random;

    @Nullable
    SplittableRandom splittable;

    @Nullable
    ThreadLocalRandom local;

    @Nullable
    SecureRandom secure;

    @Nullable
    RandomGenerator generator;

    @Nullable
    UUID unique;

    @Nullable
    Timer timer;

    @Nullable
    StoreOverview overview;

    @Nullable
    JobWatch watch;
}
