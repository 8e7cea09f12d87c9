package dev.almanac.console;

import dev.almanac.text.EditDistance;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Suggestions for an unknown word. */
final class Nearest {
    private static final int FAR = 3;

    private Nearest() {}

    /** The known words that differ least from what was typed, the nearest first, at most three. */
    static List<String> all(String typed, Collection<String> known) {
        String wanted = typed.toLowerCase(Locale.ROOT);
        return EditDistance.near(known, word -> distance(word, wanted), word -> FAR)
                .limit(3)
                .toList();
    }

    /** The most similar known word: one with this prefix, or one that differs in at most half of its letters. */
    static Optional<String> word(String typed, Collection<String> known) {
        String wanted = typed.toLowerCase(Locale.ROOT);
        Optional<String> near = all(typed, known).stream()
                .filter(word -> 2 * distance(word, wanted) <= word.length())
                .findFirst();
        return near.isPresent() || wanted.length() < 2
                ? near
                : known.stream()
                        .filter(word -> word.toLowerCase(Locale.ROOT).startsWith(wanted))
                        .sorted()
                        .findFirst();
    }

    /** As the end of a message: the most similar known word, if there is one. */
    static String meant(String typed, Collection<String> known) {
        return word(typed, known).map(word -> "; did you mean " + word + "?").orElse("");
    }

    private static int distance(String one, String other) {
        return EditDistance.of(one.toLowerCase(Locale.ROOT), other);
    }

    /**
     * The constant of a word, in either case, with dashes or underscores.
     *
     * @throws IllegalArgumentException with the allowed forms
     */
    static <E> E constant(Class<E> type, String text) {
        List<E> constants = List.of(type.getEnumConstants());
        List<String> known = constants.stream().map(Object::toString).toList();
        String name = text.strip().toUpperCase(Locale.ROOT).replace('-', '_');
        if (!known.contains(name)) {
            throw new IllegalArgumentException("is none of " + String.join(", ", known) + meant(name, known));
        }
        return constants.get(known.indexOf(name));
    }
}
