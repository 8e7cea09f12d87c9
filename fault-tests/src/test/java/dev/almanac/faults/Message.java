package dev.almanac.faults;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.DocumentCodec;

/**
 * One message of MongoDB's wire protocol, little-endian: length, id, id of what it answers, code, then flags, the kind
 * of the first section and its document, if the code is that of OP_MSG.
 *
 * @param bytes all of it
 */
record Message(byte[] bytes) {
    private static final int OP_MSG = 2013;
    private static final int HEAD = 16;
    private static final int BODY = HEAD + 4 + 1;

    static Message read(DataInputStream from) throws IOException {
        byte[] length = new byte[4];
        from.readFully(length);
        int size = ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getInt();
        byte[] bytes = new byte[size];
        System.arraycopy(length, 0, bytes, 0, 4);
        from.readFully(bytes, 4, size - 4);
        return new Message(bytes);
    }

    /** Name of the command and, if it has one, of its collection; empty for a message of another code. */
    String command() {
        if (view().getInt(12) != OP_MSG) {
            return "";
        }
        BsonDocument body = body();
        String name = body.getFirstKey();
        BsonValue of = body.get(name);
        return of instanceof BsonString collection ? name + " " + collection.getValue() : name;
    }

    /** The document of the first section. */
    BsonDocument body() {
        return new RawBsonDocument(bytes, BODY, view().getInt(BODY));
    }

    /** The message that answers this one with a document. */
    Message answer(Document document) {
        RawBsonDocument body = new RawBsonDocument(document, new DocumentCodec());
        ByteBuffer content = body.getByteBuffer().asNIO();
        int size = BODY + content.remaining();
        ByteBuffer answer = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        answer.putInt(size)
                .putInt(view().getInt(4) + 1)
                .putInt(view().getInt(4))
                .putInt(OP_MSG);
        answer.putInt(0).put((byte) 0).put(content);
        return new Message(answer.array());
    }

    private ByteBuffer view() {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
