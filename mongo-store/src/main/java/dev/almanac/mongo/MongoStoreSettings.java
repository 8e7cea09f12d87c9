package dev.almanac.mongo;

import org.jspecify.annotations.Nullable;

/**
 * Where and how a store keeps its documents.
 *
 * @param database name of the database
 * @param collectionPrefix put before the name of each collection; may be empty
 * @param partitions number of claim partitions, 1 to 200; fixed when the store is created
 * @param createIndexes whether missing indexes are created when the store is opened; else they are verified
 * @param commitQuorum how many members must have built an index before it is used, such as {@code majority};
 *     absent = the server's default
 */
public record MongoStoreSettings(
        String database,
        String collectionPrefix,
        int partitions,
        boolean createIndexes,
        @Nullable String commitQuorum) {
    private static final int DEFAULT_PARTITIONS = 16;
    private static final int MOST_PARTITIONS = 200;

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
    }

    /** 16 partitions, no prefix, indexes are created. */
    public static MongoStoreSettings ofDatabase(String database) {
        return new MongoStoreSettings(database, "", DEFAULT_PARTITIONS, true, null);
    }

    /** The same with a prefix, for several schedulers in one database. */
    public MongoStoreSettings withCollectionPrefix(String prefix) {
        return new MongoStoreSettings(database, prefix, partitions, createIndexes, commitQuorum);
    }

    /** The same with indexes created, or only verified. */
    public MongoStoreSettings withCreateIndexes(boolean create) {
        return new MongoStoreSettings(database, collectionPrefix, partitions, create, commitQuorum);
    }
}
