package dev.almanac.web.text;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Moments as a page shows them: in the chosen zone, with the distance from now.
 *
 * @param zone in which moments are shown and read
 * @param now by the server's clock, one for the whole page
 */
public record Clock(ZoneId zone, Instant now) {
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);
    private static final DateTimeFormatter MILLIS = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT);
    private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
    private static final Pattern INSTANT =
            Pattern.compile("\\b\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z\\b");
    /** An instant within a sentence, and its distance from now if the sentence gives that, too. */
    private static final Pattern TOLD = Pattern.compile("(" + INSTANT.pattern() + ")(, \\d+ (min|h|d) ago)?");

    private static final int HOURS = 48;

    /** Date and time of day, to the second. */
    public String at(Instant moment) {
        return SECONDS.format(moment.atZone(zone));
    }

    /** Date and time of day, to the millisecond. */
    public String exactly(Instant moment) {
        return MILLIS.format(moment.atZone(zone)) + " " + zoneName();
    }

    /** Hour and minute. */
    public String minute(Instant moment) {
        return MINUTE.format(moment.atZone(zone));
    }

    /** A text with its instants, which are in UTC, as the page shows moments. */
    public String withLocalTimes(String text) {
        return TOLD.matcher(text).replaceAll(found -> Matcher.quoteReplacement(moment(found.group(1), found.group())));
    }

    private String moment(String instant, String otherwise) {
        try {
            Instant moment = Instant.parse(instant);
            return at(moment) + " (" + distance(moment) + ")";
        } catch (DateTimeException looksLikeOne) {
            return otherwise;
        }
    }

    /** The distance of a moment from now, such as "in 5 min" or "3 s ago". */
    public String distance(Instant moment) {
        Duration away = Duration.between(now, moment);
        if (away.abs().compareTo(Duration.ofSeconds(1)) < 0) {
            return "now";
        }
        return away.isNegative() ? length(away.negated()) + " ago" : "in " + length(away);
    }

    /** A length of time in the largest unit that keeps its precision useful. */
    public static String length(@Nullable Duration time) {
        if (time == null) {
            return "-";
        }
        long millis = time.toMillis();
        if (millis < 1_000) {
            return millis + " ms";
        }
        if (time.toSeconds() < 120) {
            return millis < 10_000 ? String.format(Locale.ROOT, "%.1f s", millis / 1_000.0) : time.toSeconds() + " s";
        }
        if (time.toMinutes() < 120) {
            return time.toMinutes() + " min";
        }
        return time.toHours() < HOURS ? time.toHours() + " h" : time.toDays() + " days";
    }

    /** The first moment of today in the zone. */
    public Instant today() {
        return LocalDate.ofInstant(now, zone).atStartOfDay(zone).toInstant();
    }

    /** The name of the zone. */
    public String zoneName() {
        return zone.normalized().equals(ZoneOffset.UTC) ? "UTC" : zone.getId();
    }
}
