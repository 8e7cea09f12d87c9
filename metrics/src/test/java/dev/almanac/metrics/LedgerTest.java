package dev.almanac.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.helper.Execution;
import dev.almanac.helper.NonRetryableException;
import dev.almanac.helper.PostponeException;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.helper.SkipException;
import dev.almanac.metrics.MetricsFixture.Note;
import dev.almanac.model.CancelResult;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.Outcome;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.store.RowQuery;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.ManualLanes;
import dev.almanac.testkit.time.ManualTime;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Meters of two nodes beside a ledger of what helpers were asked and what rows say, of which the meters know nothing. */
class LedgerTest {
    private static final Instant START = MetricsFixture.START;
    /** What users ask for is no row of a claim; that day no claim ends a job that was to be cancelled. */
    private static final Set<Outcome> REQUESTS = EnumSet.of(Outcome.NONE, Outcome.CANCELED);

    private static final Set<Outcome> DELIVERIES = EnumSet.of(Outcome.FAILURE_DELIVERED, Outcome.FAILURE_UNDELIVERED);

    record Sorry(String text) implements SchedulingCommand {}

    private record Call(String job, String type, Instant at, int attempt, boolean late, CompletableFuture<Void> end) {}

    private final ManualTime time = new ManualTime(START);
    private final ManualLanes lanes = new ManualLanes(time);
    private final InMemoryJobStore store = new InMemoryJobStore(time);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<Call> calls = new ArrayList<>();
    private final Map<String, Integer> callsOf = new TreeMap<>();
    private final ManualLanes.Node first = lanes.node();
    private final ManualLanes.Node second = lanes.node();
    private Scheduler user;
    private final Set<String> keys = new TreeSet<>(Set.of("child 1", "child 2"));
    private int refused;

    @BeforeEach
    void start() {
        user = node("a", first);
    }

    private Scheduler node(String name, ManualLanes.Node own) {
        return Scheduler.builder()
                .store(store)
                .time(time)
                .zone(ZoneOffset.UTC)
                .random(new SplittableRandom(name.hashCode()))
                .lanes(own)
                .executor(own::execute)
                .command("note", 1, Note.class)
                .command("sorry", 1, Sorry.class)
                .helper(new Recorder(name))
                .listener(new SchedulerMetrics(registry, Tags.of("node", name)))
                .build()
                .start();
    }

    private final class Recorder implements SchedulingHelper {
        private final String node;

        Recorder(String node) {
            this.node = node;
        }

        @Override
        public boolean supports(SchedulingCommand command) {
            boolean right = !(command instanceof Note note && note.text().equals("elsewhere") && node.equals("a"));
            refused += right ? 0 : 1;
            return right;
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command) {
            throw new AssertionError("the overload with the execution is to be called");
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command, Execution execution) {
            return call(command, execution, false);
        }

        @Override
        public CompletionStage<Void> lateExecute(
                String id, SchedulingCommand command, Duration over, Execution execution) {
            return call(command, execution, true);
        }

        private CompletionStage<Void> call(SchedulingCommand command, Execution execution, boolean late) {
            String job = execution.jobSpecificationKey();
            String type = command instanceof Sorry ? "sorry" : "note";
            int count = callsOf.merge(job + " " + type, 1, Integer::sum);
            CompletableFuture<Void> end = new CompletableFuture<>();
            calls.add(new Call(job, type, time.wall(), execution.attempt(), late, end));
            work(job + " " + type, count, end);
            return end;
        }
    }

    /** What becomes of the so many-th call of a job. */
    private void work(String call, int count, CompletableFuture<Void> end) {
        switch (call) {
            case "twice note" -> fail(count <= 2, end, new IllegalStateException("no"));
            case "bad note", "by hand note", "canceled note" -> fail(true, end, new IllegalStateException("no"));
            case "bad sorry" -> fail(count == 1, end, new IllegalStateException("no"));
            case "hopeless note" -> fail(true, end, new NonRetryableException("never"));
            case "skips note" -> fail(true, end, new SkipException("a holiday"));
            case "later note" ->
                fail(count == 1, end, new PostponeException(time.wall().plusSeconds(7), "too early"));
            case "crash note", "again note", "stalls note" ->
                fail(false, count == 1 ? new CompletableFuture<>() : end, null);
            case "member 1 note", "member 2 note" ->
                first.open("work", 1).after(Duration.ofSeconds(2), () -> end.complete(null));
            default -> end.complete(null);
        }
    }

