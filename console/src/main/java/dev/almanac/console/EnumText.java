package dev.almanac.console;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Enum values as typed by users. */
final class EnumText {
    private EnumText() {}

    /**
     * The value of a word, in either case, with dashes or underscores.
     *
     * @throws IllegalArgumentException with the allowed forms
     */
    static <E extends Enum<E>> E of(Class<E> type, String text) {
        List<String> known =
                Arrays.stream(type.getEnumConstants()).map(Enum::name).toList();
        String name = text.strip().toUpperCase(Locale.ROOT).replace('-', '_');
        if (!known.contains(name)) {
            throw new IllegalArgumentException("is none of " + String.join(", ", known) + Nearest.meant(name, known));
        }
        return Enum.valueOf(type, name);
    }
}
