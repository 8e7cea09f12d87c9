package dev.almanac.model;

import java.util.Map;

/**
 * A command as the store keeps it: the registered name of its type, the version of its layout, and its body as plain
 * values (text, numbers, booleans, lists, maps). A node without the type can still read, list, cancel and
 * keep the job; it never claims it (rule R8).
 *
 * <p>What does not fit is refused with an {@link InvalidJobException} when the job is scheduled or the run is asked for.
 *
 * @param type the registered name: 1 to 100 letters, digits, dots, dashes or underscores
 * @param version the version of the body's layout, 1 or more
 * @param body plain values: text, whole numbers up to 64 bits, finite doubles, decimals up to 34 digits, booleans, lists, maps
 *     with texts as keys, null; at most 60 levels and 1 MiB; treated as immutable
 */
public record EncodedCommand(String type, int version, Map<String, Object> body) implements SchedulingCommand {}
