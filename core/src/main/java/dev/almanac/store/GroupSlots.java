package dev.almanac.store;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How the slots of an exclusive group are called. Slot 0 has the plain name of the group, which is what versions wrote that
 * knew groups of one; slot k has the name, a tab and k. A group's name has no control characters, so that no slot is
 * called like a slot of another group, and all slots of a group lie between its name and its name and a line feed.
 */
public final class GroupSlots {
    private static final char SEPARATOR = '\t';
    private static final char BEYOND = '\n';

    private GroupSlots() {}

    /** The name of a slot, 0 or more. */
    public static String name(String group, int slot) {
        return slot == 0 ? group : group + SEPARATOR + slot;
    }

    /** The names of the first slots. */
    public static List<String> names(String group, int size) {
        return IntStream.range(0, size).mapToObj(slot -> name(group, slot)).toList();
    }

    /** The group of a slot. */
    public static String group(String slot) {
        int end = slot.indexOf(SEPARATOR);
        return end < 0 ? slot : slot.substring(0, end);
    }

    /** The number of a slot; one that cannot be read, as after an edit by hand, is beyond any group's size. */
    public static int number(String slot) {
        int end = slot.indexOf(SEPARATOR);
        try {
            return end < 0 ? 0 : Integer.parseInt(slot.substring(end + 1));
        } catch (NumberFormatException e) {
            return Integer.MAX_VALUE;
        }
    }

    /** Sorts after every slot of the group, and before all that is called otherwise and sorts after the group. */
    public static String beyond(String group) {
        return group + BEYOND;
    }

    /** Whether a document that holds this slot, if any, holds one of the group. */
    public static boolean isOf(String group, @Nullable String slot) {
        return slot != null && group(slot).equals(group);
    }
}
