package dev.almanac.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobState;
import dev.almanac.model.Outcome;
import dev.almanac.store.JobChange.By;
import dev.almanac.store.JobList;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a store lists, beside a model of it, while jobs come and end between the pages. */
abstract class StoreListModel extends StoreLists {
    private static final int JOBS = 40;
    private static final int QUERIES = 60;

    @Test
    @DisplayName(
            "list: random filters over random jobs find what a model finds, page by page, with windows and without")
    void asTheModel() {
        SplittableRandom random = new SplittableRandom(1);
        Map<String, StoredJob> jobs = new TreeMap<>();
        for (int i = 0; i < JOBS; i++) {
            add(jobs, random, i);
        }
        for (int i = 0; i < QUERIES; i++) {
            JobQuery query = query(random);
            assertThat(walked(query, () -> {}))
                    .as("%s", query)
                    .containsExactlyElementsOf(matching(jobs.values().stream().toList(), query));
        }
    }

    @Test
    @DisplayName("list: a job that is there during the whole walk is met once, one that never matches never, in order")
    void whileTheyChange() {
        SplittableRandom random = new SplittableRandom(2);
        Map<String, StoredJob> jobs = new TreeMap<>();
        for (int i = 0; i < JOBS; i++) {
            add(jobs, random, i);
        }
        for (int i = 0; i < QUERIES; i++) {
            JobQuery query = query(random);
            Set<String> always = new TreeSet<>(matching(List.copyOf(jobs.values()), query));
            Set<String> ever = new TreeSet<>(always);
            List<String> met = walked(query, () -> {
                change(jobs, random);
                List<String> now = matching(List.copyOf(jobs.values()), query);
                always.retainAll(now);
                ever.addAll(now);
            });
            assertThat(met).as("%s", query).isSorted().doesNotHaveDuplicates().containsAll(always);
            assertThat(ever).as("%s", query).containsAll(met);
        }
    }

    @Test
    @DisplayName(
            "rows: random spans of what failed for good find what a model finds, the newest first, while rows come")
    void failuresAsTheModel() {
        SplittableRandom random = new SplittableRandom(3);
        List<StoredJob> jobs = IntStream.range(0, 5)
                .mapToObj(i -> insert(Specimens.minimal("failing-" + i, now)))
                .toList();
        List<JobExecutionStatus> rows = new ArrayList<>();
        for (int i = 0; i < QUERIES * 2; i++) {
            rows.add(ended(jobs.get(random.nextInt(jobs.size())), i, random));
            RowQuery query = RowQuery.ofFailures(moment(random), moment(random), 1 + random.nextInt(2 * QUERIES));
            assertThat(store.rows(query))
                    .as("%s", query)
                    .extracting(JobExecutionStatus::id)
                    .containsExactlyElementsOf(failed(rows, query));
        }
    }

    @Test
    @DisplayName("rows: failures are listed once and completely, also while further ones are written")
    void failuresMeanwhile() throws InterruptedException {
        SplittableRandom random = new SplittableRandom(4);
        StoredJob job = insert(Specimens.minimal("failing", now));
        List<JobExecutionStatus> begun = new CopyOnWriteArrayList<>();
        List<JobExecutionStatus> written = new CopyOnWriteArrayList<>();
        Thread writer = new Thread(() -> IntStream.range(0, QUERIES * 4).forEach(i -> {
            begun.add(end(job, i, random));
            write(job, begun.get(i));
            written.add(begun.get(i));
        }));
        RowQuery query = RowQuery.ofFailures(now.plusMillis(7), null, 10_000);
        writer.start();
        do {
            List<String> before = failed(written, query);
            List<String> listed = ids(store.rows(query));
            assertThat(before).isSubsetOf(listed);
            List<String> possible = failed(begun, query);
            possible.retainAll(listed);
            assertThat(listed).as("each once, the newest first").isEqualTo(possible);
        } while (writer.isAlive());
        writer.join();
        assertThat(written).hasSize(QUERIES * 4);
    }

    private static List<String> ids(List<JobExecutionStatus> rows) {
        return rows.stream().map(JobExecutionStatus::id).toList();
    }

    /** How a run may have ended, {@code number} milliseconds from now. */
    private JobExecutionStatus end(StoredJob job, int number, SplittableRandom random) {
        ExecutionStatus[] statuses = ExecutionStatus.values();
        Outcome[] outcomes = {
            Outcome.RETRIES_EXHAUSTED,
            Outcome.CRASHED,
            Outcome.FAILURE_DELIVERED,
            Outcome.FAILURE_UNDELIVERED,
            Outcome.REPLANNED
        };
        return rowOf(job, "end-" + number, now.plusMillis(number)).toBuilder()
                .executionStatus(
                        random.nextBoolean() ? ExecutionStatus.FAILED : statuses[random.nextInt(statuses.length)])
                .outcome(outcomes[random.nextInt(outcomes.length)])
                .build();
    }

    private JobExecutionStatus ended(StoredJob job, int number, SplittableRandom random) {
        JobExecutionStatus row = end(job, number, random);
        write(job, row);
        return row;
    }

    private void write(StoredJob job, JobExecutionStatus row) {
        StoredJob stored = store.load(List.of(job.id())).get(0);
        applied(change(stored, stored, row, By.HOLDER));
    }

