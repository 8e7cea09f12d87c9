package dev.almanac.calendars;

import static dev.almanac.calendars.ICalendarFiles.FROM;
import static dev.almanac.calendars.ICalendarFiles.event;
import static dev.almanac.calendars.ICalendarFiles.file;
import static dev.almanac.calendars.ICalendarFiles.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.almanac.calendars.ICalendarDates.LeftOut;
import dev.almanac.model.Problem;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ICalendarImportTest {
    private static LocalDate day(int year, int month, int day) {
        return LocalDate.of(year, month, day);
    }

    private static ICalendarDates of(byte[] bytes) throws IOException {
        return ICalendarImport.read(new ByteArrayInputStream(bytes), FROM);
    }

    private static InvalidCalendarException refusal(String file) {
        InvalidCalendarException e = catchThrowableOfType(
                InvalidCalendarException.class, () -> ICalendarImport.read(file, FROM, ICalendarLimits.DEFAULT));
        assertThat(e).as(file).isNotNull();
        assertThat(e.problems()).extracting(Problem::rule).containsOnly("C6");
        return e;
    }

    @ParameterizedTest
    @ValueSource(strings = {"feiertage-nrw", "us-federal"})
    @DisplayName("C6: two holiday files give the dates that another library gave, each once")
    void golden(String name) throws IOException {
        ICalendarDates read = of(ICalendarFiles.resource(name + ".ics"));
        assertThat(read.dates()).isEqualTo(ICalendarFiles.dates(name + ".dates"));
        assertThat(read.from()).isEqualTo(FROM);
        assertThat(read.through()).isEqualTo(day(2046, 1, 1));
    }

    @Test
    @DisplayName("C6: umlauts, a letter with a fold inside it, commas, cancelled and timed events of the German file")
    void german() throws IOException {
        ICalendarDates read = of(ICalendarFiles.resource("feiertage-nrw.ics"));
        assertThat(read.leftOut())
                .containsExactly(new LeftOut("rosenmontag-2026@feiertage.example.org", "is not an all-day event"));
        assertThat(read.events())
                .contains(
                        new ICalendarEvent(
                                "reformationstag-2027@feiertage.example.org",
                                "Reformationstag (nur 2017 landesweit frei; die Ankündigung für Köln, Münster und"
                                        + " Düsseldorf wurde zurückgezogen)",
                                List.of()),
                        new ICalendarEvent(
                                "weihnachten-2026@feiertage.example.org",
                                "Weihnachten, 1. und 2. Feiertag",
                                List.of(day(2026, 12, 25), day(2026, 12, 26))));
        assertThat(read.events()).hasSize(31);
    }

    @Test
    @DisplayName("C6: the dates become a Holiday calendar, and a definition that can be stored, of the same dates")
    void definition() {
        ICalendarDates read = read(
                event("UID:a|DTSTART;VALUE=DATE:20261225|DTEND;VALUE=DATE:20261227"), event("UID:b|DTSTART:20261226"));
        assertThat(read.definition().toMap())
                .isEqualTo(java.util.Map.of("kind", "Holiday", "exclude-dates", List.of("2026-12-25", "2026-12-26")));
        assertThat(CalendarDefinition.of(read.definition().toMap())).isEqualTo(read.definition());
        assertThat(read.calendar().isBusinessDay(day(2026, 12, 26))).isFalse();
        assertThat(read.calendar().isBusinessDay(day(2026, 12, 27))).isTrue();
        assertThat(read.definition()
                        .calendar()
                        .isIncluded(day(2026, 12, 26).atStartOfDay().toInstant(ZoneOffset.UTC), ZoneOffset.UTC))
                .isFalse();
        assertThat(read().definition().toMap()).isEqualTo(java.util.Map.of("kind", "Holiday"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "UID:a|DTSTART;VALUE=DATE:20261225 ! 2026-12-25",
                "UID:a|DTSTART:20261225|DTEND:20261228 ! 2026-12-25,2026-12-26,2026-12-27",
                "UID:a|DTSTART:20261225|DURATION:P2D ! 2026-12-25,2026-12-26",
                "UID:a|DTSTART:20261225|DURATION:+p1w|EXDATE:20261225 ! ''",
                "UID:a|DTSTART:20251231|DURATION:P3D ! 2026-01-01,2026-01-02",
                "UID:a|DTSTART:20451231|DURATION:P3D ! 2045-12-31,2046-01-01",
                "UID:a|DTSTART:20251225|RDATE:20260102,20260103|RDATE;VALUE=DATE:20271225 "
                        + "! 2026-01-02,2026-01-03,2027-12-25",
                "UID:a|DTSTART:20251225|RRULE:FREQ=YEARLY;UNTIL=20281225|EXDATE:20271225 ! 2026-12-25,2028-12-25",
                "UID:a|DTSTART:20240229|RRULE:FREQ=YEARLY;COUNT=3 ! 2028-02-29,2032-02-29",
                "UID:a|DTSTART:20251231|DURATION:P2D|RRULE:FREQ=YEARLY;COUNT=2 ! 2026-01-01,2026-12-31,2027-01-01",
                "UID:a|DTSTART:20001231|DURATION:P2D|RRULE:FREQ=YEARLY;UNTIL=20251231 ! 2026-01-01",
                "UID:a|DTSTART:20001230|DURATION:P2D|RRULE:FREQ=YEARLY;UNTIL=20251230 ! ''",
                "UID:a|DTSTART:20261224|RDATE:20261224|EXDATE:20270101 ! 2026-12-24",
                "UID:a|DTSTART:20261224|STATUS:CANCELLED ! ''",
                "UID:a|DTSTART;X=a,b;VALUE=DATE:20261224|STATUS;X=a=c,b:CANCELLED ! ''",
                "UID:a|DTSTART:20261224|STATUS:Tentative|TRANSP:OPAQUE ! 2026-12-24",
                "UID:a|DTSTART:20261224|TRANSP:TRANSPARENT ! ''",
                "UID:a|DTSTART:20261224|TRANSP:tran\u017fparent ! 2026-12-24",
                "UID:a|DTSTART:20261224|RRULE:FREQ=WEEKLY|TRANSP:TRANSPARENT ! ''",
                "UID:a|DTSTART:20261225|DTEND:20261225 ! 2026-12-25",
                "UID:a|DTSTART:20251225|RRULE:FREQ=YEARLY;UNTIL=20271225T000000Z ! 2026-12-25,2027-12-25",
                "UID:a|DTSTART:20251225|RRULE:FREQ=YEARLY;UNTIL=20271225T090000 ! 2026-12-25,2027-12-25",
                "UID:a|DTSTART:20251225|RRULE:FREQ=YEARLY;UNTIL=20271225T235959Z ! 2026-12-25,2027-12-25",
                "UID:a|DTSTART:20251225|RRULE:FREQ=YEARLY;COUNT=3|EXDATE:20261225T000000Z ! 2027-12-25",
                "UID:a|DTSTART:20251225|RRULE:FREQ=YEARLY;COUNT=3|EXDATE;TZID=Europe/Paris:20261225T000000 ! 2027-12-25"
            })
    @DisplayName("C6: what an event covers: one day or more, by rule, by date, but for exceptions, within the window")
    void covered(String properties, String dates) {
        List<LocalDate> expected = dates.isEmpty()
                ? List.of()
                : java.util.Arrays.stream(dates.split(","))
                        .map(LocalDate::parse)
                        .toList();
        assertThat(read(event(properties)).dates()).isEqualTo(expected);
    }

    @Test
    @DisplayName("C6: RECURRENCE-ID moves or cancels one occurrence, in whatever order the events stand")
    void replaced() {
        String series = event("UID:a|DTSTART:20250704|RRULE:FREQ=YEARLY;COUNT=4|SUMMARY:fourth");
        String moved = event("UID:a|RECURRENCE-ID;VALUE=DATE:20260704|DTSTART:20260703|DURATION:P2D");
        String dropped = event("UID:a|RECURRENCE-ID:20270704|DTSTART:20270704|STATUS:CANCELLED");
        String early = event("UID:a|RECURRENCE-ID:20250704|DTSTART:20260301");
        assertThat(read(series, moved, dropped).dates())
                .containsExactly(day(2026, 7, 3), day(2026, 7, 4), day(2028, 7, 4));
        assertThat(read(dropped, series, moved)).isEqualTo(read(series, moved, dropped));
        assertThat(read(early, series).dates()).contains(day(2026, 3, 1), day(2026, 7, 4));
        String cancelled = event("UID:a|DTSTART:20250704|RRULE:FREQ=YEARLY;COUNT=4|STATUS:CANCELLED");
        assertThat(read(cancelled, moved).dates()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "20250704|TRANSP:TRANSPARENT ! RECURRENCE-ID:20260704|DTSTART:20260703 ! is TRANSPARENT, so no day off",
                "20250704|TRANSP:TRANSPARENT ! RECURRENCE-ID:20260704|DTSTART:20260703|TRANSP:TRANSPARENT "
                        + "! is TRANSPARENT, so no day off",
                "20250704|TRANSP:TRANSPARENT ! RECURRENCE-ID:20260704|DTSTART:20260703T100000 "
                        + "! is TRANSPARENT, so no day off",
                "20250704T090000 ! RECURRENCE-ID:20260704|DTSTART:20260703 ! is not an all-day event",
                "20250704T090000 ! RECURRENCE-ID:20260704T090000|DTSTART:20260703 ! is not an all-day event",
                "20250704T090000 ! RECURRENCE-ID:20260704T090000|DTSTART:20260703T090000 ! is not an all-day event",
                "20250704T090000 ! RECURRENCE-ID:20260704|DTSTART:20260704|STATUS:CANCELLED ! is not an all-day event"
            })
    @DisplayName(
            "C6: a series that is left out is left out with its replacements, and refuses nothing else in the file")
    void leftOutSeries(String start, String replacement, String reason) {
        String series = event("UID:a|RRULE:FREQ=YEARLY|DTSTART:" + start);
        String replaced = event("UID:a|" + replacement);
        String other = event("UID:b|DTSTART:20261225");
        ICalendarDates read = read(series, replaced, other);
        assertThat(read.dates()).containsExactly(day(2026, 12, 25));
        assertThat(read.leftOut()).containsExactly(new ICalendarDates.LeftOut("a", reason));
        assertThat(read(replaced, other, series)).isEqualTo(read);
        String stray = event("UID:c|RECURRENCE-ID:20260704|DTSTART:20260703");
        assertThat(refusal(file(series, replaced, stray)).problems())
                .singleElement()
                .asString()
                .contains("replaces an occurrence of no all-day event of the file", "in event 'c'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "DTSTART:20261225 ! UID is required, line 3",
                "UID: |DTSTART:20261225 ! UID ' ' must have 1 to 1000 characters",
                "UID:a|UID:b|DTSTART:20261225 ! UID 'b' occurs more than once, line 5",
                "UID:a|SUMMARY:x ! DTSTART is required, line 3, in event 'a'",
                "UID:a|DTSTART:20261225|DTSTART:20261226 ! DTSTART '20261226' occurs more than once, line 6",
                "UID:a|DTSTART:20260230 ! DTSTART '20260230' names a day that does not exist",
                "UID:a|DTSTART:2026-12-25 ! is no date such as 20261225",
                "UID:a|DTSTART;VALUE=DATE-TIME:20261225 ! is no date such as",
                "UID:a|DTSTART;VALUE=DATE:20261225T000000 ! is no date such as",
                "UID:a|DTSTART:+20261225 ! is no date such as",
                "UID:a|DTSTART:20261225|DTEND:20261224 ! gives -1 days",
                "UID:a|DTSTART:20261225|DTEND:20271227 ! gives 367 days; 1 to the limit of 366",
                "UID:a|DTSTART:20261225|DTEND:20261226|DURATION:P1D ! DURATION 'P1D' cannot be combined with DTEND",
                "UID:a|DTSTART:20261225|DURATION:PT24H ! is not in whole days",
                "UID:a|DTSTART:20261225|DURATION:P0D ! gives 0 days",
                "UID:a|DTSTART:20261225|DURATION:P999W ! gives 6993 days",
                "UID:a|DTSTART:20261225|RDATE:20261301 ! RDATE '20261301' names a day that does not exist",
                "UID:a|DTSTART:20261225|RDATE:20261201,,20261202 ! RDATE",
                "UID:a|DTSTART:20261225|RDATE;VALUE=PERIOD:20261201T000000Z/P1D ! is no date such as",
                "UID:a|DTSTART:20261225|RDATE:20261225T000000Z ! RDATE '20261225T000000Z' is no date",
                "UID:a|DTSTART:20261225|EXDATE:20261325T000000Z ! EXDATE '20261325T000000Z' names a day",
                "UID:a|DTSTART:20251225|RRULE:FREQ=YEARLY|EXDATE:20261224T230000Z ! EXDATE '20261224T230000Z' is in UTC",
                "UID:a|DTSTART:20251225|RRULE:FREQ=YEARLY;UNTIL=20271224T230000Z ! UNTIL=20271224T230000Z' is in UTC",
                "UID:a|DTSTART:20251225|RRULE:FREQ=YEARLY;UNTIL=20271325 ! names a day that does not exist: '20271325'",
                "UID:a|DTSTART:20261225|EXRULE:FREQ=YEARLY ! EXRULE 'FREQ=YEARLY' is not read; write EXDATE",
                "UID:a|DTSTART:20261225|RRULE:FREQ=SECONDLY ! is more frequent than the limit, FREQ=YEARLY, line 6",
                "UID:a|DTSTART:20261225|RRULE:FREQ=WEEKLY;COUNT=2 ! is more frequent than the limit, FREQ=YEARLY",
                "UID:a|DTSTART:20261225|RRULE:FREQ=YEARLY;BYMONTHDAY=25 ! name the months",
                "UID:a|DTSTART:20261225|RRULE:FREQ=YEARLY;BYMONTH=11 ! does not name the date of DTSTART, 2026-12-25",
                "UID:a|DTSTART:20261225|RRULE:FREQ=YEARLY|RRULE:FREQ=YEARLY ! occurs more than once",
                "UID:a|DTSTART:20261225|STATUS:CANCELED ! STATUS 'CANCELED' is not known",
                "UID:a|DTSTART:20261225|STATUS:CONF\u0131RMED ! is not known; CONFIRMED, TENTATIVE or CANCELLED",
                "UID:a|DTSTART:20261225|STATUS;X=\"a\",\"b\":CANCELLED ! parameters that are not read, line 6",
                "UID:a|DTSTART:20261225|RECURRENCE-ID:20261225 ! replaces an occurrence of no all-day event of the file",
                "UID:a|DTSTART:20261225T100000|RECURRENCE-ID:20261225 ! has a time of day, but replaces a whole day"
            })
    @DisplayName("C6: a wrong event is refused with property, value, reason, line and event; nothing is guessed")
    void refused(String properties, String reason) {
        assertThat(refusal(file(event(properties))).problems())
                .singleElement()
                .asString()
                .contains(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "RECURRENCE-ID;RANGE=THISANDFUTURE:20261225|DTSTART:20261226 ! has RANGE, which is not read",
                "RECURRENCE-ID:20261224|DTSTART:20261226 ! replaces an occurrence that the event does not have, line 8",
                "RECURRENCE-ID:20261225|DTSTART:20261226|RRULE:FREQ=YEARLY ! cannot be combined with a rule or further dates",
                "DTSTART:20261224 ! UID occurs twice, line 8, in event 'a'"
            })
    @DisplayName("C6: two events of one UID: only single occurrences that exist are replaced")
    void refusedPairs(String properties, String reason) {
        String series = event("UID:a|DTSTART:20241225|RRULE:FREQ=YEARLY");
        assertThat(refusal(file(series, event("UID:a|" + properties))).problems())
                .singleElement()
                .asString()
                .contains(reason);
        String one = event("UID:a|RECURRENCE-ID:20261225|DTSTART:20261226");
        assertThat(refusal(file(series, one, one)).getMessage()).contains("RECURRENCE-ID occurs twice");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "'' ! does not begin with BEGIN:VCALENDAR",
                "BEGIN:VCARD|END:VCARD ! does not begin with BEGIN:VCALENDAR",
                "BEGIN:VCALENDAR ! is no iCalendar file",
                "BEGIN:VCALENDAR|VERSION:2.0 ! line 2",
                "BEGIN:VCALENDAR|VERSION:2.0|BEGIN:VEVENT|UID:a|END:VCALENDAR ! is no iCalendar file",
                "BEGIN:VCALENDAR|X-JUNK|DTSTART:20260101|END:VCALENDAR ! file 'X-JUNK' is no property, line 2",
                "BEGIN:VCALENDAR|X-J;A=B|END:VCALENDAR ! file 'X-J;A=B' is no property, line 2",
                "BEGIN:VCALENDAR|X-J;A=\"b:c|END:VCALENDAR ! is no property, line 2",
                "BEGIN:VCALENDAR|X-J;A=\"C:\\\":c|END:VCALENDAR ! is no property, line 2",
                "BEGIN:VCALENDAR|begin:vevent|end:vevent|END:VCALENDAR ! in capitals only, line 2",
                "BEGIN:VCALENDAR|CALSCALE:JULIAN|END:VCALENDAR ! says CALSCALE:JULIAN, which is not read, line 2",
                "BEGIN:VCALENDAR|CALSCALE:GREGOR\u0131AN|END:VCALENDAR ! says CALSCALE:GREGOR\u0131AN, which is not read, line 2",
                "BEGIN:VCALENDAR|METHOD:CANCEL|END:VCALENDAR ! says METHOD:CANCEL, which is not read",
                "BEGIN:VCALENDAR|END:VCALENDAR|X:VCALENDAR|END:VCALENDAR ! is no BEGIN, line 3",
                "BEGIN:VCALENDAR|BEGIN:VTODO|BEGIN:VEVENT|END:VEVENT|END:VTODO|END:VCALENDAR ! has an event inside",
                "BEGIN:VCALENDAR|BEGIN:A|BEGIN:A|BEGIN:A|BEGIN:A|BEGIN:A|END:A ! deeper than the limit of 4, line 6"
            })
    @DisplayName("C6: what is no iCalendar file is refused with the line, and what the library would skip too")
    void noFile(String lines, String reason) {
        assertThat(refusal(lines.replace('|', '\n')).getMessage()).contains(reason);
    }

    @Test
    @DisplayName("C6: control characters are refused where they would be dropped, and never shown")
    void controls() {
        String file = file(event("UID:a\u0001b|DTSTART:20261225"));
        assertThat(refusal(file).getMessage()).contains("characters or parameters that are not read, line 4");
        assertThat(refusal(file(event("UID:a\u009b31m\u202e|DTSTART:x"))).getMessage())
                .doesNotContain("\u009b")
                .doesNotContain("\u202e");
        assertThat(read(event("UID:a|DTSTART:20261225|SUMMARY:\ta\u009bb \\n\\\\n\\,"))
                        .events()
                        .get(0)
                        .summary())
                .isEqualTo("a b  \\n,");
        byte[] latin = file(event("UID:ä|DTSTART:20261225")).getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> of(latin)).hasMessageContaining("file is not UTF-8, line 4");
    }

    @Test
    @DisplayName("C6: every problem of a file at once, with its line; beyond 50 they are counted")
    void allProblems() {
        String file = file(
                event("UID:a|DTSTART:20260230|RRULE:FREQ=DAILY|RDATE:1,2"),
                event("UID:b|DTSTART:20260101"),
                event("UID:c|DTSTART:20260101|DTEND:20251231"),
                event("UID:d|DTSTART:20260102|RRULE:FREQ=YEARLY;BYMONTH=2"));
        assertThat(refusal(file).problems())
                .extracting(problem -> problem.field() + problem.advice().replaceAll(".*(, line [0-9]+),.*", "$1"))
                .containsExactlyInAnyOrder(
                        "DTSTART, line 5", "RDATE, line 7", "RDATE, line 7", "DTEND, line 16", "RRULE, line 21");
        String many = file(IntStream.range(0, 200)
                .mapToObj(i -> event("UID:" + i + "|DTSTART:x"))
                .toArray(String[]::new));
        assertThat(refusal(many).problems()).hasSizeBetween(50, 51);
        String lines = "BEGIN:VCALENDAR\n" + "junk\n".repeat(1_000_000 / 5);
        assertThat(refusal(lines).problems()).hasSizeBetween(50, 51);
    }

    @Test
    @DisplayName("C6: LF, CRLF, a byte order mark, folds after every letter and blank lines give the same")
    void sameInAnyDress() throws IOException {
        ICalendarDates plain = read(
                event("UID:a|DTSTART;VALUE=DATE:20261225|SUMMARY:Größe: \"1;2\"|RRULE:FREQ=YEARLY"),
                event("UID:b|DTSTART;X=\"a;b:c\":20261231"));
        assertThat(plain.events().get(0).summary()).isEqualTo("Größe: \"1;2\"");
        String text = file(
                event("UID:a|DTSTART;VALUE=DATE:20261225|SUMMARY:Größe: \"1;2\"|RRULE:FREQ=YEARLY"),
                event("UID:b|DTSTART;X=\"a;b:c\":20261231"));
        assertThat(of(text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(plain);
        assertThat(of(("\ufeff" + text).getBytes(StandardCharsets.UTF_8))).isEqualTo(plain);
        assertThat(of(text.replace("\n", "\r\n\r\n").getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(plain);
        assertThat(of(text.stripTrailing().getBytes(StandardCharsets.UTF_8))).isEqualTo(plain);
        assertThat(of(text.replace(":VEVENT", ":VEVENT ").getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(plain);
        assertThat(of(text.replace("UID", "uid").getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(plain);
        assertThat(of(folded(text, "\r\n "))).isEqualTo(plain);
        assertThat(of(folded(text, "\n\t"))).isEqualTo(plain);
    }

    /** A fold after every octet, also inside letters. */
    private static byte[] folded(String text, String fold) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i++) {
            out.write(bytes[i]);
            boolean within = bytes[i] != '\n' && i + 1 < bytes.length && bytes[i + 1] != '\n';
            if (within) {
                out.writeBytes(fold.getBytes(StandardCharsets.UTF_8));
            }
        }
        return out.toByteArray();
    }

    @Test
    @DisplayName(
            "C6: the dates do not depend on the locale: months of 30 days, a Turkish i, an unknown calendar system")
    void anyLocale() throws IOException {
        ICalendarDates expected = of(ICalendarFiles.resource("us-federal.ics"));
        Locale before = Locale.getDefault();
        try {
            for (String tag :
                    List.of("ar-SA-u-ca-islamic-umalqura", "tr-TR", "th-TH-u-ca-buddhist-nu-thai", "en-u-ca-x12")) {
                Locale.setDefault(Locale.forLanguageTag(tag));
                assertThat(of(ICalendarFiles.resource("us-federal.ics")))
                        .as(tag)
                        .isEqualTo(expected);
                assertThat(read(event("UID:a|DTSTART:20261231|RRULE:FREQ=YEARLY;COUNT=1;BYMONTH=12;BYMONTHDAY=31"))
                                .dates())
                        .as(tag)
                        .containsExactly(day(2026, 12, 31));
            }
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    @DisplayName("C6: nothing is fetched: a time zone's URL is not asked")
    void nothingIsFetched() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            server.configureBlocking(false);
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            String zone = "BEGIN:VTIMEZONE\nTZID:/example.org/Europe/Nowhere\nTZURL:http://127.0.0.1:" + port
                    + "/zone\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0100\n"
                    + "END:STANDARD\nEND:VTIMEZONE\n";
            ICalendarDates read = read(
                    zone,
                    event("UID:a|DTSTART;TZID=/example.org/Europe/Nowhere;VALUE=DATE:20261225|RRULE:FREQ=YEARLY"
                            + "|ATTACH:http://127.0.0.1:" + port + "/a"));
            assertThat(read.dates()).hasSize(20);
            assertThat(server.accept()).as("a connection").isNull();
        }
    }

    @Test
    @DisplayName("C6: an interrupted thread is told so, and stays interrupted")
    void interrupted() {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> read(event("UID:a|DTSTART:20261225|RRULE:FREQ=YEARLY")))
                    .isInstanceOf(CancellationException.class);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    @DisplayName("C6: the window: from 1900 to 2199; a year before or after is the caller's mistake")
    void window() {
        String christmas = file(event("UID:a|DTSTART:20001225|RRULE:FREQ=YEARLY"));
        ICalendarLimits century = new ICalendarLimits(1_000, 1, 101, 100);
        assertThat(ICalendarImport.read(christmas, day(2199, 12, 31), century).dates())
                .hasSize(100)
                .last()
                .isEqualTo(day(2299, 12, 25));
        assertThat(ICalendarImport.read(christmas, day(1900, 1, 1), century).dates())
                .isEmpty();
        for (LocalDate wrong : List.of(LocalDate.MIN, day(1899, 12, 31), day(2200, 1, 1), LocalDate.MAX)) {
            assertThatThrownBy(() -> ICalendarImport.read(christmas, wrong, century))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1900 to 2199");
        }
    }
}
