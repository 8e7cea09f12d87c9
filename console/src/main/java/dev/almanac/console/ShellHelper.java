package dev.almanac.console;

import dev.almanac.helper.Execution;
import dev.almanac.helper.NonRetryableException;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.SchedulingCommand;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Runs {@link ShellCommand}s: starts the program, prints its lines, and fails if its exit code is not 0. When the
 * program has ended, or its run is interrupted, everything that it has started ends with it; the run keeps its lease
 * until then. The program gets an
 * environment of its own: PATH, HOME and LANG, the requested variables, and key, id, fire time, attempt and fencing
 * number of the run. It does not get other variables of this process, such as ALMANAC_URI with its password.
 */
final class ShellHelper implements SchedulingHelper {
    /**
     * The command of type {@code shell}: a program is started.
     *
     * @param command the program and its arguments; no shell reads them unless it is the program
     */
    record ShellCommand(List<String> command) implements SchedulingCommand {}

    private static final List<String> ALWAYS = List.of("PATH", "HOME", "LANG");

    private final Output output;
    private final Map<String, String> inherited = new HashMap<>();

    /** @param passed names of further variables of the environment that programs get */
    ShellHelper(Output output, Map<String, String> environment, List<String> passed) {
        this.output = output;
        Stream.concat(ALWAYS.stream(), passed.stream())
                .filter(environment::containsKey)
                .forEach(name -> inherited.put(name, environment.get(name)));
    }

    @Override
    public boolean supports(SchedulingCommand command) {
        return command instanceof ShellCommand;
    }

    @Override
    public CompletionStage<Void> execute(String id, SchedulingCommand command, Execution execution) {
        List<String> words = ((ShellCommand) command).command();
        if (words == null || words.isEmpty()) {
            throw new NonRetryableException("the body of a shell command needs command = [program, argument ...]");
        }
        try {
            ProcessGroup group = ProcessGroup.start(words, environment(id, execution));
            return followed(group, execution, line -> output.run(execution, line));
        } catch (IOException e) {
            throw new IllegalStateException("the program could not be started: " + e.getMessage(), e);
        }
    }

    private Map<String, String> environment(String id, Execution execution) {
        Map<String, String> environment = new HashMap<>(inherited);
        environment.put("ALMANAC_JOB_KEY", execution.jobSpecificationKey());
        environment.put("ALMANAC_JOB_ID", id);
        environment.put("ALMANAC_FIRE_TIME", execution.fireTime().toString());
        environment.put("ALMANAC_ATTEMPT", "" + execution.attempt());
        environment.put("ALMANAC_FENCING_NUMBER", "" + execution.fencingNumber());
        return environment;
    }

    private static CompletionStage<Void> followed(ProcessGroup group, Execution execution, Consumer<String> print) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        answer.whenComplete((nothing, error) -> {
            if (answer.isCancelled()) {
                group.end();
            }
        });
        PrintedLines lines = new PrintedLines(group.output(), print, error -> {
            answer.completeExceptionally(error);
            group.end();
        });
        // a cancelled answer is complete before its program has ended; another node must not start one beside it
        CompletableFuture<Void> ended = new CompletableFuture<>();
        execution.holdUntil(ended);
        Thread reader = daemon(lines, "almanac-shell-output");
        Runnable follow = () -> {
            try {
                answer(group, lines, reader, answer);
            } catch (Throwable e) {
                // in all cases: a run that is never ended would keep its lease until this process stops
                answer.completeExceptionally(e);
                group.end();
            } finally {
                ended.complete(null);
            }
        };
        try {
            daemon(follow, "almanac-shell").start();
            reader.start();
        } catch (Throwable noThread) {
            group.end();
            ended.complete(null);
            throw noThread;
        }
        return answer;
    }

    private static Thread daemon(Runnable action, String name) {
        Thread thread = new Thread(action, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Waits for the program, not for the end of its output, which a child in the background may hold open. */
    private static void answer(ProcessGroup group, PrintedLines lines, Thread reader, CompletableFuture<Void> answer)
            throws InterruptedException {
        int exit = group.waitFor();
        group.end();
        reader.join(PrintedLines.REST.toMillis());
        if (exit == 0) {
            answer.complete(null);
        } else {
            String last = lines.last();
            answer.completeExceptionally(
                    new IllegalStateException("exit code " + exit + (last.isBlank() ? "" : "; last line: " + last)));
        }
    }
}
