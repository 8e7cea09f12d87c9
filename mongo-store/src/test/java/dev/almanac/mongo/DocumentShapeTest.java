package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.StoredFields;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.By;
import dev.almanac.store.NewJob;
import dev.almanac.store.RowLimit;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bson.Document;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What people meet in the Mongo shell, field by field, type by type and in this order: the texts
 * under {@code golden/} are how the shell shows the documents.
 */
class DocumentShapeTest extends StoreFixture {
    private static final Instant FIRE = Instant.parse("2026-11-21T09:30:00.250Z");
    private static final JsonWriterSettings SHELL =
            JsonWriterSettings.builder().outputMode(JsonMode.SHELL).indent(true).build();

    private static Document doc(Object... pairs) {
        Document document = new Document();
        for (int i = 0; i < pairs.length; i += 2) {
            document.append((String) pairs[i], pairs[i + 1]);
        }
        return document;
    }

    private static Date date(Instant instant) {
        return Date.from(instant);
    }

    private static void assertGolden(String name, Document actual, String id) {
        String shown = actual.toJson(SHELL).replace(id, "<id>");
        try (InputStream golden = DocumentShapeTest.class.getResourceAsStream("/golden/" + name)) {
            String expected = new String(Objects.requireNonNull(golden).readAllBytes(), StandardCharsets.UTF_8);
            assertThat(shown).isEqualTo(expected.strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its maps are made with {@code Map.of}, whose order differs from process to process; a codec's order is kept. */
    private static NewJob full() {
        NewJob full = Specimens.full("full", FIRE);
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("list", List.of(1, 2L, "x", Map.of("deep", true)));
        body.put("pi", 3.25);
        JobExecutionStatus row = full.row().toBuilder()
                .error(new ErrorSummary("java.io.IOException", "message", "at x\nat y"))
                .build();
        StoredJob job = full.job()
                .with(edit -> edit.lastStatus(row)
                        .specification(full.job().specification().toBuilder()
                                .failureCommand(new EncodedCommand("sorry", 3, body))
                                .build()));
        return new NewJob(job, row);
    }

    @Test
    @DisplayName("2.1, 6.1: a one-off with nothing but what is required")
    void minimal() {
        NewJob job = Specimens.minimal("pay-17", FIRE).inLife(0);
        insert(job);
        assertGolden("minimal.txt", stored("pay-17"), job.job().id());
    }

    @Test
    @DisplayName("2.1, 6.1: a recurring job in which every field has a value")
    void everyField() {
        NewJob job = full();
        insert(job);
        assertGolden("full.txt", stored("full"), job.job().id());
    }

    @Test
    @DisplayName("2.2: a row in which every field has a value; its copy on the document leaves out the stack")
    void row() {
        NewJob job = full();
        insert(job);
        assertGolden("row.txt", rows().find().first(), job.job().id());
    }

    @Test
    @DisplayName("2.2: the first row of a job")
    void firstRow() {
        NewJob job = Specimens.minimal("pay-17", FIRE);
        insert(job);
        assertGolden("first-row.txt", rows().find().first(), job.job().id());
    }

    @Test
    @DisplayName("6.3: a claim adds lease {owner, token, until}, moves due and counts; its end takes the lease away")
    void claimed() {
        StoredJob held = claim(List.of(insert("k")), 77).get(0);
        Document document = stored("k");
        assertThat(document.get("lease"))
                .isEqualTo(doc("owner", "n", "token", 77L, "until", date(now.plusSeconds(20))));
        assertThat(document.get("due")).isEqualTo(date(now.plusSeconds(22)));
        assertThat(document.get("claimSeq")).isEqualTo(1L);
        store.write(List.of(ending(held)));
        assertThat(stored("k")).doesNotContainKey("lease").containsEntry("doneSeq", 1L);
    }

    @Test
    @DisplayName(
            "M6, M8: the end unsets due, lease and activeKey, sets deleteTime; a limit moves the end of rows, nothing else")
    void finished() {
        StoredJob held = claim(List.of(insert("k")), 5).get(0);
        Document first = rows().find().first();
        Instant end = now.plus(Duration.ofDays(7));
        JobChange ending = ending(held);
        StoredJob after = ending.after()
                .with(edit -> edit.due(null)
                        .specification(StoredFields.of(held.specification())
                                .deleteTime(end)
                                .build()));
        store.write(List.of(new JobChange(held, after, ending.rows(), new RowLimit(end, end), By.HOLDER, false)));
        assertThat(stored("k"))
                .doesNotContainKeys("due", "lease", "activeKey")
                .containsEntry("deleteTime", date(end))
                .containsEntry("jobSpecificationKey", "k")
                .containsEntry("version", 1L);
        assertThat(rows().countDocuments(doc("deleteTime", date(end)))).isEqualTo(2);
        assertThat(rows().find(doc("_id", first.get("_id"))).first())
                .isEqualTo(new Document(first).append("deleteTime", date(end)));
        assertThat(store.find("k", FindScope.LIVE)).isEmpty();
    }

    @Test
    @DisplayName("6.1: ids that are no object ids stay text, and capitals stay capitals")
    void otherIds() {
        for (String id : List.of("not-hex", "6A00000000000000000ABCDE")) {
            NewJob job = Specimens.of(
                    id, Specimens.specification(id).singleSchedule(now).build(), now);
            assertThat(store.insert(List.of(job))).containsExactly(true);
            assertThat(stored(id).get("_id")).isEqualTo(id);
            assertThat(store.find(id, FindScope.LIVE).orElseThrow().id()).isEqualTo(id);
            assertThat(claim(List.of(job.job()), 3)).hasSize(1);
        }
    }
}
