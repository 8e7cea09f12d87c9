package dev.almanac.calendars;

import static dev.almanac.calendars.ICalendarFiles.FROM;
import static dev.almanac.calendars.ICalendarFiles.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.time.Duration;
import java.time.LocalDate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ICalendarLimitsTest {
    /** Far more than the slowest case takes, about 2 seconds: a loop that does not end is what is looked for. */
    private static final Duration BOUND = Duration.ofMinutes(5);

    private static final String EVERY_DAY = "BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12;BYDAY=MO,TU,WE,TH,FR,SA,SU";

    private static void within(org.junit.jupiter.api.function.Executable read) {
        Assertions.assertTimeoutPreemptively(BOUND, read);
    }

    private static String file(int events, String properties) {
        return ICalendarFiles.file(IntStream.range(0, events)
                .mapToObj(i -> event("UID:" + i + "|" + properties))
                .collect(Collectors.joining()));
    }

    private static void refused(String file, ICalendarLimits limits, String limit) {
        within(() -> assertThatThrownBy(() -> ICalendarImport.read(file, FROM, limits))
                .isInstanceOf(InvalidCalendarException.class)
                .hasMessageContaining(limit));
    }

    @Test
    @DisplayName("C6: a file of 10 MB is refused with the limit, and not read beyond it; one of the limit is read")
    void bytes() {
        int[] given = {0};
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return given[0]++ < 10_000_000 ? 'x' : -1;
            }
        };
        within(() -> assertThatThrownBy(() -> ICalendarImport.read(endless, FROM))
                .isInstanceOf(InvalidCalendarException.class)
                .hasMessage("file is larger than the limit of 1048576 bytes"));
        assertThat(given[0]).isEqualTo(1_048_577);
        String file = ICalendarFiles.file(event("UID:a|DTSTART:20261225"));
        ICalendarLimits exact = new ICalendarLimits(file.length(), 1, 1, 1);
        assertThat(ICalendarImport.read(file, FROM, exact).dates()).containsExactly(LocalDate.of(2026, 12, 25));
        refused(file + "\n", exact, "limit of " + file.length() + " bytes");
    }

    @Test
    @DisplayName("C6: events and dates are counted: as many as the limit are read, one more is refused with it")
    void counted() {
        ICalendarLimits limits = new ICalendarLimits(1 << 20, 10, 30, 20);
        assertThat(ICalendarImport.read(file(10, "DTSTART:20261225|DURATION:P3D"), FROM, limits)
                        .events())
                .hasSize(10);
        refused(file(11, "DTSTART:20261225"), limits, "file holds more events than the limit of 10, line 43");
        refused(file(10, "DTSTART:20261225|DURATION:P4D"), limits, "file gives more dates than the limit of 30");
        String dates = IntStream.range(0, 31)
                .mapToObj(
                        day -> LocalDate.of(2030, 1, 1).plusDays(day).toString().replace("-", ""))
                .collect(Collectors.joining(","));
        refused(file(1, "DTSTART:20261225|RDATE:" + dates), limits, "names more dates than the limit of 30");
        refused(file(1, "DTSTART:20261225|EXDATE:" + dates), limits, "names more dates than the limit of 30");
    }

    @Test
    @DisplayName("C6: an endless rule ends with the horizon: 20 years, or as many as the limits say")
    void horizon() {
        String endless = file(1, "DTSTART:20001225|RRULE:FREQ=YEARLY");
        assertThat(ICalendarImport.read(endless, FROM, ICalendarLimits.DEFAULT).dates())
                .hasSize(20);
        assertThat(ICalendarImport.read(endless, FROM, new ICalendarLimits(1_000, 1, 100, 3))
                        .dates())
                .containsExactly(LocalDate.of(2026, 12, 25), LocalDate.of(2027, 12, 25), LocalDate.of(2028, 12, 25));
        refused(file(2, "DTSTART:20260101|RRULE:FREQ=YEARLY;" + EVERY_DAY), ICalendarLimits.DEFAULT, "limit of 10000");
    }

    @Test
    @DisplayName("C6: rules that look at many days and name few are refused with the limit, however many events")
    void looks() {
        String first = "DTSTART:20260101|RRULE:FREQ=YEARLY;BYSETPOS=1;" + EVERY_DAY;
        within(() -> assertThat(ICalendarImport.read(file(20, first), FROM, ICalendarLimits.DEFAULT)
                        .dates())
                .hasSize(21));
        String rare = file(1, "DTSTART:20260105|RRULE:FREQ=YEARLY;BYDAY=1MO");
        assertThat(ICalendarImport.read(rare, FROM, new ICalendarLimits(1_000, 1, 1, 1))
                        .dates())
                .hasSize(1);
        refused(file(1_000, first), ICalendarLimits.DEFAULT, "look at more days than the limit of 300000");
        refused(
                file(1_000, first.replace("BYSETPOS", "COUNT=999;BYSETPOS").replace("2026", "0001")),
                ICalendarLimits.DEFAULT,
                "look at more days than the limit of 300000");
    }

    @Test
    @DisplayName("C6: the longest rule, summary, line and list of a file of 4 MiB are read or refused in time")
    void worst() {
        ICalendarLimits most = new ICalendarLimits(4 << 20, 100_000, 100_000, 100);
        int size = (4 << 20) - 200;
        within(() -> assertThat(ICalendarImport.read(
                                file(1, "DTSTART:20261225|SUMMARY:" + "x".repeat(size)), FROM, most)
                        .events()
                        .get(0)
                        .summary())
                .hasSize(201));
        refused(file(1, "DTSTART:20261225|RRULE:FREQ=YEARLY;" + "BYMONTH=12;".repeat(50)), most, "limit of 500");
        refused(file(1, "DTSTART:20261225|RDATE:" + "20261225,".repeat(size / 9)), most, "limit of 100000");
        refused(file(1, "X-" + "x".repeat(size)), most, "is no property, line 5");
        refused(file(1, "X;A=" + "\"a\",".repeat(size / 4)), most, "is no property, line 5");
        refused("BEGIN:VCALENDAR\n" + "BEGIN:A\n".repeat(size / 8), most, "deeper than the limit of 4");
        within(() -> assertThatCode(() -> ICalendarImport.read(
                        "BEGIN:VCALENDAR" + "\n ".repeat(size / 2) + "\n" + "END:VCALENDAR", FROM, most))
                .doesNotThrowAnyException());
        within(() -> assertThat(ICalendarImport.read(file(20_000, "DTSTART:20261225"), FROM, most)
                        .dates())
                .hasSize(1));
    }

    @Test
    @DisplayName("C6: limits outside their ranges are refused by name")
    void ranges() {
        assertThatThrownBy(() -> new ICalendarLimits(0, 1, 1, 1)).hasMessageContaining("bytes 0");
        assertThatThrownBy(() -> new ICalendarLimits((16 << 20) + 1, 1, 1, 1)).hasMessageContaining("bytes 16777217");
        assertThatThrownBy(() -> new ICalendarLimits(1, 100_001, 1, 1)).hasMessageContaining("events 100001");
        assertThatThrownBy(() -> new ICalendarLimits(1, 1, 100_001, 1)).hasMessageContaining("dates 100001");
        assertThatThrownBy(() -> new ICalendarLimits(1, 1, 1, 101)).hasMessageContaining("years 101");
    }
}
