package dev.almanac.calendars;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import net.fortuna.ical4j.data.CalendarParserImpl;
import net.fortuna.ical4j.data.ParserException;
import net.fortuna.ical4j.data.UnfoldingReader;

/**
 * Reads holidays from an iCalendar file (RFC 5545; rule C6): all-day events, with yearly rules, single further dates
 * and exceptions. Gives dates to look at and to {@linkplain ICalendarDates#merge merge}; applies nothing by itself.
 *
 * <p>Only the grammar is left to the library: time zones in the file are not read, nothing is fetched, and a file that
 * is larger, longer or busier than the {@link ICalendarLimits} is refused with the limit. Pure; safe for many threads.
 */
public final class ICalendarImport {
    private static final int FOLD_BUFFER = 8_192;

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
     * @param from first date of interest; earlier dates are dropped
     * @throws InvalidCalendarException if a limit is exceeded or the file is wrong, with up to 20 problems; each names
     *     the property, its value and the event
     * @throws IOException if {@code in} cannot be read
     */
    public static ICalendarDates read(InputStream in, LocalDate from, ICalendarLimits limits) throws IOException {
        byte[] bytes = in.readNBytes(limits.bytes() + 1);
        if (bytes.length > limits.bytes()) {
            throw new InvalidCalendarException(
                    "file", null, "is larger than the limit of " + limits.bytes() + " bytes");
        }
        List<RawEvent> events = parse(text(bytes), limits);
        return new EventCollector(new ICalendarWindow(from, from.plusYears(limits.years())), limits).dates(events);
    }

    private static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new InvalidCalendarException("file", null, "is not UTF-8");
        }
    }

    private static List<RawEvent> parse(String text, ICalendarLimits limits) throws IOException {
        ICalendarHandler handler = new ICalendarHandler(limits.events());
        try (UnfoldingReader reader = new UnfoldingReader(new StringReader(text), FOLD_BUFFER, true)) {
            new CalendarParserImpl().parse(reader, handler);
        } catch (ParserException e) {
            throw new InvalidCalendarException(
                    "file", null, "is no iCalendar file: " + RawEvent.shortened(e.getMessage()));
        }
        return handler.events();
    }
}
