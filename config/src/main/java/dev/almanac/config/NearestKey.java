package dev.almanac.config;

import dev.almanac.text.EditDistance;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the most similar known key. */
final class NearestKey {
    private NearestKey() {}

    /** The word that differs least, if it does not differ too much; case, dashes and underscores do not count. */
    static Optional<String> nearest(String word, Collection<String> known) {
        return EditDistance.near(known, candidate -> distance(word, candidate), NearestKey::bound)
                .findFirst();
    }

    private static int bound(String candidate) {
        return Math.max(1, last(plain(candidate)).length() / 3);
    }

    /** A right name in the wrong section is nearer than a wrong name in the right one. */
    private static int distance(String word, String candidate) {
        String one = plain(word);
        String other = plain(candidate);
        boolean moved = !one.equals(other) && last(one).equals(last(other));
        return moved ? 1 : Math.min(EditDistance.of(one, other), EditDistance.of(last(one), last(other)) + 1);
    }

    private static String plain(String key) {
        return key.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    private static String last(String key) {
        return key.substring(key.lastIndexOf('.') + 1);
    }
}
