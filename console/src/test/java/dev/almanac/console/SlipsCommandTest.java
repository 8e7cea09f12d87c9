package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoCollection;
import dev.almanac.Scheduler;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.runtime.HostName;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Slips that would destroy something, on the command line (rules S11, S14, S15). */
class SlipsCommandTest {
    private static final List<List<String>> CHANGES = List.of(
            List.of("jobs", "cancel"),
            List.of("jobs", "pause", "--reason", "x"),
            List.of("jobs", "resume"),
            List.of("jobs", "update", "--priority", "2"),
            List.of("jobs", "run-now"));

    private final ConsoleFixture console = ConsoleFixture.withStore();

    @TempDir
    Path folder;

    @AfterEach
    void drop() {
        console.close();
    }

    private CommandResult run(List<String> command, String... more) {
        return console.run(with(command, more));
    }

    private static String[] with(List<String> command, String... more) {
        List<String> whole = new ArrayList<>(command);
        whole.addAll(List.of(more));
        return whole.toArray(String[]::new);
    }

    @Test
    @DisplayName("S14: an empty text of a selection is refused by every command, and nothing is changed")
    void emptyText() {
        console.schedule("a");
        String before = console.run("jobs", "show", "a", "--json").out();
        for (List<String> change : CHANGES) {
            for (String option : List.of("key-prefix", "tag", "type", "requestor", "application")) {
                CommandResult told = run(change, "--where-" + option, "", "--yes");
                assertThat(told.exit()).isEqualTo(2);
                assertThat(told.err()).startsWith("almanac: --where-" + option + " is empty, which selects nothing");
            }
        }
        assertThat(console.run("jobs", "pause", "--type", "", "--reason", "x", "--yes")
                        .err())
                .startsWith("almanac: --type is empty");
        assertThat(console.run("jobs", "rerun", "--failed", "--since", "today", "--where-type", "", "--yes")
                        .err())
                .startsWith("almanac: --where-type is empty");
        assertThat(console.run("jobs", "rerun", "--failed", "--since", "today", "--after", "", "--yes")
                        .err())
                .startsWith("almanac: --after is empty");
        assertThat(console.run("jobs", "pause", "--tag", "", "--reason", "x", "--yes")
                        .err())
                .startsWith("almanac: --tag is empty");
        assertThat(console.run("jobs", "cancel", "--where-tag", "x", "--after", "", "--yes")
                        .err())
                .startsWith("almanac: --after is empty");
        assertThat(console.run("jobs", "list", "--where-key-prefix", "").exit()).isEqualTo(2);
        assertThat(console.run("jobs", "show", "a", "--json").out()).isEqualTo(before);
    }

    @Test
    @DisplayName("S14: elsewhere than on a terminal a change of many jobs needs --yes, and the number that is expected")
    void programs() {
        console.schedule("a", "--application", "tills");
        console.schedule("b", "--application", "shops");
        console.schedule("c");
        console.schedule("d");
        for (List<String> change : CHANGES) {
            if (!change.contains("pause") && !change.contains("resume")) {
                CommandResult told = run(change, "--all");
                assertThat(told.exit()).isEqualTo(2);
                assertThat(told.err())
                        .startsWith("almanac: nothing was changed: this would ")
                        .contains(
                                " 4 jobs, of applications shops, tills, and 2 of none: a, b, c, and 1 more; add --yes")
                        .contains("--expect 4");
            }
            assertThat(run(change, "--where-type", "report").err()).startsWith("almanac: nothing was changed: this");
        }
        assertThat(console.run("jobs", "cancel", "--all", "--yes", "--expect", "3")
                        .err())
                .startsWith("almanac: nothing was changed: --expect 3 does not hold, the change would be of 4 jobs");
        assertThat(console.run("jobs", "list").out()).contains("\na ", "\nb ", "\nc ", "\nd ");
        assertThat(console.run("jobs", "cancel", "--all", "--dry-run").out()).contains("4 would be done");
        assertThat(console.run("jobs", "cancel", "a", "d").out()).as("named").contains("2 done");
        assertThat(console.run("jobs", "cancel", "--all", "--yes", "--expect", "2")
                        .out())
                .contains("2 done");
        assertThat(console.run("jobs", "cancel", "--all").out())
                .as("there is none")
                .contains("0 done");
        assertThat(console.run("jobs", "cancel", "a", "--all").err()).startsWith("almanac: --all means every job");
    }

    @Test
    @DisplayName("S14: a person at a terminal sees how many jobs, of which applications and which, and is asked")
    void persons() {
        console.schedule("a", "--application", "tills");
        console.schedule("b");
        CommandResult no = console.answering("\n", "jobs", "cancel", "--all");
        assertThat(no.exit()).isEqualTo(1);
        assertThat(no.err())
                .startsWith("This will cancel 2 jobs, of application tills, and 1 of none: a, b\n  Go on? [y/N] ");
        assertThat(no.err()).endsWith("almanac: nothing was changed\n");
        assertThat(console.answering("", "jobs", "cancel", "--all").exit())
                .as("the end of the input")
                .isEqualTo(1);
        assertThat(console.run("jobs", "list").out()).contains("\na ", "\nb ");
        CommandResult yes = console.answering("y\n", "jobs", "cancel", "--all");
        assertThat(yes.exit()).isZero();
        assertThat(yes.out()).contains("2 done");
    }

