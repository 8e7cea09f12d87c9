package dev.almanac.calendars;

import java.util.Collection;
import java.util.Comparator;
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
        String near = known.stream()
                .filter(name -> distance(typed, name) <= Math.max(FEWEST_CHANGES, name.length() / 3))
                .sorted(Comparator.<String>comparingInt(name -> distance(typed, name))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(MOST_NAMES)
                .collect(Collectors.joining(" or "));
        return near.isEmpty() ? "" : "; perhaps " + near + " is meant";
    }

    /** How many letters must be added, dropped or replaced to make one text the other; letters in any case. */
    private static int distance(String typed, String known) {
        String name = known.toLowerCase(Locale.ROOT);
        int[] row = new int[name.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= typed.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= name.length(); j++) {
                int replaced = diagonal + (typed.charAt(i - 1) == name.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[name.length()];
    }
}
