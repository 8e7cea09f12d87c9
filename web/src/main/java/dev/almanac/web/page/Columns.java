package dev.almanac.web.page;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The columns by which a table may be sorted, within what was read of it. A column's name is that of the table, a dot, and its
 * own, so that two tables of a page are sorted apart.
 */
final class Columns<T> {
    private final Map<String, Comparator<T>> orders = new HashMap<>();

    /** @param value of a row; what has none comes last, either way */
    <V extends Comparable<? super V>> Columns<T> by(String name, Function<T, @Nullable V> value) {
        orders.put(name, Comparator.comparing(value, Comparator.nullsLast(Comparator.naturalOrder())));
        orders.put("-" + name, Comparator.comparing(value, Comparator.nullsLast(Comparator.reverseOrder())));
        return this;
    }

    /** @param sort a column, after a dash for the other way round; the rows are as they were if it is none of this table */
    List<T> sorted(List<T> rows, @Nullable String sort) {
        Comparator<T> order = sort == null ? null : orders.get(sort);
        return order == null ? rows : rows.stream().sorted(order).toList();
    }
}
