package dev.almanac.console.declare;

import dev.almanac.helper.Execution;
import dev.almanac.helper.NonRetryableException;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.SchedulingCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Runs {@link ShellCommand}s: starts the program, prints its lines, and fails if its exit code is not 0. A run that is
 * interrupted ends the program and what it has started. The program finds key, id, fire time, attempt and fencing
 * number in its environment.
 */
final class ShellHelper implements SchedulingHelper {
    private static final int LONGEST_LINE = 2_000;

    private final Printer printer;

    ShellHelper(Printer printer) {
        this.printer = printer;
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
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().putAll(environment(id, execution));
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            return followed(process, id, execution);
        } catch (IOException e) {
            throw new IllegalStateException("the program could not be started: " + e.getMessage(), e);
        }
    }

    private static Map<String, String> environment(String id, Execution execution) {
        return Map.of(
                "ALMANAC_JOB_KEY",
                execution.jobSpecificationKey(),
                "ALMANAC_JOB_ID",
                id,
                "ALMANAC_FIRE_TIME",
                execution.fireTime().toString(),
                "ALMANAC_ATTEMPT",
                "" + execution.attempt(),
                "ALMANAC_FENCING_TOKEN",
                "" + execution.fencingToken());
    }

    private CompletionStage<Void> followed(Process process, String id, Execution execution) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        answer.whenComplete((nothing, error) -> {
            if (answer.isCancelled()) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        });
        Thread follower = new Thread(() -> follow(process, id, execution, answer), "almanac-shell");
        follower.setDaemon(true);
        follower.start();
        return answer;
    }

    private void follow(Process process, String id, Execution execution, CompletableFuture<Void> answer) {
        String last = "";
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                last = line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE) : line;
                printer.run(execution, id, last);
            }
            int exit = process.waitFor();
            if (exit == 0) {
                answer.complete(null);
            } else {
                answer.completeExceptionally(new IllegalStateException(
                        "exit code " + exit + (last.isBlank() ? "" : "; last line: " + last)));
            }
        } catch (IOException | InterruptedException e) {
            answer.completeExceptionally(e);
        }
    }
}
