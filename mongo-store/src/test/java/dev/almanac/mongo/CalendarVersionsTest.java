package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandSucceededEvent;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredCalendar;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Replaced versions of calendars, in the database. */
class CalendarVersionsTest extends StoreFixture {
    private static final List<String> NAMES = List.of("c");

    private StoredCalendar version(long version) {
        return version(version, now.plusSeconds(version));
    }

    private static StoredCalendar version(long version, Instant stored) {
        return new StoredCalendar("c", version, Map.of("kind", "weekly", "no", (int) version), stored, "ann (why)");
    }

    private boolean put(StoredCalendar calendar) {
        return store.cluster().putCalendar(calendar);
    }

    private List<StoredCalendar> kept() {
        return store.cluster().calendarVersions(NAMES);
    }

    private Document document() {
        return collection("calendarVersion").find().first();
    }

    private void refuse(String collection, String rule) {
        client.getDatabase(database)
                .runCommand(new Document("collMod", collection).append("validator", Document.parse(rule)));
    }

    @Test
    @DisplayName(
            "S22: a kept version is the document as it was, under its name and number, with the time of its removal")
    void documents() {
        put(version(1));
        put(version(2));
        Date end = Date.from(now.plusSeconds(2).plus(Duration.ofDays(35)));
        assertThat(document())
                .isEqualTo(new Document("_id", new Document("name", "c").append("slot", 1L))
                        .append("version", 1L)
                        .append("definition", new Document(Map.of("kind", "weekly", "no", 1)))
                        .append("author", "ann (why)")
                        .append("latestUpdate", Date.from(now.plusSeconds(1)))
                        .append("deleteTime", end));
        put(version(2).tombstone(now.plusSeconds(3), "bob"));
        put(version(4));
        assertThat(collection("calendarVersion")
                        .find(new Document("version", 3))
                        .first())
                .containsEntry("deleted", true)
                .doesNotContainKey("definition");
    }

    private void assertKeptFor35DaysFrom(Instant replaced) {
        assertThat(kept()).containsExactly(version(1));
        assertThat(document()).containsEntry("deleteTime", Date.from(replaced.plus(StoredCalendar.KEPT)));
    }

    @Test
    @DisplayName(
            "S22: a version is kept before it is replaced; if that fails, later edits keep it on, and none shortens that")
    void refusedReplacement() {
        put(version(1));
        refuse("calendar", "{version: 1}");
        Instant later = now.plus(Duration.ofDays(40));
        for (Instant stored : List.of(later, now)) {
            assertThatThrownBy(() -> put(version(2, stored))).isInstanceOf(StoreException.class);
            assertThat(store.cluster().calendars()).containsExactly(version(1));
            assertKeptFor35DaysFrom(later);
        }
        refuse("calendar", "{}");
        assertThat(put(version(2, later.plusSeconds(1)))).isTrue();
        assertKeptFor35DaysFrom(later.plusSeconds(1));
    }

    @Test
    @DisplayName("S22: a version that cannot be kept is not replaced")
    void refusedKeeping() {
        put(version(1));
        refuse("calendarVersion", "{version: {$gt: 1}}");
        assertThatThrownBy(() -> put(version(2)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("storing a calendar");
        assertThat(store.cluster().calendars()).containsExactly(version(1));
    }

    @Test
    @DisplayName("S22: an edit that hung takes no place of a newer version")
    void lateEdit() {
        put(version(1));
        Document newer = new Document("_id", new Document("name", "c").append("slot", 1L)).append("version", 101L);
        collection("calendarVersion").insertOne(newer);
        assertThat(put(version(2))).isTrue();
        assertThat(collection("calendarVersion").find()).containsExactly(newer);
    }

    @Test
    @DisplayName("S22: if a person changes the document in between, what was replaced is kept")
    void editedByHand() {
        put(version(1));
        Document byHand = new Document("$set", new Document("definition.no", 7));
        MongoClientSettings listening = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.uri()))
                .addCommandListener(new CommandListener() {
                    @Override
                    public void commandSucceeded(CommandSucceededEvent event) {
                        if (event.getCommandName().equals("update")) {
                            collection("calendar").updateOne(new Document("_id", "c"), byHand);
                        }
                    }
                })
                .build();
        try (MongoClient own = MongoClients.create(listening)) {
            assertThat(MongoJobStore.create(own, settings).cluster().putCalendar(version(2)))
                    .isTrue();
        }
        assertThat(kept())
                .singleElement()
                .satisfies(version -> assertThat(version.definition()).containsEntry("no", 7));
    }

    @Test
    @DisplayName(
            "S22: an edit of a release that keeps no versions, and versions counted by hand, leave a gap, no error")
    void gap() {
        put(version(1));
        collection("calendar").updateOne(new Document("_id", "c"), new Document("$set", new Document("version", 7.0)));
        assertThat(put(version(8))).isTrue();
        assertThat(put(version(9))).isTrue();
        assertThat(kept()).extracting(StoredCalendar::version).containsExactlyInAnyOrder(7L, 8L);
    }

    @Test
    @DisplayName("16.1: a kept version that was damaged by hand hides no other one")
    void damaged() {
        put(version(1));
        put(version(2));
        int slot = 50;
        for (Object wrong : List.of("one", 1.5, -3, 90)) {
            collection("calendarVersion")
                    .insertOne(new Document("_id", new Document("name", "c").append("slot", slot++))
                            .append("version", wrong));
        }
        collection("calendarVersion").insertOne(new Document("_id", "c"));
        assertThat(kept()).containsExactly(version(1));
    }
}
