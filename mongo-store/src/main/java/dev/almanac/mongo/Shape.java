package dev.almanac.mongo;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The names of the fields of documents, in their order; a shape with one more field follows from it. Documents of one
 * shape share their names, and the texts that were the same in the document before. Thread-safe: a text that is lost in a
 * race is made again.
 */
final class Shape {
    /** Documents with names of their own, such as maps with free keys, must not fill the memory. */
    private static final int MOST = 4_096;

    private static final int MOST_NEXT = 64;
    private static final int MOST_FIELDS = 256;

    private static final int LONGEST_TEXT = 64;

    private static volatile Shape empty = new Shape();

    private final @Nullable Shape before;
    private final String name;
    private final byte[] nameBytes;
    private final int size;
    /** How many shapes follow from the empty one; counted in one element that they share. */
    private final int[] made;

    private volatile Shape[] longer = {};
    private volatile @Nullable Map<String, Integer> places;
    private volatile String @Nullable [] names;
    private @Nullable String text;

    private Shape() {
        this.before = null;
        this.name = "";
        this.nameBytes = new byte[0];
        this.size = 0;
        this.made = new int[1];
    }

    private Shape(Shape before, String name) {
        this.before = before;
        // the texts by which fields are asked for are the same objects
        this.name = name.intern();
        this.nameBytes = name.getBytes(StandardCharsets.UTF_8);
        this.size = before.size + 1;
        this.made = before.made;
    }

    /** The shape of a document without a field. */
    static Shape empty() {
        Shape known = empty;
        if (known.made[0] >= MOST) {
            known = new Shape();
            empty = known;
        }
        return known;
    }

    /** The names, in their order. */
    String[] names() {
        String[] known = names;
        if (known == null) {
            known = new String[size];
            for (Shape of = this; of.before != null; of = of.before) {
                known[of.size - 1] = of.name;
            }
            names = known;
        }
        return known;
    }

    /** Where a field is; -1 if there is none of this name. */
    int place(Object field) {
        Map<String, Integer> known = places;
        if (known == null) {
            known = new HashMap<>();
            for (String name : names()) {
                known.put(name, known.size());
            }
            places = known;
        }
        Integer place = known.get(field);
        return place == null ? -1 : place;
    }

    /** The shape with one more field, whose name is given in UTF-8; absent if it would be there twice, or has too many. */
    @Nullable
    Shape with(byte[] bytes, int from, int length) {
        for (Shape next : longer) {
            if (Arrays.equals(next.nameBytes, 0, next.nameBytes.length, bytes, from, from + length)) {
                return next;
            }
        }
        return added(new String(bytes, from, length, StandardCharsets.UTF_8));
    }

    private @Nullable Shape added(String field) {
        if (size >= MOST_FIELDS || has(field)) {
            return null;
        }
        synchronized (this) {
            for (Shape next : longer) {
                if (next.name.equals(field)) {
                    return next;
                }
            }
            Shape next = new Shape(this, field);
            Shape[] more = Arrays.copyOf(longer, longer.length + 1);
            more[longer.length] = next;
            longer = more;
            made[0] += more.length > MOST_NEXT ? MOST : 1;
            return next;
        }
    }

    private boolean has(String field) {
        Shape of = this;
        while (of.before != null && !of.name.equals(field)) {
            of = of.before;
        }
        return of.before != null;
    }

    /** The text of the last field: many documents have the same. */
    String text(byte[] bytes, int from, int length) {
        String known = text;
        if (known != null && isText(known, bytes, from, length)) {
            return known;
        }
        String read = new String(bytes, from, length, StandardCharsets.UTF_8);
        if (length <= LONGEST_TEXT) {
            text = read;
        }
        return read;
    }

    /** Whether the bytes are the text. Only for ASCII: other texts are never the same. */
    private static boolean isText(String text, byte[] bytes, int from, int length) {
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (bytes[from + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
