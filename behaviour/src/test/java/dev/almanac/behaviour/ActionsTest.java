package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.ActionReport;
import dev.almanac.model.ActionReport.Item;
import dev.almanac.model.ActionReport.Result;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CancelResult;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.FindScope;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.Job;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSelection;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One action on many jobs: dry run, page by page, resumable (rule A2), over memory and a real server. */
class ActionsTest extends OverStores {
    private boolean broken = true;

    private Machine node() {
        Machine a = world.node("a");
        world.work = call -> broken && !call.job().startsWith("good")
                ? CompletableFuture.failedFuture(new IllegalStateException("the bank is closed"))
                : CompletableFuture.completedFuture(null);
        return a;
    }

    private void once(Machine a, String key) {
        a.scheduler()
                .scheduleJob(job(key).singleSchedule(START.plusSeconds(1))
                        .tags("pay")
                        .build());
    }

    private static Job finished(Machine a, String key) {
        return a.scheduler().findJobById(key, FindScope.INCLUDING_FINISHED).orElseThrow();
    }

    private static List<Result> results(ActionReport report) {
        return report.items().stream().map(Item::result).toList();
    }

    @Test
    @DisplayName("A2: failed one-offs of an outage run again by one action, each once, however often it is asked for")
    void rerun() {
        Machine a = node();
        for (int i = 0; i < 5; i++) {
            once(a, "pay-" + i);
        }
        once(a, "good");
        world.pass(Duration.ofSeconds(5));
        broken = false;
        JobSelection today = JobSelection.failedSince(START);
        assertThat(a.scheduler().apply(JobAction.rerun(), today, true).count(Result.DONE))
                .as("a dry run tells")
                .isEqualTo(5);
        world.pass(Duration.ofSeconds(5));
        assertThat(world.calls).as("and does nothing").hasSize(6);
        assertThat(a.scheduler()
                        .as("ann", "CR-17")
                        .apply(JobAction.rerun(), today)
                        .count(Result.DONE))
                .isEqualTo(5);
        assertThat(results(a.scheduler().apply(JobAction.rerun(), today)))
                .as("asked again before they run")
                .containsOnly(Result.UNCHANGED);
        world.pass(Duration.ofSeconds(5));
        assertThat(world.calls).hasSize(11);
        assertThat(world.callsOf("good")).hasSize(1);
        assertThat(a.scheduler().apply(JobAction.rerun(), today).count(Result.DONE))
                .as("asked again after they ran well")
                .isZero();
        assertThat(a.scheduler()
                        .apply(JobAction.rerun(), JobSelection.keys("pay-0"))
                        .items())
                .extracting(Item::result)
                .containsExactly(Result.UNCHANGED);
        assertThat(World.outcomes(a, "pay-3"))
                .containsExactlyInAnyOrder(
                        "SCHEDULED/NONE",
                        "FAILED/RETRIES_EXHAUSTED",
                        "FAILED/ACKNOWLEDGED",
                        "SCHEDULED/NONE",
                        "TRIGGERED/SUCCEEDED");
        assertThat(a.scheduler().history("pay-3"))
                .filteredOn(row -> row.executionStatus() == ExecutionStatus.SCHEDULED)
                .first()
                .satisfies(row -> {
                    assertThat(row.author()).isEqualTo("ann");
                    assertThat(row.changes()).as("no field was changed").isEmpty();
                    assertThat(row.rerunOf()).isNotNull();
                });
    }

    @Test
    @DisplayName("A2: a rerun that failed is a failed run of its own, and is kept no shorter than what it reran")
    void rerunOfRerun() {
        Machine a = node();
        once(a, "pay");
        world.pass(Duration.ofSeconds(5));
        Job first = finished(a, "pay");
        assertThat(a.scheduler()
                        .apply(JobAction.rerun(), JobSelection.keys("pay"))
                        .count(Result.DONE))
                .isEqualTo(1);
        world.pass(Duration.ofSeconds(5));
        broken = false;
        assertThat(a.scheduler()
                        .apply(JobAction.rerun(), JobSelection.keys("pay"))
                        .count(Result.DONE))
                .isEqualTo(1);
        world.pass(Duration.ofSeconds(5));
        assertThat(world.callsOf("pay")).hasSize(3);
        assertThat(finished(a, "pay").specification().deleteTime().orElseThrow())
                .isAfterOrEqualTo(first.specification().deleteTime().orElseThrow());
    }

