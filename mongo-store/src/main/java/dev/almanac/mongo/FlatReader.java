package dev.almanac.mongo;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bytes of small documents whose fields have the types that this store writes. The driver makes a text and an
 * entry for the name of each field, which was a sixth of what a run allocated. For one thread at a time.
 */
final class FlatReader {
    /** A document that is left to the codec of the driver. */
    private static final class Unusual extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unusual() {
            super(null, null, false, false);
        }
    }

    private static final Unusual UNUSUAL = new Unusual();
    private static final int DEEPEST = 64;

    private final byte[] bytes;
    private final ByteBuffer numbers;
    private final ArrayList<@Nullable Object> found = new ArrayList<>();
    private int at;
    private int end;

    FlatReader(int largest) {
        this.bytes = new byte[largest];
        this.numbers = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Where the bytes of the document belong. */
    byte[] bytes() {
        return bytes;
    }

    /** The document in the first bytes; absent if it has a value of another type, a name twice, or damage. */
    @Nullable
    Document read(int length) {
        at = 0;
        end = length;
        try {
            Document document = document(0);
            return at == length ? document : null;
        } catch (Unusual | IndexOutOfBoundsException e) {
            return null;
        } finally {
            found.clear();
        }
    }

    private Document document(int depth) {
        int last = begin(depth);
        int first = found.size();
        Shape shape = Shape.empty();
        for (byte type = bytes[at++]; type != 0; type = bytes[at++]) {
            int name = at;
            Shape more = shape.with(bytes, name, nameLength());
            if (more == null) {
                throw UNUSUAL;
            }
            shape = more;
            found.add(value(type, shape, depth));
        }
        finish(last);
        @Nullable Object[] values = new Object[found.size() - first];
        for (int i = values.length - 1; i >= 0; i--) {
            values[i] = found.remove(first + i);
        }
        return new FlatDocument(shape, values);
    }

    private List<@Nullable Object> list(int depth) {
        int last = begin(depth);
        List<@Nullable Object> items = new ArrayList<>();
        for (byte type = bytes[at++]; type != 0; type = bytes[at++]) {
            nameLength();
            items.add(value(type, null, depth));
        }
        finish(last);
        return items;
    }

    /** Where the document ends that begins here. */
    private int begin(int depth) {
        int length = int32();
        int last = at - Integer.BYTES + length;
        if (depth > DEEPEST || length < 5 || last > end) {
            throw UNUSUAL;
        }
        return last;
    }

    private void finish(int last) {
        if (at != last) {
            throw UNUSUAL;
        }
    }

    private int nameLength() {
        int from = at;
        while (bytes[at] != 0) {
            at++;
        }
        return at++ - from;
    }

    private @Nullable Object value(byte type, @Nullable Shape of, int depth) {
        return switch (type) {
            case 0x01 -> Double.longBitsToDouble(int64());
            case 0x02 -> text(of);
            case 0x03 -> document(depth + 1);
            case 0x04 -> list(depth + 1);
            case 0x07 -> objectId();
            case 0x08 -> flag();
            case 0x09 -> new Date(int64());
            case 0x0A -> null;
            case 0x10 -> int32();
            case 0x12 -> int64();
            case 0x13 -> exact();
            default -> throw UNUSUAL;
        };
    }

    private String text(@Nullable Shape of) {
        int length = int32() - 1;
        int from = at;
        if (length < 0 || from + length >= end || bytes[from + length] != 0) {
            throw UNUSUAL;
        }
        at += length + 1;
        return of == null ? new String(bytes, from, length, StandardCharsets.UTF_8) : of.text(bytes, from, length);
    }

    private ObjectId objectId() {
        at += 12;
        return new ObjectId(Arrays.copyOfRange(bytes, at - 12, at));
    }

    private boolean flag() {
        byte value = bytes[at++];
        if (value != 0 && value != 1) {
            throw UNUSUAL;
        }
        return value == 1;
    }

    private Decimal128 exact() {
        long low = int64();
        return Decimal128.fromIEEE754BIDEncoding(int64(), low);
    }

    private int int32() {
        at += Integer.BYTES;
        return numbers.getInt(at - Integer.BYTES);
    }

    private long int64() {
        at += Long.BYTES;
        return numbers.getLong(at - Long.BYTES);
    }
}
