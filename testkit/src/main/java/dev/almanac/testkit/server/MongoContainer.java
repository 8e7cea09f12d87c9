package dev.almanac.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;

/**
 * A MongoDB server in a container, where Testcontainers is on the class path and Docker answers. It is a replica set of
 * one member; no test sends signals to it. The container ends with this process.
 */
final class MongoContainer {
    static final String IMAGE = "mongo:6.0";

    private static final int PORT = 27_017;

    private MongoContainer() {}

    /** The connection string of a container that was just started; empty where there can be none. */
    static Optional<String> start() {
        try {
            return isDockerThere() ? Optional.of(run()) : Optional.empty();
        } catch (NoClassDefFoundError noTestcontainers) {
            return Optional.empty();
        }
    }

    static boolean isDockerThere() {
        return DockerClientFactory.instance().isDockerAvailable();
    }

    private static String run() {
        GenericContainer<?> container = new GenericContainer<>(IMAGE)
                .withExposedPorts(PORT)
                .withCommand("--replSet", "rs", "--bind_ip_all", "--setParameter", "ttlMonitorSleepSecs=1");
        container.start();
        try {
            container.execInContainer("mongosh", "--quiet", "--eval", "rs.initiate()");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "mongodb://" + container.getHost() + ":" + container.getMappedPort(PORT) + "/?directConnection=true";
    }
}
