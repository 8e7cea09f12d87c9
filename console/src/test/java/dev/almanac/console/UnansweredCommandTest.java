package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.FindScope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands whose server answers at first, and then loses a reply: a program that repeats what it may repeat does no harm. */
class UnansweredCommandTest {
    private static final String CHANGE = "update jobSpecification";

    private final ConsoleFixture console = ConsoleFixture.withStore();

    @AfterEach
    void drop() {
        console.close();
    }

    private CommandResult over(CutWire wire, String... arguments) {
        List<String> whole = new ArrayList<>(Arrays.asList(arguments));
        whole.addAll(List.of("--uri", wire.uri(), "--database", console.name()));
        CommandResult told = CommandResult.by(Map.of("COLUMNS", "80"), whole.toArray(String[]::new));
        assertThat(wire.met()).as(told.all()).isTrue();
        return told;
    }

    private boolean isToRunNow(String key) {
        return console.store()
                        .find(key, FindScope.LIVE)
                        .orElseThrow()
                        .requests()
                        .runNow()
                != null;
    }

    @ParameterizedTest
    @DisplayName("9, N7: a run that was requested, and whose reply is lost, is no wrong input: exit code 1")
    @ValueSource(strings = {"jobs run-now a", "jobs run-now a b", "jobs run-now --where-type report --yes"})
    void lostReply(String line) {
        console.schedule("a");
        try (CutWire wire = CutWire.forGood(console.uri(), CHANGE)) {
            CommandResult told = over(wire, line.split(" "));
            assertThat(told.exit()).as(told.all()).isEqualTo(1);
            assertThat(told.err())
                    .startsWith("almanac: what was asked may have been done: MongoDB did not answer")
                    .doesNotContain("no MongoDB server answers");
        }
        assertThat(isToRunNow("a")).isTrue();
    }

    @Test
    @DisplayName(
            "9, N7: that the outcome of a run now is not known is said, since a second one would run the job twice")
    void unknownOutcome() {
        console.schedule("a");
        Runnable others = () -> {
            console.run("jobs", "update", "a", "--priority", "2");
        };
        try (CutWire wire = CutWire.once(console.uri(), CHANGE, others)) {
            CommandResult told = over(wire, "jobs", "run-now", "a");
            assertThat(told.exit()).as(told.all()).isEqualTo(1);
            assertThat(told.err()).contains("whether the change of job 'a' was applied is not known");
        }
    }

    @Test
    @DisplayName("9: a change that the server refuses for good was not made, and nothing else is said")
    void refusedForGood() {
        console.schedule("a");
        Document only = new Document("priority", new Document("$exists", false));
        console.database().runCommand(new Document("collMod", "jobSpecification").append("validator", only));
        CommandResult told = console.run("jobs", "update", "a", "--priority", "2");
        assertThat(told.exit()).as(told.all()).isEqualTo(1);
        assertThat(told.all()).contains("refuses it for good").doesNotContain("may have been done");
    }

    @Test
    @DisplayName("9: a question that a server leaves open after it has answered others asks for no change")
    void lostAnswer() {
        console.schedule("a");
        try (CutWire wire = CutWire.forGood(console.uri(), "find jobSpecification")) {
            CommandResult told = over(wire, "jobs", "list");
            assertThat(told.exit()).as(told.all()).isEqualTo(1);
            assertThat(told.err()).startsWith("almanac: MongoDB did not answer as expected while listing jobs");
        }
    }

    @Test
    @DisplayName("9: what was read after a change is not known then, and the change stands")
    void lostAnswerAfterwards() {
        console.schedule("a");
        try (CutWire wire = CutWire.forGood(console.uri(), "find jobSpecification")) {
            CommandResult told = over(wire, "jobs", "pause", "--tag", "night", "--reason", "x", "--yes");
            assertThat(told.exit()).as(told.all()).isZero();
            assertThat(told.out()).doesNotContain("may have been done");
        }
    }
}
