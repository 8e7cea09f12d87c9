package dev.almanac.mongo;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOptions;
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
        long version = from.get("version") instanceof Number number ? number.longValue() : 0;
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
        boolean first = next.version() == 1;
        Bson before =
                first ? Filters.not(Filters.type("version", "number")) : Filters.eq("version", next.version() - 1);
        try {
            return control.replaceOne(
                                            Filters.and(Filters.eq("_id", ID), before),
                                            document,
                                            new ReplaceOptions().upsert(first))
                                    .getMatchedCount()
                            > 0
                    || first;
        } catch (MongoWriteException e) {
            if (e.getError().getCategory() == ErrorCategory.DUPLICATE_KEY) {
                return false;
            }
            throw e;
        }
    }

    static void planned(MongoCollection<Document> control, long version) {
        control.updateOne(
                Filters.and(Filters.eq("_id", ID), Filters.eq("version", version)), Updates.set("planned", version));
    }
}
