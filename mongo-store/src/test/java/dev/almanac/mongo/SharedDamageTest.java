package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.almanac.model.Actor;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.Rate;
import dev.almanac.model.StandingPause;
import dev.almanac.store.ClusterControl;
import dev.almanac.store.DeclaredJobs;
import dev.almanac.store.LatenessCounts;
import dev.almanac.store.MinuteReport;
import dev.almanac.store.NewJob;
import dev.almanac.store.RateUse;
import dev.almanac.store.StoreRefusedException;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredGroup;
import dev.almanac.testkit.contract.Specimens;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What hands did to the documents that all nodes share: the others stay in force, and damage never opens a pause. */
class SharedDamageTest extends StoreFixture {
    private StandingPause pause(String tag) {
        StandingPause pause =
                new StandingPause(PauseScope.tag(tag), Pause.because("audit").by(Actor.named("ann", null)), now);
        store.cluster().pause(pause, null);
        return pause;
    }

    @Test
    @DisplayName("16.2, X10: a pause whose document is too large to be read stays in force, for what its id names")
    void largePause() {
        pause("t");
        collection("control")
                .updateOne(
                        new Document("_id", "pause tag:t"),
                        new Document("$set", new Document("reason", "x".repeat(7 << 20))));
        assertThat(store.cluster().control().pauses()).singleElement().satisfies(pause -> {
            assertThat(pause.scope()).isEqualTo(PauseScope.tag("t"));
            assertThat(pause.pause().reason()).contains("bytes, more than 6291456");
            assertThat(pause.isInForce(now.plus(Duration.ofDays(9)))).isTrue();
        });
        assertThat(store.cluster().resume(PauseScope.tag("t"), null, now)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"calendars, edits", "interrupts, orders", "zoneRules, checked"})
    @DisplayName("16.1: a counter that is none hides neither pauses nor groups, and counts again with the next edit")
    void counters(String id, String field) {
        StandingPause pause = pause("t");
        for (Object wrong : List.of(new Document("x", 1), "many", List.of(1), Long.MAX_VALUE)) {
            collection("control").deleteOne(new Document("_id", id));
            collection("control").insertOne(new Document("_id", id).append(field, wrong));
            ClusterControl control = store.cluster().control();
            assertThat(control.pauses()).as(id + " " + wrong).containsExactly(pause);
            store.cluster().requestInterrupt();
            StoredCalendar next = new StoredCalendar("c" + wrong, 1, Map.of("kind", "weekly"), now, "ann", false);
            assertThat(store.cluster().putCalendar(next)).isTrue();
            assertThat(store.cluster().control().calendarEdits()).isNotEqualTo(control.calendarEdits());
            assertThat(store.cluster().control().interrupts()).isNotEqualTo(control.interrupts());
        }
    }

    @Test
    @DisplayName("16.1: minutes whose documents cannot be read are left out; the others are read")
    void minutes() {
        MinuteReport good = new MinuteReport(
                "a",
                now.truncatedTo(ChronoUnit.MINUTES),
                Map.of("note", new MinuteReport.OfType(Map.of("SUCCEEDED", 2L), 0, 0, 0, 0, 0, LatenessCounts.NONE)),
                0);
        store.cluster().addMinute(good);
        Document id = new Document("minute", Date.from(good.minute()));
        for (Object types : List.of(
                "note",
                List.of(1),
                List.of(new Document("type", 7)),
                List.of(new Document("type", "t")
                        .append("outcomes", new Document())
                        .append("lateness", List.of(Long.MAX_VALUE, 1))))) {
            collection("minute")
                    .insertOne(
                            new Document("_id", new Document(id).append("node", "x" + types)).append("types", types));
        }
        collection("minute").insertOne(new Document("_id", new Document(id).append("node", 5)));
        assertThat(store.cluster().minutes(good.minute().minusSeconds(1))).containsExactly(good);
    }

