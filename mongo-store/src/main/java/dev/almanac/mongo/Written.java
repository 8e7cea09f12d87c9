package dev.almanac.mongo;

import org.bson.BsonDocument;
import org.bson.BsonDocumentWrapper;
import org.bson.BsonWriter;
import org.bson.codecs.Encoder;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;

/** A part of a command that is written as it is sent, without a document in between. */
interface Written extends Bson {
    /** @param codecs of values that are documents or lists */
    void write(BsonWriter to, CodecRegistry codecs);

    @Override
    default <D> BsonDocument toBsonDocument(Class<D> documents, CodecRegistry codecs) {
        return new BsonDocumentWrapper<>(this, new Writer(codecs));
    }

    /** Passes the codecs on. */
    record Writer(CodecRegistry codecs) implements Encoder<Written> {
        @Override
        public void encode(BsonWriter to, Written written, EncoderContext context) {
            to.writeStartDocument();
            written.write(to, codecs);
            to.writeEndDocument();
        }

        @Override
        public Class<Written> getEncoderClass() {
            return Written.class;
        }
    }
}
