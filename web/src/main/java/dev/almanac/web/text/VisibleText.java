package dev.almanac.web.text;

/**
 * Makes characters visible that a browser hides or that change how other text is shown: control characters, marks of
 * the writing direction, unpaired surrogates. Templates escape markup.
 */
public final class VisibleText {
    private VisibleText() {}

    /** The text with each such character as its number, such as [U+202E]; line ends and tabs stay. */
    public static String of(String text) {
        if (text.codePoints().noneMatch(VisibleText::isHidden)) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(point -> {
            if (isHidden(point)) {
                shown.append(String.format("[U+%04X]", point));
            } else {
                shown.appendCodePoint(point);
            }
        });
        return shown.toString();
    }

    /** JSON with each such character as its escape: the same value, in which every character can be seen. */
    public static String escaped(String json) {
        StringBuilder shown = new StringBuilder(json.length() + 16);
        json.codePoints().forEach(point -> {
            if (isHidden(point)) {
                for (char unit : Character.toChars(point)) {
                    shown.append(String.format("\\u%04x", (int) unit));
                }
            } else {
                shown.appendCodePoint(point);
            }
        });
        return shown.toString();
    }

    /** At most so many characters, and the number of those that were left out. */
    public static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest;
        return text.substring(0, end) + "… (" + (text.length() - end) + " more characters)";
    }

    private static boolean isHidden(int point) {
        if (point == '\n' || point == '\t' || point == '\r') {
            return false;
        }
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}
