package dev.almanac.calendars;

import java.util.regex.Pattern;

/** Text from outside, made fit to be shown. */
final class ShortText {
    private static final Pattern STEERING = Pattern.compile("[\\p{Cc}\\p{Cf}\\u2028\\u2029]");
    private static final int LONGEST_SHOWN = 80;

    private ShortText() {}

    /** The text with a blank in place of each character that controls a terminal or the direction of writing. */
    static String plain(String text) {
        return STEERING.matcher(text).replaceAll(" ");
    }

    /** At most so many characters, and … if there were more; a character of two halves is not cut. */
    static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most) + "…";
    }

    /** Fit for a message. */
    static String shown(String text) {
        return plain(cut(text, LONGEST_SHOWN));
    }
}
