package dev.almanac.console;

import dev.almanac.text.Printable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Texts that fit on a terminal and cannot harm it. */
final class TextLayout {
    private TextLayout() {}

    /** A value on one line, without control characters; a dash if it is absent. */
    static String value(@Nullable String text) {
        return text == null ? "-" : Printable.value(text);
    }

    /** A sentence, which may hold several values. */
    static String sentence(String text) {
        return Printable.cut(text, Printable.LONGEST_SENTENCE);
    }

    static String jobs(long count) {
        return count + (count == 1 ? " job" : " jobs");
    }

    static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - length(text)));
    }

    /** Lines of at most so many characters, cut at spaces where there are some. */
    static List<String> wrapped(String text, int width) {
        List<String> lines = new ArrayList<>();
        String rest = text.strip();
        while (length(rest) > width) {
            int end = rest.offsetByCodePoints(0, width);
            int space = rest.lastIndexOf(' ', end);
            int cut = space > 0 ? space : end;
            lines.add(rest.substring(0, cut).stripTrailing());
            rest = rest.substring(cut).stripLeading();
        }
        if (!rest.isEmpty()) {
            lines.add(rest);
        }
        return lines;
    }

    static String withoutMiddle(String text, int width) {
        int length = length(text);
        if (length <= width) {
            return text;
        }
        int front = (width - 1) / 2;
        return text.substring(0, text.offsetByCodePoints(0, front))
                + "…"
                + text.substring(text.offsetByCodePoints(0, length - (width - 1 - front)));
    }

    static String withoutEnd(String text, int width) {
        return length(text) <= width ? text : text.substring(0, text.offsetByCodePoints(0, width - 1)) + "…";
    }
}
