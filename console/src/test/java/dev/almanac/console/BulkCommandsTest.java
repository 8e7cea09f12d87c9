package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.Scheduler;
import dev.almanac.model.ActionReport;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSelection;
import dev.almanac.store.StoreException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

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
                        "--failure-type is required beside --failure-body",
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
                .isEqualTo(
                        "a: resumed: the pause by ann: audit\nc: unchanged, is not paused\n1 done, 1 unchanged, 0 refused\n");
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
            "A1: a pause of several jobs, or of a kind, keeps author and reason in their rows, as that of one does")
    void authorOfPauses() {
        for (String key : List.of("a", "b", "c")) {
            console.schedule(key, "--tag", key.equals("c") ? "night" : "day");
        }
        console.run("jobs", "pause", "a", "b", "--reason", "audit", "--author", "ann");
        console.run("jobs", "pause", "--where-tag", "night", "--reason", "audit", "--author", "ann", "--yes");
        for (String key : List.of("a", "b", "c")) {
            assertThat(console.run("jobs", "history", key, "--json").out())
                    .contains("\"author\":\"ann\",\"reason\":\"audit\"");
        }
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
                .isEqualTo(
                        "a: refused: --calendar 'typo' is not known; known are []\n0 done, 0 unchanged, 1 refused\n");
        assertThat(console.run("jobs", "update", "a", "--priority", "2").out())
                .as("S16: an update checks only what it changes")
                .isEqualTo("a: priority: 4 -> 2\n1 done, 0 unchanged, 0 refused\n");
        assertThat(console.run("jobs", "update", "a", "--zone", "Asia/Tokyo").out())
                .startsWith("a: zoneId: UTC -> Asia/Tokyo; at least: which fires of the former schedule have passed")
                .contains("; a node that knows its calendars plans its next fire\n");
    }

    @Test
    @DisplayName("8: of several keys, one that nothing has is refused and the others are done: exit code 1, not 3")
    void unknownAmongOthers() {
        console.schedule("a");
        for (String change : List.of("update a none --priority 2", "acknowledge none a", "rerun none other")) {
            CommandResult told = console.run(("jobs " + change).split(" "));
            assertThat(told.exit()).as(change).isEqualTo(1);
            assertThat(told.out()).as(change).contains("none: refused: no live job 'none'");
        }
        console.run("jobs", "cancel", "a");
        assertThat(console.run("jobs", "acknowledge", "a").exit())
                .as("a job that has ended is found")
                .isZero();
        assertThat(console.run("jobs", "update", "a", "--priority", "2").exit())
                .as("a job that has ended is not changed")
                .isEqualTo(3);
    }

    @Test
    @DisplayName("8: a key that is named twice is one job, in every number and for the change itself")
    void keyNamedTwice() {
        for (String key : List.of("a", "b")) {
            console.schedule(key, "--at", "2100-01-01T12:00");
        }
        assertThat(console.run("jobs", "run-now", "b", "a", "b", "--dry-run").out())
                .as("in the order in which they are named first")
                .containsSubsequence("b: would be done", "a: would be done", "2 would be done, 0 unchanged, 0 refused");
        assertThat(console.run("jobs", "cancel", "a", "a", "--expect", "2").err())
                .contains("--expect 2 does not hold, the change would be of 1 job");
        assertThat(console.run("jobs", "cancel", "b", "a", "b", "a", "--expect", "2"))
                .isEqualTo(new CommandResult(0, "b: CANCELED\na: CANCELED\n2 done, 0 unchanged, 0 refused\n", ""));
        for (String change : List.of("rerun", "acknowledge")) {
            assertThat(console.run("jobs", change, "b", "a", "b", "--dry-run", "--json")
                            .out())
                    .as(change)
                    .containsOnlyOnce("\"jobSpecificationKey\":\"b\"")
                    .containsOnlyOnce("\"jobSpecificationKey\":\"a\"");
        }
        assertThat(console.run("jobs", "cancel", "x", "x").exit())
                .as("one key, which nothing has")
                .isEqualTo(3);
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

    @Test
    @DisplayName(
            "17.3: an update of the type keeps the body and the version of the command, since these were not named")
    void updateOfType() {
        String[] both = {"--type-version", "3", "--failure-type", "tell", "--failure-type-version", "2"};
        console.schedule("a", both);
        console.run("jobs", "update", "a", "--body", "{\"amount\":5}", "--failure-body", "{\"to\":\"ann\"}");
        assertThat(console.run("jobs", "update", "a", "--type", "invoice", "--failure-type", "write")
                        .out())
                .contains("1 done");
        assertThat(console.run("jobs", "show", "a", "--json").out())
                .contains("\"triggerCommand\":{\"type\":\"invoice\",\"version\":3,\"body\":{\"amount\":5}}")
                .contains("\"failureCommand\":{\"type\":\"write\",\"version\":2,\"body\":{\"to\":\"ann\"}}");
    }

    @Test
    @DisplayName(
            "17.3: --where-type means the command that a job triggers, also while its failure command is to be delivered")
    void whereType() {
        console.schedule("a", "--type", "invoice", "--failure-type", "tell");
        console.schedule("b", "--type", "tell");
        console.database()
                .getCollection("jobSpecification")
                .updateOne(
                        Filters.eq("jobSpecificationKey", "a"),
                        Updates.combine(Updates.set("phase", "FAILURE"), Updates.set("type", "tell")));
        assertThat(console.run("jobs", "update", "--where-type", "tell", "--priority", "2", "--yes")
                        .out())
                .startsWith("b: ")
                .contains("1 done, 0 unchanged, 0 refused");
        assertThat(console.run("jobs", "cancel", "--where-type", "invoice", "--dry-run")
                        .out())
                .startsWith("a: would be done");
        assertThat(console.run("jobs", "list", "--where-type", "invoice").out()).contains("\na ");
    }

    /** Rows of fires that failed for good, as the engine writes them; the first is the oldest. */
    private void failures(String key, int count, Instant first) {
        MongoCollection<Document> rows = console.database().getCollection("jobExecutionStatus");
        Document row = rows.find(Filters.eq("jobSpecificationKey", key)).first();
        rows.insertMany(IntStream.range(0, count)
                .mapToObj(i -> new Document(row)
                        .append("_id", key + ":" + i)
                        .append("executionStatus", "FAILED")
                        .append("outcome", "RETRIES_EXHAUSTED")
                        .append("updatedTime", Date.from(first.plusMillis(i)))
                        .append("attempt", 3)
                        .append("fireSeq", (long) i))
                .toList());
    }

    @Test
    @DisplayName("A2: a row that cannot be read hides no older failure from rerun and acknowledge")
    void unreadableRow() {
        console.schedule("old");
        console.schedule("new");
        Instant start = Instant.now().minusSeconds(60);
        failures("old", 1, start);
        failures("new", 1_000, start.plusSeconds(1));
        console.database()
                .getCollection("jobExecutionStatus")
                .updateOne(Filters.eq("_id", "new:500"), Updates.set("attempt", "many"));
        assertThat(console.run("jobs", "rerun", "--failed", "--since", "1h", "--dry-run")
                        .out())
                .contains("old: would be done", "new: would be done", "2 would be done, 0 unchanged");
    }

    @Test
    @DisplayName("S14: a question names the applications of the jobs, and how many of the jobs have none")
    void jobsWithoutApplication() {
        String[] rerun = {"jobs", "rerun", "--failed", "--since", "1h"};
        Instant start = Instant.now().minusSeconds(60);
        console.schedule("b");
        failures("b", 1, start);
        assertThat(console.run(rerun).err()).contains("this would rerun 1 job, of no application: b;");
        console.schedule("a", "--application", "tills");
        failures("a", 1, start.plusSeconds(1));
        assertThat(console.run(rerun).err())
                .contains("this would rerun 2 jobs, of application tills, and 1 of none: a, b;");
        assertThat(console.run("jobs", "cancel", "--where-application", "tills").err())
                .contains("this would cancel 1 job, of application tills: a;");
        console.database()
                .getCollection("jobSpecification")
                .updateOne(Filters.eq("jobSpecificationKey", "b"), Updates.set("priority", "high"));
        assertThat(console.run("jobs", "cancel", "--all").err())
                .as("what a damaged document belongs to is not known")
                .contains("this would cancel 2 jobs, of application tills: a, and 1 more;");
    }

    @Test
    @DisplayName("A2, S14: a job with more failures than a page has is counted and run once")
    void moreFailuresThanAPage() {
        console.schedule("a");
        failures("a", 2_100, Instant.now().minusSeconds(60));
        String[] rerun = {"jobs", "rerun", "--failed", "--since", "1h"};
        assertThat(console.answering("y\n", rerun).all())
                .contains("This will rerun 1 job,", "1 done, 0 unchanged, 0 refused");
        assertThat(console.run("jobs", "acknowledge", "--failed", "--since", "1h", "--dry-run")
                        .out())
                .contains(" 0 refused")
                .containsOnlyOnce("a: ");
    }

    @Test
    @DisplayName(
            "17.3: when the server goes away in the middle, the totals and where to continue are printed, with exit code 1")
    void outage() {
        ActionReport first = new ActionReport(
                List.of(
                        new ActionReport.Item("a", ActionReport.Result.DONE, "paused"),
                        new ActionReport.Item("b", ActionReport.Result.DONE, "paused"),
                        new ActionReport.Item("c", ActionReport.Result.REFUSED, "not begun")),
                false,
                JobSelection.matching(JobQuery.all().after("c")));
        for (String option : List.of("--wide", "--json")) {
            Scheduler scheduler = answeringOnce(first);
            StringWriter text = new StringWriter();
            Output out =
                    new Output(new ProcessEnvironment(new PrintWriter(text), new PrintWriter(text), Map.of(), false));
            new CommandLine(new Answered(out)).parseArgs(option);
            assertThatThrownBy(() -> ActionAnswer.apply(out, scheduler, JobAction.cancel(), JobSelection.all(), false))
                    .isInstanceOf(CommandFailedException.class)
                    .hasMessageContaining("--after 'b'");
            out.out().flush();
            assertThat(text.toString())
                    .endsWith(
                            option.equals("--json")
                                    ? "],\"done\":2,\"unchanged\":0,\"refused\":1,\"dryRun\":false}\n"
                                    : "2 done, 0 unchanged, 1 refused\n");
        }
    }

    @ParameterizedTest
    @DisplayName(
            "17.3: the place to continue from lies before a job that an outage left out; run-now names what would run twice")
    @ValueSource(booleans = {false, true})
    void leftOutByAnOutage(boolean runs) {
        ActionReport first = new ActionReport(
                List.of(
                        new ActionReport.Item("a", ActionReport.Result.DONE, "done"),
                        new ActionReport.Item("b", ActionReport.Result.REFUSED, "its outcome is not known", true),
                        new ActionReport.Item("c", ActionReport.Result.DONE, "done"),
                        new ActionReport.Item("d", ActionReport.Result.REFUSED, "was not begun", true)),
                false,
                JobSelection.matching(JobQuery.all().after("d")));
        Throwable told = catchThrowable(() -> ActionAnswer.apply(
                output(),
                answeringOnce(first),
                runs ? new JobAction.RunNow(null) : JobAction.cancel(),
                JobSelection.all(),
                false));
        assertThat(told).isInstanceOf(CommandFailedException.class).hasMessageContaining("--after 'a'");
        if (runs) {
            assertThat(told).hasMessageEndingWith("; this runs once more: c");
        } else {
            assertThat(told).hasMessageNotContaining("once more");
        }
    }

    @Test
    @DisplayName("17.3: an outage in the last page says how to continue, too, and never by what the command refuses")
    void leftOutOfTheLastPage() {
        List<ActionReport.Item> items = List.of(
                new ActionReport.Item("a", ActionReport.Result.REFUSED, "its outcome is not known", true),
                new ActionReport.Item("b", ActionReport.Result.DONE, "done"));
        ActionReport last = new ActionReport(items, false, null);
        JobAction runNow = new JobAction.RunNow(null);
        assertThatThrownBy(() -> ActionAnswer.apply(output(), answeringOnce(last), runNow, JobSelection.all(), false))
                .isInstanceOf(CommandFailedException.class)
                .hasMessageContaining("did not answer for a time")
                .hasMessageEndingWith("look at them, then repeat the command; this runs once more: b");
        assertThatThrownBy(() ->
                        ActionAnswer.apply(output(), answeringOnce(last), runNow, JobSelection.keys("a", "b"), false))
                .hasMessageEndingWith("then name those again that are neither done nor unchanged")
                .hasMessageNotContaining("--after");
        assertThatThrownBy(() -> ActionAnswer.apply(output(), answeringOnce(last), runNow, JobSelection.all(), true))
                .hasMessageEndingWith("so not all was looked at; repeat the command");
        ActionReport refused = new ActionReport(
                List.of(new ActionReport.Item("a", ActionReport.Result.REFUSED, "it is paused")), false, null);
        assertThat(ActionAnswer.apply(output(), answeringOnce(refused), runNow, JobSelection.all(), false))
                .isEqualTo(1);
    }

    @Test
    @DisplayName("A2: what an outage has interrupted goes on with what had failed until the first command")
    void outageOfFailures() {
        Instant from = Instant.parse("2026-05-01T00:00:00Z");
        Instant until = Instant.parse("2026-05-02T10:00:00.123Z");
        JobSelection failed = new JobSelection.Failed(from, until, null);
        ActionReport first =
                new ActionReport(List.of(new ActionReport.Item("b", ActionReport.Result.DONE, "done")), false, failed);
        assertThatThrownBy(() -> ActionAnswer.apply(output(), answeringOnce(first), JobAction.rerun(), failed, false))
                .hasMessageEndingWith(" --after 'b' --until 2026-05-02T10:00:00.123Z --since 2026-05-01T00:00:00Z");
    }

    @Test
    @DisplayName(
            "A2: with the end of the first command, --after leaves out no job that has failed once more since then")
    void failedAgainSinceTheInterruption() {
        for (String key : List.of("a", "b", "c")) {
            console.schedule(key);
        }
        Instant start = Instant.now().minusSeconds(600).truncatedTo(ChronoUnit.MILLIS);
        failures("a", 1, start);
        failures("b", 1, start.plusSeconds(1));
        failures("c", 1, start.plusSeconds(2));
        String end = start.plusSeconds(3).toString();
        for (String key : List.of("a", "b")) {
            console.database()
                    .getCollection("jobExecutionStatus")
                    .insertOne(new Document(console.database()
                                    .getCollection("jobExecutionStatus")
                                    .find(Filters.eq("_id", key + ":0"))
                                    .first())
                            .append("_id", key + ":again")
                            .append("fireSeq", 7L)
                            .append("updatedTime", Date.from(start.plusSeconds(4))));
        }
        String[] rest = {"jobs", "rerun", "--failed", "--since", "1h", "--after", "b", "--until", end, "--dry-run"};
        assertThat(console.run(rest).out())
                .as("c was done before the interruption")
                .containsSubsequence("b: ", "a: ")
                .doesNotContain("c: ");
    }

    /** Answers the first call, and fails at each that follows. */
    private Scheduler answeringOnce(ActionReport first) {
        AtomicInteger calls = new AtomicInteger();
        return (Scheduler) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Scheduler.class}, (proxy, method, arguments) -> {
                    if (calls.getAndIncrement() > 0) {
                        throw new StoreException("the server is away");
                    }
                    return first;
                });
    }

    private static Output output() {
        StringWriter text = new StringWriter();
        return new Output(new ProcessEnvironment(new PrintWriter(text), new PrintWriter(text), Map.of(), false));
    }

    @CommandLine.Command
    private static final class Answered {
        @CommandLine.Mixin
        private final Output out;

        Answered(Output out) {
            this.out = out;
        }
    }
}
