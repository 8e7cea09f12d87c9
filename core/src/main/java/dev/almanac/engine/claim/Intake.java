package dev.almanac.engine.claim;

import dev.almanac.engine.node.Reachability;
import dev.almanac.engine.run.HeldJobs;
import java.util.Map;
import java.util.Set;

/**
 * How much this node takes in.
 *
 * @param types the command types that it can run
 * @param typeLimits how many runs of a type it holds at most, for types that have a limit
 * @param held what it holds
 * @param control what users ask of many jobs at once
 * @param reachability whether the store answers
 */
public record Intake(
        Set<String> types,
        Map<String, Integer> typeLimits,
        HeldJobs held,
        ControlView control,
        Reachability reachability) {}
