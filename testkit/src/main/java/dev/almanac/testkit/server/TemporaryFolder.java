package dev.almanac.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A folder in the system's place for temporary files, which goes when it is closed. Thread-safe. */
public final class TemporaryFolder implements AutoCloseable {
    private final Path path;

    private TemporaryFolder(Path path) {
        this.path = path;
    }

    /**
     * A new, empty one.
     *
     * @param prefix how its name begins
     * @throws UncheckedIOException if it cannot be made
     */
    public static TemporaryFolder create(String prefix) {
        return create(Path.of(System.getProperty("java.io.tmpdir")), prefix);
    }

    /** A new, empty one in a folder that is there. */
    static TemporaryFolder create(Path where, String prefix) {
        try {
            return new TemporaryFolder(Files.createTempDirectory(where, prefix));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Closed when this JVM ends, if not before. */
    public TemporaryFolder untilExit() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
        return this;
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    /** Removes it with all that is in it; what cannot be removed is left there. Nothing happens the second time. */
    @Override
    public void close() {
        try {
            Files.walkFileTree(path, new Removal());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Others may add and remove files at the same time. */
    private static final class Removal extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            file.toFile().delete();
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failed) {
            folder.toFile().delete();
            return FileVisitResult.CONTINUE;
        }
    }
}
