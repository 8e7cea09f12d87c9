package dev.almanac.bench;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.InsertManyOptions;
import dev.almanac.Scheduler;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.store.ClaimPartition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.bson.Document;
import org.bson.types.ObjectId;

/**
 * Many jobs of all kinds with their rows: some hundred are scheduled and run by a node, and their documents and rows are
 * copied under other keys, types, tags and applications.
 */
final class ConsoleJobs {
    static final int FAILS = 20;
    static final int HOLDS = 1_000_003;

    private static final int PARTITIONS = 16;
    private static final int CHUNK = 5_000;
    private static final int PATTERNS = 144;
    private static final int TYPES = 12;
    private static final int APPLICATIONS = 7;
    private static final int TAGS = 40;
    private static final int RARE = 10_000;
    private static final int OVERDUE = 2_000;
    private static final int HELD = 40;
    private static final long DAYS_OF_ROWS = 3;
    private static final Map<String, Integer> SHARES = Map.of("one", 38, "cron", 70, "good", 89, "bad", 97, "no", 100);

    private final BenchNodes nodes;
    private final CountDownLatch end;
    private final Random random = new Random(7);
    private final Map<String, List<Document>> patterns = new HashMap<>();
    private final Map<Object, List<Document>> rows = new HashMap<>();

    private final boolean fired;

    /** @param fired whether the recurring ones fire three times before they are copied, and all rows keep their times */
    ConsoleJobs(BenchNodes nodes, CountDownLatch end, boolean fired) {
        this.nodes = nodes;
        this.end = end;
        this.fired = fired;
    }

    /** What the node of the patterns does with a job: some fail, and some run until the end of the measurement. */
    void run(int number) {
        if (number == HOLDS) {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        } else if (number % FAILS == 0) {
            throw new IllegalStateException("the bank refused payment " + number);
        }
    }

    /** @param node a started one that does what {@link #run} says */
    void fill(Scheduler node, int jobs) {
        node.calendars().put("closed", Map.of("kind", "weekly", "exclude-days", List.of("SUNDAY")));
        schedule(node);
        for (String kind : SHARES.keySet()) {
            patterns.put(
                    kind,
                    nodes.jobs()
                            .find(Filters.regex("jobSpecificationKey", "^" + kind + "-"))
                            .into(new ArrayList<>()));
        }
        nodes.rows()
                .find()
                .forEach(row -> rows.computeIfAbsent(row.get("jobSpecificationId"), id -> new ArrayList<>())
                        .add(row));
        for (int from = 0; from < jobs; from += CHUNK) {
            copy(from, Math.min(jobs, from + CHUNK));
        }
        for (int i = 0; i < TAGS; i += 10) {
            node.as("ann", "month end").pause(PauseScope.parse("tag:tag-" + i), Pause.because("month end"));
        }
        node.pause(PauseScope.parse("type:type-11"), Pause.because("the bank is closed"));
    }

    private static JobSpecificationBuilder pattern(String kind, int i, int number) {
        return BenchNodes.job(number)
                .jobSpecificationKey(kind + "-" + i)
                .applicationTag("application")
                .tags("tag", "night");
    }

    /** Two more seconds of its minute follow. */
    private static Instant shortly() {
        Instant at = Instant.now().plusSeconds(3);
        return at.getEpochSecond() % 60 > 57 ? at.plusSeconds(3) : at;
    }