    private static void fail(boolean fails, CompletableFuture<Void> end, Exception error) {
        if (fails) {
            end.completeExceptionally(error);
        } else {
            end.complete(null);
        }
    }

    private void schedule(JobSpecificationBuilder job) {
        keys.add(user.scheduleJob(job.build()).specification().jobSpecificationKey());
    }

    private JobSpecificationBuilder once(String key, int seconds) {
        return MetricsFixture.job(key).singleSchedule(START.plusSeconds(seconds));
    }

    private void pass(int seconds) {
        lanes.advance(Duration.ofSeconds(seconds));
    }

    /** A day on which everything happens that meters count. */
    private void day() {
        schedule(once("good", 2));
        schedule(once("twice", 2).retryPolicy("R5/PT3S"));
        schedule(once("bad", 2)
                .retryPolicy("R1/PT3S")
                .failureCommand(new Sorry("bad"))
                .failureIdentifier("f"));
        schedule(once("hopeless", 2).retryPolicy("R5/PT3S"));
        schedule(once("skips", 2));
        schedule(once("later", 2));
        schedule(once("by hand", 3_600).retryPolicy("R5/PT3S"));
        schedule(once("canceled", 2).retryPolicy("R5/PT60S"));
        schedule(once("parent", 2)
                .onSuccess(
                        JobSpecification.now("child 1", new Note("1")),
                        JobSpecification.now("child 2", new Note("2"))));
        schedule(once("member 1", 2).exclusiveGroup("ledger"));
        schedule(once("member 2", 2).exclusiveGroup("ledger"));
        schedule(once("elsewhere", 4));
        schedule(once("stalls", 15));
        schedule(once("unreadable", 2).triggerCommand(new EncodedCommand("note", 1, Map.of("number", 1))));
        schedule(MetricsFixture.job("tick")
                .schedulingSpecification("0/10 * * * * ?")
                .lateExecutionThreshold(Duration.ofSeconds(1)));
        schedule(once("expires", 50).endAt(START.plusSeconds(60)));
        user.runNow("by hand");
        pass(20);
        assertThat(user.cancelJob("canceled")).isEqualTo(CancelResult.CANCELED);
        user.updateJob(user.findJobById("by hand").orElseThrow().specification().toBuilder()
                .priority(1)
                .build());
        first.freeze();
        pass(65);
        first.thaw();
        pass(15);
        schedule(once("crash", 110).crashPolicy(CrashPolicy.FAIL));
        schedule(once("again", 110));
        pass(15);
    }

    /** The node dies in the middle of two runs; another takes over what it held. */
    private void night() {
        first.close();
        pass(30);
        user = node("b", second);
        pass(60);
        user.cancelJob("tick");
        pass(5);
    }

    private List<JobExecutionStatus> rows(Predicate<JobExecutionStatus> which) {
        return keys.stream()
                .flatMap(key -> store.rows(RowQuery.ofKey(key, 1_000)).stream())
                .filter(which)
                .toList();
    }

    private long calls(Predicate<Call> which) {
        return calls.stream().filter(which).count();
    }

