package dev.almanac.config;

import dev.almanac.model.Retention;
import dev.almanac.mongo.MongoStoreSettings;
import java.time.Duration;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** Collects the settings that are not numbers of the scheduler, from their defaults. */
final class ConfigDraft {
    @Nullable
    ZoneId zone;

    @Nullable
    String serviceName;

    @Nullable
    String label;

    @Nullable
    String defaultCalendar;

    Duration drainTimeout = Duration.ofSeconds(30);
    boolean ignoreTransactions;
    boolean reconcile;

    @Nullable
    String release;

    Duration good = Retention.DEFAULT.good();
    Duration failed = Retention.DEFAULT.failed();
    Duration canceled = Retention.DEFAULT.canceled();
    Duration superseded = Retention.DEFAULT.superseded();
    private MongoStoreSettings store = MongoStoreSettings.defaults();

    @Nullable
    String database;

    @Nullable
    String uri;

    /** In the database that is named, else in the one that the connection string names, else in the default one. */
    MongoStoreSettings store() {
        String named = database == null && uri != null ? Kinds.database(uri) : database;
        return new MongoStoreSettings(
                named == null ? store.database() : named,
                store.collectionPrefix(),
                store.partitions(),
                store.createIndexes(),
                store.commitQuorum(),
                store.operationTimeout());
    }

    void collectionPrefix(String value) {
        store = store.withCollectionPrefix(value);
    }

    void partitions(int value) {
        store = store.withPartitions(value);
    }

    void createIndexes(boolean value) {
        store = store.withCreateIndexes(value);
    }

    void commitQuorum(String value) {
        store = store.withCommitQuorum(value);
    }

    void operationTimeout(Duration value) {
        store = store.withOperationTimeout(value);
    }

    Retention retention() {
        return new Retention(good, failed, canceled, superseded);
    }
}