    private void schedule(Scheduler node) {
        Instant soon = Instant.now().plusSeconds(3_000);
        for (int i = 0; i < PATTERNS; i++) {
            int number = i % 12 == 0 ? FAILS : i * FAILS + 1;
            node.scheduleJob(pattern("one", i, number)
                    .singleSchedule(soon.plus(Duration.ofHours(10L * i)))
                    .build());
            Instant fire = fired ? shortly() : soon.plusSeconds(600L * i);
            String of = fired ? "%1$d,%2$d,%3$d %4$d %5$d * * ?" : "%1$d %4$d %5$d * * ?";
            int second = (int) (fire.getEpochSecond() % 86_400);
            int inMinute = second % 60;
            JobSpecificationBuilder cron = pattern("cron", i, number)
                    .schedulingSpecification(
                            of.formatted(inMinute, inMinute + 1, inMinute + 2, second / 60 % 60, second / 3_600));
            node.scheduleJob((i % 3 == 0 ? cron.calendar("closed") : cron).build());
            node.runNow("cron-" + i);
            node.scheduleJob(pattern("good", i, i * FAILS + 1)
                    .singleSchedule(Instant.now())
                    .build());
            node.scheduleJob(
                    pattern("bad", i, i * FAILS).singleSchedule(Instant.now()).build());
            node.scheduleJob(pattern("no", i, 1).singleSchedule(soon).build());
            node.cancelJob("no-" + i);
        }
        LockSupport.parkNanos(10_000_000_000L);
        for (int i = 1; i < PATTERNS; i += 10) {
            node.as("ann", "wrong amount").pause(PauseScope.parse("job:cron-" + i), Pause.because("wrong amount"));
        }
        for (int i = 0; i < HELD; i++) {
            node.scheduleJob(
                    pattern("held", i, HOLDS).singleSchedule(Instant.now()).build());
        }
        LockSupport.parkNanos(5_000_000_000L);
    }

    private void copy(int from, int until) {
        List<Document> jobs = new ArrayList<>();
        List<Document> all = new ArrayList<>();
        for (int i = from; i < until; i++) {
            int share = i % 100;
            String kind = SHARES.entrySet().stream()
                    .filter(entry -> share < entry.getValue())
                    .min(Map.Entry.comparingByValue())
                    .map(Map.Entry::getKey)
                    .orElseThrow();
            Document pattern = patterns.get(kind).get(i / 100 % PATTERNS);
            Object id = new ObjectId();
            long earlier = fired || kind.equals("one")
                    ? 0
                    : random.nextLong(Duration.ofDays(DAYS_OF_ROWS).toMillis());
            Document job = job(pattern, id, i, earlier);
            jobs.add(job);
            rows.getOrDefault(pattern.get("_id"), List.of()).forEach(row -> all.add(row(row, pattern, job, earlier)));
        }
        InsertManyOptions unordered = new InsertManyOptions().ordered(false);
        nodes.jobs().insertMany(jobs, unordered);
        nodes.rows().insertMany(all, unordered);
    }

    private Document job(Document pattern, Object id, int i, long earlier) {
        String type = "type-" + i % 97 % TYPES;
        String key = type + "." + i;
        Document job = new Document(pattern);
        job.put("_id", id);
        if (pattern.get("life").equals(pattern.get("_id"))) {
            job.put("life", id);
        }
        job.put("jobSpecificationKey", key);
        job.computeIfPresent("activeKey", (name, value) -> key);
        job.put("p", ClaimPartition.of(key, PARTITIONS));
        job.put("type", type);
        job.put("triggerCommand", new Document(pattern.get("triggerCommand", Document.class)).append("type", type));
        job.put("applicationTag", "application-" + i % 89 % APPLICATIONS);
        job.put("tags", List.of(i % RARE == 7 ? "rare" : "night", "tag-" + i % 83 % TAGS));
        Document last = new Document(pattern.get("lastStatus", Document.class));
        last.put("updatedTime", before(last, earlier));
        job.put("lastStatus", last);
        if (i % 100 == 0 && i / 100 < OVERDUE) {
            job.put("type", "unserved");
            job.put(
                    "triggerCommand",
                    new Document(pattern.get("triggerCommand", Document.class)).append("type", "unserved"));
            job.put("due", new Date(System.currentTimeMillis() - i));
        }
        return job;
    }

    private static Date before(Document row, long earlier) {
        return new Date(row.getDate("updatedTime").getTime() - earlier);
    }

    private static Document row(Document pattern, Document of, Document job, long earlier) {
        String id = of.getObjectId("_id").toHexString();
        Document row = new Document(pattern);
        row.put(
                "_id",
                pattern.getString("_id").replace(id, job.getObjectId("_id").toHexString()));
        row.put("jobSpecificationId", job.get("_id"));
        row.put("jobSpecificationKey", job.get("jobSpecificationKey"));
        row.put("updatedTime", before(row, earlier));
        return row;
    }
}
