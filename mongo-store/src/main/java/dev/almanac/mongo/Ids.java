package dev.almanac.mongo;

import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** Ids of specification documents: object ids where they have that form, else the text itself. */
final class Ids {
    /** Texts that have the form of an object id, as the server compares them; the same as {@link #isObjectId}. */
    static final String OBJECT_ID = "^[0-9a-f]{24}$";

    /** Why a document is no job: see {@link #isReadable}. */
    static final String UNREADABLE = "field '_id' is neither an object id nor a text of another form";

    private Ids() {}

    static Object toBson(String id) {
        return isObjectId(id) ? new ObjectId(id) : id;
    }

    /**
     * Whether the id has the form of an object id; one with capital letters stays text, since they would be read back
     * in lower case.
     */
    private static boolean isObjectId(String id) {
        int at = 0;
        while (at < id.length() && isDigit(id.charAt(at))) {
            at++;
        }
        return at == 24 && at == id.length();
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9' || c >= 'a' && c <= 'f';
    }

    /** Whether a document has an id by which it can be read: one that was not written by Almanac may be of any type. */
    static boolean isReadable(@Nullable Object id) {
        return id instanceof ObjectId
                || id instanceof String text && toBson(text).equals(text);
    }

    static String fromBson(Object id) {
        return id instanceof ObjectId object ? object.toHexString() : String.valueOf(id);
    }

    /** The id of a row as its job keeps it: {@code :0:1:ended1} goes on where the id of the job ends. */
    static String shortRow(String row, String job) {
        boolean goesOn = row.startsWith(job) && row.startsWith(":", job.length());
        return goesOn ? row.substring(job.length()) : row;
    }

    static String longRow(String row, String job) {
        return row.startsWith(":") ? job + row : row;
    }
}
