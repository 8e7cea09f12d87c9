package dev.almanac.examples.demo;

import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import dev.almanac.testkit.server.MongoServer;
import dev.almanac.testkit.server.MongodBinary;
import dev.almanac.text.Redaction;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;

/** The server of the demo: a real one if it can be found, else the one in the JVM. */
record DemoServer(String uri, String description, AutoCloseable process, boolean real) {
    /** The URI as it may be printed: without user and password. */
    String shown() {
        return Redaction.withoutCredentials(uri);
    }

    /** The process that is left up; absent if it is this one, or none of ours. */
    Optional<ProcessHandle> kept() {
        return process instanceof MongoServer server
                ? ProcessHandle.of(server.members().get(0).pid())
                : Optional.empty();
    }

    static DemoServer start(boolean keep) {
        String given = System.getenv("MONGODB_URI");
        if (given != null && !given.isBlank()) {
            return new DemoServer(given, "the MongoDB server of MONGODB_URI", () -> {}, true);
        }
        if (MongodBinary.find().isPresent()) {
            MongoServer server = keep
                    ? MongoServer.detached()
                    : MongoServer.replicaSet(1, Map.of("ttlMonitorSleepSecs", "5"), 2_000);
            return new DemoServer(server.uri(), "a real mongod, " + server.origin(), server, true);
        }
        de.bwaldvogel.mongo.MongoServer emulator = new de.bwaldvogel.mongo.MongoServer(new MemoryBackend());
        InetSocketAddress address = emulator.bind();
        String uri = "mongodb://127.0.0.1:" + address.getPort();
        return new DemoServer(uri, "the server in the JVM (no mongod was found)", emulator::shutdownNow, false);
    }
}
