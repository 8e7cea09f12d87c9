package dev.almanac.mongo;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * What an update sets and unsets. Most are made to find out that another job has the same, so it is lists until it is
 * sent. For one thread.
 *
 * @param set names and values in turn; of a name that is there twice the last value counts
 * @param unset names
 */
record Edit(List<Object> set, List<String> unset) {
    Edit() {
        this(new ArrayList<>(32), new ArrayList<>());
    }

    /** @param value absent = the field stays as it is */
    void set(String field, @Nullable Object value) {
        if (value != null) {
            set.add(field);
            set.add(value);
        }
    }

    void unset(String field) {
        unset.add(field);
    }

    Document update() {
        Document to = new Document();
        for (Iterator<Object> each = set.iterator(); each.hasNext(); ) {
            Fields.put(to, (String) each.next(), each.next());
        }
        Document update = new Document("$set", to);
        if (!unset.isEmpty()) {
            Document gone = new Document();
            unset.forEach(field -> gone.append(field, ""));
            update.append("$unset", gone);
        }
        return update;
    }
}
