package dev.almanac.calendars;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The texts of events, made fit for people. */
final class EventText {
    private static final Pattern ESCAPED = Pattern.compile("\\\\([nN,;\\\\])");
    private static final int LONGEST_SUMMARY = 200;

    private EventText() {}

    /**
     * The summary of the event; empty if it has none, the first if there are several, since it has no effect on dates.
     */
    static String summary(RawEvent raw) {
        String value =
                raw.all("SUMMARY").isEmpty() ? "" : raw.all("SUMMARY").get(0).value();
        String text = ESCAPED.matcher(value)
                .replaceAll(
                        found -> found.group(1).equalsIgnoreCase("n") ? " " : Matcher.quoteReplacement(found.group(1)));
        return ShortText.cut(ShortText.plain(text).strip(), LONGEST_SUMMARY);
    }
}
