package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientSettings;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Random;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.BsonRegularExpression;
import org.bson.Document;
import org.bson.codecs.Decoder;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.DocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.bson.types.Binary;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

/** Small documents are read from their bytes as the codec of the driver would read them. */
class FlatDocumentTest {
    private final KnownCodecs codecs = new KnownCodecs(MongoClientSettings.getDefaultCodecRegistry());
    private final DocumentCodec usual = new DocumentCodec(codecs);
    private final BoundedDocuments bounded = new BoundedDocuments(codecs);
    private final Random random = new Random(7);

    /** The documents as an answer of the server has them. */
    private List<Document> read(Decoder<Document> codec, List<Document> documents) {
        BasicOutputBuffer answer = new BasicOutputBuffer();
        usual.encode(
                new BsonBinaryWriter(answer),
                new Document("batch", documents).append("ok", 1.0),
                EncoderContext.builder().build());
        List<Document> read = new ArrayList<>();
        try (BsonBinaryReader reader =
                new BsonBinaryReader(answer.getByteBuffers().get(0).asNIO())) {
            reader.readStartDocument();
            reader.readBsonType();
            reader.readName();
            reader.readStartArray();
            for (int i = 0; i < documents.size(); i++) {
                reader.readBsonType();
                read.add(codec.decode(reader, DecoderContext.builder().build()));
            }
            reader.readBsonType();
            reader.readEndArray();
            assertThat(reader.readDouble("ok")).isEqualTo(1.0);
        }
        return read;
    }

    private void check(Document... documents) {
        List<Document> all = new ArrayList<>(Arrays.asList(documents));
        all.addAll(Arrays.asList(documents));
        List<Document> read = read(bounded, all);
        List<Document> expected = read(usual, all);
        for (int i = 0; i < all.size(); i++) {
            Document one = read.get(i);
            Document other = expected.get(i);
            other.forEach((field, value) -> {
                assertThat(one.containsKey(field)).isTrue();
                assertThat(one.get(field)).isEqualTo(value);
            });
            assertThat(one.get("not there")).isNull();
            assertThat(one.containsKey("not there")).isFalse();
            List<String> names = new ArrayList<>();
            one.forEach((field, value) -> names.add(field));
            assertThat(names).containsExactlyElementsOf(other.keySet());
            assertThat(new Document(one)).isEqualTo(other);
            assertThat(one.toJson()).isEqualTo(other.toJson());
        }
        // and what was read is written as it was
        assertThat(read(usual, read)).isEqualTo(expected);
    }

    private static Document job() {
        return new Document("_id", new ObjectId())
                .append("key", "k1")
                .append("none", null)
                .append("due", new Date(1_234_567_890_123L))
                .append("lease", new Document("owner", "node").append("token", Long.MIN_VALUE))
                .append("numbers", Arrays.asList(1, -1L, 0.5, null, "text", new Document("in", List.of())))
                .append("flag", true)
                .append("other", false)
                .append("", "no name")
                .append("größe", "größer")
                .append("exact", new Decimal128(new BigDecimal("-1.50")))
                .append("body", new Document());
    }

    @Test
    void ordinary() {
        check(job(), new Document(), job(), new Document("key", "k2"), new Document("key", "k2").append("more", 1));

        assertThat(read(bounded, List.of(job())).get(0)).isInstanceOf(FlatDocument.class);
    }

    @Test
    void texts() {
        check(
                new Document("t", "ü"),
                new Document("t", "u"),
                new Document("t", "\uD83D\uDE00"),
                new Document("t", ""),
                new Document("t", "\u0000"),
                new Document("t", "x".repeat(65)),
                new Document("t", "y".repeat(65)));
    }

    @Test
    void unusual() {
        Document deep = new Document();
        for (int i = 0; i < 90; i++) {
            deep = new Document("d", deep);
        }
        check(
                job().append("binary", new Binary(new byte[] {1, 2})),
                job().append("regex", new BsonRegularExpression("a+")),
                deep,
                job().append("large", "x".repeat(20_000)),
                job());
    }

    @Test
    void manyNames() {
        for (int i = 0; i < 300; i++) {
            Document wide = new Document("n" + random.nextInt(200), i);
            for (int k = 0; k < random.nextInt(i + 1); k++) {
                wide.append("n" + random.nextInt(2_000), k);
            }
            check(wide, job());
        }
    }

    @Test
    void twice() {
        BasicOutputBuffer bytes = new BasicOutputBuffer();
        BsonBinaryWriter writer = new BsonBinaryWriter(bytes);
        writer.writeStartDocument();
        writer.writeStartDocument("d");
        writer.writeInt32("a", 1);
        writer.writeInt32("b", 2);
        writer.writeInt32("a", 3);
        writer.writeEndDocument();
        writer.writeEndDocument();
        try (BsonBinaryReader reader =
                new BsonBinaryReader(bytes.getByteBuffers().get(0).asNIO())) {
            reader.readStartDocument();
            reader.readBsonType();
            reader.readName();

            Document read = bounded.decode(reader, DecoderContext.builder().build());

            assertThat(read).isEqualTo(new Document("a", 3).append("b", 2));
        }
    }

    @Test
    void changed() {
        Document read = read(bounded, List.of(job())).get(0);

        read.append("key", "k2").remove("flag");

        assertThat(read.get("key")).isEqualTo("k2");
        assertThat(read.containsKey("flag")).isFalse();
        assertThat(read.get("other")).isEqualTo(false);
        assertThat(new Document(read))
                .isEqualTo(new Document(read(usual, List.of(new Document(read))).get(0)));
    }
}
