package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static dev.almanac.behaviour.World.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.almanac.Health;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.event.SchedulerListener;
import dev.almanac.helper.CommandCodec;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CrashPolicy;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.JobQuery;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** The service's own code fails where the engine calls it. */
class ContainedTest {
    /** A command that the world's own helper does not support. */
    record Other(String text) implements SchedulingCommand {}

    /** An exception that fails itself when it is logged or reported. */
    private static final class Unreadable extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }

        @Override
        public String toString() {
            throw new IllegalStateException("no text");
        }
    }

    /** The same, as an Error. */
    private static final class UnreadableError extends Error {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }

    private final World world = new World(0, InMemoryJobStore::new);

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.almanac");
    private final Level usual = logger.getLevel();

    /** What is logged is read, as by any appender. */
    @BeforeEach
    void log() {
        logger.setLevel(Level.WARN);
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void logAsUsual() {
        logger.detachAppender(lines);
        logger.setLevel(usual);
    }

    private static <E extends Throwable> void fail(String how) throws E {
        @SuppressWarnings("unchecked")
        E thrown = (E)
                switch (how) {
                    case "exception" -> new IllegalStateException("boom");
                    case "damage" -> new IllegalArgumentException("boom");
                    case "checked" -> new Exception("boom");
                    case "assertion" -> new AssertionError("boom");
                    case "unreadable" -> new Unreadable();
                    case "unreadable error" -> new UnreadableError();
                    case "missing class" -> new NoClassDefFoundError("boom");
                    default -> new StackOverflowError();
                };
        throw thrown;
    }

    @ParameterizedTest
    @ValueSource(strings = {"exception", "checked", "assertion", "missing class", "overflow", "unreadable"})
    @DisplayName(
            "O4: a listener that throws, whatever it throws, harms neither runs nor other listeners, and is reported")
    void listener(String how) {
        List<SchedulerEvent> others = new ArrayList<>();
        SchedulerListener failing = event -> {
            if (event instanceof SchedulerEvent.JobEvent) {
                ContainedTest.<RuntimeException>fail(how);
            }
        };
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.listener(failing).listener(others::add));
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofMinutes(2));
        assertThat(world.callsOf("j")).hasSize(1);
        assertThat(outcomes(a, "j")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(a.scheduler().node().runs()).isZero();
        assertThat(others).hasAtLeastOneElementOfType(SchedulerEvent.RunRecorded.class);
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.DEGRADED);
        assertThat(a.scheduler().health().reasons())
                .hasSize(4)
                .anySatisfy(reason -> assertThat(reason).contains("listener", "RunEnded has failed once"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"exception", "checked", "assertion", "missing class", "overflow", "unreadable"})
    @DisplayName(
            "R8: a helper whose supports throws does not support; the next one is asked, and it is reported for a while")
    void supports(String how) {
        SchedulingHelper failing = new SchedulingHelper() {
            @Override
            public boolean supports(SchedulingCommand command) {
                ContainedTest.<RuntimeException>fail(how);
                return true;
            }

            @Override
            public CompletionStage<Void> execute(String id, SchedulingCommand command) {
                throw new AssertionError("it does not support this");
            }
        };
        SchedulingHelper fair = new SchedulingHelper() {
            @Override
            public boolean supports(SchedulingCommand command) {
                return command instanceof Other;
            }

            @Override
            public CompletionStage<Void> execute(String id, SchedulingCommand command) {
                return CompletableFuture.completedFuture(null);
            }
        };
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder ->
                        builder.command("other", 1, Other.class).helper(failing).helper(fair));
        for (String key : List.of("j", "k")) {
            a.scheduler()
                    .scheduleJob(job(key).triggerCommand(new Other(key))
                            .singleSchedule(START.plusSeconds(1))
                            .build());
        }
        world.pass(Duration.ofMinutes(1));
        assertThat(outcomes(a, "j")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(a.scheduler().health().reasons())
                .singleElement()
                .asString()
                .contains(".supports, which counts as no, has failed 2 times");
        world.pass(Duration.ofMinutes(5));
        assertThat(a.scheduler().health().state()).as("old news").isEqualTo(Health.State.UP);
    }

    @ParameterizedTest
    @ValueSource(strings = {"exception", "overflow", "unreadable"})
    @DisplayName("X1: a run that the executor refuses is released and runs later, whatever the refusal says")
    void executor(String how) {
        boolean[] refuse = {true};
        var lanes = world.lanes.node();
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.executor(step -> {
                    if (refuse[0]) {
                        refuse[0] = false;
                        ContainedTest.<RuntimeException>fail(how);
                    }
                    lanes.open("executor", 1).run(step);
                }));
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofMinutes(1));
        assertThat(world.callsOf("j")).hasSize(1);
        assertThat(a.scheduler().node().runs()).isZero();
    }

    /** Includes all times; throws while it is broken. */
    private static ExclusionCalendar failing(AtomicBoolean broken) {
        return new ExclusionCalendar() {
            @Override
            public boolean isIncluded(Instant instant, ZoneId zone) {
                if (broken.get()) {
                    ContainedTest.<RuntimeException>fail("exception");
                }
                return true;
            }

            @Override
            public Optional<Instant> nextIncluded(Instant instant, ZoneId zone) {
                isIncluded(instant, zone);
                return Optional.of(instant);
            }
        };
    }

    @Test
    @DisplayName(
            "X6, O4: a calendar that throws when a fire is planned is reported by health and by one line of the log")
    void calendar() {
        AtomicBoolean broken = new AtomicBoolean();
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.calendar("c", failing(broken)));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0/10 * * * * ?")
                        .calendar("c")
                        .build());
        a.scheduler()
                .scheduleJob(job("k").schedulingSpecification("0/10 * * * * ?").build());
        world.pass(Duration.ofSeconds(15));
        broken.set(true);
        world.pass(Duration.ofMinutes(20));
        assertThat(lines.list)
                .filteredOn(line -> line.getFormattedMessage().contains("planning a fire"))
                .hasSize(1);
        assertThat(a.scheduler().health().reasons())
                .anySatisfy(reason -> assertThat(reason).matches("planning a fire has failed \\d+ times, .*"));
        assertThat(world.callsOf("k")).hasSize(121);
        assertThat(world.callsOf("j")).hasSize(1);
        broken.set(false);
        world.pass(Duration.ofMinutes(10));
        assertThat(world.callsOf("j")).hasSizeGreaterThan(50);
        assertThat(a.scheduler().health().reasons()).as("old news").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"exception", "assertion", "overflow", "unreadable", "unreadable error"})
    @DisplayName("N8, N15: a run has ended whatever a calendar throws when the next fire is planned: none repeats it")
    void calendarAtEnd(String how) {
        AtomicBoolean broken = new AtomicBoolean();
        ExclusionCalendar calendar = new ExclusionCalendar() {
            @Override
            public boolean isIncluded(Instant instant, ZoneId zone) {
                return !broken.get() || !instant.isAfter(START.plusSeconds(10));
            }

            @Override
            public Optional<Instant> nextIncluded(Instant instant, ZoneId zone) {
                if (broken.get()) {
                    ContainedTest.<RuntimeException>fail(how);
                }
                return Optional.of(instant);
            }
        };
        world.work = call -> {
            broken.set(world.calls.size() == 1);
            return CompletableFuture.completedFuture(null);
        };
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.calendar("c", calendar));
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("0/10 * * * * ?")
                        .calendar("c")
                        .build());
        world.pass(Duration.ofMinutes(3));
        assertThat(world.callsOf("j")).hasSize(1);
        assertThat(outcomes(a, "j")).containsExactly("SCHEDULED/NONE", "SCHEDULED/SUCCEEDED");
        assertThat(a.events()).doesNotHaveAnyElementsOfTypes(SchedulerEvent.LeaseLost.class);
        broken.set(false);
        world.pass(Duration.ofMinutes(3));
        assertThat(world.callsOf("j")).hasSizeGreaterThan(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"exception", "assertion", "overflow", "unreadable", "unreadable error"})
    @DisplayName(
            "N15, O5: a calendar that throws at a claim, whatever it is, costs that claim only, and health names it")
    void calendarAtClaim(String how) {
        AtomicBoolean broken = new AtomicBoolean();
        HookedCalendar calendar = new HookedCalendar(() -> {
            if (broken.get()) {
                ContainedTest.<RuntimeException>fail(how);
            }
        });
        world.work = call -> world.after(Duration.ofMinutes(4));
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.calendar("c", calendar));
        a.scheduler().scheduleJob(job("k").singleSchedule(START.plusSeconds(1)).build());
        a.scheduler()
                .scheduleJob(job("j").schedulingSpecification("10 * * * * ?")
                        .calendar("c")
                        .build());
        broken.set(true);
        world.pass(Duration.ofMinutes(3));
        assertThat(world.calls).extracting(World.Call::job).containsExactly("k");
        assertThat(a.events())
                .hasAtLeastOneElementOfType(SchedulerEvent.ClaimReleased.class)
                .doesNotHaveAnyElementsOfTypes(SchedulerEvent.KernelRestarted.class, SchedulerEvent.LeaseLost.class);
        assertThat(a.scheduler().health().reasons())
                .anySatisfy(reason -> assertThat(reason).startsWith("planning a fire has failed"));
        broken.set(false);
        world.pass(Duration.ofMinutes(3));
        assertThat(outcomes(a, "k")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(world.callsOf("j")).isNotEmpty();
    }

    @Test
    @DisplayName("O4: a page of the repairs that cannot be read is reported, and read again")
    void repairs() {
        int[] pages = {0};
        JobStore failing = StoreHook.over(world.store, (method, arguments, call) -> {
            if (method.equals("newestRows") && ++pages[0] <= 3) {
                ContainedTest.<RuntimeException>fail("missing class");
            }
            return call.proceed();
        });
        Machine a = world.node("a", failing, Duration.ZERO, builder -> builder);
        world.pass(Duration.ofSeconds(35));
        assertThat(pages).containsExactly(3);
        assertThat(a.scheduler().health().reasons())
                .singleElement()
                .asString()
                .startsWith("repairing rows has failed 3 times");
        world.pass(Duration.ofMinutes(10));
        assertThat(pages[0]).isBetween(5, 6);
        assertThat(a.scheduler().health().reasons()).as("old news").isEmpty();
    }

    /** A node on which the codec fails at the command of one job. */
    private Machine withoutCodec(String name, String how) {
        CommandCodec codec = world.store.commandCodec();
        CommandCodec failing = new CommandCodec() {
            @Override
            public Map<String, Object> encode(SchedulingCommand command) {
                return codec.encode(command);
            }

            @Override
            public <C extends SchedulingCommand> C decode(Map<String, Object> body, Class<C> type) {
                C command = codec.decode(body, type);
                if (command.equals(new World.Note("j"))) {
                    ContainedTest.<RuntimeException>fail(how);
                }
                return command;
            }
        };
        JobStore store = StoreHook.over(
                world.store, (method, arguments, call) -> method.equals("commandCodec") ? failing : call.proceed());
        return world.node(name, store, Duration.ZERO, builder -> builder);
    }

    private void scheduleBoth(Machine a) {
        for (String key : List.of("j", "k")) {
            a.scheduler()
                    .scheduleJob(job(key).singleSchedule(START.plusSeconds(1))
                            .crashPolicy(CrashPolicy.FAIL)
                            .build());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"exception", "checked", "assertion", "missing class", "overflow", "unreadable"})
    @DisplayName(
            "X1, X6: a codec that fails on one node blocks nothing and costs no attempt; another node runs the job")
    void codec(String how) {
        Machine a = withoutCodec("a", how);
        scheduleBoth(a);
        world.pass(Duration.ofSeconds(70));
        assertThat(world.callsOf("k")).as("another job of the node").hasSize(1);
        assertThat(world.callsOf("j")).isEmpty();
        assertThat(a.events()).noneMatch(SchedulerEvent.JobBlocked.class::isInstance);
        assertThat(a.events().stream().filter(SchedulerEvent.ClaimReleased.class::isInstance))
                .as("it is tried each half minute")
                .hasSize(3);
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.DEGRADED);
        assertThat(a.scheduler().health().reasons())
                .singleElement()
                .asString()
                .contains("reading commands of type note has failed 3 times");
        world.node("b");
        world.pass(Duration.ofSeconds(5));
        assertThat(world.callsOf("j")).singleElement().satisfies(call -> {
            assertThat(call.node()).isEqualTo("b");
            assertThat(call.attempt()).isEqualTo(1);
        });
        assertThat(outcomes(a, "j")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
    }

    @Test
    @DisplayName("X6: a body that the codec says does not fit its type fits on no node: its job is blocked at once")
    void damagedBody() {
        Machine a = withoutCodec("a", "damage");
        scheduleBoth(a);
        world.pass(Duration.ofSeconds(70));
        assertThat(world.callsOf("k")).hasSize(1);
        assertThat(world.callsOf("j")).isEmpty();
        assertThat(outcomes(a, "j")).containsExactly("SCHEDULED/NONE", "SCHEDULED/BLOCKED");
        assertThat(a.events()).noneMatch(SchedulerEvent.ClaimReleased.class::isInstance);
        assertThat(a.scheduler().health().state()).isEqualTo(Health.State.UP);
    }

    @Test
    @DisplayName("X1: a codec that fails at one job does not hide the others from those who list them")
    void listed() {
        Machine a = withoutCodec("a", "missing class");
        scheduleBoth(a);
        assertThat(a.scheduler().listJobs(JobQuery.all()).jobs())
                .extracting(found -> found.specification().triggerCommand())
                .hasExactlyElementsOfTypes(EncodedCommand.class, World.Note.class);
    }

    /** A node with a listener that never returns from events of that kind, and a user of it. */
    private Machine hanging(Class<? extends SchedulerEvent> kind) {
        AtomicReference<Machine> node = new AtomicReference<>();
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.listener(event -> {
                    if (kind.isInstance(event)) {
                        node.get().lanes().takeTime(Duration.ofDays(1));
                    }
                }));
        node.set(a);
        return a;
    }

    /** When a user who makes these requests one after the other has the answer to each. */
    private List<Instant> answers(Machine a, List<Runnable> requests) {
        List<Instant> answers = new ArrayList<>();
        a.lanes()
                .open("user", 1)
                .run(() -> requests.forEach(request -> {
                    request.run();
                    answers.add(world.time.wall());
                }));
        return answers;
    }

    @Test
    @DisplayName("X1: a listener that never returns keeps no caller waiting, and other listeners are told")
    void callers() {
        Machine a = hanging(SchedulerEvent.JobScheduled.class);
        List<Instant> answers = answers(
                a,
                List.of(
                        () -> a.scheduler()
                                .scheduleJob(job("j").singleSchedule(START.plusSeconds(1))
                                        .build()),
                        () -> a.scheduler()
                                .scheduleJob(job("k").singleSchedule(START.plusSeconds(90))
                                        .build()),
                        () -> a.scheduler().cancelJob("k")));
        world.pass(Duration.ofSeconds(30));
        assertThat(answers).containsExactly(START, START, START);
        assertThat(world.callsOf("j")).hasSize(1);
        assertThat(a.events()).hasAtLeastOneElementOfType(SchedulerEvent.JobCanceled.class);
        assertThat(a.scheduler().health().reasons()).singleElement().asString().contains("listener");
        world.lanes.close();
    }

    @ParameterizedTest
    @ValueSource(classes = {SchedulerEvent.JobScheduled.class, SchedulerEvent.NodeStopped.class})
    @DisplayName(
            "X1: a listener that never returns, be it from what the end of its node brings, does not hold up close()")
    void close(Class<? extends SchedulerEvent> kind) {
        Machine a = hanging(kind);
        List<Instant> answers = answers(
                a,
                List.of(
                        () -> a.scheduler()
                                .scheduleJob(job("j").singleSchedule(START.plusSeconds(90))
                                        .build()),
                        a.scheduler()::close));
        world.pass(Duration.ofSeconds(30));
        assertThat(answers).hasSize(2);
        assertThat(answers.get(1)).isBetween(START.plusSeconds(5), START.plusSeconds(7));
        assertThat(a.events()).as("the other one").hasAtLeastOneElementOfType(SchedulerEvent.NodeStopped.class);
        world.lanes.close();
    }

    @Test
    @DisplayName("X1: close() waits until listeners were told everything, and no longer")
    void closeTells() {
        Machine a = world.node("a");
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(90)).build());
        a.scheduler().close();
        assertThat(a.events())
                .hasAtLeastOneElementOfType(SchedulerEvent.JobScheduled.class)
                .hasAtLeastOneElementOfType(SchedulerEvent.NodeStopped.class);
        assertThat(world.time.wall()).isBefore(START.plusSeconds(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    @DisplayName(
            "X2, P2: a claimed job for which there is no thread is released; what was claimed with it runs, and once")
    void noThread(int failedReleases) {
        ScarceThreads releases = new ScarceThreads(world.lanes.node(), "complete");
        ScarceThreads threads = new ScarceThreads(releases, "decide");
        world.work = call -> world.after(Duration.ofSeconds(5));
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.lanes(threads).calendar("c", MinuteCalendar.read(MinuteCalendar.excluding("59"))));
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(2)).build());
        a.scheduler()
                .scheduleJob(job("k").schedulingSpecification("2 0 8 * * ?")
                        .calendar("c")
                        .build());
        threads.refuse(1);
        releases.refuse(failedReleases);
        world.pass(Duration.ofMinutes(2));
        assertThat(world.callsOf("j")).hasSize(1);
        assertThat(world.callsOf("k")).hasSize(1);
        assertThat(outcomes(a, "j")).containsExactly("SCHEDULED/NONE", "TRIGGERED/SUCCEEDED");
        assertThat(a.events())
                .hasAtLeastOneElementOfType(SchedulerEvent.ClaimReleased.class)
                .doesNotHaveAnyElementsOfTypes(SchedulerEvent.LeaseLost.class);
        assertThat(a.scheduler().node().runs()).isZero();
    }

    @Test
    @DisplayName(
            "X2, 16: a run is interrupted within a second, also if there is no thread to read who has cancelled it")
    void interruptedWithoutThread() {
        ScarceThreads threads = new ScarceThreads(world.lanes.node(), "renew");
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.lanes(threads));
        world.work = call -> new CompletableFuture<>();
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(2));
        world.client(builder -> builder).cancelJob("j", CancelMode.INTERRUPT);
        // the request is seen by the next reading, and for what follows that there is no thread
        threads.refuse(1, 1);
        world.pass(Duration.ofSeconds(2));
        assertThat(outcomes(a, "j")).last().asString().endsWith("/INTERRUPTED");
        assertThat(a.scheduler().health().reasons())
                .anySatisfy(reason -> assertThat(reason).startsWith("reading who cancelled a run has failed"));
    }

    @Test
    @DisplayName(
            "X2, 16: a run that could not be interrupted for want of a thread is interrupted with the next renewal")
    void interruptedLater() {
        ScarceThreads threads = new ScarceThreads(world.lanes.node(), "decide");
        Machine a = world.node("a", world.store, Duration.ZERO, builder -> builder.lanes(threads));
        world.work = call -> new CompletableFuture<>();
        a.scheduler().scheduleJob(job("j").singleSchedule(START.plusSeconds(1)).build());
        world.pass(Duration.ofSeconds(2));
        threads.refuse(1);
        a.scheduler().cancelJob("j", CancelMode.INTERRUPT);
        world.pass(Duration.ofSeconds(30));
        assertThat(outcomes(a, "j")).last().asString().endsWith("/INTERRUPTED");
        assertThat(a.scheduler().node().runs()).isZero();
    }
}
