package dev.almanac.console;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program and all that it starts. Where there is {@code setsid} the program leads a process group, which is ended as
 * a whole, including background processes. Elsewhere the program is ended first, then the descendants that still have
 * it as their ancestor.
 */
final class ProcessGroup {
    private static final Optional<String> SETSID = found("setsid");
    private static final long LONGEST_KILL_SECONDS = 5;

    private final Process program;
    private final boolean leads;

    private ProcessGroup(Process program, boolean leads) {
        this.program = program;
        this.leads = leads;
    }

    /** @param environment the complete environment of the program */
    static ProcessGroup start(List<String> command, Map<String, String> environment) throws IOException {
        List<String> words = new ArrayList<>(command);
        // a child of the JVM leads no group yet, so setsid becomes the program without another process
        SETSID.ifPresent(setsid -> words.addAll(0, List.of(setsid, "--")));
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process program = builder.start();
        program.getOutputStream().close();
        return new ProcessGroup(program, SETSID.isPresent());
    }

    InputStream output() {
        return program.getInputStream();
    }

    int waitFor() throws InterruptedException {
        return program.waitFor();
    }

    /** Ends the program before its children: a shell that outlives its child would continue with its next line. */
    void end() {
        List<ProcessHandle> descendants = program.descendants().toList();
        // by its handle, since ending the process object would close the output before it was read
        program.toHandle().destroyForcibly();
        if (leads) {
            kill("-" + program.pid());
        }
        descendants.forEach(ProcessHandle::destroyForcibly);
    }

    /** Uses the command kill, since Java has no process groups. */
    private static void kill(String group) {
        try {
            Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -s KILL -- \"$1\"", "sh", group)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            kill.waitFor(LONGEST_KILL_SECONDS, TimeUnit.SECONDS);
        } catch (IOException notStarted) {
            // the program and its descendants are ended one by one
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Optional<String> found(String program) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.of(path.split(File.pathSeparator))
                .filter(folder -> folder.startsWith("/"))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }
}
