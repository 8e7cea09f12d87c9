package dev.almanac.behaviour.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

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

    /** Folders of what was built are not even looked into: tests of other modules change them meanwhile. */
    static List<Path> all() {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(root(), new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    boolean ours = !SKIPPED.contains(folder.getFileName().toString());
                    return ours ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (attributes.isRegularFile()) {
                        files.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files.stream().sorted().toList();
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