    @Test
    @DisplayName("A2: a recurring job whose fire failed gets one extra run for it, and its plan stays")
    void rerunOfRecurring() {
        Machine a = node();
        a.scheduler()
                .scheduleJob(job("tick").schedulingSpecification("0 0 * * * ?").build());
        world.pass(Duration.ofMinutes(61));
        broken = false;
        JobSelection all = new JobSelection.Failed(null, null, "note");
        assertThat(results(a.scheduler().apply(JobAction.rerun(), all))).containsExactly(Result.DONE);
        assertThat(results(a.scheduler().apply(JobAction.rerun(), all))).containsExactly(Result.UNCHANGED);
        world.pass(Duration.ofMinutes(1));
        assertThat(results(a.scheduler().apply(JobAction.rerun(), all))).containsExactly(Result.UNCHANGED);
        assertThat(a.scheduler()
                        .apply(JobAction.rerun(), new JobSelection.Failed(null, null, "other"))
                        .items())
                .as("of another type")
                .isEmpty();
        world.pass(Duration.ofMinutes(5));
        assertThat(world.callsOf("tick")).hasSize(2);
        assertThat(a.scheduler().findJobById("tick").orElseThrow().nextFireTime())
                .isEqualTo(START.plus(Duration.ofHours(2)));
    }

    @Test
    @DisplayName(
            "A2: a failed fire is not run once more when a thousand rows have followed the request of its extra run")
    void rerunOfRecurringLongAgo() {
        Machine a = node();
        a.scheduler()
                .scheduleJob(job("tick").schedulingSpecification("* * * * * ?").build());
        world.pass(Duration.ofMillis(1_500));
        broken = false;
        JobSelection all = new JobSelection.Failed(null, null, "note");
        assertThat(results(a.scheduler().apply(JobAction.rerun(), all))).containsExactly(Result.DONE);
        world.pass(Duration.ofSeconds(1_010));
        assertThat(results(a.scheduler().apply(JobAction.rerun(), all))).containsExactly(Result.UNCHANGED);
    }

    @Test
    @DisplayName(
            "A2: a recurring job with more failures than a page has is run once, for the newest within the selection")
    void rerunOfManyFailures() {
        Machine a = node();
        a.scheduler()
                .scheduleJob(job("tick").schedulingSpecification("* * * * * ?").build());
        world.pass(Duration.ofSeconds(1_100));
        broken = false;
        Instant end = START.plusSeconds(1_050);
        JobSelection failed = new JobSelection.Failed(START, end, null);
        assertThat(resultsOfAll(a, failed, true)).containsExactly(Result.DONE);
        assertThat(resultsOfAll(a, failed, false)).containsExactly(Result.DONE);
        assertThat(a.scheduler().findJobById("tick").orElseThrow().lastStatus().detail())
                .contains("an extra run for the failed fire of " + START.plusSeconds(1_049));
        assertThat(resultsOfAll(a, failed, false)).containsExactly(Result.UNCHANGED);
    }

    @Test
    @DisplayName("S14: an action on what has failed leaves alone a newer job that has the key")
    void failedAndReplaced() {
        Machine a = world.node("a");
        world.work = call -> CompletableFuture.failedFuture(new IllegalStateException("bad"));
        a.scheduler().scheduleJob(job("x").singleSchedule(START.plusSeconds(5)).build());
        world.pass(Duration.ofSeconds(20));
        assertThat(a.scheduler().findJobById("x", FindScope.LIVE)).isEmpty();
        a.scheduler()
                .scheduleJob(job("x").singleSchedule(START.plusSeconds(500)).build());
        ActionReport report = a.scheduler().apply(JobAction.cancel(), JobSelection.failedSince(START));
        assertThat(report.count(Result.DONE)).isZero();
        assertThat(a.scheduler().findJobById("x", FindScope.LIVE)).isPresent();
    }

