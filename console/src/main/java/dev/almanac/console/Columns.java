package dev.almanac.console;

import dev.almanac.text.Printable;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a list is shown for people: a table with these columns under a head, as wide as the terminal at most unless all is
 * asked for. Not thread-safe.
 */
final class Columns<T> {
    private static final int GAP = 2;
    private static final int LEAST = 10;

    /** How a cell is shortened that is too long. */
    private enum Fit {
        /** Nothing: the column is as wide as its longest cell. */
        WHOLE,
        /** Its middle is left out: the two ends of a key distinguish it from others. */
        MIDDLE,
        /** Its end is left out. */
        END
    }

    private record Column<T>(String title, Fit fit, Function<T, ?> cell) {}

    private final List<Column<T>> columns = new ArrayList<>();
    private Function<T, @Nullable String> note = item -> null;
    private Function<T, List<String>> lines = item -> List.of();

    /** A column that is never shortened. */
    Columns<T> whole(String title, Function<T, ?> cell) {
        return column(title, Fit.WHOLE, cell);
    }

    /** A column of texts, of which the end may be left out. */
    Columns<T> text(String title, Function<T, ?> cell) {
        return column(title, Fit.END, cell);
    }

    /** A column of keys, of which the middle may be left out. */
    Columns<T> key(String title, Function<T, ?> cell) {
        return column(title, Fit.MIDDLE, cell);
    }

    /** A column of moments in a zone, to the second. */
    Columns<T> moment(String title, ZoneId zone, Function<T, @Nullable Instant> cell) {
        return whole(Times.head(title, zone), item -> Times.second(cell.apply(item), zone));
    }

    private Columns<T> column(String title, Fit fit, Function<T, ?> cell) {
        columns.add(new Column<>(title, fit, cell));
        return this;
    }

    /** What stands below the row of an item, in as many lines as needed; nothing if it is absent. */
    Columns<T> note(Function<T, @Nullable String> text) {
        note = text;
        return this;
    }

    /** Lines that stand below the note of an item. */
    Columns<T> lines(Function<T, List<String>> texts) {
        lines = texts;
        return this;
    }

    /**
     * Prints head and rows; if even shortened cells do not fit beside each other, below each other.
     *
     * @param wide whether nothing is shortened, however long the lines become
     */
    void print(ProcessEnvironment process, boolean wide, List<T> items) {
        int width = wide ? Integer.MAX_VALUE : process.width();
        List<String> titles = columns.stream().map(Column::title).toList();
        List<List<String>> rows = items.stream().map(item -> cells(item, wide)).toList();
        int[] widths = widths(titles, rows, width);
        boolean below = total(widths) > width;
        if (!below) {
            process.out().println(Color.BOLD.on(line(titles, widths, false), process.colours()));
        }
        for (int i = 0; i < rows.size(); i++) {
            List<String> cells = rows.get(i);
            if (below) {
                int label = titles.stream().mapToInt(TextLayout::length).max().orElse(0);
                for (int column = 0; column < cells.size(); column++) {
                    process.out().println(TextLayout.padded(titles.get(column), label) + "  " + cells.get(column));
                }
            } else {
                process.out().println(line(cells, widths, process.colours()));
            }
            T item = items.get(i);
            Stream.concat(Stream.ofNullable(note.apply(item)), lines.apply(item).stream())
                    .flatMap(text -> TextLayout.wrapped(TextLayout.sentence(text), width - GAP).stream())
                    .forEach(line -> process.out().println(" ".repeat(GAP) + line));
            if (below) {
                process.out().println();
            }
        }
    }

    /** Keys are not cut, since a part of one cannot be looked for. */
    private List<String> cells(T item, boolean wide) {
        return columns.stream()
                .map(column -> {
                    String text = String.valueOf(column.cell.apply(item));
                    return wide || column.fit == Fit.MIDDLE ? Printable.escaped(text) : TextLayout.value(text);
                })
                .toList();
    }

    private String line(List<String> cells, int[] widths, boolean colours) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = columns.get(i).fit == Fit.MIDDLE
                    ? TextLayout.withoutMiddle(cells.get(i), widths[i])
                    : TextLayout.withoutEnd(cells.get(i), widths[i]);
            boolean last = i == widths.length - 1;
            line.append(Color.ofWord(cell).on(cell, colours))
                    .append(last ? "" : " ".repeat(widths[i] - TextLayout.length(cell) + GAP));
        }
        return line.toString().stripTrailing();
    }

    /** The widths of the columns; the widest of those that may be shortened are reduced first. */
    private int[] widths(List<String> titles, List<List<String>> rows, int width) {
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] = Stream.concat(Stream.of(titles), rows.stream())
                    .mapToInt(row -> TextLayout.length(row.get(column)))
                    .max()
                    .orElse(0);
        }
        for (int excess = total(widths) - width; excess > 0; excess--) {
            int widest = -1;
            for (int i = 0; i < widths.length; i++) {
                int least = Math.max(LEAST, TextLayout.length(titles.get(i)));
                boolean gives = columns.get(i).fit != Fit.WHOLE && widths[i] > least;
                if (gives && (widest < 0 || widths[i] > widths[widest])) {
                    widest = i;
                }
            }
            if (widest < 0) {
                return widths;
            }
            widths[widest]--;
        }
        return widths;
    }

    private static int total(int[] widths) {
        return Arrays.stream(widths).sum() + GAP * (widths.length - 1);
    }
}
