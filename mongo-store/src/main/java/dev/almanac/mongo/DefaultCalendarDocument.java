package dev.almanac.mongo;

import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.almanac.store.DefaultCalendar;
import java.time.Instant;
import java.util.Date;
import org.bson.Document;
import org.bson.conversions.Bson;

/** The document of the collection {@code control} that names the default calendar. */
final class DefaultCalendarDocument {
    static final String ID = "defaultCalendar";

    private DefaultCalendarDocument() {}

    /** One that was damaged by hand counts as none, and is replaced by the next one that is put. */
    static DefaultCalendar read(Document from) {
        long version = Fields.versionOrZero(from);
        return version < 1
                ? DefaultCalendar.NONE
                : new DefaultCalendar(
                        from.get("name") instanceof String name ? name : null,
                        version,
                        from.get("latestUpdate") instanceof Date date ? date.toInstant() : Instant.EPOCH,
                        from.get("planned") instanceof Number planned ? planned.longValue() : 0,
                        String.valueOf(from.get("author")));
    }

    /** False if another version is there. */
    static boolean put(MongoCollection<Document> control, DefaultCalendar next) {
        Document document = new Document("_id", ID).append("version", next.version());
        Fields.put(document, "name", next.name());
        Fields.put(document, "latestUpdate", next.latestUpdate());
        document.append("planned", next.planned()).append("author", next.author());
        try {
            return next.version() == 1
                    ? control.insertOne(document).wasAcknowledged()
                    : control.replaceOne(ofVersion(next.version() - 1), document)
                                    .getMatchedCount()
                            > 0;
        } catch (MongoWriteException e) {
            if (WriteErrors.isDuplicate(e.getCode())) {
                return MongoClusterStore.replaceDamaged(control, document);
            }
            throw e;
        }
    }

    private static Bson ofVersion(long version) {
        return Filters.and(Filters.eq("_id", ID), Filters.eq("version", version));
    }

    static void planned(MongoCollection<Document> control, long version) {
        control.updateOne(ofVersion(version), Updates.set("planned", version));
    }
}
