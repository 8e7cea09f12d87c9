package dev.almanac.bench;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.Scheduler;
import dev.almanac.event.SchedulerListener;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Retention;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.runtime.SchedulerSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What ordinary users may ask too much of: nothing may crash or grow without a bound, and the nodes must tell.
 *
 * <ul>
 *   <li>{@code million}: due jobs of one type, one node; with {@code ALMANAC_BENCH_HEAP=256m}
 *   <li>{@code seconds}: recurring jobs of every second, two nodes
 *   <li>{@code listener}: one that never returns, beside a drain
 *   <li>{@code retention}: of zero, with one-offs and with jobs of every second
 *   <li>{@code delay}: retries without one, beside jobs that go well
 *   <li>{@code large}: due documents of 12 MB that were written past the scheduler; with {@code ALMANAC_BENCH_HEAP=384m}
 *   <li>{@code tags}: a job with very many is refused; many jobs with as many as allowed
 *   <li>{@code keys}: every text of a job at its limit, the body as well
 *   <li>{@code schedulers}: many started ones in this process
 * </ul>
 */
final class LoadBench {
    private static final int CHUNK = 5_000;
    private static final int BAD = 50_000_000;
    private static final int LONGEST = 256;
    private static final int MOST_TAGS = 100;

    /** A body of any size. */
    record Large(String text) implements SchedulingCommand {}

    private final Options options;
    private final BenchNodes nodes;
    private final Map<String, Object> line;
    private final LoadSeen seen = new LoadSeen();

    private LoadBench(Options options, BenchNodes nodes, Map<String, Object> line) {
        this.options = options;
        this.nodes = nodes;
        this.line = line;
    }

    static void measure(Options options, BenchNodes nodes, Map<String, Object> line) {
        nodes.reset();
        LoadBench load = new LoadBench(options, nodes, line);
        switch (options.text("kind", "million")) {
            case "million" -> load.million();
            case "seconds" -> load.seconds();
            case "listener" -> load.listener();
            case "retention" -> load.retention();
            case "delay" -> load.delay();
            case "large" -> load.large();
            case "tags" -> load.tags();
            case "keys" -> load.keys();
            case "schedulers" -> load.schedulers();
            default -> throw new IllegalArgumentException("no such load; the comment of LoadBench lists them");
        }
    }

    private int n(int otherwise) {
        return options.number("n", otherwise);
    }

    private Scheduler node(SchedulerListener more) {
        return nodes.builder(SchedulerSettings.defaults(), (number, execution) -> {
                    if (number >= BAD) {
                        throw new IllegalStateException("as asked for");
                    }
                })
                .command("large", 1, Large.class, (large, run) -> {})
                .listener(seen)
                .listener(more)
                .build();
    }