    private static List<Result> resultsOfAll(Machine a, JobSelection failed, boolean dryRun) {
        List<Result> results = new ArrayList<>();
        for (JobSelection rest = failed; rest != null; ) {
            ActionReport page = a.scheduler().apply(JobAction.rerun(), rest, dryRun);
            results.addAll(results(page));
            rest = page.next();
        }
        return results;
    }

    @Test
    @DisplayName(
            "A2: a rerun that would be refused, for a run with contents of its own that waits, is refused by a dry run, too")
    void refusedByDryRun() {
        Machine a = node();
        a.scheduler()
                .scheduleJob(job("tick").schedulingSpecification("0 * * * * ?").build());
        world.pass(Duration.ofSeconds(61));
        a.scheduler().pause("tick");
        a.scheduler().runNow("tick", new World.Note("other"));
        JobSelection all = new JobSelection.Failed(null, null, "note");
        assertThat(results(a.scheduler().apply(JobAction.rerun(), all))).containsExactly(Result.REFUSED);
        assertThat(results(a.scheduler().apply(JobAction.rerun(), all, true))).containsExactly(Result.REFUSED);
    }

    @Test
    @DisplayName("A1: a run that is asked for while a job runs for the last time is dropped, and both tell so")
    void runNowInLastRun() {
        Machine a = node();
        world.work = call -> world.after(Duration.ofSeconds(30));
        once(a, "once");
        world.pass(Duration.ofSeconds(10));
        assertThat(a.scheduler()
                        .apply(JobAction.runNow(), JobSelection.keys("once"))
                        .items()
                        .get(0)
                        .detail())
                .contains("dropped if no run follows that one");
        world.pass(Duration.ofMinutes(1));
        assertThat(world.callsOf("once")).hasSize(1);
        assertThat(a.scheduler().history("once").get(0).detail()).contains("is dropped");
    }

    @Test
    @DisplayName(
            "M4, A2: a run now and a rerun are refused while a cancel is noted, since no run follows; scheduled again, the job runs")
    void runNowBeforeNotedCancel() {
        Machine a = node();
        var minutely = job("tick").schedulingSpecification("0 * * * * ?").build();
        a.scheduler().scheduleJob(minutely);
        world.pass(Duration.ofSeconds(62));
        world.work = call -> world.after(Duration.ofSeconds(30));
        world.pass(Duration.ofSeconds(60));
        assertThat(world.callsOf("tick")).as("the second run goes on").hasSize(2);
        assertThat(a.scheduler().cancelJob("tick")).isEqualTo(CancelResult.ALREADY_RUNNING);
        String before = a.scheduler().listJobs(JobQuery.all()).toString();
        String toBeCancelled = "is to be cancelled when its present run has ended";
        JobSelection failed = JobSelection.failedSince(START);
        for (boolean dryRun : List.of(true, false)) {
            assertThat(a.scheduler()
                            .apply(JobAction.runNow(), JobSelection.keys("tick"), dryRun)
                            .plus(a.scheduler().apply(JobAction.rerun(), failed, dryRun))
                            .items())
                    .hasSize(2)
                    .allSatisfy(item -> {
                        assertThat(item.result()).isEqualTo(Result.REFUSED);
                        assertThat(item.detail()).contains(toBeCancelled);
                    });
        }
        assertThatThrownBy(() -> a.scheduler().runNow("tick"))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining(toBeCancelled);
        assertThat(a.scheduler().listJobs(JobQuery.all()))
                .as("nothing is written")
                .hasToString(before);
        a.scheduler().scheduleJob(minutely);
        assertThat(results(a.scheduler().apply(JobAction.rerun(), failed))).containsExactly(Result.DONE);
        world.pass(Duration.ofSeconds(35));
        assertThat(world.callsOf("tick")).as("the cancel is revoked").hasSize(3);
    }