    @Test
    @DisplayName("console: the minute of an older node, which does not number its failed fires, counts them by outcome")
    void minuteOfOlderNode() {
        Instant minute = now.truncatedTo(ChronoUnit.MINUTES);
        Map<String, Long> outcomes = Map.of("EXPIRED", 1L, "CRASHED", 2L, "ABANDONED", 9L, "SUCCEEDED", 9L);
        MinuteReport.OfType note = new MinuteReport.OfType(outcomes, 1, 0, 0, 0, 0, LatenessCounts.NONE);
        store.cluster().addMinute(new MinuteReport("a", minute, Map.of("note", note), 0));
        assertThat(failed(minute)).containsExactly(1L, 1L);
        collection("minute").updateMany(new Document(), Updates.unset("types.0.failed"));
        assertThat(failed(minute)).containsExactly(3L, 3L);
    }

    /** How many fires have failed in a minute, as it is read by itself and added up with others. */
    private List<Long> failed(Instant minute) {
        return List.of(
                store.cluster().minutes(minute).get(0).types().get("note").failed(),
                store.runCounts(minute, minute.plusSeconds(60), Duration.ofMinutes(1))
                        .slices()
                        .get(0)
                        .failed());
    }

    @Test
    @DisplayName("16.1: a minute that a person has changed fails no count, and hides no other minute")
    void countsOfMinutes() {
        Instant minute = now.truncatedTo(ChronoUnit.MINUTES);
        Map<String, MinuteReport.OfType> types =
                Map.of("note", new MinuteReport.OfType(Map.of("SUCCEEDED", 2L), 0, 0, 0, 0, 0, LatenessCounts.NONE));
        store.cluster().addMinute(new MinuteReport("a", minute, types, 3));
        Document id = new Document("minute", Date.from(minute));
        for (Object missed : Arrays.asList(
                Double.NaN, Double.POSITIVE_INFINITY, 1e300, -5, "many", null, List.of(7), new Document())) {
            for (Object type : List.of(List.of("note", "x"), 7, "note")) {
                Document counts = new Document("type", type)
                        .append("outcomes", new Document("SUCCEEDED", type.equals("note") ? 1 : 5));
                collection("minute")
                        .insertOne(new Document("_id", new Document(id).append("node", missed + " " + type))
                                .append("missed", missed)
                                .append("types", List.of(counts, List.of(counts))));
            }
        }
        assertThat(store.cluster().missed(minute.minusSeconds(1))).isEqualTo(3);
        collection("minute").insertOne(new Document("_id", new Document(id).append("node", "b")).append("missed", 1.5));
        assertThat(store.cluster().missed(minute.minusSeconds(1))).isEqualTo(4);
        assertThat(store.runCounts(minute, minute.plusSeconds(60), Duration.ofMinutes(1))
                        .slices())
                .singleElement()
                .satisfies(slice -> {
                    assertThat(slice.type()).isEqualTo("note");
                    assertThat(slice.outcomes()).isEqualTo(Map.of("SUCCEEDED", 10L));
                });
    }

    @Test
    @DisplayName("16.1: a store whose number of partitions a person has damaged is refused, and stores no job")
    void partitions() {
        for (Object wrong : Arrays.asList(null, 0, -1, 201, 1.5, "16", List.of(16), Double.NaN)) {
            schema(new Document("$set", new Document("partitions", wrong)));
            assertRefused();
        }
        schema(Document.parse("{$unset: {partitions: ''}}"));
        assertRefused();
        assertThat(jobs().countDocuments()).isZero();
        schema(Document.parse("{$set: {partitions: 16.0}}"));
        assertThat(store.open().partitions()).isEqualTo(16);
        assertThat(MongoJobStore.create(client, settings).insert(List.of(Specimens.minimal("k", now))))
                .containsExactly(true);
    }

    @Test
    @DisplayName("16.1: a store whose schema version a person has damaged is refused as one of another version")
    void schemaVersion() {
        for (Object wrong : Arrays.asList(null, "one", 1.5, 2)) {
            schema(new Document("$set", new Document("version", wrong)));
            assertThatThrownBy(store::open)
                    .isInstanceOf(StoreRefusedException.class)
                    .hasMessageContaining("ALM-004")
                    .hasMessageContaining("version " + wrong);
        }
    }

