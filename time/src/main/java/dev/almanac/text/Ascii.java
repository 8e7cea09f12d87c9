package dev.almanac.text;

/**
 * The case of names that are read. Letters beyond ASCII stay: the upper case of some, such as the i without a dot and the
 * long s, is an ASCII letter, so that a name with one of them would be taken for another.
 */
public final class Ascii {
    private Ascii() {}

    /** The text with its ASCII letters in upper case, of the same length. */
    public static String upper(String text) {
        StringBuilder upper = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            upper.append(upper(text.charAt(i)));
        }
        return upper.toString();
    }

    /** The upper case of an ASCII letter; any other character as it is. */
    public static char upper(char c) {
        return c >= 'a' && c <= 'z' ? (char) (c - 'a' + 'A') : c;
    }
}
