package dev.almanac.text;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Makes texts harmless on a terminal and in a log: the one function for messages, tables, JSON and the pattern of logs.
 * Escaped as {@code \}{@code u001b} are control characters (C0, DEL and C1), format characters (also those that turn the
 * direction of writing), separators of lines and paragraphs, and halves of surrogate pairs; line ends and tabs as
 * {@code \n}, {@code \r} and {@code \t}. JSON strings may hold the same escapes, with the same meaning.
 */
public final class Printable {
    /** How many characters of a value are shown at most. */
    public static final int LONGEST_VALUE = 200;

    /** How many characters of a sentence are shown at most. */
    public static final int LONGEST_SENTENCE = 4_000;

    private static final int PRINTABLE_ASCII = 0x7f;

    private Printable() {}

    /** The text on one line, whole. */
    public static String escaped(String text) {
        int first = firstHarmful(text);
        return first < 0 ? text : escapedFrom(text, first);
    }

    /** The name of a constant as people read it: {@code STORING_FOLLOW_UPS} is {@code storing follow ups}. */
    public static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /**
     * A value as it is shown inside of a message: on one line, at most 200 characters and how many there are; "null" if
     * there is none.
     */
    public static String value(@Nullable Object value) {
        return cut(String.valueOf(value), LONGEST_VALUE);
    }

    /** At most so many characters of a text, escaped; if it is longer, how long it is. */
    public static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return escaped(text);
        }
        int end = Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest;
        return escaped(text.substring(0, end)) + "… (" + text.length() + " characters)";
    }

    /**
     * A text as one word of a shell, bash or zsh, which is printable: commands that are advised are copied.
     * {@link #command} and {@link #option} also see to it that no option is made of it.
     */
    public static String argument(String text) {
        if (firstHarmful(text) < 0) {
            return "'" + text.replace("'", "'\\''") + "'";
        }
        StringBuilder word = new StringBuilder(text.length() + 16).append("$'");
        text.codePoints().forEach(point -> {
            if (point == '\\' || point == '\'') {
                word.append('\\').append((char) point);
            } else if (!isHarmful(point)) {
                word.appendCodePoint(point);
            } else if (Character.isBmpCodePoint(point)) {
                escape((char) point, word);
            } else {
                word.append(String.format(Locale.ROOT, "\\U%08x", point));
            }
        });
        return word.append('\'').toString();
    }

    /**
     * A command that is advised, about a name: behind the options if the name begins with a dash.
     *
     * @param options each with its value, as one text
     */
    public static String command(String command, String name, String... options) {
        String given = options.length == 0 ? "" : " " + String.join(" ", options);
        return name.startsWith("-")
                ? command + given + " -- " + argument(name)
                : command + " " + argument(name) + given;
    }

    /** An option that is advised, with its value. */
    public static String option(String option, String value) {
        return option + (value.startsWith("-") ? "=" : " ") + argument(value);
    }

    /** A text of several lines. Every line but the first is set in, so that none looks like a message of its own. */
    public static String lines(String text) {
        StringBuilder lines = new StringBuilder(text.length());
        int begin = 0;
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', begin)) {
            line(text.substring(begin, end), begin > 0, lines).append('\n');
            begin = end + 1;
        }
        return line(text.substring(begin), begin > 0, lines).toString();
    }

    private static StringBuilder line(String line, boolean setIn, StringBuilder lines) {
        // the tab before a frame of a stack is white space, too
        boolean leave = !setIn || line.isEmpty() || line.charAt(0) == ' ' || line.charAt(0) == '\t';
        String text = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
        String tabs = text.startsWith("\t") ? "\t" : "";
        return lines.append(leave ? "" : "  ").append(tabs).append(escaped(text.substring(tabs.length())));
    }

    private static int firstHarmful(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c >= PRINTABLE_ASCII && isHarmful(text.codePointAt(i))) {
                return i;
            }
            i += Character.isSurrogate(c) ? 1 : 0;
        }
        return -1;
    }

    private static String escapedFrom(String text, int first) {
        StringBuilder escaped = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); ) {
            int point = text.codePointAt(i);
            int length = Character.charCount(point);
            if (!isHarmful(point)) {
                escaped.append(text, i, i + length);
            } else {
                for (int j = i; j < i + length; j++) {
                    escape(text.charAt(j), escaped);
                }
            }
            i += length;
        }
        return escaped.toString();
    }

    private static boolean isHarmful(int point) {
        int type = Character.getType(point);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.SURROGATE
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }

    private static void escape(char c, StringBuilder to) {
        switch (c) {
            case '\n' -> to.append("\\n");
            case '\r' -> to.append("\\r");
            case '\t' -> to.append("\\t");
            default -> {
                to.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    to.append(Character.forDigit(c >> shift & 0xf, 16));
                }
            }
        }
    }
}
