package dev.almanac.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.almanac.Scheduler;
import dev.almanac.model.History;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.testkit.server.MongoServer;
import dev.almanac.testkit.server.TemporaryFolder;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.bson.Document;

/** Node processes on one server, what was planned for them, and whether it came to pass. */
final class Cluster implements AutoCloseable {
    /** For what must come at some time: a busy machine is slow, and no test is to measure how slow. */
    static final Duration PATIENCE = Duration.ofMinutes(5);

    /** The largest that the JVM allows: half of it is room for all that a process without new threads still asks for. */
    private static final long STACK = 1 << 30;

    private final MongoServer server;
    private final String database;
    private final TemporaryFolder folder =
            TemporaryFolder.create("almanac-faults").untilExit();
    private final MongoClient client;
    private final Map<String, Process> nodes = new LinkedHashMap<>();
    /** Since when a node, or the server for it, was disturbed; milliseconds, as in the evidence. */
    private final Map<String, Long> disturbed = new HashMap<>();

    private final Map<String, Integer> planned = new LinkedHashMap<>();
    /** Of jobs that have one. */
    private final Map<String, String> groups = new HashMap<>();

    private final Set<String> brief = new HashSet<>();
    final Evidence evidence;
    final Scheduler scheduler;

    Cluster(MongoServer server) {
        this.server = server;
        this.database = server.freshDatabase();
        this.client = MongoClients.create(server.uri());
        this.evidence = new Evidence(folder.path().resolve("evidence.tsv"));
        this.scheduler = FaultNode.scheduler(client, database, "client", evidence);
    }

