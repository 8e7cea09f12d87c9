package dev.almanac.mongo;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.MongoServerException;
import com.mongodb.bulk.BulkWriteError;
import dev.almanac.store.StoreException;
import dev.almanac.store.WriteRefusedException;
import dev.almanac.text.Redaction;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.bson.BsonMaximumSizeExceededException;

/** Makes calls of the driver; its failures become exceptions of the store interface, without credentials. */
final class MongoCalls {
    /**
     * BadValue, FailedToParse, TypeMismatch, PathNotViable, ConflictingUpdateOperators, DollarPrefixedFieldName,
     * ImmutableField, DocumentValidationFailure, document too large.
     */
    private static final Set<Integer> FOR_GOOD = Set.of(2, 9, 14, 28, 40, 52, 66, 121, 10_334, 17_280, 17_419);

    private MongoCalls() {}

    static <T> T call(String what, Supplier<T> call) {
        try {
            return call.get();
        } catch (MongoException e) {
            String reason = what + ": " + Redaction.withoutCredentials(e.getMessage());
            if (isRefusal(e)) {
                throw new WriteRefusedException("MongoDB refuses it for good while " + reason, e);
            }
            throw new StoreException("MongoDB did not answer as expected while " + reason, e);
        } catch (BsonMaximumSizeExceededException e) {
            throw new WriteRefusedException(
                    "a document is too large while " + what + ": " + Redaction.withoutCredentials(e.getMessage()), e);
        } catch (IllegalStateException e) {
            // the driver throws this if the client was closed by its owner
            throw new StoreException(
                    "the MongoDB client cannot be used for " + what + ": "
                            + Redaction.withoutCredentials(e.getMessage()),
                    e);
        }
    }

    /** Whether the server will refuse the same write again; other failures may be temporary. */
    private static boolean isRefusal(MongoException e) {
        if (e instanceof MongoBulkWriteException bulk) {
            return bulk.getWriteConcernError() == null
                    && bulk.getWriteErrors().stream().anyMatch(error -> FOR_GOOD.contains(error.getCode()));
        }
        return e instanceof MongoServerException && FOR_GOOD.contains(e.getCode());
    }

    /** Which items of an unordered insert were refused for a key that is there already; other failures are thrown. */
    static Set<Integer> duplicates(Runnable insert) {
        return duplicates(Integer.MAX_VALUE, insert);
    }

    /**
     * As {@link #duplicates(Runnable)}; if all items were refused, none of them was written, and that no majority has
     * acknowledged the write proves nothing.
     */
    static Set<Integer> duplicates(int items, Runnable insert) {
        Set<Integer> refused = new HashSet<>();
        try {
            insert.run();
        } catch (MongoBulkWriteException e) {
            for (BulkWriteError error : e.getWriteErrors()) {
                if (!WriteErrors.isDuplicate(error.getCode())) {
                    throw e;
                }
                refused.add(error.getIndex());
            }
            if (e.getWriteConcernError() != null && refused.size() < items) {
                throw e;
            }
        }
        return refused;
    }
}
