package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupsCommandTest {
    private final ConsoleFixture console = ConsoleFixture.withStore();

    @TempDir
    private Path folder;

    @AfterEach
    void drop() {
        console.close();
    }

    @Test
    @DisplayName("P9: groups put, list, show and remove; equal limits change nothing; a stale version is refused")
    void edit() {
        assertThat(console.run("groups", "list").out()).isEqualTo("no group has a size or a rate\n");
        assertThat(console.run("groups", "put", "bank-api", "--size", "5", "--rate", "10/s", "--author", "ann")
                        .out())
                .isEqualTo("bank-api is version 1 now: size 5, rate 10/s\n");
        assertThat(console.run("groups", "put", "bank-api", "--size", "5", "--rate", "10/PT1S")
                        .out())
                .isEqualTo("bank-api is stored already, nothing was changed\n");
        assertThat(console.run("groups", "list").out()).isEqualTo("""
                GROUP     SIZE  RATE  VERSION  CHANGED (UTC)        BY
                bank-api  5     10/s  1        ####-##-## ##:##:##  ann
                """);
        assertThat(console.run("groups", "show", "bank-api").out())
                .contains("size", "5", "rate", "10/s", "version", "1, of", "by", "ann", "held by", "none");
        CommandResult stale = console.run("groups", "put", "bank-api", "--size", "6", "--if-version", "0");
        assertThat(stale.exit()).isEqualTo(1);
        assertThat(stale.all()).contains("expects none", "version 1");
        assertThat(console.run("groups", "put", "bank-api", "--size", "6", "--if-version", "1")
                        .out())
                .isEqualTo("bank-api is version 2 now: size 6; before: size 5, rate 10/s\n");
        assertThat(console.run("groups", "remove", "bank-api").out())
                .isEqualTo("bank-api was removed; one of its jobs runs at a time\n");
        CommandResult gone = console.run("groups", "show", "bank-api");
        assertThat(gone.exit()).isEqualTo(3);
        assertThat(gone.all()).contains("group 'bank-api' has no stored limits");
    }

    @Test
    @DisplayName("P9: sizes and rates that are out of range are refused before a server is asked")
    void refused() {
        for (String[] wrong : new String[][] {
            {"--size", "0"}, {"--size", "1001"}, {"--size", "2", "--rate", "fast"}, {"--size", "2", "--rate", "0/s"}
        }) {
            String[] words = new String[3 + wrong.length];
            System.arraycopy(new String[] {"groups", "put", "g"}, 0, words, 0, 3);
            System.arraycopy(wrong, 0, words, 3, wrong.length);
            CommandResult result = console.run(words);
            assertThat(result.exit()).as(String.join(" ", words)).isEqualTo(2);
            assertThat(result.all()).contains("nothing was written");
        }
        assertThat(console.run("groups", "list", "--json").out()).isEqualTo("{\"groups\":[]}\n");
    }

    @Test
    @DisplayName("P9, O3: a group whose document is damaged is told, by doctor, too, and mended by the next put")
    void damaged() {
        console.run("groups", "put", "bank-api", "--size", "5");
        console.database()
                .getCollection("control")
                .updateOne(new Document("_id", "group bank-api"), new Document("$set", new Document("size", "many")));
        assertThat(console.run("groups", "list").out()).contains("damaged", "size");
        CommandResult doctor = console.run("doctor");
        assertThat(doctor.exit()).isEqualTo(1);
        assertThat(doctor.all()).contains("ALM-045", "bank-api");
        assertThat(console.run("groups", "put", "bank-api", "--size", "2").out())
                .isEqualTo("bank-api is version 1 now: size 2\n");
        assertThat(console.run("doctor").all()).doesNotContain("ALM-045");
    }

    @Test
    @DisplayName("P9, R13: reconcile stores the groups of the file, and leaves others alone; --dry-run stores none")
    void declared() throws IOException {
        console.run("groups", "put", "other", "--size", "3");
        Path file = folder.resolve("jobs.conf");
        String jobs = "almanac { application = tills, jobs = []\n groups { bank-api { size = 5, rate = \"10/s\" } } }";
        Files.writeString(file, jobs);
        assertThat(console.run("reconcile", file.toString(), "--dry-run").exit())
                .isZero();
        assertThat(console.run("groups", "list").out()).doesNotContain("bank-api");
        assertThat(console.run("reconcile", file.toString()).exit()).isZero();
        assertThat(console.run("groups", "list").out()).contains("bank-api  5     10/s", "other     3");
        Files.writeString(file, jobs.replace("size = 5", "sise = 5"));
        CommandResult refused = console.run("reconcile", file.toString());
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.all()).contains("line 2: group 'bank-api': sise is not known");
    }

    @Test
    @DisplayName(
            "P9, R13: a file whose groups cannot all be stored stores none; answer and dry run name those that change")
    void allOrNone() throws IOException {
        Path file = folder.resolve("jobs.conf");
        String jobs = "almanac { application = tills, jobs = []\n groups { a { size = 5 }, %s { size = 2 } } }";
        Files.writeString(file, jobs.formatted("\"" + "x".repeat(257) + "\""));
        for (String option : new String[] {"--dry-run", "--yes"}) {
            CommandResult refused = console.run("reconcile", file.toString(), option);
            assertThat(refused.exit()).isEqualTo(2);
            assertThat(refused.err()).contains("nothing was written", "256 characters");
        }
        assertThat(console.run("groups", "list", "--json").out()).isEqualTo("{\"groups\":[]}\n");
        console.run("groups", "put", "b", "--size", "2");
        Files.writeString(file, jobs.formatted("b"));
        assertThat(console.run("reconcile", file.toString(), "--dry-run").out()).contains("groups     1\n  a\n");
        assertThat(console.run("reconcile", file.toString(), "--json").out()).contains("\"groups\":[\"a\"]");
        assertThat(console.run("reconcile", file.toString()).out()).doesNotContain("groups ");
    }
}
