package dev.almanac.time;

public enum DaylightSavingPolicy {
    RUN_ONCE,
    SKIP,
    WALL_ONCE
}
