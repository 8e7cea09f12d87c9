package dev.almanac.testkit.server;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds a {@code mongod}: {@code ALMANAC_MONGOD}, {@code .mongod/} of this or an outer folder, then the PATH. */
public final class MongodBinary {
    private MongodBinary() {}

    /** The binary, if there is one. */
    public static Optional<Path> find() {
        String named = System.getenv("ALMANAC_MONGOD");
        if (named != null && !named.isBlank()) {
            return Optional.of(Path.of(named)).filter(Files::isExecutable);
        }
        Path folder = Path.of(System.getProperty("almanac.root", "")).toAbsolutePath();
        while (folder != null) {
            Path here = folder.resolve(".mongod").resolve("mongod");
            if (Files.isExecutable(here)) {
                return Optional.of(here);
            }
            folder = folder.getParent();
        }
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.of(path.split(File.pathSeparator))
                .filter(part -> !part.isBlank())
                .map(part -> Path.of(part).resolve("mongod"))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
