package dev.almanac.mongo;

import dev.almanac.model.ErrorSummary;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.StandingPause;
import dev.almanac.model.StoredFields;
import dev.almanac.store.Blocked;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.By;
import dev.almanac.store.Lease;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.bson.Document;

/** A database as somebody may find it at three in the morning: one job in each state that people ask about. */
final class JobsInEachState {
    private final StoreFixture fixture;
    private final Instant now;

    JobsInEachState(StoreFixture fixture) {
        this.fixture = fixture;
        this.now = fixture.now;
    }

    void fill() {
        insert("soon", now.plusSeconds(600));
        insert("later", now.plusSeconds(3_000));
        insert("tomorrow", now.plusSeconds(86_400));
        insert("late", now.minusSeconds(120));
        insert("late-more", now.minusSeconds(240));
        runs("runs", now.minusSeconds(10), now.plusSeconds(600));
        runs("runs-longer", now.minusSeconds(20), now.plusSeconds(600));
        runs("lost", now.minusSeconds(900), now.minusSeconds(800));
        paused("paused", insert("paused", now.minusSeconds(60)));
        paused("paused-while-it-runs", runs("paused-while-it-runs", now.minusSeconds(5), now.plusSeconds(600)));
        change(
                insert("blocked", now),
                "b",
                row -> row,
                job -> job.with(edit -> edit.due(null)
                        .blocked(new Blocked(Blocked.Kind.NO_FIRE, "calendar 'holidays' excludes every fire"))));
        damaged(insert("damaged", now.minusSeconds(70)));
        retries(runs("retries", now.minusSeconds(30), now.plusSeconds(600)));
        fails("failed-yesterday", now.minusSeconds(100_000));
        fails("fails-now", now.minusSeconds(5));
        succeeds("done");
        fixture.store
                .cluster()
                .pause(
                        new StandingPause(
                                PauseScope.tag("month-end"), new Pause("closing the books", "ben", null), now),
                        null);
        fixture.store
                .cluster()
                .report(
                        new NodeReport("node-1", "host-1/4711", now, now, "2026a", Duration.ZERO, Set.of("note"), 2),
                        now);
    }

    private StoredJob insert(String key, Instant due) {
        return fixture.insert(Specimens.minimal(key, due));
    }

    private StoredJob runs(String key, Instant fire, Instant until) {
        StoredJob job = insert(key, fire);
        return fixture.store
                .claim(new ClaimRequest(
                        List.of(job.id()), now, new Lease("node-1", key.hashCode(), until), until.plusSeconds(2)))
                .jobs()
                .get(0);
    }

    /** Somebody wrote a number for the zone; the next claim has set the job aside. */
    private void damaged(StoredJob job) {
        fixture.edit(job.key(), Document.parse("{$set: {zoneId: 7}}"));
        fixture.claim(List.of(job), 99);
    }

    private void paused(String key, StoredJob job) {
        boolean free = job.lease() == null;
        change(
                job,
                "p",
                row -> row,
                before -> before.with(edit -> edit.due(free ? null : before.due())
                        .requests(before.requests().withPause(new Pause("month end of " + key, "ann", null)))));
    }

    private void retries(StoredJob held) {
        Instant retry = now.plusSeconds(7_200);
        change(
                held,
                "r",
                row -> row.toBuilder()
                        .outcome(Outcome.ATTEMPT_FAILED)
                        .error(new ErrorSummary("java.io.IOException", "busy", "at x"))
                        .attempt(1)
                        .nextFireTime(retry)
                        .build(),
                job -> job.with(edit -> edit.lease(null)
                        .due(retry)
                        .sequences(job.sequences().done())
                        .plan(job.plan().retryAt(retry, null))));
    }

    private void fails(String key, Instant when) {
        StoredJob held = runs(key, when.minusSeconds(1), now.plusSeconds(600));
        finish(
                held,
                row -> row.toBuilder()
                        .executionStatus(ExecutionStatus.FAILED)
                        .outcome(Outcome.RETRIES_EXHAUSTED)
                        .updatedTime(when)
                        .fireTime(when.minusSeconds(1))
                        .attempt(3)
                        .node("node-1")
                        .error(new ErrorSummary("java.io.IOException", "no", "at x\nat y"))
                        .build());
    }

    private void succeeds(String key) {
        StoredJob held = runs(key, now.minusSeconds(50), now.plusSeconds(600));
        finish(
                held,
                row -> row.toBuilder()
                        .executionStatus(ExecutionStatus.TRIGGERED)
                        .outcome(Outcome.SUCCEEDED)
                        .build());
    }

    private void finish(StoredJob held, Function<JobExecutionStatus, JobExecutionStatus> as) {
        Instant end = now.plus(Duration.ofDays(7));
        JobExecutionStatus row = as.apply(Specimens.row(held.id(), held.key(), "end", now));
        StoredJob after = held.with(edit -> edit.lease(null)
                .due(null)
                .sequences(held.sequences().done())
                .lastStatus(row)
                .plan(held.plan().failedInARow(row.executionStatus() == ExecutionStatus.FAILED ? 1 : 0))
                .specification(
                        StoredFields.of(held.specification()).deleteTime(end).build()));
        fixture.store.write(List.of(new JobChange(held, after, List.of(row), By.HOLDER)));
    }

    private void change(
            StoredJob before,
            String name,
            Function<JobExecutionStatus, JobExecutionStatus> as,
            Function<StoredJob, StoredJob> edit) {
        JobExecutionStatus row = as.apply(Specimens.row(before.id(), before.key(), name, now));
        StoredJob after = edit.apply(before).with(last -> last.lastStatus(row));
        fixture.store.write(List.of(new JobChange(before, after, List.of(row), By.REQUEST)));
    }
}
