package dev.almanac.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.FindScope;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.StoredFields;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.DueJob;
import dev.almanac.store.DueQuery;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.By;
import dev.almanac.store.JobStore;
import dev.almanac.store.Lease;
import dev.almanac.store.NewJob;
import dev.almanac.store.Revision;
import dev.almanac.store.RowLimit;
import dev.almanac.store.RowQuery;
import dev.almanac.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/** An open store, and what the tests of the contract do with it again and again. */
abstract class StoreContractFixture {
    static final Set<String> TYPES = Set.of("note", "sorry");
    static final Duration LEASE = Duration.ofSeconds(20);
    static final Duration MARGIN = Duration.ofSeconds(2);

    JobStore store;
    Instant now;
    Set<Integer> partitions;
    private int ends;

    /** An empty store. */
    protected abstract JobStore emptyStore();

    @BeforeEach
    void open() {
        store = emptyStore();
        partitions = IntStream.range(0, store.open().partitions()).boxed().collect(Collectors.toSet());
        now = store.serverTime();
    }

    final StoredJob insert(NewJob job) {
        assertThat(store.insert(List.of(job))).containsExactly(true);
        return job.job();
    }

    final StoredJob live(String key) {
        return store.find(key, FindScope.LIVE).orElseThrow();
    }

    final List<DueJob> due(Instant until, int limit) {
        return store.due(new DueQuery(TYPES, Set.of(), partitions, 0, 7, until, limit));
    }

    final ClaimRequest request(List<String> ids, long token) {
        Instant until = now.plus(LEASE);
        return new ClaimRequest(ids, now, new Lease("node", token, until), until.plus(MARGIN));
    }

    final StoredJob claimed(StoredJob job, long token) {
        Instant until = now.plus(LEASE);
        String group = job.specification().exclusiveGroup().orElse(null);
        ClaimRequest request = new ClaimRequest(
                List.of(job.id()), now, new Lease("node", token, until), until.plus(MARGIN), entry(group));
        return store.claim(request).jobs().get(0);
    }

    /** Into a group of one. */
    static ClaimRequest.@Nullable Entry entry(@Nullable String group) {
        return group == null ? null : new ClaimRequest.Entry(group, null, List.of(group));
    }

    static JobChange change(StoredJob before, StoredJob after, JobExecutionStatus row, By by) {
        StoredJob changed = after.with(edit -> edit.lastStatus(row));
        return new JobChange(before, changed, List.of(row), by).as(drawn());
    }

    final JobExecutionStatus rowOf(StoredJob job, String name, Instant time) {
        return Specimens.row(job.id(), job.key(), name, time);
    }

    final List<String> rowIds(StoredJob job) {
        return store.rows(RowQuery.ofDocument(job.id(), 100)).stream()
                .map(JobExecutionStatus::id)
                .toList();
    }

    /** What these calls answer, made at a time by a thread each, in their order. */
    static <T> List<T> atOnce(List<Callable<T>> calls) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(calls.size());
        try {
            List<T> answers = new ArrayList<>();
            for (Future<T> answer : pool.invokeAll(calls)) {
                answers.add(answer.get());
            }
            return answers;
        } finally {
            pool.shutdown();
        }
    }

    /** As it was read before the write that came last. */
    static StoredJob outdated(StoredJob job) {
        Revision read = job.revision();
        return job.with(edit ->
                edit.revision(new Revision(read.number() - 1, read.change(), read.endChange(), read.userChange())));
    }

    /** Writes the change, which is applied, and answers what is stored then. */
    final StoredJob applied(JobChange change) {
        assertThat(store.write(List.of(change))).containsExactly(true);
        return change.after();
    }

    /** What its sender draws for a change. */
    static long drawn() {
        return ThreadLocalRandom.current().nextLong();
    }

    static StoredJob withVersion(StoredJob job, long version) {
        return job.with(edit -> edit.specification(
                job.specification().toBuilder().version(version).build()));
    }

    static StoredJob ended(StoredJob job) {
        return job.with(
                edit -> edit.lease(null).sequences(job.sequences().done()).due(null));
    }

    final void finish(StoredJob job) {
        Instant end = now.plus(Duration.ofDays(7));
        JobExecutionStatus row = rowOf(job, "end", now.plusSeconds(++ends));
        StoredJob after = job.with(edit -> edit.specification(
                        StoredFields.of(job.specification()).deleteTime(end).build())
                .due(null)
                .lastStatus(row));
        assertThat(store.write(List.of(limited(job, after, List.of(row), new RowLimit(end, end)))))
                .containsExactly(true);
    }

    /** A change that limits how long rows of its job are kept. */
    static JobChange limited(StoredJob before, StoredJob after, List<JobExecutionStatus> rows, RowLimit limit) {
        return new JobChange(before, after, rows, limit, By.REQUEST, false);
    }
}
