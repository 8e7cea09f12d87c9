package dev.almanac.behaviour.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the archive of the command line brings along: its module, what that needs when it runs, and its start script. */
class DistributionTest {
    private static final Pattern DEPENDENCY = Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(.*?)</artifactId>");
    private static final String OURS = "almanac-";

    /** The artifacts that a module needs when it runs, by way of our other modules, too. */
    private static Set<String> needed(String module) {
        Set<String> needed = new TreeSet<>();
        add(module, needed);
        return needed;
    }

    private static void add(String module, Set<String> needed) {
        Matcher dependency =
                DEPENDENCY.matcher(Sources.text(Sources.root().resolve(module).resolve("pom.xml")));
        while (dependency.find()) {
            Matcher artifact = ARTIFACT.matcher(dependency.group(1));
            boolean runs = !dependency.group(1).contains("<scope>test</scope>")
                    && !dependency.group(1).contains("<optional>true</optional>");
            if (runs
                    && artifact.find()
                    && needed.add(artifact.group(1))
                    && artifact.group(1).startsWith(OURS)) {
                add(artifact.group(1).substring(OURS.length()), needed);
            }
        }
    }

    @Test
    @DisplayName("16.13: the command line ships no test kit; the demonstration has one")
    void testKit() {
        assertThat(needed("console"))
                .contains("almanac-core", "almanac-web", "mongodb-driver-sync")
                .doesNotContain("almanac-testkit")
                .noneMatch(artifact -> artifact.startsWith("junit") || artifact.startsWith("testcontainers"));
        assertThat(needed("examples")).contains("almanac-testkit");
    }

    /** Gives a terminal to a program, which a test has none of. */
    private static final List<String> TERMINAL =
            List.of("python3", "-c", "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)");

    @TempDir
    private Path home;

    /** What the start script says with a Java of the test's own, which prints its arguments; the first call makes it. */
    private String start(List<String> around, String archiving, String... arguments) throws Exception {
        script(home.resolve("bin/almanac"), Sources.text(Sources.root().resolve("console/src/main/dist/almanac")));
        script(home.resolve("java/bin/java"), """
                #!/bin/sh
                case $1 in
                  -XX:DumpLoadedClassList=*) echo some > "${1#*=}" ;;
                  -Xshare:dump) echo one >> "$(dirname "$0")/archived"; %s ;;
                  *) echo "java $*" ;;
                esac
                """.formatted(archiving));
        Files.createDirectories(home.resolve("lib"));
        List<String> command = new ArrayList<>(around);
        command.add(home.resolve("bin/almanac").toString());
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", home.resolve("java").toString());
        builder.environment().put("COLUMNS", "80");
        // with options from outside the script archives nothing
        builder.environment().keySet().removeAll(Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return said;
    }

    private static void script(Path file, String text) throws IOException {
        if (Files.exists(file)) {
            return;
        }
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static final String ARCHIVES = "echo classes > \"${3#*=}\"";

    @Test
    @DisplayName("S14: the start script says whether a person can be asked, and whether one reads the answer")
    void person() throws Exception {
        assertThat(start(TERMINAL, ARCHIVES, "jobs", "cancel", "--all"))
                .contains("-Dalmanac.terminal=true", "-Dalmanac.answers=true", "jobs cancel --all");
        assertThat(start(List.of(), ARCHIVES, "jobs", "list"))
                .contains("-Dalmanac.terminal=false", "-Dalmanac.answers=false", "jobs list");
    }

    @Test
    @DisplayName("the first command archives the classes, once for each Java; nothing of that is printed or left over")
    void archive() throws Exception {
        String first = start(List.of(), "echo noise; echo noise >&2; " + ARCHIVES, "--version");
        assertThat(first.lines()).hasSize(1).allMatch(line -> line.startsWith("java -XX:SharedArchiveFile="));
        assertThat(start(List.of(), ARCHIVES, "--version")).isEqualTo(first);
        assertThat(home.resolve("java/bin/archived")).hasContent("one");
        try (var files = Files.list(home.resolve("lib"))) {
            assertThat(files).singleElement().satisfies(file -> {
                assertThat(first).contains("-XX:SharedArchiveFile=" + file + " ");
                assertThat(file).hasContent("classes");
            });
        }
    }

    @Test
    @DisplayName("an archive that cannot be made is tried once, and no command fails of it")
    void noArchive() throws Exception {
        assertThat(start(List.of(), "exit 1", "--version")).contains("--version");
        assertThat(start(List.of(), "exit 1", "--version")).contains("--version");
        assertThat(home.resolve("java/bin/archived")).hasContent("one");
    }
}
