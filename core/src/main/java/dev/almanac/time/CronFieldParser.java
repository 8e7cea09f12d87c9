package dev.almanac.time;

import dev.almanac.time.CronValues.Special;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Reads one field. */
final class CronFieldParser {
    private final String expression;
    private final CronField field;
    private final CronDialect dialect;
    private final String text;
    private final int start;

    CronFieldParser(String expression, CronField field, CronDialect dialect, CronToken token) {
        this.expression = expression;
        this.field = field;
        this.dialect = dialect;
        this.text = token.text();
        this.start = token.column();
    }

    CronValues parse() {
        if (text.equals("?")) {
            if (!field.isQuartzDay()) {
                throw refused(0, "'?' is allowed in the day fields of the QUARTZ dialect only; write '*'");
            }
            return CronValues.special(Special.OTHER_FIELD, 0, 0);
        }
        CronValues special = field == CronField.DAY_OF_MONTH && dialect == CronDialect.QUARTZ
                ? specialDayOfMonth()
                : field == CronField.DAY_OF_WEEK ? specialDayOfWeek() : null;
        return special != null ? special : list();
    }

    private @Nullable CronValues specialDayOfMonth() {
        if (text.equals("L")) {
            return CronValues.special(Special.LAST, 0, 0);
        }
        if (text.equals("LW")) {
            return CronValues.special(Special.LAST_WEEKDAY, 0, 0);
        }
        if (text.startsWith("L-") && isDigits(2, text.length())) {
            int offset = number(2, text.length());
            if (offset > 30) {
                throw refused(2, "L-" + offset + " is out of range; L-0 to L-30");
            }
            return CronValues.special(Special.LAST, offset, 0);
        }
        if (text.endsWith("W") && isDigits(0, text.length() - 1)) {
            return CronValues.special(Special.NEAREST_WEEKDAY, value(0, text.length() - 1), 0);
        }
        return null;
    }

    private @Nullable CronValues specialDayOfWeek() {
        int hash = text.indexOf('#');
        if (hash >= 0) {
            return nth(hash);
        }
        if (text.equals("L")) {
            BitSet saturday = new BitSet();
            saturday.set(7);
            return CronValues.plain(saturday);
        }
        if (text.endsWith("L") && isValue(0, text.length() - 1)) {
            return CronValues.special(Special.LAST_OF_WEEK, value(0, text.length() - 1), 0);
        }
        return null;
    }

    private CronValues nth(int hash) {
        if (text.indexOf('#', hash + 1) >= 0) {
            throw refused(
                    text.indexOf('#', hash + 1), "more than one '#'; one day of the week and one number, such as 2#1");
        }
        if (text.indexOf(',') >= 0) {
            throw refused(text.indexOf(','), "'#' is not allowed in a list");
        }
        if (!isValue(0, hash)) {
            throw refused(0, "before '#' a day of the week is expected, 1 to 7 or SUN to SAT");
        }
        int day = value(0, hash);
        if (!isDigits(hash + 1, text.length()) || text.length() - hash > 2) {
            throw refused(hash + 1, "after '#' a number from 1 to 5 is expected");
        }
        int k = number(hash + 1, text.length());
        if (k < 1 || k > 5) {
            throw refused(hash + 1, "after '#' a number from 1 to 5 is expected, not " + k);
        }
        return CronValues.special(Special.NTH, day, k);
    }

    private CronValues list() {
        BitSet set = new BitSet();
        boolean last = false;
        int from = 0;
        while (from <= text.length()) {
            int comma = text.indexOf(',', from);
            int to = comma < 0 ? text.length() : comma;
            if (from == to) {
                throw refused(from, text.isEmpty() ? "is empty" : "an item of the list is empty");
            }
            if (field == CronField.DAY_OF_MONTH
                    && dialect == CronDialect.QUARTZ
                    && text.substring(from, to).equals("L")) {
                last = true;
            } else {
                item(from, to, set);
            }
            from = to + 1;
        }
        return last ? new CronValues(set, Special.LAST, 0, 0) : CronValues.plain(set);
    }

    private void item(int from, int to, BitSet set) {
        int slash = indexOf('/', from, to);
        int rangeEnd = slash < 0 ? to : slash;
        int step = slash < 0 ? 1 : step(slash + 1, to);
        if (text.charAt(from) == '*') {
            if (rangeEnd != from + 1) {
                throw refused(from + 1, "'*' stands alone, or before a step such as */5");
            }
            fill(set, field.min, field.max, step);
            return;
        }
        int dash = indexOf('-', from, rangeEnd);
        if (dash == from) {
            throw refused(from, "signs are not allowed");
        }
        if (dash >= 0) {
            range(from, dash, rangeEnd, step, set);
        } else if (slash < 0) {
            set.set(slot(value(from, to)));
        } else {
            startAndStep(from, slash, step, set);
        }
    }

