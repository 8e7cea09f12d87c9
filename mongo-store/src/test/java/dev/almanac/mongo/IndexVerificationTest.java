package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.store.StoreRefusedException;
import java.util.List;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every index, missing and wrong in each way that matters. */
class IndexVerificationTest extends StoreFixture {
    private static final String JOBS = "jobSpecification";
    private static final String ROWS = "jobExecutionStatus";

    static Stream<Arguments> all() {
        return Stream.of(
                Arguments.of(JOBS, "almanac_due"),
                Arguments.of(JOBS, "almanac_urgent"),
                Arguments.of(JOBS, "almanac_active_key"),
                Arguments.of(JOBS, "almanac_running_group"),
                Arguments.of(JOBS, "almanac_key_life"),
                Arguments.of(JOBS, "almanac_open_failures"),
                Arguments.of(JOBS, "almanac_expiry"),
                Arguments.of(ROWS, "almanac_rows_of_job"),
                Arguments.of(ROWS, "almanac_failed_rows"),
                Arguments.of(ROWS, "almanac_expiry"),
                Arguments.of("node", "almanac_expiry"),
                Arguments.of("minute", "almanac_expiry"),
                Arguments.of("calendarVersion", "almanac_expiry"));
    }

    private MongoJobStore verifying() {
        return MongoJobStore.create(client, settings.withCreateIndexes(false));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("all")
    @DisplayName("6.2: a missing index is refused by name, with the command that creates it; that makes it good")
    void missing(String collection, String name) {
        verifying().open();
        collection(collection).dropIndex(name);
        assertThatThrownBy(verifying()::open)
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageStartingWith("ALM-001 ")
                .hasMessageContaining("index " + collection + "." + name + " ")
                .hasMessageContaining("is missing")
                .hasMessageEndingWith("run: almanac indexes create --uri <uri> --database " + database);
        store.open();
        verifying().open();
    }

    static Stream<Arguments> wrong() {
        return Stream.of(
                Arguments.of(
                        JOBS,
                        "almanac_due",
                        "{p: 1, due: 1, type: 1}",
                        "{partialFilterExpression: {due: {$exists: true}}}"),
                Arguments.of(
                        JOBS,
                        "almanac_due",
                        "{p: 1, type: 1, due: -1}",
                        "{partialFilterExpression: {due: {$exists: true}}}"),
                Arguments.of(JOBS, "almanac_due", "{p: 1, type: 1, due: 1}", "{}"),
                Arguments.of(
                        JOBS,
                        "almanac_due",
                        "{p: 1, type: 1, due: 1}",
                        "{partialFilterExpression: {due: {$exists: true}}, hidden: true}"),
                Arguments.of(
                        JOBS,
                        "almanac_due",
                        "{p: 1, type: 1, due: 1}",
                        "{partialFilterExpression: {p: {$exists: true}}}"),
                Arguments.of(JOBS, "almanac_active_key", "{activeKey: 1}", "{sparse: true}"),
                Arguments.of(
                        JOBS,
                        "almanac_active_key",
                        "{activeKey: 1}",
                        "{sparse: true, unique: true, collation: {locale: 'en', strength: 2}}"),
                Arguments.of(
                        JOBS,
                        "almanac_running_group",
                        "{runningGroup: 1}",
                        "{unique: true, partialFilterExpression: {runningGroup: {$exists: true}}}"),
                Arguments.of(ROWS, "almanac_rows_of_job", "{jobSpecificationId: 1, updatedTime: 1}", "{}"),
                Arguments.of(ROWS, "almanac_rows_of_job", "{jobSpecificationId: 1}", "{}"),
                Arguments.of(ROWS, "almanac_failed_rows", "{updatedTime: -1}", "{}"),
                Arguments.of(ROWS, "almanac_expiry", "{deleteTime: 1}", "{sparse: true}"));
    }

    @ParameterizedTest(name = "{1} on {2} with {3}")
    @MethodSource("wrong")
    @DisplayName("6.2: an index of the right name that is another one is refused, also by a node that may create them")
    void different(String collection, String name, String key, String options) {
        collection(collection).dropIndex(name);
        Document other = new Document("key", Document.parse(key)).append("name", name);
        other.putAll(Document.parse(options));
        client.getDatabase(database)
                .runCommand(new Document("createIndexes", collection).append("indexes", List.of(other)));
        String advice = "drop it first: db.getCollection('" + collection + "').dropIndex('" + name + "')";
        for (MongoJobStore refusing : List.of(verifying(), store)) {
            assertThatThrownBy(refusing::open)
                    .isInstanceOf(StoreRefusedException.class)
                    .hasMessageContaining("index " + collection + "." + name + " is {")
                    .hasMessageContaining(advice);
        }
        collection(collection).dropIndex(name);
        store.open();
        assertThat(verifying().open().warnings()).isEmpty();
    }

    @ParameterizedTest(name = "{0} seconds")
    @org.junit.jupiter.params.provider.ValueSource(ints = {1, 86_400})
    @DisplayName("6.2: an expiry that differs is refused by who only verifies, and mended in place by who creates")
    void expiry(int seconds) {
        client.getDatabase(database)
                .runCommand(new Document("collMod", ROWS)
                        .append("index", new Document("name", "almanac_expiry").append("expireAfterSeconds", seconds)));
        assertThatThrownBy(verifying()::open)
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("almanac_expiry");
        store.open();
        verifying().open();
    }
}