    private @Nullable Instant moment(SplittableRandom random) {
        return random.nextInt(3) == 0 ? null : now.plusMillis(random.nextInt(QUERIES * 2));
    }

    /** Written from the description of {@link dev.almanac.Scheduler#failures}: a failed fire is reported once, by the row of its end. */
    private static List<String> failed(List<JobExecutionStatus> rows, RowQuery query) {
        RowQuery.Span span = Objects.requireNonNull(query.failed());
        return rows.stream()
                .filter(row -> row.executionStatus() == ExecutionStatus.FAILED)
                .filter(row -> row.outcome() == Outcome.RETRIES_EXHAUSTED || row.outcome() == Outcome.CRASHED)
                .filter(row -> span.from() == null || !row.updatedTime().isBefore(span.from()))
                .filter(row -> span.until() == null || row.updatedTime().isBefore(span.until()))
                .sorted(Comparator.comparing(JobExecutionStatus::updatedTime).reversed())
                .limit(query.limit())
                .map(JobExecutionStatus::id)
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private void change(Map<String, StoredJob> jobs, SplittableRandom random) {
        if (random.nextInt(3) > 0) {
            add(jobs, random, JOBS + jobs.size());
        } else {
            List<StoredJob> live =
                    jobs.values().stream().filter(StoredJob::isLive).toList();
            StoredJob job = live.get(random.nextInt(live.size()));
            jobs.put(job.key(), ended(job, random));
        }
    }

    private void add(Map<String, StoredJob> jobs, SplittableRandom random, int number) {
        String key = "ab".charAt(random.nextInt(2)) + "-" + random.nextInt(10) + "-" + number;
        Instant due = now.plusSeconds(random.nextInt(5));
        var specification = Specimens.specification(key)
                .jobRequestor("requestor-" + random.nextInt(2))
                .triggerCommand(new EncodedCommand("type-" + random.nextInt(2), 1, Map.of()))
                .applicationTag(random.nextBoolean() ? "app" : null)
                .calendars(random.nextBoolean() ? List.of("bank") : List.of())
                .tags(random.nextBoolean() ? Set.of("x", "y") : Set.of("y"))
                .singleSchedule(due)
                .build();
        StoredJob job = insert(Specimens.of(Specimens.id(), specification, due));
        jobs.put(key, random.nextInt(4) == 0 ? ended(job, random) : job);
    }

    private StoredJob ended(StoredJob job, SplittableRandom random) {
        return finished(job, random.nextBoolean() ? ExecutionStatus.CANCELED : ExecutionStatus.TRIGGERED);
    }

    private List<String> walked(JobQuery query, Runnable between) {
        List<String> keys = new ArrayList<>();
        JobList page = store.list(query, now, List.of());
        page.jobs().forEach(job -> keys.add(job.key()));
        while (page.lastKey() != null) {
            between.run();
            page = store.list(query.after(page.lastKey()), now, List.of());
            page.jobs().forEach(job -> keys.add(job.key()));
        }
        return keys;
    }

    private JobQuery query(SplittableRandom random) {
        return new JobQuery(
                some(random, "requestor-0", "requestor-1"),
                some(random, "x", "y"),
                some(random, "app", "other"),
                random.nextInt(3) > 0 ? null : JobState.values()[random.nextInt(JobState.values().length)],
                some(random, "a", "b-1"),
                some(random, "type-0", "type-1"),
                some(random, "bank", "bank"),
                null,
                random.nextInt(3) > 0 ? null : now.plusSeconds(random.nextInt(5)),
                random.nextInt(3) > 0 ? null : now.plusSeconds(random.nextInt(5)),
                null,
                1 + random.nextInt(7),
                random.nextBoolean() ? null : 1 + random.nextInt(9));
    }

    private static @Nullable String some(SplittableRandom random, String one, String other) {
        int drawn = random.nextInt(8);
        return drawn > 1 ? null : drawn == 0 ? one : other;
    }

    /** Written from the description of {@link JobQuery}, not from a store. */
    private List<String> matching(List<StoredJob> jobs, JobQuery query) {
        List<Predicate<StoredJob>> filters = List.of(
                job -> query.state() == null || job.stateAt(now, List.of()) == query.state(),
                job -> job.isLive() || query.state() != null && query.state().isFinished(),
                job -> isAsked(query.jobRequestor(), job.specification().jobRequestor()),
                job -> query.tag() == null || job.specification().tags().contains(query.tag()),
                job -> isAsked(
                        query.applicationTag(),
                        job.specification().applicationTag().orElse(null)),
                job -> query.keyPrefix() == null || job.key().startsWith(query.keyPrefix()),
                job -> isAsked(
                        query.commandType(),
                        ((EncodedCommand) job.specification().triggerCommand()).type()),
                job -> query.calendar() == null
                        || job.specification().calendars().contains(query.calendar()),
                job -> query.nextFireFrom() == null || !fire(job).isBefore(query.nextFireFrom()),
                job -> query.nextFireUntil() == null || fire(job).isBefore(query.nextFireUntil()));
        return jobs.stream()
                .filter(job -> filters.stream().allMatch(filter -> filter.test(job)))
                .map(StoredJob::key)
                .sorted()
                .toList();
    }

    private static Instant fire(StoredJob job) {
        return Objects.requireNonNull(job.plan().nextFireTime());
    }

    private static boolean isAsked(@Nullable String asked, @Nullable String actual) {
        return asked == null || asked.equals(actual);
    }
}
