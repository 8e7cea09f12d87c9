package dev.almanac.calendars;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Runs the examples of docs/calendars.md. */
class CalendarsPageTest {
    private final List<String> shown = new ArrayList<>();

    private static String read(String first, String... more) throws IOException {
        return Files.readString(Path.of(System.getProperty("almanac.root")).resolve(Path.of(first, more)));
    }

    private static List<String> blocks(String language) throws IOException {
        List<String> blocks = new ArrayList<>();
        Matcher matcher =
                Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```$").matcher(read("docs", "calendars.md"));
        while (matcher.find()) {
            blocks.add(matcher.group(1));
        }
        return blocks;
    }

    private void show(String line) {
        shown.add(line);
    }

    private CalendarDefinition example(InputStream file) throws IOException {
        // four years from the first date of interest, instead of 20
        ICalendarLimits limits = new ICalendarLimits(1 << 20, 1_000, 10_000, 4);
        ICalendarDates read = ICalendarImport.read(file, LocalDate.of(2026, 1, 1), limits);
        read.events().forEach(event -> show(event.uid() + " " + event.dates()));
        read.leftOut().forEach(event -> show(event.uid() + " " + event.reason()));
        CalendarDefinition holidays = read.definition();
        return holidays;
    }

    private CalendarDefinition again(Map<String, Object> stored, ICalendarDates newer) {
        ICalendarMerge merge = ICalendarDates.of(stored).merge(newer);
        show("removed " + merge.removed().stream().map(ICalendarEvent::uid).toList());
        show("gone " + merge.dates().removed());
        CalendarDefinition holidays = merge.result().definition();
        return holidays;
    }

    @Test
    @DisplayName("C6: the file on the page gives the dates on the page; the code on the page is the code that ran")
    void example() throws IOException {
        byte[] file = blocks("ics").get(0).getBytes(StandardCharsets.UTF_8);
        CalendarDefinition holidays = example(new ByteArrayInputStream(file));
        assertThat(String.join("\n", shown) + "\n").isEqualTo(lastPlainBlock());
        assertThat(holidays.values().get("exclude-dates")).startsWith("2026-05-01,2026-09-07,2026-12-25,2026-12-26,");
        String source =
                read("calendars", "src", "test", "java", "dev", "almanac", "calendars", "CalendarsPageTest.java");
        assertThat(blocks("java"))
                .hasSize(2)
                .allSatisfy(code -> assertThat(source).contains(code.indent(8)));
    }

    private static String lastPlainBlock() throws IOException {
        Matcher matcher = Pattern.compile("(?ms)^```\\n(christmas.*?)^```$").matcher(read("docs", "calendars.md"));
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    @Test
    @DisplayName("C6: the second example: what a newer file without an event changes")
    void again() throws IOException {
        String file = blocks("ics").get(0);
        LocalDate from = LocalDate.of(2026, 1, 1);
        ICalendarLimits limits = new ICalendarLimits(1 << 20, 1_000, 10_000, 2);
        ICalendarDates before = ICalendarImport.read(file, from, limits);
        String without = file.replaceAll("(?s)BEGIN:VEVENT\\nUID:labour.*?END:VEVENT\\n", "");
        ICalendarDates newer = ICalendarImport.read(without, from, limits);
        assertThat(again(before.toMap(), newer)).isEqualTo(newer.definition());
        assertThat(shown).containsExactly("removed [labour@example.org]", "gone [2026-05-01, 2026-09-07, 2027-09-07]");
    }

    @Test
    @DisplayName("C2, C6: the messages on the page are the messages")
    void messages() throws IOException {
        String page = read("docs", "calendars.md");
        InvalidCalendarException field = catchThrowableOfType(
                InvalidCalendarException.class,
                () -> CalendarDefinition.of(Map.of("kind", "Holiday", "exclude-date", "2026-12-25")));
        assertThat(page).contains("    " + field.getMessage() + "\n");
        InvalidCalendarException rule = catchThrowableOfType(
                InvalidCalendarException.class,
                () -> ICalendarFiles.read(ICalendarFiles.event("UID:a|DTSTART:20261225|RRULE:FREQ=SECONDLY")));
        assertThat(page).contains("    " + rule.getMessage() + "\n");
    }
}
