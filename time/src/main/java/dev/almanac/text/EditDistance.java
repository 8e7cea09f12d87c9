package dev.almanac.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** How far apart two words are, and which are near: the one search for every "did you mean". */
public final class EditDistance {
    /** Longer words are not compared, since the time grows with the product of the lengths. */
    private static final int LONGEST = 128;

    /** More than any distance of words that are compared. */
    public static final int FAR = Integer.MAX_VALUE / 2;

    private EditDistance() {}

    /**
     * The known words that are near enough, the nearest first; of equally near ones the first of the alphabet.
     *
     * @param distance of a known word from the one that is looked for, such as by {@link #of}
     * @param bound up to which distance a known word is near
     */
    public static Stream<String> near(
            Collection<String> known, ToIntFunction<String> distance, ToIntFunction<String> bound) {
        return known.stream()
                .filter(word -> distance.applyAsInt(word) <= bound.applyAsInt(word))
                .sorted(Comparator.comparingInt(distance).thenComparing(Comparator.naturalOrder()));
    }

    /**
     * Levenshtein: how many characters are added, left out or exchanged to make one word the other.
     *
     * @return 0 or more; {@link #FAR} if a word is longer than 128 characters
     */
    public static int of(String one, String other) {
        if (Math.max(one.length(), other.length()) > LONGEST) {
            return one.equals(other) ? 0 : FAR;
        }
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int exchanged = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(exchanged, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}
