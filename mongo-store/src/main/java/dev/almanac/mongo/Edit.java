package dev.almanac.mongo;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.Iterator;
import java.util.List;
import org.bson.BsonWriter;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/**
 * What an update sets and unsets. Most are made only to find out that another job has the same. For one thread.
 *
 * @param set names, each once, and values in turn
 * @param unset names
 */
record Edit(List<Object> set, List<String> unset) implements Written {
    Edit() {
        this(new ArrayList<>(32), new ArrayList<>());
    }

    /** @param value absent = the field stays as it is */
    void set(String field, @Nullable Object value) {
        if (value != null) {
            set.add(field);
            // as it is stored, so that what is the same there is the same here
            set.add(value instanceof Instant instant ? Date.from(instant) : value);
        }
    }

    void unset(String field) {
        unset.add(field);
    }

    @Override
    public void write(BsonWriter to, CodecRegistry codecs) {
        to.writeStartDocument("$set");
        for (Iterator<Object> each = set.iterator(); each.hasNext(); ) {
            to.writeName((String) each.next());
            Fields.write(to, each.next(), codecs);
        }
        to.writeEndDocument();
        if (!unset.isEmpty()) {
            to.writeStartDocument("$unset");
            unset.forEach(field -> to.writeString(field, ""));
            to.writeEndDocument();
        }
    }
}
