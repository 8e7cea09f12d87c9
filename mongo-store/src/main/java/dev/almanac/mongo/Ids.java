package dev.almanac.mongo;

import org.bson.types.ObjectId;

/** Ids of specification documents: object ids where they have that form, else the text itself. */
final class Ids {
    private Ids() {}

    static Object toBson(String id) {
        return ObjectId.isValid(id) ? new ObjectId(id) : id;
    }

    static String fromBson(Object id) {
        return id instanceof ObjectId object ? object.toHexString() : String.valueOf(id);
    }
}
