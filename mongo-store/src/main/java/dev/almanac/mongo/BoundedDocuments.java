package dev.almanac.mongo;

import java.util.Date;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.bson.BsonBinaryReader;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonWriter;
import org.bson.Document;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.DocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.io.BsonInput;
import org.bson.io.BsonInputMark;
import org.jspecify.annotations.Nullable;

/**
 * Reads documents; of documents that are larger than any that this store writes, only the identifying fields. A job has
 * at most five bodies of 1 MiB, those of its own and of a run now, in its rows, too, and little else; a document that was enlarged by an edit by hand must not exhaust the memory of a
 * node.
 */
final class BoundedDocuments implements Codec<Document> {
    /** The largest document that is read, in bytes. */
    static final int LARGEST = 6 << 20;

    private static final int SMALLEST = 5;

    /** A thousand smaller ones are no burden. */
    private static final int LARGE = 16 << 10;

    /** The field for the size of a document of which only a few fields were read. No stored field has this name. */
    private static final String SIZE = "$bytes";

    private static final Set<String> READ_ANYWAY =
            Set.of("_id", "activeKey", "jobSpecificationKey", "jobSpecificationId", "life", "rev", "deleteTime");
    private static final int LONGEST_TEXT = 4_096;

    private final DocumentCodec whole;
    private final AtomicReference<@Nullable FlatReader> spare = new AtomicReference<>();

    BoundedDocuments(CodecRegistry registry) {
        this.whole = new DocumentCodec(registry);
    }

    static boolean isWhole(Document document) {
        return !document.containsKey(SIZE);
    }

    /** @throws DamagedDocumentException if only a few fields of it were read */
    static void requireWhole(Document document) {
        if (document.get(SIZE) instanceof Integer bytes) {
            throw new DamagedDocumentException("the document has " + bytes + " bytes, more than " + LARGEST);
        }
    }

    @Override
    public Document decode(BsonReader reader, DecoderContext context) {
        int bytes = length(reader);
        if (bytes > LARGEST) {
            return few(reader, bytes);
        }
        if (bytes > LARGE) {
            return new Large(whole.decode(reader, context), bytes);
        }
        Document flat = flat(reader, bytes);
        return flat == null ? whole.decode(reader, context) : flat;
    }

    /** A document in an answer of the server; absent, and not read, if it is to be read in the driver's way. */
    private @Nullable Document flat(BsonReader reader, int bytes) {
        if (!(reader instanceof BsonBinaryReader binary)
                || bytes < SMALLEST
                || reader.getCurrentBsonType() != BsonType.DOCUMENT) {
            return null;
        }
        FlatReader known = spare.getAndSet(null);
        FlatReader flat = known == null ? new FlatReader(LARGE) : known;
        BsonInputMark here = binary.getBsonInput().getMark(bytes);
        binary.getBsonInput().readBytes(flat.bytes(), 0, bytes);
        here.reset();
        Document document = flat.read(bytes);
        spare.set(flat);
        if (document != null) {
            reader.skipValue();
        }
        return document;
    }

    /** How many bytes a document that was read has on the server; 0 if it is a small one. */
    static int bytes(Document document) {
        return document instanceof Large large ? large.bytes : 0;
    }

    /** A document with its size. */
    private static final class Large extends Document {
        private static final long serialVersionUID = 1;

        private final int bytes;

        private Large(Document document, int bytes) {
            super(document);
            this.bytes = bytes;
        }
    }

    /** The length of the next document or text; 0 if it is not known. */
    private static int length(BsonReader reader) {
        if (!(reader instanceof BsonBinaryReader binary)) {
            return 0;
        }
        BsonInput input = binary.getBsonInput();
        BsonInputMark here = input.getMark(Integer.BYTES);
        int length = input.readInt32();
        here.reset();
        return length;
    }

    private static Document few(BsonReader reader, int bytes) {
        Document few = new Document(SIZE, bytes);
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            String name = reader.readName();
            Object value = READ_ANYWAY.contains(name) ? small(reader) : skipped(reader);
            if (value != null) {
                few.append(name, value);
            }
        }
        reader.readEndDocument();
        return few;
    }

    private static @Nullable Object small(BsonReader reader) {
        return switch (reader.getCurrentBsonType()) {
            case OBJECT_ID -> reader.readObjectId();
            case INT32 -> reader.readInt32();
            case INT64 -> reader.readInt64();
            case DOUBLE -> reader.readDouble();
            case DATE_TIME -> new Date(reader.readDateTime());
            case STRING -> length(reader) <= LONGEST_TEXT ? reader.readString() : skipped(reader);
            default -> skipped(reader);
        };
    }

    private static @Nullable Object skipped(BsonReader reader) {
        reader.skipValue();
        return null;
    }

    @Override
    public void encode(BsonWriter writer, Document document, EncoderContext context) {
        whole.encode(writer, document, context);
    }

    @Override
    public Class<Document> getEncoderClass() {
        return Document.class;
    }
}
