package dev.almanac.examples.demo;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The processes that demos have left running, one line each, in a file: process id, start, what it is. The start tells
 * a process from a later one to which the system gave the same id, so that no foreign process is ever ended.
 *
 * @param file need not exist
 */
record DemoProcesses(Path file) {
    /** That of this copy of the sources. */
    static DemoProcesses ofProject() {
        return new DemoProcesses(Path.of(System.getProperty("almanac.root", "."), ".build", "demo"));
    }

    void remember(ProcessHandle process, String what) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(
                    file,
                    process.pid() + "\t" + start(process) + "\t" + what + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends all of them in order, and clears the file. */
    void stop(PrintWriter out) {
        try {
            List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
            long ended =
                    lines.stream().filter(line -> end(line.split("\t", 3), out)).count();
            out.println(ended == 0 ? "nothing of a demo is running" : "ended: " + ended);
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean end(String[] line, PrintWriter out) {
        Optional<ProcessHandle> found = line.length < 3
                ? Optional.empty()
                : ProcessHandle.of(Long.parseLong(line[0]))
                        .filter(process -> start(process).equals(line[1]));
        if (found.isEmpty()) {
            return false;
        }
        ProcessHandle process = found.get();
        CompletableFuture<ProcessHandle> exit = process.onExit();
        process.destroy();
        try {
            exit.get(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            process.destroyForcibly();
        }
        out.println(line[2] + ", process " + line[0] + ", is ended");
        return true;
    }

    private static String start(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toString).orElse("unknown");
    }
}
