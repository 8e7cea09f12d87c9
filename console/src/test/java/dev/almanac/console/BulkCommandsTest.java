package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Commands that change many jobs (issue point 17.3). */
class BulkCommandsTest {
    private final ConsoleFixture console = ConsoleFixture.withStore();

    @AfterEach
    void drop() {
        console.close();
    }

    @Test
    @DisplayName("17.3: an update that some jobs cannot take is refused for these, and changes the others")
    void updateOfSome() {
        console.schedule("a");
        console.schedule("b", "--failure-type", "report", "--failure-id", "f", "--tag", "night");
        console.schedule("c", "--tag", "night");
        console.database()
                .getCollection("jobSpecification")
                .updateOne(Filters.eq("jobSpecificationKey", "c"), Updates.set("priority", "high"));
        CommandResult some = console.run("jobs", "update", "a", "b", "nobody", "--failure-body", "{\"amount\":2}");
        assertThat(some.err()).isEmpty();
        assertThat(some.exit()).isEqualTo(1);
        assertThat(some.out())
                .containsSubsequence(
                        "a: refused: ",
                        "is required beside failure-body",
                        "b: failureCommand: changed\n",
                        "nobody: refused: no live job 'nobody'",
                        "1 done, 0 unchanged, 2 refused\n");
        assertThat(console.run("jobs", "update", "--where-tag", "night", "--priority", "2", "--yes")
                        .out())
                .as("a document that cannot be read is reported")
                .containsSubsequence("c: refused: ", "b: priority: 4 -> 2\n", "1 done, 0 unchanged, 1 refused\n");
        assertThat(console.run("jobs", "update", "a", "b", "--priority", "soon").err())
                .as("what nobody could take is told once")
                .startsWith("almanac: nothing was changed:\n  --priority 'soon'");
    }

    @Test
    @DisplayName("17.3: pause, resume and run-now take several jobs or all of a kind, with a dry run")
    void others() {
        console.schedule("a", "--tag", "night");
        console.schedule("b", "--tag", "night");
        console.schedule("c");
        String[] pause = {"jobs", "pause", "--where-tag", "night", "--reason", "audit", "--author", "ann", "--yes"};
        assertThat(console.run("jobs", "pause", "--where-tag", "night", "--reason", "audit", "--dry-run")
                        .out())
                .isEqualTo("a: would be done: paused\nb: would be done: paused\n"
                        + "2 would be done, 0 unchanged, 0 refused; nothing was changed (--dry-run)\n");
        assertThat(console.run(pause).out()).isEqualTo("a: paused\nb: paused\n2 done, 0 unchanged, 0 refused\n");
        assertThat(console.run("jobs", "run-now", "a", "--dry-run").out())
                .startsWith("a: would be done: one run in addition to its plan; it starts when the pause ends\n");
        assertThat(console.run("jobs", "resume", "a", "c").out())
                .isEqualTo("a: resumed\nc: unchanged, is not paused\n1 done, 1 unchanged, 0 refused\n");
        assertThat(console.run("jobs", "run-now", "--where-type", "report", "--after", "a", "--yes")
                        .out())
                .as("continues after a key")
                .startsWith("b: one run in addition to its plan; it starts when the pause ends\n"
                        + "c: one run in addition to its plan; a node that knows the command starts it\n2 done");
        assertThat(console.run("jobs", "pauses").out()).startsWith("no tag and no command type is paused");
        assertThat(console.run("jobs", "pause", "--all", "--reason", "x", "--dry-run")
                        .err())
                .startsWith("almanac: --dry-run is for KEYs and --where-...");
        assertThat(console.run("jobs", "pause", "a", "--tag", "night", "--reason", "x")
                        .err())
                .startsWith("almanac: which jobs?");
        assertThat(console.run("jobs", "run-now", "a", "--after", "a").err()).startsWith("almanac: --after continues");
    }

    @Test
    @DisplayName(
            "17.3: a refused job has one line; what its calendar is not asked for is changed, and the rest planned by a node")
    void oneLine() {
        console.schedule("a");
        console.database()
                .getCollection("jobSpecification")
                .updateOne(new Document(), new Document("$set", new Document("calendars", List.of("christmas"))));
        assertThat(console.run("jobs", "update", "a", "--calendar", "typo").out())
                .isEqualTo("a: refused: job 'a' was refused, nothing was written: calendars 'typo' is not known;"
                        + " known are []\n0 done, 0 unchanged, 1 refused\n");
        assertThat(console.run("jobs", "update", "a", "--priority", "2").out())
                .as("S16: an update checks only what it changes")
                .isEqualTo("a: priority: 4 -> 2\n1 done, 0 unchanged, 0 refused\n");
        assertThat(console.run("jobs", "update", "a", "--zone", "Asia/Tokyo").out())
                .startsWith("a: zoneId: UTC -> Asia/Tokyo; a node that knows its calendars plans its next fire\n");
    }

    @Test
    @DisplayName("A2: rerun by key also runs a finished one-off again that has not failed, once")
    void rerunOfFinished() {
        console.schedule("once", "--at", "2100-01-01T12:00");
        console.run("jobs", "cancel", "once");
        assertThat(console.run("jobs", "rerun", "once").out())
                .isEqualTo(
                        "once: runs again now, for its fire of 2100-01-01T12:00:00Z\n1 done, 0 unchanged, 0 refused\n");
        assertThat(console.run("jobs", "rerun", "once").out()).startsWith("once: unchanged, ");
    }
}
