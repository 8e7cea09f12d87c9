package dev.almanac.mongo;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import dev.almanac.model.GroupLimits;
import dev.almanac.model.Rate;
import dev.almanac.store.RateUse;
import dev.almanac.store.StoredGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * The size and the rate of an exclusive group, a document of the collection {@code control}. A document that was
 * damaged by hand gives a group without slots, with the reason, until the group is stored again.
 */
final class GroupDocument {
    private static final String ID = "group ";
    private static final String BEHIND = "group!";
    private static final String COUNTED = "counted";
    private static final String NUMBER = "counts";

    private GroupDocument() {}

    static boolean isOne(@Nullable Object id) {
        return id instanceof String text && text.startsWith(ID);
    }

    static StoredGroup read(Document from) {
        String name = from.getString("_id").substring(ID.length());
        try {
            boolean deleted = Fields.flag(from, "deleted");
            return new StoredGroup(
                    name,
                    Fields.version(from),
                    deleted ? GroupLimits.ONE : limits(from),
                    Objects.requireNonNullElse(Fields.instant(from, "latestUpdate"), Instant.EPOCH),
                    Objects.requireNonNullElse(Fields.optional(from, "author", String.class), ""),
                    use(from),
                    deleted,
                    null);
        } catch (RuntimeException e) {
            ControlDocuments.warn(from, e);
            return new StoredGroup(
                    name, 0, GroupLimits.ONE, Instant.EPOCH, "", RateUse.NONE, false, String.valueOf(e.getMessage()));
        }
    }

    private static GroupLimits limits(Document from) {
        String rate = Fields.optional(from, "rate", String.class);
        long size = Fields.counter(from, "size", 1);
        return new GroupLimits((int) Math.min(size, Integer.MAX_VALUE), rate == null ? null : Rate.parse(rate));
    }

    private static RateUse use(Document from) {
        List<RateUse.Count> counts = new ArrayList<>();
        for (Document count : Objects.requireNonNullElse(from.getList(COUNTED, Document.class), List.<Document>of())) {
            counts.add(
                    new RateUse.Count(Fields.required(count, "from", Date.class).toInstant(), (int)
                            Math.min(Integer.MAX_VALUE, Fields.counter(count, "claims", 0))));
        }
        return new RateUse(Fields.number(from, NUMBER), counts);
    }

    /** Removes the tombstones from before a moment. */
    static void forget(MongoCollection<Document> control, Instant before) {
        control.deleteMany(Filters.and(
                Filters.gte("_id", ID),
                Filters.lt("_id", BEHIND),
                Filters.eq("deleted", true),
                Filters.lt("latestUpdate", Date.from(before))));
    }

    /** The claims that were counted are left as they are. */
    static boolean put(MongoCollection<Document> control, StoredGroup group) {
        Document set = new Document("version", group.version());
        Document unset = new Document();
        either(set, unset, "size", group.deleted() ? null : group.limits().size());
        Rate rate = group.limits().rate();
        either(set, unset, "rate", rate == null ? null : rate.toString());
        either(set, unset, "deleted", group.deleted() ? true : null);
        Fields.put(set, "latestUpdate", group.latestUpdate());
        Fields.put(set, "author", group.author());
        if (group.version() == 1) {
            return create(control, group.name(), set);
        }
        Document update = new Document("$set", set).append("$unset", unset);
        return control.updateOne(ofVersion(group.name(), group.version() - 1), update)
                        .getMatchedCount()
                > 0;
    }

    private static void either(Document set, Document unset, String field, @Nullable Object value) {
        if (value == null) {
            unset.append(field, "");
        } else {
            set.append(field, value);
        }
    }

    /** A damaged document is replaced as a whole. */
    private static boolean create(MongoCollection<Document> control, String name, Document fields) {
        Document document = new Document("_id", ID + name);
        document.putAll(fields);
        if (WriteErrors.isNew(control, document)) {
            return true;
        }
        Document there = control.find(Filters.eq("_id", ID + name)).first();
        return there != null
                && read(there).damage() != null
                && control.replaceOne(new Document(there), document).getMatchedCount() > 0;
    }

    static boolean count(MongoCollection<Document> control, StoredGroup seen, RateUse next) {
        List<Document> counts = next.counts().stream()
                .map(count -> new Document("from", Date.from(count.from())).append("claims", count.claims()))
                .toList();
        long number = seen.use().number();
        Bson guard = Filters.and(
                ofVersion(seen.name(), seen.version()),
                // a person may have set it back
                number == 0 ? Filters.in(NUMBER, Arrays.asList(0, null)) : Filters.eq(NUMBER, number));
        Document set = new Document(NUMBER, next.number()).append(COUNTED, counts);
        return control.updateOne(guard, new Document("$set", set)).getMatchedCount() > 0;
    }

    private static Bson ofVersion(String name, long version) {
        return Filters.and(Filters.eq("_id", ID + name), Filters.eq("version", version));
    }
}
