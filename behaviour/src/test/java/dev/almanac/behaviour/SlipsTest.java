package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.behaviour.World.Note;
import dev.almanac.helper.TypeDefaults;
import dev.almanac.model.IfExists;
import dev.almanac.model.JobExistsException;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
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
                .hasMessageContaining("bad");
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
        scheduler.cancelJob("k");
        assertThat(scheduler.scheduleJob(ofOthers("k")).specification().jobRequestor())
                .as("a key that is free")
                .isEqualTo("others");
    }

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
        world.pass(Duration.ofHours(2));
        a.scheduler().reconcile("app", List.of(hourly("k")), false);
        assertThat(stored(a.scheduler(), "k").schedulingSpecification()).isEqualTo(EACH_HOUR);
        assertThat(detail(a.scheduler(), "k")).contains("schedulingSpecification", "ann", "INC-7");
        a.scheduler()
                .reconcile("app", List.of(hourly("k").toBuilder().priority(1).build()), false);
        assertThat(detail(a.scheduler(), "k")).as("the next change").doesNotContain("ann");
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
                .isEqualTo("k");
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
