package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.behaviour.World.Note;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.helper.TypeDefaults;
import dev.almanac.model.ActionReport;
import dev.almanac.model.BulkResult;
import dev.almanac.model.BulkScheduleException;
import dev.almanac.model.IfExists;
import dev.almanac.model.IfRefused;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobExistsException;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.ReconcileOptions;
import dev.almanac.model.ReconcileResult;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.retry.RetryPolicy;
import dev.almanac.runtime.HostName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Slips that would destroy something are refused, or said: the same over memory and a real server (S11, S13 to S15). */
class SlipsTest extends OverStores {
    private static final String EACH_HOUR = "0 0 * * * ?";

    private static JobSpecification hourly(String key) {
        return job(key).schedulingSpecification(EACH_HOUR).build();
    }

    private static JobSpecification ofOthers(String key) {
        return hourly(key).toBuilder().jobRequestor("others").priority(1).build();
    }

    private static List<JobSpecification> jobs(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> hourly("j-" + i)).toList();
    }

    @Test
    @DisplayName("S14: an empty text selects nothing; the query that has one is refused")
    void emptyText() {
        assertThatThrownBy(() -> query("", null, null, null, null)).hasMessageContaining("jobRequestor is empty");
        assertThatThrownBy(() -> query(null, "", null, null, null)).hasMessageContaining("tag is empty");
        assertThatThrownBy(() -> query(null, null, "", null, null)).hasMessageContaining("applicationTag is empty");
        assertThatThrownBy(() -> query(null, null, null, "", null)).hasMessageContaining("keyPrefix is empty");
        assertThatThrownBy(() -> query(null, null, null, null, "")).hasMessageContaining("commandType is empty");
        assertThat(query(null, null, null, null, null).after(""))
                .as("a place, no text")
                .isNotNull();
    }

    @Test
    @DisplayName("S14: an argument that is null stands for nothing: it is refused, and nothing is changed")
    void nullArguments() {
        try (Scheduler client = client(world.store)) {
            client.scheduleJob(hourly("j"));
            Map<String, ThrowingCallable> calls = Map.of(
                    "ifExists", () -> client.scheduleJob(job("j").now().build(), (IfExists) null),
                    "mode", () -> client.cancelJob("j", null),
                    "ifRefused", () -> client.scheduleJobs(List.of(hourly("k")), null),
                    "action", () -> client.apply(null, JobSelection.keys("j")),
                    "selection", () -> client.apply(JobAction.acknowledge(), null),
                    "scope", () -> client.resume((PauseScope) null),
                    "planned", () -> client.resume(PauseScope.job("j"), null));
            calls.forEach((name, call) -> assertThatThrownBy(call)
                    .as(name)
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage(name));
            assertThatThrownBy(() -> client.isKnown(null)).hasMessage("scope");
            assertThatThrownBy(() -> client.findJobById("j", null)).hasMessage("scope");
            assertThat(client.findJobById("j").orElseThrow().specification().isRecurring())
                    .isTrue();
            assertThat(client.findJobById("k")).isEmpty();
        }
    }

    @Test
    @DisplayName("R5: a run that is to be held until a stage that is null has failed")
    void nullStage() {
        world.begun = run -> run.holdUntil(null);
        Scheduler node = world.node("a").scheduler();
        node.scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(5));
        assertThat(node.findJob("j").orElseThrow().lastStatus().error())
                .asString()
                .contains("NullPointerException", "stage");
    }

    @Test
    @DisplayName("S14: the question before a pause refuses a single job as the pause of a kind of jobs does")
    void pauseOfOneJob() {
        try (Scheduler client = client(world.store)) {
            client.scheduleJob(hourly("j"));
            PauseScope one = PauseScope.job("j");
            assertThatThrownBy(() -> client.checkPause(one, Pause.because("audit")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the pause of a single job is part of its document");
            assertThatThrownBy(() -> client.pause(one, Pause.because("audit"), null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the pause of a single job is part of its document");
            client.checkPause(PauseScope.everything(), Pause.because("audit"));
            assertThat(client.pauses()).isEmpty();
        }
    }

    @Test
    @DisplayName("S14: JobSelection.all() says every job, of every application")
    void everyJob() {
        Scheduler scheduler = world.node("a").scheduler();
        scheduler.scheduleJob(hourly("alone"));
        scheduler.reconcile("app", jobs(0, 2), false);
        assertThat(scheduler.apply(JobAction.cancel(), JobSelection.all()).count(ActionReport.Result.DONE))
                .isEqualTo(3);
        assertThat(scheduler.listJobs(JobQuery.all()).jobs()).isEmpty();
    }

    private static JobQuery query(String requestor, String tag, String application, String prefix, String type) {
        return new JobQuery(requestor, tag, application, null, prefix, type, null, null, null, 9);
    }

    @Test
    @DisplayName("S14: a reconcile that would cancel every job of the application is refused, and changes nothing")
    void nothingDeclared() {
        Scheduler scheduler = world.node("a").scheduler();
        scheduler.reconcile("app", jobs(0, 3), false);
        assertThatThrownBy(() -> scheduler.reconcile("app", List.of(), false)).hasMessageContaining("all 3 jobs");
        assertThatThrownBy(() -> scheduler.reconcile("app", jobs(7, 9), false)).hasMessageContaining("all 3 jobs");
        assertThat(scheduler.findJobById("j-0")).isPresent();
        assertThat(scheduler.findJobById("j-7")).as("nothing else was done").isEmpty();
        assertThat(scheduler.reconcile("app", jobs(2, 3), false).canceled())
                .as("most of fewer than ten")
                .containsExactly("j-0", "j-1");
        assertThat(scheduler.reconcile("none", List.of(), false).isEmpty()).isTrue();
        ReconcileResult dry = scheduler.reconcile("app", List.of(), true);
        assertThat(dry.massCancel()).as("a dry run says so").isTrue();
        assertThat(dry.canceled()).containsExactly("j-2");
        assertThat(scheduler
                        .reconcile("app", List.of(), ReconcileOptions.DEFAULT.allowMassCancel(true))
                        .canceled())
                .containsExactly("j-2");
        assertThat(scheduler.findJobById("j-2")).isEmpty();
    }

    @Test
    @DisplayName("S14: a reconcile that would cancel more than half of ten or more jobs is refused")
    void mostDeclaredNoMore() {
        Scheduler scheduler = world.node("a").scheduler();
        scheduler.reconcile("app", jobs(0, 10), false);
        assertThatThrownBy(() -> scheduler.reconcile("app", jobs(6, 10), false)).hasMessageContaining("6 of 10 jobs");
        assertThat(scheduler.findJobById("j-0")).isPresent();
        assertThat(scheduler.reconcile("app", jobs(5, 10), false).canceled())
                .as("half of them")
                .hasSize(5);
    }

    @Test
    @DisplayName("S13: scheduleJobs throws after the last item if one was refused; the others are stored")
    void refusedItems() {
        Scheduler scheduler = world.node("a").scheduler();
        JobSpecification bad = job("bad").schedulingSpecification("never").build();
        assertThatThrownBy(() -> scheduler.scheduleJobs(List.of(hourly("one"), bad, hourly("two"))))
                .hasMessageContaining("1 of 3 jobs")
                .hasMessageContaining("bad")
                .isInstanceOfSatisfying(BulkScheduleException.class, refused -> {
                    assertThat(refused.results()).extracting(BulkResult::key).containsExactly("one", "bad", "two");
                    assertThat(refused.refused()).extracting(BulkResult::key).containsExactly("bad");
                });
        assertThat(scheduler.scheduleJobs(List.of(bad), IfRefused.REPORT).get(0).error())
                .isInstanceOf(InvalidJobException.class);
        assertThat(scheduler.findJobById("one")).isPresent();
        assertThat(scheduler.findJobById("two")).isPresent();
        assertThat(scheduler.scheduleJobs(jobs(0, 2))).hasSize(2);
    }

    @Test
    @DisplayName("S11: scheduleJob does not replace the live job of another requestor; with KEEP it stays")
    void anotherRequestor() {
        Scheduler scheduler = world.node("a").scheduler();
        scheduler.scheduleJob(hourly("k"));
        assertThatThrownBy(() -> scheduler.scheduleJob(ofOthers("k")))
                .isInstanceOf(JobExistsException.class)
                .hasMessageContaining("'tests'")
                .hasMessageContaining("'others'");
        assertThatThrownBy(() -> scheduler.scheduleJobs(List.of(ofOthers("k")))).hasMessageContaining("'others'");
        assertThatThrownBy(() -> scheduler.in(world.store).scheduleJob(ofOthers("k")))
                .isInstanceOf(JobExistsException.class);
        assertThat(stored(scheduler, "k").version()).isEqualTo(1);
        assertThat(stored(scheduler, "k").jobRequestor()).isEqualTo("tests");
        assertThat(scheduler.scheduleJob(ofOthers("k"), IfExists.KEEP).specification())
                .isEqualTo(stored(scheduler, "k"));
        assertThatThrownBy(() -> scheduler.scheduleJob(ofOthers("k"), IfExists.FAIL))
                .isInstanceOfSatisfying(JobExistsException.class, exists -> {
                    assertThat(exists.requestor()).isEqualTo("tests");
                    assertThat(exists.givenRequestor()).isEqualTo("others");
                });
        scheduler.reconcile("app", List.of(hourly("m")), false);
        assertThat(scheduler.reconcile("app", List.of(ofOthers("m")), false).updated())
                .as("reconcile goes by its tag")
                .containsExactly("m");
        assertThat(scheduler
                        .scheduleJob(ofOthers("k"), IfExists.TAKE_OVER)
                        .specification()
                        .version())
                .isEqualTo(2);
        assertThat(scheduler.scheduleJob(ofOthers("k")).specification().version())
                .isEqualTo(2);
        scheduler.cancelJob("k");
        assertThat(scheduler.scheduleJob(hourly("k")).specification().jobRequestor())
                .as("a key that is free")
                .isEqualTo("tests");
    }

    @Test
    @DisplayName("S11: another command type of the same requestor is stored, and said in its row and its event")
    void anotherType() {
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.command("memo", 1, Memo.class));
        a.scheduler().scheduleJob(hourly("k"));
        a.scheduler()
                .scheduleJob(
                        hourly("k").toBuilder().triggerCommand(new Memo("x")).build());
        assertThat(detail(a.scheduler(), "k")).isEqualTo("updated; its command was of type note, and is of type memo");
        assertThat(warnings(a)).containsExactly("its command was of type note, and is of type memo");
        a.scheduler()
                .scheduleJob(
                        hourly("k").toBuilder().triggerCommand(new Memo("y")).build());
        assertThat(detail(a.scheduler(), "k")).as("the same type").isEqualTo("updated");
        assertThat(warnings(a)).hasSize(1);
    }

    @Test
    @DisplayName("S14: the resume of what is not paused is told as what it is, to listeners, too")
    void notPaused() {
        Machine a = world.node("a");
        assertThat(a.scheduler().resume(PauseScope.tag("tpyo"))).isFalse();
        assertThat(a.scheduler().resume(PauseScope.tag("tpyo"), World.START)).isFalse();
        world.pass(Duration.ZERO);
        assertThat(a.events()).noneMatch(SchedulerEvent.JobsPaused.class::isInstance);
    }

    private List<String> warnings(Machine machine) {
        world.pass(Duration.ZERO);
        return machine.events().stream()
                .map(event -> event instanceof SchedulerEvent.JobUpdated updated
                        ? updated.warning()
                        : event instanceof SchedulerEvent.JobsPaused paused ? paused.warning() : null)
                .filter(Objects::nonNull)
                .toList();
    }

    private record Memo(String text) implements SchedulingCommand {}

    private static JobSpecification stored(Scheduler scheduler, String key) {
        return scheduler.findJobById(key).orElseThrow().specification();
    }

    private static String detail(Scheduler scheduler, String key) {
        return String.valueOf(scheduler.history(key).get(0).detail());
    }

    @Test
    @DisplayName("S11: a reconcile that takes back what a person has changed says whose change that was, and why")
    void undone() {
        Machine a = world.node("a");
        a.scheduler().reconcile("app", List.of(hourly("k")), false);
        a.scheduler()
                .as("ann", "INC-7")
                .updateJob(stored(a.scheduler(), "k").toBuilder()
                        .schedulingSpecification("0 30 * * * ?")
                        .build());
        world.pass(Duration.ofMinutes(31));
        a.scheduler().reconcile("app", List.of(hourly("k")), false);
        assertThat(stored(a.scheduler(), "k").schedulingSpecification()).contains(EACH_HOUR);
        assertThat(detail(a.scheduler(), "k")).contains("schedulingSpecification", "ann", "INC-7");
        assertThat(warnings(a))
                .singleElement()
                .satisfies(text -> assertThat(text)
                        .startsWith(
                                "replaces what persons have changed: schedulingSpecification by ann (INC-7) at 2099-"));
        a.scheduler()
                .reconcile("app", List.of(hourly("k").toBuilder().priority(1).build()), false);
        assertThat(detail(a.scheduler(), "k")).as("the next change").doesNotContain("ann");
    }

    @Test
    @DisplayName(
            "S11: the service's own start takes back as a reconcile does; other fields, and what persons do, are left")
    void undoneByTheService() {
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.serviceName("shop"));
        a.scheduler().scheduleJob(hourly("k"));
        Scheduler ann = a.scheduler().as("ann", "INC-7");
        ann.apply(JobAction.update(job -> job.priority(1)), JobSelection.keys("k"));
        a.scheduler().as("bob", null).apply(JobAction.update(job -> job.tags("x")), JobSelection.keys("k"));
        assertThat(warnings(a)).isEmpty();
        a.scheduler().scheduleJob(hourly("k").toBuilder().tags("x").build());
        assertThat(warnings(a))
                .singleElement()
                .satisfies(text ->
                        assertThat(text).contains("priority by ann (INC-7)").doesNotContain("bob"));
        a.scheduler().scheduleJob(hourly("k"));
        assertThat(detail(a.scheduler(), "k")).contains("tags by bob").doesNotContain("ann");
        var writer = a.scheduler().as("ann", "INC-8").in(world.store);
        writer.updateJob(stored(a.scheduler(), "k").toBuilder().priority(2).build());
        a.scheduler().in(world.store).scheduleJob(hourly("k"));
        assertThat(detail(a.scheduler(), "k"))
                .as("in a transaction of the caller")
                .contains("priority by ann (INC-8)");
    }

    @Test
    @DisplayName(
            "S14: a pause of a tag, type or node that nothing has stands, with a warning; one that something has none")
    void pauseOfNothing() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(hourly("k").toBuilder().tags("night").build());
        world.pass(Duration.ofSeconds(10));
        a.scheduler().pause(PauseScope.tag("night"), Pause.because("x"));
        a.scheduler().pause(PauseScope.commandType("note"), Pause.because("x"));
        a.scheduler().pause(PauseScope.node(a.scheduler().node().id()), Pause.because("x"));
        a.scheduler().pause(PauseScope.everything(), Pause.because("x"));
        assertThat(warnings(a)).isEmpty();
        a.scheduler().pause(PauseScope.tag("nigth"), Pause.because("x"));
        a.scheduler().pause(PauseScope.commandType("noot"), Pause.because("x"));
        a.scheduler().pause(PauseScope.node("b"), Pause.because("x"));
        assertThat(warnings(a)).hasSize(3).allSatisfy(text -> assertThat(text).contains("nothing has that name"));
        assertThat(a.scheduler().pauses()).hasSize(7);
        assertThat(a.scheduler().isKnown(PauseScope.job("k"))).isTrue();
        assertThat(a.scheduler().isKnown(PauseScope.job("l"))).isFalse();
    }

    @Test
    @DisplayName(
            "S14: while a node drains it is not known what types it has, so a pause of a type is taken for no slip")
    void pauseWhileDraining() {
        world.work = call -> new CompletableFuture<>();
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.command("rare", 1, Memo.class));
        a.scheduler().scheduleJob(job("k").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(10));
        PauseScope slip = PauseScope.commandType("raer");
        assertThat(a.scheduler().isKnown(slip)).isFalse();
        a.scheduler().beginDrain(Duration.ofHours(1));
        world.pass(Duration.ofMinutes(1));
        Scheduler client = world.client(builder -> builder);
        assertThat(client.isKnown(PauseScope.commandType("rare"))).isTrue();
        a.lanes().close();
        world.pass(Duration.ofMinutes(10));
        assertThat(client.isKnown(slip)).as("it is dead").isFalse();
    }

    @Test
    @DisplayName("S15: the identifier of a failure command is the key unless it is given")
    void failureIdentifier() {
        Scheduler scheduler = world.node("a").scheduler();
        JobSpecification job = hourly("k").toBuilder()
                .failureCommand(new Note("sorry"))
                .onSuccess(job("{key}-next")
                        .now()
                        .failureCommand(new Note("sorry"))
                        .build())
                .build();
        assertThat(scheduler.scheduleJob(job).specification().failureIdentifier())
                .contains("k");
        assertThat(scheduler.scheduleJob(job).specification().version()).isEqualTo(1);
        scheduler.runNow("k");
        world.pass(Duration.ofSeconds(1));
        assertThat(scheduler.history("k-next")).isNotEmpty();
        assertThatThrownBy(() -> scheduler.scheduleJob(
                        hourly("l").toBuilder().failureIdentifier("m").build()))
                .hasMessageContaining("failureCommand");
    }

    @Test
    @DisplayName("S15: defaults and limits of type * are those of all types; a name that is not known is refused")
    void allTypes() {
        Scheduler scheduler = world.client(
                builder -> builder.typeDefaults("*", new TypeDefaults(6, null)).typeLimit("*", 2));
        assertThat(scheduler.scheduleJob(hourly("k")).specification().priority())
                .isEqualTo(6);
        assertThatThrownBy(() -> world.client(builder -> builder.typeDefaults("noot", TypeDefaults.NONE)))
                .hasMessageContaining("'noot'")
                .hasMessageContaining("note");
        assertThatThrownBy(() -> world.client(builder -> builder.typeLimit("noot", 1)))
                .hasMessageContaining("'noot'")
                .hasMessageContaining("note");
        Scheduler both = world.client(builder -> builder.typeDefaults(
                        "*", new TypeDefaults(6, RetryPolicy.fixed(1, Duration.ofSeconds(3))))
                .typeDefaults("note", new TypeDefaults(2, null)));
        JobSpecification stored = both.scheduleJob(hourly("l")).specification();
        assertThat(stored.priority()).as("its own").isEqualTo(2);
        assertThat(stored.retryPolicy()).as("that of all").isEqualTo(RetryPolicy.fixed(1, Duration.ofSeconds(3)));
    }

    @Test
    @DisplayName("S15: a type limit below 1 is refused, since no job of the type would ever be claimed")
    void noRuns() {
        for (int runs : List.of(0, -1)) {
            assertThatThrownBy(() -> world.client(builder -> builder.typeLimit("note", runs)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'note'")
                    .hasMessageContaining(" " + runs + " ")
                    .hasMessageContaining("pause");
        }
    }

    @Test
    @DisplayName("S15: a limit of type * holds for each type, one of its own before it")
    void limitOfAllTypes() {
        world.work = call -> world.after(Duration.ofHours(1));
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.typeLimit("*", 2));
        List<JobSpecification> due = IntStream.range(0, 5)
                .mapToObj(
                        i -> job("d-" + i).singleSchedule(START.plusSeconds(1)).build())
                .toList();
        assertThat(a.scheduler().scheduleJobs(due)).hasSize(5);
        world.pass(Duration.ofSeconds(5));
        assertThat(world.calls).hasSize(2);
        world.node(
                "b",
                world.store,
                Duration.ZERO,
                builder -> builder.typeLimit("*", 2).typeLimit("note", 3));
        world.pass(Duration.ofSeconds(5));
        assertThat(world.calls).hasSize(5);
    }

    @Test
    @DisplayName("S15: a node without a label is called by host name and process id")
    void label() {
        Machine a = world.node("a");
        world.pass(Duration.ofSeconds(10));
        assertThat(world.store.cluster().nodes(START.minusSeconds(1)))
                .singleElement()
                .satisfies(node -> assertThat(node.label())
                        .isEqualTo(HostName.ofProcess())
                        .endsWith("/" + ProcessHandle.current().pid()));
        assertThat(a.scheduler().node().id()).isNotEmpty();
    }

    @Test
    @DisplayName("S15: a standby of a label that several nodes have is refused, and names them; that of an id is not")
    void ambiguousLabel() {
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.label("same"));
        Machine b = world.node("b", world.store, Duration.ZERO, builder -> builder.label("same"));
        world.pass(Duration.ofSeconds(10));
        assertThatThrownBy(() -> a.scheduler().pause(PauseScope.node("same"), Pause.because("x")))
                .hasMessageContaining(a.scheduler().node().id())
                .hasMessageContaining(b.scheduler().node().id());
        assertThat(a.scheduler().pauses()).isEmpty();
        a.scheduler().pause(PauseScope.node(a.scheduler().node().id()), Pause.because("x"));
        assertThat(a.scheduler().pauses()).hasSize(1);
    }
}
