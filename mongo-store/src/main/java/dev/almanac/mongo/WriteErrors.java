package dev.almanac.mongo;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoServerException;
import java.util.Set;

/** Distinguishes refusals because of a document from temporary failures and missing rights. */
final class WriteErrors {
    static final int UNAUTHORIZED = 13;
    static final int COMMAND_NOT_FOUND = 59;

    /**
     * Codes of refusals that have nothing to do with the document: no right, no such host, interrupted, out of time or
     * space, locked, in conflict, changing its role, a write concern that was not met.
     */
    private static final Set<Integer> OF_THE_MOMENT = Set.of(
            6, 7, 8, 11, 13, 18, 24, 26, 43, 46, 50, 59, 63, 64, 79, 89, 91, 100, 112, 117, 133, 134, 136, 150, 175,
            189, 202, 234, 237, 246, 251, 262, 290, 314, 317, 365, 391, 9001, 10058, 10107, 11600, 11601, 11602, 13388,
            13435, 13436, 14031, 16755);

    private WriteErrors() {}

    /** Whether a unique index has refused the document. */
    static boolean isDuplicate(int code) {
        return ErrorCategory.fromErrorCode(code) == ErrorCategory.DUPLICATE_KEY;
    }

    /** Whether the same write would be refused again, however often it is tried. */
    static boolean isOfDocument(MongoServerException e) {
        boolean ofTheMoment = e instanceof MongoNotPrimaryException
                || e instanceof MongoNodeIsRecoveringException
                || e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)
                || e.hasErrorLabel("RetryableWriteError")
                || e.hasErrorLabel("RetryableError")
                || OF_THE_MOMENT.contains(e.getCode());
        return !ofTheMoment && e.getCode() > 0;
    }
}
