package dev.almanac.behaviour.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The files of the repository. */
final class Sources {
    private static final Set<String> SKIPPED = Set.of("target", ".git", ".mongod", ".build", ".idea", "node_modules");

    private Sources() {}

    static Path root() {
        String given = System.getProperty("almanac.root");
        Path folder = Path.of(given == null ? "" : given).toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("LICENSE"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IllegalStateException("the root of the repository was not found");
        }
        return folder;
    }

    static List<Path> all() {
        try (Stream<Path> files = Files.walk(root())) {
            return files.filter(Files::isRegularFile)
                    .filter(Sources::isOurs)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOurs(Path file) {
        for (Path part : root().relativize(file)) {
            if (SKIPPED.contains(part.toString())) {
                return false;
            }
        }
        return true;
    }

    static List<Path> java(String under) {
        return all().stream()
                .filter(file -> file.toString().endsWith(".java"))
                .filter(file -> root().relativize(file).toString().contains(under))
                .toList();
    }

    static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** With line ends as they are. */
    static String raw(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(Path file) {
        return String.join("\n", lines(file));
    }
}
