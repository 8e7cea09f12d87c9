package dev.almanac.calendars;

import static dev.almanac.calendars.ICalendarFiles.FROM;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ICalendarMutationTest {
    private static final long SEED = 20261121;
    private static final ICalendarLimits LIMITS = new ICalendarLimits(100_000, 100, 2_000, 20);
    private static final List<String> PIECES = List.of(
            "\n",
            "\r",
            "\r\n ",
            "\"",
            ":",
            ";",
            "=",
            ",",
            "\\",
            "\u0000",
            "\u0085",
            "\ufeff",
            "💥",
            "T",
            "Z",
            "-",
            "+",
            "BEGIN:VEVENT\n",
            "END:VEVENT\n",
            "BEGIN:VALARM\n",
            "END:VCALENDAR\n",
            "BEGIN:VCALENDAR\n",
            "20260230",
            "99999999",
            "00000101",
            "99991231",
            ";VALUE=DATE-TIME",
            ";X=\"a\\\"",
            "RRULE:FREQ=SECONDLY\n",
            "RRULE:FREQ=YEARLY;BYDAY=53SU,-53MO;BYSETPOS=-366,366\n",
            "INTERVAL=99;",
            "COUNT=999;",
            "BYMONTH=2;",
            "EXDATE:20261225\n",
            "RDATE:00010101\n",
            "DURATION:P52W\n",
            "STATUS:CANCELLED\n",
            "RECURRENCE-ID:20260704\n",
            "UID:a\n");

    @Test
    @DisplayName("C6: 3 000 mutated files: dates within the window and the limit, or the declared exception, in time")
    void mutated() {
        SplittableRandom random = new SplittableRandom(SEED);
        List<byte[]> originals =
                List.of(ICalendarFiles.resource("us-federal.ics"), ICalendarFiles.resource("feiertage-nrw.ics"));
        int[] counts = new int[2];
        Assertions.assertTimeoutPreemptively(Duration.ofMinutes(4), () -> {
            for (int i = 0; i < 3_000; i++) {
                byte[] mutant = originals.get(i % 2);
                for (int n = 1 + random.nextInt(i % 3 == 0 ? 20 : 2); n > 0; n--) {
                    mutant = mutate(random, mutant);
                }
                counts[judge(mutant, i) ? 0 : 1]++;
            }
        });
        assertThat(counts[0]).as("read").isGreaterThan(250);
        assertThat(counts[1]).as("refused").isGreaterThan(250);
    }

    private static byte[] mutate(SplittableRandom random, byte[] bytes) {
        int at = random.nextInt(bytes.length + 1);
        int end = Math.min(bytes.length, at + random.nextInt(random.nextInt(5) == 0 ? 200 : 8));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(bytes, 0, at);
        switch (random.nextInt(5)) {
            case 0 -> out.write(random.nextInt(256));
            case 1 -> out.writeBytes(PIECES.get(random.nextInt(PIECES.size())).getBytes(StandardCharsets.UTF_8));
            case 2 -> out.write(bytes, at, end - at);
            case 3 -> {
                out.write(bytes, at, end - at);
                out.write(bytes, at, end - at);
            }
            default -> out.write('0' + random.nextInt(10));
        }
        out.write(bytes, end, bytes.length - end);
        return out.toByteArray();
    }

    private static boolean judge(byte[] bytes, int number) throws IOException {
        try {
            ICalendarDates read = ICalendarImport.read(new ByteArrayInputStream(bytes), FROM, LIMITS);
            List<LocalDate> dates = read.dates();
            assertThat(dates).hasSizeLessThanOrEqualTo(2_000).isSorted().doesNotHaveDuplicates();
            assertThat(dates).allMatch(date -> !date.isBefore(FROM) && !date.isAfter(FROM.plusYears(20)));
            assertThat(CalendarDefinition.of(read.definition().toMap())).isEqualTo(read.definition());
            assertThat(read.merge(read).isEmpty()).isTrue();
            return true;
        } catch (InvalidCalendarException e) {
            assertThat(e.getMessage()).as("seed %d, file %d", SEED, number).hasSizeLessThan(20_000);
            assertThat(e.getMessage()).doesNotContainPattern("[\\p{Cc}\\u0085\\ufeff]");
            return false;
        } catch (RuntimeException e) {
            throw new AssertionError("seed " + SEED + ", file " + number, e);
        }
    }
}