    @Test
    @DisplayName("A1: an update of one field leaves the others, by key or by query, page by page, after a dry run")
    void update() {
        Machine a = node();
        for (int i = 0; i < 7; i++) {
            a.scheduler()
                    .scheduleJob(job("j-" + i)
                            .schedulingSpecification("0 0 0 1 1 ?")
                            .tags("pay")
                            .build());
        }
        JobAction urgent = JobAction.update(edit -> edit.priority(1));
        JobSelection three = JobSelection.matching(JobQuery.all().limit(3));
        ActionReport dry = a.scheduler().apply(urgent, three, true);
        assertThat(dry.items())
                .hasSize(3)
                .allSatisfy(item -> assertThat(item.detail()).isEqualTo("priority: 4 -> 1"));
        assertThat(a.scheduler()
                        .findJobById("j-0")
                        .orElseThrow()
                        .specification()
                        .priority())
                .isEqualTo(4);
        ActionReport report = a.scheduler().apply(urgent, three);
        while (report.next() != null) {
            report = report.plus(a.scheduler().apply(urgent, report.next()));
        }
        assertThat(report.count(Result.DONE)).isEqualTo(7);
        assertThat(a.scheduler().findJobById("j-6").orElseThrow().specification())
                .satisfies(job -> {
                    assertThat(job.priority()).isEqualTo(1);
                    assertThat(job.tags()).containsExactly("pay");
                });
        assertThat(results(a.scheduler().apply(urgent, JobSelection.keys("j-1"))))
                .containsExactly(Result.UNCHANGED);
        assertThat(a.scheduler()
                        .apply(JobAction.update(edit -> edit.priority(9)), JobSelection.keys("j-1", "nobody"))
                        .items())
                .hasSize(2)
                .allSatisfy(item -> assertThat(item.result()).isEqualTo(Result.REFUSED));
    }

    @Test
    @DisplayName("A1: pause, resume, run-now and cancel of many are those of one")
    void others() {
        Machine a = node();
        a.scheduler()
                .scheduleJob(
                        job("good-1").schedulingSpecification("0 0 0 1 1 ?").build());
        JobSelection one = JobSelection.keys("good-1");
        a.scheduler().as("ann", "audit").apply(JobAction.pause(Pause.because("")), one);
        assertThat(a.scheduler().findJobById("good-1").orElseThrow().pause())
                .isEqualTo(new Pause("audit", "ann", null));
        assertThat(results(a.scheduler().apply(JobAction.resume(), one))).containsExactly(Result.DONE);
        assertThat(results(a.scheduler().apply(JobAction.resume(), one))).containsExactly(Result.UNCHANGED);
        a.scheduler().apply(JobAction.runNow(), one);
        world.pass(Duration.ofSeconds(2));
        assertThat(world.callsOf("good-1")).hasSize(1);
        for (boolean dryRun : List.of(true, false)) {
            assertThat(a.scheduler().apply(JobAction.release(), one, dryRun).items())
                    .as("nobody holds it")
                    .containsExactly(new Item("good-1", Result.UNCHANGED, "is not claimed"));
        }
        assertThat(a.scheduler().apply(JobAction.cancel(), one, true).count(Result.DONE))
                .isEqualTo(1);
        assertThat(a.scheduler().findJobById("good-1")).isPresent();
        assertThat(a.scheduler().apply(JobAction.cancel(), one).items())
                .containsExactly(new Item("good-1", Result.DONE, "CANCELED"));
        assertThat(results(a.scheduler().apply(JobAction.cancel(), one))).containsExactly(Result.REFUSED);
    }

