package dev.almanac.retry;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text form of a retry policy. */
final class RetryText {
    private static final Pattern REPEATED =
            Pattern.compile("R(\\d{1,4})/([^*<~]+)(?:\\*([0-9.E-]{1,24})<([^~]+)(?:~([0-9.E-]{1,24}))?)?");
    private static final int LONGEST = 32_000;

    private RetryText() {}

    static RetryPolicy parse(String text) {
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException("a retry text of " + text.length() + " characters is too long");
        }
        if (text.equals("none")) {
            return RetryPolicy.none();
        }
        Matcher repeated = REPEATED.matcher(text);
        if (repeated.matches()) {
            return repeated(repeated);
        }
        if (text.strip().matches("\\d+")) {
            throw new IllegalArgumentException(
                    "position 1: '" + text + "' is a number alone; write how often and how far"
                            + " apart, such as R3/PT5M: three retries, five minutes apart");
        }
        if (text.startsWith("R")) {
            throw new IllegalArgumentException("position 1: expected R<times>/<delay> such as R5/PT5M, or"
                    + " R<times>/<first>*<factor><<cap>~<jitter> such as R8/PT1S*2<PT1H~0.1");
        }
        return list(text);
    }

    private static RetryPolicy repeated(Matcher m) {
        int retries = Integer.parseInt(m.group(1));
        Duration first = duration(m.group(2), m.start(2));
        if (m.group(3) == null) {
            return RetryPolicy.fixed(retries, first);
        }
        double jitter = m.group(5) == null ? 0 : number(m.group(5), m.start(5));
        return RetryPolicy.exponential(
                retries, first, number(m.group(3), m.start(3)), duration(m.group(4), m.start(4)), jitter);
    }

    private static RetryPolicy list(String text) {
        List<Duration> delays = new ArrayList<>();
        int start = 0;
        for (String part : text.split(",", -1)) {
            delays.add(duration(part, start));
            start += part.length() + 1;
        }
        return RetryPolicy.delays(delays);
    }

    private static Duration duration(String text, int index) {
        try {
            return Duration.parse(text.strip());
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("position " + (index + 1) + ": '" + text
                    + "' is not a duration; write it as ISO-8601, such as PT5M for five minutes");
        }
    }

    private static double number(String text, int index) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("position " + (index + 1) + ": '" + text + "' is not a number");
        }
    }
}
