package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TableTest {
    private record Row(
            String key, String state, String why, @Nullable String note) {}

    private static String printed(Map<String, String> environment, boolean terminal, Row... rows) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        new Columns<Row>()
                .key("KEY", Row::key)
                .whole("STATE", Row::state)
                .text("WHY", Row::why)
                .note(Row::note)
                .print(new ProcessEnvironment(out, out, environment, terminal), false, List.of(rows));
        return text.toString();
    }

    @Test
    @DisplayName("8: the widest cells give way first: keys in the middle, sentences at their end")
    void fits() {
        String text = printed(
                Map.of("COLUMNS", "40"),
                false,
                new Row("abcdefghijklmnopqrstuvwxyz", "FAILED", "the bank has refused the payment", null),
                new Row("ä€𝒳", "UP", "", "a note that is longer than forty characters goes on below"));
        assertThat(text).isEqualTo("""
                KEY            STATE   WHY
                abcdefg…tuvwxyz  FAILED  the bank has r…
                """.replace("KEY            ", "KEY              ") + """
                ä€𝒳              UP
                  a note that is longer than forty
                  characters goes on below
                """);
        assertThat(text.lines()).allMatch(line -> line.codePointCount(0, line.length()) <= 40);
    }

    @Test
    @DisplayName("8: --wide shortens nothing, however narrow the terminal is")
    void wide() {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        ProcessEnvironment narrow = new ProcessEnvironment(out, out, Map.of("COLUMNS", "20"), false);
        String key = "k".repeat(256);
        Columns<String> columns = new Columns<String>().key("KEY", item -> item);
        columns.print(narrow, false, List.of(key));
        columns.note(item -> "a note of several words").print(narrow, true, List.of(key));
        assertThat(text.toString())
                .isEqualTo("KEY\nkkkkkkkkk…kkkkkkkkkk\nKEY\n" + key + "\n  a note of several words\n");
    }

    @Test
    @DisplayName("8: what does not fit beside each other is printed below each other")
    void below() {
        assertThat(printed(Map.of("COLUMNS", "20"), false, new Row("a", "UP", "because", null)))
                .isEqualTo("KEY  STATE  WHY\na    UP     because\n");
        assertThat(printed(Map.of("COLUMNS", "20"), false, new Row("abcdefghijkl", "FAILED", "because of it", null)))
                .isEqualTo("KEY    abcdefghijkl\nSTATE  FAILED\nWHY    because of it\n\n");
    }

    @Test
    @DisplayName("8: colours only on a terminal, and not with NO_COLOR")
    void colours() {
        Row row = new Row("a", "FAILED", "x", null);
        String escape = "\u001b[";
        assertThat(printed(Map.of(), true, row)).contains(escape + "31mFAILED" + escape + "0m", escape + "1mKEY");
        assertThat(printed(Map.of("NO_COLOR", "1"), true, row)).doesNotContain(escape);
        assertThat(printed(Map.of(), false, row)).doesNotContain(escape);
    }

    @Test
    @DisplayName("9: what comes out of the database writes nothing but letters on a terminal")
    void harmless() {
        assertThat(printed(Map.of(), true, new Row("\u001b[2Jx\r\ny\u202ez", "UP", "\u0007", null)))
                .contains("\\u001b[2Jx\\r\\ny\\u202ez", "\\u0007")
                .doesNotContain("\u001b[2J", "\u0007");
    }

    @Test
    @DisplayName("8: moments are read with offset, as wall time, as date, or from now")
    void moments() {
        ZoneId zone = ZoneId.of("Europe/Brussels");
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        assertThat(Times.moment("2026-05-01T12:00:00+01:00", zone, now)).isEqualTo("2026-05-01T11:00:00Z");
        assertThat(Times.moment("2026-05-01T12:00", zone, now)).isEqualTo("2026-05-01T10:00:00Z");
        assertThat(Times.moment("2026-05-01 12:00:30", zone, now)).isEqualTo("2026-05-01T10:00:30Z");
        assertThat(Times.moment("2026-05-01", zone, now)).isEqualTo("2026-04-30T22:00:00Z");
        assertThat(Times.moment("15m", zone, now)).isEqualTo("2026-01-01T00:15:00Z");
        assertThat(Times.moment("PT2H", zone, now)).isEqualTo("2026-01-01T02:00:00Z");
        for (String wrong : List.of("", "soon", "2026-13-01", "15 m", "2026-05-01T25:00", "999999999d")) {
            assertThatThrownBy(() -> Times.moment(wrong, zone, now)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(Times.duration("1500ms")).isEqualTo(Duration.ofMillis(1_500));
        assertThat(Times.both(Instant.EPOCH, ZoneOffset.UTC)).isEqualTo("1970-01-01 00:00:00 UTC");
        assertThat(Times.at(Instant.ofEpochMilli(5), zone)).isEqualTo("1970-01-01 01:00:00.005");
    }

    @Test
    @DisplayName("8: what was meant is the nearest known word, or one that begins so; a far one is not guessed")
    void nearest() {
        List<String> known = List.of("list", "show", "history", "cancel");
        assertThat(Nearest.word("lsit", known)).contains("list");
        assertThat(Nearest.word("HISTROY", known)).contains("history");
        assertThat(Nearest.word("canc", known)).contains("cancel");
        assertThat(Nearest.word("x", known)).isEmpty();
        assertThat(Nearest.word("remove", known)).isEmpty();
    }
}
