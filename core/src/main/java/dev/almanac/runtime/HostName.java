package dev.almanac.runtime;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The name of the machine or container on which this process runs. */
public final class HostName {
    private static final Path FILE = Path.of("/etc/hostname");

    private HostName() {}

    /** Host name and process id, such as {@code web-7c9/1}: in containers the process id alone is the same everywhere. */
    public static String ofProcess() {
        return of() + "/" + ProcessHandle.current().pid();
    }

    /** The host name; asks no name server where the environment or the system's file has it. */
    private static String of() {
        return named(System.getenv("HOSTNAME"))
                .or(() -> named(System.getenv("COMPUTERNAME")))
                .or(HostName::ofFile)
                .or(HostName::ofAddress)
                .orElse("unknown-host");
    }

    private static Optional<String> named(@Nullable String name) {
        return Optional.ofNullable(name).map(String::strip).filter(text -> !text.isEmpty());
    }

    private static Optional<String> ofFile() {
        try {
            return Files.isReadable(FILE) ? named(Files.readString(FILE)) : Optional.empty();
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    private static Optional<String> ofAddress() {
        try {
            return named(InetAddress.getLocalHost().getHostName());
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }
}
