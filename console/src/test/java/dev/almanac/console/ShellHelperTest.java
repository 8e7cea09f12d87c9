package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.almanac.Scheduler;
import dev.almanac.helper.Execution;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.CancelMode;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.TimeSource;
import dev.almanac.testkit.memory.InMemoryJobStore;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ShellHelperTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** No other run of the tests on this machine has the same. */
    private static final String MARK =
            "sleep " + (1_000_000 + ProcessHandle.current().pid());

    /** How many processes of the program were alive when the helper gave up its hold of the run. */
    private final CompletableFuture<Long> aliveAtRelease = new CompletableFuture<>();

    private static long alive() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(MARK))
                .count();
    }

    /** The helper, whose hold of a run is seen. */
    private final class Watched implements SchedulingHelper {
        private final PrintWriter nowhere = new PrintWriter(new StringWriter());
        private final ProcessEnvironment process = new ProcessEnvironment(nowhere, nowhere, System.getenv(), false);
        private final ShellHelper shell = new ShellHelper(new Output(process), System.getenv(), List.of());

        @Override
        public boolean supports(SchedulingCommand command) {
            return shell.supports(command);
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command) {
            throw new AssertionError("the overload with the execution is to be called");
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command, Execution execution) {
            return shell.execute(id, command, (Execution) Proxy.newProxyInstance(
                    Execution.class.getClassLoader(), new Class<?>[] {Execution.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("holdUntil")) {
                            ((CompletionStage<?>) arguments[0])
                                    .whenComplete((nothing, error) -> aliveAtRelease.complete(alive()));
                        }
                        return method.invoke(execution, arguments);
                    }));
        }
    }

    @Test
    @DisplayName("X8: a run that is interrupted holds its lease until its program, and what that started, have ended")
    void heldUntilTheEnd() {
        try (Scheduler scheduler = Scheduler.builder()
                .store(new InMemoryJobStore(TimeSource.system()))
                .command("shell", 1, ShellHelper.ShellCommand.class)
                .helper(new Watched())
                .build()
                .start()) {
            List<String> program = List.of("sh", "-c", MARK + " & " + MARK);
            scheduler.scheduleJob(JobSpecification.now("slow", new ShellHelper.ShellCommand(program)).toBuilder()
                    .jobRequestor("tests")
                    .triggerIdentifier("slow")
                    .build());
            // the shell itself names them, too
            await().atMost(PATIENCE).until(() -> alive() >= 3);
            scheduler.cancelJob("slow", CancelMode.INTERRUPT);
            assertThat(aliveAtRelease).succeedsWithin(PATIENCE).isEqualTo(0L);
            await().atMost(PATIENCE).until(() -> scheduler.node().runs() == 0);
        }
    }
}
