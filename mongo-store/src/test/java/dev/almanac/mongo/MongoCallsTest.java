package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoClientException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoSocketOpenException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.ServerAddress;
import com.mongodb.WriteConcernResult;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.bulk.WriteConcernError;
import com.mongodb.connection.ClusterId;
import com.mongodb.connection.ServerId;
import dev.almanac.store.StoreException;
import dev.almanac.store.WriteRefusedException;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonMaximumSizeExceededException;
import org.bson.BsonString;
import org.bson.codecs.configuration.CodecConfigurationException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which exceptions of the driver may pass, which are refusals of the server for good, and which are neither. */
class MongoCallsTest {
    private static final ServerAddress HOST = new ServerAddress("127.0.0.1", 1);
    private static final int VALIDATION = 121;
    /** A document that is nested too deeply. */
    private static final int OVERFLOW = 15;

    private static final int DUPLICATE = 11_000;
    private static final int SHUTDOWN = 91;
    private static final WriteConcernError NO_MAJORITY =
            new WriteConcernError(64, "WriteConcernFailed", "planned", new BsonDocument());

    private static MongoCommandException command(int code) {
        return new MongoCommandException(BsonDocument.parse("{ok: 0, code: " + code + ", errmsg: 'planned'}"), HOST);
    }

    /** What the server says of a key that is in a unique index. */
    private static String taken(String index) {
        return "E11000 duplicate key error collection: a.jobSpecification index: " + index
                + " dup key: { k: \"index: x\" }";
    }

    private static MongoBulkWriteException bulk(int code, WriteConcernError concern) {
        return bulk(code, "planned", concern);
    }

    private static MongoBulkWriteException bulk(int code, String message, WriteConcernError concern) {
        return new MongoBulkWriteException(
                BulkWriteResult.unacknowledged(),
                List.of(new BulkWriteError(code, message, new BsonDocument(), 0)),
                concern,
                HOST,
                Set.of());
    }

    static Stream<RuntimeException> passing() {
        return Stream.of(
                new MongoException("planned"),
                new MongoClientException("planned"),
                new MongoInterruptedException("planned", new InterruptedException()),
                new MongoTimeoutException("planned"),
                new MongoOperationTimeoutException("planned"),
                new MongoExecutionTimeoutException(50, "planned"),
                new MongoSocketOpenException("planned", HOST, new IOException()),
                new MongoSocketReadException("planned", HOST),
                new MongoConnectionPoolClearedException(new ServerId(new ClusterId(), HOST), null),
                new MongoNotPrimaryException(new BsonDocument(), HOST),
                new MongoWriteConcernException(NO_MAJORITY, WriteConcernResult.unacknowledged(), HOST, Set.of()),
                command(SHUTDOWN),
                bulk(DUPLICATE, null),
                bulk(DUPLICATE, taken("_id_"), null),
                bulk(DUPLICATE, taken("almanac_key_life"), null),
                bulk(DUPLICATE, taken("mine_1"), NO_MAJORITY),
                bulk(VALIDATION, NO_MAJORITY),
                new IllegalStateException("state should be: open"));
    }

    @ParameterizedTest
    @MethodSource("passing")
    @DisplayName("X2: what may pass is a StoreException, whose outcome is unknown, and no refusal")
    void passes(RuntimeException thrown) {
        assertThatThrownBy(() -> MongoCalls.write("writing", () -> {
                    throw thrown;
                }))
                .isExactlyInstanceOf(StoreException.class)
                .hasCause(thrown);
    }

    static Stream<RuntimeException> refusals() {
        return Stream.of(
                command(VALIDATION),
                command(OVERFLOW),
                bulk(VALIDATION, null),
                bulk(DUPLICATE, taken("mine_1"), null),
                bulk(DUPLICATE, taken("my own collation: { locale: \"en\" }"), null),
                new MongoCommandException(
                        BsonDocument.parse("{ok: 0, code: 11000}").append("errmsg", new BsonString(taken("mine_1"))),
                        HOST),
                new BsonMaximumSizeExceededException("planned: too large"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    @DisplayName("X9: what the server will refuse again is a refusal")
    void refused(RuntimeException thrown) {
        assertThatThrownBy(() -> MongoCalls.write("writing", () -> {
                    throw thrown;
                }))
                .isExactlyInstanceOf(WriteRefusedException.class)
                .hasCause(thrown);
    }

    @ParameterizedTest
    @MethodSource("refusals")
    @DisplayName("X9: a question that the server refuses is no refused write")
    void refusedQuestion(RuntimeException thrown) {
        assertThatThrownBy(() -> MongoCalls.read("reading", () -> {
                    throw thrown;
                }))
                .isExactlyInstanceOf(StoreException.class)
                .hasCause(thrown);
    }

    static Stream<RuntimeException> others() {
        return Stream.of(new IllegalArgumentException("planned"), new CodecConfigurationException("planned"));
    }

    @ParameterizedTest
    @MethodSource("others")
    @DisplayName("X2: what is thrown before anything is sent passes as it is; the engine tries it a few times")
    void other(RuntimeException thrown) {
        assertThatThrownBy(() -> MongoCalls.write("writing", () -> {
                    throw thrown;
                }))
                .isSameAs(thrown);
    }

    private static Runnable insert(MongoBulkWriteException answer) {
        return () -> {
            throw answer;
        };
    }

    @Test
    @DisplayName(
            "X2: a key that is taken is no unknown outcome, also if no majority has acknowledged that nothing was written")
    void taken() {
        assertThat(MongoCalls.duplicates(refused -> refused.equals(Set.of(0)), insert(bulk(DUPLICATE, NO_MAJORITY))))
                .containsExactly(0);
        assertThat(MongoCalls.duplicates(refused -> false, insert(bulk(DUPLICATE, null))))
                .containsExactly(0);
        assertThat(MongoCalls.duplicates(refused -> false, () -> {})).isEmpty();
        for (String own : List.of("_id_", "almanac_active_key", "almanac_key_life", "almanac_running_group")) {
            assertThat(MongoCalls.duplicates(insert(bulk(DUPLICATE, taken(own), null))))
                    .as(own)
                    .containsExactly(0);
        }
    }

    @Test
    @DisplayName("X2: what was written without a majority is an unknown outcome, and so is an error of another kind")
    void notAcknowledged() {
        for (Runnable insert : List.of(
                insert(bulk(DUPLICATE, NO_MAJORITY)),
                insert(bulk(DUPLICATE, taken("mine_1"), null)),
                insert(bulk(SHUTDOWN, null)))) {
            assertThatThrownBy(() -> MongoCalls.duplicates(refused -> false, insert))
                    .isInstanceOf(MongoBulkWriteException.class);
        }
        assertThatThrownBy(() -> MongoCalls.duplicates(insert(bulk(DUPLICATE, NO_MAJORITY))))
                .isInstanceOf(MongoBulkWriteException.class);
    }
}
