package dev.almanac.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryFolderTest {
    @Test
    @DisplayName("it goes with all that is in it, follows no link out of it, and may be closed again")
    void close(@TempDir Path outside) throws IOException {
        Path kept = Files.writeString(outside.resolve("kept"), "x");
        TemporaryFolder folder = TemporaryFolder.create("almanac-test");
        try (folder) {
            Path inner = Files.createDirectories(folder.path().resolve("a/b"));
            Files.writeString(inner.resolve("file"), "x");
            Files.createSymbolicLink(inner.resolve("link"), outside);
        }
        assertThat(folder.path()).doesNotExist();
        assertThat(kept).exists();
        folder.close();
    }
}
