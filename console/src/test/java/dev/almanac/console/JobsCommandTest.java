package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.Scheduler;
import dev.almanac.model.Job;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.testkit.server.MongoServer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobsCommandTest {
    private final ConsoleFixture console = ConsoleFixture.withStore();

    @AfterEach
    void drop() {
        console.close();
    }

    @Test
    @DisplayName("16: schedule takes follow-ups as JSON, more than one, and what is no job is refused")
    void scheduleFollowUps() {
        String[] both = {
            "--on-success", "{\"key\":\"{key} 1\",\"at\":\"now\",\"type\":\"mail\"}",
            "--on-success", "{\"key\":\"{key} 2\",\"at\":\"2101-01-01T12:00\",\"type\":\"mail\"}"
        };
        assertThat(console.schedule("j", both).out()).startsWith("j was created");
        assertThat(console.schedule("j", both).out()).startsWith("j is stored already");
        assertThat(console.run("jobs", "show", "j").out())
                .contains("after success {key} 1 (at once, mail), {key} 2 (once, 2101-01-01 12:00:00 UTC, mail)");
        assertThat(console.schedule("k", "--on-failure", "mail").err()).contains("--on-failure 'mail' is no job");
    }

    /** How often some command of the server lists the collections, which each opening of a store does once. */
    private int openings(String... command) {
        long before = listings();
        assertThat(console.run(command).exit()).isZero();
        return (int) (listings() - before);
    }

    private long listings() {
        Document status = console.database().runCommand(new Document("serverStatus", 1));
        return status.getEmbedded(List.of("metrics", "commands", "listCollections", "total"), Long.class);
    }

    @Test
    @DisplayName("8: a command verifies the indexes once, however much it reads")
    void openedOnce() {
        console.schedule("a");
        assertThat(openings("jobs", "list")).isEqualTo(1);
        assertThat(openings("jobs", "show", "a")).isEqualTo(1);
        assertThat(openings("jobs", "list", "--json")).isEqualTo(1);
        assertThat(openings("nodes")).isEqualTo(1);
    }

    @Test
    @DisplayName("8: jobs list shows key, type, schedule, next fire and state, page by page")
    void list() {
        assertThat(console.run("jobs", "list").out()).isEqualTo("no jobs\n");
        console.schedule("c", "--tag", "night");
        console.schedule("a");
        console.schedule("b", "--tag", "night");
        console.run("jobs", "pause", "b", "--reason", "audit", "--author", "ann");
        assertThat(console.run("jobs", "list").out()).isEqualTo("""
                KEY  TYPE    SCHEDULE           NEXT FIRE (UTC)      STATE
                a    report  0 0 12 1 1 ? 2100  2100-01-01 12:00:00  SCHEDULED
                b    report  0 0 12 1 1 ? 2100  2100-01-01 12:00:00  PAUSED
                c    report  0 0 12 1 1 ? 2100  2100-01-01 12:00:00  SCHEDULED
                """);
        CommandResult first = console.run("jobs", "list", "--limit", "2", "--zone", "Asia/Tokyo");
        assertThat(first.out()).isEqualTo("""
                KEY  TYPE    SCHEDULE           NEXT FIRE (Asia/Tokyo)  STATE
                a    report  0 0 12 1 1 ? 2100  2100-01-01 21:00:00     SCHEDULED
                b    report  0 0 12 1 1 ? 2100  2100-01-01 21:00:00     PAUSED
                more follow: add --after 'b', or --all
                """);
        assertThat(console.run("jobs", "list", "--after", "b").out())
                .contains("\nc ")
                .doesNotContain("\nb ", "more follow");
        assertThat(console.run("jobs", "list", "--where-tag", "night").out())
                .contains("\nb ", "\nc ")
                .doesNotContain("\na ");
        assertThat(console.run("jobs", "list", "--next-until", "2099-12-31").out())
                .isEqualTo("no jobs\n");
        assertThat(console.run("jobs", "list", "--state", "failed").out()).startsWith("no jobs\n");
    }

    @Test
    @DisplayName("8: jobs list --json holds each job as it is stored, and where the next page begins")
    void listJson() {
        console.schedule("a", "--body", "{\"amount\":1.50,\"to\":{\"iban\":\"BE1\"},\"tags\":[1,null]}");
        console.schedule("b");
        assertThat(console.run("jobs", "list", "--json", "--limit", "1").out())
                .isEqualTo("{\"jobs\":[{"
                        + "\"jobSpecificationKey\":\"a\",\"jobRequestor\":\"billing\","
                        + "\"triggerCommand\":{\"type\":\"report\",\"version\":1,"
                        + "\"body\":{\"amount\":1.50,\"to\":{\"iban\":\"BE1\"},\"tags\":[1,null]}},\"triggerIdentifier\":\"r-1\","
                        + "\"schedulingSpecification\":\"0 0 12 1 1 ? 2100\",\"cronDialect\":\"QUARTZ\",\"zoneId\":\"UTC\","
                        + "\"daylightSavingPolicy\":\"RUN_ONCE\",\"missedFirePolicy\":\"RUN_LATEST\",\"crashPolicy\":\"RERUN\","
                        + "\"priority\":4,\"version\":1,\"latestUpdate\":\"####-##-##T##:##:##Z\","
                        + "\"jobState\":\"SCHEDULED\",\"nextFireTime\":\"2100-01-01T12:00:00Z\",\"lastStatus\":{\"executionStatus\":\"SCHEDULED\","
                        + "\"outcome\":\"NONE\",\"updatedTime\":\"####-##-##T##:##:##Z\",\"fireTime\":\"2100-01-01T12:00:00Z\","
                        + "\"node\":\"<id>\",\"nextFireTime\":\"2100-01-01T12:00:00Z\",\"detail\":\"scheduled\",\"deleteTime\":\"<later>\"}}],"
                        + "\"next\":\"a\"}\n");
        assertThat(console.run("jobs", "list", "--json", "--all").out())
                .endsWith("]}\n")
                .doesNotContain("next\":\"a");
    }

    @Test
    @DisplayName("8: jobs show prints a job's whole contents in the job's zone and UTC")
    void show() {
        console.schedule("nightly", "--zone", "Europe/Brussels", "--retry", "R5/PT5M", "--threshold", "5m");
        assertThat(console.run("jobs", "show", "nightly").out()).isEqualTo("""
                nightly
                  state         SCHEDULED
                  next fire     2100-01-01 12:00:00 Europe/Brussels (2100-01-01 11:00:00 UTC)
                  requestor     billing
                  command       report version 1 {}
                  id            r-1
                  schedule      0 0 12 1 1 ? 2100
                  dialect       QUARTZ
                  zone          Europe/Brussels
                  clock changes RUN_ONCE
                  late after    PT5M
                  missed fires  RUN_LATEST
                  retries       R5/PT5M
                  after a crash RERUN
                  priority      4
                  last row      SCHEDULED NONE at ####-##-## ##:##:## Europe/Brussels (####-##-## ##:##:## UTC): scheduled
                  version       1, of ####-##-## ##:##:## Europe/Brussels (####-##-## ##:##:## UTC)
                """);
        assertThat(console.run("jobs", "show", "nightly", "--zone", "Asia/Tokyo")
                        .out())
                .contains("2100-01-01 20:00:00 Asia/Tokyo");
    }

    @Test
    @DisplayName("S18: a planned pause is said, listed and withdrawn by its beginning; a resume leaves it")
    void plannedPauses() {
        console.schedule("j", "--tag", "night");
        String[] times = {"--from", "2100-01-01T11:00Z", "--until", "2100-01-01T13:00Z"};
        String[] ofTag = {"jobs", "pause", "--tag", "night", "--reason", "move", "--author", "ann"};
        assertThat(console.run(with(ofTag, times)).out())
                .isEqualTo("every job with tag night is to be paused from 2100-01-01 11:00:00 UTC"
                        + " until 2100-01-01 13:00:00 UTC\n");
        assertThat(console.run("jobs", "pauses").out()).contains("tag:night", "2100-01-01 11:00:00", "move");
        assertThat(console.run("jobs", "pauses", "--json").out()).contains("\"from\":\"2100-01-01T11:00:00Z\"");
        assertThat(console.run("jobs", "list").out()).contains("SCHEDULED").doesNotContain("PAUSED");
        assertThat(console.run("jobs", "preview", "j").out()).contains("PAUSED", "2100-01-01 12:00:00");
        assertThat(console.run("jobs", "resume", "--tag", "night").out())
                .isEqualTo("every job with tag night was not paused, nothing was changed; its pause from"
                        + " 2100-01-01T11:00:00Z stays, unless --from withdraws it\n");
        assertThat(console.run("jobs", "resume", "--tag", "night", "--from", "2100-01-01T11:01Z")
                        .out())
                .isEqualTo("every job with tag night has no pause that is planned for then, nothing was changed\n");
        assertThat(console.run("jobs", "resume", "--tag", "night", "--from", "2100-01-01T11:00Z")
                        .out())
                .isEqualTo("every job with tag night: the planned pause is withdrawn\n");
        assertThat(console.run("jobs", "pauses").out()).startsWith("no tag and no command type is paused");
        String[] ofJob = {"jobs", "pause", "j", "--reason", "move", "--author", "ann"};
        assertThat(console.run(with(ofJob, times)).out())
                .isEqualTo("j is to be paused from 2100-01-01 11:00:00 UTC until 2100-01-01 13:00:00 UTC\n");
        assertThat(console.run("jobs", "show", "j").out())
                .contains("state         SCHEDULED", "to be paused by", "ann: move, from 2100-01-01 11:00:00");
        assertThat(console.run("jobs", "explain", "j").out()).contains("from 2100-01-01T11:00:00Z", "falls into that");
        assertThat(console.run("jobs", "resume", "j").out()).contains("was not paused", "stays, unless --from");
        assertThat(console.run("jobs", "resume", "j", "--from", "2100-01-01T11:00Z")
                        .out())
                .startsWith("j: the planned pause is withdrawn");
        assertThat(console.run(with(ofJob, "--from", "2020-01-01T11:00Z")).err())
                .contains("which has passed");
        assertThat(console.run(with(ofJob, "--from", "2100-01-01T11:00Z", "--until", "2100-01-01T11:00Z"))
                        .err())
                .contains("holds nothing");
    }

    @Test
    @DisplayName("S17: run-now with a body runs once with these contents, which its row shows; for one key")
    void otherContents() {
        console.schedule("j");
        assertThat(console.run("jobs", "run-now", "j", "--body", "{\"amount\": 7}")
                        .out())
                .startsWith("j: one run in addition to its plan");
        assertThat(console.run("jobs", "history", "j", "--json").out()).contains("\"body\":{\"amount\":7}");
        assertThat(console.run("jobs", "explain", "j").out()).contains("with contents of its own");
        CommandResult again = console.run("jobs", "run-now", "j");
        assertThat(again.exit()).isNotZero();
        assertThat(again.err()).contains("cannot be requested before the run that was requested at");
        assertThat(console.run("jobs", "run-now", "j", "--body", "seven").err()).contains("nothing was run", "body");
        assertThat(console.run("jobs", "run-now", "j", "k", "--body", "{}").err())
                .contains("--body is for one KEY");
    }

    @Test
    @DisplayName("S9: jobs show names the trace in which a job was stored, and nothing else does of a job without one")
    void trace() {
        console.schedule("traced");
        console.schedule("plain");
        console.database()
                .getCollection("jobSpecification")
                .updateOne(
                        Filters.eq("jobSpecificationKey", "traced"),
                        Updates.set("traceParent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
        assertThat(console.run("jobs", "show", "traced").out())
                .contains("  trace         0af7651916cd43dd8448eb211c80319c\n");
        assertThat(console.run("jobs", "show", "traced", "--json").out())
                .contains("\"traceParent\":\"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\"");
        assertThat(console.run("jobs", "show", "plain").out()).doesNotContain("trace");
        assertThat(console.run("jobs", "show", "plain", "--json").out()).doesNotContain("traceParent");
    }

    @Test
    @DisplayName("8: pause, resume, run-now and cancel change the job and say what comes of it")
    void change() {
        console.schedule("j");
        assertThat(console.run("jobs", "pause", "j", "--reason", "audit", "--author", "ann")
                        .out())
                .isEqualTo("j is paused; to end that: almanac jobs resume j\n");
        assertThat(console.run("jobs", "show", "j").out()).contains("state         PAUSED", "ann: audit");
        assertThat(console.run("jobs", "resume", "j").out())
                .isEqualTo("j is resumed; next fire 2100-01-01 12:00:00 UTC\n");
        assertThat(console.run("jobs", "pause", "j", "--reason", "audit", "--until", "2h")
                        .out())
                .isEqualTo("j is paused until ####-##-## ##:##:## UTC\n");
        String[] shorter = {"jobs", "pause", "j", "--reason", "audit", "--author", "bob", "--until", "1h"};
        assertThat(console.run(shorter).out())
                .startsWith("j is paused until ####-##-## ##:##:## UTC; it replaces the pause by ")
                .contains(", which has the end ");
        assertThat(console.run("jobs", "run-now", "j").out())
                .isEqualTo("j: one run in addition to its plan; it starts when the pause ends;"
                        + " next fire 2100-01-01 12:00:00 UTC\n");
        assertThat(console.run("jobs", "cancel", "j").out()).isEqualTo("CANCELED: j will not fire again\n");
        assertThat(console.run("jobs", "show", "j"))
                .isEqualTo(
                        new CommandResult(
                                3,
                                "",
                                "almanac: no live job 'j'; add --finished"
                                        + " to see one that has finished, or look for its key: almanac jobs list --where-key-prefix TEXT\n"));
        assertThat(console.run("jobs", "show", "j", "--finished").out())
                .contains("state         CANCELED", "is removed after")
                .doesNotContain("next fire");
        for (String command : List.of("cancel", "resume", "run-now")) {
            assertThat(console.run("jobs", command, "j"))
                    .isEqualTo(new CommandResult(
                            3,
                            "",
                            "almanac: no live job 'j': it was never scheduled, has finished, or was cancelled\n"));
        }
    }

    @Test
    @DisplayName(
            "S18: a planned pause is withdrawn by the beginning that jobs pauses or jobs show prints, to the millisecond")
    void plannedToTheMillisecond() {
        console.schedule("j", "--tag", "night");
        Instant begin = Instant.parse("2100-01-01T11:00:00.250Z");
        String printed = "2100-01-01 11:00:00.250";
        try (Scheduler scheduler = console.scheduler()) {
            for (PauseScope scope : List.of(PauseScope.tag("night"), PauseScope.node("till"), PauseScope.job("j"))) {
                scheduler.pause(scope, new Pause("move", "ann", begin, null));
            }
            scheduler.pause(PauseScope.tag("night"), Pause.because("now"));
        }
        assertThat(console.run("jobs", "pauses").out())
                .containsPattern("tag:night +ann +" + printed + " +-")
                .containsPattern("node:till +ann +" + printed + " +-");
        assertThat(console.run("jobs", "show", "j").out()).contains("from " + printed + " UTC");
        assertThat(console.run("jobs", "resume", "--tag", "night", "--from", printed)
                        .out())
                .isEqualTo("every job with tag night: the planned pause is withdrawn\n");
        assertThat(console.run("nodes", "resume", "till", "--from", printed).out())
                .isEqualTo("till: the planned standby is withdrawn\n");
        assertThat(console.run("jobs", "resume", "j", "--from", printed).out())
                .startsWith("j: the planned pause is withdrawn");
        assertThat(console.run("jobs", "pauses").out())
                .as("the pause in force stays, to the second")
                .containsPattern("tag:night +unknown +[0-9#-]{10} [0-9#:]{8} +-")
                .doesNotContain(printed);
    }

    @Test
    @DisplayName("8: wall times are read, and shown, in --zone, else in the zone of the job that is named, else in UTC")
    void wallTimes() {
        console.schedule("j", "--zone", "Asia/Tokyo", "--tag", "night");
        String[] pause = {"jobs", "pause", "j", "--reason", "x", "--until", "2100-01-01T12:00"};
        String stored = "\"until\":\"2100-01-01T";
        assertThat(console.run(with(pause, "--json")).out()).contains(stored + "03:00:00Z\"");
        assertThat(console.run(pause).out()).startsWith("j is paused until 2100-01-01 12:00:00 Asia/Tokyo (2100-");
        assertThat(console.run(with(pause, "--json", "--zone", "Europe/Brussels"))
                        .out())
                .contains(stored + "11:00:00Z\"");
        console.run("jobs", "resume", "j");
        console.run(with(new String[] {"jobs", "pause", "j", "--reason", "x", "--from", "2100-01-01T09:00"}));
        assertThat(console.run("jobs", "resume", "j", "--from", "2100-01-01T09:00")
                        .out())
                .startsWith("j: the planned pause is withdrawn");
        assertThat(console.run("jobs", "pause", "--tag", "night", "--reason", "x", "--until", "2100-01-01T12:00")
                        .out())
                .contains("until 2100-01-01 12:00:00 UTC");
        String[] pin = {"jobs", "update", "j", "--priority", "2", "--pin", "--until", "2099-01-01T12:00"};
        assertThat(console.run(pin).out()).contains("priority until 2099-01-01T03:00:00Z");
        assertThat(console.run(with(pin, "--zone", "Europe/Brussels")).out()).contains(" until 2099-01-01T11:00:00Z");
        assertThat(console.run("jobs", "pause", "--tag", "night", "--reason", "x", "--until", "2020-01-01"))
                .isEqualTo(new CommandResult(
                        2, "", "almanac: --until '2020-01-01' is ####-##-## ##:##:## UTC, which has passed\n"));
        console.schedule("k", "--zone", "Asia/Tokyo");
        assertThat(console.run("jobs", "history", "k").out()).startsWith("WRITTEN (Asia/Tokyo)");
        assertThat(console.run("fires", "k", "--since", "2026-01-01T12:00").out())
                .startsWith("fires of 'k' from ")
                .contains(" Asia/Tokyo (");
        assertThat(console.run(
                                "nodes",
                                "standby",
                                "till",
                                "--yes",
                                "--from",
                                "2100-01-01T09:00",
                                "--zone",
                                "Asia/Tokyo")
                        .exit())
                .isZero();
        assertThat(console.run("nodes", "resume", "till", "--from", "2100-01-01T09:00", "--zone", "Asia/Tokyo")
                        .out())
                .isEqualTo("till: the planned standby is withdrawn\n");
    }

    @Test
    @DisplayName("8: a resume of a kind says how many of its jobs stay paused by pauses of their own")
    void ownPauses() {
        console.schedule("a", "--tag", "night");
        console.schedule("b", "--tag", "night");
        console.schedule("c");
        console.run("jobs", "pause", "a", "c", "--reason", "audit");
        for (String[] scope : new String[][] {{"--tag", "night"}, {"--all"}, {"--type", "report"}}) {
            console.run(with(with(new String[] {"jobs", "pause", "--reason", "x", "--yes"}), scope));
            CommandResult told = console.run(with(new String[] {"jobs", "resume"}, scope));
            assertThat(told.out())
                    .as(scope[0])
                    .endsWith(
                            scope[0].equals("--tag")
                                    ? " is resumed; 1 job stays paused by a pause of its own, such as a\n"
                                    : " is resumed; 2 jobs stay paused by pauses of their own, such as a\n");
        }
        console.run("jobs", "pause", "--all", "--reason", "x", "--yes");
        assertThat(console.run("jobs", "resume", "--tag", "night", "--json").out())
                .isEqualTo("{\"scope\":\"tag:night\",\"resumed\":false,\"stillPaused\":[\"everything\"],"
                        + "\"ownPauses\":1}\n");
    }

    @Test
    @DisplayName("8: a resume of a kind looks for no more than 1 000 jobs that stay paused")
    void manyOwnPauses() {
        console.schedule("a");
        console.run("jobs", "pause", "a", "--reason", "audit");
        MongoCollection<Document> jobs = console.database().getCollection("jobSpecification");
        Document paused = jobs.find(Filters.eq("jobSpecificationKey", "a")).first();
        jobs.insertMany(IntStream.range(0, 1_100)
                .mapToObj(i -> new Document(paused)
                        .append("_id", new ObjectId())
                        .append("jobSpecificationKey", "copy-" + i)
                        .append("activeKey", "copy-" + i))
                .toList());
        assertThat(console.run("jobs", "resume", "--all").out())
                .endsWith("; at least 1000 jobs stay paused by pauses of their own, such as a\n");
        assertThat(console.run("jobs", "resume", "--all", "--json").out())
                .contains("\"ownPauses\":1000,\"moreOwnPauses\":true}");
    }

    @Test
    @DisplayName("8: a resume stands if it cannot be read what stays paused, and says so")
    void unknownOwnPauses() {
        try (MongoServer server = MongoServer.replicaSet(1)) {
            String[] pause = {"jobs", "pause", "--all", "--reason", "x", "--yes", "--uri", server.uri()};
            CommandResult.by(Map.of(), "indexes", "create", "--uri", server.uri());
            assertThat(CommandResult.by(Map.of(), pause).exit()).isZero();
            server.failPoint(
                    "alwaysOn",
                    new Document("failCommands", List.of("find", "aggregate"))
                            .append("namespace", "almanac.jobSpecification")
                            .append("errorCode", 8_000));
            assertThat(CommandResult.by(Map.of(), "jobs", "resume", "--all", "--uri", server.uri()))
                    .satisfies(told -> assertThat(told.exit()).as(told.err()).isZero())
                    .extracting(CommandResult::out)
                    .asString()
                    .startsWith("every job is resumed; what stays paused is not known: ");
            assertThat(CommandResult.by(Map.of(), "jobs", "pauses", "--uri", server.uri())
                            .out())
                    .startsWith("no tag and no command type is paused");
        }
    }

    @ParameterizedTest
    @DisplayName("8: a change that was made is told as made, though what is read after it cannot be read")
    @ValueSource(strings = {"jobs pause KEY --reason audit", "jobs cancel KEY", "jobs run-now KEY", "nodes resume KEY"})
    void unreadAfterTheChange(String command) {
        try (MongoServer server = MongoServer.replicaSet(1)) {
            CommandResult.by(Map.of(), "indexes", "create", "--uri", server.uri());
            boolean told = false;
            for (int reads = 0; !told; reads++) {
                String key = "j" + reads;
                String[] schedule = "jobs schedule --requestor r --type t --every 1d --first now --key".split(" ");
                assertThat(CommandResult.by(Map.of(), with(schedule, key, "--uri", server.uri()))
                                .exit())
                        .isZero();
                String[] standby = "nodes standby --reason x --yes".split(" ");
                assertThat(CommandResult.by(Map.of(), with(standby, key, "--uri", server.uri()))
                                .exit())
                        .isZero();
                List<Document> running = running(server, key);
                server.failPoint(
                        new Document("skip", reads),
                        new Document("failCommands", List.of("find", "aggregate")).append("errorCode", 8_000));
                String[] change = command.replace("KEY", key).split(" ");
                CommandResult answer = CommandResult.by(Map.of(), with(change, "--uri", server.uri()));
                server.failPoint("off", new Document());
                boolean changed = !stored(server, key).equals(running);
                assertThat(answer.exit() == 0)
                        .as("%s after %s reads: %s", command, reads, answer)
                        .isEqualTo(changed);
                if (changed) {
                    assertThat(answer.out())
                            .containsPattern(
                                    "is paused|ALREADY_RUNNING|one run in addition|runs once|standby|claims again");
                }
                told = changed && !answer.out().contains("not known");
                assertThat(reads).isLessThan(30);
            }
        }
    }

    /** With a lease that a node has. */
    private static List<Document> running(MongoServer server, String key) {
        try (MongoClient client = MongoClients.create(server.uri())) {
            Date later = Date.from(Instant.now().plusSeconds(60));
            Document lease = new Document("owner", "zz").append("token", 7L).append("until", later);
            client.getDatabase("almanac")
                    .getCollection("jobSpecification")
                    .updateOne(
                            Filters.eq("jobSpecificationKey", key),
                            Updates.combine(
                                    Updates.set("lease", lease),
                                    Updates.set("due", later),
                                    Updates.set("claimSeq", 1L)));
        }
        return stored(server, key);
    }

    private static List<Document> stored(MongoServer server, String key) {
        try (MongoClient client = MongoClients.create(server.uri())) {
            MongoDatabase database = client.getDatabase("almanac");
            List<Document> found = new ArrayList<>();
            database.getCollection("jobSpecification")
                    .find(Filters.eq("jobSpecificationKey", key))
                    .into(found);
            return database.getCollection("control")
                    .find(Filters.eq("pauseOf", "node:" + key))
                    .into(found);
        }
    }

    @Test
    @DisplayName(
            "8: a list shows which type of command comes next, and by which type --where-type finds a job that owes it")
    void owing() {
        console.schedule("j", "--failure-type", "sorry", "--failure-id", "f");
        console.database()
                .getCollection("jobSpecification")
                .updateOne(
                        Filters.eq("jobSpecificationKey", "j"),
                        Updates.combine(Updates.set("phase", "FAILURE"), Updates.set("type", "sorry")));
        assertThat(console.run("jobs", "list", "--where-type", "report").out())
                .contains("\nj    sorry  ", "  OWING\n  failure command of a job of type report\n");
    }

    @Test
    @DisplayName("8: what a sentence says is a field of the JSON, too: what was replaced, created, left as it was")
    void sentencesInJson() {
        String[] schedule = {
            "jobs",
            "schedule",
            "--key",
            "j",
            "--requestor",
            "billing",
            "--type",
            "report",
            "--cron",
            "0 0 12 1 1 ? 2100"
        };
        assertThat(console.run(with(schedule, "--json")).out()).contains("\"written\":\"CREATED\"");
        assertThat(console.run(with(schedule, "--json")).out()).contains("\"written\":\"UNCHANGED\"");
        assertThat(console.run(with(schedule, "--json", "--replace", "--priority", "2"))
                        .out())
                .contains("\"written\":\"CHANGED\"");
        String[] pause = {"jobs", "pause", "--reason", "audit", "--author", "ann", "--json", "--yes"};
        String replaced = "\"replaced\":{\"reason\":\"audit\",\"author\":\"ann\"";
        for (String[] scope : new String[][] {{"j"}, {"--tag", "night"}, {"--all"}}) {
            assertThat(console.run(with(pause, scope)).out()).as(scope[0]).doesNotContain("replaced");
            assertThat(console.run(with(pause, scope)).out()).as(scope[0]).contains(replaced);
        }
        assertThat(console.run("jobs", "run-now", "j", "--json").out())
                .contains("\"detail\":\"one run in addition to its plan; it starts when the pause ends\"");
        console.run("groups", "put", "g", "--size", "2");
        assertThat(console.run("groups", "put", "g", "--size", "3", "--json").out())
                .contains("\"changed\":true,\"before\":{\"size\":2}");
        String[] standby = {"nodes", "standby", "till", "--yes", "--json", "--author", "ann", "--reason", "audit"};
        console.run(standby);
        assertThat(console.run(standby).out()).contains(replaced);
    }

    @Test
    @DisplayName("17.3: all jobs of a kind are cancelled or updated at once, with a dry run; others are left alone")
    void ofAKind() {
        console.schedule("a", "--tag", "night");
        console.schedule("b", "--tag", "night");
        console.schedule("c");
        assertThat(console.run("jobs", "update", "--where-tag", "night", "--priority", "2", "--yes")
                        .out())
                .contains("a: priority: 4 -> 2\n", "b: priority: 4 -> 2\n", "2 done")
                .doesNotContain("c:");
        assertThat(console.run("jobs", "cancel", "--where-tag", "night", "--dry-run")
                        .out())
                .contains("2 would be done");
        assertThat(console.run("jobs", "list", "--json").out()).contains("\"a\"", "\"b\"", "\"c\"");
        assertThat(console.run("jobs", "cancel", "--where-tag", "night", "--where-key-prefix", "b", "--yes")
                        .out())
                .contains("1 done");
        assertThat(console.run("jobs", "list").out()).contains("\na ", "\nc ").doesNotContain("\nb ");
        assertThat(console.run("jobs", "cancel", "a", "c").out()).contains("2 done");
        assertThat(console.run("jobs", "list").out())
                .isEqualTo("no jobs\nfinished ones are shown: 3 by --state CANCELED\n");
        assertThat(console.run("jobs", "cancel").err()).contains("which jobs?");
        assertThat(console.run("jobs", "cancel", "a", "--where-tag", "night").exit())
                .isEqualTo(2);
    }

    @Test
    @DisplayName("8: a tag, a type or everything is paused and resumed; jobs that are held back say by what")
    void kinds() {
        console.schedule("a", "--tag", "night");
        console.schedule("b");
        assertThat(console.run("jobs", "pauses").out())
                .isEqualTo("no tag and no command type is paused, nor is everything, now or as planned\n");
        assertThat(console.run("jobs", "pause", "--tag", "night", "--reason", "audit", "--author", "ann")
                        .out())
                .isEqualTo("every job with tag night is paused; to end that: almanac jobs resume --tag night\n");
        assertThat(console.run("jobs", "list").out()).contains("12:00:00  PAUSED\nb ", "12:00:00  SCHEDULED\n");
        assertThat(console.run("jobs", "show", "a").out())
                .contains("state         PAUSED\n  held by       tag:night\n");
        assertThat(console.run("jobs", "show", "a", "--json").out()).contains("\"heldBy\":\"tag:night\"");
        console.schedule("ended", "--tag", "night");
        console.run("jobs", "cancel", "ended");
        assertThat(console.run("jobs", "show", "ended", "--finished").out()).doesNotContain("held by", "next fire");
        assertThat(console.run("jobs", "show", "ended", "--finished", "--json").out())
                .contains("\"jobState\":\"CANCELED\"")
                .doesNotContain("heldBy", "\"nextFireTime\"");
        assertThat(console.run("jobs", "run-now", "a").out()).contains("it starts when the pause ends");
        assertThat(console.run("jobs", "resume", "a").out())
                .isEqualTo("a was not paused, nothing was changed; it is still paused by the pause of tag:night\n");
        assertThat(console.run("jobs", "pauses").out()).isEqualTo("""
                PAUSED     BY   FROM (UTC)           UNTIL (UTC)
                tag:night  ann  ####-##-## ##:##:##  -
                  audit
                """);
        assertThat(console.run("jobs", "pauses", "--json").out())
                .isEqualTo("{\"pauses\":[{\"scope\":\"tag:night\",\"reason\":\"audit\",\"author\":\"ann\","
                        + "\"since\":\"####-##-##T##:##:##Z\"}]}\n");
        assertThat(console.run("jobs", "resume", "--tag", "night").out())
                .isEqualTo("every job with tag night is resumed\n");
        assertThat(console.run("jobs", "resume", "--type", "report", "--json").out())
                .isEqualTo("{\"scope\":\"type:report\",\"resumed\":false}\n");
        assertThat(console.run("jobs", "pause", "--all", "--reason", "audit", "--until", "1h", "--yes")
                        .out())
                .isEqualTo("every job is paused until ####-##-## ##:##:## UTC\n");
        console.run("jobs", "pause", "--tag", "night", "--reason", "audit", "--author", "ann");
        assertThat(console.run("jobs", "resume", "--tag", "night").out())
                .isEqualTo("every job with tag night is resumed; still paused: every job\n");
        console.run("jobs", "pause", "--tag", "night", "--reason", "audit", "--author", "ann");
        assertThat(console.run("jobs", "resume", "--all").out())
                .isEqualTo("every job is resumed; still paused: every job with tag night\n");
        assertThat(console.run("jobs", "pause", "--all", "--tag", "x", "--reason", "audit")
                        .err())
                .isEqualTo("almanac: which jobs? Name one of KEY, --where-..., --tag TAG, --type TYPE and --all\n");
    }

    /** A row of a fire that failed for good, as the engine writes it. */
    private void failed(String key, Instant when, String message) {
        MongoCollection<Document> rows = console.database().getCollection("jobExecutionStatus");
        Document row =
                new Document(rows.find(new Document("jobSpecificationKey", key)).first());
        row.putAll(Map.of(
                "_id",
                rows.countDocuments(Filters.eq("_id", key + ":failed")) == 0 ? key + ":failed" : key + ":failed again",
                "executionStatus",
                "FAILED",
                "outcome",
                "RETRIES_EXHAUSTED",
                "updatedTime",
                Date.from(when),
                "attempt",
                3,
                "error",
                new Document("type", "java.io.IOException").append("message", message)));
        rows.insertOne(row);
    }

    @Test
    @DisplayName(
            "S19: history --failed --open shows what is open; acknowledge closes it, of the named jobs or of all since a moment")
    void open() {
        Instant now = Instant.now();
        for (String key : List.of("a", "b", "c")) {
            console.schedule(key);
            failed(key, now, "the disk is full");
        }
        console.database()
                .getCollection("jobSpecification")
                .updateMany(Filters.ne("jobSpecificationKey", "c"), Updates.set("failuresInARow", 1));
        assertThat(console.run("jobs", "history", "--failed", "--open").out())
                .contains(" a ", " b ")
                .doesNotContain(" c ");
        assertThat(console.run("jobs", "acknowledge", "a", "--author", "ann", "--reason", "CR-17")
                        .out())
                .isEqualTo("a: its failure is acknowledged\n1 done, 0 unchanged, 0 refused\n");
        assertThat(console.run("jobs", "acknowledge", "a").out()).startsWith("a: unchanged, has no open failure");
        assertThat(console.run("jobs", "history", "a").out())
                .contains("ACKNOWLEDGED", "its failure is acknowledged; by ann (CR-17)");
        assertThat(console.run("jobs", "history", "--failed", "--open").out())
                .contains(" b ")
                .doesNotContain(" a ");
        assertThat(console.run("jobs", "acknowledge", "--failed", "--since", "1h", "--yes")
                        .out())
                .contains("b: its failure is acknowledged", "1 done, 2 unchanged, 0 refused");
        assertThat(console.run("jobs", "history", "--failed", "--open").out()).isEqualTo("no failure is open\n");
        assertThat(console.run("jobs", "history", "--failed").out()).contains(" a ", " b ", " c ");
        assertThat(console.run("jobs", "history", "a", "--failed", "--open").exit())
                .isEqualTo(2);
        MongoCollection<Document> rows = console.database().getCollection("jobExecutionStatus");
        Document closed = rows.find(Filters.eq("_id", "c:failed")).first();
        rows.insertMany(IntStream.range(0, 1_000)
                .mapToObj(i -> new Document(closed).append("_id", "closed-" + i))
                .toList());
        assertThat(console.run("jobs", "history", "--failed", "--open").out())
                .as("older failures were looked at, too")
                .isEqualTo("no failure is open\n");
    }

    @Test
    @DisplayName("S19: history --failed --open says to which moment the failures were read, and goes on before it")
    void notAllOpen() {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        console.schedule("good");
        failed("good", now, "the disk is full");
        console.schedule("bad");
        failed("bad", now.minusSeconds(3_600), "the disk is full");
        console.database()
                .getCollection("jobSpecification")
                .updateOne(Filters.eq("jobSpecificationKey", "bad"), Updates.set("failuresInARow", 1));
        MongoCollection<Document> rows = console.database().getCollection("jobExecutionStatus");
        Document closed = rows.find(Filters.eq("_id", "good:failed")).first();
        rows.insertMany(IntStream.range(0, 100_000)
                .mapToObj(i -> new Document(closed)
                        .append("_id", "closed-" + i)
                        .append("updatedTime", Date.from(now.minusMillis(i))))
                .toList());
        CommandResult part = console.run("jobs", "history", "--failed", "--open");
        assertThat(part.out())
                .startsWith("no failure is open among those that were read\n" + "older ones may follow: add --until ");
        assertThat(console.run("jobs", "history", "--failed", "--open", "--json")
                        .out())
                .startsWith("{\"rows\":[],\"more\":true,\"until\":\"");
        String moment =
                String.valueOf(console.scheduler().openFailures(null, null).before());
        CommandResult rest = console.run("jobs", "history", "--failed", "--open", "--until", moment);
        assertThat(rest.out()).as(rest.err()).contains(" bad ").doesNotContain("older");
    }

    @Test
    @DisplayName(
            "S7: show prints what the last run has logged, history says how many lines there are and prints them with --log")
    void log() {
        console.schedule("a");
        Instant now = Instant.now();
        failed("a", now, "no");
        console.database()
                .getCollection("jobExecutionStatus")
                .updateOne(
                        Filters.eq("_id", "a:failed"),
                        Updates.combine(
                                Updates.set("startedTime", Date.from(now)),
                                Updates.set(
                                        "log",
                                        List.of(
                                                new Document("at", Date.from(now)).append("text", "asking the bank"),
                                                new Document("at", Date.from(now)).append("text", "a\u001bb")))));
        assertThat(console.run("jobs", "show", "a").out()).contains("asking the bank", "a\\u001bb");
        assertThat(console.run("jobs", "show", "a", "--json").out())
                .contains("\"log\":[{\"at\":\"", "\"text\":\"asking the bank\"");
        assertThat(console.run("jobs", "history", "a").out())
                .contains("log lines: 2")
                .doesNotContain("asking the bank");
        assertThat(console.run("jobs", "history", "a", "--log").out()).contains("asking the bank", "a\\u001bb");
        assertThat(console.run("jobs", "history", "a", "--json").out()).contains("asking the bank");
    }

    @Test
    @DisplayName("8: jobs history --failed shows what failed of all jobs, and why; since today, or since a while ago")
    void failures() {
        assertThat(console.run("jobs", "history", "--failed"))
                .isEqualTo(new CommandResult(0, "no fire failed for good\n", ""));
        List.of("a", "b", "c").forEach(console::schedule);
        Instant day = LocalDate.now(ZoneId.of("Asia/Tokyo"))
                .atStartOfDay(ZoneId.of("Asia/Tokyo"))
                .toInstant();
        failed("a", day.minusMillis(1), "yesterday");
        failed("b", day, "the disk is full");
        String since = console.run("jobs", "history", "--failed", "--since", "today", "--zone", "Asia/Tokyo")
                .out();
        assertThat(since).isEqualTo("""
                        WRITTEN (Asia/Tokyo)  KEY  OUTCOME            TRY
                        ####-##-## ##:##:##   b    RETRIES_EXHAUSTED  3
                          scheduled; IOException: the disk is full
                        """);
        assertThat(console.run("jobs", "history", "--failed", "--since", "2d").out())
                .containsSubsequence("full", "yesterday");
        assertThat(console.run("jobs", "history", "--failed", "--until", day.toString())
                        .out())
                .contains("yesterday")
                .doesNotContain("full");
        assertThat(console.run("jobs", "history", "a", "--failed").out())
                .contains("FAILED")
                .doesNotContain("SCHEDULED");
        assertThat(console.run("jobs", "history", "c", "--failed").out()).isEqualTo("no fire failed for good\n");
        assertThat(console.run("jobs", "list", "--state", "FAILED").out())
                .isEqualTo(
                        "no jobs\nfailed are jobs that have ended so; fires of jobs that go on: almanac jobs history --failed\n");
        assertThat(console.run("jobs", "history", "c", "--until", "24h").out()).isEqualTo("no rows\n");
    }

    @Test
    @DisplayName("8: jobs history --failed --json has the key with each row; a page says how to go on")
    void failuresAsJson() {
        List.of("a", "b").forEach(console::schedule);
        failed("a", Instant.parse("2026-11-20T10:00:00Z"), "no");
        failed("b", Instant.parse("2026-11-20T11:00:00Z"), "no");
        assertThat(console.run("jobs", "history", "--failed", "--limit", "1", "--json")
                        .out())
                .startsWith("{\"rows\":[{\"jobSpecificationKey\":\"b\",\"executionStatus\":\"FAILED\",")
                .endsWith("}],\"more\":true}\n");
        assertThat(console.run("jobs", "history", "--failed", "--limit", "1").out())
                .endsWith("older ones follow: add --limit 1000, or --until ####-##-##T##:##:##Z\n");
        assertThat(console.run("jobs", "history", "--failed", "--until", "2026-11-20T11:00:00Z", "--json")
                        .out())
                .startsWith("{\"rows\":[{\"jobSpecificationKey\":\"a\"")
                .endsWith("}]}\n");
    }

    @Test
    @DisplayName("8: jobs history --json without --failed has the fields that it had")
    void historyFields() {
        console.schedule("a");
        assertThat(console.run("jobs", "history", "a", "--json").out()).startsWith("{\"rows\":[{\"executionStatus\"");
    }

    @Test
    @DisplayName("8: jobs history shows the rows, the newest first, with what they tell")
    void history() {
        console.schedule("j");
        console.run("jobs", "pause", "j", "--reason", "audit", "--author", "ann");
        console.run("jobs", "cancel", "j");
        assertThat(console.run("jobs", "history", "j").out()).isEqualTo("""
                WRITTEN (UTC)        STATUS     OUTCOME   TRY  FIRE (UTC)
                ####-##-## ##:##:##  CANCELED   CANCELED  -    2100-01-01 12:00:00
                  cancelled
                ####-##-## ##:##:##  SCHEDULED  PAUSED    -    2100-01-01 12:00:00
                  paused by ann: audit
                ####-##-## ##:##:##  SCHEDULED  NONE      -    2100-01-01 12:00:00
                  scheduled
                """);
        assertThat(console.run("jobs", "history", "j", "--limit", "1").out())
                .endsWith("  cancelled\nolder ones follow: add --limit 1000, or --until ####-##-##T##:##:##Z\n");
        assertThat(console.run("jobs", "history", "j", "--limit", "1", "--json").out())
                .isEqualTo("{\"rows\":[{\"executionStatus\":\"CANCELED\",\"outcome\":\"CANCELED\","
                        + "\"updatedTime\":\"####-##-##T##:##:##Z\",\"fireTime\":\"2100-01-01T12:00:00Z\","
                        + "\"node\":\"<id>\",\"detail\":\"cancelled\",\"deleteTime\":\"####-##-##T##:##:##Z\"}],"
                        + "\"more\":true}\n");
        assertThat(console.run("jobs", "history", "other").exit()).isEqualTo(3);
    }

    @Test
    @DisplayName("M3: schedule creates, changes, or leaves alone, and --if-exists says what wins")
    void schedule() {
        assertThat(console.schedule("j").out()).isEqualTo("j was created; next fire 2100-01-01 12:00:00 UTC\n");
        assertThat(console.schedule("j").out())
                .isEqualTo("j is stored already, nothing was changed; next fire 2100-01-01 12:00:00 UTC\n");
        assertThat(console.schedule("j", "--priority", "2"))
                .isEqualTo(
                        new CommandResult(
                                1,
                                "",
                                "almanac: a live job 'j' exists already, and differs:\n  priority: 4 -> 2\n"
                                        + "  to change single fields: almanac jobs update; to change all of these, add --replace\n"));
        assertThat(console.schedule("j", "--priority", "2", "--replace").out())
                .isEqualTo("j was changed, and is version 2 now; next fire 2100-01-01 12:00:00 UTC\n");
        assertThat(console.schedule("j", "--priority", "3", "--if-exists", "keep")
                        .out())
                .startsWith("j is stored already, nothing was changed");
        assertThat(console.schedule("j", "--if-exists", "fail"))
                .isEqualTo(new CommandResult(
                        1,
                        "",
                        "almanac: a live job 'j' of requestor 'billing' exists already, nothing was written; to change"
                                + " single fields: almanac jobs update\n"));
    }

    @Test
    @DisplayName(
            "S12: with --if-exists once a job that has ended is not created again, and the answer says how it ended")
    void once() {
        assertThat(console.schedule("j", "--if-exists", "once").out()).startsWith("j was created");
        console.run("jobs", "cancel", "j", "--author", "ann");
        assertThat(console.schedule("j", "--if-exists", "once"))
                .isEqualTo(new CommandResult(0, "j has ended as CANCELED before, nothing was written\n", ""));
        assertThat(console.schedule("j").out()).startsWith("j was created");
    }

    @Test
    @DisplayName("A1: update changes what is named and nothing else, and says what; a dry run only says it")
    void update() {
        console.schedule("j", "--tag", "night", "--retry", "R5/PT5M", "--body", "{\"amount\":1}");
        assertThat(console.run("jobs", "update", "j", "--zone", "Europe/Paris", "--dry-run")
                        .out())
                .startsWith("j: would be done: zoneId: UTC -> Europe/Paris\n1 would be done");
        assertThat(console.run("jobs", "show", "j").out()).contains("zone          UTC");
        assertThat(console.run("jobs", "update", "j", "--zone", "Europe/Paris", "--priority", "2", "--author", "ann"))
                .isEqualTo(new CommandResult(
                        0, "j: zoneId: UTC -> Europe/Paris, priority: 4 -> 2\n1 done, 0 unchanged, 0 refused\n", ""));
        assertThat(console.run("jobs", "show", "j").out())
                .contains(
                        "zone          Europe/Paris",
                        "priority      2",
                        "tags          night",
                        "retries       R5/PT5M");
        assertThat(console.run("jobs", "update", "j", "--body", "{\"amount\":2}")
                        .out())
                .startsWith("j: triggerCommand: changed\n");
        assertThat(console.run("jobs", "show", "j").out()).contains("report version 1 {\"amount\":2}");
        assertThat(console.run("jobs", "history", "j").out())
                .contains("updated; zoneId: UTC -> Europe/Paris, priority: 4 -> 2; by ann");
        assertThat(console.run("jobs", "update", "j", "nobody", "--priority", "2")
                        .out())
                .contains("j: unchanged", "nobody: refused: ");
        assertThat(console.run("jobs", "update", "j", "--no-calendar").out()).startsWith("j: unchanged");
        console.run("calendars", "put", "weekends", "Weekly", "days=SAT,SUN");
        console.run("jobs", "update", "j", "--calendar", "weekends");
        assertThat(console.run("jobs", "update", "j", "--priority", "3").out())
                .as("17.3: what is not named stays, calendars too")
                .startsWith("j: priority: 2 -> 3\n");
        assertThat(console.run("jobs", "update", "j", "--no-calendar").out())
                .startsWith("j: calendars: [weekends] -> []\n");
        assertThat(console.run("jobs", "update", "j").err()).startsWith("almanac: what is to be changed?");
        assertThat(console.run("jobs", "update", "j", "--cron", "0 0 25 * * ?").err()
                        + console.run("jobs", "update", "j", "--cron", "0 0 25 * * ?")
                                .out())
                .contains("refused", "hour");
    }

    @Test
    @DisplayName("A1: update refuses what cannot be read of a policy or a zone, and completes commands and contexts")
    void updateParts() {
        console.schedule("j", "--retry", "R5/PT5M", "--entity", "e", "--client-request", "c", "--unit-of-work", "u");
        assertThat(console.run("jobs", "update", "j", "--retry", "often").out()).contains("j: refused", "often");
        assertThat(console.run("jobs", "update", "j", "--zone", "Mars/Phobos").out())
                .contains("j: refused", "Mars/Phobos");
        assertThat(console.run("jobs", "show", "j").out()).contains("retries       R5/PT5M", "zone          UTC");
        assertThat(console.run("jobs", "update", "j", "--client-request", "d").out())
                .contains("processingContext: ", "-> ", "clientRequestId=d", "1 done");
        assertThat(console.run("jobs", "show", "j").out())
                .contains("processingEntity=e", "clientRequestId=d", "unitOfWorkId=u");
        assertThat(console.run("jobs", "update", "j", "--failure-body", "{}").out())
                .contains("j: refused", "--failure-type is required beside --failure-body");
        console.run(
                "jobs", "update", "j", "--failure-type", "report", "--failure-type-version", "3", "--failure-id", "f");
        assertThat(console.run("jobs", "update", "j", "--failure-body", "{\"amount\":2}")
                        .out())
                .startsWith("j: failureCommand: changed\n");
        assertThat(console.run("jobs", "show", "j").out()).contains("report version 3 {\"amount\":2}");
        assertThat(console.run("jobs", "update", "j", "--every", "5m").out()).contains("EVERY", "1 done");
        assertThat(console.run("jobs", "update", "j", "--cron", "0 0 3 * * ?").out())
                .contains("cronDialect: EVERY -> QUARTZ");
        assertThat(console.run("jobs", "update", "j", "--dialect", "UNIX", "--cron", "0 4 * * *")
                        .out())
                .contains("cronDialect: QUARTZ -> UNIX");
        assertThat(console.run("jobs", "update", "j", "--dialect", "SPRING", "--cron", "0 0 4 * * *")
                        .out())
                .contains("cronDialect: UNIX -> SPRING", "1 done");
        assertThat(console.run("jobs", "update", "j", "--dialect", "UNIX", "--cron", "0 4 * * *")
                        .out())
                .contains("cronDialect: SPRING -> UNIX");
        assertThat(console.run("jobs", "update", "j", "--cron", "0 5 * * *").out())
                .contains("0 4 * * * -> 0 5 * * *", "1 done")
                .doesNotContain("cronDialect");
        assertThat(console.run("jobs", "update", "j", "--at", "2101-01-01T12:00")
                        .out())
                .contains("cronDialect: UNIX -> QUARTZ", "singleScheduleLocal: none -> 2101-01-01T12:00");
    }

    @Test
    @DisplayName("A2: rerun needs to know which jobs, and leaves alone what has not failed")
    void rerun() {
        console.schedule("j");
        assertThat(console.run("jobs", "rerun").err()).startsWith("almanac: which jobs?");
        assertThat(console.run("jobs", "rerun", "--failed").err()).startsWith("almanac: --failed needs --since");
        assertThat(console.run("jobs", "rerun", "j"))
                .isEqualTo(new CommandResult(
                        0,
                        "j: unchanged, its newest run has not failed for good\n0 done, 1 unchanged, 0 refused\n",
                        ""));
        assertThat(console.run("jobs", "rerun", "--failed", "--since", "today", "--dry-run", "--json")
                        .out())
                .isEqualTo("{\"jobs\":[],\"done\":0,\"unchanged\":0,\"refused\":0,\"dryRun\":true}\n");
    }

    @Test
    @DisplayName(
            "17.3: rerun --failed is resumable: --after continues with the failures before a job's; --until bounds them")
    void rerunAfter() {
        List.of("a", "b", "c").forEach(console::schedule);
        failed("a", Instant.parse("2020-11-20T10:00:00Z"), "no");
        failed("b", Instant.parse("2020-11-20T11:00:00Z"), "no");
        failed("c", Instant.parse("2020-11-20T12:00:00Z"), "no");
        String[] dry = {"jobs", "rerun", "--failed", "--since", "2020-11-20", "--dry-run"};
        assertThat(console.run(dry).out()).containsSubsequence("c: ", "b: ", "a: ", "3 would be done");
        assertThat(console.run(with(dry, "--after", "b")).out())
                .as("the named one may have been interrupted, and is repeated at most once anyway")
                .containsSubsequence("b: ", "a: ", "2 would be done")
                .doesNotContain("c: ");
        assertThat(console.run(with(dry, "--until", "2020-11-20T11:00:00Z")).out())
                .startsWith("a: ")
                .contains("1 would be done");
        assertThat(console.run(with(dry, "--until", "2020-11-20T11:00:00Z", "--after", "c"))
                        .out())
                .as("both bounds apply")
                .startsWith("a: ");
        failed("a", Instant.parse("2020-11-20T13:00:00Z"), "no");
        assertThat(console.run(with(dry, "--after", "b")).out())
                .as("it was done for its later failure")
                .containsSubsequence("b: ", "1 would be done")
                .doesNotContain("a: ");
        assertThat(console.run("jobs", "rerun", "a", "--after", "b").err())
                .startsWith("almanac: --since, --until, --where-type and --after need --failed");
        console.schedule("good");
        assertThat(console.run(with(dry, "--after", "good")))
                .isEqualTo(new CommandResult(
                        2, "", "almanac: --after 'good' has no stored row of a fire that failed for good\n"));
    }

    private static String[] with(String[] command, String... more) {
        return Stream.concat(Arrays.stream(command), Arrays.stream(more)).toArray(String[]::new);
    }

    @Test
    @DisplayName("8: every option of schedule reaches the stored job")
    void scheduleEverything() {
        CommandResult told = console.run(
                "jobs",
                "schedule",
                "--key",
                "k",
                "--requestor",
                "r",
                "--application",
                "app",
                "--tag",
                "t1",
                "--tag",
                "t2",
                "--dialect",
                "unix",
                "--cron",
                "0 12 * * *",
                "--type",
                "ty",
                "--type-version",
                "3",
                "--body",
                "{\"a\":1}",
                "--id",
                "i",
                "--failure-type",
                "fty",
                "--failure-type-version",
                "2",
                "--failure-body",
                "{\"b\":2}",
                "--failure-id",
                "fi",
                "--zone",
                "Europe/Brussels",
                "--clock-changes",
                "wall-once",
                "--ignore-default-calendar",
                "--calendar-policy",
                "DROP",
                "--threshold",
                "PT0S",
                "--missed",
                "RUN_ALL(7)",
                "--retry",
                "PT10M,PT17M",
                "--crash",
                "FAIL",
                "--timeout",
                "90s",
                "--priority",
                "1",
                "--group",
                "g",
                "--start",
                "2030-01-01",
                "--end",
                "2031-01-01T00:00:00Z",
                "--max-fires",
                "9",
                "--pause-after-failures",
                "3",
                "--entity",
                "e",
                "--client-request",
                "c",
                "--unit-of-work",
                "u",
                "--json");
        assertThat(told.err()).isEmpty();
        try (Scheduler scheduler = console.scheduler()) {
            Job job = scheduler.findJobById("k").orElseThrow();
            assertThat(told.out()).contains("\"triggerCommand\":{\"type\":\"ty\",\"version\":3,\"body\":{\"a\":1}}");
            assertThat(job.specification().startAt())
                    .contains(java.time.LocalDate.of(2030, 1, 1)
                            .atStartOfDay(ZoneId.of("Europe/Brussels"))
                            .toInstant());
        }
        for (String part : new String[] {
            "\"applicationTag\":\"app\"",
            "\"tags\":[\"t1\",\"t2\"]",
            "\"triggerIdentifier\":\"i\"",
            "\"failureCommand\":{\"type\":\"fty\",\"version\":2,\"body\":{\"b\":2}}",
            "\"failureIdentifier\":\"fi\"",
            "\"cronDialect\":\"UNIX\"",
            "\"zoneId\":\"Europe/Brussels\"",
            "WALL_ONCE",
            "\"ignoreDefaultCalendar\":true",
            "\"maxFires\":9",
            "\"pauseAfterFailures\":3",
            "\"lateExecutionThreshold\":\"PT0S\"",
            "\"missedFirePolicy\":\"RUN_ALL(7)\"",
            "\"retryPolicy\":\"PT10M,PT17M\"",
            "\"crashPolicy\":\"FAIL\"",
            "\"executionTimeout\":\"PT1M30S\"",
            "\"priority\":1",
            "\"exclusiveGroup\":\"g\"",
            "{\"processingEntity\":\"e\",\"clientRequestId\":\"c\",\"unitOfWorkId\":\"u\"}"
        }) {
            assertThat(told.out()).contains(part);
        }
    }

    @ParameterizedTest
    @DisplayName("8: a step and a delay are durations as every other, in options and in follow-ups")
    @CsvSource({"1d, PT24H", "1500ms, PT1.5S", "90m, PT1H30M", "PT90M, PT1H30M", "0s, "})
    void delays(String text, @Nullable String stored) {
        for (String option : List.of("every", "every-after-end")) {
            String[] schedule = {
                "jobs", "schedule", "--key", option, "--requestor", "r", "--type", "t", "--" + option, text, "--json"
            };
            String follow = "{\"key\": \"{key} {claim}\", \"" + option + "\": \"" + text + "\", \"type\": \"mail\"}";
            CommandResult parent = console.schedule("p " + option, "--on-success", follow, "--json");
            CommandResult own = console.run(schedule);
            if (stored == null) {
                assertThat(own.err()).contains(" '" + text + "' step");
                assertThat(List.of(own.exit(), parent.exit()))
                        .as("%s %s", own, parent)
                        .containsOnly(2);
            } else {
                assertThat(List.of(own.exit(), parent.exit()))
                        .as("%s %s", own, parent)
                        .containsOnly(0);
                String step =
                        "Specification\":\"" + (text.startsWith("P") && option.equals("every") ? text : stored) + "\"";
                assertThat(own.out()).contains(step);
                assertThat(parent.out()).contains(step);
            }
        }
    }

    @Test
    @DisplayName("M1: everything that is wrong with a job is told at once, in the words of the options")
    void refused() {
        CommandResult told = console.run(
                "jobs",
                "schedule",
                "--key",
                "x",
                "--cron",
                "0 30 25 * * ?",
                "--zone",
                "Europe/Brussel",
                "--body",
                "{\"kind",
                "--type",
                "a b",
                "--threshold",
                "abc",
                "--priority",
                "9",
                "--missed",
                "foo",
                "--crash",
                "FALL",
                "--retry",
                "R5",
                "--max-fires",
                "many");
        assertThat(told.exit()).isEqualTo(2);
        assertThat(told.out()).isEmpty();
        assertThat(told.err().lines().map(line -> line.strip().split(" ")[0]))
                .containsExactly(
                        "almanac:",
                        "--requestor",
                        "--cron",
                        "--type",
                        "--body",
                        "--zone",
                        "--threshold",
                        "--missed",
                        "--retry",
                        "--crash",
                        "--priority",
                        "--max-fires");
        assertThat(told.err())
                .startsWith("almanac: the job 'x' was refused, nothing was written:\n")
                .contains("  --crash 'FALL' is none of RERUN, FAIL; did you mean FAIL?\n");
        assertThat(console.run("jobs", "list").out()).isEqualTo("no jobs\n");
        assertThat(console.run("jobs", "schedule", "--key", "x", "--requestor", "r", "--type", "t", "--id", "i"))
                .isEqualTo(
                        new CommandResult(
                                2,
                                "",
                                "almanac: the job 'x' was refused, nothing was written:\n"
                                        + "  --cron, --every, --every-after-end, --rrule, --at or --now: exactly one is required\n"));
    }

    @Test
    @DisplayName("8: jobs preview says when a job fires, and what a clock change does to it")
    void preview() {
        console.schedule("j", "--cron", "0 30 2 * * ?", "--zone", "Europe/Brussels");
        String from = "2100-03-26T12:00:00Z";
        assertThat(console.run("jobs", "preview", "j", "--count", "2", "--from", from)
                        .out())
                .isEqualTo("""
                WANTED            FIRES (Europe/Brussels)  FIRES (UTC)          WHY
                2100-03-27 02:30  2100-03-27 02:30:00      2100-03-27 01:30:00  REGULAR
                2100-03-28 02:30  2100-03-28 03:00:00      2100-03-28 01:00:00  MOVED_BY_GAP
                """);
        assertThat(console.run("jobs", "preview", "j", "--count", "1", "--from", from, "--json")
                        .out())
                .isEqualTo("{\"fires\":[{\"wantedTime\":\"2100-03-27T02:30\",\"nominalTime\":"
                        + "\"2100-03-27T01:30:00Z\",\"fireTime\":\"2100-03-27T01:30:00Z\",\"reason\":\"REGULAR\"}]}\n");
        console.schedule("o", "--at", "2100-01-01T00:00:00Z");
        assertThat(console.run("jobs", "preview", "o").out()).contains("2100-01-01 00:00:00  REGULAR");
        assertThat(console.run("jobs", "preview", "o", "--from", "2101-01-01").out())
                .isEqualTo("o does not fire after that moment\n");
        assertThat(console.run("jobs", "preview", "none").exit()).isEqualTo(3);
    }

    @ParameterizedTest
    @DisplayName("8: a key or name that nothing has is answered with exit code 3, and not with that of wrong input")
    @ValueSource(
            strings = {
                "jobs show none",
                "jobs show none --finished",
                "jobs history none",
                "jobs explain none",
                "jobs preview none",
                "jobs cancel none",
                "jobs run-now none",
                "jobs remove none --damaged",
                "jobs update none --priority 2",
                "jobs update none --priority 2 --dry-run",
                "jobs update none --unpin",
                "jobs rerun none",
                "jobs acknowledge none --json",
                "jobs release none --force",
                "jobs cancel none --dry-run",
                "jobs pause none --reason x",
                "jobs resume none",
                "calendars show none",
                "calendars delete none",
                "groups show none",
                "groups remove none"
            })
    void notFound(String words) {
        CommandResult told = console.run(words.split(" "));
        assertThat(told.exit()).isEqualTo(3);
        assertThat(told.out()).isEmpty();
        assertThat(told.err()).startsWith("almanac: ").contains("none");
        assertThat(console.run((words + " --bad").split(" ")).exit()).isEqualTo(2);
    }

    @Test
    @DisplayName("O2: jobs explain says why a job has not run, or when it will")
    void explain() {
        console.schedule("j");
        assertThat(console.run("jobs", "explain", "j").out()).isEqualTo("""
                Job 'j' waits for its next fire at 2100-01-01T12:00:00Z.
                  state         SCHEDULED
                  next start    2100-01-01 12:00:00 UTC
                  fires         2100-01-01 12:00:00 UTC
                """);
        console.run("jobs", "pause", "j", "--reason", "audit", "--author", "ann");
        assertThat(console.run("jobs", "explain", "j").out())
                .startsWith("Job 'j' is paused by ann since ####-##-##T##:##:##Z until it is resumed: audit.\n");
        assertThat(console.run("jobs", "explain", "j", "--json").out())
                .startsWith(
                        "{\"jobSpecificationKey\":\"j\",\"asOf\":\"####-##-##T##:##:##Z\",\"state\":\"PAUSED\",\"headline\":\"Job 'j' is")
                .contains("\"reasons\":[{\"kind\":\"PAUSED\"", "\"who\":\"ann\"");
        console.run("jobs", "cancel", "j");
        assertThat(console.run("jobs", "explain", "j").out()).startsWith("Job 'j' was cancelled at ####-##-##T");
        CommandResult unknown = console.run("jobs", "explain", "none");
        assertThat(unknown.exit()).isEqualTo(3);
        assertThat(unknown.err()).startsWith("almanac: Job 'none' is not stored");
    }

    @Test
    @DisplayName("O2: explain begins with why a job waits, not with a calendar of its service that this process lacks")
    void explainFromOutside() {
        console.schedule("j");
        console.database()
                .getCollection("jobSpecification")
                .updateOne(new Document(), new Document("$set", new Document("calendars", List.of("christmas"))));
        assertThat(console.run("jobs", "explain", "j").out())
                .startsWith("Job 'j' waits for its next fire at 2100-01-01T12:00:00Z.\n")
                .contains("\n- names calendars that this node does not know: [christmas]");
        assertThat(console.run("jobs", "explain", "j", "--json").out())
                .contains(
                        "\"headline\":\"Job 'j' waits for its next fire at 2100-01-01T12:00:00Z.\"",
                        "\"reasons\":[{\"kind\":\"FUTURE\"",
                        "{\"kind\":\"UNKNOWN_CALENDAR\"");
        console.run("jobs", "pause", "j", "--reason", "audit", "--author", "ann");
        assertThat(console.run("jobs", "explain", "j").out()).startsWith("Job 'j' is paused by ann");
    }

    @Test
    @DisplayName("8: long keys are shortened in the middle so that a table fits; never in JSON; COLUMNS widens it")
    void fits() {
        String key = "batch-" + "x".repeat(100) + "-end";
        console.schedule(key);
        String narrow = console.run("jobs", "list").out();
        assertThat(narrow.lines()).allMatch(line -> line.length() <= 80);
        assertThat(narrow).contains("batch-", "…", "-end  report");
        assertThat(console.run("jobs", "list", "--json").out()).contains(key);
        assertThat(console.run(Map.of("COLUMNS", "200"), "jobs", "list").out()).contains(key);
        assertThat(console.run(Map.of("COLUMNS", "30"), "jobs", "list").out()).contains("NEXT FIRE (UTC)  2100");
    }

    @Test
    @DisplayName(
            "8: history of a key with --since, --until or --failed finds rows behind the newest 1 000, and ends at the limit")
    void historyFarBack() {
        console.schedule("a");
        Instant now = Instant.now();
        failed("a", now.minusSeconds(7_200), "long ago");
        MongoCollection<Document> rows = console.database().getCollection("jobExecutionStatus");
        Document good = new Document(rows.find(Filters.ne("_id", "a:failed")).first());
        rows.insertMany(IntStream.range(0, 1_100)
                .mapToObj(i -> new Document(good)
                        .append("_id", "a:good" + i)
                        .append("updatedTime", Date.from(now.minusMillis(i * 1_000L))))
                .toList());
        assertThat(console.run("jobs", "history", "a", "--failed").out()).contains("long ago");
        assertThat(console.run("jobs", "history", "a", "--until", "90m").out()).contains("long ago");
        assertThat(console.run("jobs", "history", "a", "--since", "3h", "--limit", "1000")
                        .out())
                .contains("older ones follow")
                .doesNotContain("long ago");
    }

    @Test
    @DisplayName("8: the --until that history advises shows the next rows, and none of the last page again")
    void historyPageByPage() {
        console.schedule("a");
        MongoCollection<Document> rows = console.database().getCollection("jobExecutionStatus");
        Document row = rows.find().first();
        rows.insertMany(IntStream.range(0, 3)
                .mapToObj(i -> new Document(row)
                        .append("_id", "a:" + i)
                        .append("updatedTime", Date.from(Instant.parse("2019-05-01T0" + i + ":00:00Z"))))
                .toList());
        assertThat(console.run("jobs", "history", "a", "--limit", "1", "--until", "2019-06-01")
                        .out())
                .contains("2019-05-01 02:00:00")
                .endsWith("older ones follow: add --limit 1000, or --until 2019-05-01T02:00:00Z\n");
        assertThat(console.run("jobs", "history", "a", "--limit", "1", "--until", "2019-05-01T02:00:00Z")
                        .out())
                .contains("2019-05-01 01:00:00")
                .endsWith("or --until 2019-05-01T01:00:00Z\n");
        rows.updateOne(
                Filters.eq("_id", "a:0"), Updates.set("updatedTime", Date.from(Instant.parse("2019-05-01T01:00:00Z"))));
        assertThat(console.run("jobs", "history", "a", "--limit", "1", "--until", "2019-05-01T02:00:00Z")
                        .out())
                .as("two rows of one moment")
                .endsWith("older ones follow: add --limit 1000\n");
        assertThat(console.run("jobs", "history", "a", "--limit", "2", "--until", "2019-06-01")
                        .out())
                .endsWith("or --until 2019-05-01T01:00:00.001Z\n");
    }

    @Test
    @DisplayName("8: small answers say what is so")
    void smallAnswers() {
        CommandResult released = console.run("jobs", "release", "nosuch", "--force");
        assertThat(released.exit()).isEqualTo(3);
        console.schedule("k");
        assertThat(console.run("jobs", "run-now", "k", "--body", "{\"amount\":1}", "--dry-run")
                        .out())
                .startsWith("k: would be done: one run in addition to its plan");
        assertThat(console.run("jobs", "explain", "k").out()).doesNotContain("contents of its own");
        console.database()
                .getCollection("jobSpecification")
                .updateOne(Filters.eq("jobSpecificationKey", "k"), Updates.set("phase", "FOLLOW"));
        assertThat(console.run("jobs", "cancel", "k").out())
                .isEqualTo(
                        "ALREADY_RUNNING: the follow-ups of the last run of k are stored first; no later fire follows\n");
    }
}
