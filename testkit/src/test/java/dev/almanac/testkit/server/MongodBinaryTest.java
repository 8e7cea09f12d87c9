package dev.almanac.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MongodBinaryTest {
    @TempDir
    private Path outside;

    private static Path binary(Path folder) throws IOException {
        Path file = Files.createDirectories(folder.resolve(".mongod")).resolve("mongod");
        Files.writeString(file, "#!/bin/sh\n");
        rights(file.getParent(), "rwxr-xr-x");
        return rights(file, "rwxr-xr-x");
    }

    private static Path rights(Path file, String rights) throws IOException {
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
    }

    @Test
    @DisplayName("16.9: the search for a mongod stops at the project's root; what lies outside is not started")
    void root() throws IOException {
        Path project = outside.resolve("project");
        Path module = Files.createDirectories(project.resolve("a/b"));
        Files.createDirectory(project.resolve(".git"));
        binary(outside);
        assertThat(MongodBinary.inProject(module)).isEmpty();
        assertThat(MongodBinary.inProject(project)).isEmpty();
        Path own = binary(project);
        assertThat(MongodBinary.inProject(module)).contains(own);
        assertThat(MongodBinary.inProject(project)).contains(own);
    }

    @Test
    @DisplayName("16.9: without a project around it only the folder itself is looked at")
    void alone() throws IOException {
        Path folder = Files.createDirectories(outside.resolve("x/y"));
        binary(folder.getParent());
        assertThat(MongodBinary.inProject(folder)).isEmpty();
        Path own = binary(folder);
        assertThat(MongodBinary.inProject(folder)).contains(own);
    }

    @Test
    @DisplayName("16.9: a mongod that others can write, or put in another's place, is not started")
    void writable() throws IOException {
        Path own = binary(outside);
        assertThat(MongodBinary.inProject(outside)).contains(own);
        rights(own, "rwxr-xrwx");
        assertThat(MongodBinary.inProject(outside)).isEmpty();
        rights(own, "rwxr-xr-x");
        rights(own.getParent(), "rwxrwxrwx");
        assertThat(MongodBinary.inProject(outside)).isEmpty();
        rights(own.getParent(), "rwx------");
        assertThat(MongodBinary.inProject(outside)).contains(own);
    }
}
