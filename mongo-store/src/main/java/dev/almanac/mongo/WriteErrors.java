package dev.almanac.mongo;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.MongoServerException;
import com.mongodb.MongoWriteException;
import com.mongodb.ReadConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Distinguishes refusals because of a document from failures that may pass and missing rights. */
final class WriteErrors {
    static final int UNAUTHORIZED = 13;

    /**
     * BadValue, FailedToParse, TypeMismatch, Overflow (nested too deeply), PathNotViable, ConflictingUpdateOperators,
     * DollarPrefixedFieldName, ImmutableField, DocumentValidationFailure, CannotIndexParallelArrays, document too large.
     * An error of any other code may pass, unless a unique index of others has refused the document.
     */
    private static final Set<Integer> FOR_GOOD = Set.of(2, 9, 14, 15, 28, 40, 52, 66, 121, 171, 10_334, 17_280, 17_419);

    /** In what the server says of a duplicate key, before the values of the key. */
    private static final Pattern INDEX =
            Pattern.compile("duplicate key error collection: \\S+ index: (.+?) (?:collation: .*?)?dup key: ");

    private WriteErrors() {}

    /** Whether a unique index of the store has refused the document; what one of others refuses is refused for good. */
    static boolean isDuplicate(int code, @Nullable String message) {
        return hasDuplicate(code) && !namesForeignIndex(message);
    }

    static boolean isDuplicate(MongoServerException e) {
        return isDuplicate(e.getCode(), e.getMessage());
    }

    private static boolean hasDuplicate(int code) {
        return ErrorCategory.fromErrorCode(code) == ErrorCategory.DUPLICATE_KEY;
    }

    /** The driver passes on the index in the text alone. One that the text does not name counts as the store's own. */
    private static boolean namesForeignIndex(@Nullable String message) {
        Matcher named = INDEX.matcher(String.valueOf(message));
        return named.find() && !Indexes.UNIQUE.contains(named.group(1));
    }

    private static boolean isForGood(int code, @Nullable String message) {
        return FOR_GOOD.contains(code) || hasDuplicate(code) && namesForeignIndex(message);
    }

    /** Inserts the document; false if one of its id, or of its unique fields, is there. */
    static boolean isNew(MongoCollection<Document> collection, Document document) {
        try {
            return collection.insertOne(document).wasAcknowledged();
        } catch (MongoWriteException e) {
            if (isDuplicate(e)) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Replaces the document of the same id, if it is there with that version; 0 = with none that an edit could follow, as a person
     * may have left it.
     */
    static boolean isReplaced(MongoCollection<Document> collection, Document next, long version) {
        Bson id = Filters.eq("_id", next.get("_id"));
        Document there = collection.withReadConcern(ReadConcern.LOCAL).find(id).first();
        return there != null
                && Fields.versionOrZero(there) == version
                && collection
                                .replaceOne(Filters.and(id, Filters.eq("version", there.get("version"))), next)
                                .getMatchedCount()
                        > 0;
    }

    /** Whether the server will refuse the same write again, and a majority has seen what was applied besides. */
    static boolean isForGood(MongoException e) {
        if (e instanceof MongoBulkWriteException bulk) {
            return bulk.getWriteConcernError() == null
                    && bulk.getWriteErrors().stream().anyMatch(error -> isForGood(error.getCode(), error.getMessage()));
        }
        return e instanceof MongoServerException && isForGood(e.getCode(), e.getMessage());
    }
}
