package dev.almanac.behaviour.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holds the pictures of ARCHITECTURE.md against the poms and the packages. */
class ArchitectureTest {
    private static final Path ROOT = Sources.root();
    private static final String PAGE = Sources.text(ROOT.resolve("ARCHITECTURE.md"));
    private static final Pattern MODULE = Pattern.compile("<module>([a-z-]+)</module>");
    private static final Pattern USED = Pattern.compile(
            "<dependency><groupId>dev\\.almanac</groupId><artifactId>almanac-([a-z-]+)</artifactId></dependency>");
    private static final Pattern ROOMS = Pattern.compile("rules {2}< .*< {2}engine");

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(match -> match.group(match.groupCount()))
                .toList();
    }

    private static List<String> published() {
        return Arrays.asList(all(Pattern.compile("PUBLISHED_MODULES=\"(.*)\""), Sources.text(ROOT.resolve("build")))
                .get(0)
                .split(","));
    }

    /** What each module of the picture uses: {@code a, b ──► c ──► d; e ──► f} says it of a, b, c and e. */
    private static Map<String, Set<String>> drawn(String page) {
        Map<String, Set<String>> drawn = new TreeMap<>();
        for (String line : page.lines().filter(line -> line.contains("──►")).toList()) {
            for (String chain : line.split(";")) {
                List<List<String>> steps = Stream.of(chain.split("──►"))
                        .map(step -> List.of(step.strip().split(", ")))
                        .toList();
                for (int i = 0; i < steps.size(); i++) {
                    for (String module : steps.get(i)) {
                        Set<String> uses = drawn.computeIfAbsent(module, name -> new TreeSet<>());
                        uses.addAll(i + 1 < steps.size() ? steps.get(i + 1) : List.of());
                    }
                }
            }
        }
        return drawn;
    }

    private static Map<String, Set<String>> built() {
        Map<String, Set<String>> built = new TreeMap<>();
        for (String module : published()) {
            built.put(
                    module,
                    new TreeSet<>(all(USED, Sources.text(ROOT.resolve(module).resolve("pom.xml")))));
        }
        return built;
    }

    /** With all that is used through others. */
    private static Map<String, Set<String>> reached(Map<String, Set<String>> direct) {
        Map<String, Set<String>> reached = new TreeMap<>();
        for (String module : direct.keySet()) {
            Set<String> found = new TreeSet<>();
            List<String> open = new ArrayList<>(direct.get(module));
            while (!open.isEmpty()) {
                String next = open.remove(0);
                if (found.add(next)) {
                    open.addAll(direct.getOrDefault(next, Set.of()));
                }
            }
            reached.put(module, found);
        }
        return reached;
    }

    @Test
    @DisplayName("H6: the picture of the modules is what the poms say")
    void modules() {
        assertThat(reached(drawn(PAGE))).isEqualTo(reached(built()));
    }

    @Test
    @DisplayName("H6: an arrow too many, one too few and a module that is not there are found")
    void plantedArrows() {
        assertThat(reached(drawn(PAGE + "\ntime ──► web"))).isNotEqualTo(reached(built()));
        assertThat(reached(drawn(PAGE.replace("──► metrics ", "")))).isNotEqualTo(reached(built()));
        assertThat(reached(drawn(PAGE + "\ncluster ──► core"))).isNotEqualTo(reached(built()));
    }

    @Test
    @DisplayName("H6: the table of folders has a row for each module")
    void folders() {
        List<String> modules = new ArrayList<>(all(MODULE, Sources.text(ROOT.resolve("pom.xml"))));
        modules.remove("bom");
        assertThat(PAGE.lines()
                        .dropWhile(line -> !line.startsWith("| folder |"))
                        .skip(2)
                        .takeWhile(line -> line.startsWith("|"))
                        .map(line -> line.split("`")[1]))
                .containsExactlyInAnyOrderElementsOf(modules);
    }

    @Test
    @DisplayName("H6: the picture of the engine's rooms names each of its packages")
    void rooms() throws Exception {
        List<String> drawn = ROOMS.matcher(PAGE)
                .results()
                .map(MatchResult::group)
                .flatMap(line -> Stream.of(line.split(" +< +")))
                .toList();
        Set<String> packages = new HashSet<>();
        try (Stream<Path> folders = Files.walk(ROOT.resolve("core/src/main/java/dev/almanac/engine"))) {
            folders.filter(Files::isDirectory)
                    .forEach(folder -> packages.add(folder.getFileName().toString()));
        }
        assertThat(drawn).containsExactlyInAnyOrderElementsOf(packages);
    }
}
