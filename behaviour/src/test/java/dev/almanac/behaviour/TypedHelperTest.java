package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static dev.almanac.behaviour.World.outcomes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.SchedulerBuilder;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.behaviour.World.Note;
import dev.almanac.helper.CommandType;
import dev.almanac.helper.Execution;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.helper.TypedHelper;
import dev.almanac.model.FieldChange;
import dev.almanac.model.IfExists;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobExistsException;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Problem;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.SchedulerSettings;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The short way to a first job: helpers that are functions, specifications that say what is required. */
class TypedHelperTest {
    sealed interface Post extends SchedulingCommand permits Letter, Parcel {}

    record Letter(String to) implements Post {}

    record Parcel(String to) implements Post {}

    private final World world = new World(0, InMemoryJobStore::new);
    private final List<String> told = new ArrayList<>();

    private Machine node(UnaryOperator<SchedulerBuilder> more) {
        return world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> more.apply(builder.serviceName("mail")
                        .settings(SchedulerSettings.builder()
                                .pastAcceptanceWindow(Duration.ofMinutes(1))
                                .build())));
    }

    private static JobSpecification letter(String key) {
        return JobSpecification.oneOff(key, START.plusSeconds(1), new Letter("ann"));
    }

    @Test
    @DisplayName(
            "a command type, and what runs it, are registered in one call; the run has ended when the call returns")
    void oneCall() {
        Machine a = node(builder -> builder.command(
                "letter", 1, Letter.class, (letter, run) -> told.add(letter.to() + " " + run.identifier())));
        a.scheduler().scheduleJob(letter("k"));
        world.pass(Duration.ofSeconds(2));
        assertThat(told).containsExactly("ann k");
        assertThat(outcomes(a, "k")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("a helper that is a function may throw what it likes; the attempt has failed then, and is tried again")
    void throwing() {
        Machine a = node(builder -> builder.command("letter", 1, Letter.class, (letter, run) -> {
            if (run.attempt() == 1) {
                throw new IOException("no stamps");
            }
            told.add(letter.to());
        }));
        a.scheduler().scheduleJob(letter("k").toBuilder().retryPolicy("R1/PT1S").build());
        world.pass(Duration.ofSeconds(5));
        assertThat(told).containsExactly("ann");
        assertThat(outcomes(a, "k"))
                .containsExactly("SCHEDULED/NONE", "SCHEDULED/ATTEMPT_FAILED", "TRIGGERED/SUCCEEDED");
        assertThat(a.scheduler().history("k").get(1).error())
                .satisfies(error -> assertThat(error.type()).isEqualTo("java.io.IOException"));
    }

    @Test
    @DisplayName("a helper that is an asynchronous function ends with its stage, not with its call")
    void async() {
        CompletableFuture<String> stage = new CompletableFuture<>();
        Machine a = node(builder -> builder.command(
                CommandType.of("letter", 1, Letter.class),
                SchedulingHelper.ofAsync(Letter.class, (letter, run) -> stage)));
        a.scheduler().scheduleJob(letter("k"));
        world.later(Duration.ofMinutes(3), () -> stage.complete("delivered"));
        world.pass(Duration.ofMinutes(2));
        assertThat(outcomes(a, "k")).containsExactly("SCHEDULED/NONE");
        world.pass(Duration.ofMinutes(2));
        assertThat(outcomes(a, "k")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("the stage of an asynchronous function is cancelled when its run is told to stop")
    void cancelled() {
        CompletableFuture<String> stage = new CompletableFuture<>();
        Machine a = node(builder -> builder.command(
                CommandType.of("letter", 1, Letter.class),
                SchedulingHelper.ofAsync(Letter.class, (letter, run) -> stage)));
        a.scheduler()
                .scheduleJob(letter("k").toBuilder()
                        .executionTimeout(Duration.ofSeconds(5))
                        .build());
        world.pass(Duration.ofSeconds(5));
        assertThat(stage).isNotDone();
        world.pass(Duration.ofSeconds(5));
        assertThat(stage).isCancelled();
    }

    @Test
    @DisplayName(
            "X8: a stage that cannot be cancelled keeps the lease of its run, so that no retry and no other node overlaps it")
    void notCancelled() {
        CompletableFuture<String> stage = new CompletableFuture<>();
        List<CompletionStage<String>> stages = List.of(stage.minimalCompletionStage(), unwilling(stage));
        Machine a = node(builder -> builder.command(
                        CommandType.of("letter", 1, Letter.class),
                        SchedulingHelper.ofAsync(Letter.class, (letter, run) -> {
                            told.add("letter");
                            return stages.get(0);
                        }))
                .command(
                        CommandType.of("parcel", 1, Parcel.class),
                        SchedulingHelper.ofAsync(Parcel.class, (parcel, run) -> {
                            told.add("parcel");
                            return stages.get(1);
                        })));
        for (JobSpecification job :
                List.of(letter("letter"), JobSpecification.oneOff("parcel", START.plusSeconds(1), new Parcel("eve")))) {
            a.scheduler()
                    .scheduleJob(job.toBuilder()
                            .executionTimeout(Duration.ofSeconds(5))
                            .retryPolicy("R1/PT1S")
                            .build());
        }
        world.pass(Duration.ofMinutes(2));
        assertThat(told).containsExactlyInAnyOrder("letter", "parcel");
        assertThat(a.scheduler().node().runs()).isEqualTo(2);
        assertThat(outcomes(a, "letter")).containsExactly("SCHEDULED/NONE", "SCHEDULED/TIMED_OUT");
        assertThat(outcomes(a, "parcel")).containsExactly("SCHEDULED/NONE", "SCHEDULED/TIMED_OUT");
        stage.complete("delivered");
        world.pass(Duration.ofMinutes(1));
        assertThat(told).hasSize(4);
    }

    /** A stage of a library that has no future. */
    @SuppressWarnings("unchecked")
    private static CompletionStage<String> unwilling(CompletableFuture<String> stage) {
        return StoreHook.over(CompletionStage.class, stage, (method, arguments, call) -> {
            if (method.equals("toCompletableFuture")) {
                throw new UnsupportedOperationException("this stage has no future");
            }
            return call.proceed();
        });
    }

    @Test
    @DisplayName("R3: the function for late runs is called for these alone; without one they run like the others")
    void late() {
        TypedHelper<Letter> plain = SchedulingHelper.of(Letter.class, (letter, run) -> told.add("on time"));
        Machine a = node(builder -> builder.command(
                        CommandType.of("letter", 1, Letter.class),
                        plain.late((letter, run, over) -> told.add("late by " + over)))
                .command(
                        CommandType.of("parcel", 1, Parcel.class),
                        SchedulingHelper.of(Parcel.class, (parcel, run) -> told.add("parcel " + run.late()))));
        a.scheduler().scheduleJob(letter("k"));
        world.pass(Duration.ofSeconds(2));
        for (SchedulingCommand command : List.of(new Letter("ben"), new Parcel("eve"))) {
            a.scheduler()
                    .scheduleJob(
                            JobSpecification.oneOff(
                                            "late " + command, world.time.wall().minusSeconds(10), command)
                                    .toBuilder()
                                    .lateExecutionThreshold(Duration.ofSeconds(3))
                                    .build());
            world.pass(Duration.ofSeconds(2));
        }
        assertThat(told).hasSize(3).first().isEqualTo("on time");
        assertThat(told.get(1)).startsWith("late by PT7");
        assertThat(told.get(2)).isEqualTo("parcel true");
    }

    @Test
    @DisplayName("a helper of many types that has only the execute with the execution is called for late runs, too")
    void longForm() {
        Machine a = node(builder -> builder.command("letter", 1, Letter.class)
                .command("parcel", 1, Parcel.class)
                .helper(new SchedulingHelper() {
                    @Override
                    public boolean supports(SchedulingCommand command) {
                        return command instanceof Post;
                    }

                    @Override
                    public CompletionStage<Void> execute(String id, SchedulingCommand command, Execution execution) {
                        told.add(command + " " + execution.late());
                        return CompletableFuture.completedFuture(null);
                    }
                }));
        a.scheduler().scheduleJob(letter("k"));
        a.scheduler()
                .scheduleJob(JobSpecification.oneOff("late", START.minusSeconds(10), new Parcel("eve")).toBuilder()
                        .lateExecutionThreshold(Duration.ofSeconds(3))
                        .build());
        world.pass(Duration.ofSeconds(2));
        assertThat(told).containsExactlyInAnyOrder("Letter[to=ann] false", "Parcel[to=eve] true");
        assertThat(outcomes(a, "late")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("a helper without any execute fails its runs, and says which methods there are")
    void noExecute() {
        Machine a = node(builder -> builder.command("letter", 1, Letter.class).helper(Letter.class::isInstance));
        a.scheduler().scheduleJob(letter("k"));
        world.pass(Duration.ofSeconds(2));
        assertThat(outcomes(a, "k")).containsExactly("SCHEDULED/NONE", "FAILED/RETRIES_EXHAUSTED");
        assertThat(a.scheduler().history("k").get(0).error())
                .satisfies(error -> assertThat(error.message()).contains("execute(id, command, execution)"));
    }

    @Test
    @DisplayName("a typed helper tells its type without a command, and runs every kind of it; others cannot tell")
    void types() {
        TypedHelper<Post> post = SchedulingHelper.of(
                Post.class, (command, run) -> told.add(command.getClass().getSimpleName()));
        assertThat(post.commandTypes())
                .hasValueSatisfying(types -> assertThat(types).isEqualTo(java.util.Set.of(Post.class)));
        assertThat(post.supports(new Note("n"))).isFalse();
        SchedulingHelper other = Note.class::isInstance;
        assertThat(other.commandTypes()).isEmpty();
        Machine a = node(builder -> builder.command("letter", 1, Letter.class)
                .command("parcel", 1, Parcel.class)
                .helper(post));
        a.scheduler().scheduleJob(letter("k"));
        a.scheduler().scheduleJob(JobSpecification.oneOff("p", START.plusSeconds(1), new Parcel("eve")));
        world.pass(Duration.ofSeconds(2));
        assertThat(told).containsExactlyInAnyOrder("Letter", "Parcel");
    }

    @Test
    @DisplayName(
            "a specification of required fields alone has the service's name as requestor and its key as identifier")
    void requiredAlone() {
        Machine a = node(builder -> builder.command("letter", 1, Letter.class, (letter, run) -> {}));
        JobSpecification nightly =
                JobSpecification.recurring("nightly", "0 30 3 * * ?", ZoneId.of("Europe/Brussels"), new Letter("ann"));
        JobSpecification stored = a.scheduler().scheduleJob(nightly).specification();
        assertThat(stored.jobRequestor()).isEqualTo("mail");
        assertThat(stored.triggerIdentifier()).isEqualTo("nightly");
        assertThat(stored.zoneId()).isEqualTo(ZoneId.of("Europe/Brussels"));
        assertThat(a.scheduler().scheduleJob(nightly).specification().version())
                .as("M3: to say the same again changes nothing")
                .isEqualTo(1);
        JobSpecification named = a.scheduler()
                .scheduleJob(letter("k").toBuilder()
                        .jobRequestor("billing")
                        .triggerIdentifier("4711")
                        .build())
                .specification();
        assertThat(named.jobRequestor()).isEqualTo("billing");
        assertThat(named.triggerIdentifier()).isEqualTo("4711");
    }

    @Test
    @DisplayName("M1: without a service's name the requestor stays required; the node's label is not taken for it")
    void noServiceName() {
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.label("host 1").command("letter", 1, Letter.class, (letter, run) -> {}));
        assertThat(a.scheduler().check(letter("k"))).singleElement().satisfies(problem -> {
            assertThat(problem.field()).isEqualTo("jobRequestor");
        });
        assertThatThrownBy(() -> a.scheduler().scheduleJob(letter("k"))).isInstanceOf(InvalidJobException.class);
        assertThatThrownBy(() -> dev.almanac.Scheduler.builder().serviceName(""))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("M1: check returns all problems that scheduleJob would, and writes nothing")
    void check() {
        Machine a = node(builder -> builder.command("letter", 1, Letter.class, (letter, run) -> {}));
        JobSpecification wrong = letter("k").toBuilder()
                .priority(9)
                .calendar("unknown")
                .retryPolicy("often")
                .build();
        assertThat(a.scheduler().check(wrong))
                .extracting(Problem::field)
                .containsExactlyInAnyOrder("priority", "calendars", "retryPolicy");
        assertThat(a.scheduler().check(letter("k"))).isEmpty();
        assertThat(a.scheduler().findJobById("k")).isEmpty();
        a.scheduler().scheduleJob(letter("k"));
        assertThat(a.scheduler().check(wrong)).hasSize(3);
    }

    @Test
    @DisplayName("check accepts the live job as it is, also when its moment has passed; another past moment it refuses")
    void checkStored() {
        Machine a = node(builder -> builder.command("letter", 1, Letter.class));
        JobSpecification job = job("k").singleSchedule(START.plusSeconds(1)).build();
        a.scheduler()
                .pause(dev.almanac.model.PauseScope.everything(), new dev.almanac.model.Pause("test", "ann", null));
        a.scheduler().scheduleJob(job, IfExists.REPLACE);
        world.pass(Duration.ofMinutes(5));
        assertThat(a.scheduler().check(job)).isEmpty();
        assertThat(a.scheduler().check(job.toBuilder().singleSchedule(START).build()))
                .as("five minutes are more than the one that is accepted")
                .extracting(Problem::field)
                .containsExactly("singleSchedule");
    }

    @Test
    @DisplayName("M1: check refuses what scheduleJob refuses for the live job of the key, all of it, and nothing else")
    void checkOfLive() {
        Machine a = node(builder -> builder.command("letter", 1, Letter.class));
        JobSpecification job = job("k").every("PT1M").build();
        a.scheduler().scheduleJob(job);
        world.pass(Duration.ofMinutes(3));
        JobSpecification ended = job.toBuilder().maxFires(2).build();
        assertThat(a.scheduler().check(ended)).extracting(Problem::field).containsExactly("maxFires");
        assertThatThrownBy(() -> a.scheduler().scheduleJob(ended)).isInstanceOf(InvalidJobException.class);
        JobSpecification foreign =
                ended.toBuilder().jobRequestor("others").priority(9).build();
        assertThat(a.scheduler().check(foreign))
                .extracting(Problem::field)
                .containsExactlyInAnyOrder("jobRequestor", "maxFires", "priority");
        assertThatThrownBy(() -> a.scheduler()
                        .scheduleJob(job.toBuilder().jobRequestor("others").build()))
                .isInstanceOf(JobExistsException.class);
        assertThat(a.scheduler().check(job.toBuilder().maxFires(9).build())).isEmpty();
        assertThat(a.scheduler().check(job)).isEmpty();
    }

    @Test
    @DisplayName("M3: changes names what a job would change of the live one of its key, and writes nothing")
    void changes() {
        Machine a = node(builder -> builder.command("letter", 1, Letter.class));
        assertThat(a.scheduler().changes(letter("k"))).as("none is live").isEmpty();
        a.scheduler().scheduleJob(letter("k"));
        assertThat(a.scheduler().changes(letter("k")))
                .as("what it leaves out is filled in as it is when it is stored")
                .isEmpty();
        JobSpecification other = letter("k").toBuilder().priority(2).build();
        assertThat(a.scheduler().changes(other))
                .extracting(FieldChange::toString)
                .containsExactly("priority: 4 -> 2");
        assertThat(a.scheduler().findJobById("k").orElseThrow().specification().priority())
                .isEqualTo(4);
    }
}
