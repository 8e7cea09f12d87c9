package dev.almanac.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.io.BufferedReader;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A real server for tests (section 10)")
class MongoServerTest {
    private static final String FOLDER = "data in ";

    private static MongoCollection<Document> rows(MongoClient client, String database) {
        return client.getDatabase(database).getCollection("rows").withWriteConcern(WriteConcern.MAJORITY);
    }

    private static void write(MongoServer server, String database, int number) {
        try (MongoClient client = MongoClients.create(server.uri())) {
            rows(client, database).insertOne(new Document("_id", number));
        }
    }

    private static List<Integer> read(MongoServer server, String database) {
        try (MongoClient client = MongoClients.create(server.uri())) {
            return rows(client, database)
                    .find()
                    .sort(new Document("_id", 1))
                    .map(row -> row.getInteger("_id"))
                    .into(new ArrayList<>());
        }
    }

    @Test
    @DisplayName("one member: takes writes at once, says where it was found, is gone after close")
    void oneMember() {
        MongoServer server = MongoServer.replicaSet(1);
        MongoMember member = server.members().get(0);
        try (server) {
            write(server, "first", 1);
            assertThat(read(server, "first")).containsExactly(1);
            assertThat(server.origin()).endsWith("mongod");
            assertThat(server.primary()).isSameAs(member);
            assertThat(member.isAlive()).isTrue();
            assertThat(server.freshDatabase()).isNotEqualTo(server.freshDatabase());
        }
        assertThat(member.isAlive()).isFalse();
        assertThat(ProcessHandle.of(member.pid())).isEmpty();
    }

    @Test
    @DisplayName("its data are gone after close; those of a detached server stay until then")
    void data() {
        MongoServer server = MongoServer.detached();
        MongoMember member = server.members().get(0);
        try (server) {
            assertThat(member.folder()).isNotEmptyDirectory();
        }
        assertThat(member.folder().getParent()).doesNotExist();
    }

    @Test
    @DisplayName("a process that is killed takes its server and the server's data with it")
    void killedProcess() throws Exception {
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        MongoServerTest.class.getName())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader out = process.inputReader()) {
            String folder = out.lines()
                    .filter(line -> line.startsWith(FOLDER))
                    .findFirst()
                    .orElseThrow();
            Path data = Path.of(folder.substring(FOLDER.length()));
            assertThat(data).isNotEmptyDirectory();
            List<ProcessHandle> started = process.descendants().toList();
            process.destroyForcibly();
            for (ProcessHandle left : started) {
                left.onExit().get(3, TimeUnit.MINUTES);
            }
            assertThat(data).doesNotExist();
        } finally {
            process.destroyForcibly();
        }
    }

    /** A process that starts a server, and stays. */
    public static void main(String[] none) throws Exception {
        System.out.println(
                FOLDER + MongoServer.replicaSet(1).members().get(0).folder().getParent());
        Thread.currentThread().join();
    }

    @Test
    @DisplayName("a member that was killed or ended in order starts again on its data")
    void restart() {
        try (MongoServer server = MongoServer.replicaSet(1)) {
            MongoMember member = server.members().get(0);
            write(server, "kept", 1);
            long before = member.pid();
            member.kill9();
            assertThat(member.isAlive()).isFalse();
            member.restart();
            assertThat(member.pid()).isNotEqualTo(before);
            server.awaitPrimary();
            write(server, "kept", 2);
            member.terminate();
            member.restart();
            server.awaitPrimary();
            assertThat(read(server, "kept")).containsExactly(1, 2);
        }
    }

    @Test
    @DisplayName("signals reach the server that was started last, and no process that merely has its old number")
    void signals() {
        try (MongoServer server = MongoServer.replicaSet(1)) {
            MongoMember member = server.members().get(0);
            assertThatThrownBy(member::restart).isInstanceOf(IllegalStateException.class);
            member.kill9();
            member.kill9();
            assertThatThrownBy(member::suspend).isInstanceOf(IllegalStateException.class);
            member.restart();
            member.kill9();
            assertThat(member.isAlive()).isFalse();
        }
    }

    @Test
    @DisplayName("a suspended server answers nobody, and answers again when it is resumed")
    void suspend() {
        try (MongoServer server = MongoServer.replicaSet(1)) {
            MongoMember member = server.members().get(0);
            String impatient = server.uri() + "&socketTimeoutMS=500&connectTimeoutMS=500";
            write(server, "held", 1);
            try (MongoClient client = MongoClients.create(impatient.replace("=10000", "=1000"))) {
                member.suspend();
                assertThat(member.isAlive()).isTrue();
                assertThatThrownBy(() -> rows(client, "held").countDocuments()).isInstanceOf(MongoException.class);
                member.resume();
            }
            assertThat(read(server, "held")).containsExactly(1);
        }
    }

    @Test
    @DisplayName("a fail point meets the named command as often as it was asked to, and then no more")
    void failPoint() {
        try (MongoServer server = MongoServer.replicaSet(1);
                MongoClient client = MongoClients.create(server.uri() + "&retryReads=false")) {
            rows(client, "hurt").insertOne(new Document("_id", 1));
            server.failPoint(
                    new Document("times", 1), new Document("failCommands", List.of("find")).append("errorCode", 96));
            assertThatThrownBy(() -> rows(client, "hurt").find().first())
                    .isInstanceOfSatisfying(
                            MongoException.class, e -> assertThat(e.getCode()).isEqualTo(96));
            assertThat(rows(client, "hurt").find().first()).isEqualTo(new Document("_id", 1));
        }
    }

    @Test
    @DisplayName("three members: another becomes primary after kill -9, with every row that a majority had")
    void failover() {
        try (MongoServer server = MongoServer.replicaSet(3)) {
            assertThat(server.members()).hasSize(3);
            MongoMember old = server.primary();
            IntStream.range(0, 20).forEach(number -> write(server, "survives", number));
            old.kill9();
            server.awaitPrimary();
            assertThat(server.primary()).isNotSameAs(old);
            assertThat(read(server, "survives"))
                    .containsExactlyElementsOf(IntStream.range(0, 20).boxed().toList());
            old.restart();
            write(server, "survives", 20);
            assertThat(old.isAlive()).isTrue();
        }
    }

    @Test
    @DisplayName("a secured server: the administrator and whom it created get in, with the right password alone")
    void secured() {
        try (MongoServer server = MongoServer.secured()) {
            write(server, "inside", 1);
            try (MongoClient client = MongoClients.create(server.uri())) {
                client.getDatabase("inside")
                        .runCommand(new Document("createUser", "reader")
                                .append("pwd", "right")
                                .append("roles", List.of("read")));
            }
            try (MongoClient reader = MongoClients.create(server.uri("reader", "right", "inside"))) {
                assertThat(rows(reader, "inside").countDocuments()).isEqualTo(1);
                assertThatThrownBy(() -> rows(reader, "inside").insertOne(new Document()))
                        .isInstanceOf(MongoException.class);
            }
            for (String uri : List.of(
                    server.uri("reader", "wrong", "inside"), server.uri().replaceFirst("root:.*@", ""))) {
                try (MongoClient stranger = MongoClients.create(uri)) {
                    assertThatThrownBy(() -> rows(stranger, "inside").countDocuments())
                            .isInstanceOf(MongoException.class);
                }
            }
        }
    }
}
