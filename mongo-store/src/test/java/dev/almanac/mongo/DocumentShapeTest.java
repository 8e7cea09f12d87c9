package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.ErrorSummary;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.store.ClaimPartition;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.Order;
import dev.almanac.store.NewJob;
import dev.almanac.store.Stamp;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What people meet in the Mongo shell, field by field and in this order (SPEC 2.1, 2.2, 6.1). */
class DocumentShapeTest extends StoreFixture {
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

    private static void assertSame(Document actual, Document expected) {
        assertThat(actual).isEqualTo(expected);
        assertThat(List.copyOf(actual.keySet())).as("order").isEqualTo(List.copyOf(expected.keySet()));
    }

    @Test
    @DisplayName("2.1, 6.1: a one-off with nothing but what is required")
    void minimal() {
        NewJob job = Specimens.minimal("pay-17", now);
        insert(job);
        assertSame(
                stored("pay-17"),
                doc(
                        "_id",
                        new ObjectId(job.job().id()),
                        "jobSpecificationKey",
                        "pay-17",
                        "jobRequestor",
                        "contract",
                        "singleSchedule",
                        date(now),
                        "triggerCommand",
                        doc("type", "note", "version", 1, "body", doc("text", "hello")),
                        "triggerIdentifier",
                        "id-pay-17",
                        "zoneId",
                        "UTC",
                        "priority",
                        4,
                        "version",
                        1L,
                        "latestUpdate",
                        date(Instant.parse("2026-01-01T00:00:00Z")),
                        "type",
                        "note",
                        "prio",
                        4,
                        "activeKey",
                        "pay-17",
                        "due",
                        date(now),
                        "nextFireTime",
                        date(now),
                        "zoneRules",
                        "2026a",
                        "fireSeq",
                        0L,
                        "claimSeq",
                        0L,
                        "doneSeq",
                        0L,
                        "lastStatus",
                        doc(
                                "id",
                                job.row().id(),
                                "executionStatus",
                                "SCHEDULED",
                                "outcome",
                                "NONE",
                                "updatedTime",
                                date(job.row().updatedTime()),
                                "fireSeq",
                                0L,
                                "claimSeq",
                                0L),
                        "p",
                        ClaimPartition.of("pay-17", 16)));
    }

    @Test
    @DisplayName("2.1, 6.1: a recurring job in which every field has a value")
    void full() {
        NewJob job = Specimens.full("full", now);
        insert(job);
        Document stored = stored("full");
        Document last = stored.get("lastStatus", Document.class);
        List<String> fields = new ArrayList<>(stored.keySet());
        assertThat(fields)
                .startsWith("_id", "jobSpecificationKey", "jobRequestor", "schedulingSpecification", "cronDialect")
                .endsWith("lastStatus", "p");
        List.of("_id", "latestUpdate", "lastStatus", "p").forEach(stored::remove);
        Document expected = userPart();
        expected.putAll(statePart());
        assertSame(stored, expected);
        assertThat(last.get("error")).isEqualTo(doc("type", "T", "message", "message"));
        assertThat(last.get("overThreshold")).isInstanceOf(String.class);
    }

    private Document userPart() {
        return doc(
                "jobSpecificationKey", "full",
                "jobRequestor", "contract",
                "schedulingSpecification", "5 4 * * *",
                "cronDialect", "UNIX",
                "triggerCommand", doc("type", "note", "version", 1, "body", doc("text", "hello")),
                "triggerIdentifier", "id-full",
                "failureCommand",
                        doc(
                                "type",
                                "sorry",
                                "version",
                                3,
                                "body",
                                stored("full")
                                        .get("failureCommand", Document.class)
                                        .get("body")),
                "failureIdentifier", "f",
                "calendars", List.of("a", "b"),
                "ignoreDefaultCalendar", true,
                "calendarPolicy", "MODIFIED_FOLLOWING",
                "zoneId", "Europe/Brussels",
                "daylightSavingPolicy", "WALL_ONCE",
                "lateExecutionThreshold", "PT1M30S",
                "missedFirePolicy", "RUN_ALL(7)",
                "retryPolicy", "R5/PT5M",
                "crashPolicy", "FAIL",
                "executionTimeout", "PT9M",
                "priority", 2,
                "exclusiveGroup", "group",
                "startAt", date(now.minusSeconds(5)),
                "endAt", date(now.plusSeconds(500)),
                "maxFires", 12,
                "retention", doc("good", "PT24H", "failed", "PT48H", "canceled", "PT72H", "superseded", "PT4H"),
                "tags", List.of("x", "y"),
                "applicationTag", "app",
                "processingContext",
                        doc("processingEntity", "entity", "clientRequestId", "request", "unitOfWorkId", "unit"),
                "version", 4L);
    }

