package dev.almanac.console;

import com.mongodb.MongoException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoreRefusedException;
import dev.almanac.text.Redaction;
import org.jspecify.annotations.Nullable;

/** Messages about a database that cannot be used: what was tried, and what to do. They hold no credentials. */
final class ConnectionErrors {
    private static final int UNAUTHORIZED = 13;
    private static final int AUTHENTICATION_FAILED = 18;

    private ConnectionErrors() {}

    static RuntimeException explained(StoreAccess access, RuntimeException e) {
        if (e instanceof StoreRefusedException) {
            return new InvalidInputException(refused(access, String.valueOf(e.getMessage())), e);
        }
        if (e instanceof StoreException || e instanceof MongoException) {
            String message = ofServer(access, e);
            return message != null
                    ? new InvalidInputException(message, e)
                    : new CommandFailedException(Redaction.withoutCredentials(e.getMessage()), e);
        }
        return e;
    }

    private static @Nullable String ofServer(StoreAccess access, RuntimeException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (isAuthentication(cause)) {
                return "the server at " + access.hosts()
                        + " refused the user or the password; check both, and authSource,"
                        + " in the connection string";
            }
            if (cause instanceof MongoException refused && refused.getCode() == UNAUTHORIZED) {
                return "the user of the connection string may not do this in database '"
                        + access.settings().database() + "'; docs/security.md has the roles";
            }
            if (isSilence(cause)) {
                return "no MongoDB server answers at " + access.hosts() + " within "
                        + seconds(access)
                        + "; check that it runs, the host, the port and replicaSet in the connection string"
                        + because(cause);
            }
        }
        return null;
    }

    private static boolean isAuthentication(Throwable cause) {
        return cause instanceof MongoSecurityException
                || cause instanceof MongoException refused && refused.getCode() == AUTHENTICATION_FAILED
                || cause instanceof MongoTimeoutException
                        && String.valueOf(cause.getMessage()).contains("MongoSecurityException");
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

    private static String seconds(StoreAccess access) {
        long millis = access.patience().toMillis();
        return millis % 1_000 == 0 ? millis / 1_000 + " s" : millis + " ms";
    }

    private static String refused(StoreAccess access, String message) {
        String jobs = access.settings().collectionPrefix() + "jobSpecification";
        boolean nothing = message.startsWith("ALM-001")
                && access.database().getCollection(jobs).listIndexes().first() == null;
        if (!nothing) {
            return message;
        }
        String prefix = access.settings().collectionPrefix();
        String options = "--database " + access.settings().database() + (prefix.isEmpty() ? "" : " --prefix " + prefix);
        return "database '" + access.settings().database() + "' contains no Almanac store"
                + (prefix.isEmpty() ? "" : " with prefix '" + prefix + "'")
                + "; name another one by --database and --prefix, or create it: almanac indexes create " + options;
    }
}
