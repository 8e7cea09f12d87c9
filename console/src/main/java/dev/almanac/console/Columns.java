package dev.almanac.console;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How a list is shown for people: the columns of its table, and what each says of an item. Not thread-safe. */
final class Columns<T> {
    private record Column<T>(String title, Table.Fit fit, Function<T, ?> cell) {}

    private final List<Column<T>> columns = new ArrayList<>();
    private Function<T, @Nullable String> note = item -> null;
    private Function<T, List<String>> lines = item -> List.of();

    /** A column that is never shortened. */
    Columns<T> whole(String title, Function<T, ?> cell) {
        return column(title, Table.Fit.WHOLE, cell);
    }

    /** A column of texts, of which the end may be left out. */
    Columns<T> text(String title, Function<T, ?> cell) {
        return column(title, Table.Fit.END, cell);
    }

    /** A column of keys, of which the middle may be left out. */
    Columns<T> key(String title, Function<T, ?> cell) {
        return column(title, Table.Fit.MIDDLE, cell);
    }

    /** A column of moments in a zone, to the second. */
    Columns<T> moment(String title, ZoneId zone, Function<T, @Nullable Instant> cell) {
        return whole(Times.head(title, zone), item -> Times.second(cell.apply(item), zone));
    }

    private Columns<T> column(String title, Table.Fit fit, Function<T, ?> cell) {
        columns.add(new Column<>(title, fit, cell));
        return this;
    }

    /** What stands below the row of an item; nothing if it is absent. */
    Columns<T> note(Function<T, @Nullable String> text) {
        note = text;
        return this;
    }

    /** Lines that stand below the note of an item. */
    Columns<T> lines(Function<T, List<String>> texts) {
        lines = texts;
        return this;
    }

    void print(Table table, List<T> items) {
        columns.forEach(column -> table.column(column.title, column.fit));
        for (T item : items) {
            table.row(columns.stream()
                    .map(column -> String.valueOf(column.cell.apply(item)))
                    .toArray(String[]::new));
            String below = note.apply(item);
            if (below != null) {
                table.note(below);
            }
            lines.apply(item).forEach(table::note);
        }
        table.print();
    }
}
