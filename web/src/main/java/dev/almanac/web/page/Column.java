package dev.almanac.web.page;

import org.jspecify.annotations.Nullable;

/**
 * The head of a column that a table may be sorted by, within what was read.
 *
 * @param address of the page sorted by it, the other way round if it is already
 * @param order as ARIA names it; absent if the table is sorted by another
 */
record Column(String title, String address, @Nullable String order) {
    static Column of(Frame frame, String title, String name) {
        String sort = frame.sort();
        boolean up = name.equals(sort);
        boolean down = ("-" + name).equals(sort);
        String wanted = up ? "-" + name : name;
        String rest = frame.self().replaceAll("([?&])sort=[^&]*", "$1").replaceAll("[?&]+$", "");
        String address = rest + (rest.contains("?") ? "&" : "?") + "sort=" + wanted;
        String table = name.contains(".") ? "#" + name.substring(0, name.indexOf('.')) + "-title" : "";
        return new Column(
                title, address.replaceAll("([?&])&+", "$1") + table, up ? "ascending" : down ? "descending" : null);
    }
}
