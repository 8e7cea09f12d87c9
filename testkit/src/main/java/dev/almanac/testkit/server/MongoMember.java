package dev.almanac.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** One {@code mongod} process of this test, on 127.0.0.1. Not thread-safe. */
public final class MongoMember {
    private static final int FIRST_PORT = 12_000;
    private static final int PORTS = 18_000;
    private static final AtomicInteger NEXT_PORT = new AtomicInteger(new SecureRandom().nextInt(PORTS));

    /** A process locks the byte of each port that it has taken; the system gives the locks back at its end. */
    private static final FileChannel TAKEN = taken();

    private final Path binary;
    private final Path folder;
    private final int port;
    private final String setName;
    private final List<String> options;
    private final boolean guarded;
    private Process process;
    private ProcessHandle server;

    /** @param options command-line options beside those that every member gets */
    MongoMember(Path binary, Path folder, String setName, List<String> options, boolean guarded) {
        this.binary = binary;
        this.folder = folder;
        this.port = freePort(NEXT_PORT);
        this.setName = setName;
        this.options = List.copyOf(options);
        this.guarded = guarded;
        this.process = launch();
        this.server = launched();
    }

    private static FileChannel taken() {
        // another user's file cannot be written
        String name = "almanac-ports-" + System.getProperty("user.name");
        Path file = Path.of(System.getProperty("java.io.tmpdir"), name);
        try {
            return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it was taken; if not, this process takes it. */
    private static boolean isTaken(int port) throws IOException {
        try {
            return TAKEN.tryLock(port, 1, false) == null;
        } catch (OverlappingFileLockException ours) {
            return true;
        }
    }

    /**
     * The server binds it later, and again after a restart. So it is none of those that systems give to others who ask for
     * any free port, and each process of tests begins elsewhere, and keeps it until it ends.
     *
     * @param next where to begin, counted from the first port of the range; moves on
     */
    static int freePort(AtomicInteger next) {
        IOException last = null;
        for (int tries = 0; tries < 100; tries++) {
            int port = FIRST_PORT + Math.floorMod(next.getAndIncrement(), PORTS);
            try {
                // a look at the port of another process would keep its server from binding it
                if (isTaken(port)) {
                    continue;
                }
                new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
                return port;
            } catch (IOException e) {
                last = e;
            }
        }
        throw new IllegalStateException("no free port for a mongod", last);
    }

    private Process launch() {
        try {
            Files.deleteIfExists(pidFile());
            return new ProcessBuilder(guarded(command()))
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("out.log").toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("mongod cannot be started: " + binary, e);
        }
    }

    private List<String> command() {
        List<String> command = new ArrayList<>(List.of(
                binary.toString(),
                "--bind_ip",
                "127.0.0.1",
                "--port",
                String.valueOf(port),
                "--dbpath",
                folder.toString(),
                "--replSet",
                setName,
                "--wiredTigerCacheSizeGB",
                "1",
                // a linearizable read, and the end of a database, wait for the next flush of the journal
                "--journalCommitInterval",
                "10",
                // otherwise the journal of each server takes 300 MB, often of memory
                "--wiredTigerEngineConfigString",
                "log=(prealloc=false,file_max=10MB)",
                "--nounixsocket",
                "--logpath",
                folder.resolve("mongod.log").toString(),
                "--logappend"));
        command.addAll(options);
        return command;
    }

    /**
     * A server must not outlive a test that was killed: a shell beside it watches the parent, and outlives Ctrl-C. When
     * both are gone, so are the data of the whole set.
     */
    private List<String> guarded(List<String> command) {
        String watch =
                "parent=$1; data=$2; shift 2; trap '' INT HUP; \"$@\" & child=$!; echo $child > \"$0.part\"; mv \"$0.part\" \"$0\";"
                        + " trap 'kill -TERM $child 2>/dev/null' TERM;"
                        + (guarded
                                ? " while kill -0 $parent 2>/dev/null && kill -0 $child 2>/dev/null; do sleep 1; done;"
                                : " wait $child;")
                        + " kill -9 $child 2>/dev/null; wait $child;"
                        + " kill -0 $parent 2>/dev/null || rm -rf \"$data\"";
        List<String> all = new ArrayList<>(List.of(
                "sh",
                "-c",
                watch,
                pidFile().toString(),
                String.valueOf(ProcessHandle.current().pid()),
                folder.getParent().toString()));
        all.addAll(command);
        return all;
    }

    /** {@code 127.0.0.1:port}. */
    public String host() {
        return "127.0.0.1:" + port;
    }

    /** Where its data are. */
    Path folder() {
        return folder;
    }

    private Path pidFile() {
        return folder.resolve("pid");
    }

    /** The shell beside the server writes the process id once; from then on it is held, never read again. */
    private ProcessHandle launched() {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!Files.exists(pidFile())) {
            if (!process.isAlive() || System.nanoTime() > end) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new IllegalStateException("mongod did not start: " + binary + ", see " + folder);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
        try {
            long pid = Long.parseLong(Files.readString(pidFile()).strip());
            return ProcessHandle.of(pid)
                    .orElseThrow(
                            () -> new IllegalStateException("mongod ended at once: " + binary + ", see " + folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The process id of the server, also after its end. */
    public long pid() {
        return server.pid();
    }

    /** Whether the server's process exists; one that is suspended does. */
    public boolean isAlive() {
        return server.isAlive();
    }

    /** SIGKILL: no goodbye, no flush. Returns when the process is gone; nothing happens if it is already. */
    public void kill9() {
        server.destroyForcibly();
        awaitEnd(120);
    }

    /**
     * SIGTERM: the server is stopped in order. Returns when the process is gone.
     *
     * @throws IllegalStateException if it has not ended after a minute
     */
    public void terminate() {
        server.destroy();
        if (!awaitEnd(60)) {
            throw new IllegalStateException("mongod did not end within 60 s of SIGTERM: " + host());
        }
    }

    /**
     * SIGSTOP: the process is suspended and keeps its connections.
     *
     * @throws IllegalStateException if the server does not run
     */
    public void suspend() {
        signal("STOP");
    }

    /**
     * SIGCONT.
     *
     * @throws IllegalStateException if the server does not run
     */
    public void resume() {
        signal("CONT");
    }

    /**
     * Starts it again on its old data and port.
     *
     * @throws IllegalStateException if the server still runs
     */
    public void restart() {
        if (server.isAlive()) {
            throw new IllegalStateException("still running: " + host());
        }
        awaitEnd(120);
        process = launch();
        server = launched();
    }

    /** The handle holds the start of its process, so a reused process id is never signalled. */
    private void signal(String name) {
        if (!server.isAlive()) {
            throw new IllegalStateException("not running: " + host());
        }
        try {
            new ProcessBuilder("kill", "-" + name, String.valueOf(pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The shell ends right after the server that it watches. */
    private boolean awaitEnd(int seconds) {
        try {
            return process.waitFor(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
