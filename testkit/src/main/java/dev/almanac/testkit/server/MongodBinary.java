package dev.almanac.testkit.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds a {@code mongod}: {@code ALMANAC_MONGOD}, {@code .mongod/} of the project, then the PATH. */
public final class MongodBinary {
    private MongodBinary() {}

    /** The binary, if there is one. */
    public static Optional<Path> find() {
        String named = System.getenv("ALMANAC_MONGOD");
        if (named != null && !named.isBlank()) {
            return Optional.of(Path.of(named)).filter(Files::isExecutable);
        }
        Optional<Path> own =
                inProject(Path.of(System.getProperty("almanac.root", "")).toAbsolutePath());
        if (own.isPresent()) {
            return own;
        }
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.of(path.split(File.pathSeparator))
                .filter(part -> !part.isBlank())
                .map(part -> Path.of(part).resolve("mongod"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * That of a project: looked for from a folder up to the project's root, which is the first folder with {@code .git};
     * where there is none, in the folder itself only. One that others can write
     * is not started: anyone who can write there could run programs as the user of the tests.
     */
    static Optional<Path> inProject(Path start) {
        Path root = root(start);
        for (Path folder = start; folder != null && folder.startsWith(root); folder = folder.getParent()) {
            Path here = folder.resolve(".mongod").resolve("mongod");
            if (Files.isExecutable(here) && isOwn(here, root) && isOwn(here.getParent(), root)) {
                return Optional.of(here);
            }
        }
        return Optional.empty();
    }

    private static Path root(Path start) {
        for (Path folder = start; folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve(".git"))) {
                return folder;
            }
        }
        return start;
    }

    /** Writable only by the owner of the project, this user, or the administrator. */
    private static boolean isOwn(Path file, Path root) {
        try {
            PosixFileAttributes attributes = Files.readAttributes(file.toRealPath(), PosixFileAttributes.class);
            String owner = attributes.owner().getName();
            Set<PosixFilePermission> rights = attributes.permissions();
            // a group of the owner's own name has no other member, where systems make one for each user
            boolean shared = rights.contains(PosixFilePermission.OTHERS_WRITE)
                    || rights.contains(PosixFilePermission.GROUP_WRITE)
                            && !attributes.group().getName().equals(owner);
            return !shared
                    && List.of(Files.getOwner(root).getName(), System.getProperty("user.name"), "root")
                            .contains(owner);
        } catch (UnsupportedOperationException noSuchRights) {
            return true;
        } catch (IOException unreadable) {
            return false;
        }
    }
}
