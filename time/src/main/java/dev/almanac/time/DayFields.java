package dev.almanac.time;

import static dev.almanac.time.CronField.DAY_OF_MONTH;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the two day fields: the forms that only the Quartz dialect has, or else a list. */
final class DayFields {
    private final DayRule rule = new DayRule();
    private final FieldText month;
    private final FieldText week;
    private @Nullable SpringDays springMonth;
    private @Nullable SpringDays springWeek;
    private String monthText = "";
    private String weekText = "";

    DayFields(FieldText month, FieldText week) {
        this.month = month;
        this.week = week;
    }

    String monthText() {
        return monthText;
    }

    String weekText() {
        return weekText;
    }

    void readMonth() {
        if (month.dialect == CronDialect.SPRING) {
            springMonth = SpringDays.read(month);
            monthText = springMonth.canonical();
        } else if (month.dialect == CronDialect.UNIX || !readMonthForm()) {
            month.restart();
            FieldValues values = FieldReader.read(month);
            monthText = values.canonical();
            rule.daysOfMonth = (int) values.values();
            rule.beforeLast = values.last ? 0 : rule.beforeLast;
            rule.either = !values.star;
        }
    }

    void readWeek() {
        if (week.dialect == CronDialect.SPRING) {
            springWeek = SpringDays.read(week);
            weekText = springWeek.canonical();
        } else if (week.dialect == CronDialect.UNIX || !readWeekForm()) {
            week.restart();
            FieldValues values = FieldReader.read(week);
            weekText = values.canonical();
            rule.daysOfWeek = (int) values.values();
            rule.either &= !values.star;
        }
    }

    /** The days that match, as {@link DayRule#table}. Quartz takes one day field; Vixie either or both, Spring both. */
    int[] combine() {
        if (springMonth != null && springWeek != null) {
            return SpringDays.both(springMonth, springWeek);
        }
        if (month.dialect == CronDialect.QUARTZ) {
            rule.either = false;
            refuseTwo();
        }
        return rule.table();
    }

    private void refuseTwo() {
        boolean noMonth = monthText.equals("?");
        boolean noWeek = weekText.equals("?");
        if (noMonth && noWeek) {
            throw week.error(week.column() - 1, "one of the two day fields must name days; both are '?'", "*");
        }
        if (!noMonth && !noWeek) {
            boolean anyWeek = weekText.equals("*");
            FieldText wrong = anyWeek || !monthText.equals("*") ? week : month;
            String write = "write '?' instead of '" + InvalidCronException.readable(wrong.text()) + "' here";
            throw wrong.error(wrong.column() - 1, "both day fields name days; " + write, "?");
        }
    }

    private boolean readMonthForm() {
        if (month.take('?')) {
            monthText = "?";
        } else if (month.take('L')) {
            lastOfMonth();
        } else if (FieldText.isDigit(month.peek())) {
            int from = month.at();
            int day = month.digits("");
            if (!month.take('W')) {
                return false;
            }
            nearestWeekday(day, from);
        } else {
            return false;
        }
        return isDone(month);
    }

    private void lastOfMonth() {
        if (month.take('W')) {
            rule.lastWeekday = true;
            rule.daysOfMonth = 0;
            monthText = "LW";
        } else if (month.take('-')) {
            int from = month.at();
            rule.beforeLast = month.digits(" after 'L-'");
            if (rule.beforeLast > 30) {
                throw month.error(from, "beyond L-0 to L-30", null);
            }
            rule.daysOfMonth = 0;
            rule.weekdayBeforeLast = month.take('W');
            monthText = (rule.beforeLast == 0 ? "L" : "L-" + rule.beforeLast) + (rule.weekdayBeforeLast ? "W" : "");
        } else if (month.isAtEnd()) {
            rule.beforeLast = 0;
            rule.daysOfMonth = 0;
            monthText = "L";
        }
    }

    private void nearestWeekday(int day, int from) {
        if (day < 1 || day > DAY_OF_MONTH.max) {
            throw month.error(from, "beyond 1-31", null);
        }
        rule.weekdayNear = day;
        rule.daysOfMonth = 0;
        monthText = day + "W";
    }

    private boolean readWeekForm() {
        if (week.take('?')) {
            weekText = "?";
            return isDone(week);
        }
        if (week.text().equalsIgnoreCase("L")) {
            weekText = "SAT";
            rule.daysOfWeek = 1 << 6;
            return true;
        }
        return readOccurrence();
    }

    /** {@code 6L}, {@code FRIL}, {@code 6#3}, {@code FRI#3}. */
    private boolean readOccurrence() {
        String text = week.text();
        int name = FieldText.isLetter(week.peek()) ? Math.min(3, text.length()) : 0;
        if (name > 0) {
            week.skip(name);
        } else if (FieldText.isDigit(week.peek())) {
            week.digits("");
        }
        char mark = week.peek();
        if (mark != 'L' && mark != '#' || week.at() + 1 == week.column()) {
            return false;
        }
        week.restart();
        int day = name > 0 ? week.shortName() : week.value();
        rule.daysOfWeek = 1 << day - 1;
        weekText = CronField.DAY_OF_WEEK.written(day, CronDialect.QUARTZ) + occurrence(week, rule);
        return isDone(week);
    }

    /** {@code L} or {@code #k}, of which one comes next in the text. */
    static String occurrence(FieldText text, DayRule rule) {
        if (text.take('L')) {
            rule.occurrence = DayRule.LAST;
            return "L";
        }
        text.take('#');
        int from = text.at();
        rule.occurrence = text.digits(" after '#'");
        if (rule.occurrence < 1 || rule.occurrence > 5) {
            throw text.error(from, "beyond #1 to #5", null);
        }
        return "#" + rule.occurrence;
    }

    /** The forms stand alone in their field; only a last day of the month may stand in a list. */
    private static boolean isDone(FieldText text) {
        if (text.isAtEnd()) {
            return true;
        }
        boolean last = text.field == DAY_OF_MONTH && text.peek() == ',';
        if (last && text.text().toUpperCase(Locale.ROOT).startsWith("L,")) {
            return false;
        }
        throw text.error(text.at(), "this form must be the only one in its field", null);
    }
}
