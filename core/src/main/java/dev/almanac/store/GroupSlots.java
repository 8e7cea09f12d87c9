package dev.almanac.store;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The names of the slots of an exclusive group. Slot 0 has the plain name of the group; slot k has the name, a tab and k.
 * A group's name has no control characters, so that slots of different groups have different names, and all slots of a
 * group lie between its name and its name and a line feed.
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

    /** A text that sorts after every slot of the group, and before all other names that sort after the group. */
    public static String beyond(String group) {
        return group + BEYOND;
    }

    /** Whether a document that holds this slot, if any, holds one of the group. */
    public static boolean isOf(String group, @Nullable String slot) {
        return slot != null && group(slot).equals(group);
    }
}
