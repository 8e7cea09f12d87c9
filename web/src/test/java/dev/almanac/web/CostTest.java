package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.almanac.FireReports;
import dev.almanac.Scheduler;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.InvariantReport;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.store.JobStore;
import dev.almanac.store.RateUse;
import dev.almanac.store.StoredGroup;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.server.MongoServer;
import dev.almanac.web.read.ForecastRun;
import dev.almanac.web.read.Forecaster;
import dev.almanac.web.read.StoreReader;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The queries of the pages, on a store in which one that reads everything shows: how many, and by which index. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CostTest {
    /** Two a second, for a page that is refreshed every six. */
    private static final int MOST = 12;

    /** Two a second, for a check of each minute. */
    private static final int MOST_OF_DOCTOR = 120;
    /** Filters without an index examine so many jobs at once; nothing else examines more. */
    private static final int WINDOW = 25_000;

    /** Of jobs that a filter examines before a page answers. */
    private static final int FEW = 5_000;

    private static final int JOBS = 26_000;
    private static final long SECOND = 1_000_000_000L;
    /** Longer than a page searches. */
    private static final long STEP = 50_000_000L;

    private static final Pattern EXAMINED = Pattern.compile("\"total(?:Keys|Docs)Examined\": (\\d+)");

    private final ConsoleFixture fixture = new ConsoleFixture();
    private final AtomicLong nanos = new AtomicLong();
    private final List<BsonDocument> asked = new CopyOnWriteArrayList<>();
    private final Queue<Runnable> later = new ArrayDeque<>();
    /** Done with each command that an action on all jobs of a filter sends. */
    private volatile Runnable acting = () -> {};

    private final MongoClient client = MongoClients.create(MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(MongoServer.shared().uri()))
            .addCommandListener(new CommandListener() {
                @Override
                public void commandStarted(CommandStartedEvent event) {
                    asked.add(BsonDocument.parse(event.getCommand().toJson()));
                    if (Thread.currentThread().getName().equals("almanac-console-actions")) {
                        acting.run();
                    }
                }
            })
            .build());

    @BeforeAll
    void fill() {
        fixture.scheduler.calendars().put("closed", Map.of("kind", "weekly", "exclude-days", List.of("SUNDAY")));
        Instant soon = Instant.now().plusSeconds(600);
        fixture.scheduler.scheduleJobs(IntStream.range(0, 300)
                .mapToObj(i -> JobSpecification.builder()
                        .jobSpecificationKey("job-" + i)
                        .jobRequestor("treasury")
                        .exclusiveGroup(i == 250 ? "bank" : null)
                        .tags(i == 250 ? Set.of("rare") : Set.of())
                        .triggerCommand(new EncodedCommand("book", 1, Map.of("n", i)))
                        .triggerIdentifier("id-" + i)
                        .singleSchedule(soon.plusSeconds(i))
                        .build())
                .toList());
        fixture.scheduler.scheduleJob(JobSpecification.builder()
                .jobSpecificationKey("job-of-calendar")
                .jobRequestor("treasury")
                .calendar("closed")
                .triggerCommand(new EncodedCommand("book", 1, Map.of()))
                .triggerIdentifier("id")
                .schedulingSpecification("0 0 12 * * ?")
                .build());
        MongoCollection<Document> jobs =
                fixture.client().getDatabase(fixture.database()).getCollection("jobSpecification");
        List<Document> some =
                jobs.find(Filters.not(Filters.eq("tags", "rare"))).limit(200).into(new ArrayList<>());
        jobs.insertMany(IntStream.range(0, JOBS)
                .mapToObj(i -> new Document(some.get(i % some.size()))
                        .append("_id", new ObjectId())
                        .append("activeKey", "copy-" + i)
                        .append("jobSpecificationKey", "copy-" + i))
                .toList());
    }

    @AfterAll
    void close() {
        client.close();
        fixture.close();
    }

    private JobStore store() {
        return MongoJobStore.create(client, MongoStoreSettings.ofDatabase(fixture.database()));
    }

    private MountedConsole mounted(Supplier<InvariantReport> doctor) {
        return mounted(doctor, nanos::get);
    }

    /** Time passes with each look at the clock, so that each page searches through one window. */
    private MountedConsole slow() {
        later.clear();
        return fixture.mount(
                console(() -> new InvariantReport(List.of(), List.of(), 0, List.of()), () -> nanos.addAndGet(STEP))
                        .searches(later::add));
    }

    /** Does what was left for later, until nothing is. */
    private void searchOn() {
        for (Runnable work = later.poll(); work != null; work = later.poll()) {
            work.run();
        }
    }

    private MountedConsole mounted(Supplier<InvariantReport> doctor, LongSupplier clock) {
        return fixture.mount(console(doctor, clock));
    }

    private ConsoleBuilder console(Supplier<InvariantReport> doctor, LongSupplier clock) {
        return fixture.console()
                .store(store())
                .access(request -> Optional.of(new Viewer(
                        String.valueOf(request.getHeader("X-User")),
                        Applications.ALL,
                        Applications.ALL,
                        Applications.ALL,
                        Applications.NONE)))
                .doctor(doctor)
                .nanos(clock);
    }

    /** Its check is examined by {@link #doctor}. */
    private MountedConsole withoutDoctor() {
        return mounted(() -> new InvariantReport(List.of(), List.of(), 0, List.of()));
    }

    private List<BsonDocument> asking(MountedConsole mounted, String path) {
        nanos.addAndGet(3_600_000_000_000L);
        asked.clear();
        assertThat(mounted.get(path, "X-User", path).statusCode()).isEqualTo(200);
        return List.copyOf(asked);
    }

    @Test
    @DisplayName("console: no query while no page is open, and at most two queries a second for an open page")
    void often() {
        asked.clear();
        MountedConsole mounted = withoutDoctor();
        assertThat(asked).isEmpty();
        // opens the store, which is done once
        asking(mounted, "/job?key=job-7");
        for (String path : List.of(
                "/", "/day", "/job?key=job-7", "/nodes", "/failures", "/doctor", "/pauses", "/calendars?name=closed")) {
            assertThat(asking(mounted, path)).as(path).hasSizeBetween(1, MOST);
        }
    }

    @Test
    @DisplayName("console: a query that many pages share runs once for all of them")
    void shared() {
        MountedConsole mounted = withoutDoctor();
        asking(mounted, "/");
        int first = asking(mounted, "/").size();
        asked.clear();
        assertThat(mounted.get("/", "X-User", "ann").statusCode()).isEqualTo(200);
        assertThat(asked).as("the second page of the same moment").hasSizeLessThanOrEqualTo(2);
        assertThat(first).isGreaterThan(2);
    }

    @Test
    @DisplayName(
            "console: no question looks through a whole collection of jobs or rows; what is small and read whole is not meant")
    void indexed() {
        MountedConsole mounted = withoutDoctor();
        for (String path : List.of(
                "/",
                "/day",
                "/jobs",
                "/jobs?tag=rare",
                "/jobs?group=bank",
                "/jobs?state=FAILED",
                "/job?key=job-7",
                "/failures",
                "/nodes",
                "/pauses",
                "/calendars",
                "/calendars?name=closed",
                "/forecast",
                "/fires?key=job-of-calendar",
                "/api/jobs",
                "/api/jobs?tag=rare",
                "/api/jobs?state=FAILED",
                "/api/job?key=job-7",
                "/api/job/history?key=job-7",
                "/api/job/explanation?key=job-7",
                "/api/job/fires?key=job-of-calendar",
                "/api/forecast",
                "/api/failures?open=true",
                "/api/nodes",
                "/api/pauses",
                "/api/calendars")) {
            List<BsonDocument> questions = asking(mounted, path);
            questions.forEach(question -> check(path, question, WINDOW));
        }
        assertThat(mounted.get("/calendars?name=closed").body()).contains("job-of-calendar");
    }

    @Test
    @DisplayName("40: the health of all nodes is found without a look at all live jobs")
    void health() {
        try (Scheduler node = fixture.scheduler(Scheduler.builder().command("report", 1, Report.class, (r, run) -> {}))
                .start()) {
            MountedConsole mounted = withoutDoctor();
            asking(mounted, "/job?key=job-7");
            List<BsonDocument> questions = asking(mounted, "/api/health");
            assertThat(questions)
                    .as("looks for jobs that node %s does not take", node.node())
                    .anyMatch(question ->
                            !question.containsKey("listIndexes") && "jobSpecification".equals(of(question)));
            questions.forEach(question -> check("/api/health", question, FEW));
            assertThat(questions.stream().filter(question -> question.containsKey("listIndexes")))
                    .as("to create, to verify, and to find what is not of Almanac")
                    .filteredOn(question -> "jobSpecification".equals(of(question)))
                    .hasSizeBetween(1, 3);
        }
    }

    private record Report() implements SchedulingCommand {}

    /** The collection; empty if it is no question about one. */
    private static String of(BsonDocument question) {
        var first = question.get(question.getFirstKey());
        return first.isString() ? first.asString().getValue() : "";
    }

    @Test
    @DisplayName("40: an answer waits for few of the jobs that a filter without an index examines")
    void few() {
        MountedConsole mounted = slow();
        // opens the store, which is done once
        asking(mounted, "/job?key=job-7");
        for (String path : List.of("/jobs?tag=none", "/jobs?state=PAUSED", "/api/jobs?tag=none")) {
            List<BsonDocument> questions = asking(mounted, path);
            questions.forEach(question -> check(path, question, FEW));
            assertThat(questions).as(path).hasSizeLessThanOrEqualTo(MOST);
        }
    }

    @Test
    @DisplayName(
            "40: the open failures are found by few questions, however many jobs have failed, also those behind a thousand closed ones")
    void openFailures() {
        var database = fixture.client().getDatabase(fixture.database());
        MongoCollection<Document> jobs = database.getCollection("jobSpecification");
        List<Document> some =
                jobs.find(Filters.gte("activeKey", "copy-9")).limit(400).into(new ArrayList<>());
        database.getCollection("jobExecutionStatus")
                .insertMany(some.stream().map(CostTest::failed).toList());
        jobs.updateMany(
                Filters.in("_id", some.stream().map(job -> job.get("_id")).toList()), Updates.set("failuresInARow", 1));
        MountedConsole mounted = withoutDoctor();
        asking(mounted, "/job?key=job-7");
        assertThat(asking(mounted, "/api/failures?open=true")).hasSizeBetween(1, MOST);
        String whole = body(mounted, "/api/failures?open=true&limit=1000");
        assertThat(whole.split("RETRIES_EXHAUSTED", -1)).hasSize(401);
        assertThat(whole).doesNotContain("\"more\"");
        Document good = jobs.find(Filters.eq("activeKey", "copy-1")).first();
        Date yesterday = Date.from(Instant.now().minusSeconds(86_400));
        database.getCollection("jobExecutionStatus")
                .insertMany(IntStream.range(0, 700)
                        .mapToObj(i -> failed(good).append("_id", "closed-" + i).append("updatedTime", yesterday))
                        .toList());
        Document open = jobs.find(Filters.eq("activeKey", "copy-2")).first();
        database.getCollection("jobExecutionStatus")
                .insertOne(failed(open)
                        .append("updatedTime", Date.from(yesterday.toInstant().minusSeconds(60))));
        jobs.updateOne(Filters.eq("_id", open.get("_id")), Updates.set("failuresInARow", 1));
        assertThat(body(mounted, "/api/failures?open=true&limit=1000"))
                .as("also one that is older than a thousand failures")
                .contains("\"copy-2\"")
                .doesNotContain("\"more\"");
    }

    private static Document failed(Document job) {
        return new Document("_id", job.getObjectId("_id").toHexString() + ":0:1:ended1")
                .append("jobSpecificationId", job.get("_id"))
                .append("jobSpecificationKey", job.get("jobSpecificationKey"))
                .append("executionStatus", "FAILED")
                .append("outcome", "RETRIES_EXHAUSTED")
                .append("updatedTime", new Date());
    }

    private static String body(MountedConsole mounted, String path) {
        return mounted.get(path, "X-User", "ann").body();
    }

    @Test
    @DisplayName("40: a search goes on until a page is full and all matches are counted, and says how far it is")
    void goesOn() {
        MountedConsole mounted = slow();
        assertThat(body(mounted, "/jobs?tag=rare"))
                .contains("so far 0", "10\u202f000 of at most 26\u202f301 jobs examined")
                .contains("hx-trigger=\"every 1s\"", "http-equiv=\"refresh\"")
                .doesNotContain("No job is found", "key=job-250");
        later.remove().run();
        assertThat(body(mounted, "/jobs?tag=rare")).contains("so far 0", "15\u202f000 of at most 26\u202f301 jobs");
        searchOn();
        assertThat(body(mounted, "/jobs?tag=rare"))
                .contains("key=job-250\"", "Jobs <span class=\"count\">1</span>", "not repeated")
                .doesNotContain("so far", "every 1s", "http-equiv=\"refresh\"");
        assertThat(body(mounted, "/jobs?tag=rare")).as("a new search").contains("so far 0");
    }

    @Test
    @DisplayName("S22: accounts of many jobs take a statement for the rows of a hundred, and one for all pauses")
    void fires() {
        JobStore store = store();
        store.open();
        try (Scheduler scheduler = Scheduler.builder().store(store).build()) {
            FireReports reports = scheduler.fireReports();
            reports.read(List.of(), Instant.now(), report -> {});
            List<StoredJob> jobs = store.list(JobQuery.all().limit(1_000)).jobs();
            List<String> keys = new ArrayList<>();
            asked.clear();
            reports.read(jobs, Instant.now().minusSeconds(60), report -> keys.add(report.jobSpecificationKey()));
            List<BsonDocument> questions = List.copyOf(asked);
            assertThat(keys).hasSize(1_000);
            assertThat(questions).as("ten of rows, and pauses").hasSizeLessThanOrEqualTo(12);
            questions.forEach(question -> check("accounts of fires", question, 3_100));
        }
    }

    @Test
    @DisplayName("S23: each request of a forecast reads ten thousand jobs at most; what is over is not read again")
    void forecast() {
        MountedConsole mounted = withoutDoctor();
        assertThat(body(mounted, "/forecast")).contains("10\u202f000 jobs read so far", "every 1s");
        asked.clear();
        assertThat(body(mounted, "/forecast")).contains("20\u202f000 jobs read so far");
        assertThat(asked).as("two for each thousand").hasSizeLessThanOrEqualTo(22);
        assertThat(body(mounted, "/forecast"))
                .contains("26\u202f301</span> jobs")
                .doesNotContain("every 1s");
        asked.clear();
        assertThat(body(mounted, "/forecast")).contains("26\u202f301</span> jobs");
        assertThat(asked).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    @DisplayName("S23: a program is answered within the bounds of the page what was read so far, and asks again")
    void forecastOfPrograms() {
        MountedConsole mounted = withoutDoctor();
        assertThat(body(mounted, "/api/forecast"))
                .contains("\"findings\":[]", "\"complete\":false", "\"jobs\":10000", "ask again");
        assertThat(body(mounted, "/forecast")).as("the same one").contains("20\u202f000 jobs read so far");
        assertThat(body(mounted, "/api/forecast")).contains("\"complete\":true", "\"jobs\":26301");
        for (String span : List.of("30d", "90d", "366d")) {
            body(mounted, "/api/forecast?next=" + span);
        }
        assertThat(body(mounted, "/api/forecast?next=7d"))
                .contains("\"complete\":false", "\"jobs\":0", "other forecasts are in progress");
    }

    @Test
    @DisplayName("S23: of any number of forecasts at once each ends; those that are looked at no more make room")
    void manyForecasts() {
        MountedConsole mounted = withoutDoctor();
        List<String> spans = List.of("7d", "30d", "90d", "180d", "366d");
        for (String span : spans.subList(0, 3)) {
            assertThat(body(mounted, "/forecast?next=" + span)).contains("10\u202f000 jobs read so far");
        }
        assertThat(body(mounted, "/forecast?next=180d"))
                .contains("Other forecasts are in progress", "every 1s")
                .doesNotContain("jobs read so far");
        nanos.addAndGet(11 * SECOND);
        assertThat(body(mounted, "/forecast?next=30d")).contains("20\u202f000 jobs read so far");
        assertThat(body(mounted, "/forecast?next=180d")).contains("10\u202f000 jobs read so far");
        List<String> polling = new ArrayList<>(spans);
        for (int i = 0; i < 12; i++) {
            polling.removeIf(span -> body(mounted, "/forecast?next=" + span).contains("26\u202f301</span> jobs"));
        }
        assertThat(polling).isEmpty();
    }

    private StoreReader reader(JobStore store, Scheduler asks, Scheduler changes) {
        return new StoreReader(
                store, asks, changes, () -> new InvariantReport(List.of(), List.of(), 0, List.of()), nanos::get, null);
    }

    @Test
    @DisplayName(
            "S23: while the beginning of a forecast waits for the store, neither a change nor another forecast does")
    void slowBeginning() throws InterruptedException {
        JobStore store = store();
        List<Thread> others = new ArrayList<>();
        AtomicInteger went = new AtomicInteger();
        try (Scheduler asks = Scheduler.builder().store(store).build();
                Scheduler changes = Scheduler.builder().store(store).build();
                StoreReader reader = reader(store, asks, changes)) {
            reader.forecast("slow", () -> {
                others.add(new Thread(() -> {
                    reader.forecast("other", CostTest::run);
                    reader.changed();
                    went.incrementAndGet();
                }));
                others.get(0).start();
                try {
                    others.get(0).join(Browser.PATIENCE.toMillis());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                assertThat(went).as("others that went on").hasValue(1);
                return run();
            });
            AtomicInteger begun = new AtomicInteger();
            reader.forecast("slow", () -> {
                begun.incrementAndGet();
                return run();
            });
            assertThat(begun)
                    .as("what was read before a change is not shown after it")
                    .hasValue(1);
        } finally {
            for (Thread other : others) {
                other.join();
            }
        }
    }

    private static ForecastRun run() {
        Forecaster.Window window = Forecaster.Window.ahead(Instant.now(), Forecaster.USUAL_WINDOW);
        return new ForecastRun(
                new Forecaster(window, Map.of(), List.of(), -1, Forecaster.Effort.OF_PAGE),
                JobQuery.ofApplication("none"),
                job -> true);
    }

    @Test
    @DisplayName("S23: a forecast that goes on tells a viewer of some applications no number of the jobs of others")
    void forecastOfOthers() {
        Applications sees = Applications.of("ledger", "payments");
        MountedConsole mounted = fixture.mount(fixture.console()
                .store(store())
                .access(request ->
                        Optional.of(new Viewer("lea", sees, Applications.NONE, Applications.NONE, Applications.NONE)))
                .nanos(nanos::get));
        assertThat(body(mounted, "/forecast")).contains(": 0 jobs read so far", "every 1s");
        assertThat(body(mounted, "/forecast")).contains(": 0 jobs read so far");
        assertThat(body(mounted, "/forecast")).contains("<span class=\"count\">0</span> jobs");
    }

    @Test
    @DisplayName(
            "40: a search that has no page any more asks nothing; a request for it begins again, since jobs may have changed")
    void left() {
        MountedConsole mounted = slow();
        body(mounted, "/jobs?tag=none");
        asked.clear();
        nanos.addAndGet(60 * SECOND);
        searchOn();
        assertThat(asked).isEmpty();
        assertThat(body(mounted, "/jobs?tag=none")).contains("10\u202f000 of at most 26\u202f301 jobs examined");
        searchOn();
        assertThat(body(mounted, "/jobs?tag=none")).contains("No job is found");
    }

    @Test
    @DisplayName(
            "40: after an action of this console the list has the jobs as they are, also if its search was not over")
    void searchedAgain() {
        later.clear();
        MountedConsole mounted = fixture.mount(fixture.console()
                .store(store())
                .allowChanges(true)
                .access(request -> Optional.of(Viewer.operator("ann")))
                .nanos(() -> nanos.addAndGet(STEP))
                .searches(later::add));
        assertThat(mounted.get("/jobs?type=book").body()).contains("key=copy-0\"", "so far 5\u202f050");
        new Visitor(mounted).acts("copy-0", "PAUSE", "CR-4711");
        try {
            assertThat(mounted.get("/jobs?type=book").body()).contains("key=copy-0\"", "CR-4711");
        } finally {
            new Visitor(mounted).acts("copy-0", "RESUME", "CR-4712");
        }
    }

    private MountedConsole changing() {
        later.clear();
        return fixture.mount(fixture.console()
                .store(store())
                .allowChanges(true)
                .access(request -> Optional.of(Viewer.operator("ann")))
                .nanos(() -> nanos.addAndGet(STEP))
                .searches(later::add));
    }

    @Test
    @DisplayName("40: a search that a change of this console ends asks nothing more")
    void dropped() {
        MountedConsole mounted = changing();
        assertThat(body(mounted, "/jobs?tag=none")).contains("so far 0");
        new Visitor(mounted).acts("copy-0", "RUN_NOW", "CR-4711");
        asked.clear();
        searchOn();
        assertThat(asked).isEmpty();
    }

    @Test
    @DisplayName("40: searches go on during an action on all jobs of a filter, and begin again when it has ended")
    void searchedDuringAction() {
        MountedConsole mounted = changing();
        String examined = "15\u202f000 of at most 26\u202f301";
        Visitor visitor = new Visitor(mounted).open("/jobs?prefix=job-1");
        visitor.send(visitor.form("name=\"all\"").with("do", "RESUME"));
        later.clear();
        body(mounted, "/jobs?tag=none");
        later.remove().run();
        List<String> during = new CopyOnWriteArrayList<>();
        AtomicInteger commands = new AtomicInteger();
        acting = () -> {
            if (commands.incrementAndGet() % 5 == 0) {
                during.add(body(mounted, "/jobs?tag=none"));
            }
        };
        try {
            String result = visitor.answer(visitor.confirmation("CR-4711"))
                    .headers()
                    .firstValue("Location")
                    .orElseThrow()
                    .substring(MountedConsole.PATH.length());
            await().atMost(Browser.PATIENCE)
                    .until(() -> visitor.open(result).body().contains("What was done"));
        } finally {
            acting = () -> {};
        }
        assertThat(during)
                .hasSizeGreaterThan(5)
                .allSatisfy(page -> assertThat(page).contains(examined));
        assertThat(body(mounted, "/jobs?tag=none")).contains("10\u202f000 of at most 26\u202f301");
    }

    @Test
    @DisplayName("40: on a slow store, too, a request for a search within a minute goes on with it")
    void slowRequests() {
        MountedConsole mounted = slow();
        assertThat(body(mounted, "/jobs?tag=none")).contains("10\u202f000 of at most 26\u202f301");
        nanos.addAndGet(20 * SECOND);
        asked.clear();
        searchOn();
        assertThat(asked).as("beside the requests").isEmpty();
        assertThat(body(mounted, "/jobs?tag=none")).contains("20\u202f000 of at most 26\u202f301");
    }

    @Test
    @DisplayName("40: whether a group is held is counted once for all pages of a moment")
    void heldGroup() {
        JobStore store = store();
        try (Scheduler asks = Scheduler.builder().store(store).build();
                Scheduler changes = Scheduler.builder().store(store).build();
                StoreReader reader = reader(store, asks, changes)) {
            StoredGroup bank = new StoredGroup("bank", 1, GroupLimits.ONE, Instant.EPOCH, "ann");
            assertThat(reader.isHeld(bank)).isFalse();
            asked.clear();
            assertThat(reader.isHeld(bank.with(new RateUse(1, List.of())))).isFalse();
            assertThat(asked).isEmpty();
            reader.changed();
            assertThat(reader.isHeld(bank)).isFalse();
            assertThat(asked).as("after a change").isNotEmpty();
        }
    }

    @Test
    @DisplayName("40: the page of a list is shown while the matches beyond it are counted")
    void countsOn() {
        MountedConsole mounted = slow();
        assertThat(body(mounted, "/jobs?type=book")).contains("key=copy-0\"", "so far 5\u202f050", "every 1s");
        searchOn();
        assertThat(body(mounted, "/jobs?type=book"))
                .contains("key=copy-0\"", "at least 10\u202f000")
                .doesNotContain("so far");
    }

    @Test
    @DisplayName("40: the number of a list is that of all matches, on each of its pages")
    void matches() {
        MountedConsole mounted = withoutDoctor();
        assertThat(body(mounted, "/jobs"))
                .contains("Jobs <span class=\"count\">at least 10\u202f000</span>", "every 15s");
        for (String path :
                List.of("/jobs?prefix=job-", "/jobs?prefix=job-&after=job-200", "/jobs?prefix=job-&type=book")) {
            assertThat(body(mounted, path)).as(path).contains("Jobs <span class=\"count\">301</span>");
        }
    }

    @Test
    @DisplayName("20: the doctor's check of a minute asks at most two bounded and indexed questions a second")
    void doctor() {
        AtomicInteger checks = new AtomicInteger();
        try (Scheduler scheduler = Scheduler.builder().store(store()).build()) {
            MountedConsole mounted = mounted(() -> {
                InvariantReport report = scheduler.checkInvariants();
                checks.incrementAndGet();
                return report;
            });
            asking(mounted, "/doctor");
            await().atMost(Browser.PATIENCE).until(() -> checks.get() == 1);
            assertThat(asked).hasSizeBetween(10, MOST_OF_DOCTOR);
            List.copyOf(asked).forEach(question -> check("/doctor", question, WINDOW));
        }
    }

    private void check(String path, BsonDocument question, int most) {
        String name = question.getFirstKey();
        if (!Set.of("find", "aggregate", "count", "distinct").contains(name)
                || Set.of("control", "calendar", "node")
                        .contains(question.getString(name).getValue())) {
            return;
        }
        BsonDocument command = question.clone();
        List.of("lsid", "$clusterTime", "$db", "$readPreference", "readConcern", "maxTimeMS", "txnNumber")
                .forEach(command::remove);
        String explained = fixture.client()
                .getDatabase(fixture.database())
                .runCommand(new Document("explain", command).append("verbosity", "executionStats"))
                .toJson();
        assertThat(explained).as(path + " " + question).doesNotContain("COLLSCAN");
        assertThat(EXAMINED.matcher(explained).results().mapToInt(match -> Integer.parseInt(match.group(1))))
                .as(path + " " + question)
                .isNotEmpty()
                .allMatch(examined -> examined <= most + 1);
    }
}
