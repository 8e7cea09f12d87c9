package dev.almanac.calendars;

import dev.almanac.text.EditDistance;
import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;

/** Finds the names that were meant, perhaps, by one that is not known. */
final class NearNames {
    private static final int LONGEST = 64;
    private static final int FEWEST_CHANGES = 3;
    private static final int MOST_NAMES = 3;

    private NearNames() {}

    /** Such as "; perhaps exclude-days is meant", or nothing if nothing is near. */
    static String advice(String text, Collection<String> known) {
        String typed = text.strip().toLowerCase(Locale.ROOT);
        if (typed.isEmpty() || typed.length() > LONGEST) {
            return "";
        }
        String near = EditDistance.near(
                        known, name -> distance(typed, name), name -> Math.max(FEWEST_CHANGES, name.length() / 3))
                .limit(MOST_NAMES)
                .collect(Collectors.joining(" or "));
        return near.isEmpty() ? "" : "; perhaps " + near + " is meant";
    }

    private static int distance(String typed, String known) {
        return EditDistance.of(typed, known.toLowerCase(Locale.ROOT));
    }
}
