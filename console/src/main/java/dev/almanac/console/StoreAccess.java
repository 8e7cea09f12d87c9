package dev.almanac.console;

import com.mongodb.MongoException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.client.MongoClient;
import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.store.NodeReport;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoreRefusedException;
import dev.almanac.store.WriteRefusedException;
import dev.almanac.text.Redaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A client of a database, its store and schedulers; closed in the opposite order. Not thread-safe. */
final class StoreAccess implements AutoCloseable {
    private static final int UNAUTHORIZED = 13;
    private static final int AUTHENTICATION_FAILED = 18;

    private final MongoClient client;
    private final MongoStoreSettings settings;
    private final String hosts;
    private final Duration patience;
    private final ServerTalk talk;
    private final MongoJobStore store;
    private Consumer<String> complaints = text -> {};
    private @Nullable Instant now;
    private final Deque<Scheduler> schedulers = new ArrayDeque<>();

    /**
     * @param talk of the client with its server
     * @param hosts of the connection string, without user and password
     */
    StoreAccess(MongoClient client, ServerTalk talk, MongoStoreSettings settings, String hosts, Duration patience) {
        this.client = client;
        this.talk = talk;
        this.settings = settings;
        this.hosts = hosts;
        this.patience = patience;
        this.store = MongoJobStore.tolerant(client, settings, this::complain);
    }

    /** The store; a scheduler opens it with its first question. A missing index is a warning, unless a node is to work with it. */
    MongoJobStore store() {
        return store;
    }

    /** The store for a command that asks no scheduler; call it once. */
    MongoJobStore opened() {
        store.open();
        return store;
    }

    /** The store as a node opens it: refused if its indexes are not as required. */
    MongoJobStore verifiedStore() {
        return MongoJobStore.create(client, settings);
    }

    /** The server's time, from which the moments of a command count; one for all of them. */
    Instant now() {
        if (now == null) {
            now = store.serverTime();
        }
        return now;
    }

    /** A scheduler with the stored calendars and without command types: it shows commands as they are stored, and is never started. */
    Scheduler scheduler() {
        return kept(Scheduler.builder().store(store));
    }

    /** A scheduler on this store, with what the builder has already. Closed with this. */
    Scheduler scheduler(SchedulerBuilder builder) {
        return kept(builder.store(verifiedStore()));
    }

    private Scheduler kept(SchedulerBuilder builder) {
        Scheduler scheduler = builder.calendarReader(
                        definition -> CalendarDefinition.of(definition).calendar())
                .build();
        schedulers.push(scheduler);
        return scheduler;
    }

    /** Sets the receiver of problems of the store with which a command continues; it is called once. */
    void onComplaint(Consumer<String> listener) {
        complaints = listener;
    }

    private void complain(String text) {
        Consumer<String> listener = complaints;
        complaints = further -> {};
        listener.accept(text);
    }

    /**
     * What was read after a change.
     *
     * @param value absent = there is none, or it could not be read
     * @param problem why it is not known, as the end of a sentence; absent = it was read
     */
    record Afterwards<T>(@Nullable T value, @Nullable String problem) {
        String orNothing() {
            return problem == null ? "" : problem;
        }
    }

    /** Reads after a change, which stands if the database fails meanwhile. */
    <T> Afterwards<T> afterwards(String what, Supplier<@Nullable T> read) {
        try {
            return new Afterwards<>(read.get(), null);
        } catch (StoreException e) {
            String wrong = ofServer(e);
            String why = wrong == null ? Redaction.withoutCredentials(e.getMessage()) : wrong;
            return new Afterwards<>(null, "; " + what + " is not known: " + why);
        }
    }

    /** What people call the nodes that have reported within the last hour, by id; of a store that is open. */
    Map<String, String> nodeLabels() {
        return store.cluster().nodes(Instant.EPOCH).stream()
                .collect(Collectors.toMap(NodeReport::id, NodeReport::label, (one, other) -> one));
    }

    /** Names of database and collections. */
    MongoStoreSettings settings() {
        return settings;
    }

    /** The database and where it is, for people. */
    String place() {
        return "database '" + settings.database() + "' at " + hosts;
    }

