package dev.almanac.time;

/** Reads a field that is a list of values, ranges and steps. */
final class FieldReader {
    private final FieldText text;
    private final FieldValues values;
    private final boolean quartz;
    private final boolean spring;

    private FieldReader(FieldText text) {
        this.text = text;
        this.values = new FieldValues(text.field, text.dialect);
        this.quartz = text.dialect == CronDialect.QUARTZ;
        this.spring = text.dialect == CronDialect.SPRING;
    }

    static FieldValues read(FieldText text) {
        FieldReader reader = new FieldReader(text);
        reader.values.star = text.peek() == '*' || text.peek() == '/';
        do {
            reader.item();
        } while (text.take(','));
        return reader.values;
    }

    private void item() {
        if (text.isItemEnd()) {
            throw text.error(text.at(), "empty list item", null);
        }
        int from = text.at();
        if (isLast()) {
            values.last = true;
            values.write("L", false);
        } else if (text.peek() == '*' || quartz && text.peek() == '/') {
            text.take('*');
            star();
        } else {
            value(from);
        }
        if (!text.isItemEnd()) {
            throw garbage();
        }
    }

    private boolean isLast() {
        return quartz && text.field == CronField.DAY_OF_MONTH && text.take('L');
    }

    private void star() {
        values.marked = true;
        if (!text.isItemEnd() && text.peek() != '/') {
            throw text.error(text.at(), "only a step may follow '*'", null);
        }
        int step = step();
        int first = spring && text.field == CronField.DAY_OF_WEEK ? 1 : text.field.min(text.dialect);
        values.addRange(first, text.field.max, Math.max(1, step));
        values.write(step == 0 ? "*" : "*/" + step, false);
    }

    private void value(int from) {
        if (text.peek() == '/') {
            throw text.error(from, "a step needs a range before it", "*" + text.text());
        }
        boolean name = FieldText.isLetter(text.peek());
        int low = text.value();
        if (text.take('-')) {
            range(from, low);
        } else if (text.peek() == '/') {
            open(low, name);
        } else {
            values.add(low);
            values.write(written(low), true);
        }
    }

    private void range(int from, int first) {
        boolean springWeek = spring && text.field == CronField.DAY_OF_WEEK;
        int low = springWeek && first == text.field.max ? 0 : first;
        values.marked = true;
        int high = text.value();
        if (high < low && (!quartz || text.field == CronField.YEAR)) {
            throw text.error(from, "a range that runs backwards", null);
        }
        int step = step();
        values.addRange(low, high, Math.max(1, step));
        boolean sundayLast =
                !quartz && text.field == CronField.DAY_OF_WEEK && (high == text.field.max || springWeek && high == 0);
        String range = sundayLast ? low + "-" + high : written(low) + "-" + written(high);
        values.write(range + (step == 0 ? "" : "/" + step), false);
    }

    private void open(int low, boolean name) {
        values.marked = true;
        int max = text.field.max;
        if (name && !spring) {
            throw text.error(text.at(), "a step after a name", null);
        }
        if (!quartz && !spring) {
            throw text.error(
                    text.at(), "a step after a single value; a range is needed", low + "-" + max + text.restOfItem());
        }
        int step = step();
        values.addRange(low, max, step);
        values.write(low + "/" + step, false);
    }

    private String written(int value) {
        return text.field.written(value, text.dialect);
    }

    /** The step, or 0 if there is none. */
    private int step() {
        if (!text.take('/')) {
            return 0;
        }
        int from = text.at();
        int step = text.digits(" after '/'");
        if (step == 0) {
            throw text.error(from, "a step of 0 never moves", null);
        }
        if (step > text.field.maxStep() && !spring) {
            throw text.error(from, "a step beyond the field, at most " + text.field.maxStep(), null);
        }
        return step;
    }

    private InvalidCronException garbage() {
        char c = text.peek();
        String reason = switch (c) {
            case '/' -> "two steps";
            case '-' -> "a second '-'";
            case 'L', 'W', '#', '?' -> "'" + c + "' cannot follow here, nor stand in a list";
            default -> "'" + InvalidCronException.readable(String.valueOf(c)) + "' has no meaning here";
        };
        return text.error(text.at(), reason, null);
    }
}