    @Test
    @DisplayName("S14: --yes means the jobs that are there; what is stored while the command runs is left alone")
    void storedMeanwhile() {
        console.schedule("a", "--body", "{\"text\":\"" + "x".repeat(1_000_000) + "\"}");
        MongoCollection<Document> jobs = console.database().getCollection("jobSpecification");
        Document large = jobs.find().first();
        // more than a page, which ends after 16 MiB
        jobs.insertMany(IntStream.range(0, 19)
                .mapToObj(i -> new Document(large)
                        .append("_id", new ObjectId())
                        .append("jobSpecificationKey", "a" + i)
                        .append("activeKey", "a" + i))
                .toList());
        assertThat(console.runBesides(() -> console.schedule("new"), "jobs", "cancel", "--all", "--yes")
                        .out())
                .contains("a: ", "a9: ", "20 done, 0 unchanged, 0 refused")
                .doesNotContain("new: ");
        assertThat(console.run("jobs", "list").out()).contains("\nnew ").doesNotContain("\na");
        assertThat(console.run("jobs", "cancel", "--all", "--yes").out()).contains("1 done, 0 unchanged, 0 refused");
    }

    private String file(int from, int to) throws IOException {
        StringBuilder jobs = new StringBuilder();
        for (int i = from; i < to; i++) {
            jobs.append("{ key = j").append(i).append(", at = \"2100-01-01T00:00:00Z\", type = log }\n");
        }
        return Files.writeString(
                        folder.resolve("jobs.conf"), "almanac { application = tills, jobs = [\n" + jobs + "] }\n")
                .toString();
    }