    @Test
    @DisplayName("16.1: a store of jobs that has lost the number of its partitions is refused by every way to open, and"
            + " makes none anew; a store without jobs is new")
    void schemaLost() {
        collection("control").drop();
        MongoJobStore many = MongoJobStore.create(client, settings.withPartitions(64));
        assertThat(many.open().partitions()).isEqualTo(64);
        for (int i = 0; i < 20; i++) {
            many.insert(List.of(Specimens.minimal("k" + i, now)));
        }
        collection("control").drop();
        String advice = "set it to the number that it was created with, 16 unless a setting said another:"
                + " db.getCollection('control').updateOne({_id: 'schema'}, {$set: {version: 1, partitions: 16}},"
                + " {upsert: true}); it is more than the highest p of a job:"
                + " db.getCollection('jobSpecification').find({}, {p: 1}).sort({p: -1}).limit(1)";
        for (MongoJobStore opened : List.of(
                many,
                MongoJobStore.create(client, settings),
                MongoJobStore.create(client, settings.withCreateIndexes(false)),
                MongoJobStore.tolerant(client, settings, complaint -> {}))) {
            assertThatThrownBy(opened::open)
                    .isInstanceOf(StoreRefusedException.class)
                    .hasMessageContaining("has jobs, and does not say how many partitions")
                    .hasMessageEndingWith(advice);
        }
        assertThat(jobs().find().sort(Sorts.descending("p")).first().getInteger("p"))
                .isBetween(16, 63);
        assertThat(collection("control").countDocuments()).isZero();
        collection("control")
                .updateOne(
                        new Document("_id", "schema"),
                        Document.parse("{$set: {version: 1, partitions: 64}}"),
                        new UpdateOptions().upsert(true));
        assertThat(MongoJobStore.create(client, settings).open().partitions()).isEqualTo(64);
    }

    @Test
    @DisplayName("ALM-004: a store of another version is refused before anything in it is changed, judged or advised")
    void otherVersion() {
        schema(Document.parse("{$set: {version: 2}}"));
        jobs().dropIndex("almanac_urgent");
        jobs().dropIndex("almanac_due");
        jobs().createIndex(new Document("p", 1), new IndexOptions().name("almanac_due"));
        client.getDatabase(database)
                .runCommand(new Document("collMod", "jobSpecification")
                        .append("index", Document.parse("{name: 'almanac_expiry', expireAfterSeconds: 3600}")));
        List<Document> indexes = jobs().listIndexes().into(new ArrayList<>());
        for (MongoJobStore opened : List.of(
                store,
                MongoJobStore.create(client, settings.withCreateIndexes(false)),
                MongoJobStore.tolerant(client, settings, complaint -> {}))) {
            assertThatThrownBy(opened::open)
                    .isInstanceOf(StoreRefusedException.class)
                    .hasMessageStartingWith("ALM-004 ")
                    .hasMessageContaining("has schema version 2");
        }
        assertThat(jobs().listIndexes().into(new ArrayList<>())).isEqualTo(indexes);
    }

    private void schema(Document update) {
        collection("control").updateOne(new Document("_id", "schema"), update);
    }

    /** By who opens it, and by who stores jobs in one that others have opened. */
    private void assertRefused() {
        List<NewJob> one = List.of(Specimens.minimal("k", now));
        MongoJobStore unopened = MongoJobStore.create(client, settings);
        for (ThrowingCallable use : List.<ThrowingCallable>of(store::open, () -> unopened.insert(one))) {
            assertThatThrownBy(use)
                    .isInstanceOf(StoreRefusedException.class)
                    .hasMessageContaining("partitions, not a whole number from 1 to 200; set it to");
        }
    }