    /** Started nodes with standard settings. */
    private List<Scheduler> started(int count, SchedulerListener more) {
        List<Scheduler> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(node(more).start());
        }
        return all;
    }

    private void fill(int count, IntFunction<JobSpecificationBuilder> job) {
        long begin = System.nanoTime();
        try (Scheduler scheduler = node(event -> {})) {
            for (int from = 0; from < count; from += CHUNK) {
                List<JobSpecification> some = new ArrayList<>();
                for (int i = from; i < Math.min(count, from + CHUNK); i++) {
                    some.add(job.apply(i).build());
                }
                scheduler.scheduleJobs(some);
            }
        }
        line.put("fill_s", Options.round((System.nanoTime() - begin) / 1e9));
    }

    private void watch(List<Scheduler> all, int seconds) {
        seen.watch(all, options.number("seconds", seconds), line);
        long begin = System.nanoTime();
        all.forEach(Scheduler::close);
        line.put("close_s", Options.round((System.nanoTime() - begin) / 1e9));
    }

    private void million() {
        fill(n(1_000_000), i -> BenchNodes.job(i).singleSchedule(Instant.now()));
        watch(started(1, event -> {}), 90);
    }

    private void seconds() {
        fill(n(100_000), i -> BenchNodes.job(i).schedulingSpecification("* * * * * ?"));
        watch(started(2, event -> {}), 150);
    }

    private void listener() {
        fill(n(20_000), i -> BenchNodes.job(i).singleSchedule(Instant.now()));
        CountDownLatch never = new CountDownLatch(1);
        watch(
                started(1, event -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }),
                60);
    }

    private void retention() {
        Retention none = new Retention(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        int n = n(20_000);
        fill(n, i -> {
            JobSpecificationBuilder job = BenchNodes.job(i).retention(none);
            return i % 100 == 0
                    ? job.schedulingSpecification("* * * * * ?")
                    : job.singleSchedule(Instant.now().plusSeconds(5));
        });
        watch(started(1, event -> {}), 150);
        line.put("jobs_left", nodes.jobs().countDocuments());
        line.put("rows_left", nodes.rows().countDocuments());
    }

    private void delay() {
        int n = n(1_000);
        fill(
                n,
                i -> BenchNodes.job(BAD + i)
                        .retryPolicy(RetryPolicy.fixed(1_000, Duration.ZERO))
                        .singleSchedule(Instant.now()));
        List<Scheduler> all = started(1, event -> {});
        for (int i = 0; i < 100; i++) {
            all.get(0)
                    .scheduleJob(BenchNodes.job(i)
                            .schedulingSpecification("0/5 * * * * ?")
                            .build());
        }
        watch(all, 60);
        line.put("rows", nodes.rows().estimatedDocumentCount());
    }

    private void large() {
        int n = n(60);
        String text = "x".repeat(options.number("mb", 12) << 20);
        fill(n + 1_000, i -> BenchNodes.job(i).singleSchedule(Instant.now()));
        for (int i = 0; i < n; i++) {
            nodes.jobs()
                    .updateOne(
                            Filters.eq("jobSpecificationKey", "job-" + i),
                            Updates.set("triggerCommand.body.text", text));
        }
        watch(started(1, event -> {}), 60);
        line.put("blocked_in_store", nodes.jobs().countDocuments(Filters.exists("blocked")));
    }

    private static Set<String> tags(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> longest("tag-" + i + "-"))
                .collect(Collectors.toSet());
    }

    private static String longest(String begin) {
        return begin + "\u00e9".repeat(LONGEST - begin.length());
    }

    private void tags() {
        try (Scheduler scheduler = node(event -> {})) {
            long begin = System.nanoTime();
            try {
                scheduler.scheduleJob(BenchNodes.job(1)
                        .tags(tags(n(100_000)))
                        .singleSchedule(Instant.now())
                        .build());
                line.put("refused", "not at all");
            } catch (InvalidJobException e) {
                line.put(
                        "refused",
                        String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
            }
            line.put("refused_ms", Options.round((System.nanoTime() - begin) / 1e6));
        }
        Set<String> most = tags(MOST_TAGS);
        fill(2_000, i -> BenchNodes.job(i).tags(most).singleSchedule(Instant.now()));
        watch(started(1, event -> {}), 30);
    }

    private void keys() {
        Set<String> most = tags(MOST_TAGS);
        String body = "\u00e9".repeat(500_000);
        fill(
                n(200),
                i -> BenchNodes.job(i)
                        .jobSpecificationKey(longest("key-" + i + "-"))
                        .jobRequestor(longest("requestor-"))
                        .triggerIdentifier(longest("id-" + i + "-"))
                        .triggerCommand(new Large(body))
                        .exclusiveGroup(longest("group-" + i % 50 + "-"))
                        .applicationTag(longest("application-"))
                        .tags(most)
                        .schedulingSpecification("* * * * * ?"));
        watch(started(1, event -> {}), 60);
    }

    private void schedulers() {
        long begin = System.nanoTime();
        List<Scheduler> all = started(n(100), event -> {});
        line.put("start_s", Options.round((System.nanoTime() - begin) / 1e9));
        long before = nodes.commands();
        watch(all, 30);
        line.put("commands_per_s", (nodes.commands() - before) / options.number("seconds", 30));
    }
}
