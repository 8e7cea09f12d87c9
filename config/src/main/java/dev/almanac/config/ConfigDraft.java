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

    private Duration good = Retention.DEFAULT.good();
    private Duration failed = Retention.DEFAULT.failed();
    private Duration canceled = Retention.DEFAULT.canceled();
    private Duration superseded = Retention.DEFAULT.superseded();
    private MongoStoreSettings store = MongoStoreSettings.defaults();

    private @Nullable String database;

    @Nullable
    String uri;

    void zone(ZoneId value) {
        zone = value;
    }

    void serviceName(String value) {
        serviceName = value;
    }

    void label(String value) {
        label = value;
    }

    void defaultCalendar(String value) {
        defaultCalendar = value;
    }

    void drainTimeout(Duration value) {
        drainTimeout = value;
    }

    void ignoreTransactions(boolean value) {
        ignoreTransactions = value;
    }

    void reconcile(boolean value) {
        reconcile = value;
    }

    void release(String value) {
        release = value;
    }

    void good(Duration value) {
        good = value;
    }

    void failed(Duration value) {
        failed = value;
    }

    void canceled(Duration value) {
        canceled = value;
    }

    void superseded(Duration value) {
        superseded = value;
    }

    void uri(String value) {
        uri = value;
    }

    void database(String name) {
        database = name;
    }

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