    @Test
    @DisplayName("A2: a finished one-off that is named runs again, once; what succeeded as a rerun does not")
    void rerunOfFinished() {
        Machine a = node();
        broken = false;
        once(a, "good");
        once(a, "gone");
        a.scheduler().cancelJob("gone");
        world.pass(Duration.ofSeconds(5));
        JobSelection both = JobSelection.keys("good", "gone");
        assertThat(results(a.scheduler().apply(JobAction.rerunFailed(), both)))
                .as("neither has failed")
                .containsOnly(Result.UNCHANGED);
        assertThat(a.scheduler().apply(JobAction.rerun(), both, true).items())
                .as("a dry run tells")
                .hasSize(2)
                .allSatisfy(item -> assertThat(item.detail()).startsWith("runs again now, for its fire of "));
        assertThat(results(a.scheduler().as("ann", null).apply(JobAction.rerun(), both)))
                .containsOnly(Result.DONE);
        assertThat(results(a.scheduler().apply(JobAction.rerun(), both)))
                .as("asked again before they run")
                .doesNotContain(Result.DONE);
        world.pass(Duration.ofSeconds(5));
        assertThat(world.callsOf("good")).hasSize(2);
        assertThat(world.callsOf("gone")).hasSize(1);
        assertThat(results(a.scheduler().apply(JobAction.rerun(), both)))
                .as("asked again after they ran well")
                .containsOnly(Result.UNCHANGED);
        assertThat(a.scheduler()
                        .apply(JobAction.rerun(), JobSelection.failedSince(START))
                        .items())
                .as("nothing has failed")
                .isEmpty();
        JobExecutionStatus again = a.scheduler().history("good").get(1);
        assertThat(again.changes()).as("no field was changed").isEmpty();
        assertThat(again.rerunOf()).isNotNull();
        a.scheduler()
                .scheduleJob(job("tick").schedulingSpecification("0 0 * * * ?").build());
        a.scheduler().cancelJob("tick");
        assertThat(results(a.scheduler().apply(JobAction.rerun(), JobSelection.keys("tick"))))
                .as("no one-off")
                .containsExactly(Result.UNCHANGED);
    }

    private static List<Arguments> effects() {
        JobAction interrupt = new JobAction.Cancel(CancelMode.INTERRUPT);
        JobAction pause = JobAction.pause(new Pause("audit", "ann", null));
        String soon = "one run in addition to its plan; ";
        return List.of(
                Arguments.of("free", JobAction.cancel(), "CANCELED"),
                Arguments.of("paused", interrupt, "CANCELED"),
                Arguments.of(
                        "running",
                        JobAction.cancel(),
                        "ALREADY_RUNNING: its run continues to its end; no later fire follows"),
                Arguments.of("running", interrupt, "ALREADY_RUNNING: its run is interrupted; no later fire follows"),
                Arguments.of("free", pause, "paused"),
                Arguments.of("paused", pause, "paused, instead of the pause by bob: the file is late"),
                Arguments.of("running", pause, "paused; its run continues"),
                Arguments.of("free", JobAction.resume(), "is not paused"),
                Arguments.of("paused", JobAction.resume(), "resumed: the pause by bob: the file is late"),
                Arguments.of("free", JobAction.release(), "is not claimed"),
                Arguments.of("running", JobAction.release(), "released"),
                Arguments.of("free", JobAction.runNow(), soon + "a node that knows the command starts it"),
                Arguments.of("running", JobAction.runNow(), soon + "it starts when the current run has ended"),
                Arguments.of("paused", JobAction.runNow(), soon + "it starts when the pause ends"),
                Arguments.of("held", JobAction.runNow(), soon + "it starts when the pause ends"),
                Arguments.of("free", JobAction.update(edit -> edit.priority(2)), "priority: 4 -> 2"),
                Arguments.of("free", JobAction.update(edit -> edit.priority(4)), "is in that state already"),
                Arguments.of("nobody", JobAction.cancel(), "no live job 'nobody'"),
                Arguments.of("nobody", pause, "no live job 'nobody'"));
    }

