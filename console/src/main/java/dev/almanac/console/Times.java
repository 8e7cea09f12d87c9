package dev.almanac.console;

import dev.almanac.text.ShortDuration;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Moments and durations as people write and read them. */
final class Times {
    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);
    private static final DateTimeFormatter MILLIS = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT);
    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");
    private static final String FORMS = "write 2026-05-01T12:00:00Z, 2026-05-01T12:00 (in the zone), or 15m (from now)";

    private static final String PAST_FORMS =
            "write today, yesterday, 2026-05-01, 2026-05-01T12:00 (in the zone), 2026-05-01T12:00:00Z, or 24h (ago)";

    /** The largest number of rows that a command shows at once. */
    static final int MOST = 1_000;

    private Times() {}

    /** A moment as it was typed; it may be wall time, or count from now. */
    record Moment(String text) {
        Moment {
            moment(text, ZoneOffset.UTC, Instant.EPOCH);
        }

        /** @param now by the server's clock, as for every moment that is typed for a database */
        Instant in(ZoneId zone, Instant now) {
            return moment(text, zone, now);
        }

        /** @throws InvalidInputException if it has passed */
        Instant later(String option, ZoneId zone, Instant now) {
            Instant at = moment(text, zone, now);
            InvalidInputException.when(
                    !at.isAfter(now), option + " '" + text + "' is " + both(at, zone) + ", which has passed");
            return at;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** A past moment as it was typed; it may be wall time, a day, or count back from now. */
    record Past(String text) {
        Past {
            past(text, ZoneOffset.UTC, Instant.EPOCH);
        }

        /** @param now as of {@link Moment#in} */
        Instant in(ZoneId zone, Instant now) {
            return past(text, zone, now);
        }

        /** @throws InvalidInputException if it is still to come */
        Instant passed(String option, ZoneId zone, Instant now) {
            Instant at = past(text, zone, now);
            InvalidInputException.when(
                    at.isAfter(now), option + " '" + text + "' is " + both(at, zone) + ", which is to come");
            return at;
        }
    }

    /** @throws InvalidInputException unless a number of rows is within 1 to 1 000; {@code also} stands behind the message */
    static void within(String option, int rows, String also) {
        InvalidInputException.when(rows < 1 || rows > MOST, option + " " + rows + " is not within 1 to " + MOST + also);
    }

    /** A duration that is not negative, as of an option. */
    static Duration span(String text) {
        Duration span = duration(text);
        if (span.isNegative()) {
            throw new IllegalArgumentException("is negative");
        }
        return span;
    }

    /** A date, as of an option. */
    static LocalDate date(String text) {
        try {
            return LocalDate.parse(text.strip());
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("is no date; write 2026-05-01");
        }
    }

    /** Date and time in a zone, without the zone's name; milliseconds only if there are some; {@code -} if absent. */
    static String at(@Nullable Instant moment, ZoneId zone) {
        if (moment == null) {
            return "-";
        }
        boolean whole = moment.toEpochMilli() % 1_000 == 0;
        return (whole ? SECONDS : MILLIS).format(moment.atZone(zone));
    }

    /** Date and time in a zone, to the second, for tables; {@code -} if absent. */
    static String second(@Nullable Instant moment, ZoneId zone) {
        return moment == null ? "-" : SECONDS.format(moment.atZone(zone));
    }

    /** In the zone, and in UTC. */
    static String both(Instant moment, ZoneId zone) {
        return isUtc(zone)
                ? at(moment, zone) + " UTC"
                : at(moment, zone) + " " + zone + " (" + at(moment, ZoneOffset.UTC) + " UTC)";
    }

    /** The title of a column of moments. */
    static String head(String title, ZoneId zone) {
        return title + " (" + (isUtc(zone) ? "UTC" : zone) + ")";
    }

    /** Whether the zone is one of the names of UTC. */
    static boolean isUtc(ZoneId zone) {
        return zone.normalized().equals(ZoneOffset.UTC);
    }

    /** A zone by its name, as of an option; similar names are suggested. */
    static ZoneId zone(String name) {
        try {
            return ZoneId.of(name.strip());
        } catch (DateTimeException e) {
            String near = String.join(", ", Nearest.all(name, ZoneId.getAvailableZoneIds()));
            throw new IllegalArgumentException("is not known; write a region such as Europe/Brussels, UTC or +02:00"
                    + (near.isEmpty() ? "" : "; similar are " + near));
        }
    }

    /**
     * A moment: with offset, as wall time of the zone, as a date, or as a duration from now.
     *
     * @throws IllegalArgumentException with the allowed forms
     */
    static Instant moment(String text, ZoneId zone, Instant now) {
        try {
            Instant moment = read(text.strip(), zone, now);
            if (moment.isBefore(LATEST)) {
                return moment;
            }
        } catch (DateTimeException | ArithmeticException e) {
            // reported below, with the allowed forms
        }
        throw new IllegalArgumentException("is no moment; " + FORMS);
    }

    /**
     * A past moment: as {@link #moment}, but a duration counts back from now; or {@code today} or
     * {@code yesterday}, the start of that day in the zone.
     *
     * @throws IllegalArgumentException with the allowed forms
     */
    static Instant past(String text, ZoneId zone, Instant now) {
        String given = text.strip();
        LocalDate today = LocalDate.ofInstant(now, zone);
        if (given.equals("today") || given.equals("yesterday")) {
            LocalDate day = given.equals("today") ? today : today.minusDays(1);
            return day.atStartOfDay(zone).toInstant();
        }
        try {
            return isRelative(given) ? now.minus(duration(given)) : moment(given, zone, now);
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException("is no moment; " + PAST_FORMS);
        }
    }

    private static Instant read(String given, ZoneId zone, Instant now) {
        if (isRelative(given)) {
            return now.plus(duration(given));
        }
        if (given.matches("[0-9]{4}-[0-9]{2}-[0-9]{2}")) {
            return LocalDate.parse(given).atStartOfDay(zone).toInstant();
        }
        return isLocal(given)
                ? LocalDateTime.parse(given.replace(' ', 'T')).atZone(zone).toInstant()
                : OffsetDateTime.parse(given).toInstant();
    }

    /** Whether a text is a duration, and so a moment that counts from now. */
    static boolean isRelative(String text) {
        String given = text.strip();
        return ShortDuration.read(given) != null || given.startsWith("P");
    }

    /** Whether a text is wall time, without offset. */
    static boolean isLocal(String text) {
        return text.strip().matches("[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.]+");
    }

    /**
     * A duration as ISO-8601, or as a number with ms, s, m, h or d.
     *
     * @throws IllegalArgumentException with the allowed forms
     */
    static Duration duration(String text) {
        Duration brief = ShortDuration.read(text.strip());
        try {
            return brief == null ? Duration.parse(text.strip()) : brief;
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("is no duration; write 30s, 5m, 2h, 1d, or PT5M");
        }
    }
}
