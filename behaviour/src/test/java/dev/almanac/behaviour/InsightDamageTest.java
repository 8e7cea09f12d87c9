package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.calendars.Calendars;
import dev.almanac.model.Explanation.Kind;
import dev.almanac.model.Finding;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.InvariantReport;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import java.time.DayOfWeek;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What only a real server can have: indexes, and documents that were edited by hand. */
class InsightDamageTest {
    private final MongoInVirtualTime behind = new MongoInVirtualTime();
    private final World world = new World(0, behind::store);

    @AfterEach
    void drop() {
        behind.close();
    }

    @Test
    @DisplayName("O3: an index that is missing and a document that cannot be read are found, and left as they are")
    void damage() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("torn").singleSchedule(START.plusSeconds(60)).build());
        MongoCollection<Document> jobs = behind.raw().getCollection("jobSpecification");
        jobs.updateOne(Filters.eq("activeKey", "torn"), Updates.set("zoneId", "Nowhere/Atlantis"));
        jobs.dropIndex("almanac_due");
        for (int look = 0; look < 2; look++) {
            InvariantReport report = a.scheduler().checkInvariants();
            assertThat(report.findings())
                    .extracting(Finding::kind)
                    .containsExactly(Finding.Kind.DAMAGED, Finding.Kind.INDEX);
            assertThat(report.findings().get(0).toString())
                    .startsWith("ALM-041 the document")
                    .contains("torn");
            assertThat(report.findings().get(1).text()).contains("almanac_due", "is missing");
        }
        assertThat(a.scheduler().explainJob("torn").has(Kind.DAMAGED)).isTrue();
    }

    @Test
    @DisplayName("O3: without the index of due jobs that is a finding, and what cannot be counted without it is said")
    void withoutIndex() {
        try (Scheduler client = world.client(builder -> builder)) {
            client.scheduleJob(job("due").singleSchedule(START.plusSeconds(1)).build());
            world.pass(Duration.ofSeconds(5));
            behind.raw().getCollection("jobSpecification").dropIndex("almanac_due");
            InvariantReport report = client.checkInvariants();
            assertThat(report.findings()).extracting(Finding::kind).contains(Finding.Kind.INDEX, Finding.Kind.UNSERVED);
            assertThat(report.notChecked())
                    .singleElement()
                    .asString()
                    .startsWith("due jobs that no node takes, beyond those that were examined");
        }
    }

    @Test
    @DisplayName(
            "S4: a job whose document was damaged when it was due is judged by its repair as if it had waited till then")
    void repairedTooLate() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJob(job("late")
                        .singleSchedule(START.plusSeconds(60))
                        .startDeadline(Duration.ofMinutes(10))
                        .build());
        MongoCollection<Document> jobs = behind.raw().getCollection("jobSpecification");
        jobs.updateOne(Filters.eq("activeKey", "late"), Updates.set("startDeadline", 5));
        world.pass(Duration.ofHours(1));
        assertThat(a.scheduler().explainJob("late").has(Kind.DAMAGED)).isTrue();
        jobs.updateOne(
                Filters.eq("activeKey", "late"),
                List.of(
                        Document.parse(
                                "{$set: {startDeadline: 'PT10M', due: '$nextFireTime', rev: {$add: ['$rev', 1]}}}"),
                        Document.parse("{$unset: ['blocked']}")));
        world.pass(Duration.ofMinutes(5));
        assertThat(world.calls).as("fifty minutes behind its deadline").isEmpty();
        assertThat(a.scheduler().history("late"))
                .extracting(JobExecutionStatus::outcome)
                .contains(Outcome.EXPIRED)
                .doesNotContain(Outcome.ABANDONED);
    }

    private static SchedulerBuilder readsCrons(SchedulerBuilder builder) {
        return builder.calendarReader(definition -> Calendars.cron(String.valueOf(definition.get("cron"))));
    }

    /** A node that has stored version 3 of the calendar {@code c}. */
    private Machine editedThrice() {
        Machine a = world.node("a", world.store, Duration.ZERO, InsightDamageTest::readsCrons);
        for (String day : List.of("MON", "TUE", "WED")) {
            a.scheduler().calendars().put("c", Map.of("cron", "* * * ? * " + day));
        }
        return a;
    }

    private static JobSpecification atNoon() {
        return job("user").schedulingSpecification("0 0 12 * * ?").calendar("c").build();
    }

    /** The node obeys the last edit. */
    private static void assertThursdaysExcluded(Machine a) {
        assertThat(a.scheduler().previewFireTimes("user", START, 7))
                .filteredOn(fire -> fire.fireTime() == null)
                .singleElement()
                .satisfies(fire -> assertThat(fire.wantedTime().getDayOfWeek()).isEqualTo(DayOfWeek.THURSDAY));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gone",
                "unversioned",
                "unversioned, and deleted before it is stored again",
                "gone, and another process stores it",
                "gone with its versions, and another process stores it"
            })
    @DisplayName(
            "C5: a calendar whose document or version a person has removed goes on with its versions, for all nodes")
    void calendarRemoved(String how) {
        Machine a = editedThrice();
        boolean used = !how.contains("deleted");
        if (used) {
            a.scheduler().scheduleJob(atNoon());
        }
        world.pass(Duration.ofSeconds(5));
        MongoCollection<Document> calendars = behind.raw().getCollection("calendar");
        if (how.startsWith("unversioned")) {
            calendars.updateOne(Filters.eq("_id", "c"), Updates.unset("version"));
        } else {
            calendars.deleteOne(Filters.eq("_id", "c"));
        }
        if (how.contains("with its versions")) {
            behind.raw().getCollection("calendarVersion").deleteMany(new Document());
        }
        if (!used) {
            assertThat(a.scheduler().calendars().delete("c")).isTrue();
        }
        Map<String, Object> next = Map.of("cron", "* * * ? * THU");
        try (Scheduler client = world.client(InsightDamageTest::readsCrons)) {
            Scheduler by = how.contains("another") ? client : a.scheduler();
            assertThat(by.calendars().put("c", next).calendar().version()).isEqualTo(used ? 4 : 5);
        }
        world.pass(Duration.ofSeconds(5));
        if (used) {
            assertThursdaysExcluded(a);
        }
    }

    @Test
    @DisplayName("C5: a calendar whose version is lower than before, but that was edited later, is obeyed")
    void lowerVersion() {
        Machine a = editedThrice();
        a.scheduler().scheduleJob(atNoon());
        world.pass(Duration.ofSeconds(5));
        // an older copy is restored
        behind.raw().getCollection("calendar").updateOne(Filters.eq("_id", "c"), Updates.set("version", 1L));
        a.scheduler().calendars().put("c", Map.of("cron", "* * * ? * THU"));
        world.pass(Duration.ofSeconds(5));
        assertThursdaysExcluded(a);
    }

    @Test
    @DisplayName("O3: damaged documents at the ends of pages hide none that follow and are reported once")
    void pagesOfDamage() {
        Machine a = world.node("a");
        a.scheduler()
                .scheduleJobs(IntStream.range(0, 2_002)
                        .mapToObj(i -> job("j-" + (10_000 + i))
                                .singleSchedule(START.plusSeconds(60))
                                .build())
                        .toList());
        behind.raw()
                .getCollection("jobSpecification")
                .updateMany(
                        Filters.in("activeKey", "j-10999", "j-11000", "j-11999", "j-12001"),
                        Updates.set("zoneId", "Nowhere/Atlantis"));
        InvariantReport report = a.scheduler().checkInvariants();
        assertThat(report.findings()).extracting(Finding::kind).containsOnly(Finding.Kind.DAMAGED);
        assertThat(report.findings())
                .extracting(Finding::toString)
                .satisfiesExactly(
                        told -> assertThat(told).contains("j-10999"),
                        told -> assertThat(told).contains("j-11000"),
                        told -> assertThat(told).contains("j-11999"),
                        told -> assertThat(told).contains("j-12001"));
        assertThat(report.notChecked()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"until, soon, tag:t", "until, soon, everything", "since, , everything", "reason, , type:note"})
    @DisplayName("15.7: a pause that was damaged holds back what it names, and says so, until it is resumed")
    void damagedPause(String field, @Nullable String value, String scope) {
        Machine a = world.node("a");
        PauseScope held = PauseScope.parse(scope);
        a.scheduler().pause(held, new Pause("a look", "ops", START.plusSeconds(30)));
        Bson damage = value == null ? Updates.unset(field) : Updates.set(field, value);
        assertThat(behind.raw()
                        .getCollection("control")
                        .updateOne(Filters.regex("_id", "^pause "), damage)
                        .getModifiedCount())
                .isEqualTo(1);
        a.scheduler()
                .scheduleJob(
                        job("a").tags("t").singleSchedule(START.plusSeconds(10)).build());
        world.pass(Duration.ofMinutes(10));
        assertThat(world.calls).isEmpty();
        assertThat(a.scheduler().explainJob("a").reasons())
                .anySatisfy(reason -> assertThat(reason.text()).contains("its document is damaged"));
        assertThat(a.scheduler().resume(held)).isTrue();
        world.pass(Duration.ofSeconds(3));
        assertThat(world.callsOf("a")).hasSize(1);
    }

    @Test
    @DisplayName("15.7: a damaged group, which shows no version, is removed as that")
    void damagedGroup() {
        Machine a = world.node("a");
        a.scheduler().groups().put("g", new GroupLimits(3, null));
        behind.raw().getCollection("control").updateOne(Filters.eq("_id", "group g"), Updates.set("size", "many"));
        assertThat(a.scheduler().groups().remove("g", 0)).isTrue();
        assertThat(a.scheduler().groups().list()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"definition", "version", "latestUpdate"})
    @DisplayName("15.7: a calendar that was damaged leaves its jobs alone, and is replaced by storing it again")
    void damagedCalendar(String field) {
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder ->
                        builder.calendarReader(definition -> Calendars.cron(String.valueOf(definition.get("cron")))));
        Map<String, Object> nights = Map.of("cron", "* * 2 * * ?");
        a.scheduler().calendars().put("nights", nights);
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0 0/10 * * * ?")
                        .calendar("nights")
                        .build());
        MongoDatabase database = behind.raw();
        assertThat(database.getCollection("calendar")
                        .updateOne(Filters.eq("_id", "nights"), Updates.set(field, "gone"))
                        .getModifiedCount())
                .isEqualTo(1);
        Machine b = world.node(
                "b",
                world.store,
                Duration.ZERO,
                builder ->
                        builder.calendarReader(definition -> Calendars.cron(String.valueOf(definition.get("cron")))));
        a.lanes().close();
        world.pass(Duration.ofMinutes(21));
        assertThat(world.calls).isEmpty();
        assertThat(b.scheduler().findJobById("j").orElseThrow().blocked()).isNull();
        b.scheduler().calendars().put("nights", nights);
        world.pass(Duration.ofMinutes(21));
        assertThat(world.callsOf("j")).hasSizeBetween(2, 3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{until: 'soon'}",
                "{until: {$date: '9999-12-31T23:59:59Z'}}",
                "{until: {$date: '2099-03-02T08:00:00Z'}, place: 5}",
                "{until: {$date: '2099-03-02T08:00:00Z'}, place: 'x'}"
            })
    @DisplayName(
            "15: the turn of the repairs, however it was damaged, does not end them: a missing row is written again")
    void damagedTurn(String turn) {
        behind.raw()
                .getCollection("control")
                .insertOne(Document.parse(turn).append("_id", "turn repair").append("node", "gone"));
        Machine a = world.node("a");
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(5)).build());
        world.pass(Duration.ofSeconds(20));
        assertThat(behind.raw()
                        .getCollection("jobExecutionStatus")
                        .deleteMany(Filters.eq("jobSpecificationKey", "j"))
                        .getDeletedCount())
                .isEqualTo(2);
        world.pass(Duration.ofMinutes(16));
        assertThat(a.scheduler().history("j")).hasSize(1);
        assertThat(a.scheduler().health().reasons()).isEmpty();
    }
}
