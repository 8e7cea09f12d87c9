package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.By;
import dev.almanac.store.Lease;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.DocumentCodec;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a batch of completions sends (rule P4). */
class UniformChangesTest {
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

    private static StoredJob held(int number, long token) {
        return Specimens.minimal("k" + number, NOON.plusMillis(number))
                .job()
                .with(edit -> edit.lease(new Lease("n", token, NOON.plusSeconds(20))));
    }

    private static JobChange end(StoredJob job, Instant started) {
        JobExecutionStatus row = Specimens.row(job.id(), job.key(), "ended", NOON.plusSeconds(1)).toBuilder()
                .fireTime(job.lastStatus().fireTime())
                .startedTime(started)
                .build();
        StoredJob after = job.with(edit -> edit.lease(null).due(null).lastStatus(row));
        return new JobChange(job, after, List.of(row), By.HOLDER);
    }

    private static UpdateManyModel<Document> many(WriteModel<Document> update) {
        assertThat(update).isInstanceOf(UpdateManyModel.class);
        return (UpdateManyModel<Document>) update;
    }

    /** As the server gets it. */
    static Document sent(Bson part) {
        KnownCodecs codecs = new KnownCodecs(MongoClientSettings.getDefaultCodecRegistry());
        RawBsonDocument bytes =
                new RawBsonDocument(part.toBsonDocument(Document.class, codecs), new BsonDocumentCodec());
        return new DocumentCodec(codecs)
                .decode(bytes.asBsonReader(), DecoderContext.builder().build());
    }

    private static List<?> ids(UpdateManyModel<Document> update) {
        return sent(update.getFilter()).get("_id", Document.class).getList("$in", Object.class);
    }

    @Test
    @DisplayName(
            "P4: completions of different jobs and fires that say the same are one update, under the revision that was read")
    void together() {
        List<JobChange> changes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            changes.add(end(held(i, 7), NOON));
        }
        UpdateManyModel<Document> update = many(UniformChanges.updates(changes).get(0));
        assertThat(UniformChanges.updates(changes)).hasSize(1);
        assertThat(ids(update))
                .isEqualTo(changes.stream()
                        .map(change -> Ids.toBson(change.before().id()))
                        .toList());
        assertThat(sent(update.getFilter())).containsOnlyKeys("_id", "rev").containsEntry("rev", 0L);
        Document set = sent(update.getUpdate()).get("$set", Document.class);
        assertThat(set.keySet()).allMatch(field -> field.startsWith("lastStatus.") || field.equals("rev"));
        assertThat(set).containsEntry("lastStatus.id", ":0:0:ended").doesNotContainKey("lastStatus.fireTime");
    }

    @Test
    @DisplayName("P4: moments that differ by less than is stored are one update, and a millisecond is another")
    void storedPrecision() {
        List<WriteModel<Document>> updates = UniformChanges.updates(List.of(
                end(held(0, 7), NOON),
                end(held(1, 7), NOON.plusNanos(999_999)),
                end(held(2, 7), NOON.plusNanos(1_000_000))));
        assertThat(updates).hasSize(2);
        assertThat(ids(many(updates.get(0)))).hasSize(2);
    }

    @Test
    @DisplayName("P4: another revision or another start is another update")
    void apart() {
        StoredJob updated =
                held(3, 7).with(edit -> edit.revision(held(3, 7).revision().raised()));
        List<WriteModel<Document>> updates = UniformChanges.updates(List.of(
                end(held(0, 7), NOON),
                end(held(1, 8), NOON),
                end(held(2, 7), NOON.plusMillis(1)),
                end(updated, NOON),
                end(held(4, 7), NOON)));
        assertThat(updates).hasSize(3);
        assertThat(ids(many(updates.get(0)))).as("tokens are not asked").hasSize(3);
        assertThat(updates.subList(1, 3)).allMatch(update -> update instanceof UpdateOneModel);
    }

    @Test
    @DisplayName("M7: a change that is not the holder's writes lastStatus as a whole")
    void whole() {
        StoredJob job = held(0, 7);
        JobChange end = end(job, NOON);
        JobChange user = new JobChange(job, end.after(), end.rows(), By.REQUEST);
        assertThat(sent(Changes.update(user)).get("$set", Document.class).get("lastStatus"))
                .isEqualTo(RowDocument.lastStatus(end.rows().get(0)));
    }

    @Test
    @DisplayName("2.2: lastStatus names its row without the id of the job; a name of another form stays as it is")
    void rowIds() {
        assertThat(Ids.shortRow("abc:0:1:ended1", "abc")).isEqualTo(":0:1:ended1");
        assertThat(Ids.longRow(":0:1:ended1", "abc")).isEqualTo("abc:0:1:ended1");
        assertThat(Ids.shortRow("abcd:0:1", "abc")).isEqualTo("abcd:0:1");
        assertThat(Ids.longRow("abcd:0:1", "abc")).isEqualTo("abcd:0:1");
    }
}
