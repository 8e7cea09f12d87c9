package dev.almanac.console.terminal;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What was meant by a word that is not known. */
public final class Nearest {
    private static final int FAR = 3;

    private Nearest() {}

    /** The known words that differ least from what was typed, the nearest first, at most three. */
    public static List<String> all(String typed, Collection<String> known) {
        String wanted = typed.toLowerCase(Locale.ROOT);
        return known.stream()
                .filter(word -> distance(word.toLowerCase(Locale.ROOT), wanted) <= FAR)
                .sorted(Comparator.<String>comparingInt(word -> distance(word.toLowerCase(Locale.ROOT), wanted))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(3)
                .toList();
    }

    /** The known word that was meant: one that begins so, or one that differs in less than half of its letters. */
    public static Optional<String> word(String typed, Collection<String> known) {
        String wanted = typed.toLowerCase(Locale.ROOT);
        Optional<String> near = all(typed, known).stream()
                .filter(word -> 2 * distance(word.toLowerCase(Locale.ROOT), wanted) <= word.length())
                .findFirst();
        return near.isPresent() || wanted.length() < 2
                ? near
                : known.stream()
                        .filter(word -> word.toLowerCase(Locale.ROOT).startsWith(wanted))
                        .sorted()
                        .findFirst();
    }

    /** How many letters must change to make one text the other; those whose lengths differ by more than 3 are far. */
    public static int distance(String one, String other) {
        if (Math.abs(one.length() - other.length()) > FAR) {
            return Integer.MAX_VALUE / 2;
        }
        int[] row = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int cost = one.charAt(i - 1) == other.charAt(j - 1) ? diagonal : diagonal + 1;
                diagonal = row[j];
                row[j] = Math.min(cost, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
