package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientSettings;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.FieldChange;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.LogLine;
import dev.almanac.testkit.contract.Specimens;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.Codec;
import org.bson.codecs.DocumentCodec;
import org.junit.jupiter.api.Test;

/** A new row has the bytes of the document that its fields make. */
class RowCodecTest {
    private static final Instant TIME = Instant.parse("2100-01-01T00:00:00.123Z");

    private final KnownCodecs codecs = new KnownCodecs(MongoClientSettings.getDefaultCodecRegistry());

    private <T> RawBsonDocument bytes(T value, Codec<T> codec) {
        return new RawBsonDocument(value, codec);
    }

    private void check(JobExecutionStatus row) {
        Document document = new Document();
        RowDocument.ROW.forEach(field -> field.put(document, row));

        assertThat(bytes(row, new RowCodec(codecs))).isEqualTo(bytes(document, new DocumentCodec(codecs)));
    }

    @Test
    void rows() {
        JobExecutionStatus full = Specimens.full("job", TIME).job().lastStatus();
        check(full);
        check(full.toBuilder()
                .late(true)
                .manual(true)
                .overThreshold(Duration.ofSeconds(3))
                .error(new ErrorSummary("E", "message", "at x"))
                .log(List.of(new LogLine(TIME, "text")))
                .changes(List.of(FieldChange.hidden("priority")))
                .state(Map.of("cursor", 4L, "more", List.of(1, "two"), "none", Map.of()))
                .deleteTime(TIME)
                .build());
        check(Specimens.minimal("job", TIME).job().lastStatus());
    }
}
