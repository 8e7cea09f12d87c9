package dev.almanac.web;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.model.InvariantReport;
import dev.almanac.store.JobStore;
import dev.almanac.store.StoreOverview;
import dev.almanac.time.CalendarReader;
import dev.almanac.time.ExclusionCalendar;
import dev.almanac.web.guard.Defence;
import dev.almanac.web.guard.Guards;
import dev.almanac.web.guard.TrustedProxies;
import dev.almanac.web.page.Setup;
import dev.almanac.web.read.KnownCalendars;
import dev.almanac.web.read.StoreReader;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects what a {@link ConsoleServlet} needs; only the store is required. Not thread-safe. */
public final class ConsoleBuilder {
    private final Map<String, ExclusionCalendar> calendars = new HashMap<>();
    private final Set<String> hosts = new HashSet<>();
    private final Set<String> proxies = new HashSet<>();
    private final Set<Defence> defences = EnumSet.allOf(Defence.class);
    private @Nullable JobStore store;
    private @Nullable ConsoleAccess access;
    private CalendarReader reader = CalendarReader.NONE;
    private @Nullable String defaultCalendar;
    private @Nullable Supplier<InvariantReport> doctor;
    private @Nullable Supplier<String> metrics;
    private ZoneId zone = ZoneOffset.UTC;
    private String title = "Almanac";
    private Duration patience = Duration.ofSeconds(2);
    private boolean changes;
    private boolean payloads = true;
    private LongSupplier nanos = System::nanoTime;
    private @Nullable Executor searches;

    ConsoleBuilder() {}

    /** The store of the jobs. Required; it must be a {@link StoreOverview}, as the MongoDB store is. */
    public ConsoleBuilder store(JobStore store) {
        this.store = store;
        return this;
    }

    /** Maps requests to viewers. Without one the console refuses every request. */
    public ConsoleBuilder access(ConsoleAccess access) {
        this.access = access;
        return this;
    }

    /** The reader of stored calendar definitions; without one, stored calendars cannot be shown. */
    public ConsoleBuilder calendarReader(CalendarReader reader) {
        this.reader = reader;
        return this;
    }

    /** A calendar that the service declares in code; by default there is none. */
    public ConsoleBuilder calendar(String name, ExclusionCalendar calendar) {
        calendars.put(name, KnownCalendars.contained(name, calendar));
        return this;
    }

    /** The default calendar, as the service has it: recurring jobs that name none get it; by default none. */
    public ConsoleBuilder defaultCalendar(String name) {
        this.defaultCalendar = name;
        return this;
    }

    /** A name under which browsers reach the console, in any case; addresses and localhost always do. By default none. */
    public ConsoleBuilder host(String name) {
        hosts.add(name.toLowerCase(Locale.ROOT));
        return this;
    }

    /**
     * A proxy whose headers about the client are believed ({@code Forwarded}, or {@code X-Forwarded-For} and
     * {@code X-Forwarded-Proto}): an IP address, or a network such as {@code 10.0.0.0/8}. By default none.
     */
    public ConsoleBuilder trustedProxy(String address) {
        proxies.add(address);
        return this;
    }

    /**
     * How long a page waits for the database, at least 1 ms; 2 seconds by default. Changes wait for as long as the store's
     * own settings say.
     */
    public ConsoleBuilder databaseTimeout(Duration timeout) {
        this.patience = timeout;
        return this;
    }

    /** The title in the head of every page; by default Almanac. */
    public ConsoleBuilder title(String title) {
        this.title = title;
        return this;
    }

    /** The zone of the times shown until a browser chooses another; UTC by default. */
    public ConsoleBuilder zone(ZoneId zone) {
        this.zone = zone;
        return this;
    }

    /** Allows changes by viewers with that right; by default the console is read-only. */
    public ConsoleBuilder allowChanges(boolean allow) {
        this.changes = allow;
        return this;
    }

    /** Hides commands from all viewers; by default viewers with that right see them. */
    public ConsoleBuilder hidePayloads() {
        this.payloads = false;
        return this;
    }

    /** The metrics of this process in Prometheus' text format, such as {@code registry::scrape}; by default none. */
    public ConsoleBuilder metrics(Supplier<String> text) {
        this.metrics = text;
        return this;
    }

    /** The check of the stored state; by default {@code Scheduler.checkInvariants}. */
    public ConsoleBuilder doctor(Supplier<InvariantReport> check) {
        this.doctor = check;
        return this;
    }

    /** For tests: switches a defence off. */
    ConsoleBuilder without(Defence defence) {
        defences.remove(defence);
        return this;
    }

    /** For tests: a monotonic clock. */
    ConsoleBuilder nanos(LongSupplier clock) {
        this.nanos = clock;
        return this;
    }

    /** For tests: goes on with searches. */
    ConsoleBuilder searches(Executor by) {
        this.searches = by;
        return this;
    }

    /**
     * The servlet; the store is not read yet.
     *
     * @throws IllegalStateException if there is no store, or it is no {@link StoreOverview}
     * @throws IllegalArgumentException if a trusted proxy is no address
     */
    public ConsoleServlet build() {
        if (store == null) {
            throw new IllegalStateException("a console needs a store: builder().store(MongoJobStore.create(client))");
        }
        if (!(store instanceof StoreOverview)) {
            throw new IllegalStateException("the console cannot show a "
                    + store.getClass().getName() + ", which is no StoreOverview; MongoJobStore is one");
        }
        JobStore reading = ((StoreOverview) store).answeringWithin(patience);
        Scheduler reader = scheduler(reading);
        StoreReader storeReader = new StoreReader(
                reading, reader, scheduler(store), doctor == null ? reader::checkInvariants : doctor, nanos, searches);
        Setup setup = new Setup(title, zone, changes, payloads, this.reader, calendars, metrics);
        Guards guards = new Guards(defences, hosts, new TrustedProxies(proxies), nanos);
        return new ConsoleServlet(storeReader, setup, guards, access, nanos);
    }

    private Scheduler scheduler(JobStore on) {
        SchedulerBuilder builder =
                Scheduler.builder().store(on).calendarReader(reader).label("console");
        calendars.forEach(builder::calendar);
        if (defaultCalendar != null) {
            builder.defaultCalendar(defaultCalendar);
        }
        return builder.build();
    }
}
