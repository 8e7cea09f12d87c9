package dev.almanac.mongo;

import com.mongodb.MongoWriteException;
import com.mongodb.ReadConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.Sorts;
import dev.almanac.store.StoredCalendar;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * Stored calendars, and the versions of them that were replaced. Those are in a collection of their own, by name and the last
 * digits of the version, so that a name has a bounded number of them, until the server removes them at their {@code deleteTime}.
 */
final class CalendarDocument {
    private static final ReplaceOptions UPSERT = new ReplaceOptions().upsert(true);
    private static final String NAME = "name";
    private static final String SLOT = "slot";

    private CalendarDocument() {}

    static List<StoredCalendar> all(MongoCollection<Document> calendars) {
        return read(calendars.find().sort(Sorts.ascending("_id")), CalendarDocument::current);
    }

    /** Reads a calendar; a damaged one has no definition, and its jobs are left alone until it is stored again. */
    private static StoredCalendar current(Document from) {
        String name = Fields.required(from, "_id", String.class);
        try {
            return calendar(name, from);
        } catch (RuntimeException e) {
            ControlDocuments.warn(from, e);
            return new StoredCalendar(name, Fields.versionOrZero(from), Map.of(), Instant.EPOCH, "");
        }
    }

    private static StoredCalendar calendar(String name, Document from) {
        boolean deleted = Fields.flag(from, "deleted");
        return new StoredCalendar(
                name,
                Fields.version(from),
                deleted ? Map.of() : CommandBodies.plain(Fields.required(from, "definition", Document.class)),
                Fields.required(from, "latestUpdate", Date.class).toInstant(),
                Objects.requireNonNullElse(Fields.optional(from, "author", String.class), ""),
                deleted);
    }

    /** One document that cannot be read, such as after an edit by hand, must not hide the others. */
    private static List<StoredCalendar> read(Iterable<Document> documents, Function<Document, StoredCalendar> reading) {
        List<StoredCalendar> read = new ArrayList<>();
        for (Document document : documents) {
            try {
                read.add(reading.apply(document));
            } catch (RuntimeException e) {
                ControlDocuments.warn(document, e);
            }
        }
        return read;
    }

    static List<StoredCalendar> versions(MongoCollection<Document> versions, Collection<String> names) {
        List<Bson> each = names.stream()
                .map(name -> Filters.and(
                        Filters.gte("_id", id(name, 0)), Filters.lt("_id", id(name, StoredCalendar.MOST_KEPT))))
                .toList();
        return each.isEmpty()
                ? List.of()
                : read(
                        versions.find(Filters.or(each)),
                        from -> calendar(
                                Fields.required(Fields.required(from, "_id", Document.class), NAME, String.class),
                                from));
    }

    private static Document id(String name, long slot) {
        return new Document(NAME, name).append(SLOT, slot);
    }

    static boolean put(
            MongoCollection<Document> calendars, MongoCollection<Document> versions, StoredCalendar calendar) {
        Document document = new Document("_id", calendar.name()).append("version", calendar.version());
        if (calendar.deleted()) {
            document.append("deleted", true);
        } else {
            document.append("definition", CommandBodies.document(calendar.definition()));
        }
        Fields.put(document, "author", calendar.author());
        Fields.put(document, "latestUpdate", calendar.latestUpdate());
        return calendar.version() > 1 && replace(calendars, versions, calendar, document)
                || WriteErrors.isNew(calendars, document)
                || WriteErrors.isReplaced(calendars, document, 0);
    }

    /**
     * Keeps the version first, so that a replacement that is read never lacks it. If the edit is refused or its process dies, a
     * copy of the version in force is left. If a person has changed the document in between, what was replaced is kept.
     */
    private static boolean replace(
            MongoCollection<Document> calendars,
            MongoCollection<Document> versions,
            StoredCalendar next,
            Document document) {
        Bson before = Filters.and(Filters.eq("_id", next.name()), Filters.eq("version", next.version() - 1));
        Document seen =
                calendars.withReadConcern(ReadConcern.LOCAL).find(before).first();
        if (seen != null) {
            keep(versions, seen, next);
        }
        Document replaced = calendars.findOneAndReplace(before, document);
        if (replaced != null && !replaced.equals(seen)) {
            keep(versions, replaced, next);
        }
        return replaced != null;
    }

    /** One that is there already is kept on; a newer one of its slot stays, as after an edit that hung. */
    private static void keep(MongoCollection<Document> versions, Document stored, StoredCalendar next) {
        if (!BoundedDocuments.isWhole(stored)) {
            return;
        }
        long version = next.version() - 1;
        Date end =
                Date.from(later(next.latestUpdate(), stored.get("latestUpdate")).plus(StoredCalendar.KEPT));
        Document id = id(next.name(), version % StoredCalendar.MOST_KEPT);
        Bson earlier = Filters.or(
                Filters.not(Filters.gte("version", version)),
                Filters.and(Filters.eq("version", version), Filters.not(Filters.gt("deleteTime", end))));
        try {
            versions.replaceOne(
                    Filters.and(Filters.eq("_id", id), earlier),
                    new Document(stored).append("_id", id).append("deleteTime", end),
                    UPSERT);
        } catch (MongoWriteException e) {
            if (!WriteErrors.isDuplicate(e)) {
                throw e;
            }
        }
    }

    /** A calendar that is restored after its deletion has its old time. */
    private static Instant later(Instant next, Object stored) {
        return stored instanceof Date date && date.toInstant().isAfter(next) ? date.toInstant() : next;
    }
}
