package dev.almanac.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One {@code mongod} process of this test, on 127.0.0.1. Not thread-safe. */
public final class MongoMember {
    private final Path binary;
    private final Path folder;
    private final int port;
    private final String setName;
    private final Map<String, String> parameters;
    private final boolean guarded;
    private Process process;

    MongoMember(Path binary, Path folder, String setName, Map<String, String> parameters, boolean guarded) {
        this.binary = binary;
        this.folder = folder;
        this.port = freePort();
        this.setName = setName;
        this.parameters = parameters;
        this.guarded = guarded;
        this.process = launch();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process launch() {
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
                "--nounixsocket",
                "--logpath",
                folder.resolve("mongod.log").toString(),
                "--logappend"));
        parameters.forEach((name, value) -> command.addAll(List.of("--setParameter", name + "=" + value)));
        try {
            return new ProcessBuilder(guarded(command))
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("out.log").toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("mongod cannot be started: " + binary, e);
        }
    }

    /** A server must not outlive a test that was killed: a shell beside it watches the parent. */
    private List<String> guarded(List<String> command) {
        String watch = "parent=$1; shift; \"$@\" & child=$!; echo $child > \"$0\";"
                + " trap 'kill -TERM $child 2>/dev/null' TERM;"
                + (guarded
                        ? " while kill -0 $parent 2>/dev/null && kill -0 $child 2>/dev/null; do sleep 1; done;"
                        : " wait $child;")
                + " kill -9 $child 2>/dev/null; wait $child";
        List<String> all = new ArrayList<>(List.of(
                "sh",
                "-c",
                watch,
                folder.resolve("pid").toString(),
                String.valueOf(ProcessHandle.current().pid())));
        all.addAll(command);
        return all;
    }

    /** {@code 127.0.0.1:port}. */
    public String host() {
        return "127.0.0.1:" + port;
    }

    /** The process id of the server. */
    public long pid() {
        try {
            String text = java.nio.file.Files.readString(folder.resolve("pid")).strip();
            return Long.parseLong(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGKILL: no goodbye, no flush. */
    public void kill9() {
        signal("KILL");
        await();
    }

    /** SIGSTOP: the process stands still and keeps its connections. */
    public void suspend() {
        signal("STOP");
    }

    /** SIGCONT. */
    public void resume() {
        signal("CONT");
    }

    /** Starts it again on its old data. */
    public void restart() {
        process = launch();
    }

    void stop() {
        signal("KILL");
        await();
    }

    private void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, String.valueOf(pid()))
                    .start()
                    .waitFor(10, TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void await() {
        try {
            process.waitFor(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