    @Test
    @DisplayName("16.1: what has a version that no edit can follow is damaged, and stored again as version 1")
    void versions() {
        for (Object wrong : List.of(Long.MAX_VALUE, 1e300, 1.5, -3, "one")) {
            for (String each : List.of("calendar", "control")) {
                collection(each).deleteMany(new Document());
            }
            collection("calendar").insertOne(new Document("_id", "c").append("version", wrong));
            collection("control").insertOne(new Document("_id", "group g").append("version", wrong));
            assertThat(store.cluster().calendars())
                    .as("" + wrong)
                    .singleElement()
                    .satisfies(read -> assertThat(read.version()).isZero());
            assertThat(store.cluster().control().group("g").damage()).contains("version");
            for (int version = 1; version < 3; version++) {
                StoredCalendar next = new StoredCalendar("c", version, Map.of("kind", "weekly"), now, "ann", false);
                assertThat(store.cluster().putCalendar(next)).isTrue();
                assertThat(store.cluster().putCalendar(next)).isFalse();
                assertThat(store.cluster().calendars()).containsExactly(next);
                StoredGroup group = new StoredGroup("g", version, new GroupLimits(version, null), now, "ann");
                assertThat(store.cluster().putGroup(group)).isTrue();
            }
        }
    }

    @Test
    @DisplayName("16.2, X10: a pause without the scope that it is of, or with another name for it, stays in force")
    void scopeOfPause() {
        pause("t");
        collection("control")
                .updateOne(new Document("_id", "pause tag:t"), new Document("$unset", new Document("pauseOf", "")));
        assertThat(store.cluster().control().pauses())
                .singleElement()
                .satisfies(pause -> assertThat(pause.scope()).isEqualTo(PauseScope.tag("t")));
        collection("control").insertOne(new Document("_id", "pause nothing that is known"));
        assertThat(store.cluster().control().pauses())
                .extracting(StandingPause::scope)
                .containsExactlyInAnyOrder(PauseScope.tag("t"), PauseScope.everything());
    }

    @Test
    @DisplayName("16.1: a calendar without the time of its edit is known as damaged, and is stored again as the next"
            + " version")
    void calendarWithoutTime() {
        StoredCalendar first = new StoredCalendar("c", 1, Map.of("kind", "weekly"), now, "ann", false);
        assertThat(store.cluster().putCalendar(first)).isTrue();
        collection("calendar")
                .updateOne(new Document("_id", "c"), new Document("$unset", new Document("latestUpdate", "")));
        assertThat(store.cluster().calendars()).singleElement().satisfies(read -> {
            assertThat(read.name()).isEqualTo("c");
            assertThat(read.version()).isEqualTo(1);
            assertThat(read.definition()).isEmpty();
        });
        StoredCalendar next = new StoredCalendar("c", 2, Map.of("kind", "weekly"), now, "ann", false);
        assertThat(store.cluster().putCalendar(next)).isTrue();
        assertThat(store.cluster().calendars()).containsExactly(next);
    }

    @Test
    @DisplayName("S17: a count of a rate that a person has set back is counted on")
    void rateSetBack() {
        StoredGroup group = new StoredGroup("g", 1, new GroupLimits(1, Rate.parse("5/PT1M")), now, "ann");
        assertThat(store.cluster().putGroup(group)).isTrue();
        for (Object none : Arrays.asList(0, 0L, 0.0, null)) {
            collection("control")
                    .updateOne(
                            new Document("_id", "group g"),
                            new Document("$set", new Document("counts", none).append("counted", List.of())));
            StoredGroup seen = store.cluster().control().group("g");
            assertThat(store.cluster().countClaims(seen, new RateUse(1, List.of(new RateUse.Count(now, 1)))))
                    .as("" + none)
                    .isTrue();
        }
    }

    @Test
    @DisplayName("S26: what an application declares is stored also over a version that no declaration could follow")
    void declaredVersions() {
        for (Object wrong : Arrays.asList(0, -1, 2.5, "one", null, Double.NaN)) {
            collection("control").deleteMany(new Document());
            collection("control").insertOne(new Document("_id", "declared:app").append("version", wrong));
            DeclaredJobs found = store.cluster().declared("app");
            assertThat(found.version()).as("" + wrong).isZero();
            DeclaredJobs next = found.next(null, Map.of("k", "a schedule"));
            assertThat(store.cluster().declare("app", next)).as("" + wrong).isTrue();
            assertThat(store.cluster().declare("app", next)).as("once").isFalse();
            assertThat(store.cluster().declared("app")).isEqualTo(next);
            assertThat(store.cluster().declare("app", next.next(null, Map.of())))
                    .isTrue();
        }
    }
}
