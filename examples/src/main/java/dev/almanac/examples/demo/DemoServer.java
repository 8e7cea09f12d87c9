package dev.almanac.examples.demo;

import dev.almanac.testkit.server.MongoServer;
import dev.almanac.text.Redaction;
import java.util.Map;
import java.util.Optional;

/** The server of the demo. */
record DemoServer(String uri, String description, AutoCloseable process) {
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

    /** @throws IllegalStateException if no server can be found; its message says what to do */
    static DemoServer start(boolean keep) {
        String given = System.getenv("MONGODB_URI");
        if (given != null && !given.isBlank()) {
            return new DemoServer(given, "the MongoDB server of MONGODB_URI", () -> {});
        }
        MongoServer server =
                keep ? MongoServer.detached() : MongoServer.replicaSet(1, Map.of("ttlMonitorSleepSecs", "5"), 2_000);
        return new DemoServer(server.uri(), "a mongod, " + server.origin(), server);
    }
}