    private double count(String name, String... tags) {
        return registry.find(name).tags(tags).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    private long timed(String name, String... tags) {
        return registry.find(name).tags(tags).timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }

    @Test
    @DisplayName("15: after a day with all that may happen each counter is what the ledger of helpers and rows says")
    void asTheLedger() {
        day();
        night();
        assertThat(callsOf)
                .as("the day was as it is meant")
                .containsEntry("bad sorry", 2)
                .containsEntry("again note", 2)
                .containsEntry("stalls note", 2)
                .doesNotContainKey("unreadable note");
        runs();
        outcomes();
        assertThat(count("almanac.jobs.registered")).isEqualTo(keys.size());
        assertThat(count("almanac.jobs.updated")).isEqualTo(1);
        assertThat(count("almanac.jobs.canceled")).isEqualTo(2);
        assertThat(count("almanac.rehydrations")).isEqualTo(2);
        assertThat(count("almanac.jobs.blocked"))
                .isEqualTo(rows(row -> row.outcome() == Outcome.BLOCKED).size())
                .isEqualTo(1);
        assertThat(count("almanac.store.unreachable")).isZero();
        assertThat(count("almanac.claims.released")).isEqualTo(refused).isPositive();
    }

    private void runs() {
        assertThat(timed("almanac.lateness"))
                .as("of the planned runs")
                .isEqualTo(calls(call -> !call.job().equals("by hand")))
                .isLessThan(calls.size());
        assertThat(count("almanac.runs.late")).isEqualTo(calls(Call::late)).isPositive();
        for (String type : List.of("note", "sorry")) {
            Predicate<Call> ofType = call -> call.type().equals(type);
            assertThat(timed("almanac.run.duration", "good", "true", "type", type))
                    .isEqualTo(calls(ofType.and(call -> hasEnded(call, false))));
            assertThat(timed("almanac.run.duration", "good", "false", "type", type))
                    .isEqualTo(calls(ofType.and(call -> hasEnded(call, true))));
            int canceled = type.equals("note") ? 1 : 0;
            assertThat(count("almanac.retries", "type", type))
                    .as("attempts after the first, and the one that was cancelled before it came")
                    .isEqualTo(calls(ofType.and(call -> call.attempt() > 1)) + canceled);
        }
        assertThat(count("almanac.leases.lost"))
                .as("of the run that its node had begun when it stalled")
                .isEqualTo(1);
        assertThat(count("almanac.runs.recovered"))
                .as("that one, and those of the node that died")
                .isEqualTo(3);
    }

    private static boolean hasEnded(Call call, boolean badly) {
        return call.end().isDone() && call.end().isCompletedExceptionally() == badly;
    }

    private void outcomes() {
        Map<String, Long> told = new TreeMap<>();
        for (JobExecutionStatus row : rows(row -> !REQUESTS.contains(row.outcome()))) {
            boolean delivery = DELIVERIES.contains(row.outcome()) || isDelivery(row);
            told.merge((delivery ? "sorry " : "note ") + row.outcome(), 1L, Long::sum);
        }
        assertThat(told)
                .containsKeys("note MISSED", "note SKIPPED", "note POSTPONED", "note CRASHED", "note ABANDONED");
        Map<String, Long> counted = new TreeMap<>();
        for (Counter counter : registry.find("almanac.runs").counters()) {
            String of = counter.getId().getTag("type") + " " + counter.getId().getTag("outcome");
            counted.merge(of, (long) counter.count(), Long::sum);
        }
        assertThat(counted).isEqualTo(told);
        List<JobExecutionStatus> failed =
                rows(row -> row.executionStatus() == ExecutionStatus.FAILED && !DELIVERIES.contains(row.outcome()));
        assertThat(count("almanac.failures"))
                .isEqualTo(failed.size())
                .isEqualTo(user.failures(null, null).size());
        assertThat(count("almanac.fires.missed"))
                .isEqualTo(rows(row -> row.missed() != null).stream()
                        .mapToLong(row -> Objects.requireNonNull(row.missed()).count())
                        .sum())
                .isPositive();
    }

    /** A failed attempt to deliver is a row of the failure command's type. */
    private static boolean isDelivery(JobExecutionStatus row) {
        return row.jobSpecificationKey().equals("bad")
                && row.outcome() == Outcome.ATTEMPT_FAILED
                && !row.updatedTime().isBefore(START.plusSeconds(5));
    }

    @Test
    @DisplayName(
            "15: lateness is the start minus the moment it was meant for; a retry's is that of the retry, a manual run has none")
    void lateness() {
        schedule(once("twice", 2).retryPolicy("R5/PT3S"));
        schedule(once("by hand", 3_600));
        user.runNow("by hand");
        pass(20);
        assertThat(callsOf).containsEntry("twice note", 3).containsEntry("by hand note", 1);
        assertThat(timed("almanac.lateness"))
                .as("the run by hand is none of them")
                .isEqualTo(3);
        assertThat(total("almanac.lateness")).isZero();
        schedule(once("slow", 30));
        first.freeze();
        pass(14);
        first.thaw();
        pass(5);
        assertThat(timed("almanac.lateness")).isEqualTo(4);
        assertThat(total("almanac.lateness")).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(5));
    }

    private Duration total(String name) {
        double millis = registry.find(name).timers().stream()
                .mapToDouble(timer -> timer.totalTime(TimeUnit.MILLISECONDS))
                .sum();
        return Duration.ofMillis((long) millis);
    }
}