    private void startAndStep(int from, int slash, int step, BitSet set) {
        if (dialect == CronDialect.UNIX) {
            throw refused(
                    slash,
                    slash == from
                            ? "a step needs a base; write */" + step
                            : "a single value takes no step in the UNIX dialect; write " + text.substring(from, slash)
                                    + "-" + field.max + "/" + step);
        }
        if (slash == from) {
            throw refused(from, "a step needs a base; write */" + step);
        }
        if (Character.isLetter(text.charAt(from))) {
            throw refused(slash, "a name takes no step; write a range such as MON-FRI/2 or numbers");
        }
        fill(set, value(from, slash), field.max, step);
    }

    private void range(int from, int dash, int to, int step, BitSet set) {
        if (dash + 1 == to) {
            throw refused(dash, "the range has no end");
        }
        int first = value(from, dash);
        int last = value(dash + 1, to);
        if (first <= last) {
            fill(set, first, last, step);
            return;
        }
        if (dialect == CronDialect.UNIX || field == CronField.YEAR) {
            throw refused(
                    from,
                    "the range runs backwards; write two items, such as " + first + "-" + field.max + "," + field.min
                            + "-" + last);
        }
        int width = field.max - field.min + 1;
        for (int v = first; v <= last + width; v += step) {
            set.set(slot(v > field.max ? v - width : v));
        }
    }

    private void fill(BitSet set, int first, int last, int step) {
        for (int v = first; v <= last; v += step) {
            set.set(slot(v));
        }
    }

    private int slot(int value) {
        return field == CronField.YEAR
                ? value - field.min
                : field == CronField.UNIX_DAY_OF_WEEK ? value % 7 + 1 : value;
    }

    private int step(int from, int to) {
        if (from == to) {
            throw refused(from - 1, "the step is missing after '/'");
        }
        if (indexOf('/', from, to) >= 0) {
            throw refused(indexOf('/', from, to), "more than one step");
        }
        if (!isDigits(from, to)) {
            throw refused(from, "the step must be a whole number");
        }
        int step = to - from > 4 ? Integer.MAX_VALUE : number(from, to);
        if (step < 1) {
            throw refused(from, "a step of 0 never moves on; 1 to " + field.largestStep());
        }
        if (step > field.largestStep()) {
            throw refused(from, "the step goes beyond the field; 1 to " + field.largestStep());
        }
        return step;
    }

    private boolean isValue(int from, int to) {
        return isDigits(from, to) || nameIndex(from, to) >= 0;
    }

    private int value(int from, int to) {
        int name = nameIndex(from, to);
        if (name >= 0) {
            return name;
        }
        if (!isDigits(from, to)) {
            throw refused(from, unreadable(from, to));
        }
        int value = to - from > 5 ? Integer.MAX_VALUE : number(from, to);
        if (value < field.min || value > field.max || field == CronField.YEAR && to - from != 4) {
            throw refused(from, shown(from, to) + " is out of range; " + field.min + " to " + field.max);
        }
        return value;
    }

    private String unreadable(int from, int to) {
        String item = shown(from, to);
        if (field.names != null && item.length() > 3 && field.names.contains(item.substring(0, 3))) {
            return "'" + item + "' is not known; write '" + item.substring(0, 3) + "'";
        }
        boolean rule = item.indexOf('W') >= 0 || item.indexOf('L') >= 0 || item.indexOf('?') >= 0;
        if (rule && field.isQuartzDay()) {
            return "'" + item + "' is not allowed here: W, L-n and '?' stand alone, not in lists or ranges";
        }
        String names = field.names == null ? "" : " or a name such as " + field.names.get(0);
        return "'" + item + "' is not understood; a whole number from " + field.min + " to " + field.max + names
                + " is expected";
    }

    private int nameIndex(int from, int to) {
        return field.names == null || to - from != 3 ? -1 : indexOrNone(field.names.indexOf(text.substring(from, to)));
    }

    private int indexOrNone(int index) {
        return index < 0 ? -1 : index + field.firstName;
    }

    private String shown(int from, int to) {
        return to - from <= 20 ? text.substring(from, to) : text.substring(from, from + 20) + "…";
    }

    private boolean isDigits(int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return to > from;
    }

    private int number(int from, int to) {
        return to - from > 6 ? Integer.MAX_VALUE : Integer.parseInt(text, from, to, 10);
    }

    private int indexOf(char c, int from, int to) {
        int index = text.indexOf(c, from);
        return index >= to ? -1 : index;
    }

    private InvalidCronException refused(int offset, String reason) {
        return new InvalidCronException(expression, field.label, start + offset, reason);
    }
}
