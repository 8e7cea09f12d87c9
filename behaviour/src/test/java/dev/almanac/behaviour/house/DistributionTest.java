package dev.almanac.behaviour.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the archive of the command line brings along: its module, and what that needs when it runs. */
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
}
