package dev.almanac.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds what somebody may have meant. */
final class Spelling {
    private Spelling() {}

    /** The word that differs least, if it does not differ too much; case, dashes and underscores do not count. */
    static Optional<String> nearest(String word, Collection<String> known) {
        return known.stream()
                .filter(candidate -> distance(word, candidate) <= bound(candidate))
                .min(Comparator.<String>comparingInt(candidate -> distance(word, candidate))
                        .thenComparing(Comparator.naturalOrder()));
    }

    private static int bound(String candidate) {
        return Math.max(1, last(plain(candidate)).length() / 3);
    }

    /** A right name in the wrong section is nearer than a wrong name in the right one. */
    private static int distance(String word, String candidate) {
        String one = plain(word);
        String other = plain(candidate);
        boolean moved = !one.equals(other) && last(one).equals(last(other));
        return moved ? 1 : Math.min(edits(one, other), edits(last(one), last(other)) + 1);
    }

    private static String plain(String key) {
        return key.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    private static String last(String key) {
        return key.substring(key.lastIndexOf('.') + 1);
    }

    /** Levenshtein: how many characters are added, left out or exchanged. */
    private static int edits(String one, String other) {
        int[] before = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            before[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int[] row = new int[other.length() + 1];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int exchange = before[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(exchange, Math.min(before[j], row[j - 1]) + 1);
            }
            before = row;
        }
        return before[other.length()];
    }
}
