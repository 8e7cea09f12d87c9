package dev.almanac.mongo;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.bulk.BulkWriteError;
import dev.almanac.store.StoreException;
import dev.almanac.store.WriteRefusedException;
import dev.almanac.text.Redaction;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.bson.BsonMaximumSizeExceededException;

/** Makes calls of the driver; its failures become exceptions of the store interface, without credentials. */
final class MongoCalls {
    private MongoCalls() {}

    /** A call that only asks. What the server refuses then is no write. */
    static <T> T read(String what, Supplier<T> call) {
        return call(what, call, false);
    }

    /** A call that may change something. */
    static <T> T write(String what, Supplier<T> call) {
        return call(what, call, true);
    }

    private static <T> T call(String what, Supplier<T> call, boolean writes) {
        try {
            return call.get();
        } catch (MongoException e) {
            String reason = what + ": " + Redaction.withoutCredentials(e.getMessage());
            if (writes && WriteErrors.isForGood(e)) {
                throw new WriteRefusedException("MongoDB refuses it for good while " + reason, e);
            }
            throw new StoreException("MongoDB did not answer as expected while " + reason, e);
        } catch (BsonMaximumSizeExceededException e) {
            String reason = what + ": " + Redaction.withoutCredentials(e.getMessage());
            throw writes
                    ? new WriteRefusedException("a document is too large while " + reason, e)
                    : new StoreException("a question is too large while " + reason, e);
        } catch (IllegalStateException e) {
            // the driver throws this if the client was closed by its owner
            throw new StoreException(
                    "the MongoDB client cannot be used for " + what + ": "
                            + Redaction.withoutCredentials(e.getMessage()),
                    e);
        }
    }

    /**
     * Which items of an unordered insert were refused for a key that is there already; other failures are thrown, and so is
     * what a unique index of others refuses.
     */
    static Set<Integer> duplicates(Runnable insert) {
        return duplicates(refused -> false, insert);
    }

    /**
     * As {@link #duplicates(Runnable)}.
     *
     * @param foreign whether, if these items were refused, nothing was written, now or by an earlier try; then it does not
     *     matter that no majority has acknowledged it
     */
    static Set<Integer> duplicates(Predicate<Set<Integer>> foreign, Runnable insert) {
        Set<Integer> refused = new HashSet<>();
        try {
            insert.run();
        } catch (MongoBulkWriteException e) {
            for (BulkWriteError error : e.getWriteErrors()) {
                if (!WriteErrors.isDuplicate(error.getCode(), error.getMessage())) {
                    throw e;
                }
                refused.add(error.getIndex());
            }
            if (e.getWriteConcernError() != null && !foreign.test(refused)) {
                throw e;
            }
        }
        return refused;
    }
}