    /**
     * The message about a database that cannot be used: what was tried, and what to do. It holds no credentials. Once a server
     * has answered, its failure is not reported as wrong input, since programs may repeat that.
     */
    RuntimeException explained(RuntimeException e) {
        if (e instanceof StoreRefusedException) {
            return new InvalidInputException(refused(String.valueOf(e.getMessage())), e);
        }
        if (e instanceof StoreException || e instanceof MongoException) {
            String wrong = ofServer(e);
            return wrong != null
                    ? new InvalidInputException(wrong, e)
                    : new CommandFailedException(
                            (talk.isChangeSent() && !(e instanceof WriteRefusedException)
                                            ? "what was asked may have been done: "
                                            : "")
                                    + Redaction.withoutCredentials(e.getMessage()),
                            e);
        }
        return e;
    }

    /** What is wrong with the connection string or the rights of its user; absent if it is something else. */
    private @Nullable String ofServer(RuntimeException e) {
        if (talk.isAnswered()) {
            // what lies deeper is the reason of an earlier try, whose outcome may be unknown
            return isUnauthorized(e) || isUnauthorized(e.getCause()) ? notAllowed() : null;
        }
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (isAuthentication(cause)) {
                return "the server at " + hosts
                        + " refused the user or the password; check both, and authSource,"
                        + " in the connection string";
            }
            if (isUnauthorized(cause)) {
                return notAllowed();
            }
            if (isWithoutPrimary(cause) || isSilence(cause) && talk.isWithoutPrimary()) {
                return "a MongoDB server answers at " + hosts + ", but within " + seconds()
                        + " no primary of its replica set does; initiate a new set once by rs.initiate(), else wait for"
                        + " the election";
            }
            if (isSilence(cause)) {
                return "no MongoDB server answers at " + hosts + " within "
                        + seconds()
                        + "; check that it runs, the host, the port and replicaSet in the connection string"
                        + because(cause);
            }
        }
        return null;
    }

    private String notAllowed() {
        return "the user of the connection string may not do this in database '" + settings.database()
                + "'; docs/security.md has the roles";
    }

    private static boolean isUnauthorized(@Nullable Throwable e) {
        return e instanceof MongoException refused && refused.getCode() == UNAUTHORIZED;
    }

    private static boolean isAuthentication(Throwable cause) {
        return cause instanceof MongoSecurityException
                || cause instanceof MongoException refused && refused.getCode() == AUTHENTICATION_FAILED
                || cause instanceof MongoTimeoutException
                        && String.valueOf(cause.getMessage()).contains("MongoSecurityException");
    }

    /** As of a set that was never initiated, or elects. A driver that waits for a primary knows the members of the set. */
    private static boolean isWithoutPrimary(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        return ServerTalk.isWithoutPrimary(cause)
                || cause instanceof MongoTimeoutException
                        && message.contains("type=REPLICA_SET_")
                        && !message.contains("type=REPLICA_SET_PRIMARY");
    }

    private static boolean isSilence(Throwable cause) {
        return cause instanceof MongoTimeoutException
                || cause instanceof MongoOperationTimeoutException
                || cause instanceof MongoSocketException;
    }

    /** The reason of a connection failure in short; the driver's description of the servers is long. */
    private static String because(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        if (message.contains("UnknownHostException")) {
            return " (the host name is not known)";
        }
        if (message.contains("Connection refused")) {
            return " (connection refused)";
        }
        return message.contains("SSL") ? " (TLS failed)" : "";
    }

    private String seconds() {
        long millis = patience.toMillis();
        return millis % 1_000 == 0 ? millis / 1_000 + " s" : millis + " ms";
    }

    private String refused(String message) {
        String jobs = settings.collectionPrefix() + "jobSpecification";
        boolean nothing = message.startsWith("ALM-001")
                && client.getDatabase(settings.database())
                                .getCollection(jobs)
                                .listIndexes()
                                .first()
                        == null;
        if (!nothing) {
            return message;
        }
        String prefix = settings.collectionPrefix();
        String options = "--database " + settings.database() + (prefix.isEmpty() ? "" : " --prefix " + prefix);
        return "database '" + settings.database() + "' contains no Almanac store"
                + (prefix.isEmpty() ? "" : " with prefix '" + prefix + "'")
                + "; name another one by --database and --prefix, or create it: almanac indexes create " + options;
    }

    @Override
    public void close() {
        schedulers.forEach(Scheduler::close);
        client.close();
    }
}
