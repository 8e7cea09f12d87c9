package dev.almanac.calendars;

import dev.almanac.model.Problem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import net.fortuna.ical4j.data.CalendarParserImpl;
import net.fortuna.ical4j.data.ParserException;

/**
 * Reads holidays from an iCalendar file (RFC 5545; rule C6): all-day events, with yearly rules, single further dates,
 * exceptions and replaced occurrences. Gives dates to look at and to {@linkplain ICalendarDates#merge merge}; applies
 * nothing by itself.
 *
 * <p>A file that is larger, longer or busier than the {@link ICalendarLimits} is refused with the limit. Time zones in
 * the file are not read, because whole days need none; nothing is fetched. Pure; safe for many threads.
 */
public final class ICalendarImport {
    /** The rule of the house that every problem of an import names. */
    static final String RULE = "C6";

    private static final int FIRST_YEAR = 1900;
    private static final int LAST_YEAR = 2199;

    private ICalendarImport() {}

    /** As {@link #read(InputStream, LocalDate, ICalendarLimits)} with the default limits. */
    public static ICalendarDates read(InputStream in, LocalDate from) throws IOException {
        return read(in, from, ICalendarLimits.DEFAULT);
    }

    /** As {@link #read(InputStream, LocalDate, ICalendarLimits)}, of a text. */
    public static ICalendarDates read(String text, LocalDate from, ICalendarLimits limits) {
        try {
            return read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), from, limits);
        } catch (IOException e) {
            throw new IllegalStateException("a text in memory cannot fail to be read", e);
        }
    }

    /**
     * Reads a file in UTF-8.
     *
     * @param in is read to its end, or one byte beyond the limit; it is not closed
     * @param from first date of interest, 1900-01-01 to 2199-12-31; earlier dates are dropped
     * @throws InvalidCalendarException if a limit is exceeded or the file is wrong, with every problem; each names the
     *     property, its value, and where known the line and the event
     * @throws IllegalArgumentException if {@code from} is out of its range
     * @throws java.util.concurrent.CancellationException if the thread is interrupted
     * @throws IOException if {@code in} cannot be read
     */
    public static ICalendarDates read(InputStream in, LocalDate from, ICalendarLimits limits) throws IOException {
        if (from.getYear() < FIRST_YEAR || from.getYear() > LAST_YEAR) {
            throw new IllegalArgumentException("from " + from + " is not in " + FIRST_YEAR + " to " + LAST_YEAR);
        }
        byte[] bytes = in.readNBytes(limits.bytes() + 1);
        if (bytes.length > limits.bytes()) {
            throw refused("is larger than the limit of " + limits.bytes() + " bytes");
        }
        List<RawEvent> events = parse(ICalendarLines.of(bytes), limits);
        return new EventCollector(new ICalendarWindow(from, from.plusYears(limits.years())), limits).dates(events);
    }

    private static List<RawEvent> parse(ICalendarLines lines, ICalendarLimits limits) throws IOException {
        ICalendarLines.Cursor cursor = lines.cursor();
        ICalendarHandler handler = new ICalendarHandler(limits.events(), cursor);
        try {
            new CalendarParserImpl(false).parse(cursor, handler);
        } catch (ParserException e) {
            if (e.getCause() instanceof InvalidCalendarException refusal) {
                throw refusal;
            }
            String reason = ShortText.shown(String.valueOf(e.getMessage()));
            throw refused("is no iCalendar file: " + reason + ", line "
                    + cursor.line().number());
        }
        return handler.events();
    }

    /** A problem of the file as a whole. */
    static InvalidCalendarException refused(String reason) {
        return new InvalidCalendarException(List.of(new Problem("file", null, RULE, ShortText.plain(reason))));
    }
}