    Process node(String name) {
        try {
            Process process = new ProcessBuilder(
                            System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-Xmx200m",
                            // larger than what is kept of ended threads, so that each new thread asks for its own
                            "-Xss" + STACK,
                            "-cp",
                            System.getProperty("java.class.path"),
                            FaultNode.class.getName(),
                            server.uri(),
                            database,
                            name,
                            evidence.file().toString())
                    .redirectErrorStream(true)
                    .redirectOutput(
                            evidence.file().resolveSibling(name + ".log").toFile())
                    .start();
            nodes.put(name, process);
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String database() {
        return database;
    }

    /** Another one who only schedules. */
    Scheduler client(MongoClient connection) {
        return FaultNode.scheduler(connection, database, "client", evidence);
    }

    /** Waits until a job that keeps trouble only has run and is gone. */
    void awaitGone(String key) {
        patiently()
                .until(() -> firesOf(key) > 0 && jobs().countDocuments(new Document("jobSpecificationKey", key)) == 0);
    }

    void awaitNodes(int count) {
        patiently()
                .until(() -> client.getDatabase(database).getCollection("node").countDocuments() >= count);
    }

    void once(String key, Instant at, long millis) {
        scheduler.scheduleJob(job(key, millis).toBuilder().singleSchedule(at).build());
        planned.put(key, 1);
    }

    /** A job that is deleted once it has gone well. */
    void brief(String key, Instant at) {
        brief(scheduler, key, at);
    }

    void brief(Scheduler client, String key, Instant at) {
        client.scheduleJob(job(key, 0).toBuilder()
                .history(History.TROUBLE)
                .singleSchedule(at)
                .build());
        planned.put(key, 1);
        brief.add(key);
    }

    /** A job of an exclusive group. */
    void grouped(String key, String group, Instant at, long millis) {
        scheduler.scheduleJob(job(key, millis).toBuilder()
                .exclusiveGroup(group)
                .singleSchedule(at)
                .build());
        planned.put(key, 1);
        groups.put(key, "group " + group);
    }

    /** Fires every second, {@code fires} times, from {@code first} on or from when it is stored, if that is later. */
    void recurring(String key, Instant first, int fires, long millis) {
        scheduler.scheduleJob(job(key, millis).toBuilder()
                .schedulingSpecification("* * * * * ?")
                .missedFirePolicy(MissedFirePolicy.RUN_ALL)
                .startAt(first)
                .maxFires(fires)
                .build());
        planned.put(key, fires);
    }

    /** An edit of a calendar, which each node reads before its next claim. */
    void calendar(int edit) {
        scheduler.calendars().put("open", Map.of("edit", edit));
    }

    /** Of a day to come. */
    static JobSpecification later(String key) {
        return job(key, 0).toBuilder()
                .singleSchedule(Instant.parse("2099-01-01T00:00:00Z"))
                .build();
    }

    private static JobSpecification job(String key, long millis) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("faults")
                .triggerCommand(new TimedCommand(millis))
                .triggerIdentifier(key)
                .zoneId("UTC")
                .build();
    }

    /** Tells a node to end as a deployment does; what it runs may end. */
    void leave(String name) {
        try {
            nodes.get(name).getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until a node has ended that was told to leave. */
    void awaitExit(String name) {
        await().atMost(PATIENCE).until(() -> !nodes.get(name).isAlive());
    }

    /** SIGKILL. */
    void kill9(String name) {
        disturbed(name);
        nodes.get(name).destroyForcibly();
    }

    /** For some seconds that process finds no memory. */
    void useUpMemory(String name) {
        disturbed(name);
        try {
            OutputStream orders = nodes.get(name).getOutputStream();
            orders.write(FaultNode.USE_UP_MEMORY);
            orders.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * That process gets no more address space than half a stack: it has no new thread, and all that it had go on. Less room
     * would end the process itself, whose compiler and classes need some too. So would a limit below what it has: it stands
     * still while its address space is read and limited, so that it gets no thread in between.
     */
    void refuseThreads(String name) {
        signal(name, "STOP");
        try {
            long pid = nodes.get(name).pid();
            await().atMost(PATIENCE).until(() -> standsStill(pid));
            String pages = text(proc(pid, "statm"));
            long addressSpace = Long.parseLong(pages.substring(0, pages.indexOf(' '))) * 4_096;
            limit(pid, String.valueOf(addressSpace + STACK / 2));
        } finally {
            signal(name, "CONT");
        }
    }

    void allowThreads(String name) {
        limit(nodes.get(name).pid(), "unlimited");
    }

    private static boolean standsStill(long pid) {
        try (Stream<Path> threads = Files.list(proc(pid, "task"))) {
            return threads.allMatch(thread -> text(thread.resolve("stat")).matches("(?s).*\\) T .*"));
        } catch (UncheckedIOException ended) {
            // a thread has ended between the two looks
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path proc(long pid, String file) {
        return Path.of("/proc", String.valueOf(pid), file);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The soft limit alone, which its owner may raise again. */
    private static void limit(long pid, String bytes) {
        try {
            Process process = new ProcessBuilder("prlimit", "--pid=" + pid, "--as=" + bytes + ":").start();
            assertThat(process.waitFor()).as("prlimit").isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What that process has said. */
    String said(String name) {
        try {
            return Files.readString(evidence.file().resolveSibling(name + ".log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGSTOP or SIGCONT. */
    void signal(String name, String signal) {
        disturbed(name);
        try {
            new ProcessBuilder(
                            "kill", "-" + signal, String.valueOf(nodes.get(name).pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The server is disturbed, so that for longer than a lease no node may be able to record how a run has ended. */
    void serverDisturbed() {
        nodes.keySet().forEach(this::disturbed);
    }

    private void disturbed(String node) {
        disturbed.putIfAbsent(node, System.currentTimeMillis());
    }

    /** Waits until no live job is left, then checks everything. */
    void awaitEnd() {
        patiently().until(() -> jobs().countDocuments(new Document("activeKey", new Document("$exists", true))) == 0);
        awaitRows();
        check();
    }

    /**
     * The row of a change follows its document: if its node lives, by itself; if it was killed, with the next repair, which
     * the check of an operator does at once (rule N4).
     */
    private void awaitRows() {
        patiently().until(() -> {
            boolean missing = jobs().find().into(new ArrayList<>()).stream()
                    .anyMatch(
                            job -> !newestRow(client.getDatabase(database), job).equals(shownRow(job)));
            if (missing && !disturbed.isEmpty()) {
                scheduler.checkInvariants(Duration.ofSeconds(1));
            }
            return !missing;
        });
    }

    /** A question to a server without a primary fails; it is asked again. */
    private static ConditionFactory patiently() {
        return await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(200))
                .ignoreExceptions();
    }

    /** What is stored, to be judged. */
    private static <T> T read(Callable<T> question) {
        return patiently().until(question, answer -> true);
    }

    private MongoCollection<Document> jobs() {
        return client.getDatabase(database).getCollection("jobSpecification");
    }

    private void check() {
        planned.forEach((job, fires) ->
                assertThat(firesOf(job)).as("no fire lost: %s", job).isEqualTo(fires.longValue()));
        evidence.starts().values().forEach(this::checkStarts);
        assertThat(evidence.overlaps(line -> groups.getOrDefault(line.job(), line.job())))
                .as("two valid runs of a job, or of a group, at a time")
                .isEmpty();
        Document kept = new Document("jobSpecificationKey", new Document("$in", brief));
        assertThat(read(() -> jobs().countDocuments(kept)))
                .as("jobs that keep trouble only are gone")
                .isZero();
        read(() -> jobs().find().into(new ArrayList<>())).forEach(this::checkDocument);
    }

    /** Of all jobs that are there. */
    Set<String> keys() {
        return read(() -> jobs().distinct("jobSpecificationKey", String.class).into(new HashSet<>()));
    }

    /** So many jobs are there once each, some of them cancelled, and each has the row of each of its states once. */
    void assertStored(int jobs, int canceled) {
        assertThat(keys()).hasSize(jobs);
        assertThat(jobs().countDocuments()).isEqualTo(jobs);
        assertThat(jobs().countDocuments(new Document("activeKey", new Document("$exists", false))))
                .isEqualTo(canceled);
        MongoCollection<Document> rows = client.getDatabase(database).getCollection("jobExecutionStatus");
        assertThat(rows.countDocuments(new Document("outcome", "CANCELED"))).isEqualTo(canceled);
        assertThat(rows.countDocuments()).isEqualTo(jobs + canceled);
    }

    private long firesOf(String job) {
        return evidence.lines().stream()
                .filter(line -> line.event().equals("start") && line.job().equals(job))
                .mapToLong(Evidence.Line::fire)
                .distinct()
                .count();
    }

    /** A second start comes after the node of the first was disturbed, with a higher fencing number, and its reason is on record. */
    private void checkStarts(List<Evidence.Line> starts) {
        for (int i = 1; i < starts.size(); i++) {
            Evidence.Line before = starts.get(i - 1);
            Evidence.Line again = starts.get(i);
            assertThat(disturbed)
                    .as("a second run without a disturbance: %s", starts)
                    .containsKey(before.node());
            assertThat(again.at())
                    .as("a second run before the disturbance: %s", starts)
                    .isGreaterThanOrEqualTo(disturbed.get(before.node()));
            assertThat(again.fencing()).isGreaterThan(before.fencing());
            assertThat(read(() -> wasAbandoned(
                            client.getDatabase(database), before.job(), before.fencing() + 1, again.fencing())))
                    .as("no row tells that the first run was abandoned: %s", starts)
                    .isTrue();
        }
    }

    /** Whether a claim with one of these numbers has told that the last one before it ended without a recorded outcome. */
    static boolean wasAbandoned(MongoDatabase database, String job, long first, long last) {
        return database.getCollection("jobExecutionStatus")
                        .countDocuments(new Document("jobSpecificationKey", job)
                                .append("outcome", "ABANDONED")
                                .append("claimSeq", new Document("$gte", first).append("$lte", last)))
                > 0;
    }

    private void checkDocument(Document job) {
        assertThat(read(() -> violations(client.getDatabase(database), job))).isEmpty();
        assertThat(job.get("lastStatus", Document.class).getString("executionStatus"))
                .as("%s", job.toJson())
                .isEqualTo("TRIGGERED");
    }

    /** What is wrong unless it is over, can be claimed no more, is held by nobody, and agrees with its newest row. */
    static List<String> violations(MongoDatabase database, Document job) {
        String key = job.getString("jobSpecificationKey");
        Date deleteTime = job.getDate("deleteTime");
        if (deleteTime == null) {
            return List.of(
                    key + " is not over: " + job.get("due") + ", " + job.get("lease") + ", " + job.get("blocked"));
        }
        List<String> violations = new ArrayList<>();
        if (!deleteTime.after(new Date())) {
            violations.add(key + " was to be deleted at " + deleteTime.toInstant());
        }
        if (job.get("due") != null || job.get("lease") != null) {
            violations.add(key + " is over and due or leased");
        }
        String row = newestRow(database, job);
        String shown = shownRow(job);
        if (!row.equals(shown)) {
            violations.add("the newest row of " + key + " is " + row + ", lastStatus is " + shown);
        }
        return violations;
    }

    private static String shownRow(Document job) {
        Document last = job.get("lastStatus", Document.class);
        return job.getObjectId("_id").toHexString() + last.getString("id") + " " + last.getString("executionStatus");
    }

    private static String newestRow(MongoDatabase database, Document job) {
        Document newest = database.getCollection("jobExecutionStatus")
                .find(new Document("jobSpecificationId", job.get("_id")))
                .sort(new Document("updatedTime", -1))
                .first();
        return newest == null ? "none" : newest.getString("_id") + " " + newest.getString("executionStatus");
    }

    @Override
    public void close() {
        nodes.values().forEach(Process::destroyForcibly);
        try {
            scheduler.close();
            client.getDatabase(database).drop();
        } finally {
            client.close();
            folder.close();
        }
    }
}
