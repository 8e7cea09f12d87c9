package dev.almanac.calendars;

import java.io.ByteArrayOutputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file as its properties, unfolded. Lines may end with CRLF or LF; a byte order mark and blank lines are ignored.
 * Folds are taken out before letters are read, because a fold may stand inside a letter (RFC 5545 3.1).
 *
 * <p>A line without a name and a colon is refused here: the library would take the next line for its value.
 */
final class ICalendarLines {
    private static final String BEGIN = "BEGIN:VCALENDAR";
    private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final List<ICalendarLine> lines = new ArrayList<>();
    private final ProblemList problems = new ProblemList(ICalendarImport.RULE);
    private final CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder();
    private final ByteArrayOutputStream property = new ByteArrayOutputStream();
    private int begun;

    private ICalendarLines() {}

    /** @throws InvalidCalendarException with every line that is no property */
    static ICalendarLines of(byte[] bytes) {
        ICalendarLines read = new ICalendarLines();
        int at = startsWithMark(bytes) ? MARK.length : 0;
        for (int number = 1; at < bytes.length && !read.problems.isFull(); number++) {
            int end = at;
            while (end < bytes.length && bytes[end] != '\n') {
                end++;
            }
            boolean carriageReturn = end > at && bytes[end - 1] == '\r';
            read.take(number, bytes, at, carriageReturn ? end - 1 : end);
            at = end + 1;
        }
        read.end();
        read.problems.refuseIfAny();
        if (read.lines.isEmpty() || !read.lines.get(0).text().equalsIgnoreCase(BEGIN)) {
            throw ICalendarImport.refused("does not begin with " + BEGIN);
        }
        return read;
    }

    private static boolean startsWithMark(byte[] bytes) {
        return bytes.length >= MARK.length && bytes[0] == MARK[0] && bytes[1] == MARK[1] && bytes[2] == MARK[2];
    }

    private void take(int number, byte[] bytes, int from, int to) {
        boolean folded = number > 1 && from < to && (bytes[from] == ' ' || bytes[from] == '\t');
        if (!folded) {
            end();
            begun = number;
        }
        int skipped = folded ? 1 : 0;
        property.write(bytes, from + skipped, to - from - skipped);
    }

    private void end() {
        if (property.size() == 0) {
            return;
        }
        String text = text(property.toByteArray());
        property.reset();
        ICalendarLine line = text == null ? null : ICalendarLine.of(begun, text);
        if (line != null) {
            lines.add(line);
        } else {
            problems.add("file", text, (text == null ? "is not UTF-8" : "is no property") + ", line " + begun);
        }
    }

    private @Nullable String text(byte[] bytes) {
        try {
            return utf8.decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    Cursor cursor() {
        return new Cursor(lines);
    }

    /** The same as one text for the parser, and the place that it has reached. */
    static final class Cursor extends Reader {
        private final List<ICalendarLine> lines;
        private int at;
        private int column;

        private Cursor(List<ICalendarLine> lines) {
            this.lines = lines;
        }

        /** The property of which the last character was read; the last one at the end. */
        ICalendarLine line() {
            return lines.get(Math.max(0, Math.min(column == 0 ? at - 1 : at, lines.size() - 1)));
        }

        @Override
        public int read() {
            if (at == lines.size()) {
                return -1;
            }
            String text = lines.get(at).text();
            if (column < text.length()) {
                return text.charAt(column++);
            }
            at++;
            column = 0;
            return '\n';
        }

        @Override
        public int read(char[] buffer, int offset, int length) {
            int count = 0;
            for (int next = 0; count < length && (next = read()) >= 0; count++) {
                buffer[offset + count] = (char) next;
            }
            return count == 0 && length > 0 ? -1 : count;
        }

        @Override
        public void close() {
            // holds nothing that must be given back
        }
    }
}
