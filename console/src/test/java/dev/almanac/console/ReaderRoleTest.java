package dev.almanac.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import dev.almanac.testkit.server.MongoServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The role almanac_reader of docs/security.md, and what others may have added to a store. */
class ReaderRoleTest {
    private static MongoServer server;
    private static MongoClient administrator;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws IOException {
        server = MongoServer.secured();
        administrator = MongoClients.create(server.uri());
        Document role = role("almanac_reader");
        MongoDatabase database = administrator.getDatabase("almanac");
        database.runCommand(new Document("createRole", role.remove("role"))
                .append("privileges", role.get("privileges"))
                .append("roles", List.of()));
        database.runCommand(new Document("createUser", "almanac-person")
                .append("pwd", "of-this-test")
                .append("roles", List.of("almanac_reader")));
        assertThat(by(server.uri(), "indexes", "create").exit()).isZero();
        for (String key : List.of("a", "b")) {
            assertThat(by(
                                    server.uri(),
                                    "jobs",
                                    "schedule",
                                    "--key",
                                    key,
                                    "--requestor",
                                    "r",
                                    "--cron",
                                    "0 0 12 1 1 ? 2100",
                                    "--zone",
                                    "UTC",
                                    "--type",
                                    "report")
                            .exit())
                    .isZero();
        }
        assertThat(by(server.uri(), "calendars", "put", "weekends", "Weekly", "days=1,7")
                        .exit())
                .isZero();
        assertThat(by(server.uri(), "groups", "put", "bank", "--size", "5", "--rate", "10/s")
                        .exit())
                .isZero();
        assertThat(by(server.uri(), "jobs", "pause", "b", "--reason", "x").exit())
                .isZero();
    }

    @AfterAll
    static void stop() {
        administrator.close();
        server.close();
    }

    private static Document role(String name) throws IOException {
        String page = Files.readString(Path.of(System.getProperty("almanac.root"), "docs", "security.md"));
        Matcher block = Pattern.compile("db\\.createRole\\((\\{\\s*role: \"" + name + "\".*?\\})\\);", Pattern.DOTALL)
                .matcher(page);
        assertThat(block.find()).isTrue();
        return Document.parse(block.group(1));
    }

    private static CommandResult by(String uri, String... words) {
        String[] whole = new String[words.length + 2];
        System.arraycopy(words, 0, whole, 0, words.length);
        whole[words.length] = "--database";
        whole[words.length + 1] = "almanac";
        return CommandResult.by(Map.of("COLUMNS", "120", "ALMANAC_URI", uri), whole);
    }

    private static CommandResult reader(String... words) {
        return by(server.uri("almanac-person", "of-this-test", "almanac"), words);
    }

    @ParameterizedTest
    @DisplayName("16.11: every command that only looks can be run under the reader's role")
    @ValueSource(
            strings = {
                "jobs list",
                "jobs list --state SCHEDULED",
                "jobs show a",
                "jobs history a",
                "jobs history --failed",
                "jobs explain b",
                "jobs preview a",
                "jobs pauses",
                "calendars list",
                "calendars show weekends",
                "groups list",
                "groups show bank",
                "lateness",
                "lateness --since 7d --json",
                "nodes",
                "health",
                "doctor",
                "indexes verify"
            })
    void looks(String command) {
        CommandResult told = reader(command.split(" "));
        assertThat(told.err()).isEmpty();
        assertThat(told.out()).isNotBlank().doesNotContain("may not do this", "not authorized");
        assertThat(told.exit()).isLessThan(2);
    }

    @Test
    @DisplayName("16.11: a dry run of reconcile is a look, too; what writes is refused, and says where the roles are")
    void writes() throws IOException {
        Path file = Files.writeString(
                folder.resolve("jobs.conf"),
                "almanac { application = tills, jobs = [ { key = c, cron = \"0 0 12 1 1 ? 2100\", type = log } ] }");
        CommandResult dry = reader("reconcile", file.toString(), "--dry-run");
        assertThat(dry.err()).isEmpty();
        assertThat(dry.out()).contains("created    1");
        for (String command : List.of(
                "jobs cancel a",
                "jobs run-now a",
                "jobs pause --all --reason audit --yes",
                "calendars delete weekends",
                "groups remove bank")) {
            CommandResult told = reader(command.split(" "));
            assertThat(told.exit()).as(command).isNotZero();
            assertThat(told.all()).as(command).contains("may not do this", "docs/security.md has the roles");
        }
    }

    @Test
    @DisplayName(
            "16.11: indexes verify and doctor tell of foreign expiries, validators and views; without them nothing")
    void strangers() {
        MongoDatabase database = administrator.getDatabase("almanac");
        assertThat(reader("indexes", "verify").exit()).isZero();
        database.getCollection("jobSpecification")
                .createIndex(
                        Indexes.ascending("latestUpdate"),
                        new IndexOptions().name("cleanup").expireAfter(30L, TimeUnit.DAYS));
        database.runCommand(new Document("collMod", "jobExecutionStatus")
                .append("validator", new Document("note", new Document("$exists", false))));
        database.createView("mine", "jobSpecification", List.of());
        database.createCollection("elsewhere");
        database.getCollection("elsewhere")
                .createIndex(Indexes.ascending("t"), new IndexOptions().expireAfter(1L, TimeUnit.DAYS));
        try {
            for (String command : List.of("indexes verify", "doctor")) {
                CommandResult told = reader(command.split(" "));
                assertThat(told.exit()).as(command).isEqualTo(1);
                assertThat(told.all())
                        .as(command)
                        .contains("index jobSpecification.cleanup on [latestUpdate] removes documents")
                        .contains("collection jobExecutionStatus has a validator")
                        .contains("view mine over jobSpecification")
                        .doesNotContain("elsewhere", "almanac_expiry");
            }
            assertThat(reader("doctor").out())
                    .contains("ALM-020 collection jobExecutionStatus has a validator", "ALM-020 view mine")
                    .doesNotContain("ALM-037", "indexes create");
            assertThat(reader("health").out())
                    .contains("the store warns: ALM-020", "cleanup")
                    .doesNotContain("view mine");
        } finally {
            database.getCollection("mine").drop();
            database.getCollection("elsewhere").drop();
            database.getCollection("jobSpecification").dropIndex("cleanup");
            database.runCommand(new Document("collMod", "jobExecutionStatus").append("validator", new Document()));
        }
        assertThat(reader("indexes", "verify").exit()).isZero();
    }
}
