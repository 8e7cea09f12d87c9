package dev.almanac.testkit.server;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * A real MongoDB replica set for tests. Found in this order: {@code MONGODB_URI}; a {@code mongod} from
 * {@code ALMANAC_MONGOD}, {@code .mongod/} or the PATH, which is then started on free ports of 127.0.0.1; for
 * {@link #shared()} also a container, where Docker answers and Testcontainers is on the class path.
 */
public final class MongoServer implements AutoCloseable {
    private static final Map<String, String> FOR_TESTS = Map.of(
            "enableTestCommands",
            "1",
            "ttlMonitorSleepSecs",
            "1",
            "transactionLifetimeLimitSeconds",
            "30",
            // a server collects figures about itself every second, and there are many of them
            "diagnosticDataCollectionEnabled",
            "false");
    private static final String ADMINISTRATORS_PASSWORD = "of-this-test";
    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static volatile @Nullable MongoServer shared;

    private final String uri;
    private final String origin;
    private final List<MongoMember> members;
    private final @Nullable TemporaryFolder folder;

    private MongoServer(String uri, String origin, List<MongoMember> members, @Nullable TemporaryFolder folder) {
        this.uri = uri;
        this.origin = origin;
        this.members = members;
        this.folder = folder;
    }

    /** One server for all tests of this JVM; each test takes a {@link #freshDatabase()} of its own. */
    public static synchronized MongoServer shared() {
        MongoServer server = shared;
        if (server == null) {
            server = find();
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            shared = server;
        }
        return server;
    }

    private static MongoServer find() {
        String given = System.getenv("MONGODB_URI");
        if (given != null && !given.isBlank()) {
            return new MongoServer(given, "MONGODB_URI", List.of(), null);
        }
        Optional<String> container = MongodBinary.find().isPresent() ? Optional.empty() : MongoContainer.start();
        if (container.isEmpty()) {
            return replicaSet(1);
        }
        MongoServer server = new MongoServer(container.get(), "Docker, " + MongoContainer.IMAGE, List.of(), null);
        server.awaitPrimary();
        return server;
    }

    /** A replica set of its own, started for this test. */
    public static MongoServer replicaSet(int size) {
        return replicaSet(size, FOR_TESTS, 2_000);
    }

    /**
     * A replica set of its own.
     *
     * @param parameters server parameters beside those that tests need
     * @param electionTimeoutMillis after which silence of the primary leads to an election
     */
    public static MongoServer replicaSet(int size, Map<String, String> parameters, int electionTimeoutMillis) {
        return start(size, parameters, electionTimeoutMillis, true);
    }

    /** A one-member set that outlives this process; the caller ends it, which removes its data. */
    public static MongoServer detached() {
        return start(1, Map.of(), 2_000, false);
    }

    private static MongoServer start(
            int size, Map<String, String> parameters, int electionTimeoutMillis, boolean guarded) {
        Path binary = binary();
        TemporaryFolder folder = dataFolder();
        List<MongoMember> members = launch(size, binary, folder, options(parameters), guarded);
        String hosts = members.stream().map(MongoMember::host).collect(Collectors.joining(","));
        String uri = "mongodb://" + hosts + "/?replicaSet=rs&serverSelectionTimeoutMS=10000";
        return new MongoServer(uri, binary.toString(), members, folder).ready(electionTimeoutMillis);
    }

    /** All of them, or none and no folder. */
    private static List<MongoMember> launch(
            int size, Path binary, TemporaryFolder folder, List<String> options, boolean guarded) {
        List<MongoMember> members = new ArrayList<>();
        try {
            for (int i = 0; i < size; i++) {
                Path data = Files.createDirectory(folder.path().resolve("m" + i));
                members.add(new MongoMember(binary, data, "rs", options, guarded));
            }
            return members;
        } catch (IOException e) {
            members.forEach(MongoMember::kill9);
            folder.close();
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            members.forEach(MongoMember::kill9);
            folder.close();
            throw e;
        }
    }

    /** In {@code almanac.data}, if that is set, such as to a file system in memory: each write waits for its journal. */
    private static TemporaryFolder dataFolder() {
        String where = System.getProperty("almanac.data", "");
        return where.isEmpty()
                ? TemporaryFolder.create("almanac-mongo")
                : TemporaryFolder.create(Path.of(where), "almanac-mongo");
    }

    private static Path binary() {
        return MongodBinary.find()
                .orElseThrow(() -> new IllegalStateException("no MongoDB server was found: set MONGODB_URI, or"
                        + " ALMANAC_MONGOD, or put a mongod on the PATH, or run ./build mongod, which fetches one, or have Docker answer and"
                        + " testcontainers on the class path"));
    }

    private static List<String> options(Map<String, String> parameters) {
        List<String> options = new ArrayList<>();
        parameters.forEach((name, value) -> options.addAll(List.of("--setParameter", name + "=" + value)));
        return options;
    }

    /**
     * A one-member set of its own that requires a user and password. {@link #uri()} is that of an
     * administrator, {@link #uri(String, String, String)} that of others, once the administrator has created them.
     */
    public static MongoServer secured() {
        Path binary = binary();
        TemporaryFolder folder = dataFolder();
        List<String> options = options(FOR_TESTS);
        options.addAll(List.of("--keyFile", keyFile(folder.path()).toString()));
        List<MongoMember> members = launch(1, binary, folder, options, true);
        String uri = "mongodb://root:" + ADMINISTRATORS_PASSWORD + "@"
                + members.get(0).host() + "/?replicaSet=rs&authSource=admin&serverSelectionTimeoutMS=10000";
        return new MongoServer(uri, binary.toString(), members, folder).secure();
    }

    private static Path keyFile(Path folder) {
        try {
            Path key = Files.createFile(
                    folder.resolve("key"),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            return Files.writeString(key, "onlyMembersOfThisTestKnowThisKey");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates the first user, which a server allows from its own machine only. */
    private MongoServer secure() {
        try {
            initiate(members, 2_000);
            String open = "mongodb://" + members.get(0).host() + "/?replicaSet=rs&serverSelectionTimeoutMS=120000";
            try (MongoClient client = MongoClients.create(open)) {
                client.getDatabase("admin")
                        .runCommand(new Document("createUser", "root")
                                .append("pwd", ADMINISTRATORS_PASSWORD)
                                .append("roles", List.of("root")));
            }
            awaitPrimary();
            return this;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private MongoServer ready(int electionTimeoutMillis) {
        try {
            initiate(members, electionTimeoutMillis);
            awaitPrimary();
            return this;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private static void initiate(List<MongoMember> members, int electionTimeoutMillis) {
        List<Document> config = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            config.add(new Document("_id", i).append("host", members.get(i).host()));
        }
        Document set = new Document("_id", "rs")
                .append("members", config)
                .append(
                        "settings",
                        new Document("electionTimeoutMillis", electionTimeoutMillis)
                                .append("heartbeatIntervalMillis", 500));
        // a set is not initiated while one of its members does not answer yet
        members.forEach(member -> direct(member, new Document("ping", 1)));
        direct(members.get(0), new Document("replSetInitiate", set));
    }

    private static void direct(MongoMember member, Document command) {
        String uri = "mongodb://" + member.host() + "/?directConnection=true&serverSelectionTimeoutMS=120000";
        try (MongoClient client = MongoClients.create(uri)) {
            client.getDatabase("admin").runCommand(command);
        }
    }

    /** Returns once a primary takes writes. */
    public void awaitPrimary() {
        long end = System.nanoTime() + 120_000_000_000L;
        try (MongoClient client = MongoClients.create(uri)) {
            while (true) {
                try {
                    client.getDatabase("admin").getCollection("almanac_probe").insertOne(new Document());
                    return;
                } catch (MongoException e) {
                    if (System.nanoTime() > end) {
                        throw new IllegalStateException("no primary after 2 minutes: " + uri, e);
                    }
                }
            }
        }
    }

    /** The connection string. */
    public String uri() {
        return uri;
    }

    /** The connection string of another user, on a {@link #secured()} server. */
    public String uri(String user, String password, String database) {
        return uri.replace("root:" + ADMINISTRATORS_PASSWORD + "@", user + ":" + password + "@")
                .replace("authSource=admin", "authSource=" + database);
    }

    /** Where the server was found. */
    public String origin() {
        return origin;
    }

    /** The processes; empty if the server was given by {@code MONGODB_URI}. */
    public List<MongoMember> members() {
        return List.copyOf(members);
    }

    /** The member that is primary now. */
    public MongoMember primary() {
        try (MongoClient client = MongoClients.create(uri)) {
            String host = client.getDatabase("admin")
                    .runCommand(new Document("hello", 1))
                    .getString("primary");
            return members.stream()
                    .filter(member -> member.host().equals(host))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Makes the primary step down. */
    public void stepDown() {
        try (MongoClient client = MongoClients.create(uri)) {
            client.getDatabase("admin")
                    .runCommand(new Document("replSetStepDown", 10)
                            .append("secondaryCatchUpPeriodSecs", 2)
                            .append("force", true));
        } catch (MongoException connectionsMayBreak) {
            awaitPrimary();
        }
    }

    /** Sets a fail point on the primary of a one-member set; {@code mode} as the server takes it. */
    public void failPoint(Object mode, Document data) {
        try (MongoClient client = MongoClients.create(uri)) {
            client.getDatabase("admin")
                    .runCommand(new Document("configureFailPoint", "failCommand")
                            .append("mode", mode)
                            .append("data", data));
        }
    }

    /** A name that no other test of this server uses. */
    public String freshDatabase() {
        return "almanac_" + ProcessHandle.current().pid() + "_" + DATABASES.incrementAndGet();
    }

    /** Ends the processes and removes their data. */
    @Override
    public void close() {
        members.forEach(MongoMember::kill9);
        if (folder != null) {
            folder.close();
        }
    }
}
