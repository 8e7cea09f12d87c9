package dev.almanac.mongo;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonDocumentWrapper;
import org.bson.BsonWriter;
import org.bson.codecs.Encoder;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * What an update sets and unsets, written without a document in between: most are made only to find out that another job
 * has the same. For one thread.
 *
 * @param set names, each once, and values in turn
 * @param unset names
 */
record Edit(List<Object> set, List<String> unset) implements Bson {
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

    @Override
    public <D> BsonDocument toBsonDocument(Class<D> documents, CodecRegistry codecs) {
        return new BsonDocumentWrapper<>(this, new Writer(codecs));
    }

    /** @param codecs of values that are documents or lists */
    private record Writer(CodecRegistry codecs) implements Encoder<Edit> {
        @Override
        public void encode(BsonWriter to, Edit edit, EncoderContext context) {
            to.writeStartDocument();
            to.writeStartDocument("$set");
            for (Iterator<Object> each = edit.set.iterator(); each.hasNext(); ) {
                to.writeName((String) each.next());
                Fields.write(to, each.next(), codecs);
            }
            to.writeEndDocument();
            if (!edit.unset.isEmpty()) {
                to.writeStartDocument("$unset");
                edit.unset.forEach(field -> to.writeString(field, ""));
                to.writeEndDocument();
            }
            to.writeEndDocument();
        }

        @Override
        public Class<Edit> getEncoderClass() {
            return Edit.class;
        }
    }
}
