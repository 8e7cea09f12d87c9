package dev.almanac.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTest {
    @Test
    @DisplayName("16.4: controls of both sets, DEL, format characters, separators and lone surrogates are escaped")
    void escaped() {
        assertThat(Printable.escaped("a\u001b[2Jb\u0007\u0000")).isEqualTo("a\\u001b[2Jb\\u0007\\u0000");
        assertThat(Printable.escaped("\u009b31m\u0085\u007f")).isEqualTo("\\u009b31m\\u0085\\u007f");
        assertThat(Printable.escaped("a\u202eb\u2066\u200b\u061c\ufeff"))
                .isEqualTo("a\\u202eb\\u2066\\u200b\\u061c\\ufeff");
        assertThat(Printable.escaped("one\u2028two\u2029")).isEqualTo("one\\u2028two\\u2029");
        assertThat(Printable.escaped("x\r\n\ty")).isEqualTo("x\\r\\n\\ty");
        assertThat(Printable.escaped("\ud800 and \udc00")).isEqualTo("\\ud800 and \\udc00");
        assertThat(Printable.escaped("\udb40\udc01")).as("a tag character").isEqualTo("\\udb40\\udc01");
    }

    @Test
    @DisplayName("16.4: every code point either is printed as it is, or as ASCII")
    void all() {
        for (int point = 0; point <= Character.MAX_CODE_POINT; point++) {
            String text = Character.toString(point);
            String shown = Printable.escaped(text);
            if (!shown.equals(text)) {
                assertThat(shown).matches("\\\\[nrt]|(\\\\u[0-9a-f]{4}){1,2}");
            } else {
                assertThat(text.codePoints()).noneMatch(Character::isISOControl);
            }
        }
    }

    @Test
    @DisplayName("16.4: letters, signs and pictures of all languages stay as they are")
    void kept() {
        String text = "Größe, 東京, عربي, €, 𝒳, 😀, \\, \", '";
        assertThat(Printable.escaped(text)).isSameAs(text);
        assertThat(Printable.value("x".repeat(200))).hasSize(200);
    }

    @Test
    @DisplayName("16.4: values are cut to 200 characters and say how long they are; no pair is cut in two")
    void cut() {
        assertThat(Printable.value("x".repeat(10_000_000))).isEqualTo("x".repeat(200) + "… (10000000 characters)");
        assertThat(Printable.value("x".repeat(199) + "😀😀")).isEqualTo("x".repeat(199) + "… (203 characters)");
        assertThat(Printable.value("\u001b".repeat(300))).hasSize(200 * 6 + "… (300 characters)".length());
        assertThat(Printable.value(null)).isEqualTo("null");
    }

    @Test
    @DisplayName("16.4: of a text of several lines each but the first is set in, so that none looks like a message")
    void lines() {
        assertThat(Printable.lines("almanac: no\nalmanac: yes\r\n\tat A.b\n  - c\n\u001b[1A"))
                .isEqualTo("almanac: no\n  almanac: yes\n\tat A.b\n  - c\n  \\u001b[1A");
        assertThat(Printable.lines("x")).isEqualTo("x");
        assertThat(Printable.lines("x\n\n")).isEqualTo("x\n\n");
        assertThat(Printable.lines("a\rb")).isEqualTo("a\\rb");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain",
                "",
                "--all",
                "-x --all --yes",
                "it's; rm -rf x",
                "$HOME `id` \\ \"",
                "می\u200cخواهم",
                "-rtl\u202ekey",
                "'\\u200c\\' and \u200c'\\",
                "a\tb\nc\rd\u001b[2J",
                "\ud83c\udff4\udb40\udc67\udb40\udc7f",
                "\udb40\udc410"
            })
    @DisplayName(
            "16.4: an advised command, copied into a shell, is about that name, whatever it holds; no option is made of it")
    void advised(String name) throws Exception {
        String command = Printable.command("almanac jobs cancel", name, "--yes");
        String option = Printable.option("--after", name);
        assertThat(Printable.escaped(command)).as("as it is shown").isEqualTo(command);
        assertThat(Printable.escaped(option)).isEqualTo(option);
        List<String> words = words(command);
        assertThat(words).startsWith("almanac", "jobs", "cancel");
        List<String> rest = words.subList(3, words.size());
        if (name.startsWith("-")) {
            assertThat(rest).containsExactly("--yes", "--", name);
            assertThat(words(option)).containsExactly("--after=" + name);
        } else {
            assertThat(rest).containsExactly(name, "--yes");
            assertThat(words(option)).containsExactly("--after", name);
        }
    }

    /** As a shell takes a line apart. */
    private static List<String> words(String line) throws IOException {
        ProcessBuilder shell = new ProcessBuilder("bash", "-c", "printf '%s\\0' " + line);
        shell.environment().put("LC_ALL", "C.UTF-8");
        Process process = shell.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return List.of(printed.substring(0, printed.length() - 1).split("\0", -1));
    }
}
