package dev.almanac.model;

import java.util.Map;

/**
 * A command as the store keeps it: the registered name of its type, the version of its layout, and its body as plain
 * values (text, numbers, booleans, lists, maps). A node without the type can still read, list, cancel and
 * keep the job; it never claims it (rule R8).
 *
 * @param type the registered name
 * @param version the version of the body's layout, 1 or more
 * @param body plain values; treated as immutable
 */
public record EncodedCommand(String type, int version, Map<String, Object> body) implements SchedulingCommand {}
