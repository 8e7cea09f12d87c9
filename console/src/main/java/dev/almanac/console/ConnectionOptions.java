package dev.almanac.console;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClients;
import dev.almanac.config.ConfiguredStore;
import dev.almanac.mongo.MongoStoreSettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the database connection. A mixin of all commands that need one; only this class makes a client. */
final class ConnectionOptions {
    private static final String VARIABLE = "ALMANAC_URI";
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration LONGEST_PATIENCE = Duration.ofMinutes(10);

    private final ProcessEnvironment process;

    @Option(
            names = "--uri",
            paramLabel = "URI",
            description = "connection string; by default ALMANAC_URI of the environment")
    private @Nullable String uri;

    @Option(
            names = "--database",
            paramLabel = "NAME",
            description = "by default the one that the URI names, else almanac")
    private @Nullable String database;

    @Option(names = "--prefix", paramLabel = "TEXT", defaultValue = "", description = "prefix of the collections")
    private String prefix = "";

    @Option(
            names = "--patience",
            paramLabel = "TIME",
            defaultValue = "5s",
            description = "how long to look for a server (default: ${DEFAULT-VALUE})")
    private Duration patience;

    ConnectionOptions(ProcessEnvironment process) {
        this.process = process;
    }

    /**
     * A client and its store, which must be there; the server is not contacted yet.
     *
     * @throws IllegalArgumentException if an option is missing or wrong
     */
    StoreAccess open() {
        return open(null, MongoStoreSettings.defaults().withCreateIndexes(false));
    }

    /**
     * As {@link #open()}, for a store with these settings; options and environment go before them.
     *
     * @param uriOfFile absent = the file names no database
     */
    StoreAccess open(@Nullable String uriOfFile, MongoStoreSettings store) {
        boolean here = uriOfFile == null
                || uri != null
                || !process.environment().getOrDefault(VARIABLE, "").isBlank();
        ConnectionString string = parsed(here ? uri : uriOfFile);
        String inUri = here ? string.getDatabase() : null;
        String name = database != null ? database : inUri != null ? inUri : store.database();
        MongoStoreSettings chosen = new MongoStoreSettings(
                name,
                prefix.isEmpty() ? store.collectionPrefix() : prefix,
                store.partitions(),
                store.createIndexes(),
                store.commitQuorum(),
                store.operationTimeout());
        return access(string, chosen);
    }

    private StoreAccess access(ConnectionString string, MongoStoreSettings settings) {
        Duration wait = wait(string);
        ServerTalk talk = new ServerTalk();
        MongoClientSettings client = MongoClientSettings.builder()
                .addCommandListener(talk)
                .applicationName("almanac")
                .applyConnectionString(string)
                .applyToClusterSettings(c -> c.serverSelectionTimeout(wait.toMillis(), TimeUnit.MILLISECONDS))
                .applyToSocketSettings(s -> s.connectTimeout((int) Math.max(1, wait.toMillis()), TimeUnit.MILLISECONDS))
                .build();
        return new StoreAccess(MongoClients.create(client), talk, settings, String.join(",", string.getHosts()), wait);
    }

    private Duration wait(ConnectionString string) {
        InvalidInputException.when(
                patience.toMillis() < 1 || patience.compareTo(LONGEST_PATIENCE) > 0,
                "--patience " + patience + " is not within 1ms to 10m");
        Integer own = string.getServerSelectionTimeout();
        return own != null && patience.equals(PATIENCE) ? Duration.ofMillis(own) : patience;
    }

    /**
     * Parses the connection string. The driver's messages are not shown, since they quote parts of it, possibly the
     * password.
     */
    private ConnectionString parsed(@Nullable String givenUri) {
        String given = givenUri != null ? givenUri : process.environment().getOrDefault(VARIABLE, "");
        InvalidInputException.when(
                given.isBlank(),
                "no database is named; give --uri mongodb://host:27017/?replicaSet=rs, or set " + VARIABLE);
        InvalidInputException.when(
                !given.startsWith("mongodb://") && !given.startsWith("mongodb+srv://"),
                "the connection string does not begin with mongodb:// or mongodb+srv://; write"
                        + " mongodb://host:27017/?replicaSet=rs");
        try {
            return new ConnectionString(given.strip());
        } catch (RuntimeException notUnderstood) {
            // the driver would ask a name server about the other scheme
            String option = given.startsWith("mongodb://") ? ConfiguredStore.wrongOption(given.strip()) : null;
            InvalidInputException.when(option != null, "in the connection string, " + option);
            throw new InvalidInputException(
                    "the connection string is not understood; write mongodb://host:27017/?replicaSet=rs,"
                            + " and %40 for @, %3A for :, %2F for / and %25 for % inside user and password");
        }
    }
}
