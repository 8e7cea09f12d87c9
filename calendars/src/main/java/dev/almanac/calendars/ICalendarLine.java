package dev.almanac.calendars;

import org.jspecify.annotations.Nullable;

/**
 * One property of an iCalendar file, unfolded.
 *
 * @param number of the first of its lines in the file, from 1
 * @param text from its name to the end of its value
 * @param colon where in the text the value is parted from name and parameters
 */
record ICalendarLine(int number, String text, int colon) {
    /** What is no property: no name, no colon, or quotes that the library would end elsewhere. Null if all is well. */
    static @Nullable ICalendarLine of(int number, String text) {
        int end = 0;
        while (end < text.length() && isOfName(text.charAt(end))) {
            end++;
        }
        boolean hasName = end > 0 && end < text.length() && (text.charAt(end) == ';' || text.charAt(end) == ':');
        int colon = hasName ? colon(text, end) : -1;
        return colon < 0 ? null : new ICalendarLine(number, text, colon);
    }

    private static boolean isOfName(char letter) {
        return letter >= 'A' && letter <= 'Z'
                || letter >= 'a' && letter <= 'z'
                || letter >= '0' && letter <= '9'
                || letter == '-';
    }

    private static int colon(String text, int from) {
        boolean quoted = false;
        for (int i = from; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (letter == '"') {
                if (quoted && text.charAt(i - 1) == '\\') {
                    return -1;
                }
                quoted = !quoted;
            } else if (letter == ':' && !quoted) {
                return i;
            }
        }
        return -1;
    }

    String value() {
        return text.substring(colon + 1);
    }
}
