package dev.almanac.time;

import dev.almanac.text.Ascii;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One field of an expression as text, read from left to right. It keeps its position for messages. */
final class FieldText {
    private static final long MOST = 1_000_000_000;

    final CronField field;
    final CronDialect dialect;
    private final String source;
    private final int start;
    private final int end;
    private int at;

    FieldText(CronField field, CronDialect dialect, String source, int start, int end) {
        this.field = field;
        this.dialect = dialect;
        this.source = source;
        this.start = start;
        this.end = end;
        this.at = start;
    }

    String text() {
        return source.substring(start, end);
    }

    int column() {
        return start + 1;
    }

    int at() {
        return at;
    }

    boolean isAtEnd() {
        return at >= end;
    }

    /** The character here in upper case, or 0 at the end; letters beyond ASCII stay what they are. */
    char peek() {
        return peekAt(at);
    }

    private char peekAt(int position) {
        return position < end ? Ascii.upper(source.charAt(position)) : 0;
    }

    boolean take(char wanted) {
        if (at < end && peek() == wanted) {
            at++;
            return true;
        }
        return false;
    }

    /** Whether nothing follows in this item of a list. */
    boolean isItemEnd() {
        return isAtEnd() || peek() == ',';
    }

    void restart() {
        at = start;
    }

    /** The items of the list, each as a text of its own. */
    List<FieldText> items() {
        List<FieldText> items = new ArrayList<>();
        int from = start;
        for (int position = start; position <= end; position++) {
            if (position == end || source.charAt(position) == ',') {
                items.add(new FieldText(field, dialect, source, from, position));
                from = position + 1;
            }
        }
        return items;
    }

    /** What is left of this item of a list. */
    String restOfItem() {
        int comma = source.indexOf(',', at);
        return source.substring(at, comma < 0 ? end : Math.min(comma, end));
    }

    static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    static boolean isLetter(char c) {
        return c >= 'A' && c <= 'Z';
    }

    /** A run of digits; more than a billion counts as a billion. Leading zeros are allowed, as in both families. */
    int digits(String what) {
        if (!isDigit(peek())) {
            String instead = isItemEnd() ? "" : ", not '" + InvalidCronException.readable("" + source.charAt(at)) + "'";
            throw error(at, "a number is expected" + what + instead, null);
        }
        long number = 0;
        while (isDigit(peek())) {
            number = Math.min(MOST, number * 10 + peek() - '0');
            at++;
        }
        return (int) number;
    }

    /** A number or a name within the range of the field. */
    int value() {
        int from = at;
        if (isLetter(peek())) {
            return name();
        }
        int number = digits("");
        int min = field.min(dialect);
        if (number < min || number > field.max) {
            throw error(from, "beyond " + min + "-" + field.max, null);
        }
        return number;
    }

    void skip(int characters) {
        at += characters;
    }

    /** The value of the three letters here; what follows is not read. */
    int shortName() {
        int from = at;
        at = Math.min(at + 3, end);
        int value = field.named(upper(from), dialect);
        if (value < 0) {
            throw error(from, "no name of this field", null);
        }
        return value;
    }

    private int name() {
        int from = at;
        while (isLetter(peek())) {
            at++;
        }
        String name = upper(from);
        int value = name.length() == 3 ? field.named(name, dialect) : -1;
        if (value >= 0) {
            return value;
        }
        at = from;
        String shorter = field.shortened(name);
        if (shorter.isEmpty()) {
            throw error(from, field.hasNames() ? "no name of this field" : "letters have no meaning here", null);
        }
        boolean marker = dialect == CronDialect.QUARTZ && name.length() == 4 && peekAt(from + 3) == 'L';
        throw marker
                ? error(from + 3, "'L' cannot stand in a list", null)
                : error(from, "names have three letters", shorter);
    }

    /** What was read from a position on, in upper case. */
    private String upper(int from) {
        return Ascii.upper(source.substring(from, at));
    }

    InvalidCronException error(int position, String reason, @Nullable String suggestion) {
        return new InvalidCronException(field.label, position + 1, reason, text(), suggestion);
    }
}