    @Test
    @DisplayName("S14: reconcile with cancels needs --yes, and --allow-mass-cancel for all or most jobs; so does run")
    void reconcile() throws IOException {
        console.run("reconcile", file(0, 3));
        String emptied = file(0, 0);
        CommandResult refused = console.run("reconcile", emptied, "--yes");
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err())
                .startsWith("almanac: jobs.conf was refused, nothing was written:\n  3 stored jobs are not in it")
                .contains("--allow-mass-cancel");
        assertThat(console.run("run", emptied, "--for", "1ms").err()).contains("--allow-mass-cancel");
        CommandResult dry = console.run("reconcile", emptied, "--dry-run");
        assertThat(dry.out()).contains("canceled   3");
        assertThat(dry.err()).isEqualTo(refused.err());
        assertThat(console.run("reconcile", emptied, "--allow-mass-cancel").err())
                .startsWith(
                        "almanac: nothing was changed: this would cancel 3 jobs, of application tills: j0, j1, j2;");
        assertThat(console.run("jobs", "list").out()).contains("\nj0 ", "\nj1 ", "\nj2 ");
        String without = file(1, 3);
        assertThat(console.run("reconcile", without).err())
                .contains("this would cancel 1 job, of application tills: j0");
        assertThat(console.run("reconcile", without, "--yes", "--expect", "2").exit())
                .isEqualTo(1);
        assertThat(console.answering("yes\n", "reconcile", without).out()).contains("canceled   1");
        assertThat(console.run("reconcile", file(0, 0), "--yes", "--expect", "2", "--allow-mass-cancel")
                        .out())
                .contains("canceled   2");
        assertThat(console.run("jobs", "list").out()).startsWith("no jobs");
    }

    @Test
    @DisplayName("S14: a pause of a type, tag or node that nothing has needs --yes; one that something has does not")
    void misspelt() {
        console.schedule("a", "--tag", "night");
        CommandResult told = console.run("jobs", "pause", "--type", "invoce", "--reason", "x");
        assertThat(told.exit()).isEqualTo(2);
        assertThat(told.err())
                .isEqualTo("almanac: nothing was paused: there is no job of type invoce; --yes pauses those that will"
                        + " come\n");
        assertThat(console.run("jobs", "pause", "--tag", "nigth", "--reason", "x")
                        .exit())
                .isEqualTo(2);
        assertThat(console.run("nodes", "standby", "till-9").err()).contains("no node 'till-9'", "--yes");
        assertThat(console.run("jobs", "pauses").out()).startsWith("no tag");
        assertThat(console.run("jobs", "pause", "--type", "report", "--reason", "x")
                        .exit())
                .isZero();
        assertThat(console.run("jobs", "pause", "--tag", "night", "--reason", "x")
                        .exit())
                .isZero();
        assertThat(console.run("jobs", "pause", "--type", "invoce", "--reason", "x", "--yes")
                        .exit())
                .isZero();
        assertThat(console.run("nodes", "standby", "till-9", "--yes").exit()).isZero();
        String[] times = {"--from", "2100-01-01T00:00:00Z", "--until", "2100-01-02T00:00:00Z"};
        assertThat(console.run(with(List.of("nodes", "standby", "till-9", "--yes", "--json"), times))
                        .out())
                .isEqualTo("{\"node\":\"till-9\",\"standby\":true,\"from\":\"2100-01-01T00:00:00Z\","
                        + "\"until\":\"2100-01-02T00:00:00Z\"}\n");
    }

    /** Runs what a command advises, as a shell takes it apart. */
    private CommandResult follow(String advice) throws IOException {
        String line = advice.strip().replaceFirst("^almanac ", "");
        ProcessBuilder shell = new ProcessBuilder("bash", "-c", "printf '%s\\0' " + line);
        shell.environment().put("LC_ALL", "C.UTF-8");
        String words = new String(shell.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        // the database stands before what is advised: behind -- it would be a key
        List<String> whole = new ArrayList<>(List.of(words.split("\0")));
        whole.addAll(2, List.of("--uri", console.uri(), "--database", console.name()));
        return CommandResult.by(Map.of("COLUMNS", "80"), whole.toArray(String[]::new));
    }

    /** A command about one job, whose key may look like an option. */
    private CommandResult command(List<String> command, String key) {
        List<String> whole = new ArrayList<>(command);
        whole.addAll(List.of("--uri", console.uri(), "--database", console.name(), "--", key));
        return CommandResult.by(Map.of("COLUMNS", "80"), whole.toArray(String[]::new));
    }

    private boolean isPaused(String key) {
        return console.store().find(key, FindScope.LIVE).orElseThrow().isPausedAt(Instant.now(), List.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--all", "-x", "0 --all --yes", "0می\u200cخواهم", "0rtl\u202ekey", "0it's \\u200c\u200c"})
    @DisplayName(
            "S14: what a command advises about a job, copied, is about that job and no other, whatever its key holds")
    void advised(String key) throws IOException {
        scheduleBefore(key);
        console.run("jobs", "pause", "--reason", "x", "zz");
        CommandResult paused = command(List.of("jobs", "pause", "--reason", "x"), key);
        assertThat(isPaused(key)).isTrue();
        CommandResult resumed = follow(
                paused.out().split("to end that: ")[1].lines().findFirst().orElseThrow());
        assertThat(resumed.exit()).as(resumed.all()).isZero();
        assertThat(isPaused(key)).isFalse();
        assertThat(isPaused("zz")).isTrue();

        CommandResult planned =
                command(List.of("jobs", "pause", "--reason", "x", "--from", "2100-01-01T00:00:00Z"), key);
        // results show no real times
        CommandResult ended =
                follow(planned.out().split("to end that: ")[1].replaceAll("#[-:#T]+Z", "2100-01-01T00:00:00Z"));
        assertThat(ended.exit()).as(ended.all()).isZero();
        assertThat(console.store()
                        .find(key, FindScope.LIVE)
                        .orElseThrow()
                        .requests()
                        .pause())
                .isNull();

        claim(key, 7);
        String shown = command(List.of("jobs", "release"), key).out();
        assertThat(follow(shown.substring(shown.indexOf("almanac jobs release")))
                        .out())
                .contains("1 done");

        String refused = command(List.of("jobs", "remove", "--damaged"), key).err();
        assertThat(follow(refused.substring(refused.indexOf("almanac jobs cancel")))
                        .exit())
                .isZero();
        assertThat(console.store().find(key, FindScope.LIVE)).isEmpty();
        assertThat(console.store().find("zzz", FindScope.LIVE)).isPresent();
    }

    @Test
    @DisplayName("8: contents that cannot be read are not shown with their password")
    void passwordInContents() {
        for (String option : List.of("--body", "--on-success")) {
            CommandResult refused = CommandResult.by(
                    Map.of("COLUMNS", "80"),
                    "jobs",
                    "schedule",
                    "--key",
                    "j",
                    "--cron",
                    "0 0 12 * * ?",
                    "--type",
                    "report",
                    option,
                    "{\"url\": \"postgresql://ann:s3cret@db/x\"",
                    "--uri",
                    console.uri(),
                    "--database",
                    console.name());
            assertThat(refused.exit()).isEqualTo(2);
            assertThat(refused.all()).contains("is no ").doesNotContain("s3cret");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--all of them", "-x", "0 --all --yes", "0می\u200cخواهم", "0rtl\u202ekey", "0it's \\u200c\u200c"
            })
    @DisplayName("S14: the place to continue a list from, copied, is that place, whatever its key holds")
    void advisedPlace(String key) throws IOException {
        scheduleBefore(key);
        String page = console.run("jobs", "list", "--limit", "1").out();
        String next = page.substring(page.indexOf("add ") + 4, page.indexOf(", or --all"));
        CommandResult behind = follow("jobs list --json " + next);
        assertThat(behind.exit()).as(behind.err()).isZero();
        assertThat(behind.out())
                .contains("\"zz\"", "\"zzz\"")
                .doesNotContain("\"jobs\":[]")
                .hasSameSizeAs(follow("jobs list --json --where-key-prefix zz").out());
    }

    /** That job, and two whose keys come after it. */
    private void scheduleBefore(String key) {
        List.of(key, "zz", "zzz").forEach(one -> scheduleFor("r", one));
    }

    private void scheduleFor(String requestor, String key) {
        console.run(
                "jobs",
                "schedule",
                "--key=" + key,
                "--requestor",
                requestor,
                "--id",
                "i",
                "--type",
                "t",
                "--at",
                "2100-01-01");
    }

    @Test
    @DisplayName(
            "S14: jobs release names the claim that it removes, shows it first, and leaves alone one that came later")
    void claimThatIsMeant() {
        console.schedule("k");
        assertThat(console.run("jobs", "release", "k", "--force").out())
                .isEqualTo("k is not claimed, nothing was changed\n");
        claim("k", 7);
        CommandResult shown = console.run("jobs", "release", "k");
        assertThat(shown.exit()).isZero();
        assertThat(shown.out())
                .contains("nothing was changed", "claim 7", "node zz", "almanac jobs release 'k' --force --claim 7");
        assertThat(console.run("jobs", "release", "k", "--json").out())
                .startsWith("{\"released\":false,\"claim\":7,\"runningOn\":\"zz\",\"leaseUntil\":\"");
        assertThat(console.run("jobs", "explain", "k").out()).contains("RECOVERING");
        claim("k", -8);
        CommandResult later = console.run("jobs", "release", "k", "--force", "--claim", "7");
        assertThat(later.out()).contains("unchanged, the claim that was named is over", "0 done");
        assertThat(console.run("jobs", "explain", "k").out()).contains("RECOVERING");
        assertThat(console.run("jobs", "release", "k", "--force", "--claim", "-8")
                        .out())
                .contains("released: the claim of node zz", "1 done");
        assertThat(console.run("jobs", "explain", "k").out()).doesNotContain("RECOVERING");
        claim("k", 9);
        assertThat(console.run("jobs", "release", "k", "--force").out())
                .contains("released: the claim of node zz", "1 done");
    }

    /** A claim of a node that is gone. */
    private void claim(String key, long token) {
        Date past = Date.from(Instant.now().minusSeconds(5));
        Document lease = new Document("owner", "zz").append("token", token).append("until", past);
        console.database()
                .getCollection("jobSpecification")
                .updateOne(
                        new Document("jobSpecificationKey", key),
                        new Document(
                                "$set",
                                new Document("lease", lease).append("due", past).append("claimSeq", 1L)));
    }

    @Test
    @DisplayName(
            "S14: a pause of a kind takes the place of another one only if that is confirmed, and of the one that was named")
    void standingPause() {
        console.schedule("a", "--tag", "night");
        String[] first = {"jobs", "pause", "--tag", "night", "--reason", "audit", "--author", "ann"};
        String[] second = {"jobs", "pause", "--tag", "night", "--reason", "move", "--author", "bob"};
        assertThat(console.run(first).exit()).isZero();
        CommandResult told = console.run(second);
        assertThat(told.exit()).isEqualTo(2);
        assertThat(told.err())
                .isEqualTo("almanac: nothing was paused: this replaces the pause by ann, which has no end: audit;"
                        + " add --yes if that is meant\n");
        assertThat(console.run("jobs", "pauses").out()).contains("audit").doesNotContain("move");
        assertThat(console.run(with(List.of(second), "--from", "2100-01-01T00:00:00Z"))
                        .exit())
                .as("it has a place of its own")
                .isZero();
        assertThat(console.run(with(List.of(second), "--yes")).out())
                .isEqualTo("every job with tag night is paused; to end that: almanac jobs resume --tag night;"
                        + " it replaces the pause by ann, which has no end: audit\n");
        assertThat(console.run("jobs", "pauses").out()).contains("move").doesNotContain("audit");
        CommandResult other = console.answeringAfter(
                () -> assertThat(console.run("jobs", "pause", "--all", "--reason", "INC-7", "--yes")
                                .exit())
                        .isZero(),
                "jobs",
                "pause",
                "--all",
                "--reason",
                "INC-8");
        assertThat(other.exit()).isEqualTo(1);
        assertThat(other.err()).contains("nothing was paused: others have changed the pause of every job meanwhile");
        assertThat(console.run("jobs", "pauses").out()).contains("INC-7").doesNotContain("INC-8");
        assertThat(console.run("nodes", "standby", "till-9", "--yes", "--author", "ann", "--reason", "audit")
                        .exit())
                .isZero();
        CommandResult standby = console.run("nodes", "standby", "till-9");
        assertThat(standby.exit()).isEqualTo(2);
        assertThat(standby.err()).contains("by ann", "audit", "--yes");
    }

    @Test
    @DisplayName("S15: nodes standby refuses a label that several nodes have, and names their ids")
    void sameLabel() {
        try (Scheduler one = node("till");
                Scheduler two = node("till")) {
            CommandResult told = console.run("nodes", "standby", "till");
            assertThat(told.exit()).isEqualTo(2);
            assertThat(told.err()).contains("2 live nodes have that label; name one by its id: ");
            assertThat(console.run("nodes", "standby", one.node().id()).exit()).isZero();
            assertThat(two.pauses())
                    .singleElement()
                    .satisfies(pause -> assertThat(pause.scope())
                            .isEqualTo(PauseScope.node(one.node().id())));
            two.pause(PauseScope.everything(), Pause.because("x"));
        }
    }

    @Test
    @DisplayName(
            "S15: nodes standby says if it need not last over a restart of the node, since its name is that of a process")
    void nameOfProcess() {
        String told = "; after a restart the node may have another name, and claim: set almanac.label\n";
        try (Scheduler given = node("till");
                Scheduler unnamed = node(HostName.ofProcess())) {
            for (String name : List.of(given.node().id(), unnamed.node().id(), HostName.ofProcess())) {
                CommandResult done = console.run("nodes", "standby", name);
                assertThat(done.exit()).isZero();
                assertThat(done.out()).as(name).endsWith(told);
            }
            CommandResult lasting = console.run("nodes", "standby", "till");
            assertThat(lasting.exit()).isZero();
            assertThat(lasting.out()).contains("is on standby").doesNotContain("restart");
        }
    }

    private Scheduler node(String label) {
        return Scheduler.builder().store(console.store()).label(label).build().start();
    }

    @Test
    @DisplayName("S11: jobs schedule replaces the job of another requestor only with --take-over")
    void takeOver() {
        console.schedule("k");
        String[] others = {
            "jobs", "schedule", "--key", "k", "--requestor", "others", "--type", "report", "--cron", "0 0 12 1 1 ? 2100"
        };
        CommandResult told = console.run(with(List.of(others), "--replace"));
        assertThat(told.exit()).isEqualTo(1);
        assertThat(told.err())
                .isEqualTo(
                        "almanac: a live job 'k' of requestor 'billing' exists already, nothing was written; if it is"
                                + " to become one of requestor 'others', add --take-over\n");
        assertThat(console.run("jobs", "show", "k", "--json").out()).contains("\"jobRequestor\":\"billing\"");
        assertThat(console.run(with(List.of(others), "--take-over", "--if-exists", "KEEP"))
                        .err())
                .contains("contradict each other");
        assertThat(console.run(with(List.of(others), "--take-over")).exit()).isZero();
        assertThat(console.run("jobs", "show", "k", "--json").out()).contains("\"jobRequestor\":\"others\"");
    }

    @Test
    @DisplayName("S11: what a person changed by the command line and reconcile takes back is said in the row")
    void undone() throws IOException {
        console.run("reconcile", file(0, 2));
        console.run("jobs", "update", "j0", "--priority", "1", "--author", "ann", "--reason", "INC-7");
        console.run("reconcile", file(0, 2));
        assertThat(console.run("jobs", "history", "j0").out())
                .contains("replaces what persons have changed: priority by ann (INC-7)");
        assertThat(console.run("jobs", "history", "j1").out()).doesNotContain("replaces");
    }

    @Test
    @DisplayName("S14: a key that begins with @ names a job, and no file of keys")
    void atSign() throws IOException {
        console.schedule("a");
        String named = "@" + Files.writeString(folder.resolve("nightly"), "a");
        CommandResult told = console.run("jobs", "cancel", named);
        assertThat(told.exit()).isEqualTo(3);
        assertThat(told.err()).contains(named);
        console.schedule("@@x");
        assertThat(console.run("jobs", "list").out()).contains("\na ", "\n@@x ");
    }

    @Test
    @DisplayName("S14: --expect counts named jobs, too; what holds one pause for all refuses it and --after")
    void expected() {
        console.schedule("a");
        console.schedule("b");
        for (List<String> change : CHANGES) {
            for (String[] keys : new String[][] {{"a"}, {"a", "b", "--expect", "1"}}) {
                CommandResult told = run(change, with(List.of(keys), "--expect", keys.length == 1 ? "2" : "3"));
                assertThat(told.err()).as("%s", change).startsWith("almanac: ");
                assertThat(told.out()).isEmpty();
            }
            assertThat(run(change, "a", "--expect", "2").err())
                    .startsWith("almanac: nothing was changed: --expect 2 does not hold, the change would be of 1 job");
        }
        assertThat(console.run("jobs", "rerun", "a", "b", "--expect", "1").err())
                .startsWith("almanac: nothing was changed: --expect 1 does not hold, the change would be of 2 jobs");
        for (String[] scope : new String[][] {{"--all"}, {"--tag", "x"}, {"--type", "report"}}) {
            for (List<String> change : List.of(CHANGES.get(1), CHANGES.get(2))) {
                for (String option : List.of("--expect", "--after")) {
                    CommandResult told = run(change, with(List.of(scope), option, "2", "--yes"));
                    assertThat(told.exit())
                            .as("%s %s %s", change, scope[0], option)
                            .isEqualTo(2);
                    assertThat(told.err()).contains(option);
                }
            }
        }
        assertThat(console.run("jobs", "pauses").out()).startsWith("no tag");
        assertThat(console.run("jobs", "list").out()).contains("SCHEDULED").doesNotContain("PAUSED");
    }

    private static Scheduler meanwhile(Scheduler real, Runnable others) {
        AtomicBoolean first = new AtomicBoolean(true);
        return (Scheduler) Proxy.newProxyInstance(
                Scheduler.class.getClassLoader(), new Class<?>[] {Scheduler.class}, (proxy, method, arguments) -> {
                    Object answer;
                    try {
                        answer = method.invoke(real, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                    if (method.getName().equals("changes") && first.getAndSet(false)) {
                        others.run();
                    }
                    return answer;
                });
    }

    @Test
    @DisplayName("S14: jobs schedule leaves alone what others have stored or changed since it was compared")
    void scheduledMeanwhile() {
        console.schedule("seen");
        try (Scheduler scheduler = console.scheduler()) {
            JobSpecification given = scheduler.findJobById("seen").orElseThrow().specification().toBuilder()
                    .version(0)
                    .build();
            JobSpecification other = given.toBuilder().priority(1).build();
            for (String key : List.of("seen", "new")) {
                JobSpecification wanted =
                        given.toBuilder().jobSpecificationKey(key).build();
                Scheduler raced = meanwhile(
                        scheduler,
                        () -> scheduler.scheduleJob(
                                other.toBuilder().jobSpecificationKey(key).build()));
                assertThatThrownBy(() -> ScheduleCommand.checked(raced, wanted))
                        .as(key)
                        .isInstanceOf(CommandFailedException.class)
                        .hasMessageContaining("'" + key + "' exists already, and differs:\n  priority: 1 -> 4");
                assertThat(scheduler
                                .findJobById(key)
                                .orElseThrow()
                                .specification()
                                .priority())
                        .as(key)
                        .isEqualTo(1);
            }
            JobSpecification twice =
                    given.toBuilder().jobSpecificationKey("twice").build();
            assertThat(ScheduleCommand.checked(meanwhile(scheduler, () -> scheduler.scheduleJob(twice)), twice)
                            .job()
                            .specification()
                            .version())
                    .as("two commands for one thing both have what they want")
                    .isEqualTo(1);
        }
    }

    @Test
    @DisplayName("S14: a pause of everything is confirmed also if no job is live, since later ones are held, too")
    void pauseOfLaterJobs() {
        String[] pause = {"jobs", "pause", "--all", "--reason", "x"};
        CommandResult told = console.run(pause);
        assertThat(told.exit()).isEqualTo(2);
        assertThat(told.err())
                .startsWith(
                        "almanac: nothing was changed: this would pause every job, also those that are stored later;"
                                + " none is live now; add --yes if that is meant\n");
        assertThat(console.answering("\n", pause).exit()).isEqualTo(1);
        assertThat(console.run("jobs", "pauses").out()).startsWith("no tag");
        assertThat(console.answering("y\n", pause).out()).startsWith("every job is paused");
    }

    @Test
    @DisplayName(
            "S14: a pause whose document is damaged, wherever it stands, is replaced once that is confirmed, and resumed")
    void damagedPause() {
        Document damaged = new Document("_id", "pause tga:night").append("reason", "audit");
        console.database().getCollection("control").insertOne(damaged);
        String[] pause = {"jobs", "pause", "--all", "--reason", "move", "--author", "bob"};
        CommandResult told = console.run(pause);
        assertThat(told.exit()).isEqualTo(2);
        assertThat(told.err())
                .startsWith("almanac: nothing was paused: this replaces the pause by unknown, which has no end: its"
                        + " document is damaged: ")
                .contains("add --yes");
        CommandResult done = console.run(with(List.of(pause), "--yes"));
        assertThat(done.err()).isEmpty();
        assertThat(done.out()).startsWith("every job is paused; ").contains("it replaces the pause by unknown");
        assertThat(console.run("jobs", "pauses").out()).contains("move").doesNotContain("damaged");
        console.run("jobs", "resume", "--all");
        console.database().getCollection("control").insertOne(damaged);
        assertThat(console.run("jobs", "resume", "--all").out()).isEqualTo("every job is resumed\n");
        assertThat(console.run("jobs", "pauses").out()).startsWith("no tag");
    }

    @Test
    @DisplayName("S14: nodes resume says that a node claims again only if a live node has the name")
    void nobodyOfThatName() {
        console.run("nodes", "standby", "till-9", "--yes");
        CommandResult ended = console.run("nodes", "resume", "till-9");
        assertThat(ended.exit()).isZero();
        assertThat(ended.out()).isEqualTo("till-9: the standby of that name is ended; no live node has it\n");
        assertThat(console.run("nodes", "resume", "till-9").out())
                .isEqualTo("till-9 was not on standby, nothing was changed\n");
    }

    @Test
    @DisplayName("A1: a pause, as a cancellation, has an author; and a reason that says something")
    void signed() {
        console.schedule("k");
        for (String[] given : new String[][] {{"--author", "", "--reason", "x"}, {"--reason", " "}}) {
            for (String target : List.of("k", "--all")) {
                CommandResult refused = console.run(with(List.of("jobs", "pause", target, "--yes"), given));
                assertThat(refused.exit()).as(refused.all()).isEqualTo(2);
                assertThat(refused.err()).contains(given[0].substring(2), "is empty");
            }
        }
        assertThat(isPaused("k")).isFalse();
        assertThat(console.run("jobs", "pauses").out()).startsWith("no tag");
    }

    @Test
    @DisplayName("S11: what differs from the job of another requestor is stored with --take-over, which is advised")
    void differsFromAnother() {
        scheduleFor("shop", "k");
        CommandResult refused = console.schedule("k", "--priority", "2");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err())
                .contains("jobRequestor: shop -> billing", "add --take-over")
                .doesNotContain("--replace");
        assertThat(console.schedule("k", "--priority", "2", "--take-over").exit())
                .isZero();
    }

    @Test
    @DisplayName("S14: nodes resume tells of a standby by the other name of the node, which it leaves alone")
    void otherName() {
        try (Scheduler node = node("till")) {
            String id = node.node().id();
            for (String[] names : new String[][] {{id, "till"}, {"till", id}}) {
                console.run("nodes", "standby", names[0]);
                CommandResult told = console.run("nodes", "resume", names[1]);
                assertThat(told.exit()).isEqualTo(1);
                assertThat(told.err())
                        .isEqualTo(CommandResult.alike("almanac: " + names[1] + " is still on standby, as node "
                                + names[0] + ": almanac nodes resume " + names[0] + "\n"));
                assertThat(node.pauses()).hasSize(1);
                console.run("nodes", "standby", names[1]);
                CommandResult one = console.run("nodes", "resume", names[1], "--json");
                assertThat(one.exit()).isEqualTo(1);
                assertThat(one.out()).contains("\"resumed\":true", "\"stillOnStandby\":[\"");
                assertThat(one.err()).contains("is still on standby, as node ");
                CommandResult last = console.run("nodes", "resume", names[0]);
                assertThat(last.exit()).isZero();
                assertThat(last.out()).endsWith(" claims again\n");
            }
        }
    }

    @Test
    @DisplayName(
            "S14: the question of a pause of everything says that later jobs are held, too, and advises nothing that is refused")
    void pauseOfAll() {
        String[] pause = {"jobs", "pause", "--all", "--reason", "x"};
        console.schedule("a", "--application", "tills");
        assertThat(console.run(pause).err())
                .startsWith(
                        "almanac: nothing was changed: this would pause every job, also those that are stored later;"
                                + " 1 is live now, of application tills: a; add --yes if that is meant\n");
        console.schedule("b", "--application", "tills");
        assertThat(console.run(pause).err())
                .contains("; 2 are live now, of application tills: a, b; add --yes if that is meant\n")
                .doesNotContain("--expect");
        assertThat(console.answering("\n", pause).exit()).isEqualTo(1);
        assertThat(console.run("jobs", "pauses").out()).startsWith("no tag");
        assertThat(console.answering("y\n", pause).out()).startsWith("every job is paused");
        assertThat(console.run("jobs", "cancel", "--all").err())
                .as("a change that takes --expect advises it")
                .contains("add --yes if that is meant, and --expect 2 to have the number checked");
    }

    @Test
    @DisplayName(
            "S14: a job that is stored while the question is open is left alone; so is a new one of a key that was shown")
    void whileTheQuestionIsOpen() {
        console.schedule("a");
        console.schedule("b");
        console.schedule("c");
        CommandResult done = console.answeringAfter(
                () -> {
                    console.schedule("d");
                    console.run("jobs", "cancel", "b");
                    console.schedule("b");
                },
                "jobs",
                "cancel",
                "--all");
        assertThat(done.err()).contains("cancel 3 jobs");
        assertThat(done.out()).contains("2 done, 0 unchanged, 0 refused");
        assertThat(console.run("jobs", "list").out()).contains("\nb ", "\nd ").doesNotContain("\na ", "\nc ");
    }

    @Test
    @DisplayName("S14: reconcile does not cancel a job that was stored while the question was open")
    void reconcileWhileTheQuestionIsOpen() throws IOException {
        console.run("reconcile", file(0, 5));
        CommandResult told = console.answeringAfter(
                () -> console.schedule("new", "--application", "tills"), "reconcile", file(1, 5));
        assertThat(told.exit()).isEqualTo(1);
        assertThat(told.err()).contains("nothing was changed", "new");
        assertThat(console.run("jobs", "list").out()).contains("\nj0 ", "\nnew ");
    }

    @Test
    @DisplayName(
            "S15: the same jobs schedule once more changes nothing, also without the ids and with a start that has passed")
    void scheduledTwice() {
        String[] same = {
            "jobs",
            "schedule",
            "--key",
            "k",
            "--requestor",
            "billing",
            "--type",
            "report",
            "--failure-type",
            "tell",
            "--cron",
            "0 0 12 1 1 ? 2100",
            "--start",
            "2020-01-01T00:00:00Z"
        };
        assertThat(console.run(same).out()).startsWith("k was created");
        CommandResult again = console.run(same);
        assertThat(again.err()).isEmpty();
        assertThat(again.out()).startsWith("k is stored already, nothing was changed");
        assertThat(again.exit()).isZero();
        assertThat(console.run(with(List.of(same), "--failure-id", "other")).err())
                .contains("exists already, and differs");
    }

    @Test
    @DisplayName("S15: jobs schedule compares moments as they are stored, and a difference names both")
    void momentsAsStored() {
        String[] same = {
            "jobs", "schedule", "--key", "k", "--requestor", "billing", "--type", "report", "--zone", "UTC", "--at"
        };
        assertThat(console.run(with(List.of(same), "2100-01-01T12:00:00.0001")).out())
                .startsWith("k was created");
        assertThat(console.run(with(List.of(same), "2100-01-01T12:00:00.0001")).out())
                .startsWith("k is stored already, nothing was changed");
        assertThat(console.run(with(List.of(same), "2100-01-01T13:00")).err())
                .contains("singleSchedule: 2100-01-01T12:00:00Z -> 2100-01-01T13:00:00Z");
    }

    @ParameterizedTest
    @DisplayName("M1: a refusal names the option that was given, and no other that is the same field of the document")
    @CsvSource(delimiter = '|', textBlock = """
            --every;10                                               | --every '10' step, column 1:
            --every-after-end;10                                     | --every-after-end '10' step, column 1:
            --rrule;FREQ=DAILY                                       | --rrule 'FREQ=DAILY'
            --every;10m;--end;2020-01-01                             | --every 'PT10M' never fires within its bounds
            --cron;0 0 2 * * ?;--every;10m                           | --every '10m' and --cron: exactly one of the two is required
            --every;1h;--rrule;DTSTART:20300101T090000 RRULE:FREQ=DAILY | --rrule 'DTSTART:20300101T090000 RRULE:FREQ=DAILY' and --every: exactly one
            --cron;0 0 2 * * *                                       | --cron '0 0 2 * * *' day-of-week, column 11:
            --every;1h;--start;2100-01-02;--end;2100-01-01           | --end '2100-01-01T00:00:00Z' lies before --start 2100-01-02T00:00:00Z
            --every;1h;--failure-id;f                                | --failure-type is required for a --failure-id
            --every;1h;--failure-body;{}                             | --failure-type is required beside --failure-body
            """)
    void namedAsGiven(String options, String said) {
        List<String> schedule = List.of("jobs", "schedule", "--key", "a", "--requestor", "r", "--type", "t");
        CommandResult told = run(schedule, (options + ";--zone;UTC").split(";"));
        assertThat(told.exit()).as(told.all()).isEqualTo(2);
        assertThat(told.err()).contains("\n  " + said).hasLineCount(2);
        List<String> others = List.of("--every", "--cron", "--rrule", "--every-after-end");
        assertThat(others).filteredOn(told.err()::contains).allMatch(options::contains);
    }

    @Test
    @DisplayName(
            "M1: of a job without a schedule all that could be given is named, in the words of where it comes from")
    void noSchedule() throws IOException {
        assertThat(console.run("jobs", "schedule", "--key", "x", "--requestor", "r", "--type", "t")
                        .err())
                .isEqualTo("almanac: the job 'x' was refused, nothing was written:\n"
                        + "  --cron, --every, --every-after-end, --rrule, --at or --now: exactly one is required\n");
        Path file = Files.writeString(
                folder.resolve("jobs.conf"), "almanac { application = tills, jobs = [ { key = a, type = t } ] }");
        assertThat(console.run("reconcile", file.toString()).err())
                .endsWith("  line 1, job 'a': cron, every, every-after-end, rrule or at: exactly one is required\n");
    }

    @Test
    @DisplayName("M1: a refusal of a file names the field that the file has")
    void namedAsInTheFile() throws IOException {
        Path file = Files.writeString(folder.resolve("jobs.conf"), """
                almanac { application = tills, jobs = [
                  { key = a, type = t, every = 10 }
                  { key = b, type = t, every-after-end = 10 }
                  { key = c, type = t, every = 10m, end = "2020-01-01T00:00Z" }
                  { key = d, type = t, every = 10m, start = "2100-01-02T00:00Z", end = "2100-01-01T00:00Z" }
                  { key = e, type = t, every = 10m, cron = "0 0 2 * * ?" }
                ] }
                """);
        assertThat(console.run("reconcile", file.toString()).err().lines().skip(1))
                .satisfiesExactly(
                        a -> assertThat(a).startsWith("  line 2, job 'a': every '10' step, column 1:"),
                        b -> assertThat(b).startsWith("  line 3, job 'b': every-after-end '10' step, column 1:"),
                        c -> assertThat(c).startsWith("  line 4, job 'c': every 'PT10M' never fires within its bounds"),
                        d -> assertThat(d)
                                .endsWith("job 'd': end '2100-01-01T00:00:00Z' lies before start 2100-01-02T00:00:00Z"),
                        e -> assertThat(e).startsWith("  line 6, job 'e': every '10m' and cron: exactly one"));
    }

    @Test
    @DisplayName(
            "M1: a job that an update does not suit is refused in the words of the options; in JSON as in the document")
    void namedInAnUpdate() {
        console.schedule("z", "--end", "2100-06-01");
        assertThat(console.run("jobs", "update", "z", "--cron", "0 0 2 * * *").out())
                .startsWith("z: refused: --cron '0 0 2 * * *' day-of-week, column 11:")
                .doesNotContain("schedulingSpecification");
        assertThat(console.run("jobs", "update", "z", "--start", "2100-07-01").out())
                .startsWith("z: refused: --end '2100-06-01T00:00:00Z' lies before --start 2100-07-01T00:00:00Z")
                .doesNotContain("--cron", "startAt", "endAt");
        assertThat(console.run("jobs", "update", "z", "--start", "2100-05-01").out())
                .as("what was not given is named as in the document")
                .startsWith("z: refused: schedulingSpecification '0 0 12 1 1 ? 2100' never fires within its bounds");
        assertThat(console.run("jobs", "update", "z", "--cron", "0 0 2 * * *", "--json")
                        .out())
                .contains(
                        "\"detail\":\"job 'z' was refused, nothing was written:\\n  - schedulingSpecification '0 0 2");
        assertThat(console.run("jobs", "update", "nobody", "z", "--priority", "2")
                        .out())
                .startsWith("nobody: refused: no live job 'nobody'");
    }

    @Test
    @DisplayName(
            "R5: a retry policy that is a number alone is answered with a policy of that kind, not with a single delay")
    void retriesAsNumber() {
        assertThat(console.schedule("a", "--retry", "3").err())
                .contains("--retry '3' position 1: '3' is a number alone; write how often and how far apart, such as"
                        + " R3/PT5M: three retries, five minutes apart");
        assertThat(console.schedule("a", "--retry", "5m").err())
                .contains("'5m' is not a duration; write it as ISO-8601, such as PT5M for five minutes");
        assertThat(console.schedule("a", "--retry", "PT5M,7").err()).contains("position 6: '7' is not a duration");
    }
}
