package dev.almanac.mongo;

import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a store.
 *
 * @param database name of the database
 * @param collectionPrefix put before the name of each collection; may be empty
 * @param partitions number of claim partitions, 1 to 200; fixed when the store is created
 * @param createIndexes whether missing indexes are created when the store is opened; else they are verified
 * @param commitQuorum how many members must have built an index before it is used, such as {@code majority};
 *     absent = the server's default
 * @param operationTimeout after which a call gives up, finding a server and repetitions by the driver included; from 1
 *     ms to 24 days, in whole milliseconds. A shorter one of the client applies instead. Opening the store is not bounded by
 *     it, since building an index may take long.
 */
public record MongoStoreSettings(
        String database,
        String collectionPrefix,
        int partitions,
        boolean createIndexes,
        @Nullable String commitQuorum,
        Duration operationTimeout) {
    private static final String DEFAULT_DATABASE = "almanac";
    private static final int DEFAULT_PARTITIONS = 16;
    static final int MOST_PARTITIONS = 200;
    /** Longer than a lease, and short enough that no call hangs on a server that does not answer. */
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    /** The driver counts the milliseconds of a call in 32 bits. */
    private static final Duration LONGEST_TIMEOUT = Duration.ofDays(24);

    /** @throws IllegalArgumentException if a name or number is out of range */
    public MongoStoreSettings {
        if (!database.matches("[A-Za-z0-9_-]{1,63}")) {
            throw new IllegalArgumentException(
                    "database name '" + database + "' must be 1 to 63 letters, digits, dashes or underscores");
        }
        if (!collectionPrefix.matches("[A-Za-z0-9_-]{0,60}")) {
            throw new IllegalArgumentException("collection prefix '" + collectionPrefix
                    + "' must be at most 60 letters, digits, dashes or underscores");
        }
        if (partitions < 1 || partitions > MOST_PARTITIONS) {
            throw new IllegalArgumentException("partitions " + partitions + " is not within 1 to " + MOST_PARTITIONS);
        }
        if (operationTimeout.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("operationTimeout " + operationTimeout + " is less than PT0.001S");
        }
        if (operationTimeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "operationTimeout " + operationTimeout + " is more than " + LONGEST_TIMEOUT.toDays() + " days");
        }
    }

    /** Database {@code almanac}, 16 partitions, no prefix, indexes are created, calls end within 30 s. */
    public static MongoStoreSettings defaults() {
        return ofDatabase(DEFAULT_DATABASE);
    }

    /** The defaults in another database. */
    public static MongoStoreSettings ofDatabase(String database) {
        return new MongoStoreSettings(database, "", DEFAULT_PARTITIONS, true, null, DEFAULT_TIMEOUT);
    }

    /** The same with a prefix, for several schedulers in one database. */
    public MongoStoreSettings withCollectionPrefix(String prefix) {
        return new MongoStoreSettings(database, prefix, partitions, createIndexes, commitQuorum, operationTimeout);
    }

    /** The same with another number of partitions; without effect on a store that is there already. */
    public MongoStoreSettings withPartitions(int number) {
        return new MongoStoreSettings(
                database, collectionPrefix, number, createIndexes, commitQuorum, operationTimeout);
    }

    /** The same with indexes created, or only verified. */
    public MongoStoreSettings withCreateIndexes(boolean create) {
        return new MongoStoreSettings(database, collectionPrefix, partitions, create, commitQuorum, operationTimeout);
    }

    /** The same with another commit quorum. */
    public MongoStoreSettings withCommitQuorum(String quorum) {
        return new MongoStoreSettings(database, collectionPrefix, partitions, createIndexes, quorum, operationTimeout);
    }

    /** The same with another timeout. */
    public MongoStoreSettings withOperationTimeout(Duration timeout) {
        return new MongoStoreSettings(database, collectionPrefix, partitions, createIndexes, commitQuorum, timeout);
    }

    long timeoutMillis(MongoClient client) {
        Long own = client.getTimeout(TimeUnit.MILLISECONDS);
        return own == null || own == 0 ? operationTimeout.toMillis() : Math.min(own, operationTimeout.toMillis());
    }
}
