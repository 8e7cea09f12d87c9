package dev.almanac.console;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rows under a head, as wide as the terminal at most unless all is asked for. Not thread-safe. */
final class Table {
    /** How a cell is shortened that is too long. */
    enum Fit {
        /** Nothing: the column is as wide as its longest cell. */
        WHOLE,
        /** Its middle is left out: the two ends of a key distinguish it from others. */
        MIDDLE,
        /** Its end is left out. */
        END
    }

    private static final int GAP = 2;
    private static final int LEAST = 10;

    private final ProcessEnvironment process;
    private final int width;
    private final List<String> titles = new ArrayList<>();
    private final List<Fit> fits = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();
    private final Map<Integer, List<String>> notes = new HashMap<>();

    /** @param wide whether nothing is shortened, however long the lines become */
    Table(ProcessEnvironment process, boolean wide) {
        this.process = process;
        this.width = wide ? Integer.MAX_VALUE : process.width();
    }

    /** Adds a column on the right. */
    Table column(String title, Fit fit) {
        titles.add(title);
        fits.add(fit);
        return this;
    }

    /** Adds a row; as many cells as there are columns. */
    Table row(String... cells) {
        if (cells.length != titles.size()) {
            throw new IllegalArgumentException(cells.length + " cells for " + titles.size() + " columns");
        }
        rows.add(Arrays.stream(cells).map(TextLayout::value).toList());
        return this;
    }

    /** Adds a note to the last row, printed below it in as many lines as needed. */
    Table note(String text) {
        notes.computeIfAbsent(rows.size() - 1, row -> new ArrayList<>()).add(TextLayout.sentence(text));
        return this;
    }

    /** Prints head and rows; if even shortened cells do not fit beside each other, below each other. */
    void print() {
        int[] widths = widths();
        if (total(widths) > width) {
            for (int i = 0; i < rows.size(); i++) {
                printBelow(rows.get(i));
                printNote(i);
                process.out().println();
            }
            return;
        }
        line(titles, widths, true);
        for (int i = 0; i < rows.size(); i++) {
            line(rows.get(i), widths, false);
            printNote(i);
        }
    }

    private void printNote(int row) {
        notes.getOrDefault(row, List.of()).stream()
                .flatMap(note -> TextLayout.wrapped(note, width - GAP).stream())
                .forEach(line -> process.out().println(" ".repeat(GAP) + line));
    }

    private void printBelow(List<String> row) {
        int width = titles.stream().mapToInt(TextLayout::length).max().orElse(0);
        for (int i = 0; i < row.size(); i++) {
            process.out().println(TextLayout.padded(titles.get(i), width) + "  " + row.get(i));
        }
    }

    private void line(List<String> cells, int[] widths, boolean head) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = fits.get(i) == Fit.MIDDLE
                    ? TextLayout.withoutMiddle(cells.get(i), widths[i])
                    : TextLayout.withoutEnd(cells.get(i), widths[i]);
            boolean last = i == widths.length - 1;
            String tinted = head ? cell : Color.ofWord(cell).on(cell, process.colours());
            line.append(tinted).append(last ? "" : " ".repeat(widths[i] - TextLayout.length(cell) + GAP));
        }
        PrintWriter out = process.out();
        String text = line.toString().stripTrailing();
        out.println(head ? Color.BOLD.on(text, process.colours()) : text);
    }

    /** The widths of the columns; the widest of those that may be shortened are reduced first. */
    private int[] widths() {
        int[] widths = new int[titles.size()];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            int longest = rows.stream()
                    .mapToInt(row -> TextLayout.length(row.get(column)))
                    .max()
                    .orElse(0);
            widths[i] = Math.max(TextLayout.length(titles.get(i)), longest);
        }
        for (int excess = total(widths) - width; excess > 0; excess--) {
            int widest = widest(widths);
            if (widest < 0) {
                return widths;
            }
            widths[widest]--;
        }
        return widths;
    }

    private int widest(int[] widths) {
        int widest = -1;
        for (int i = 0; i < widths.length; i++) {
            boolean gives = fits.get(i) != Fit.WHOLE && widths[i] > Math.max(LEAST, TextLayout.length(titles.get(i)));
            if (gives && (widest < 0 || widths[i] > widths[widest])) {
                widest = i;
            }
        }
        return widest;
    }

    private static int total(int[] widths) {
        return Arrays.stream(widths).sum() + GAP * (widths.length - 1);
    }
}
