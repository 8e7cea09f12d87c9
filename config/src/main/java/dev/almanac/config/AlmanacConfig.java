package dev.almanac.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValue;
import dev.almanac.SchedulerBuilder;
import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.helper.TypeDefaults;
import dev.almanac.model.Retention;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.runtime.SchedulerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The checked configuration. Immutable. Reading opens no connection.
 *
 * @param settings the numbers of the scheduler
 * @param retention how long finished jobs are kept without a retention of their own
 * @param store where and how jobs are kept
 * @param uri connection string of the server, which may hold a password; absent = the service brings its own client
 * @param zone of jobs that name none; absent = the system's
 * @param serviceName the requestor of jobs that name none; absent = each has to name one
 * @param label what people see of this node; absent = host name and process id
 * @param defaultCalendar of recurring jobs that name no calendar and do not opt out; absent = none
 * @param calendars the exclusion calendars by name
 * @param typeLimits how many runs of a command type this node holds at most, 1 to 100 000; {@code *} = any other type
 * @param typeDefaults priority and retries of jobs of a command type that do not set them
 * @param drainTimeout how long runs may go on when the service stops, zero or more
 * @param ignoreTransactions whether requests that take effect at once are accepted within a MongoDB transaction of Spring
 * @param reconcile whether declared jobs that have disappeared from the code are cancelled when a Spring service starts
 * @param release of the service, which its declarations carry; absent = that of the build, if a Spring service has one
 */
public record AlmanacConfig(
        SchedulerSettings settings,
        Retention retention,
        MongoStoreSettings store,
        @Nullable String uri,
        @Nullable ZoneId zone,
        @Nullable String serviceName,
        @Nullable String label,
        @Nullable String defaultCalendar,
        Map<String, CalendarDefinition> calendars,
        Map<String, Integer> typeLimits,
        Map<String, TypeDefaults> typeDefaults,
        Duration drainTimeout,
        boolean ignoreTransactions,
        boolean reconcile,
        @Nullable String release) {
    /** The prefix of every key. */
    public static final String PREFIX = "almanac";

    /** Copies the maps. */
    public AlmanacConfig {
        calendars = Map.copyOf(calendars);
        typeLimits = Map.copyOf(typeLimits);
        typeDefaults = Map.copyOf(typeDefaults);
    }

    /** The defaults of {@code reference.conf}. */
    public static AlmanacConfig defaults() {
        return ConfigFiles.defaults();
    }

    /**
     * Reads the section {@code almanac}; other sections are ignored. Missing keys have their defaults,
     * whether or not {@code reference.conf} was loaded.
     *
     * @param config resolved or not
     * @throws InvalidConfigException with every problem
     */
    public static AlmanacConfig read(Config config) {
        return ConfigFiles.read(config);
    }

    /**
     * Reads settings that another configuration system has collected, by their names below {@code almanac}. A name may
     * also be written as such systems do: {@code maxConcurrentRuns} or {@code MAXCONCURRENTRUNS} for
     * {@code max-concurrent-runs}; names of calendars, their fields and command types stay as they are. A list may be a
     * map from 0, 1 and so on.
     *
     * @param values texts, numbers, booleans, lists and maps
     * @param origin where they come from, for messages
     * @throws InvalidConfigException with every problem
     */
    public static AlmanacConfig read(Map<String, ?> values, String origin) {
        return read(ConfigFactory.parseMap(Map.of(PREFIX, RelaxedNames.resolved(values)), origin));
    }

    /**
     * The database that a connection string names; absent if it names none, or one that a store cannot have. Asks no
     * name server.
     */
    public static @Nullable String databaseOf(String uri) {
        return Kinds.database(uri);
    }

    /**
     * Every key below {@code almanac}, sorted; keys below {@code calendars}, {@code type-limits} and {@code
     * type-defaults} is the user's.
     */
    public static List<String> keys() {
        return KnownKeys.ALL;
    }

    /**
     * Reads a file, which must have a section {@code almanac}; system properties are not looked at. Includes and
     * variables of the environment are read as by {@link #parse}.
     *
     * @throws InvalidConfigException with every problem, also if the file is not there, is not UTF-8 or is not well-formed
     */
    public static AlmanacConfig read(Path file) {
        return ConfigFiles.read(file);
    }

    /**
     * Parses and resolves a file as {@link #read(Path)} does, for files that hold more than these settings.
     * Includes are limited to files in its folder and below; variables of the environment are read for
     * {@code almanac.store.uri} only: in another setting one that is set is refused.
     *
     * @param once paths of values that may be given once: HOCON would keep the last one silently
     * @throws InvalidConfigException if it is not there, not UTF-8, not well-formed, or includes anything else; no message quotes
     *     the file, which may hold a password
     */
    public static Config parse(Path file, String... once) {
        return ConfigFiles.parse(file, once);
    }

    /** Where a value was written: file and line, as in {@code jobs.conf:12}, or another name of the source. */
    public static String place(ConfigValue value) {
        return ValueOrigin.of(value.origin());
    }

    /**
     * A value as plain data, with numbers as the texts that were written, also in lists: {@code 1.10} may be a name.
     *
     * @return null for a value that is null
     */
    public static @Nullable Object written(ConfigValue value) {
        return Kinds.written(value);
    }

    /** The same in another store, with a client of the service's own. */
    public AlmanacConfig withStore(MongoStoreSettings other) {
        return with(settings, other, null);
    }

    /** The same with other numbers. */
    public AlmanacConfig withSettings(SchedulerSettings other) {
        return with(other, store, uri);
    }

    private AlmanacConfig with(SchedulerSettings numbers, MongoStoreSettings place, @Nullable String address) {
        return new AlmanacConfig(
                numbers,
                retention,
                place,
                address,
                zone,
                serviceName,
                label,
                defaultCalendar,
                calendars,
                typeLimits,
                typeDefaults,
                drainTimeout,
                ignoreTransactions,
                reconcile,
                release);
    }

    /** Passes everything but the store to a builder, and that stored calendars are defined as those of the configuration. */
    public void applyTo(SchedulerBuilder builder) {
        builder.settings(settings).retention(retention);
        builder.calendarReader(definition -> CalendarDefinition.of(definition).calendar());
        typeLimits.forEach(builder::typeLimit);
        typeDefaults.forEach(builder::typeDefaults);
        calendars.forEach((name, calendar) -> builder.calendar(name, calendar.calendar()));
        if (zone != null) {
            builder.zone(zone);
        }
        builder.serviceName(serviceName);
        if (label != null) {
            builder.label(label);
        }
        if (defaultCalendar != null) {
            builder.defaultCalendar(defaultCalendar);
        }
    }

    /** Without the connection string. */
    @Override
    public String toString() {
        return "AlmanacConfig[settings=" + settings + ", retention=" + retention + ", store=" + store + ", uri="
                + (uri == null ? "none" : "not shown") + ", zone=" + zone + ", serviceName=" + serviceName + ", label="
                + label + ", defaultCalendar="
                + defaultCalendar + ", calendars=" + calendars + ", typeLimits=" + typeLimits + ", typeDefaults="
                + typeDefaults + ", drainTimeout="
                + drainTimeout + ", ignoreTransactions=" + ignoreTransactions + ", reconcile=" + reconcile
                + ", release="
                + release + "]";
    }
}
