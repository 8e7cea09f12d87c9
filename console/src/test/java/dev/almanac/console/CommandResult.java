package dev.almanac.console;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a command answered.
 *
 * @param exit the exit code
 * @param out what it printed, with times of these years, ages and ids made alike
 * @param err what it complained about
 */
record CommandResult(int exit, String out, String err) {
    private static final Pattern TIME = Pattern.compile("20[2-4]\\d-\\d\\d-\\d\\d([T ])\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?");
    private static final Pattern ID = Pattern.compile("\\b[0-9a-f]{24}\\b");
    private static final Pattern HOST = Pattern.compile("(127\\.0\\.0\\.1|localhost):\\d+");

    static CommandResult by(Map<String, String> environment, String... arguments) {
        return by(false, environment, arguments);
    }

    static CommandResult by(boolean terminal, Map<String, String> environment, String... arguments) {
        return by(terminal, (BufferedReader) null, environment, arguments);
    }

    /** @param answers what a person types; absent = nobody can be asked */
    static CommandResult by(
            boolean terminal, @Nullable String answers, Map<String, String> environment, String... arguments) {
        BufferedReader typed = answers == null ? null : new BufferedReader(new StringReader(answers));
        return by(terminal, typed, environment, arguments);
    }

    /** @param typed gives the answers of a person; absent = nobody can be asked */
    static CommandResult by(
            boolean terminal, @Nullable BufferedReader typed, Map<String, String> environment, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = Main.run(
                new ProcessEnvironment(new PrintWriter(out), new PrintWriter(err), environment, terminal, typed),
                arguments);
        return new CommandResult(exit, alike(out.toString()), alike(err.toString()));
    }

    /** Of {@code almanac run}, which is interrupted once it is up and {@code there} holds. */
    static CommandResult until(Callable<Boolean> there, Map<String, String> environment, String... arguments) {
        AtomicReference<CommandResult> result = new AtomicReference<>();
        Thread thread = new Thread(() -> result.set(by(environment, arguments)), "almanac run");
        thread.start();
        try {
            await().atMost(Duration.ofMinutes(5))
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> !thread.isAlive() || isUp(thread) && there.call());
            thread.interrupt();
            thread.join();
            return result.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Whether it waits for its end, and does nothing else that an interrupt could hit. */
    private static boolean isUp(Thread run) {
        return Arrays.stream(run.getStackTrace())
                .anyMatch(frame -> frame.getClassName().endsWith(".RunCommand")
                        && frame.getMethodName().equals("await"));
    }

    static String alike(String text) {
        // the user who runs the tests
        String user = System.getProperty("user.name");
        String unsigned = text.replace("; by " + user, "").replace(",\"author\":\"" + user + "\"", "");
        // of a job far ahead, spread by chance
        String kept = unsigned.replaceAll("\"deleteTime\":\"21[^\"]+\"", "\"deleteTime\":\"<later>\"");
        kept = kept.replaceAll("\\d+ min ago", "# min ago");
        String times = TIME.matcher(kept).replaceAll("####-##-##$1##:##:##");
        return HOST.matcher(ID.matcher(times).replaceAll("<id>")).replaceAll("<host>");
    }

    /** All that a person sees. */
    String all() {
        return out + err;
    }
}
