package dev.almanac.bench;

import com.mongodb.client.model.CountOptions;
import dev.almanac.Scheduler;
import dev.almanac.model.JobSpecification;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.bson.Document;

/** Several node processes on one database: what a job costs all of them together, and how late one may be. */
final class NodesBench {
    private static final int AT_ONCE = 5_000;
    /** Each node has read the reports of the others after this time. */
    private static final Duration ACQUAINTED = Duration.ofSeconds(11);

    private NodesBench() {}

    static void measure(Options options, BenchNodes nodes, Map<String, Object> line) throws IOException {
        int count = options.number("nodes", 4);
        int n = options.number("n", 40_000);
        nodes.reset();
        List<Child> children = new ArrayList<>();
        try (Scheduler scheduler = nodes.node(64, (number, execution) -> {})) {
            store(
                    scheduler,
                    0,
                    count * options.number("warmup", 5_000),
                    Instant.now().minusSeconds(1));
            for (int i = 0; i < count; i++) {
                children.add(Child.start(nodes.uri()));
            }
            awaitNoneDue(nodes, Instant.now());
            LockSupport.parkNanos(ACQUAINTED.toNanos());
            backlog(n, scheduler, children, nodes, line);
            trickle(options.number("rate", 200), options.number("seconds", 10), scheduler, children, nodes, line);
        } finally {
            children.forEach(Child::kill);
        }
    }

    /** All of them due at one instant. */
    private static void backlog(
            int n, Scheduler scheduler, List<Child> children, BenchNodes nodes, Map<String, Object> line)
            throws IOException {
        Instant due = Instant.now().plusMillis(8_000 + n / 4);
        store(scheduler, 1_000_000, n, due);
        while (Instant.now().plusMillis(500).isBefore(due)) {
            LockSupport.parkNanos(1_000_000);
        }
        send(children, "mark");
        long serverBefore = nodes.serverMicros();
        long commandsBefore = nodes.commands();
        awaitNoneDue(nodes, due);
        double seconds = Duration.between(due, Instant.now()).toMillis() / 1_000.0;
        long[] all = send(children, "tell");
        line.put("jobs_per_s", Options.round(n / seconds));
        line.put("server_us_per_job", Options.round((nodes.serverMicros() - serverBefore) / (double) n));
        line.put("commands_per_1000_jobs", Options.round((nodes.commands() - commandsBefore) * 1_000.0 / n));
        line.put("client_us_per_job", Options.round(all[Child.CPU] / (double) n));
        line.put("runs", all[Child.RUNS]);
        line.put("claims_lost_percent", Options.round(100 - 100.0 * all[Child.WON] / all[Child.WANTED]));
    }

    /** Jobs that come one by one, while each node has free slots. */
    private static void trickle(
            int rate,
            int seconds,
            Scheduler scheduler,
            List<Child> children,
            BenchNodes nodes,
            Map<String, Object> line)
            throws IOException {
        send(children, "mark");
        Instant last = Instant.now();
        for (int second = 0; second < seconds; second++) {
            Instant begin = Instant.now();
            last = begin.plusMillis(4_000);
            List<JobSpecification> some = new ArrayList<>();
            for (int i = 0; i < rate; i++) {
                some.add(BenchNodes.job(2_000_000 + second * rate + i)
                        .singleSchedule(begin.plusMillis(3_000 + i * 1_000L / rate))
                        .build());
            }
            scheduler.scheduleJobs(some);
            LockSupport.parkNanos(
                    Duration.between(Instant.now(), begin.plusSeconds(1)).toNanos());
        }
        awaitNoneDue(nodes, last);
        long[] all = send(children, "tell");
        line.put("trickle_runs", all[Child.RUNS]);
        line.put("trickle_late_max_ms", all[Child.LATE] / 1_000.0);
        line.put("trickle_claims_lost_percent", Options.round(100 - 100.0 * all[Child.WON] / all[Child.WANTED]));
    }

    private static void store(Scheduler scheduler, int first, int n, Instant due) {
        for (int from = 0; from < n; from += AT_ONCE) {
            scheduler.scheduleJobs(IntStream.range(first + from, first + Math.min(n, from + AT_ONCE))
                    .mapToObj(i -> BenchNodes.job(i).singleSchedule(due).build())
                    .toList());
        }
        scheduler.history(""); // their rows are written
    }

    /** Until no job is left that is planned, or held, up to a minute after that instant, and it has passed. */
    private static void awaitNoneDue(BenchNodes nodes, Instant due) {
        Document open = new Document("due", new Document("$lt", Date.from(due.plusSeconds(60))));
        CountOptions one = new CountOptions().limit(1);
        while (Instant.now().isBefore(due)
                || nodes.client()
                                .getDatabase(BenchNodes.DATABASE)
                                .getCollection("jobSpecification")
                                .countDocuments(open, one)
                        > 0) {
            LockSupport.parkNanos(50_000_000);
        }
    }

    /** The sums of what they answer; of how late, the most. */
    private static long[] send(List<Child> children, String what) throws IOException {
        long[] all = new long[Child.LATE + 1];
        children.forEach(child -> child.ask(what));
        for (Child child : children) {
            long[] one = child.answer();
            for (int i = 0; i < all.length; i++) {
                all[i] = i == Child.LATE ? Math.max(all[i], one[i]) : all[i] + one[i];
            }
        }
        return all;
    }

    /** A node process, as the measuring process sees it. */
    private record Child(Process process, PrintStream questions, BufferedReader answers) {
        static final int CPU = 0;
        static final int WANTED = 1;
        static final int WON = 2;
        static final int RUNS = 3;
        static final int LATE = 4;

        static Child start(String uri) throws IOException {
            Process process = new ProcessBuilder(
                            System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                            "-Xmx512m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            NodeProcess.class.getName(),
                            uri)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new Child(
                    process,
                    new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8),
                    process.inputReader());
        }

        void ask(String what) {
            questions.println(what);
        }

        long[] answer() throws IOException {
            String answer = answers.readLine();
            while (answer != null && !answer.startsWith("answer ")) {
                answer = answers.readLine();
            }
            if (answer == null) {
                throw new IOException("a node process has ended");
            }
            return Arrays.stream(answer.split(" "))
                    .skip(1)
                    .mapToLong(Long::parseLong)
                    .toArray();
        }

        void kill() {
            process.destroyForcibly();
        }
    }
}