    @Test
    @DisplayName(
            "17.3: a job that others change all the time is refused, and takes nothing from the report on the others")
    void contended() {
        JobStore busy = StoreHook.over(JobStore.class, world.store, (method, arguments, call) -> {
            boolean changed = method.equals("write")
                    && ((List<?>) arguments[0])
                            .stream()
                                    .map(JobChange.class::cast)
                                    .anyMatch(change -> change.before().key().equals("busy"));
            return changed ? List.of(false) : call.proceed();
        });
        Machine a = world.node("a", busy, Duration.ZERO, builder -> builder);
        List.of("busy", "free")
                .forEach(key -> a.scheduler()
                        .scheduleJob(
                                job(key).schedulingSpecification("0 0 0 1 1 ?").build()));
        assertThat(a.scheduler()
                        .apply(JobAction.pause(Pause.because("audit")), JobSelection.keys("busy", "free"))
                        .items())
                .extracting(Item::key, Item::result)
                .containsExactlyInAnyOrder(tuple("busy", Result.REFUSED), tuple("free", Result.DONE));
    }

    @Test
    @DisplayName(
            "A1: a job whose calendar or whose edit throws, an Error included, is refused with the reason, and takes nothing from the others")
    void codeThatThrows() {
        boolean[] broken = {false};
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.calendar("moody", new HookedCalendar(() -> {
                    if (broken[0]) {
                        throw new IllegalStateException("the calendar is closed");
                    }
                })));
        List<String> good = IntStream.range(0, 8).mapToObj(i -> "good-" + i).toList();
        Stream.concat(Stream.of("calendar", "edit", "error", "silent"), good.stream())
                .forEach(key -> a.scheduler()
                        .scheduleJob(job(key).schedulingSpecification("0 0 0 1 1 ?")
                                .calendars(key.equals("calendar") ? List.of("moody") : List.of())
                                .build()));
        broken[0] = true;
        JobAction urgent = JobAction.update(edit -> {
            switch (String.valueOf(edit.build().jobSpecificationKey())) {
                case "edit" -> throw new IllegalArgumentException("no such contents");
                case "error" -> throw new StackOverflowError("too deep");
                case "silent" -> throw new IllegalStateException();
                default -> edit.priority(2);
            }
        });
        for (boolean dryRun : List.of(true, false)) {
            ActionReport report = a.scheduler().apply(urgent, JobSelection.matching(JobQuery.all()), dryRun);
            assertThat(report.items())
                    .filteredOn(item -> item.result() == Result.DONE)
                    .extracting(Item::key)
                    .containsExactlyElementsOf(good);
            assertThat(report.items())
                    .filteredOn(item -> item.result() == Result.REFUSED)
                    .extracting(Item::key, Item::detail)
                    .containsExactly(
                            tuple("calendar", "the calendar is closed"),
                            tuple("edit", "no such contents"),
                            tuple(
                                    "error",
                                    "the request for job 'error' failed: java.lang.StackOverflowError: too deep"),
                            tuple("silent", "java.lang.IllegalStateException"));
        }
        assertThat(a.scheduler().listJobs(JobQuery.all()).jobs())
                .filteredOn(job -> job.specification().priority() == 2)
                .extracting(job -> job.specification().jobSpecificationKey())
                .as("a refused job stays as it was")
                .containsExactlyElementsOf(good);
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("effects")
    @DisplayName("17.3: a dry run says of each job what the action then says and does, and changes nothing")
    void effect(String key, JobAction action, String text) {
        Machine a = node();
        world.work = call -> world.after(Duration.ofSeconds(60));
        for (String name : List.of("free", "paused", "held", "running")) {
            a.scheduler()
                    .scheduleJob(job(name)
                            .schedulingSpecification("0 0 0 1 1 ?")
                            .tags(name)
                            .build());
        }
        a.scheduler().pause(PauseScope.job("paused"), new Pause("the file is late", "bob", null));
        a.scheduler().pause(PauseScope.tag("held"), Pause.because("audit"));
        a.scheduler().runNow("running");
        world.pass(Duration.ofSeconds(3));
        String before = a.scheduler().listJobs(JobQuery.all()).toString();
        JobSelection one = JobSelection.keys(key);
        ActionReport dry = a.scheduler().apply(action, one, true);
        assertThat(a.scheduler().listJobs(JobQuery.all())).hasToString(before);
        assertThat(dry.items())
                .singleElement()
                .satisfies(item -> assertThat(item.detail()).startsWith(text));
        assertThat(a.scheduler().apply(action, one).items()).isEqualTo(dry.items());
    }
}
