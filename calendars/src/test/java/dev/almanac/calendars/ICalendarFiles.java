package dev.almanac.calendars;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;

/** Files for the tests of the import. */
final class ICalendarFiles {
    /** The first date of interest in all tests. */
    static final LocalDate FROM = LocalDate.of(2026, 1, 1);

    private ICalendarFiles() {}

    static byte[] resource(String name) {
        try (InputStream in = ICalendarFiles.class.getResourceAsStream("/ical/" + name)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<LocalDate> dates(String name) {
        return new String(resource(name), StandardCharsets.UTF_8)
                .lines()
                .map(LocalDate::parse)
                .toList();
    }

    /** An event of these properties, parted by bars. */
    static String event(String properties) {
        return "BEGIN:VEVENT\n" + properties.replace("|", "\n") + "\nEND:VEVENT\n";
    }

    static String file(String... events) {
        return "BEGIN:VCALENDAR\nVERSION:2.0\n" + String.join("", events) + "END:VCALENDAR\n";
    }

    static ICalendarDates read(String... events) {
        return ICalendarImport.read(file(events), FROM, ICalendarLimits.DEFAULT);
    }
}