    private Document statePart() {
        return doc(
                "type",
                "sorry",
                "prio",
                2,
                "activeKey",
                "full",
                "due",
                date(now),
                "nextFireTime",
                date(now),
                "nominalFireTime",
                date(now.minusSeconds(3)),
                "zoneRules",
                "2026a",
                "attempts",
                2,
                "retryTime",
                date(now.plusSeconds(1)),
                "overThreshold",
                "PT0.017S",
                "firesEnded",
                3L,
                "previousGoodRun",
                date(now.minusSeconds(100)),
                "fireSeq",
                5L,
                "claimSeq",
                9L,
                "doneSeq",
                8L,
                "startedSeq",
                7L,
                "cancelRequested",
                true,
                "interruptRequested",
                true,
                "runNowRequested",
                true,
                "scheduleChanged",
                date(now.minusSeconds(9)),
                "paused",
                doc("reason", "why", "author", "who", "until", date(now)),
                "phase",
                "FAILURE",
                "blocked",
                "because");
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
    @DisplayName("M6, M8: the end unsets due, lease and activeKey, sets deleteTime; every row is stamped, nothing else")
    void finished() {
        StoredJob held = claim(List.of(insert("k")), 5).get(0);
        Document first = rows().find().first();
        Instant end = now.plus(Duration.ofDays(7));
        JobChange ending = ending(held);
        StoredJob after = ending.after()
                .with(edit -> edit.due(null)
                        .specification(
                                held.specification().toBuilder().deleteTime(end).build()));
        store.write(List.of(new JobChange(held, after, ending.rows(), new Stamp(end, null), Order.ROWS_FIRST)));
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
    @DisplayName("2.2: a row; its copy on the specification leaves out the stack and what the document says anyway")
    void row() {
        StoredJob job = insert("k");
        JobExecutionStatus row = Specimens.row(job.id(), "k", "r", now.plusSeconds(2)).toBuilder()
                .executionStatus(ExecutionStatus.FAILED)
                .outcome(Outcome.RETRIES_EXHAUSTED)
                .fireTime(now)
                .startedTime(now.plusMillis(3))
                .attempt(2)
                .node("node-1")
                .error(new ErrorSummary("java.io.IOException", "no", "at x\nat y"))
                .build();
        StoredJob after = job.with(edit -> edit.lastStatus(row));
        store.write(List.of(new JobChange(job, after, List.of(row), null, Order.DOCUMENT_FIRST)));
        Document expected = doc(
                "_id",
                row.id(),
                "jobSpecificationId",
                new ObjectId(job.id()),
                "jobSpecificationKey",
                "k",
                "executionStatus",
                "FAILED",
                "outcome",
                "RETRIES_EXHAUSTED",
                "updatedTime",
                date(now.plusSeconds(2)),
                "fireTime",
                date(now),
                "startedTime",
                date(now.plusMillis(3)),
                "attempt",
                2,
                "node",
                "node-1",
                "error",
                doc("type", "java.io.IOException", "message", "no", "stack", "at x\nat y"),
                "fireSeq",
                0L,
                "claimSeq",
                0L);
        assertSame(rows().find(doc("_id", row.id())).first(), expected);
        Document last = stored("k").get("lastStatus", Document.class);
        assertThat(last.get("error")).isEqualTo(doc("type", "java.io.IOException", "message", "no"));
        assertThat(last).containsEntry("id", row.id()).doesNotContainKeys("_id", "jobSpecificationId");
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
