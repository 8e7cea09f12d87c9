package dev.almanac.text;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads a file of text whole, and each byte of it once, so that it may be a pipe. A replacement character in place of what
 * is not UTF-8 would make another name of a name.
 */
public final class TextFile {
    private TextFile() {}

    /** The file is not UTF-8. */
    public static final class NotUtf8Exception extends IOException {
        private static final long serialVersionUID = 1;

        private final int line;

        private NotUtf8Exception(int line) {
            super("is not UTF-8, line " + line + "; store it as UTF-8");
            this.line = line;
        }

        /** The line of the first wrong byte, from 1. */
        public int line() {
            return line;
        }
    }

    /** The file is larger than it may be; no more of it was read. */
    public static final class TooLargeException extends IOException {
        private static final long serialVersionUID = 1;

        private TooLargeException(int longest) {
            super("is larger than " + longest + " bytes");
        }
    }

    /**
     * The text of a file in UTF-8. Of a device or a pipe no more is read than of a file, which says its size.
     *
     * @param longest how many bytes it may have, less than 2^31 - 1
     * @throws TooLargeException if it has more
     * @throws NotUtf8Exception if some of its bytes are no UTF-8
     * @throws IOException if it cannot be read
     */
    public static String read(Path file, int longest) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(longest + 1);
        }
        if (bytes.length > longest) {
            throw new TooLargeException(longest);
        }
        // no text has more characters than bytes
        CharBuffer text = CharBuffer.allocate(bytes.length);
        boolean wrong = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT)
                .decode(ByteBuffer.wrap(bytes), text, true)
                .isError();
        String read = text.flip().toString();
        if (wrong) {
            throw new NotUtf8Exception(
                    1 + (int) read.chars().filter(c -> c == '\n').count());
        }
        return read;
    }
}
